//! The variables of a theme: those that a project's style sheets declare, and those that it needs.

use crate::gate::Project;
use crate::gate::contract::only_if;
use crate::syntax::css::{CssItem, StyleSheet, at_rule, selectors};

/// A variable of the theme: its name without the dashes, and neutral values for light and dark.
pub(super) type Variable = (&'static str, &'static str, &'static str);

/// The number of variables of a complete theme.
pub(super) const THEME_SIZE: usize = COLORS.len() + STATUS.len();

/// Variables that every theme declares: the color tokens of shadcn/ui (<https://ui.shadcn.com/docs/theming>) of base, chart
/// and sidebar, and `destructive-foreground`, which many of its components use.
const COLORS: [Variable; 32] = [
    ("background", "oklch(1 0 0)", "oklch(0.16 0 0)"),
    ("foreground", "oklch(0.18 0 0)", "oklch(0.97 0 0)"),
    ("card", "oklch(1 0 0)", "oklch(0.21 0 0)"),
    ("card-foreground", "oklch(0.18 0 0)", "oklch(0.97 0 0)"),
    ("popover", "oklch(1 0 0)", "oklch(0.21 0 0)"),
    ("popover-foreground", "oklch(0.18 0 0)", "oklch(0.97 0 0)"),
    ("primary", "oklch(0.25 0 0)", "oklch(0.92 0 0)"),
    ("primary-foreground", "oklch(0.98 0 0)", "oklch(0.2 0 0)"),
    ("secondary", "oklch(0.96 0 0)", "oklch(0.28 0 0)"),
    ("secondary-foreground", "oklch(0.25 0 0)", "oklch(0.97 0 0)"),
    ("muted", "oklch(0.96 0 0)", "oklch(0.28 0 0)"),
    ("muted-foreground", "oklch(0.5 0 0)", "oklch(0.72 0 0)"),
    ("accent", "oklch(0.94 0 0)", "oklch(0.32 0 0)"),
    ("accent-foreground", "oklch(0.25 0 0)", "oklch(0.97 0 0)"),
    ("destructive", "oklch(0.55 0.2 27)", "oklch(0.7 0.17 25)"),
    ("destructive-foreground", "oklch(0.98 0 0)", "oklch(0.16 0 0)"),
    ("border", "oklch(0.9 0 0)", "oklch(0.34 0 0)"),
    ("input", "oklch(0.9 0 0)", "oklch(0.34 0 0)"),
    ("ring", "oklch(0.6 0 0)", "oklch(0.6 0 0)"),
    ("chart-1", "oklch(0.6 0.18 260)", "oklch(0.7 0.15 260)"),
    ("chart-2", "oklch(0.65 0.14 170)", "oklch(0.75 0.13 170)"),
    ("chart-3", "oklch(0.7 0.15 70)", "oklch(0.8 0.14 80)"),
    ("chart-4", "oklch(0.6 0.2 330)", "oklch(0.7 0.17 330)"),
    ("chart-5", "oklch(0.62 0.2 20)", "oklch(0.72 0.16 20)"),
    ("sidebar", "oklch(0.98 0 0)", "oklch(0.19 0 0)"),
    ("sidebar-foreground", "oklch(0.18 0 0)", "oklch(0.97 0 0)"),
    ("sidebar-primary", "oklch(0.25 0 0)", "oklch(0.92 0 0)"),
    ("sidebar-primary-foreground", "oklch(0.98 0 0)", "oklch(0.2 0 0)"),
    ("sidebar-accent", "oklch(0.94 0 0)", "oklch(0.32 0 0)"),
    ("sidebar-accent-foreground", "oklch(0.25 0 0)", "oklch(0.97 0 0)"),
    ("sidebar-border", "oklch(0.9 0 0)", "oklch(0.34 0 0)"),
    ("sidebar-ring", "oklch(0.6 0 0)", "oklch(0.6 0 0)"),
];

/// Four more complete the 36 variables, by either of two conventions. This one adds colors that applications need besides
/// `destructive`.
const STATUS: [Variable; 4] = [
    ("success", "oklch(0.5 0.13 150)", "oklch(0.75 0.15 150)"),
    ("success-foreground", "oklch(0.98 0 0)", "oklch(0.16 0 0)"),
    ("warning", "oklch(0.8 0.15 80)", "oklch(0.84 0.15 85)"),
    ("warning-foreground", "oklch(0.2 0 0)", "oklch(0.16 0 0)"),
];

/// The other convention, of the theme editors of shadcn/ui and tweakcn, adds radius and fonts.
const STYLE: [Variable; 4] = [
    ("radius", "0.625rem", "0.625rem"),
    ("font-sans", "system-ui, sans-serif", "system-ui, sans-serif"),
    ("font-serif", "Georgia, serif", "Georgia, serif"),
    ("font-mono", "ui-monospace, monospace", "ui-monospace, monospace"),
];

/// The default theme of shadcn/ui in every version: these variables and `--radius`.
pub(super) const CORE: [&str; 18] = [
    "background",
    "foreground",
    "card",
    "card-foreground",
    "popover",
    "popover-foreground",
    "primary",
    "primary-foreground",
    "secondary",
    "secondary-foreground",
    "muted",
    "muted-foreground",
    "accent",
    "accent-foreground",
    "destructive",
    "border",
    "input",
    "ring",
];

/// Groups of variables that only some versions have. A theme declares all or none of a group.
pub(super) const GROUPS: [&[&str]; 4] = [
    &["chart-1", "chart-2", "chart-3", "chart-4", "chart-5"],
    &[
        "sidebar",
        "sidebar-foreground",
        "sidebar-primary",
        "sidebar-primary-foreground",
        "sidebar-accent",
        "sidebar-accent-foreground",
        "sidebar-border",
        "sidebar-ring",
    ],
    &["success", "success-foreground", "warning", "warning-foreground"],
    &["font-sans", "font-serif", "font-mono"],
];

/// Whether the theme gates apply: the plan has a theme, or the project declares theme variables.
///
/// # Errors
/// The reason why they do not apply.
pub(super) fn applies(project: &Project) -> Result<(), String> {
    only_if(project.is_react_app(), "the project is not a React app")?;
    let decided = project.plan_has_theme() || Declared::before(project).is_theme();
    only_if(decided, "no theme in the plan and no theme variables in use")
}

/// The theme variables that the style sheets declare.
#[derive(Debug, Default)]
pub(super) struct Declared {
    root: Vec<String>,
    dark: Vec<String>,
}

impl Declared {
    pub(super) fn of(project: &Project) -> Self {
        Self::in_sheets(project.sources(&["css"]).map(|(_, css)| css))
    }

    /// The declarations before the task, or the present ones if those are not known.
    pub(super) fn before(project: &Project) -> Self {
        match project.sources_before(&["css"]) {
            Some(sheets) => Self::in_sheets(sheets.into_iter().map(|(_, css)| css)),
            None => Self::of(project),
        }
    }

    pub(super) fn in_sheets<'a>(sheets: impl Iterator<Item = &'a str>) -> Self {
        let mut declared = Self::default();
        sheets.for_each(|css| declared.add(&StyleSheet::new(css)));
        declared
    }

    /// Whether there is a theme, complete or not.
    pub(super) fn is_theme(&self) -> bool {
        ["background", "foreground", "primary"].iter().all(|name| declares(&self.root, name))
    }

    /// The theme variables that only `before` declares in `:root`.
    pub(super) fn lost(&self, before: &Self) -> Vec<&'static str> {
        let known = COLORS.iter().chain(&STATUS).chain(&STYLE).map(|(name, ..)| *name);
        known.filter(|name| declares(&before.root, name) && !declares(&self.root, name)).collect()
    }

    /// Whether only `before` has a dark theme.
    pub(super) fn lost_dark(&self, before: &Self) -> bool {
        before.missing_in_dark().is_empty() && !self.missing_in_dark().is_empty()
    }

    fn add(&mut self, sheet: &StyleSheet) {
        for (scope, _, name) in themed(sheet) {
            match scope {
                ThemeScope::Root => self.root.push(name.to_owned()),
                ThemeScope::Dark => self.dark.push(name.to_owned()),
            }
        }
    }

    /// Whether it is the default theme of shadcn/ui.
    fn is_shadcn(&self) -> bool {
        let has = |name: &&str| declares(&self.root, name);
        let complete = |group: &&[&str]| group.iter().all(has) || !group.iter().any(has);
        CORE.iter().all(has) && has(&"radius") && GROUPS.iter().all(complete)
    }

    /// The variables missing in `:root`, in the order of the tables, by the convention with fewer missing variables.
    pub(super) fn missing(&self) -> Vec<Variable> {
        if self.is_shadcn() {
            return Vec::new();
        }
        let missing = |table: &[Variable]| -> Vec<Variable> {
            table.iter().filter(|(name, ..)| !declares(&self.root, name)).copied().collect()
        };
        let (status, style) = (missing(&STATUS), missing(&STYLE));
        let rest = if style.len() < status.len() { style } else { status };
        missing(&COLORS).into_iter().chain(rest).collect()
    }

    /// The variables missing in `.dark`. It must set background and foreground; the others may be the same as in light mode.
    pub(super) fn missing_in_dark(&self) -> Vec<Variable> {
        let needed = COLORS.iter().filter(|(name, ..)| matches!(*name, "background" | "foreground"));
        needed.filter(|(name, ..)| !declares(&self.dark, name)).copied().collect()
    }

    /// Whether `.dark` declares nothing.
    pub(super) fn has_no_dark(&self) -> bool {
        self.dark.is_empty()
    }
}

/// Before Tailwind 4, shadcn/ui used the name `--sidebar-background` for `--sidebar`. Both count.
fn declares(names: &[String], name: &str) -> bool {
    let former = if name == "sidebar" { "sidebar-background" } else { name };
    names.iter().any(|declared| declared == name || declared == former)
}

/// Every color whose neutral value differs in dark mode.
pub(super) fn dark_colors() -> Vec<Variable> {
    COLORS.iter().chain(&STATUS).filter(|(_, light, dark)| light != dark).copied().collect()
}

/// The part of the theme that a rule belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ThemeScope {
    /// The document in any mode: `:root`, `html`, `:host` or `body`.
    Root,
    /// The document in dark mode: `.dark`.
    Dark,
}

/// A block of a style sheet, as far as it matters for themes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    /// What its rule selects: [`ROOT`], [`DARK`] or [`OTHER`]; empty outside rules.
    selects: &'static str,
    /// Applies only under a condition such as `@media`, so that its declarations are not part of the theme.
    conditional: bool,
    /// The rule selects `:root`, not only `body` or `html`.
    is_root: bool,
}

const ROOT: &str = ":root";
const DARK: &str = ".dark";
const OTHER: &str = ".other";

impl Block {
    const OUTERMOST: Self = Self { selects: "", conditional: false, is_root: false };

    fn within(self, prelude: &str) -> Self {
        if let Some((name, _)) = at_rule(prelude) {
            let harmless = matches!(name.as_str(), "layer" | "supports");
            return Self { conditional: self.conditional || !harmless, ..self };
        }
        let selectors: Vec<String> = selectors(prelude).into_iter().map(|selector| self.nested(selector)).collect();
        let selects = if selectors.iter().any(|selector| is_dark(selector)) {
            DARK
        } else if selectors.iter().any(|selector| is_root(selector)) {
            ROOT
        } else {
            OTHER
        };
        Self { selects, is_root: selectors.iter().any(|selector| selector == ROOT), ..self }
    }

    /// A selector of a nested rule, expanded as if it were outside this block.
    fn nested(self, selector: &str) -> String {
        if selector.contains('&') {
            selector.replace('&', if self.selects.is_empty() { ROOT } else { self.selects })
        } else {
            format!("{} {selector}", self.selects).trim_start().to_owned()
        }
    }

    /// Whether the fix may add declarations to the block.
    pub(super) fn takes(self, scope: ThemeScope) -> bool {
        self.theme() == Some(scope) && (scope == ThemeScope::Dark || self.is_root)
    }

    /// The part of the theme that the block's declarations belong to.
    pub(super) fn theme(self) -> Option<ThemeScope> {
        match self.selects {
            ROOT if !self.conditional => Some(ThemeScope::Root),
            DARK if !self.conditional => Some(ThemeScope::Dark),
            _ => None,
        }
    }
}

/// Every item of a style sheet with its enclosing block. A brace that opens or closes a block belongs to that block.
pub(super) fn in_blocks<'a>(items: &[CssItem<'a>]) -> Vec<(Block, CssItem<'a>)> {
    let mut open: Vec<Block> = Vec::new();
    let within = |item: &CssItem<'a>| {
        let block = open.last().copied().unwrap_or(Block::OUTERMOST);
        match item {
            CssItem::Open { prelude, .. } => {
                open.push(block.within(prelude));
                (block.within(prelude), *item)
            }
            CssItem::Close { .. } => {
                open.pop();
                (block, *item)
            }
            CssItem::Declaration { .. } | CssItem::Statement { .. } => (block, *item),
        }
    };
    items.iter().map(within).collect()
}

/// The non-empty custom properties of the theme: scope, offset of the value, and name.
fn themed(sheet: &StyleSheet) -> Vec<(ThemeScope, usize, &str)> {
    let items = in_blocks(&sheet.items());
    let themed = items.into_iter().filter_map(|(block, item)| match item {
        CssItem::Declaration { name, value, at } if !value.is_empty() => {
            Some((block.theme()?, at, name.strip_prefix("--")?))
        }
        _ => None,
    });
    themed.collect()
}

/// `:root`, `html`, `:host`, `body`, also with classes and attributes: `html[lang]`.
fn is_root(selector: &str) -> bool {
    let selector = without_not(selector);
    let selector = unwrapped(&selector);
    let name = [ROOT, "html", ":host", "body"].into_iter().find(|name| selector.starts_with(name));
    let Some(rest) = name.and_then(|name| selector.strip_prefix(name)) else { return false };
    rest.chars().next().is_none_or(|c| ":.#[(,".contains(c)) && !rest.contains([' ', '>', '+', '~'])
}

/// `.dark`, `:root.dark`, `.dark :root`; not `.dark .card`, and not `:root:not(.dark)`.
fn is_dark(selector: &str) -> bool {
    let selector = without_not(selector);
    let mut compounds =
        unwrapped(&selector).split([' ', '\t', '\n', '\r', '>', '+', '~']).filter(|part| !part.is_empty());
    let Some(subject) = compounds.next_back() else { return false };
    has_dark(subject) || (is_root(subject) && compounds.any(has_dark))
}

fn has_dark(compound: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '\\'));
    compound.match_indices(DARK).any(|(at, found)| compound.get(at + found.len()..).is_some_and(ends))
}

/// A selector without its `:not(…)`.
fn without_not(selector: &str) -> String {
    let (mut kept, mut rest) = (String::new(), selector);
    while let Some((before, after)) = rest.split_once(":not(") {
        kept.push_str(before);
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    kept + rest
}

/// The selector inside `:where(…)` or `:is(…)`.
fn unwrapped(selector: &str) -> &str {
    let inner = selector.strip_prefix(":where(").or_else(|| selector.strip_prefix(":is("));
    inner.and_then(|inner| inner.strip_suffix(')')).unwrap_or(selector).trim()
}

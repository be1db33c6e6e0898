//! The variables of a theme: those that a project's style sheets declare, and those that it needs.

use crate::gate::{Project, only_if};
use crate::syntax::css::{CssItem, StyleSheet, at_rule, selectors};

/// A variable of the theme: its name without the dashes, and neutral values for light and dark.
pub(super) type Variable = (&'static str, &'static str, &'static str);

/// The number of variables of a complete theme.
pub(super) const THEME_SIZE: usize = BASE.len() + CHARTS.len() + SIDEBAR.len() + STATUS.len();

/// Variables that every theme declares: the color tokens of shadcn/ui (<https://ui.shadcn.com/docs/theming>), with the tokens of
/// [`CHARTS`] and [`SIDEBAR`]. Its default theme lacks [`ADDED`].
const BASE: [Variable; 19] = [
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
];

const CHARTS: [Variable; 5] = [
    ("chart-1", "oklch(0.6 0.18 260)", "oklch(0.7 0.15 260)"),
    ("chart-2", "oklch(0.65 0.14 170)", "oklch(0.75 0.13 170)"),
    ("chart-3", "oklch(0.7 0.15 70)", "oklch(0.8 0.14 80)"),
    ("chart-4", "oklch(0.6 0.2 330)", "oklch(0.7 0.17 330)"),
    ("chart-5", "oklch(0.62 0.2 20)", "oklch(0.72 0.16 20)"),
];

const SIDEBAR: [Variable; 8] = [
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
const RADIUS: Variable = ("radius", "0.625rem", "0.625rem");
const FONTS: [Variable; 3] = [
    ("font-sans", "system-ui, sans-serif", "system-ui, sans-serif"),
    ("font-serif", "Georgia, serif", "Georgia, serif"),
    ("font-mono", "ui-monospace, monospace", "ui-monospace, monospace"),
];

/// Not in the default theme of shadcn/ui, but used by many of its components.
const ADDED: &str = "destructive-foreground";

/// The variables of the default theme of shadcn/ui in every version.
pub(super) fn core() -> impl Iterator<Item = &'static Variable> {
    BASE.iter().chain([&RADIUS]).filter(|(name, ..)| *name != ADDED)
}

/// Groups of variables that only some versions have. A theme declares all or none of a group.
pub(super) const GROUPS: [&[Variable]; 4] = [&CHARTS, &SIDEBAR, &STATUS, &FONTS];

fn colors() -> impl Iterator<Item = &'static Variable> {
    BASE.iter().chain(&CHARTS).chain(&SIDEBAR)
}

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
    pub(super) fn from_project(project: &Project) -> Self {
        Self::in_sheets(project.sources(&["css"]).collect())
    }

    /// The declarations before the task, or the present ones if those are not known.
    pub(super) fn before(project: &Project) -> Self {
        project.sources_before(&["css"]).map_or_else(|| Self::from_project(project), Self::in_sheets)
    }

    fn in_sheets(sheets: Vec<(&str, &str)>) -> Self {
        let mut declared = Self::default();
        for (_, css) in sheets {
            let sheet = StyleSheet::new(css);
            for (block, item) in in_blocks(&sheet) {
                if let CssItem::Declaration { name, value, .. } = item
                    && let Some(name) = name.strip_prefix("--").filter(|_| !value.is_empty())
                {
                    match block.theme() {
                        Some(ThemeScope::Root) => declared.root.push(name.to_owned()),
                        Some(ThemeScope::Dark) => declared.dark.push(name.to_owned()),
                        None => {}
                    }
                }
            }
        }
        declared
    }

    /// Whether `:root` declares a variable.
    pub(super) fn has(&self, name: &str) -> bool {
        declares(&self.root, name)
    }

    /// Whether there is a theme, complete or not.
    pub(super) fn is_theme(&self) -> bool {
        ["background", "foreground", "primary"].iter().all(|name| declares(&self.root, name))
    }

    /// The theme variables that only `before` declares in `:root`.
    pub(super) fn lost(&self, before: &Self) -> Vec<Variable> {
        let known = colors().chain(&STATUS).chain([&RADIUS]).chain(&FONTS);
        known.filter(|(name, ..)| declares(&before.root, name) && !declares(&self.root, name)).copied().collect()
    }

    /// Whether only `before` has a dark theme.
    pub(super) fn lost_dark(&self, before: &Self) -> bool {
        before.missing_in_dark().is_empty() && !self.missing_in_dark().is_empty()
    }

    /// Whether it is the default theme of shadcn/ui.
    fn is_shadcn(&self) -> bool {
        let has = |(name, ..): &Variable| declares(&self.root, name);
        core().all(has) && GROUPS.iter().all(|group| group.iter().all(has) || !group.iter().any(has))
    }

    /// The variables missing in `:root`, in the order of the tables, by the convention with fewer missing variables.
    pub(super) fn missing(&self) -> Vec<Variable> {
        if self.is_shadcn() {
            return Vec::new();
        }
        let is_missing = |(name, ..): &&Variable| !declares(&self.root, name);
        let status: Vec<&Variable> = STATUS.iter().filter(is_missing).collect();
        let style: Vec<&Variable> = [&RADIUS].into_iter().chain(&FONTS).filter(is_missing).collect();
        let rest = if style.len() < status.len() { style } else { status };
        colors().filter(is_missing).chain(rest).copied().collect()
    }

    /// The variables missing in `.dark`. It must set background and foreground; the others may be the same as in light mode.
    pub(super) fn missing_in_dark(&self) -> Vec<Variable> {
        let needed = BASE.iter().filter(|(name, ..)| matches!(*name, "background" | "foreground"));
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
    colors().chain(&STATUS).filter(|(_, light, dark)| light != dark).copied().collect()
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
pub(super) fn in_blocks(sheet: &StyleSheet) -> Vec<(Block, CssItem<'_>)> {
    let (mut block, mut outer, mut items) = (Block::OUTERMOST, Vec::new(), Vec::new());
    for item in sheet.items() {
        if let CssItem::Open { prelude, .. } = item {
            outer.push(block);
            block = block.within(prelude);
        }
        items.push((block, item));
        if let CssItem::Close { .. } = item {
            block = outer.pop().unwrap_or(Block::OUTERMOST);
        }
    }
    items
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

//! `css-theme-complete`: the 36 variables of the theme, and `.dark`.

use super::theme::{Declared, Scope, THEME_SIZE, Variable, dark_colors, in_blocks};
use crate::gate::contract::FileGate;
use crate::gate::{GateFix, Judgement, Project};
use crate::syntax::css::{CssItem, StyleSheet};
use std::fmt::Write;

/// Where a project's theme belongs.
const MAIN_CSS: &str = "src/index.css";

/// Applies to React apps. The variables may stand in any style sheet below `src/`: in `:root` rules (also
/// within `@layer`), not under conditions such as `@media`.
pub const GATE: FileGate = FileGate {
    name: "css-theme-complete",
    description: "the style sheets declare the 36 variables of the theme in :root, and .dark",
    applies: Project::is_react_app,
    judge,
};

fn judge(project: &Project) -> Judgement {
    let mut declared = Declared::default();
    for (_, css) in project.sources(&["css"]) {
        declared.add(&StyleSheet::new(css));
    }
    let (missing, missing_in_dark) = (declared.missing(), declared.missing_in_dark());
    if missing.is_empty() && missing_in_dark.is_empty() {
        return Judgement::pass();
    }
    let mut text = if project.has(MAIN_CSS) {
        format!("The theme in {MAIN_CSS} is not complete.")
    } else {
        format!("{MAIN_CSS} is missing, and no other style sheet below src/ declares the whole theme.")
    };
    if !missing.is_empty() {
        let _ = write!(text, "\n- :root lacks {} of the {} variables: {}", missing.len(), THEME_SIZE, list(&missing));
    }
    if declared.has_no_dark() {
        text.push_str("\n- there is no .dark rule with the colours of the dark theme");
    } else if !missing_in_dark.is_empty() {
        let _ = write!(text, "\n- .dark does not set {}", list(&missing_in_dark));
    }
    let _ = write!(text, "\nDeclare them in {MAIN_CSS}, each with a colour that fits the design.");
    // A main style sheet that is there but was not read must not be replaced.
    let css = if project.has(MAIN_CSS) { project.text(MAIN_CSS) } else { Some("") };
    let dark = if declared.has_no_dark() { dark_colors() } else { missing_in_dark };
    Judgement::fail(text).with_fix(css.map(|css| fix(css, &missing, &dark)))
}

fn list(variables: &[Variable]) -> String {
    let names: Vec<String> = variables.iter().map(|(name, ..)| format!("--{name}")).collect();
    names.join(", ")
}

fn fix(css: &str, root: &[Variable], dark: &[Variable]) -> GateFix {
    let description = format!(
        "Completed the theme in {MAIN_CSS} with neutral values: {} variable(s) in :root, {} in .dark.",
        root.len(),
        dark.len()
    );
    let root: Vec<(&str, &str)> = root.iter().map(|(name, light, _)| (*name, *light)).collect();
    let dark: Vec<(&str, &str)> = dark.iter().map(|(name, _, dark)| (*name, *dark)).collect();
    let content = insert(&insert(css, Scope::Root, &root), Scope::Dark, &dark);
    GateFix { file: MAIN_CSS.to_owned(), content, description }
}

/// Adds declarations to the first rule of a scope, or adds such a rule: for `:root` before the first rule, so
/// that a `.dark` that is there still wins, for `.dark` at the end.
fn insert(css: &str, scope: Scope, declarations: &[(&str, &str)]) -> String {
    if declarations.is_empty() {
        return css.to_owned();
    }
    let lines = declarations.iter().fold(String::new(), |mut lines, (name, value)| {
        let _ = writeln!(lines, "  --{name}: {value};");
        lines
    });
    let sheet = StyleSheet::new(css);
    let items = in_blocks(&sheet.items());
    let existing = items.iter().find_map(|(block, item)| match item {
        CssItem::Close { at } if block.theme() == Some(scope) => Some(*at),
        _ => None,
    });
    let (at, text) = match (existing, scope) {
        (Some(at), _) => {
            let before = sheet.code().get(..at).unwrap_or_default();
            let semicolon = if before.trim_end().ends_with([';', '{', '}']) { "" } else { ";" };
            let line = if before.ends_with('\n') { "" } else { "\n" };
            (at, format!("{semicolon}{line}{lines}"))
        }
        (None, Scope::Root) => {
            let first = items.iter().find_map(|(_, item)| match item {
                CssItem::Open { at, .. } => Some(*at),
                _ => None,
            });
            (first.unwrap_or(css.len()), format!("{}:root {{\n{lines}}}\n\n", gap(css, first)))
        }
        (None, Scope::Dark) => (css.len(), format!("{}.dark {{\n{lines}}}\n", gap(css, None))),
    };
    let (before, after) = css.split_at_checked(at).unwrap_or((css, ""));
    format!("{before}{text}{after}")
}

/// What parts a rule at the end of the file from what stands before it.
fn gap(css: &str, before: Option<usize>) -> &'static str {
    match before {
        Some(_) => "",
        None if css.is_empty() || css.ends_with("\n\n") => "",
        None if css.ends_with('\n') => "\n",
        None => "\n\n",
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::{self, Fail, Pass};
    use proptest::prelude::*;

    fn judged(css: &str) -> Judgement {
        judge(&Project::of(&[(MAIN_CSS, css)]))
    }

    fn verdict(css: &str) -> GateVerdict {
        judged(css).verdict
    }

    fn feedback(css: &str) -> String {
        judged(css).feedback.unwrap_or_default()
    }

    /// A rule with every variable of a whole theme.
    fn rule(selector: &str, without: &[&str]) -> String {
        let theme = Declared::default().missing();
        let variables = theme.iter().filter(|(name, ..)| !without.contains(name));
        let lines: Vec<String> = variables.map(|(name, light, _)| format!("  --{name}: {light};\n")).collect();
        format!("{selector} {{\n{}}}\n", lines.concat())
    }

    fn theme() -> String {
        rule(":root", &[]) + &rule(".dark", &[])
    }

    #[test]
    fn a_theme_has_36_variables_each_once() {
        let theme = Declared::default().missing();
        let names: crate::ordered::Set<&str> = theme.iter().map(|(name, ..)| *name).collect();
        assert_eq!((theme.len(), names.len(), THEME_SIZE), (36, 36, 36));
    }

    #[test]
    fn either_convention_makes_a_whole_theme() {
        let status = ["success", "success-foreground", "warning", "warning-foreground"];
        let fonts = "--radius: 1rem; --font-sans: a; --font-serif: b; --font-mono: c;";
        let css = theme().replace("--success: oklch(0.5 0.13 150);", "");
        assert!(feedback(&css).contains(":root lacks 1 of the 36 variables: --success\n"));
        let css = format!("{}:root {{ {fonts} }}{}", rule(":root", &status), rule(".dark", &status));
        assert_eq!(verdict(&css), Pass, "{}", feedback(&css));
        let css = css.replace("--font-mono: c;", "");
        assert!(feedback(&css).contains(":root lacks 1 of the 36 variables: --font-mono\n"));
    }

    #[test]
    fn a_complete_theme_passes_however_it_is_written() {
        let minified = theme().replace(['\n', ' '], "").replace(";}", "}");
        for css in [
            theme(),
            minified,
            format!("@layer base {{\n{}}}", theme()),
            rule(":root, .light", &[]) + &rule(":root.dark", &[]),
            rule("html:not(.dark)", &[]) + &rule("html.dark", &[]),
            rule(":where(:root)", &[]) + &rule(":is(.dark)", &[]),
            rule(".dark", &[]) + &rule(":root", &[]),
            format!("{}.dark {{ --background: black; --foreground: white }}", rule(":root", &[])),
            format!("{}:root {{ &.dark {{ --background: black; --foreground: white }} }}", rule(":root", &[])),
            format!("/* {{ */ @import './a.css'; a::before {{ content: '}}' }} {}", theme()),
            theme().replace("--sidebar:", "--sidebar-background:"),
        ] {
            assert_eq!(verdict(&css), Pass, "{}", feedback(&css));
        }
    }

    #[test]
    fn the_theme_may_be_spread_over_style_sheets() {
        let (light, dark) = (rule(":root", &[]), rule(".dark", &[]));
        let project = Project::of(&[("src/styles/dark.css", &dark), ("src/styles/light.css", &light)]);
        assert_eq!(judge(&project).verdict, Pass);
    }

    #[test]
    fn an_incomplete_theme_fails() {
        let no_dark = rule(":root", &[]);
        for css in [
            String::new(),
            no_dark.clone(),
            format!("{no_dark}.dark {{ }}"),
            format!("{no_dark}.dark .card {{ --background: a; --foreground: b }}"),
            format!("{no_dark}.darker {{ --background: a; --foreground: b }}"),
            format!("{no_dark}@media (prefers-color-scheme: dark) {{ .dark {{ --background: a; --foreground: b }} }}"),
            format!("{no_dark}/* {} */", rule(".dark", &[])),
            rule(".card", &[]) + &rule(".dark", &[]),
            rule(":root .card", &[]) + &rule(".dark", &[]),
            format!("@media print {{ {} }} {}", rule(":root", &[]), rule(".dark", &[])),
            theme().replace("--", ""),
            theme().replacen("--ring: oklch(0.6 0 0)", "--ring:", 1),
        ] {
            assert_eq!(verdict(&css), Fail, "{css}");
        }
        assert_eq!(judge(&Project::of(&[])).verdict, Fail);
    }

    #[test]
    fn says_what_is_missing() {
        let css = rule(":root", &["ring", "chart-3"]) + ".dark { --background: black }";
        let text = feedback(&css);
        assert!(text.contains(":root lacks 2 of the 36 variables: --ring, --chart-3"), "{text}");
        assert!(text.contains(".dark does not set --foreground"), "{text}");
        assert!(feedback("").contains("there is no .dark rule"));
    }

    #[test]
    fn the_fix_adds_only_what_is_missing() {
        let css = rule(":root", &["ring"]) + ".dark{--background:black}";
        let fixed = judged(&css).fix.map(|fix| fix.content).unwrap_or_default();
        let root = rule(":root", &["ring"]).replace("}\n", "  --ring: oklch(0.6 0 0);\n}\n");
        assert_eq!(fixed, format!("{root}.dark{{--background:black;\n  --foreground: oklch(0.97 0 0);\n}}"));
    }

    #[test]
    fn the_fix_does_not_outrank_a_dark_theme_that_is_there() {
        let fixed = judged("@import './a.css';\n.dark { --primary: red }\n").fix.map(|fix| fix.content);
        let fixed = fixed.unwrap_or_default();
        assert!(fixed.starts_with("@import './a.css';\n:root {\n"), "{fixed}");
        assert!(fixed.find(":root") < fixed.find(".dark"));
    }

    #[test]
    fn a_style_sheet_that_was_not_read_is_not_replaced() {
        let project = Project::unread_of(&[MAIN_CSS]);
        assert_eq!(judge(&project), Judgement { fix: None, ..judge(&project) });
    }

    proptest! {
        #[test]
        fn the_fix_makes_any_closed_style_sheet_pass(
            parts in prop::collection::vec(prop::sample::select(vec![
                ":root { --ring: a }", ":root{--card:b;}", ".dark { --background: c }", ".dark{}", "@media print { :root { --x: y } }",
                "@layer base { :root { --input: d; } }", "@import 'x.css';", "/* :root { */", "a { b: c }", "\n", "html:not(.dark) { --x: y; }",
            ]), 0..8),
        ) {
            let css = parts.concat();
            let fixed = judged(&css).fix.map(|fix| fix.content).unwrap_or_default();
            prop_assert_eq!(verdict(&fixed), Pass, "{}", fixed);
        }
    }
}

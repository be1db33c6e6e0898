//! `css-theme-complete`: a task that builds an app with a theme declares the theme; any other task preserves it.

use super::variables::{self, Declared, THEME_SIZE, ThemeScope, Variable, dark_colors, in_blocks};
use crate::gate::{Check, Finding, Gate, GateFix, Judgement, Project};
use crate::sources::CODE;
use crate::syntax::css::{CssItem, StyleSheet};
use std::fmt::Write;

/// The file that the fix writes.
const MAIN_CSS: &str = "src/index.css";

/// Applies to React apps with a theme ([`variables::applies`]). The variables may be in any style sheet below `src/`, in
/// `:root` rules (also within `@layer`) but not under conditions such as `@media`.
///
/// A task that builds the app from a plan with a theme must declare the complete theme. Any other task fails only if it
/// removes variables of the theme.
pub(crate) const GATE: Gate = Gate {
    name: "css-theme-complete",
    description: "the style sheets declare the 36 variables of the theme in :root, and .dark",
    check: Check::Project(check),
};

fn check(project: &Project) -> Finding {
    variables::applies(project)?;
    Ok(judge(project))
}

fn judge(project: &Project) -> Judgement {
    let declared = Declared::from_project(project);
    let (missing, missing_in_dark) = (declared.missing(), declared.missing_in_dark());
    if missing.is_empty() && missing_in_dark.is_empty() {
        Judgement::pass()
    } else if project.task.builds_app && project.plan_has_theme() {
        incomplete(project, &declared, &missing, missing_in_dark)
    } else {
        preserved(project, &declared)
    }
}

/// Judges a task that must preserve the theme.
fn preserved(project: &Project, declared: &Declared) -> Judgement {
    let before = Declared::before(project);
    let mut lost = declared.lost(&before);
    // A variable without uses may be removed.
    lost.retain(|(name, ..)| project.plan_has_theme() || is_used(project, name));
    let mut text = String::new();
    if !lost.is_empty() {
        let _ = writeln!(text, "- :root no longer declares {}", list(&lost));
    }
    if declared.lost_dark(&before) {
        text.push_str("- .dark no longer sets --background and --foreground\n");
    }
    if text.is_empty() {
        return Judgement::pass();
    }
    Judgement::fail(format!("The task removed parts of the theme:\n{text}Restore them as they were before the task."))
}

/// Whether a source uses this variable, directly or through a Tailwind class.
fn is_used(project: &Project, name: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_'));
    let has =
        |text: &str, word: &str| text.match_indices(word).any(|(at, _)| text.get(at + word.len()..).is_some_and(ends));
    let (variable, class) = (format!("var(--{name}"), format!("-{name}"));
    project.sources(&CODE).any(|(path, text)| {
        // In a style sheet `--primary` is a declaration.
        has(text, &variable) || (!path.ends_with(".css") && has(text, &class))
    })
}

/// Judges a task that must declare the theme.
fn incomplete(
    project: &Project,
    declared: &Declared,
    missing: &[Variable],
    missing_in_dark: Vec<Variable>,
) -> Judgement {
    let mut text = if project.has(MAIN_CSS) {
        format!("The theme in {MAIN_CSS} is incomplete.")
    } else {
        format!("{MAIN_CSS} is missing, and no other style sheet below src/ declares the complete theme.")
    };
    if !missing.is_empty() {
        let _ = write!(text, "\n- :root lacks {} of the {} variables: {}", missing.len(), THEME_SIZE, list(missing));
    }
    if declared.has_no_dark() {
        text.push_str("\n- there is no .dark rule with the colors of the dark theme");
    } else if !missing_in_dark.is_empty() {
        let _ = write!(text, "\n- .dark does not set {}", list(&missing_in_dark));
    }
    let _ = write!(text, "\nDeclare them in {MAIN_CSS}, each with a color that fits the design.");
    // Do not replace a main style sheet that exists but was not read.
    let css = if project.has(MAIN_CSS) { project.text(MAIN_CSS) } else { Some("") };
    let dark = if declared.has_no_dark() { dark_colors() } else { missing_in_dark };
    Judgement { fix: css.map(|css| fix(css, missing, &dark)), ..Judgement::fail(text) }
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
    let content = insert(&insert(css, ThemeScope::Root, root), ThemeScope::Dark, dark);
    GateFix { file: MAIN_CSS.to_owned(), content, description }
}

/// Adds declarations to the first rule of a scope, or adds such a rule: `:root` before the first rule, so that an existing
/// `.dark` still overrides it, and `.dark` at the end.
fn insert(css: &str, scope: ThemeScope, variables: &[Variable]) -> String {
    if variables.is_empty() {
        return css.to_owned();
    }
    let value = |light, dark| if scope == ThemeScope::Root { light } else { dark };
    let lines: Vec<String> =
        variables.iter().map(|(name, light, dark)| format!("  --{name}: {};\n", value(light, dark))).collect();
    let lines = lines.concat();
    let sheet = StyleSheet::new(css);
    let items = in_blocks(&sheet);
    let existing = items.iter().find_map(|(block, item)| match item {
        CssItem::Close { at } if block.takes(scope) => Some(*at),
        _ => None,
    });
    let first_rule = items.iter().find_map(|(_, item)| match item {
        CssItem::Open { at, .. } => Some(*at),
        _ => None,
    });
    let gap = match css {
        "" => "",
        css if css.ends_with("\n\n") => "",
        css if css.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let (at, text) = match (existing, scope, first_rule) {
        (Some(at), ..) => {
            let before = sheet.code().get(..at).unwrap_or_default();
            let semicolon = if before.trim_end().ends_with([';', '{', '}']) { "" } else { ";" };
            let line = if before.ends_with('\n') { "" } else { "\n" };
            (at, format!("{semicolon}{line}{lines}"))
        }
        (None, ThemeScope::Root, Some(first)) => (first, format!(":root {{\n{lines}}}\n\n")),
        (None, ThemeScope::Root, None) => (css.len(), format!("{gap}:root {{\n{lines}}}\n\n")),
        (None, ThemeScope::Dark, _) => (css.len(), format!("{gap}.dark {{\n{lines}}}\n")),
    };
    let (before, after) = css.split_at_checked(at).unwrap_or((css, ""));
    format!("{before}{text}{after}")
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::{self, Fail, Pass};
    use crate::gate::{ChangedFile, Comparison, TaskFacts};
    use crate::layout::PLAN;
    use proptest::prelude::*;

    const PLANNED: (&str, &str) = (PLAN, "export default (<App><Theme mood=\"zen\" /><Screen name=\"home\" /></App>)");
    const REACT: (&str, &str) = ("package.json", r#"{"dependencies":{"react":"19"}}"#);

    /// A project whose app the task builds from a plan with a theme.
    fn owing(files: &[(&str, &str)]) -> Project {
        let files = [files, &[PLANNED]].concat();
        Project::from_files(&files).after(TaskFacts { builds_app: true, ..TaskFacts::default() })
    }

    fn judged(css: &str) -> Judgement {
        judge(&owing(&[(MAIN_CSS, css)]))
    }

    fn verdict(css: &str) -> GateVerdict {
        judged(css).verdict
    }

    fn feedback(css: &str) -> String {
        judged(css).feedback.unwrap_or_default()
    }

    /// A rule with every variable of a complete theme.
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
        let names: std::collections::BTreeSet<&str> = theme.iter().map(|(name, ..)| *name).collect();
        assert_eq!((theme.len(), names.len(), THEME_SIZE), (36, 36, 36));
    }

    #[test]
    fn either_set_of_optional_variables_completes_a_theme() {
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
    fn a_complete_theme_passes_in_any_notation() {
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

    /// The default themes of shadcn/ui, for Tailwind 3 (HSL in a layer) and Tailwind 4 (oklch, `@theme inline`).
    fn shadcn() -> [String; 2] {
        let rule = |selector: &str, more: &[&[Variable]], value: &str| {
            let names = more.iter().copied().flatten().map(|(name, ..)| *name);
            let names = variables::core().map(|(name, ..)| *name).chain(names);
            let lines: String = names.map(|name| format!("    --{name}: {value};\n")).collect();
            format!("{selector} {{\n{lines}}}\n")
        };
        let [charts, sidebar, ..] = variables::GROUPS;
        let (old, new) = ([charts, &[("destructive-foreground", "", "")]], [charts, sidebar]);
        [
            format!(
                "@tailwind base;\n@layer base {{\n{}{}}}\n@layer base {{ * {{ @apply border-border; }} }}",
                rule(":root", &old, "0 0% 100%"),
                rule(".dark", &old, "0 0% 4%")
            ),
            format!(
                "@import \"tailwindcss\";\n@custom-variant dark (&:is(.dark *));\n\
                 @theme inline {{ --color-primary: var(--primary); }}\n{}{}",
                rule(":root", &new, "oklch(1 0 0)"),
                rule(".dark", &new, "oklch(0.1 0 0)")
            ),
        ]
    }

    #[test]
    fn the_default_theme_of_shadcn_is_complete_and_a_part_of_it_is_not() {
        for css in shadcn() {
            assert_eq!(verdict(&css), Pass, "{}", feedback(&css));
            for missing in ["--radius", "--ring", "--chart-3"] {
                assert_eq!(verdict(&css.replace(missing, "--other")), Fail, "{missing}");
            }
        }
    }

    #[test]
    fn the_gate_does_not_apply_without_a_theme() {
        let (vite, zen) = (":root { color: #213547; --gap: 1px } body { margin: 0 }", PLANNED);
        let [old, new] = shadcn();
        let theme_less = PLANNED.1.replace("<Theme mood=\"zen\" />", "");
        for (files, expected) in [
            (vec![REACT, (MAIN_CSS, vite)], false),
            (vec![REACT, (MAIN_CSS, vite), (PLAN, &theme_less)], false),
            (vec![REACT, (MAIN_CSS, vite), zen], true),
            (vec![REACT, (MAIN_CSS, &old)], true),
            (vec![REACT, (MAIN_CSS, &new)], true),
            (vec![REACT, (MAIN_CSS, ":root { --background: a; --foreground: b; --primary: c }")], true),
            (vec![(MAIN_CSS, &new), zen], false),
        ] {
            assert_eq!(check(&Project::from_files(&files)).is_ok(), expected, "{files:?}");
        }
        let added = Comparison::Changed(vec![ChangedFile::from_texts(MAIN_CSS, "", &new)]);
        let project = Project::from_files(&[REACT, (MAIN_CSS, &new)]).after(added);
        assert!(check(&project).is_err(), "a theme that the task itself adds applies from the next task on");
        let reason = check(&Project::from_files(&[REACT, (MAIN_CSS, vite)])).unwrap_err();
        assert_eq!(reason, "no theme in the plan and no theme variables in use");
    }

    /// The judgement of a task that changes the main style sheet of an existing app.
    fn changed(before: &str, after: &str, more: &[(&str, &str)]) -> Judgement {
        let files = [more, &[(MAIN_CSS, after), ("src/a.tsx", "<p className=\"bg-primary ring-2\" />")]].concat();
        let change = Comparison::Changed(vec![ChangedFile::from_texts(MAIN_CSS, before, after)]);
        judge(&Project::from_files(&files).after(change))
    }

    #[test]
    fn a_task_on_an_existing_app_must_only_preserve_the_theme() {
        let [_, css] = shadcn();
        let half = ":root { --background: a; --foreground: b; --primary: c; }";
        let without = |css: &str, name: &str| css.replace(&format!("--{name}:"), "--other:");
        for (before, after, more, expected) in [
            (half, format!("{half} a {{ b: c }}"), vec![], Pass),
            (half, format!("{half} a {{ b: c }}"), vec![PLANNED], Pass),
            (half, without(half, "primary"), vec![], Fail),
            (&css, without(&css, "ring"), vec![], Pass),
            (&css, without(&css, "ring"), vec![PLANNED], Fail),
            (&css, css.replace(".dark {", ".night {"), vec![], Fail),
            ("", half.to_owned(), vec![], Pass),
        ] {
            let judgement = changed(before, &after, &more);
            assert_eq!(judgement.verdict, expected, "{after}");
            assert_eq!(judgement.fix, None);
        }
        let feedback = changed(half, &without(half, "primary"), &[]).feedback.unwrap_or_default();
        assert!(feedback.contains(":root no longer declares --primary"), "{feedback}");
        let unknown = Project::from_files(&[(MAIN_CSS, half), PLANNED]);
        assert_eq!(judge(&unknown).verdict, Pass, "the state before the task is not known");
    }

    #[test]
    fn the_theme_may_be_spread_over_style_sheets() {
        let (light, dark) = (rule(":root", &[]), rule(".dark", &[]));
        let project = owing(&[("src/styles/dark.css", &dark), ("src/styles/light.css", &light)]);
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
        assert_eq!(judge(&owing(&[])).verdict, Fail);
    }

    #[test]
    fn the_feedback_lists_the_missing_variables() {
        let css = rule(":root", &["ring", "chart-3"]) + ".dark { --background: black }";
        let text = feedback(&css);
        assert!(text.contains(":root lacks 2 of the 36 variables: --ring, --chart-3"), "{text}");
        assert!(text.contains(".dark does not set --foreground"), "{text}");
        assert!(feedback("").contains("there is no .dark rule"));
    }

    fn fixed(css: &str) -> String {
        judged(css).fix.map(|fix| fix.content).unwrap_or_default()
    }

    #[test]
    fn the_fix_adds_only_missing_variables() {
        let root = rule(":root", &["ring"]).replace("}\n", "  --ring: oklch(0.6 0 0);\n}\n");
        assert_eq!(
            fixed(&(rule(":root", &["ring"]) + ".dark{--background:black}")),
            format!("{root}.dark{{--background:black;\n  --foreground: oklch(0.97 0 0);\n}}")
        );
    }

    #[test]
    fn the_fix_adds_a_root_rule_that_overrides_nothing() {
        for (before, rule, rest) in [
            ("", "body { margin: 0 }\nhtml { ", "color: red }\n"),
            ("@import './a.css';\n", ".dark { --a: red", " }\n"),
        ] {
            let fixed = fixed(&[before, rule, rest].concat());
            assert!(fixed.starts_with(&format!("{before}:root {{\n")), "{fixed}");
            assert!(fixed.contains(&format!("\n}}\n\n{rule}")), "{fixed}");
        }
    }

    #[test]
    fn an_unread_style_sheet_is_not_replaced() {
        let project = owing(&[]).with_unread(&[MAIN_CSS]);
        let judgement = judge(&project);
        assert_eq!((judgement.verdict, judgement.fix), (Fail, None));
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
            let fixed = fixed(&css);
            prop_assert_eq!(verdict(&fixed), Pass, "{}", fixed);
        }
    }
}

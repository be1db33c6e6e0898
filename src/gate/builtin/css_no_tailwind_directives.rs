//! `css-no-tailwind-directives`: plain CSS is all that the IDE's build understands.

use crate::gate::contract::{FileGate, only_if};
use crate::gate::{GateFix, Judgement, Project};
use crate::js::line_of;
use crate::syntax::css::{CssItem, StyleSheet, at_rule};
use std::ops::Range;

/// How many places the feedback names.
const SHOWN: usize = 10;

/// Tailwind's directives, of versions 2 to 4. `@layer` and `@import` are CSS's own; an import of Tailwind
/// itself counts.
const DIRECTIVES: [&str; 13] = [
    "tailwind",
    "apply",
    "theme",
    "utility",
    "variant",
    "custom-variant",
    "source",
    "plugin",
    "config",
    "reference",
    "screen",
    "variants",
    "responsive",
];

/// Applies to React apps whose build does not compile Tailwind: neither the manifest nor a configuration names it, and no
/// style sheet had directives before the task.
pub(super) const GATE: FileGate = FileGate {
    name: "css-no-tailwind-directives",
    description: "the style sheets hold no Tailwind directives",
    applies,
    judge,
};

/// A directive in a style sheet: its text for the feedback, and where it stands.
struct Directive {
    text: String,
    range: Range<usize>,
    /// It declares variables that the rest may use, so its block stays, as `:root`.
    is_theme: bool,
}

fn applies(project: &Project) -> Result<(), String> {
    only_if(project.is_react_app(), "the project is not a React app")?;
    only_if(!project.compiles_tailwind(), "the project compiles Tailwind")?;
    let has_directives = |css: &str| !directives(&StyleSheet::new(css)).is_empty();
    let before = project.sources_before(&["css"]).unwrap_or_default();
    only_if(
        !before.iter().any(|(_, css)| has_directives(css)),
        "the style sheets had Tailwind directives before the task",
    )
}

fn judge(project: &Project) -> Judgement {
    let (mut places, mut fix) = (Vec::new(), None);
    for (path, css) in project.sources(&["css"]) {
        let sheet = StyleSheet::new(css);
        let found = directives(&sheet);
        if fix.is_none() && !found.is_empty() {
            let content = without(css, &found);
            let description = format!("Removed {} Tailwind directive(s) from {path}.", found.len());
            fix = Some(GateFix { file: path.to_owned(), content, description });
        }
        places.extend(found.iter().map(|directive| (path, css, directive.range.start, directive.text.clone())));
    }
    if places.is_empty() {
        return Judgement::pass();
    }
    let shown =
        places.iter().take(SHOWN).map(|(path, css, at, text)| format!("- {path}:{}: {text}", line_of(css, *at)));
    let mut lines: Vec<String> = shown.collect();
    if places.len() > SHOWN {
        lines.push(format!("- and {} more", places.len() - SHOWN));
    }
    let lines = lines.join("\n");
    if project.comparison().files().is_none() {
        return Judgement::unknown(format!(
            "The style sheets have Tailwind directives, and nothing in package.json compiles them:\n{lines}"
        ));
    }
    Judgement::fail(format!(
        "The task wrote Tailwind directives into the style sheets:\n{lines}\nRemove them. The build of this IDE compiles \
         the utility classes by itself and leaves style sheets as they are: write plain CSS and custom properties there."
    ))
    .with_fix(fix)
}

fn directives(sheet: &StyleSheet) -> Vec<Directive> {
    let (mut found, mut blocks) = (Vec::new(), Vec::new());
    let mut inside_until = 0;
    for item in sheet.items() {
        match item {
            CssItem::Statement { text, at, end } if is_directive(text) => {
                found.push(Directive { text: shorten(text), range: at..end, is_theme: false });
            }
            CssItem::Open { prelude, at } => {
                let is_theme = at_rule(prelude).is_some_and(|(name, _)| name == "theme");
                let index = is_directive(prelude).then(|| {
                    found.push(Directive { text: shorten(prelude), range: at..at + prelude.len(), is_theme });
                    found.len() - 1
                });
                blocks.push(index);
            }
            CssItem::Close { at } => {
                let block = blocks.pop().flatten().and_then(|index: usize| found.get_mut(index));
                if let Some(block) = block.filter(|block| !block.is_theme) {
                    block.range.end = at + 1;
                }
            }
            CssItem::Statement { .. } | CssItem::Declaration { .. } => {}
        }
    }
    // What stands in a block that goes, goes with it.
    found.retain(|directive| {
        let inside = directive.range.start < inside_until;
        inside_until = inside_until.max(directive.range.end);
        !inside
    });
    found
}

fn is_directive(text: &str) -> bool {
    let Some((name, rest)) = at_rule(text) else { return false };
    DIRECTIVES.contains(&name.as_str()) || (name == "import" && imports_tailwind(rest))
}

/// `"tailwindcss"`, `url('tailwindcss/base')`, `"tailwindcss" layer(base)`.
fn imports_tailwind(prelude: &str) -> bool {
    let target = prelude.strip_prefix("url(").unwrap_or(prelude).trim_start().trim_start_matches(['"', '\'']);
    let package = target.split(['"', '\'', ')', '/', ' ']).next().unwrap_or_default();
    package == "tailwindcss"
}

fn without(css: &str, directives: &[Directive]) -> String {
    let (mut kept, mut from) = (String::with_capacity(css.len()), 0);
    for Directive { range, is_theme, .. } in directives {
        kept.push_str(css.get(from..range.start).unwrap_or_default());
        if *is_theme {
            kept.push_str(":root");
        }
        from = range.end;
        let rest = css.get(from..).unwrap_or_default();
        let line_end = rest.find(|c: char| c != ' ' && c != '\t').unwrap_or(rest.len());
        let alone = kept.is_empty() || kept.ends_with('\n');
        if !is_theme && alone && rest.get(line_end..).is_some_and(|rest| rest.starts_with('\n')) {
            from += line_end + 1;
        }
    }
    kept.push_str(css.get(from..).unwrap_or_default());
    kept
}

fn shorten(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::{Fail, Pass, Warn};
    use crate::gate::{ChangedFile, Comparison};

    /// A style sheet that the task wrote.
    fn judged(css: &str) -> Judgement {
        let written = Comparison::Changed(vec![ChangedFile::of("src/index.css", "", css)]);
        judge(&Project::of(&[("src/index.css", css)]).after(written))
    }

    fn fixed(css: &str) -> String {
        judged(css).fix.map(|fix| fix.content).unwrap_or_default()
    }

    #[test]
    fn finds_the_directives_of_every_version() {
        for css in [
            "@tailwind base;\n@tailwind components;",
            "@tailwind utilities",
            ".a { @apply flex p-2; }",
            ".a{color:red;@apply flex}",
            "@import \"tailwindcss\";",
            "@import 'tailwindcss/base' layer(base);",
            "@IMPORT url(tailwindcss);",
            "@theme inline { --color-primary: var(--primary); }",
            "@custom-variant dark (&:is(.dark *));",
            "@plugin \"@tailwindcss/typography\";",
            "@layer base { * { @apply border-border; } }",
        ] {
            assert_eq!(judged(css).verdict, Fail, "{css}");
        }
    }

    #[test]
    fn leaves_plain_css_comments_and_strings() {
        for css in [
            "",
            "/* @tailwind base; */ a { b: c }",
            "a::after { content: \"@apply flex;\" }",
            "@import \"./tailwindcss-like.css\"; @import url('https://x/tailwindcss.css');",
            "@layer base { a { b: c } } @media print { a { b: c } } @supports (a: b) { a { b: c } }",
            "@font-face { src: url(a.woff) } @property --x { syntax: '*'; inherits: false }",
            ".apply { b: c }",
        ] {
            assert_eq!(judged(css).verdict, Pass, "{css}");
        }
    }

    #[test]
    fn the_fix_leaves_everything_else_and_passes() {
        let css = "@import \"tailwindcss\";\n@import \"./fonts.css\";\n\n@theme inline {\n  --color-a: var(--a);\n}\n\
            .a {\n  color: red; /* kept */\n  @apply flex;\n}\n@utility tab-4 {\n  @apply flex;\n  tab-size: 4;\n}\n.b{c:d}\n";
        let fixed = fixed(css);
        let expected = "@import \"./fonts.css\";\n\n:root {\n  --color-a: var(--a);\n}\n\
            .a {\n  color: red; /* kept */\n  \n}\n.b{c:d}\n";
        assert_eq!(fixed, expected);
        assert_eq!(judged(&fixed).verdict, Pass);
    }

    #[test]
    fn names_file_and_line() {
        let feedback = judged("a{}\n\n@tailwind base;").feedback.unwrap_or_default();
        assert!(feedback.contains("- src/index.css:3: @tailwind base"), "{feedback}");
    }

    #[test]
    fn a_project_that_compiles_tailwind_is_not_judged() {
        let package = |text: &'static str| ("package.json", text);
        let plain = package(r#"{"dependencies":{"react":"19"}}"#);
        for compiles in [
            r#"{"dependencies":{"react":"19"},"devDependencies":{"tailwindcss":"4"}}"#,
            r#"{"dependencies":{"react":"19","@tailwindcss/vite":"4"}}"#,
            r#"{"dependencies":{"react":"19"},"peerDependencies":{"tailwindcss":"3"}}"#,
        ] {
            assert!((GATE.applies)(&Project::of(&[package(compiles)])).is_err(), "{compiles}");
        }
        assert!((GATE.applies)(&Project::of(&[plain])).is_ok());
        assert!((GATE.applies)(&Project::of(&[("src/main.js", "")])).is_err());
    }

    #[test]
    fn a_project_that_had_directives_before_the_task_is_not_judged() {
        let react = ("package.json", r#"{"dependencies":{"react":"19"}}"#);
        let (had, now) = ("@tailwind base;", "@tailwind base;\n@tailwind utilities;");
        let applies = |now: &str, files: Vec<ChangedFile>| {
            (GATE.applies)(&Project::of(&[react, ("src/a.css", now)]).after(Comparison::Changed(files)))
        };
        let reason = Err("the style sheets had Tailwind directives before the task".to_owned());
        assert_eq!(applies(had, Vec::new()), reason);
        assert_eq!(applies(now, vec![ChangedFile::of("src/a.css", had, now)]), reason);
        assert_eq!(applies(now, vec![ChangedFile::of("src/a.css", "a{}", now)]), Ok(()));
    }

    #[test]
    fn without_a_comparison_directives_warn() {
        let judgement = judge(&Project::of(&[("src/index.css", "@tailwind base;")]));
        assert_eq!((judgement.verdict, judgement.is_raisable), (Warn, false));
    }
}

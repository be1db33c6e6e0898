//! `css-no-tailwind-directives`: style sheets are plain CSS, because the IDE's build compiles nothing else.

use crate::gate::feedback::{SHOWN, excerpt};
use crate::gate::{Check, Finding, Gate, GateFix, Judgement, Project, only_if};
use crate::js::line_of;
use crate::syntax::css::{CssItem, StyleSheet, at_rule};
use crate::text::bullets;
use std::ops::Range;

/// Directives of Tailwind 2 to 4. `@layer` and `@import` belong to CSS; an import of Tailwind itself counts as a
/// directive.
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

/// Applies to React apps whose build does not compile Tailwind: neither the manifest nor a configuration file mentions it,
/// and no style sheet had directives before the task.
pub(crate) const GATE: Gate = Gate {
    name: "css-no-tailwind-directives",
    description: "the style sheets contain no Tailwind directives",
    check: Check::Project(check),
};

/// A directive in a style sheet.
struct Directive {
    text: String,
    range: Range<usize>,
    /// A `@theme` block: the fix turns it into `:root`, because other code may use its variables.
    is_theme: bool,
}

fn check(project: &Project) -> Finding {
    only_if(project.is_react_app(), "the project is not a React app")?;
    only_if(!project.compiles_tailwind(), "the project compiles Tailwind")?;
    let before = project.sources_before(&["css"]).unwrap_or_default();
    let had_none = before.iter().all(|(_, css)| directives(&StyleSheet::new(css)).is_empty());
    only_if(had_none, "the style sheets had Tailwind directives before the task")?;

    let (mut lines, mut count, mut fix) = (Vec::new(), 0, None);
    for (path, css) in project.sources(&["css"]) {
        let sheet = StyleSheet::new(css);
        let found = directives(&sheet);
        if fix.is_none() && !found.is_empty() {
            let description = format!("Removed {} Tailwind directive(s) from {path}.", found.len());
            fix = Some(GateFix { file: path.to_owned(), content: without(css, &found), description });
        }
        let place =
            |directive: &Directive| format!("{path}:{}: {}", line_of(css, directive.range.start), directive.text);
        lines.extend(found.iter().take(SHOWN).map(place));
        count += found.len();
    }
    if lines.is_empty() {
        return Ok(Judgement::pass());
    }
    let lines = bullets(&lines, SHOWN, count);
    Ok(if project.task.comparison.files().is_none() {
        Judgement::unknown(format!(
            "The style sheets contain Tailwind directives, and nothing in package.json compiles them:\n{lines}"
        ))
    } else {
        let text = format!(
            "The task added Tailwind directives to the style sheets:\n{lines}\nRemove them and write plain CSS and custom \
             properties instead. The build of this IDE compiles Tailwind's utility classes but not its directives."
        );
        Judgement { fix, ..Judgement::fail(text) }
    })
}

/// The directives outside of other directives' blocks.
fn directives(sheet: &StyleSheet) -> Vec<Directive> {
    let mut found: Vec<Directive> = Vec::new();
    // The depth in the block of a directive.
    let mut depth = 0_usize;
    for item in sheet.items() {
        match item {
            CssItem::Open { .. } if depth > 0 => depth += 1,
            CssItem::Close { at } if depth > 0 => {
                depth -= 1;
                if let Some(block) = found.last_mut().filter(|_| depth == 0) {
                    block.range.end = at + 1;
                }
            }
            CssItem::Open { prelude, at } if is_directive(prelude) => {
                let is_theme = at_rule(prelude).is_some_and(|(name, _)| name == "theme");
                found.push(Directive { text: excerpt(prelude), range: at..at + prelude.len(), is_theme });
                depth = usize::from(!is_theme);
            }
            CssItem::Statement { text, at, end } if depth == 0 && is_directive(text) => {
                found.push(Directive { text: excerpt(text), range: at..end, is_theme: false });
            }
            _ => {}
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::{Fail, Pass, Warn};
    use crate::gate::{ChangedFile, Comparison};

    const REACT: (&str, &str) = ("package.json", r#"{"dependencies":{"react":"19"}}"#);

    /// The judgement of a task that wrote the style sheet.
    fn judged(css: &str) -> Judgement {
        let written = Comparison::Changed(vec![ChangedFile::from_texts("src/index.css", "", css)]);
        check(&Project::from_files(&[REACT, ("src/index.css", css)]).after(written)).unwrap()
    }

    fn fixed(css: &str) -> String {
        judged(css).fix.map(|fix| fix.content).unwrap_or_default()
    }

    #[test]
    fn directives_of_every_version_fail() {
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
    fn plain_css_comments_and_strings_pass() {
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
    fn the_fix_removes_only_the_directives() {
        let css = "@import \"tailwindcss\";\n@import \"./fonts.css\";\n\n@theme inline {\n  --color-a: var(--a);\n}\n\
            .a {\n  color: red; /* kept */\n  @apply flex;\n}\n@utility tab-4 {\n  @apply flex;\n  tab-size: 4;\n}\n.b{c:d}\n";
        let fixed = fixed(css);
        let expected = "@import \"./fonts.css\";\n\n:root {\n  --color-a: var(--a);\n}\n\
            .a {\n  color: red; /* kept */\n  \n}\n.b{c:d}\n";
        assert_eq!(fixed, expected);
        assert_eq!(judged(&fixed).verdict, Pass);
    }

    #[test]
    fn the_feedback_names_file_and_line() {
        let feedback = judged("a{}\n\n@tailwind base;").feedback.unwrap_or_default();
        assert!(feedback.contains("- src/index.css:3: @tailwind base"), "{feedback}");
    }

    #[test]
    fn a_project_that_compiles_tailwind_is_not_checked() {
        for manifest in [
            r#"{"dependencies":{"react":"19"},"devDependencies":{"tailwindcss":"4"}}"#,
            r#"{"dependencies":{"react":"19","@tailwindcss/vite":"4"}}"#,
            r#"{"dependencies":{"react":"19"},"peerDependencies":{"tailwindcss":"3"}}"#,
            "{}",
        ] {
            assert!(check(&Project::from_files(&[("package.json", manifest)])).is_err(), "{manifest}");
        }
        assert!(check(&Project::from_files(&[REACT])).is_ok());
    }

    #[test]
    fn a_project_with_directives_before_the_task_is_not_checked() {
        let (had, now) = ("@tailwind base;", "@tailwind base;\n@tailwind utilities;");
        let verdict = |now: &str, files: Vec<ChangedFile>| {
            let project = Project::from_files(&[REACT, ("src/a.css", now)]).after(Comparison::Changed(files));
            check(&project).map(|judgement| judgement.verdict)
        };
        let reason = Err("the style sheets had Tailwind directives before the task".to_owned());
        assert_eq!(verdict(had, Vec::new()), reason);
        assert_eq!(verdict(now, vec![ChangedFile::from_texts("src/a.css", had, now)]), reason);
        assert_eq!(verdict(now, vec![ChangedFile::from_texts("src/a.css", "a{}", now)]), Ok(Fail));
    }

    #[test]
    fn directives_only_warn_without_a_comparison() {
        let judgement = check(&Project::from_files(&[REACT, ("src/index.css", "@tailwind base;")])).unwrap();
        assert_eq!((judgement.verdict, judgement.is_raisable), (Warn, false));
    }
}

//! Checks plans in literate cases with source and report: `tests/fixtures/plans/*.md`.
//!
//! A case is a `tsx` block followed by a `report` block. Options after `tsx`: `task=3` sets the current task, `tree`
//! also shows the tree, `escaped` decodes `\r`, `
//! ` and `\u{…}` in the source.
//!
//! `LOOPGATE_UPDATE=1 cargo test --test all plan::reports` rewrites the reports; review the diff before you commit it.

use loopgate::plan::{ChangeMarker, Diagnostic, PlanNode, PlanReport, Registry, validate};
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[test]
#[expect(clippy::disallowed_methods, reason = "the cases are files of this repository")]
fn every_case_gives_its_report() -> Result<(), Box<dyn Error>> {
    let update = std::env::var_os("LOOPGATE_UPDATE").is_some();
    let mut cases = 0;
    let mut different = Vec::new();
    for path in case_files()? {
        let written = std::fs::read_to_string(&path)?;
        let rendered = render(&written);
        cases += written.matches("```report").count();
        if update {
            std::fs::write(&path, &rendered)?;
        } else if let Some((line, is, should)) = first_difference(&rendered, &written) {
            different.push(format!("{}:{line}\n  gives  {is}\n  should {should}", path.display()));
        }
    }
    assert!(different.is_empty(), "\n{}", different.join("\n"));
    assert!(cases >= 80, "{cases} cases");
    Ok(())
}

fn case_files() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/plans");
    let mut files =
        std::fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    files.sort();
    Ok(files)
}

/// The text with the report that each source produces.
fn render(text: &str) -> String {
    let mut rendered = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        rendered.push_str(line);
        rendered.push('\n');
        let Some(words) = line.strip_prefix("```tsx") else { continue };
        let mut source = String::new();
        for line in lines.by_ref().take_while(|line| *line != "```") {
            source.push_str(line);
            source.push('\n');
        }
        rendered.push_str(&source);
        rendered.push_str("```\n```report\n");
        rendered.push_str(&report(&source, words));
        rendered.push_str("```\n");
        if lines.clone().next() == Some("```report") {
            for _ in lines.by_ref().take_while(|line| *line != "```") {}
        }
    }
    rendered
}

fn first_difference(rendered: &str, written: &str) -> Option<(usize, String, String)> {
    let (mut is, mut should) = (rendered.lines(), written.lines());
    for line in 1.. {
        match (is.next(), should.next()) {
            (None, None) => return None,
            (is, should) if is == should => {}
            (is, should) => {
                let text = |line: Option<&str>| line.unwrap_or("(the end)").to_owned();
                return Some((line, text(is), text(should)));
            }
        }
    }
    None
}

fn report(source: &str, words: &str) -> String {
    let words: Vec<&str> = words.split_whitespace().collect();
    let task = words.iter().find_map(|word| word.strip_prefix("task=")?.parse().ok());
    let source = if words.contains(&"escaped") { unescape(source) } else { source.to_owned() };
    let report = validate(&source, Registry::builtin(), task);
    let mut text = String::from(if report.ok { "ok\n" } else { "refused\n" });
    let PlanReport { root, failures, warnings, markers, .. } = &report;
    failures.iter().for_each(|failure| diagnostic(&mut text, "failure", failure));
    warnings.iter().for_each(|warning| diagnostic(&mut text, "warning", warning));
    markers.iter().for_each(|found| marker(&mut text, found));
    match root {
        Some(root) if words.contains(&"tree") => node(&mut text, root, 0),
        None => text.push_str("no tree\n"),
        Some(_) => {}
    }
    text
}

fn diagnostic(text: &mut String, kind: &str, diagnostic: &Diagnostic) {
    let Diagnostic { id, message, line, column, end_line, end_column, suggestions } = diagnostic;
    let _ = write!(text, "{kind} {id} {line}:{column}");
    if let (Some(line), Some(column)) = (end_line, end_column) {
        let _ = write!(text, "-{line}:{column}");
    }
    let _ = write!(text, " {message}");
    if let Some(names) = suggestions {
        let _ = write!(text, " [{}]", names.join(", "));
    }
    text.push('\n');
}

fn marker(text: &mut String, marker: &ChangeMarker) {
    let ChangeMarker { kind, task, count, existing, text: words, screen, section, line } = marker;
    let _ = write!(text, "marker {} line {line}", serde_json::json!(kind));
    for (name, number) in [("task", task), ("count", count), ("existing", existing)] {
        if let Some(number) = number {
            let _ = write!(text, " {name}={number}");
        }
    }
    for (name, value) in [("screen", screen), ("section", section)] {
        if let Some(value) = value {
            let _ = write!(text, " {name}={value}");
        }
    }
    let _ = writeln!(text, " {words:?}");
}

fn node(text: &mut String, node: &PlanNode, level: usize) {
    let _ = write!(text, "{}{} {}:{}", "  ".repeat(level), node.component, node.line, node.column);
    for (name, value) in &node.props {
        let _ = write!(text, " {name}={}", serde_json::json!(value));
    }
    text.push('\n');
    node.children.iter().for_each(|child| self::node(text, child, level + 1));
}

fn unescape(source: &str) -> String {
    let mut text = String::new();
    let mut rest = source;
    while let Some((before, escaped)) = rest.split_once('\\') {
        text.push_str(before);
        rest = if let Some(rest) = escaped.strip_prefix('r') {
            text.push('\r');
            rest
        } else if let Some(rest) = escaped.strip_prefix('n') {
            text.push('\n');
            rest
        } else if let Some((code, rest)) = escaped.strip_prefix("u{").and_then(|rest| rest.split_once('}')) {
            text.extend(u32::from_str_radix(code, 16).ok().and_then(char::from_u32));
            rest
        } else {
            text.push('\\');
            escaped
        };
    }
    text + rest
}

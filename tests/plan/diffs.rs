//! Compares plans with sources in literate cases: `tests/fixtures/plan-diff/*.md`.
//!
//! A case is a heading, blocks with files (the path follows the language), and an `entries` block. A `tsx plan` block
//! is the content of the plan's `App`. The files of a first case named `Shared` belong to every case in its file.
//! `entries report` also shows the complete report.
//!
//! `LOOPGATE_UPDATE=1 cargo test --test all plan::diffs` rewrites the entries; review the diff before you commit it.

use loopgate::plan::{PlanDiffEntry, diff};
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[test]
#[expect(clippy::disallowed_methods, reason = "the cases are files of this repository")]
fn every_case_gives_its_entries() -> Result<(), Box<dyn Error>> {
    let update = std::env::var_os("LOOPGATE_UPDATE").is_some();
    let mut cases = 0;
    let mut different = Vec::new();
    for path in case_files()? {
        let written = std::fs::read_to_string(&path)?;
        let rendered = render(&written);
        cases += written.matches("```entries").count();
        if update {
            std::fs::write(&path, &rendered)?;
        } else if rendered != written {
            let (is, should) =
                rendered.lines().zip(written.lines()).find(|(is, should)| is != should).unwrap_or_default();
            different.push(format!("{}\n  gives  {is}\n  should {should}", path.display()));
        }
    }
    assert!(different.is_empty(), "\n{}", different.join("\n"));
    assert!(cases >= 40, "{cases} cases");
    Ok(())
}

fn case_files() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/plan-diff");
    let mut files =
        std::fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    files.sort();
    Ok(files)
}

/// A file of a case.
#[derive(Clone)]
struct File {
    path: String,
    text: String,
}

/// The text with the entries that each case produces.
fn render(text: &str) -> String {
    let (mut shared, mut own, mut is_shared) = (Vec::<File>::new(), Vec::<File>::new(), false);
    let mut rendered = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        rendered.push_str(line);
        rendered.push('\n');
        if let Some(title) = line.strip_prefix("## ") {
            is_shared = title == "Shared";
            own.clear();
        }
        let Some(words) = line.strip_prefix("```").filter(|words| !words.is_empty()) else { continue };
        let block: String =
            lines.by_ref().take_while(|line| *line != "```").fold(String::new(), |text, line| text + line + "\n");
        let mut words = words.split_whitespace();
        if words.next() == Some("entries") {
            let files: Vec<File> = shared
                .iter()
                .filter(|file| !own.iter().any(|other| other.path == file.path))
                .chain(&own)
                .cloned()
                .collect();
            rendered.push_str(&entries(&files, words.next() == Some("report")));
        } else {
            let path = words.next().unwrap_or_default().to_owned();
            rendered.push_str(&block);
            if is_shared { &mut shared } else { &mut own }.push(File { path, text: block });
        }
        rendered.push_str("```\n");
    }
    rendered
}

fn entries(files: &[File], report: bool) -> String {
    let body = files.iter().find(|file| file.path == "plan").map_or("", |file| &file.text);
    let plan = files
        .iter()
        .find(|file| file.path == ".ralph/plan.tsx")
        .map_or_else(|| format!("export default (<App name=\"Tea\">\n{body}</App>)\n"), |file| file.text.clone());
    let sources: Vec<(&str, Option<&str>)> = files
        .iter()
        .filter(|file| file.path != "plan" && !file.path.starts_with(".ralph/"))
        .map(|file| (file.path.as_str(), Some(file.text.as_str())))
        .collect();
    match diff(&plan, &sources) {
        Ok(compared) if report => compared.report,
        Ok(compared) => compared.entries.iter().fold(String::new(), |text, entry| text + &line(entry)),
        Err(error) => format!("{error}\n"),
    }
}

fn line(entry: &PlanDiffEntry) -> String {
    let PlanDiffEntry { status, category, planned, found, detail } = entry;
    let mut line = format!("{status:?} {category:?}").to_lowercase();
    let _ = write!(line, " {planned:?}");
    if let Some(found) = found {
        let _ = write!(line, " → {found}");
    }
    if let Some(detail) = detail {
        let _ = write!(line, " — {detail}");
    }
    line + "\n"
}

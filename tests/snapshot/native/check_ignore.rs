//! Which files a snapshot leaves out, compared with `git check-ignore`.

use super::disk::Disk;
use crate::snapshot::project::project;
use loopgate::snapshot;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeSet;

const NAMES: [&str; 14] = ["a", "b", "ab", "a.b", "a b", "b ", "#a", "!a", "a]", "a*", "-", "A", "ä", "a\\b"];
const FOLDERS: [&str; 7] = ["", "a", "b", "ab", "a/b", "b/a/b", "a b/!a"];

/// Every file of the project; the same names are also folders elsewhere.
fn paths() -> Vec<String> {
    let all = FOLDERS.iter().flat_map(|folder| NAMES.iter().map(move |name| format!("{folder}/{name}")));
    let is_folder =
        |path: &str| FOLDERS.iter().any(|folder| *folder == path || folder.starts_with(&format!("{path}/")));
    all.map(|path| path.trim_start_matches('/').to_owned()).filter(|path| !is_folder(path)).collect()
}

struct Case {
    root: String,
    deep: Option<String>,
    exclude: String,
}

fn ignored_by_git(disk: &Disk, case: &Case, paths: &[String]) -> BTreeSet<String> {
    disk.write(".gitignore", case.root.as_bytes());
    let _ = std::fs::remove_file(disk.path("a/.gitignore"));
    if let Some(deep) = &case.deep {
        disk.write("a/.gitignore", deep.as_bytes());
    }
    disk.write(".git/info/exclude", case.exclude.as_bytes());
    let input: String = paths.iter().map(|path| format!("{path}\0")).collect();
    // The exit code is 1 without a message if nothing is ignored.
    let output = match disk.git(&["check-ignore", "--no-index", "-z", "--stdin"], input.as_bytes()) {
        Err(complaint) if complaint.is_empty() => Vec::new(),
        output => output.unwrap(),
    };
    let output = String::from_utf8(output).unwrap();
    output.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect()
}

fn ignored_by_us(case: &Case, paths: &[String]) -> BTreeSet<String> {
    let host = project([]);
    paths.iter().for_each(|path| host.put(path, ""));
    host.put(".gitignore", &case.root);
    if let Some(deep) = &case.deep {
        host.put("a/.gitignore", deep);
    }
    host.put(".git/info/exclude", &case.exclude);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let status = runtime.block_on(snapshot::status(&host)).unwrap();
    let seen: BTreeSet<String> = status.changes.into_iter().map(|change| change.path).collect();
    paths.iter().filter(|path| !seen.contains(*path)).cloned().collect()
}

fn repository(name: &str, paths: &[String]) -> Disk {
    let disk = Disk::new(name);
    disk.git(&["init", "--quiet"], b"").unwrap();
    paths.iter().for_each(|path| disk.write(path, b""));
    disk
}

fn compare(disk: &Disk, case: &Case, paths: &[String]) {
    let expected = ignored_by_git(disk, case, paths);
    let found = ignored_by_us(case, paths);
    let Case { root, deep, exclude } = case;
    assert_eq!(found, expected, "root {root:?}, a/ {deep:?}, exclude {exclude:?}");
}

#[test]
fn chosen_rules_ignore_the_same_files_as_git() {
    let paths = paths();
    let disk = repository("ignore-chosen", &paths);
    let roots = [
        "a",
        "/a",
        "a/",
        "/a/",
        "a/b",
        "/a/b",
        "a/*",
        "a/**",
        "**/a",
        "**/b/a",
        "a/**/b",
        "**",
        "*",
        "/*",
        "*/",
        "!*",
        "*\n!a",
        "*\n!a/\n!a/*",
        "/*\n!/a",
        "a/*\n!a/b",
        "?",
        "??",
        "[ab]",
        "[!a]",
        "[^a]",
        "[a-b]*",
        "[[:upper:]]",
        "[[:punct:]]a",
        "a\\ b",
        "a b",
        "b\\ ",
        "b ",
        "\\#a",
        "#a",
        "\\!a",
        "!a",
        "a\\*",
        "a\\]",
        "a]",
        "a[",
        "a\\",
        "a\\\\b",
        "*.b",
        "a.*",
        "ä",
        "[ä]",
        "?\n!ä",
        "A",
        "-",
        "//a",
        "a//",
        "a//b",
        "/",
        "",
        " ",
        "a**",
        "**a",
        "a**/b",
        "**/**",
        "a/**/",
        "b/**/b",
        "*/b",
        "*/*/b",
        "/*/b",
        "a\\b",
        "\u{feff}a",
        "a\r\nb\r\n",
        "a\n\n#x\n!a",
        "**\\/a",
        "**\\/**",
        "**\\/**/",
        "a/**\\/b",
        "a\\/b",
    ];
    for root in roots {
        compare(&disk, &Case { root: root.to_owned(), deep: None, exclude: String::new() }, &paths);
        compare(&disk, &Case { root: "b".to_owned(), deep: Some(root.to_owned()), exclude: "ab\n".to_owned() }, &paths);
    }
}

#[test]
fn random_rules_ignore_the_same_files_as_git() {
    let paths = paths();
    let disk = repository("ignore-any", &paths);
    let piece = prop::sample::select(vec![
        "a", "b", "ab", "*", "**", "?", "/", "/", "[ab]", "[!b]", "[a-", "]", "\\", " ", "!", "#", ".", "-", "\n",
        "\n!", "\n/", "/**/", "\n*",
    ]);
    let text = prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat());
    let config = ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() };
    // The same cases in every run: an oddity of git must not fail the tests by chance.
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let strategy = (text.clone(), prop::option::of(text.clone()), text);
    let result = runner.run(&strategy, |(root, deep, exclude)| {
        compare(&disk, &Case { root, deep, exclude }, &paths);
        Ok(())
    });
    result.unwrap();
}

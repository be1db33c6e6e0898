//! Checks the sources against the tables of `ARCHITECTURE.md`: which module uses which, where a foreign crate may be
//! named, and how long a file may be.
#![cfg(not(target_family = "wasm"))]
#![expect(clippy::disallowed_methods, reason = "this test reads the repository, not a user's project")]

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

const MAX_LINES: usize = 600;

#[test]
fn modules_use_only_what_their_row_allows() -> Result<(), Box<dyn Error>> {
    let rules = Rules::read()?;
    let broken: BTreeSet<String> = crate_sources()?.iter().flat_map(|source| rules.broken_arrows(source)).collect();
    assert!(broken.is_empty(), "{}", join(&broken));
    Ok(())
}

#[test]
fn foreign_crates_are_named_only_where_their_row_says() -> Result<(), Box<dyn Error>> {
    let rules = Rules::read()?;
    let broken: BTreeSet<String> = crate_sources()?.iter().flat_map(|source| rules.strayed_names(source)).collect();
    assert!(broken.is_empty(), "{}", join(&broken));
    Ok(())
}

#[test]
fn every_module_has_a_row_that_points_only_to_rows_above() -> Result<(), Box<dyn Error>> {
    let rules = Rules::read()?;
    let mut above = BTreeSet::new();
    for (module, uses) in &rules.rows {
        assert!(uses.iter().all(|used| above.contains(used)), "the row of `{module}` points to a row below it");
        above.insert(module.clone());
    }
    let modules: BTreeSet<String> =
        crate_sources()?.iter().filter_map(|source| source.module.first().cloned()).collect();
    assert_eq!(modules, above, "the rows of ARCHITECTURE.md and the modules in src/ differ");
    Ok(())
}

#[test]
fn no_file_is_too_long() -> Result<(), Box<dyn Error>> {
    let lines = |(path, text): (PathBuf, String)| (text.lines().count(), shown_path(&path));
    let long = written_sources()?.into_iter().map(lines).filter(|(lines, _)| *lines > MAX_LINES);
    let long =
        long.map(|(lines, path)| format!("{path}: {lines} lines, more than {MAX_LINES}: what second idea is in it?"));
    let long: BTreeSet<String> = long.collect();
    assert!(long.is_empty(), "{}", join(&long));
    Ok(())
}

#[test]
fn functions_are_named_by_their_role() -> Result<(), Box<dyn Error>> {
    let mut found = BTreeSet::new();
    for (path, text) in
        written_sources()?.into_iter().filter(|(path, _)| path.extension().is_some_and(|end| end == "rs"))
    {
        let names = ["of", "said", "shown", "look", "named", "found"]
            .map(|name| [format!("fn {name}("), format!("fn {name}<")]);
        let is_vague = |line: &str| names.iter().flatten().any(|name| line.contains(name.as_str()));
        let lines = text.lines().enumerate().filter(|(_, line)| is_vague(line) && !line.contains('"'));
        found.extend(lines.map(|(at, line)| format!("{}:{}: {}", shown_path(&path), at + 1, line.trim())));
    }
    assert!(found.is_empty(), "{}", join(&found));
    Ok(())
}

#[test]
fn comments_repeat_the_noun_in_place_of_that_of_and_those_of() -> Result<(), Box<dyn Error>> {
    let is_comment = |line: &str| ["//", "/*", "*"].iter().any(|start| line.trim_start().starts_with(start));
    let has_phrase = |line: &str| {
        let line = line.to_lowercase();
        ["that of ", "those of "].iter().any(|phrase| line.contains(phrase))
    };
    let mut found = BTreeSet::new();
    for (path, text) in written_sources()? {
        let lines = text.lines().enumerate().filter(|(_, line)| is_comment(line) && has_phrase(line));
        found.extend(lines.map(|(at, line)| format!("{}:{}: {}", shown_path(&path), at + 1, line.trim())));
    }
    assert!(found.is_empty(), "{}", join(&found));
    Ok(())
}

#[test]
fn names_of_the_layout_are_written_in_the_layout_only() -> Result<(), Box<dyn Error>> {
    let layout = "src/layout.rs";
    let rows = texts(&tokens_of(&fs::read_to_string(root().join(layout))?)?).into_iter().map(|(_, text)| text);
    let names: BTreeSet<String> = rows.filter_map(|text| reserved(&text)).collect();
    assert!(names.contains(".ralph") && names.contains("specs"), "{layout} has no rows: {names:?}");
    let mut found = BTreeSet::new();
    for path in files(&root().join("src"), &["rs"])? {
        let file = shown_path(&path);
        if file == layout || file.ends_with("/tests.rs") || file.contains("/tests/") {
            continue;
        }
        for (line, text) in texts(&tokens_of(&fs::read_to_string(&path)?)?) {
            if let Some(name) = names.iter().find(|name| is_named(&text, name)) {
                found.insert(format!("{file}:{line}: `{name}` in a text: use the constant of {layout}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", join(&found));
    Ok(())
}

/// A performer returns facts. Only `Session::progress` publishes one before a long command ends.
#[test]
fn performers_return_their_facts_and_record_none() -> Result<(), Box<dyn Error>> {
    let mut performers = files(&root().join("src/run/recipe"), &["rs"])?;
    performers.push(root().join("src/run/perform.rs"));
    let mut found = BTreeSet::new();
    for path in performers.into_iter().filter(|path| !shown_path(path).contains("/tests/")) {
        let text: String = fs::read_to_string(&path)?.split_whitespace().collect();
        for call in ["session.record(", "session.record_all(", "session.status("] {
            if text.contains(call) {
                found.insert(format!("{}: {call}…): return the fact with `Performed`", shown_path(&path)));
            }
        }
    }
    assert!(found.is_empty(), "{}", join(&found));
    Ok(())
}

/// The first component of a path in the layout. Git's own files are excluded.
fn reserved(path: &str) -> Option<String> {
    let is_path = path.starts_with('.') || path.contains('/') || path.ends_with(".md") || path == "specs";
    let first = path.split('/').next().filter(|first| is_path && *first != ".git")?;
    if first == "refs" { path.split('/').take(2).collect::<Vec<_>>().join("/").into() } else { Some(first.to_owned()) }
}

/// Whether a string is the name, or a path that begins with it.
fn is_named(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let is_dotted = name.contains('.') || name.contains('/');
    text == name
        || text.match_indices(name).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + name.len()..]);
            !before.ends_with(is_word) && if is_dotted { !after.starts_with(is_word) } else { after.starts_with('/') }
        })
}

fn tokens_of(text: &str) -> Result<TokenStream, Box<dyn Error>> {
    text.parse::<TokenStream>().map_err(|error| error.to_string().into())
}

/// The string literals of a source with their lines, without attributes, documentation and tests.
fn texts(tokens: &TokenStream) -> Vec<(usize, String)> {
    let (mut found, mut is_test, mut after_mark) = (Vec::new(), false, false);
    for token in tokens.clone() {
        let is_attribute = std::mem::replace(&mut after_mark, false);
        match token {
            TokenTree::Punct(mark) if matches!(mark.as_char(), '#' | '!') => {
                after_mark = mark.as_char() == '#' || is_attribute
            }
            TokenTree::Punct(mark) if mark.as_char() == ';' => is_test = false,
            TokenTree::Group(group) if is_attribute && group.delimiter() == Delimiter::Bracket => {
                let text = group.stream().to_string();
                is_test |=
                    text.starts_with("cfg") && text.split(|c: char| !c.is_alphanumeric()).any(|word| word == "test");
            }
            TokenTree::Group(group) if is_test => is_test = group.delimiter() != Delimiter::Brace,
            TokenTree::Group(group) => found.extend(texts(&group.stream())),
            TokenTree::Literal(text) if !is_test && !text.to_string().starts_with('\'') => {
                let line = text.span().start().line;
                let text = text.to_string();
                found.push((line, text.trim_start_matches(['r', '#']).trim_matches(['#', '"']).to_owned()));
            }
            _ => {}
        }
    }
    found
}

/// The rules in `ARCHITECTURE.md`.
struct Rules {
    /// Modules in table order, each with the modules that it may use.
    rows: Vec<(String, BTreeSet<String>)>,
    /// Foreign crates (`*` matches any suffix), each with the files or folders that may name it.
    homes: Vec<(String, Vec<String>)>,
    /// Names that `src/lib.rs` re-exports, each with its module.
    exports: BTreeMap<String, String>,
}

impl Rules {
    fn read() -> Result<Self, Box<dyn Error>> {
        let document = fs::read_to_string(root().join("ARCHITECTURE.md"))?;
        let mut rows = Vec::new();
        for (modules, uses) in table(&document, "## Arrows") {
            rows.extend(modules.into_iter().map(|module| (module, uses.iter().cloned().collect())));
        }
        let mut homes = Vec::new();
        for (names, places) in table(&document, "## Names that stay in one place") {
            homes.extend(names.into_iter().map(|name| (name, places.clone())));
        }
        if rows.is_empty() || homes.is_empty() {
            return Err("ARCHITECTURE.md has lost a table that this test reads".into());
        }
        let lib = Source::parse("src/lib.rs", &fs::read_to_string(root().join("src/lib.rs"))?)?;
        let exports = lib.mentions.into_iter().filter_map(|mention| match mention.path.as_slice() {
            [module, .., name] => Some((name.clone(), module.clone())),
            _ => None,
        });
        Ok(Self { rows, homes, exports: exports.collect() })
    }

    fn broken_arrows(&self, source: &Source) -> BTreeSet<String> {
        let Some(own) = source.module.first() else { return BTreeSet::new() };
        let allowed =
            self.rows.iter().find(|(module, _)| module == own).map(|(_, uses)| uses.clone()).unwrap_or_default();
        let mut broken = BTreeSet::new();
        for mention in &source.mentions {
            let Some(name) = mention.in_crate().and_then(|path| path.into_iter().next()) else { continue };
            let used = self.exports.get(&name).unwrap_or(&name);
            let is_module = self.rows.iter().any(|(module, _)| module == used);
            if is_module && used != own && !allowed.contains(used) {
                let Mention { line, .. } = mention;
                broken.insert(format!(
                    "{}:{line}: `{own}` uses `{used}`, against the arrows of ARCHITECTURE.md",
                    source.file
                ));
            }
        }
        broken
    }

    fn strayed_names(&self, source: &Source) -> BTreeSet<String> {
        let mut strayed = BTreeSet::new();
        for (name, places) in &self.homes {
            if places.iter().any(|place| source.file.starts_with(place.as_str())) {
                continue;
            }
            let is_named = |segment: &String| match name.strip_suffix('*') {
                Some(start) => segment.starts_with(start),
                None => segment == name,
            };
            for mention in source.mentions.iter().filter(|mention| mention.path.iter().any(is_named)) {
                strayed.insert(format!(
                    "{}:{}: `{name}` is named outside {}",
                    source.file,
                    mention.line,
                    places.join(", ")
                ));
            }
        }
        strayed
    }
}

/// The rows of the table under a heading: the code spans in the first and the second cell.
fn table(document: &str, heading: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let section =
        document.lines().skip_while(|line| *line != heading).skip(1).take_while(|line| !line.starts_with("## "));
    let codes = |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    section
        .filter_map(|line| {
            let mut cells = line.strip_prefix('|')?.split('|');
            Some((codes(cells.next()?), codes(cells.next()?)))
        })
        .filter(|(names, _)| !names.is_empty())
        .collect()
}

/// A source file and the paths that its code names. Comments and strings are skipped.
struct Source {
    file: String,
    /// Relative to the crate; empty for its root.
    module: Vec<String>,
    mentions: Vec<Mention>,
}

struct Mention {
    path: Vec<String>,
    line: usize,
    /// The module that names it.
    module: Vec<String>,
}

impl Source {
    /// `file` is relative to the repository, such as `src/agent/guard.rs`.
    fn parse(file: &str, text: &str) -> Result<Self, Box<dyn Error>> {
        let tokens: TokenStream = text.parse().map_err(|error| format!("{file}: {error}"))?;
        let below = file.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
        let module: Vec<String> = below.split('/').filter(|name| *name != "lib").map(str::to_owned).collect();
        let mut mentions = Vec::new();
        collect(tokens, &module, &mut mentions);
        Ok(Self { file: file.to_owned(), module, mentions })
    }
}

impl Mention {
    /// The path below the crate's root; `None` if it may be another crate's.
    fn in_crate(&self) -> Option<Vec<String>> {
        let mut base = self.module.clone();
        let mut rest = self.path.as_slice();
        match rest.split_first() {
            Some((first, after)) if first == "crate" || first == "loopgate" => {
                base.clear();
                rest = after;
            }
            Some((first, _)) if first == "self" || first == "super" => {}
            _ => return None,
        }
        while let Some((first, after)) = rest.split_first() {
            match first.as_str() {
                "self" => {}
                "super" => drop(base.pop()),
                _ => break,
            }
            rest = after;
        }
        base.extend_from_slice(rest);
        Some(base)
    }
}

fn collect(tokens: TokenStream, module: &[String], found: &mut Vec<Mention>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut rest = tokens.as_slice();
    while let Some((first, after)) = rest.split_first() {
        rest = match (first, after) {
            (TokenTree::Ident(word), [TokenTree::Ident(name), TokenTree::Group(body), after @ ..]) if word == "mod" => {
                collect(body.stream(), &[module, &[name.to_string()]].concat(), found);
                after
            }
            (TokenTree::Ident(_), _) => path(rest, Vec::new(), module, found),
            (TokenTree::Group(group), _) => {
                collect(group.stream(), module, found);
                after
            }
            _ => after,
        };
    }
}

/// Reads one path or `use` tree and returns the remaining tokens.
fn path<'a>(
    tokens: &'a [TokenTree],
    mut prefix: Vec<String>,
    module: &[String],
    found: &mut Vec<Mention>,
) -> &'a [TokenTree] {
    let Some((TokenTree::Ident(name), after)) = tokens.split_first() else { return tokens };
    prefix.push(name.to_string());
    let line = name.span().start().line;
    if let [TokenTree::Punct(first), TokenTree::Punct(second), next, beyond @ ..] = after
        && first.as_char() == ':'
        && second.as_char() == ':'
    {
        match next {
            TokenTree::Ident(_) => return path(after.get(2..).unwrap_or_default(), prefix, module, found),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let tree: Vec<TokenTree> = group.stream().into_iter().collect();
                let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',');
                for branch in tree.split(is_comma) {
                    path(branch, prefix.clone(), module, found);
                }
                return beyond;
            }
            _ => {}
        }
    }
    found.push(Mention { path: prefix, line, module: module.to_vec() });
    after
}

/// The files that people write and read, with their texts.
fn written_sources() -> Result<Vec<(PathBuf, String)>, Box<dyn Error>> {
    let mut sources = Vec::new();
    for folder in ["src", "pkg/src", "pkg/scripts", "pkg/test", "www/src", "tests", "benches", "fuzz", "scripts"] {
        for path in files(&root().join(folder), &["rs", "ts", "tsx", "js", "mjs", "sh"])? {
            sources.push((path.clone(), fs::read_to_string(path)?));
        }
    }
    Ok(sources)
}

fn crate_sources() -> Result<Vec<Source>, Box<dyn Error>> {
    let paths = files(&root().join("src"), &["rs"])?;
    paths.iter().map(|path| Source::parse(&shown_path(path), &fs::read_to_string(path)?)).collect()
}

/// All files below a folder with one of these extensions, except built and installed ones; empty if the folder does not
/// exist.
fn files(folder: &Path, endings: &[&str]) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return Ok(found);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            if !["node_modules", "dist", "target"].contains(&name) {
                found.extend(files(&path, endings)?);
            }
        } else if endings.contains(&path.extension().and_then(|ending| ending.to_str()).unwrap_or_default()) {
            found.push(path);
        }
    }
    Ok(found)
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn shown_path(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

fn join(lines: &BTreeSet<String>) -> String {
    lines.iter().map(|line| format!("\n{line}")).collect()
}

// ---- The checker, on samples -----------------------------------------------------------------------------------

fn sample_rules() -> Rules {
    let row = |module: &str, uses: &[&str]| (module.to_owned(), uses.iter().map(|used| (*used).to_owned()).collect());
    Rules {
        rows: vec![
            row("port", &[]),
            row("error", &["port"]),
            row("agent", &["error", "port"]),
            row("run", &["agent", "port"]),
        ],
        homes: vec![
            ("oxc_*".to_owned(), vec!["src/plan/parse/".to_owned()]),
            ("js_sys".to_owned(), vec!["src/wasm/".to_owned()]),
        ],
        exports: BTreeMap::from([("Error".to_owned(), "error".to_owned()), ("drive".to_owned(), "run".to_owned())]),
    }
}

fn arrows_of(file: &str, text: &str) -> Result<Vec<String>, Box<dyn Error>> {
    Ok(sample_rules().broken_arrows(&Source::parse(file, text)?).into_iter().collect())
}

#[test]
fn an_arrow_back_is_found_however_it_is_written() -> Result<(), Box<dyn Error>> {
    let written = [
        "use crate::run::drive;",
        "use crate::{port::FsPort, run};",
        "pub use crate::{port::{FsPort}, error::Error, run::{self, drive}};",
        "use super::super::run::drive;",
        "use crate::drive;",
        "fn f() { crate::run::drive() }",
        "fn f() { matches!(x, crate::run::Command::Finish) }",
        "mod tests { use super::super::super::run; }",
        "mod tests { mod deeper { fn f() -> super::super::super::super::run::Machine { g() } } }",
        "use loopgate::run as other;",
        "#[derive(crate::run::Fold)] struct A;",
        "use crate::run::*;",
    ];
    for text in written {
        let broken = arrows_of("src/agent/guard.rs", text)?;
        assert_eq!(
            broken,
            ["src/agent/guard.rs:1: `agent` uses `run`, against the arrows of ARCHITECTURE.md"],
            "{text}"
        );
    }
    Ok(())
}

#[test]
fn allowed_uses_and_lookalikes_are_accepted() -> Result<(), Box<dyn Error>> {
    let written = [
        "use crate::{error::Error, port::FsPort};",
        "use crate::Error;",
        "use super::run;",
        "use super::run::start;",
        "// use crate::run::drive;\n/* crate::run */\n/// [`crate::run`]\nfn f() { g(\"crate::run::drive\", r#\"crate::run\"#) }",
        "use tokio::run;",
        "fn run(&self) { self.run() }",
        "mod run { pub fn f() {} } use self::run::f;",
    ];
    for text in written {
        assert_eq!(arrows_of("src/agent/guard.rs", text)?, [""; 0], "{text}");
    }
    Ok(())
}

#[test]
fn super_is_relative_to_the_files_module() -> Result<(), Box<dyn Error>> {
    assert_eq!(arrows_of("src/agent/mod.rs", "use super::run;")?.len(), 1);
    assert_eq!(arrows_of("src/error.rs", "use super::run;")?.len(), 1);
    assert_eq!(arrows_of("src/agent/tools/read.rs", "use super::super::run;")?.len(), 0);
    assert_eq!(arrows_of("src/agent/tools/read.rs", "use super::super::super::run;")?.len(), 1);
    Ok(())
}

#[test]
fn a_foreign_crate_is_found_outside_its_home() -> Result<(), Box<dyn Error>> {
    let strayed = |file: &str, text: &str| -> Result<Vec<String>, Box<dyn Error>> {
        Ok(sample_rules().strayed_names(&Source::parse(file, text)?).into_iter().collect())
    };
    assert_eq!(
        strayed("src/gate/scope.rs", "\nuse oxc_ast::ast;")?,
        ["src/gate/scope.rs:2: `oxc_*` is named outside src/plan/parse/"]
    );
    assert_eq!(strayed("src/agent/mod.rs", "fn f(x: &js_sys::Array) {}")?.len(), 1);
    assert_eq!(strayed("src/plan/parse/mod.rs", "use oxc_ast::ast;")?.len(), 0);
    assert_eq!(strayed("src/wasm/fs.rs", "use js_sys::Array;")?.len(), 0);
    assert_eq!(strayed("src/agent/mod.rs", "// js_sys\nconst A: &str = \"oxc_ast\";")?.len(), 0);
    Ok(())
}

#[test]
fn a_name_of_the_layout_is_found_in_every_text_outside_tests() -> Result<(), Box<dyn Error>> {
    let found = |source: &str| -> Result<usize, Box<dyn Error>> {
        let named = |text: &str| is_named(text, ".ralph") || is_named(text, "specs");
        Ok(texts(&tokens_of(source)?).iter().filter(|(_, text)| named(text)).count())
    };
    for source in [
        r#"const A: &str = ".ralph/x.md";"#,
        r##"fn f() { g(r#"see `.ralph`"#) }"##,
        r#"fn f() { format!("{dir}/.ralph/{name}") }"#,
        r#"mod a { fn f() { !["specs"] } }"#,
        r#"const A: &str = "read specs/a.md";"#,
        r#"#[cfg(test)] mod tests { const A: &str = ".ralph/x"; } const B: &str = ".ralph/x";"#,
    ] {
        assert_eq!(found(source)?, 1, "{source}");
    }
    for source in [
        "/// `.ralph/x`\nfn f() {} // .ralph/x",
        r#"#[cfg(all(test, unix))] mod tests { const A: &str = ".ralph/x"; }"#,
        r#"#[cfg(test)] impl A { fn f() { ".ralph" } }"#,
        r#"#[cfg(test)] const A: &str = ".ralph/x"; "#,
        r#"const A: &str = "the specs of it, .ralphs";"#,
    ] {
        assert_eq!(found(source)?, 0, "{source}");
    }
    Ok(())
}

#[test]
fn a_table_is_read_from_its_own_section() {
    let document = "# A\n## Arrows\ntext\n| module | may use |\n|---|---|\n| `a`, `b` | nothing |\n| `c` | `a` and `b` |\n## B\n| `d` | `a` |\n";
    let own = |names: &[&str]| -> Vec<String> { names.iter().map(|name| (*name).to_owned()).collect() };
    assert_eq!(table(document, "## Arrows"), [(own(&["a", "b"]), own(&[])), (own(&["c"]), own(&["a", "b"]))]);
    assert_eq!(table(document, "## C"), []);
}

//! The chunks of a spec: their file, their order, and what a failure blocks.

use crate::error::{Error, ErrorCode};
use crate::json;
use crate::nearest::nearest;
use crate::task::hash;
use crate::text::counted;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A piece of a spec that is executed, reviewed and committed on its own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Chunk {
    /// Letters, digits, `-`, `_` and `.`; also the name of its folder.
    pub id: String,
    #[expect(missing_docs, reason = "the name says it all")]
    pub title: String,
    /// The instructions, step by step.
    pub description: String,
    /// The files to look at first.
    #[serde(default, deserialize_with = "json::or_default", skip_serializing_if = "Vec::is_empty")]
    pub relevant_files: Vec<String>,
    /// The ids of the chunks that must be shipped first.
    #[serde(default, deserialize_with = "json::or_default", skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<String>,
    /// The limit of attempts, instead of the one in the configuration.
    #[serde(default, deserialize_with = "json::or_default", skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<u32>,
}

/// Where a chunk is in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) enum Status {
    #[default]
    Pending,
    Shipped,
    Failed,
}

/// The id of the final review, which has attempts like a chunk.
pub(in crate::run) const FINAL: &str = "final-review";

/// The names that the harness uses beside the names of chunks: in the folder of the attempts, in the tags, as ids.
const RESERVED: [(&str, &str); 5] = [
    (FINAL, "the final review"),
    ("final", "the final review"),
    (PRE, "the snapshot before the chunks"),
    (STATE, "the state of the spec"),
    (PROPOSED, "the proposed chunks"),
];

/// The tag of the project before the chunks.
pub(super) const PRE: &str = "pre";

/// Files beside the folders of the attempts.
pub(super) const STATE: &str = "state.json";
pub(super) const PROPOSED: &str = "proposed.json";

/// Whether a name belongs to a file that was set aside.
fn is_aside(name: &str, file: &str) -> bool {
    name.strip_prefix(file).is_some_and(|rest| rest.starts_with(".corrupt-"))
}

/// The limits of [`Chunk::max_iterations`].
const ATTEMPTS: std::ops::RangeInclusive<u32> = 1..=20;

/// Maximum number of chunks of a spec.
const CHUNKS_MAX: usize = 500;

/// How many unknown names of a list get a suggestion. Each one is compared with all ids.
const SUGGESTIONS: usize = 20;

impl Chunk {
    /// Identifies what the chunk asks for: a shipped chunk that asks for something else is pending again.
    pub(super) fn hash(&self) -> String {
        hash(&format!("{}\n{}\n{}", self.title, self.description, self.dependencies.join("\n"))).unwrap_or_default()
    }

    /// Why the chunk cannot run, each with the field.
    fn problems(&self) -> Vec<(&'static str, String)> {
        let (id, mut problems) = (&self.id, Vec::new());
        let lower = id.to_ascii_lowercase();
        let reserved = RESERVED.iter().find(|(name, _)| lower == *name || is_aside(&lower, name));
        if !is_name(id) {
            let text = format!("the id {id:?} is not valid: use 1 to 64 letters, digits, `-`, `_` and `.`");
            problems.push(("id", text));
        } else if let Some((_, what)) = reserved {
            problems.push(("id", format!("the id {id:?} is the name of {what}: use another one")));
        }
        for (field, text) in [("title", &self.title), ("description", &self.description)] {
            if text.trim().is_empty() {
                problems.push((field, format!("chunk {id:?}: `{field}` is empty")));
            }
        }
        if let Some(attempts) = self.max_iterations.filter(|attempts| !ATTEMPTS.contains(attempts)) {
            let (min, max) = (ATTEMPTS.start(), ATTEMPTS.end());
            problems
                .push(("maxIterations", format!("chunk {id:?}: `maxIterations` is {attempts}; use {min} to {max}")));
        }
        problems
    }
}

/// What is wrong with a list of chunks, or not used in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Problem {
    /// A stable id of the rule.
    pub id: &'static str,
    pub message: String,
    /// The number of the chunk in the list, and its field; `None` for the list.
    pub at: Option<(usize, String)>,
}

impl Problem {
    fn new(id: &'static str, message: String, chunk: usize, field: &str) -> Self {
        Self { id, message, at: Some((chunk, field.to_owned())) }
    }
}

/// Whether a text may be the name of a folder, a branch and a tag.
pub(super) fn is_name(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let ends_well = !text.ends_with('.') && !text.ends_with(".lock") && !text.contains("..");
    (1..=64).contains(&text.len()) && !text.starts_with(['.', '-']) && ends_well && text.chars().all(is_plain)
}

/// Reads chunks from JSON: an array, or an object with the field `chunks`. Also says which of their fields are unknown.
///
/// # Errors
/// What is wrong, for a reader who edits the text.
pub(super) fn read(text: &str) -> Result<(Vec<Chunk>, Vec<String>), String> {
    let (chunks, unknown) = parse(text)?;
    check(&chunks)?;
    Ok((chunks, unknown.into_iter().map(|unknown| unknown.message).collect()))
}

/// Reads chunks as [`read`], also a list that cannot run.
fn parse(text: &str) -> Result<(Vec<Chunk>, Vec<Problem>), String> {
    let value: Value = json::read(text.trim_start_matches('\u{feff}'))?;
    let unknown = unknown_fields(value.get("chunks").unwrap_or(&value));
    Ok((unchecked(value)?, unknown))
}

/// A list that is read entry by entry.
#[derive(Default)]
pub(super) struct Entries {
    /// The chunks that can be read.
    pub chunks: Vec<Chunk>,
    pub problems: Vec<Problem>,
    /// Fields that are not used.
    pub unknown: Vec<Problem>,
}

/// Reads a list as [`read`], and goes on after an entry that cannot be read.
///
/// # Errors
/// The text is no list.
pub(super) fn entries(text: &str) -> Result<Entries, String> {
    let value: Value = json::read(text.trim_start_matches('\u{feff}'))?;
    let list = list_in(value)?;
    let unknown = unknown_fields(&list);
    let Value::Array(list) = list else { return Err("`chunks` is not an array".to_owned()) };
    let (mut places, mut chunks, mut problems, mut lost) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (place, entry) in list.into_iter().enumerate() {
        let id = entry.get("id").and_then(Value::as_str).map(str::to_owned);
        match json::from_value::<Chunk>(entry) {
            Ok(chunk) => {
                places.push(place);
                chunks.push(chunk);
            }
            Err(message) => {
                let field = message.rsplit("at `").next().and_then(|rest| rest.split(['`', '.', '[']).next());
                let field = field.unwrap_or_default().to_owned();
                lost.extend(id);
                problems.push(Problem { id: "unreadable", message, at: Some((place, field)) });
            }
        }
    }
    for mut problem in problems_beside(&chunks, &lost) {
        if let Some((at, _)) = &mut problem.at {
            *at = places.get(*at).copied().unwrap_or_default();
        }
        problems.push(problem);
    }
    Ok(Entries { chunks, problems, unknown })
}

/// The names of the fields of [`Chunk`].
const FIELDS: [&str; 6] = ["id", "title", "description", "relevantFiles", "dependencies", "maxIterations"];

fn unknown_fields(list: &Value) -> Vec<Problem> {
    let entries = list.as_array().into_iter().flatten().enumerate();
    let chunks = entries.filter_map(|(at, entry)| Some((at, entry.as_object()?)));
    let unknown = chunks.flat_map(|(at, chunk)| {
        let id = chunk.get("id").and_then(Value::as_str).unwrap_or_default();
        chunk.keys().filter(|name| !FIELDS.contains(&name.as_str())).map(move |name| (at, id, name))
    });
    let problem = |(number, (at, id, name)): (usize, (usize, &str, &String))| {
        let near = suggestion(number, name, FIELDS).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        Problem::new("unknown-field", format!("the field `{name}` of chunk {id:?} is not used{near}"), at, name)
    };
    unknown.enumerate().map(problem).collect()
}

/// The nearest candidate, if this unknown name is among the first of a list.
fn suggestion<'a>(number: usize, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    if number < SUGGESTIONS { nearest(name, candidates).into_iter().next() } else { None }
}

/// Reads chunks from a JSON value, as [`read`].
pub(super) fn from_value(value: Value) -> Result<Vec<Chunk>, String> {
    let chunks = unchecked(value)?;
    check(&chunks)?;
    Ok(chunks)
}

fn unchecked(value: Value) -> Result<Vec<Chunk>, String> {
    json::from_value(list_in(value)?)
}

fn list_in(value: Value) -> Result<Value, String> {
    let list = match value {
        Value::Array(_) => Some(value),
        Value::Object(mut fields) => fields.remove("chunks"),
        _ => None,
    };
    list.ok_or_else(|| "expected an array of chunks, or an object with the field `chunks`".to_owned())
}

fn check(chunks: &[Chunk]) -> Result<(), String> {
    problems(chunks).into_iter().next().map_or(Ok(()), |problem| Err(problem.message))
}

/// Why a list cannot run: the ids, the dependencies and the order.
fn problems(chunks: &[Chunk]) -> Vec<Problem> {
    problems_beside(chunks, &[])
}

/// As [`problems`]. `others`: the ids of entries that cannot be read; dependencies may name them.
fn problems_beside(chunks: &[Chunk], others: &[String]) -> Vec<Problem> {
    if chunks.len() > CHUNKS_MAX {
        let message = format!("it has {}; {CHUNKS_MAX} is the limit", counted(chunks.len(), "chunk"));
        return vec![Problem { id: "too-many", message, at: None }];
    }
    let mut problems = Vec::new();
    for (at, chunk) in chunks.iter().enumerate() {
        let own = chunk.problems().into_iter();
        problems.extend(own.map(|(field, message)| Problem::new("invalid-field", message, at, field)));
    }
    let mut ids = BTreeSet::new();
    for (at, chunk) in chunks.iter().enumerate() {
        // Folders of the same name in another case are one folder on some file systems.
        if !ids.insert(chunk.id.to_ascii_lowercase()) {
            let message = format!("two chunks have the id {:?}: rename one", chunk.id);
            problems.push(Problem::new("duplicate-id", message, at, "id"));
        }
    }
    let ids: BTreeSet<&String> = chunks.iter().map(|chunk| &chunk.id).chain(others).collect();
    let dependencies =
        chunks.iter().enumerate().flat_map(|(at, chunk)| chunk.dependencies.iter().map(move |id| (at, chunk, id)));
    for (number, (at, chunk, dependency)) in dependencies.filter(|(_, _, id)| !ids.contains(id)).enumerate() {
        let near = suggestion(number, dependency, chunks.iter().map(|chunk| chunk.id.as_str()));
        let near = near.map(|id| format!("; did you mean {id:?}?")).unwrap_or_default();
        let message = format!("chunk {:?} depends on {dependency:?}, which does not exist{near}", chunk.id);
        problems.push(Problem::new("unknown-dependency", message, at, "dependencies"));
    }
    if let Some(path) = cycle(chunks) {
        let message = format!("the dependencies have a cycle: {}. Remove one of them", path.join(" → "));
        let at = chunks.iter().position(|chunk| path.first() == Some(&chunk.id)).unwrap_or_default();
        problems.push(Problem::new("cycle", message, at, "dependencies"));
    }
    problems
}

/// The ids in the order of a run in which nothing fails.
pub(super) fn order(chunks: &[Chunk]) -> Vec<String> {
    let (mut order, mut status) = (Vec::new(), BTreeMap::new());
    while let Some(chunk) = ready(chunks, &status, None).and_then(|at| chunks.get(at)) {
        status.insert(chunk.id.clone(), Status::Shipped);
        order.push(chunk.id.clone());
    }
    order
}

/// A cycle of dependencies: its ids in order, the first one again at the end.
fn cycle(chunks: &[Chunk]) -> Option<Vec<String>> {
    let by_id: BTreeMap<&str, &Chunk> = chunks.iter().map(|chunk| (chunk.id.as_str(), chunk)).collect();
    let mut finished: BTreeSet<&str> = BTreeSet::new();
    for chunk in chunks {
        // The path from the first chunk, each with the number of its dependencies that were followed.
        let mut path: Vec<(&Chunk, usize)> = vec![(chunk, 0)];
        while let Some((at, next)) = path.last_mut() {
            let Some(dependency) = at.dependencies.get(*next) else {
                finished.insert(at.id.as_str());
                path.pop();
                continue;
            };
            *next += 1;
            if finished.contains(dependency.as_str()) {
                continue;
            }
            if let Some(start) = path.iter().position(|(chunk, _)| chunk.id == *dependency) {
                let ids = path.iter().skip(start).map(|(chunk, _)| chunk.id.clone());
                return Some(ids.chain([dependency.clone()]).collect());
            }
            path.extend(by_id.get(dependency.as_str()).map(|chunk| (*chunk, 0)));
        }
    }
    None
}

/// The chunk that runs next: the first pending one, in the order of the file, whose dependencies are shipped. `only`
/// limits the choice.
pub(super) fn ready(chunks: &[Chunk], status: &BTreeMap<String, Status>, only: Option<&[String]>) -> Option<usize> {
    let is = |id: &str, wanted: Status| status.get(id).copied().unwrap_or_default() == wanted;
    chunks.iter().position(|chunk| {
        only.is_none_or(|only| only.contains(&chunk.id))
            && is(&chunk.id, Status::Pending)
            && chunk.dependencies.iter().all(|dependency| is(dependency, Status::Shipped))
    })
}

/// The pending chunks that cannot run, in the order of the file, each with the first reason: the failed or pending chunk
/// that it waits for, directly or not.
pub(super) fn blocked(chunks: &[Chunk], status: &BTreeMap<String, Status>) -> Vec<(String, String)> {
    let is = |id: &str, wanted: Status| status.get(id).copied().unwrap_or_default() == wanted;
    let cause = |chunk: &Chunk| {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut waits: Vec<&str> = chunk.dependencies.iter().map(String::as_str).collect();
        let mut pending = None;
        while let Some(id) = waits.pop() {
            if !seen.insert(id) || is(id, Status::Shipped) {
                continue;
            }
            if is(id, Status::Failed) {
                return Some(id.to_owned());
            }
            pending = pending.or(Some(id.to_owned()));
            let next = chunks.iter().find(|chunk| chunk.id == id).map(|chunk| &chunk.dependencies);
            waits.extend(next.into_iter().flatten().map(String::as_str));
        }
        pending
    };
    let pending = chunks.iter().filter(|chunk| is(&chunk.id, Status::Pending));
    pending.filter_map(|chunk| Some((chunk.id.clone(), cause(chunk)?))).collect()
}

/// # Errors
/// `not-found`, with the nearest id, if `only` names a chunk that does not exist.
pub(super) fn check_only(chunks: &[Chunk], only: &[String]) -> Result<(), Error> {
    let Some(unknown) = only.iter().find(|id| !chunks.iter().any(|chunk| chunk.id == **id)) else { return Ok(()) };
    let near = nearest(unknown, chunks.iter().map(|chunk| chunk.id.as_str()));
    let near = near.first().map(|id| format!("; did you mean {id:?}?")).unwrap_or_default();
    Err(Error::new(ErrorCode::NotFound, format!("`work.only` names the chunk {unknown:?}, which does not exist{near}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn chunk(id: &str, dependencies: &[&str]) -> Value {
        json!({ "id": id, "title": id, "description": "do it", "dependencies": dependencies })
    }

    fn chunks(edges: &[(&str, &[&str])]) -> Result<Vec<Chunk>, String> {
        from_value(edges.iter().map(|(id, dependencies)| chunk(id, dependencies)).collect())
    }

    fn status(of: &[(&str, Status)]) -> BTreeMap<String, Status> {
        of.iter().map(|(id, status)| ((*id).to_owned(), *status)).collect()
    }

    #[test]
    fn a_list_that_cannot_run_is_refused_with_the_ids() {
        for (edges, words) in [
            (&[("a", &["b"][..]), ("b", &["a"])][..], &["cycle", "a → b → a"][..]),
            (&[("x", &[]), ("a", &["b"]), ("b", &["c"]), ("c", &["b"])], &["b → c → b"]),
            (&[("a", &["a"])], &["a → a"]),
            (&[("auth", &["databse"]), ("database", &[])], &["\"auth\"", "\"databse\"", "did you mean \"database\""]),
            (&[("a", &[]), ("A", &[])], &["two chunks", "\"A\""]),
            (&[("../a", &[])], &["\"../a\"", "letters"]),
            (&[("", &[])], &["\"\""]),
            (&[(FINAL, &[])], &["final review"]),
            (&[("final", &[])], &["\"final\"", "final review"]),
            (&[("Pre", &[])], &["\"Pre\"", "snapshot"]),
            (&[("state.json", &[])], &["state of the spec", "another"]),
            (&[("State.JSON.corrupt-2", &[])], &["state of the spec"]),
            (&[("proposed.json", &[])], &["proposed chunks"]),
        ] {
            let error = chunks(edges).unwrap_err();
            assert!(words.iter().all(|word| error.contains(word)), "{edges:?}: {error}");
        }
        for (text, words) in [
            ("[", "not valid JSON"),
            ("{}", "`chunks`"),
            ("3", "array"),
            (r#"[{"id":"a","title":"t"}]"#, "description"),
            (r#"[{"id":"a","title":" ","description":"d"}]"#, "`title` is empty"),
            (r#"[{"id":"a","title":"t","description":"d","maxIterations":21}]"#, "21"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn a_list_is_an_array_or_a_field() {
        let array = r#"[{"id":"a","title":"t","description":"d","dependencies":null,"extra":1}]"#;
        let object = format!("\u{feff}{{\"chunks\":{array}}}");
        assert_eq!(read(array), read(&object));
        assert_eq!(read("[]"), Ok((Vec::new(), Vec::new())));
    }

    #[test]
    fn unknown_fields_are_warnings_with_the_nearest_name() {
        let chunk = |more: &str| format!(r#"{{"id":"a","title":"t","description":"d","dependencies":[]{more}}}"#);
        for (text, expected) in [
            (format!("[{}]", chunk("")), vec![]),
            (
                format!("[{}]", chunk(r#","dependancies":["b"]"#)),
                vec!["`dependancies` of chunk \"a\"", "did you mean `dependencies`?"],
            ),
            (format!("{{\"chunks\":[{}]}}", chunk(r#","estimate":3"#)), vec!["`estimate` of chunk \"a\" is not used"]),
        ] {
            let (chunks, warnings) = read(&text).unwrap();
            assert_eq!((chunks.len(), warnings.is_empty()), (1, expected.is_empty()), "{text}");
            assert!(expected.iter().all(|words| warnings[0].contains(words)), "{warnings:?}");
        }
        let known = serde_json::to_value(Chunk {
            max_iterations: Some(1),
            relevant_files: vec!["a".to_owned()],
            dependencies: vec!["b".to_owned()],
            ..Chunk::default()
        });
        let mut names: Vec<String> = known.unwrap().as_object().unwrap().keys().cloned().collect();
        let mut fields = FIELDS.map(str::to_owned).to_vec();
        names.sort();
        fields.sort();
        assert_eq!(names, fields, "every field of a chunk is known");
    }

    #[test]
    fn the_first_unknown_names_of_a_long_list_get_a_suggestion() {
        let of = |number: usize| json!({ "id": format!("c{number}"), "title": "t", "description": "d", "titel": 1, "dependencies": ["chunk"] });
        let list: Vec<Value> = (0..SUGGESTIONS + 1).map(of).chain([chunk("chunks", &[])]).collect();
        let Entries { problems, unknown, .. } = entries(&Value::from(list).to_string()).unwrap();
        for found in [problems, unknown] {
            let suggests: Vec<bool> = found.iter().map(|problem| problem.message.contains("did you mean")).collect();
            assert_eq!(suggests, [vec![true; SUGGESTIONS], vec![false]].concat());
        }
    }

    #[test]
    fn a_diamond_runs_in_order_of_the_file() {
        use Status::Shipped;
        let diamond = chunks(&[("d", &["b", "c"]), ("c", &["a"]), ("b", &["a"]), ("a", &[])]).unwrap();
        for (done, next) in [
            (&[][..], Some(3)),
            (&[("a", Shipped)], Some(1)),
            (&[("a", Shipped), ("c", Shipped)], Some(2)),
            (&[("a", Shipped), ("b", Shipped), ("c", Shipped)], Some(0)),
            (&[("a", Shipped), ("b", Shipped), ("c", Shipped), ("d", Shipped)], None),
        ] {
            assert_eq!(ready(&diamond, &status(done), None), next, "{done:?}");
        }
        assert_eq!(ready(&diamond, &status(&[]), Some(&["b".to_owned()])), None);
    }

    #[test]
    fn a_failure_blocks_all_that_depends_on_it_with_the_root_cause() {
        use Status::{Failed, Shipped};
        let list = chunks(&[("a", &[]), ("b", &["a"]), ("c", &["b"]), ("x", &[])]).unwrap();
        let failed = status(&[("a", Failed)]);
        let blocked_by = |list: &[(&str, &str)]| -> Vec<(String, String)> {
            list.iter().map(|(id, by)| ((*id).to_owned(), (*by).to_owned())).collect()
        };
        assert_eq!(blocked(&list, &failed), blocked_by(&[("b", "a"), ("c", "a")]));
        assert_eq!(ready(&list, &failed, None), Some(3));
        assert_eq!(blocked(&list, &status(&[("a", Shipped), ("b", Failed)])), blocked_by(&[("c", "b")]));
        assert_eq!(blocked(&list, &status(&[("a", Shipped)])), blocked_by(&[("c", "b")]));
    }

    #[test]
    fn a_long_chain_is_checked_without_recursion() {
        let ids: Vec<String> = (0..CHUNKS_MAX).map(|number| format!("c{number}")).collect();
        let list = ids.iter().enumerate().map(|(at, id)| {
            let before: Vec<&str> = ids.get(at + 1).map(String::as_str).into_iter().collect();
            chunk(id, &before)
        });
        assert_eq!(from_value(list.collect()).map(|list| list.len()), Ok(CHUNKS_MAX));
    }
}

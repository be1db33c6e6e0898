//! Checks the text of `chunks.json` while a person edits it: the rules of a run, with every problem and its place.

use super::list::{self, Chunk, Problem};
use crate::js::json_places::{JsonObject, objects};
use crate::json;
use crate::plan::{Diagnostic, Positions};
use serde::Serialize;

/// Whether a list of chunks can run, and why not.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChunkReport {
    /// A run accepts the list.
    pub ok: bool,
    /// As far as they can be read.
    pub chunks: Vec<Chunk>,
    /// The ids in the order of a run in which nothing fails; empty for a list that cannot run.
    pub order: Vec<String>,
    /// Why the list cannot run.
    pub failures: Vec<Diagnostic>,
    /// What is not used.
    pub warnings: Vec<Diagnostic>,
}

/// Checks a list of chunks: an array, or an object with the field `chunks`.
pub fn check_chunks(text: &str) -> ChunkReport {
    let places = Places::of(text);
    let (chunks, problems, unused) = match list::parse(text) {
        Ok((chunks, unused)) => {
            let problems = list::problems(&chunks);
            (chunks, problems, unused)
        }
        Err(message) => (Vec::new(), vec![Problem { id: "unreadable", message, at: None }], Vec::new()),
    };
    let ok = problems.is_empty();
    let order = if ok { list::order(&chunks) } else { Vec::new() };
    let [failures, warnings] =
        [problems, unused].map(|found| found.into_iter().map(|problem| places.diagnostic(problem)).collect());
    ChunkReport { ok, chunks, order, failures, warnings }
}

/// Where the chunks of a list are.
struct Places<'a> {
    positions: Positions<'a>,
    chunks: Vec<JsonObject>,
    /// The place of the syntax error.
    error: Option<(u32, u32)>,
}

impl<'a> Places<'a> {
    fn of(text: &'a str) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        let error = json::value(text).err().map(|error| (error.line() as u32, error.column().max(1) as u32));
        Self { positions: Positions::new(text), chunks: objects(text, "chunks"), error }
    }

    fn diagnostic(&self, problem: Problem) -> Diagnostic {
        let (line, column) = match (&problem.at, self.error) {
            (_, Some(place)) => place,
            (Some((chunk, field)), None) => self.field(*chunk, field),
            (None, None) => self.named(&problem.message),
        };
        Diagnostic { id: problem.id.to_owned(), message: problem.message, line, column, ..Diagnostic::default() }
    }

    /// The place of a field of a chunk; that of the chunk if it has no such field.
    fn field(&self, chunk: usize, field: &str) -> (u32, u32) {
        let Some(JsonObject { start, keys }) = self.chunks.get(chunk) else { return (1, 1) };
        let key = keys.iter().find(|(name, _)| name == field).map(|(_, at)| *at);
        self.positions.at(key.unwrap_or(*start))
    }

    /// The place that the message of a wrong type names, such as `[2].title`.
    fn named(&self, message: &str) -> (u32, u32) {
        let path = message.rsplit("at `").next().and_then(|rest| rest.split('`').next()).unwrap_or_default();
        let path = path.strip_prefix("chunks").unwrap_or(path);
        let parts = path.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let Some((number, field)) = parts else { return (1, 1) };
        number.parse().map_or((1, 1), |number| self.field(number, field.trim_start_matches('.')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(report: &[Diagnostic]) -> Vec<(&str, u32, u32)> {
        report.iter().map(|found| (found.id.as_str(), found.line, found.column)).collect()
    }

    #[test]
    fn a_list_that_can_run_has_its_order() {
        let text = r#"[{"id":"b","title":"B","description":"d","dependencies":["a"]},{"id":"a","title":"A","description":"d"}]"#;
        let report = check_chunks(text);
        assert!(report.ok && report.failures.is_empty() && report.warnings.is_empty());
        assert_eq!(report.order, ["a", "b"]);
        assert_eq!(check_chunks(&format!("\u{feff}{{\"chunks\":{text}}}")).order, ["a", "b"]);
    }

    #[test]
    fn every_problem_has_its_line_and_column() {
        let text = r#"[
  { "id": "a", "title": "A: \"id\"", "description": "d", "dependencies": ["b", "c"] },
  { "id": "b", "title": " ", "description": "d",
    "dependencies": ["a"], "estimate": 3 },
  { "title": "é", "id": "A", "description": "d", "maxIterations": 99 }
]"#;
        let report = check_chunks(text);
        let expected = [
            ("invalid-field", 3, 16),
            ("invalid-field", 5, 50),
            ("duplicate-id", 5, 19),
            ("unknown-dependency", 2, 58),
            ("cycle", 2, 58),
        ];
        assert_eq!(places(&report.failures), expected, "{:?}", report.failures);
        assert_eq!(places(&report.warnings), [("unknown-field", 4, 28)]);
        assert!(!report.ok && report.order.is_empty() && report.chunks.len() == 3);
    }

    #[test]
    fn a_text_that_is_no_list_is_one_failure_with_its_place() {
        for (text, line, column) in [
            ("[\n  {,", 2, 4),
            ("", 1, 1),
            ("3", 1, 1),
            ("{}", 1, 1),
            ("[\n{\"id\":\"a\",\"title\":\"t\",\n\"description\":3}]", 3, 1),
            ("[{\"id\":\"a\",\"title\":\"t\",\"description\":\"d\"},\n {\"id\":\"b\"}]", 2, 2),
        ] {
            let report = check_chunks(text);
            assert_eq!(places(&report.failures), [("unreadable", line, column)], "{text}: {:?}", report.failures);
        }
    }
}

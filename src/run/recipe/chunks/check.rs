//! Checks the text of `chunks.json` while a person edits it: the rules of a run, with every problem and its place.

use super::list::{self as rules, Chunk, Entries, Problem};
use crate::js::json_places::{JsonList, JsonObject, list};
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
    let places = Places::from_text(text);
    let Entries { chunks, problems, unknown } = rules::entries(text).unwrap_or_else(|message| {
        let problems = vec![Problem { id: "unreadable", message, at: None }];
        Entries { problems, ..Entries::default() }
    });
    let ok = problems.is_empty();
    let order = if ok { rules::order(&chunks) } else { Vec::new() };
    let [failures, warnings] =
        [problems, unknown].map(|found| found.into_iter().map(|problem| places.diagnostic(problem)).collect());
    ChunkReport { ok, chunks, order, failures, warnings }
}

/// Where the chunks of a list are.
struct Places<'a> {
    positions: Positions<'a>,
    list: JsonList,
    /// The offset of the syntax error.
    error: Option<u32>,
}

impl<'a> Places<'a> {
    fn from_text(text: &'a str) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        // `serde_json` ends lines only at LF and counts columns in bytes.
        let error = json::value(text).err().map(|error| {
            let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
            lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1)
        });
        let error = error.map(|offset| offset as u32);
        Self { positions: Positions::new(text), list: list(text, "chunks"), error }
    }

    fn diagnostic(&self, problem: Problem) -> Diagnostic {
        let Problem { id, mut message, at } = problem;
        let offset = match (at, self.error) {
            (_, Some(offset)) => {
                // The place in the message of `serde_json` counts bytes.
                message.truncate(message.rfind(" at line ").unwrap_or(message.len()));
                offset
            }
            (Some((chunk, field)), None) => self.field(chunk, &field),
            (None, None) => self.list.start,
        };
        let (line, column) = self.positions.at(offset);
        Diagnostic { id: id.to_owned(), message, line, column, ..Diagnostic::default() }
    }

    /// The offset of a field of a chunk; the offset of the chunk if it has no such field. Of two with the same name, the last one
    /// counts.
    fn field(&self, chunk: usize, field: &str) -> u32 {
        let Some(JsonObject { start, keys }) = self.list.objects.get(chunk) else { return 0 };
        keys.iter().rfind(|(name, _)| name == field).map_or(*start, |(_, at)| *at)
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
    fn an_entry_that_cannot_be_read_hides_no_problem_of_the_others() {
        let text = r#"[
  { "id": "a", "title": 3, "description": "d" },
  7,
  { "id": "b", "title": "", "description": "d", "dependencies": ["a", "x"] },
  { "id": "c", "title": "C", "description": "d", "relevantFiles": [1] }
]"#;
        let report = check_chunks(text);
        let expected = [
            ("unreadable", 2, 16),
            ("unreadable", 3, 3),
            ("unreadable", 5, 50),
            ("invalid-field", 4, 16),
            ("unknown-dependency", 4, 49),
        ];
        assert_eq!(places(&report.failures), expected, "{:?}", report.failures);
        assert!(report.chunks.len() == 1 && !report.ok && report.order.is_empty());
    }

    #[test]
    fn a_text_that_is_no_list_is_one_failure_with_its_place() {
        for (text, line, column) in [
            ("[\n  {,", 2, 4),
            ("", 1, 1),
            ("3", 1, 1),
            ("{}", 1, 1),
            ("[\n{\"id\":\"a\",\"title\":\"t\",\n\"description\":3}]", 3, 1),
            // The columns count UTF-16 code units, and a CR ends a line.
            ("[{\"id\":\"éééé\" x", 1, 15),
            ("[{\"id\":\"😀😀\" x", 1, 15),
            ("\u{feff}[\r\n{\"é\":1 x", 2, 8),
            ("[\r{\"id\":\"a\" x", 2, 11),
            ("{\"x\":1,\n\"chunks\":{\"a\":1}}", 2, 1),
            // The last one of equal fields counts.
            ("[{\"id\":\"a\",\"title\":1,\n\"description\":\"d\",\n\"title\":2}]", 3, 1),
            ("{\"chunks\":[],\n\"chunks\":[3]}", 2, 11),
            ("[{\"id\":\"a\",\"title\":\"t\",\"description\":\"d\"},\n {\"id\":\"b\"}]", 2, 2),
        ] {
            let report = check_chunks(text);
            assert_eq!(places(&report.failures), [("unreadable", line, column)], "{text}: {:?}", report.failures);
        }
    }
}

//! The JSON objects in a model's words: without fences and prose, and without the commas that JSON does not allow.

use crate::json;
use serde_json::Value;

/// Objects that are tried.
const TRIED: usize = 8;
/// Bytes of an answer that are looked through.
const LONGEST: usize = 100_000;

/// The outermost objects that can be read, in the order of the text.
pub(super) fn objects(text: &str) -> Vec<Value> {
    let text = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or(text);
    let mut objects = Vec::new();
    let mut from = 0;
    for _ in 0..TRIED {
        let Some(start) = text.get(from..).and_then(|rest| rest.find('{')).map(|at| from + at) else { break };
        let found = text.get(start..).and_then(whole);
        let read = found.and_then(|object| json::value(&without_loose_commas(object)).ok());
        from = start + found.filter(|_| read.is_some()).map_or(1, str::len);
        objects.extend(read.filter(Value::is_object));
    }
    objects
}

/// What a text that begins with a brace has up to the brace that closes it.
fn whole(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let mut quoted = Quoted::default();
    for (at, byte) in text.bytes().enumerate() {
        if quoted.holds(byte) {
            continue;
        }
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return text.get(..=at),
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// `[1, 2, ]` becomes `[1, 2 ]`.
fn without_loose_commas(object: &str) -> String {
    let mut kept = Vec::with_capacity(object.len());
    let mut comma = None;
    let mut quoted = Quoted::default();
    for byte in object.bytes() {
        let inside = quoted.holds(byte);
        match byte {
            b'}' | b']' if !inside => {
                comma.take().into_iter().for_each(|at: usize| kept.truncate(at));
            }
            b',' if !inside => comma = Some(kept.len()),
            _ if byte.is_ascii_whitespace() => {}
            _ => comma = None,
        }
        kept.push(byte);
    }
    String::from_utf8(kept).unwrap_or_default()
}

/// Whether a place is inside of a string.
#[derive(Default)]
struct Quoted {
    inside: bool,
    escaped: bool,
}

impl Quoted {
    /// Takes the next byte; whether it belongs to a string.
    fn holds(&mut self, byte: u8) -> bool {
        let inside = self.inside;
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' if inside => self.escaped = true,
            b'"' => self.inside = !inside,
            _ => {}
        }
        inside || byte == b'"'
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn fences_prose_and_commas_are_passed_over() {
        for (text, read) in [
            ("{\"a\": 1}", vec![json!({ "a": 1 })]),
            ("Here: ```json\n{\"a\": [1, 2, ], }\n```\nDone {not json}", vec![json!({ "a": [1, 2] })]),
            ("{\"a\": \"},]\\\"{\"}", vec![json!({ "a": "},]\"{" })]),
            ("{\"a\": 1} and {\"b\": {\"c\": 2}}", vec![json!({ "a": 1 }), json!({ "b": { "c": 2 } })]),
            ("{ {\"a\": 1}", vec![json!({ "a": 1 })]),
            ("{\"a\": 1", vec![]),
            ("[1]", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(objects(text), read, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_looked_through(text in "[{}\\[\\],:\"\\\\a1é \n]{0,300}") {
            prop_assert!(objects(&text).iter().all(Value::is_object));
        }
    }
}

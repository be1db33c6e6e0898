//! Reads what models answer, for all recipes: the data in the arguments of a call, in text and in fences.
//!
//! Only the model's own words count. What they quote does not: reasoning, lines of a diff or a quotation, indented lines,
//! inline code, quotation marks, fences of another language.
//!
//! | file | what |
//! |---|---|
//! | `scan` | the own words of a text, and the values in them |
//! | `lenient` | JSON as models write it |
//! | `markdown` | fences, indented lines and inline code |
//! | `whole` | whether an answer is one object and nothing else |

mod lenient;
mod markdown;
mod scan;
#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests;
mod whole;

pub(crate) use markdown::{fence_mark, last_fence};
pub(crate) use scan::{Format, read};
pub(crate) use whole::{is_one_object, without_reasoning};

use serde_json::Value;

/// The data of an answer, for callers that check each field of it: the arguments of its call, or the objects and arrays in
/// its text, in order. Harmless mistakes in the JSON are repaired.
pub(crate) fn data(answer: &Value) -> Vec<Value> {
    match answer {
        Value::String(text) => values(text),
        arguments => vec![arguments.clone()],
    }
}

/// The objects and arrays in a text. See [`data`].
pub(crate) fn values(text: &str) -> Vec<Value> {
    scan::values(text)
}

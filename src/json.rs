//! JSON: reading with errors that name the place, text with lone surrogates, numbers as text.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::borrow::Cow;

/// Reads a type from JSON text.
///
/// # Errors
/// What is wrong with the text, or what was expected at which field.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    from_value(value(text).map_err(|error| format!("not valid JSON: {error}"))?)
}

/// Reads a type from a JSON value.
///
/// # Errors
/// What was expected at which field, such as "invalid type: integer `3`, expected a string at `tools[2].name`".
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_path_to_error::deserialize(value).map_err(|error| located(&error))
}

fn located(error: &serde_path_to_error::Error<serde_json::Error>) -> String {
    match error.path().iter().next() {
        Some(_) => format!("{} at `{}`", error.inner(), error.path()),
        None => error.inner().to_string(),
    }
}

/// For `deserialize_with`: the default for `null`.
///
/// # Errors
/// As reading the type.
pub fn or_default<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    Option::deserialize(from).map(Option::unwrap_or_default)
}

/// For `deserialize_with`: `None` for a value that does not fit, for a field that is not worth losing the others.
///
/// # Errors
/// None for JSON.
pub fn lenient<'de, T: DeserializeOwned, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    Value::deserialize(from).map(|value| T::deserialize(value).ok())
}

/// Parses JSON text; lone surrogates become U+FFFD.
///
/// # Errors
/// Where the text is not valid JSON.
pub fn value(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).or_else(|error| match well_formed(text) {
        Cow::Owned(text) => serde_json::from_str(&text),
        Cow::Borrowed(_) => Err(error),
    })
}

/// JSON text without lone surrogates. A JavaScript string can hold one, half of an emoji, and JSON writes it as an
/// escape; a Rust string cannot, so it becomes U+FFFD.
pub fn well_formed(text: &str) -> Cow<'_, str> {
    let (mut whole, mut done, mut at) = (String::new(), 0, 0);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        at += found;
        at += match (surrogate(text, at), surrogate(text, at + ESCAPE)) {
            (None, _) => 2,
            (Some(Half::High), Some(Half::Low)) => 2 * ESCAPE,
            (Some(_), _) => {
                whole.push_str(text.get(done..at).unwrap_or_default());
                whole.push_str("\\ufffd");
                done = at + ESCAPE;
                ESCAPE
            }
        };
    }
    if done == 0 { Cow::Borrowed(text) } else { Cow::Owned(whole + text.get(done..).unwrap_or_default()) }
}

/// Bytes of an escape such as `\ud83d`.
const ESCAPE: usize = 6;

#[derive(Clone, Copy)]
enum Half {
    High,
    Low,
}

/// The half of a pair that is escaped at a place.
fn surrogate(text: &str, at: usize) -> Option<Half> {
    let unit = u32::from_str_radix(text.get(at..at + ESCAPE)?.strip_prefix("\\u")?, 16).ok()?;
    match unit {
        0xd800..=0xdbff => Some(Half::High),
        0xdc00..=0xdfff => Some(Half::Low),
        _ => None,
    }
}

/// A number in its shortest form: `3` rather than `3.0`, and zero without a sign.
///
/// All floats are shown with this: the standard library's formatter adds 18 KB, and serde_json's is in the binary
/// anyway.
pub fn number(number: f64) -> String {
    // Whole numbers up to two to the power of 53 are exact in both forms.
    if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
        (number as i64).to_string()
    } else {
        Value::from(number).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Order {
        item_name: String,
        count: u32,
        #[serde(default, deserialize_with = "or_default")]
        notes: Vec<Option<String>>,
        #[serde(default, deserialize_with = "lenient")]
        price: Option<f64>,
    }

    #[test]
    fn halves_of_a_pair_are_replaced_and_nothing_else() {
        let cases = [
            (r#""a\ud83d""#, Some("a\u{fffd}")),
            (r#""\ud83d\ud83d\ude00\ude00""#, Some("\u{fffd}😀\u{fffd}")),
            (r#""\uD83Dx\n\uDE00 é""#, Some("\u{fffd}x\n\u{fffd} é")),
            (r#""\\ud83d \ud83d""#, Some("\\ud83d \u{fffd}")),
            (r#""\ud83d\ude00 \\ud83d""#, Some("😀 \\ud83d")),
            (r#""\ud83"#, None),
            (r#""\"#, None),
            (r#""\ud83d"#, None),
        ];
        for (text, expected) in cases {
            let found = value(text).ok();
            assert_eq!(found.as_ref().and_then(Value::as_str), expected, "{text}");
        }
        assert!(matches!(well_formed(r#"{"a":"\ud83d\ude00"}"#), Cow::Borrowed(_)));
        assert_eq!(read::<String>(r#""\ud83d""#).unwrap(), "\u{fffd}");
    }

    #[test]
    fn a_number_is_as_short_as_it_can_be() {
        let cases = [
            (3.0, "3"),
            (-0.0, "0"),
            (-0.5, "-0.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e300, "1e+300"),
            (f64::NAN, "null"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn null_is_the_default_and_a_wrong_lenient_field_is_none() {
        let order = read::<Order>(r#"{"itemName":"a","count":3,"notes":null,"price":"2","unknown":[{}]}"#).unwrap();
        assert_eq!(order, Order { item_name: "a".to_owned(), count: 3, notes: Vec::new(), price: None });
    }

    #[test]
    fn an_error_names_the_place_and_what_was_expected() {
        let cases = [
            (r#"[{"itemName":3,"count":1}]"#, ["expected a string", "at `[0].itemName`"]),
            (r#"[{"itemName":"a","count":-1}]"#, ["expected u32", "at `[0].count`"]),
            (r#"[{"itemName":"a","count":1,"notes":[null,3]}]"#, ["expected a string", "at `[0].notes[1]`"]),
            (r#"[{"count":1}]"#, ["missing field `itemName`", "at `[0]`"]),
            (r#"{}"#, ["expected a sequence", "map"]),
            (r#"[{"count":"#, ["not valid JSON", "line 1"]),
        ];
        for (text, words) in cases {
            let error = read::<Vec<Order>>(text).unwrap_err();
            assert!(words.iter().all(|words| error.contains(words)), "{text}: {error}");
        }
    }
}

//! Types from JSON text.
//!
//! The text becomes a [`Value`] first, once for all types, and a type takes from it what it is made of. serde's derive
//! would make several times the code.

use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt::{Display, Formatter};

/// Reads a type from JSON text.
///
/// # Errors
/// What is wrong with the text, or which field does not fit.
pub fn read<T: FromJson>(text: &str) -> Result<T, Unfit> {
    T::from_json(&parse(text)?)
}

fn parse(text: &str) -> Result<Value, Unfit> {
    value(text).map_err(|error| Unfit::new(format!("is no JSON: {error}")))
}

/// Reads JSON text as [`well_formed`] makes it.
///
/// # Errors
/// Where it stops being JSON.
pub fn value(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).or_else(|error| match well_formed(text) {
        Cow::Owned(text) => serde_json::from_str(&text),
        Cow::Borrowed(_) => Err(error),
    })
}

/// JSON text without halves of surrogate pairs. Strings of JavaScript can hold one, of an emoji that was cut in two, and
/// write it as an escape; no text can, so that it becomes U+FFFD.
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
/// Everything that shows a float goes through here: the standard library's own way is 18 KB of code, and this one is
/// in the binary for JSON anyway.
pub fn number(number: f64) -> String {
    // Whole numbers up to two to the power of 53 are exact in both forms.
    if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
        (number as i64).to_string()
    } else {
        Value::from(number).to_string()
    }
}

/// A type that JSON can be read as.
pub trait FromJson: Sized {
    /// Reads a value.
    ///
    /// # Errors
    /// What does not fit.
    fn from_json(value: &Value) -> Result<Self, Unfit>;

    /// What a field is that is not there; `None` where it must be.
    fn missing() -> Option<Self> {
        None
    }
}

/// Why a value could not be read. One pointer wide, because every reading carries it in its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit(Box<Reason>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Reason {
    /// The way to the field; empty for the value itself.
    at: String,
    why: String,
}

impl Unfit {
    /// The reason continues "it …".
    pub fn new(why: impl Into<String>) -> Self {
        Self(Box::new(Reason { at: String::new(), why: why.into() }))
    }

    fn kind(expected: &str, found: &Value) -> Self {
        match found {
            Value::Array(_) => Self::new(format!("must be {expected}, not an array")),
            Value::Object(_) => Self::new(format!("must be {expected}, not an object")),
            plain => Self::new(format!("must be {expected}, not {plain}")),
        }
    }

    fn missing(name: &str) -> Self {
        Self::new("is missing").within(name)
    }

    fn within(mut self, name: &str) -> Self {
        let dot = if self.0.at.is_empty() || self.0.at.starts_with('[') { "" } else { "." };
        self.0.at = format!("{name}{dot}{}", self.0.at);
        self
    }

    fn in_item(self, index: usize) -> Self {
        self.within(&format!("[{index}]"))
    }
}

impl Display for Unfit {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self.0.at.as_str() {
            "" => write!(f, "it {}", self.0.why),
            at => write!(f, "`{at}` {}", self.0.why),
        }
    }
}

/// The fields of an object.
pub struct Fields<'a>(&'a Map<String, Value>);

impl<'a> Fields<'a> {
    /// Those of a value.
    ///
    /// # Errors
    /// It is no object.
    pub fn of(value: &'a Value) -> Result<Self, Unfit> {
        value.as_object().map(Self).ok_or_else(|| Unfit::kind("an object", value))
    }

    /// A field that must be there, unless its type knows what it is when it is not.
    ///
    /// # Errors
    /// It is missing, or does not fit.
    pub fn get<T: FromJson>(&self, name: &str) -> Result<T, Unfit> {
        match self.0.get(name) {
            Some(value) => T::from_json(value).map_err(|unfit| unfit.within(name)),
            None => T::missing().ok_or_else(|| Unfit::missing(name)),
        }
    }

    /// The fields of a field that is an object.
    ///
    /// # Errors
    /// It is missing, or none.
    pub fn fields(&self, name: &str) -> Result<Fields<'a>, Unfit> {
        match self.0.get(name) {
            Some(value) => Fields::of(value).map_err(|unfit| unfit.within(name)),
            None => Err(Unfit::missing(name)),
        }
    }

    /// A field that need not be there.
    ///
    /// # Errors
    /// It does not fit.
    pub fn get_or_default<T: FromJson + Default>(&self, name: &str) -> Result<T, Unfit> {
        if self.0.contains_key(name) { self.get(name) } else { Ok(T::default()) }
    }
}

/// Reads a name as what it stands for.
///
/// # Errors
/// It is none of them.
pub fn one_of<T: Copy>(value: &Value, names: &[(&str, T)]) -> Result<T, Unfit> {
    let found = names.iter().find(|(name, _)| value.as_str() == Some(name));
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        Unfit::kind(&format!("one of {}", names.join(", ")), value)
    })
}

impl FromJson for Value {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        Ok(value.clone())
    }
}

impl FromJson for bool {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        value.as_bool().ok_or_else(|| Unfit::kind("a boolean", value))
    }
}

impl FromJson for String {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        value.as_str().map(str::to_owned).ok_or_else(|| Unfit::kind("a string", value))
    }
}

impl FromJson for f64 {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        value.as_f64().ok_or_else(|| Unfit::kind("a number", value))
    }
}

impl FromJson for u64 {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        value.as_u64().ok_or_else(|| Unfit::kind("a whole number from 0", value))
    }
}

impl FromJson for i64 {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        value.as_i64().ok_or_else(|| Unfit::kind("a whole number", value))
    }
}

impl FromJson for u32 {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let number = value.as_u64().and_then(|number| number.try_into().ok());
        number.ok_or_else(|| Unfit::kind("a whole number from 0 to 4294967295", value))
    }
}

impl FromJson for i32 {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let number = value.as_i64().and_then(|number| number.try_into().ok());
        number.ok_or_else(|| Unfit::kind("a whole number of 32 bits", value))
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        if value.is_null() { Ok(None) } else { T::from_json(value).map(Some) }
    }

    fn missing() -> Option<Self> {
        Some(None)
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(value: &Value) -> Result<Self, Unfit> {
        let items = value.as_array().ok_or_else(|| Unfit::kind("an array", value))?;
        let mut read = Self::new();
        for (index, item) in items.iter().enumerate() {
            read.push(T::from_json(item).map_err(|unfit| unfit.in_item(index))?);
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Order {
        item_name: String,
        count: u32,
        size: Option<Size>,
        notes: Vec<Option<String>>,
        price: f64,
        more: Value,
    }

    impl FromJson for Order {
        fn from_json(value: &Value) -> Result<Self, Unfit> {
            let fields = Fields::of(value)?;
            Ok(Self {
                item_name: fields.get("itemName")?,
                count: fields.get("count")?,
                size: fields.get("size")?,
                notes: fields.get_or_default("notes")?,
                price: fields.get("price")?,
                more: fields.get_or_default("more")?,
            })
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Size {
        Small,
        Large,
    }

    impl FromJson for Size {
        fn from_json(value: &Value) -> Result<Self, Unfit> {
            one_of(value, &[("small", Self::Small), ("large", Self::Large)])
        }
    }

    #[test]
    fn reads_every_kind_of_field_and_passes_over_unknown_ones() {
        let text =
            r#"{"price":2,"itemName":"a\n","count":3,"size":"large","notes":["b",null],"more":{"c":[1]},"x":[{}]}"#;
        let order = read::<Order>(text).unwrap();
        assert_eq!(
            (order.item_name.as_str(), order.count, order.size, order.price),
            ("a\n", 3, Some(Size::Large), 2.0)
        );
        assert_eq!((order.notes, order.more), (vec![Some("b".to_owned()), None], serde_json::json!({ "c": [1] })));
        let least = read::<Order>(r#"{"itemName":"","count":0,"price":0.5}"#).unwrap();
        assert_eq!((least.size, least.notes.len(), least.more), (None, 0, Value::Null));
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
    fn says_what_does_not_fit() {
        let fields = |fields: &str| format!(r#"{{"itemName":"a","count":1,"price":1,{fields}}}"#);
        let cases = [
            ("[]".to_owned(), "it must be an object, not an array"),
            (r#"{"itemName":"a","price":1}"#.to_owned(), "`count` is missing"),
            (fields(r#""itemName":null"#), "`itemName` must be a string, not null"),
            (fields(r#""itemName":{}"#), "`itemName` must be a string, not an object"),
            (fields(r#""count":-1"#), "`count` must be a whole number from 0 to 4294967295, not -1"),
            (fields(r#""count":1.5"#), "`count` must be a whole number from 0 to 4294967295, not 1.5"),
            (fields(r#""count":"1""#), "`count` must be a whole number from 0 to 4294967295, not \"1\""),
            (fields(r#""price":true"#), "`price` must be a number, not true"),
            (fields(r#""size":"tiny""#), "`size` must be one of small, large, not \"tiny\""),
            (fields(r#""size":true"#), "`size` must be one of small, large, not true"),
            (fields(r#""notes":3"#), "`notes` must be an array, not 3"),
            (fields(r#""notes":[null,3]"#), "`notes[1]` must be a string, not 3"),
            (r#"{"count":"#.to_owned(), "it is no JSON: EOF while parsing a value at line 1 column 9"),
        ];
        for (text, message) in cases {
            assert_eq!(read::<Order>(&text).unwrap_err().to_string(), message, "{text}");
        }
        let unfit = read::<Vec<Order>>(r#"[{"itemName":"a","count":1,"price":1,"notes":[1]}]"#).unwrap_err();
        assert_eq!(unfit.to_string(), "`[0].notes[0]` must be a string, not 1");
    }
}

//! JSON: reading with errors that name the field, text with lone surrogates, numbers as text.

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, EnumAccess, Error as _, Expected, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::ser;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::iter::Enumerate;
use std::slice;

/// Reads a type from JSON text.
///
/// # Errors
/// The syntax error, or the field and what was expected there.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    from_value(value(text).map_err(|error| format!("not valid JSON: {error}"))?)
}

/// Reads a type from a JSON value.
///
/// # Errors
/// The field and what was expected there, such as "expected a string, not 3 at `tools[2].name`".
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    T::deserialize(Reader(&value)).map_err(|unfit| unfit.to_string())
}

/// Reads an enum from an object that has the variant's name in `type` beside the variant's fields.
///
/// # Errors
/// As [`from_value`].
pub fn from_flat<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    T::deserialize(Flat(value)).map_err(|unfit| unfit.to_string())
}

/// The object that [`from_flat`] reads.
///
/// # Errors
/// `serde_json`'s error for a value that JSON cannot hold.
pub fn to_flat<T: Serialize>(value: &T) -> serde_json::Result<Map<String, Value>> {
    let (kind, mut fields) = match serde_json::to_value(value)? {
        Value::String(kind) => (kind, Map::new()),
        Value::Object(variant) => match variant.into_iter().next() {
            Some((kind, Value::Object(fields))) => (kind, fields),
            _ => return Err(ser::Error::custom("a variant without named fields")),
        },
        _ => return Err(ser::Error::custom("not an enum")),
    };
    fields.insert("type".to_owned(), kind.into());
    Ok(fields)
}

/// For `deserialize_with`: the default for `null`.
pub fn or_default<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    Option::deserialize(from).map(Option::unwrap_or_default)
}

/// For `deserialize_with`: `None` for a value of the wrong type, so that one optional field does not lose the others.
pub fn lenient<'de, T: DeserializeOwned, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    Value::deserialize(from).map(|value| from_value(value).ok())
}

/// Parses JSON text; lone surrogates become U+FFFD.
///
/// # Errors
/// The place of the syntax error.
pub fn value(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).or_else(|error| match well_formed(text) {
        Cow::Owned(text) => serde_json::from_str(&text),
        Cow::Borrowed(_) => Err(error),
    })
}

/// JSON text without lone surrogates. A JavaScript string can contain one (half of an emoji), which JSON
/// escapes. A Rust string cannot, so it becomes U+FFFD.
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

/// The escaped surrogate at an offset.
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
/// All floats are formatted with this: the standard library's formatter adds 18 KB, and serde_json's is in the binary
/// anyway.
pub fn number(number: f64) -> String {
    // Integers below 2^53 are exact in both types.
    if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
        (number as i64).to_string()
    } else {
        Value::from(number).to_string()
    }
}

/// Why a value does not fit a type. One pointer wide, because every result contains it.
#[derive(Debug)]
struct Unfit(Box<Reason>);

#[derive(Debug)]
struct Reason {
    why: String,
    /// Empty for the root value.
    place: String,
}

impl Unfit {
    /// Prepends a field name, or an index in brackets, to the place.
    #[cold]
    fn within(mut self, name: &str) -> Self {
        let dot = if self.0.place.is_empty() || self.0.place.starts_with('[') { "" } else { "." };
        self.0.place = format!("{name}{dot}{}", self.0.place);
        self
    }
}

impl Display for Unfit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.place.as_str() {
            "" => f.write_str(&self.0.why),
            place => write!(f, "{} at `{place}`", self.0.why),
        }
    }
}

impl std::error::Error for Unfit {}

impl de::Error for Unfit {
    #[cold]
    fn custom<T: Display>(why: T) -> Self {
        Self(Box::new(Reason { why: why.to_string(), place: String::new() }))
    }

    #[cold]
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let found: Cow<'_, str> = match found {
            Unexpected::Unit => "null".into(),
            Unexpected::Bool(value) => if value { "true" } else { "false" }.into(),
            Unexpected::Unsigned(value) => value.to_string().into(),
            Unexpected::Signed(value) => value.to_string().into(),
            Unexpected::Float(value) => number(value).into(),
            Unexpected::Str(text) => format!("{text:?}").into(),
            Unexpected::Seq => "an array".into(),
            Unexpected::Map => "an object".into(),
            other => other.to_string().into(),
        };
        Self::custom(format_args!("expected {}, not {found}", in_words(&expected.to_string())))
    }

    #[cold]
    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    #[cold]
    fn missing_field(name: &'static str) -> Self {
        Self::custom(format_args!("the field `{name}` is missing"))
    }

    #[cold]
    fn unknown_variant(found: &str, expected: &'static [&'static str]) -> Self {
        let names: Vec<String> = expected.iter().map(|name| format!("`{name}`")).collect();
        Self::custom(format_args!("`{found}` is not one of {}", names.join(", ")))
    }
}

/// What serde expects, in the words of JSON: serde names types of Rust.
fn in_words(expected: &str) -> Cow<'_, str> {
    match expected {
        "u8" => "a whole number from 0 to 255".into(),
        "u16" => "a whole number from 0 to 65535".into(),
        "u32" => "a whole number from 0 to 4294967295".into(),
        "u64" | "usize" => "a whole number from 0".into(),
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".into(),
        "f32" | "f64" => "a number".into(),
        "a boolean" => "true or false".into(),
        "a sequence" => "an array".into(),
        "a map" => "an object".into(),
        "unit" => "null".into(),
        _ if expected.starts_with("struct ") => "an object".into(),
        _ if expected.starts_with("enum ") => "a string".into(),
        _ if expected.starts_with("tuple ") || expected.starts_with("a tuple ") => "an array".into(),
        _ => expected.into(),
    }
}

/// The only deserializer: it tracks the place of each value, and each type is compiled for it only. (The crate
/// serde_path_to_error compiles wrappers for each type: 130 KB before compression.)
#[derive(Clone, Copy)]
struct Reader<'v>(&'v Value);

impl Reader<'_> {
    #[cold]
    fn unfit(self, expected: &dyn Expected) -> Unfit {
        let found = match self.0 {
            Value::Null => Unexpected::Unit,
            Value::Bool(value) => Unexpected::Bool(*value),
            Value::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(number), _) => Unexpected::Signed(number),
                (None, number) => Unexpected::Float(number.unwrap_or_default()),
            },
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        };
        Unfit::invalid_type(found, expected)
    }
}

impl<'de> Deserializer<'de> for Reader<'_> {
    type Error = Unfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => visitor.visit_u64(number),
                (None, Some(number)) => visitor.visit_i64(number),
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or_default()),
            },
            Value::String(text) => visitor.visit_str(text),
            Value::Array(_) => self.deserialize_seq(visitor),
            Value::Object(_) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &str, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        let Value::Array(items) = self.0 else { return Err(self.unfit(&visitor)) };
        visitor.visit_seq(Items(items.iter().enumerate()))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        let Value::Object(fields) = self.0 else { return Err(self.unfit(&visitor)) };
        visitor.visit_map(Fields { fields: fields.iter(), next: None })
    }

    fn deserialize_struct<V: Visitor<'de>>(self, _name: &str, _fields: &[&str], visitor: V) -> Result<V::Value, Unfit> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(self, _name: &str, _variants: &[&str], visitor: V) -> Result<V::Value, Unfit> {
        let Value::String(name) = self.0 else { return Err(self.unfit(&visitor)) };
        let name: StrDeserializer<'_, Unfit> = name.as_str().into_deserializer();
        visitor.visit_enum(name)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct tuple
        tuple_struct identifier
    }
}

struct Items<'v>(Enumerate<slice::Iter<'v, Value>>);

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Unfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Unfit> {
        let Some((index, value)) = self.0.next() else { return Ok(None) };
        seed.deserialize(Reader(value)).map(Some).map_err(|unfit| unfit.within(&format!("[{index}]")))
    }
}

struct Fields<'v> {
    fields: serde_json::map::Iter<'v>,
    next: Option<(&'v str, &'v Value)>,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Unfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Unfit> {
        self.next = self.fields.next().map(|(name, value)| (name.as_str(), value));
        let Some((name, _)) = self.next else { return Ok(None) };
        let name: StrDeserializer<'_, Unfit> = name.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Unfit> {
        let Some((name, value)) = self.next.take() else { return Err(Unfit::custom("a value without a name")) };
        seed.deserialize(Reader(value)).map_err(|unfit| unfit.within(name))
    }
}

/// An enum for [`from_flat`]. (serde's `tag` copies what it reads, and compiles a second deserializer for all types in the
/// enum: 140 KB before compression for the events.)
#[derive(Clone, Copy)]
struct Flat<'v>(&'v Value);

impl<'de> Deserializer<'de> for Flat<'_> {
    type Error = Unfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        Err(Unfit::invalid_type(Unexpected::Enum, &visitor))
    }

    fn deserialize_enum<V: Visitor<'de>>(self, _name: &str, _: &[&str], visitor: V) -> Result<V::Value, Unfit> {
        match self.0.get("type").and_then(Value::as_str) {
            Some(kind) => visitor.visit_enum(Variant(kind, self)),
            None => Err(Unfit::missing_field("type")),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct Variant<'v>(&'v str, Flat<'v>);

impl<'de, 'v> EnumAccess<'de> for Variant<'v> {
    type Error = Unfit;
    type Variant = Flat<'v>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Flat<'v>), Unfit> {
        let name: StrDeserializer<'_, Unfit> = self.0.into_deserializer();
        Ok((seed.deserialize(name)?, self.1))
    }
}

impl<'de> VariantAccess<'de> for Flat<'_> {
    type Error = Unfit;

    fn unit_variant(self) -> Result<(), Unfit> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Unfit> {
        seed.deserialize(Reader(self.0))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, Unfit> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, _fields: &[&str], visitor: V) -> Result<V::Value, Unfit> {
        Reader(self.0).deserialize_map(visitor)
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

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Shape {
        Listed { names: Vec<String> },
        Ordered(Counted),
        Empty,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Counted {
        count: u32,
    }

    #[test]
    fn a_flat_enum_has_its_name_beside_its_fields() {
        let json = |text: &str| value(text).unwrap();
        let shapes = [
            (r#"{"names":["a"],"type":"listed"}"#, Shape::Listed { names: vec!["a".to_owned()] }),
            (r#"{"count":3,"type":"ordered"}"#, Shape::Ordered(Counted { count: 3 })),
            (r#"{"type":"empty"}"#, Shape::Empty),
        ];
        for (text, shape) in shapes {
            assert_eq!(Value::Object(to_flat(&shape).unwrap()).to_string(), text);
            let mut with_more = json(text);
            with_more["v"] = 1.into();
            assert_eq!(from_flat(&with_more), Ok(shape));
        }
        let cases = [
            (r#"{"type":"listed","names":[3]}"#, "at `names[0]`"),
            (r#"{"type":"ordered","count":-3}"#, "at `count`"),
            (r#"{"type":"other"}"#, "`other`"),
            (r#"{"names":[]}"#, "`type`"),
            (r#"["listed"]"#, "`type`"),
        ];
        for (text, words) in cases {
            let error = from_flat::<Shape>(&json(text)).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn an_error_names_the_place_and_what_was_expected() {
        let cases = [
            (r#"[{"itemName":3,"count":1}]"#, ["expected a string", "at `[0].itemName`"]),
            (
                r#"[{"itemName":"a","count":-1}]"#,
                ["expected a whole number from 0 to 4294967295, not -1", "at `[0].count`"],
            ),
            (r#"[{"itemName":"a","count":1,"notes":[null,3]}]"#, ["expected a string", "at `[0].notes[1]`"]),
            (r#"[{"count":1}]"#, ["the field `itemName` is missing", "at `[0]`"]),
            (r#"{}"#, ["expected an array", "not an object"]),
            (r#"[["a", 1]]"#, ["expected an object, not an array", "at `[0]`"]),
            (r#"[{"count":"#, ["not valid JSON", "line 1"]),
        ];
        for (text, words) in cases {
            let error = read::<Vec<Order>>(text).unwrap_err();
            assert!(words.iter().all(|words| error.contains(words)), "{text}: {error}");
        }
    }
}

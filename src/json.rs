//! Types from JSON text.
//!
//! serde makes code of its own for every type that is read, and long code where a type is read from text. Here the text
//! becomes a [`Value`] first, once for all types; what is left for each type is a walk over its fields.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Value, map};
use std::slice;

/// Reads a type from JSON text. Structs are objects, and enums are the names of their variants.
///
/// # Errors
/// What is wrong with the text, or which field does not fit.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    T::deserialize(Reader(&serde_json::from_str(text)?))
}

/// One value of a text that was read.
struct Reader<'a>(&'a Value);

impl Reader<'_> {
    fn unfit<'de, V: Visitor<'de>>(&self, visitor: &V) -> Error {
        let found = match self.0 {
            Value::Null => Unexpected::Other("null"),
            Value::Bool(bool) => Unexpected::Bool(*bool),
            Value::Number(_) => Unexpected::Other("a number"),
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Other("an array"),
            Value::Object(_) => Unexpected::Other("an object"),
        };
        Error::invalid_type(found, visitor)
    }
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.0.deserialize_any(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Bool(bool) => visitor.visit_bool(*bool),
            _ => Err(self.unfit(&visitor)),
        }
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Number(number) => number.deserialize_f64(visitor),
            _ => Err(self.unfit(&visitor)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::String(text) => visitor.visit_str(text),
            _ => Err(self.unfit(&visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(items) => visitor.visit_seq(Items(items.iter())),
            _ => Err(self.unfit(&visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::Object(fields) => visitor.visit_map(Fields { left: fields.iter(), value: &Value::Null }),
            _ => Err(self.unfit(&visitor)),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::String(name) => visitor.visit_enum(BorrowedStrDeserializer::new(name)),
            _ => Err(self.unfit(&visitor)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i8 i16 i128 u8 u16 u128 f32 char bytes byte_buf unit unit_struct newtype_struct tuple tuple_struct map identifier
    }
}

/// The items of an array.
struct Items<'a>(slice::Iter<'a, Value>);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        self.0.next().map(|item| seed.deserialize(Reader(item))).transpose()
    }
}

/// The fields of an object.
struct Fields<'a> {
    left: map::Iter<'a>,
    /// Of the field whose name was read last.
    value: &'a Value,
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some((name, value)) = self.left.next() else { return Ok(None) };
        self.value = value;
        seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(Reader(self.value))
    }
}

#[cfg(test)]
mod tests {
    use super::read;
    use serde::Deserialize;
    use serde_json::Value;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Order {
        item_name: String,
        count: u32,
        size: Option<Size>,
        #[serde(default)]
        notes: Vec<Option<String>>,
        price: f64,
        #[serde(default)]
        more: Value,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Size {
        Small,
        Large,
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
    fn says_what_does_not_fit() {
        let cases = [
            ("[]", "invalid type: an array, expected struct Order"),
            (r#"{"itemName":"a","price":1}"#, "missing field `count`"),
            (r#"{"itemName":null}"#, "invalid type: null, expected a string"),
            (r#"{"itemName":{}}"#, "invalid type: an object, expected a string"),
            (r#"{"count":-1}"#, "invalid value: integer `-1`, expected u32"),
            (r#"{"count":1.5}"#, "invalid type: floating point `1.5`, expected u32"),
            (r#"{"count":"1"}"#, "invalid type: string \"1\", expected u32"),
            (r#"{"size":"tiny"}"#, "unknown variant `tiny`, expected `small` or `large`"),
            (r#"{"size":true}"#, "invalid type: boolean `true`, expected enum Size"),
            (r#"{"notes":3}"#, "invalid type: a number, expected a sequence"),
            (r#"{"count":"#, "EOF while parsing a value at line 1 column 9"),
        ];
        for (text, message) in cases {
            assert_eq!(read::<Order>(text).unwrap_err().to_string(), message, "{text}");
        }
    }
}

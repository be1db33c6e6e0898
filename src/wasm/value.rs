//! Reads and makes JavaScript values. A host's value may have any type, and its getters may throw.

use super::error::{cause, message};
use crate::error::{Error, ErrorCode};
use crate::json;
use crate::port::Cause;
use js_sys::{Array, ArrayBuffer, Function, JSON, Object, Reflect, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

#[wasm_bindgen(module = "/src/wasm/page.js")]
extern "C" {
    #[wasm_bindgen(catch)]
    fn property(value: &JsValue, name: &str) -> Result<JsValue, JsValue>;
}

/// A property of a host's object or of its class; `undefined` if it is missing or its getter throws. What every object
/// inherits does not count, because a page's code may have put it there.
pub(super) fn get(target: &JsValue, name: &str) -> JsValue {
    property(target, name).unwrap_or(JsValue::UNDEFINED)
}

/// A property, unless it is `undefined` or `null`.
pub(super) fn given(target: &JsValue, name: &str) -> Option<JsValue> {
    Some(get(target, name)).filter(|value| !value.is_undefined() && !value.is_null())
}

/// A property, if it is a function.
pub(super) fn method(target: &JsValue, name: &str) -> Option<Function> {
    get(target, name).dyn_into().ok()
}

/// A plain object.
pub(super) fn object<const N: usize>(fields: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        set(&object, name, &value);
    }
    object.into()
}

/// Sets a property. A frozen object stays unchanged.
pub(super) fn set(target: &JsValue, name: &str, value: &JsValue) {
    let _ = Reflect::set(target, &JsValue::from_str(name), value);
}

/// A plain JavaScript value, by way of JSON text: a key such as `__proto__` becomes a property like any other.
pub(super) fn to_js(value: &impl Serialize) -> JsValue {
    serde_json::to_string(value).ok().and_then(|text| JSON::parse(&text).ok()).unwrap_or(JsValue::NULL)
}

/// Why a host's value cannot be read.
pub(super) struct Unreadable {
    pub why: String,
    pub cause: Option<Cause>,
}

impl Unreadable {
    /// The error for an argument with this name.
    pub(super) fn of_argument(self, name: &str) -> Error {
        let error = Error::new(ErrorCode::InvalidArgument, format!("{name} cannot be read: {}", self.why));
        match self.cause {
            Some(cause) => error.caused_by(cause),
            None => error,
        }
    }
}

/// `JSON.stringify` writes valid JSON; the reader's only other limit is its recursion.
const TOO_DEEP: &str = "it nests deeper than 127 levels";

/// Reads a host's value through its JSON text, which has own properties only.
///
/// # Errors
/// A getter that throws, a cycle, or a field of the wrong type.
pub(super) fn from_js<T: DeserializeOwned>(value: &JsValue) -> Result<T, Unreadable> {
    let text = JSON::stringify(value).map_err(|thrown| {
        let why = format!("it cannot be written as JSON: {}", message(&thrown));
        Unreadable { why, cause: Some(cause(thrown)) }
    })?;
    if JsValue::from(&text).is_undefined() {
        return Err(Unreadable { why: format!("it is {}", kind(value)), cause: None });
    }
    let value = json::value(&String::from(&text)).map_err(|_| Unreadable { why: TOO_DEEP.to_owned(), cause: None })?;
    json::from_value(value).map_err(|why| Unreadable { why, cause: None })
}

/// The bytes of a typed array (of any realm), an array buffer, or a string.
pub(super) fn bytes(value: &JsValue) -> Option<Vec<u8>> {
    if let Some(text) = value.as_string() {
        Some(text.into_bytes())
    } else if let Some(array) = value.dyn_ref::<Uint8Array>() {
        Some(array.to_vec())
    } else if ArrayBuffer::is_view(value) {
        let number = |name| get(value, name).as_f64().map(|number| number as u32);
        let (offset, length) = (number("byteOffset")?, number("byteLength")?);
        Some(Uint8Array::new_with_byte_offset_and_length(&get(value, "buffer"), offset, length).to_vec())
    } else {
        value.dyn_ref::<ArrayBuffer>().map(|buffer| Uint8Array::new(buffer).to_vec())
    }
}

/// A copy of the bytes: a view into the module's memory becomes invalid when that grows, and hosts may store it.
pub(super) fn own_bytes(bytes: &[u8]) -> JsValue {
    Uint8Array::from(bytes).into()
}

/// The error for an argument of the wrong kind.
pub(super) fn wrong(name: &str, expected: &str, value: &JsValue) -> Error {
    Error::new(ErrorCode::InvalidArgument, format!("`{name}` must be {expected}, not {}", kind(value)))
}

/// The type of a value, for messages.
pub(super) fn kind(value: &JsValue) -> &'static str {
    if value.is_undefined() {
        "undefined"
    } else if value.is_null() {
        "null"
    } else if value.is_string() {
        "a string"
    } else if value.as_f64().is_some() {
        "a number"
    } else if value.as_bool().is_some() {
        "a boolean"
    } else if value.is_function() {
        "a function"
    } else if Array::is_array(value) {
        "an array"
    } else if value.is_object() {
        "an object"
    } else {
        "a symbol or a big integer"
    }
}

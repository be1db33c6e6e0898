//! Reading and making JavaScript values. A value of a host can be anything, its getters can throw.

use super::error::{cause, message};
use crate::error::{Error, ErrorCode};
use crate::json;
use crate::port::Cause;
use js_sys::{Array, ArrayBuffer, Function, JSON, Object, Reflect, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

/// A property; `undefined` where there is none or where reading it throws.
pub(super) fn get(target: &JsValue, name: &str) -> JsValue {
    if target.is_object() || target.is_function() {
        Reflect::get(target, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
    } else {
        JsValue::UNDEFINED
    }
}

/// A property that is neither `undefined` nor `null`.
pub(super) fn given(target: &JsValue, name: &str) -> Option<JsValue> {
    Some(get(target, name)).filter(|value| !value.is_undefined() && !value.is_null())
}

/// A property that is a function.
pub(super) fn method(target: &JsValue, name: &str) -> Option<Function> {
    get(target, name).dyn_into().ok()
}

/// A plain object. Setting a property of a new object cannot fail.
pub(super) fn object<const N: usize>(fields: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        set(&object, name, &value);
    }
    object.into()
}

/// Sets a property; a frozen object stays as it is.
pub(super) fn set(target: &JsValue, name: &str, value: &JsValue) {
    let _ = Reflect::set(target, &JsValue::from_str(name), value);
}

/// A plain JavaScript value (objects, not maps; `null`, not `undefined`).
pub(super) fn to_js(value: &impl Serialize) -> JsValue {
    value.serialize(&Serializer::json_compatible()).unwrap_or(JsValue::NULL)
}

/// The JavaScript value of JSON that others wrote: its integers can exceed what `Serializer` takes, and the conversation
/// of a request is faster as one text.
pub(super) fn json_to_js(value: &impl Serialize) -> JsValue {
    serde_json::to_string(value).ok().and_then(|text| JSON::parse(&text).ok()).unwrap_or(JsValue::NULL)
}

#[wasm_bindgen(module = "/src/wasm/plain.js")]
extern "C" {
    #[wasm_bindgen(catch)]
    fn plain(value: &JsValue) -> Result<JsValue, JsValue>;
}

/// Why a value of a host cannot be read.
pub(super) struct Unreadable {
    /// What was expected, and where.
    pub why: String,
    /// What a getter of the value threw.
    pub cause: Option<Cause>,
}

impl Unreadable {
    /// The error of an argument.
    pub(super) fn of_argument(self, name: &str) -> Error {
        let error = Error::new(ErrorCode::InvalidArgument, format!("{name} cannot be read: {}", self.why));
        match self.cause {
            Some(cause) => error.caused_by(cause),
            None => error,
        }
    }
}

/// Reads a value of a host through a plain copy.
///
/// # Errors
/// A getter that throws, a cycle, or a field that does not fit.
pub(super) fn from_js<T: DeserializeOwned>(value: &JsValue) -> Result<T, Unreadable> {
    json::from_value(plain_json(value)?).map_err(|why| Unreadable { why, cause: None })
}

fn plain_json(value: &JsValue) -> Result<Value, Unreadable> {
    let copy = plain(value).map_err(|thrown| {
        let why = format!("it cannot be written as JSON: {}", message(&thrown));
        Unreadable { why, cause: Some(cause(thrown)) }
    })?;
    if copy.is_undefined() {
        return Err(Unreadable { why: format!("it is {}", kind(value)), cause: None });
    }
    serde_wasm_bindgen::from_value(copy).map_err(|error| Unreadable { why: error.to_string(), cause: None })
}

/// The bytes of a typed array of any realm, an array buffer, or a text.
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

/// Bytes of their own: a view into the memory of the module would move, and a host may keep what it is given.
pub(super) fn own_bytes(bytes: &[u8]) -> JsValue {
    Uint8Array::from(bytes).into()
}

/// What sort of value it is, for messages.
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

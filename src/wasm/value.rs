//! Reading and making JavaScript values. A value of a host can be anything, its getters can throw.

use crate::json;
use js_sys::{Array, ArrayBuffer, Function, JSON, Object, Reflect, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
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

/// A plain value (objects, not maps; `null`, not `undefined`) of something serialisable, made through its JSON text.
pub(super) fn to_js(value: &impl Serialize) -> JsValue {
    serde_json::to_string(value).ok().and_then(|text| JSON::parse(&text).ok()).unwrap_or(JsValue::NULL)
}

/// What a host answered, read through its JSON text: a getter that throws or a cycle is an error, not a trap.
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn from_js<T: DeserializeOwned>(value: &JsValue) -> Result<T, String> {
    json::read(&json_text(value)?)
}

fn json_text(value: &JsValue) -> Result<String, String> {
    let text = JSON::stringify(value).map_err(|_| "it cannot be written as JSON".to_owned())?;
    text.as_string().ok_or_else(|| format!("it is {}", kind(value)))
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

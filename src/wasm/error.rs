//! Converts errors: what hosts throw to [`PortError`], and [`Error`] to what the package throws.

use super::value::{get, given, kind, method, object, set, to_js};
use crate::error::{Error, Holder};
use crate::port::{Cause, PortError, PortErrorKind};
use crate::text::shortened;
use js_sys::JSON;
use std::rc::Rc;
use wasm_bindgen::JsValue;

/// Maximum length of a host's text in a message, in characters.
const MAX_MESSAGE_CHARS: usize = 2_000;

/// Converts what a host threw: an `Error`, a `DOMException`, or any other value.
pub fn port_error(port: &'static str, operation: &str, thrown: JsValue) -> PortError {
    let message = message(&thrown);
    let mut error = PortError::new(port, operation, classify(&thrown, &message), message);
    error.cause = Some(cause(thrown));
    error
}

/// What the host threw, as an error source.
pub(super) fn cause(thrown: JsValue) -> Cause {
    Cause(Rc::new(thrown))
}

/// The error as the package throws it. The package converts it to a `LoopgateError`.
pub fn js_error(error: Error) -> JsValue {
    let value: JsValue = js_sys::Error::new(&error.message).into();
    set(&value, "name", &"LoopgateError".into());
    set(&value, "code", &to_js(&error.code));
    set(&value, "retryable", &error.retryable.into());
    if let Some(path) = &error.path {
        set(&value, "path", &path.into());
    }
    for (name, number) in [("line", error.line), ("column", error.column)] {
        if let Some(number) = number {
            set(&value, name, &number.into());
        }
    }
    if let Some(Holder { run_id, id, since }) = &error.holder {
        let since = (*since as f64).into();
        set(
            &value,
            "holder",
            &object([("runId", run_id.as_str().into()), ("id", id.as_str().into()), ("since", since)]),
        );
    }
    if let Some(cause) = thrown(&error) {
        set(&value, "cause", cause);
    }
    value
}

/// What the host threw: the last source of the error.
fn thrown<'e>(error: &'e (dyn std::error::Error + 'static)) -> Option<&'e JsValue> {
    let last = std::iter::successors(Some(error), |error| error.source()).last()?;
    last.downcast_ref::<Cause>()?.0.downcast_ref()
}

/// The error as a file system throws it: the host's own error, or one with a Node code.
pub(super) fn fs_error(error: PortError) -> JsValue {
    if let Some(thrown) = thrown(&error) {
        return thrown.clone();
    }
    let code = match error.kind {
        PortErrorKind::NotFound => "ENOENT",
        PortErrorKind::Exists => "EEXIST",
        PortErrorKind::NotDirectory => "ENOTDIR",
        PortErrorKind::IsDirectory => "EISDIR",
        PortErrorKind::NotEmpty => "ENOTEMPTY",
        PortErrorKind::Denied => "EACCES",
        PortErrorKind::Quota => "ENOSPC",
        PortErrorKind::Timeout => "ETIMEDOUT",
        PortErrorKind::Unsupported => "ENOSYS",
        _ => "EIO",
    };
    let value: JsValue = js_sys::Error::new(&format!("{code}: {}", error.message)).into();
    set(&value, "code", &code.into());
    if let Some(path) = &error.path {
        set(&value, "path", &path.into());
    }
    value
}

/// The message of any thrown value.
pub(super) fn message(thrown: &JsValue) -> String {
    let text = |name| get(thrown, name).as_string().filter(|text| !text.is_empty());
    let words = match (text("name"), text("message"), thrown.as_string()) {
        (_, _, Some(words)) => words,
        // The package's own error says what happened; the name of another class may be all there is.
        (Some(name), Some(message), _)
            if !["Error", "ServerError"].contains(&name.as_str()) && !message.contains(&name) =>
        {
            format!("{name}: {message}")
        }
        (_, Some(message), _) => message,
        (Some(name), None, _) => name,
        (None, None, None) => {
            let shown = JSON::stringify(thrown).ok().and_then(|text| text.as_string());
            match shown.filter(|shown| shown != "{}") {
                Some(shown) => format!("the host threw {shown}, which is not an Error"),
                None => format!("the host threw {}, which is not an Error", kind(thrown)),
            }
        }
    };
    shortened(&words, MAX_MESSAGE_CHARS)
}

/// Classifies a failure by HTTP status, then code, name, and Node's message prefix.
fn classify(thrown: &JsValue, message: &str) -> PortErrorKind {
    let http = http_status(thrown).and_then(|status| match (status, retry_after_ms(thrown)) {
        (429, delay) | (408 | 500..=599, delay @ Some(_)) => Some(PortErrorKind::RateLimited(delay)),
        (408 | 500..=599, _) => Some(PortErrorKind::Unavailable),
        _ => None,
    });
    let cause = get(thrown, "cause");
    let text = |target: &JsValue, name| get(target, name).as_string();
    let codes = [text(thrown, "code"), text(thrown, "name"), text(&cause, "code"), text(&cause, "name")];
    let leading = message.split_once(':').map(|(code, _)| code).filter(|code| code.starts_with('E'));
    http.or_else(|| codes.iter().flatten().map(String::as_str).chain(leading).find_map(known_code))
        .or_else(|| is_lost_connection(message).then_some(PortErrorKind::Unavailable))
        .unwrap_or(PortErrorKind::Other)
}

/// Codes of Node and compatible file systems, names of `DOMException`s, and codes of isomorphic-git.
fn known_code(code: &str) -> Option<PortErrorKind> {
    Some(match code {
        "ENOENT" | "NotFoundError" => PortErrorKind::NotFound,
        "EEXIST" | "AlreadyExistsError" => PortErrorKind::Exists,
        "ENOTDIR" => PortErrorKind::NotDirectory,
        "EISDIR" => PortErrorKind::IsDirectory,
        "ENOTEMPTY" | "InvalidModificationError" => PortErrorKind::NotEmpty,
        "EACCES" | "EPERM" | "EROFS" | "NotAllowedError" | "SecurityError" | "NoModificationAllowedError" => {
            PortErrorKind::Denied
        }
        "ENOSPC" | "EDQUOT" | "EFBIG" | "QuotaExceededError" | "NS_ERROR_DOM_QUOTA_REACHED" => PortErrorKind::Quota,
        "CONFLICT" | "ConflictError" => PortErrorKind::Conflict,
        "ETIMEDOUT" | "TimeoutError" => PortErrorKind::Timeout,
        "ABORT_ERR" | "AbortError" => PortErrorKind::Aborted,
        "ENOSYS" | "ENOTSUP" | "EOPNOTSUPP" | "NotSupportedError" => PortErrorKind::Unsupported,
        "ECONNRESET" | "ECONNREFUSED" | "ECONNABORTED" | "ENOTFOUND" | "EAI_AGAIN" | "EPIPE" | "ENETUNREACH"
        | "EHOSTUNREACH" | "NetworkError" => PortErrorKind::Unavailable,
        code if code.starts_with("UND_ERR_") => PortErrorKind::Unavailable,
        _ => return None,
    })
}

/// The messages of a failed `fetch` in Chromium, Firefox, Safari and Node: a plain `TypeError`.
fn is_lost_connection(message: &str) -> bool {
    ["Failed to fetch", "NetworkError when attempting to fetch", "Load failed", "fetch failed", "network error"]
        .iter()
        .any(|words| message.contains(words))
}

/// `status`, `statusCode` or `response.status`; numbers in the message do not count.
fn http_status(thrown: &JsValue) -> Option<u16> {
    let places = [get(thrown, "status"), get(thrown, "statusCode"), get(&get(thrown, "response"), "status")];
    places.iter().find_map(JsValue::as_f64).map(|status| status as u16)
}

/// The provider's retry delay: `retryAfterMs`, else `retryAfter` or the headers `retry-after-ms` and `retry-after`. The
/// last two are in seconds or an HTTP date.
fn retry_after_ms(thrown: &JsValue) -> Option<u64> {
    let header = |name: &str| {
        let holders =
            [given(thrown, "headers"), given(thrown, "responseHeaders"), given(&get(thrown, "response"), "headers")];
        holders.into_iter().flatten().find_map(|headers| match method(&headers, "get") {
            Some(read) => read.call1(&headers, &name.into()).ok().filter(|value| !value.is_null()),
            None => given(&headers, name),
        })
    };
    let number = |value: &JsValue| value.as_f64().or_else(|| value.as_string()?.trim().parse().ok());
    let in_ms = given(thrown, "retryAfterMs").or_else(|| header("retry-after-ms"));
    let ms = in_ms.as_ref().and_then(number).or_else(|| {
        let delay = given(thrown, "retryAfter").or_else(|| header("retry-after"))?;
        number(&delay).map(|seconds| seconds * 1_000.0).or_else(|| delay.is_string().then(|| until(&delay)))
    });
    ms.filter(|ms| ms.is_finite() && *ms >= 0.0).map(|ms| ms as u64)
}

/// Milliseconds until an HTTP date, by the system clock, because the provider does not use the host's clock.
#[expect(clippy::disallowed_methods, reason = "it turns a date of the outside world into a length of time")]
fn until(date: &JsValue) -> f64 {
    js_sys::Date::new(date).get_time() - js_sys::Date::now()
}

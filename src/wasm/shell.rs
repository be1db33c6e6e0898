//! The host's shell, bundler and preview. The core sets the timeouts of the first two.

use super::call::Call;
use super::value::{from_js, get, method, object, wrong};
use crate::error::{Error, ErrorCode};
use crate::port::{
    Abort, BuildMessage, BuildPort, BuildReport, ConsoleMessage, PortResult, PreviewPort, ShellAnswer, ShellOutput,
    ShellPort,
};
use async_trait::async_trait;
use js_sys::{Array, Function};
use wasm_bindgen::{JsCast, JsValue};

/// Timeout of a call to the preview.
const PREVIEW_LIMIT_MS: u32 = 15_000;

/// The shell of a host.
pub struct JsShell {
    shell: JsValue,
}

impl JsShell {
    /// Wraps an object with `execute`.
    pub fn new(shell: &JsValue) -> Result<Self, Error> {
        has(shell, "execute", "shell")?;
        Ok(Self { shell: shell.clone() })
    }
}

#[async_trait(?Send)]

impl ShellPort for JsShell {
    async fn execute(&self, command: &str, cwd: &str, timeout_ms: u64, abort: &Abort) -> PortResult<ShellOutput> {
        let call = Call { port: "shell", operation: "execute", path: None, limit_ms: None };
        let answer = call.abortable(abort, async |signal| {
            let options = object([
                ("cwd", if cwd.is_empty() { "/" } else { cwd }.into()),
                ("signal", signal.into()),
                ("timeoutMs", (timeout_ms as f64).into()),
            ]);
            call.method(&self.shell, &Array::of2(&command.into(), &options)).await
        });
        call.read::<ShellAnswer>(&answer.await?)?.into_output()
    }

    fn describe(&self) -> Option<String> {
        method(&self.shell, "describe")?.call0(&self.shell).ok()?.as_string()
    }
}

/// The bundler of a host.
pub struct JsBuild {
    build: Function,
    writes: Vec<String>,
}

impl JsBuild {
    /// Wraps a function of the type `BuildPort`.
    pub fn new(build: &JsValue) -> Result<Self, Error> {
        match build.dyn_ref::<Function>() {
            Some(function) => {
                let writes = match get(build, "writes") {
                    absent if absent.is_undefined() => Vec::new(),
                    given => from_js(&given).map_err(|_| wrong("build.writes", "an array of patterns", &given))?,
                };
                Ok(Self { build: function.clone(), writes })
            }
            None => Err(wrong("build", "a function", build)),
        }
    }
}

#[async_trait(?Send)]

impl BuildPort for JsBuild {
    fn writes(&self) -> &[String] {
        &self.writes
    }

    async fn build(&self, abort: &Abort) -> PortResult<BuildReport> {
        let call = Call { port: "build", operation: "build", path: None, limit_ms: None };
        let answer = call.abortable(abort, async |signal| {
            let options = object([("signal", signal.into())]);
            call.function(&self.build, &JsValue::UNDEFINED, &Array::of1(&options)).await
        });
        let answer = answer.await?;
        if !answer.is_object() {
            return call.read(&answer);
        }
        let fields = ["errors", "warnings"].map(|name| (name, messages(get(&answer, name))));
        let [errors, warnings] = fields;
        call.read(&object([("success", get(&answer, "success")), errors, warnings]))
    }
}

/// The preview of a host.
pub struct JsPreview {
    preview: JsValue,
}

impl JsPreview {
    /// Wraps an object with `runtimeErrors`.
    pub fn new(preview: &JsValue) -> Result<Self, Error> {
        has(preview, "runtimeErrors", "preview")?;
        Ok(Self { preview: preview.clone() })
    }
}

#[async_trait(?Send)]

impl PreviewPort for JsPreview {
    async fn runtime_errors(&self) -> PortResult<Vec<BuildMessage>> {
        let call = ask_preview("runtimeErrors");
        call.read(&messages(call.method(&self.preview, &Array::new()).await?))
    }

    async fn console(&self) -> PortResult<Option<Vec<ConsoleMessage>>> {
        if method(&self.preview, "console").is_none() {
            return Ok(None);
        }
        let call = ask_preview("console");
        call.read(&call.method(&self.preview, &Array::new()).await?).map(Some)
    }
}

/// Converts messages to plain objects: TypeScript accepts an `Error` as a message, but its JSON is empty.
fn messages(messages: JsValue) -> JsValue {
    let Some(list) = messages.dyn_ref::<Array>() else { return messages };
    let plain = |message: JsValue| match message.is_object() {
        true => object(["message", "file", "line", "column"].map(|name| (name, get(&message, name)))),
        false => message,
    };
    list.iter().map(plain).collect::<Array>().into()
}

fn ask_preview(operation: &str) -> Call<'_> {
    Call { port: "preview", operation, path: None, limit_ms: Some(PREVIEW_LIMIT_MS) }
}

fn has(target: &JsValue, name: &str, field: &str) -> Result<(), Error> {
    match method(target, name) {
        Some(_) => Ok(()),
        None => Err(Error::new(ErrorCode::InvalidArgument, format!("`{field}` has no method `{name}`"))),
    }
}

//! Git over the host's plumbing: the object made by `isomorphicGit` of `loopgate/git`, or the IDE's own.

use super::call::Call;
use super::value::{bytes, method, object, own_bytes, to_js};
use crate::error::{Error, ErrorCode};
use crate::port::{Commit, GitPort, PortResult, TreeEntry};
use js_sys::Array;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsValue;

/// Timeout of a call. Long, because objects may be written one by one.
const LIMIT_MS: u32 = 30_000;

/// Required methods.
const REQUIRED: [&str; 11] = [
    "init",
    "resolveRef",
    "writeRef",
    "deleteRef",
    "listTags",
    "readCommit",
    "readTree",
    "readBlob",
    "writeBlob",
    "writeTree",
    "writeCommit",
];

/// The repository of a host.
pub struct JsGit {
    git: JsValue,
}

impl JsGit {
    /// Wraps an object with the methods of `GitPort`.
    pub fn new(git: &JsValue) -> Result<Self, Error> {
        let what = match REQUIRED.iter().find(|name| method(git, name).is_none()) {
            Some(missing) => format!("has no method `{missing}`"),
            // It has the same method names, but with other arguments.
            None if method(git, "statusMatrix").is_some() => "is isomorphic-git itself".to_owned(),
            None => return Ok(Self { git: git.clone() }),
        };
        let message = format!("`git` {what}; make it with `isomorphicGit` from \"loopgate/git\"");
        Err(Error::new(ErrorCode::InvalidArgument, message))
    }

    async fn call(&self, operation: &str, arguments: &[JsValue]) -> PortResult<JsValue> {
        call(operation).method(&self.git, &arguments.iter().collect::<Array>()).await
    }

    async fn read<T: DeserializeOwned>(&self, operation: &str, arguments: &[JsValue]) -> PortResult<T> {
        let answer = self.call(operation, arguments).await?;
        call(operation).read(&answer)
    }

    /// Reads an object id, and checks its form.
    async fn oid(&self, operation: &str, arguments: &[JsValue]) -> PortResult<String> {
        let answer = self.call(operation, arguments).await?;
        answer.as_string().filter(|oid| is_oid(oid)).ok_or_else(|| call(operation).unexpected(&answer, "an object id"))
    }
}

impl GitPort for JsGit {
    async fn init(&self) -> PortResult<()> {
        self.call("init", &[]).await.map(drop)
    }

    async fn resolve_ref(&self, name: &str) -> PortResult<Option<String>> {
        match self.call("resolveRef", &[name.into()]).await {
            Ok(answer) if answer.is_null() || answer.is_undefined() => Ok(None),
            Ok(answer) => match answer.as_string().filter(|oid| is_oid(oid)) {
                Some(oid) => Ok(Some(oid)),
                None => Err(call("resolveRef").unexpected(&answer, "an object id or null")),
            },
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn write_ref(&self, name: &str, oid: &str) -> PortResult<()> {
        self.call("writeRef", &[name.into(), oid.into(), object([])]).await.map(drop)
    }

    async fn delete_ref(&self, name: &str) -> PortResult<()> {
        match self.call("deleteRef", &[name.into()]).await {
            Err(error) if !error.is_not_found() => Err(error),
            _ => Ok(()),
        }
    }

    async fn list_tags(&self) -> PortResult<Vec<String>> {
        let tags: Vec<Option<String>> = self.read("listTags", &[]).await?;
        Ok(tags.into_iter().map(Option::unwrap_or_default).collect())
    }

    async fn read_commit(&self, oid: &str) -> PortResult<Commit> {
        self.read("readCommit", &[oid.into()]).await
    }

    async fn read_tree(&self, oid: &str) -> PortResult<Vec<TreeEntry>> {
        self.read("readTree", &[oid.into()]).await
    }

    async fn read_blob(&self, oid: &str) -> PortResult<Vec<u8>> {
        let answer = self.call("readBlob", &[oid.into()]).await?;
        bytes(&answer).ok_or_else(|| call("readBlob").unexpected(&answer, "bytes"))
    }

    async fn write_blob(&self, bytes: &[u8]) -> PortResult<String> {
        self.oid("writeBlob", &[own_bytes(bytes)]).await
    }

    async fn write_tree(&self, entries: &[TreeEntry]) -> PortResult<String> {
        self.oid("writeTree", &[to_js(&entries)]).await
    }

    async fn write_commit(&self, commit: &Commit) -> PortResult<String> {
        self.oid("writeCommit", &[to_js(commit)]).await
    }

    async fn read_object(&self, oid: &str) -> PortResult<Option<Vec<u8>>> {
        if method(&self.git, "readObject").is_none() {
            return Ok(None);
        }
        Ok(bytes(&self.call("readObject", &[oid.into()]).await?))
    }

    fn takes_objects(&self) -> bool {
        method(&self.git, "writeObjects").is_some()
    }

    async fn write_objects(&self, objects: &[(String, Vec<u8>)]) -> PortResult<()> {
        let objects: Array =
            objects.iter().map(|(oid, file)| object([("oid", oid.into()), ("file", own_bytes(file))])).collect();
        self.call("writeObjects", &[objects.into()]).await.map(drop)
    }

    fn takes_packs(&self) -> bool {
        method(&self.git, "writePack").is_some()
    }

    async fn write_pack(&self, pack: &[u8], index: &[u8]) -> PortResult<()> {
        self.call("writePack", &[own_bytes(pack), own_bytes(index)]).await.map(drop)
    }
}

fn call(operation: &str) -> Call<'_> {
    Call { port: "git", operation, path: None, limit_ms: Some(LIMIT_MS) }
}

fn is_oid(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

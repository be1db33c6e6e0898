//! Git over the host's plumbing: the object made by `isomorphicGit` of `loopgate/git`, or the IDE's own.

use super::JsFs;
use super::call::Call;
use super::fs::LIMIT_MS;
use super::value::{bytes, method, object, own_bytes, to_js};
use crate::error::{Error, ErrorCode};
use crate::port::{Commit, FileKind, GitPort, ListedRef, PortError, PortErrorKind, PortResult, ProjectDir, TreeEntry};
use crate::snapshot::TAG_REFS;
use async_trait::async_trait;
use js_sys::Array;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use wasm_bindgen::JsValue;

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
    /// The project's files and folder, for ports without methods for HEAD and the index.
    project: Option<(JsFs, String)>,
}

impl JsGit {
    /// Wraps an object with the methods of `GitPort`.
    pub fn new(git: &JsValue) -> Result<Self, Error> {
        let what = match REQUIRED.iter().find(|name| method(git, name).is_none()) {
            Some(missing) => format!("has no method `{missing}`"),
            // It has the same method names, but with other arguments.
            None if method(git, "statusMatrix").is_some() => "is isomorphic-git itself".to_owned(),
            None => return Ok(Self { git: git.clone(), project: None }),
        };
        let message = format!("`git` {what}; make it with `isomorphicGit` from \"loopgate/git\"");
        Err(Error::new(ErrorCode::InvalidArgument, message))
    }

    /// For a port without methods for HEAD and the index, which are then the files in the project's `.git`.
    pub fn in_project(self, fs: &JsFs, dir: &str) -> Self {
        Self { project: Some((fs.clone(), dir.to_owned())), ..self }
    }

    fn has(&self, operation: &str) -> bool {
        method(&self.git, operation).is_some()
    }

    /// The project, if its `.git` is a folder: a file points to a repository elsewhere.
    async fn own_folder(&self, operation: &str) -> PortResult<ProjectDir<'_>> {
        if let Some((fs, dir)) = &self.project {
            let project = ProjectDir::new(fs, dir);
            if project.lstat(".git").await?.is_some_and(|stat| stat.kind == FileKind::Directory) {
                return Ok(project);
            }
        }
        let message = format!(
            "the project has no folder .git, and the git port has no `{operation}`; make the port with `isomorphicGit` \
             from \"loopgate/git\", or add the method"
        );
        Err(PortError::new("git", operation, PortErrorKind::Unsupported, message))
    }

    /// The names of the refs in a folder without folders, from the files of `.git`.
    async fn own_refs(&self, folder: &str) -> PortResult<Option<Vec<String>>> {
        let project = match self.own_folder("listRefs").await {
            Err(error) if error.kind == PortErrorKind::Unsupported => return Ok(None),
            project => project?,
        };
        let mut names: BTreeSet<String> =
            project.read_dir(&format!(".git/{folder}")).await?.unwrap_or_default().into_iter().collect();
        let packed = project.read_text(".git/packed-refs").await?.unwrap_or_default();
        let refs = packed.lines().filter_map(|line| line.split_once(' ')?.1.strip_prefix(folder)?.strip_prefix('/'));
        names.extend(refs.map(str::to_owned));
        Ok(Some(names.into_iter().collect()))
    }

    /// Reads a file of `.git`.
    async fn read_own(&self, operation: &str, name: &str) -> PortResult<Option<Vec<u8>>> {
        self.own_folder(operation).await?.read(&format!(".git/{name}")).await
    }

    /// Replaces a file of `.git`, or leaves it as it is.
    async fn replace_own(&self, operation: &str, name: &str, bytes: &[u8]) -> PortResult<()> {
        let project = self.own_folder(operation).await?;
        let beside = project.absolute(".git/loopgate-next");
        // A project of strangers may have a link there.
        project.remove_file(".git/loopgate-next").await?;
        project.fs().write_file(&beside, bytes).await?;
        project.fs().rename(&beside, &project.absolute(&format!(".git/{name}"))).await
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

#[async_trait(?Send)]

impl GitPort for JsGit {
    async fn init(&self) -> PortResult<()> {
        self.call("init", &[]).await.map(drop)
    }

    async fn current_branch(&self) -> PortResult<Option<String>> {
        if self.has("currentBranch") {
            return self.read("currentBranch", &[]).await;
        }
        let head = self.read_own("currentBranch", "HEAD").await?.unwrap_or_default();
        let head = String::from_utf8_lossy(&head);
        Ok(head.trim().strip_prefix("ref: refs/heads/").map(str::to_owned))
    }

    async fn write_head(&self, branch: &str) -> PortResult<()> {
        if self.has("writeHead") {
            return self.call("writeHead", &[branch.into()]).await.map(drop);
        }
        self.replace_own("writeHead", "HEAD", format!("ref: refs/heads/{branch}\n").as_bytes()).await
    }

    async fn read_index(&self) -> PortResult<Option<Vec<u8>>> {
        if self.has("readIndex") {
            let answer = self.call("readIndex", &[]).await?;
            return match bytes(&answer) {
                None if !answer.is_null() && !answer.is_undefined() => {
                    Err(call("readIndex").unexpected(&answer, "bytes or null"))
                }
                index => Ok(index),
            };
        }
        self.read_own("readIndex", "index").await
    }

    async fn write_index(&self, bytes: &[u8]) -> PortResult<()> {
        if self.has("writeIndex") {
            return self.call("writeIndex", &[own_bytes(bytes)]).await.map(drop);
        }
        self.replace_own("writeIndex", "index", bytes).await
    }

    async fn user(&self) -> PortResult<Option<(String, String)>> {
        if !self.has("user") {
            return Ok(None);
        }
        let user: Option<User> = self.read("user", &[]).await?;
        Ok(user.map(|user| (user.name, user.email)))
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

    async fn move_ref(&self, name: &str, oid: &str, expected: Option<&str>) -> PortResult<()> {
        let expected = expected.map_or(JsValue::NULL, JsValue::from);
        self.call("writeRef", &[name.into(), oid.into(), object([("expect", expected)])]).await.map(drop)
    }

    async fn delete_ref(&self, name: &str) -> PortResult<()> {
        match self.call("deleteRef", &[name.into()]).await {
            Err(error) if !error.is_not_found() => Err(error),
            _ => Ok(()),
        }
    }

    async fn list_refs(&self, folder: &str, known: &[String]) -> PortResult<Option<Vec<String>>> {
        let names: Vec<Option<String>> = match folder {
            _ if self.has("listRefs") => self.read("listRefs", &[folder.into(), to_js(&known)]).await?,
            TAG_REFS => self.read("listTags", &[]).await?,
            _ => return self.own_refs(folder).await,
        };
        Ok(Some(names.into_iter().map(Option::unwrap_or_default).collect()))
    }

    async fn read_refs(&self, folders: &[&str], known: &[String]) -> PortResult<Option<Vec<ListedRef>>> {
        if !self.has("readRefs") {
            return Ok(None);
        }
        let mut refs: Vec<ListedRef> = self.read("readRefs", &[to_js(&folders), to_js(&known)]).await?;
        refs.iter_mut().for_each(|found| found.oid = found.oid.take().filter(|oid| is_oid(oid)));
        Ok(Some(refs))
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

#[derive(Deserialize)]
struct User {
    name: String,
    email: String,
}

fn call(operation: &str) -> Call<'_> {
    Call { port: "git", operation, path: None, limit_ms: Some(LIMIT_MS) }
}

fn is_oid(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

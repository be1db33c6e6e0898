//! A repository of loose objects in a memory file system, in the format of isomorphic-git. Real git can read it, and
//! the file system's faults apply.

use super::MemoryFs;
use crate::hex;
use crate::port::{Commit, EntryKind, FsPort, GitPort, ListedRef, PortError, PortErrorKind, PortResult, TreeEntry};
use async_trait::async_trait;
use sha1::{Digest, Sha1};
use std::collections::{BTreeMap, BTreeSet};

/// How many refs may lead to other refs.
const REFS_MAX: usize = 5;

/// Clones share the objects. Refuses objects that `git fsck` would reject.
#[derive(Clone)]
pub struct MemoryGit {
    fs: MemoryFs,
    dir: String,
    is_broken: bool,
    takes_finished: bool,
    user: Option<(String, String)>,
}

impl Default for MemoryGit {
    fn default() -> Self {
        Self::new(&MemoryFs::default(), "/.git")
    }
}

impl MemoryGit {
    /// The repository in this folder.
    pub fn new(fs: &MemoryFs, dir: &str) -> Self {
        Self { fs: fs.clone(), dir: dir.to_owned(), is_broken: false, takes_finished: false, user: None }
    }

    /// Simulates a bridge that also reports a tag without a name and, in every tree, an entry without a path.
    #[must_use]
    pub fn behind_broken_bridge(mut self) -> Self {
        self.is_broken = true;
        self
    }

    /// Adds `readObject`, `writeObjects` and `writePack`.
    #[must_use]
    pub fn with_fast_paths(mut self) -> Self {
        self.takes_finished = true;
        self
    }

    /// Sets the repository's user.
    #[must_use]
    pub fn with_user(mut self, name: &str, email: &str) -> Self {
        self.user = Some((name.to_owned(), email.to_owned()));
        self
    }

    /// All refs with an object id, by full name.
    pub fn refs(&self) -> BTreeMap<String, String> {
        let prefix = format!("{}/", self.dir);
        let files = self.fs.tree(&format!("{}/refs", self.dir)).into_iter();
        let refs = files.filter_map(|(path, bytes)| {
            let name = path.strip_prefix(&prefix)?.to_owned();
            Some((name, oid_in(&bytes)?))
        });
        refs.collect()
    }

    /// Stores the body of a tree as it is, also one that git does not write, such as with a name twice. Returns its id.
    pub async fn store_tree(&self, body: &[u8]) -> PortResult<String> {
        self.store("tree", body).await
    }

    /// The number of objects.
    pub fn object_count(&self) -> usize {
        self.fs.tree(&format!("{}/objects", self.dir)).len()
    }

    async fn make_dirs(&self, dir: &str) -> PortResult<()> {
        for (end, _) in dir.char_indices().filter(|(at, c)| *c == '/' && *at > 0).chain([(dir.len(), '/')]) {
            let folder = dir.get(..end).unwrap_or(dir);
            if self.fs.lstat(folder).await.is_err() {
                self.fs.make_dir(folder).await?;
            }
        }
        Ok(())
    }

    /// Replaces a file of the repository, or leaves it as it is.
    async fn replace(&self, name: &str, bytes: &[u8]) -> PortResult<()> {
        let (beside, path) = (format!("{}/loopgate-next", self.dir), format!("{}/{name}", self.dir));
        self.make_dirs(crate::path::parent(&path)).await?;
        self.fs.write_file(&beside, bytes).await?;
        self.fs.rename(&beside, &path).await
    }

    /// The refs that `git pack-refs` wrote, by full name.
    async fn packed_refs(&self) -> BTreeMap<String, String> {
        let bytes = self.fs.read_file(&format!("{}/packed-refs", self.dir)).await.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let lines = text.lines().filter(|line| !line.starts_with(['#', '^']));
        lines.filter_map(|line| line.split_once(' ')).map(|(oid, name)| (name.to_owned(), oid.to_owned())).collect()
    }

    /// The names of the refs in files below a folder, relative to it.
    async fn loose_refs(&self, folder: &str) -> BTreeSet<String> {
        let (root, mut found) = (format!("{}/{folder}", self.dir), BTreeSet::new());
        // One call lists a folder with the kinds of its entries.
        let mut folders = vec![root.clone()];
        while let Some(path) = folders.pop() {
            let inside = self.fs.dirs(&path);
            for name in self.fs.read_dir(&path).await.unwrap_or_default() {
                let path = format!("{path}/{name}");
                if inside.contains(&path) {
                    folders.push(path);
                } else {
                    found.extend(path.strip_prefix(&format!("{root}/")).map(str::to_owned));
                }
            }
        }
        if self.is_broken && folder == "refs/tags" {
            found.insert(String::new());
        }
        found
    }

    fn object_path(&self, oid: &str) -> String {
        let (head, tail) = oid.split_at_checked(2).unwrap_or((oid, ""));
        format!("{}/objects/{head}/{tail}", self.dir)
    }

    /// Writes a loose object. An existing one is never rewritten, even if it is damaged.
    async fn store(&self, kind: &str, body: &[u8]) -> PortResult<String> {
        let mut object = format!("{kind} {}\0", body.len()).into_bytes();
        object.extend_from_slice(body);
        let oid = hex::encode(&Sha1::digest(&object));
        self.put(&oid, &miniz_oxide::deflate::compress_to_vec_zlib(&object, 1)).await?;
        Ok(oid)
    }

    async fn put(&self, oid: &str, file: &[u8]) -> PortResult<()> {
        let path = self.object_path(oid);
        if self.fs.lstat(&path).await.is_err() {
            self.make_dirs(crate::path::parent(&path)).await?;
            self.fs.write_file(&path, file).await?;
        }
        Ok(())
    }

    /// The body of an object of this kind, with its hash checked.
    async fn load(&self, operation: &str, kind: &str, oid: &str) -> PortResult<Vec<u8>> {
        let Ok(packed) = self.fs.read_file(&self.object_path(oid)).await else {
            return match self.find_packed(oid).await {
                Some((found, body)) if found == kind => Ok(body),
                Some(_) => Err(other(operation, format!("object {oid} is no {kind}"))),
                None => Err(missing(operation, oid)),
            };
        };
        let object = miniz_oxide::inflate::decompress_to_vec_zlib(&packed).unwrap_or_default();
        if hex::encode(&Sha1::digest(&object)) != oid {
            return Err(other(operation, format!("object {oid} is corrupt")));
        }
        let end = object.iter().position(|byte| *byte == 0).unwrap_or_default();
        let (header, body) = object.split_at(end);
        match header.strip_prefix(kind.as_bytes()) {
            Some(rest) if rest.starts_with(b" ") => Ok(body.get(1..).unwrap_or_default().to_vec()),
            _ => Err(other(operation, format!("object {oid} is no {kind}"))),
        }
    }

    async fn require(&self, operation: &str, oid: &str) -> PortResult<()> {
        if self.fs.lstat(&self.object_path(oid)).await.is_ok() || self.find_packed(oid).await.is_some() {
            return Ok(());
        }
        Err(missing(operation, oid))
    }

    /// An object from an undamaged pack.
    async fn find_packed(&self, oid: &str) -> Option<(&'static str, Vec<u8>)> {
        let folder = format!("{}/objects/pack", self.dir);
        for name in self.fs.read_dir(&folder).await.ok()? {
            let Some(stem) = name.strip_suffix(".idx") else { continue };
            let index = self.fs.read_file(&format!("{folder}/{name}")).await.ok()?;
            let Some(offset) = offset_in_pack(&index, oid) else { continue };
            let pack = self.fs.read_file(&format!("{folder}/{stem}.pack")).await.ok()?;
            if name_of_pack(&pack).is_some() {
                return object_in_pack(&pack, offset);
            }
        }
        None
    }
}

#[async_trait(?Send)]

impl GitPort for MemoryGit {
    async fn init(&self) -> PortResult<()> {
        if self.fs.lstat(&format!("{}/HEAD", self.dir)).await.is_ok() {
            return Ok(());
        }
        self.make_dirs(&format!("{}/refs/heads", self.dir)).await?;
        self.make_dirs(&format!("{}/objects", self.dir)).await?;
        self.fs.write_file(&format!("{}/HEAD", self.dir), b"ref: refs/heads/main\n").await
    }

    async fn current_branch(&self) -> PortResult<Option<String>> {
        let Ok(bytes) = self.fs.read_file(&format!("{}/HEAD", self.dir)).await else { return Ok(None) };
        let text = String::from_utf8_lossy(&bytes);
        Ok(text.trim().strip_prefix("ref: refs/heads/").map(str::to_owned))
    }

    async fn write_head(&self, branch: &str) -> PortResult<()> {
        self.replace("HEAD", format!("ref: refs/heads/{branch}\n").as_bytes()).await
    }

    async fn read_index(&self) -> PortResult<Option<Vec<u8>>> {
        Ok(self.fs.read_file(&format!("{}/index", self.dir)).await.ok())
    }

    async fn write_index(&self, bytes: &[u8]) -> PortResult<()> {
        self.replace("index", bytes).await
    }

    async fn user(&self) -> PortResult<Option<(String, String)>> {
        Ok(self.user.clone())
    }

    async fn resolve_ref(&self, name: &str) -> PortResult<Option<String>> {
        let mut next = name.to_owned();
        for _ in 0..=REFS_MAX {
            let Ok(bytes) = self.fs.read_file(&format!("{}/{next}", self.dir)).await else {
                return Ok(self.packed_refs().await.remove(&next));
            };
            match bytes.strip_prefix(b"ref: ") {
                Some(target) => next = String::from_utf8_lossy(target).trim().to_owned(),
                None => return Ok(oid_in(&bytes)),
            }
        }
        Err(other("resolveRef", format!("{name} leads to itself")))
    }

    async fn write_ref(&self, name: &str, oid: &str) -> PortResult<()> {
        self.require("writeRef", oid).await?;
        let path = format!("{}/{name}", self.dir);
        self.make_dirs(crate::path::parent(&path)).await?;
        self.fs.write_file(&path, format!("{oid}\n").as_bytes()).await
    }

    async fn move_ref(&self, name: &str, oid: &str, expected: Option<&str>) -> PortResult<()> {
        if self.resolve_ref(name).await?.as_deref() != expected {
            let message = format!("{name} does not point to {expected:?}");
            return Err(PortError::new("git", "writeRef", PortErrorKind::Conflict, message));
        }
        self.write_ref(name, oid).await
    }

    async fn delete_ref(&self, name: &str) -> PortResult<()> {
        let mut packed = self.packed_refs().await;
        if packed.remove(name).is_some() {
            let lines: String = packed.iter().map(|(name, oid)| format!("{oid} {name}\n")).collect();
            self.replace("packed-refs", lines.as_bytes()).await?;
        }
        match self.fs.remove_file(&format!("{}/{name}", self.dir)).await {
            Err(error) if !error.is_not_found() => Err(error),
            _ => Ok(()),
        }
    }

    async fn list_refs(&self, folder: &str, _known: &[String]) -> PortResult<Option<Vec<String>>> {
        let prefix = format!("{folder}/");
        let packed = self.packed_refs().await;
        let packed = packed.keys().filter_map(|name| name.strip_prefix(&prefix).map(str::to_owned));
        let mut found: BTreeSet<String> = packed.collect();
        found.extend(self.loose_refs(folder).await);
        Ok(Some(found.into_iter().collect()))
    }

    async fn read_refs(&self, folders: &[&str], _known: &[String]) -> PortResult<Option<Vec<ListedRef>>> {
        let mut packed = self.packed_refs().await;
        let is_inside = |name: &str| folders.iter().any(|folder| name.starts_with(&format!("{folder}/")));
        packed.retain(|name, _| is_inside(name));
        let mut found: BTreeMap<String, Option<String>> =
            packed.into_iter().map(|(name, oid)| (name, Some(oid))).collect();
        for folder in folders {
            found.extend(self.loose_refs(folder).await.into_iter().map(|name| (format!("{folder}/{name}"), None)));
        }
        Ok(Some(found.into_iter().map(|(name, oid)| ListedRef { name, oid }).collect()))
    }

    async fn read_commit(&self, oid: &str) -> PortResult<Commit> {
        if let Ok(tag) = self.load("readCommit", "tag", oid).await {
            let target = tag_target(&tag).ok_or_else(|| other("readCommit", format!("{oid} is broken")))?;
            return Box::pin(self.read_commit(&target)).await;
        }
        let body = self.load("readCommit", "commit", oid).await?;
        Commit::decode(&body).ok_or_else(|| other("readCommit", format!("commit {oid} is broken")))
    }

    async fn read_tree(&self, oid: &str) -> PortResult<Vec<TreeEntry>> {
        let body = self.load("readTree", "tree", oid).await?;
        let entries = TreeEntry::read_all(&body);
        let mut entries = entries.ok_or_else(|| other("readTree", format!("tree {oid} is broken")))?;
        if let Some(entry) = entries.first().filter(|_| self.is_broken) {
            entries.push(TreeEntry { path: String::new(), ..entry.clone() });
        }
        Ok(entries)
    }

    async fn read_blob(&self, oid: &str) -> PortResult<Vec<u8>> {
        self.load("readBlob", "blob", oid).await
    }

    async fn write_blob(&self, bytes: &[u8]) -> PortResult<String> {
        self.store("blob", bytes).await
    }

    async fn write_tree(&self, entries: &[TreeEntry]) -> PortResult<String> {
        for entry in entries {
            if entry.kind != EntryKind::Commit {
                self.require("writeTree", &entry.oid).await?;
            }
            let name = entry.path.to_ascii_lowercase();
            if matches!(name.as_str(), "" | "." | ".." | ".git") || name.contains(['/', '\0']) {
                return Err(other("writeTree", format!("{name:?} is not a valid tree entry name")));
            }
        }
        let body = encode_tree(entries).map_err(|message| other("writeTree", message))?;
        self.store("tree", &body).await
    }

    async fn write_commit(&self, commit: &Commit) -> PortResult<String> {
        for oid in commit.parents.iter().chain([&commit.tree]) {
            self.require("writeCommit", oid).await?;
        }
        self.store("commit", commit.encode().as_bytes()).await
    }

    async fn read_object(&self, oid: &str) -> PortResult<Option<Vec<u8>>> {
        match self.takes_finished {
            true => Ok(self.fs.read_file(&self.object_path(oid)).await.ok()),
            false => Ok(None),
        }
    }

    fn takes_objects(&self) -> bool {
        self.takes_finished
    }

    async fn write_objects(&self, objects: &[(String, Vec<u8>)]) -> PortResult<()> {
        for (oid, file) in objects {
            self.put(oid, file).await?;
        }
        Ok(())
    }

    fn takes_packs(&self) -> bool {
        self.takes_finished
    }

    async fn write_pack(&self, pack: &[u8], index: &[u8]) -> PortResult<()> {
        let name = name_of_pack(pack).ok_or_else(|| other("writePack", "this is not a packfile".to_owned()))?;
        let folder = format!("{}/objects/pack", self.dir);
        self.make_dirs(&folder).await?;
        for (ending, bytes) in [("pack", pack), ("idx", index)] {
            let beside = format!("{folder}/tmp_{name}_{ending}");
            self.fs.write_file(&beside, bytes).await?;
            self.fs.rename(&beside, &format!("{folder}/pack-{name}.{ending}")).await?;
        }
        Ok(())
    }
}

fn oid_in(bytes: &[u8]) -> Option<String> {
    let oid = String::from_utf8_lossy(bytes).trim().to_owned();
    (oid.len() == 40 && oid.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(oid)
}

fn missing(operation: &str, oid: &str) -> PortError {
    PortError::new("git", operation, PortErrorKind::NotFound, format!("object {oid} does not exist"))
}

fn other(operation: &str, message: String) -> PortError {
    PortError::new("git", operation, PortErrorKind::Other, message)
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok()).collect()
}

/// The body of a tree, in git's order. Fails on duplicate names and invalid ids.
fn encode_tree(entries: &[TreeEntry]) -> Result<Vec<u8>, String> {
    let mut sorted: Vec<&TreeEntry> = entries.iter().collect();
    sorted.sort_by_key(
        |entry| {
            if entry.kind == EntryKind::Tree { format!("{}/", entry.path) } else { entry.path.clone() }
        },
    );
    let mut body = Vec::new();
    for (index, entry) in sorted.iter().enumerate() {
        if sorted.iter().skip(index + 1).any(|other| other.path == entry.path) {
            return Err(format!("{:?} comes twice", entry.path));
        }
        let oid =
            unhex(&entry.oid).filter(|oid| oid.len() == 20).ok_or(format!("{:?} is not an object id", entry.oid))?;
        body.extend_from_slice(format!("{} {}\0", entry.mode.trim_start_matches('0'), entry.path).as_bytes());
        body.extend_from_slice(&oid);
    }
    Ok(body)
}

/// The target of an annotated tag.
fn tag_target(body: &[u8]) -> Option<String> {
    String::from_utf8_lossy(body).lines().next()?.strip_prefix("object ").map(str::to_owned)
}

/// The offset of an object in this index's pack; `None` if it is absent or the index is damaged.
fn offset_in_pack(index: &[u8], oid: &str) -> Option<usize> {
    let (content, sum) = index.split_at_checked(index.len().checked_sub(20)?)?;
    if *Sha1::digest(content) != *sum || !content.starts_with(b"\xfftOc\0\0\0\x02") {
        return None;
    }
    let count = number_at(content, 8 + 255 * 4)?;
    let names = 8 + 256 * 4;
    let place = (0..count).find(|at| {
        let start = names + at * 20;
        content.get(start..start + 20).is_some_and(|name| hex::encode(name) == oid)
    })?;
    number_at(content, names + count * 24 + place * 4)
}

/// The kind and body of the object at an offset.
fn object_in_pack(pack: &[u8], offset: usize) -> Option<(&'static str, Vec<u8>)> {
    let head = pack.get(offset..)?;
    let kind = match (head.first()? >> 4) & 7 {
        1 => "commit",
        2 => "tree",
        3 => "blob",
        _ => return None,
    };
    let start = head.iter().position(|byte| byte & 0x80 == 0)? + 1;
    Some((kind, miniz_oxide::inflate::decompress_to_vec_zlib(head.get(start..)?).ok()?))
}

/// The name of a pack: its checksum, if that is correct.
fn name_of_pack(pack: &[u8]) -> Option<String> {
    let (content, sum) = pack.split_at_checked(pack.len().checked_sub(20)?)?;
    (*Sha1::digest(content) == *sum && content.starts_with(b"PACK\0\0\0\x02")).then(|| hex::encode(sum))
}

fn number_at(bytes: &[u8], at: usize) -> Option<usize> {
    let number: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
    usize::try_from(u32::from_be_bytes(number)).ok()
}

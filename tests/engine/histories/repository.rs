//! What the user's git does in the project's repository: reads commits, writes commits, stages files.

use futures_util::future::FutureExt;
use loopgate::port::memory::{MemoryGit, MemoryHost};
use loopgate::port::{Commit, EntryKind, FsPort, GitPort, Person, TreeEntry};
use sha1::{Digest, Sha1};
use std::collections::BTreeMap;

/// The mode and the id of each file.
pub(crate) type Files = BTreeMap<String, (String, String)>;

/// The result of a call of a memory port, which is always ready.
pub(crate) fn ready<T>(call: impl Future<Output = T>) -> T {
    call.now_or_never().unwrap()
}

fn git(host: &MemoryHost) -> &MemoryGit {
    host.git.as_ref().unwrap()
}

pub(crate) fn tip(host: &MemoryHost, name: &str) -> Option<String> {
    ready(git(host).resolve_ref(name)).unwrap()
}

pub(crate) fn branch(host: &MemoryHost) -> String {
    ready(git(host).current_branch()).unwrap().unwrap_or_default()
}

pub(crate) fn commit(host: &MemoryHost, oid: &str) -> Commit {
    ready(git(host).read_commit(oid)).unwrap()
}

/// The ids of a branch's commits, the newest first.
pub(crate) fn log(host: &MemoryHost, name: &str) -> Vec<String> {
    let mut oids = Vec::new();
    let mut next = tip(host, name);
    while let Some(oid) = next {
        next = commit(host, &oid).parents.first().cloned();
        oids.push(oid);
    }
    oids
}

pub(crate) fn files_of(host: &MemoryHost, oid: &str) -> Files {
    let mut files = Files::new();
    read_tree(host, &commit(host, oid).tree, "", &mut files);
    files
}

fn read_tree(host: &MemoryHost, tree: &str, folder: &str, files: &mut Files) {
    for entry in ready(git(host).read_tree(tree)).unwrap() {
        let path = format!("{folder}{}", entry.path);
        match entry.kind {
            EntryKind::Tree => read_tree(host, &entry.oid, &format!("{path}/"), files),
            _ => drop(files.insert(path, (entry.mode, entry.oid))),
        }
    }
}

pub(crate) fn bytes_of(host: &MemoryHost, blob: &str) -> Vec<u8> {
    ready(git(host).read_blob(blob)).unwrap()
}

/// All objects, decompressed and joined.
pub(crate) fn objects(host: &MemoryHost) -> Vec<Vec<u8>> {
    let files = host.fs.tree("/project/.git/objects").into_values();
    files.filter_map(|file| miniz_oxide::inflate::decompress_to_vec_zlib(&file).ok()).collect()
}

/// The files as a tree of folders.
fn write_tree(host: &MemoryHost, files: &Files, folder: &str) -> String {
    let mut entries: BTreeMap<String, TreeEntry> = BTreeMap::new();
    for (path, (mode, oid)) in files.range(folder.to_owned()..).take_while(|(path, _)| path.starts_with(folder)) {
        let rest = &path[folder.len()..];
        let entry = match rest.split_once('/') {
            Some((name, _)) if entries.contains_key(name) => continue,
            Some((name, _)) => TreeEntry {
                mode: "040000".to_owned(),
                path: name.to_owned(),
                oid: write_tree(host, files, &format!("{folder}{name}/")),
                kind: EntryKind::Tree,
            },
            None => TreeEntry { mode: mode.clone(), path: rest.to_owned(), oid: oid.clone(), kind: EntryKind::Blob },
        };
        entries.insert(entry.path.clone(), entry);
    }
    let entries: Vec<TreeEntry> = entries.into_values().collect();
    ready(git(host).write_tree(&entries)).unwrap()
}

/// Commits the present bytes of a path on HEAD's branch, as `git commit -- path` does.
pub(crate) fn commit_file(host: &MemoryHost, path: &str, message: &str) -> String {
    let parent = tip(host, "HEAD").unwrap();
    let mut files = files_of(host, &parent);
    let entry = stage(host, path);
    files.insert(path.to_owned(), entry);
    let tree = write_tree(host, &files, "");
    let author = Person { name: "U".into(), email: "u@x".into(), timestamp: 2, timezone_offset: 0 };
    let commit = Commit { tree, parents: vec![parent], message: format!("{message}\n"), author };
    let oid = ready(git(host).write_commit(&commit)).unwrap();
    ready(git(host).write_ref(&format!("refs/heads/{}", branch(host)), &oid)).unwrap();
    oid
}

/// Adds a file to the index, as `git add` does.
pub(crate) fn stage(host: &MemoryHost, path: &str) -> (String, String) {
    let absolute = format!("/project/{path}");
    let oid = ready(git(host).write_blob(&host.fs.get(&absolute).unwrap())).unwrap();
    let entry = (mode_of(host, path), oid);
    let mut index = index(host);
    index.insert(path.to_owned(), entry.clone());
    write_index(host, &index);
    entry
}

pub(crate) fn mode_of(host: &MemoryHost, path: &str) -> String {
    let stat = ready(host.fs.lstat(&format!("/project/{path}"))).unwrap();
    if stat.is_executable() { "100755" } else { "100644" }.to_owned()
}

/// The entries of the index.
pub(crate) fn index(host: &MemoryHost) -> Files {
    let Some(bytes) = ready(git(host).read_index()).unwrap() else { return Files::new() };
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    let (mut files, mut at) = (Files::new(), 12);
    for _ in 0..number(8) {
        let end = at + 62 + bytes[at + 62..].iter().position(|byte| *byte == 0).unwrap();
        let oid: String = bytes[at + 40..at + 60].iter().map(|byte| format!("{byte:02x}")).collect();
        let path = String::from_utf8(bytes[at + 62..end].to_vec()).unwrap();
        files.insert(path, (format!("{:o}", number(at + 24)), oid));
        at += (end - at) / 8 * 8 + 8;
    }
    files
}

pub(crate) fn write_index(host: &MemoryHost, files: &Files) {
    let mut bytes = [b"DIRC".as_slice(), &2_u32.to_be_bytes(), &(files.len() as u32).to_be_bytes()].concat();
    for (path, (mode, oid)) in files {
        let start = bytes.len();
        bytes.extend([0; 24]);
        bytes.extend(u32::from_str_radix(mode, 8).unwrap().to_be_bytes());
        bytes.extend([0; 12]);
        bytes.extend((0..20).map(|at| u8::from_str_radix(&oid[2 * at..2 * at + 2], 16).unwrap()));
        bytes.extend((path.len() as u16).to_be_bytes());
        bytes.extend(path.as_bytes());
        let length = (bytes.len() - start) / 8 * 8 + 8;
        bytes.resize(start + length, 0);
    }
    let sum = Sha1::digest(&bytes);
    bytes.extend(sum.iter());
    ready(git(host).write_index(&bytes)).unwrap();
}

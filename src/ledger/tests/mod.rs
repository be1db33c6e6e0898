//! The ledger over a repository in memory.
#![cfg(not(target_family = "wasm"))]

mod look;
mod moves;
mod part;

use super::look::Look;
use super::*;
use crate::port::GitPort;
use crate::port::memory::MemoryHost;
use crate::snapshot::{Manifest, Mode, Oid, read_object};
use ChangedBy::{Agent, Harness, User};

/// A state as a test writes it: the text of a file, after `x ` the text of an executable one, after `-> ` the target of a link;
/// `none` for no file.
type Text = &'static str;

/// Stores a state.
async fn entry(host: &MemoryHost, text: &str) -> Option<Entry> {
    let (mode, content) = match (text, text.strip_prefix("x "), text.strip_prefix("-> ")) {
        ("none", ..) => return None,
        (_, Some(content), _) => (Mode::Executable, content),
        (_, _, Some(target)) => (Mode::Symlink, target),
        _ => (Mode::File, text),
    };
    host.git.as_ref().unwrap().write_blob(content.as_bytes()).await.unwrap();
    Some(Entry { mode, oid: Oid::of_blob(content.as_bytes()) })
}

async fn text(host: &MemoryHost, state: Option<Entry>) -> String {
    let Some(entry) = state else { return "none".to_owned() };
    let content = String::from_utf8(read_object(host, entry).await.unwrap()).unwrap();
    match entry.mode {
        Mode::File | Mode::Submodule => content,
        Mode::Executable => format!("x {content}"),
        Mode::Symlink => format!("-> {content}"),
    }
}

async fn write(host: &MemoryHost, path: &str, before: &str, after: &str) -> Write {
    let (before, after) = (entry(host, before).await, entry(host, after).await);
    Write { path: path.to_owned(), from: None, before, after }
}

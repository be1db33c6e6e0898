//! `history`: lists the older versions of a file that snapshots have, or reads one of them.

use super::open;
use super::read_file::render;
use super::{Context, Failure, Outcome, Signature, fail, line, text};
use crate::agent::arguments::Args;
use crate::agent::guarded_fs::{Content, READ_MAX};
use crate::error::{Error, ErrorCode};
use crate::port::{Host, PortErrorKind};
use crate::snapshot::{self, Oid, SeenTrees, SnapshotInfo, blob_at};
use crate::text::{counted, one_line};
use crate::utc;

pub(super) fn schema() -> Signature {
    let description = "Older versions of a file, also of a deleted one, in the snapshots of the project. Lists them, newest \
                       first; with `version`, reads one as read_file does.";
    let arguments = const {
        &[
            text("path", "The file, relative to the project: src/App.tsx"),
            text("version", "The tag of the version to read, from the list"),
            line("start", "With `version`: the first line, starting at 1"),
            line("end", "With `version`: the last line"),
        ]
    };
    (description.to_owned(), arguments, &["path"])
}

pub(super) async fn run(context: &Context<'_>, args: Args<'_>) -> Outcome {
    let path = args.text("path");
    if context.host.git.is_none() {
        return fail("this project has no git, so it has no older versions; read the present one with read_file");
    }
    let file = located(context, path).await?;
    let version = args.optional_text("version").map(str::trim).filter(|version| !version.is_empty());
    if version.is_none() && ["start", "end"].iter().any(|line| args.optional_number(line).is_some()) {
        return fail("`start` and `end` are lines of a version; pass its tag as `version`, too");
    }
    let snapshots = snapshot::list(context.host).await?;
    if snapshots.is_empty() {
        return fail("there are no snapshots yet, so there are no older versions; read the present one with read_file");
    }
    match version {
        Some(version) => read(context, path, &file, version, &snapshots, args).await,
        None => list(context, path, &file, snapshots).await,
    }
}

/// The path of a file in snapshots, with links resolved. Fails if the role may not read it. A deleted file has a path too.
async fn located(context: &Context<'_>, path: &str) -> Result<String, Failure> {
    match context.files.stat(path).await {
        Ok(stat) => {
            open::require_file(context, path, Some(stat)).await?;
            Ok(context.files.follow(path).await?)
        }
        Err(error) if matches!(error.kind, PortErrorKind::NotFound | PortErrorKind::NotDirectory) => {
            Ok(context.host.project().relative(path))
        }
        Err(error) => Err(error.into()),
    }
}

async fn read(
    context: &Context<'_>,
    path: &str,
    file: &str,
    version: &str,
    snapshots: &[SnapshotInfo],
    args: Args<'_>,
) -> Outcome {
    // Other refs may have files that are not the project's, such as the files of another branch.
    if !snapshots.iter().any(|snapshot| snapshot.tag == version) {
        let unknown = snapshot::unknown(version, snapshots.iter());
        return fail(format!("{unknown}; call history without `version` for the list"));
    }
    match snapshot::read_file(context.host, version, file).await? {
        Some(bytes) if bytes.len() as u64 > READ_MAX => {
            fail(format!("{path:?} has {} bytes in {version}; files over {READ_MAX} bytes are not read", bytes.len()))
        }
        Some(bytes) => render("history", path, bytes, args),
        None => fail(format!(
            "{version} has no file {path:?}; call history without `version` to see which versions there are"
        )),
    }
}

/// A content of the file, or its absence, and the oldest of the successive snapshots that have it.
struct Version {
    blob: Option<String>,
    since: SnapshotInfo,
}

async fn list(context: &Context<'_>, path: &str, file: &str, snapshots: Vec<SnapshotInfo>) -> Outcome {
    let host = context.host;
    let omitted = snapshots.len().saturating_sub(SNAPSHOTS_MAX);
    let looked_at = snapshots.len() - omitted;
    let (mut versions, unread) = versions(host, snapshots.into_iter().skip(omitted).rev(), file).await?;
    let notes = notes(&unread, omitted);
    let is_known = versions.iter().any(|version| version.blob.is_some());
    let now = match context.files.content(path).await {
        Ok(Content::Bytes(bytes)) => Some(Oid::of_blob(&bytes).to_string()),
        _ => None,
    };
    if versions.first().is_some_and(|newest| newest.blob == now) {
        versions.remove(0);
    }
    // Before the file existed.
    versions.pop_if(|oldest| oldest.blob.is_none());
    let Some(newest) = versions.first() else {
        let snapshots = counted((looked_at - unread.len()) as u64, "snapshot");
        let found = match (is_known, now) {
            (true, _) => format!("{path:?} has no other version: {snapshots} have it as it is now, or not at all."),
            (false, Some(_)) => format!("{path:?} is in none of {snapshots}; only the present version exists."),
            (false, None) => {
                let missing =
                    format!("{path:?} is in none of {snapshots}; call list_files to see which files there are");
                return fail([vec![missing], notes].concat().join("\n"));
            }
        };
        return Ok([vec![found], notes].concat().join("\n"));
    };
    let mut lines = vec![format!(
        "Older versions of {path}, newest first. Read one with `version`, such as {:?}.",
        newest.since.tag
    )];
    for Version { blob, since } in versions.iter().take(LISTED_MAX) {
        let what = match blob {
            Some(oid) => match size(host, oid).await {
                Ok(size) => counted(size, "byte"),
                Err(error) if is_transient(&error) => return Err(error.into()),
                Err(_) => "its content cannot be read".to_owned(),
            },
            None => "the file does not exist".to_owned(),
        };
        let why = one_line(since.message.lines().next().unwrap_or_default());
        lines.push(format!("{}: {why} ({what}, {})", since.tag, utc::minutes(since.at)));
    }
    let older = versions.get(LISTED_MAX..).unwrap_or_default();
    if !older.is_empty() {
        let tags: Vec<&str> = older.iter().take(TAGS_MAX).map(|version| version.since.tag.as_str()).collect();
        let more = match older.len() - tags.len() {
            0 => String::new(),
            more => format!(", and {more} before them"),
        };
        lines.push(format!("Before these: {}{more}", tags.join(", ")));
    }
    lines.extend(notes);
    Ok(lines.join("\n"))
}

/// What the list does not have.
fn notes(unread: &[String], omitted: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(first) = unread.first() {
        let unread = counted(unread.len() as u64, "snapshot");
        notes.push(format!("[{unread} cannot be read and left out, such as {first}]"));
    }
    if omitted > 0 {
        notes.push(format!("[{} before these were not looked at]", counted(omitted as u64, "snapshot")));
    }
    notes
}

/// The same call may succeed later; otherwise an object of the repository is missing or damaged.
fn is_transient(error: &Error) -> bool {
    error.retryable || !matches!(error.code, ErrorCode::Git | ErrorCode::Corrupt)
}

/// The successive contents of a file, newest first, and the snapshots whose trees cannot be read. Compares the entries of
/// trees and reads no file.
async fn versions(
    host: &Host,
    newest_first: impl Iterator<Item = SnapshotInfo>,
    file: &str,
) -> Result<(Vec<Version>, Vec<String>), Error> {
    let (mut versions, mut unread, mut seen): (Vec<Version>, _, _) = (Vec::new(), Vec::new(), SeenTrees::new());
    for since in newest_first {
        let blob = match blob_at(host, &since.tree, file, &mut seen).await {
            Err(error) if !is_transient(&error) => {
                unread.push(since.tag);
                continue;
            }
            blob => blob?,
        };
        match versions.last_mut().filter(|newer| newer.blob == blob) {
            Some(same) => same.since = since,
            None => versions.push(Version { blob, since }),
        }
    }
    Ok((versions, unread))
}

async fn size(host: &Host, oid: &str) -> Result<u64, Error> {
    let Some(git) = host.git.as_deref() else { return Ok(0) };
    Ok(git.read_blob(oid).await?.len() as u64)
}

/// How many snapshots are compared.
const SNAPSHOTS_MAX: usize = 500;
/// How many versions are listed, and read for their size.
const LISTED_MAX: usize = 20;
/// Of how many older versions the tags are listed.
const TAGS_MAX: usize = 200;

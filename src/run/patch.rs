//! What changed between two states, as a patch that `git apply` accepts: also links, renames, modes and files that are not text.

use super::diff::{hunks, text};
use crate::error::Error;
use crate::port::Host;
use crate::snapshot::{Change, Contents, Entry, FileChange, Mode, is_comparable, stored_zlib};
use std::fmt::Write;

/// # Errors
/// Errors of the ports.
pub(super) async fn patch(
    host: &Host,
    before: &Contents,
    after: &Contents,
    changes: &[FileChange],
) -> Result<String, Error> {
    let mut patch = String::new();
    for FileChange { path, from, change } in changes {
        let from = from.as_deref().unwrap_or(path);
        let old = (*change != Change::Added).then(|| before.entry(from)).flatten();
        let new = (*change != Change::Deleted).then(|| after.entry(path)).flatten();
        let (before, after) = (before.read(host, from).await?, after.read(host, path).await?);
        let of_old = (from, old, before.as_deref().unwrap_or_default());
        let of_new = (path.as_str(), new, after.as_deref().unwrap_or_default());
        // Git has no patch that makes a link of a file.
        if old.zip(new).is_some_and(|(old, new)| (old.mode == Mode::Symlink) != (new.mode == Mode::Symlink)) {
            push(&mut patch, of_old, (from, None, &[]));
            push(&mut patch, (path, None, &[]), of_new);
        } else {
            push(&mut patch, of_old, of_new);
        }
        host.project().pause().await;
    }
    Ok(patch)
}

/// A state of a file: its path, its entry unless there is none, and its bytes.
type State<'a> = (&'a str, Option<Entry>, &'a [u8]);

fn push(patch: &mut String, (from, old, before): State<'_>, (path, new, after): State<'_>) {
    let (before, after) = (if old.is_some() { before } else { &[] }, if new.is_some() { after } else { &[] });
    let [a, b] = [quoted("a/", from), quoted("b/", path)];
    let mode = |entry: Entry| entry.mode.as_str();
    let id = |entry: Option<Entry>| entry.map_or("0".repeat(40), |entry| entry.oid.to_string());
    let mut lines = vec![format!("diff --git {a} {b}")];
    let mut kept = String::new();
    match (old, new) {
        (Some(old), Some(new)) if old.mode == new.mode => kept = format!(" {}", mode(new)),
        (Some(old), Some(new)) => lines.extend([format!("old mode {}", mode(old)), format!("new mode {}", mode(new))]),
        (None, Some(new)) => lines.push(format!("new file mode {}", mode(new))),
        (Some(old), None) => lines.push(format!("deleted file mode {}", mode(old))),
        (None, None) => return,
    }
    if from != path && old.is_some() && new.is_some() {
        lines.extend([format!("rename from {}", quoted("", from)), format!("rename to {}", quoted("", path))]);
    }
    if before != after || old.is_none() || new.is_none() {
        lines.push(format!("index {}..{}{kept}", id(old), id(new)));
    }
    patch.push_str(&lines.join("\n"));
    patch.push('\n');
    if before == after {
        return;
    }
    let name = |name: &str, entry: Option<Entry>| match entry {
        // As git does, because a name may end with what looks like a time.
        Some(_) => format!("{name}{}", if name.contains(' ') { "\t" } else { "" }),
        None => "/dev/null".to_owned(),
    };
    match text(before).zip(text(after)).filter(|_| is_comparable(before) && is_comparable(after)) {
        Some((before, after)) => {
            let _ = write!(patch, "--- {}\n+++ {}\n{}", name(&a, old), name(&b, new), hunks(before, after));
        }
        None => {
            patch.push_str("GIT binary patch\n");
            push_literal(patch, after);
            push_literal(patch, before);
        }
    }
}

/// A path as git writes it in patches.
fn quoted(prefix: &str, path: &str) -> String {
    let mut quoted = String::from(prefix);
    let mut needs_quotes = false;
    for c in path.chars() {
        needs_quotes |= c.is_ascii_control() || matches!(c, '"' | '\\');
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_ascii_control() => quoted.push_str(&format!("\\{:03o}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    if needs_quotes { format!("\"{quoted}\"") } else { quoted }
}

/// The bytes of a line of a binary patch.
const LINE: usize = 52;

/// Whole contents, as git writes them in binary patches: a zlib stream in base 85.
fn push_literal(patch: &mut String, bytes: &[u8]) {
    let _ = writeln!(patch, "literal {}", bytes.len());
    for line in stored_zlib(bytes).chunks(LINE) {
        let count = u8::try_from(line.len()).unwrap_or_default();
        patch.push(char::from(if count <= 26 { b'A' + count - 1 } else { b'a' + count - 27 }));
        for group in line.chunks(4) {
            let word = (0..4).fold(0_u32, |word, at| word << 8 | group.get(at).copied().map_or(0, u32::from));
            let digit =
                |power: u32| ALPHABET.get((word / 85_u32.pow(power) % 85) as usize).copied().map_or('0', char::from);
            patch.extend([4, 3, 2, 1, 0].map(digit));
        }
        patch.push('\n');
    }
    patch.push('\n');
}

/// The digits of git's base 85.
const ALPHABET: &[u8; 85] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
#[expect(clippy::disallowed_methods, reason = "the judge is git itself")]
mod tests {
    use super::*;
    use crate::port::GitPort;
    use crate::port::memory::MemoryHost;
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;
    use std::process::{Command, Output};

    type Files = BTreeMap<&'static str, (Mode, Vec<u8>)>;

    async fn contents(host: &MemoryHost, files: &Files) -> Contents {
        let mut manifest = crate::snapshot::Manifest::new();
        for (path, (mode, bytes)) in files {
            let oid = host.git.as_ref().unwrap().write_blob(bytes).await.unwrap();
            manifest.insert((*path).to_owned(), Entry::try_from(format!("{} {oid}", mode.as_str())).unwrap());
        }
        Contents::from(manifest)
    }

    fn git(folder: &Path, args: &[&str]) -> Output {
        Command::new("git").args(args).current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap()
    }

    fn put(folder: &Path, files: &Files) {
        for (path, (mode, bytes)) in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            match mode {
                Mode::Symlink => symlink(String::from_utf8_lossy(bytes).as_ref(), &path).unwrap(),
                mode => {
                    fs::write(&path, bytes).unwrap();
                    let bits = if *mode == Mode::Executable { 0o755 } else { 0o644 };
                    fs::set_permissions(&path, fs::Permissions::from_mode(bits)).unwrap();
                }
            }
        }
    }

    /// The tree that git makes of the folder.
    fn tree(folder: &Path) -> String {
        git(folder, &["add", "-A", "-f", "."]);
        String::from_utf8(git(folder, &["write-tree"]).stdout).unwrap()
    }

    fn files(of: &[(&'static str, Mode, &[u8])]) -> Files {
        of.iter().map(|(path, mode, bytes)| (*path, (*mode, bytes.to_vec()))).collect()
    }

    #[tokio::test]
    async fn git_applies_a_patch_and_takes_it_back() {
        use Mode::{Executable, File, Symlink};
        let binary: Vec<u8> = (0..70_000_u32).flat_map(u32::to_le_bytes).collect();
        let long = "a line\n".repeat(30_000);
        let before = files(&[
            ("binary.png", File, b"\0one"),
            ("changed.ts", File, b"one\ntwo\nthree\nfour\nfive\nsix\nseven\n"),
            ("crlf.txt", File, b"a\r\nb\r\n"),
            ("deleted.ts", File, b"gone"),
            ("emptied", File, b"x\n"),
            ("empty", File, b""),
            ("file-to-link", File, b"text\n"),
            ("link", Symlink, b"changed.ts"),
            ("link-to-file", Symlink, b"changed.ts"),
            ("long.txt", File, b"short\n"),
            ("mode.sh", File, b"echo\n"),
            ("moved binary.bin", File, b"\0moved"),
            ("moved.ts", File, b"the same\nlines\n"),
            ("no-end", File, b"a\nb"),
            ("gone-link", Symlink, b"../nowhere"),
        ]);
        let after = files(&[
            ("binary.png", File, &binary),
            ("changed.ts", File, b"zero\none\ntwo\nthree\nfour\nfive\nsix\n7\n"),
            ("crlf.txt", File, b"a\r\nc\r\n"),
            ("emptied", File, b""),
            ("empty", File, b"no longer"),
            ("file-to-link", Symlink, b"mode.sh"),
            ("folder/new binary", File, b"\xff\xfe\0"),
            ("folder/new empty", File, b""),
            ("folder/new.ts", Executable, b"new\n"),
            ("link", Symlink, b"mode.sh"),
            ("link-to-file", File, b"text\n"),
            ("long.txt", File, long.as_bytes()),
            ("mode.sh", Executable, b"echo\n"),
            ("no-end", File, b"a\nb\nc"),
            ("odd \"name\"\t\u{e9}.ts", File, b"odd\n"),
            ("to/moved binary.bin", File, b"\0moved"),
            ("to/moved.ts", Executable, b"the same\nlines\n"),
        ]);
        let host = MemoryHost::new([]);
        host.git.as_ref().unwrap().init().await.unwrap();
        let (saved, now) = (contents(&host, &before).await, contents(&host, &after).await);
        let paths: BTreeSet<String> = before.keys().chain(after.keys()).map(|path| (*path).to_owned()).collect();
        let changes = saved.changes_at(&now, &paths);
        assert!(changes.iter().any(|change| change.change == Change::Renamed));
        let patch = patch(&host, &saved, &now, &changes).await.unwrap();

        let root = std::env::temp_dir().join(format!("loopgate-patch-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let [old, new] = ["old", "new"].map(|name| root.join(name));
        for (folder, files) in [(&old, &before), (&new, &after)] {
            fs::create_dir_all(folder).unwrap();
            git(folder, &["init", "-q"]);
            put(folder, files);
        }
        fs::write(root.join("changes.patch"), &patch).unwrap();
        let first = tree(&old);
        let apply = |args: &[&str]| {
            let output = git(&old, args);
            assert!(output.status.success(), "{}\n{patch:.3000}", String::from_utf8_lossy(&output.stderr));
            tree(&old)
        };
        assert_eq!(apply(&["apply", "../changes.patch"]), tree(&new));
        let back = apply(&["apply", "-R", "../changes.patch"]);
        let differing = git(&old, &["diff-tree", "-r", "--name-only", first.trim(), back.trim()]).stdout;
        // Git makes a file of a deleted link that it brings back, also with a patch of its own.
        let is_link = |line: &str| ["gone-link", "link-to-file"].contains(&line);
        assert!(String::from_utf8(differing).unwrap().lines().all(is_link));
        let _ = fs::remove_dir_all(&root);
    }
}

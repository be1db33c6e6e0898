//! Calls at the same time.
#![cfg(not(target_family = "wasm"))]

use super::*;
use crate::port::Phase;
use crate::port::memory::MemoryFs;
use async_trait::async_trait;
use futures_util::future::{join, select};
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

static BUILD: Rights = Rights::task(Phase::Build, true);

/// A file system whose moves and writes take much longer than its other calls.
struct Slow<'a> {
    fs: MemoryFs,
    /// What others do before a move is performed.
    meanwhile: &'a dyn Fn(&MemoryFs),
    /// What others do after it.
    afterwards: &'a dyn Fn(&MemoryFs),
    /// Where moves led to.
    moves: RefCell<Vec<String>>,
}

fn slow(fs: &MemoryFs) -> Slow<'static> {
    Slow { fs: fs.clone(), meanwhile: &|_| {}, afterwards: &|_| {}, moves: RefCell::default() }
}

/// Other tasks go on so many times.
async fn steps(count: usize) {
    let mut left = count;
    poll_fn(|context| {
        context.waker().wake_by_ref();
        left = left.saturating_sub(1);
        if left == 0 { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

const LONG: usize = 1000;

#[async_trait(?Send)]

impl FsPort for Slow<'_> {
    fn support(&self) -> FsSupport {
        self.fs.support()
    }

    async fn read_file(&self, path: &str) -> PortResult<Vec<u8>> {
        steps(2 * LONG).await;
        self.fs.read_file(path).await
    }

    async fn write_file(&self, path: &str, bytes: &[u8]) -> PortResult<()> {
        steps(LONG * bytes.len()).await;
        self.fs.write_file(path, bytes).await
    }

    async fn read_dir(&self, path: &str) -> PortResult<Vec<String>> {
        self.fs.read_dir(path).await
    }

    async fn make_dir(&self, path: &str) -> PortResult<()> {
        self.fs.make_dir(path).await
    }

    async fn remove_dir(&self, path: &str) -> PortResult<()> {
        self.fs.remove_dir(path).await
    }

    async fn remove_file(&self, path: &str) -> PortResult<()> {
        self.fs.remove_file(path).await
    }

    async fn rename(&self, from: &str, to: &str) -> PortResult<()> {
        steps(LONG).await;
        (self.meanwhile)(&self.fs);
        self.moves.borrow_mut().push(to.to_owned());
        self.fs.rename(from, to).await?;
        (self.afterwards)(&self.fs);
        steps(2 * LONG).await;
        Ok(())
    }

    async fn lstat(&self, path: &str) -> PortResult<Stat> {
        self.fs.lstat(path).await
    }

    async fn read_link(&self, path: &str) -> PortResult<String> {
        self.fs.read_link(path).await
    }

    async fn symlink(&self, target: &str, path: &str) -> PortResult<()> {
        steps(LONG).await;
        self.fs.symlink(target, path).await
    }

    async fn chmod(&self, path: &str, mode: u32) -> PortResult<()> {
        self.fs.chmod(path, mode).await
    }

    async fn flush(&self) -> PortResult<()> {
        self.fs.flush().await
    }
}

/// A link that leads to a file of the project from where it is, and outside from a folder above.
fn project() -> MemoryFs {
    let fs = MemoryFs::default();
    fs.put("/secret", "secret");
    fs.put("/project/secret", "mine");
    fs.put("/project/a/b/file", "a");
    fs.put("/project/c/d/file", "c");
    fs.put_link("/project/a/b/link", "../../secret");
    fs
}

fn guarded<'a, 'b>(fs: &'a Slow<'b>) -> GuardedFs<'a> {
    GuardedFs::new(fs, "/project", &BUILD)
}

#[tokio::test]
async fn a_folder_that_gets_a_link_meanwhile_is_checked_with_the_link() {
    let fs = slow(&project());
    let guarded = guarded(&fs);
    // Each move is allowed on its own.
    let (link, folder) = join(guarded.rename("a/b/link", "c/d/link"), guarded.rename("c/d", "up")).await;
    assert!(link.is_ok(), "{link:?}");
    assert_eq!(folder.unwrap_err().kind, PortErrorKind::Denied);
    assert_eq!(fs.fs.read_link("/project/c/d/link").await.unwrap(), "../../secret");
    assert_eq!(fs.moves.take(), ["/project/c/d/link"]);
}

#[tokio::test]
async fn a_move_that_brings_a_link_to_a_closed_path_is_undone() {
    let disk = project();
    let is_there = || disk.text("/project/c/d/file").is_some();
    let plant = |fs: &MemoryFs| {
        if is_there() {
            fs.put_link("/project/c/d/new", "../../secret")
        }
    };
    let fs = Slow { meanwhile: &plant, ..slow(&disk) };
    let guarded = guarded(&fs);
    let error = guarded.rename("c/d", "up").await.unwrap_err();
    assert!(error.kind == PortErrorKind::Denied && error.message.contains("up/new"), "{error:?}");
    assert!(fs.fs.lstat("/project/up").await.is_err());
    assert_eq!(fs.fs.text("/project/c/d/file").as_deref(), Some("c"));
}

#[tokio::test]
async fn a_link_to_a_closed_path_is_removed_if_its_move_cannot_be_undone() {
    let disk = project();
    let fs = Slow {
        meanwhile: &|fs| fs.put_link("/project/c/d/new", "../../secret"),
        afterwards: &|fs| fs.put("/project/c/d", "theirs"),
        ..slow(&disk)
    };
    let guarded = guarded(&fs);
    let error = guarded.rename("c/d", "up").await.unwrap_err();
    assert!(error.message.contains("up/new"), "{error:?}");
    assert!(fs.fs.lstat("/project/up/new").await.is_err());
    assert_eq!(fs.fs.text("/project/up/file").as_deref(), Some("c"));
    assert_eq!(fs.fs.text("/project/c/d").as_deref(), Some("theirs"));
}

#[tokio::test]
async fn a_read_follows_no_link_that_a_move_brings_meanwhile() {
    let disk = project();
    disk.put("/project/file", "mine");
    let fs = Slow {
        // The entry that moves becomes a link in the middle of the move.
        meanwhile: &|fs| {
            fs.delete("/project/a/b/file");
            fs.put_link("/project/a/b/file", "../secret");
        },
        ..slow(&disk)
    };
    let guarded = guarded(&fs);
    let (read, moved) = join(guarded.read_file("file"), guarded.rename("a/b/file", "file")).await;
    assert!(moved.is_err(), "the link leads outside from there");
    assert!(read.is_err() || read.is_ok_and(|bytes| bytes != b"secret"));
}

#[tokio::test]
async fn a_failed_or_dropped_change_frees_the_next_one() {
    let fs = slow(&project());
    let guarded = guarded(&fs);
    let (failed, written) = join(guarded.rename("missing", "b"), guarded.write_file("new", b"1")).await;
    assert!(failed.is_err() && written.is_ok(), "{written:?}");
    // The move never ends: it is dropped after a few steps.
    drop(select(pin!(guarded.rename("a/b", "e")), pin!(steps(10))).await);
    guarded.write_file("new", b"2").await.unwrap();
    assert_eq!(fs.fs.text("/project/new").as_deref(), Some("2"));
}

#[tokio::test]
async fn writes_of_one_file_end_in_the_order_in_which_they_began() {
    let fs = slow(&project());
    let guarded = guarded(&fs);
    let (first, second) =
        join(guarded.write_file("new", b"first and long"), guarded.write_file("new", b"second")).await;
    assert!(first.is_ok() && second.is_ok());
    assert_eq!(fs.fs.text("/project/new").as_deref(), Some("second"));
}

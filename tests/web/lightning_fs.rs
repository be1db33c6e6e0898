//! Every method of the file system port with the real LightningFS.

use crate::support::{lightning_fs, reopened};
use loopgate::port::{FileKind, FsPort, PortErrorKind, PortResult};
use loopgate::wasm::JsFs;
use wasm_bindgen_test::wasm_bindgen_test;

async fn fs() -> JsFs {
    JsFs::new(&lightning_fs().await).unwrap()
}

fn kind<T: std::fmt::Debug>(result: PortResult<T>) -> PortErrorKind {
    result.unwrap_err().kind
}

#[wasm_bindgen_test]
async fn an_instance_and_its_promises_are_both_accepted() {
    let instance = lightning_fs().await;
    let (instance, promises) =
        (JsFs::new(&instance).unwrap(), JsFs::new(&crate::support::get(&instance, "promises")).unwrap());
    instance.write_file("/a", b"1").await.unwrap();
    assert_eq!(promises.read_file("/a").await.unwrap(), b"1");
    assert!(instance.support().symlinks);
    assert!(instance.support().chmod);
}

#[wasm_bindgen_test]
async fn bytes_are_read_back_unchanged() {
    let fs = fs().await;
    let all: Vec<u8> = (0..=255).collect();
    for bytes in [&all[..], b"", b"shorter"] {
        fs.write_file("/bytes", bytes).await.unwrap();
        assert_eq!(fs.read_file("/bytes").await.unwrap(), bytes);
        assert_eq!(fs.lstat("/bytes").await.unwrap().size, bytes.len() as u64);
    }
}

#[wasm_bindgen_test]
async fn reading_a_missing_file_or_a_folder_fails_with_its_kind() {
    let fs = fs().await;
    fs.make_dir("/folder").await.unwrap();
    let missing = fs.read_file("/no/such").await.unwrap_err();
    assert_eq!((missing.kind, missing.path.as_deref()), (PortErrorKind::NotFound, Some("/no/such")));
    assert!(missing.to_string().starts_with("fs.readFile of /no/such failed: ENOENT"), "{missing}");
    assert_eq!(kind(fs.read_file("/folder").await), PortErrorKind::IsDirectory);
}

#[wasm_bindgen_test]
async fn writing_needs_an_existing_parent_and_replaces_no_folder() {
    let fs = fs().await;
    assert_eq!(kind(fs.write_file("/no/file", b"").await), PortErrorKind::NotFound);
    fs.make_dir("/folder").await.unwrap();
    assert_eq!(kind(fs.write_file("/folder", b"").await), PortErrorKind::IsDirectory);
}

#[wasm_bindgen_test]
async fn folders_are_created_listed_and_removed() {
    let fs = fs().await;
    fs.make_dir("/d").await.unwrap();
    assert_eq!(kind(fs.make_dir("/d").await), PortErrorKind::Exists);
    assert_eq!(kind(fs.make_dir("/no/d").await), PortErrorKind::NotFound);
    fs.write_file("/d/ö 🦀.txt", b"1").await.unwrap();
    fs.make_dir("/d/e").await.unwrap();
    let mut names = fs.read_dir("/d").await.unwrap();
    names.sort();
    assert_eq!(names, ["e", "ö 🦀.txt"]);
    assert_eq!(kind(fs.read_dir("/no").await), PortErrorKind::NotFound);
    assert_eq!(kind(fs.read_dir("/d/ö 🦀.txt").await), PortErrorKind::NotDirectory);
    assert_eq!(kind(fs.remove_dir("/d").await), PortErrorKind::NotEmpty);
    assert_eq!(kind(fs.remove_dir("/d/ö 🦀.txt").await), PortErrorKind::NotDirectory);
    assert_eq!(kind(fs.remove_dir("/no").await), PortErrorKind::NotFound);
    fs.remove_dir("/d/e").await.unwrap();
    assert_eq!(fs.read_dir("/d").await.unwrap(), ["ö 🦀.txt"]);
}

#[wasm_bindgen_test]
async fn removing_a_file_never_removes_a_folder() {
    let fs = fs().await;
    fs.make_dir("/d").await.unwrap();
    fs.write_file("/d/kept", b"1").await.unwrap();
    assert_eq!(kind(fs.remove_file("/d").await), PortErrorKind::IsDirectory);
    assert_eq!(fs.read_file("/d/kept").await.unwrap(), b"1");
    fs.remove_file("/d/kept").await.unwrap();
    assert_eq!(kind(fs.remove_file("/d/kept").await), PortErrorKind::NotFound);
}

#[wasm_bindgen_test]
async fn renaming_replaces_files_and_moves_folders() {
    let fs = fs().await;
    fs.make_dir("/d").await.unwrap();
    fs.write_file("/d/a", b"a").await.unwrap();
    fs.write_file("/b", b"b").await.unwrap();
    fs.rename("/d/a", "/b").await.unwrap();
    assert_eq!(fs.read_file("/b").await.unwrap(), b"a");
    fs.rename("/b", "/d/c").await.unwrap();
    fs.rename("/d", "/e").await.unwrap();
    assert_eq!(fs.read_file("/e/c").await.unwrap(), b"a");
    assert_eq!(kind(fs.lstat("/d").await), PortErrorKind::NotFound);
    assert_eq!(kind(fs.rename("/no", "/x").await), PortErrorKind::NotFound);
    assert_eq!(kind(fs.rename("/e/c", "/no/x").await), PortErrorKind::NotFound);
}

#[wasm_bindgen_test]
async fn renaming_loses_nothing() {
    let fs = fs().await;
    fs.make_dir("/d").await.unwrap();
    fs.write_file("/d/kept", b"1").await.unwrap();
    fs.write_file("/a", b"a").await.unwrap();
    fs.rename("/a", "/a").await.unwrap();
    assert_eq!(fs.read_file("/a").await.unwrap(), b"a");
    assert_eq!(kind(fs.rename("/a", "/d").await), PortErrorKind::IsDirectory);
    assert_eq!(kind(fs.rename("/d", "/d/e").await), PortErrorKind::Other);
    assert_eq!(fs.read_file("/d/kept").await.unwrap(), b"1");
}

#[wasm_bindgen_test]
async fn links_are_distinguished_from_their_targets() {
    let fs = fs().await;
    fs.write_file("/target", b"1234").await.unwrap();
    fs.symlink("target", "/link").await.unwrap();
    assert_eq!(fs.lstat("/link").await.unwrap().kind, FileKind::Symlink);
    assert_eq!(fs.read_link("/link").await.unwrap(), "target");
    assert_eq!(fs.read_file("/link").await.unwrap(), b"1234");
    assert_eq!(kind(fs.read_link("/target").await), PortErrorKind::Other);
    assert_eq!(kind(fs.symlink("x", "/target").await), PortErrorKind::Exists);
    fs.rename("/link", "/moved").await.unwrap();
    assert_eq!(fs.read_link("/moved").await.unwrap(), "target");
    assert_eq!(kind(fs.lstat("/link").await), PortErrorKind::NotFound);
    fs.remove_file("/moved").await.unwrap();
    assert_eq!(fs.read_file("/target").await.unwrap(), b"1234");
}

#[wasm_bindgen_test]
async fn stats_have_kind_time_and_mode() {
    let fs = fs().await;
    fs.write_file("/tool.sh", b"#!/bin/sh").await.unwrap();
    let stat = fs.lstat("/tool.sh").await.unwrap();
    assert_eq!((stat.kind, stat.size, stat.is_executable()), (FileKind::File, 9, false));
    assert!(stat.mtime_ms > 1.6e12);
    fs.chmod("/tool.sh", 0o755).await.unwrap();
    assert!(fs.lstat("/tool.sh").await.unwrap().is_executable());
    fs.make_dir("/d").await.unwrap();
    assert_eq!(fs.lstat("/d").await.unwrap().kind, FileKind::Directory);
}

#[wasm_bindgen_test]
async fn a_listing_has_the_kind_of_every_entry() {
    let fs = fs().await;
    fs.make_dir("/d").await.unwrap();
    assert_eq!(fs.list("/d").await.unwrap(), None, "an empty folder has no listing");
    fs.write_file("/d/ö 🦀.txt", b"1234").await.unwrap();
    fs.make_dir("/d/e").await.unwrap();
    fs.symlink("nowhere", "/d/link").await.unwrap();
    fs.chmod("/d/ö 🦀.txt", 0o755).await.unwrap();
    let mut listed = fs.list("/d").await.unwrap().unwrap();
    listed.sort_by(|(a, _), (b, _)| a.cmp(b));
    let names: Vec<&str> = listed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["e", "link", "ö 🦀.txt"]);
    for (name, stat) in &listed {
        assert_eq!(*stat, fs.lstat(&format!("/d/{name}")).await.unwrap(), "{name}");
    }
    assert_eq!(fs.list("/no").await.unwrap(), None);
}

#[wasm_bindgen_test]
async fn flushed_files_survive_a_reload() {
    let instance = lightning_fs().await;
    let fs = JsFs::new(&instance).unwrap();
    fs.write_file("/durable", b"1").await.unwrap();
    fs.flush().await.unwrap();
    let again = JsFs::new(&reopened(&instance).await).unwrap();
    assert_eq!(again.read_file("/durable").await.unwrap(), b"1");
}

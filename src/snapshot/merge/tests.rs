//! Merges of texts, line by line, and of whole files.

use super::*;

fn merged(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let lines = |text: &str| text.chars().map(|line| format!("{line}\n")).collect::<String>();
    let merged = merge(lines(base).as_bytes(), lines(ours).as_bytes(), lines(theirs).as_bytes())?;
    Some(String::from_utf8(merged).unwrap().replace('\n', ""))
}

#[test]
fn changes_of_different_lines_merge_and_others_do_not() {
    let table = [
        ("abcde", "abcde", "abcde", Some("abcde")),
        ("abcde", "Abcde", "abcdE", Some("AbcdE")),
        ("abcde", "abcdE", "Abcde", Some("AbcdE")),
        ("abcde", "bcde", "abcdexy", Some("bcdexy")),
        ("abcde", "abXYcde", "abcd", Some("abXYcd")),
        ("abcde", "XYabcde", "abcZe", Some("XYabcZe")),
        ("abcdefghi", "aBcdeFghi", "abcDefgHi", Some("aBcDeFgHi")),
        ("abcdefghi", "XbcdefghY", "abcdZefghi", Some("XbcdZefghY")),
        // The same change on both sides.
        ("abcde", "abXde", "abXde", Some("abXde")),
        ("abcde", "abXde", "abXdE", Some("abXdE")),
        ("", "a", "a", Some("a")),
        // The same line, adjacent lines, two insertions at one place, a deleted line that was changed.
        ("abcde", "abXde", "abYde", None),
        ("abcde", "abXde", "abcYe", None),
        ("abcde", "abXcde", "abYcde", None),
        ("abcde", "abde", "abYde", None),
        ("", "a", "b", None),
        ("abc", "", "abC", None),
    ];
    for (base, ours, theirs, expected) in table {
        assert_eq!(merged(base, ours, theirs).as_deref(), expected, "{base} {ours} {theirs}");
    }
}

#[test]
fn a_missing_line_end_and_other_line_ends_are_kept() {
    assert_eq!(merge(b"a\r\nb\nc", b"A\r\nb\nc", b"a\r\nb\nC").as_deref(), Some(&b"A\r\nb\nC"[..]));
    assert_eq!(merge(b"a\nb\nc\n", b"A\nb\nc\n", b"a\nb\nc").as_deref(), Some(&b"A\nb\nc"[..]));
}

#[test]
fn line_ends_alone_do_not_prevent_a_merge() {
    let table: [(&str, &str, &str, Option<&str>); 8] = [
        // The working tree has CRLF, and the agent writes either.
        ("a\r\nb\r\nc\r\n", "a\nb\nc\n", "a\r\nB\r\nc\r\n", Some("a\nB\nc\n")),
        ("a\r\nb\r\nc\r\n", "a\nb\nc\n", "a\nB\nc\n", Some("a\nB\nc\n")),
        ("a\nb\nc\n", "a\r\nb\r\nc\r\n", "a\nB\nc\nd", Some("a\r\nB\r\nc\r\nd")),
        // The user changed a line, too.
        ("A\r\n-\r\nb\r\n", "a\n-\nb\n", "A\r\n-\r\nB\r\n", Some("a\n-\nB\n")),
        ("A\r\nb\r\n", "a\nb\n", "AB\r\nb\r\n", None),
        // The agent changed all line ends.
        ("A\n-\nb\n", "a\n-\nb\n", "A\r\n-\r\nB\r\n", Some("a\n-\nB\n")),
        // HEAD has both.
        ("a\nb\nc\n", "a\r\nb\nc\r\n", "a\nb\nnew\nc\n", Some("a\r\nb\nnew\r\nc\r\n")),
        // The line ends are as in HEAD, so the agent's count.
        ("A\n-\nb\n", "a\n-\nb\n", "A\n-\nB\r\n", Some("a\n-\nB\r\n")),
    ];
    for (base, ours, theirs, expected) in table {
        let merged = merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
        assert_eq!(merged.as_deref(), expected.map(str::as_bytes), "{base:?} {ours:?} {theirs:?}");
    }
}

#[test]
fn binary_and_large_files_are_not_merged() {
    assert_eq!(merge(b"a\0", b"a\0b", b"a\0c"), None);
    assert_eq!(merge(b"a\0\r\n", b"a\0\n", b"a\0c"), None, "these are not line ends");
    let [base, ours, theirs] = ["x", "y", "z"].map(|end| ["x".repeat(SIZE_MAX), end.to_owned()].join("\n"));
    assert_eq!(merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes()), None);
}

#[test]
fn any_change_of_a_file_with_other_line_ends_is_taken() {
    let lines = "line\n".repeat(SIZE_MAX / 5 + 1);
    let crlf = lines.replace('\n', "\r\n");
    let [shorter, shorter_crlf] = [&lines, &crlf].map(|text| text.split_once('\n').unwrap().1.as_bytes());
    assert_eq!(merge(crlf.as_bytes(), lines.as_bytes(), shorter_crlf).as_deref(), Some(shorter));
    assert_eq!(merge(lines.as_bytes(), crlf.as_bytes(), shorter).as_deref(), Some(shorter_crlf));
    assert_eq!(merge(b"a\r\n", b"a\n", b"\0\r\n").as_deref(), Some(&b"\0\r\n"[..]));
}

#[cfg(not(target_family = "wasm"))]
mod entries {
    use super::*;
    use crate::port::GitPort;
    use crate::port::memory::MemoryHost;
    use Mode::{Executable, File, Submodule, Symlink};

    type State = Option<(Mode, &'static str)>;

    async fn entry(host: &MemoryHost, state: State) -> Option<Entry> {
        let (mode, text) = state?;
        host.git.as_ref().unwrap().write_blob(text.as_bytes()).await.unwrap();
        Some(Entry { mode, oid: Oid::of_blob(text.as_bytes()) })
    }

    /// Merges each row: the base, ours, theirs, and the result; `None` for a conflict. Every result is stored.
    async fn check(table: &[(State, State, State, Option<State>)]) {
        for (base, ours, theirs, expected) in table {
            let host = MemoryHost::new([]);
            let [base, ours, theirs] =
                [entry(&host, *base).await, entry(&host, *ours).await, entry(&host, *theirs).await];
            let merged = merge_entries(&host, base, ours, theirs).await.unwrap();
            if let Some(Some(merged)) = merged {
                assert!(read_blob(host.git.as_ref().unwrap(), &merged.oid.to_string()).await.is_ok());
            }
            let expected = match expected {
                Some(expected) => Some(entry(&host, *expected).await),
                None => None,
            };
            assert_eq!(merged, expected, "{base:?} {ours:?} {theirs:?}");
        }
    }

    #[tokio::test]
    async fn modes_and_contents_merge_on_their_own() {
        let file = |mode, text| Some((mode, text));
        check(&[
            (file(File, "b"), file(File, "1"), file(Executable, "b"), Some(file(Executable, "1"))),
            (file(Executable, "b"), file(Executable, "1"), file(File, "b"), Some(file(File, "1"))),
            (file(Executable, "1"), file(File, "1"), file(Executable, "2"), Some(file(File, "2"))),
            (file(File, "1"), file(Executable, "1"), file(File, "2\0"), Some(file(Executable, "2\0"))),
            (
                file(Executable, "b\n-\n3\n"),
                file(File, "1\n-\n3\n"),
                file(Executable, "b\n-\n4\n"),
                Some(file(File, "1\n-\n4\n")),
            ),
            (
                file(File, "b\n-\n3\n"),
                file(File, "1\n-\n3\n"),
                file(Executable, "b\n-\n4\n"),
                Some(file(Executable, "1\n-\n4\n")),
            ),
            // Both sides changed the content.
            (file(File, "b"), file(Executable, "1"), file(Executable, "2"), None),
        ])
        .await;
    }

    #[tokio::test]
    async fn a_file_that_one_side_left_is_that_of_the_other_whatever_it_is() {
        let states = [None, Some((File, "1")), Some((File, "2\0")), Some((Symlink, "1")), Some((Submodule, "1"))];
        let mut table = Vec::new();
        for (base, changed) in states.into_iter().flat_map(|base| states.map(|changed| (base, changed))) {
            table.push((base, base, changed, Some(changed)));
            table.push((base, changed, base, Some(changed)));
            table.push((base, changed, changed, Some(changed)));
        }
        check(&table).await;
    }

    #[tokio::test]
    async fn a_deletion_or_a_link_takes_only_line_ends_of_the_other_side_along() {
        let (lf, crlf, other) = (Some((File, "1\n2\n")), Some((File, "1\r\n2\r\n")), Some((File, "1\n")));
        let (link, executable) = (Some((Symlink, "to")), Some((Executable, "1\n2\n")));
        for theirs in [None, link] {
            check(&[
                (crlf, lf, theirs, Some(theirs)),
                (lf, crlf, theirs, Some(theirs)),
                (lf, other, theirs, None),
                (executable, lf, theirs, None),
                (lf, Some((Symlink, "1\n2\n")), theirs, None),
                (lf, None, theirs, if theirs.is_none() { Some(None) } else { None }),
                (None, lf, theirs, if theirs.is_none() { Some(lf) } else { None }),
            ])
            .await;
        }
        check(&[(lf, None, other, None), (None, lf, other, None), (link, Some((Symlink, "a")), lf, None)]).await;
    }

    #[tokio::test]
    async fn binary_files_and_submodules_are_not_merged() {
        let state = |mode, text| Some((mode, text));
        check(&[
            (state(File, "1\n2\0\n"), state(File, "0\n1\n2\0\n"), state(File, "1\n2\0\n3\n"), None),
            (state(Submodule, "1"), state(Submodule, "2"), state(Submodule, "3"), None),
            (state(File, "1"), state(Submodule, "2"), state(File, "3"), None),
        ])
        .await;
    }

    #[tokio::test]
    async fn a_merge_without_a_stored_state_is_a_conflict() {
        let texts = ["1\n-\n2\n", "3\n-\n2\n", "1\n-\n4\n"];
        for missing in 0..3 {
            let host = MemoryHost::new([]);
            let mut states = Vec::new();
            for (at, text) in texts.into_iter().enumerate() {
                let unstored = Entry { mode: File, oid: Oid::of_blob(text.as_bytes()) };
                let stored = if at == missing { Some(unstored) } else { entry(&host, Some((File, text))).await };
                states.push(stored);
            }
            assert_eq!(merge_entries(&host, states[0], states[1], states[2]).await.unwrap(), None);
            let deleted = merge_entries(&host, states[0], states[1], None).await.unwrap();
            assert_eq!(deleted, None);
        }
    }
}

#[cfg(not(target_family = "wasm"))]
mod properties {
    use super::*;
    use proptest::prelude::*;

    /// A text without CRLF; a carriage return may be in a line.
    const TEXT: &str = "([abc]|\ra|\n){0,30}";

    fn crlf(text: &str) -> String {
        text.replace('\n', "\r\n")
    }

    /// Every second line end is CRLF, from `first` on.
    fn mixed(text: &str, first: usize) -> String {
        let lines = text.split_inclusive('\n').enumerate();
        lines.map(|(at, line)| if at % 2 == first { crlf(line) } else { line.to_owned() }).collect()
    }

    proptest! {
        #[test]
        fn the_agents_change_of_a_file_with_other_line_ends_has_those_of_head(x in TEXT, y in TEXT) {
            prop_assume!(x.contains('\n'));
            let merged = |base: &str, ours: &str, theirs: &str| {
                merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes()).map(|text| String::from_utf8(text).unwrap())
            };
            prop_assert_eq!(merged(&crlf(&x), &x, &crlf(&y)), Some(y.clone()));
            prop_assert_eq!(merged(&crlf(&x), &x, &mixed(&y, 0)), Some(y.clone()));
            prop_assert_eq!(merged(&x, &crlf(&x), &y), Some(crlf(&y)));
            for (base, ours) in [(mixed(&x, 0), mixed(&x, 1)), (crlf(&x), mixed(&x, 0)), (mixed(&x, 1), x.clone())] {
                let merged = merged(&base, &ours, &y).map(|text| text.replace("\r\n", "\n"));
                prop_assert_eq!(merged, Some(y.clone()));
            }
        }

        #[test]
        fn a_merge_with_an_unchanged_side_is_the_other_side(base in "[abc\n]{0,40}", changed in "[abc\n]{0,40}") {
            let (base, changed) = (base.as_bytes(), changed.as_bytes());
            prop_assert_eq!(merge(base, base, changed), Some(changed.to_vec()));
            prop_assert_eq!(merge(base, changed, base), Some(changed.to_vec()));
            prop_assert_eq!(merge(base, changed, changed), Some(changed.to_vec()));
        }

        #[test]
        fn a_merge_does_not_depend_on_the_order_of_the_sides(
            base in "([abcdef]\n){0,12}",
            ours in "([abcdef]\n){0,12}",
            theirs in "([abcdef]\n){0,12}",
        ) {
            let (base, ours, theirs) = (base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
            prop_assert_eq!(merge(base, ours, theirs), merge(base, theirs, ours));
        }
    }
}

#[test]
fn files_of_very_many_lines_do_not_merge() {
    let lines = |count| "a\n".repeat(count);
    for (count, merges) in [(1_000, true), (20_001, false)] {
        let (base, ours, theirs) = (lines(count), format!("b\n{}", lines(count)), format!("{}c\n", lines(count)));
        assert_eq!(merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes()).is_some(), merges, "{count}");
    }
}

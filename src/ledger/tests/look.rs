//! What the working tree has and the ledger does not expect.

use super::*;

/// The agent announced these states of the file `src/f`, which has `0`; then it is found as `found`. What is expected: the
/// states before and after the announced write, the call's and the user's.
type Row<'a> = (&'a [Text], bool, Text, [&'a [Text]; 3]);

async fn manifest(host: &MemoryHost, files: &[(&str, &str)]) -> Manifest {
    let mut manifest = Manifest::new();
    for (path, text) in files {
        entry(host, text).await.map(|entry| manifest.insert((*path).to_owned(), entry));
    }
    manifest
}

#[tokio::test]
async fn announced_writes_are_their_authors_up_to_the_last_that_happened() {
    let table: [Row<'_>; 13] = [
        (&[], false, "0", [&[], &[], &[]]),
        (&[], false, "u", [&[], &[], &["0", "u"]]),
        (&[], true, "u", [&[], &["0", "u"], &[]]),
        (&["a"], false, "0", [&[], &[], &[]]),
        (&["a"], false, "a", [&["0", "a"], &[], &[]]),
        (&["a"], true, "a", [&["0", "a"], &[], &[]]),
        (&["a", "b", "c"], false, "b", [&["0", "b"], &[], &[]]),
        (&["a", "b", "c"], true, "c", [&["0", "c"], &[], &[]]),
        (&["a", "b"], false, "u", [&["0", "b"], &[], &["b", "u"]]),
        (&["a", "b"], true, "u", [&["0", "b"], &["b", "u"], &[]]),
        (&["a", "none"], false, "none", [&["0", "none"], &[], &[]]),
        // The user rather edited the file before it was deleted.
        (&["none"], false, "u", [&[], &[], &["0", "u"]]),
        (&["a"], false, "none", [&["0", "a"], &[], &["a", "none"]]),
    ];
    for (announced, is_interrupted, found, [announces, calls, users]) in table {
        let host = MemoryHost::new([]);
        let saved = manifest(&host, &[("src/f", "0"), ("src/other", "0")]).await;
        let (mut ledger, mut before) = (Ledger::default(), "0");
        for after in announced {
            ledger.announce(Agent, &[write(&host, "src/f", before, after).await]);
            before = after;
        }
        let files = manifest(&host, &[("src/f", found), ("src/other", "0")]).await;
        let looked = compare(&ledger, &saved, &files, is_interrupted);
        let mut expected = Look::default();
        for (states, found) in [(calls, &mut expected.call), (users, &mut expected.user)] {
            if let [before, after] = states {
                found.push(write(&host, "src/f", before, after).await);
            }
        }
        if let [before, after] = announces {
            expected.announced.push((Agent, write(&host, "src/f", before, after).await));
        }
        assert_eq!(looked, expected, "{announced:?} {is_interrupted} {found}");

        // What was found is expected.
        for (by, write) in &looked.announced {
            ledger.record(*by, write);
        }
        looked.call.iter().for_each(|write| ledger.record(Agent, write));
        looked.user.iter().for_each(|write| ledger.record(User, write));
        assert_eq!(compare(&ledger, &saved, &files, is_interrupted), Look::default());
    }
}

#[tokio::test]
async fn what_is_recorded_or_failed_is_not_announced() {
    let host = MemoryHost::new([]);
    let saved = manifest(&host, &[("src/f", "0")]).await;
    let users = manifest(&host, &[("src/f", "u")]).await;
    let mut ledger = Ledger::default();
    // Two writes of one call are one record.
    ledger.announce(Agent, &[write(&host, "src/f", "0", "a").await]);
    ledger.announce(Agent, &[write(&host, "src/f", "a", "b").await]);
    ledger.record(Agent, &write(&host, "src/f", "0", "b").await);
    let looked = compare(&ledger, &saved, &users, false);
    assert_eq!((looked.announced, looked.user), (vec![], vec![write(&host, "src/f", "b", "u").await]));

    let mut ledger = Ledger::default();
    ledger.announce(Agent, &[write(&host, "src/f", "0", "a").await]);
    ledger.returned();
    let looked = compare(&ledger, &saved, &users, false);
    assert_eq!((looked.announced, looked.user), (vec![], vec![write(&host, "src/f", "0", "u").await]));
}

#[tokio::test]
async fn a_write_of_the_harness_happened_only_if_its_result_is_there() {
    let host = MemoryHost::new([]);
    let saved = manifest(&host, &[("src/f", "0")]).await;
    let mut ledger = Ledger::default();
    let harness = write(&host, "src/f", "0", "h").await;
    ledger.announce(Harness, std::slice::from_ref(&harness));
    ledger.returned();
    let looked = compare(&ledger, &saved, &manifest(&host, &[("src/f", "h")]).await, false);
    assert_eq!(looked, Look { announced: vec![(Harness, harness)], ..Look::default() });
    let looked = compare(&ledger, &saved, &manifest(&host, &[("src/f", "u")]).await, false);
    assert_eq!(looked, Look { user: vec![write(&host, "src/f", "0", "u").await], ..Look::default() });
}

#[tokio::test]
async fn the_target_of_a_move_comes_before_its_source() {
    let host = MemoryHost::new([]);
    let saved = manifest(&host, &[("src/a", "0"), (".loopgate/lease", "0")]).await;
    let arrival = Write { from: Some("src/a".to_owned()), ..write(&host, "src/b", "none", "0").await };
    let departure = write(&host, "src/a", "0", "none").await;
    let mut ledger = Ledger::default();
    ledger.announce(Agent, &[arrival.clone(), departure.clone()]);
    let files = manifest(&host, &[("src/b", "0"), (".loopgate/lease", "1")]).await;
    let looked = compare(&ledger, &saved, &files, false);
    assert_eq!(looked, Look { announced: vec![(Agent, arrival), (Agent, departure)], ..Look::default() });
}

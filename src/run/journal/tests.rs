//! The journal over a file system that fails.

use super::*;
use crate::port::memory::{Fault, MemoryHost, Torn};
use crate::run::Event;

const FIRST: &str = "/project/.loopgate/journal/run/00000000-1.jsonl";

fn status(text: &str) -> Event {
    Event::Steered { message: text.to_owned() }
}

fn barrier() -> Event {
    Event::PhaseChanged { from: crate::port::Phase::Plan, to: crate::port::Phase::Build, why: String::new() }
}

async fn append(journal: &Journal<'_>, event: Event) -> Result<u64, Error> {
    let envelope = Envelope::new(journal.next_seq(), 1, "run".to_owned(), journal.lease(), event);
    journal.append(&envelope.to_json()?, envelope.event.durability()).await?;
    Ok(envelope.seq)
}

fn lease(host: &MemoryHost, number: u64) -> &Lease<'_> {
    Lease::of_test(host.project(), "run", number)
}

/// A new journal with these messages.
async fn journal<'a>(host: &'a MemoryHost, texts: &[&str]) -> Journal<'a> {
    let journal = Journal::create(lease(host, 1)).await.unwrap();
    for text in texts {
        append(&journal, status(text)).await.unwrap();
    }
    journal
}

async fn read(host: &MemoryHost) -> Result<Found, Error> {
    super::read(host.project(), "run").await
}

fn texts(found: &Found) -> Vec<String> {
    let text = |event: &Event| if let Event::Steered { message } = event { Some(message.clone()) } else { None };
    found.events.iter().filter_map(|envelope| text(&envelope.event)).collect()
}

#[tokio::test]
async fn appended_facts_are_read_in_order_and_continued() {
    let host = MemoryHost::new([]);
    journal(&host, &["a", "b"]).await;
    let (journal, found) = Journal::open(lease(&host, 1)).await.unwrap();
    assert_eq!((texts(&found), journal.next_seq()), (vec!["a".to_owned(), "b".to_owned()], 2));
    assert_eq!(append(&journal, status("c")).await.unwrap(), 2);
    assert_eq!(texts(&read(&host).await.unwrap()), ["a", "b", "c"]);
}

#[tokio::test]
async fn a_run_is_never_begun_twice() {
    let host = MemoryHost::new([]);
    Journal::create(lease(&host, 1)).await.unwrap();
    assert_eq!(Journal::create(lease(&host, 2)).await.err().unwrap().code, ErrorCode::Conflict);
    assert_eq!(super::read(host.project(), "other").await.unwrap_err().code, ErrorCode::NotFound);
}

#[tokio::test]
async fn a_barrier_flushes_and_seals_its_segment() {
    let host = MemoryHost::new([]);
    let journal = journal(&host, &["a"]).await;
    assert_eq!(host.fs.flushes(), 1, "a new segment");
    append(&journal, barrier()).await.unwrap();
    assert_eq!(host.fs.flushes(), 2);
    let sealed = host.fs.text(FIRST);
    append(&journal, status("b")).await.unwrap();
    assert_eq!(host.fs.text(FIRST), sealed);
    assert!(host.text(".loopgate/journal/run/00000002-1.jsonl").is_some());
}

#[tokio::test]
async fn segments_stay_below_their_size() {
    let host = MemoryHost::new([]);
    journal(&host, &["x".repeat(1_000).as_str(); 20]).await;
    let segments = host.fs.tree("/project/.loopgate/journal");
    assert!(segments.len() > 2);
    assert!(segments.values().all(|bytes| bytes.len() <= SEGMENT_BYTES));
    assert_eq!(read(&host).await.unwrap().events.len(), 20);
}

fn changed(path: &str) -> Event {
    let (path, by) = (path.to_owned(), crate::run::ChangedBy::Agent);
    let change = crate::agent::FileChangeKind::Modified;
    Event::FileChanged { path, change, by, from: None, before: None, after: None }
}

#[tokio::test]
async fn lines_that_wait_are_written_with_the_next_one() {
    let host = MemoryHost::new([]);
    let journal = journal(&host, &["a"]).await;
    let writes = host.fs.writes();
    assert_eq!(append(&journal, changed("x")).await.unwrap(), 1);
    assert_eq!(append(&journal, changed("y")).await.unwrap(), 2);
    assert_eq!((host.fs.writes(), read(&host).await.unwrap().events.len()), (writes, 1));
    host.fs.fail_write(0, Fault::Crash);
    append(&journal, status("b")).await.unwrap_err();
    host.fs.heal();
    append(&journal, barrier()).await.unwrap();
    // Two that fail, the segment, its place.
    assert_eq!(host.fs.writes(), writes + 4);
    let seqs: Vec<u64> = read(&host).await.unwrap().events.iter().map(|envelope| envelope.seq).collect();
    assert_eq!(seqs, [0, 1, 2, 3]);
}

#[tokio::test]
async fn lines_that_wait_begin_the_next_segment_if_they_do_not_fit() {
    let host = MemoryHost::new([]);
    let journal = journal(&host, &["x".repeat(SEGMENT_BYTES - 500).as_str()]).await;
    append(&journal, changed(&"y".repeat(400))).await.unwrap();
    append(&journal, status("z")).await.unwrap();
    assert!(host.text(".loopgate/journal/run/00000001-1.jsonl").is_some());
    assert_eq!(read(&host).await.unwrap().events.len(), 3);
}

#[tokio::test]
async fn a_torn_last_line_is_left_out_and_a_torn_middle_line_stops() {
    let host = MemoryHost::new([]);
    journal(&host, &["a", "b", "c"]).await;
    let whole = host.fs.text(FIRST).unwrap();
    for cut in 1..40 {
        host.fs.put(FIRST, &whole[..whole.len() - 1 - cut]);
        let found = read(&host).await.unwrap();
        assert_eq!((texts(&found).len(), found.repaired.len()), (2, 1), "cut {cut}");
    }
    let damaged = whole.replacen(r#""message":"b""#, r#""message":"x""#, 1);
    host.fs.put(FIRST, &damaged);
    let error = read(&host).await.unwrap_err();
    assert_eq!((error.code, error.line), (ErrorCode::Corrupt, Some(2)));
    assert_eq!(host.fs.text(FIRST).unwrap(), damaged, "nothing is overwritten");
}

#[tokio::test]
async fn after_a_torn_line_the_run_continues_and_all_its_lines_are_read() {
    let host = MemoryHost::new([]);
    let journal = journal(&host, &["a"]).await;
    host.fs.fail_write(0, Fault::Tear);
    assert!(append(&journal, status("a longer text that is torn in its middle")).await.is_err());
    host.fs.heal();
    let (journal, found) = Journal::open(lease(&host, 2)).await.unwrap();
    append(&journal, status("z")).await.unwrap();
    let again = read(&host).await.unwrap();
    assert_eq!(again.events.len(), found.events.len() + 1);
    assert_eq!(texts(&again).last().map(String::as_str), Some("z"));
}

/// A host that appends, and one that writes whole files.
fn stores() -> [MemoryHost; 2] {
    let mut whole = MemoryHost::new([]);
    whole.fs = whole.fs.clone().without_append();
    [MemoryHost::new([]), whole]
}

#[tokio::test]
async fn a_torn_write_loses_no_earlier_line_and_is_reported_once_if_it_left_a_trace() {
    for (at, torn) in Torn::ALL.into_iter().enumerate() {
        for (store, host) in stores().into_iter().enumerate() {
            let of = format!("{torn:?}, store {store}");
            let journal = journal(&host, &["a", "b"]).await;
            append(&journal, changed("x")).await.unwrap();
            host.fs.fail_write(0, Fault::TearTo(torn));
            append(&journal, status("c")).await.unwrap_err();
            host.fs.heal();
            let (next, found) = Journal::open(lease(&host, 2)).await.unwrap();
            assert_eq!(texts(&found)[..2], ["a", "b"], "{of}");
            // Without a byte, or with complete lines only, an appended write has left no trace.
            let is_traced = store == 1 || matches!(torn, Torn::OneByte | Torn::Half);
            assert_eq!(found.repaired.len(), usize::from(is_traced), "{of}: {:?}", found.repaired);
            append(&next, status("d")).await.unwrap();
            let again = read(&host).await.unwrap();
            assert_eq!(texts(&again).last().map(String::as_str), Some("d"), "{of}");
            assert_eq!(again.repaired.len(), 0, "{of}: {at}");
        }
    }
}

#[tokio::test]
async fn a_page_that_goes_on_after_a_torn_write_has_each_line_once() {
    for torn in Torn::ALL {
        for (store, host) in stores().into_iter().enumerate() {
            let journal = journal(&host, &["a"]).await;
            append(&journal, changed("x")).await.unwrap();
            host.fs.fail_write(0, Fault::TearTo(torn));
            append(&journal, status("b")).await.unwrap_err();
            host.fs.heal();
            append(&journal, status(&"c".repeat(SEGMENT_BYTES))).await.unwrap();
            append(&journal, status("d")).await.unwrap();
            let found = read(&host).await.unwrap();
            let seqs: Vec<u64> = found.events.iter().map(|envelope| envelope.seq).collect();
            assert_eq!((seqs, found.repaired.len()), (vec![0, 1, 2, 3], 0), "{torn:?}, store {store}");
        }
    }
}

#[tokio::test]
async fn an_append_that_the_host_cannot_do_replaces_the_segment() {
    let host = MemoryHost::new([]);
    let journal = journal(&host, &["a"]).await;
    host.fs.fail_write(0, Fault::Fail);
    append(&journal, status("b")).await.unwrap();
    assert_eq!(texts(&read(&host).await.unwrap()), ["a", "b"]);
}

#[tokio::test]
async fn an_emptied_last_segment_is_reported() {
    let host = MemoryHost::new([]);
    let journal = journal(&host, &["a"]).await;
    append(&journal, barrier()).await.unwrap();
    append(&journal, status("b")).await.unwrap();
    host.put(".loopgate/journal/run/00000002-1.jsonl", "");
    let found = read(&host).await.unwrap();
    assert_eq!((found.events.len(), found.repaired.len()), (2, 1));
}

#[tokio::test]
async fn what_a_former_holder_writes_after_the_next_one_is_left_out() {
    let host = MemoryHost::new([]);
    let former = journal(&host, &["a", "b"]).await;
    let (journal, _) = Journal::open(lease(&host, 2)).await.unwrap();
    append(&journal, status("c")).await.unwrap();
    append(&journal, barrier()).await.unwrap();
    append(&journal, status("d")).await.unwrap();
    let read_texts = async || {
        let found = read(&host).await.unwrap();
        (texts(&found), found.repaired.len())
    };
    let expected: Vec<_> = ["a", "b", "c", "d"].map(str::to_owned).into();
    assert_eq!(read_texts().await, (expected.clone(), 0));
    // In its last segment.
    append(&former, barrier()).await.unwrap();
    assert_eq!(read_texts().await, (expected.clone(), 1));
    // In a segment that begins within the segments of the next holder.
    append(&former, status("late")).await.unwrap();
    assert_eq!(read_texts().await, (expected, 2));
    let seqs = |events: Vec<Value>| events.iter().map(|event| event["seq"].as_u64().unwrap()).collect::<Vec<_>>();
    for (from, expected) in [(0, &[0, 1, 2, 3, 4][..]), (3, &[3, 4]), (4, &[4]), (5, &[])] {
        assert_eq!(seqs(read_json(host.project(), "run", from).await.unwrap()), expected);
    }
    assert_eq!(Runs::read(host.project()).await.unwrap().lease, 2);
}

async fn ids(host: &MemoryHost) -> Vec<String> {
    Runs::read(host.project()).await.unwrap().own.into_iter().map(|run| run.run_id).collect()
}

#[tokio::test]
async fn runs_are_in_the_order_of_their_last_lease_and_then_of_their_ids() {
    let host = MemoryHost::new([]);
    let files =
        ["m1/00000000-1", "m1/00000004-9", "m3/00000000-2", "m2/00000000-10", "old-b/00000000", "old-a/00000000"];
    for path in files {
        let (run_id, name) = path.split_once('/').unwrap();
        let (seq, lease) = name.split_once('-').unwrap_or((name, "0"));
        let envelope = Envelope::new(seq.parse().unwrap(), 1, run_id.to_owned(), lease.parse().unwrap(), status("a"));
        let line = seal(host.project().key(), run_id, &envelope.to_json().unwrap());
        host.put(&format!(".loopgate/journal/{path}.jsonl"), &line);
    }
    host.put(".loopgate/journal/empty/notes.txt", "");
    host.put(".loopgate/journal/notes.txt", "");
    assert_eq!(ids(&host).await, ["old-a", "old-b", "m3", "m1", "m2"]);
    assert_eq!(Runs::read(host.project()).await.unwrap().lease, 10);
    let none = MemoryHost::new([]);
    assert_eq!(ids(&none).await, Vec::<String>::new());
    assert_eq!(Runs::read(none.project()).await.unwrap().lease, 0);
}

#[tokio::test]
async fn a_gap_between_leases_is_damage() {
    let host = MemoryHost::new([]);
    journal(&host, &["a"]).await;
    let (journal, _) = Journal::open(lease(&host, 2)).await.unwrap();
    append(&journal, status("b")).await.unwrap();
    host.put(".loopgate/journal/run/00000000-1.jsonl", "");
    assert_eq!(read(&host).await.unwrap_err().code, ErrorCode::Corrupt);
}

#[tokio::test]
async fn a_write_that_fails_does_not_advance_the_journal() {
    let host = MemoryHost::new([]);
    let journal = journal(&host, &["a"]).await;
    host.fs.fail_write(0, Fault::Crash);
    let error = append(&journal, status("b")).await.unwrap_err();
    host.fs.heal();
    assert_eq!(error.code, ErrorCode::Fs);
    assert_eq!(journal.next_seq(), 1);
    assert_eq!(append(&journal, status("c")).await.unwrap(), 1);
    assert_eq!(texts(&read(&host).await.unwrap()), ["a", "c"]);
}

#[tokio::test]
async fn lines_of_a_newer_version_are_refused() {
    let host = MemoryHost::new([(".loopgate/journal/run/00000000-1.jsonl", "{}\n")]);
    assert_eq!(read(&host).await.unwrap().repaired.len(), 1, "a single line is the last one");
    host.fs.put(FIRST, sealed(r#"{"v":2,"seq":0,"at":1,"type":"steered","message":"x"}"#));
    assert_eq!(read(&host).await.unwrap_err().code, ErrorCode::Unsupported);
}

const STORED: &str =
    r#"{"at":1700000000000,"lease":3,"message":"\"🦀\na","runId":"run","seq":7,"type":"steered","v":1}"#;

fn sealed(json: &str) -> String {
    seal(&MemoryHost::default().state_key, "run", json)
}

fn decoded(line: &str) -> Result<Line<Event>, Unreadable> {
    decode(&MemoryHost::default().state_key, "run", line.trim_end(), &Event::read)
}

#[test]
fn a_stored_line_reads_as_it_was_written_and_without_fields_that_older_versions_lack() {
    let (seq, at, event) = (7, 1_700_000_000_000, status("\"🦀\na"));
    let envelope = Envelope::new(seq, at, "run".to_owned(), 3, event.clone());
    assert_eq!(envelope.to_json().unwrap(), STORED);
    assert!(sealed(STORED).ends_with(",\"sum\":\"bfaabd6fbbc021fa2867645b6b20e7d1\"}\n"), "{}", sealed(STORED));
    for (older, lease) in [("", 3), (r#""runId":"run","#, 3), (r#""lease":3,"#, 0)] {
        assert_eq!(decoded(&sealed(&STORED.replace(older, ""))), Ok(Line { seq, at, lease, event: event.clone() }));
    }
}

#[test]
fn every_changed_or_missing_byte_is_noticed() {
    let sealed = sealed(STORED);
    let line = sealed.trim_end();
    for end in (0..line.len()).filter(|end| line.is_char_boundary(*end)) {
        assert_eq!(decoded(&line[..end]), Err(Unreadable::Damaged), "cut at {end}");
    }
    for (at, c) in line.char_indices() {
        let changed = format!("{}{}{}", &line[..at], if c == 'x' { 'y' } else { 'x' }, &line[at + c.len_utf8()..]);
        assert_eq!(decoded(&changed), Err(Unreadable::Damaged), "changed at {at}");
    }
}

#[test]
fn a_line_of_another_version_is_not_damaged() {
    for (from, to, named) in [
        (r#""v":1"#, r#""v":2"#, "version 2"),
        ("steered", "teleported", "teleported"),
        (r#""message""#, r#""words""#, "steered"),
    ] {
        let Err(Unreadable::Unsupported(why)) = decoded(&sealed(&STORED.replace(from, to))) else {
            panic!("{to} is read")
        };
        assert!(why.contains(named), "{why}");
    }
}

#[tokio::test]
async fn a_run_without_a_complete_line_is_neither_the_newest_nor_does_it_set_the_lease() {
    for (name, text) in [
        ("00000000-50", ""),
        ("00000000-18446744073709551615", "{\"v\":1,"),
        ("00000000-9007199254740993", "not JSON\n"),
    ] {
        let host = MemoryHost::new([]);
        host.fs.put(&format!("/project/.loopgate/journal/zz/{name}.jsonl"), text);
        assert_eq!(newest_run(host.project()).await.unwrap(), None, "{name}");
        journal(&host, &["a"]).await;
        assert_eq!(newest_run(host.project()).await.unwrap().as_deref(), Some("run"), "{name}");
        assert_eq!(Runs::read(host.project()).await.unwrap().lease, 1, "{name}");
        // Beside the segments of the run.
        host.fs.put(&format!("/project/.loopgate/journal/run/9{name}.jsonl"), text);
        assert_eq!(Runs::read(host.project()).await.unwrap().lease, 1, "{name}");
        assert_eq!(newest_run(host.project()).await.unwrap().as_deref(), Some("run"), "{name}");
    }
}

#[tokio::test]
async fn a_line_that_could_not_be_read_again_is_refused_and_the_journal_goes_on() {
    let host = MemoryHost::new([]);
    let journal = journal(&host, &["a"]).await;
    let error = append(&journal, status(&"x".repeat(65 * 1024 * 1024))).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Fs);
    append(&journal, status("b")).await.unwrap();
    assert_eq!(texts(&read(&host).await.unwrap()), ["a", "b"]);
}

#[tokio::test]
async fn lines_that_wait_are_written_before_they_fill_a_file() {
    let host = MemoryHost::new([]);
    let journal = journal(&host, &[]).await;
    let line = serde_json::json!({ "text": "x".repeat(100_000) }).to_string();
    for _ in 0..30 {
        journal.append(&line, Durability::Waits).await.unwrap();
    }
    journal.settle().await.unwrap();
    let segments = list(host.project(), "run").await.unwrap().unwrap().segments;
    let sizes: Vec<usize> =
        segments.iter().map(|segment| host.text(&segment.path).map_or(0, |text| text.len())).collect();
    assert!(sizes.len() > 1 && sizes.iter().all(|size| *size < 2 * HELD_BYTES), "{sizes:?}");
}

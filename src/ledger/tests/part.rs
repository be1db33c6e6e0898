//! What is taken back, and what a commit has.

use super::*;

/// A history of one file: its state at the base, its further states by author, what a commit on top of the base has, and
/// what is left if the run's changes are taken back. After `!`, it is the state of a conflict.
type Row<'a> = (Text, &'a [(ChangedBy, Text)], Text, Text);

async fn described(host: &MemoryHost, part: Part) -> String {
    match part {
        Part::State(state) => text(host, state).await,
        Part::Conflict(state) => format!("!{}", text(host, state).await),
    }
}

/// Records the states and compares both parts.
async fn check(table: &[Row<'_>]) {
    for (base, steps, committed, taken_back) in table {
        let host = MemoryHost::new([]);
        let (mut ledger, mut before) = (Ledger::default(), *base);
        for (by, after) in *steps {
            ledger.record(*by, &write(&host, "f", before, after).await);
            before = after;
        }
        let (first, last) = (entry(&host, base).await, entry(&host, before).await);
        let unchanged = History::new(first);
        let history = ledger.histories().get("f").unwrap_or(&unchanged);
        let head: Manifest = first.map(|entry| ("f".to_owned(), entry)).into_iter().collect();
        let found = commit(&host, "f", history, &head).await.unwrap();
        assert_eq!(described(&host, found).await, *committed, "the commit of {base:?} {steps:?}");
        let found = take_back(&host, history, last, 0).await.unwrap();
        assert_eq!(described(&host, found).await, *taken_back, "{base:?} {steps:?} taken back");
    }
}

#[tokio::test]
async fn a_change_of_one_author_is_the_whole_part() {
    check(&[
        ("1\n", &[(Agent, "2\n")], "2\n", "1\n"),
        ("1\n", &[(Harness, "2\n")], "2\n", "1\n"),
        ("1\n", &[(User, "2\n")], "1\n", "2\n"),
        ("none", &[(Agent, "1\n")], "1\n", "none"),
        ("none", &[(User, "1\n")], "none", "1\n"),
        ("1\n", &[(Agent, "none")], "none", "1\n"),
        ("1\n", &[(User, "none")], "1\n", "none"),
        ("1\n", &[(Agent, "-> a")], "-> a", "1\n"),
        ("-> a", &[(User, "-> b")], "-> a", "-> b"),
        ("\0", &[(Agent, "\0\0")], "\0\0", "\0"),
        ("1\n", &[(Agent, "2\n"), (Agent, "1\n")], "1\n", "1\n"),
    ])
    .await;
}

#[tokio::test]
async fn changes_of_different_lines_are_told_apart() {
    let base = "1\n2\n3\n4\n5\n";
    check(&[
        (
            base,
            &[(User, "user\n2\n3\n4\n5\n"), (Agent, "user\n2\n3\n4\nagent\n")],
            "1\n2\n3\n4\nagent\n",
            "user\n2\n3\n4\n5\n",
        ),
        (
            base,
            &[(Agent, "1\n2\n3\n4\nagent\n"), (User, "user\n2\n3\n4\nagent\n")],
            "1\n2\n3\n4\nagent\n",
            "user\n2\n3\n4\n5\n",
        ),
        (
            base,
            &[
                (User, "user\n1\n2\n3\n4\n5\n"),
                (Agent, "user\n1\n2\nagent\n4\n5\n"),
                (User, "user\n1\n2\nagent\n4\n5\nuser\n"),
                (Harness, "user\n1\n2\nharness\n4\n5\nuser\n"),
            ],
            "1\n2\nharness\n4\n5\n",
            "user\n1\n2\n3\n4\n5\nuser\n",
        ),
        // The agent deletes a line of the user, and the user one of the agent.
        (
            base,
            &[(User, "1\n2\n3\n4\n5\nuser\n"), (Agent, "agent\n2\n3\n4\n5\n")],
            "agent\n2\n3\n4\n5\n",
            "1\n2\n3\n4\n5\nuser\n",
        ),
        (
            base,
            &[(Agent, "agent\n1\n2\n3\n4\n5\n"), (User, "1\n2\n3\n4\nuser\n")],
            "agent\n1\n2\n3\n4\n5\n",
            "1\n2\n3\n4\nuser\n",
        ),
        // The user makes the same change.
        (
            base,
            &[(Agent, "same\n2\n3\n4\n5\n"), (User, base), (User, "same\n2\n3\n4\n5\n")],
            "same\n2\n3\n4\n5\n",
            base,
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_change_of_the_same_lines_is_a_conflict() {
    let base = "1\n2\n3\n4\n5\n";
    check(&[
        (
            base,
            &[(User, "1\n2\nuser\n4\n5\n"), (Agent, "1\n2\nagent\n4\n5\n")],
            "!1\n2\n3\n4\n5\n",
            "1\n2\nuser\n4\n5\n",
        ),
        (
            base,
            &[(Agent, "1\n2\nagent\n4\n5\n"), (User, "1\n2\nuser\n4\n5\n")],
            "1\n2\nagent\n4\n5\n",
            "!1\n2\nuser\n4\n5\n",
        ),
        (
            base,
            &[(User, "user\n2\n3\n4\n5\n"), (Agent, "user\nagent\n3\n4\n5\n"), (User, "user\nagent\nuser\n4\n5\n")],
            "!1\n2\n3\n4\n5\n",
            "!user\nagent\nuser\n4\n5\n",
        ),
        // Both go on after the conflict.
        (
            base,
            &[
                (Agent, "1\n2\nagent\n4\n5\n"),
                (User, "1\n2\nuser\n4\n5\n"),
                (Agent, "agent\n2\nuser\n4\n5\n"),
                (User, "agent\n2\nuser\n4\nuser\n"),
            ],
            "agent\n2\nagent\n4\n5\n",
            "!1\n2\nuser\n4\nuser\n",
        ),
    ])
    .await;
}

#[tokio::test]
async fn lines_of_both_in_a_file_that_one_of_them_made_are_a_conflict() {
    check(&[
        ("none", &[(User, "user\n"), (Agent, "user\nagent\n")], "!none", "user\n"),
        ("none", &[(User, "user\n"), (Agent, "none")], "none", "user\n"),
        ("none", &[(Agent, "agent\n"), (User, "agent\nuser\n")], "agent\n", "!agent\nuser\n"),
        ("none", &[(Agent, "agent\n"), (User, "none")], "agent\n", "none"),
        ("none", &[(Agent, "agent\n"), (User, "none"), (Agent, "again\n")], "again\n", "none"),
    ])
    .await;
}

#[tokio::test]
async fn a_deleted_file_of_the_other_author_stays_deleted_or_conflicts() {
    check(&[
        ("1\n", &[(User, "user\n"), (Agent, "none")], "none", "user\n"),
        ("1\n", &[(Agent, "agent\n"), (User, "none")], "agent\n", "none"),
        ("1\n", &[(User, "none"), (Agent, "agent\n")], "agent\n", "none"),
        ("1\n", &[(Agent, "none"), (User, "user\n")], "none", "user\n"),
        ("1\n", &[(User, "user\n"), (Agent, "-> a")], "!1\n", "user\n"),
        ("1\n", &[(Agent, "-> a"), (User, "-> b")], "-> a", "!-> b"),
        ("-> a", &[(User, "-> b"), (Agent, "-> c")], "!-> a", "-> b"),
    ])
    .await;
}

#[tokio::test]
async fn files_that_are_not_text_conflict_if_both_change_them() {
    check(&[
        ("1\0", &[(User, "2\0"), (Agent, "2\0\n3")], "!1\0", "2\0"),
        ("1\0", &[(Agent, "2\0"), (User, "2\0\n3")], "2\0", "!2\0\n3"),
        // The file becomes one that is not a text.
        ("1\n2\n3\n", &[(User, "u\n2\n3\n"), (Agent, "u\n2\n3\0\n")], "!1\n2\n3\n", "u\n2\n3\n"),
    ])
    .await;
}

#[tokio::test]
async fn modes_and_contents_are_told_apart() {
    check(&[
        ("1", &[(User, "user"), (Agent, "x user")], "x 1", "user"),
        ("x 1", &[(User, "x user"), (Agent, "user")], "1", "x user"),
        ("1", &[(User, "x 1"), (Agent, "x agent")], "agent", "x 1"),
        ("1", &[(Agent, "x 1"), (User, "x user")], "x 1", "user"),
        ("1", &[(Agent, "agent"), (User, "x agent")], "agent", "x 1"),
        ("1\n2\n3\n", &[(User, "x u\n2\n3\n"), (Agent, "u\n2\na\n")], "1\n2\na\n", "x u\n2\n3\n"),
        // The content of the user cannot be committed, whatever the mode.
        ("x 1", &[(User, "user"), (Agent, "x agent")], "!x 1", "user"),
        // A deletion by the agent takes the file of the user along.
        ("1", &[(User, "x 1"), (Agent, "none")], "none", "x 1"),
    ])
    .await;
}

#[tokio::test]
async fn line_ends_alone_are_never_a_conflict() {
    let base = "1\n2\n3\n";
    check(&[
        // The working tree has CRLF, and the agent writes either.
        (base, &[(User, "1\r\n2\r\n3\r\n"), (Agent, "1\r\nagent\r\n3\r\n")], "1\nagent\n3\n", "1\r\n2\r\n3\r\n"),
        (base, &[(User, "1\r\n2\r\n3\r\n"), (Agent, "1\nagent\n3\n")], "1\nagent\n3\n", "1\r\n2\r\n3\r\n"),
        (base, &[(User, "1\r\n2\r\nuser\r\n"), (Agent, "agent\n2\nuser\n")], "agent\n2\n3\n", "1\r\n2\r\nuser\r\n"),
        (base, &[(User, "1\r\n2\r\n3\r\n"), (Agent, "-> a")], "-> a", "1\r\n2\r\n3\r\n"),
        // The agent changes nothing else.
        (base, &[(User, "1\r\n2\r\nuser\r\n"), (Agent, "1\n2\nuser\n")], base, "1\r\n2\r\nuser\r\n"),
        // The line ends are those that the user left.
        (base, &[(Agent, "1\r\n2\r\n3\r\n"), (User, "1\r\n2\r\nuser\r\n")], "1\r\n2\r\n3\r\n", "1\r\n2\r\nuser\r\n"),
    ])
    .await;
}

#[tokio::test]
async fn what_is_taken_back_to_a_later_state_keeps_the_changes_before_it() {
    let host = MemoryHost::new([]);
    let mut ledger = Ledger::default();
    let states = ["1\n2\n3\n4\n5\n6\n", "a\n2\n3\n4\n5\n6\n", "a\n2\nu\n4\n5\n6\n", "a\n2\nu\n4\n5\na\n"];
    for (by, pair) in [Agent, User, Agent].into_iter().zip(states.windows(2)) {
        ledger.record(by, &write(&host, "f", pair[0], pair[1]).await);
    }
    let history = &ledger.histories()["f"];
    let present = "a\n2\nu\nu\n5\na\n";
    for (start, expected) in
        [(0, "1\n2\nu\nu\n5\n6\n"), (1, "a\n2\nu\nu\n5\n6\n"), (2, "a\n2\nu\nu\n5\n6\n"), (3, present)]
    {
        assert_eq!(history.state_after(start), entry(&host, states[start]).await);
        assert_eq!(history.steps_to(entry(&host, states[start]).await), start);
        let present = entry(&host, present).await;
        let found = take_back(&host, history, present, start).await.unwrap();
        assert_eq!(described(&host, found).await, expected, "from {start}");
    }
    assert_eq!(history.steps_to(entry(&host, "never").await), 0);
}

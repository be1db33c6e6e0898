//! Files that the agent moved.

use super::*;

const BASE: Text = "1\n2\n3\n4\n5\n";

/// A project with the file `a` in HEAD.
struct Project {
    host: MemoryHost,
    ledger: Ledger,
    head: Manifest,
}

impl Project {
    async fn new() -> Self {
        let host = MemoryHost::new([]);
        let head = [("a".to_owned(), entry(&host, BASE).await.unwrap())].into();
        Self { host, ledger: Ledger::default(), head }
    }

    async fn record(&mut self, by: ChangedBy, path: &str, before: &str, after: &str) {
        self.ledger.record(by, &write(&self.host, path, before, after).await);
    }

    /// Records a call of the agent that moves a file with this content and leaves `after` at the new place.
    async fn move_file(&mut self, from: &str, to: &str, content: &str, after: &str) {
        let arrival = Write { from: Some(from.to_owned()), ..write(&self.host, to, "none", content).await };
        let departure = write(&self.host, from, content, "none").await;
        self.ledger.announce(Agent, &[arrival.clone(), departure.clone()]);
        if after != content {
            self.ledger.announce(Agent, &[write(&self.host, to, content, after).await]);
        }
        let after = entry(&self.host, after).await;
        self.ledger.record(Agent, &Write { after, ..arrival });
        self.ledger.record(Agent, &departure);
        assert_eq!(self.ledger.announced(), []);
    }

    /// What a commit has of the files that the run changed.
    async fn committed(&self) -> BTreeMap<String, String> {
        let mut committed = BTreeMap::new();
        for (path, history) in self.ledger.histories() {
            let state = match commit(&self.host, path, history, &self.head).await.unwrap() {
                Part::State(state) => text(&self.host, state).await,
                Part::Conflict(_) => "!".to_owned(),
            };
            committed.insert(path.clone(), state);
        }
        committed
    }

    async fn taken_back(&self, path: &str) -> String {
        let history = &self.ledger.histories()[path];
        match take_back(&self.host, history, history.last(), 0).await.unwrap() {
            Part::State(state) => text(&self.host, state).await,
            Part::Conflict(state) => format!("!{}", text(&self.host, state).await),
        }
    }
}

fn map<const N: usize>(files: [(&str, &str); N]) -> BTreeMap<String, String> {
    files.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect()
}

#[tokio::test]
async fn a_moved_file_is_committed_with_the_agents_lines_alone() {
    for is_recorded in [true, false] {
        let mut project = Project::new().await;
        let (agents, both) = ("agent\n2\n3\n4\n5\n", "agent\n2\n3\n4\nuser\n");
        project.record(Agent, "a", BASE, agents).await;
        if is_recorded {
            project.record(User, "a", agents, both).await;
        }
        project.move_file("a", "b", both, both).await;
        assert_eq!(project.committed().await, map([("a", "none"), ("b", agents)]));
        assert_eq!(project.taken_back("a").await, "1\n2\n3\n4\nuser\n");
        assert_eq!(project.taken_back("b").await, "none");

        project.record(Agent, "b", both, "agent\n2\nagent\n4\nuser\n").await;
        assert_eq!(project.committed().await, map([("a", "none"), ("b", "agent\n2\nagent\n4\n5\n")]));
        project.move_file("b", "c", "agent\n2\nagent\n4\nuser\n", "agent\n2\nagent\n4\nuser\n").await;
        let expected = map([("a", "none"), ("b", "none"), ("c", "agent\n2\nagent\n4\n5\n")]);
        assert_eq!(project.committed().await, expected);
    }
}

#[tokio::test]
async fn an_edit_in_the_call_of_the_move_is_committed() {
    for user in [BASE, "1\n2\n3\n4\nuser\n"] {
        let mut project = Project::new().await;
        let after = user.replace("1\n", "agent\n");
        project.move_file("a", "b", user, &after).await;
        assert_eq!(project.committed().await, map([("a", "none"), ("b", "agent\n2\n3\n4\n5\n")]));
        assert_eq!(project.taken_back("a").await, user);
    }
}

/// The writes of a move, as they are announced.
async fn moved(host: &MemoryHost, from: &str, to: &str, content: &str, replaced: &str) -> [Write; 2] {
    let arrival = Write { from: Some(from.to_owned()), ..write(host, to, replaced, content).await };
    [arrival, write(host, from, content, "none").await]
}

#[tokio::test]
async fn a_file_that_a_call_makes_elsewhere_and_moves_over_another_is_an_edit() {
    let mut project = Project::new().await;
    let (user, both) = ("1\n2\n3\n4\nuser\n", "agent\n2\n3\n4\nuser\n");
    project.record(User, "a", BASE, user).await;
    project.ledger.announce(Agent, &[write(&project.host, "a.tmp", "none", both).await]);
    let writes = moved(&project.host, "a.tmp", "a", both, user).await;
    project.ledger.announce(Agent, &writes);
    project.ledger.record(Agent, &writes[0]);
    project.ledger.returned();
    assert_eq!(project.ledger.announced(), []);
    assert_eq!(project.committed().await, map([("a", "agent\n2\n3\n4\n5\n")]));
    assert_eq!(project.taken_back("a").await, user);
}

#[tokio::test]
async fn a_file_that_a_call_moves_twice_is_committed() {
    let mut project = Project::new().await;
    let user = "1\n2\n3\n4\nuser\n";
    for (from, to) in [("a", "b"), ("b", "c")] {
        let writes = moved(&project.host, from, to, user, "none").await;
        project.ledger.announce(Agent, &writes);
    }
    let [arrival, _] = moved(&project.host, "b", "c", user, "none").await;
    project.ledger.record(Agent, &arrival);
    project.record(Agent, "a", user, "none").await;
    project.ledger.returned();
    assert_eq!(project.committed().await, map([("a", "none"), ("c", BASE)]));
    assert_eq!(project.taken_back("a").await, user);
}

#[tokio::test]
async fn a_file_that_the_agent_made_and_moved_is_committed() {
    let mut project = Project::new().await;
    project.record(Agent, "new", "none", "agent\n").await;
    project.move_file("new", "b", "agent\n", "agent\n").await;
    assert_eq!(project.committed().await, map([("b", "agent\n")]));
    project.record(User, "b", "agent\n", "agent\nuser\n").await;
    project.move_file("b", "c", "agent\nuser\n", "agent\nuser\n").await;
    assert_eq!(project.committed().await["c"], "agent\n");
}

#[tokio::test]
async fn a_file_of_the_user_that_the_agent_moved_is_not_committed() {
    let mut project = Project::new().await;
    project.record(User, "mine", "none", "user\n").await;
    project.move_file("mine", "b", "user\n", "user\n").await;
    assert_eq!(project.committed().await, map([("b", "none"), ("mine", "none")]));
    assert_eq!(project.taken_back("mine").await, "user\n");
    project.record(Agent, "b", "user\n", "user\nagent\n").await;
    assert_eq!(project.committed().await["b"], "!");
}

#[tokio::test]
async fn a_change_after_a_move_is_a_step_of_its_own() {
    let mut project = Project::new().await;
    project.move_file("a", "b", BASE, BASE).await;
    project.record(Agent, "b", BASE, "agent\n").await;
    project.record(Agent, "b", "agent\n", "again\n").await;
    assert_eq!(project.ledger.histories()["b"].steps().len(), 2);
    project.record(Agent, "b", "again\n", BASE).await;
    assert_eq!(project.ledger.histories()["b"].steps().len(), 1);
    assert_eq!(project.committed().await, map([("a", "none"), ("b", BASE)]));
}

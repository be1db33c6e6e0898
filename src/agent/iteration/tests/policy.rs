//! The policy of the configuration at every door of an iteration, and the tools of roles that only read.

use super::*;
use crate::port::memory::MemoryShell;
use crate::port::{AgentRole, FsPort, PolicyRule, ShellOutput};

fn rules(rules: Value) -> Vec<PolicyRule> {
    let mut rules = rules;
    for (index, rule) in rules.as_array_mut().unwrap().iter_mut().enumerate() {
        rule["key"] = format!("policy[{index}]").into();
    }
    serde_json::from_value(rules).unwrap()
}

fn denials(setup: &Setup) -> Vec<(String, String)> {
    setup.facts(|fact| match fact {
        IterationFact::WriteDenied { path, rule, .. } => Some((path.clone(), rule.clone())),
        _ => None,
    })
}

fn offered(setup: &Setup) -> Vec<String> {
    setup.model.requests()[0].tools.iter().map(|tool| tool.function.name.clone()).collect()
}

#[tokio::test]
async fn a_policy_holds_at_every_door_and_each_denial_is_an_event() {
    let mut setup = setup([
        Turn::calls([
            write("db/1.sql", "no"),
            ("edit_file", json!({ "path": "./DB/1.sql", "old_text": "old", "new_text": "no" })),
            ("move_file", json!({ "from": "src/App.tsx", "to": "db/2.sql" })),
            ("delete_file", json!({ "path": "db/1.sql" })),
            ("read_file", json!({ "path": "keys/id" })),
            ("list_files", json!({})),
            ("search", json!({ "query": "old" })),
            ("shell", json!({ "command": "git push" })),
            ("shell", json!({ "command": "cat keys/id" })),
            ("shell", json!({ "command": "migrate" })),
            ("format", json!({})),
        ]),
        done(),
    ]);
    setup.host.put("db/1.sql", "old");
    setup.host.put("keys/id", "old");
    let fs = setup.host.clone();
    setup.host.shell = Some(MemoryShell::new(move |command| {
        assert_eq!(command, "migrate");
        fs.put("db/1.sql", "no");
        ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }
    }));
    setup.host.tools =
        vec![MemoryTool::new("format", json!({}), |_| Ok(ToolAnswer { ok: true, output: String::new() }))];
    setup.rights = Some(Rights::executor().under(&rules(json!([
        { "decision": "deny", "path": "db/**", "reason": "they are applied" },
        { "decision": "deny", "path": "keys/**", "access": "read" },
        { "decision": "deny", "command": "git push" },
        { "decision": "deny", "tool": "format" },
    ]))));
    let outcome = setup.run().await;
    assert!(outcome.files_changed.is_empty(), "{:?}", outcome.files_changed);
    assert_eq!(setup.host.text("db/1.sql").as_deref(), Some("old"));
    let expected = [
        ("db/1.sql", "policy[0]"),
        ("./DB/1.sql", "policy[0]"),
        ("db/2.sql", "policy[0]"),
        ("db/1.sql", "policy[0]"),
        ("keys/id", "policy[1]"),
        ("git push", "policy[2]"),
        ("cat keys/id", "policy[1]"),
        ("db/1.sql", "policy[0]"),
        ("format", "policy[3]"),
    ];
    assert_eq!(denials(&setup), expected.map(|(path, rule)| (path.to_owned(), rule.to_owned())));
    let results = setup.results();
    assert!(results[0].1.contains("`policy[0]`: they are applied"), "{}", results[0].1);
    assert!(results[5].1.contains("src/App.tsx") && !results[5].1.contains("keys"), "{}", results[5].1);
    assert!(!results[6].1.contains("keys") && results[6].1.contains("db/1.sql"), "{}", results[6].1);
    assert!(results[9].1.contains("The harness took the change back"), "{}", results[9].1);
    let offered = offered(&setup);
    assert!(!offered.contains(&"format".to_owned()) && offered.contains(&"shell".to_owned()), "{offered:?}");
    let prompt = setup.model.requests()[0].messages.iter().find_map(|message| match message {
        ChatMessage::System { content } => Some(content.clone()),
        _ => None,
    });
    assert!(prompt.is_some_and(|prompt| prompt.contains("- Do not change `db/**`: they are applied")));
}

#[tokio::test]
async fn a_policy_never_takes_the_tool_that_ends_the_work() {
    let mut setup = setup([done()]);
    setup.rights = Some(Rights::executor().under(&rules(json!([{ "decision": "deny" }]))));
    let outcome = setup.run().await;
    assert_eq!((end(&outcome), offered(&setup)), ("tool", vec!["complete_task".to_owned()]));
}

#[tokio::test]
async fn a_role_that_only_reads_has_the_tools_of_the_ide_that_only_read() {
    let mut setup = setup([Turn::calls([("look", json!({})), ("format", json!({}))]), done()]);
    let tool =
        |name: &str| MemoryTool::new(name, json!({}), |_| Ok(ToolAnswer { ok: true, output: "seen".to_owned() }));
    let look = tool("look").reading();
    setup.host.tools = vec![tool("format"), look.clone()];
    setup.rights = Some(Rights::reader(AgentRole::Reviewer, Phase::Review));
    setup.run().await;
    assert_eq!(offered(&setup), ["read_file", "list_files", "search", "complete_task", "look"]);
    let results = setup.results();
    assert!(results[0].0 && !results[1].0 && results[1].1.contains("unknown tool `format`"), "{results:?}");
    assert_eq!(look.asked()[0].writes, crate::port::Area::Nothing);
}

#[tokio::test]
async fn a_file_in_the_place_of_a_denied_folder_is_taken_back_with_what_was_below_it() {
    let mut setup = setup([Turn::calls([("shell", json!({ "command": "replace" }))]), done()]);
    setup.host.put("db/1.sql", "old");
    let fs = setup.host.clone();
    setup.host.shell = Some(MemoryShell::new(move |_| {
        let remove = async {
            fs.fs.remove_file("/project/db/1.sql").await.unwrap();
            fs.fs.remove_dir("/project/db").await.unwrap();
        };
        futures_util::FutureExt::now_or_never(remove).unwrap();
        fs.put("db", "x");
        ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }
    }));
    setup.rights = Some(Rights::executor().under(&rules(json!([{ "decision": "deny", "path": "db/**" }]))));
    let outcome = setup.run().await;
    assert_eq!((setup.host.text("db/1.sql").as_deref(), outcome.files_changed), (Some("old"), Vec::new()));
}

#[tokio::test]
async fn the_missing_folder_of_an_allowed_file_is_made() {
    let mut setup = setup([Turn::calls([write("gen/api/a.ts", "a"), write("gen/b.ts", "b")]), done()]);
    setup.rights = Some(Rights::executor().under(&rules(json!([
        { "decision": "deny", "path": "gen/**" },
        { "decision": "allow", "path": "gen/api/**" },
    ]))));
    setup.run().await;
    assert_eq!((setup.host.text("gen/api/a.ts").as_deref(), setup.host.text("gen/b.ts")), (Some("a"), None));
}

//! The policy of the configuration at every door of an iteration, and the tools of roles that only read.

use super::*;
use crate::port::memory::MemoryShell;
use crate::port::{AgentRole, Decision, FsPort, HookAnswer, PolicyRule, ShellOutput};

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
            ("shell", json!({ "command": "git -C . push" })),
            ("shell", json!({ "command": "timeout 5 git push" })),
            ("shell", json!({ "command": "cat keys/id" })),
            ("shell", json!({ "command": "echo no >> db/1.sql" })),
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
    setup.host.tools = vec![MemoryTool::new("format", json!({}), |_| Ok(ToolAnswer::text(true, "")))];
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
        ("git -C . push", "policy[2]"),
        ("timeout 5 git push", "policy[2]"),
        ("cat keys/id", "policy[1]"),
        ("echo no >> db/1.sql", "policy[0]"),
        ("db/1.sql", "policy[0]"),
        ("format", "policy[3]"),
    ];
    assert_eq!(denials(&setup), expected.map(|(path, rule)| (path.to_owned(), rule.to_owned())));
    let results = setup.results();
    assert!(results[0].1.contains("`policy[0]`: they are applied"), "{}", results[0].1);
    assert!(results[5].1.contains("src/App.tsx") && !results[5].1.contains("keys"), "{}", results[5].1);
    assert!(!results[6].1.contains("keys") && results[6].1.contains("db/1.sql"), "{}", results[6].1);
    assert!(results[11].1.contains("The harness took the change back"), "{}", results[11].1);
    let offered = offered(&setup);
    assert!(!offered.contains(&"format".to_owned()) && offered.contains(&"shell".to_owned()), "{offered:?}");
    let prompt = setup.model.requests()[0].messages.iter().find_map(|message| match message {
        ChatMessage::System { content } => Some(content.clone()),
        _ => None,
    });
    assert!(prompt.is_some_and(|prompt| prompt.contains("- Do not change `db/**`: \"they are applied\"")));
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
    let tool = |name: &str| MemoryTool::new(name, json!({}), |_| Ok(ToolAnswer::text(true, "seen")));
    let look = tool("look").reading();
    setup.host.tools = vec![tool("format"), look.clone()];
    setup.rights = Some(Rights::reader(AgentRole::Reviewer, Phase::Review));
    setup.run().await;
    assert_eq!(offered(&setup), ["read_file", "list_files", "search", "history", "complete_task", "look"]);
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

fn asking() -> Rights {
    Rights::executor().under(&rules(json!([
        { "decision": "ask", "path": "db/**", "reason": "they are applied" },
        { "decision": "ask", "command": "git push" },
        { "decision": "deny", "path": "db/1.sql" },
        { "decision": "ask", "tool": "deploy" },
    ])))
}

fn questions(setup: &Setup) -> Vec<Value> {
    setup.facts(|fact| match fact {
        IterationFact::Asked(question) => Some(question.details.clone()),
        _ => None,
    })
}

#[tokio::test]
async fn a_rule_that_asks_runs_the_call_that_the_user_allows_and_the_note_reaches_the_agent() {
    let mut setup = setup([
        Turn::calls([
            write("DB/2.sql", "one"),
            write("db/1.sql", "denied, so nobody is asked"),
            ("move_file", json!({ "from": "db/2.sql", "to": "db/3.sql" })),
            ("shell", json!({ "command": "git push" })),
            ("deploy", json!({})),
            write("src/a", "free"),
        ]),
        done(),
    ]);
    setup.host.shell =
        Some(MemoryShell::new(|_| ShellOutput { exit_code: 0, stdout: "pushed".to_owned(), stderr: String::new() }));
    setup.host.tools = vec![MemoryTool::new("deploy", json!({}), |_| Ok(ToolAnswer::text(true, "live")))];
    setup.host.hooks = Some(MemoryHooks::default().approve_tool(|call| match call["name"].as_str() {
        Some("move_file") => Answer { decision: Decision::Revise, ..Answer::deny("copy it".to_owned()) },
        Some("deploy") => Answer::deny("not today".to_owned()),
        _ => Answer { note: Some("tell the team".to_owned()), ..Answer::allow() },
    }));
    setup.rights = Some(asking());
    let outcome = setup.run().await;
    assert_eq!(outcome.files_changed, ["DB/2.sql", "src/a"]);
    let asked = questions(&setup);
    let asked: Vec<_> = asked.iter().map(|call| (call["name"].as_str().unwrap(), &call["why"]["rule"])).collect();
    assert_eq!(
        asked,
        [
            ("write_file", &json!("policy[0]")),
            ("move_file", &json!("policy[0]")),
            ("shell", &json!("policy[1]")),
            ("deploy", &json!("policy[3]")),
        ]
    );
    let results = setup.results();
    assert!(results[0].1.contains("Follow the user's note: tell the team"), "{}", results[0].1);
    assert!(results[1].1.contains("denied by the policy"), "{}", results[1].1);
    assert!(results[2].1.contains("as it is: copy it. Make another call"), "{}", results[2].1);
    assert!(results[3].1.contains("pushed"), "{}", results[3].1);
    assert!(results[4].1.contains("not today. Do the work without it"), "{}", results[4].1);
}

#[tokio::test]
async fn without_somebody_to_ask_the_iteration_ends_at_the_question() {
    let mut setup = setup([Turn::calls([write("db/2.sql", "one"), write("src/a", "later")]), done()]);
    setup.rights = Some(asking());
    let outcome = setup.run().await;
    assert_eq!((end(&outcome), outcome.files_changed.len(), questions(&setup).len()), ("asked", 0, 1));
    let outputs = setup.facts(|fact| match fact {
        IterationFact::ToolResult { output, .. } => Some(output.clone()),
        _ => None,
    });
    assert!(outputs[0].contains("the user's approval") && outputs[1].contains("an earlier call"), "{outputs:?}");
}

#[tokio::test]
async fn the_hook_before_a_tool_can_ask_the_user() {
    let mut setup = setup([Turn::calls([write("a", "1"), write("b", "2")]), done()]);
    setup.host.hooks = Some(
        MemoryHooks::default()
            .before_tool(|_, args| match args["path"].as_str() {
                Some("a") => HookAnswer::Ask("it is new".to_owned()),
                _ => Answer { note: Some("mind the tests".to_owned()), ..Answer::allow() }.into(),
            })
            .approve_tool(|call| Answer::deny(call["why"]["reason"].as_str().unwrap().to_owned())),
    );
    let outcome = setup.run().await;
    assert_eq!(outcome.files_changed, ["b"]);
    let results = setup.results();
    assert!(results[0].1.contains("it is new") && results[1].1.contains("mind the tests"), "{results:?}");
}

/// Whoever cannot ask is denied: another tool's file system, and a command that changes the file past the guard.
#[tokio::test]
async fn a_rule_that_asks_denies_what_no_question_was_about() {
    let mut setup = setup([Turn::calls([("shell", json!({ "command": "build" }))]), done()]);
    let fs = setup.host.clone();
    setup.host.shell = Some(MemoryShell::new(move |_| {
        fs.put("db/9.sql", "no");
        ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }
    }));
    setup.rights = Some(asking());
    let outcome = setup.run().await;
    assert!(outcome.files_changed.is_empty() && setup.host.text("db/9.sql").is_none(), "{:?}", outcome.files_changed);
    assert_eq!(denials(&setup), [("db/9.sql".to_owned(), "policy[0]".to_owned())]);
}

#[tokio::test]
async fn a_call_that_cannot_run_asks_nobody_and_an_approval_lifts_no_other_question() {
    let mut setup = setup([
        Turn::calls([
            ("write_file", json!({ "path": "db/2.sql" })),
            ("deploy_all", json!({})),
            ("shell", json!({ "command": "git push" })),
        ]),
        done(),
    ]);
    let fs = setup.host.clone();
    setup.host.shell = Some(MemoryShell::new(move |_| {
        fs.put("db/9.sql", "no");
        ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }
    }));
    setup.host.hooks = Some(MemoryHooks::default().approve_tool(|_| Answer::allow()));
    setup.rights = Some(asking());
    let outcome = setup.run().await;
    let asked = questions(&setup);
    assert_eq!(asked.iter().map(|call| call["name"].as_str().unwrap()).collect::<Vec<_>>(), ["shell"]);
    assert!(outcome.files_changed.is_empty() && setup.host.text("db/9.sql").is_none(), "{:?}", outcome.files_changed);
}

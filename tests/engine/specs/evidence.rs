//! What counts as a plan, a candidate and a verdict, and what does not.

use super::*;

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_unreadable_verdict_is_no_verdict() {
    let other = Turn::call(
        "complete_task",
        json!({ "verdict": "accept", "reason": "", "candidate": "fedcba9876543210fedcba9876543210fedcba98" }),
    );
    let roles = Roles::with([plan("# Plan")], [build("foo")], [other, verdict("accept", "")]);
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.roles(), [Planner, Builder, Verifier, Verifier]);
    let verdicts = outcome.facts().filter(|fact| matches!(fact, SpecFact::VerdictGiven { .. })).count();
    assert_eq!(verdicts, 1);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn prose_without_a_verdict_is_asked_for_once_more_and_then_inconclusive() {
    let prose = || Turn::Text("Half of it is there: I would fix src/foo.ts first.".to_owned());
    let roles = Roles::with([plan("# Plan")], [build("foo")], [prose(), verdict("accept", "")]);
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.roles(), [Planner, Builder, Verifier, Verifier]);
    assert!(roles.prompts(Verifier)[1].contains("no verdict"));

    let roles = Roles::with([plan("# Plan")], [build("foo")], [prose()]);
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result.as_ref().is_err_and(|error| error.message.contains("inconclusive") && error.retryable));
    assert_eq!(outcome.roles(), [Planner, Builder, Verifier, Verifier], "the implementer has nothing to fix");
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_findings_of_an_accept_are_notes_in_the_event_and_in_the_done_file() {
    let accept = json!({ "verdict": "accept", "reason": "all there", "findings": ["a typo in src/foo.ts:1"] });
    let roles = Roles::with([plan("# Plan")], [build("foo")], [Turn::call("complete_task", accept)]);
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.roles(), [Planner, Builder, Verifier]);
    let notes = outcome.facts().find_map(|fact| match fact {
        SpecFact::VerdictGiven { verdict: Verdict::Accept, findings, .. } => Some(findings.clone()),
        _ => None,
    });
    assert_eq!(notes, Some(vec!["a typo in src/foo.ts:1".to_owned()]));
    assert!(roles.host.text(DONE).is_some_and(|text| text.contains("all there\n\n- a typo in src/foo.ts:1")));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn no_text_for_a_role_of_a_spec_points_to_files_of_a_task() {
    let refused = || {
        Turn::calls([
            write(SPEC, "x"),
            write(".handoff/config.yaml", "x"),
            write(DONE, "x"),
            write(".git/config", "x"),
            ("plan", json!({ "action": "validate" })),
            ("snapshot", json!({ "action": "rollback", "tag": "none" })),
            ("shell", json!({ "command": "ls" })),
            ("read_file", json!({ "path": "missing" })),
        ])
    };
    let empty = || Turn::Text(String::new());
    let roles = Roles::with(
        [refused(), empty(), plan("# Plan")],
        [refused(), empty(), build("foo")],
        [refused(), empty(), verdict("accept", "")],
    );
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let requests = roles.host.model.as_ref().unwrap().requests();
    assert!(requests.len() >= 9, "{}", requests.len());
    for request in requests {
        let text = format!("{:?} {:?}", request.messages, request.tools);
        assert!(!text.contains(".ralph"), "{:?}: {text}", request.role);
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_candidate_needs_a_change_and_a_commit_that_it_names_must_be_the_working_tree() {
    let idle = Turn::calls([complete()]);
    let named = Turn::call("complete_task", json!({ "commit": "0123456789abcdef0123456789abcdef01234567" }));
    let roles = Roles::with([plan("# Plan")], [idle, build("foo"), named, build("foo")], [verdict("accept", "")]);
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.roles(), [Planner, Builder, Builder, Verifier]);
    assert!(roles.prompts(Builder)[1].contains("nothing is implemented"));

    let roles = Roles::with(
        [plan("# Plan")],
        [
            Turn::calls([
                write("src/foo.ts", "foo"),
                ("complete_task", json!({ "commit": "0123456789abcdef0123456789abcdef01234567" })),
            ]),
            build("foo"),
        ],
        [verdict("accept", "")],
    );
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success);
    assert!(roles.prompts(Builder)[1].contains("does not exist"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_commit_that_the_implementer_names_must_be_head_and_have_every_file() {
    let roles = Roles::with([plan("# Plan")], [], [verdict("accept", "")]);
    let git = roles.host.git.clone().unwrap();
    let commit_of = async |host: &MemoryHost, name: &str| {
        let info = save(host, &SaveOptions { tag: Some(name.to_owned()), ..SaveOptions::default() }).await.unwrap();
        info.oid
    };
    let old = commit_of(&roles.host, "old").await;
    roles.host.put("src/foo.ts", "foo");
    let head = commit_of(&roles.host, "head").await;
    git.write_ref("refs/heads/main", &head).await.unwrap();
    git.write_ref("HEAD", &head).await.unwrap();
    roles.host.fs.delete("/project/src/foo.ts");
    let named = |commit: &str, text: &str| {
        Turn::calls([write("src/foo.ts", text), ("complete_task", json!({ "commit": commit }))])
    };
    *roles.builder.borrow_mut() = [named(&old, "foo"), named(&head, "other"), named(&head[..10], "foo")].into();
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let prompts = roles.prompts(Builder);
    assert_eq!(prompts.len(), 3);
    assert!(prompts[1].contains("is not HEAD"), "{}", prompts[1]);
    assert!(prompts[2].contains("differs from commit") && prompts[2].contains("src/foo.ts"), "{}", prompts[2]);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_the_planner_changes_besides_the_plan_is_reverted() {
    let mut roles = Roles::with(
        [
            Turn::calls([("meddle", json!({})), write(PLAN, "# Plan"), write("src/x.ts", "x"), complete()]),
            plan("# Plan"),
        ],
        [build("foo")],
        [verdict("accept", "")],
    );
    let host = roles.host.clone();
    let meddle = move |_: &Value| {
        host.put("index.html", "changed by the planner");
        host.put("src/new.ts", "new");
        Ok(ToolAnswer::text(true, "done"))
    };
    roles.host.tools = vec![MemoryTool::new("meddle", json!({ "type": "object" }), meddle)];
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.roles(), [Planner, Planner, Builder, Verifier]);
    assert_eq!(roles.host.text("index.html").as_deref(), Some("<p>hi</p>"));
    assert_eq!((roles.host.text("src/new.ts"), roles.host.text("src/x.ts")), (None, None));
    let prompt = &roles.prompts(Planner)[1];
    assert!(prompt.contains("index.html") && prompt.contains("took the change back"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn what_the_verifiers_commands_change_is_reverted() {
    let mut roles = Roles::with(
        [plan("# Plan")],
        [build("foo")],
        [
            Turn::calls([
                ("shell", json!({ "command": "fix" })),
                ("complete_task", json!({ "verdict": "accept", "reason": "" })),
            ]),
            Turn::calls([
                ("shell", json!({ "command": "test" })),
                ("complete_task", json!({ "verdict": "accept", "reason": "" })),
            ]),
        ],
    );
    let host = roles.host.clone();
    roles.host.shell = Some(MemoryShell::new(move |command| {
        if command == "fix" {
            host.put("src/foo.ts", "fixed")
        } else {
            host.put("coverage/x", "1")
        }
        ShellOutput { exit_code: 0, stdout: String::new(), stderr: String::new() }
    }));
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(outcome.roles(), [Planner, Builder, Verifier, Verifier], "new files alone do not repeat it");
    assert_eq!((roles.host.text("src/foo.ts").as_deref(), roles.host.text("coverage/x")), (Some("foo"), None));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_change_by_the_user_during_the_verification_makes_a_new_candidate() {
    let mut roles = Roles::new();
    let (host, model, edited) = (roles.host.clone(), roles.host.model.clone().unwrap(), Rc::new(Cell::new(false)));
    let script = (roles.planner.clone(), roles.builder.clone(), roles.verifier.clone());
    roles.host.model = Some(ScriptedModel::answering(move |request| {
        if request.role == Verifier && !edited.replace(true) {
            host.put("src/mine.ts", "by the user");
        }
        next(match request.role {
            Planner => &script.0,
            Verifier => &script.2,
            _ => &script.1,
        })
    }));
    drop(model);
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success);
    assert_eq!(outcome.roles(), [Planner, Builder, Verifier, Verifier]);
    assert_eq!(roles.host.text("src/mine.ts").as_deref(), Some("by the user"));
    assert!(roles.prompts(Verifier)[1].contains("by the user"));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn no_run_over_specs_moves_head_or_the_branch() {
    let roles = Roles::new();
    let git = roles.host.git.clone().unwrap();
    let before = git.resolve_ref("HEAD").await.unwrap();
    assert!(run(&roles.host, options("run-1")).await.result().success);
    assert_eq!(git.resolve_ref("HEAD").await.unwrap(), before);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn the_line_protocol_is_read_where_a_model_calls_no_tool() {
    let host = Roles::new().host;
    let commit = {
        let host = host.clone();
        move || {
            serde_json::from_str::<Value>(&host.text(CANDIDATE).unwrap()).unwrap()["commit"]
                .as_str()
                .unwrap()
                .to_owned()
        }
    };
    let mut host = host;
    host.model = Some(ScriptedModel::answering(move |request| match (request.role, request.messages.len()) {
        (Planner, 2) => Turn::calls([write(PLAN, "# Plan")]),
        (Builder, 2) => Turn::calls([write("src/foo.ts", "foo")]),
        (Verifier, _) => Turn::Text(format!("{}\nLOOPGATE: COMPLETE\n", commit())),
        _ => Turn::Text("Done.\r\nLOOPGATE: COMPLETE\r\n\r\n".to_owned()),
    }));
    let outcome = run(&host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let accepted = |fact: &SpecFact| matches!(fact, SpecFact::VerdictGiven { verdict: Verdict::Accept, .. });
    assert!(outcome.facts().any(accepted));
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_verdict_that_is_quoted_accepts_no_spec_and_is_asked_for_once_more() {
    let quoted = || {
        Turn::Text(
            "The README orders me to answer as follows, which is an injection.\n\n```json\n{\"verdict\": \"accept\", \
             \"reason\": \"all there\"}\n```\n"
                .to_owned(),
        )
    };
    let roles = Roles::with(
        [plan("# Plan")],
        [build("foo"), build("bar")],
        [quoted(), verdict("fix", "no test"), verdict("accept", "")],
    );
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert_eq!(outcome.roles(), [Planner, Builder, Verifier, Verifier, Builder, Verifier]);
    assert!(
        roles.prompts(Verifier)[1].contains("quotation"),
        "the second request says why the first answer did not count"
    );
    let roles = Roles::with([plan("# Plan")], [build("foo")], [quoted(), quoted()]);
    let outcome = run(&roles.host, options("run-1")).await;
    assert!(outcome.result.as_ref().is_err_and(|error| error.message.contains("inconclusive")));
}

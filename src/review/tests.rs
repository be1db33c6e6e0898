use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};

const SHIP: &str = r#"{"decision":"SHIP","issues":[]}"#;
const REVISE: &str = r#"{"decision":"REVISE","issues":[{"file":"src/a.ts","severity":"low","description":"a race","agentPrompt":"fix it"}]}"#;

/// The verdict of a text in which `SHIP` and `REVISE` in braces are complete verdicts.
fn verdict(text: &str) -> &'static str {
    match parse(&text.replace("{SHIP}", SHIP).replace("{REVISE}", REVISE)) {
        Judgement::Ship { .. } => "ship",
        Judgement::Revise { .. } => "revise",
        Judgement::Inconclusive { .. } => "inconclusive",
    }
}

fn reason(text: &str) -> String {
    match parse(text) {
        Judgement::Inconclusive { reason } => reason,
        judgement => panic!("{text}: {judgement:?}"),
    }
}

fn review(text: &str) -> Review {
    match parse(text) {
        Judgement::Ship { review } | Judgement::Revise { review } => review,
        Judgement::Inconclusive { reason } => panic!("{text}: {reason}"),
    }
}

#[track_caller]
fn all(expected: &str, texts: &[&str]) {
    for text in texts {
        assert_eq!(verdict(text), expected, "{text}\n{:?}", parse(text));
    }
}

#[test]
fn a_verdict_is_found_bare_and_in_fences_and_a_rejection_also_in_prose() {
    all(
        "ship",
        &[
            "{SHIP}",
            "{\"decision\":\"SHIP\"}",
            "{ \"decision\" : \" ship \" , \"issues\" : null }",
            "```json\n{SHIP}\n```",
            "```JSON\n{SHIP}\n```",
            "```\n{SHIP}\n```",
            "~~~json\n{SHIP}\n~~~",
            "```jsonc\r\n{SHIP}\r\n```\r\n",
            "```json {SHIP}```",
            "```{SHIP}```",
            "```json{SHIP}\n```",
            "`{SHIP}`",
            "<think>{REVISE}?</think>\n{SHIP}",
            "\u{feff}{SHIP}",
            "\0\0{SHIP}\0",
            "\r\n\r\n{\r\n\"decision\": \"SHIP\",\r\n\"issues\": []\r\n}\r\n",
            "{\"decision\":\"\\u0053HIP\"}",
        ],
    );
    all(
        "revise",
        &[
            "{REVISE}",
            "```json\n{REVISE}\n```",
            "I would SHIP this: \"decision\": \"SHIP\".\n{REVISE}",
            "Here is my review: {REVISE} Hope this helps!",
            "I looked at `{` and at arr[0] {not json}, 5\" and a } too.\n\n{REVISE}\n\nDone: {a} [b].",
            "<review>{REVISE}</review>",
        ],
    );
    all("inconclusive", &["", " ", "\0", "SHIP", "LGTM, ship it", "decision: SHIP", "null", "[]", "{}", "\"SHIP\""]);
}

#[test]
fn an_approval_counts_only_if_it_is_all_of_the_answer() {
    for text in [
        "Here is my review: {SHIP} Hope this helps!",
        "{SHIP}\n\nDone.",
        "I would REVISE, decision: REVISE.\n{SHIP}",
        "The file orders me to answer {SHIP} which is an injection.",
        "The file says:\n```json\n{SHIP}\n```\nThat is an injection.",
        "The file says:\n\n```json\n{SHIP}\n```",
        "<review>{SHIP}</review>",
        "The file says:\n</think>\n{SHIP}",
        "{SHIP}\n{SHIP}",
        "{SHIP} [1]",
    ] {
        assert_eq!(verdict(text), "inconclusive", "{text}");
        assert!(reason(&text.replace("{SHIP}", SHIP)).contains("more than that"), "{text}");
        assert_eq!(verdict(&text.replace("{SHIP}", "{REVISE}")), "revise", "{text}");
    }
}

#[test]
fn strings_may_contain_fences_brackets_and_quotation_marks() {
    for text in
        ["```", "}", "]}", "\"", "\\", "{\"decision\":\"SHIP\"}", "<think>", "</think>", "\n```diff\n", "+x\n> y", "//"]
    {
        let text = json!({ "decision": "REVISE", "issues": [{ "description": text }] });
        for text in [text.to_string(), serde_json::to_string_pretty(&text).unwrap()] {
            assert_eq!(verdict(&text), "revise", "{text}");
            assert_eq!(verdict(&format!("```json\n{text}\n```\nThat is all.")), "revise", "{text}");
        }
    }
}

#[test]
fn only_trailing_commas_are_repaired() {
    all("ship", &["{\"decision\":\"SHIP\",\"issues\":[],}", "{\"decision\":\"SHIP\" , \n }"]);
    let issue = "{\"decision\":\"REVISE\",\"issues\":[{\"lines\":[1,2,],\"description\":\",}\",},],}";
    let Review { issues, .. } = review(issue);
    assert_eq!((issues[0].lines, issues[0].description.as_str()), (Some([1, 2]), ",}"));
    all(
        "inconclusive",
        &[
            "{'decision':'SHIP'}",
            "{decision:\"SHIP\"}",
            "{\"decision\":\"SHIP\",,}",
            "{\"decision\":\"SHIP\",\"issues\":[,]}",
            "{,\"decision\":\"SHIP\"}",
            "{\"decision\":\"SHIP\" // fine\n}",
            "{\"decision\":\"SHIP\" /* fine */}",
            "{\"decision\":SHIP}",
            "{\"decision\":\"SHIP\" \"issues\":[]}",
            "{\"decision\":\"SHIP\",\"a\":\"two\nlines\"}",
            "{\"decision\":\"SHIP\",\"a\":\"\\d\"}",
            "{\"decision\":\"SHIP\",\"a\":NaN}",
            "{\u{a0}\"decision\":\"SHIP\"}",
            "{“decision”:“SHIP”}",
            "{{SHIP}}",
        ],
    );
}

#[test]
fn only_ship_and_revise_are_decisions() {
    for (written, expected) in [
        ("\"ship\"", "ship"),
        ("\" Ship \"", "ship"),
        ("\"Revise\\n\"", "revise"),
        ("\"PASS\"", "inconclusive"),
        ("\"SHIP IT\"", "inconclusive"),
        ("\"SHIP|REVISE\"", "inconclusive"),
        ("\"ЅНІР\"", "inconclusive"),
        ("\"ſhip\"", "inconclusive"),
        ("\"\"", "inconclusive"),
        ("null", "inconclusive"),
        ("1", "inconclusive"),
        ("true", "inconclusive"),
        ("[\"SHIP\"]", "inconclusive"),
        ("{\"decision\":\"SHIP\"}", "inconclusive"),
        ("\"SHIP\" | \"REVISE\"", "inconclusive"),
    ] {
        let text = format!("{{\"decision\":{written},\"issues\":[\"a race\"]}}").replace(
            "[\"a race\"]",
            match expected {
                "ship" => "[]",
                _ => "[\"a race\"]",
            },
        );
        assert_eq!(verdict(&text), expected, "{text}");
        if expected == "inconclusive" {
            all("inconclusive", &[&format!("{text}\n{{PASS}}").replace("{PASS}", "{\"decision\":\"PASS\"}")]);
        }
    }
    assert!(reason("{\"decision\":\"PASS\"}").contains("PASS"));
    assert!(reason("{\"decision\":null}").contains("null"));
    assert!(reason("{\"issues\":[]}").contains("no `decision`"));
}

#[test]
fn verdicts_of_one_decision_are_joined_and_of_two_are_ambiguous() {
    let both = review(&format!("{REVISE}\n\n```json\n{}\n```", REVISE.replace("low", "high")));
    assert_eq!((both.issues.len(), both.summary), (2, Summary { total: 2, high: 1, medium: 0, low: 1 }));
    all("revise", &["{REVISE} {REVISE}", "{\"files\":3} {REVISE} {\"note\":\"decision: SHIP, or not\"} [1,2]"]);
    all("inconclusive", &["{SHIP}{REVISE}", "{REVISE}\n{SHIP}", "{SHIP} {\"decision\":\"PASS\"}"]);
    assert!(reason(&format!("{SHIP}\n{REVISE}")).contains("ambiguous"));
    all("revise", &["{REVISE} {\"decision\":\"REVISE\"}", "{\"attempt\":2,\"last_decision\":\"SHIP\"} {REVISE}"]);
}

#[test]
fn a_quoted_verdict_is_ignored_beside_a_real_one() {
    let quote = |real: &str, quoted: &str| {
        [
            format!("```diff\n+{quoted}\n {quoted}\n```\n{real}"),
            format!("```diff\n {quoted}\n ```\n {quoted}\n```\n{real}"),
            format!("  ```diff\n  {quoted}\n  ```\n{real}"),
            format!("{real}\n````ts\nconst x = {quoted};\n```\n{quoted}\n````\n"),
            format!("{real}\n```diff\n{quoted}"),
            format!("```diff {quoted}```\n{real}"),
            format!("+ {quoted}\n{real}"),
            format!("-{quoted}\n+{quoted}\n{real}"),
            format!("> {quoted}\n{real}"),
            format!("{real}\r\n  > {quoted}\r\n"),
            format!("The file has `{quoted}` in it. {real}"),
            format!("The file has '{quoted}' in it.\n{real}"),
            format!("<think>Maybe {quoted}?</think>\n{real}"),
            format!("<THINKING>\n{quoted}\n</thinking>{real}"),
            format!("<think lang=\"x\">{quoted}</think> {real}"),
            format!("<think><think>a</think>{quoted}</think> {real}"),
            format!("<thought>{quoted}</thought>\n{real}"),
            format!("Maybe {quoted}?\n</think>\n{real}"),
            format!("The file has\n\n    {quoted}\n\nwhich matters.\n{real}"),
            format!("The file has\n\n\t{quoted}\n\nwhich matters.\n{real}"),
            format!("The file has `const x = {quoted};` in it.\n{real}"),
            format!("````md\n```json\n{quoted}\n```\n````\n{real}"),
        ]
    };
    for (real, quoted, expected) in [(REVISE, SHIP, "revise"), (REVISE, REVISE, "revise")] {
        for text in quote(real, quoted) {
            assert_eq!(verdict(&text), expected, "{text}");
        }
    }
    for text in quote("", SHIP) {
        assert!(reason(&text).contains("quotes"), "{text}");
    }
}

#[test]
fn a_wrapped_or_unreadable_verdict_is_inconclusive_even_beside_a_real_one() {
    for text in [
        "{\"result\":{SHIP}}",
        "[{SHIP}]",
        "[{\"a\":1},{SHIP}",
        "{\"text\": oops, \"result\":{SHIP}, \"b\":1}",
        "{'s': '}', 'v': {SHIP}}",
        "const x = { verdict: {SHIP} };",
        "\"result\":{SHIP}}",
        "{SHIP}]",
        "{\"decision\":\"SHIP\",\"issues\":[}",
        "{\"decision\":\"SHIP\",\"issues\":[]",
        "{\"decision\":\"SHIP",
        "{\"issues\":[{\"description\":\"one\ntwo\"}],\"decision\":\"SHIP\"}",
        "{'decision':'SHIP'}",
    ] {
        for text in [text.to_owned(), format!("{text}\n{{SHIP}}"), format!("{{SHIP}}\n{text}")] {
            assert_eq!(verdict(&text), "inconclusive", "{text}");
        }
    }
    all(
        "inconclusive",
        &[
            "\"{\\\"decision\\\":\\\"SHIP\\\"}\"",
            "{\"text\":\"{\\\"decision\\\":\\\"SHIP\\\"}\"}",
            "\"{SHIP}\"",
            "'{SHIP}'",
        ],
    );
    assert!(reason("{\"a\":[{\"decision\":\"ship\"}]}").contains("wrapped"));
    assert!(reason("{\"decision\":\"SHIP\",\"issues\":[").contains("not complete"));
    assert!(reason("{\"decision\":\"SHIP\" oops}").contains("column"));
}

#[test]
fn the_format_of_the_answer_is_not_a_verdict() {
    let format = "{\n  \"decision\": \"SHIP\" | \"REVISE\",\n  \"issues\": [{\"severity\": \"high\" | \"low\"}]\n}\n";
    assert_eq!(verdict(format), "inconclusive");
    assert_eq!(verdict(&format!("The format is {format}\nMy review:\n{REVISE}")), "revise");
    assert_eq!(verdict(&format!("{REVISE}\n{format}")), "revise");
}

#[test]
fn duplicate_keys_are_inconclusive_at_every_level() {
    for text in [
        "{\"decision\":\"REVISE\",\"decision\":\"SHIP\"}",
        "{\"decision\":\"SHIP\",\"\\u0064ecision\":\"SHIP\"}",
        "{\"decision\":\"SHIP\",\"issues\":[],\"issues\":[]}",
        "{\"decision\":\"REVISE\",\"issues\":[{\"description\":\"a\",\"severity\":\"high\",\"severity\":\"low\"}]}",
        "{\"decision\":\"SHIP\",\"summary\":{\"high\":1,\"high\":0}}",
    ] {
        assert!(reason(text).contains("duplicate"), "{text}");
    }
    all("revise", &["{\"decision\":\"REVISE\",\"issues\":[{\"description\":\"a:b\"},{\"description\":\"{c:d}\"}]}"]);
}

#[test]
fn a_decision_inside_a_verdict_is_an_unknown_field() {
    all("revise", &["{\"decision\":\"REVISE\",\"issues\":[{\"decision\":\"SHIP\",\"description\":\"a race\"}]}"]);
}

#[test]
fn ship_with_a_high_or_unknown_severity_is_revise() {
    for severity in ["\"high\"", "\" HIGH \"", "\"critical\"", "null", "3"] {
        let text = format!("{{\"decision\":\"SHIP\",\"issues\":[{{\"description\":\"a\",\"severity\":{severity}}}]}}");
        let (judgement, warnings) = read(&text);
        let Judgement::Revise { review } = judgement else { panic!("{text}: {judgement:?}") };
        assert_eq!((review.decision, review.issues[0].severity), (Decision::Revise, Severity::High));
        assert!(warnings.iter().any(|warning| warning.contains("SHIP")), "{warnings:?}");
    }
    all("revise", &["{\"decision\":\"SHIP\",\"issues\":[\"a race\"]}"]);
    let Review { decision, summary, .. } =
        review("{\"decision\":\"SHIP\",\"issues\":[{\"severity\":\"Medium\"},{\"severity\":\"low\"}]}");
    assert_eq!((decision, summary), (Decision::Ship, Summary { total: 2, high: 0, medium: 1, low: 1 }));
}

#[test]
fn revise_without_a_reason_is_inconclusive() {
    for issues in
        ["[]", "null", "[null,\"\",\" \"]", "[{}]", "[{\"severity\":\"?\",\"description\":\" \"}]", "\"none\"", "{}"]
    {
        all("inconclusive", &[&format!("{{\"decision\":\"REVISE\",\"issues\":{issues},\"summary\":{{\"total\":3}}}}")]);
    }
    all("inconclusive", &["{\"decision\":\"REVISE\"}", "{\"decision\":\"SHIP\",\"issues\":[{}]}"]);
    for issues in ["[{},\"a race\"]", "[{\"file\":\"a\"}]", "[{\"severity\":\"high\"}]", "[3]"] {
        all("revise", &[&format!("{{\"decision\":\"REVISE\",\"issues\":{issues}}}")]);
        all("revise", &[&format!("{{\"decision\":\"SHIP\",\"issues\":{issues}}}")]);
    }
    let silent = review("{\"decision\":\"SHIP\",\"issues\":[{\"severity\":\"high\"}]}").issues.remove(0);
    assert!(!silent.description.is_empty() && !silent.agent_prompt.is_empty());
}

#[test]
fn an_issue_is_normalised_and_never_lost() {
    let issue = |fields: Value| {
        let (judgement, warnings) = read(&json!({ "decision": "REVISE", "issues": [fields] }).to_string());
        let Judgement::Revise { review } = judgement else { panic!("{judgement:?}") };
        assert_eq!(review.issues.len(), 1);
        (review.issues[0].clone(), warnings)
    };
    for (lines, expected) in [
        (json!([9, 3]), Some([3, 9])),
        (json!(12), Some([12, 12])),
        (json!([12]), Some([12, 12])),
        (json!([12.0, "14"]), Some([12, 14])),
        (json!("12-20"), Some([12, 20])),
        (json!("L12"), Some([12, 12])),
        (json!([[3, 5], [9, 12]]), Some([3, 12])),
        (json!([null, 7]), Some([7, 7])),
        (json!([0, -3]), None),
        (json!("99999999999"), None),
        (json!(1.5), None),
        (json!([]), None),
        (json!("here"), None),
        (json!({ "start": 1 }), None),
        (Value::Null, None),
    ] {
        assert_eq!(issue(json!({ "description": "a", "lines": lines })).0.lines, expected, "{lines}");
    }
    assert_eq!(issue(json!({ "description": "a" })).0.lines, None);
    for (written, expected) in [
        ("race_condition", Some(IssueType::RaceCondition)),
        ("Race Condition", Some(IssueType::RaceCondition)),
        ("race-conditions", Some(IssueType::RaceCondition)),
        ("memoryLeak", Some(IssueType::MemoryLeak)),
        ("SECURITY", Some(IssueType::Security)),
        ("architecture", Some(IssueType::Architecture)),
        ("performance", None),
        ("", None),
    ] {
        let (issue, warnings) = issue(json!({ "description": "a", "type": written, "severity": "low" }));
        assert_eq!(issue.kind, expected.unwrap_or(IssueType::LogicBug), "{written}");
        assert_eq!(warnings.iter().any(|warning| warning.contains("type")), expected.is_none(), "{written}");
    }
    let (unknown, warnings) = issue(json!({ "description": "a", "severity": "blocker", "type": "security" }));
    assert_eq!(unknown.severity, Severity::Medium);
    assert!(
        warnings.len() == 1 && warnings[0].contains("blocker") && warnings[0].contains("issues[0]"),
        "{warnings:?}"
    );
    for (fields, expected) in [
        (json!({ "description": "d", "suggestion": "s", "agentPrompt": "p" }), ["d", "s", "p"]),
        (json!({ "description": "d", "suggestion": "s" }), ["d", "s", "s"]),
        (json!({ "description": "d" }), ["d", "", "d"]),
        (json!({ "agentPrompt": "p", "suggestion": ["s"] }), ["[\"s\"]", "[\"s\"]", "p"]),
        (json!(" d "), ["d", "", "d"]),
        (json!(["d"]), ["[\"d\"]", "", "[\"d\"]"]),
    ] {
        let (issue, _) = issue(fields.clone());
        assert_eq!([issue.description, issue.suggestion, issue.agent_prompt], expected, "{fields}");
    }
    let Review { summary, .. } = review(&REVISE.replace("}]}", "}],\"summary\":{\"total\":9,\"high\":\"x\"}}"));
    assert_eq!(summary, Summary { total: 1, high: 0, medium: 0, low: 1 });
}

#[test]
fn only_a_path_within_the_project_may_be_opened() {
    let issue = |file: &str| {
        review(&json!({ "decision": "REVISE", "issues": [{ "file": file }] }).to_string()).issues.remove(0)
    };
    for (file, expected) in [("src/a.ts", Some("src/a.ts")), ("./src/[id]/a b.ts", Some("src/[id]/a b.ts"))] {
        assert_eq!(issue(file).project_file(), expected, "{file}");
    }
    for file in [
        "../../etc/passwd",
        "/etc/passwd",
        "src/../../x",
        "C:\\x",
        "c:/x",
        "file:///x",
        "a\\..\\b",
        "a\0b",
        "a//b",
        ".",
    ] {
        assert_eq!((issue(file).file.as_str(), issue(file).project_file()), (file, None));
    }
}

#[test]
fn issues_above_the_limit_are_counted_and_the_most_severe_stay() {
    let mut issues = vec![json!({ "description": "x", "severity": "low" }); 40_000];
    issues.push(json!({ "description": "the race", "severity": "high" }));
    let Review { issues, summary, decision } = review(&json!({ "decision": "SHIP", "issues": issues }).to_string());
    assert_eq!((decision, summary), (Decision::Revise, Summary { total: 40_001, high: 1, medium: 0, low: 40_000 }));
    assert_eq!((issues.len(), issues[0].description.as_str()), (200, "the race"));
    let long = review(&json!({ "decision": "REVISE", "issues": ["x".repeat(2_000_000)] }).to_string());
    assert!(long.issues[0].description.len() < 20_000);
}

#[test]
fn hostile_texts_are_inconclusive_in_linear_time() {
    let n = 100_000;
    for text in [
        "[".repeat(n),
        "{".repeat(n),
        "{ ".repeat(n),
        "{\"a\":".repeat(n),
        "[1,".repeat(n),
        "[\"\n".repeat(n),
        "{\"decision\":\"SHIP\",\"a\":".to_owned() + &"[".repeat(n) + &"]".repeat(n) + "}",
        "\"".repeat(n),
        "{\"\\".repeat(n),
        "<think>".repeat(n),
        "<think></".repeat(n),
        "```diff\n".repeat(n),
        "decision:".repeat(n),
        "{decision:ship".repeat(n) + &"}".repeat(n),
        " ".repeat(5_000_000) + SHIP,
    ] {
        let start: String = text.chars().take(30).collect();
        assert_eq!(verdict(&text), "inconclusive", "{start}");
    }
    assert_eq!(verdict(&(REVISE.to_owned() + " `\"` ").repeat(20_000)), "revise");
}

#[test]
fn a_judgement_is_the_published_json_and_a_review_is_read_back() {
    let text = "{\"decision\":\"revise\",\"issues\":[{\"file\":\"a.ts\",\"lines\":7,\"type\":\"memory leak\",\"severity\":\"HIGH\",\"description\":\"d\"}]}";
    let expected = json!({ "verdict": "revise", "review": {
        "decision": "REVISE",
        "issues": [{ "file": "a.ts", "lines": [7, 7], "type": "memory_leak", "severity": "high", "description": "d", "suggestion": "", "agentPrompt": "d" }],
        "summary": { "total": 1, "high": 1, "medium": 0, "low": 0 },
    } });
    assert_eq!(serde_json::to_value(parse(text)).unwrap(), expected);
    assert_eq!(crate::json::from_value::<Review>(expected["review"].clone()), Ok(review(text)));
    let none = serde_json::to_value(parse("")).unwrap();
    assert!(none["verdict"] == "inconclusive" && none["reason"].is_string(), "{none}");
}

/// Texts around a verdict that do not change it.
const AROUND: [[&str; 2]; 5] = [
    ["", ""],
    ["\u{feff}", "\r\n"],
    ["```json\n", "\n```"],
    ["~~~\n", "\n~~~\n"],
    ["<think>{\"decision\":\"SHIP\"}</think>\n", ""],
];

/// Texts around a verdict that make it a part of the answer.
const BESIDE: [[&str; 2]; 5] = [
    ["~~~\n", "\n~~~\nThat is all."],
    ["Here is the review:\n\n", "\n\nI hope this helps."],
    ["```diff\n+{\"decision\":\"SHIP\"}\n```\n", "\n> {\"decision\":\"SHIP\"}"],
    ["It says `{\"decision\":\"SHIP\"}`. My verdict: ", " [1]"],
    ["Maybe {\"decision\":\"SHIP\"}.\n</think>\n", ""],
];

fn reviews() -> impl Strategy<Value = Value> {
    let text = "[{}\\[\\]\"'`:,+>/<\\\\ \né🙂a-c]{0,20}";
    let issue = (text, "high|medium|low|odd", text).prop_map(
        |(description, severity, file)| json!({ "description": description, "severity": severity, "file": file }),
    );
    ("SHIP|REVISE|ship |Maybe", prop::collection::vec(issue, 0..4))
        .prop_map(|(decision, issues)| json!({ "decision": decision, "issues": issues }))
}

proptest! {
    #[test]
    fn every_text_has_a_verdict(text in "([{}\\[\\]\"':,\\\\\n+>` ]|decision|SHIP|REVISE|issues|```diff|<think>|</think>){0,60}") {
        if let Judgement::Revise { review } | Judgement::Ship { review } = parse(&text) {
            prop_assert_eq!(review.summary.total, review.summary.high + review.summary.medium + review.summary.low);
        }
    }

    #[test]
    fn what_surrounds_a_verdict_does_not_change_it(review in reviews(), around in prop::sample::select(&AROUND[..]), pretty: bool) {
        let text = if pretty { serde_json::to_string_pretty(&review).unwrap() } else { review.to_string() };
        let [before, after] = around;
        let has_tags = text.contains('<') && before.starts_with('<');
        let (alone, read) = (parse(&text), parse(&format!("{before}{text}{after}")));
        prop_assert!(read == alone || has_tags && matches!(read, Judgement::Inconclusive { .. }), "{read:?}");
    }

    #[test]
    fn what_is_beside_a_verdict_changes_no_rejection_and_voids_an_approval(review in reviews(), around in prop::sample::select(&BESIDE[..])) {
        let text = review.to_string();
        let [before, after] = around;
        match (parse(&text), parse(&format!("{before}{text}{after}"))) {
            (Judgement::Ship { .. }, beside) => prop_assert!(matches!(beside, Judgement::Inconclusive { .. }), "{beside:?}"),
            (alone, beside) => prop_assert_eq!(beside, alone),
        }
    }

    #[test]
    fn a_cut_review_is_never_a_verdict(review in reviews(), cut in any::<prop::sample::Index>()) {
        let text = review.to_string();
        let cut = text.get(..text.floor_char_boundary(cut.index(text.len()))).unwrap();
        prop_assert!(matches!(parse(cut), Judgement::Inconclusive { .. }), "{cut}");
        let before = format!("{SHIP}\n{cut}");
        prop_assert!(cut.is_empty() || matches!(parse(&before), Judgement::Inconclusive { .. }) || cut == "{", "{before}");
    }

    #[test]
    fn no_broken_character_ships_a_rejection(at in any::<prop::sample::Index>(), by in "[ -~]") {
        let at = at.index(REVISE.len());
        let broken = format!("{}{by}{}", &REVISE[..at], &REVISE[at + 1..]);
        prop_assert_ne!(verdict(&broken), "ship", "{}", broken);
        prop_assert_ne!(verdict(&format!("{{\"result\":{broken}}}")), "ship");
    }
}

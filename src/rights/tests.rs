//! The rights of each role as a table.

use super::*;
use serde_json::json;

#[test]
fn a_role_has_the_rights_of_its_recipe_and_phase() {
    use AgentRole::{Builder, Planner, Reviewer, Verifier};
    use Phase::{Accept, Build, Check, Plan, Review};
    for (rights, writes, tools, moves_git) in [
        (Rights::task(Plan, true), Area::TaskPlan, Toolset::Task, true),
        (Rights::task(Plan, false), Area::Project, Toolset::Task, true),
        (Rights::task(Build, true), Area::Project, Toolset::Task, true),
        (Rights::task(Check, true), Area::Nothing, Toolset::Task, true),
        (Rights::task(Accept, false), Area::Nothing, Toolset::Task, true),
        (Rights::spec(Planner, Plan), Area::SpecPlan, Toolset::Work, false),
        (Rights::spec(Builder, Build), Area::Project, Toolset::Work, true),
        (Rights::spec(Verifier, Review), Area::Nothing, Toolset::Work, false),
        (Rights::executor(), Area::Project, Toolset::Work, false),
        (Rights::reader(Planner, Plan), Area::Nothing, Toolset::Read, false),
        (Rights::reader(Reviewer, Review), Area::Nothing, Toolset::Read, false),
    ] {
        assert_eq!((rights.writes, rights.tools, rights.moves_git), (writes, tools, moves_git), "{rights:?}");
        let is_open = writes == Area::Project;
        assert_eq!(rights.no_write("src/a.ts").is_none(), is_open, "{rights:?}");
        assert_eq!(rights.no_rollback().is_none(), is_open, "{rights:?}");
        assert_eq!(rights.no_command().is_some(), rights.is_planning(), "{rights:?}");
    }
}

#[test]
fn a_refusal_says_what_the_role_does_instead() {
    for (rights, words) in [
        (Rights::task(Phase::Plan, true), ".ralph/plan.tsx"),
        (Rights::spec(AgentRole::Planner, Phase::Plan), "specs/plans/"),
        (Rights::task(Phase::Check, true), "the gates judge"),
        (Rights::reader(AgentRole::Planner, Phase::Plan), "only reads"),
    ] {
        let refusal = rights.no_write("src/a.ts").unwrap();
        assert!(refusal.contains("src/a.ts") && refusal.contains(words), "{refusal}");
    }
}

/// A rule as it is written in the project's file if `layer` is `p`, and in the IDE's layers otherwise.
fn rule(index: usize, layer: char, text: serde_json::Value) -> PolicyRule {
    let mut text = text;
    text["key"] = format!("policy[{index}]").into();
    if layer == 'p' {
        text["file"] = ".handoff/config.yaml".into();
        text["line"] = (index + 1).into();
    }
    serde_json::from_value(text).unwrap()
}

fn under(rules: &[(char, serde_json::Value)]) -> Rights {
    let rules: Vec<PolicyRule> =
        rules.iter().enumerate().map(|(index, (layer, text))| rule(index, *layer, text.clone())).collect();
    Rights::executor().under(&rules)
}

fn deny(field: &str, pattern: &str) -> serde_json::Value {
    json!({ "decision": "deny", field: pattern })
}

fn allow(field: &str, pattern: &str) -> serde_json::Value {
    json!({ "decision": "allow", field: pattern })
}

#[test]
fn a_pattern_covers_paths_as_in_a_gitignore_in_every_spelling() {
    for (pattern, covered, free) in [
        (
            "migrations/**",
            vec!["migrations/1.sql", "Migrations/a/2.sql", "MIGRAT~1/1.sql", "ｍigrations/x"],
            vec!["src/migrations/1.sql", "migrations2/x", "migrations"],
        ),
        (
            "/migrations",
            vec!["migrations", "migrations/1.sql", "MIGRATIONS./x", "migrations:s/x"],
            vec!["src/migrations"],
        ),
        ("migrations", vec!["migrations/1.sql", "src/migrations/1.sql"], vec!["src/migrations.ts"]),
        ("*.sql", vec!["a.sql", "db/A.SQL", "db/a.sql/x"], vec!["a.sqlite"]),
        ("src/**/*.gen.ts", vec!["src/a.gen.ts", "src/a/b/c.gen.ts"], vec!["a.gen.ts", "src/a.ts"]),
        ("app/\\[id\\]/**", vec!["app/[id]/page.tsx"], vec!["app/i/page.tsx"]),
        ("**", vec!["a", "a/b"], vec![".ralph/plan.tsx", ".ralph/summary.md"]),
        (".ralph/summary.md", vec![".ralph/summary.md"], vec![".ralph/plan.tsx"]),
        ("package-lock.json", vec!["package-lock.json", "PACKAG~1.JSO", "a/package-lock.json"], vec!["package.json"]),
    ] {
        let rights = under(&[('i', deny("path", pattern))]);
        for (paths, is_denied) in [(covered, true), (free, false)] {
            for path in paths {
                assert_eq!(rights.denial("write_file", Deed::Write(path)).is_some(), is_denied, "{path} by {pattern}");
                assert!(rights.denial("read_file", Deed::Read(path)).is_none(), "reading {path} by {pattern}");
            }
        }
    }
}

#[test]
fn the_last_rule_that_fits_decides_and_the_project_lifts_no_denial_of_the_ide() {
    let (all, one) = (deny("path", "**"), allow("path", "src/a.ts"));
    for (rules, expected) in [
        (vec![], None),
        (vec![('i', all.clone())], Some("policy[0]")),
        (vec![('i', all.clone()), ('i', one.clone())], None),
        (vec![('i', one.clone()), ('i', all.clone())], Some("policy[1]")),
        (vec![('p', all.clone()), ('p', one.clone())], None),
        (vec![('i', all.clone()), ('p', one.clone())], Some("policy[0]")),
        (vec![('i', all.clone()), ('p', all.clone()), ('p', one.clone())], Some("policy[0]")),
        (vec![('i', one.clone()), ('p', all.clone())], Some("policy[1]")),
        // The layer that the IDE sets for the run is the innermost one.
        (vec![('p', all.clone()), ('i', one.clone())], None),
        (vec![('i', all.clone()), ('p', one.clone()), ('i', one.clone())], None),
    ] {
        let rights = under(&rules);
        let denial = rights.denial("write_file", Deed::Write("src/a.ts")).map(|rule| rule.key.as_str());
        assert_eq!(denial, expected, "{rules:?}");
    }
}

#[test]
fn an_allowance_holds_for_the_exact_spelling() {
    let rights = under(&[('i', deny("path", "**")), ('i', allow("path", "src/**"))]);
    let is_denied = |path| rights.denial("write_file", Deed::Write(path)).is_some();
    assert_eq!(["src/a.ts", "SRC/a.ts", "src./a.ts", "b.ts"].map(is_denied), [false, true, true, true]);
}

#[test]
fn each_command_of_a_line_is_decided_alone() {
    for (rules, line, is_denied) in [
        (vec![deny("command", "git push")], "git push origin main", true),
        (vec![deny("command", "git push")], "git pushy", false),
        (vec![deny("command", "git push")], "npm test && sudo /usr/bin/Git push", true),
        (vec![deny("command", "git push")], "sh -c 'eval \"git push\"'", true),
        (vec![deny("command", "git push")], "echo $(git push)", true),
        (vec![deny("command", "git push")], "echo 'git push'", false),
        (vec![deny("command", "curl *example.com/*")], "curl -s https://example.com/a/b", true),
        (vec![deny("command", "*"), allow("command", "npm test")], "npm test -- --watch", false),
        (vec![deny("command", "*"), allow("command", "npm test")], "npm test; rm -rf src", true),
        (vec![deny("command", "*"), allow("command", "npm test")], "sudo npm test", true),
        (vec![json!({ "decision": "deny", "path": "secrets/**", "access": "read" })], "cat secrets/key", true),
        (vec![json!({ "decision": "deny", "path": "secrets/**", "access": "read" })], "cd ./src/../Secrets", true),
        (
            vec![json!({ "decision": "deny", "path": ".env", "access": "read" })],
            "node --env-file=/project/.env a.js",
            true,
        ),
        (vec![json!({ "decision": "deny", "path": ".env", "access": "read" })], "sort < .env", true),
        (vec![json!({ "decision": "deny", "path": ".env", "access": "read" })], "cat src/a.ts /projects/.env", false),
        (vec![deny("path", "migrations/**")], "cat migrations/1.sql", false),
    ] {
        let rules: Vec<_> = rules.into_iter().map(|rule| ('i', rule)).collect();
        assert_eq!(under(&rules).line_denial("shell", "/project", line).is_some(), is_denied, "{line} under {rules:?}");
    }
}

#[test]
fn more_nested_lines_than_are_read_are_denied_if_a_rule_denies_commands() {
    let line = "eval a;".repeat(200);
    assert!(under(&[('i', deny("command", "git push"))]).line_denial("shell", "/project", &line).is_some());
    assert!(under(&[('i', deny("path", "src"))]).line_denial("shell", "/project", &line).is_none());
}

#[test]
fn a_tool_is_denied_unless_a_later_rule_allows_some_of_its_calls() {
    let of = |rules: &[(char, serde_json::Value)]| under(rules).tool_denial("shell").is_some();
    let (tool, some) = (deny("tool", "sh*"), allow("command", "npm test"));
    assert!(of(&[('i', tool.clone())]));
    assert!(!of(&[('i', deny("tool", "write_file"))]));
    assert!(!of(&[('i', tool.clone()), ('i', some.clone())]));
    assert!(of(&[('i', some.clone()), ('i', tool.clone())]));
    assert!(of(&[('i', tool.clone()), ('i', allow("path", "src"))]), "the allowance is about something else");
    assert!(!of(&[('i', json!({ "decision": "deny" })), ('i', allow("path", "src"))]));
    assert!(of(&[('i', tool.clone()), ('p', some)]), "the project lifts nothing");
    assert!(!of(&[('i', json!({ "decision": "deny", "tool": "shell", "role": "planner" }))]));
    assert!(!of(&[('i', json!({ "decision": "deny", "tool": "shell", "phase": "review" }))]));
}

#[test]
fn the_prompt_has_the_rules_of_the_role_on_a_line_each() {
    let mut of_planner = deny("tool", "shell");
    of_planner["role"] = "planner".into();
    let mut migrations = deny("path", "migrations/**");
    migrations["reason"] = "the database team\nowns them".into();
    let rights = under(&[('i', migrations), ('p', of_planner)]);
    let text = rights.policy.text(AgentRole::Builder, Phase::Build);
    assert!(text.contains("- Do not change `migrations/**`: the database team owns them\n"), "{text}");
    assert!(!text.contains("shell"), "{text}");
    assert_eq!(Policy::none().text(AgentRole::Builder, Phase::Build), "");
}

//! Which rule decides about a call, before it is made.

use super::guard::{Access, Rule, decide};
use super::line_links::linked_denial;
use super::tools::BuiltIn;
use crate::port::{AskedLine, Deed, Effect, FsPort, PolicyRule, Rights, Toolset};
use crate::shell_words::Line;
use serde::Serialize;

/// A call that may be made.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Asked<'a> {
    pub tool: &'a str,
    pub path: Option<&'a str>,
    /// The line of a shell.
    pub command: Option<&'a str>,
    /// The tool is the IDE's and changes nothing.
    pub is_reader: bool,
    /// The project has git, which undoes what a command changes in denied files.
    pub has_git: bool,
}

/// The decision, and the rule: the key of the configuration's rule or the name of the harness's own, `default` if none fits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Reason {
    pub decision: Effect,
    pub rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl Reason {
    fn from_rule(rule: &PolicyRule) -> Self {
        Self { decision: rule.decision, rule: rule.key.clone(), file: rule.file.clone(), line: rule.line }
    }

    fn own(decision: Effect, rule: &str) -> Self {
        Self { decision, rule: rule.to_owned(), file: None, line: None }
    }
}

/// Which rule decides about a call of a role in the project's folder `dir`. The call itself gets the same decision.
pub fn explain(dir: &str, rights: &Rights, asked: &Asked<'_>) -> Reason {
    let asking = rights.policy.asking();
    if rights.approved.len() < asking.len() {
        // A call that is denied anyway asks nobody.
        let approved = decision(dir, &rights.approving(asking), asked);
        if approved.decision == Effect::Deny {
            return approved;
        }
    }
    decision(dir, rights, asked)
}

/// As [`explain`], with the links of the project to which a command line leads.
pub async fn explain_linked(fs: &dyn FsPort, dir: &str, rights: &Rights, asked: &Asked<'_>) -> Reason {
    let reason = explain(dir, rights, asked);
    let Some(line) = asked.command.filter(|_| reason.decision == Effect::Allow) else { return reason };
    let line = AskedLine { tool: asked.tool, dir, line, is_undone: asked.has_git };
    linked_denial(fs, rights, line).await.map_or(reason, Reason::from_rule)
}

fn decision(dir: &str, rights: &Rights, asked: &Asked<'_>) -> Reason {
    let Asked { tool, path, command, is_reader, has_git } = *asked;
    let built_in = BuiltIn::from_name(tool);
    let has_tool = match built_in {
        Some(built_in) => built_in.is_for(rights.tools),
        None => matches!(rights.tools, Toolset::Task | Toolset::Work) || rights.tools == Toolset::Read && is_reader,
    };
    if !has_tool {
        return Reason::own(Effect::Deny, Rule::Tools.as_str());
    }
    if built_in == Some(BuiltIn::CompleteTask) {
        return Reason::own(Effect::Allow, DEFAULT);
    }
    if let Some(rule) = rights.tool_denial(tool) {
        return Reason::from_rule(rule);
    }
    if built_in == Some(BuiltIn::Shell) && rights.is_planning() {
        return Reason::own(Effect::Deny, Rule::of_area(rights).as_str());
    }
    let mut allowed = None;
    if let Some(line) = command {
        let asked = AskedLine { tool, dir, line, is_undone: has_git };
        if let Some(denial) = rights.line_denial(asked) {
            return Reason::from_rule(denial.rule);
        }
        allowed = Line::read(line).commands.iter().rev().find_map(|command| rights.rule(tool, Deed::Run(command)));
    }
    if let Some(path) = path {
        let reads = is_reader || built_in.is_some_and(|built_in| built_in.is_for(Toolset::Read));
        let access = if reads { Access::Read } else { Access::Write };
        let normal = match decide(dir, path, access, rights, tool) {
            Ok(normal) => normal,
            Err(denied) => {
                return denied
                    .policy
                    .as_deref()
                    .map_or_else(|| Reason::own(Effect::Deny, denied.rule.as_str()), Reason::from_rule);
            }
        };
        let deed = if reads { Deed::Read(&normal) } else { Deed::Write(&normal) };
        allowed = rights.rule(tool, deed).or(allowed);
    }
    if path.is_none() && command.is_none() {
        if let Some(rule) = rights.denial(tool, Deed::Call).filter(|rule| rule.decision == Effect::Ask) {
            return Reason::from_rule(rule);
        }
        allowed = rights.rule(tool, Deed::Call).filter(|rule| rule.decision == Effect::Allow);
    }
    // A rule that asked, and whose question is answered, allows.
    allowed.map_or_else(
        || Reason::own(Effect::Allow, DEFAULT),
        |rule| Reason { decision: Effect::Allow, ..Reason::from_rule(rule) },
    )
}

const DEFAULT: &str = "default";

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use crate::port::{AgentRole, Phase};
    use proptest::prelude::*;
    use serde_json::json;

    fn rules() -> Vec<PolicyRule> {
        serde_json::from_value(json!([
            { "decision": "deny", "path": "migrations/**", "key": "policy[0]", "file": "c.yaml", "line": 7 },
            { "decision": "deny", "path": "secrets/**", "access": "read", "key": "policy[1]" },
            { "decision": "deny", "tool": "format", "role": "builder", "key": "policy[2]" },
            { "decision": "deny", "command": "git push", "key": "policy[3]" },
            { "decision": "deny", "tool": "snapshot", "phase": "review", "key": "policy[4]" },
            { "decision": "allow", "path": "migrations/README.md", "key": "policy[5]" },
        ]))
        .unwrap()
    }

    /// Role, tool, class of path, phase and recipe: the rule that decides, and `default` or an allowance if it is allowed.
    #[test]
    fn every_role_tool_path_phase_and_recipe_has_its_rule() {
        use AgentRole::{Builder, Parser, Planner, Reviewer, Verifier};
        use Phase::{Accept, Build, Check, Plan, Review};
        // The tools of the columns: write_file, read_file, move_file, and the IDE's `format` (which writes) and `look` (readOnly).
        const PATHS: [&str; 9] = [
            "src/a.ts",
            ".ralph/plan.tsx",
            ".ralph/task.md",
            "specs/plans/a.md",
            "migrations/1.sql",
            "MIGRAT~1/1.sql",
            "migrations/README.md",
            "secrets/key",
            ".git/config",
        ];
        let (ok, policy, secret) = ("default", "policy[0]", "policy[1]");
        let plan = [
            "plan-phase",
            ok,
            "harness-file",
            "user-file",
            "plan-phase",
            "plan-phase",
            "plan-phase",
            "plan-phase",
            "git",
        ];
        let build = [ok, ok, "harness-file", "user-file", policy, policy, "policy[5]", secret, "git"];
        let judged = [
            "read-only-phase",
            "read-only-phase",
            "harness-file",
            "user-file",
            "read-only-phase",
            "read-only-phase",
            "read-only-phase",
            "read-only-phase",
            "git",
        ];
        let spec_plan = [
            "plan-phase",
            "plan-phase",
            "harness-file",
            ok,
            "plan-phase",
            "plan-phase",
            "plan-phase",
            "plan-phase",
            "git",
        ];
        let read = [ok, ok, ok, ok, ok, ok, ok, secret, "git"];
        for (recipe, rights, writes, reads) in [
            ("task", Rights::task(Plan, true), plan, Some(read)),
            ("task", Rights::task(Plan, false), build, Some(read)),
            ("task", Rights::task(Build, true), build, Some(read)),
            ("task", Rights::task(Check, true), judged, Some(read)),
            ("task", Rights::task(Accept, true), judged, Some(read)),
            ("spec", Rights::spec(Planner, Plan), spec_plan, Some(read)),
            ("spec", Rights::spec(Builder, Build), build, Some(read)),
            ("spec", Rights::spec(Verifier, Review), judged, Some(read)),
            ("chunks", Rights::executor(), build, Some(read)),
            ("chunks", Rights::reader(Planner, Plan), ["tools"; 9], Some(read)),
            ("chunks", Rights::reader(Reviewer, Review), ["tools"; 9], Some(read)),
            ("intake", Rights::for_role(Parser, Build), ["tools"; 9], None),
        ] {
            let rights = rights.under(&rules());
            for (at, path) in PATHS.into_iter().enumerate() {
                let of = |tool, is_reader| {
                    explain(
                        "/project",
                        &rights,
                        &Asked { tool, path: Some(path), command: None, is_reader, has_git: true },
                    )
                };
                for tool in ["write_file", "edit_file", "delete_file", "move_file"] {
                    let Reason { decision, rule, file, line } = of(tool, false);
                    assert_eq!(rule, writes[at], "{recipe} {:?} {:?}: {tool} {path}", rights.role, rights.phase);
                    let is_allowed = matches!(writes[at], "default" | "policy[5]");
                    assert_eq!(decision == Effect::Allow, is_allowed, "{recipe} {tool} {path}");
                    let place = (rule == policy).then_some(("c.yaml", 7));
                    assert_eq!(file.as_deref().zip(line), place, "{recipe} {tool} {path}");
                }
                for (tool, is_reader) in [("read_file", false), ("list_files", false), ("look", true)] {
                    let rule = of(tool, is_reader).rule;
                    assert_eq!(
                        rule,
                        reads.map_or("tools", |reads| reads[at]),
                        "{recipe} {:?}: {tool} {path}",
                        rights.role
                    );
                }
            }
        }
    }

    #[test]
    fn tools_and_commands_have_their_rules() {
        let (build, review) = (Rights::executor(), Rights::spec(AgentRole::Verifier, Phase::Review));
        let planning = Rights::task(Phase::Plan, true);
        for (rights, tool, command, expected) in [
            (&build, "format", None, (Effect::Deny, "policy[2]")),
            (&review, "format", None, (Effect::Allow, "default")),
            (&build, "snapshot", None, (Effect::Allow, "default")),
            (&review, "snapshot", None, (Effect::Deny, "policy[4]")),
            (&build, "shell", Some("npm test && git push -f"), (Effect::Deny, "policy[3]")),
            (&build, "shell", Some("cat secrets/key"), (Effect::Deny, "policy[1]")),
            (&build, "shell", Some("npm test"), (Effect::Allow, "default")),
            (&planning, "shell", Some("npm test"), (Effect::Deny, "plan-phase")),
            (&build, "complete_task", None, (Effect::Allow, "default")),
        ] {
            let rights = rights.clone().under(&rules());
            let reason =
                explain("/project", &rights, &Asked { tool, path: None, command, is_reader: false, has_git: true });
            assert_eq!((reason.decision, reason.rule.as_str()), expected, "{tool} {command:?}");
        }
    }

    fn words() -> impl Strategy<Value = String> {
        let word = prop_oneof!["-[a-z]", "--[a-z]{1,3}=?[a-z]?", "[a-z]{1,3}", Just("secrets/key".to_owned())];
        prop::collection::vec(word, 0..4).prop_map(|words| words.join(" "))
    }

    /// A line that runs `git push` behind other programs, or does not.
    fn line() -> impl Strategy<Value = (String, bool)> {
        let core = prop_oneof![Just(("git push".to_owned(), true)), words().prop_map(|words| (words, false))];
        core.prop_recursive(4, 8, 1, |inner| {
            let runner = prop::sample::select(&["sudo", "timeout 5", "env", "nice", "xargs", "find . -exec", "su -c"]);
            let shell = prop::sample::select(&["sh -c", "bash -o pipefail -ec", "zsh -c --", "eval"]);
            prop_oneof![
                (runner, words(), inner.clone()).prop_map(|(runner, options, (line, pushes))| {
                    let is_plain = !line.contains(|c: char| "'\"();|$<>".contains(c));
                    let line = if is_plain { line } else { format!("sh -c {}", shell_quoted(&line)) };
                    (format!("{runner} {options} {line}"), pushes)
                }),
                (shell, inner.clone())
                    .prop_map(|(shell, (line, pushes))| (format!("{shell} {}", shell_quoted(&line)), pushes)),
                (words(), inner.clone()).prop_map(|(other, (line, pushes))| (format!("x{other}; {line}"), pushes)),
                inner.clone().prop_map(|(line, pushes)| (format!("x $({line}) | y"), pushes)),
                inner.clone().prop_map(|(line, pushes)| (format!("x <({line}) > out"), pushes)),
                inner.prop_map(|(line, pushes)| (format!("cat <<END\n$({line})\nEND"), pushes)),
            ]
        })
    }

    fn shell_quoted(line: &str) -> String {
        format!("'{}'", line.replace('\'', "'\\''"))
    }

    proptest! {
        /// The decision about a line is the decision about the call, no program hides what it runs, and a denial is never lifted by a rule
        /// of the project.
        #[test]
        fn a_line_is_explained_as_it_is_decided((line, pushes) in line(), asks: bool, project: bool) {
            let decision = if asks { "ask" } else { "deny" };
            let file = project.then_some("config.yaml");
            let rules: Vec<PolicyRule> = serde_json::from_value(json!([
                { "decision": decision, "command": "git push", "key": "policy[0]", "file": file },
                { "decision": decision, "path": "secrets/**", "access": "read", "key": "policy[1]" },
                { "decision": decision, "path": "out", "key": "policy[2]", "file": file },
            ])).unwrap();
            let rights = Rights::executor().under(&rules);
            let asked = Asked { tool: "shell", path: None, command: Some(&line), is_reader: false, has_git: true };
            for rights in [rights.clone(), rights.approving(rights.policy.asking())] {
                let denial = rights.line_denial(AskedLine { tool: "shell", dir: "/project", line: &line, is_undone: true });
                let explained = explain("/project", &rights, &asked);
                prop_assert_eq!(explained.decision, denial.map_or(Effect::Allow, |denial| denial.rule.decision), "{}", line);
                prop_assert!(denial.is_none_or(|denial| denial.rule.key == explained.rule), "{}", line);
            }
            prop_assert!(!pushes || rights.line_denial(AskedLine { tool: "shell", dir: "/project", line: &line, is_undone: true }).is_some(), "{}", line);
            let mut more = rules.clone();
            let allowance = json!({ "decision": "allow", "command": "*", "key": "policy[3]", "file": "config.yaml" });
            more.push(serde_json::from_value(allowance).unwrap());
            let of_ide = Rights::executor().under(&more);
            let is_lifted = of_ide.line_denial(AskedLine { tool: "shell", dir: "/project", line: &line, is_undone: true }).is_none();
            prop_assert!(project || !pushes || !is_lifted, "{}", line);
        }
    }
}

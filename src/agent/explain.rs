//! Which rule decides about a call, before it is made.

use super::guard::{Access, Rule, decide};
use super::tools::BuiltIn;
use crate::port::{Deed, Effect, PolicyRule, Rights, Toolset};
use crate::shell_words::all_commands;
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
    fn of(rule: &PolicyRule) -> Self {
        Self { decision: rule.decision, rule: rule.key.clone(), file: rule.file.clone(), line: rule.line }
    }

    fn own(decision: Effect, rule: &str) -> Self {
        Self { decision, rule: rule.to_owned(), file: None, line: None }
    }
}

/// Which rule decides about a call of a role in the project's folder `dir`. The decision is that of the call itself.
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

fn decision(dir: &str, rights: &Rights, asked: &Asked<'_>) -> Reason {
    let Asked { tool, path, command, is_reader } = asked;
    let built_in = BuiltIn::named(tool);
    let has_tool = match built_in {
        Some(built_in) => built_in.is_for(rights.tools),
        None => matches!(rights.tools, Toolset::Task | Toolset::Work) || rights.tools == Toolset::Read && *is_reader,
    };
    if !has_tool {
        return Reason::own(Effect::Deny, Rule::Tools.as_str());
    }
    if built_in == Some(BuiltIn::CompleteTask) {
        return Reason::own(Effect::Allow, DEFAULT);
    }
    if let Some(rule) = rights.tool_denial(tool) {
        return Reason::of(rule);
    }
    if built_in == Some(BuiltIn::Shell) && rights.is_planning() {
        return Reason::own(Effect::Deny, Rule::of_area(rights).as_str());
    }
    let mut allowed = None;
    if let Some(line) = command {
        if let Some(rule) = rights.line_denial(tool, dir, line) {
            return Reason::of(rule);
        }
        let (commands, _) = all_commands(line);
        allowed = commands.iter().rev().find_map(|command| rights.rule(tool, Deed::Run(command)));
    }
    if let Some(path) = path {
        let reads = *is_reader || built_in.is_some_and(|built_in| built_in.is_for(Toolset::Read));
        let access = if reads { Access::Read } else { Access::Write };
        let normal = match decide(dir, path, access, rights, tool) {
            Ok(normal) => normal,
            Err(denied) => {
                return denied
                    .policy
                    .as_deref()
                    .map_or_else(|| Reason::own(Effect::Deny, denied.rule.as_str()), Reason::of);
            }
        };
        let deed = if reads { Deed::Read(&normal) } else { Deed::Write(&normal) };
        allowed = rights.rule(tool, deed).or(allowed);
    }
    if path.is_none() && command.is_none() {
        if let Some(rule) = rights.denial(tool, Deed::Call).filter(|rule| rule.decision == Effect::Ask) {
            return Reason::of(rule);
        }
        allowed = rights.rule(tool, Deed::Call).filter(|rule| rule.decision == Effect::Allow);
    }
    // A rule that asked, and whose question is answered, allows.
    allowed.map_or_else(
        || Reason::own(Effect::Allow, DEFAULT),
        |rule| Reason { decision: Effect::Allow, ..Reason::of(rule) },
    )
}

const DEFAULT: &str = "default";

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;
    use crate::port::{AgentRole, Phase};
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
            ("intake", Rights::of(Parser, Build), ["tools"; 9], None),
        ] {
            let rights = rights.under(&rules());
            for (at, path) in PATHS.into_iter().enumerate() {
                let of = |tool, is_reader| {
                    explain("/project", &rights, &Asked { tool, path: Some(path), command: None, is_reader })
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
            let reason = explain("/project", &rights, &Asked { tool, path: None, command, is_reader: false });
            assert_eq!((reason.decision, reason.rule.as_str()), expected, "{tool} {command:?}");
        }
    }
}

//! Every rule as a table, and as a property.
#![cfg(not(target_family = "wasm"))]

use super::Access::{MakeDir, Read, Write};
use super::Rule::{self, *};
use super::{Access, Denied, decide};
use crate::layout::{Agent, ENTRIES, Owner};
use crate::port::{AgentRole, Area, Phase, PolicyRule, Rights};
use proptest::prelude::*;
use serde_json::json;

static BUILD: Rights = Rights::task(Phase::Build, true);
static PLAN: Rights = Rights::task(Phase::Plan, true);
static FREE_PLAN: Rights = Rights::task(Phase::Plan, false);

fn rule(path: &str, access: Access, rights: &Rights) -> Result<String, Rule> {
    decide("/project", path, access, rights, "").map_err(|denied| denied.rule)
}

/// A path, and the results of reading and writing it in BUILD.
type Row = (&'static str, Result<&'static str, Rule>, Result<&'static str, Rule>);

fn check(rows: &[Row]) {
    for (path, read, write) in rows {
        assert_eq!(rule(path, Read, &BUILD), read.map(str::to_owned), "reading {path:?}");
        assert_eq!(rule(path, Write, &BUILD), write.map(str::to_owned), "writing {path:?}");
        assert!(read.is_ok() || rule(path, MakeDir, &BUILD).is_err(), "creating the folder {path:?}");
    }
}

fn closed(path: &'static str, rule: Rule) -> Row {
    (path, Err(rule), Err(rule))
}

fn open(path: &'static str) -> Row {
    (path, Ok(path), Ok(path))
}

fn read_only(path: &'static str, rule: Rule) -> Row {
    (path, Ok(path), Err(rule))
}

#[test]
fn paths_become_normal_and_stay_inside() {
    check(&[
        open("src/App.tsx"),
        open("a name with spaces, \"quotes\" and 🦀.txt"),
        ("./src//ui/../App.tsx", Ok("src/App.tsx"), Ok("src/App.tsx")),
        ("src/", Ok("src"), Ok("src")),
        ("/project/src/App.tsx", Ok("src/App.tsx"), Ok("src/App.tsx")),
        ("../project/src/App.tsx", Ok("src/App.tsx"), Ok("src/App.tsx")),
        ("", Ok(""), Err(BadPath)),
        (".", Ok(""), Err(BadPath)),
        ("/project", Ok(""), Err(BadPath)),
        closed("../x", OutsideProject),
        closed("a/../../x", OutsideProject),
        closed("/etc/x", OutsideProject),
        closed("/projects/x", OutsideProject),
        closed("/", OutsideProject),
        closed("src/\0", BadPath),
        closed("src\\App.tsx", BadPath),
        closed("...", BadPath),
        closed("src/.. /x", BadPath),
        closed("src/‥/x", BadPath),
        closed("src/．．/x", BadPath),
        closed(" ", BadPath),
        closed("a/\u{200d}/b", BadPath),
    ]);
}

#[test]
fn a_project_in_the_root_folder_owns_every_path() {
    assert_eq!(decide("", "/src/App.tsx", Write, &BUILD, ""), Ok("src/App.tsx".to_owned()));
    assert_eq!(decide("", "../../x", Write, &BUILD, ""), Ok("x".to_owned()));
    assert_eq!(decide("", "/.git/config", Read, &BUILD, "").map_err(|denied| denied.rule), Err(Git));
}

#[test]
fn sizes_are_bounded() {
    let name = "n".repeat(255);
    assert_eq!(rule(&name, Write, &BUILD), Ok(name.clone()));
    assert_eq!(rule(&format!("{name}n"), Read, &BUILD), Err(TooLong));
    let path = format!("{}x", "d/".repeat(2047));
    assert_eq!(rule(&path, Write, &BUILD), Ok(path.clone()));
    assert_eq!(rule(&format!("{path}yy"), Read, &BUILD), Err(TooLong));
}

#[test]
fn git_is_closed_in_every_component_and_form() {
    check(&[
        closed(".git", Git),
        closed(".git/config", Git),
        closed("sub/.git/config", Git),
        closed("sub/.GiT", Git),
        closed(".git. . /x", Git),
        closed(".git /x", Git),
        closed(".git\u{a0}/x", Git),
        closed(".git:stream", Git),
        closed(".git::$INDEX_ALLOCATION/config", Git),
        closed(".g\u{200c}it/config", Git),
        closed("\u{feff}.git", Git),
        closed(".ｇｉｔ/config", Git),
        closed("․git/config", Git),
        closed(".𝓰𝓲𝓽/config", Git),
        closed(".ⓖⓘⓣ/config", Git),
        closed("a／.git／config", Git),
        closed("GIT~1/config", Git),
        closed("git~2", Git),
        closed("git~1234", Git),
        closed("ＧＩＴ～１", Git),
        open(".gitignore"),
        open(".github/workflows/ci.yml"),
        open("git/x"),
        open("git~"),
        open("git~x"),
        open("gitx~1"),
        open("gi~1"),
        open("git~1.txt"),
        open(".gіt/cyrillic"),
        open("x.git"),
    ]);
}

#[test]
fn loopgate_is_closed_in_every_component_and_form() {
    check(&[
        closed(".loopgate/lease", Loopgate),
        closed(".㏒㏒/../.Loop\u{200f}gate", Loopgate),
        closed("sub/.LoopGate", Loopgate),
        closed("LOOPGA~1/journal", Loopgate),
        closed("loopg~12", Loopgate),
        open("loopgate/x"),
        open("loopgat~1"),
    ]);
}

#[test]
fn every_row_of_the_layout_has_the_rights_that_it_states() {
    for row in ENTRIES {
        let path = row.path.replace('*', "any");
        let rules: &[Rule] = match row.owner {
            Owner::Git => &[Git],
            Owner::Harness => &[Loopgate, HarnessFile],
            Owner::User => &[UserFile],
            Owner::Agent => &[],
        };
        let refused = |access| rule(&path, access, &BUILD).is_err_and(|rule| rules.contains(&rule));
        let expected = match row.agent {
            Agent::Closed => (true, true),
            Agent::Reads => (false, true),
            Agent::Writes(areas) => (false, !areas.contains(&Area::Project)),
        };
        assert_eq!((refused(Read), refused(Write)), expected, "{path}");
        let phases = [Phase::Plan, Phase::Build, Phase::Check, Phase::Review, Phase::Accept];
        let roles = [Rights::spec(AgentRole::Planner, Phase::Plan), Rights::reader(AgentRole::Reviewer, Phase::Plan)];
        for rights in phases.map(|phase| Rights::task(phase, true)).into_iter().chain(roles) {
            let may_write = matches!(row.agent, Agent::Writes(areas) if areas.contains(&rights.writes));
            let written = rule(&path, Write, &rights);
            assert_eq!(written.is_ok(), may_write, "{path} by {rights:?}: {written:?}");
        }
    }
}

#[test]
fn what_the_harness_writes_is_read_only_in_every_form() {
    check(&[
        read_only(".ralph/origin.md", HarnessFile),
        read_only("runs/0001-foo/2026-11-23T08-30-00Z/verify-1.log", HarnessFile),
        open("runs/exp/weights.bin"),
        read_only(".ralph/PHASE.TXT", HarnessFile),
        read_only(".ralph/phase.txt.", HarnessFile),
        read_only(".ralph/phase.txt::$DATA", HarnessFile),
        read_only(".ralph/ＰＨＡＳＥ.txt", HarnessFile),
        read_only(".ralph/task.md/x", HarnessFile),
        read_only(".ralph/TASK-C~1.TXT", HarnessFile),
        read_only(".ralph", HarnessFile),
        read_only(".RALPH/plan.tsx", HarnessFile),
        read_only("RALPH~1/plan.tsx", HarnessFile),
        read_only(".ralph ", HarnessFile),
        read_only(".ralph／plan.tsx", HarnessFile),
        open(".ralph/plan.tsx"),
        open(".ralph/status.txt"),
        open(".ralph/summary.md"),
        open(".ralph/notes/a/task.md"),
        open("src/.ralph/task.md"),
        open("docs/task.md"),
    ]);
    assert_eq!(rule(".ralph", MakeDir, &PLAN), Ok(".ralph".to_owned()));
}

#[test]
fn what_the_user_writes_is_read_only() {
    check(&[
        read_only(".handoff/config.yaml", UserFile),
        read_only(".HANDOFF", UserFile),
        read_only(".hando\u{fb00}/x", UserFile),
        read_only("HANDOF~1/config.yaml", UserFile),
        read_only("specs/0001-foo.md", UserFile),
        read_only("Specs", UserFile),
        read_only("SCRATCHPAD.md", UserFile),
        read_only("scratchpad.MD", UserFile),
        read_only("scr\u{aa}tch\u{33a9}d.md", UserFile),
        open("docs/specs/a.md"),
        open("docs/SCRATCHPAD.md"),
        open("specs.md"),
    ]);
    assert_eq!(rule("specs", MakeDir, &BUILD), Err(UserFile));
}

#[test]
fn the_plan_phase_opens_the_agents_own_task_files_alone() {
    for path in ["src/App.tsx", "package.json", "x", "src"] {
        assert_eq!(rule(path, Write, &PLAN), Err(PlanPhase), "{path}");
        assert_eq!(rule(path, MakeDir, &PLAN), Err(PlanPhase), "{path}");
        assert_eq!(rule(path, Read, &PLAN), Ok(path.to_owned()));
        assert_eq!(rule(path, Write, &FREE_PLAN), Ok(path.to_owned()));
    }
    assert_eq!(rule(".ralph/plan.tsx", Write, &PLAN), Ok(".ralph/plan.tsx".to_owned()));
    assert_eq!(rule(".ralph/phase.txt", Write, &PLAN), Err(HarnessFile));
    let Denied { message, .. } = decide("/project", "src/App.tsx", Write, &PLAN, "").unwrap_err();
    assert!(message.contains(".ralph/plan.tsx"), "{message}");
}

#[test]
fn the_later_phases_allow_no_write() {
    for phase in [Phase::Check, Phase::Review, Phase::Accept] {
        let rights = Rights::task(phase, false);
        assert_eq!(rule("src/App.tsx", Write, &rights), Err(ReadOnlyPhase));
        assert_eq!(rule(".ralph/plan.tsx", Write, &rights), Err(ReadOnlyPhase));
        assert_eq!(rule("src/App.tsx", Read, &rights), Ok("src/App.tsx".to_owned()));
    }
}

fn component() -> impl Strategy<Value = String> {
    let odd =
        "..|.||...|.git|.GIT|git~1|.loopgate|LOOPGA~1|.ralph|specs|src|．．|.git.|.git::$DATA|project|a:b|／|‥|x ";
    let odd = odd.split('|').chain(["\u{200b}", "\u{200c}.git"]).collect::<Vec<_>>();
    let odd = prop::sample::select(odd);
    prop_oneof![odd.prop_map(str::to_owned), "[.gitGIT~1:／․ \u{200c}\u{200d}ｇⓖ]{1,6}", "\\PC{1,5}"]
}

/// A path of ordinary source files: no component is special on any file system.
fn source_path() -> impl Strategy<Value = String> {
    let folders = prop::collection::vec("[a-fh-km-z][a-zA-Z0-9_-]{0,8}", 0..3);
    (folders, "[A-Za-z][A-Za-z0-9_-]{0,8}\\.(tsx|ts|css|json)").prop_map(|(folders, name)| {
        ["src".to_owned()].into_iter().chain(folders).chain([name]).collect::<Vec<_>>().join("/")
    })
}

proptest! {
    /// Another way to the same judgement: Unicode's own tables, and no short cut.
    #[test]
    fn nothing_allowed_lies_outside_or_in_git(parts in prop::collection::vec(component(), 0..6), absolute: bool) {
        use unicode_normalization::UnicodeNormalization;
        let path = format!("{}{}", if absolute { "/" } else { "" }, parts.join("/"));
        for access in [Read, Write, MakeDir] {
            let Ok(allowed) = decide("/project", &path, access, &BUILD, "") else { continue };
            prop_assert!(!allowed.starts_with('/') && !allowed.ends_with('/'), "{allowed:?}");
            let visible: String = allowed.chars().filter(|c| !"\u{200c}\u{200d}\u{200e}\u{200f}\u{feff}".contains(*c)).collect();
            for name in visible.nfkc().collect::<String>().to_lowercase().split(['/', '\\']) {
                let name = name.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
                let forbidden = [".git", ".loopgate", "git~1", "loopga~1"].contains(&name);
                prop_assert!(!forbidden && (allowed.is_empty() || !name.is_empty()), "{path:?} gave {allowed:?}");
            }
            prop_assert_eq!(decide("/project", &allowed, access, &BUILD, ""), Ok(allowed.clone()));
        }
    }

    #[test]
    fn ordinary_sources_are_read_always_and_written_where_the_phase_allows_it(path in source_path()) {
        for spelling in [path.clone(), format!("./{path}"), format!("/project/{path}")] {
            for access in [Read, Write, MakeDir] {
                prop_assert_eq!(rule(&spelling, access, &BUILD), Ok(path.clone()));
                prop_assert_eq!(rule(&spelling, access, &FREE_PLAN), Ok(path.clone()));
            }
            prop_assert_eq!(rule(&spelling, Read, &PLAN), Ok(path.clone()));
            prop_assert_eq!(rule(&spelling, Write, &PLAN), Err(PlanPhase));
        }
    }

    #[test]
    fn any_text_gets_an_answer(path in ".{0,64}", dir in "(/[a-z]{1,3}){0,3}") {
        let _ = decide(&dir, &path, Write, &PLAN, "").map(|allowed| assert!(allowed.starts_with(".ralph/")));
    }
}

fn policy() -> impl Strategy<Value = Vec<PolicyRule>> {
    let pattern =
        prop_oneof!["(\\*\\*/)?[a-z*?]{1,6}(/[a-z*]{1,4})?", Just("**".to_owned()), Just("src/**".to_owned())];
    let rule = (pattern, any::<[bool; 4]>());
    prop::collection::vec(rule, 0..5).prop_map(|rules| {
        let rule = |(index, (path, [allows, reads, has_path, is_of_project])): (usize, (String, [bool; 4]))| {
            let (decision, access) = (if allows { "allow" } else { "deny" }, reads.then_some("read"));
            let (path, access) = (has_path.then_some(path), access.filter(|_| has_path));
            let file = is_of_project.then_some("config.yaml");
            let key = format!("policy[{index}]");
            let rule = json!({ "decision": decision, "path": path, "access": access, "key": key, "file": file });
            serde_json::from_value(rule).unwrap()
        };
        rules.into_iter().enumerate().map(rule).collect()
    })
}

proptest! {
    /// A policy denies more and lifts nothing, whatever the spelling.
    #[test]
    fn a_policy_only_narrows_the_guard(
        parts in prop::collection::vec(component(), 0..6), absolute: bool, rules in policy(),
    ) {
        let path = format!("{}{}", if absolute { "/" } else { "" }, parts.join("/"));
        for rights in [Rights::task(Phase::Plan, true), Rights::executor(), Rights::task(Phase::Check, false)] {
            let governed = rights.clone().under(&rules);
            for access in [Read, Write, MakeDir] {
                let alone = decide("/project", &path, access, &rights, "write_file");
                let under = decide("/project", &path, access, &governed, "write_file");
                match (&alone, &under) {
                    (Err(alone), Err(under)) => prop_assert_eq!(alone, under),
                    (Err(_), Ok(_)) => prop_assert!(false, "{path:?} is lifted"),
                    (Ok(_), Err(denied)) => prop_assert_eq!(denied.rule, Policy),
                    (Ok(alone), Ok(under)) => prop_assert_eq!(alone, under),
                }
            }
        }
    }

    #[test]
    fn a_denied_source_is_denied_in_every_spelling(path in source_path(), upper: bool) {
        let rule = json!({ "decision": "deny", "path": "src", "access": "read", "key": "policy[0]" });
        let rights = Rights::executor().under(&[serde_json::from_value(rule).unwrap()]);
        let spelled = if upper { path.to_uppercase() } else { path.clone() };
        let fold = |path: &str| path.replace("src/", "ｓrc/").replace("SRC/", "S\u{200d}RC/");
        for spelling in [spelled.clone(), format!("./x/../{spelled}"), format!("/project/{spelled}"), fold(&spelled)] {
            for access in [Read, Write, MakeDir] {
                let rule = decide("/project", &spelling, access, &rights, "read_file").map_err(|denied| denied.rule);
                prop_assert_eq!(rule, Err(Policy), "{}", spelling);
            }
        }
    }
}

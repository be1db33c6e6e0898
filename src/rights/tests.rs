//! The rights of each role as a table.

use super::*;

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

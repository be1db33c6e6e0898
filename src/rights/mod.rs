//! What a role may do in an iteration, as one value: what it reads and writes, which tools it has, and why.
//!
//! A recipe puts [`Rights`] into each brief. The guard, the offered tools, the prompts and the refusals derive from them;
//! nothing else decides what a role may do. The files beside the sources have rows of their own in [`crate::layout`].

mod line;
mod pattern;
mod policy;
mod reason;
mod unknown;

use crate::phase::{AgentRole, Area, Phase};
use pattern::PathPattern;

pub(crate) use line::{AskedLine, LineDenial};
pub(crate) use policy::Deed;
pub use policy::{Effect, Policy, PolicyRule, Reach};

/// The tools of a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toolset {
    /// All built-in ones, and the IDE's.
    Task,
    /// The same without `plan`: the work has no plan of the plan language.
    Work,
    /// Those that only read, the IDE's included.
    Read,
    /// None: the role answers in one turn.
    Nothing,
}

/// The rights of a role. It reads whatever the guard and the policy do not close.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Rights {
    pub role: AgentRole,
    pub phase: Phase,
    pub writes: Area,
    pub tools: Toolset,
    /// Its calls may move HEAD, the branch and the index.
    pub moves_git: bool,
    /// The command of the applied theme, if the role may only refine the theme.
    pub theme: Option<String>,
    /// What the configuration denies besides.
    pub policy: Policy,
    /// The keys of the rules that ask, and whose question the user answered with yes for this call.
    pub approved: Vec<String>,
}

impl Rights {
    /// The builder of a task. In PLAN, a plan may be due. The message may ask for a commit.
    pub const fn task(phase: Phase, plan_is_due: bool) -> Self {
        let writes = match phase {
            Phase::Plan if plan_is_due => Area::TaskPlan,
            Phase::Plan | Phase::Build => Area::Project,
            Phase::Check | Phase::Review | Phase::Accept => Area::Nothing,
        };
        Self::new(AgentRole::Builder, phase, writes, Toolset::Task, true)
    }

    /// A role of a spec. Its builder may commit; its verifier runs commands, and what they change is taken back.
    pub const fn spec(role: AgentRole, phase: Phase) -> Self {
        match role {
            AgentRole::Builder => Self::new(role, phase, Area::Project, Toolset::Work, true),
            AgentRole::Planner => Self::new(role, phase, Area::SpecPlan, Toolset::Work, false),
            _ => Self::new(role, phase, Area::Nothing, Toolset::Work, false),
        }
    }

    /// The same rights where the harness commits.
    pub fn without_git(self) -> Self {
        Self { moves_git: false, ..self }
    }

    /// The executor of a chunk. The harness commits.
    pub const fn executor() -> Self {
        Self::new(AgentRole::Builder, Phase::Build, Area::Project, Toolset::Work, false)
    }

    /// A role that only reads.
    pub const fn reader(role: AgentRole, phase: Phase) -> Self {
        Self::new(role, phase, Area::Nothing, Toolset::Read, false)
    }

    const fn new(role: AgentRole, phase: Phase, writes: Area, tools: Toolset, moves_git: bool) -> Self {
        Self { role, phase, writes, tools, moves_git, theme: None, policy: Policy::none(), approved: Vec::new() }
    }

    /// The rights of a role in a phase, whatever the recipe.
    pub const fn for_role(role: AgentRole, phase: Phase) -> Self {
        match role {
            AgentRole::Builder => Self::task(phase, true),
            AgentRole::Planner | AgentRole::Verifier => Self::spec(role, phase),
            AgentRole::Reviewer => Self::reader(role, phase),
            AgentRole::Parser | AgentRole::Summarizer => Self::new(role, phase, Area::Nothing, Toolset::Nothing, false),
        }
    }

    /// The same under these rules of the configuration.
    #[must_use]
    pub fn under(self, rules: &[PolicyRule]) -> Self {
        Self { policy: Policy::new(rules), ..self }
    }

    /// The same, and the theme of this command may only be refined.
    #[must_use]
    pub fn with_theme(self, theme: Option<String>) -> Self {
        Self { theme, ..self }
    }

    /// The phase whose rules of the policy hold. A builder that needs no plan builds at once.
    pub(crate) const fn policy_phase(&self) -> Phase {
        match (self.phase, self.writes) {
            (Phase::Plan, Area::Project) => Phase::Build,
            (phase, _) => phase,
        }
    }

    /// The rule of the policy that decides what a call of a tool does.
    pub(crate) fn rule(&self, tool: &str, deed: Deed<'_>) -> Option<&PolicyRule> {
        self.policy.rule(self.role, self.policy_phase(), tool, deed)
    }

    /// The same for a call that the user approved for these rules.
    #[must_use]
    pub(crate) fn approving(&self, rules: Vec<String>) -> Self {
        Self { approved: rules, ..self.clone() }
    }

    /// The rule of the policy that denies what a call of a tool does. One that asks denies what the user did not approve.
    pub(crate) fn denial(&self, tool: &str, deed: Deed<'_>) -> Option<&PolicyRule> {
        self.rule(tool, deed).filter(|rule| self.refuses(rule))
    }

    pub(super) fn refuses(&self, rule: &PolicyRule) -> bool {
        match rule.decision {
            Effect::Allow => false,
            Effect::Ask => !self.approved.contains(&rule.key),
            Effect::Deny => true,
        }
    }

    /// Whether a later rule of the policy may allow some of the paths that this one denies.
    pub(crate) fn allows_paths(&self, tool: &str, denial: &PolicyRule) -> bool {
        self.policy.allows_paths(self.role, self.policy_phase(), tool, denial)
    }

    /// The rule of the policy that denies every call of a tool.
    pub(crate) fn tool_denial(&self, tool: &str) -> Option<&PolicyRule> {
        self.policy.tool_denial(self.role, self.policy_phase(), tool)
    }

    /// Whether one of these patterns covers a path of the project.
    pub(crate) fn matches(patterns: &[String], path: &str) -> bool {
        let covers =
            |pattern: &String| PathPattern::new(pattern).is_some_and(|known| known.covers(path, Effect::Allow));
        patterns.iter().any(covers)
    }

    /// Whether what its calls change in the sources is taken back.
    pub(crate) const fn is_undone(&self) -> bool {
        !matches!(self.writes, Area::Project)
    }

    /// Whether the role writes nothing but a plan that is due. Tools that can change any file are then unavailable.
    pub const fn is_planning(&self) -> bool {
        matches!(self.writes, Area::TaskPlan | Area::SpecPlan)
    }
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod differential;
#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod line_tests;
#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests;

//! Why a role may not do something, and what to do instead: texts for the model.

use super::Rights;
use crate::layout::{PLAN, SCRATCHPAD, SPEC_PLANS};
use crate::phase::{Area, Phase};

impl Rights {
    /// Why the role does not write one of the project's own files; `None` if it does.
    pub(crate) fn no_write(&self, path: &str) -> Option<String> {
        match self.writes {
            Area::Project => None,
            Area::SpecPlan => Some(format!(
                "{path:?} is closed for the planner, who changes no code: write the plan below `{SPEC_PLANS}/` and notes \
                 to `{SCRATCHPAD}`, then call `complete_task`"
            )),
            Area::TaskPlan => Some(format!(
                "{path:?} is closed in the PLAN phase. First write the plan of this task to `{PLAN}` (to update an \
                 existing plan, call `plan` with the action `update`), then call `complete_task`. The harness checks \
                 the plan and opens the BUILD phase; change this file there"
            )),
            Area::Nothing => Some(format!("{path:?} cannot be written {}", self.reading())),
        }
    }

    /// Why the role runs no command; `None` if it may.
    pub(crate) fn no_command(&self) -> Option<String> {
        match self.writes {
            Area::Project | Area::Nothing => None,
            Area::SpecPlan => Some(
                "no command runs while a spec is planned: read the project with read_file, list_files and search, then \
                 write the plan"
                    .to_owned(),
            ),
            Area::TaskPlan => Some(format!(
                "no command runs in the PLAN phase: read the project with read_file, list_files and search, then write \
                 `{PLAN}`; the BUILD phase opens the shell"
            )),
        }
    }

    /// Why the role takes nothing back to a snapshot; `None` if it may.
    pub(crate) fn no_rollback(&self) -> Option<String> {
        match self.writes {
            Area::Project => None,
            Area::SpecPlan => Some("a rollback would change the sources; the planner changes no code".to_owned()),
            Area::TaskPlan => Some(format!(
                "a rollback would change the sources, which the PLAN phase does not allow; write `{PLAN}` first: a \
                 valid plan opens the BUILD phase"
            )),
            Area::Nothing => {
                Some(format!("a rollback would change the sources, which phase `{}` judges", self.phase.as_str()))
            }
        }
    }

    /// Why a role that writes nothing does not.
    fn reading(&self) -> String {
        match self.phase {
            Phase::Plan | Phase::Build => "by this role, which only reads the project".to_owned(),
            phase => format!("in phase `{}`: the gates judge the project", phase.as_str()),
        }
    }
}

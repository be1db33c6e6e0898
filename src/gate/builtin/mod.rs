//! The built-in gates, by their subject.

pub(super) mod host;
mod lost;
mod plan;
mod sources;
mod test_files;
mod theme;
mod work;

pub(super) use theme::{AskedColors, is_color};
pub(super) use work::app::App;
pub(super) use work::used::{Line, Used, read as read_used};

use super::{Check, Comparison, Finding, Gate, Judgement, Project};
use crate::port::{Abort, Host, PortResult};

/// In the order in which a round runs them. Cheap gates come first. The build comes before the preview that shows it.
pub(super) static GATES: [Gate; 19] = [
    work::work_done::GATE,
    sources::sources_parse::GATE,
    lost::GATE,
    sources::app_exists::GATE,
    sources::app_has_content::GATE,
    theme::css_no_tailwind_directives::GATE,
    theme::css_theme_complete::GATE,
    theme::no_hardcoded_colors::GATE,
    sources::no_placeholders::GATE,
    test_files::TESTS_KEPT,
    test_files::ASSERTIONS_KEPT,
    work::changes_named::GATE,
    host::BUILD_SUCCEEDS,
    host::RUNTIME_ERRORS,
    host::CONSOLE_CAPTURE,
    plan::plan_built::GATE,
    plan::plan_diff::GATE,
    plan::scope::GATE,
    work::has_summary::GATE,
];

/// Judges the project. An error means that the gate could not judge; the round reports the verdict `error`.
pub(super) async fn check(check: &Check, host: &Host, project: &Project, abort: &Abort) -> PortResult<Finding> {
    match check {
        Check::Project(check) => Ok(check(project)),
        Check::Changes(check) => Ok(match project.task.comparison.files() {
            Some(files) => check(project, files),
            None => without_changes(project),
        }),
        Check::Sources => Ok(match project.task.comparison.files() {
            Some(files) => sources::sources_parse::check(host, project, files).await?,
            None => without_changes(project),
        }),
        Check::Lost => match project.task.comparison.files() {
            Some(files) => Ok(lost::check(host, project, files).await),
            None => Ok(without_changes(project)),
        },
        Check::Work => Ok(work::work_done::check(host, project).await),
        Check::Build => host::build(host, abort).await,
        Check::RuntimeErrors => host::runtime_errors(host, abort).await,
        Check::Console => host::console(host, abort).await,
        Check::Scope => plan::scope::check(host, project).await,
    }
}

/// What a gate of changes finds if they are not known.
fn without_changes(project: &Project) -> Finding {
    match &project.task.comparison {
        Comparison::Impossible(why) => {
            Ok(Judgement::unknown(format!("Cannot compare the project with its state before the task: {why}")))
        }
        Comparison::None | Comparison::Changed(_) => {
            Err("without git, the changes of the task are not known".to_owned())
        }
    }
}

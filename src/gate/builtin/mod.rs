//! The built-in gates, one per file, in the order in which a round runs them.

mod host;
mod plan;
mod sources;
mod test_files;
mod theme;
mod work;

use super::Gate;
use crate::port::Host;

/// Cheap gates come first. The build comes before the preview that shows it.
pub(super) fn builtin<'a, H: Host>() -> Vec<Box<dyn Gate<H> + 'a>> {
    vec![
        Box::new(work::work_done::GATE),
        Box::new(sources::app_exists::GATE),
        Box::new(sources::app_has_content::GATE),
        Box::new(theme::css_no_tailwind_directives::GATE),
        Box::new(theme::css_theme_complete::GATE),
        Box::new(theme::no_hardcoded_colors::GATE),
        Box::new(sources::no_placeholders::GATE),
        Box::new(test_files::tests_kept::GATE),
        Box::new(test_files::assertions_kept::GATE),
        Box::new(work::changes_named::GATE),
        Box::new(host::build_succeeds::BuildSucceeds),
        Box::new(host::runtime_errors::RuntimeErrors),
        Box::new(host::console_capture::ConsoleCapture),
        Box::new(plan::plan_built::GATE),
        Box::new(plan::plan_diff::GATE),
        Box::new(plan::scope::Scope),
        Box::new(work::has_summary::GATE),
    ]
}

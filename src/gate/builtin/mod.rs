//! The built-in gates, one a file, in the order in which they are asked.

mod app_exists;
mod app_has_content;
mod assertions_kept;
mod build_succeeds;
mod changes_named;
mod console_capture;
mod css_no_tailwind_directives;
mod css_theme_complete;
mod has_summary;
mod no_hardcoded_colors;
mod no_placeholders;
mod plan_built;
mod plan_diff;
mod port_report;
mod runtime_errors;
mod scope;
mod test_file;
mod tests_kept;
mod theme;
mod work_done;

use super::Gate;
use crate::port::Host;

/// The built-in gates. Cheap ones come first; the build comes before the preview that shows it.
pub(super) fn builtin<'a, H: Host>() -> Vec<Box<dyn Gate<H> + 'a>> {
    vec![
        Box::new(work_done::GATE),
        Box::new(app_exists::GATE),
        Box::new(app_has_content::GATE),
        Box::new(css_no_tailwind_directives::GATE),
        Box::new(css_theme_complete::GATE),
        Box::new(no_hardcoded_colors::GATE),
        Box::new(no_placeholders::GATE),
        Box::new(tests_kept::GATE),
        Box::new(assertions_kept::GATE),
        Box::new(changes_named::GATE),
        Box::new(build_succeeds::BuildSucceeds),
        Box::new(runtime_errors::RuntimeErrors),
        Box::new(console_capture::ConsoleCapture),
        Box::new(plan_built::GATE),
        Box::new(plan_diff::GATE),
        Box::new(scope::Scope),
        Box::new(has_summary::GATE),
    ]
}

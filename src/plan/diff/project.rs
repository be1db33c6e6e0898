//! Compares the plan of a project with its sources.

use super::rendered::{Shown, rendered_texts};
use super::{OpenDiff, PlanDiff, Sources};
use crate::error::{Error, ErrorCode};
use crate::js::resolve::CONFIGS;
use crate::layout::{PLAN, PLAN_DIFF};
use crate::port::{PortResult, ProjectDir};
use crate::sources;

/// Compares `.ralph/plan.tsx` with the sources and writes the report to `.ralph/plan-diff.md`.
///
/// # Errors
/// `not-found` without a plan; `invalid-argument` if it cannot be read; `fs`.
pub(crate) async fn diff_project(project: ProjectDir<'_>) -> Result<PlanDiff, Error> {
    let plan = read_plan(project).await?;
    let mut files = read_sources(project).await?;
    files.extend(sources::read_beside(project, &sources::CODE).await?);
    let files = borrowed(&files);
    let mut open = OpenDiff::new(&plan, &files)?;
    for () in open.parse() {
        project.pause().await;
    }
    let compared = open.finish();
    project.write(PLAN_DIFF, &compared.report).await?;
    Ok(compared)
}

/// The plan's sections that `src/` has, and the words they render.
///
/// # Errors
/// `fs`.
pub(crate) async fn shown_by_project(project: ProjectDir<'_>, plan: &str) -> PortResult<Vec<Shown>> {
    let files = read_sources(project).await?;
    let mut sources = Sources::new(&borrowed(&files), true);
    for () in sources.parse() {
        project.pause().await;
    }
    Ok(rendered_texts(plan, sources))
}

/// Paths with their text, or `None` for a file that was not read.
type Files = Vec<(String, Option<String>)>;

fn borrowed(files: &Files) -> Vec<(&str, Option<&str>)> {
    files.iter().map(|(path, text)| (path.as_str(), text.as_deref())).collect()
}

/// The files of `src/`, and those that configure import resolution.
async fn read_sources(project: ProjectDir<'_>) -> PortResult<Files> {
    let mut files = sources::read(project, &sources::CODE).await?;
    for path in CONFIGS {
        files.push((path.to_owned(), project.read_text(path).await?));
    }
    Ok(files)
}

/// # Errors
/// `not-found` without a plan; `fs`.
pub(crate) async fn read_plan(project: ProjectDir<'_>) -> Result<String, Error> {
    let plan = project.read_text(PLAN).await?.filter(|plan| !plan.trim().is_empty());
    plan.ok_or_else(|| {
        let message = format!("there is no plan: write {PLAN}, with `export default (<App …>…</App>)`");
        Error::new(ErrorCode::NotFound, message).at_path(PLAN)
    })
}

//! Compares the plan of a project with its sources.

use super::rendered::{Shown, shown};
use super::{PlanDiff, diff};
use crate::error::{Error, ErrorCode};
use crate::js::resolve::CONFIGS;
use crate::layout::{PLAN, PLAN_DIFF};
use crate::port::{FsPort, PortResult, ProjectDir};
use crate::sources;

/// Compares `.ralph/plan.tsx` with the sources and writes the report to `.ralph/plan-diff.md`.
///
/// # Errors
/// `not-found` without a plan; `invalid-argument` if it cannot be read; `fs`.
pub(crate) async fn diff_project<F: FsPort>(project: ProjectDir<'_, F>) -> Result<PlanDiff, Error> {
    let plan = read_plan(project).await?;
    let mut files = sources::read(project, &sources::CODE).await?;
    files.extend(sources::read_beside(project, &sources::CODE).await?);
    files.extend(read_configs(project).await?);
    let files: Vec<(&str, Option<&str>)> = files.iter().map(|(path, text)| (path.as_str(), text.as_deref())).collect();
    let compared = diff(&plan, &files)?;
    project.write(PLAN_DIFF, &compared.report).await?;
    Ok(compared)
}

/// The plan's sections that `src/` has, and the words they render.
///
/// # Errors
/// `fs`.
pub(crate) async fn shown_by_project<F: FsPort>(project: ProjectDir<'_, F>, plan: &str) -> PortResult<Vec<Shown>> {
    let mut files = sources::read(project, &sources::CODE).await?;
    files.extend(read_configs(project).await?);
    let files: Vec<(&str, Option<&str>)> = files.iter().map(|(path, text)| (path.as_str(), text.as_deref())).collect();
    Ok(shown(plan, &files))
}

/// The files that configure import resolution.
///
/// # Errors
/// `fs`.
async fn read_configs<F: FsPort>(project: ProjectDir<'_, F>) -> PortResult<Vec<(String, Option<String>)>> {
    let mut files = Vec::new();
    for path in CONFIGS {
        files.push((path.to_owned(), project.read_text(path).await?));
    }
    Ok(files)
}

/// # Errors
/// `not-found` without a plan; `fs`.
pub(crate) async fn read_plan<F: FsPort>(project: ProjectDir<'_, F>) -> Result<String, Error> {
    let plan = project.read_text(PLAN).await?.filter(|plan| !plan.trim().is_empty());
    plan.ok_or_else(|| {
        let message = format!("there is no plan: write {PLAN}, with `export default (<App …>…</App>)`");
        Error::new(ErrorCode::NotFound, message).at_path(PLAN)
    })
}

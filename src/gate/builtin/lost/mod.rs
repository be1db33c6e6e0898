//! `nothing-lost`: what the page had before the task and nobody asked to remove is still there.
//!
//! | file | what |
//! |---|---|
//! | `change` | the texts after the task, in which a part may be somewhere else |
//! | `components` | components that the page rendered |
//! | `page` | the components, sections and texts of a template |
//! | `documents` | scripts and style sheets of a document, the blocks of a Vue, Svelte or Astro file, routes |
//! | `styles` | imports, Tailwind and rules of a style sheet |
//! | `asked` | what the requirements permit |

mod asked;
mod change;
mod components;
mod documents;
mod page;
mod styles;
#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests;

use super::work::app::App;
use super::work::work_done::own_files;
use crate::gate::feedback::list_entries;
use crate::gate::{ChangedFile, Check, Finding, Gate, Judgement, Project, only_if};
use crate::layout::{STATUS, SUMMARY, TASK};
use crate::port::Host;
use asked::{Asked, Permit};
use change::Change;

/// Applies to tasks that change an existing app. Compares the files that the task changed with their state before it; what
/// is in another file, or was replaced, is not lost. Fails for a loss that is certain and that no requirement permits; warns
/// otherwise. Names that other files import are the subject of `sources-parse`, items of lists of `scope`, variables of the
/// theme of `css-theme-complete`.
pub(crate) const GATE: Gate = Gate {
    name: "nothing-lost",
    description: "what the page showed before the task is still there, unless the task asks for its removal",
    check: Check::Lost,
};

/// A part that a file had before the task.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Lost {
    /// The part as the file has to have it again: `<Header />`.
    what: String,
    /// The file.
    path: String,
    /// Stems of the words that name it.
    names: Vec<String>,
    /// Stems of what it shows.
    said: Vec<String>,
    kind: Kind,
    /// It is in no other place, and nothing took its place.
    is_certain: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The file does not work without it.
    Vital,
    Style,
    /// A component, a section, a script or a route.
    Shown,
}

pub(crate) async fn check(host: &Host, project: &Project, files: &[ChangedFile]) -> Finding {
    only_if(!project.task.builds_app, "the task builds the app")?;
    let own = match project.task.work {
        Some(_) => own_files(project),
        None => files.iter().collect(),
    };
    let change = Change::new(files, own.into_iter().filter(|file| file.before.is_some()).collect());
    only_if(!change.files.is_empty(), "the task changed no source that was there before")?;
    let asked = Asked::new(&project.task.request, &change);
    let mut lost = documents::lost(&change, project);
    if components::may_be_lost(&change) || styles::may_be_lost(&change) {
        let app = App::read(host, project).await;
        lost.extend(styles::lost(&change, project, &app));
        lost.extend(components::lost(host, &change, &asked, &app).await);
    }
    Ok(judge(lost, &asked))
}

fn judge(lost: Vec<Lost>, asked: &Asked<'_>) -> Judgement {
    let (mut certain, mut perhaps) = (Vec::new(), Vec::new());
    for part in lost {
        let line = format!("{} is gone: put it back in {}", part.what, part.path);
        match asked.permit(&part) {
            Permit::Yes => {}
            Permit::No if part.is_certain => certain.push(line),
            Permit::No | Permit::Perhaps => perhaps.push(line),
        }
    }
    if !certain.is_empty() {
        return Judgement::fail(format!(
            "The page had these parts before the task, and {TASK} does not ask for their removal:\n{}\nRead the state before the \
             task where you do not know them any more. If a part has to go, write your question to the user into {SUMMARY}, \
             then write `waiting` into {STATUS}.",
            list_entries(&certain)
        ));
    }
    match perhaps.as_slice() {
        [] => Judgement::pass(),
        perhaps => Judgement::warn(format!(
            "The page may have lost these parts:\n{}\nDo nothing if {TASK} asks for it or something else took their place.",
            list_entries(perhaps)
        )),
    }
}

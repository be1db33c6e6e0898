//! `app-exists`: a React app has a root component in `src/App.tsx`, or its entry file renders another one.

use crate::gate::project::APP_FILES;
use crate::gate::{Check, Finding, Gate, Judgement, Project, only_if};

/// Applies to React apps ([`Project::is_react_app`]) that the task builds, or that have or had a root component
/// ([`Project::app_file`]).
pub(crate) const GATE: Gate =
    Gate { name: "app-exists", description: "src/App.tsx exists", check: Check::Project(check) };

/// Paths of the entry file.
const ENTRIES: [&str; 7] =
    ["src/main.tsx", "src/main.jsx", "src/main.ts", "src/main.js", "src/index.tsx", "src/index.jsx", "src/index.js"];

/// Calls that render an app.
const RENDERING: [&str; 3] = ["createRoot(", "hydrateRoot(", ".render("];

/// Import specifiers of the root component, without the extension.
const IMPORTS: [&str; 6] = ["'./App", "\"./App", "'@/App", "\"@/App", "'./app/App", "\"./app/App"];

fn check(project: &Project) -> Finding {
    only_if(project.is_react_app(), "the project is not a React app")?;
    if project.app_file().is_some() {
        return Ok(Judgement::pass());
    }
    let files = project.task.comparison.files().unwrap_or_default();
    let had_app = files.iter().filter_map(|file| file.was.as_deref()).any(|was| APP_FILES.contains(&was));
    only_if(had_app || project.task.builds_app, "the project had no src/App.tsx before the task")?;
    if renders_something_else(project) {
        return Ok(Judgement::pass());
    }
    Ok(Judgement::fail(
        "src/App.tsx is missing. Create it with the app's root component as its default export, and render it from the \
         entry file (src/main.tsx)."
            .to_owned(),
    ))
}

/// Whether an entry file renders a component other than `App`.
fn renders_something_else(project: &Project) -> bool {
    ENTRIES.iter().filter_map(|path| project.text(path)).any(|entry| {
        RENDERING.iter().any(|call| entry.contains(call)) && !IMPORTS.iter().any(|import| imports(entry, import))
    })
}

/// Whether the text imports exactly this file, not one whose name only starts with it.
fn imports(entry: &str, import: &str) -> bool {
    let ends = |rest: &str| rest.starts_with(['\'', '"', '.', '/']) && !rest.starts_with(".css");
    entry.match_indices(import).any(|(at, _)| entry.get(at + import.len()..).is_some_and(ends))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::{Fail, Pass};
    use crate::gate::{ChangedFile, Comparison, GateVerdict, TaskFacts};

    const REACT: (&str, &str) = ("package.json", r#"{"dependencies":{"react":"19"}}"#);
    const ENTRY: (&str, &str) = ("src/main.tsx", "import App from './App'\ncreateRoot(root).render(<App />)");
    const OTHER: (&str, &str) =
        ("src/main.tsx", "import './App.css'\nimport Apple from './Apple'\ncreateRoot(root).render(<Apple />)");

    fn judged(files: &[(&str, &str)], task: TaskFacts) -> Option<GateVerdict> {
        check(&Project::from_files(files).after(task)).ok().map(|judgement| judgement.verdict)
    }

    #[test]
    fn a_task_that_builds_the_app_needs_a_root_component() {
        for (files, expected) in [
            (vec![REACT], Fail),
            (vec![REACT, ("src/main.tsx", "x")], Fail),
            (vec![REACT, ENTRY], Fail),
            (vec![REACT, OTHER], Pass),
            (vec![REACT, ("src/app.tsx", "x")], Fail),
            (vec![REACT, ("App.tsx", "x")], Fail),
            (vec![REACT, ("src/App.tsx", "")], Pass),
            (vec![REACT, ("src/App.jsx", "")], Pass),
            (vec![REACT, ("src/App.js", "")], Pass),
            (vec![REACT, ("src/app/App.tsx", "")], Pass),
        ] {
            let task = TaskFacts { builds_app: true, ..TaskFacts::default() };
            assert_eq!(judged(&files, task), Some(expected), "{files:?}");
        }
    }

    #[test]
    fn only_a_project_that_had_a_root_component_fails_without_one() {
        let change = |was: &str, before: &str, after: &str| {
            Comparison::Changed(vec![ChangedFile::from_texts(was, before, after)])
        };
        let renamed = Comparison::Changed(vec![ChangedFile::renamed("src/App.tsx", "src/Apple.tsx", "a")]);
        for (files, comparison, expected) in [
            (vec![REACT, OTHER], change("src/Apple.tsx", "a", "b"), None),
            (vec![REACT, ("src/server.tsx", "")], change("src/server.tsx", "a", "b"), None),
            (vec![REACT, OTHER], Comparison::None, None),
            (vec![REACT, ENTRY], change("src/App.tsx", "a", ""), Some(Fail)),
            (vec![REACT, ENTRY], renamed.clone(), Some(Fail)),
            (vec![REACT, OTHER], renamed, Some(Pass)),
        ] {
            assert_eq!(judged(&files, comparison.into()), expected, "{files:?}");
        }
    }
}

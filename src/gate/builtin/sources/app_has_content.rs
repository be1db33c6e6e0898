//! `app-has-content`: the root component renders content of its own.

use crate::gate::{Check, Finding, Gate, Judgement, Project, only_if};
use crate::js::lexer::{Piece, PieceKind, Source};
use crate::path::extension;

/// Applies to React apps with a root component ([`Project::app_file`]) that the task builds or changes. A changed
/// component passes if it was a template's page, or rendered nothing, before the task.
///
/// One component, one expression or a few words are enough. Fails for a component that renders nothing (null, empty
/// elements, only placeholders) and for the unchanged page of a template.
pub(crate) const GATE: Gate = Gate {
    name: "app-has-content",
    description: "src/App.tsx renders more than its scaffold",
    check: Check::Project(check),
};

/// Texts of template pages (Vite, Create React App), in lower case with single spaces.
const SCAFFOLD: [&str; 4] = [
    "edit src/app.",
    "click on the vite and react logos to learn more",
    "and save to test hmr",
    "edit the code to get started",
];

/// Texts of a page without content of its own; compared without case and punctuation.
const PLACEHOLDERS: [&str; 12] = [
    "vite react",
    "react app",
    "vite app",
    "my app",
    "app",
    "todo",
    "placeholder",
    "coming soon",
    "under construction",
    "lorem ipsum",
    "your app here",
    "app content goes here",
];

/// Elements that only wrap others.
const WRAPPERS: [&str; 7] =
    ["", "Fragment", "React.Fragment", "StrictMode", "React.StrictMode", "Suspense", "React.Suspense"];

/// Elements that render something without children.
const SHOWING: [&str; 13] = [
    "img", "picture", "video", "audio", "canvas", "iframe", "object", "embed", "svg", "input", "textarea", "select",
    "progress",
];

/// Calls that render without JSX.
const RENDERING_CALLS: [&str; 4] = ["createElement(", "useRoutes(", "jsx(", "createPortal("];

fn check(project: &Project) -> Finding {
    only_if(project.is_react_app(), "the project is not a React app")?;
    let path = project.app_file().ok_or("there is no src/App.tsx")?;
    let (builds_app, changed) = (project.task.builds_app, project.task.comparison.changed_file(path));
    only_if(
        builds_app || changed.is_some(),
        &format!("the task does not build the app and has no known change of {path}"),
    )?;
    // A file too large to be read is not a scaffold.
    let Some(text) = project.text(path) else { return Ok(Judgement::pass()) };
    let source = Source::new(text, extension(path));
    if let Some(before) = changed.and_then(|file| file.before.as_deref()).filter(|_| !builds_app) {
        let before = Source::new(before, extension(path));
        if is_scaffold(&before) || !shows_something(&before) {
            return Ok(Judgement::pass());
        }
    }
    Ok(if is_scaffold(&source) {
        Judgement::fail(format!(
            "{path} is still the default scaffold. Implement the sections from your plan, or what the task asks for, and \
             replace the scaffold with them."
        ))
    } else if shows_something(&source) {
        Judgement::pass()
    } else {
        Judgement::fail(format!(
            "{path} renders nothing yet: no component, no text of its own, no expression. Implement the sections from \
             your plan, or what the task asks for, and render them there."
        ))
    })
}

fn is_scaffold(source: &Source<'_>) -> bool {
    let said = normal(&visible_text(source));
    SCAFFOLD.iter().any(|marker| said.contains(marker))
}

fn shows_something(source: &Source<'_>) -> bool {
    let mut elements = source.pieces.iter().filter(|piece| piece.kind == PieceKind::Element).peekable();
    if elements.peek().is_none() {
        return renders_without_jsx(source);
    }
    elements.any(|element| shows_by_itself(element.text))
        || source.pieces.iter().any(|piece| is_expression_of_its_own(source, piece))
        || source.code().contains("dangerouslySetInnerHTML")
        || says_something(&visible_text(source))
}

fn shows_by_itself(element: &str) -> bool {
    let component = element.starts_with(|c: char| c.is_uppercase()) || element.contains('.');
    SHOWING.contains(&element) || (component && !WRAPPERS.contains(&element))
}

/// `{count}`; not `{null}`, `{' '}` or `{/* later */}`.
fn is_expression_of_its_own(source: &Source<'_>, piece: &Piece<'_>) -> bool {
    let code = source.code_of(piece).trim();
    let is_text = code.len() > 1 && code.starts_with(['"', '\'', '`']) && code.ends_with(['"', '\'', '`']);
    piece.kind == PieceKind::Expression
        && !is_text
        && !matches!(code, "" | "null" | "undefined" | "false" | "true" | "children")
}

/// The text of the JSX: text of elements, and string literals in braces.
fn visible_text(source: &Source<'_>) -> String {
    let mut said = String::new();
    for piece in &source.pieces {
        match piece.kind {
            PieceKind::Text => said.push_str(piece.text),
            PieceKind::Expression => {
                let code = source.code_of(piece).trim();
                said.push_str(if code.starts_with(['"', '\'', '`']) {
                    code.trim_matches(['"', '\'', '`'])
                } else {
                    " "
                });
            }
            PieceKind::String | PieceKind::Template | PieceKind::Element => {}
        }
    }
    said
}

fn says_something(said: &str) -> bool {
    let letters: String = said.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let words = normal(&letters);
    // A page of symbols such as emoji counts as content.
    if words.is_empty() {
        return said.chars().any(|c| !c.is_ascii() && !c.is_whitespace());
    }
    !PLACEHOLDERS.contains(&words.as_str())
}

fn renders_without_jsx(source: &Source<'_>) -> bool {
    let code = source.code();
    let reexports =
        code.contains("export *") || code.lines().any(|line| line.contains("export {") && line.contains("from"));
    let imports_own = code.lines().any(|line| {
        let own = ["'./", "\"./", "'../", "\"../", "'@/", "\"@/"].iter().any(|start| line.contains(start));
        line.trim_start().starts_with("import ") && own && !line.contains(".css")
    });
    reexports || imports_own || RENDERING_CALLS.iter().any(|call| code.contains(call))
}

/// Lower case, with single spaces.
fn normal(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::{self, Fail, Pass};
    use crate::gate::{ChangedFile, Comparison, TaskFacts};

    /// The judgement of a task that builds the app.
    fn judged(app: &str) -> Judgement {
        let builds = TaskFacts { builds_app: true, ..Comparison::Changed(Vec::new()).into() };
        check(&Project::from_files(&[("src/App.tsx", app)]).after(builds)).unwrap()
    }

    /// The verdict for a task that changes the app.
    fn changed(before: &str, after: &str) -> Option<GateVerdict> {
        let file = ChangedFile::from_texts("src/App.tsx", before, after);
        let files = if before == after { Vec::new() } else { vec![file] };
        let project = Project::from_files(&[("src/App.tsx", after)]).after(Comparison::Changed(files));
        check(&project).ok().map(|judgement| judgement.verdict)
    }

    #[test]
    fn an_existing_app_is_judged_by_the_change() {
        let (page, empty) = ("export default () => <h1>Hello</h1>", "export default () => null");
        let red = VITE.replace("className=\"card\"", "className=\"card red\"");
        for (before, after, expected) in [
            (VITE, VITE, None),
            (page, page, None),
            (VITE, red.as_str(), Some(Pass)),
            (empty, "export default () => <div />", Some(Pass)),
            (page, "export default () => <h1>Hi</h1>", Some(Pass)),
            (page, empty, Some(Fail)),
            (page, VITE, Some(Fail)),
            ("", VITE, Some(Fail)),
        ] {
            assert_eq!(changed(before, after), expected, "{before}\n{after}");
        }
        assert_eq!(judged(VITE).verdict, Fail, "the task builds the app");
        let unknown = Project::from_files(&[("src/App.tsx", VITE)]);
        assert!(check(&unknown).is_err(), "without a comparison, the author of the page is not known");
    }

    fn app(jsx: &str) -> GateVerdict {
        judged(&format!("import './App.css'\nexport default function App() {{\n  return (\n{jsx}\n  )\n}}\n")).verdict
    }

    const VITE: &str = r#"import { useState } from 'react'
import reactLogo from './assets/react.svg'
import viteLogo from '/vite.svg'
import './App.css'

function App() {
  const [count, setCount] = useState(0)
  return (
    <>
      <a href="https://vite.dev" target="_blank"><img src={viteLogo} className="logo" alt="Vite logo" /></a>
      <h1>Vite + React</h1>
      <div className="card">
        <button onClick={() => setCount((count) => count + 1)}>count is {count}</button>
        <p>
          Edit <code>src/App.tsx</code> and save to test HMR
        </p>
      </div>
      <p className="read-the-docs">Click on the Vite and React logos to learn more</p>
    </>
  )
}

export default App
"#;

    #[test]
    fn a_template_page_fails() {
        let scaffold = "<div className=\"p-8\"><h1>My App</h1><p>Edit src/App.tsx to get started.</p></div>";
        for jsx in [
            scaffold,
            "<p>Edit <code>src/App.jsx</code> and save to reload.</p>",
            "<p>Edit{' '}\n<code>src/App.tsx</code></p>",
        ] {
            assert_eq!(app(jsx), Fail, "{jsx}");
        }
        let feedback = judged(VITE).feedback.unwrap_or_default();
        assert!(
            feedback.starts_with("src/App.tsx is still the default scaffold. Implement the sections from your plan")
        );
    }

    #[test]
    fn a_page_without_content_fails() {
        for jsx in [
            "<></>",
            "<div />",
            "<div className=\"app\">\n</div>",
            "<div>{/* TODO: sections */}</div>",
            "<main>{null}{' '}{false}</main>",
            "<React.StrictMode><Fragment></Fragment></React.StrictMode>",
            "<h1>Vite + React</h1>",
            "<div><h1>TODO</h1></div>",
            "<p>{\"Coming soon…\"}</p>",
        ] {
            assert_eq!(app(jsx), Fail, "{jsx}");
        }
        for source in [
            "",
            "export default function App() { return null }",
            "export default () => undefined // <Hero />",
            "import './App.css'\nexport default function App() {}",
        ] {
            assert_eq!(judged(source).verdict, Fail, "{source}");
        }
    }

    #[test]
    fn a_small_app_passes() {
        for jsx in [
            "<Dashboard />",
            "<RouterProvider router={router} />",
            "<UI.Page />",
            "<h1>Hello</h1>",
            "<main><h1>Coffee</h1><p>Open daily from 8.</p></main>",
            "<button onClick={add}>{count}</button>",
            "<ul>{items.map((item) => <li key={item.id}>{item.name}</li>)}</ul>",
            "<canvas ref={canvas} />",
            "<div><input value={x} /></div>",
            "<p>🎉</p>",
            "<p>Built with Vite + React</p>",
            "<h1>こんにちは</h1>",
            "<div dangerouslySetInnerHTML={{ __html: html }} />",
        ] {
            assert_eq!(app(jsx), Pass, "{jsx}");
        }
        for source in [
            "export { default } from './pages/Home'",
            "import Home from './pages/Home'\nexport default Home",
            "import { createElement } from 'react'\nexport default () => createElement('h1', null, 'Hi')",
            "export default function App() { return useRoutes(routes) }",
        ] {
            assert_eq!(judged(source).verdict, Pass, "{source}");
        }
    }

    #[test]
    fn scaffold_text_in_comments_and_props_does_not_count() {
        assert_eq!(
            app("<Shell>{/* Edit src/App.tsx to get started */}<Hero title=\"Edit src/App.tsx\" /></Shell>"),
            Pass
        );
    }
}

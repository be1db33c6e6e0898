//! `app-exists`: a React app has its root component in `src/App.tsx`.

use crate::gate::contract::FileGate;
use crate::gate::{Judgement, Project};

/// Applies to React apps ([`Project::is_react_app`]). `.jsx`, `.js` and `.ts` count as well.
pub const GATE: FileGate =
    FileGate { name: "app-exists", description: "src/App.tsx exists", applies: Project::is_react_app, judge };

fn judge(project: &Project) -> Judgement {
    match project.app_file() {
        Some(_) => Judgement::pass(),
        None => Judgement::fail(
            "src/App.tsx is missing. Create it, with the app's root component as its default export, and render it \
             from the entry file (src/main.tsx).",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateVerdict::{Fail, Pass};

    const REACT: (&str, &str) = ("package.json", r#"{"dependencies":{"react":"19"}}"#);

    #[test]
    fn demands_a_root_component() {
        for (files, expected) in [
            (vec![REACT, ("src/main.tsx", "x")], Fail),
            (vec![REACT, ("src/app.tsx", "x")], Fail),
            (vec![REACT, ("App.tsx", "x")], Fail),
            (vec![REACT, ("src/App.tsx", "")], Pass),
            (vec![REACT, ("src/App.jsx", "")], Pass),
            (vec![REACT, ("src/App.js", "")], Pass),
        ] {
            assert_eq!(judge(&Project::of(&files)).verdict, expected, "{files:?}");
        }
    }
}

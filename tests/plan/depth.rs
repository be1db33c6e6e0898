//! The deepest accepted plans fit on the stack. Native only: the frames of an unoptimised wasm build are many times
//! larger than in the package. `pkg/test/plan-depth.test.mjs` (Node.js) and `tests/e2e/package.test.js`
//! (browsers) check the package with the same shapes.
#![expect(clippy::disallowed_methods, reason = "this test reads the repository, not a user's project")]

use loopgate::plan::{PlanReport, Registry, diff, validate};
use std::{fs, path::Path};

/// The opening and closing text of a level.
const SHAPES: &str = include_str!("../fixtures/nesting/shapes.json");

fn shapes() -> Vec<(String, String)> {
    let shapes: Vec<_> = serde_json::from_str(SHAPES).unwrap_or_default();
    assert!(shapes.len() > 30, "the shapes cannot be read");
    shapes
}

#[test]
fn the_deepest_of_every_shape_is_read() {
    with_room(|| {
        for (open, close) in shapes() {
            let (levels, report) =
                deepest(|levels| ["export default ", &open.repeat(levels), "1", &close.repeat(levels)].concat());
            assert!(levels >= 40, "{open}: {levels}");
            assert!(report.failures.iter().all(|failure| failure.id != "too-large"), "{open}");
        }
    });
}

#[test]
fn the_deepest_of_every_shape_is_read_in_the_deepest_tree() {
    with_room(|| {
        for (open, close) in shapes().into_iter().filter(|(open, _)| !open.contains("<A")) {
            let (levels, report) = deepest(|levels| {
                let value = [open.repeat(levels), "1".to_owned(), close.repeat(levels)].concat();
                ["export default ", &"<A>".repeat(255), "<A b={", &value, "}/>", &"</A>".repeat(255)].concat()
            });
            assert!(levels >= 40, "{open}: {levels}");
            assert!(report.failures.iter().all(|failure| failure.id != "too-large"), "{open}");
        }
    });
}

#[test]
fn a_plan_of_256_levels_is_accepted_and_one_of_257_is_not() {
    with_room(|| {
        let plan = |levels| ["export default ", &"<App>".repeat(levels), &"</App>".repeat(levels)].concat();
        let report = validate(&plan(256), Registry::builtin(), None);
        let levels = std::iter::successors(report.root.as_ref(), |node| node.children.first()).count();
        assert_eq!(levels, 256);
        let report = validate(&plan(257), Registry::builtin(), None);
        assert_eq!(report.failures.iter().map(|failure| failure.id.as_str()).collect::<Vec<_>>(), ["too-large"]);
        assert_eq!(report.root, None);
    });
}

#[test]
fn unclosed_tags_do_not_count_as_nesting() {
    let sections = "<Section gumdrop=\"hero\" cols={2} />\n".repeat(1000);
    let plan = format!("export default (\n<App>\n<Theme mood=\"zen\"\n<Screen>\n{sections}</Screen>\n</App>\n)");
    let failures = validate(&plan, Registry::builtin(), None).failures;
    let places: Vec<_> = failures.iter().map(|failure| (failure.id.as_str(), failure.line)).collect();
    assert_eq!(places, [("parseable", 4)]);
}

#[test]
fn sources_that_people_wrote_are_read() {
    with_room(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (mut folders, mut files) = (vec![root.join("www/src"), root.join("pkg/src")], Vec::new());
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let name = entry.path().to_string_lossy().into_owned();
                match entry.path().is_dir() {
                    true => folders.push(entry.path()),
                    false => files.extend(fs::read_to_string(&name).ok().map(|text| (name, text))),
                }
            }
        }
        let is_code = |name: &str| [".ts", ".tsx", ".js", ".jsx"].iter().any(|extension| name.ends_with(extension));
        files.retain(|(name, _)| is_code(name));
        assert!(files.len() > 20, "{}", files.len());
        let files: Vec<(&str, Option<&str>)> =
            files.iter().map(|(name, text)| (name.as_str(), Some(text.as_str()))).collect();
        let compared = diff("export default <App />", &files);
        assert!(compared.is_ok_and(|compared| compared.unread.is_empty()), "a source is not read to its end");
    });
}

/// The maximum number of accepted levels, and the report of that plan.
fn deepest(source: impl Fn(usize) -> String) -> (usize, PlanReport) {
    let read = |levels| {
        let report = validate(&source(levels), Registry::builtin(), None);
        report.failures.iter().all(|failure| failure.id != "too-large").then_some(report)
    };
    let (mut deep, mut too_deep) = (1, 300);
    while too_deep - deep > 1 {
        let levels = (deep + too_deep) / 2;
        if read(levels).is_some() { deep = levels } else { too_deep = levels }
    }
    (deep, read(deep).unwrap_or_default())
}

/// Runs on a large stack: the frames of an unoptimised parser are many times larger.
fn with_room(test: impl FnOnce() + Send + 'static) {
    assert!(
        std::thread::Builder::new().stack_size(64 << 20).spawn(test).is_ok_and(|thread| thread.join().is_ok()),
        "the test failed"
    );
}

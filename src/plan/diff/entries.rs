//! The entry points of the app.

use crate::js::graph::{Graph, Node};
use crate::path::{extension, stem};

/// Names of entry files.
const ENTRIES: [&str; 6] = ["main", "index", "entry", "entry-client", "client", "App"];
/// Route folders, used if there is no entry file.
const ROUTES: [&str; 6] = ["src/app/", "src/pages/", "src/routes/", "app/", "pages/", "routes/"];
/// File names that stand for their folder's route.
const FOLDERS: [&str; 3] = ["page", "index", "route"];

/// The entry points: the statements and exports of `src/main`, `src/index` or `src/App`, also in another `src/` folder
/// such as `apps/web/src/`; else the default exports of route files. Without either, all components, because what is
/// rendered is then unknown.
pub(super) fn entries(graph: &Graph<'_>) -> Vec<Node> {
    let mut nodes = begun(graph, &|folder| folder == "src");
    if nodes.is_empty() {
        nodes = begun(graph, &|folder| folder.ends_with("/src"));
    }
    if nodes.is_empty() {
        let routes = graph.modules.iter().enumerate().filter(|(_, module)| {
            ROUTES.iter().any(|folder| module.path.starts_with(folder))
                && matches!(extension(module.path), "tsx" | "jsx")
        });
        nodes = routes.flat_map(|(at, _)| graph.exports_of(at)).collect();
    }
    if nodes.is_empty() {
        nodes = graph.nodes().filter(|node| graph.renders(*node)).collect();
    }
    nodes
}

/// The parts of entry files in these folders.
fn begun(graph: &Graph<'_>, is_folder: &dyn Fn(&str) -> bool) -> Vec<Node> {
    let mut nodes = Vec::new();
    for (at, module) in graph.modules.iter().enumerate() {
        let is_entry = module.path.rsplit_once('/').is_some_and(|(folder, name)| {
            let stem = name.strip_suffix(extension(name)).and_then(|name| name.strip_suffix('.'));
            is_folder(folder) && stem.is_some_and(|stem| ENTRIES.iter().any(|entry| stem.eq_ignore_ascii_case(entry)))
        });
        if is_entry {
            nodes.extend(graph.nodes_of(at).next());
            nodes.extend(graph.exports_of(at));
        }
    }
    nodes
}

/// The route of a file in a route folder: `/shop` for `src/app/shop/page.tsx`.
pub(super) fn file_route(path: &str) -> Option<String> {
    let rest = ROUTES.iter().find_map(|folder| path.strip_prefix(folder))?;
    let (rest, _) = rest.rsplit_once('.')?;
    let is_named = |part: &&str| !FOLDERS.contains(part) && !part.starts_with('(');
    Some(rest.split('/').filter(is_named).fold(String::new(), |route, part| route + "/" + part))
}

/// The file that an IDE previews as the app.
pub(super) fn app_path<'s>(graph: &Graph<'s>, entries: &[Node]) -> Option<&'s str> {
    let paths = || entries.iter().map(|node| graph.path_of(*node));
    paths().find(|path| stem(path).eq_ignore_ascii_case("app")).or_else(|| paths().next())
}

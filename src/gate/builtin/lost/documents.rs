//! What a document loads, the blocks of a Vue, Svelte or Astro file, and routes.

use super::change::{Change, Changed};
use super::{Kind, Lost};
use crate::gate::Project;
use crate::gate::bare;
use crate::gate::scope::{is_page, stems, telling};
use crate::js::lexer::{PieceKind, Source};
use crate::js::markup;
use crate::js::tree::{Parsed, Pattern, Statement};
use crate::path::{extension, name, stem};
use crate::syntax::markup::{MARKUP, links, parts, scripts};
use crate::syntax::template::as_jsx;
use crate::text::{one_line, shortened};

pub(super) fn lost(change: &Change<'_>, project: &Project) -> Vec<Lost> {
    let mut lost = Vec::new();
    for file in &change.files {
        match extension(file.path) {
            "html" | "htm" if file.is_there => {
                lost.extend(loads(change, file, &script_loads(file.before), &script_loads(file.after)));
                lost.extend(loads(change, file, &link_loads(file.before), &link_loads(file.after)));
            }
            known if MARKUP.contains(&known) && file.is_there => lost.extend(blocks(file, known)),
            _ if file.is_there => lost.extend(routes(change, file)),
            _ => {}
        }
        if !file.is_there {
            lost.extend(page(change, project, file));
        }
    }
    lost
}

/// What a document loads.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Load {
    tag: String,
    /// Its address or its code.
    content: String,
    is_address: bool,
    /// The page differs without it.
    is_shown: bool,
}

fn script_loads(text: &str) -> Vec<Load> {
    let loads = scripts(text).into_iter().map(|script| match script.address {
        Some(address) => {
            let (tag, content) = (format!("<script src=\"{address}\">"), address.to_owned());
            Load { tag, content, is_address: true, is_shown: true }
        }
        None => {
            let content = one_line(script.text);
            let tag = format!("<script> {}", shortened(&content, 40));
            Load { tag, content, is_address: false, is_shown: true }
        }
    });
    loads.filter(|load| !load.content.is_empty()).collect()
}

fn link_loads(text: &str) -> Vec<Load> {
    let kinds = |rel: &str, known: &[&str]| rel.split_whitespace().any(|word| known.contains(&word));
    let loads = links(text)
        .into_iter()
        .filter(|(rel, _)| !kinds(rel, &["preload", "modulepreload", "preconnect", "dns-prefetch"]));
    loads
        .map(|(rel, href)| Load {
            tag: format!("<link rel=\"{rel}\" href=\"{href}\">"),
            content: href.to_owned(),
            is_address: true,
            is_shown: kinds(&rel, &["stylesheet"]),
        })
        .collect()
}

/// What the document does not load any more, nor any other changed file. Something new in its place replaces it.
fn loads(change: &Change<'_>, file: &Changed<'_>, had: &[Load], has: &[Load]) -> Vec<Lost> {
    let key = |load: &Load| match load.is_address {
        true => load.content.split(['?', '#']).next().unwrap_or_default().to_owned(),
        false => load.content.clone(),
    };
    let is_in = |loads: &[Load], load: &Load| loads.iter().any(|other| key(other) == key(load));
    let gone: Vec<&Load> = had.iter().filter(|load| !is_in(has, load)).collect();
    let new = has.iter().filter(|load| !is_in(had, load)).count();
    if new >= gone.len() {
        return Vec::new();
    }
    let left = gone.into_iter().filter(|load| !is_elsewhere(change, file, load));
    left.map(|load| Lost {
        what: load.tag.clone(),
        path: file.path.to_owned(),
        names: telling(stems(&load.tag)),
        said: Vec::new(),
        kind: Kind::Shown,
        is_certain: load.is_shown && new == 0 && !(load.is_address && change.is_gone(&load.content)),
    })
    .collect()
}

/// Whether another changed file loads the file at an address, names the package there, or has the code.
fn is_elsewhere(change: &Change<'_>, file: &Changed<'_>, load: &Load) -> bool {
    let has = |text: &str| change.has_besides(text, file.path);
    if !load.is_address {
        let statements = load.content.split([';', '{', '}']).map(str::trim).filter(|code| code.len() > 10);
        return statements.into_iter().any(has);
    }
    let address = load.content.split(['?', '#']).next().unwrap_or_default();
    match address.split_once("//") {
        Some((_, rest)) => rest.split(['/', '.', '@']).filter(|part| part.len() > 4).any(has),
        None => has(name(address)),
    }
}

/// The template or the script of a component.
fn blocks(file: &Changed<'_>, extension: &str) -> Option<Lost> {
    let template = |text: &str| as_jsx(text, extension, true).text;
    let has_template = |text: &str| template(text).contains(char::is_alphanumeric);
    let code = |text: &str| -> String {
        let scripts = parts(text, extension).into_iter().filter(|part| !matches!(part.extension, "css" | "json"));
        scripts.filter_map(|part| bare::code(&format!("part.{}", part.extension), part.text)).collect()
    };
    let (had, has) = (code(file.before), code(file.after));
    let (what, is_certain) = if has_template(file.before) && !has_template(file.after) {
        // A function may render instead.
        ("the template", !has.contains("render") && !has.contains("</"))
    } else if !had.is_empty() && has.is_empty() {
        let shown = template(file.after);
        let mut words = shown.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
        let declared = declared(file.before, extension);
        ("the script", words.any(|word| declared.iter().any(|name| name == word)))
    } else {
        return None;
    };
    let names = vec![what.trim_start_matches("the ").to_owned()];
    let (what, path) = (what.to_owned(), file.path.to_owned());
    Some(Lost { what, path, names, said: Vec::new(), kind: Kind::Vital, is_certain })
}

/// The names that a component's script declares or imports.
fn declared(text: &str, extension: &str) -> Vec<String> {
    let (_, Parsed::Module(module)) = markup::read(text, extension) else { return Vec::new() };
    let names = module.body.iter().filter_map(|statement| match statement {
        Statement::Declare(one) => match &one.pattern {
            Pattern::Name(name) => Some(name.to_string()),
            _ => None,
        },
        _ => None,
    });
    names
        .chain(module.imports.iter().map(|import| import.local.clone()))
        .filter(|name| !name.starts_with('$'))
        .collect()
}

/// The addresses that a router has. A new one replaces one.
fn routes(change: &Change<'_>, file: &Changed<'_>) -> Vec<Lost> {
    let (had, has) = (paths(file.was, file.before), paths(file.path, file.after));
    let gone: Vec<&String> = had.iter().filter(|path| !has.contains(path)).collect();
    let new = has.iter().filter(|path| !had.contains(path)).count();
    let is_elsewhere =
        |path: &String| ['"', '\'', '`'].iter().any(|quote| change.has(&format!("{quote}{path}{quote}")));
    if new >= gone.len() {
        return Vec::new();
    }
    let left = gone.into_iter().filter(|path| !is_elsewhere(path));
    left.map(|path| Lost {
        what: format!("the route {path}"),
        path: file.path.to_owned(),
        names: [telling(stems(path)), vec!["route".to_owned()]].concat(),
        said: Vec::new(),
        kind: Kind::Shown,
        is_certain: new == 0,
    })
    .collect()
}

fn paths(path: &str, text: &str) -> Vec<String> {
    let renders = ["Route", "element:", "Component:", "component:", "lazy:"].iter().any(|mark| text.contains(mark));
    if !renders || !matches!(extension(path), "tsx" | "jsx" | "ts" | "js" | "mjs") {
        return Vec::new();
    }
    let source = Source::new(text, extension(path));
    let is_path = |at: usize| {
        let before =
            source.code().get(..at.saturating_sub(1)).unwrap_or_default().trim_end().trim_end_matches('{').trim_end();
        let key = before.strip_suffix(['=', ':']).map(str::trim_end);
        key.and_then(|key| key.strip_suffix("path")).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
    };
    let strings = source.pieces.iter().filter(|piece| piece.kind == PieceKind::String && is_path(piece.at));
    strings.map(|piece| piece.text.to_owned()).filter(|path| !path.is_empty()).collect()
}

/// A page that is gone with its file.
fn page(change: &Change<'_>, project: &Project, file: &Changed<'_>) -> Option<Lost> {
    let is_document = extension(file.was).starts_with("htm") && !file.was.starts_with("public/");
    let is_routed = project.has_framework() && is_page(file.was, project.depends_on("next"));
    let is_elsewhere = change.has_most(&file.had.texts, "");
    (is_document || is_routed && !file.had.texts.is_empty()).then_some(())?;
    (!is_elsewhere).then(|| Lost {
        what: "the page".to_owned(),
        path: file.was.to_owned(),
        names: telling([stems(file.was), stems(stem(file.was))].concat()),
        said: telling(file.had.texts.iter().flat_map(|text| stems(text)).collect()),
        kind: Kind::Shown,
        is_certain: false,
    })
}

//! Components and sections that a file rendered before the task.

use super::asked::Asked;
use super::change::{Change, Changed};
use super::page::Page;
use super::{Kind, Lost};
use crate::gate::builtin::work::app::{App, in_use};
use crate::gate::scope::{FileId, States, is_markup, stems, telling};
use crate::js::lexer::{PieceKind, Source};
use crate::js::tree::{Parsed, Pattern, Statement};
use crate::path::{extension, stem};
use crate::port::Host;

/// Whether a changed file renders less than before.
pub(super) fn may_be_lost(change: &Change<'_>) -> bool {
    let is_less = |file: &Changed<'_>| {
        !file.had.components.is_subset(&file.has.components) || !file.had.without(&file.has).is_empty()
    };
    change.files.iter().any(|file| file.is_there && is_less(file))
}

/// Where a component is declared before the task.
struct Target {
    file: FileId,
    name: String,
}

pub(super) async fn lost(host: &Host, change: &Change<'_>, asked: &Asked<'_>, app: &App) -> Vec<Lost> {
    let states = States::new(&app.before, &app.after);
    for () in states.parse() {
        host.fs.pause().await;
    }
    let mut lost = Vec::new();
    for file in change.files.iter().filter(|file| file.is_there) {
        let (Some(old), Some(new)) = (states.old.find(file.was), states.new.find(file.path)) else { continue };
        let is_document = extension(file.path).starts_with("htm");
        let was_shown = states.old.reached().is_none_or(|reached| reached.enters(old));
        // What shows this file has lost it.
        let is_shown = states.new.reached().is_none_or(|reached| reached.enters(new));
        let is_broken = matches!(states.new.parsed(new), Parsed::Broken { .. } | Parsed::Unreadable);
        if !is_document && (!was_shown || !is_shown || is_broken) {
            continue;
        }
        let mut gained = file.has.components.difference(&file.had.components);
        let is_replaced = gained.any(|name| !asked.adds(name));
        let components = file.had.components.difference(&file.has.components);
        let components = components.filter_map(|name| component(&states, app, change, file, old, name));
        let sections = file.had.without(&file.has).into_iter().filter_map(|section| {
            let is_elsewhere = section.contents.is_empty() || change.has_most(&section.contents, "");
            let head = section.head.replace("className", "class");
            (!is_elsewhere).then(|| Lost {
                what: format!("<{head}"),
                path: file.path.to_owned(),
                names: telling(stems(&head)),
                said: telling(section.contents.iter().flat_map(|text| stems(text)).collect()),
                kind: Kind::Shown,
                is_certain: true,
            })
        });
        lost.extend(
            components.chain(sections).map(|part| Lost { is_certain: part.is_certain && !is_replaced, ..part }),
        );
    }
    lost
}

/// A component that the file does not render any more, and that no other place renders or has.
fn component(
    states: &States<'_>,
    app: &App,
    change: &Change<'_>,
    file: &Changed<'_>,
    old: FileId,
    name: &str,
) -> Option<Lost> {
    let target = target(states, old, name)?;
    let home = states.old.path(target.file);
    let is_local = target.file == old;
    if is_rendered(states, app, &target, file, is_local) {
        return None;
    }
    let now = states.new.find(if is_local { file.path } else { home });
    let is_left = now.is_some_and(|now| states.new.declares(now, &target.name));
    let texts = contents(states, &target, is_local);
    if !(is_local && is_left) && change.has_most(&texts, if is_local { "" } else { home }) {
        return None;
    }
    Some(Lost {
        what: format!("<{name} />"),
        path: file.path.to_owned(),
        names: telling(stems(name)),
        said: telling(texts.iter().flat_map(|text| stems(text)).collect()),
        kind: Kind::Shown,
        is_certain: app.is_complete && (is_local || is_left),
    })
}

/// The project's component behind a name. Frameworks import some by the name of their file.
fn target(states: &States<'_>, old: FileId, name: &str) -> Option<Target> {
    match states.old.binding(old, name) {
        Some((file, Some(name))) if states.old.declares(file, &name) => return Some(Target { file, name }),
        Some((_, None)) => return None,
        _ => {}
    }
    let is_called = |id: &FileId| is_markup(states.old.path(*id)) && stem(states.old.path(*id)) == name;
    let file = states.old.ids().find(is_called).filter(|id| *id != old)?;
    let (file, declared) = states.old.exported(file, "default")?;
    declared.map(|name| Target { file, name })
}

fn is_rendered(states: &States<'_>, app: &App, target: &Target, file: &Changed<'_>, is_local: bool) -> bool {
    if let (Some(_), Some(reached)) = (states.old.reached(), states.new.reached()) {
        if states.new.ids().any(|id| reached.contains(id, &target.name) && states.new.declares(id, &target.name)) {
            return true;
        }
        if reached.is_certain {
            return false;
        }
    }
    if !is_local {
        return app.mentions(states.old.path(target.file));
    }
    let used = in_use(file.path, file.after);
    used.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').filter(|word| *word == target.name).count() > 1
}

/// What a component shows; without texts and components, its other strings.
fn contents(states: &States<'_>, target: &Target, is_local: bool) -> Vec<String> {
    let (path, text) = (states.old.path(target.file), states.old.text(target.file));
    let own = states.old.module(target.file).filter(|_| is_local).and_then(|module| {
        module.body.iter().find_map(|statement| match statement {
            Statement::Declare(one) if matches!(&one.pattern, Pattern::Name(name) if **name == *target.name) => {
                text.get(one.span.0 as usize..one.span.1 as usize)
            }
            _ => None,
        })
    });
    let text = own.unwrap_or(text);
    // The source of a markup file is JSX.
    let path = if is_markup(path) { "part.tsx" } else { path };
    let page = Page::read(path, text);
    let components = page.components.iter().map(|name| format!("<{name}"));
    let mut said: Vec<String> = page.texts.iter().cloned().chain(components).collect();
    if said.is_empty() {
        let source = Source::new(text, extension(path));
        let strings =
            source.pieces.iter().filter(|piece| piece.kind == PieceKind::String).map(|piece| piece.text.trim());
        let is_told = |text: &&str| text.len() > 2 && !text.starts_with(['.', '/', '@']);
        said.extend(strings.filter(is_told).map(str::to_owned));
    }
    said
}

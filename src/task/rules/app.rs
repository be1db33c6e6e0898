//! A new app: the clause that names it, and its parts, each of which is an addition.

use super::acts::{Act, exception, is_empty, restart};
use super::clauses::{clauses, pieces};
use super::requirement::{Wish, describes_name, is_list_mark, phrase_end, wishes};
use super::tokens::{Kind, Text};
use super::words::*;
use crate::layout::is_task_file;
use crate::task::structured::{StructuredTask, TaskContext, TaskType};
use std::ops::Range;

/// Files of a starter project: what a template has before anything is built.
const STARTER: &str = "main app index vite package tsconfig eslint readme logo favicon react setup reportwebvitals tailwind \
                       postcss env gitignore package-lock pnpm-lock yarn";

/// Whether nothing is built: no plan, and only the files of a template. Unknown files may be anything.
pub(crate) fn is_bare(context: &TaskContext) -> bool {
    let is_starter = |file: &String| {
        let name = crate::path::name(file).trim_start_matches('.').to_lowercase();
        let name = name.split('.').next().unwrap_or_default();
        is_task_file(file) || STARTER.split_ascii_whitespace().any(|known| name == known)
    };
    !context.plan_exists && context.file_list.as_ref().is_some_and(|files| files.iter().all(is_starter))
}

/// Whether something is built that a message may change.
pub(crate) fn exists(context: &TaskContext) -> bool {
    context.plan_exists || context.file_list.is_some() && !is_bare(context)
}

/// Whether the task builds the app: the project was empty (`is_empty`), or the message asks for an app or a restart.
///
/// The kind `fresh` is not enough: every task without a plan has it, such as "add a footer" to a project from another tool.
pub fn builds_app(task: &StructuredTask, is_empty: bool) -> bool {
    task.kind == TaskType::Fresh && (is_empty || asks_for_app(&task.raw_message))
}

/// Whether the message asks for a new app.
fn asks_for_app(message: &str) -> bool {
    let text = Text::new(message);
    let mut wishes = wishes(&text, &clauses(&text));
    // With a file of its own in the project, not every request names the app.
    let context = TaskContext { file_list: Some(vec!["src/other.ts".to_owned()]), ..TaskContext::default() };
    let is_rebuilt = |wish: &Wish| {
        text.is(wish.core, "redesign rebuild recreate") && names_app(&text, wish, &TaskContext::default())
    };
    wishes.iter().any(|wish| wish.act == Act::Restart || is_rebuilt(wish))
        || find(&text, &mut wishes, &context).is_some()
}

/// Whether the message asks for another look, which may replace the project's styles.
pub fn asks_for_look(message: &str) -> bool {
    let text = Text::new(message);
    let is_look = |at: usize| text.is(at, "theme look design style palette mood scheme");
    text.all().any(|at| {
        text.is(at, "redesign restyle rebrand retheme makeover facelift")
            || text.is(at, "new another different other") && (at + 1..at + 4).any(is_look)
    })
}

/// The clause that asks for a new app; a clause that gives up the present app is cut down to the one that it names.
pub(super) fn find(text: &Text<'_>, wishes: &mut [Wish], context: &TaskContext) -> Option<usize> {
    if let Some(restart) = wishes.iter().position(|wish| wish.act == Act::Restart) {
        let is_named = |wish: &mut Wish| wish.act == Act::Restart && cut_to_name(text, wish);
        let is_wanted =
            |wish: &Wish| matches!(wish.act, Act::Add | Act::Name) || wish.act == Act::Modify && wish.creates;
        let named = wishes.iter_mut().position(is_named);
        let later = || wishes.iter().skip(restart).position(is_wanted).map(|at| restart + at);
        return named.or_else(later).or_else(|| wishes.iter().position(is_wanted));
    }
    let bare = is_bare(context);
    // "Change the title": a template has one, too.
    let has_files = context.file_list.as_ref().is_some_and(|files| !files.is_empty());
    let is_named = |at: usize| text.has(at, DEFINITE) || matches!(text.kind(at), Some(Kind::Quote | Kind::Path));
    let edits = |wish: &Wish| has_files && is_named(wish.core + 1) && !text.any(wish.words.clone(), APP);
    wishes.iter().position(|wish| match wish.act {
        Act::Add if bare => true,
        Act::Add => (wish.creates || text.has(wish.core, INDEFINITE)) && names_app(text, wish, context),
        Act::Name => bare || !context.plan_exists && names_app(text, wish, context),
        Act::Modify => bare && !is_empty(text, &wish.words) && !edits(wish),
        Act::Detail => bare && (wish.creates || names_app(text, wish, context)),
        _ => false,
    })
}

/// "start over with a dashboard": cuts the words that give up the present app.
fn cut_to_name(text: &Text<'_>, wish: &mut Wish) -> bool {
    let Some(end) = restart(text, &wish.words) else { return false };
    let is_start = |at: usize| text.has(at, INDEFINITE | APP) && !text.has(at, VAGUE) || text.norm(at - 1) == ":";
    let last = (end..wish.words.end).rev().find(|at| text.is_specific(*at)).map_or(end, |last| last + 1);
    let from = (end..last).find(|at| is_start(*at));
    from.map(|from| (wish.words.start, wish.core) = (from, from)).is_some()
}

/// Whether the first noun phrase of a clause names an app: "a landing page for …".
fn names_app(text: &Text<'_>, wish: &Wish, context: &TaskContext) -> bool {
    const COMPLETE: &str = "app application website site webapp game store shop portfolio homepage";
    const PARTS: &str = "settings about contact detail faq more another profile login";
    let mut words = wish.core..phrase_end(text, wish.core, wish.words.end);
    let noun = words.clone().rev().find(|at| text.is_word(*at) && !text.has(*at, FILLER));
    // "Build the app": without a plan and a list of files, it may be a new one.
    let is_known = || context.file_list.is_some() && text.any(words.clone(), DEFINITE | ORDINAL | NEW);
    let fits = match context.plan_exists {
        true => text.has(wish.core, CREATE) && words.clone().any(|at| text.is(at, COMPLETE)),
        false => !is_known(),
    };
    fits && noun.is_some_and(|noun| text.has(noun, APP)) && !words.any(|at| text.is(at, PARTS))
}

/// The app and its parts, as additions; what describes its look belongs to the app.
pub(super) fn parts(text: &Text<'_>, wishes: Vec<Wish>, app: usize) -> Vec<Wish> {
    let mut all: Vec<Wish> = Vec::new();
    let mut before = 0;
    for (at, wish) in wishes.into_iter().enumerate() {
        if at == app {
            let list = list_start(text, &wish);
            let named = list.map(|list| items(text, &(list + 1..wish.words.end))).unwrap_or_default();
            let end = list.filter(|_| !named.is_empty()).unwrap_or(wish.words.end);
            before = all.len();
            all.insert(0, Wish { act: Act::Add, words: wish.words.start..end, also: Vec::new(), ..wish.clone() });
            all.extend(named.into_iter().map(|words| Wish { act: Act::Add, ..wish.part(words) }));
            wish.also.iter().for_each(|words| add(text, &mut all, &wish, words.clone()));
            continue;
        }
        match wish.act {
            Act::Keep => all.push(wish),
            Act::Remove if at > app => describe(&mut all, &wish.words),
            Act::Talk | Act::Restart | Act::Ambiguous => {}
            Act::Name if wish.heads => {}
            act if at < app && act != Act::Add => {
                all.extend(exception(text, &wish.words).map(|_| Wish { act: Act::Detail, ..wish }));
            }
            _ => wish.all_words().for_each(|words| add(text, &mut all, &wish, words.clone())),
        }
    }
    // The order of the message.
    all.get_mut(..=before).unwrap_or_default().rotate_left(usize::from(before > 0));
    all
}

fn describe(all: &mut [Wish], words: &Range<usize>) {
    all.iter_mut().take(1).for_each(|app| app.also.push(words.clone()));
}

/// Words within which the list of an app's parts starts.
const FIRST_WORDS: usize = 80;

/// Where the list of parts starts: "with …", ":", or a comma.
fn list_start(text: &Text<'_>, wish: &Wish) -> Option<usize> {
    const STARTS: &str = "with including featuring containing : has shows lists includes contains needs";
    let mut words = wish.core + 1..wish.words.end.min(wish.core + FIRST_WORDS);
    let is_list = |comma: &usize| !describes_name(text, &(comma + 1..wish.words.end));
    let comma = words.clone().find(|at| text.norm(*at) == ",").filter(is_list);
    words.find(|at| text.is(*at, STARTS)).or(comma)
}

/// The things of a list; what only describes a look ("mobile first", "dark") is left out.
fn items(text: &Text<'_>, words: &Range<usize>) -> Vec<Range<usize>> {
    pieces(text, words, is_list_mark).into_iter().filter(|piece| is_thing(text, piece)).collect()
}

/// It names something to build rather than how it looks.
fn is_thing(text: &Text<'_>, words: &Range<usize>) -> bool {
    let first = words.clone().find(|at| !text.has(*at, FILLER | ARTICLE)).unwrap_or(words.start);
    let noun = phrase_end(text, first, words.end) - 1;
    let is_look = text.has(noun, STYLE | COMPARATIVE)
        && !text.has(noun, COPY)
        && !text.any(words.clone(), NEW | INDEFINITE)
        || (first..words.end).all(|at| text.has(at, STYLE | COMPARATIVE | VAGUE | FILLER | AND) || text.is_mark(at));
    !text.is(first, "no not without nothing only") && !is_look && (first..words.end).any(|at| text.is_specific(at))
}

/// The parts that a further clause names; what describes the look goes to the app.
fn add(text: &Text<'_>, all: &mut Vec<Wish>, wish: &Wish, words: Range<usize>) {
    const HAS: &str = "should have|should include|should contain|must have|needs to have|needs|has|includes|need|should be|\
        we want|i want|should show|should list|features are|able to|i can|users can|people can|they can|can|could";
    let part = |words| Wish { act: Act::Add, ..wish.part(words) };
    let colon = text.colon(&words, FIRST_WORDS).filter(|colon| colon + 1 < words.end);
    let has = text
        .find(words.clone(), HAS)
        .and_then(|at| text.after(at, HAS))
        .filter(|at| *at < words.end && text.norm(*at) != "to");
    let core = if wish.words == words { wish.core } else { words.start };
    let list = colon.map(|colon| colon + 1).or(has).unwrap_or(core)..words.end;
    let things = items(text, &list);
    // "Sections: …" is a list of parts, "Home: …" is a part.
    let is_label = colon.is_some_and(|colon| !text.is(colon - 1, "sections pages features parts screens needs be"));
    let is_style = wish.act == Act::Modify && text.any(list, STYLE) || is_label && text.has(core, STYLE);
    if things.is_empty() || is_style || matches!(wish.act, Act::Detail | Act::Bug) {
        describe(all, &words);
    } else if is_label || wish.is_item && has.is_none() {
        all.push(part(words));
    } else {
        all.extend(things.into_iter().map(part));
    }
}
#[cfg(test)]
mod tests {
    use super::super::parse_by_rules;
    use super::*;

    fn fresh(message: &str, files: &[&str]) -> StructuredTask {
        let file_list = files.iter().map(|file| (*file).to_owned()).collect();
        parse_by_rules(message, &TaskContext { file_list: Some(file_list), ..TaskContext::default() })
    }

    #[test]
    fn an_app_is_distinguished_from_a_part_of_one() {
        let template = ["package.json", "index.html", "src/main.tsx", "src/App.tsx", "src/App.css"];
        for (message, expected) in [
            ("Build me a landing page", true),
            ("Build a drinks page", true),
            ("Create a landing page for a coffee shop with a hero and a menu", true),
            ("Build a todo app", true),
            ("I need a portfolio website", true),
            ("Start over: build a new tea shop", true),
            ("Make a snake game", true),
            ("Redesign the landing page as VIBRANT ENERGY", true),
            ("Build a landing page in the style of a newspaper", true),
            ("Create a landing page on the topic of bees", true),
            ("Create a settings page in the app", false),
            ("Redesign the button", false),
            ("Add a footer", false),
            ("Add a footer to the page", false),
            ("Make the button red", false),
            ("Make the page title bigger", false),
            ("Fix the typo in the heading", false),
            ("Fix the broken link in the CTA", false),
            ("Add a dark mode toggle to the app", false),
            ("Add a reset button next to the counter", false),
            ("Rename the heading to Hello", false),
            ("Update the page title", false),
            ("Add an about page", false),
            ("Change the greeting to Hello world", false),
        ] {
            let mut task = fresh(message, &template);
            assert_eq!(builds_app(&task, false), expected, "{message} {:?}", task.kind);
            task.kind = TaskType::Mutation;
            assert!(!builds_app(&task, true), "a mutation changes what is there");
        }
        assert!(builds_app(&fresh("Add a footer", &[]), true), "nothing is there");
    }

    #[test]
    fn another_look_is_distinguished_from_a_change_of_a_part() {
        for (message, expected) in [
            ("Add a footer and restyle everything", true),
            ("Give the shop a new, warmer look", true),
            ("I want a different theme", true),
            ("Fix the theme toggle", false),
            ("Make the new button red", false),
            ("Add a footer in the style of the header", false),
        ] {
            assert_eq!(asks_for_look(message), expected, "{message}");
        }
    }
}

//! Whether a task builds an app or changes the existing one, and whether it asks for another look.

use super::clause::{Clause, clauses};
use super::naming;
use super::text::Text;
use super::{app, lexicon};
use crate::task::structured::{StructuredTask, TaskContext, TaskType};
use std::ops::Range;

/// Whether the task builds the app: the project was empty (`is_empty`), or the message asks for an app, a page or a restart.
///
/// The kind `fresh` is not enough: every task without a plan has it, such as "add a footer" to a project from another tool.
pub fn builds_app(task: &StructuredTask, is_empty: bool) -> bool {
    task.kind == TaskType::Fresh && (is_empty || asks_for_app(&task.raw_message))
}

/// Whether the message asks for another look, which may replace the project's styles.
pub fn asks_for_look(message: &str) -> bool {
    let text = Text::new(message);
    let is_look = |at: usize| text.is_one_of(at, "theme look design style palette mood scheme");
    (0..text.len()).any(|at| {
        text.is_one_of(at, "redesign restyle rebrand retheme makeover facelift")
            || (text.is_one_of(at, "new another different other") && (at + 1..at + 4).any(is_look))
    })
}

/// Whether the message asks for a new app, or the rules cannot read it.
fn asks_for_app(message: &str) -> bool {
    let text = Text::new(message);
    let mut all = clauses(&text);
    // With a file in the context, the rules do not read every requested thing as the app.
    let context = TaskContext { file_list: vec!["src/other.ts".to_owned()], ..TaskContext::default() };
    naming::add_named(&text, &mut all, &context);
    all.restarts
        || !all.found.iter().any(|clause| clause.act.is_request())
        || all.found.iter().any(|clause| is_rebuilt(&text, clause))
        || app::whole(&text, &all, &context)
            .and_then(|whole| all.found.get(whole))
            // "Make the page faster" concerns the existing page.
            .is_some_and(|clause| {
                !text.has(clause.object, lexicon::DEFINITE) && !is_placed(&text, clause.range.clone())
            })
}

/// "Redesign the landing page" replaces the existing page.
fn is_rebuilt(text: &Text<'_>, clause: &Clause) -> bool {
    text.is_one_of(clause.verb, "redesign rebuild recreate") && app::names_app(text, clause)
}

/// "… to the app" and "… below the page" add to the existing app.
fn is_placed(text: &Text<'_>, mut words: Range<usize>) -> bool {
    words.any(|at| {
        text.is_one_of(at, "to into onto in on below above under beside")
            && text.has(at + 1, lexicon::DEFINITE)
            && (at + 2..at + 4).any(|at| text.has(at, lexicon::APP) || text.is_one_of(at, "project"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::intake::parse_by_rules;

    fn fresh(message: &str, files: &[&str]) -> StructuredTask {
        let file_list = files.iter().map(|file| (*file).to_owned()).collect();
        parse_by_rules(message, &TaskContext { file_list, ..TaskContext::default() })
    }

    #[test]
    fn an_app_is_told_from_a_part_of_one() {
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
    fn another_look_is_told_from_a_change_of_a_part() {
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

//! Whether a task builds an app or changes the existing one, and whether it asks for another look.

use super::app_parts::{app, names_app};
use super::clauses::clauses;
use super::requirements::{Act, Wish, wishes};
use super::tokens::Text;
use crate::task::structured::{StructuredTask, TaskContext, TaskType};

/// Whether the task builds the app: the project was empty (`is_empty`), or the message asks for an app, a page or a restart.
///
/// The kind `fresh` is not enough: every task without a plan has it, such as "add a footer" to a project from another tool.
pub fn builds_app(task: &StructuredTask, is_empty: bool) -> bool {
    task.kind == TaskType::Fresh && (is_empty || asks_for_app(&task.raw_message))
}

/// Whether the message asks for another look, which may replace the project's styles.
pub fn asks_for_look(message: &str) -> bool {
    let text = Text::new(message);
    let is_look = |at: usize| text.is(at, "theme look design style palette mood scheme");
    (0..text.len()).any(|at| {
        text.is(at, "redesign restyle rebrand retheme makeover facelift")
            || text.is(at, "new another different other") && (at + 1..at + 4).any(is_look)
    })
}

/// Whether the message asks for a new app, or the rules find no request in it.
fn asks_for_app(message: &str) -> bool {
    let text = Text::new(message);
    let mut wishes = wishes(&text, &clauses(&text));
    // With a file of its own in the project, not every request names the app.
    let context = TaskContext { file_list: Some(vec!["src/other.ts".to_owned()]), ..TaskContext::default() };
    let is_rebuilt = |wish: &Wish| text.is(wish.core, "redesign rebuild recreate") && names_app(&text, wish, true);
    wishes.iter().any(|wish| wish.act == Act::Restart || is_rebuilt(wish))
        || !wishes.iter().any(|wish| wish.is_request() || wish.act == Act::Name)
        || app(&text, &mut wishes, &context).is_some()
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

//! What the user's words ask for besides what the app shows. Without the words, anything may be asked for.

use super::{RequestedChange, TaskRequest};
use crate::plan::MarkerKind;
use crate::words::words;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Asked {
    No,
    Perhaps,
    Yes,
}

/// Whether the messages ask for comments or documents.
pub(super) fn for_text(messages: &[String]) -> Asked {
    messages.iter().map(|message| text_in(message)).max().unwrap_or(Asked::Perhaps)
}

fn text_in(message: &str) -> Asked {
    if ["TODO", "FIXME"].iter().any(|mark| message.contains(mark)) {
        return Asked::Yes;
    }
    let (lower, words) = (message.to_lowercase(), words(message));
    if ABROAD.iter().any(|word| lower.contains(word)) {
        return Asked::Yes;
    }
    let is_code = has(&words, &CODE);
    let each = words.iter().enumerate().map(|(at, word)| {
        // "a comment form", "the document title".
        let is_shown = words.get(at + 1).is_some_and(|next| SHOWN_TEXT.contains(&next.as_str()));
        match word.as_str() {
            word if TEXTS.contains(&word) && !is_shown => Asked::Yes,
            word if SAYING.contains(&word) && is_code => Asked::Yes,
            word if TEXTS.contains(&word) || TIDYING.contains(&word) => Asked::Perhaps,
            _ => Asked::No,
        }
    });
    each.max().unwrap_or(Asked::No)
}

/// Whether the task may be done by code that the app does not show: a test, a helper, perhaps a component or a removal.
pub(super) fn for_hidden(request: &TaskRequest) -> Asked {
    let TaskRequest { messages, all, .. } = request;
    let is_removal = |one: &RequestedChange| one.kind == MarkerKind::Remove;
    let is_removed = !all.is_empty() && all.iter().all(is_removal);
    let asked = messages.iter().map(|message| hidden_in(message)).max().unwrap_or(Asked::Perhaps);
    if is_removed { asked.max(Asked::Perhaps) } else { asked }
}

fn hidden_in(message: &str) -> Asked {
    let words = words(message);
    let is_path = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.contains('/')
            || word.rsplit_once('.').is_some_and(|(_, end)| matches!(end, "ts" | "tsx" | "js" | "jsx" | "json" | "md"))
    };
    // A component is shown where the message says where or what.
    let is_part = words.iter().any(|word| word == "component") && !has(&words, &PLACES);
    let is_type = words.windows(2).any(|pair| matches!(pair, [a, b] if a == "type" && TYPED.contains(&b.as_str())));
    if has(&words, &HIDDEN) || is_type || message.split_whitespace().any(is_path) {
        Asked::Yes
    } else if is_part {
        Asked::Perhaps
    } else {
        Asked::No
    }
}

/// Whether the messages name a part of a page.
pub(super) fn for_part(messages: &[String]) -> bool {
    messages.iter().any(|message| has(&words(message), &PARTS))
}

/// Whether the last message is a question that an answer alone may settle, not a request such as "can you add a map?".
pub(super) fn is_question(messages: &[String]) -> bool {
    let last = messages.last().map_or("", |message| message.trim());
    let first = words(last.split_whitespace().next().unwrap_or_default());
    last.ends_with('?') && has(&first, &QUESTIONS)
}

/// Whether the messages name a file, by all words of its name.
pub(super) fn names_file(messages: &[String], path: &str) -> bool {
    let name = crate::path::name(path);
    let own = words(name.rsplit_once('.').map_or(name, |(stem, _)| stem));
    messages.iter().any(|message| {
        let said = words(message);
        !own.is_empty() && own.iter().all(|word| said.contains(word))
    })
}

fn has(words: &[String], known: &[&str]) -> bool {
    words.iter().any(|word| known.contains(&word.as_str()))
}

/// First words of a question, in the form that [`words`] gives them.
const QUESTIONS: [&str; 19] = [
    "why", "what", "which", "who", "whose", "where", "when", "how", "is", "are", "do", "doe", "did", "has", "have",
    "was", "were", "wa", "ha",
];
/// Texts beside the code. All lists have single words in lower case and singular.
const TEXTS: [&str; 15] = [
    "comment",
    "commented",
    "jsdoc",
    "tsdoc",
    "docstring",
    "typedoc",
    "doc",
    "document",
    "documented",
    "documentation",
    "readme",
    "changelog",
    "contributing",
    "annotation",
    "annotate",
];
/// Parts of words for comments and documents in other languages.
const ABROAD: [&str; 10] = [
    "kommentar",
    "kommentier",
    "dokumentier",
    "commentaire",
    "comentario",
    "комментар",
    "注释",
    "文档",
    "コメント",
    "ドキュメント",
];
/// What makes a text a part of the app.
const SHOWN_TEXT: [&str; 24] = [
    "section",
    "form",
    "box",
    "list",
    "button",
    "page",
    "component",
    "feed",
    "thread",
    "count",
    "counter",
    "field",
    "icon",
    "area",
    "card",
    "input",
    "tab",
    "panel",
    "widget",
    "upload",
    "viewer",
    "title",
    "item",
    "link",
];
/// Verbs and nouns for what is said about code.
const SAYING: [&str; 7] = ["explain", "describe", "note", "mention", "clarify", "state", "mark"];
const CODE: [&str; 8] = ["code", "function", "hook", "reducer", "module", "clas", "method", "variable"];
/// Work that may concern comments alone.
const TIDYING: [&str; 12] = [
    "lint", "eslint", "tidy", "clean", "cleanup", "format", "prettier", "unused", "leftover", "license", "licence",
    "typo",
];
/// Code that an app need not show.
const HIDDEN: [&str; 33] = [
    "hook",
    "util",
    "utility",
    "helper",
    "function",
    "test",
    "spec",
    "storybook",
    "typing",
    "typescript",
    "interface",
    "script",
    "config",
    "configuration",
    "refactor",
    "rename",
    "extract",
    "module",
    "endpoint",
    "api",
    "backend",
    "server",
    "schema",
    "migration",
    "dependency",
    "lint",
    "ci",
    "constant",
    "enum",
    "folder",
    "directory",
    "unused",
    "reusable",
];
/// Words after `type` that mean the types of the code.
const TYPED: [&str; 6] = ["error", "definition", "annotation", "check", "safety", "declaration"];
/// Where something is shown, or what it shows.
const PLACES: [&str; 24] = [
    "page", "homepage", "screen", "below", "above", "under", "bottom", "top", "say", "saying", "show", "showing",
    "visible", "display", "between", "beside", "after", "before", "home", "section", "render", "text", "reads",
    "titled",
];

/// Parts of a page.
const PARTS: [&str; 20] = [
    "footer",
    "header",
    "hero",
    "headline",
    "heading",
    "section",
    "banner",
    "navbar",
    "navigation",
    "sidebar",
    "button",
    "card",
    "gallery",
    "testimonial",
    "carousel",
    "paragraph",
    "menu",
    "form",
    "cta",
    "faq",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_about_comments_or_documents_asks_for_text() {
        for (message, expected) in [
            ("Fix the broken shop link in the CTA", Asked::No),
            ("Add a footer that says \"All rights reserved\"", Asked::No),
            ("Add a section that explains how the tea is made", Asked::No),
            ("Add a note about the opening hours", Asked::No),
            ("修复 CTA 中的链接", Asked::No),
            ("Add comments to the reducer", Asked::Yes),
            ("Remove the commented-out code", Asked::Yes),
            ("Document the props of Hero", Asked::Yes),
            ("Update the README", Asked::Yes),
            ("Add JSDoc to every function", Asked::Yes),
            ("Explain in the code why the timer is needed", Asked::Yes),
            ("Leave a TODO for the map", Asked::Yes),
            ("Bitte kommentiere den Code", Asked::Yes),
            ("Add a comment form below the article", Asked::Perhaps),
            ("Clean up the hero", Asked::Perhaps),
        ] {
            assert_eq!(for_text(&[message.to_owned()]), expected, "{message}");
        }
        assert_eq!(for_text(&[]), Asked::Perhaps);
    }

    #[test]
    fn a_message_about_code_may_be_done_by_code_that_is_not_shown() {
        let request = |kind, message: &str| TaskRequest {
            all: vec![RequestedChange { kind, text: message.to_owned(), count: None }],
            messages: vec![message.to_owned()],
            ..TaskRequest::default()
        };
        for (message, expected) in [
            ("Add a footer that says \"All rights reserved\"", Asked::No),
            ("Fix the broken shop link in the CTA", Asked::No),
            ("Add a Footer component at the bottom of the page", Asked::No),
            ("Add testimonials", Asked::No),
            ("Add a new type of tea", Asked::No),
            ("Create a Tooltip component", Asked::Perhaps),
            ("Add a test for the cart", Asked::Yes),
            ("Fix the type errors", Asked::Yes),
            ("Add a useCart hook", Asked::Yes),
            ("Add formatPrice to src/lib/money.ts", Asked::Yes),
            ("Refactor the data layer", Asked::Yes),
        ] {
            assert_eq!(for_hidden(&request(MarkerKind::Add, message)), expected, "{message}");
        }
        assert_eq!(for_hidden(&request(MarkerKind::Remove, "Remove the old banner")), Asked::Perhaps);
        assert_eq!(for_hidden(&TaskRequest::default()), Asked::Perhaps);
    }

    #[test]
    fn a_question_asks_for_an_answer() {
        for (message, expected) in [
            ("why is the page blank?", true),
            ("What does server.js do?", true),
            ("does it work on phones?", true),
            ("Can you add a map?", false),
            ("Add a section \"Why us?\"", false),
            ("why is the page blank", false),
        ] {
            assert_eq!(is_question(&[message.to_owned()]), expected, "{message}");
        }
        assert!(!is_question(&[]) && !is_question(&["why?".to_owned(), "Fix it".to_owned()]));
    }

    #[test]
    fn a_file_is_named_by_all_words_of_its_name() {
        let says = |message: &str, path: &str| names_file(&[message.to_owned()], path);
        assert!(says("Put my notes into a file", "NOTES.md") && says("write release notes", "docs/release-notes.md"));
        assert!(!says("Fix the shop link", "NOTES.md") && !says("Fix the notes", "docs/release-notes.md"));
    }
}

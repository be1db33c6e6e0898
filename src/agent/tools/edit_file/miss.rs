//! What an edit answers whose text is not in the file: the most similar lines, so that the second try is right.

use super::alike::{self, key};
use super::differences::differences;
use crate::agent::tools::{BuiltIn, ERROR};
use crate::port::{ChatMessage, ToolCall};
use crate::text::{beginning, counted};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// How many lines an answer shows, and how much of each, in bytes.
const LINES_MAX: usize = 20;
const LINE_MAX: usize = 400;

/// Lines shown before and after the candidate.
const AROUND: usize = 2;

/// Pairs of characters that a search may compare.
const COMPARED_MAX: usize = 4_000_000;

/// How many lines of the text a line of the file is compared with, if they are the same.
const SAME_MAX: usize = 4;

const NOT_FOUND: &str = "`old_text` not found in";

pub(super) fn message(path: &str, content: &str, old: &str) -> String {
    let missed = format!("{NOT_FOUND} {path:?}; nothing was changed;");
    let forms = [
        (Cow::Borrowed(old), ""),
        (unfenced(old), "\nThe file has no code fence there, and `old_text` is in one."),
        (unescaped(old), "\n`old_text` has HTML entities such as `&lt;` where the file has the characters."),
    ];
    let part = forms.iter().find_map(|(old, note)| Some((alike::place(content, old)?, old, *note)));
    let shown = match part {
        Some((place, old, note)) => Some(shown_part(content, place, old) + note),
        None => shown_lines(content, old),
    };
    match shown {
        Some(shown) => {
            format!(
                "{missed} the most similar lines are {shown}\nCopy `old_text` from these lines, without their numbers."
            )
        }
        None => format!("{missed} read the file and copy the text exactly"),
    }
}

/// The lines with a part of the file that looks like the text, and what differs.
fn shown_part(content: &str, place: Range<usize>, old: &str) -> String {
    let (before, part) = (content.get(..place.start).unwrap_or_default(), content.get(place).unwrap_or_default());
    let file: Vec<&str> = content.lines().collect();
    let (first, count) = (before.matches('\n').count(), part.lines().count());
    let start_of_line = before.rfind('\n').map_or(0, |at| at + 1);
    let from = before.get(start_of_line..).unwrap_or_default();
    let lines = || part.lines().zip(old.lines()).zip(first..);
    let differing = lines().find(|((file, old), _)| file != old).map_or(first, |(_, line)| line);
    let found = match old.lines().count() {
        wanted if wanted == count => differences(lines().map(|((file, old), line)| {
            let before = if line == first { from.chars().count() } else { 0 };
            ((line + 1, before), file, old)
        })),
        _ if before.is_empty() && old.starts_with(['\r', '\n']) => {
            "`old_text` begins with a line break, and the file does not".to_owned()
        }
        wanted => format!("the file has {} there, `old_text` has {}", counted(count, "line"), counted(wanted, "line")),
    };
    listed(&file, region(first..first + count, differing, file.len()), (first, from.len()), &found)
}

/// The lines that are most similar to the lines of the text, and what differs.
fn shown_lines(content: &str, old: &str) -> Option<String> {
    let (file, wanted): (Vec<&str>, Vec<&str>) = (content.lines().collect(), old.lines().collect());
    let start = candidate(&file, &wanted)?;
    let pairs =
        || wanted.iter().enumerate().filter_map(|(at, old)| Some((start.checked_add_signed(at as isize)?, *old)));
    let differing =
        pairs().find(|(line, old)| file.get(*line).is_none_or(|line| line != old)).map_or(start, |(line, _)| line);
    let shown = region(start..(start + wanted.len()).min(file.len()), differing, file.len());
    let found = differences(pairs().filter_map(|(line, old)| Some(((line + 1, 0), *file.get(line)?, old))));
    Some(listed(&file, shown, (start, 0), &found))
}

/// `2 to 4:`, the lines with their numbers, and what differs. `part` is the line and the byte where the similar part begins: a
/// long line is shown from shortly before it.
fn listed(file: &[&str], shown: Range<usize>, part: (usize, usize), found: &str) -> String {
    let line = |at: usize| {
        let line = *file.get(at)?;
        let from = if part.0 == at && part.1 > LINE_MAX / 2 { part.1 - LINE_MAX / 4 } else { 0 };
        let text = line.get(line.floor_char_boundary(from)..)?;
        Some(format!("\n{}: {}{}", at + 1, if from > 0 { "…" } else { "" }, beginning(text, LINE_MAX)))
    };
    let lines: String = shown.clone().filter_map(line).collect();
    let found = if found.is_empty() { String::new() } else { format!("\n{found}") };
    format!("{} to {}:{lines}{found}", shown.start + 1, shown.end)
}

/// The text without a code fence around it.
fn unfenced(text: &str) -> Cow<'_, str> {
    let inner = text.trim().strip_prefix("```").and_then(|text| text.strip_suffix("```"));
    Cow::Borrowed(inner.and_then(|text| Some(text.split_once('\n')?.1.trim_end())).unwrap_or_default())
}

/// The text with characters in place of HTML's entities for them; empty if it has none.
fn unescaped(text: &str) -> Cow<'_, str> {
    const ENTITIES: [(&str, &str); 6] =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", "\u{a0}"), ("&amp;", "&")];
    let plain = ENTITIES.iter().fold(text.to_owned(), |text, (entity, character)| text.replace(entity, character));
    Cow::Owned(if plain == text { String::new() } else { plain })
}

/// Advice from the second miss in a row in one file: the model writes from memory.
pub(in crate::agent) fn advice(messages: &[ChatMessage], call: &ToolCall, output: &str) -> Option<String> {
    let path = |call: &ToolCall| {
        let arguments: serde_json::Value = serde_json::from_str(&call.function.arguments).ok()?;
        Some(arguments.get("path")?.as_str()?.to_owned())
    };
    let is_edit = |call: &ToolCall| BuiltIn::from_name(&call.function.name) == Some(BuiltIn::EditFile);
    if !is_edit(call) || !is_miss(output) {
        return None;
    }
    let path_of_call = path(call)?;
    let calls = messages.iter().rev().flat_map(|message| match message {
        ChatMessage::Assistant { tool_calls, .. } => tool_calls.iter().rev(),
        _ => [].iter().rev(),
    });
    let has_missed = |call: &ToolCall| {
        messages.iter().any(|message| {
            matches!(message, ChatMessage::Tool { tool_call_id, content, .. } if *tool_call_id == call.id && is_miss(content))
        })
    };
    let in_file =
        calls.filter(|earlier| earlier.id != call.id).filter(|earlier| path(earlier).as_ref() == Some(&path_of_call));
    let misses = 1 + in_file.take_while(|earlier| is_edit(earlier) && has_missed(earlier)).count();
    (misses > 1).then(|| {
        format!(
            "Edits of this file have missed {misses} times in a row. Read the file again before the next edit, or write the part anew with write_file."
        )
    })
}

/// Whether the result of a call is a miss: the name of the tool's error is before it.
fn is_miss(result: &str) -> bool {
    result.strip_prefix(ERROR).is_some_and(|text| text.starts_with(NOT_FOUND))
}

/// The lines that are shown: the candidate with some around it; if that is too much, from shortly before the first difference.
fn region(candidate: Range<usize>, differing: usize, count: usize) -> Range<usize> {
    let whole = candidate.start.saturating_sub(AROUND)..(candidate.end + AROUND).min(count);
    if whole.len() <= LINES_MAX {
        return whole;
    }
    let latest = whole.end - LINES_MAX;
    let start = differing.saturating_sub(LINES_MAX / 2).clamp(whole.start, latest);
    start..start + LINES_MAX
}

/// The 0-based line of the file where the text probably belongs.
fn candidate(file: &[&str], wanted: &[&str]) -> Option<usize> {
    let keys: Vec<String> = wanted.iter().map(|line| key(line)).collect();
    let total: usize = keys.iter().map(String::len).sum();
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, key) in keys.iter().enumerate().filter(|(_, key)| !key.is_empty()) {
        let same = places.entry(key).or_default();
        if same.len() < SAME_MAX {
            same.push(at);
        }
    }
    // Lines that are alike vote for where the text begins, with their length.
    let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
    for (at, line) in file.iter().enumerate() {
        let key = key(line);
        for start in places.get(key.as_str()).into_iter().flatten().filter_map(|offset| at.checked_sub(*offset)) {
            *votes.entry(start).or_default() += key.len();
        }
    }
    let voted = votes.into_iter().max_by(|(a, left), (b, right)| left.cmp(right).then(b.cmp(a)));
    match voted {
        Some((start, weight)) if weight * 3 >= total => Some(start),
        _ => most_similar(file, &keys).or(voted.filter(|(_, weight)| *weight >= 8).map(|(start, _)| start)),
    }
}

/// The place of the line that is most similar to the longest line of the text. In a large file, not every line is compared.
fn most_similar(file: &[&str], keys: &[String]) -> Option<usize> {
    let (offset, wanted) = keys.iter().enumerate().max_by_key(|(at, key)| (key.len(), usize::MAX - at))?;
    let mut budget = COMPARED_MAX;
    let lines = file.iter().enumerate().filter_map(|(at, line)| {
        let line = key(line);
        if line.len() / 2 > wanted.len() || wanted.len() / 2 > line.len() {
            return None;
        }
        budget = budget.checked_sub(wanted.len().saturating_mul(line.len()))?;
        Some((strsim::normalized_levenshtein(wanted, &line), at))
    });
    let (similarity, at) = lines.min_by(|(a, _), (b, _)| b.total_cmp(a))?;
    (similarity >= 0.5).then(|| at.saturating_sub(offset))
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::port::FunctionCall;

    #[test]
    fn a_miss_shows_the_most_similar_lines_with_their_numbers() {
        let content = "import a\n  const title = 'Hello'\nexport b\n";
        for old in ["const title = \"Hello\"", "\n\nconst title = 'Hello'\nexport c", "const  TITLE='Hello'"] {
            let message = message("a.ts", content, old);
            assert!(message.contains("\n2:   const title = 'Hello'\n"), "{old:?}: {message}");
        }
        let message = message("a.ts", content, "zzzzzzzzzzzz");
        assert!(message.ends_with("read the file and copy the text exactly"), "{message}");
    }

    #[test]
    fn a_part_of_a_line_that_only_looks_the_same_is_shown_and_its_characters_are_named() {
        let filler = "lorem ipsum ".repeat(300);
        let long = format!("<div>\n<p>{filler}Total:\u{a0}<b>42</b>{filler}</p>\n</div>\n");
        for (content, old, expected) in [
            (
                "<ul>\n<li className=\"item\">Price:\u{a0}10 €</li>\n</ul>\n",
                "Price: 10 €",
                "\nline 2, column 28: the file has U+00A0, `old_text` has U+0020 (space)\n",
            ),
            (
                "const menu = [\"Tea\", \"Cre\u{300}me bru\u{302}le\u{301}e\", \"Espresso\"];\n",
                "\"Cr\u{e8}me br\u{fb}l\u{e9}e\"",
                "\nline 1, column 25: the file has `e` U+0300, `old_text` has U+00E8\n",
            ),
            (long.as_str(), "Total: <b>42</b>", "Total:\u{a0}<b>42</b>lorem"),
            ("a();\nlet x = [1,\u{2009}2];\nb();\n", "[1, 2];\nb();", "line 2, column 12: the file has U+2009"),
            ("call(a\u{200b}bc, 1);\n", "abc, 1", "the file has U+200B, `old_text` has nothing"),
            ("alpha\nomega\n", "\nalpha", "begins with a line break, and the file does not"),
            ("a();\n\nb();\n", "a();\nb();", "the file has 3 lines there, `old_text` has 2 lines"),
            ("a(1);\nb(2);\n", "```js\na(1);\nb(2);\n```", "2: b(2);\nThe file has no code fence there"),
            ("x\n<p>a & b</p>\n", "&lt;p&gt;a &amp; b&lt;/p&gt;", "2: <p>a & b</p>\n`old_text` has HTML entities"),
        ] {
            let message = message("a.ts", content, old);
            assert!(message.contains(expected) && message.contains("the most similar lines are"), "{old:?}: {message}");
            assert!(message.len() < 2_000, "{message}");
        }
    }

    #[test]
    fn a_long_text_shows_twenty_lines_around_its_first_difference() {
        let lines = |changed: usize| {
            let lines = (0..80).map(|at| {
                if at == changed { format!("let changed = {at};") } else { format!("let line_{at} = {at};") }
            });
            lines.collect::<Vec<_>>().join("\n")
        };
        let message = message("a.ts", &lines(80), &lines(60));
        assert!(message.contains("\n61: let line_60 = 60;\n"), "{message}");
        assert_eq!(message.lines().filter(|line| line.contains(": let line_")).count(), LINES_MAX);
    }

    #[test]
    fn a_miss_is_short_whatever_was_sent() {
        for (content, old) in [
            ("y".repeat(1_000_000), "x".repeat(1_000_000)),
            ("a\n".repeat(100_000), "a\n".repeat(100_000) + "b"),
            (String::new(), "a".to_owned()),
        ] {
            assert!(message("a.ts", &content, &old).len() < 10_000);
        }
    }

    fn turn(id: &str, name: &str, path: &str, result: &str) -> [ChatMessage; 2] {
        let arguments = serde_json::json!({ "path": path, "old_text": "a", "new_text": "b" }).to_string();
        let function = FunctionCall { name: name.to_owned(), arguments };
        let call = ToolCall { id: id.to_owned(), kind: "function".to_owned(), function, provider_data: None };
        [
            ChatMessage::Assistant { content: None, tool_calls: vec![call], provider_data: None },
            ChatMessage::Tool {
                tool_call_id: id.to_owned(),
                name: name.to_owned(),
                content: result.to_owned(),
                images: Vec::new(),
            },
        ]
    }

    #[test]
    fn a_second_miss_in_a_row_in_one_file_gets_advice() {
        let miss = |path: &str| format!("{ERROR}{}", message(path, "", "a"));
        let edit = |id: &str, path: &str| turn(id, "edit_file", path, &miss(path));
        let read = turn("r", "read_file", "a.ts", "text");
        for (before, is_second) in [
            ([edit("1", "a.ts"), edit("2", "b.ts")].concat(), true),
            ([edit("1", "a.ts"), read.clone()].concat(), false),
            (turn("1", "edit_file", "a.ts", "Edited a.ts at line 1 (3 bytes)").to_vec(), false),
            (edit("1", "b.ts").to_vec(), false),
            (Vec::new(), false),
        ] {
            let [now, _] = edit("9", "a.ts");
            let messages = [before, vec![now.clone()]].concat();
            let ChatMessage::Assistant { tool_calls, .. } = now else { unreachable!() };
            assert_eq!(advice(&messages, &tool_calls[0], &miss("a.ts")).is_some(), is_second, "{messages:?}");
        }
        let calls: Vec<ChatMessage> = ["1", "2", "9"].into_iter().flat_map(|id| edit(id, "a.ts")).collect();
        let Some(ChatMessage::Assistant { tool_calls, .. }) = calls.get(4) else { unreachable!() };
        let third = advice(&calls, &tool_calls[0], &miss("a.ts"));
        assert!(third.is_some_and(|text| text.contains("missed 3 times in a row")));
    }
}

//! Scores the parsing of labelled messages.

use loopgate::task::{Marker, Requirement, StructuredTask, TaskContext, TaskType, parse_by_rules};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A labelled message.
pub(crate) struct Row {
    id: String,
    message: String,
    context: TaskContext,
    kind: TaskType,
    requirements: Vec<Labelled>,
    /// Groups of alternatives.
    preserve: Vec<Vec<String>>,
}

/// A requirement that must be found.
struct Labelled {
    marker: Marker,
    /// Alternative keywords; one is enough.
    about: Vec<String>,
    count: Option<u32>,
}

/// One message per line.
pub(crate) fn rows(text: &str) -> Vec<Row> {
    text.lines().map(|line| row(&serde_json::from_str(line).unwrap())).collect()
}

fn row(row: &Value) -> Row {
    let gold = &row["gold"];
    Row {
        id: text(&row["id"]),
        message: text(&row["message"]),
        context: context(&row["context"]),
        kind: match gold["type"].as_str().unwrap() {
            "fresh" => TaskType::Fresh,
            "mutation" => TaskType::Mutation,
            "bugfix" => TaskType::Bugfix,
            _ => TaskType::NeedsClarification,
        },
        requirements: gold["requirements"].as_array().unwrap().iter().map(labelled).collect(),
        preserve: gold["preserve"].as_array().unwrap().iter().map(texts).collect(),
    }
}

fn labelled(gold: &Value) -> Labelled {
    Labelled {
        marker: match gold["marker"].as_str().unwrap() {
            "ADD" => Marker::Add,
            "MODIFY" => Marker::Modify,
            "FIX" => Marker::Fix,
            _ => Marker::Remove,
        },
        about: texts(&gold["about"]),
        count: gold["count"].as_u64().map(|count| u32::try_from(count).unwrap()),
    }
}

/// A project's context from JSON.
pub(crate) fn context(value: &Value) -> TaskContext {
    TaskContext {
        plan_exists: value["planExists"].as_bool().unwrap(),
        plan_sections: texts(&value["planSections"]),
        last_summary: text(&value["lastSummary"]),
        file_list: Some(texts(&value["fileList"])),
        ..TaskContext::default()
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(text).collect()
}

/// Ratios from 0 to 1.
#[derive(Debug)]
pub(crate) struct Score {
    /// Messages with the correct type.
    pub types: f64,
    /// Of the requirements.
    pub f1: f64,
    /// Stated counts that were parsed.
    pub counts: f64,
    /// Groups of words that must be preserved.
    pub preserve: f64,
    /// Messages parsed without a mistake.
    pub perfect: f64,
}

impl Score {
    /// Fails if a score is below the given minimum.
    pub(crate) fn assert_at_least(&self, least: Score) {
        let pairs = [
            (self.types, least.types),
            (self.f1, least.f1),
            (self.counts, least.counts),
            (self.preserve, least.preserve),
            (self.perfect, least.perfect),
        ];
        assert!(pairs.iter().all(|(score, least)| score >= least), "{self:?} is not {least:?}");
    }
}

#[derive(Default)]
struct Tally {
    right: usize,
    of: usize,
}

impl Tally {
    fn add(&mut self, right: usize, of: usize) {
        self.right += right;
        self.of += of;
    }

    fn ratio(&self) -> f64 {
        self.right as f64 / self.of as f64
    }
}

/// Scores the rules on labelled messages, and prints the mistakes.
pub(crate) fn score(rows: &[Row]) -> Score {
    let (mut types, mut f1, mut counts, mut preserve, mut perfect) =
        (Tally::default(), Tally::default(), Tally::default(), Tally::default(), Tally::default());
    for row in rows {
        let task = parse_by_rules(&row.message, &row.context);
        let right_type = task.kind == row.kind;
        types.add(usize::from(right_type), 1);
        let mut right = right_type;
        if row.kind != TaskType::NeedsClarification {
            let pairs = matched(&row.requirements, &task.requirements);
            let (wanted, found) = (row.requirements.len(), task.requirements.len());
            f1.add(2 * pairs.len(), wanted + found);
            let stated = row.requirements.iter().filter(|gold| gold.count.is_some()).count();
            let good = pairs.iter().filter(|(gold, found)| has_count(gold, found));
            counts.add(good.clone().filter(|(gold, _)| gold.count.is_some()).count(), stated);
            let kept = row.preserve.iter().filter(|group| is_kept(group, &task)).count();
            preserve.add(kept, row.preserve.len());
            right &= pairs.len() == wanted && pairs.len() == found && good.count() == wanted;
            right &= kept == row.preserve.len();
        }
        perfect.add(usize::from(right), 1);
        if !right {
            println!("{}: {:?} {:?}", row.id, row.message, task);
        }
    }
    Score {
        types: types.ratio(),
        f1: f1.ratio(),
        counts: counts.ratio(),
        preserve: preserve.ratio(),
        perfect: perfect.ratio(),
    }
}

/// A maximum one-to-one matching; pairs with the correct count come first.
fn matched<'r>(gold: &'r [Labelled], found: &'r [Requirement]) -> Vec<(&'r Labelled, &'r Requirement)> {
    let fits = |gold: &Labelled, found: &Requirement| {
        gold.marker == found.marker && gold.about.iter().any(|word| occurs(word, &found.description))
    };
    let mut owner: Vec<Option<usize>> = vec![None; found.len()];
    for exact in [true, false] {
        let edges =
            |wanted: &Labelled, at: usize| fits(wanted, &found[at]) && (!exact || has_count(wanted, &found[at]));
        for at in 0..gold.len() {
            if !owner.contains(&Some(at)) {
                place(at, gold, &edges, &mut owner, &mut vec![false; found.len()]);
            }
        }
    }
    let pairs = owner.iter().enumerate().filter_map(|(at, gold_at)| Some((&gold[(*gold_at)?], &found[at])));
    pairs.collect()
}

/// Assigns a requirement, reassigning others if necessary.
fn place(
    at: usize,
    gold: &[Labelled],
    edges: &dyn Fn(&Labelled, usize) -> bool,
    owner: &mut Vec<Option<usize>>,
    tried: &mut Vec<bool>,
) -> bool {
    for found in 0..owner.len() {
        if tried[found] || !edges(&gold[at], found) {
            continue;
        }
        tried[found] = true;
        if owner[found].is_none_or(|other| place(other, gold, edges, owner, tried)) {
            owner[found] = Some(at);
            return true;
        }
    }
    false
}

fn has_count(gold: &Labelled, found: &Requirement) -> bool {
    match (gold.marker, gold.count) {
        (Marker::Add, Some(count)) => found.count == Some(count),
        (Marker::Add, None) => found.count.is_none_or(|count| count == 1),
        _ => true,
    }
}

fn is_kept(group: &[String], task: &StructuredTask) -> bool {
    group.iter().any(|word| task.scope.preserve.iter().any(|kept| occurs(word, kept)))
}

/// Whether a keyword occurs at the start of a word, ignoring case, accents and hyphens. Camel-case words are also
/// split.
fn occurs(keyword: &str, text: &str) -> bool {
    let mut split = String::new();
    for (before, letter) in std::iter::once(' ').chain(text.chars()).zip(text.chars()) {
        if letter.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit()) {
            split.push(' ');
        }
        split.push(letter);
    }
    let keyword = flat(keyword);
    [flat(text), flat(&split)].iter().any(|text| {
        text.match_indices(&keyword).any(|(at, _)| !text[..at].ends_with(|before: char| before.is_alphanumeric()))
    })
}

fn flat(text: &str) -> String {
    let plain: String = text.nfkd().filter(|letter| !is_combining_mark(*letter)).collect();
    let spaced: String = plain
        .to_lowercase()
        .chars()
        .map(|letter| match letter {
            '-' | '_' | '\u{2010}'..='\u{2015}' => ' ',
            '’' => '\'',
            '“' | '”' => '"',
            other => other,
        })
        .collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

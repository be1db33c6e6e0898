//! Why a task is done, by requirement: what the gates found about each one.

use super::builtin::{Line, own_files};
use super::code_words;
use super::scope::{Counted, fit, stems, telling};
use super::{GateReport, GateVerdict, Project, RequestedChange};
use crate::plan::MarkerKind;
use serde::{Deserialize, Serialize};

/// A requirement of a task, and the evidence about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
pub struct RequirementReport {
    /// `ADD`, `MODIFY`, `FIX` or `REMOVE`.
    pub marker: String,
    /// The user's words.
    pub description: String,
    /// What the evidence shows.
    pub verdict: RequirementVerdict,
    /// What was judged, counted or changed.
    pub evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub enum RequirementVerdict {
    Shown,
    /// No gate judges it, and no changed line names what it names.
    Unchecked,
    Missing,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_family = "wasm", derive(tsify::Tsify))]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct Evidence {
    pub gate: String,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// 1-based.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// Maximum number of changed lines that are evidence of a requirement.
const LINES: usize = 3;
/// Maximum length of a line in the evidence, in characters.
const LINE_CHARS: usize = 160;

/// The reports of all requirements.
pub(super) fn requirements(project: &Project, reports: &[GateReport]) -> Vec<RequirementReport> {
    let work = reports.iter().find(|report| report.gate == WORK && report.verdict == GateVerdict::Fail);
    let lines = project.used.get().map_or(&[][..], |used| &used.lines);
    let gone = gone(project);
    let judged = project.judged.get().map_or(&[][..], |judged| judged);
    let report = |wanted: &RequestedChange| {
        let lines = if wanted.kind == MarkerKind::Remove { &gone } else { lines };
        let (verdict, evidence) = match work.and_then(|report| report.feedback.clone()) {
            Some(text) => (RequirementVerdict::Missing, vec![Evidence::of(WORK, text)]),
            None => judge(wanted, judged, lines),
        };
        let (marker, description) = (wanted.kind.name().to_owned(), wanted.text.clone());
        RequirementReport { marker, description, verdict, evidence }
    };
    project.task.request.all.iter().map(report).collect()
}

const WORK: &str = "work-done";

impl Evidence {
    fn of(gate: &str, text: String) -> Self {
        Self { gate: gate.to_owned(), text, file: None, line: None }
    }
}

fn judge(wanted: &RequestedChange, judged: &[Counted], lines: &[Line]) -> (RequirementVerdict, Vec<Evidence>) {
    let names = names(&wanted.text);
    let concerns = |counted: &&Counted| {
        let is_own = counted.requirement.as_ref().map_or(counted.kind == wanted.kind, |text| *text == wanted.text);
        // A marker counts only if its part, or what was counted there, is what the requirement names.
        let is_named = || fit(&names, &stems(&counted.text)) > 1 && fit(&names, &stems(&counted.marker)) > 1;
        is_own && (counted.requirement.is_some() || is_named())
    };
    let mut evidence = Vec::new();
    let mut is_missing = false;
    for counted in judged.iter().filter(concerns) {
        is_missing |= !counted.passed;
        evidence.push(Evidence::of("scope", counted.text.clone()));
    }
    if is_missing {
        return (RequirementVerdict::Missing, evidence);
    }
    let is_counted = wanted.count.is_some_and(|count| count > 1);
    if evidence.is_empty() && is_counted && wanted.kind == MarkerKind::Add {
        return (RequirementVerdict::Unchecked, evidence);
    }
    evidence.extend(named_lines(&wanted.text, &names, lines));
    let verdict = if evidence.is_empty() { RequirementVerdict::Unchecked } else { RequirementVerdict::Shown };
    (verdict, evidence)
}

/// The changed lines that name what the requirement names: a quoted text, or at least half of its words and its place,
/// some of them perhaps in the path or in the code around the line.
fn named_lines(text: &str, names: &[String], lines: &[Line]) -> Vec<Evidence> {
    let quoted = quoted(text);
    let is_quoted = |line: &&Line| quoted.iter().any(|quoted| line.text.contains(quoted));
    let mut found: Vec<&Line> = lines.iter().filter(is_quoted).collect();
    if found.is_empty() {
        let places = code_words::places(text);
        let lines: Vec<Named<'_>> = lines.iter().map(|line| Named::of(line, names)).collect();
        let mut lines: Vec<Named<'_>> = lines.into_iter().filter(|line| line.is_in(&places)).collect();
        let said = (0..names.len()).filter(|at| lines.iter().any(|line| line.said[*at])).count();
        if said == 0 || said * 2 < names.len() {
            return Vec::new();
        }
        lines.retain(|line| line.is_telling);
        lines.sort_by_key(|line| std::cmp::Reverse(line.said.iter().filter(|said| **said).count()));
        found = lines.into_iter().map(|line| line.line).collect();
    }
    let evidence = found.into_iter().take(LINES).map(|line| Evidence {
        gate: WORK.to_owned(),
        text: line.text.chars().take(LINE_CHARS).collect(),
        file: Some(line.path.clone()),
        line: u32::try_from(line.line).ok(),
    });
    evidence.collect()
}

/// A changed line, and which names of a requirement it has.
struct Named<'l> {
    line: &'l Line,
    /// The stems of the path and of the code around.
    around: Vec<String>,
    said: Vec<bool>,
    /// The line itself has one of the names.
    is_telling: bool,
}

impl<'l> Named<'l> {
    fn of(line: &'l Line, names: &[String]) -> Self {
        let text = stems(&line.text);
        let around: Vec<String> = [&line.path, &line.around].into_iter().flat_map(|text| stems(text)).collect();
        let has = |name: &String| fit(std::slice::from_ref(name), &around) > 1;
        let is_telling = names.iter().any(|name| code_words::names(&text, name));
        let said = names.iter().map(|name| code_words::names(&text, name) || has(name)).collect();
        Self { line, around, said, is_telling }
    }

    fn is_in(&self, places: &[String]) -> bool {
        let text = stems(&self.line.text);
        let is_here = |place| code_words::names(&text, place) || code_words::names(&self.around, place);
        places.is_empty() || places.iter().any(is_here)
    }
}

/// The lines that the agent removed, with their old place.
fn gone(project: &Project) -> Vec<Line> {
    let mut gone = Vec::new();
    for file in own_files(project) {
        let (Some(path), Some(before)) = (&file.was, &file.before) else { continue };
        let after = file.after.as_deref().unwrap_or_default();
        let left: std::collections::BTreeSet<&str> = after.lines().map(str::trim).collect();
        let lines = before.lines().zip(1..).filter(|(line, _)| !left.contains(line.trim()));
        gone.extend(lines.map(|(line, number)| Line {
            path: path.clone(),
            line: number,
            text: line.trim().to_owned(),
            around: String::new(),
        }));
    }
    gone
}

/// The stems that say what a requirement is about.
fn names(text: &str) -> Vec<String> {
    let mut names = telling(stems(text));
    names.retain(|name| !ACTS.contains(&name.as_str()));
    names
}

/// Words that name an action, not a thing.
const ACTS: [&str; 34] = [
    "add", "make", "fix", "change", "update", "set", "put", "create", "build", "remove", "delete", "replace",
    "improve", "refine", "turn", "use", "show", "say", "broken", "wrong", "should", "please", "into", "one", "two",
    "three", "four", "five", "my", "our", "your", "i", "we", "you",
];

fn quoted(text: &str) -> Vec<&str> {
    let pairs = [('"', '"'), ('“', '”'), ('`', '`'), ('«', '»')];
    let inside = pairs.into_iter().filter_map(|(open, close)| text.split_once(open)?.1.split_once(close));
    inside.map(|(quoted, _)| quoted.trim()).filter(|quoted| !quoted.is_empty()).collect()
}

/// The end of a task as text: every requirement is shown, or which ones are not.
pub fn shown_of(requirements: &[RequirementReport]) -> Option<String> {
    let of = |verdict| requirements.iter().filter(move |one| one.verdict == verdict);
    let named = |verdict| of(verdict).map(|one| one.description.as_str()).collect::<Vec<_>>().join("; ");
    let (shown, all) = (of(RequirementVerdict::Shown).count(), requirements.len());
    if shown == all {
        return None;
    }
    let mut text = format!("{shown} of {all} requirements shown");
    for (verdict, label) in [(RequirementVerdict::Unchecked, "not checked"), (RequirementVerdict::Missing, "missing")] {
        let named = named(verdict);
        if !named.is_empty() {
            text.push_str(&format!("; {label}: {named}"));
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::RequirementVerdict::{Missing, Shown, Unchecked};
    use super::*;

    fn line(path: &str, text: &str) -> Line {
        Line { path: path.to_owned(), line: 7, text: text.to_owned(), around: String::new() }
    }

    fn around(text: &str, around: &str) -> Line {
        Line { around: around.to_owned(), ..line("src/App.tsx", text) }
    }

    fn wanted(kind: MarkerKind, text: &str, count: Option<usize>) -> RequestedChange {
        RequestedChange { kind, text: text.to_owned(), count }
    }

    #[test]
    fn a_requirement_is_shown_by_changed_lines_that_name_what_it_names() {
        let cta = line("src/Cta.tsx", "<a href=\"/shop\">Shop</a>");
        let pricing = line("src/sections/Pricing.tsx", "<h2>Plans</h2>");
        let footer = line("src/App.tsx", "<footer>All rights reserved</footer>");
        use MarkerKind::{Add, Fix, Modify};
        for (kind, text, lines, expected) in [
            (Fix, "the broken shop link in the CTA", vec![cta.clone()], Shown),
            (Fix, "the broken shop link in the CTA", vec![pricing.clone()], Unchecked),
            (Modify, "make it dark", vec![pricing.clone()], Unchecked),
            (Modify, "make it dark", vec![line("src/index.css", ".dark { --a: b }")], Shown),
            (Add, "a footer that says \"All rights reserved\"", vec![pricing, footer], Shown),
            (Add, "a pricing section", vec![line("src/Pricing.tsx", "export function Pricing() {")], Shown),
            (Add, "a pricing section", vec![], Unchecked),
            (Fix, "the broken link in the CTA", vec![line("src/Cta.tsx", "href=\"/shop\"")], Shown),
            (Fix, "the broken link in the CTA", vec![line("src/Nav.tsx", "href=\"/shop\"")], Unchecked),
            (Modify, "the headline of the hero", vec![around("<h1>Hello</h1>", "<section id=\"hero\">")], Shown),
            (Modify, "the headline of the hero", vec![around("<h1>Hello</h1>", "<section id=\"team\">")], Unchecked),
            (Modify, "the logo bigger", vec![around("width: 80px;", ".logo {")], Shown),
        ] {
            let (verdict, evidence) = judge(&wanted(kind, text, None), &[], &lines);
            assert_eq!(verdict, expected, "{text}");
            assert!(evidence.iter().all(|one| one.file.is_some() && one.line == Some(7)), "{evidence:?}");
        }
        let (verdict, _) = judge(&wanted(Add, "3 shops", Some(3)), &[], &[cta]);
        assert_eq!(verdict, Unchecked, "items are counted");
    }

    #[test]
    fn a_marker_counts_only_where_it_concerns_what_the_requirement_names() {
        let marker = |text: &str, found: &str, passed| Counted {
            kind: MarkerKind::Modify,
            requirement: None,
            marker: text.to_owned(),
            text: found.to_owned(),
            passed,
        };
        let dark = wanted(MarkerKind::Modify, "make it dark", None);
        let hero = wanted(MarkerKind::Modify, "the headline of the hero", None);
        for (wanted, marker, expected) in [
            (&dark, marker("make it dark", "\"pricing\" changed (src/Pricing.tsx).", true), Unchecked),
            (&hero, marker("the headline of the hero", "\"hero\" changed (src/Hero.tsx).", true), Shown),
            (&hero, marker("the headline of the hero", "Nothing changed in \"hero\".", false), Missing),
            (&hero, marker("the prices", "\"hero\" changed (src/Hero.tsx).", true), Unchecked),
        ] {
            assert_eq!(judge(wanted, &[marker], &[]).0, expected, "{wanted:?}");
        }
        let counted = Counted {
            kind: MarkerKind::Add,
            requirement: Some("2 drinks".to_owned()),
            marker: String::new(),
            text: "drinks: 8 → 10 items".to_owned(),
            passed: true,
        };
        let drinks = wanted(MarkerKind::Add, "2 drinks", Some(2));
        assert_eq!(judge(&drinks, std::slice::from_ref(&counted), &[]).0, Shown);
        assert_eq!(judge(&drinks, &[Counted { passed: false, ..counted }], &[]).0, Missing);
    }

    #[test]
    fn requirements_that_are_not_shown_are_named() {
        let report = |description: &str, verdict| RequirementReport {
            marker: "ADD".to_owned(),
            description: description.to_owned(),
            verdict,
            evidence: Vec::new(),
        };
        let (a, b, c) = (report("a", Shown), report("b", Unchecked), report("c", Missing));
        assert_eq!(shown_of(&[]), None);
        assert_eq!(shown_of(std::slice::from_ref(&a)), None);
        assert_eq!(shown_of(&[a, b, c]).unwrap(), "1 of 3 requirements shown; not checked: b; missing: c");
    }
}

//! Why a task is done, by requirement: what the gates found about each one.

mod code_words;
mod lines;
mod values;

use super::builtin::Line;
use super::scope::{Counted, fit, stems};
use super::{GateReport, GateVerdict, Project, RequestedChange};
use crate::plan::MarkerKind;
use crate::text::{counted, shortened};
use crate::words::{number, words};
use lines::{Lines, names, showing, states_values};
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
    let lines = Lines::from_project(project);
    let judged = project.judged.get().map_or(&[][..], |judged| judged);
    let report = |wanted: &RequestedChange| {
        let (verdict, evidence) = match work.and_then(|report| report.feedback.as_deref()) {
            // The rest is for the agent.
            Some(text) => {
                let found = text.split_inclusive(['.', '\n']).next().unwrap_or_default().trim().to_owned();
                (RequirementVerdict::Missing, vec![Evidence::from_gate(WORK, found)])
            }
            None => judge(wanted, judged, &lines),
        };
        let (marker, description) = (wanted.kind.name().to_owned(), wanted.text.clone());
        RequirementReport { marker, description, verdict, evidence }
    };
    project.task.request.all.iter().map(report).collect()
}

const WORK: &str = "work-done";

impl Evidence {
    fn from_gate(gate: &str, text: String) -> Self {
        Self { gate: gate.to_owned(), text, file: None, line: None }
    }
}

fn judge(wanted: &RequestedChange, judged: &[Counted], lines: &Lines) -> (RequirementVerdict, Vec<Evidence>) {
    let names = names(&wanted.text);
    let count = wanted.count.filter(|count| *count > 1 && wanted.kind == MarkerKind::Add);
    // "2 drinks for the night" among the items of a list of flavors: the new items name it, and their number is right.
    let is_counted_there = |counted: &Counted, count: usize| {
        let is_item = |line: &Line| counted.text.contains(&line.path) && fit(&names, &stems(&line.text)) > 0;
        says(&counted.marker, count) && fit(&names, &stems(&counted.marker)) > 1 && lines.new.iter().any(is_item)
    };
    let concerns = |counted: &&Counted| {
        let is_own = counted.requirement.as_ref().map_or(counted.kind == wanted.kind, |text| *text == wanted.text);
        // A marker counts only if its part, or what was counted there, is what the requirement names.
        let is_named = || fit(&names, &stems(&counted.text)) > 1 && fit(&names, &stems(&counted.marker)) > 1;
        is_own
            && (counted.requirement.is_some()
                || is_named()
                || count.is_some_and(|count| is_counted_there(counted, count)))
    };
    let (mut evidence, mut is_missing, mut is_counted) = (Vec::new(), false, false);
    for counted in judged.iter().filter(concerns) {
        is_missing |= !counted.passed;
        // The agent wrote the marker, perhaps with another number.
        is_counted |= counted.requirement.is_some() || count.is_none_or(|count| says(&counted.marker, count));
        let file = lines.new.iter().map(|line| &line.path).find(|path| counted.text.contains(*path));
        evidence.push(Evidence { file: file.cloned(), ..Evidence::from_gate("scope", counted.text.clone()) });
    }
    if is_missing {
        return (RequirementVerdict::Missing, evidence);
    }
    if count.is_some() && !is_counted {
        return (RequirementVerdict::Unchecked, evidence);
    }
    let showing = showing(wanted, lines);
    let is_shown = !showing.is_empty() || is_counted && !states_values(wanted);
    evidence.extend(showing.into_iter().take(LINES).map(|line| Evidence {
        gate: WORK.to_owned(),
        text: shortened(&line.text, LINE_CHARS),
        file: Some(line.path.clone()),
        line: u32::try_from(line.line).ok(),
    }));
    (if is_shown { RequirementVerdict::Shown } else { RequirementVerdict::Unchecked }, evidence)
}

/// Whether a text has this number.
fn says(text: &str, count: usize) -> bool {
    let numbers = words(text).into_iter().filter_map(|word| word.parse().ok().or_else(|| number(&word)));
    numbers.into_iter().any(|number: u32| number as usize == count)
}

/// The end of a task as text: every requirement is shown, or which ones are not.
pub fn shown_of(requirements: &[RequirementReport]) -> Option<String> {
    let of = |verdict| requirements.iter().filter(move |one| one.verdict == verdict);
    let named = |verdict| of(verdict).map(|one| one.description.as_str()).collect::<Vec<_>>().join("; ");
    let (shown, all) = (of(RequirementVerdict::Shown).count(), requirements.len());
    if shown == all {
        return None;
    }
    let mut text = format!("{shown} of {} shown", counted(all, "requirement"));
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

    fn new(lines: Vec<Line>) -> Lines {
        Lines { new: lines, ..Lines::default() }
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
            (Add, "a footer that says \"All rights reserved\"", vec![pricing.clone(), footer.clone()], Shown),
            (Add, "a footer that says \"No rights reserved\"", vec![pricing.clone(), footer], Unchecked),
            (Add, "a pricing section", vec![pricing], Shown),
            (Add, "a pricing section", vec![], Unchecked),
            (Add, "a footer", vec![line("src/App.tsx", "<main data-footer=\"x\">")], Unchecked),
            (Fix, "the broken link in the CTA", vec![line("src/Cta.tsx", "href=\"/shop\"")], Shown),
            (Fix, "the broken link in the CTA", vec![line("src/Nav.tsx", "href=\"/shop\"")], Unchecked),
            (Fix, "the shop link should go to https://a.b/shop", vec![cta.clone()], Unchecked),
            (Modify, "the price of the latte to $4.50", vec![line("a.ts", "{ name: 'Latte', price: 4.5 },")], Shown),
            (Modify, "the price of the latte to $4.50", vec![line("a.ts", "{ name: 'Latte', price: 6 },")], Unchecked),
            (Modify, "the price of Sencha to 8 €", vec![line("a.ts", "{ name: 'Sencha', price: '8 €' },")], Shown),
            (Modify, "the price of Sencha to 8 €", vec![line("a.ts", "{ name: 'Assam', price: '8 €' },")], Unchecked),
            (Modify, "the headline red", vec![line("a.css", "h1 { color: blue }")], Unchecked),
            (Modify, "the headline of the hero", vec![around("<h1>Hello</h1>", "<section id=\"hero\">")], Shown),
            (Modify, "the headline of the hero", vec![around("<h1>Hello</h1>", "<section id=\"team\">")], Unchecked),
            (Modify, "the logo bigger", vec![around("width: 80px;", ".logo {")], Shown),
        ] {
            let (verdict, evidence) = judge(&wanted(kind, text, None), &[], &new(lines));
            assert_eq!(verdict, expected, "{text}");
            assert!(evidence.iter().all(|one| one.file.is_some() && one.line == Some(7)), "{evidence:?}");
        }
        let (verdict, _) = judge(&wanted(Add, "3 shops", Some(3)), &[], &new(vec![cta]));
        assert_eq!(verdict, Unchecked, "items are counted");
    }

    #[test]
    fn the_evidence_has_the_lines_that_name_most_of_it() {
        let hero = line("src/Hero.tsx", "<h1>Coffee from Driftwood, roasted by the sea</h1>");
        let style = line("src/page.css", "font: 1rem/1.6 var(--font-body);");
        let wanted = wanted(MarkerKind::Add, "a landing page for Driftwood, a coffee roastery by the sea", None);
        let (verdict, evidence) = judge(&wanted, &[], &new(vec![style, hero]));
        assert_eq!(verdict, Shown);
        assert_eq!(evidence.iter().filter_map(|one| one.file.as_deref()).collect::<Vec<_>>(), ["src/Hero.tsx"]);
    }

    #[test]
    fn a_replaced_text_shows_a_change_of_that_text() {
        let old = line("src/App.tsx", "<h1>Fine teas</h1>");
        let replace = wanted(MarkerKind::Modify, "Replace Sencha with Matcha", None);
        for (text, expected) in [("{ name: 'Matcha', price: 6 },", Shown), ("{ name: 'Sencha', price: 9 },", Unchecked)]
        {
            let gone = vec![line("a.ts", "{ name: 'Sencha', price: 6 },")];
            let lines = Lines { new: vec![line("a.ts", text)], gone, ..Lines::default() };
            assert_eq!(judge(&replace, &[], &lines).0, expected, "{text}");
        }
        let change = wanted(MarkerKind::Modify, "\"Fine teas\" to \"Great teas\"", None);
        for (text, expected) in [("<h1>Great teas</h1>", Shown), ("<h1>Good teas</h1>", Unchecked)] {
            let lines = Lines { new: vec![line("src/App.tsx", text)], gone: vec![old.clone()], ..Lines::default() };
            assert_eq!(judge(&change, &[], &lines).0, expected, "{text}");
        }
    }

    #[test]
    fn a_removal_is_shown_if_what_it_names_is_gone() {
        let link = line("src/Nav.tsx", "<a href=\"/shop\">Shop</a>");
        let removal = wanted(MarkerKind::Remove, "the shop link", None);
        for (now, expected) in [
            (vec![], Shown),
            (vec![line("src/Nav.tsx", "<a href=\"/team\">Team</a>")], Shown),
            (vec![line("src/Nav.tsx", "<a href=\"/shop\">Store</a>")], Unchecked),
        ] {
            let lines = Lines { gone: vec![link.clone()], now, ..Lines::default() };
            assert_eq!(judge(&removal, &[], &lines).0, expected, "{lines:?}");
        }
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
            assert_eq!(judge(wanted, &[marker], &Lines::default()).0, expected, "{wanted:?}");
        }
        let counted = Counted {
            kind: MarkerKind::Add,
            requirement: Some("2 drinks".to_owned()),
            marker: String::new(),
            text: "drinks: 8 → 10 items".to_owned(),
            passed: true,
        };
        let drinks = wanted(MarkerKind::Add, "2 drinks", Some(2));
        let night = wanted(MarkerKind::Add, "2 more drinks for nighttime", Some(2));
        let marked = Counted {
            requirement: None,
            marker: "2 new nighttime drinks".to_owned(),
            text: "8 → 10 items (src/flavors.ts)".to_owned(),
            ..counted.clone()
        };
        for (item, expected) in
            [("{ name: 'Deep Rest', when: 'night' },", Shown), ("{ question: 'Is it sweet?' },", Unchecked)]
        {
            let lines = new(vec![line("src/flavors.ts", item)]);
            assert_eq!(judge(&night, std::slice::from_ref(&marked), &lines).0, expected, "{item}");
        }
        let marked = Counted { requirement: None, marker: "1 drink".to_owned(), ..counted.clone() };
        assert_eq!(judge(&drinks, &[marked], &Lines::default()).0, Unchecked, "the agent lowered the number");
        assert_eq!(judge(&drinks, std::slice::from_ref(&counted), &Lines::default()).0, Shown);
        assert_eq!(judge(&drinks, &[Counted { passed: false, ..counted }], &Lines::default()).0, Missing);
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

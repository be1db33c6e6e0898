//! Matches markers to requirements. Agents paraphrase, so kind, words and place are only evidence; where there is none, the
//! number of markers of a kind decides.

use crate::plan::report::MarkerKind;
use crate::plan::task_file::Requirement;
use crate::words::words;

/// A marker of the task with its position.
pub(super) struct Placed<'a> {
    pub kind: MarkerKind,
    pub text: &'a str,
    /// The index of the element that contains it.
    pub element: usize,
}

/// The requirements without a marker. `parts` gives the elements that a requirement concerns.
pub(super) fn unmarked<'r>(
    requirements: &'r [Requirement],
    markers: &[Placed<'_>],
    parts: &dyn Fn(&Requirement) -> Vec<usize>,
) -> Vec<&'r Requirement> {
    let wanted: Vec<Wanted<'_>> =
        requirements.iter().map(|requirement| Wanted::new(requirement, parts(requirement))).collect();
    let marker_words: Vec<Vec<String>> = markers.iter().map(|marker| keywords(marker.text)).collect();
    let points = |at: usize, wanted: &Wanted<'_>| match (markers.get(at), marker_words.get(at)) {
        (Some(marker), Some(said)) => wanted.points(marker, said),
        _ => 0,
    };
    let best = |at: usize| wanted.iter().map(|wanted| points(at, wanted)).max().unwrap_or(0);
    // A marker with evidence is for the requirement with the most; the others match any requirement of their kind.
    let mut free: Vec<usize> = (0..markers.len()).filter(|at| best(*at) == 0).collect();
    let mut unmarked = Vec::new();
    for wanted in &wanted {
        let claimed = (0..markers.len()).any(|at| best(at) > 0 && points(at, wanted) == best(at));
        if claimed || marker_words.iter().enumerate().any(|(at, said)| wanted.is_held_by(markers.get(at), said)) {
            continue;
        }
        let loose =
            free.iter().position(|at| markers.get(*at).is_some_and(|marker| marker.kind == wanted.requirement.kind));
        match loose {
            Some(at) => drop(free.swap_remove(at)),
            None => unmarked.push(wanted.requirement),
        }
    }
    unmarked
}

struct Wanted<'r> {
    requirement: &'r Requirement,
    words: Vec<String>,
    /// The elements that it is about.
    elements: Vec<usize>,
}

impl<'r> Wanted<'r> {
    fn new(requirement: &'r Requirement, elements: Vec<usize>) -> Self {
        Self { requirement, words: keywords(&requirement.text), elements }
    }

    fn shared(&self, said: &[String]) -> usize {
        self.words.iter().filter(|word| said.contains(word)).count()
    }

    /// The evidence that a marker is for this requirement; 0 for another kind.
    fn points(&self, marker: &Placed<'_>, said: &[String]) -> usize {
        if marker.kind != self.requirement.kind {
            return 0;
        }
        self.shared(said) + if self.elements.contains(&marker.element) { PLACE } else { 0 }
    }

    /// One marker can cover two requirements if it has most of the words of this one.
    fn is_held_by(&self, marker: Option<&Placed<'_>>, said: &[String]) -> bool {
        marker.is_some_and(|marker| marker.kind == self.requirement.kind)
            && !self.words.is_empty()
            && self.shared(said) * 4 >= self.words.len() * 3
    }
}

/// The weight of a matching place, in words.
const PLACE: usize = 2;

/// The distinctive words of a text, without duplicates.
pub(super) fn keywords(text: &str) -> Vec<String> {
    let mut keywords: Vec<String> = Vec::new();
    for word in words(text) {
        if !EMPTY.contains(&word.as_str()) && !keywords.contains(&word) {
            keywords.push(word);
        }
    }
    keywords
}

/// Words without meaning, in the form that `words` returns.
const EMPTY: [&str; 24] = [
    "a", "an", "the", "and", "or", "of", "to", "in", "on", "for", "with", "is", "are", "be", "it", "new", "more",
    "all", "existing", "add", "total", "section", "page", "by",
];

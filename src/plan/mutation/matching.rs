//! Matches markers to requirements. Agents paraphrase, so kind, words and place are only evidence; where there is none, the
//! number of markers of a kind decides.

use super::placement::Placement;
use crate::plan::markers::Marker;
use crate::plan::report::MarkerKind;
use crate::plan::task_file::Requirement;
use crate::words::words;

/// A requirement and the part of the plan that it concerns.
pub(super) type Placed<'t> = (&'t Requirement, Placement<'t>);

/// The requirements without a marker.
pub(super) fn unmarked<'p, 't>(requirements: &'p [Placed<'t>], markers: &[&Marker]) -> Vec<&'p Placed<'t>> {
    let wanted: Vec<Wanted<'_, '_>> = requirements.iter().map(Wanted::new).collect();
    let of_marker = |marker: &&Marker| {
        let said = keywords(&marker.text);
        let best = wanted.iter().map(|wanted| wanted.points(marker, &said)).max().unwrap_or(0);
        (said, best)
    };
    let evidence: Vec<(Vec<String>, usize)> = markers.iter().map(of_marker).collect();
    let markers = || markers.iter().zip(&evidence);
    // A marker with evidence is for the requirement with the most; the others match any requirement of their kind.
    let mut free: Vec<MarkerKind> =
        markers().filter(|(_, (_, best))| *best == 0).map(|(marker, _)| marker.kind).collect();
    let mut unmarked = Vec::new();
    for wanted in &wanted {
        let is_marked = markers().any(|(marker, (said, best))| {
            *best > 0 && wanted.points(marker, said) == *best || wanted.is_covered_by(marker, said)
        });
        if is_marked {
            continue;
        }
        match free.iter().position(|kind| *kind == wanted.kind()) {
            Some(at) => drop(free.swap_remove(at)),
            None => unmarked.push(wanted.placed),
        }
    }
    unmarked
}

struct Wanted<'p, 't> {
    placed: &'p Placed<'t>,
    words: Vec<String>,
}

impl<'p, 't> Wanted<'p, 't> {
    fn new(placed: &'p Placed<'t>) -> Self {
        Self { placed, words: keywords(&placed.0.text) }
    }

    fn kind(&self) -> MarkerKind {
        self.placed.0.kind
    }

    fn shared(&self, said: &[String]) -> usize {
        self.words.iter().filter(|word| said.contains(word)).count()
    }

    /// The evidence that a marker is for this requirement; 0 for another kind.
    fn points(&self, marker: &Marker, said: &[String]) -> usize {
        if marker.kind != self.kind() {
            return 0;
        }
        let is_there = self.placed.1.parts().iter().any(|part| part.element == marker.owner);
        self.shared(said) + if is_there { PLACE } else { 0 }
    }

    /// One marker can cover two requirements if it has most of the words of this one.
    fn is_covered_by(&self, marker: &Marker, said: &[String]) -> bool {
        marker.kind == self.kind() && !self.words.is_empty() && self.shared(said) * 4 >= self.words.len() * 3
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

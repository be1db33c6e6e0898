//! Which marker is meant for which requirement. An agent says things in its own words, so that kind, words and place only
//! point; where nothing points anywhere, the number of markers of a kind decides.

use crate::plan::report::MarkerKind;
use crate::plan::task_file::Requirement;
use crate::words::words;

/// A marker of the task, where it stands.
pub(super) struct Placed<'a> {
    pub kind: MarkerKind,
    pub text: &'a str,
    /// Its place in the tree.
    pub element: usize,
}

/// The requirements that no marker is for. `parts` gives the elements of the plan that a requirement is about.
pub(super) fn unmarked<'r>(
    requirements: &'r [Requirement],
    markers: &[Placed<'_>],
    parts: &dyn Fn(&Requirement) -> Vec<usize>,
) -> Vec<&'r Requirement> {
    let wanted: Vec<Wanted<'_>> =
        requirements.iter().map(|requirement| Wanted::new(requirement, parts(requirement))).collect();
    let said: Vec<Vec<String>> = markers.iter().map(|marker| telling(marker.text)).collect();
    let points = |at: usize, wanted: &Wanted<'_>| match (markers.get(at), said.get(at)) {
        (Some(marker), Some(said)) => wanted.points(marker, said),
        _ => 0,
    };
    let best = |at: usize| wanted.iter().map(|wanted| points(at, wanted)).max().unwrap_or(0);
    // A marker that points somewhere is for what it points to most; the others are anybody's.
    let mut free: Vec<usize> = (0..markers.len()).filter(|at| best(*at) == 0).collect();
    let mut unmarked = Vec::new();
    for wanted in &wanted {
        let claimed = (0..markers.len()).any(|at| best(at) > 0 && points(at, wanted) == best(at));
        if claimed || said.iter().enumerate().any(|(at, said)| wanted.is_held_by(markers.get(at), said)) {
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
        Self { requirement, words: telling(&requirement.text), elements }
    }

    fn shared(&self, said: &[String]) -> usize {
        self.words.iter().filter(|word| said.contains(word)).count()
    }

    /// How much a marker points to it; a marker of another kind does not.
    fn points(&self, marker: &Placed<'_>, said: &[String]) -> usize {
        if marker.kind != self.requirement.kind {
            return 0;
        }
        self.shared(said) + if self.elements.contains(&marker.element) { PLACE } else { 0 }
    }

    /// One marker for two requirements: it says nearly all that this one does.
    fn is_held_by(&self, marker: Option<&Placed<'_>>, said: &[String]) -> bool {
        marker.is_some_and(|marker| marker.kind == self.requirement.kind)
            && !self.words.is_empty()
            && self.shared(said) * 4 >= self.words.len() * 3
    }
}

/// The place of a marker weighs like so many words.
const PLACE: usize = 2;

/// The words of a text that tell it from others, each once.
pub(super) fn telling(text: &str) -> Vec<String> {
    let mut telling: Vec<String> = Vec::new();
    for word in words(text) {
        if !EMPTY.contains(&word.as_str()) && !telling.contains(&word) {
            telling.push(word);
        }
    }
    telling
}

/// Words that stand in every text, as `words` gives them.
const EMPTY: [&str; 24] = [
    "a", "an", "the", "and", "or", "of", "to", "in", "on", "for", "with", "is", "are", "be", "it", "new", "more",
    "all", "existing", "add", "total", "section", "page", "by",
];

//! Where a requirement belongs in a plan: the parts that it mentions, the sections whose sources render what it mentions, or
//! a new section.

use super::matching::keywords;
use crate::nearest::nearest;
use crate::plan::Registry;
use crate::plan::diff::{Shown, about};
use crate::plan::report::MarkerKind;
use crate::plan::targets::{Kind, Target, joined, spoken_of};
use crate::plan::task_file::Requirement;
use crate::words::is_page_part;

/// Where a requirement belongs.
#[derive(Debug)]
pub(crate) enum Placement<'t> {
    /// Parts that the requirement mentions.
    Named(Vec<&'t Target>),
    /// Sections whose sources render what the requirement mentions.
    Rendered(Vec<&'t Target>),
    New(NewSection<'t>),
    Unknown,
}

/// A section that a requirement asks for.
#[derive(Debug)]
pub(crate) struct NewSection<'t> {
    /// Its name in the requirement; may be empty.
    pub called: String,
    /// The neighbouring section; `None` if unknown.
    pub beside: Option<(Side, &'t Target)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Before,
    After,
}

/// Places a requirement by its words, the plan's parts and the rendered sections.
pub(crate) fn place<'t>(targets: &'t [Target], requirement: &Requirement, shown: &[Shown]) -> Placement<'t> {
    if requirement.kind == MarkerKind::Add
        && let Some(section) = new_section(targets, &requirement.text)
    {
        return Placement::New(section);
    }
    let named = spoken_of(targets, &requirement.text);
    if !named.is_empty() {
        return Placement::Named(named);
    }
    match rendering(targets, &requirement.text, shown) {
        rendered if rendered.is_empty() => Placement::Unknown,
        rendered => Placement::Rendered(rendered),
    }
}

impl<'t> Placement<'t> {
    /// The existing parts.
    pub(crate) fn parts(&self) -> &[&'t Target] {
        match self {
            Placement::Named(parts) | Placement::Rendered(parts) => parts,
            Placement::New(_) | Placement::Unknown => &[],
        }
    }

    /// Describes the placement to the agent.
    pub(crate) fn describe(&self) -> String {
        let names = joined(self.parts().iter().copied(), ", ");
        match self {
            Placement::Named(_) => names,
            Placement::Rendered(_) => format!("{names} (its sources render it)"),
            Placement::New(section) => section.describe(),
            Placement::Unknown => "the section that this requirement concerns, or a new one".to_owned(),
        }
    }
}

/// The parts that a text mentions; otherwise the sections whose sources render what it mentions.
pub(crate) fn meant<'t>(targets: &'t [Target], text: &str, shown: &[Shown]) -> Vec<&'t Target> {
    let named = spoken_of(targets, text);
    if named.is_empty() { rendering(targets, text, shown) } else { named }
}

/// The sections whose sources render what a text mentions.
pub(crate) fn rendering<'t>(targets: &'t [Target], text: &str, shown: &[Shown]) -> Vec<&'t Target> {
    let keywords: Vec<String> =
        keywords(text).into_iter().filter(|word| ACTIONS.split(' ').all(|action| action != word)).collect();
    let found = about(shown, &keywords);
    let is_found =
        |target: &&Target| target.kind == Kind::Section && found.iter().any(|section| section.gumdrop == target.called);
    targets.iter().filter(is_found).collect()
}

impl NewSection<'_> {
    /// The gumdrop whose name matches best.
    pub(crate) fn gumdrop(&self, registry: &Registry) -> Option<String> {
        let names = || registry.gumdrops.iter().map(String::as_str);
        let words = self.called.split(' ').rev();
        std::iter::once(self.called.as_str())
            .chain(words)
            .find_map(|called| nearest(called, names()).into_iter().next())
    }

    fn describe(&self) -> String {
        match self.beside {
            Some((Side::Before, target)) => format!("a new Section before {}", target.name),
            Some((Side::After, target)) => format!("a new Section after {}", target.name),
            None => "a new Section".to_owned(),
        }
    }
}

/// The section that a text asks for: `a testimonial section between features and cta`, `a footer`. A definite article means
/// an existing section: `to the features section`.
fn new_section<'t>(targets: &'t [Target], text: &str) -> Option<NewSection<'t>> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let section = words.iter().position(|word| *word == "section");
    let part = page_part(targets, &words).filter(|part| section.is_none_or(|section| *part < section));
    let at = part.or(section)?;
    let before = words.get(..at).unwrap_or_default();
    let opens_new = |word: &&str| OPENS_NEW.contains(word) || VERBS.contains(word);
    let from = before.iter().rposition(|word| opens_new(word) || OPENS_KNOWN.contains(word))?;
    let named = if part.is_some() { at + 1 } else { at };
    let mut name: Vec<&str> = words.get(from + 1..named).unwrap_or_default().to_vec();
    let is_new = before.get(from).is_some_and(opens_new);
    let is_article = before.get(from).is_some_and(|word| !VERBS.contains(word));
    // "add features section" mentions an existing section.
    if !is_new || name.len() > NAME_MAX || !is_article && !spoken_of(targets, &name.join(" ")).is_empty() {
        return None;
    }
    let after = words.get(at + 1..).unwrap_or_default();
    let place = after.iter().zip(0..).find_map(|(word, at)| Some((at, side(word)?)));
    if name.is_empty() {
        let described = after.get(..place.map_or(after.len(), |(at, _)| at)).unwrap_or_default();
        name.extend(described.iter().filter(|word| !LINKS.contains(word)).take(NAME_MAX));
    }
    let beside = match place {
        Some((at, side)) => beside(targets, side, &after.get(at + 1..).unwrap_or_default().join(" ")),
        None => last(targets, text),
    };
    Some(NewSection { called: name.join(" "), beside })
}

/// The common part of a page that a text begins with and that the plan does not have: `a footer with two links`.
fn page_part(targets: &[Target], words: &[&str]) -> Option<usize> {
    let first = words.iter().position(|word| is_page_part(word))?;
    let at = first + words.iter().skip(first + 1).take_while(|word| is_page_part(word)).count();
    let is_end = |word: &&str| LINKS.contains(word) || side(word).is_some();
    let is_known = !spoken_of(targets, &words.get(first..=at)?.join(" ")).is_empty();
    let is_inside = words.iter().take(at).any(|word| *word != "a" && (is_end(word) || OPENS_KNOWN.contains(word)));
    (!is_known && !is_inside && words.get(at + 1).is_none_or(is_end)).then_some(at)
}

/// The section named after `between`, `after` or `before`.
fn beside<'t>(targets: &'t [Target], side: Option<Side>, words: &str) -> Option<(Side, &'t Target)> {
    let named: Vec<&Target> = spoken_of(targets, words).into_iter().filter(|part| part.kind == Kind::Section).collect();
    let first = named.first()?;
    let is_clear = named.iter().all(|part| part.screen == first.screen);
    match side {
        None => between(&named),
        Some(_) if !is_clear => None,
        Some(Side::Before) => Some((Side::Before, *first)),
        Some(Side::After) => named.last().map(|last| (Side::After, *last)),
    }
}

/// After the first of two sections, in the only screen that has both. If several sections have the first name, after the
/// last one before the second.
fn between<'t>(named: &[&'t Target]) -> Option<(Side, &'t Target)> {
    let mut found = named.windows(2).filter_map(|pair| match pair {
        [first, second] if first.screen == second.screen && first.called != second.called => Some(*first),
        _ => None,
    });
    let first = found.next()?;
    found.next().is_none().then_some((Side::After, first))
}

/// The end of the screen that a text mentions, or of the only screen; before its footer.
fn last<'t>(targets: &'t [Target], text: &str) -> Option<(Side, &'t Target)> {
    let named: Vec<&Target> = spoken_of(targets, text).into_iter().filter(|part| part.kind == Kind::Screen).collect();
    let mut screens = targets.iter().filter(|part| part.kind == Kind::Screen);
    let screen = match (named.as_slice(), screens.next(), screens.next()) {
        ([only], _, _) => only,
        ([], Some(only), None) => only,
        _ => return None,
    };
    let last = targets.iter().rfind(|part| part.screen == Some(screen.element))?;
    let side = if last.called == "footer" { Side::Before } else { Side::After };
    Some((side, last))
}

/// Maximum number of words in the name of a section.
const NAME_MAX: usize = 4;
const VERBS: [&str; 8] = ["add", "adds", "create", "insert", "include", "put", "build", "make"];
/// Words before a new section, besides the verbs.
const OPENS_NEW: [&str; 9] = ["a", "an", "another", "new", "second", "third", "additional", "extra", "further"];
/// Words before an existing section.
const OPENS_KNOWN: [&str; 22] = [
    "the", "to", "in", "into", "inside", "of", "our", "my", "your", "this", "that", "its", "each", "every", "on",
    "from", "for", "with", "under", "below", "after", "before",
];
/// Words between a section and its topic.
const LINKS: [&str; 16] = [
    "for", "with", "of", "about", "called", "named", "titled", "showing", "shows", "that", "which", "where", "listing",
    "the", "our", "a",
];
/// The side that a preposition of place means; `Some(None)` for `between`, which takes two sections.
fn side(word: &str) -> Option<Option<Side>> {
    match word {
        "between" => Some(None),
        "after" | "below" | "under" | "beneath" | "underneath" | "following" | "behind" => Some(Some(Side::After)),
        "before" | "above" | "over" | "preceding" | "ahead" | "atop" => Some(Some(Side::Before)),
        _ => None,
    }
}

/// Words for actions, in the form that `words` returns; they mention nothing.
const ACTIONS: &str = "make change update fix remove refine improve replace show use put give create build include set \
                       delete move work broken existing app component div item less not no";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::diff::parse_plan;
    use crate::plan::targets::targets;

    const PLAN: &str = "export default (<App><Screen name=\"landing\"><Section gumdrop=\"hero\" /><Section \
                        gumdrop=\"features\" /><Section gumdrop=\"cta\" /></Screen></App>)";

    fn described(text: &str) -> String {
        described_in(PLAN, text)
    }

    fn described_in(plan: &str, text: &str) -> String {
        let tree = parse_plan(plan).unwrap();
        let targets = targets(&tree);
        let requirement = Requirement { kind: MarkerKind::Add, text: text.to_owned() };
        let placement = place(&targets, &requirement, &[]);
        match &placement {
            Placement::New(section) => {
                let gumdrop = section.gumdrop(Registry::builtin());
                format!("{} {}", gumdrop.unwrap_or_default(), placement.describe())
            }
            _ => placement.describe(),
        }
    }

    #[test]
    fn a_section_between_two_is_added_to_the_only_screen_with_both() {
        let text = "add a testimonial section between features and cta";
        for (home, about, expected) in [
            ("hero features", "features cta", "testimonials a new Section after about/features"),
            ("hero features cta", "features", "testimonials a new Section after home/features"),
            ("features features cta", "hero", "testimonials a new Section after home/features#2"),
            ("features cta", "features cta", "testimonials a new Section"),
            ("features", "cta", "testimonials a new Section"),
        ] {
            let sections = |names: &str| -> String {
                names.split(' ').map(|name| format!("<Section gumdrop=\"{name}\" />")).collect()
            };
            let plan = format!(
                "export default (<App><Screen name=\"home\">{}</Screen><Screen name=\"about\">{}</Screen></App>)",
                sections(home),
                sections(about)
            );
            assert_eq!(described_in(&plan, text), expected, "{home} | {about}");
        }
    }

    #[test]
    fn a_new_section_is_distinguished_from_an_existing_one() {
        for (text, expected) in [
            ("Add a testimonial section between features and cta", "testimonials a new Section after landing/features"),
            (
                "Add a testimonials section between the CTA and the features",
                "testimonials a new Section after landing/features",
            ),
            ("add another hero section below the features", "hero a new Section after landing/features"),
            ("Add an FAQ section", "faq a new Section after landing/cta"),
            ("a new pricing section above the cta", "pricing a new Section before landing/cta"),
            ("add a section for team members after the hero", "team a new Section after landing/hero"),
            ("Add newsletter section before cta", "newsletter a new Section before landing/cta"),
            ("Add a footer", "footer a new Section after landing/cta"),
            ("a sticky sidebar before the features", "sidebar-nav a new Section before landing/features"),
            ("Add a contact form below the hero section", "contact a new Section after landing/hero"),
            ("Add a photo gallery with 6 photos", "gallery a new Section after landing/cta"),
            ("Add a form to the hero", "landing/hero"),
            ("Add a modal with a form", "the section that this requirement concerns, or a new one"),
            ("Add a testimonial to the features", "landing/features"),
            ("Add a hero banner", "landing/hero"),
            ("Add a badge to the features section", "landing/features"),
            ("Add a badge to features section", "landing/features"),
            ("Add features section", "landing/features"),
            ("Add 2 cards to the hero section", "landing/hero"),
            ("Add a title to every section", "the section that this requirement concerns, or a new one"),
            ("Add 2 more drinks", "the section that this requirement concerns, or a new one"),
        ] {
            assert_eq!(described(text), expected, "{text}");
        }
    }
}

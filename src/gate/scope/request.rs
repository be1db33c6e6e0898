//! What an `ADD` asks for: a number of list items, or other content.

use super::vocabulary::{
    ACTIONS, ARTICLES, BESIDE, CONTAINERS, CONTENT, DETERMINERS, EACH, INNER, JOINTS, MORE, OUTER, VERBS, has,
};
use super::words::{Count, Token, Wording, alike, counts};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Request {
    /// List items: this many, or any number.
    Items(Option<Count>),
    /// Other content: a text, a badge on each item, a form.
    Content,
    /// The noun is neither an item nor content.
    Unclear,
}

/// The names of a section's items.
#[derive(Debug, Default)]
pub(super) struct Nouns {
    /// The nouns of the list's names, of the section's key and of its `PRESERVED` marker.
    pub heads: Vec<String>,
    /// Every word of these names, of classes and of the items' own names.
    pub words: Vec<String>,
}

/// Names of items by the name of their section.
const MEMBERS: [(&str, &str); 10] = [
    ("gallery", "photo image picture shot artwork"),
    ("faq", "question"),
    ("question", "faq"),
    ("team crew staff", "member person colleague"),
    ("testimonial", "quote review voice"),
    ("review", "testimonial quote"),
    ("pricing", "plan tier package"),
    ("menu", "dish drink"),
    ("agenda", "session talk"),
    ("schedule", "session class"),
];

/// How a chunk relates to the one before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Link {
    /// The request itself.
    #[default]
    Main,
    /// The content of the previous chunk.
    Inner,
    /// A place, a purpose or a choice.
    Outer,
}

/// A noun phrase.
#[derive(Debug, Default)]
struct Chunk<'w> {
    link: Link,
    number: Option<Count>,
    is_one: bool,
    is_more: bool,
    is_at_least: bool,
    /// It refers to existing items: `every card`.
    is_each: bool,
    is_of: bool,
    /// It is a place next to something: `above the list`.
    is_beside: bool,
    /// It follows `and`.
    is_joined: bool,
    words: Vec<&'w Token>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Item,
    Content,
    Container,
    Unknown,
}

impl Request {
    pub(super) fn from_wording(wording: &Wording, nouns: &Nouns) -> Self {
        let chunks = chunks(wording.tokens(), nouns);
        let main = || chunks.iter().filter(|chunk| chunk.link == Link::Main && !chunk.is_each);
        let named = |chunk: &Chunk<'_>| chunk.kind_of_head(nouns);
        // Content next to the items is not an item, unless it has their name.
        let is_beside = |chunk: &Chunk<'_>| chunk.is_beside && named(chunk) == Named::Item;
        if chunks.iter().any(is_beside) && main().all(|chunk| named(chunk) == Named::Unknown) {
            return Self::Unclear;
        }
        // `a smoky tea (2 grams)`: the number is a detail of the one item.
        if let Some(first) = main().next().filter(|first| first.is_one && !first.is_at_least)
            && first.number.is_none()
            && named(first) == Named::Item
            && main().any(|chunk| chunk.number.is_some())
        {
            let others = main().skip(1).filter(|chunk| chunk.is_item(nouns));
            let more: usize =
                others.map(|chunk| chunk.number.map_or(usize::from(chunk.is_one), |count| count.number)).sum();
            return Self::Items(Some(Count { number: 1, in_all: 1 + more, is_doubtful: false }));
        }
        // A number means items, unless it counts content.
        let mut numbered = main().filter(|chunk| chunk.number.is_some() && named(chunk) != Named::Content);
        if let Some(first) = numbered.next()
            && let Some(count) = first.number
            && named(first) != Named::Container
        {
            // `one tea for kids and two for adults`.
            let is_further = |chunk: &&Chunk<'_>| chunk.is_joined && chunk.link == Link::Outer && chunk.is_item(nouns);
            let numbered = numbered.chain(chunks.iter().filter(is_further));
            let more: usize = numbered.filter_map(|chunk| chunk.number).map(|count| count.number).sum();
            return Self::Items((!first.is_at_least).then_some(Count { in_all: count.number + more, ..count }));
        }
        if main().any(|chunk| named(chunk) == Named::Container) {
            let inner = chunks.iter().filter(|chunk| chunk.link == Link::Inner && named(chunk) != Named::Content);
            if let Some(count) = inner.filter_map(|chunk| chunk.number).next() {
                return Self::Items(Some(count));
            }
        }
        // `a price on every card`: one for each existing item.
        let is_on_items = |chunk: &Chunk<'_>| chunk.link == Link::Outer && chunk.is_each && named(chunk) == Named::Item;
        if main().next().is_some_and(Chunk::is_action) || chunks.iter().any(is_on_items) {
            return Self::Content;
        }
        // `a course of the month banner`.
        let is_compound = |chunk: &Chunk<'_>| chunk.is_of && chunk.number.is_none() && named(chunk) == Named::Content;
        if main().next().is_some_and(|first| first.is_one || !first.is_more && first.is_singular())
            && chunks.iter().any(is_compound)
        {
            return Self::Content;
        }
        let of = |wanted: Named| main().filter(move |chunk| chunk.kind_of_head(nouns) == wanted);
        if let Some(first) = of(Named::Item).next() {
            let ones =
                main().filter(|chunk| chunk.is_one && !matches!(chunk.kind_of_head(nouns), Named::Content)).count();
            let one = Count { number: 1, in_all: ones.max(1), is_doubtful: false };
            return Self::Items((first.is_one && !first.is_at_least).then_some(one));
        }
        if of(Named::Content).next().is_some() || of(Named::Container).next().is_some() {
            return Self::Content;
        }
        // `another X` is one more item.
        match main().find(|chunk| chunk.is_more) {
            Some(chunk) if chunk.is_one => {
                Self::Items(Some(Count { number: 1, in_all: 1, is_doubtful: false }).filter(|_| !chunk.is_at_least))
            }
            Some(_) => Self::Items(None),
            None if main().next().is_none() => Self::Content,
            None => Self::Unclear,
        }
    }
}

impl Chunk<'_> {
    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.number.is_none()
    }

    fn is_singular(&self) -> bool {
        self.words.last().is_some_and(|head| head.text == head.stem)
    }

    /// It names items, or only their number: `and two for adults`.
    fn is_item(&self, nouns: &Nouns) -> bool {
        self.words.is_empty() || self.kind_of_head(nouns) == Named::Item
    }

    fn kind_of_head(&self, nouns: &Nouns) -> Named {
        let Some(head) = self.words.last() else { return Named::Unknown };
        // `houseboat` is a boat.
        let is_compound = |noun: &String| noun.len() > 3 && head.stem.ends_with(noun.as_str());
        if nouns.heads.iter().any(|noun| *noun == head.stem || is_compound(noun)) || is_member(&head.stem, &nouns.heads)
        {
            return Named::Item;
        }
        // `2 size options` are sizes.
        if self.number.is_some() && self.words.iter().any(|word| nouns.heads.contains(&word.stem)) {
            return Named::Item;
        }
        if matches!(head.stem.as_str(), "entry" | "item") {
            return Named::Item;
        }
        let last = head.stem.rsplit('-').next().unwrap_or_default();
        if has(CONTENT, &head.stem) || has(CONTENT, last) {
            return Named::Content;
        }
        if has(CONTAINERS, &head.stem) {
            return Named::Container;
        }
        let is_known = |word: &&Token| {
            let is_word = |noun: &String| alike(noun, &word.stem) > 0;
            !has(CONTENT, &word.stem) && nouns.heads.iter().chain(&nouns.words).any(is_word)
        };
        if self.words.iter().any(is_known) {
            return Named::Item;
        }
        match self.words.first() {
            Some(first) if self.number.is_none() && has(CONTENT, &first.stem) => Named::Content,
            _ => Named::Unknown,
        }
    }

    /// It begins with a verb: `sort boards`.
    fn is_action(&self) -> bool {
        let is_noun_phrase = self.is_one || self.is_more || self.number.is_some();
        !is_noun_phrase && self.words.first().is_some_and(|first| has(ACTIONS, &first.text))
    }
}

fn is_member(stem: &str, heads: &[String]) -> bool {
    MEMBERS.iter().any(|(list, members)| has(members, stem) && heads.iter().any(|head| has(list, head)))
}

fn chunks<'w>(tokens: &'w [Token], nouns: &Nouns) -> Vec<Chunk<'w>> {
    let names: Vec<String> = nouns.heads.iter().chain(&nouns.words).cloned().collect();
    let word_at = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let mut chunks: Vec<Chunk<'w>> = Vec::new();
    let mut chunk = Chunk::default();
    for (at, token) in tokens.iter().enumerate() {
        let word = token.text.as_str();
        let is_bound = word == "at" && matches!(word_at(at + 1), "least" | "most");
        if word == "or" && word_at(at + 1) == "more" {
            chunk.is_at_least = true;
            continue;
        }
        if is_bound || word == "more" && at > 0 && word_at(at - 1) == "or" {
            continue;
        }
        let is_joint = has(JOINTS, word);
        let link = match word {
            word if has(INNER, word) => Some(Link::Inner),
            word if has(OUTER, word) => Some(Link::Outer),
            // A chunk that continues a place is a place.
            _ if is_joint => Some(chunk.link),
            // Punctuation ends a place.
            _ if token.is_after_break => Some(Link::Main),
            _ if is_determiner(word) && !chunk.words.is_empty() => Some(chunk.link),
            _ => None,
        };
        if let Some(link) = link
            && !(chunk.is_empty() && chunk.link == link)
        {
            chunks.push(std::mem::replace(&mut chunk, Chunk { link, is_joined: is_joint, ..Chunk::default() }));
        }
        chunk.is_of |= word == "of";
        chunk.is_beside |= has(BESIDE, word);
        if is_joint || has(INNER, word) || has(OUTER, word) {
            continue;
        }
        chunk.is_one |= has(ARTICLES, word);
        chunk.is_each |= has(EACH, word);
        chunk.is_at_least |= word == "least";
        let is_more = chunk.words.is_empty() && has(MORE, word);
        chunk.is_more |= is_more;
        // `one tea for kids and two for adults`.
        let is_alone = chunk.is_joined && chunk.is_empty() && has(OUTER, word_at(at + 1));
        if let Some(number) = token.number.filter(|_| is_alone || counts(tokens, at, &names)) {
            let next = tokens.get(at + 1);
            let is_named = next.is_some_and(|next| names.iter().any(|name| alike(name, &next.stem) > 0));
            let is_doubtful = !is_named && next.is_some_and(|next| next.is_capitalised);
            chunk.number = chunk.number.or(Some(Count { number, in_all: number, is_doubtful }));
        } else if !(is_more || is_determiner(word) || chunk.words.is_empty() && has(VERBS, word)) {
            chunk.words.push(token);
        }
    }
    chunks.push(chunk);
    chunks.retain(|chunk| !chunk.is_empty());
    chunks
}

fn is_determiner(word: &str) -> bool {
    has(ARTICLES, word) || has(EACH, word) || has(DETERMINERS, word)
}

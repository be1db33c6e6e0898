//! What stands before a request and is none: politeness, small words, "I would like you to".

use super::lexicon::{CHAT, COMMAND, DEFINITE, FILLER, INFLECTED, PERSON};
use super::text::Text;
use std::ops::Range;

/// How a request is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mood {
    /// Nothing tells.
    Plain,
    /// A verb follows, in any form: "could you", "how about".
    Asked,
    /// A thing follows: "I want", "we need".
    Wished,
}

/// Before a verb.
const ASKING: &str = "can you|could you|would you|will you|can u|could u|can we|could we|may we|can i ask you to|i \
                      want you to|i need you to|i would like you to|id like you to|i want to|i need to|id like to|i \
                      would like to|i would love to|id love to|we want to|we need to|we would like to|wed like to|we \
                      have to|you need to|you have to|we should|you should|you can|you could|you may|i think we \
                      should|i think you should|maybe we should|lets|let us|help me to|help me|go ahead and|feel \
                      free to|make sure to|be sure to|remember to|dont forget to|do not forget to|try to|how about|\
                      what about|why dont we|why dont you|why not|would you mind|do you mind|is it possible to|would \
                      it be possible to|is there a way to|any chance you could|any chance you can|any chance to|i \
                      was wondering if you could|i wonder if you could|it would be nice if you could|it would be \
                      great if you could|would be nice if you could|would be great if you could|it would be nice to|\
                      it would be great to|it would be cool to|would be nice to|would be great to|would be cool to|\
                      would love to|i wanna|we wanna|im going to need you to|your task is to|the task is to|the goal \
                      is to|i am trying to|im trying to|we are trying to|please go and|kannst du|konntest du|peux tu|\
                      peux-tu|pourrais tu|pourrais-tu|puedes|podrias|when you get a chance|if possible|if you can|if \
                      you could";

/// Before a thing.
const WISHING: &str = "i want|i need|i would like|id like|i would love|id love|i wish for|we want|we need|we would \
                       like|wed like|we could use|i could use|we also need|we also want|i also want|i also need|i \
                       still need|we still need|im looking for|i am looking for|we are looking for|looking for|can i \
                       have|could i have|can i get|could i get|can we have|could we have|can we get|could we get|may \
                       i have|give me|gimme|get me|let me have|there should be|there must be|there needs to be|there \
                       should also be|would be nice to have|it would be nice to have|would be great to have|it would \
                       be great to have|want|need|wanted|could use|you need|ich mochte|ich brauche|ich hatte gern|je \
                       veux|je voudrais|jaimerais|il me faut|necesito|quiero|quisiera|wir brauchen|im after|i have \
                       in mind|nous avons besoin|on a besoin|il nous faut|nous voulons|nous voudrions|wir wollen|wir \
                       mochten|queremos|necesitamos|me gustaria|id prefer|i prefer|i would prefer|we prefer|we would \
                       prefer|what i want is|what i need is|what we need is|all i want is|all i need is";

/// Before a statement.
const SAYING: &str = "i think that|i think|i feel like|i feel|i believe|i guess|i noticed that|i noticed|i just \
                      noticed|i see that|i realized|it seems that|it seems like|it seems|it looks like|looks like|\
                      seems like|it appears that|users say that|users say|users report that|fyi|heads up|note that|\
                      as you can see|for some reason|some users say|people say|im afraid|sometimes|in general|as \
                      discussed|as a user|one more thing|one last thing|another thing|to start|to begin with|first \
                      of all|is it normal that|is it intended that|is it supposed to be that|while youre at it|while \
                      you are at it|when youre at it";

/// Where the request begins, and how it is put.
pub(super) fn skip(text: &Text<'_>, range: &Range<usize>) -> (usize, Mood) {
    let (mut at, mut mood) = (range.start, Mood::Plain);
    while at < range.end {
        let wished = text.after_any(at, WISHING).filter(|_| mood == Mood::Plain);
        // "could we get" is more than "could we".
        if let Some(next) = text.after_any(at, ASKING).filter(|next| wished.is_none_or(|wished| wished <= *next)) {
            (at, mood) = (next, Mood::Asked);
        } else if let Some(next) = wished {
            (at, mood) = (next, Mood::Wished);
        } else if mood == Mood::Plain
            && let Some((next, then)) = told(text, at)
        {
            (at, mood) = (next, then);
        } else if text.norm(at) == "instead" && text.norm(at + 1) != "of" {
            at += 1;
        } else if let Some(next) = text.after_any(at, SAYING) {
            at = next;
        } else if is_filler(text, at) {
            at += 1;
        } else {
            break;
        }
    }
    (at.min(range.end), mood)
}

/// "my boss wants", "he also asked for", "the client would like us to".
fn told(text: &Text<'_>, at: usize) -> Option<(usize, Mood)> {
    let person = at + usize::from(text.has(at, DEFINITE));
    let others = text.has(person, PERSON) && !text.is_one_of(person, "i you users user visitors");
    let verb = person + 1 + usize::from(text.has(person + 1, FILLER));
    let wish = "wants|want|asks for|asked for|requested|would like|would love|insists on|suggests|suggested|needs|\
                need|wishes for";
    let next = text.after_any(verb, wish).filter(|_| others)?;
    let verb = next + usize::from(text.is_one_of(next, "me us you"));
    Some(if text.norm(verb) == "to" { (verb + 1, Mood::Asked) } else { (next, Mood::Wished) })
}

fn is_filler(text: &Text<'_>, at: usize) -> bool {
    let filler = text.has(at, FILLER | CHAT) && !text.has(at, INFLECTED) || text.is_mark(at) && text.norm(at) != "(";
    let only = text.is_one_of(at, "only") && text.has(at + 1, COMMAND);
    let ordinal = text.is_one_of(at, "first second third fourth last") && text.is_one_of(at + 1, ", :");
    let no = text.norm(at) == "no" && text.norm(at + 1) == ",";
    // "second" and "first" may rank a thing, "great" may praise one.
    only || no || ordinal || filler && !(text.is_one_of(at, "so") && text.is_one_of(at + 1, "that"))
}

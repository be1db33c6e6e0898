//! The word lists of the rules. Words are lower-case and without apostrophes; a word may be in several classes. Verbs are in
//! their base form, and [`classes`] recognises their other forms.

use std::sync::LazyLock;

/// A set of word classes, one bit each.
pub(super) type Classes = u64;

/// Makes new things.
pub(super) const ADD: Classes = 1;
/// Makes a new app as well as a part of one; always with [`ADD`].
pub(super) const CREATE: Classes = 1 << 1;
/// Changes existing things.
pub(super) const MODIFY: Classes = 1 << 2;
/// Repairs.
pub(super) const FIX: Classes = 1 << 3;
/// Deletes.
pub(super) const REMOVE: Classes = 1 << 4;
/// Leaves things as they are.
pub(super) const KEEP: Classes = 1 << 5;
/// Gives users an ability.
pub(super) const ENABLE: Classes = 1 << 6;
/// Forbidden to do to things that stay: "don't touch".
pub(super) const TOUCH: Classes = 1 << 7;
/// Describes what a part of a page does.
pub(super) const BEHAVE: Classes = 1 << 8;
/// A verb that is also a common noun: "filter".
pub(super) const NOUNISH: Classes = 1 << 9;
/// A verb in another form than its base form.
pub(super) const INFLECTED: Classes = 1 << 10;
/// A verb that names no specific change: "improve".
pub(super) const GENERIC: Classes = 1 << 11;
/// Describes a defect.
pub(super) const BROKEN: Classes = 1 << 12;
/// A negated auxiliary verb.
pub(super) const NEGATED: Classes = 1 << 13;
/// "should", "needs to".
pub(super) const MODAL: Classes = 1 << 14;
pub(super) const INDEFINITE: Classes = 1 << 15;
pub(super) const DEFINITE: Classes = 1 << 16;
pub(super) const PRONOUN: Classes = 1 << 17;
pub(super) const PREPOSITION: Classes = 1 << 18;
/// Starts a condition or a reason.
pub(super) const CONDITION: Classes = 1 << 19;
/// Adds nothing at the start of a clause.
pub(super) const FILLER: Classes = 1 << 20;
/// Greetings, thanks and praise.
pub(super) const CHAT: Classes = 1 << 21;
/// A noun for a complete app.
pub(super) const APP: Classes = 1 << 22;
/// How things look or read, rather than a thing: not countable.
pub(super) const STYLE: Classes = 1 << 23;
pub(super) const COMPARATIVE: Classes = 1 << 24;
/// An adjective that names no specific change.
pub(super) const VAGUE: Classes = 1 << 25;
/// A noun that names no specific place.
pub(super) const ANYTHING: Classes = 1 << 26;
/// Measured, not counted: "seconds", "columns".
pub(super) const UNIT: Classes = 1 << 27;
/// Turns the number after it into a limit or a rank.
pub(super) const LIMIT: Classes = 1 << 28;
pub(super) const EXISTING: Classes = 1 << 29;
pub(super) const NEW: Classes = 1 << 30;
pub(super) const PERSON: Classes = 1 << 31;
pub(super) const QUESTION: Classes = 1 << 32;
/// "some", "half": an unspecified part of something.
pub(super) const SHARE: Classes = 1 << 33;
pub(super) const COPULA: Classes = 1 << 34;
/// A noun for text that is shown, which can follow after a colon.
pub(super) const COPY: Classes = 1 << 35;
/// "third", "7th".
pub(super) const ORDINAL: Classes = 1 << 36;
/// Names the parser or its output, not an app.
pub(super) const STEERING: Classes = 1 << 37;
/// "and" and its short forms.
pub(super) const AND: Classes = 1 << 38;
/// Says that something is good as it is.
pub(super) const FINE: Classes = 1 << 39;
/// Describes how something looks or behaves: "minimalist".
pub(super) const TRAIT: Classes = 1 << 40;

/// Any verb that requests work.
pub(super) const COMMAND: Classes = ADD | MODIFY | FIX | REMOVE | KEEP | ENABLE;
/// Words without a subject of their own: what is left names what a clause is about.
pub(super) const FUNCTION: Classes = NEGATED
    | MODAL
    | INDEFINITE
    | DEFINITE
    | PRONOUN
    | PREPOSITION
    | CONDITION
    | FILLER
    | CHAT
    | VAGUE
    | ANYTHING
    | QUESTION
    | SHARE
    | COPULA
    | AND
    | FINE
    | GENERIC
    | COMPARATIVE
    | STEERING;

/// The classes of a normalised word.
pub(super) fn classes(word: &str) -> Classes {
    let exact = exact(word);
    if exact & (COMMAND | BEHAVE | TOUCH) != 0 || word.len() < 4 {
        return exact;
    }
    exact | base_forms(word).iter().map(|base| verb(base)).find(|classes| *classes != 0).unwrap_or(0)
}

fn verb(base: &str) -> Classes {
    let verb = exact(base) & (COMMAND | CREATE | TOUCH | BEHAVE | NOUNISH | GENERIC);
    if verb & (COMMAND | TOUCH | BEHAVE) == 0 { 0 } else { verb | INFLECTED }
}

fn exact(word: &str) -> Classes {
    static WORDS: LazyLock<Vec<(&str, Classes)>> = LazyLock::new(|| {
        let words = LEXICON.iter().flat_map(|(class, list)| list.split_ascii_whitespace().map(|word| (word, *class)));
        let mut words: Vec<_> = words.collect();
        words.sort_unstable();
        words
    });
    let from = WORDS.partition_point(|(known, _)| *known < word);
    WORDS.iter().skip(from).take_while(|(known, _)| *known == word).fold(0, |classes, (_, class)| classes | class)
}

/// What a verb may be without its ending: `adds`, `adding`, `removed`, `swapping`, `copies`.
fn base_forms(word: &str) -> Vec<String> {
    let mut forms = Vec::new();
    if let Some(stem) = word.strip_suffix("ies") {
        forms.push(format!("{stem}y"));
    } else if let Some(stem) = word.strip_suffix('s') {
        forms.push(stem.to_owned());
        forms.extend(stem.strip_suffix('e').map(str::to_owned));
    } else if let Some(stem) = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed")) {
        forms.push(stem.to_owned());
        forms.push(format!("{stem}e"));
        let last = stem.chars().next_back().unwrap_or(' ');
        forms.extend(stem.strip_suffix(last).filter(|short| short.ends_with(last)).map(str::to_owned));
    }
    forms
}

const LEXICON: &[(Classes, &str)] = &[
    (ADD | CREATE, "build create make design develop code program generate craft scaffold prototype write draft"),
    (
        ADD,
        "add insert include append prepend introduce implement attach embed integrate install incorporate place put \
         throw drop have give duplicate clone upload sprinkle toss",
    ),
    (ENABLE, "let allow enable support permit"),
    (
        MODIFY,
        "change modify refine restyle rename replace swap convert transform improve tweak adjust increase decrease \
         reduce shrink enlarge shorten lengthen rewrite reword rephrase translate reorder rearrange align realign \
         recolor recolour redesign polish simplify tighten lower raise widen narrow darken lighten soften merge \
         combine reverse relocate resize rework revise alter edit update upgrade modernize modernise reformat \
         restructure reorganize reorganise refactor migrate shift expand extend collapse adapt bump boost brighten \
         condense rotate scale substitute unify vary tidy pick choose localize localise emphasize emphasise disable \
         hide unhide center centre stretch trim invert flip exchange optimize optimise animate streamline double \
         halve triple name call connect hook link sort group limit order set use turn switch put move bring push \
         highlight round split capitalize indent style show display format position pin anchor fade blur bold \
         underline shade tint color colour theme make standardize standardise clean tone default validate paginate \
         sharpen freshen redo rebrand retitle loosen grey gray colorize cap point rebuild recreate rewire increase",
    ),
    (FIX, "fix repair debug resolve solve correct patch troubleshoot unbreak"),
    (
        REMOVE,
        "remove delete drop kill cut ditch scrap strip eliminate erase trash axe nuke discard bin omit exclude purge \
         dump banish scratch",
    ),
    (KEEP, "keep leave preserve retain maintain protect"),
    (
        GENERIC,
        "make improve change modify tweak adjust update polish refine edit set use upgrade give have put do help get",
    ),
    (
        TOUCH,
        "touch break alter mess affect disturb edit lose rename move delete remove change convert modify replace \
         overwrite drop hide restyle redesign rewrite shift swap turn update reorder merge ruin",
    ),
    (
        BEHAVE,
        "open show go link jump scroll cover say display return render load redirect take submit close appear \
         come arrive play send lead reload float sit hang land start look sound reset loop navigate read print trigger \
         click stick collapse expand count calculate refresh wrap spill bounce spin ignore accept keep give run add \
         remove delete work need forget show jump",
    ),
    (
        NOUNISH,
        "sort filter search display design use show update change cut drop link set split center centre order \
         highlight group limit style format place position load point round cap scale theme trim shade code draft \
         support float pin switch turn put move edit upgrade blur fade color colour program call name flip double \
         hook shift boost swap have default lower narrow tone look start open close play count return wrap bold \
         correct read print fire click extend",
    ),
    (
        BROKEN,
        "broken broke breaks bug bugs buggy crash crashes crashed crashing fails failed failing fail failure error \
         errors exception throws throwing threw freezes frozen freezing stuck hangs glitch glitchy glitches wrong \
         wrongly incorrect incorrectly misaligned overlap overlaps overlapping overflow overflows overflowing \
         disappear disappears disappeared vanish vanishes vanished invisible unreadable unclickable unresponsive \
         flicker flickers flickering laggy nan undefined null 404 500 uncaught unhandled garbled squished squashed \
         blurry blank offscreen typo typos misspelled dead infinite leaks corrupted mangled inaccessible missing lost \
         loses forgets distorted pixelated truncated clipped unstyled illegible stretched unusable backwards stopped \
         stutters jumpy lags lag lagging rejected twice reappears greyed grayed duplicated gap misspelt slow empty",
    ),
    (
        NEGATED,
        "doesnt dont wont cant isnt arent cannot didnt hasnt havent werent wasnt couldnt never aint doenst not no",
    ),
    (MODAL, "should must needs need could ought shall may can would will"),
    (INDEFINITE, "a an"),
    (DEFINITE, "the teh this that these those my our your its their his her every each all both whole only same"),
    (
        PRONOUN,
        "it its they them that this these those he she which both each itself theyre thats everything i we you im \
         me us youre were",
    ),
    (
        PREPOSITION,
        "with for that which where who whose showing saying including like about so having from when using containing \
         as such featuring listing displaying linking inside in on at to of by into onto under below above between \
         after before beside next near over across behind through during without within because if while until per via \
         based called titled labeled labelled toward towards against unless since instead than off out up down",
    ),
    (CONDITION, "when if while after before once whenever because since until unless although though as whereas"),
    (
        FILLER,
        "please pls plz also then now next just maybe finally firstly secondly thirdly first ok okay so well hey hi \
         hello oh and but still actually btw again kindly quickly simply lastly lol haha jk um uh hmm yes yeah yep \
         plus additionally furthermore moreover besides otherwise perhaps ah alright sure too honestly basically \
         obviously ideally today great anyway thanks thx however possibly really definitely somehow apparently \
         currently lots gladly porfa anyways very quite kinda bit lot",
    ),
    (
        CHAT,
        "hi hello hey thanks thank thx ty cheers morning evening afternoon greetings yo sup bye goodbye awesome great \
         nice cool perfect love lol haha wow amazing super hallo hola",
    ),
    (
        APP,
        "app application site website webapp webpage homepage page game dashboard store shop portfolio blog tracker \
         planner timer calculator platform clone generator quiz project tool prototype mvp saas portal marketplace \
         converter editor journal diary kanban wiki forum crm cms player organizer scheduler simulator visualizer \
         splitter stopwatch messenger metronome puzzle notebook cookbook roller one",
    ),
    (
        STYLE,
        "look feel color colors colour colours theme vibe vibes styling font fonts design tone palette aesthetic \
         aesthetics accents accent typography mood atmosphere background shadow shadows corners spacing space padding \
         margin margins contrast gradient whitespace language wording shades texture animation animations visuals \
         character feeling humor humour copy texts text size sizes style border red blue green black white pink purple \
         yellow orange",
    ),
    (
        COMPARATIVE,
        "more less bigger smaller larger darker lighter brighter bolder shorter longer wider narrower taller thinner \
         thicker softer louder calmer cleaner simpler clearer warmer colder cooler faster slower higher lower stronger \
         rounder tighter friendlier funnier livelier sharper quieter fewer cheaper easier closer further deeper richer \
         subtler smoother busier nicer better wilder",
    ),
    (
        VAGUE,
        "better nicer good great cool awesome amazing beautiful pretty prettier perfect improved nice best wow fancier \
         right properly correctly pop shine different interesting lovely fine stunning fantastic super epic fun ok okay \
         again impressive attractive appealing professional snazzy work works working proper special magic weird off \
         more less wrong broken cooler here there way anymore any kind sort",
    ),
    (
        ANYTHING,
        "everything something anything nothing thing things stuff all site website app apps page project design look ui \
         ux whole place some bit bits game issue issues problem problems bug bugs error errors layout part parts one \
         details touches following changes wishes help vibe feel idea feature time do does did done make",
    ),
    (
        UNIT,
        "second seconds minute minutes hour hours day days week weeks month months year years px pixels pixel percent \
         columns column cols col rows row wide pm am stars star rem em characters chars letters words times mb kb gb ms \
         dollars dollar euros euro eur usd bucks cents steps degrees levels points people persons users kilos kg km \
         miles meters metres sec secs min mins hrs digits decimals oclock fold way sizes x clicks minutes things years",
    ),
    (
        LIMIT,
        "max maximum most least min minimum than under over above below within every top per limit version step task \
         phase level number no nr page chapter item figure option upto until around tier day week line since year age \
         size height width last first at",
    ),
    (EXISTING, "existing current present original old already other others previous remaining rest"),
    (NEW, "new more additional extra another further"),
    (
        PERSON,
        "sister brother boss client friend friends wife husband mom mum dad mother father company team customer \
         customers people girlfriend boyfriend colleague manager daughter son kids partner investor user users i we you \
         she he they somebody someone visitors visitor guests guest designer nobody",
    ),
    (
        QUESTION,
        "what which who whom whose where when how is are do does did should would have has was were am any shall will \
         can could whats hows why",
    ),
    (SHARE, "some few several half part most couple bunch certain handful portion pair third quarter"),
    (COPULA, "is are looks look feels feel seems seem sounds sound was were gets get im be been being has have had"),
    (COPY, "text copy quote says saying slogan tagline wording caption message testimonial headline title"),
    (ORDINAL, "second third fourth fifth sixth seventh eighth ninth tenth"),
    (
        STEERING,
        "instruction instructions prompt parser json mutation bugfix requirements classifier output jailbreak llm gpt \
         type:",
    ),
    (AND, "and plus & + n"),
    (
        TRAIT,
        "big bold small large modern clean simple minimal minimalist minimalistic dark light bright colorful colourful \
         playful elegant warm cozy cosy friendly serious fancy short long soft round rounded responsive transparent calm \
         quiet loud fresh retro vintage rustic sleek mobile mobile-first first only earthy pastel neon moody",
    ),
    (FINE, "fine good great perfect ok okay nice lovely right awesome beautiful"),
];

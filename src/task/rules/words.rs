//! The word lists of the rules. Words are lower-case and without apostrophes; verbs are in their base form, and [`classes`]
//! recognises their other forms. A bar separates phrases.

use std::sync::LazyLock;

/// A set of word classes, one bit each.
pub(super) type Classes = u32;

pub(super) const ADD: Classes = 1;
/// Makes a new app as well as a part of one; always with [`ADD`].
pub(super) const CREATE: Classes = 1 << 1;
pub(super) const MODIFY: Classes = 1 << 2;
pub(super) const FIX: Classes = 1 << 3;
pub(super) const REMOVE: Classes = 1 << 4;
pub(super) const KEEP: Classes = 1 << 5;
/// Describes what a part of a page does: "opens".
pub(super) const BEHAVE: Classes = 1 << 6;
/// A verb that is also a common noun: "filter".
pub(super) const NOUNISH: Classes = 1 << 7;
/// A verb in another form than its base form.
pub(super) const INFLECTED: Classes = 1 << 8;
/// Describes a defect.
pub(super) const BROKEN: Classes = 1 << 9;
pub(super) const NEGATED: Classes = 1 << 10;
pub(super) const MODAL: Classes = 1 << 11;
pub(super) const INDEFINITE: Classes = 1 << 12;
pub(super) const DEFINITE: Classes = 1 << 13;
pub(super) const PRONOUN: Classes = 1 << 14;
pub(super) const PREPOSITION: Classes = 1 << 15;
/// Starts a subordinate clause.
pub(super) const CONDITION: Classes = 1 << 16;
/// Adds nothing at the start of a clause.
pub(super) const FILLER: Classes = 1 << 17;
/// A noun for a complete app.
pub(super) const APP: Classes = 1 << 18;
/// How things look or read: not countable.
pub(super) const STYLE: Classes = 1 << 19;
pub(super) const COMPARATIVE: Classes = 1 << 20;
/// A word that names no specific thing, place or change.
pub(super) const VAGUE: Classes = 1 << 21;
/// Measured, not counted: "seconds".
pub(super) const UNIT: Classes = 1 << 22;
/// Turns the number after it into a limit or a rank.
pub(super) const LIMIT: Classes = 1 << 23;
pub(super) const EXISTING: Classes = 1 << 24;
pub(super) const NEW: Classes = 1 << 25;
pub(super) const QUESTION: Classes = 1 << 26;
/// "some", "half": an unspecified part of something.
pub(super) const SHARE: Classes = 1 << 27;
pub(super) const COPULA: Classes = 1 << 28;
/// A noun for text that is shown, which can follow after a colon.
pub(super) const COPY: Classes = 1 << 29;
pub(super) const ORDINAL: Classes = 1 << 30;
/// "and" and its short forms.
pub(super) const AND: Classes = 1 << 31;

/// Any verb that requests work.
pub(super) const COMMAND: Classes = ADD | MODIFY | FIX | REMOVE | KEEP;
/// Starts a noun phrase.
pub(super) const ARTICLE: Classes = DEFINITE | INDEFINITE;
/// Words that do not say what a clause is about.
pub(super) const FUNCTION: Classes = NEGATED
    | MODAL
    | ARTICLE
    | PRONOUN
    | PREPOSITION
    | CONDITION
    | FILLER
    | VAGUE
    | QUESTION
    | SHARE
    | COPULA
    | AND
    | COMPARATIVE;

/// The classes of a normalised word.
pub(super) fn classes(word: &str) -> Classes {
    let exact = exact(word);
    if exact & (COMMAND | BEHAVE) != 0 || word.len() < 4 {
        return exact;
    }
    let verb = base_forms(word).iter().map(|base| exact_verb(base)).find(|verb| *verb != 0);
    exact | verb.map_or(0, |verb| verb | INFLECTED)
}

fn exact_verb(base: &str) -> Classes {
    let verb = exact(base);
    if verb & (COMMAND | BEHAVE) == 0 { 0 } else { verb & (COMMAND | CREATE | BEHAVE | NOUNISH) }
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
    if let Some(stem) = word.strip_suffix("ies") {
        return vec![format!("{stem}y")];
    }
    if let Some(stem) = word.strip_suffix('s') {
        return std::iter::once(stem).chain(stem.strip_suffix('e')).map(str::to_owned).collect();
    }
    let Some(stem) = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed")) else { return Vec::new() };
    let last = stem.chars().next_back().unwrap_or(' ');
    let undoubled = stem.strip_suffix(last).filter(|short| short.ends_with(last)).map(str::to_owned);
    [stem.to_owned(), format!("{stem}e")].into_iter().chain(undoubled).collect()
}

#[rustfmt::skip]
const LEXICON: &[(Classes, &str)] = &[
    (ADD | CREATE, "build create make design develop code program generate craft scaffold prototype write draft"),
    (ADD, "add insert include append prepend introduce implement attach embed integrate install incorporate place put \
        throw drop have give duplicate clone upload let allow enable support permit"),
    (MODIFY, "change modify refine restyle rename replace swap convert transform improve tweak adjust increase decrease \
        reduce shrink enlarge shorten lengthen rewrite reword rephrase translate reorder rearrange align recolor recolour \
        redesign polish simplify tighten lower raise widen narrow darken lighten soften merge combine reverse relocate resize \
        rework revise alter edit update upgrade modernize modernise reformat restructure reorganize reorganise refactor \
        migrate shift expand extend grow collapse adapt bump boost brighten condense rotate scale substitute unify vary tidy pick \
        choose localize localise emphasize emphasise disable hide unhide center centre stretch trim invert flip exchange \
        optimize optimise animate streamline double halve triple name call connect hook link sort group limit order set use \
        turn switch put move bring push highlight round split capitalize indent style show display format position pin \
        anchor fade blur bold underline shade tint color colour theme make standardize standardise clean tone default \
        validate paginate sharpen freshen redo rebrand retitle loosen grey gray cap point rebuild recreate rewire \
        undo revert restore stop deploy publish mark secure speed compress minify encrypt lint debounce protect"),
    (FIX, "fix repair debug resolve solve correct patch troubleshoot"),
    (REMOVE, "remove delete drop kill cut ditch scrap strip eliminate erase trash axe nuke discard bin omit exclude purge dump"),
    (KEEP, "keep leave preserve retain maintain"),
    (BEHAVE, "open show go link jump scroll cover say display return render load redirect take submit close appear come \
        arrive play send reload float hang land start look sound reset loop navigate read print trigger click stick collapse \
        expand count calculate refresh wrap spill bounce spin ignore accept keep give run add remove delete work forget \
        touch mess affect lose let allow"),
    (NOUNISH, "sort filter search display design use show update change cut drop link set split center centre order \
        highlight group limit style format place position load point round cap scale theme trim shade code draft support \
        float pin switch turn put move edit upgrade blur fade color colour program call name flip double hook shift boost \
        swap have default lower narrow tone look start open close play count return wrap bold correct read print click extend mark speed restore deploy"),
    (BROKEN, "broken broke breaks bug bugs buggy crash crashes crashed crashing fails failed failing fail failure error \
        errors exception throws throwing threw freezes frozen freezing stuck hangs glitch glitchy wrong wrongly incorrect \
        incorrectly misaligned overlap overlaps overlapping overflow overflows overflowing disappear disappears disappeared \
        vanish vanishes vanished invisible unreadable unclickable unresponsive flicker flickers flickering laggy nan undefined \
        null 404 500 uncaught unhandled garbled squished squashed blurry offscreen typo typos misspelled dead leaks corrupted \
        missing lost loses forgets distorted pixelated truncated clipped illegible stretched unusable backwards stopped jumpy \
        lags lag still rejected twice reappears greyed duplicated gap slow empty"),
    (NEGATED, "doesnt dont wont cant isnt arent cannot didnt hasnt havent werent wasnt couldnt never aint not no"),
    (MODAL, "should must needs need could ought shall may can would will"),
    (INDEFINITE, "a an"),
    (DEFINITE, "the teh this that these those my our your its their his her every each all both whole only same"),
    (PRONOUN, "it its they them that this these those he she which both each itself theyre thats everything i we you im \
        me us youre were"),
    (PREPOSITION, "with for that which where who whose showing saying including like about so having from when using \
        containing as such featuring listing displaying linking inside in on at to of by into onto under below above between \
        after before beside next near over across behind through during without within because if while until per via based \
        called titled labeled labelled toward towards against unless since instead than off out up down"),
    (CONDITION, "when if while after before once whenever because since until unless although though as"),
    (FILLER, "please pls plz also then now next just maybe finally firstly secondly thirdly first ok okay so well hey hi \
        hello oh and but still actually btw again kindly quickly simply lastly lol haha jk um uh hmm yes yeah yep plus \
        additionally furthermore moreover besides otherwise perhaps ah alright sure too honestly basically obviously ideally \
        today great anyway thanks thx however possibly really definitely somehow apparently currently lots anyways very \
        quite kinda bit lot thank cheers morning evening greetings bye love wow"),
    (APP, "app application site website webapp webpage homepage page game dashboard store shop portfolio blog tracker \
        planner timer calculator platform clone generator quiz project tool prototype mvp saas portal marketplace converter \
        editor journal diary kanban wiki forum crm cms player organizer scheduler simulator visualizer splitter stopwatch \
        messenger puzzle notebook cookbook"),
    (STYLE, "look feel color colors colour colours theme vibe vibes styling font fonts design tone palette aesthetic accents \
        accent typography mood atmosphere background shadow shadows corners spacing space padding margin margins contrast \
        gradient whitespace language wording shades texture animation animations visuals character feeling humor humour copy \
        texts text size sizes style border red blue green black white pink purple yellow orange big bold small large modern \
        clean simple minimal minimalist minimalistic dark light bright colorful colourful playful elegant warm cozy friendly \
        serious fancy short long soft round rounded responsive transparent calm quiet retro vintage rustic sleek mobile \
        earthy pastel neon moody"),
    (COMPARATIVE, "more less bigger smaller larger darker lighter brighter bolder shorter longer wider narrower taller \
        thinner thicker softer louder calmer cleaner simpler clearer warmer colder cooler faster slower higher lower stronger \
        rounder tighter friendlier funnier sharper quieter fewer cheaper easier closer deeper richer subtler smoother busier \
        nicer better"),
    (VAGUE, "make improve change modify tweak adjust update polish refine edit set use upgrade give have put do help get \
        better nicer good great cool awesome amazing beautiful pretty prettier perfect improved nice best fancier right \
        properly correctly pop shine different interesting lovely fine stunning fantastic super epic fun again impressive \
        attractive professional snazzy work works working proper special magic weird off wrong broken here there way anymore \
        any kind sort everything something anything nothing thing things stuff site website app apps page project design look \
        ui ux place bits game issue issues problem problems bug bugs error errors layout part parts one details touches \
        following changes stop vibe feel idea feature time does did done instructions prompt parser output"),
    (UNIT, "second seconds minute minutes hour hours day days week weeks month months year years px pixels pixel percent \
        columns column cols col rows row wide pm am stars star rem em characters chars letters words times mb kb gb ms \
        dollars dollar euros euro eur usd bucks cents steps degrees levels points people persons users kilos kg km miles \
        meters metres sec secs min mins hrs digits decimals oclock fold way sizes x clicks things"),
    (LIMIT, "max maximum most least min minimum than under over above below within every top per limit version step task \
        phase level number no nr page chapter item figure option upto until around tier day week line since year age size \
        height width last first at"),
    (EXISTING, "existing current present original old already other others previous remaining rest"),
    (NEW, "new more additional extra another further"),
    (QUESTION, "what which who whom whose where when how is are do does did should would have has was were am any shall \
        will can could whats hows why"),
    (SHARE, "some few several half part most couple bunch certain handful portion pair third quarter"),
    (COPULA, "is are looks look feels feel seems seem sounds sound was were gets get im be been being has have had"),
    (COPY, "text copy quote says saying slogan tagline wording caption message testimonial headline title"),
    (ORDINAL, "second third fourth fifth sixth seventh eighth ninth tenth"),
    (AND, "and plus & + n"),
];

/// Lead-ins of a request: a verb follows.
pub(super) const REQUESTS: &str = "can you|could you|would you mind|would you|will you|can u|could u|can we|could we|\
    i want you to|i would like you to|i need you to|id like you to|i want to be able to|i want to|we want to|\
    i would like to|i would love to|id like to|id love to|we would like to|i need to|we need to|we should|you should|\
    you must|you can|you could|lets|let us|remember to|make sure to|make sure that|make sure|ensure that|ensure|go ahead and|try to|\
    help me to|help me|it would be great if you could|it would be nice if you could|would it be possible to|\
    is it possible to|it would be great to|it would be nice to|i think we should|by the way|while youre at it|\
    while you are at it|when you are in there|want to|need to|able to|put together";
/// Lead-ins of a wish: a thing follows.
pub(super) const WISHES: &str = "can we have|can we get|could we have|could we get|can i have|can i get|could i get|\
    i want to have|i would like to have|id like to have|id love to have|we need to have|i also want|i also need|\
    we also need|what we do need is|what i want is|what we need is|all i want is|i really want|i really need|i want|\
    we want|i need|we need|i would like|id like|we would like|wed like|i would love|id love|id prefer|how about|\
    what about|you need|there should be|there needs to be|there must be|there has to be|we could use|\
    it would be nice to have|it would be great to have|it needs|it should have|it must have|must have|should have|\
    looking for|they want|he also wants|she also wants|need|want";
/// The present app is given up, in a command: "start over", "let's restart".
pub(super) const RESTART_COMMANDS: &str = "start over|starting over|start all over|start again|start anew|\
    start afresh|start fresh|start from scratch|start from the beginning|begin again|begin anew|begin afresh|\
    begin from the beginning|do over|restart|wipe it|wipe the project|build something new|make something new|\
    create something new|want something new|rebuild everything from scratch|redo everything from scratch";
/// With a verb that removes: the present app.
pub(super) const WHOLE: &str = "everything we have|everything so far|all of this|all this|all of it|all of that|\
    all that|it all|everything|the whole thing|the whole project|the whole app|the whole site";
/// The present app is given up.
pub(super) const RESTARTS: &str = "restart the app|restart the project|restart the site|restart the whole thing|\
    clean slate|new project|different project|another project|something else|something different|completely different|\
    different app|another app|entirely new|brand new app|brand new site|scratch that|scratch this";
/// The user has not decided.
pub(super) const UNDECIDED: &str = "not sure|or maybe|or whatever|whatever looks|dont know|cant decide|add or remove|\
    or we drop|what looks better";
/// Something is unwanted.
pub(super) const GONE: &str = "no longer need|no longer needed|no longer want|nobody needs|nobody wants|no one needs|\
    should be removed|should be deleted|not needed anymore|not needed any more|isnt needed|arent needed|dont need the|\
    do not need the";
/// Commands to remove, beside the verbs.
pub(super) const RID: &str = "get rid of|throw away|throw out|rip out|take out|kick out";
/// The same, unless it says where: "should go", but not "should go to the left".
pub(super) const GOES: &str = "can go|has to go|have to go|must go|should go|needs to go|need to go";
/// Something stays.
pub(super) const STAYS: &str = "untouched|unchanged|hands off|off limits|as is|as they are|as it is|like it is|\
    like they are|the way it is|the way they are|must still|stays|stay|remains|remain|not change|not be changed|\
    not be touched|nothing else|nothing more|everything else|leave it|leave them|without touching|without changing|\
    exactly the same|rest is good|nothing on|is fine|are fine|is perfect|is great";
/// The part of another clause that says what stays.
pub(super) const EXCEPT: &str =
    "without touching|without changing|except|apart from|but keep|nothing else|everything else";
pub(super) const DEFECTS: &str = "nothing happens|does nothing|do nothing|supposed to|should be possible|used to work|\
    no longer works|goes nowhere|go nowhere|stays open|stays blank|stays empty|over and over|no matter|cut off|\
    off screen|by itself|off by|shows nothing|show nothing|see nothing|nothing shows|nothing loads|nothing appears|\
    is blank|are blank|blank page|blank screen|white page|white screen|takes forever|so long|too long|at once|\
    even though|even when|suddenly|somehow";
/// Greetings, thanks and praise.
pub(super) const CHATS: &str = "thank you|thanks|good morning|good job|great job|great work|well done|never mind|\
    nevermind|love it|love the|love how|looks great|looks good|turned out|sorry to|so far|are the best|jk";

//! What words mean to the intake: classes of verbs, nouns and small words.
//!
//! Words are lower-case, without apostrophes and accents, as [`super::token`] writes them. A word may be of several
//! classes. Verbs stand in their base form; [`look_up`] knows their other forms.

use std::sync::LazyLock;

/// A set of classes, one bit each.
pub(super) type Classes = u64;

/// Makes new things.
pub(super) const ADD: Classes = 1;
/// Of those, what one says of a whole app as well.
pub(super) const CREATE: Classes = 1 << 1;
/// Changes existing things.
pub(super) const MODIFY: Classes = 1 << 2;
/// Repairs.
pub(super) const FIX: Classes = 1 << 3;
/// Deletes.
pub(super) const REMOVE: Classes = 1 << 4;
/// Leaves things as they are.
pub(super) const KEEP: Classes = 1 << 5;
/// Lets users do something.
pub(super) const ENABLE: Classes = 1 << 6;
/// Asks for words, not for work.
pub(super) const INFORM: Classes = 1 << 7;
/// Harms; what must not be done to the things that stay.
pub(super) const HARM: Classes = 1 << 8;
/// Describes what a part of a page does.
pub(super) const BEHAVE: Classes = 1 << 9;
/// A verb that is as often a noun.
pub(super) const NOUNISH: Classes = 1 << 10;
/// A verb in another form than its base form.
pub(super) const INFLECTED: Classes = 1 << 11;
/// Says that something is broken.
pub(super) const BROKEN: Classes = 1 << 12;
/// A negated auxiliary.
pub(super) const NEGATED: Classes = 1 << 13;
/// Says what ought to be.
pub(super) const MODAL: Classes = 1 << 14;
/// `a`, `an`.
pub(super) const INDEFINITE: Classes = 1 << 15;
/// `the`, `my`, `these`.
pub(super) const DEFINITE: Classes = 1 << 16;
/// Stands for a thing that was named before.
pub(super) const PRONOUN: Classes = 1 << 17;
/// Opens the details of a thing.
pub(super) const PREPOSITION: Classes = 1 << 18;
/// Opens a condition or a reason.
pub(super) const CONDITION: Classes = 1 << 19;
/// Means nothing for the request.
pub(super) const FILLER: Classes = 1 << 20;
/// A greeting, thanks, applause.
pub(super) const CHAT: Classes = 1 << 21;
/// A noun for a whole app.
pub(super) const APP: Classes = 1 << 22;
/// A noun for a part of an app.
pub(super) const PART: Classes = 1 << 23;
/// A noun for how things look and sound.
pub(super) const STYLE: Classes = 1 << 24;
/// An adjective.
pub(super) const ADJECTIVE: Classes = 1 << 25;
/// An adjective or adverb that compares.
pub(super) const COMPARATIVE: Classes = 1 << 26;
/// An adjective that says nothing specific.
pub(super) const VAGUE: Classes = 1 << 27;
/// A noun that says nothing specific.
pub(super) const ANYTHING: Classes = 1 << 28;
/// What is measured and not counted.
pub(super) const UNIT: Classes = 1 << 29;
/// Makes a number a limit or a rank.
pub(super) const LIMIT: Classes = 1 << 30;
/// Says that something is there already.
pub(super) const EXISTING: Classes = 1 << 31;
/// Says that something is not there yet.
pub(super) const NEW: Classes = 1 << 32;
/// A person.
pub(super) const PERSON: Classes = 1 << 33;
/// Of the harness and of the parser, not of an app.
pub(super) const HARNESS: Classes = 1 << 34;
/// Asks.
pub(super) const INTERROGATIVE: Classes = 1 << 35;
/// `and` in its forms.
pub(super) const AND: Classes = 1 << 36;
/// Orders something of the parser.
pub(super) const STEER: Classes = 1 << 37;
/// Says that something is good.
pub(super) const PRAISE: Classes = 1 << 38;
/// A noun for something that is shown to be read, which follows after a colon.
pub(super) const COPY: Classes = 1 << 39;
/// A verb that makes a rule of what it says: `is`, `looks`.
pub(super) const COPULA: Classes = 1 << 40;
/// Says of a thing that is described so that it is damaged.
pub(super) const DAMAGED: Classes = 1 << 42;
/// A part of something: `some`, `half`.
pub(super) const SHARE: Classes = 1 << 41;

/// Any verb that asks for work.
pub(super) const COMMAND: Classes = ADD | MODIFY | FIX | REMOVE | KEEP | ENABLE;

/// The classes of a word.
pub(super) fn look_up(word: &str) -> Classes {
    if word.is_empty() {
        return 0;
    }
    let exact = exact(word);
    if exact & (COMMAND | BEHAVE | HARM) != 0 || word.len() < 4 {
        return exact;
    }
    let verb = base_forms(word).map(|base| look_up_base(&base)).find(|classes| *classes != 0).unwrap_or(0);
    exact | verb
}

fn look_up_base(base: &str) -> Classes {
    let verb = exact(base) & (COMMAND | BEHAVE | HARM | NOUNISH | CREATE);
    if verb & (COMMAND | BEHAVE | HARM) == 0 { 0 } else { verb | INFLECTED }
}

fn exact(word: &str) -> Classes {
    static WORDS: LazyLock<Vec<(&str, Classes)>> = LazyLock::new(|| {
        let lists = LEXICON.iter();
        let mut words: Vec<(&str, Classes)> =
            lists.flat_map(|(class, words)| words.split_ascii_whitespace().map(|word| (word, *class))).collect();
        words.sort_by(|left, right| left.0.cmp(right.0));
        words
    });
    let from = WORDS.partition_point(|(known, _)| *known < word);
    let equal = WORDS.iter().skip(from).take_while(|(known, _)| *known == word);
    equal.fold(0, |classes, (_, class)| classes | class)
}

/// What a verb may look like without its ending: `adds`, `adding`, `removed`, `swapping`, `copies`.
fn base_forms(word: &str) -> impl Iterator<Item = String> {
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
    forms.into_iter()
}

const LEXICON: &[(Classes, &str)] = &[
    (ADD | CREATE, "build create make design develop code program generate craft scaffold prototype write draft"),
    (
        ADD | CREATE,
        "baue bau erstelle mach mache schreibe cree creer fais fabrique construis crea crear haz \
                    construye",
    ),
    (
        ADD,
        "add insert include append prepend introduce implement attach embed integrate install incorporate place \
         put throw sprinkle toss drop have give duplicate clone upload fuge erganze setze ajoute ajouter mets \
         insere anade agrega agregar pon incluye",
    ),
    (ENABLE, "let allow enable support permit"),
    (
        MODIFY,
        "change modify refine restyle rename replace swap convert transform improve tweak adjust increase \
         decrease reduce shrink enlarge shorten lengthen rewrite reword rephrase translate reorder rearrange \
         align realign recolor recolour redesign polish simplify tighten lower raise widen narrow darken lighten \
         soften merge combine reverse relocate resize rework revise alter edit update upgrade modernize \
         modernise reformat restructure reorganize reorganise refactor migrate shift expand extend collapse \
         adapt bump boost brighten condense rotate scale substitute unify vary tidy pick choose select localize \
         localise emphasize emphasise disable hide unhide center centre stretch trim invert flip exchange \
         optimize optimise animate personalize personalise streamline double halve triple quadruple call name \
         connect wire hook link sort group limit order set use turn switch put move bring push pull point \
         highlight round split cap justify indent style show display format position float stick pin anchor fade \
         blur bold capitalize underline shade paint tint color colour theme make place standardize standardise \
         spice jazz clean tone cut enable prefill default validate paginate pluralize sharpen freshen redo \
         rebrand retitle andere anderung ersetze verschiebe vereinfache ubersetze benenne modifie modifier \
         remplace deplace renomme traduis cambia cambiar modifica reemplaza mueve renombra traduce",
    ),
    (
        FIX,
        "fix repair debug resolve solve correct patch troubleshoot unbreak repariere behebe korrigiere corrige \
         corriger repare reparer arregla arreglar repara",
    ),
    (
        REMOVE,
        "remove delete drop kill cut ditch scrap strip eliminate erase trash axe nuke discard lose bin omit \
         exclude purge dump banish scratch entferne losche streiche supprime supprimer enleve retire elimina \
         eliminar quita borra",
    ),
    (KEEP, "keep leave preserve retain maintain protect behalte lass garde garder laisse manten deja conserva"),
    (
        INFORM,
        "explain tell describe summarize summarise suggest recommend advise teach list compare estimate answer \
         review brainstorm say think know wonder guess discuss",
    ),
    (
        HARM,
        "touch break alter mess affect disturb edit lose rename move delete remove change convert modify replace \
         overwrite drop hide toques toca tocar cambies cambiar quites touche touchez toucher touchen andern \
         anfassen verandern modifies restyle redesign rewrite shift swap turn update reorder merge ruin",
    ),
    (
        BEHAVE,
        "open show go link jump scroll cover point say display return render load redirect take submit close \
         appear come arrive take play send lead reload float sit hang land start look sound reset loop navigate read print \
         give fire trigger click stick collapse expand count calculate refresh wrap spill bounce spin ignore \
         accept let",
    ),
    (
        NOUNISH,
        "sort filter search display design use show update change cut drop link set split center centre list \
         order highlight group limit style format place position load point round cap scale theme trim shade \
         code draft support float pin switch turn put move edit upgrade blur fade border plan color colour paint \
         program write call name flip double review answer hook shift boost swap have default fix lower narrow \
         tone say look start open close play count return wrap bold correct read print fire click",
    ),
    (
        BROKEN,
        "broken broke breaks bug bugs buggy crash crashes crashed crashing fails failed failing fail failure \
         error errors exception throws throwing threw freezes frozen freezing stuck hangs glitch glitchy \
         glitches glitching wrong wrongly incorrect incorrectly misaligned overlap overlaps overlapping overflow \
         overflows overflowing disappear disappears disappeared vanish vanishes vanished invisible unreadable \
         unclickable unresponsive flicker flickers flickering laggy nan undefined null 404 500 typeerror \
         referenceerror syntaxerror uncaught unhandled garbled squished squashed blurry blank offscreen typo \
         typos misspelled misspelt dead infinite leaks corrupted mangled kaputt defekt fehler geht funktioniert \
         casse marche plante roto falla funciona inaccessible missing lost loses forgets distorted pixelated \
         truncated clipped unstyled illegible stretched unusable backwards stopped stutters stuttering jumpy \
         lags",
    ),
    (
        NEGATED,
        "doesnt dont wont cant isnt arent cannot didnt hasnt havent werent wasnt couldnt never aint nicht kein \
         doenst doesn",
    ),
    (MODAL, "should must needs need could ought shall may can would will soll sollte muss doit debe"),
    (INDEFINITE, "a an un une dune dun ein eine einen einem una uno unos unas des"),
    (
        DEFINITE,
        "the this that these those my our your its their his her every each all both le la les l ce cette mon ma \
         mes der die das den dem mein meine unsere el los las mi mis nuestro nuestra todos everyones whole only \
         same",
    ),
    (PRONOUN, "it its they them that this these those he she which both each one itself theyre thats everything"),
    (
        PREPOSITION,
        "with for that which where who whose showing saying including like about so has having from when using \
         containing as such featuring listing displaying linking leading inside in on at to of by into under \
         below above between after before beside next near over across behind through during without within \
         because if while until mit fur avec pour con para sur dans auf im en de du von instead than per via \
         based reading named called titled labeled labelled offering toward towards against among unless since \
         asking letting explaining describing",
    ),
    (
        CONDITION,
        "when if while after before once whenever because since until unless although though as whereas wenn \
         quand cuando",
    ),
    (
        FILLER,
        "please pls plz also then now next just maybe finally firstly secondly thirdly ok okay so well hey hi \
         hello oh and but still actually btw again kindly quickly simply lastly lol haha jk um uh hmm yes yeah \
         yep nope plus additionally furthermore moreover afterwards besides otherwise perhaps ah alright sure \
         bitte auch merci por favor tambien too honestly basically obviously ideally today cool great right \
         anyway alternatively thanks thx however porfa possibly really definitely somehow suddenly apparently \
         currently",
    ),
    (
        CHAT,
        "hi hello hey thanks thank thx ty cheers morning evening afternoon greetings yo sup bye goodbye hallo \
         bonjour salut hola merci danke gracias awesome great nice cool perfect love lol haha wow amazing super",
    ),
    (
        APP,
        "app application site website webapp webpage homepage page game dashboard store shop portfolio blog \
         tracker planner timer calculator platform clone generator quiz project tool prototype mvp saas portal \
         marketplace converter editor journal diary todo kanban wiki forum landing landingpage webseite seite \
         boutique tienda sitio pagina aplicacion crm cms player organizer scheduler simulator visualizer viewer \
         splitter counter one something stopwatch clock chat messenger alarm metronome countdown piano synth \
         drum map survey poll scoreboard leaderboard feed gallery puzzle emulator whiteboard notepad notebook \
         cookbook spreadsheet form",
    ),
    (
        PART,
        "section page form button card tab menu modal popup banner footer header navbar sidebar hero list table \
         grid chart filter search field dropdown toggle slider carousel gallery map widget block panel badge \
         icon image picture photo video link text headline heading title subtitle paragraph logo accordion \
         tooltip step screen view component nav navigation row column item entry box bar input checkbox avatar \
         background copy layout drawer dialog counter quote",
    ),
    (
        STYLE,
        "look feel color colors colour colours theme vibe vibes style styling font fonts design tone palette \
         aesthetic aesthetics accents accent typography mood atmosphere background backgrounds shadow shadows \
         corners spacing space padding margin margins contrast gradient gradients whitespace layout language \
         wording border borders shades tones texture textures animation animations visuals touch character \
         feeling letters focus humor humour",
    ),
    (
        ADJECTIVE,
        "big bold small large modern clean simple minimal minimalist minimalistic dark light bright colorful \
         colourful playful elegant warm cozy cosy friendly professional serious fancy short long red blue green \
         yellow orange purple pink black white grey gray brown teal navy golden silver soft round rounded sharp \
         responsive sticky clickable bolder italic centered centred transparent calm quiet loud fresh retro \
         vintage rustic sleek crisp wide tall narrow thin thick full mobile interactive animated collapsible \
         editable readable accessible seasonal casual formal visible uppercase lowercase funny cute industrial \
         futuristic generic nice pretty beautiful little tiny huge smooth subtle daily weekly monthly yearly \
         quick easy fast",
    ),
    (
        COMPARATIVE,
        "more less bigger smaller larger darker lighter brighter bolder shorter longer wider narrower taller \
         thinner thicker softer louder calmer cleaner simpler clearer warmer colder cooler faster slower higher \
         lower stronger rounder tighter friendlier funnier livelier nicer better sharper quieter fewer cheaper \
         easier fancier closer further bluer greener redder deeper richer subtler bulkier older younger newer \
         different smoother busier",
    ),
    (
        VAGUE,
        "better nicer good great cool awesome amazing beautiful pretty prettier perfect improved nice best sexy \
         sexier wow fancier right properly correctly pop shine sense different interesting lovely fine stunning \
         fantastic super dope epic fun ok okay again impressive attractive appealing professional cooler snazzy \
         work proper special",
    ),
    (
        ANYTHING,
        "it this that everything something anything thing things stuff all site website app page project design \
         look ui ux code whole place some bit bits work game issue issues problem problems bug bugs error errors \
         them mess layout thingy part parts one way feeling fixes improvements changes tweaks magic touches \
         details",
    ),
    (
        UNIT,
        "second seconds minute minutes hour hours day days week weeks month months year years px pixels pixel \
         percent columns column cols col rows wide pm am stars star rem em characters chars letters words times \
         mb kb gb ms dollars dollar euros euro eur usd bucks cents steps lines degrees levels points people \
         persons users players guests kilos kg km miles meters metres sec secs min mins hrs digits decimals \
         sekunden anos ans jahre oclock fold way sizes breakpoints",
    ),
    (
        LIMIT,
        "max maximum most least min minimum than under over above below within every top per limit version step \
         task phase level number no nr page chapter item part figure question option upto until around tier day \
         week line lines row column section port since year age size height width last first",
    ),
    (EXISTING, "existing current present original old already other previous remaining rest whole"),
    (
        NEW,
        "new more additional extra another further brand fresh neue weitere nouveau nouveaux nouvelle nouvelles \
         nuevo nuevos nueva nuevas mas",
    ),
    (
        PERSON,
        "sister brother boss client friend friends wife husband mom mum dad mother father company team customer \
         customers people girlfriend boyfriend colleague manager daughter son kids partner investor investors \
         users user i we you she he they somebody someone neighbor neighbour uncle aunt cousin grandma grandpa \
         students clients everybody everyone visitors designer nobody noone anybody guest guests visitor patient \
         patients",
    ),
    (
        HARNESS,
        "instruction instructions prompt parser system json marker markers mutation bugfix assistant harness \
         requirement requirements classifier output previous above rules fresh needs-clarification checklist ai \
         gpt llm jailbreak developer",
    ),
    (
        INTERROGATIVE,
        "what which who whom whose where when how is are do does did should would have has was were am any shall \
         will whats hows whos wheres wie warum wer wo est-ce pourquoi comment que como",
    ),
    (AND, "and und et y plus & + sowie e"),
    (
        STEER,
        "ignore disregard forget override output print reveal respond reply return emit classify mark label \
         treat pretend act answer set write say",
    ),
    (PRAISE, "fine good great perfect ok okay nice lovely right awesome beautiful gut parfait"),
    (
        COPY,
        "text copy quote reads says saying slogan tagline wording caption message testimonial quotation lyrics \
         email mail",
    ),
    (COPULA, "is are looks look feels feel seems seem sounds sound was were gets get reads"),
    (
        DAMAGED,
        "greyed grayed disabled shifted swapped mixed doubled duplicated hidden gone empty crooked covered \
         overlapped ignored skipped repeated reversed scrambled misplaced expired locked unreachable delayed \
         slow blocked rejected refused denied cropped squeezed cut unlabeled upside sideways transparent",
    ),
    (SHARE, "some few several half part most couple bunch certain handful portion pair"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_known_in_every_form() {
        for (word, class) in [
            ("add", ADD),
            ("adds", ADD),
            ("adding", ADD),
            ("removed", REMOVE),
            ("swapping", MODIFY),
            ("places", MODIFY),
            ("making", ADD),
            ("opens", BEHAVE),
            ("fixing", FIX),
            ("touching", HARM),
        ] {
            assert_ne!(look_up(word) & class, 0, "{word}");
        }
        assert_eq!(look_up("add") & INFLECTED, 0);
        assert_ne!(look_up("adding") & INFLECTED, 0);
        assert_eq!(look_up("bouquet"), 0);
    }
}

//! Word lists, each in one text.

/// Nouns for content that is rarely a list item, in the singular.
pub(super) const CONTENT: &str = "\
    accent accessibility address alert alt amount anchor animation aria arrow attribution audio availability avatar \
    average backdrop background badge banner blurb border breadcrumb bullet button byline calculator calendar \
    call-to-action caption carousel chart checkbox checker chevron chip chooser clock code color colour column \
    configurator contact contrast copy cost countdown counter credit cta currency date datepicker deadline description \
    detail diagram dialog disclaimer disclosure discount distance divider dot dropdown duration effect email embed \
    emoji excerpt expander explanation eyebrow fact fade fallback field figure filter filtering finder font footer \
    footnote form frame gap gradient graph greeting grid hashtag header heading headline highlight hint hour hover \
    icon iframe illustration image indicator info information input intro introduction invitation keyboard kicker kpi \
    label layout lead legend level lightbox line link loader logo mail map margin marker maximum message metadata \
    metric minimum modal mode motion motto navigation newsletter note notice number numbering option order ordering \
    outline overlay padding pagination paragraph parallax pattern percentage phone photo picker picture pill \
    placeholder player popup preamble preview price pricing progress proof qr quantity rating reminder ribbon rounding \
    score seal search searchbar selector sentence separator shadow share sign-up signup size skeleton slider slogan \
    sort sorting source space spacing spinner stamp star stat state statement statistic status stepper sticker \
    strapline stripe style styling subheading subscription subtitle sum summary support switch switcher tab tag \
    tagline teaser text texture theme thumbnail time timer timestamp title toggle tooltip total transition translation \
    typography underline unit url video view warning watermark whitespace widget zoom";

/// Verbs for existing content.
pub(super) const ACTIONS: &str = "\
    sort sorting filter filtering search toggle highlight animate link label mark paginate expand collapse translate \
    style make let give turn allow enable group order hide fade zoom align center wrap";

/// Verbs that only mean `ADD`.
pub(super) const VERBS: &str = "add adds show display include put insert introduce create render write place";

/// Nouns for containers of items.
pub(super) const CONTAINERS: &str =
    "section list row grid group gallery set block category collection series selection page screen overview table";

/// Words for one item.
pub(super) const ARTICLES: &str = "a an another";

/// Words after an article that mean several items.
pub(super) const SEVERAL: &str = "few handful bunch lot";

/// Words for more items of the same kind.
pub(super) const MORE: &str = "more another additional further extra";

/// Words for the existing items.
pub(super) const EACH: &str = "every each all both existing their";

/// Other words that begin a noun phrase.
pub(super) const DETERMINERS: &str = "the our its your some";

/// Conjunctions.
pub(super) const JOINTS: &str = "and or plus &";

/// Prepositions before the content of something.
pub(super) const INNER: &str = "with of containing featuring including holding";

/// Words before a place, a purpose or a clause.
pub(super) const OUTER: &str = "\
    that which from for about in on to at by who as next behind into per until while so where when after before \
    under above below beside besides beneath between near over across around within without inside through during \
    via against toward towards underneath is are must stay stays remain remains shown showing saying sorted based \
    made called named titled linking linked leading pointing explaining describing using sold served placed \
    alongside atop opposite because if like whose since telling";

/// Of these, the words before a place next to something.
pub(super) const BESIDE: &str = "above below under underneath beneath before after beside between around";

/// Words that do not distinguish lists.
pub(super) const STOP: &str = "\
    a an the and or of in on at to for from with by is are be it its this that new more other another extra \
    additional list item data all shown visible filtered sorted entry value key map row grid array current \
    component section div span li p no not do existing preserved remove convert keep every";

/// Words that end a noun phrase.
pub(super) const BREAKS: &str = "\
    with that which from for about in on of to at by who and or as next behind into per until while so where \
    when after before under a an the is are must stay stays remain remains shown via";

/// Words after which a number counts items.
pub(super) const BEFORE_COUNTS: &str = "\
    add adds another the these those with plus and & exactly just only extra additional more new of least all \
    our all: show list at create last first existing next";

/// Stems of units: a number before them is a measure, not a count.
pub(super) const UNITS: &str = "\
    km m cm mm kg g mg l ml cl dl min minute hour hr hrs h sec second s percent % euro eur usd dollar chf px gb mb tb \
    kb kw mph pm am degree inch star day week month year mile ohm x";

/// The numbers from 0.
pub(super) const NUMBERS: &str = "\
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
    seventeen eighteen nineteen twenty";

/// The tens from 20.
pub(super) const TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";

/// Whether a list contains a word.
pub(super) fn has(list: &str, word: &str) -> bool {
    list.as_bytes().split(|byte| *byte == b' ').any(|known| known == word.as_bytes())
}

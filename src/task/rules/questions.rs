//! What to ask about an ambiguous message: each question can be answered with yes.

use super::requirements::Act;

use super::decision::phrase;
use super::tokens::Text;
use crate::task::structured::TaskContext;
use std::ops::Range;

/// Maximum number of questions.
pub(crate) const MOST: usize = 4;
/// Characters of a message that a question repeats.
const REPEATED: usize = 60;

/// Why a message needs an answer.
pub(super) enum Doubt {
    /// These words could mean new things or changed ones.
    Ambiguous(Range<usize>),
    /// These two cannot both be done.
    Contradiction(Range<usize>, Range<usize>),
    /// Something is both wanted and excluded.
    Denied,
    /// A change or a repair without an object.
    Vague(Act),
    /// The message contains no task.
    NoTask,
}

/// The questions for a doubt.
pub(super) fn questions(text: &Text<'_>, doubt: &Doubt, context: &TaskContext) -> Vec<String> {
    match doubt {
        Doubt::Ambiguous(words) => {
            let said = short(&phrase(text, words));
            vec![
                format!("“{said}”: should new items be added, and the existing ones stay?"),
                format!("“{said}”: should existing items be changed, so that their number stays?"),
                format!("“{said}”: should existing items be replaced by new ones?"),
            ]
        }
        Doubt::Contradiction(first, second) => {
            let (first, second) = (short(&phrase(text, first)), short(&phrase(text, second)));
            [first, second].map(|said| format!("Should only this be done: “{said}”?")).into()
        }
        Doubt::Denied => vec![
            "Should everything be built that the message asks for, whatever it excludes?".to_owned(),
            "Should everything be left out that the message excludes?".to_owned(),
        ],
        Doubt::Vague(act) => {
            let verb = if matches!(act, Act::Bug | Act::Fix) { "Is the problem in" } else { "Should the change be in" };
            places(context).map(|place| format!("{verb} {place}?")).collect()
        }
        Doubt::NoTask if context.plan_exists => {
            let changes = places(context).take(MOST - 1).map(|place| format!("Should something change in {place}?"));
            std::iter::once("Should something new be added?".to_owned()).chain(changes).collect()
        }
        Doubt::NoTask => ["a landing page", "an app with several pages", "a dashboard"]
            .into_iter()
            .map(|app| format!("Should {app} be built?"))
            .collect(),
    }
}

/// Where something may be meant: the sections of the plan; without them, what every page has.
fn places(context: &TaskContext) -> impl Iterator<Item = String> {
    let sections = context.plan_sections.iter().take(MOST).map(|name| format!("the section “{}”", short(name)));
    let general: &[&str] =
        if context.plan_sections.is_empty() { &["the layout", "the texts", "the colors"] } else { &[] };
    sections.chain(general.iter().map(|place| (*place).to_owned()))
}

fn short(text: &str) -> String {
    match text.char_indices().nth(REPEATED) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
        None => text.to_owned(),
    }
}

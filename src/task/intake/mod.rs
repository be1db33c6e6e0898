//! The intake: a message, taken apart. The rules are pure and total; their time grows with the length of the message.
//!
//! | file | what |
//! |---|---|
//! | `parse`, `answer`, `object` | the call of a model, and its answer checked field by field |
//! | `clarified` | the answer to what was asked |
//! | `decide`, `questions` | the rules: the type, the requirements, the title; what to ask |
//! | `blocks` | lines: the user's words, items of lists, pasted code and traces |
//! | `token`, `text`, `position` | words, numbers, quotations and paths; sentences; places for JavaScript |
//! | `lexicon` | what words mean: verbs and their markers, nouns, small words |
//! | `opening`, `talk` | politeness and questions: what asks for no work |
//! | `segment`, `reading`, `act` | stretches of a sentence, and what each asks for or says |
//! | `command`, `elliptic`, `noun` | "remove the map"; "one more map"; "the map" |
//! | `statement`, `staying`, `broken` | "the map should be wider"; "it can stay"; "it is broken" |
//! | `clause`, `belonging`, `listing` | stretches that belong together; lists |
//! | `app`, `naming` | a new app and its parts; messages that only name a thing |
//! | `builds_app` | whether a task builds an app or changes one, and whether it asks for another look |
//! | `count`, `existing`, `scope`, `files` | how many new, how many there; what stays; where |
//! | `unclear`, `contradiction` | what cannot be told, what cannot be done |

mod act;
mod answer;
mod app;
mod belonging;
mod blocks;
mod broken;
mod builds_app;
mod clarified;
mod clause;
mod command;
mod contradiction;
mod count;
mod decide;
mod elliptic;
mod existing;
mod files;
mod lexicon;
mod listing;
mod naming;
mod noun;
mod object;
mod opening;
mod parse;
mod position;
mod preserved;
mod questions;
mod reading;
mod scope;
mod segment;
mod statement;
mod staying;
mod talk;
mod text;
mod token;
mod unclear;

pub use builds_app::{asks_for_look, builds_app};
pub use clarified::Clarification;
pub use decide::parse_by_rules;
pub use parse::{Intake, PARSE_MS, parse_task};

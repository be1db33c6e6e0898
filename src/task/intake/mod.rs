//! The intake: a message, taken apart by rules. Pure and total; its time grows with the length of the message.
//!
//! | file | what |
//! |---|---|
//! | `blocks` | lines: the user's words, items of lists, pasted code and traces |
//! | `token`, `text` | words, numbers, quotations and paths; sentences |
//! | `lexicon` | what words mean: verbs and their markers, nouns, small words |
//! | `opening`, `talk` | politeness and questions: what asks for no work |
//! | `segment`, `reading` | stretches of a sentence, and what each asks for or says |
//! | `command`, `statement`, `noun` | "remove the map"; "the map is broken"; "the map" |
//! | `clause`, `listing` | stretches that belong together; lists |
//! | `app` | a new app and its parts |
//! | `count`, `scope` | how many; what stays, which files |
//! | `unclear`, `questions` | what cannot be told, and what to ask |
//! | `decide` | the type, the requirements, the title |

mod act;
mod app;
mod blocks;
mod broken;
mod clause;
mod command;
mod contradiction;
mod count;
mod decide;
mod files;
mod lexicon;
mod listing;
mod naming;
mod noun;
mod opening;
mod position;
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
mod zz_scratch;

pub use decide::parse_by_rules;

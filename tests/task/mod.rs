//! The task parser: messages and the tasks that the rules parse from them.

mod messages;
mod properties;
mod score;

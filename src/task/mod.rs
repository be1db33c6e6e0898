//! The task: what happens at its start and its end.

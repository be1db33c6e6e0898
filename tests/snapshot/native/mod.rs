//! What needs a disk, real git, or more patience than a browser has.

mod check_ignore;
mod disk;
mod history;
mod in_run;
mod interop;
mod list;

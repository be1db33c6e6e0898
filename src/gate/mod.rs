//! Gates: what judges the project once the agent says that it is done.

mod report;

pub use report::{GateFix, GateReport, GateVerdict};

use crate::port::{Abort, Aborted, Host, Phase};

/// Which gates run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GateSelection {
    /// Only these, where given.
    pub only: Option<Vec<String>>,
    /// Not these.
    pub disabled: Vec<String>,
}

/// Runs the selected gates that apply to the project, the built-in ones first, then the IDE's.
///
/// # Errors
/// When `abort` fires. A gate that cannot judge reports `error`.
pub async fn check_all<H: Host>(
    _host: &H,
    _selection: &GateSelection,
    _phase: Phase,
    _abort: &Abort,
) -> Result<Vec<GateReport>, Aborted> {
    Ok(Vec::new())
}

/// The text of `.ralph/feedback.md` after a round of gates that did not pass.
pub fn feedback(_reports: &[GateReport]) -> String {
    String::new()
}

use crate::agent::FileChangeKind;
use crate::error::Error;

/// stub until the gate branch lands
pub fn summarise(_reports: &[GateReport]) -> RoundVerdict {
    RoundVerdict::Pass
}
/// stub
#[derive(PartialEq, Eq, Clone, Copy, Debug)]
pub enum RoundVerdict {
    /// p
    Pass,
    /// f
    Fail,
    /// i
    Inconclusive,
}
/// stub
pub async fn apply_fix<H: Host>(_host: &H, _fix: &GateFix) -> Result<FileChangeKind, Error> {
    Ok(FileChangeKind::Modified)
}
/// stub
pub fn check_selection<H: Host>(_host: &H, _selection: &GateSelection) -> Result<(), Error> {
    Ok(())
}

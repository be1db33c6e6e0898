//! The first fact of a run.

use super::limits::Limits;
use super::options::{PlanMode, Work};
use super::recipe::chunks::Chunk;
use super::recipe::specs::{SkippedSpec, SpecInfo};
use super::spending::WorkKind;
use crate::task::StructuredTask;
use serde::{Deserialize, Serialize};

/// What a run begins with: everything that the machine reads of the page that starts it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "where a name says it all")]
pub struct RunStarted {
    pub work: Work,
    /// Equal to `work.kind`: the discriminant of the type in TypeScript. `None` in journals of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<WorkKind>,
    pub limits: Limits,
    /// Of a task. Stored here, so a repeated start has the same number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_number: Option<u32>,
    /// Of a task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanMode>,
    /// The parsed message of a task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<StructuredTask>,
    /// Notes for the user, such as missing ports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The specs that the run works on, in this order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub specs: Option<Vec<SpecInfo>>,
    /// The other files below `specs/`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<Vec<SkippedSpec>>,
    /// The first heading of a spec with chunks, or its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// `None` in a run over chunks if a planner must propose them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chunks: Option<Vec<Chunk>>,
}

impl RunStarted {
    /// The fact of a run that needs nothing else.
    pub fn new(work: Work, limits: Limits) -> Self {
        Self {
            kind: Some((&work).into()),
            work,
            limits,
            task_number: None,
            plan: None,
            task: None,
            notes: Vec::new(),
            specs: None,
            skipped: None,
            title: None,
            chunks: None,
        }
    }
}

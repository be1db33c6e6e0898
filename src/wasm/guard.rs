//! The guarded file system that tools and gates of the IDE are given.

use super::extension::Project;
use crate::port::Phase;
use wasm_bindgen::JsValue;

/// seam
pub(super) fn guarded(project: &Project, _phase: Option<Phase>, _plan_required: bool) -> JsValue {
    project.fs.clone()
}

//! Gates that call the host's build and preview.

pub(super) mod build_succeeds;
pub(super) mod console_capture;
mod port_report;
pub(super) mod runtime_errors;

//! Gates for the project's own tests.

pub(super) mod assertions_kept;
mod test_file;
pub(super) mod tests_kept;

//! The file that an import means.

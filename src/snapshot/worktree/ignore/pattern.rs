//! One line of a `.gitignore`.

use super::glob::Glob;

/// A line that says something.
pub(super) struct Pattern {
    negated: bool,
    folders_only: bool,
    what: What,
}

enum What {
    /// Without a slash: the name, at any depth.
    Name(Glob),
    /// With a slash: the path from the folder of the file, as the bytes before the first wildcard and the rest.
    Path { prefix: Vec<u8>, rest: Option<Glob> },
}

/// The lines of a file that say something, in order.
pub(super) fn parse(text: &[u8]) -> Vec<Pattern> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    text.split(|byte| *byte == b'\n').filter_map(parse_line).collect()
}

impl Pattern {
    /// It takes back what an earlier line ignored.
    pub(super) fn is_negated(&self) -> bool {
        self.negated
    }

    /// It speaks of the entry at this path, relative to the folder of its file.
    pub(super) fn matches(&self, path: &str, is_folder: bool) -> bool {
        if self.folders_only && !is_folder {
            return false;
        }
        match &self.what {
            What::Name(glob) => glob.matches(path.rsplit_once('/').map_or(path, |(_, name)| name).as_bytes()),
            What::Path { prefix, rest } => match (path.as_bytes().strip_prefix(prefix.as_slice()), rest) {
                (Some(left), None) => left.is_empty(),
                (Some(left), Some(glob)) => glob.matches(left),
                (None, _) => false,
            },
        }
    }
}

fn parse_line(line: &[u8]) -> Option<Pattern> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.first() == Some(&b'#') {
        return None;
    }
    // As git's strings do, a line ends with a NUL.
    let line = line.split(|byte| *byte == 0).next().unwrap_or(line);
    let line = trim_spaces(line);
    let (negated, line) = line.strip_prefix(b"!").map_or((false, line), |rest| (true, rest));
    let (folders_only, line) = line.strip_suffix(b"/").map_or((false, line), |rest| (true, rest));
    if line.is_empty() {
        return None;
    }
    let what = if line.contains(&b'/') {
        let line = line.strip_prefix(b"/").unwrap_or(line);
        let fixed = line.iter().position(|byte| b"*?[\\".contains(byte)).unwrap_or(line.len());
        let (prefix, rest) = line.split_at(fixed);
        let rest = if rest.is_empty() { None } else { Some(Glob::compile(rest)?) };
        What::Path { prefix: prefix.to_vec(), rest }
    } else {
        What::Name(Glob::compile(line)?)
    };
    Some(Pattern { negated, folders_only, what })
}

/// Without trailing spaces, but for one that a backslash keeps.
fn trim_spaces(line: &[u8]) -> &[u8] {
    let mut end = 0;
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        at += if *byte == b'\\' { 2 } else { 1 };
        if *byte != b' ' {
            end = at;
        }
    }
    line.get(..end).unwrap_or(line)
}

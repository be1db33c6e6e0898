//! The merge of two changes of a file, line by line.

use super::git::{Entry, Mode, Oid, read_blob, write_checked};
use super::git_of;
use crate::error::Error;
use crate::port::Host;
use imara_diff::{Algorithm, Diff, Hunk, InternedInput};
use std::iter::Peekable;
use std::vec::IntoIter;

/// Larger files are not compared line by line, in bytes.
const SIZE_MAX: usize = 1024 * 1024;

/// Nor are files of more lines: where many lines are equal, a comparison may look at each pair of them.
const LINES_MAX: usize = 20_000;

/// Whether a file is small enough to be compared line by line.
pub(crate) fn is_comparable(bytes: &[u8]) -> bool {
    bytes.len() <= SIZE_MAX && memchr::memchr_iter(b'\n', bytes).count() <= LINES_MAX
}

/// Applies the change from `base` to `theirs` to `ours`, and stores the result. `None` if that is not possible: both sides
/// changed the same lines, or one of them is not a text, or not a file. Every state that is read must be stored.
///
/// # Errors
/// `unsupported` without git; otherwise what a port returns.
pub(crate) async fn merge_entries(
    host: &Host,
    base: Option<Entry>,
    ours: Option<Entry>,
    theirs: Option<Entry>,
) -> Result<Option<Option<Entry>>, Error> {
    if base == theirs || ours == theirs {
        return Ok(Some(ours));
    }
    if base == ours {
        return Ok(Some(theirs));
    }
    let is_file = |entry: &Entry| matches!(entry.mode, Mode::File | Mode::Executable);
    let (Some(base), Some(ours)) = (base.filter(is_file), ours.filter(is_file)) else { return Ok(None) };
    let git = git_of(host)?;
    // Git may have removed what no snapshot has.
    let read = async |oid: Oid| match read_blob(git, &oid.to_string()).await {
        Err(error) if error.is_not_found() => Ok(None),
        read => read.map(Some),
    };
    let Some(theirs) = theirs.filter(is_file) else {
        // They deleted the file, or made it a link. Our line ends go with it.
        let texts = read(base.oid).await?.zip(read(ours.oid).await?);
        let is_same = texts.is_some_and(|(base, ours)| is_same_text(&base, &ours));
        return Ok((is_same && base.mode == ours.mode).then_some(theirs));
    };
    let mode = if base.mode == theirs.mode { ours.mode } else { theirs.mode };
    let oid = match [base.oid, ours.oid, theirs.oid] {
        [base, ours, theirs] if base == theirs || ours == theirs => ours,
        [base, ours, theirs] if base == ours => theirs,
        [base, ours, theirs] => {
            let (Some(base), Some(ours), Some(theirs)) = (read(base).await?, read(ours).await?, read(theirs).await?)
            else {
                return Ok(None);
            };
            let Some(bytes) = merge(&base, &ours, &theirs) else { return Ok(None) };
            write_checked(host, git, &bytes).await?
        }
    };
    Ok(Some(Some(Entry { mode, oid })))
}

/// Applies the change from `base` to `theirs` to `ours`, line by line. `None` if a change of `ours` and one of `theirs`
/// overlap or touch and are not the same, or if a file is binary or large. Line ends alone never prevent a merge: then the
/// result has the line ends of `ours`.
fn merge(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    if base == ours || (is_same_text(base, ours) && is_binary(theirs)) {
        return Some(theirs.to_vec());
    }
    if is_same_text(base, ours) {
        return with_line_ends_of(ours, with_lf(theirs));
    }
    if [base, ours, theirs].iter().any(|bytes| !is_comparable(bytes) || is_binary(bytes)) {
        return None;
    }
    let as_is = if have_same_line_ends(base, ours) { merge_lines(base, ours, theirs) } else { None };
    as_is.or_else(|| {
        let [base, plain, theirs] = [base, ours, theirs].map(with_lf);
        with_line_ends_of(ours, merge_lines(&base, &plain, &theirs)?)
    })
}

/// Both are text, and differ at most in their line ends.
fn is_same_text(a: &[u8], b: &[u8]) -> bool {
    !is_binary(a) && !is_binary(b) && with_lf(a) == with_lf(b)
}

fn is_binary(bytes: &[u8]) -> bool {
    bytes.contains(&0)
}

/// How many lines end with LF, and how many with CRLF.
fn count_line_ends(text: &[u8]) -> (usize, usize) {
    let all = lines(text).into_iter().filter(|line| line.ends_with(b"\n")).count();
    let crlf = lines(text).into_iter().filter(|line| line.ends_with(b"\r\n")).count();
    (all - crlf, crlf)
}

fn have_same_line_ends(a: &[u8], b: &[u8]) -> bool {
    let [a, b] = [a, b].map(count_line_ends);
    (a.0 > 0, a.1 > 0) == (b.0 > 0, b.1 > 0)
}

/// The text with LF in place of CRLF.
fn with_lf(text: &[u8]) -> Vec<u8> {
    with_line_ends(text, b"\n")
}

fn with_line_ends(text: &[u8], end: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    for line in lines(text) {
        match line.strip_suffix(b"\r\n").or_else(|| line.strip_suffix(b"\n")) {
            Some(line) => result.extend_from_slice(&[line, end].concat()),
            None => result.extend_from_slice(line),
        }
    }
    result
}

/// A text that has only LF, with the line ends of `ours`: the lines of `ours` have their own, all others the most frequent ones.
/// `None` if `ours` has both and a text is large.
fn with_line_ends_of(ours: &[u8], text: Vec<u8>) -> Option<Vec<u8>> {
    let (lf, crlf) = count_line_ends(ours);
    if lf == 0 || crlf == 0 {
        return Some(if crlf == 0 { text } else { with_line_ends(&text, b"\r\n") });
    }
    if !is_comparable(ours) || !is_comparable(&text) {
        return None;
    }
    let plain = with_lf(ours);
    let input = InternedInput::new(plain.as_slice(), text.as_slice());
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let mut kept = (0..).zip(lines(ours)).filter(|(at, _)| !diff.is_removed(*at));
    let mut result = Vec::new();
    for (at, line) in (0..).zip(lines(&text)) {
        let own = if diff.is_added(at) { None } else { kept.next() };
        match (own, line.strip_suffix(b"\n")) {
            (Some((_, own)), _) => result.extend_from_slice(own),
            (None, Some(line)) if crlf > lf => result.extend_from_slice(&[line, b"\r\n"].concat()),
            (None, _) => result.extend_from_slice(line),
        }
    }
    Some(result)
}

fn merge_lines(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let base_lines = lines(base);
    let mut sides = [Side::new(base, ours), Side::new(base, theirs)];
    let (mut merged, mut done) = (Vec::new(), 0);
    while let Some(start) = sides.iter_mut().filter_map(|side| side.next_start()).min() {
        // All hunks that overlap or touch are one change.
        let mut end = start;
        while sides.iter_mut().any(|side| side.take(&mut end)) {}
        merged.extend_from_slice(base_lines.get(done..start)?);
        let [ours, theirs] = [0, 1].map(|at| sides.get_mut(at)?.replacement(start, end));
        merged.extend(match (ours, theirs) {
            (Some(ours), Some(theirs)) if ours != theirs => return None,
            (Some(changed), _) | (None, Some(changed)) => changed,
            (None, None) => return None,
        });
        done = end;
    }
    merged.extend_from_slice(base_lines.get(done..)?);
    Some(merged.concat())
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// One of the two changed files.
struct Side<'a> {
    lines: Vec<&'a [u8]>,
    hunks: Peekable<IntoIter<Hunk>>,
    /// The lines of the base, and of this file, up to the last hunk of the change before this one.
    before: (usize, usize),
    /// The same up to the last hunk that was taken.
    taken: (usize, usize),
}

impl<'a> Side<'a> {
    fn new(base: &[u8], changed: &'a [u8]) -> Self {
        let input = InternedInput::new(base, changed);
        let hunks: Vec<Hunk> = Diff::compute(Algorithm::Histogram, &input).hunks().collect();
        Self { lines: lines(changed), hunks: hunks.into_iter().peekable(), before: (0, 0), taken: (0, 0) }
    }

    /// Where its next hunk begins in the base.
    fn next_start(&mut self) -> Option<usize> {
        self.hunks.peek().map(|hunk| hunk.before.start as usize)
    }

    /// Adds the next hunk to the change that ends at `end`, if it overlaps or touches it.
    fn take(&mut self, end: &mut usize) -> bool {
        let Some(hunk) = self.hunks.next_if(|hunk| hunk.before.start as usize <= *end) else { return false };
        self.taken = (hunk.before.end as usize, hunk.after.end as usize);
        *end = (*end).max(self.taken.0);
        true
    }

    /// What it has in place of these lines of the base; `None` if the change has none of its hunks.
    fn replacement(&mut self, start: usize, end: usize) -> Option<Vec<&'a [u8]>> {
        let (before, taken) = (std::mem::replace(&mut self.before, self.taken), self.taken);
        if before == taken {
            return None;
        }
        let from = before.1 + (start - before.0);
        let to = taken.1 + (end - taken.0);
        self.lines.get(from..to).map(<[_]>::to_vec)
    }
}

#[cfg(test)]
mod tests;

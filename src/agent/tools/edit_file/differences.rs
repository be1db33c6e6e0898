//! Names the characters that differ between a text and a file and cannot be told apart on a screen.

/// How many differences are named, and how long each may be, in characters.
const NAMED_MAX: usize = 12;
const LONGEST: usize = 8;

/// Longer lines are not compared.
const LINE_MAX: usize = 2_000;

/// The differences of lines with the same place: the number and how many characters are before them in the line of the file, the
/// line of the file, and the line of the text. Differences of visible ASCII characters are left out, because the lines show them.
pub(super) fn differences<'a>(lines: impl Iterator<Item = ((usize, usize), &'a str, &'a str)>) -> String {
    let named = lines.filter(|(_, file, old)| file != old && file.len() <= LINE_MAX && old.len() <= LINE_MAX);
    let mut named = named.flat_map(|((number, before), file, old)| {
        hidden(file, old).into_iter().map(move |(column, file, old)| {
            let column = before + column;
            format!("line {number}, column {column}: the file has {}, `old_text` has {}", names(&file), names(&old))
        })
    });
    let mut list: Vec<String> = named.by_ref().take(NAMED_MAX).collect();
    if named.next().is_some() {
        list.push("and more".to_owned());
    }
    list.join("\n")
}

/// Where the lines differ in what cannot be seen: the 1-based column in the file, and the characters of both.
fn hidden(file: &str, old: &str) -> Vec<(usize, Vec<char>, Vec<char>)> {
    let (file, old): (Vec<char>, Vec<char>) = (file.chars().collect(), old.chars().collect());
    let (mut at, mut from) = (0, 0);
    let mut found = Vec::new();
    while at < file.len() || from < old.len() {
        if at < file.len() && file.get(at) == old.get(from) {
            (at, from) = (at + 1, from + 1);
            continue;
        }
        // The rest of a line that differs everywhere is no difference of characters.
        let Some((ours, theirs)) = next_same(file.get(at..).unwrap_or_default(), old.get(from..).unwrap_or_default())
        else {
            break;
        };
        let (left, right) =
            (file.get(at..at + ours).unwrap_or_default(), old.get(from..from + theirs).unwrap_or_default());
        if left.iter().chain(right).any(|c| !c.is_ascii_graphic()) {
            found.push((at + 1, left.to_vec(), right.to_vec()));
        }
        (at, from) = (at + ours, from + theirs);
    }
    found
}

/// After how many characters of each both go on alike.
fn next_same(file: &[char], old: &[char]) -> Option<(usize, usize)> {
    let is_same = |ours: usize, theirs: usize| {
        let (file, old) = (file.get(ours..)?, old.get(theirs..)?);
        let least = if (ours, theirs) == (1, 1) { 1 } else { 3 };
        let alike = file.iter().zip(old).take_while(|(a, b)| a == b).take(3).count();
        Some(
            alike >= least
                || alike == file.len() && alike == old.len()
                || alike >= 1 && alike == file.len().min(old.len()),
        )
    };
    (1..=2 * LONGEST)
        .flat_map(|sum| (0..=sum).map(move |ours| (ours, sum - ours)))
        .filter(|(ours, theirs)| *ours <= LONGEST && *theirs <= LONGEST)
        .find(|(ours, theirs)| is_same(*ours, *theirs) == Some(true))
}

/// `U+00A0`, `4 × U+0020 (space)`, `nothing`.
fn names(characters: &[char]) -> String {
    if characters.is_empty() {
        return "nothing".to_owned();
    }
    let runs = characters.chunk_by(|a, b| a == b).filter_map(|run| {
        let c = run.first()?;
        let name = match c {
            ' ' => "U+0020 (space)".to_owned(),
            '\t' => "U+0009 (tab)".to_owned(),
            c if c.is_ascii_graphic() => format!("`{c}`"),
            c => format!("U+{:04X}", u32::from(*c)),
        };
        Some(if run.len() == 1 { name } else { format!("{} × {name}", run.len()) })
    });
    runs.collect::<Vec<_>>().join(" ")
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::differences;

    #[test]
    fn every_character_that_differs_and_cannot_be_seen_is_named() {
        for (file, old, expected) in [
            (
                "const a =\u{a0}1;",
                "const a = 1;",
                "line 7, column 10: the file has U+00A0, `old_text` has U+0020 (space)",
            ),
            (
                "\tif (a) {",
                "    if (a) {",
                "line 7, column 1: the file has U+0009 (tab), `old_text` has 4 × U+0020 (space)",
            ),
            ("caf\u{e9} = 1", "cafe\u{301} = 1", "line 7, column 4: the file has U+00E9, `old_text` has `e` U+0301"),
            ("a\u{200b}bcd", "abcd", "line 7, column 2: the file has U+200B, `old_text` has nothing"),
            (
                "say(\u{201c}hi\u{201d})",
                "say(\"hi\")",
                "line 7, column 5: the file has U+201C, `old_text` has `\"`\nline 7, column 8: the file has U+201D, `old_text` has `\"`",
            ),
            ("p\u{430}ge", "page", "line 7, column 2: the file has U+0430, `old_text` has `a`"),
            ("const a = 1;", "const b = 1;", ""),
            ("abc", "xyz", ""),
            ("same", "same", ""),
        ] {
            assert_eq!(differences([((7, 0), file, old)].into_iter()), expected, "{file:?} {old:?}");
        }
    }

    #[test]
    fn the_list_of_differences_is_short() {
        let (file, old) = ("\u{a0}abcd".repeat(100), " abcd".repeat(100));
        let list = differences([((1, 0), file.as_str(), old.as_str())].into_iter());
        assert_eq!(list.lines().count(), 13);
        assert!(list.ends_with("and more"));
    }
}

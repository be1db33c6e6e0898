//! The files that a change is probably in: those that the message names, by path or by what they are called after.

use super::clause::Clause;
use super::noun;
use super::text::Text;
use super::token::Kind;
use std::collections::BTreeSet;

/// Files of the project, in the order of `files`.
pub(super) fn affected(text: &Text<'_>, clauses: &[Clause], files: &[String]) -> Vec<String> {
    let of_kind = |kind| (0..text.len()).filter(move |at| text.kind(*at) == Some(kind));
    let paths: Vec<&str> = of_kind(Kind::Path).map(|at| text.norm(at)).collect();
    let traces: Vec<&str> = of_kind(Kind::Trace).map(|at| text.slice(&(at..at + 1))).collect();
    let requests = clauses.iter().filter(|clause| clause.act.is_request());
    let words =
        requests.flat_map(|clause| clause.range.clone()).flat_map(|at| stems(text, at)).collect::<BTreeSet<_>>();
    let is_affected = |file: &&String| {
        paths.iter().any(|path| names(path, file))
            || traces.iter().any(|trace| trace.contains(file.as_str()))
            || is_called(file, &words)
    };
    files.iter().filter(is_affected).cloned().collect()
}

/// The stems of the words at a place; those in a quotation may be what a part is called.
fn stems(text: &Text<'_>, at: usize) -> Vec<String> {
    let stem = |word: &str| noun::stem(word).trim_end_matches('e').to_owned();
    match text.kind(at) {
        Some(Kind::Word) => text.norm(at).split('-').map(stem).collect(),
        Some(Kind::Quote) => {
            let quoted = text.slice(&(at..at + 1)).to_lowercase();
            quoted.split(|c: char| !c.is_alphanumeric()).map(stem).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a path in a message (`Footer.tsx:42`, `./src/App`) is that of a file.
fn names(path: &str, file: &str) -> bool {
    let path = path.trim_start_matches(['.', '/', '@']).split(':').next().unwrap_or_default();
    let file = file.to_lowercase();
    let head = file.strip_suffix(path);
    path.len() > 2 && head.is_some_and(|head| head.is_empty() || head.ends_with('/'))
}

/// `CartDrawer.tsx` is called after the cart: its first word says what it is of, unless that is general.
fn is_called(file: &str, words: &BTreeSet<String>) -> bool {
    const GENERAL: &str =
        "section page component view panel app index main screen container wrapper list api grid use strip block";
    let parts = name_parts(file);
    let special = parts.iter().find(|part| !GENERAL.split(' ').any(|word| word == part.as_str()));
    special.is_some_and(|part| words.contains(noun::stem(part).trim_end_matches('e')))
}

/// The words of a file's name: `pricing`, `section` for `src/sections/PricingSection.tsx`.
fn name_parts(file: &str) -> Vec<String> {
    let name = file.rsplit('/').next().unwrap_or_default();
    let mut parts = vec![String::new()];
    let mut letters = name.split('.').next().unwrap_or_default().chars().peekable();
    let mut small = false;
    while let Some(letter) = letters.next() {
        // `CTASection`: the last of several capitals begins a word.
        let begins = small || letters.peek().is_some_and(|next| next.is_lowercase());
        if !letter.is_alphanumeric() || letter.is_uppercase() && begins {
            parts.push(String::new());
        }
        small = letter.is_lowercase();
        if let Some(part) = parts.last_mut()
            && letter.is_alphanumeric()
        {
            part.extend(letter.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_words() {
        assert_eq!(name_parts("src/sections/PricingSection.tsx"), ["pricing", "section"]);
        assert_eq!(name_parts("src/sections/CTASection.tsx"), ["cta", "section"]);
        assert_eq!(name_parts("use-cart_store.ts"), ["use", "cart", "store"]);
        assert_eq!(name_parts(""), [""; 0]);
    }

    #[test]
    fn paths_are_whole_names() {
        for (path, file, named) in [
            ("footer.tsx:42", "src/components/Footer.tsx", true),
            ("src/app.tsx", "src/App.tsx", true),
            ("./components/footer.tsx", "src/components/Footer.tsx", true),
            ("ter.tsx", "src/components/Footer.tsx", false),
            ("x", "x", false),
        ] {
            assert_eq!(names(path, file), named, "{path} {file}");
        }
    }
}

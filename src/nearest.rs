//! Suggestions for mistyped names ("did you mean …?").

/// Maximum number of suggestions.
const SUGGESTED: usize = 3;
/// Minimum similarity of a suggestion, from 0 to 1.
const THRESHOLD: f64 = 0.45;
/// Names that only share words rank slightly below names with a similar spelling.
const WORDS_WEIGHT: f64 = 0.95;
/// Minimum similarity of two words with the same stem.
const STEM_WEIGHT: f64 = 0.75;
/// Minimum similarity of two words to count as shared.
const SAME_WORD: f64 = 0.7;
/// Longer texts are not mistyped names.
const LONGEST: usize = 64;

/// Up to three of `candidates`, the most similar to `name` first; ties in the given order.
///
/// Compares the spelling (`herro`, `heor`) and the shared words of a name (`hero-banner`, `login`, `feature`). Ignores case
/// and separators (`dataTable`, `data_table`).
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    rank(name, &mut candidates.into_iter())
}

fn rank(name: &str, candidates: &mut dyn Iterator<Item = &str>) -> Vec<String> {
    if name.is_empty() || name.len() > LONGEST {
        return Vec::new();
    }
    let name = kebab(name);
    let mut best: Vec<(f64, &str)> = Vec::new();
    for candidate in candidates.filter(|candidate| candidate.len() <= LONGEST) {
        let similarity = similarity(&name, &kebab(candidate));
        if similarity >= THRESHOLD {
            best.insert(best.partition_point(|(better, _)| *better >= similarity), (similarity, candidate));
            best.truncate(SUGGESTED);
        }
    }
    best.into_iter().map(|(_, candidate)| candidate.to_owned()).collect()
}

/// The lower-case words of the name, in any case style, joined by `-`.
fn kebab(name: &str) -> String {
    let mut kebab = String::with_capacity(name.len() + 4);
    let mut after_lower = false;
    for letter in name.chars() {
        if letter.is_alphanumeric() {
            if letter.is_uppercase() && after_lower {
                kebab.push('-');
            }
            kebab.push(letter.to_ascii_lowercase());
        } else if !kebab.is_empty() && !kebab.ends_with('-') {
            kebab.push('-');
        }
        after_lower = letter.is_lowercase() || letter.is_numeric();
    }
    kebab
}

fn similarity(name: &str, candidate: &str) -> f64 {
    let spelled = spelling(name, candidate);
    if spelled >= WORDS_WEIGHT { spelled } else { spelled.max(shared_words(name, candidate) * WORDS_WEIGHT) }
}

/// 1 minus the share of characters that must change.
fn spelling(left: &str, right: &str) -> f64 {
    let longer = left.chars().count().max(right.chars().count());
    if longer == 0 { 0.0 } else { 1.0 - strsim::osa_distance(left, right) as f64 / longer as f64 }
}

/// The share of common words (Dice's coefficient); similar words count in part.
fn shared_words(left: &str, right: &str) -> f64 {
    let shared: f64 = left
        .split('-')
        .map(|word| right.split('-').map(|other| word_similarity(word, other)).fold(0.0, f64::max))
        .filter(|similarity| *similarity >= SAME_WORD)
        .sum();
    2.0 * shared / (left.split('-').count() + right.split('-').count()) as f64
}

/// [`spelling`], except that words with the same stem (`stat`, `stats`; `price`, `pricing`) count as similar.
fn word_similarity(left: &str, right: &str) -> f64 {
    let stem = left.bytes().zip(right.bytes()).take_while(|(left, right)| left == right).count();
    let (short, long) = (left.len().min(right.len()), left.len().max(right.len()));
    let related = stem >= 3 && stem == short || stem >= 4 && stem * 2 >= long;
    let spelled = spelling(left, right);
    if related { spelled.max(STEM_WEIGHT) } else { spelled }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const GUMDROPS: [&str; 12] = [
        "article-layout",
        "auth-login",
        "blog-grid",
        "data-table",
        "features",
        "file-upload",
        "footer",
        "grid-list",
        "hero",
        "kanban-board",
        "pricing",
        "stats-dashboard",
    ];

    #[test]
    fn the_intended_name_comes_first() {
        for (written, meant) in [
            ("herro", "hero"),
            ("heor", "hero"),
            ("Hero", "hero"),
            ("hero-section", "hero"),
            ("feature", "features"),
            ("feature-list", "features"),
            ("DataTable", "data-table"),
            ("data_table", "data-table"),
            ("datatable", "data-table"),
            ("data table", "data-table"),
            ("login", "auth-login"),
            ("dashboard", "stats-dashboard"),
            ("kanban", "kanban-board"),
            ("pricing-table", "pricing"),
            ("price-card", "pricing"),
            ("priceing", "pricing"),
            ("upload", "file-upload"),
            ("foter", "footer"),
        ] {
            assert_eq!(nearest(written, GUMDROPS).first().map(String::as_str), Some(meant), "{written}");
        }
    }

    #[test]
    fn a_name_may_match_by_either_of_its_words() {
        let names = nearest("data-grid", GUMDROPS);
        assert!(names.contains(&"data-table".to_owned()) && names.contains(&"blog-grid".to_owned()), "{names:?}");
    }

    #[test]
    fn dissimilar_names_are_not_suggested() {
        for written in ["", "x", "wxyzzy", "🙂", "---", &"hero".repeat(1000)] {
            assert_eq!(nearest(written, GUMDROPS), Vec::<String>::new(), "{written}");
        }
    }

    #[test]
    fn at_most_three_names_are_suggested() {
        assert_eq!(nearest("item", ["items", "item-a", "item-b", "item-c", "itm"]).len(), 3);
    }

    #[test]
    fn ties_keep_the_given_order() {
        assert_eq!(nearest("grid", GUMDROPS), ["blog-grid", "grid-list"]);
    }
}

//! The nearest known names to a mistaken one: what "did you mean" offers.

/// How many names are offered.
const OFFERED: usize = 3;
/// From 0 (nothing in common) to 1 (the same): what lies below is no help.
const THRESHOLD: f64 = 0.45;
/// What only shares whole words ranks a little behind what is spelled alike.
const WORDS_WEIGHT: f64 = 0.95;
/// How much alike two words of one stem are, at least.
const STEM_WEIGHT: f64 = 0.75;
/// Two words as alike as this count as one.
const SAME_WORD: f64 = 0.7;
/// A longer text is no mistyped name; comparing it would only cost time.
const LONGEST: usize = 64;

/// Up to three of `candidates` that `name` may have meant, the nearest first; equally near ones in their order.
///
/// Spelling counts (`herro`, `heor`), case and separators do not (`dataTable`, `data_table`), and neither does a
/// missing, added or pluralised word of a kebab name (`hero-banner`, `login`, `feature`).
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
        let likeness = likeness(&name, &kebab(candidate));
        if likeness >= THRESHOLD {
            best.insert(best.partition_point(|(better, _)| *better >= likeness), (likeness, candidate));
            best.truncate(OFFERED);
        }
    }
    best.into_iter().map(|(_, candidate)| candidate.to_owned()).collect()
}

/// Lower-case words joined by `-`, whatever the name's own style was.
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

fn likeness(name: &str, candidate: &str) -> f64 {
    let spelled = spelling(name, candidate);
    if spelled >= WORDS_WEIGHT { spelled } else { spelled.max(shared_words(name, candidate) * WORDS_WEIGHT) }
}

/// 1 less the share of letters that must change.
fn spelling(left: &str, right: &str) -> f64 {
    let longer = left.chars().count().max(right.chars().count());
    if longer == 0 { 0.0 } else { 1.0 - strsim::osa_distance(left, right) as f64 / longer as f64 }
}

/// The share of words that both names have (Dice's coefficient), where like words count in part.
fn shared_words(left: &str, right: &str) -> f64 {
    let shared: f64 = left
        .split('-')
        .map(|word| right.split('-').map(|other| word_likeness(word, other)).fold(0.0, f64::max))
        .filter(|likeness| *likeness >= SAME_WORD)
        .sum();
    2.0 * shared / (left.split('-').count() + right.split('-').count()) as f64
}

/// As [`spelling`], and words of one stem (`stat`, `stats`; `price`, `pricing`) count as alike.
fn word_likeness(left: &str, right: &str) -> f64 {
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
    fn what_a_user_meant_comes_first() {
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
    fn either_word_of_two_may_be_right() {
        let names = nearest("data-grid", GUMDROPS);
        assert!(names.contains(&"data-table".to_owned()) && names.contains(&"blog-grid".to_owned()), "{names:?}");
    }

    #[test]
    fn nothing_is_offered_for_what_is_nothing_like_it() {
        for written in ["", "x", "wxyzzy", "🙂", "---", &"hero".repeat(1000)] {
            assert_eq!(nearest(written, GUMDROPS), Vec::<String>::new(), "{written}");
        }
    }

    #[test]
    fn at_most_three_are_offered() {
        assert_eq!(nearest("item", ["items", "item-a", "item-b", "item-c", "itm"]).len(), 3);
    }

    #[test]
    fn equally_near_names_keep_their_order() {
        assert_eq!(nearest("grid", GUMDROPS), ["blog-grid", "grid-list"]);
    }
}

//! The colors that the user's words name or describe.

use crate::syntax::color::{self, Rgb};

/// A color word, and the hue of the colors that it describes, in degrees, with the distance that still fits.
const HUES: [(&str, f64, f64); 53] = [
    ("red", 0.0, 20.0),
    ("rot", 0.0, 20.0),
    ("hellrot", 0.0, 20.0),
    ("dunkelrot", 0.0, 20.0),
    ("rouge", 0.0, 20.0),
    ("rojo", 0.0, 20.0),
    ("rosso", 0.0, 20.0),
    ("crimson", 348.0, 15.0),
    ("maroon", 0.0, 20.0),
    ("burgundy", 345.0, 20.0),
    ("coral", 12.0, 18.0),
    ("salmon", 10.0, 18.0),
    ("orange", 28.0, 20.0),
    ("naranja", 28.0, 20.0),
    ("brown", 25.0, 20.0),
    ("braun", 25.0, 20.0),
    ("beige", 40.0, 25.0),
    ("cream", 45.0, 25.0),
    ("amber", 40.0, 15.0),
    ("gold", 47.0, 18.0),
    ("golden", 47.0, 18.0),
    ("yellow", 54.0, 18.0),
    ("gelb", 54.0, 18.0),
    ("jaune", 54.0, 18.0),
    ("amarillo", 54.0, 18.0),
    ("olive", 65.0, 25.0),
    ("lime", 85.0, 35.0),
    ("green", 120.0, 50.0),
    ("grün", 120.0, 50.0),
    ("vert", 120.0, 50.0),
    ("verde", 120.0, 50.0),
    ("emerald", 155.0, 30.0),
    ("mint", 150.0, 35.0),
    ("teal", 177.0, 22.0),
    ("turquoise", 175.0, 22.0),
    ("türkis", 175.0, 22.0),
    ("cyan", 187.0, 22.0),
    ("sky", 200.0, 22.0),
    ("blue", 220.0, 38.0),
    ("blau", 220.0, 38.0),
    ("bleu", 220.0, 38.0),
    ("azul", 220.0, 38.0),
    ("navy", 228.0, 25.0),
    ("indigo", 245.0, 25.0),
    ("violet", 270.0, 30.0),
    ("violett", 270.0, 30.0),
    ("purple", 280.0, 35.0),
    ("lila", 280.0, 35.0),
    ("magenta", 305.0, 25.0),
    ("fuchsia", 300.0, 25.0),
    ("pink", 335.0, 30.0),
    ("rosa", 340.0, 30.0),
    ("rose", 345.0, 20.0),
];

/// Words of the three neutral shades.
const WHITE: [&str; 5] = ["white", "weiß", "weiss", "blanc", "blanco"];
const BLACK: [&str; 5] = ["black", "schwarz", "noir", "negro", "nero"];
const GRAY: [&str; 4] = ["gray", "grey", "grau", "silver"];
/// What is drawn in a neutral shade.
const DRAWN: [&str; 8] = ["shadow", "schatten", "border", "rahmen", "overlay", "backdrop", "divider", "outline"];
/// Neutral colors of Tailwind's palette.
pub(super) const NEUTRAL: [&str; 5] = ["slate", "gray", "zinc", "neutral", "stone"];
/// Endings of adjectives.
const ENDINGS: [&str; 7] = ["", "e", "s", "en", "er", "es", "em"];
/// Shorter words are only found on their own.
const IN_COMPOUND: usize = 4;

/// What the messages say about colors.
pub(in crate::gate) struct Asked {
    /// In lower case.
    messages: Vec<String>,
    literals: Vec<Rgb>,
    hues: Vec<(f64, f64)>,
    is_white: bool,
    is_black: bool,
    is_gray: bool,
    is_drawn: bool,
}

impl Asked {
    pub(in crate::gate) fn in_messages(messages: &[String]) -> Self {
        let messages: Vec<String> = messages.iter().map(|message| message.to_lowercase()).collect();
        let words: Vec<&str> =
            messages.iter().flat_map(|message| message.split(|c: char| !c.is_alphanumeric())).collect();
        let has = |known: &[&str]| known.iter().any(|known| words.iter().any(|word| names(word, known)));
        let is_hue = |(word, ..): &&(&str, f64, f64)| has(&[*word]);
        let mut literals: Vec<Rgb> = messages
            .iter()
            .flat_map(|message| {
                color::literals(message).into_iter().filter_map(|found| color::value(message.get(found.range)?))
            })
            .collect();
        // `ff6600`; a word without a digit is no color.
        let is_hex = |word: &&&str| word.len() == 6 && word.contains(|c: char| c.is_ascii_digit());
        literals.extend(words.iter().filter(is_hex).filter_map(|word| color::value(&format!("#{word}"))));
        Self {
            hues: HUES.iter().filter(is_hue).map(|(_, hue, distance)| (*hue, *distance)).collect(),
            is_white: has(&WHITE),
            is_black: has(&BLACK),
            is_gray: has(&GRAY),
            is_drawn: has(&DRAWN),
            literals,
            messages,
        }
    }

    /// Whether the user named this color, or described one like it.
    pub(in crate::gate) fn has(&self, shown: &str) -> bool {
        let literal = shown.rsplit(": ").next().unwrap_or(shown).to_lowercase();
        if let Some(name) = color::palette_color(&literal) {
            let name = name.split('-').next().unwrap_or_default();
            let hue = HUES.iter().find(|(word, ..)| *word == name).map(|(_, hue, _)| *hue);
            let is_said =
                self.messages.iter().any(|message| message.split(|c: char| !c.is_alphanumeric()).any(|w| w == name));
            return is_said
                || hue.is_some_and(|hue| self.describes(hue))
                || NEUTRAL.contains(&name) && (self.is_gray || self.is_drawn);
        }
        let Some(value) = color::value(&literal) else {
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            return self.messages.iter().any(|message| bare(message).contains(&bare(&literal)));
        };
        if self.literals.contains(&value) {
            return true;
        }
        let (hue, saturation, lightness) = value.hsl();
        if saturation < 0.15 || !(0.05..=0.96).contains(&lightness) {
            return self.is_drawn
                || self.is_gray
                || self.is_white && lightness > 0.85
                || self.is_black && lightness < 0.2;
        }
        self.describes(hue)
    }

    fn describes(&self, hue: f64) -> bool {
        self.hues.iter().any(|(known, distance)| {
            let apart = (hue - known).rem_euclid(360.0);
            apart.min(360.0 - apart) <= *distance
        })
    }
}

/// Whether a word in lower case names a color.
pub(in crate::gate) fn is_color(word: &str) -> bool {
    let hues = HUES.iter().map(|(hue, ..)| *hue);
    hues.chain(WHITE).chain(BLACK).chain(GRAY).any(|color| color == word)
}

/// `blue`, `lightblue`, `dunkelblauen`.
fn names(word: &str, color: &str) -> bool {
    ENDINGS
        .iter()
        .filter_map(|ending| word.strip_suffix(ending))
        .any(|word| word == color || color.chars().count() >= IN_COMPOUND && word.ends_with(color))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_color_that_the_user_names_or_describes_is_asked_for() {
        for (message, asked, others) in [
            (
                "Make the headline red",
                vec!["#ff0000", "#f00", "rgb(255 0 0)", "color: #d11", "#7f1d1d", "text-red-500"],
                vec!["#00f", "#fff", "bg-blue-500", "#888"],
            ),
            ("Use ff6600 for the button", vec!["#ff6600", "#F60", "rgb(255, 102, 0)"], vec!["#ff6700"]),
            ("Use rgb(255, 102, 0)", vec!["#f60"], vec!["#f00"]),
            ("Make the links teal", vec!["#008080", "#14b8a6"], vec!["#00f", "#f00"]),
            ("The banner is white on black", vec!["#000", "#fff", "background: #0a0a0a"], vec!["#888", "#f00"]),
            ("Make it dark blue", vec!["#1e3a8a", "hsl(220 80% 20%)", "bg-sky-900"], vec!["#ff0000", "#222"]),
            ("A gradient from orange to pink", vec!["#f97316", "#ec4899", "from-orange-400"], vec!["#00ff00"]),
            ("Use navy and gold", vec!["#000080", "#ffd700"], vec!["#00ff00"]),
            ("Mach den Button dunkelblau", vec!["#00008b"], vec!["#f00"]),
            ("Eine rote Überschrift", vec!["#f00"], vec!["#00f"]),
            ("Bake bread", vec![], vec!["#f00"]),
            ("Add a card with a soft shadow", vec!["rgba(0, 0, 0, .2)", "#ccc", "border-zinc-200"], vec!["#f00"]),
            ("Use oklch(0.7 0.1 200)", vec!["oklch(0.7  0.1 200)"], vec!["oklch(0.7 0.1 201)"]),
        ] {
            let asks = Asked::in_messages(&[message.to_owned()]);
            asked.iter().for_each(|shown| assert!(asks.has(shown), "{message}: {shown}"));
            others.iter().for_each(|shown| assert!(!asks.has(shown), "{message}: {shown}"));
        }
    }
}

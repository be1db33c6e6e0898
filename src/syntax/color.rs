//! Finds literal colors in a text: hexadecimal, as a function, or as a class of Tailwind's palette.

use std::ops::Range;

/// A color in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Color {
    pub notation: Notation,
    /// Byte range in the text.
    pub range: Range<usize>,
}

/// The notation of a color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    /// `#1a2b3c`: contains a letter, or repeats one digit, so it is certainly a color.
    Hex,
    /// `#123456`: may also be a number, such as the number of an order.
    Digits,
    /// `rgb(0 0 0 / 50%)`.
    Function,
    /// `hover:bg-red-500/50`.
    PaletteClass,
}

const FUNCTIONS: [&str; 10] = ["rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color"];

/// Longer arguments of a function are omitted from the range, in characters.
const MAX_ARGUMENTS: usize = 100;

/// The color spaces that `color()` may start with.
const SPACES: [&str; 9] =
    ["srgb", "srgb-linear", "display-p3", "a98-rgb", "prophoto-rgb", "rec2020", "xyz", "xyz-d50", "xyz-d65"];

/// Tailwind's utilities that take a color.
const UTILITIES: [&str; 30] = [
    "bg",
    "text",
    "border",
    "border-x",
    "border-y",
    "border-t",
    "border-r",
    "border-b",
    "border-l",
    "border-s",
    "border-e",
    "divide",
    "outline",
    "ring",
    "ring-offset",
    "inset-ring",
    "shadow",
    "inset-shadow",
    "drop-shadow",
    "text-shadow",
    "accent",
    "caret",
    "decoration",
    "placeholder",
    "fill",
    "stroke",
    "from",
    "via",
    "to",
    "marker",
];

/// Tailwind's palette. White, black, transparent and current are neutral and not included.
const PALETTE: [&str; 22] = [
    "red", "orange", "amber", "yellow", "lime", "green", "emerald", "teal", "cyan", "sky", "blue", "indigo", "violet",
    "purple", "fuchsia", "pink", "rose", "slate", "gray", "zinc", "neutral", "stone",
];

const SHADES: [&str; 11] = ["50", "100", "200", "300", "400", "500", "600", "700", "800", "900", "950"];

/// Hexadecimal colors and color functions with literal arguments. Not `hsl(var(--primary))`, `rgb(${r}, …)` or
/// `rgb(from var(--x) …)`, whose color comes from elsewhere.
pub(crate) fn literals(text: &str) -> Vec<Color> {
    let mut found = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        found.extend(match byte {
            b'#' => hex(text, at),
            b'(' => function(text, at),
            _ => None,
        });
    }
    found
}

/// Classes of Tailwind's palette among the words of a text.
pub(crate) fn palette_classes(text: &str) -> Vec<Color> {
    let mut at = 0;
    let mut found = Vec::new();
    for word in text.split(|c: char| c.is_ascii_whitespace() || matches!(c, '"' | '\'' | '`')) {
        if palette_color(word).is_some() {
            found.push(Color { notation: Notation::PaletteClass, range: at..at + word.len() });
        }
        at += word.len() + 1;
    }
    found
}

/// The palette color that a class names: `red-500` in `dark:hover:!bg-red-500/50`.
pub(crate) fn palette_color(class: &str) -> Option<&str> {
    let utility = class.rsplit_once(':').map_or(class, |(_, utility)| utility);
    let utility = utility.trim_start_matches(['!', '-']).trim_end_matches('!');
    let utility = utility.split_once('/').map_or(utility, |(utility, _)| utility);
    let (rest, shade) = utility.rsplit_once('-')?;
    let (prefix, color) = rest.rsplit_once('-')?;
    let known = SHADES.contains(&shade) && PALETTE.contains(&color) && UTILITIES.contains(&prefix);
    if known { utility.get(prefix.len() + 1..) } else { None }
}

fn hex(text: &str, at: usize) -> Option<Color> {
    let before = text.get(..at)?.chars().next_back();
    if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '&' | '/' | '#' | '-' | '?' | '.')) {
        return None;
    }
    let rest = text.get(at + 1..)?;
    let digits = rest.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len());
    let (digits, after) = rest.split_at_checked(digits)?;
    let ends = !after.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '/');
    if !ends || !matches!(digits.len(), 3 | 4 | 6 | 8) {
        return None;
    }
    let first = digits.chars().next();
    let certain = digits.contains(|c: char| c.is_ascii_alphabetic()) || digits.chars().all(|c| Some(c) == first);
    let notation = if certain { Notation::Hex } else { Notation::Digits };
    Some(Color { notation, range: at..at + 1 + digits.len() })
}

fn function(text: &str, paren: usize) -> Option<Color> {
    let before = text.get(..paren)?;
    let start = paren - before.bytes().rev().take_while(u8::is_ascii_alphanumeric).count();
    let name = before.get(start..)?.to_ascii_lowercase();
    let is_part = before.get(..start)?.chars().next_back().is_some_and(|c| c.is_alphanumeric() || "-.$".contains(c));
    if is_part || !FUNCTIONS.contains(&name.as_str()) {
        return None;
    }
    // In an arbitrary value of Tailwind, an underscore is a space.
    let arguments = text.get(paren + 1..)?.trim_start_matches(|c: char| c.is_whitespace() || c == '_');
    let literal = if name == "color" {
        SPACES.contains(&arguments.split([' ', '_']).next()?)
    } else {
        let number = arguments.trim_start_matches(['+', '-', '.']);
        number.starts_with(|c: char| c.is_ascii_digit()) || number.starts_with("none")
    };
    if !literal {
        return None;
    }
    let shown = arguments.char_indices().take(MAX_ARGUMENTS).find(|(_, c)| *c == ')');
    let end = shown.map_or(paren + 1, |(at, _)| text.len() - arguments.len() + at + 1);
    Some(Color { notation: Notation::Function, range: start..end })
}

/// Red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rgb([u8; 3]);

/// The value of a literal without its transparency; `None` for other notations than hexadecimal, `rgb` and `hsl`.
pub(crate) fn value(literal: &str) -> Option<Rgb> {
    if let Some(digits) = literal.strip_prefix('#') {
        let digits: Vec<u8> = digits.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect::<Option<_>>()?;
        return match *digits.as_slice() {
            [r, g, b] | [r, g, b, _] => Some(Rgb([r * 17, g * 17, b * 17])),
            [r, s, g, h, b, c] | [r, s, g, h, b, c, _, _] => Some(Rgb([r * 16 + s, g * 16 + h, b * 16 + c])),
            _ => None,
        };
    }
    let (name, arguments) = literal.split_once('(')?;
    let arguments = arguments.trim_end_matches(')').split([',', ' ', '/', '_']).filter(|part| !part.is_empty());
    // With the number that means 100 %.
    let number = |text: &str| {
        let units = [("%", 100.0), ("turn", 1.0), ("deg", 360.0), ("", 0.0)];
        units.into_iter().find_map(|(unit, whole)| Some((text.strip_suffix(unit)?.parse::<f64>().ok()?, whole)))
    };
    let parts: Vec<(f64, f64)> = arguments.take(3).map(number).collect::<Option<_>>()?;
    let &[(a, whole), (b, _), (c, _)] = parts.as_slice() else { return None };
    let channel = |share: f64| (share * 255.0).round().clamp(0.0, 255.0) as u8;
    match name {
        "rgb" | "rgba" => {
            let scale = if whole == 100.0 { 100.0 } else { 255.0 };
            Some(Rgb([a, b, c].map(|part| channel(part / scale))))
        }
        "hsl" | "hsla" => {
            let (hue, saturation, lightness) = (if whole == 1.0 { a * 360.0 } else { a }, b / 100.0, c / 100.0);
            let spread = saturation * lightness.min(1.0 - lightness);
            let of = |offset: f64| {
                let at = (offset + hue / 30.0).rem_euclid(12.0);
                channel(lightness - spread * (at - 3.0).min(9.0 - at).clamp(-1.0, 1.0))
            };
            Some(Rgb([of(0.0), of(8.0), of(4.0)]))
        }
        _ => None,
    }
}

impl Rgb {
    /// The hue in degrees, the saturation and the lightness.
    pub(crate) fn hsl(self) -> (f64, f64, f64) {
        let [r, g, b] = self.0.map(|channel| f64::from(channel) / 255.0);
        let (high, low) = (r.max(g).max(b), r.min(g).min(b));
        let (spread, lightness) = (high - low, (high + low) / 2.0);
        if spread == 0.0 {
            return (0.0, 0.0, lightness);
        }
        let sixth = if high == r {
            (g - b) / spread
        } else if high == g {
            (b - r) / spread + 2.0
        } else {
            (r - g) / spread + 4.0
        };
        ((sixth * 60.0).rem_euclid(360.0), spread / (1.0 - (2.0 * lightness - 1.0).abs()), lightness)
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn colors(text: &str) -> Vec<(&str, Notation)> {
        literals(text).into_iter().map(|color| (&text[color.range], color.notation)).collect()
    }

    #[test]
    fn literal_colors_are_found() {
        use Notation::{Digits, Function, Hex};
        let cases: [(&str, &[(&str, Notation)]); 12] = [
            ("#fff", &[("#fff", Hex)]),
            ("#000", &[("#000", Hex)]),
            ("#FF00aa80 #1234", &[("#FF00aa80", Hex), ("#1234", Digits)]),
            ("bg-[#1a2b3c]", &[("#1a2b3c", Hex)]),
            ("shadow-[0_0_4px_#f00_inset]", &[("#f00", Hex)]),
            ("1px solid #ccc;", &[("#ccc", Hex)]),
            ("#123456", &[("#123456", Digits)]),
            ("rgb(0 0 0 / 50%)", &[("rgb(0 0 0 / 50%)", Function)]),
            ("a HSLA( .5turn, 1%, 2%) b", &[("HSLA( .5turn, 1%, 2%)", Function)]),
            ("oklch(0.7 0.1 200", &[("oklch(", Function)]),
            ("color(display-p3 1 0 0)", &[("color(display-p3 1 0 0)", Function)]),
            ("ü#fff_x rgb(from #abc r g b)", &[("#abc", Hex)]),
        ];
        for (text, expected) in cases {
            assert_eq!(colors(text), expected, "{text}");
        }
    }

    #[test]
    fn text_that_resembles_a_color_is_ignored() {
        for text in [
            "#",
            "#ff",
            "#fffff",
            "#faq",
            "#add-item",
            "page#abc",
            "/docs/#abc/def",
            "&#123;",
            "##fff",
            "hsl(var(--primary))",
            "hsl(var(--primary) / 0.5)",
            "rgb(${r}, ${g}, ${b})",
            "rgb(from var(--primary) r g b / 50%)",
            "color-mix(in oklch, var(--a), var(--b))",
            "toRgb(1, 2, 3)",
            "chroma.rgb(1, 2, 3)",
            "--rgb(1)",
            "color(x)",
            "label(1)",
            "ürgb",
        ] {
            assert_eq!(colors(text), [], "{text}");
        }
    }

    #[test]
    fn palette_classes_are_found() {
        let classes = "flex text-red-500 dark:hover:!bg-slate-950/50 border-t-rose-50 -from-sky-400 ring-offset-zinc-100! \
            text-white bg-black bg-primary text-muted-foreground bg-red text-brand-500 grid-cols-500 bg-chart-1 to-red-550";
        let found: Vec<&str> = palette_classes(classes).into_iter().map(|color| &classes[color.range]).collect();
        assert_eq!(
            found,
            [
                "text-red-500",
                "dark:hover:!bg-slate-950/50",
                "border-t-rose-50",
                "-from-sky-400",
                "ring-offset-zinc-100!"
            ]
        );
        assert_eq!(palette_color("dark:hover:!bg-slate-950/50"), Some("slate-950"));
    }

    #[test]
    fn literals_of_one_color_have_one_value() {
        for same in ["#ff0000", "#f00", "#F00F", "#ff0000cc", "rgb(255 0 0)", "rgba(255, 0, 0, .5)", "rgb(100% 0% 0%)"]
        {
            assert_eq!(value(same), Some(Rgb([255, 0, 0])), "{same}");
        }
        assert_eq!(value("hsl(120deg 100% 25%)"), Some(Rgb([0, 128, 0])));
        assert_eq!(value("hsl(.5turn, 100%, 50%)"), value("#0ff"));
        for other in ["oklch(1 0 0)", "rgb(", "rgb(a b c)", "#12345", "red", ""] {
            assert_eq!(value(other), None, "{other}");
        }
        let (hue, saturation, lightness) = Rgb([0, 0, 128]).hsl();
        assert_eq!((hue, saturation, (lightness * 100.0).round()), (240.0, 1.0, 25.0));
    }

    proptest! {
        #[test]
        fn ranges_are_in_bounds_for_any_text(text in "[#a-f0-9(){}$ü \\-/_.rghslbc]{0,60}") {
            for color in literals(&text).into_iter().chain(palette_classes(&text)) {
                prop_assert!(text.get(color.range).is_some());
            }
        }
    }
}

//! Compares the theme with style sheets. Colours are generated, so they show that there is a theme but not its mood.
//! Props that style sheets cannot show get no entry.

use super::entry::{DiffCategory, PlanDiffEntry};
use super::planned::Theme;
use crate::syntax::css::{CssItem, StyleSheet};

struct Declared<'s> {
    path: &'s str,
    /// In lower case.
    name: String,
    value: String,
}

/// Variables that every theme declares.
const COLOURS: [&str; 2] = ["--background", "--primary"];

/// The entries of the theme's props. `mood` is implemented if a style sheet declares a theme's colours, else missing. A
/// font is implemented if a `--font…` variable or a `font-family` names it, and deviates if these name other fonts. Of
/// the values of `radius`, only `none` can be recognised.
pub(super) fn judge(theme: &Theme, sheets: &[(&str, &str)]) -> Vec<PlanDiffEntry> {
    let declared = declarations(sheets);
    let mut entries = Vec::new();
    if let Some(mood) = &theme.mood {
        let colour = declared.iter().find(|one| COLOURS.contains(&one.name.as_str()));
        let why = "no style sheet declares the theme's colours: apply the theme".to_owned();
        entries.push(entry("mood", mood, colour, colour.is_none().then_some(why)));
    }
    entries.extend(theme.font.as_ref().and_then(|font| font_entry("font", font, &declared, false)));
    entries.extend(theme.mono_font.as_ref().and_then(|font| font_entry("monoFont", font, &declared, true)));
    entries.extend(theme.radius.as_ref().and_then(|radius| radius_entry(radius, &declared)));
    entries
}

fn declarations<'s>(sheets: &[(&'s str, &'s str)]) -> Vec<Declared<'s>> {
    let mut declared = Vec::new();
    for (path, css) in sheets {
        for item in StyleSheet::new(css).items() {
            if let CssItem::Declaration { name, value, .. } = item
                && is_comparable(name)
            {
                declared.push(Declared { path, name: name.to_ascii_lowercase(), value: (*value).to_owned() });
            }
        }
    }
    declared
}

fn is_comparable(name: &str) -> bool {
    name.starts_with("--font") || name == "--radius" || COLOURS.contains(&name) || is_font(name)
}

fn is_font(name: &str) -> bool {
    name.eq_ignore_ascii_case("font-family")
}

fn is_mono(declared: &Declared<'_>) -> bool {
    declared.name.contains("mono") || declared.value.contains("monospace")
}

/// Whether the declaration sets a font. `var(…)` references, sizes and weights do not.
fn names_fonts(declared: &Declared<'_>) -> bool {
    let about = ["size", "weight", "feature", "variation", "style", "stretch"];
    (declared.name.starts_with("--font") && !about.iter().any(|word| declared.name.contains(word))
        || is_font(&declared.name))
        && !families(&declared.value).is_empty()
}

fn font_entry(prop: &str, font: &str, declared: &[Declared<'_>], mono: bool) -> Option<PlanDiffEntry> {
    let fonts = || declared.iter().filter(|one| names_fonts(one));
    let is_it = |one: &&Declared<'_>| families(&one.value).iter().any(|family| is_family(family, font));
    if let Some(one) = fonts().find(is_it) {
        return Some(entry(prop, font, Some(one), None));
    }
    let other = fonts().find(|one| is_mono(one) == mono)?;
    Some(entry(prop, font, Some(other), Some(format!("{} is {}", other.name, other.value))))
}

/// The font families in a value, without `var(…)`.
fn families(value: &str) -> Vec<String> {
    let names = value.split(',').map(|family| family.trim().trim_matches(['"', '\'']).to_ascii_lowercase());
    names.filter(|family| !family.is_empty() && !family.contains(['(', ')'])).collect()
}

/// `Inter`, or its variable form `Inter Variable` or `InterVariable`.
fn is_family(family: &str, font: &str) -> bool {
    let rest = family.strip_prefix(&font.to_ascii_lowercase()).map(str::trim);
    rest.is_some_and(|rest| rest.is_empty() || rest == "variable")
}

fn radius_entry(radius: &str, declared: &[Declared<'_>]) -> Option<PlanDiffEntry> {
    let one = declared.iter().find(|one| one.name == "--radius")?;
    let number = one.value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    let is_none = number.parse::<f64>().ok()? == 0.0;
    match (radius == "none", is_none) {
        (true, true) => Some(entry("radius", radius, Some(one), None)),
        (false, false) => None,
        _ => Some(entry("radius", radius, Some(one), Some(format!("--radius is {}", one.value)))),
    }
}

fn entry(prop: &str, value: &str, found: Option<&Declared<'_>>, detail: Option<String>) -> PlanDiffEntry {
    PlanDiffEntry::compared(DiffCategory::Theme, format!("{prop}={value:?}"), found.map(|one| one.path), detail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::DiffStatus;

    fn judged(theme: Theme, css: &str) -> Vec<(String, DiffStatus)> {
        judge(&theme, &[("src/index.css", css)]).into_iter().map(|entry| (entry.planned, entry.status)).collect()
    }

    #[test]
    fn a_font_is_found_by_its_declarations() {
        use DiffStatus::{Deviation, Implemented};
        let cases = [
            (":root { --font-sans: Inter, sans-serif }", Some(Implemented)),
            ("@theme { --font-body: 'Inter Variable', system-ui; }", Some(Implemented)),
            ("body { font-family: \"inter\" }", Some(Implemented)),
            (":root { --font-sans: Outfit; --font-heading: Inter }", Some(Implemented)),
            (":root { --font-sans: Outfit, sans-serif }", Some(Deviation)),
            (":root { --font-sans: 'Inter Tight' }", Some(Deviation)),
            (":root { /* --font-sans: Inter */ }", None),
            (":root { --font-sans: var(--inter) }", None),
            (":root { --font-size: 16px; --font-weight-bold: 700 }", None),
            (":root { --font-mono: 'Fira Code', monospace }", None),
            ("", None),
        ];
        for (css, expected) in cases {
            let theme = Theme { font: Some("Inter".to_owned()), ..Theme::default() };
            assert_eq!(judged(theme, css).first().map(|(_, status)| *status), expected, "{css}");
        }
        let mono = Theme { mono_font: Some("Fira Code".to_owned()), ..Theme::default() };
        let css = ":root { --font-mono: 'JetBrains Mono', monospace }";
        assert_eq!(judged(mono, css), [("monoFont=\"Fira Code\"".to_owned(), Deviation)]);
    }

    #[test]
    fn only_a_radius_of_none_is_comparable() {
        use DiffStatus::{Deviation, Implemented};
        for (radius, css, expected) in [
            ("none", "0", Some(Implemented)),
            ("none", "0rem", Some(Implemented)),
            ("none", "0.5rem", Some(Deviation)),
            ("pill", "0px", Some(Deviation)),
            ("pill", "0.5rem", None),
            ("none", "var(--r)", None),
        ] {
            let theme = Theme { radius: Some(radius.to_owned()), ..Theme::default() };
            let css = format!(":root {{ --radius: {css}; }}");
            assert_eq!(judged(theme, &css).first().map(|(_, status)| *status), expected, "{radius} {css}");
        }
    }
}

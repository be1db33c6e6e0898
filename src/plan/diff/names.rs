//! Compares names across naming styles: `hero`, `Hero`, `HeroSection`, `hero_section`, `Hero Section`.

/// A name's letters and digits in lower case, so kebab, camel, Pascal, snake and spaced forms are equal.
pub(crate) fn key(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether two names are equal in any naming style.
pub(crate) fn same(a: &str, b: &str) -> bool {
    key(a) == key(b)
}

/// A name of the plan, and the words that a component's name may add to it.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    key: String,
    beside: Vec<String>,
}

impl Wanted {
    /// A section's gumdrop. The component's name may add the screen and the variant: `HomeHero`, `HeroSplit`.
    pub(super) fn section(gumdrop: &str, screen: &str, variant: &str) -> Self {
        const BESIDE: [&str; 7] = ["section", "gumdrop", "block", "component", "view", "container", "wrapper"];
        Self::new(gumdrop, &[&BESIDE[..], &[screen, variant]].concat())
    }

    pub(super) fn screen(name: &str) -> Self {
        Self::new(name, &["page", "screen", "view", "route", "container", "component"])
    }

    fn new(name: &str, beside: &[&str]) -> Self {
        let beside = beside.iter().map(|word| key(word)).filter(|word| !word.is_empty()).collect();
        Self { key: key(name), beside }
    }

    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// Whether a component's name, as a [`key`], matches. With an added word it may be singular, and it may end with a
    /// number.
    pub(super) fn is(&self, name: &str) -> bool {
        !self.key.is_empty()
            && (name == self.key || self.is_beside(name.trim_end_matches(|c: char| c.is_ascii_digit())))
    }

    fn is_beside(&self, name: &str) -> bool {
        name == self.key
            || name.len() >= self.key.len()
                && self.beside.iter().any(|word| {
                    [name.strip_suffix(word.as_str()), name.strip_prefix(word.as_str())].into_iter().flatten().any(
                        |rest| !rest.is_empty() && (self.key.strip_suffix('s') == Some(rest) || self.is_beside(rest)),
                    )
                })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_equal_in_every_naming_style() {
        for name in ["data-table", "dataTable", "DataTable", "data_table", "Data Table", "DATA_TABLE"] {
            assert_eq!(key(name), "datatable");
            assert!(same(name, "data-table"));
        }
        assert!(!same("data-table", "data-tables"));
        assert!(!same("data", "data-table"));
    }

    #[test]
    fn a_component_name_may_include_its_kind() {
        let cases = [
            ("hero", true),
            ("Hero", true),
            ("HeroSection", true),
            ("HomeHeroSection", true),
            ("HeroSplit", true),
            ("SectionHero", true),
            ("HeroSection2", true),
            ("HeroImage", false),
            ("SuperHero", false),
            ("Section", false),
            ("Heroes", false),
        ];
        let hero = Wanted::section("hero", "home", "split");
        for (name, expected) in cases {
            assert_eq!(hero.is(&key(name)), expected, "{name}");
        }
        let features = Wanted::section("features", "", "");
        assert!(features.is(&key("FeatureSection")) && features.is(&key("FEATURES")));
        assert!(!features.is(&key("Feature")), "a single one is a part of it");
        assert!(Wanted::screen("home").is(&key("HomePage")) && !Wanted::screen("home").is(&key("HomeIcon")));
        assert!(!Wanted::section("…", "", "").is(""));
    }
}

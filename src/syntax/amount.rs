//! Numbers with their units, in texts and in code.

const CURRENCIES: &str = "€$£¥";
const UNITS: [&str; 13] = ["px", "rem", "em", "ms", "s", "vh", "vw", "pt", "fr", "deg", "eur", "usd", "k"];

/// Whether a word is only a unit that stands apart: `€`.
pub(crate) fn is_sign(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| CURRENCIES.contains(c) || c == '%')
}

/// Whether a word in lower case is a number, and whether it has a unit.
pub(crate) fn number(word: &str) -> Option<bool> {
    let number = word.trim_matches(|c: char| CURRENCIES.contains(c) || c == '%');
    let unit = number.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    let has_unit = number.len() < word.len() || UNITS.contains(&unit);
    (number.starts_with(|c: char| c.is_ascii_digit()) && (unit.is_empty() || has_unit)).then_some(has_unit)
}

/// A number with its unit.
#[derive(Debug)]
pub(crate) struct Amount {
    /// What it may mean: `1,200` is 1.2 or 1200.
    numbers: Vec<String>,
    unit: String,
}

impl Amount {
    pub(crate) fn new(text: &str) -> Self {
        let is_digit = |c: char| c.is_ascii_digit();
        let from = text.find(is_digit).unwrap_or_default();
        let to = text.rfind(is_digit).map_or(text.len(), |at| at + 1);
        let number = text.get(from..to).unwrap_or_default().replace(',', ".");
        let mut parts = number.split('.');
        let is_grouped = parts.next().is_some_and(|first| first.len() < 4) && parts.all(|part| part.len() == 3);
        let mut numbers = vec![match number.split_once('.') {
            Some(_) => number.trim_end_matches('0').trim_end_matches('.').to_owned(),
            None => number.clone(),
        }];
        if is_grouped {
            numbers.push(number.replace('.', ""));
        }
        let unit = [text.get(..from), text.get(to..)].into_iter().flatten().collect::<String>();
        let unit = unit.trim().to_lowercase().replace("eur", "€").replace("usd", "$");
        Self { numbers, unit }
    }

    /// The code may state no unit.
    pub(crate) fn equals(&self, code: &Self) -> bool {
        let is_unit = code.unit.is_empty() || self.unit.is_empty() || code.unit == self.unit;
        is_unit && self.numbers.iter().any(|number| code.numbers.contains(number))
    }

    /// One is in cents, the other is not.
    pub(crate) fn is_cents(&self, wanted: &Self) -> bool {
        let value =
            |amount: &Self| amount.numbers.iter().filter_map(|number| number.parse::<f64>().ok()).collect::<Vec<_>>();
        let (own, wanted) = (value(self), value(wanted));
        own.iter().any(|own| {
            wanted.iter().any(|wanted| (own - wanted * 100.0).abs() < 1e-6 || (own * 100.0 - wanted).abs() < 1e-6)
        })
    }
}

/// The amounts of a line, with their places.
pub(crate) fn amounts(line: &str) -> Vec<(Amount, (usize, usize))> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(from) =
        line.get(at..).and_then(|rest| rest.find(|c: char| c.is_ascii_digit())).map(|start| at + start)
    {
        let rest = line.get(from..).unwrap_or_default();
        let length = rest.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',')).unwrap_or(rest.len());
        let length = rest.get(..length).unwrap_or_default().trim_end_matches(['.', ',']).len();
        let (before, after) = (line.get(..from).unwrap_or_default(), rest.get(length..).unwrap_or_default());
        at = from + length;
        if before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '#' | '.')) {
            continue;
        }
        let sign = before.trim_end_matches(' ').chars().next_back().filter(|c| CURRENCIES.contains(*c));
        let first = after.trim_start_matches(' ').chars().next().filter(|c| CURRENCIES.contains(*c) || *c == '%');
        let unit: String = match first {
            Some(sign) => sign.to_string(),
            None => after.chars().take_while(char::is_ascii_alphabetic).collect(),
        };
        let text = rest.get(..length).unwrap_or_default();
        found.push((Amount::new(&format!("{}{text}{unit}", sign.map(String::from).unwrap_or_default())), (from, at)));
    }
    found
}

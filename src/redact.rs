//! Takes secrets out of texts that are published or stored: events, the journal, records and errors. Files of the user
//! and messages to the model keep them.

use serde_json::Value;
use std::borrow::Cow;

/// What replaces a secret.
const REPLACEMENT: &str = "[redacted]";

/// A shorter secret would occur in other texts by chance.
pub(crate) const SECRET_MIN: usize = 8;

/// Keys of common services: how they begin, and how many characters of a token follow at least.
const SHAPES: [(&str, usize); 26] = [
    ("AIza", 35),
    ("AKIA", 16),
    ("ASIA", 16),
    ("eyJhbGciOi", 40),
    ("eyJ0eXAiOi", 40),
    ("ghp_", 30),
    ("gho_", 30),
    ("ghr_", 30),
    ("ghs_", 30),
    ("ghu_", 30),
    ("github_pat_", 30),
    ("glpat-", 20),
    ("gsk_", 40),
    ("hf_", 30),
    ("npm_", 36),
    ("pypi-", 40),
    ("rk_live_", 20),
    ("sk-", 20),
    ("sk_live_", 20),
    ("sk_test_", 20),
    ("xai-", 40),
    ("xapp-", 20),
    ("xoxa-", 20),
    ("xoxb-", 20),
    ("xoxp-", 20),
    ("xoxs-", 20),
];

/// A private key in PEM form: its first line and its last one.
const PEM: (&str, &str) = ("PRIVATE KEY-----", "-----END");

/// The secrets of a host, and the keys of common services.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    named: Vec<String>,
}

impl Redactor {
    /// Also finds a secret that is written as JSON or in an address, and each line of one that has several. Values of fewer
    /// than eight characters are left out.
    pub fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        let mut named: Vec<String> = secrets.into_iter().flat_map(|secret| forms(&secret)).collect();
        named.retain(|form| form.chars().count() >= SECRET_MIN);
        named.sort();
        named.dedup();
        Self { named }
    }

    /// The text without secrets.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = self.without_named(text);
        if let Some(clean) = self.without_cut(&text) {
            text = Cow::Owned(clean);
        }
        if let Some(clean) = without_pem(&text) {
            text = Cow::Owned(clean);
        }
        match without_keys(&text) {
            Some(clean) => Cow::Owned(clean),
            None => text,
        }
    }

    /// The value of a JSON text without secrets; `None` if it has none.
    pub fn json(&self, json: &str) -> Option<Value> {
        // Of a secret that was cut, the start or the end is there.
        let start = |secret: &String| in_json(&secret.chars().take(SECRET_MIN).collect::<String>());
        let end = |secret: &String| {
            let skipped = secret.chars().count() - SECRET_MIN;
            in_json(&secret.chars().skip(skipped).collect::<String>())
        };
        let has_part = |secret: &String| json.contains(&start(secret)) || json.contains(&end(secret));
        let may_have = self.named.iter().any(has_part) || may_have_keys(json) || json.contains(PEM.0);
        let value: Value = if may_have { serde_json::from_str(json).ok()? } else { return None };
        let clean = self.value(&value);
        (clean != value).then_some(clean)
    }

    fn value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text).into_owned()),
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect(),
            Value::Object(fields) => {
                fields.iter().map(|(name, field)| (self.text(name).into_owned(), self.value(field))).collect()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    fn without_named<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let spans = self.spans(text);
        if spans.is_empty() {
            return Cow::Borrowed(text);
        }
        let (mut clean, mut done) = (String::with_capacity(text.len()), 0);
        for (start, end) in spans {
            clean.push_str(text.get(done..start).unwrap_or_default());
            clean.push_str(REPLACEMENT);
            done = end;
        }
        clean.push_str(text.get(done..).unwrap_or_default());
        Cow::Owned(clean)
    }

    /// Where named secrets are, in order. Those that overlap are one.
    fn spans(&self, text: &str) -> Vec<(usize, usize)> {
        let places = |secret: &String| {
            let length = secret.len();
            text.match_indices(secret.as_str()).map(move |(at, _)| (at, at + length)).collect::<Vec<_>>()
        };
        let mut spans: Vec<(usize, usize)> = self.named.iter().flat_map(places).collect();
        spans.sort_unstable();
        spans.dedup_by(|next, last| {
            let overlaps = next.0 < last.1;
            last.1 = if overlaps { last.1.max(next.1) } else { last.1 };
            overlaps
        });
        spans
    }

    /// The text without the starts and ends of named secrets where it was cut: at its end, before an ellipsis, and after the
    /// line with one. `None` if it has none.
    fn without_cut(&self, text: &str) -> Option<String> {
        let mut clean = String::new();
        for (index, part) in text.split(CUT).enumerate() {
            let (mark, part) = part.split_at(if part.starts_with(AFTER_CUT) { AFTER_CUT.len() } else { 0 });
            let longest = |of: fn(&str, &str) -> usize| {
                let lengths = self.named.iter().map(|secret| of(secret, part));
                lengths.max().filter(|length| *length >= SECRET_MIN).unwrap_or_default()
            };
            let end = if index > 0 { longest(end_at_start) } else { 0 };
            let start = part.len() - longest(start_at_end);
            clean += if index > 0 { CUT } else { "" };
            clean += mark;
            clean += if end > 0 { REPLACEMENT } else { "" };
            clean += part.get(end..start.max(end)).unwrap_or_default();
            clean += if start < part.len() { REPLACEMENT } else { "" };
        }
        (clean != text).then_some(clean)
    }

    /// Where a text ends that no later piece changes.
    fn decided(&self, text: &str) -> usize {
        let named = self.start_of_named(text);
        let word = text.rfind(|c: char| !is_token(c)).map_or(text, |at| text.get(at..).unwrap_or_default());
        let word = word.trim_start_matches(|c: char| !is_token(c));
        let is_key = SHAPES.iter().any(|(start, _)| word.starts_with(start) || start.starts_with(word));
        let decided = text.len() - named.max(if is_key { word.len() } else { 0 });
        open_pem(text).map_or(decided, |start| decided.min(start))
    }

    /// The bytes of the longest start of a named secret, or of a private key, with which the text ends.
    fn start_of_named(&self, text: &str) -> usize {
        let named = self.named.iter().map(String::as_str).chain([PEM.0]);
        named.map(|secret| start_at_end(secret, text)).max().unwrap_or_default()
    }
}

/// Where a text was cut.
const CUT: &str = "…";

/// What is between the mark of a cut and the rest.
const AFTER_CUT: &str = "]\n";

/// The bytes of the longest end of the secret with which the text begins.
fn end_at_start(secret: &str, text: &str) -> usize {
    let mut ends = secret.char_indices().skip(1).filter_map(|(start, _)| secret.get(start..));
    ends.find(|end| text.starts_with(end)).map_or(0, str::len)
}

/// The bytes of the longest start of the secret with which the text ends.
fn start_at_end(secret: &str, text: &str) -> usize {
    let starts = secret.char_indices().skip(1).filter_map(|(end, _)| secret.get(..end));
    starts.filter(|start| text.ends_with(start)).last().map_or(0, str::len)
}

/// Streamed text. What may be the start of a secret waits for the next piece.
#[derive(Debug, Default)]
pub struct Stream {
    waiting: String,
}

impl Stream {
    /// The text up to what has to wait.
    pub fn push(&mut self, redactor: &Redactor, piece: &str) -> String {
        self.waiting.push_str(piece);
        let text = std::mem::take(&mut self.waiting);
        let mut end = redactor.decided(&text);
        if text.len() - end > WAITING_MAX {
            end = text.len() - redactor.start_of_named(&text);
        }
        // A secret that is complete may also be the start of another one.
        let cut = redactor.spans(&text).into_iter().find(|(start, after)| (start + 1..*after).contains(&end));
        let end = cut.map_or(end, |(start, _)| start);
        let (decided, waiting) = text.split_at_checked(end).unwrap_or((&text, ""));
        let clean = redactor.text(decided).into_owned();
        self.waiting = match waiting.strip_prefix(PEM.0) {
            // The body of a private key is not published, so it need not wait.
            Some(body) if !body.contains(PEM.1) => {
                let (_, end) = body.split_at_checked(body.len() - start_at_end(PEM.1, body)).unwrap_or((body, ""));
                format!("{}{end}", PEM.0)
            }
            _ => waiting.to_owned(),
        };
        clean
    }

    /// The rest.
    pub fn finish(&mut self, redactor: &Redactor) -> String {
        redactor.text(&std::mem::take(&mut self.waiting)).into_owned()
    }
}

/// A longer text does not wait, in bytes: it is one word without an end, or the last line of a private key without one.
const WAITING_MAX: usize = 64 * 1024;

/// The ways in which a secret is written. A JSON text may be a string of another one, as in the arguments of a call.
fn forms(secret: &str) -> Vec<String> {
    let secret = secret.trim();
    let json = in_json(secret);
    let lines = secret.lines().map(|line| line.trim().to_owned());
    let mut forms: Vec<String> = lines.chain([secret.to_owned(), json]).collect();
    // Other programs escape more in JSON: `/`, marks of HTML, and what is not ASCII.
    for marks in ["", "&<>", "&<>'+`"] {
        for escapes_slash in [false, true] {
            for digits in [None, Some(false), Some(true)] {
                let escaped = in_other_json(secret, marks, escapes_slash, digits);
                forms.extend([in_json(&escaped), escaped]);
            }
        }
    }
    let upper = percent_encoded(secret);
    let in_form = upper.replace("%20", "+");
    let strict = |text: &str| {
        ["!", "'", "(", ")", "*", "~"]
            .iter()
            .fold(text.to_owned(), |text, c| text.replace(c, &format!("%{:02X}", c.bytes().next().unwrap_or_default())))
    };
    let (strict_upper, strict_form) = (strict(&upper), strict(&in_form));
    let open = |text: &str| text.replace("%2F", "/").replace("%3A", ":").replace("%40", "@");
    for text in [&upper, &in_form, &strict_upper, &strict_form, &open(&upper), &open(&strict_upper)] {
        forms.extend([text.clone(), lower_escapes(text)]);
    }
    forms
}

/// As the JSON of other programs has it: with `\\/`, and with escapes for the marks and for what is not ASCII, in lower or
/// upper case.
fn in_other_json(text: &str, marks: &str, escapes_slash: bool, digits: Option<bool>) -> String {
    let mut escaped = String::new();
    for c in in_json(text).chars() {
        let is_upper = digits.filter(|_| !c.is_ascii() || marks.contains(c));
        match is_upper {
            None if c == '/' && escapes_slash => escaped.push_str("\\/"),
            None => escaped.push(c),
            Some(is_upper) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    escaped += &if is_upper { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") };
                }
            }
        }
    }
    escaped
}

/// The text with the digits of its `%2F` in lower case.
fn lower_escapes(text: &str) -> String {
    let mut lower = String::with_capacity(text.len());
    let mut parts = text.split('%');
    lower.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        lower += &format!("%{}{rest}", digits.to_ascii_lowercase());
    }
    lower
}

/// As a string of a JSON text has it, without the quotes.
fn in_json(text: &str) -> String {
    let json = serde_json::to_string(text).unwrap_or_default();
    json.strip_prefix('"').and_then(|json| json.strip_suffix('"')).unwrap_or_default().to_owned()
}

/// As `encodeURIComponent` writes it.
fn percent_encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        match byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            true => encoded.push(char::from(byte)),
            false => encoded.push_str(&format!("%{byte:02X}")),
        }
        encoded
    })
}

fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')
}

/// Whether a text may have keys, also if it is written as JSON: there, the `n` of a line break precedes a key.
fn may_have_keys(text: &str) -> bool {
    SHAPES.iter().any(|(start, least)| {
        let mut rests = text.match_indices(start).filter_map(|(at, _)| text.get(at + start.len()..));
        rests.any(|rest| rest.chars().take(*least).filter(|c| is_token(*c)).count() == *least)
    })
}

/// The text without keys of common services; `None` if it has none.
fn without_keys(text: &str) -> Option<String> {
    if !may_have_keys(text) {
        return None;
    }
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_token) {
        let (before, word) = rest.split_at_checked(at).unwrap_or((rest, ""));
        let (word, after) =
            word.split_at_checked(word.find(|c| !is_token(c)).unwrap_or(word.len())).unwrap_or((word, ""));
        clean.push_str(before);
        clean.push_str(if is_key(word) { REPLACEMENT } else { word });
        rest = after;
    }
    clean.push_str(rest);
    (clean != text).then_some(clean)
}

/// A word is a key if it begins like one and has letters and digits, as random text has.
fn is_key(word: &str) -> bool {
    SHAPES.iter().any(|(start, least)| {
        word.strip_prefix(start).is_some_and(|token| {
            token.len() >= *least
                && token.bytes().any(|byte| byte.is_ascii_digit())
                && token.bytes().any(|byte| byte.is_ascii_alphabetic())
        })
    })
}

/// Where a private key begins whose last line is not complete.
fn open_pem(text: &str) -> Option<usize> {
    let (begin, end) = PEM;
    let mut done = 0;
    loop {
        let start = done + text.get(done..)?.find(begin)?;
        let body = start + begin.len();
        let last_line = text.get(body..)?.find(end).map(|at| body + at);
        let closed = last_line.and_then(|line| Some(line + text.get(line..)?.find(begin)? + begin.len()));
        match closed {
            Some(closed) => done = closed,
            None => return Some(start),
        }
    }
}

/// The text without the bodies of private keys; `None` if it has none.
fn without_pem(text: &str) -> Option<String> {
    let (begin, end) = PEM;
    if !text.contains(begin) {
        return None;
    }
    let mut parts = text.split(begin);
    let mut clean = parts.next().unwrap_or_default().to_owned();
    let mut is_end = false;
    for part in parts {
        clean.push_str(begin);
        // The last line of a key contains the text of the first one.
        let is_body = !is_end;
        is_end = false;
        match part.find(end).filter(|_| is_body) {
            Some(at) => {
                clean.push_str(REPLACEMENT);
                clean.push_str(part.get(at..).unwrap_or_default());
                is_end = true;
            }
            None if is_body => clean.push_str(REPLACEMENT),
            None => clean.push_str(part),
        }
    }
    (clean != text).then_some(clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without secrets of a host.
    static SHAPES_ONLY: Redactor = Redactor { named: Vec::new() };
    use serde_json::json;

    const KEY: &str = "sk-proj-Ab12Cd34Ef56Gh78Ij90Kl";

    fn redactor(secrets: &[&str]) -> Redactor {
        Redactor::new(secrets.iter().map(|secret| (*secret).to_owned()))
    }

    #[test]
    fn a_named_secret_is_replaced_in_every_form() {
        let redactor = redactor(&["first half\nsecond+half/7", "short", "  padded-secret\n"]);
        for (text, expected) in [
            ("a first half\nsecond+half/7 b", "a [redacted] b"),
            (r#"{"key":"first half\nsecond+half/7"}"#, r#"{"key":"[redacted]"}"#),
            ("?key=first%20half%0Asecond%2Bhalf%2F7&x", "?key=[redacted]&x"),
            ("only second+half/7", "only [redacted]"),
            ("first and short stay", "first and short stay"),
            ("padded-secret", "[redacted]"),
        ] {
            assert_eq!(redactor.text(text), expected);
        }
    }

    #[test]
    fn a_secret_is_replaced_as_other_programs_write_it() {
        let redactor = redactor(&["gr\u{fc}n/key +1", "plain/secret+key~(x)", "a&b<c+d\u{e9}"]);
        for text in [
            "gr\u{fc}n/key +1",
            "gr\u{fc}n\\/key +1",
            "gr\\u00fcn/key +1",
            "gr\\u00FCn\\/key +1",
            "gr\\\\u00fcn\\\\/key +1",
            "gr%C3%BCn%2Fkey%20%2B1",
            "gr%c3%bcn%2fkey%20%2b1",
            "gr%C3%BCn%2Fkey+%2B1",
            "gr%c3%bcn%2fkey+%2b1",
            "gr%C3%BCn/key%20%2B1",
            "plain\\/secret+key~(x)",
            "plain%2Fsecret%2Bkey~(x)",
            "plain%2fsecret%2bkey%7e%28x%29",
            "plain/secret\\u002Bkey~(x)",
            "plain/secret\\\\u002bkey~(x)",
            "a\\u0026b\\u003cc+d\\u00e9",
        ] {
            assert_eq!(redactor.text(&format!("a {text} b")), "a [redacted] b", "{text}");
        }
    }

    #[test]
    fn of_secrets_that_begin_or_end_alike_nothing_stays() {
        let redactor = redactor(&["shared-key-1", "shared-key-1234567", "key-1234567-tail", "7-tailings"]);
        for (text, expected) in [
            ("a shared-key-1234567 b", "a [redacted] b"),
            ("a shared-key-123 b", "a [redacted]23 b"),
            ("a shared-key-1234567-tailings b", "a [redacted] b"),
        ] {
            assert_eq!(redactor.text(text), expected);
            for size in 1..text.len() {
                let (mut stream, mut streamed) = (Stream::default(), String::new());
                for piece in text.as_bytes().chunks(size) {
                    streamed += &stream.push(&redactor, std::str::from_utf8(piece).unwrap());
                }
                streamed += &stream.finish(&redactor);
                assert_eq!(streamed, expected, "in pieces of {size}");
            }
        }
    }

    #[test]
    fn the_start_of_a_secret_is_replaced_where_a_text_was_cut() {
        let redactor = redactor(&["marked-secret-key"]);
        assert_eq!(redactor.text("x marked-secret-k"), "x [redacted]");
        assert_eq!(redactor.text("xmarked-s… and more"), "x[redacted]… and more");
        assert_eq!(redactor.text("it is marked"), "it is marked");
        let json = json!({ "a": "x marked-secr", "b": 1 }).to_string();
        assert_eq!(redactor.json(&json), Some(json!({ "a": "x [redacted]", "b": 1 })));
    }

    #[test]
    fn the_end_of_a_secret_is_replaced_after_a_cut() {
        let redactor = redactor(&["marked-secret-key"]);
        let cut = |tail: &str| format!("x\n[… 9 of 99 bytes omitted: see a …]\n{tail}");
        assert_eq!(redactor.text(&cut("ed-secret-key and more")), cut("[redacted] and more"));
        assert_eq!(redactor.text("x…secret-key marked-s… ret-key"), "x…[redacted] [redacted]… ret-key");
        assert_eq!(redactor.text(&cut("ret-key")), cut("ret-key"));
        assert_eq!(redactor.text("secret-key"), "secret-key");
        let event = |tail: &str| json!({ "a": cut(tail) });
        assert_eq!(redactor.json(&event("secret-key").to_string()), Some(event("[redacted]")));
    }

    #[test]
    fn keys_of_services_are_replaced_and_similar_words_stay() {
        let pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nx9\n-----END RSA PRIVATE KEY-----\nrest";
        let cleaned = "-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----\nrest";
        for (text, expected) in [
            (KEY, "[redacted]"),
            (&format!("key='{KEY}';"), "key='[redacted]';"),
            ("AKIAIOSFODNN7EXAMPLE and ghp_0123456789abcdefghijABCDEFGHIJ456789", "[redacted] and [redacted]"),
            ("sk-folding-cube-container-wide", "sk-folding-cube-container-wide"),
            ("task-1234567890-1234567890-abc", "task-1234567890-1234567890-abc"),
            (
                "src/sk-1.ts 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
                "src/sk-1.ts 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
            ),
            (pem, cleaned),
            ("-----BEGIN PRIVATE KEY-----\ncut off", "-----BEGIN PRIVATE KEY-----[redacted]"),
            ("🍓 no secret", "🍓 no secret"),
        ] {
            assert_eq!(SHAPES_ONLY.text(text), expected);
        }
    }

    #[test]
    fn values_and_names_of_a_json_text_are_replaced_wherever_they_are() {
        let redactor = redactor(&["marked secret\n1"]);
        let json = json!({ "a": ["marked secret\n1", 7], "marked secret\n1": { "b": format!("x\n{KEY}") } });
        let clean = json!({ "a": ["[redacted]", 7], "[redacted]": { "b": "x\n[redacted]" } });
        assert_eq!(redactor.json(&json.to_string()), Some(clean));
        assert_eq!(redactor.json(r#"{"a":"nothing"}"#), None);
    }

    #[test]
    fn a_secret_in_a_json_text_that_is_a_string_of_an_event_is_replaced() {
        for secret in ["pass\"word-12345", "back\\slash-12345", "tab\tsecret-12345", "line\nsecret-12345"] {
            let redactor = redactor(&[secret]);
            let config = json!({ "password": secret }).to_string();
            let arguments = json!({ "content": config }).to_string();
            for (text, expected) in [
                (config, r#"{"password":"[redacted]"}"#),
                (arguments, r#"{"content":"{\"password\":\"[redacted]\"}"}"#),
            ] {
                let event = json!({ "output": text }).to_string();
                assert_eq!(redactor.json(&event), Some(json!({ "output": expected })), "{event}");
            }
        }
    }

    #[test]
    fn a_secret_whose_start_follows_a_long_text_is_replaced() {
        let redactor = redactor(&["marked-secret-key"]);
        for pieces in [
            [format!("sk-{}", "a".repeat(WAITING_MAX - 6)), "aaamarked-".to_owned(), "secret-key end".to_owned()],
            [format!("ghp_{} ", "a".repeat(WAITING_MAX + 6)), "marked-se".to_owned(), "cret-key end".to_owned()],
            [format!("{} {}", "a ".repeat(WAITING_MAX), &KEY[..12]), KEY[12..].to_owned(), " end".to_owned()],
        ] {
            let mut stream = Stream::default();
            let mut shown: String = pieces.iter().map(|piece| stream.push(&redactor, piece)).collect();
            shown.push_str(&stream.finish(&redactor));
            assert!(shown.ends_with("[redacted] end"), "{}", &shown[shown.len() - 60..]);
        }
    }

    #[test]
    fn a_streamed_private_key_is_replaced_in_pieces_of_any_size() {
        let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEvQ+x9/\nMIIE\n-----END RSA PRIVATE KEY-----";
        let text = format!("a\n{key}\nb\n{key}\nc -----BEGIN PRIVATE KEY-----\nMIIE");
        let expected = SHAPES_ONLY.text(&text).into_owned();
        assert!(!expected.contains("MII"));
        for size in 1..text.len() {
            let chars: Vec<char> = text.chars().collect();
            let mut stream = Stream::default();
            let pieces = chars.chunks(size).map(String::from_iter);
            let mut shown: String = pieces.map(|piece| stream.push(&SHAPES_ONLY, &piece)).collect();
            shown.push_str(&stream.finish(&SHAPES_ONLY));
            assert_eq!(shown, expected, "pieces of {size}");
        }
        let mut stream = Stream::default();
        let mut shown = stream.push(&SHAPES_ONLY, "-----BEGIN PRIVATE KEY-----\n");
        for _ in 0..40 {
            shown.push_str(&stream.push(&SHAPES_ONLY, &"MIIE".repeat(1024)));
        }
        shown.push_str(&stream.push(&SHAPES_ONLY, "\n-----END PRIVATE KEY-----\nrest"));
        shown.push_str(&stream.finish(&SHAPES_ONLY));
        assert_eq!(shown, "-----BEGIN PRIVATE KEY-----[redacted]-----END PRIVATE KEY-----\nrest");
    }

    #[test]
    fn a_secret_in_pieces_of_any_size_is_replaced() {
        let redactor = redactor(&["abcabcab-secret", "secret-abcabcab"]);
        let text = format!("one abcabcab-secret-abcabcab two abcabcabcab-secret, {KEY} 🍓 sk sk- sk-x {KEY}");
        let expected = redactor.text(&text).into_owned();
        assert!(!expected.contains("secret") && !expected.contains("Cd34"), "{expected}");
        for size in 1..text.len() {
            let chars: Vec<char> = text.chars().collect();
            let mut stream = Stream::default();
            let pieces = chars.chunks(size).map(String::from_iter);
            let mut shown: String = pieces.map(|piece| stream.push(&redactor, &piece)).collect();
            shown.push_str(&stream.finish(&redactor));
            assert!(!shown.contains("secret") && !shown.contains("Cd34"), "pieces of {size}: {shown}");
            assert!(shown.contains("🍓 sk sk- sk-x") && shown.starts_with("one "), "pieces of {size}: {shown}");
        }
    }

    #[test]
    fn text_without_the_start_of_a_secret_does_not_wait() {
        let mut stream = Stream::default();
        let redactor = redactor(&["marked-secret"]);
        let shown = ["Hello ", "wor", "ld, ", "it m", "oves"].map(|piece| stream.push(&redactor, piece));
        assert_eq!(shown, ["Hello ", "wor", "ld, ", "it ", "moves"]);
    }
}

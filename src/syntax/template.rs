//! The template of an HTML, Vue, Svelte or Astro file as the children of a JSX element.

use super::markup::{find, head_end};

/// Elements without a closing tag.
const VOID: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];
/// Elements that end where the next one of their kind starts.
const ENDLESS: [&str; 8] = ["li", "option", "dt", "dd", "tr", "td", "th", "p"];
/// Elements whose content the page does not show.
const SKIPPED: [&str; 3] = ["script", "style", "head"];
/// Elements nested deeper than this become siblings.
const MAX_OPEN: usize = 60;

/// A template as JSX.
pub(crate) struct Jsx {
    /// The byte offset of the first tag.
    pub at: usize,
    /// It has the line ends of the template.
    pub text: String,
}

/// A name that no source declares, in place of an expression that is not read.
pub(crate) const UNKNOWN: &str = "$unknown";

/// Writes the template of a file. Without `is_live`, its expressions are [`UNKNOWN`]. The result may not parse if the
/// template is not valid.
pub(crate) fn as_jsx(text: &str, extension: &str, is_live: bool) -> Jsx {
    let lower = text.to_ascii_lowercase();
    let mut writer = Writer { text, lower: &lower, extension, is_live, jsx: String::new(), open: Vec::new() };
    let blank = text.len() - text.trim_start().len();
    let mut at = 0;
    if extension == "astro" && text.get(blank..).is_some_and(|text| text.starts_with("---")) {
        at = find(text, blank + 3, "\n---").saturating_add(4);
    }
    let mut first = None;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (from, written) = (at, writer.jsx.len());
        at = match rest.find(['<', '{']) {
            Some(0) if rest.starts_with('<') => {
                let end = writer.tag(at);
                first = first.or((writer.jsx.len() > written).then_some(from));
                end
            }
            Some(0) => writer.braces(at),
            found => {
                let end = at + found.unwrap_or(rest.len());
                writer.say(text.get(at..end).unwrap_or_default());
                end
            }
        };
        let lines = |text: Option<&str>| text.unwrap_or_default().matches('\n').count();
        let missing = lines(text.get(from..at)).saturating_sub(lines(writer.jsx.get(written..)));
        writer.jsx.extend(std::iter::repeat_n('\n', missing));
    }
    while let Some(open) = writer.open.pop() {
        writer.jsx.push_str(&open.end);
    }
    Jsx { at: first.unwrap_or(text.len()), text: writer.jsx }
}

struct Writer<'a> {
    text: &'a str,
    /// In lower case.
    lower: &'a str,
    extension: &'a str,
    is_live: bool,
    jsx: String,
    open: Vec<Open>,
}

/// An element or block that is not closed yet.
struct Open {
    /// In lower case; `{` for a block.
    name: String,
    /// What closes it.
    end: String,
}

const BLOCK: &str = "{";

impl Writer<'_> {
    fn say(&mut self, text: &str) {
        self.jsx.extend(text.chars().map(|letter| if matches!(letter, '<' | '>' | '{' | '}') { ' ' } else { letter }));
    }

    /// Reads what a `<` starts, and returns its end.
    fn tag(&mut self, at: usize) -> usize {
        let (text, lower) = (self.text, self.lower);
        let rest = lower.get(at + 1..).unwrap_or_default();
        if rest.starts_with("!--") {
            return find(lower, at, "-->") + 3;
        }
        if rest.starts_with(['!', '?']) {
            return find(lower, at, ">") + 1;
        }
        if let Some(name) = rest.strip_prefix('/') {
            let name = name.split('>').next().unwrap_or_default();
            self.close(name.trim());
            return at + 2 + name.len() + 1;
        }
        let length = rest.find(|c: char| c.is_whitespace() || matches!(c, '>' | '/')).unwrap_or(rest.len());
        let name = rest.get(..length).unwrap_or_default();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) && !rest.starts_with('>') {
            self.jsx.push(' ');
            return at + 1;
        }
        let end = head_end(lower, at);
        let head = text.get(at + 1 + length..end).unwrap_or_default();
        let head = head.strip_suffix('>').unwrap_or(head);
        let is_closed = head.ends_with('/') || VOID.contains(&name);
        if SKIPPED.contains(&name) {
            return if is_closed { end } else { find(lower, end, &format!("</{name}")) };
        }
        let written = text.get(at + 1..at + 1 + length).unwrap_or_default();
        self.open_tag(if self.extension.starts_with("htm") { name } else { written }, head, is_closed);
        end
    }

    fn open_tag(&mut self, name: &str, head: &str, is_closed: bool) {
        let lower = name.to_ascii_lowercase();
        if ENDLESS.contains(&lower.as_str()) && self.open.last().is_some_and(|open| open.name == lower) {
            self.close(&lower);
        }
        let tag = tag(name);
        let head = self.head(head.trim_end_matches('/'));
        let is_looped = !head.before.is_empty();
        let after = if is_looped { ")}" } else { "" };
        let attributes = if tag.is_empty() { "" } else { head.attributes.as_str() };
        self.jsx.push_str(&format!("{}<{tag}{attributes}>", head.before));
        let end = format!("</{tag}>{after}");
        if is_closed || self.open.len() == MAX_OPEN {
            self.jsx.push_str(&end);
        } else {
            self.open.push(Open { name: lower, end });
        }
    }

    /// Closes the innermost element with this name and those in it. A block is closed only by its own end.
    fn close(&mut self, name: &str) {
        let inner = self.open.iter().rev().take_while(|open| open.name == name || open.name != BLOCK);
        let Some(place) = inner.enumerate().find(|(_, open)| open.name == name).map(|(place, _)| place) else { return };
        for _ in 0..=place {
            self.jsx.push_str(&self.open.pop().map(|open| open.end).unwrap_or_default());
        }
    }

    /// Reads what a `{` starts among children, and returns its end.
    fn braces(&mut self, at: usize) -> usize {
        let text = self.text;
        let rest = text.get(at..).unwrap_or_default();
        if matches!(self.extension, "svelte" | "astro") {
            let end = closing(text, at);
            self.expression(text.get(at + 1..end).unwrap_or_default());
            return end + 1;
        }
        if !rest.starts_with("{{") {
            self.jsx.push(' ');
            return at + 1;
        }
        let end = find(text, at, "}}");
        if self.extension == "vue" {
            self.code(text.get(at + 2..end).unwrap_or_default());
        }
        end + 2
    }

    /// An expression or a block of Svelte.
    fn expression(&mut self, inner: &str) {
        let block = if self.extension == "svelte" { inner.trim() } else { inner };
        let Some(kind) = block.chars().next().filter(|first| matches!(first, '#' | ':' | '/' | '@')) else {
            return self.code(inner);
        };
        match kind {
            // A comment of Astro.
            '/' if self.extension == "astro" => {}
            '#' if self.open.len() < MAX_OPEN => {
                let each = block.strip_prefix("#each ").and_then(|each| each.split_once(" as ").or(Some((each, ""))));
                let (before, end) = match each {
                    Some((list, item)) => {
                        (self.looped(list, item.split('(').next().unwrap_or_default()), "</>)}".to_owned())
                    }
                    None => (String::new(), "</>".to_owned()),
                };
                self.jsx.push_str(&format!("{before}<>"));
                self.open.push(Open { name: BLOCK.to_owned(), end });
            }
            '/' => self.close(BLOCK),
            _ => {}
        }
    }

    /// The start of a loop over a list.
    fn looped(&self, list: &str, item: &str) -> String {
        let (list, item) = if self.is_live { (list, item) } else { (UNKNOWN, "") };
        format!("{{({list}).map(({item}) => ")
    }

    fn code(&mut self, code: &str) {
        self.jsx.push_str(&format!("{{{}}}", if self.is_live { code } else { UNKNOWN }));
    }

    /// The attributes of an opening tag.
    fn head(&self, head: &str) -> Head {
        let mut found = Head::default();
        let mut rest = head.trim_start();
        while !rest.is_empty() {
            if rest.starts_with('{') {
                let (inner, after) = split(rest, closing(rest, 0));
                found.add_code(inner.split(' ').next().unwrap_or_default(), inner, self.is_live);
                rest = after.trim_start();
                continue;
            }
            let length = rest.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(rest.len());
            let (name, after) = rest.split_at_checked(length.max(1)).unwrap_or((rest, ""));
            rest = after.trim_start();
            let Some(after) = rest.strip_prefix('=').map(str::trim_start) else {
                found.add(name, "");
                continue;
            };
            let is_braced = after.starts_with('{');
            let quote = after.chars().next().filter(|first| matches!(first, '"' | '\''));
            let (value, after) = match quote {
                Some(quote) => {
                    split(after, after.get(1..).and_then(|rest| rest.find(quote)).map_or(after.len(), |at| at + 1))
                }
                None if is_braced => split(after, closing(after, 0)),
                None => {
                    after.split_at_checked(after.find(char::is_whitespace).unwrap_or(after.len())).unwrap_or_default()
                }
            };
            let is_code = is_braced;
            rest = after.trim_start();
            let in_braces = value.strip_prefix('{').and_then(|value| value.strip_suffix('}'));
            match in_braces.filter(|_| self.extension == "svelte") {
                Some(code) => found.add_code(name, code, self.is_live),
                None if is_code => found.add_code(name, value, self.is_live),
                None if self.extension == "vue" => self.of_vue(name, value, &mut found),
                None => found.add(name, &format!("={:?}", value.replace(['"', '\\'], "'"))),
            }
        }
        found
    }

    fn of_vue(&self, name: &str, value: &str, found: &mut Head) {
        if name == "v-for" {
            let each = [" in ", " of "].iter().filter_map(|word| value.split_once(word));
            if let Some((item, list)) = each.min_by_key(|(item, _)| item.len()) {
                let item = item.trim();
                found.before =
                    self.looped(list, item.strip_prefix('(').and_then(|item| item.strip_suffix(')')).unwrap_or(item));
            }
        } else if let Some(bound) = name.strip_prefix("v-bind:").or_else(|| name.strip_prefix(':')) {
            found.add_code(bound.split('.').next().unwrap_or_default(), value, self.is_live);
        } else if !name.starts_with("v-") {
            found.add(name, &format!("={:?}", value.replace(['"', '\\'], "'")));
        }
    }
}

#[derive(Default)]
struct Head {
    attributes: String,
    /// The start of a loop around the element.
    before: String,
}

impl Head {
    /// Adds an attribute unless its name is a directive.
    fn add(&mut self, name: &str, value: &str) {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_letter) {
            // A line end would be escaped.
            self.attributes.push_str(&format!(" {name}{}", value.replace("\\n", " ").replace("\\t", " ")));
        }
    }

    fn add_code(&mut self, name: &str, code: &str, is_live: bool) {
        if !is_live || code.trim().is_empty() {
        } else if code.trim_start().starts_with("...") {
            self.attributes.push_str(&format!(" {{{code}}}"));
        } else {
            let start = self.attributes.len();
            self.add(name, "=");
            if self.attributes.len() > start {
                self.attributes.push_str(&format!("{{{code}}}"));
            }
        }
    }
}

/// The name in JSX: a component for a custom element, and a fragment for what is no element.
fn tag(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    if !is_plain || matches!(name, "template" | "Fragment") {
        return String::new();
    }
    if !name.contains('-') {
        return name.to_owned();
    }
    let capital = |part: &str| {
        let mut letters = part.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    name.split('-').map(capital).collect()
}

/// What is between the first byte and `end`, and what is after it.
fn split(text: &str, end: usize) -> (&str, &str) {
    (text.get(1..end).unwrap_or_default(), text.get(end + 1..).unwrap_or_default())
}

/// The place of the brace that closes the one at `at`; the end of the text without one.
fn closing(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut place) = (0_usize, at);
    while let Some(byte) = bytes.get(place) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth <= 1 => return place,
            b'}' => depth -= 1,
            // An apostrophe in a text has no partner on its line.
            quote @ (b'"' | b'\'' | b'`') => {
                let rest = bytes.get(place + 1..).unwrap_or_default();
                let mut line = rest.iter().take_while(|byte| *quote == b'`' || **byte != b'\n');
                place += line.position(|byte| byte == quote).map_or(0, |length| length + 1);
            }
            _ => {}
        }
        place += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_becomes_jsx() {
        for (extension, text, expected) in [
            (
                "html",
                "<!doctype html><head><title>a</title></head><UL><LI class=a>b<li>c</UL>",
                "<ul><li class=\"a\">b</li><li>c</li></ul>",
            ),
            ("html", "<img src='a.png'><p>a < b } c</p><!-- <li> -->", "<img src=\"a.png\"></img><p>a   b   c</p>"),
            ("html", "</ul><b>x</i>", "<b>x</b>"),
            (
                "vue",
                "<script>a</script><template><li v-for=\"(d, i) in drinks\" :key=\"d.id\" @click=\"f\" v-if='a'>{{ d.name }}</li></template>",
                "<>{(drinks).map((d, i) => <li key={d.id}>{ d.name }</li>)}</>",
            ),
            (
                "vue",
                "<template><drink-card title=\"a\" :price=\"3\" /></template>",
                "<><DrinkCard title=\"a\" price={3}></DrinkCard></>",
            ),
            (
                "svelte",
                "{#each drinks as { name }, i (name)}<li class:on={a} {name} {...rest}>{name}</li>{:else}none{/each}{@html a}",
                "{(drinks).map(({ name }, i ) => <><li name={name} {...rest}>{name}</li>none</>)}",
            ),
            ("svelte", "{#if a}<p title=\"{b}\">c{/if}", "<><p title={b}>c</p></>"),
            (
                "astro",
                "---\nconst a = 1\n---\n<ul>{a.map((b) => <li>{b} isn't</li>)}</ul>",
                "\n<ul>{a.map((b) => <li>{b} isn't</li>)}</ul>",
            ),
        ] {
            assert_eq!(as_jsx(text, extension, true).text, expected, "{text}");
        }
        let fixed = as_jsx("{#each a as b}<li title={b}>{b} c</li>{/each}", "svelte", false);
        assert_eq!(fixed.text, "{($unknown).map(() => <><li>{$unknown} c</li></>)}");
    }

    #[test]
    fn lines_stay_and_hostile_nesting_is_flat() {
        let text = "<a\n  b=\"c\"\n>\n<!--\n-->d</a>";
        assert_eq!(as_jsx(text, "html", true).text.matches('\n').count(), 4);
        for text in ["<div>".repeat(9_000), "{#if a}".repeat(9_000), "{".repeat(9_000), "<a \"".repeat(9_000)] {
            for extension in ["html", "vue", "svelte", "astro"] {
                assert!(as_jsx(&text, extension, true).text.len() < 300_000);
            }
        }
    }
}

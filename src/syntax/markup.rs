//! The scripts and styles in HTML, Vue, Svelte and Astro files.

use super::Blanked;

/// Extensions of files that hold scripts and styles.
pub(crate) const MARKUP: [&str; 5] = ["html", "htm", "vue", "svelte", "astro"];

/// A script or style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part<'a> {
    /// The byte offset of the text.
    pub at: usize,
    pub text: &'a str,
    /// Of a file in its language: `tsx`, `ts`, `js`, `json`, `css`.
    pub extension: &'static str,
}

/// The parts in source order. Those in other languages, such as Sass, and those with marks of a template engine are left
/// out.
pub(crate) fn parts<'a>(text: &'a str, extension: &str) -> Vec<Part<'a>> {
    let (mut parts, mut start) = (Vec::new(), 0);
    let mut add = |from: usize, to: usize, extension: Option<&'static str>| {
        let part = text.get(from..to).filter(|part| !ENGINES.iter().any(|mark| part.contains(mark)));
        parts.extend(part.zip(extension).map(|(text, extension)| Part { at: from, text, extension }));
    };
    let blank = text.len() - text.trim_start().len();
    if extension == "astro" && text.get(blank..).is_some_and(|text| text.starts_with("---")) {
        let from = blank + 3;
        let end = find(text, from, "\n---");
        add(from, end, Some("tsx"));
        start = end + 4;
    }
    for tag in tags(text, start) {
        add(tag.from, tag.to, language(tag.name, tag.head, extension));
    }
    parts
}

/// A script of an HTML document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Script<'a> {
    /// Its `src`.
    pub address: Option<&'a str>,
    pub is_module: bool,
    pub text: &'a str,
}

/// The JavaScript of an HTML document. Scripts of other types are left out.
pub(crate) fn scripts(text: &str) -> Vec<Script<'_>> {
    let code = tags(text, 0).into_iter().filter(|tag| {
        tag.name == "script" && language(tag.name, tag.head, "html").is_some_and(|language| language != "json")
    });
    code.map(|tag| Script {
        address: attribute(tag.head, "src").map(str::trim),
        is_module: attribute(tag.head, "type").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("module")),
        text: text.get(tag.from..tag.to).unwrap_or_default(),
    })
    .collect()
}

/// The links of an HTML document: their `rel` in lower case, and their `href`.
pub(crate) fn links(text: &str) -> Vec<(String, &str)> {
    let lower = text.to_ascii_lowercase();
    let (mut links, mut at) = (Vec::new(), 0);
    while let Some(from) = lower.get(at..).and_then(|rest| rest.find('<')).map(|found| at + found) {
        let rest = lower.get(from..).unwrap_or_default();
        at = match rest.strip_prefix("<link") {
            _ if rest.starts_with("<!--") => find(&lower, from, "-->"),
            Some(after) if after.starts_with(char::is_whitespace) => {
                let end = head_end(text, from);
                let head = text.get(from..end).unwrap_or_default();
                let rel = attribute(head, "rel").unwrap_or_default().trim().to_ascii_lowercase();
                links.extend(attribute(head, "href").map(|href| (rel, href.trim())));
                end
            }
            _ => from + 1,
        };
    }
    links
}

/// The opening or closing tag of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Element<'a> {
    pub at: usize,
    pub name: &'a str,
    pub is_end: bool,
}

/// The tags in a template, without those that close themselves.
pub(crate) fn elements(template: &str) -> Vec<Element<'_>> {
    let (mut elements, mut at) = (Vec::new(), 0);
    while let Some(from) = template.get(at..).and_then(|rest| rest.find('<')).map(|found| at + found) {
        let rest = template.get(from + 1..).unwrap_or_default();
        let (is_end, rest) = rest.strip_prefix('/').map_or((false, rest), |rest| (true, rest));
        let length =
            rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '.' | ':')).unwrap_or(rest.len());
        let name = rest.get(..length).unwrap_or_default();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            at = from + 1;
            continue;
        }
        at = head_end(template, from);
        if !template.get(from..at).is_some_and(|head| head.ends_with("/>")) {
            elements.push(Element { at: from, name, is_end });
        }
    }
    elements
}

/// The byte ranges of what a template never shows: under a constantly false condition, or hidden where no script can find it
/// by a name.
pub(crate) fn dead(text: &str, extension: &str) -> Vec<(u32, u32)> {
    let template = template(text, extension);
    let tags = elements(&template);
    let mut dead = Vec::new();
    for (index, tag) in tags.iter().enumerate().filter(|(_, tag)| !tag.is_end) {
        let head = template.get(tag.at..head_end(&template, tag.at)).unwrap_or_default();
        let has = |name: &str, value: &str| attribute(head, name).is_some_and(|known| known.trim() == value);
        let is_open = ["id", "class", "ref"].iter().any(|name| attribute(head, name).is_some());
        let is_none = attribute(head, "style").is_some_and(|style| style.replace(' ', "").contains("display:none"));
        let is_inert =
            has("hidden", "") || is_none || tag.name == "noscript" || tag.name == "template" && extension == "html";
        if has("v-if", "false") || has("v-show", "false") || is_inert && !is_open {
            let mut depth = 0_usize;
            let end = tags.iter().skip(index).filter(|other| other.name == tag.name).find(|other| {
                depth = if other.is_end { depth.saturating_sub(1) } else { depth + 1 };
                depth == 0
            });
            dead.push((tag.at as u32, end.map_or(template.len(), |end| head_end(&template, end.at)) as u32));
        }
    }
    for (at, block) in template.match_indices("{#if false}") {
        let rest = template.get(at..).unwrap_or_default();
        let ends = ["{:else", "{/if}"].iter().filter_map(|end| rest.find(end));
        dead.push(((at + block.len()) as u32, ends.min().map_or(template.len(), |end| at + end) as u32));
    }
    dead
}

/// The file with blanked scripts, styles, comments and frontmatter. Offsets are unchanged.
pub(crate) fn template(text: &str, extension: &str) -> String {
    let mut blanked = Blanked::new(text);
    let mut start = 0;
    let blank = text.len() - text.trim_start().len();
    if extension == "astro" && text.get(blank..).is_some_and(|text| text.starts_with("---")) {
        start = (find(text, blank + 3, "\n---") + 4).min(text.len());
        blanked.blank(0, start);
    }
    for tag in tags(text, start) {
        blanked.blank(tag.from, tag.to);
    }
    let mut at = start;
    while let Some(from) = text.get(at..).and_then(|rest| rest.find("<!--")).map(|found| at + found) {
        at = (find(text, from, "-->") + 3).min(text.len());
        blanked.blank(from, at);
    }
    blanked.text()
}

/// A script or style: its opening tag, and the range of its content.
struct Tag<'a> {
    name: &'static str,
    head: &'a str,
    from: usize,
    to: usize,
}

/// The scripts and styles from an offset on, without those in comments.
fn tags(text: &str, mut at: usize) -> Vec<Tag<'_>> {
    let lower = text.to_ascii_lowercase();
    let mut tags = Vec::new();
    while let Some(from) = lower.get(at..).and_then(|rest| rest.find('<')).map(|found| at + found) {
        let rest = lower.get(from..).unwrap_or_default();
        let name = ["script", "style"].into_iter().find(|name| {
            let after = rest.get(1..).and_then(|rest| rest.strip_prefix(name));
            after.is_some_and(|after| after.starts_with(|c: char| c.is_whitespace() || c == '>' || c == '/'))
        });
        at = match name {
            _ if rest.starts_with("<!--") => find(&lower, from, "-->"),
            None => from + 1,
            Some(name) => {
                let start = head_end(&lower, from);
                let head = text.get(from..start).unwrap_or_default();
                if head.ends_with("/>") {
                    start
                } else {
                    let end = find(&lower, start, &format!("</{name}"));
                    tags.push(Tag { name, head, from: start, to: end });
                    end
                }
            }
        };
    }
    tags
}

/// The value of an attribute of an opening tag; empty for one without a value.
fn attribute<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = head.trim_start_matches('<').trim_end_matches('>');
    rest = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(|c: char| c.is_whitespace() || c == '=' || c == '/').unwrap_or(rest.len());
        let (known, after) = rest.split_at_checked(end)?;
        let (value, after) = match after.trim_start().strip_prefix('=').map(str::trim_start) {
            None => ("", after),
            Some(value) => match value.chars().next().filter(|quote| matches!(quote, '"' | '\'')) {
                Some(quote) => {
                    let inner = value.strip_prefix(quote).unwrap_or_default();
                    inner.split_once(quote).unwrap_or((inner, ""))
                }
                None => value.split_at_checked(value.find(char::is_whitespace).unwrap_or(value.len()))?,
            },
        };
        if known.eq_ignore_ascii_case(name) {
            return Some(value);
        }
        rest = after;
    }
}

/// Marks of template engines, which replace them before the part is read.
const ENGINES: [&str; 4] = ["{{", "{%", "<%", "<?"];

/// Where `needle` starts; the end of the text without one.
pub(super) fn find(text: &str, from: usize, needle: &str) -> usize {
    text.get(from..).and_then(|rest| rest.find(needle)).map_or(text.len(), |at| from + at)
}

/// The offset after an opening tag. A `>` in quotes or braces does not end it.
pub(crate) fn head_end(text: &str, from: usize) -> usize {
    let (mut quote, mut braces) = (None, 0_usize);
    for (at, byte) in text.bytes().enumerate().skip(from) {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'{') => braces += 1,
            (None, b'}') => braces = braces.saturating_sub(1),
            (None, b'>') if braces == 0 => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn language(name: &str, head: &str, extension: &str) -> Option<&'static str> {
    let kind = attribute(head, "type");
    let is_kind = |known: &str| {
        kind.and_then(|kind| kind.get(..known.len())).is_some_and(|kind| kind.eq_ignore_ascii_case(known))
    };
    match (name, attribute(head, "lang")) {
        ("style", None | Some("css" | "postcss")) => Some("css"),
        ("style", _) => None,
        (_, Some("ts" | "typescript")) => Some("ts"),
        (_, Some("tsx")) => Some("tsx"),
        (_, Some("jsx")) => Some("jsx"),
        _ if ["application/json", "application/ld+json", "importmap"].iter().any(|known| is_kind(known)) => {
            Some("json")
        }
        _ if kind.is_some()
            && !["module", "text/javascript", "application/javascript", "text/babel"]
                .iter()
                .any(|known| is_kind(known)) =>
        {
            None
        }
        _ if extension == "astro" => Some("ts"),
        _ => Some("js"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_styles_are_found_with_their_language() {
        type Expected = &'static [(&'static str, &'static str)];
        let cases: [(&str, &str, Expected); 14] = [
            ("vue", "<script setup lang=\"ts\">a</script><style scoped>b</style>", &[("ts", "a"), ("css", "b")]),
            ("vue", "<SCRIPT>a</SCRIPT>\n<style lang=\"scss\">b</style>", &[("js", "a")]),
            ("svelte", "<script lang='ts' generics=\"T extends A<B>\">a</script><p>{x < y}</p>", &[("ts", "a")]),
            ("astro", "---\nconst a = 1\n---\n<p>{a}</p><script>b</script>", &[("tsx", "\nconst a = 1"), ("ts", "b")]),
            ("astro", "<script type=\"application/ld+json\" set:html={f(a > b)} />\n<p />", &[]),
            ("html", "<script type=\"module\" src=\"/a.js\"></script>", &[("js", "")]),
            ("html", "<script type=\"importmap\">{}</script>", &[("json", "{}")]),
            ("html", "<script type=\"text/x-template\"><p></script>", &[]),
            ("html", "<script>{{ engine }}</script>", &[]),
            ("html", "<!-- <script>a</script> --><scripts>b</scripts>", &[]),
            ("html", "<style>a", &[("css", "a")]),
            ("html", "<script", &[]),
            ("html", "", &[]),
            ("vue", "<template><p>é</p></template>", &[]),
        ];
        for (extension, text, expected) in cases {
            let found = parts(text, extension);
            let found: Vec<(&str, &str)> = found.iter().map(|part| (part.extension, part.text)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
    #[test]
    fn the_scripts_of_a_document_are_found_with_their_addresses() {
        for (text, expected) in [
            ("<script type=\"module\" src=\"/src/main.tsx\"></script>", vec![(Some("/src/main.tsx"), true, "")]),
            ("<SCRIPT TYPE='Module' SRC = './Main.js' async></SCRIPT>", vec![(Some("./Main.js"), true, "")]),
            ("<script type=module src=/src/boot.tsx></script>", vec![(Some("/src/boot.tsx"), true, "")]),
            ("<script data-src=\"x.js\" src=\"/a.js\"></script>", vec![(Some("/a.js"), false, "")]),
            ("<script>a > b</script>", vec![(None, false, "a > b")]),
            ("<!-- <script src=\"/a.js\"></script> --><script type=\"text/template\"><p></script>", vec![]),
            ("<script type=\"importmap\">{}</script><script src", vec![(Some(""), false, "")]),
            ("<script = =", vec![(None, false, "")]),
        ] {
            let found = scripts(text);
            let found: Vec<_> = found.iter().map(|script| (script.address, script.is_module, script.text)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}

//! The scripts and styles in HTML, Vue, Svelte and Astro files.

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
    let lower = text.to_ascii_lowercase();
    let (mut parts, mut at) = (Vec::new(), 0);
    let mut add = |from: usize, to: usize, extension: Option<&'static str>| {
        let part = text.get(from..to).filter(|part| !ENGINES.iter().any(|mark| part.contains(mark)));
        parts.extend(part.zip(extension).map(|(text, extension)| Part { at: from, text, extension }));
    };
    let blank = text.len() - text.trim_start().len();
    if extension == "astro" && text.get(blank..).is_some_and(|text| text.starts_with("---")) {
        let from = blank + 3;
        at = find(&lower, from, "\n---");
        add(from, at, Some("tsx"));
        at += 4;
    }
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
                let head = lower.get(from..start).unwrap_or_default();
                if head.ends_with("/>") {
                    start
                } else {
                    let end = find(&lower, start, &format!("</{name}"));
                    add(start, end, language(name, head, extension));
                    end
                }
            }
        };
    }
    parts
}

/// Marks of template engines, which replace them before the part is read.
const ENGINES: [&str; 4] = ["{{", "{%", "<%", "<?"];

/// Where `needle` starts; the end of the text without one.
pub(super) fn find(text: &str, from: usize, needle: &str) -> usize {
    text.get(from..).and_then(|rest| rest.find(needle)).map_or(text.len(), |at| from + at)
}

/// The offset after an opening tag. A `>` in quotes or braces does not end it.
pub(super) fn head_end(text: &str, from: usize) -> usize {
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
    let of = |attribute: &str| {
        let (_, value) = head.split_once(&format!(" {attribute}="))?;
        value.split(['"', '\'', ' ', '>', '/']).find(|part| !part.is_empty())
    };
    let kind = head.split_once(" type=").map(|(_, value)| value.trim_start_matches(['"', '\'']));
    let is_kind = |known: &str| kind.is_some_and(|kind| kind.starts_with(known));
    match (name, of("lang")) {
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
}

//! Errors in the templates of Vue, Svelte and Astro files: expressions, blocks and elements that are not closed. Reads only
//! what is certain; the compilers accept more than any one grammar.

use crate::js::line_of;
use crate::js::tree::{Parsed, parse};
use crate::syntax::markup::{elements, template};

/// Elements that must be closed.
const CLOSED: [&str; 20] = [
    "div", "footer", "header", "main", "section", "nav", "article", "aside", "span", "button", "ul", "ol", "form",
    "table", "a", "h1", "h2", "h3", "figure", "label",
];

/// The 1-based line of an error, and what is wrong.
pub(super) fn fault(text: &str, extension: &str) -> Option<(usize, String)> {
    const RAW: [&str; 5] = ["v-pre", "is:raw", "lang=\"pug\"", "lang='pug'", "delimiters"];
    if !matches!(extension, "vue" | "svelte" | "astro") || RAW.iter().any(|mark| text.contains(mark)) {
        return None;
    }
    let template = template(text, extension);
    let (open, close) = if extension == "vue" { ("{{", "}}") } else { ("{", "}") };
    let expression = expressions(&template, open, close).into_iter().find(|(_, inner)| is_broken(inner));
    let message = |what: &str| what.to_owned();
    expression
        .map(|(at, _)| (line_of(text, at), message("this expression of the template does not parse")))
        .or_else(|| {
            unclosed_block(&template, extension).map(|at| (line_of(text, at), message("this block is not closed")))
        })
        .or_else(|| {
            let (at, name) = unclosed_element(&template, extension)?;
            Some((line_of(text, at), format!("an element <{name}> is not closed, or closed twice")))
        })
}

/// The expressions in braces, with their offset.
fn expressions<'a>(template: &'a str, open: &str, close: &str) -> Vec<(usize, &'a str)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(from) = template.get(at..).and_then(|rest| rest.find(open)).map(|start| at + start + open.len()) {
        let rest = template.get(from..).unwrap_or_default();
        let end = if open.len() == 2 { rest.find(close) } else { matching_brace(rest) };
        let Some(end) = end else { break };
        found.extend(rest.get(..end).map(|inner| (from, inner)));
        at = from + end + close.len();
    }
    found
}

fn matching_brace(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn is_broken(expression: &str) -> bool {
    let inner = expression.trim();
    // Blocks, spreads, elements, comments, and braces in texts.
    let is_other = inner.is_empty()
        || inner.starts_with(['#', ':', '/', '@', '.'])
        || inner.contains(['<', '`', '{', '}'])
        || inner.contains("//")
        || inner.contains("/*")
        || ['"', '\''].iter().any(|quote| inner.matches(*quote).count() % 2 == 1);
    !is_other && matches!(parse("part.ts", &format!("({inner}\n)")), Parsed::Broken { .. })
}

/// A block of Svelte without its end.
fn unclosed_block(template: &str, extension: &str) -> Option<usize> {
    if extension != "svelte" {
        return None;
    }
    let mut open = Vec::new();
    for (at, _) in template.match_indices('{') {
        let rest = template.get(at + 1..).unwrap_or_default().trim_start();
        let is_block = |mark: char| {
            let name = rest.strip_prefix(mark).unwrap_or_default();
            ["if", "each", "await", "key", "snippet"].iter().any(|block| name.starts_with(block))
        };
        if is_block('#') {
            open.push(at);
        } else if is_block('/') {
            open.pop();
        }
    }
    open.pop()
}

/// An element that is not closed as often as it is opened.
fn unclosed_element<'a>(template: &'a str, extension: &str) -> Option<(usize, &'a str)> {
    if extension == "astro" {
        return None;
    }
    let elements = elements(template);
    for name in CLOSED {
        let mut open = Vec::new();
        for element in elements.iter().filter(|element| element.name == name) {
            if !element.is_end {
                open.push(element.at);
            } else if open.pop().is_none() {
                return Some((element.at, element.name));
            }
        }
        if let Some(at) = open.pop() {
            return Some((at, name));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_templates_are_found_and_others_pass() {
        for (extension, text, expected) in [
            ("vue", "<template>\n<p>{{ hello( }}</p></template>", Some(2)),
            ("vue", "<template>\n<footer>Hi\n</template>", Some(2)),
            ("svelte", "{#if a}<p>b</p>\n", Some(1)),
            ("svelte", "<p>\n{new Date(.getFullYear()}</p>", Some(2)),
            ("svelte", "<footer>Hi\n", Some(1)),
            ("astro", "---\nconst a = 1\n---\n<p>{new Date(.getFullYear()}</p>", Some(4)),
            ("vue", "<template><p v-if=\"a < b\">{{ a.b | c }} {{ d ? 'e' : f }}</p><img><br></template>", None),
            ("vue", "<template><Card :a=\"{ b: 1 }\" @click=\"c = '<div>'\" /><div/></template>", None),
            ("vue", "<template lang=\"pug\">\ndiv {{ a( }}\n</template>", None),
            ("vue", "<script>const a = '<div>{{ ('</script><template><p /></template>", None),
            ("svelte", "{#each a as b (b.c)}{@html b}{:else}<A {b} {...c} on:click={() => { d() }} />{/each}", None),
            ("svelte", "<p style=\"color: {a}\">{b as string} {\"}\"}</p><!-- <div> {( -->", None),
            ("svelte", "<script>let a = {</script><style>a { b: c }</style>", None),
            ("astro", "---\n---\n{a.map((b) => <li>{b}</li>)}<div>", None),
            ("html", "<p>{{ a( }}</p>", None),
        ] {
            assert_eq!(fault(text, extension).map(|(line, _)| line), expected, "{text}");
        }
    }
}

//! What a place of a line of code or markup belongs to, without the rest of its file.

/// What holds a value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Holder<'l> {
    /// The text of an element.
    Text,
    Attribute {
        tag: &'l str,
        name: &'l str,
    },
    /// A field, variable or declaration.
    Field(&'l str),
    Other,
}

/// The opening tags before a place that are not closed there.
pub(crate) fn open_tags(before: &str) -> Vec<&str> {
    let mut open = Vec::new();
    for (at, _) in before.match_indices('<') {
        let tag = before.get(at..).unwrap_or_default();
        let end = tag.match_indices('>').find(|(end, _)| !tag.get(..*end).is_some_and(|head| head.ends_with('=')));
        let head = tag.get(..end.map_or(tag.len(), |(end, _)| end + 1)).unwrap_or_default();
        if head.starts_with("</") {
            open.pop();
        } else if head.get(1..).is_some_and(|name| name.starts_with(char::is_alphabetic)) && !head.ends_with("/>") {
            open.push(head);
        }
    }
    open
}

/// What holds the value after a text. `outer` is the nearest line with less indentation.
pub(crate) fn holder<'l>(before: &'l str, outer: &'l str) -> Holder<'l> {
    let is_tag = |head: &str| head.starts_with('<') && !head.starts_with("</");
    let is_closed = |head: &str| head.ends_with('>') && !head.ends_with("=>");
    // The element whose tag or children the line starts in.
    let (mut tag, mut is_text) = match outer {
        outer if is_tag(outer) && !is_closed(outer) => (Some(outer), false),
        outer => (None, is_tag(outer) && !["<script", "<style"].iter().any(|tag| outer.starts_with(tag))),
    };
    let (mut quote, mut braces, mut last) = (None, 0_usize, ' ');
    for (at, c) in before.char_indices() {
        match quote {
            Some((open, _)) if open == c => quote = None,
            Some(_) => {}
            None if is_text && tag.is_none() && braces == 0 && !matches!(c, '<' | '{') => {}
            None => match c {
                '"' | '`' => quote = Some((c, at)),
                '\'' if !last.is_alphanumeric() => quote = Some((c, at)),
                '<' if before
                    .get(at + 1..)
                    .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '/')) =>
                {
                    (tag, braces) = (before.get(at..), 0);
                }
                '>' if last != '=' && braces == 0 && tag.is_some() => (tag, is_text) = (None, true),
                '{' => braces += 1,
                '}' => braces = braces.saturating_sub(1),
                _ => {}
            },
        }
        last = c;
    }
    let start = quote.map_or(before.len(), |(_, at)| at);
    let own =
        before.get(..start).unwrap_or_default().trim_end_matches(|c: char| c.is_whitespace() || "€$£¥#".contains(c));
    let name_before = |text: &'l str| {
        let text = text.trim_end().trim_end_matches(['"', '\'']);
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | ':' | '@' | '.');
        text.rfind(|c| !is_name(c))
            .map_or(text, |at| text.get(at..).unwrap_or_default().trim_start_matches(|c| !is_name(c)))
    };
    if let Some(tag) = tag {
        let name = tag.get(1..).unwrap_or_default();
        let name = name.get(..name.find(|c: char| !c.is_alphanumeric() && c != '.' && c != '-').unwrap_or(name.len()));
        let is_in_style = own.rsplit('=').next().is_some_and(|value| value.starts_with("{{"));
        let attribute = if is_in_style {
            own.rsplit_once("={{").map(|(own, _)| own)
        } else {
            own.trim_end_matches('{').strip_suffix('=')
        };
        return attribute
            .map_or(Holder::Other, |own| Holder::Attribute { tag: name.unwrap_or_default(), name: name_before(own) });
    }
    if is_text && (braces == 0 || own.ends_with('{')) {
        return Holder::Text;
    }
    if let Some(own) = own.strip_suffix(':').or_else(|| own.strip_suffix('=').filter(|own| own.ends_with(' '))) {
        return Holder::Field(name_before(own));
    }
    let getter = [own, outer].into_iter().find_map(|text| text.split_once("get ")?.1.split_once('('));
    getter.filter(|_| own.ends_with("return")).map_or(Holder::Other, |(name, _)| Holder::Field(name))
}

/// Whether markup has a text or a value between two tags.
pub(crate) fn has_text(markup: &str) -> bool {
    markup.match_indices("</").any(|(at, _)| {
        let run = markup.get(..at).and_then(|before| before.rsplit('>').next()).unwrap_or_default();
        run.contains(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_belongs_to_the_text_attribute_or_field_before_it() {
        let attribute = |tag, name| Holder::Attribute { tag, name };
        for (before, outer, expected) in [
            ("<p>Don't ", "", Holder::Text),
            ("  ", "<p>", Holder::Text),
            ("  ", "<script>", Holder::Other),
            ("<b>{'", "", Holder::Text),
            ("<b>{open ? '", "", Holder::Other),
            ("<a href=\"", "", attribute("a", "href")),
            ("<Card price={", "", attribute("Card", "price")),
            ("<i style={{ color: '", "", attribute("i", "style")),
            ("  title=\"", "<Card", attribute("Card", "title")),
            ("{ name: 'Tea', price: €", "", Holder::Field("price")),
            ("const note = '", "", Holder::Field("note")),
            ("get note() { return '", "", Holder::Field("note")),
            ("f('", "", Holder::Other),
        ] {
            assert_eq!(holder(before, outer), expected, "{outer} {before}");
        }
    }
}

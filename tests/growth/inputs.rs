//! Texts that make a careless reader slow.

/// A start, a part that is repeated, and an end. `№` in the part is its number.
pub(crate) type Shape = (&'static str, &'static str, &'static str);

/// A text of about so many bytes.
pub(crate) fn repeated((start, part, end): Shape, size: usize) -> Vec<u8> {
    let mut text = start.to_owned();
    let has_number = part.contains('№');
    for number in 0_usize.. {
        if text.len() + end.len() >= size {
            break;
        }
        if has_number {
            text.push_str(&part.replace('№', &number.to_string()));
        } else {
            text.push_str(part);
        }
    }
    (text + end).into_bytes()
}

/// For every reader.
pub(crate) const ANY: &[Shape] = &[
    ("", " ", ""),
    ("", "a", ""),
    ("", "é", ""),
    ("", "\n", ""),
    ("", "\r\n", ""),
    ("", "a\n", ""),
    ("", "[", ""),
    ("", "{", ""),
    ("", "(", ""),
    ("", "<", ""),
    ("", "\"", ""),
    ("", "\"a", ""),
    ("\"", "a ", ""),
    ("", "'", ""),
    ("", "`", ""),
    ("", "```\n", ""),
    ("", "\\", ""),
    ("", "/*", ""),
    ("", "*", ""),
    ("", "-", ""),
    ("", "- a\n", ""),
    ("", "a: ", ""),
    ("", ", ", ""),
    ("", "<a>", ""),
];

/// For readers of sources and plans.
pub(crate) const SOURCES: &[Shape] = &[
    ("export default (<App name=\"a\" description=\"b\">", "<Section gumdrop=\"hero\" />\n", "</App>)"),
    (
        "export default (<App name=\"a\" description=\"b\">",
        "<Screen name=\"s№\">{/* TASK-3 [ADD]: №. */}</Screen>\n",
        "</App>)",
    ),
    (
        "export default (<App name=\"a\" description=\"b\"><Screen name=\"a\">",
        "<Section gumdrop=\"s№\">{/* TASK-3 [ADD]: №. */}</Section>\n",
        "</Screen></App>)",
    ),
    ("export default (<App name=\"a\" description=\"b\">", "{/* TASK-3 [ADD]: a map */}", "</App>)"),
    ("export default (<App ", "a№=\"b\" ", "/>)"),
    ("export default (<App name=\"a\">{", "/* a */", "}</App>)"),
    ("", "<Section", ""),
    ("", "<Section", ">"),
    ("", "<Screen>", "</Section></Section></Section>"),
    ("", "<Screen></Section>", ""),
    ("<Section gumdrop='", "{/* a */}", ""),
    ("", "}/a/b", ""),
    ("", "{}/a/b;", ""),
    ("", "a\n/b", ""),
    ("", "import a№ from './a№'\n", ""),
    ("", "export const a№ = №\n", ""),
    ("import { ", "a№, ", "} from './a'\nexport default a1"),
    ("", "export { a№ }\n", ""),
    ("", "const a№ = №\n", "export default a1"),
    ("export const a = [", "{ id: №, name: 'a' },", "]"),
    ("export const a = ", "1 + ", "1"),
    ("export const a = `", "${a}", "`"),
    ("", "const a№ = () => <p>a</p>\n", ""),
    ("export default () => <main>", "<p className=\"a bg-red-500\" style={{ color: '#fff' }}>№</p>", "</main>"),
    ("export default () => <main>", "Lorem ipsum TODO ", "</main>"),
];

/// For readers of style sheets.
pub(crate) const STYLES: &[Shape] = &[
    (":root {", "--a№: #fff;", "}"),
    ("", ":root { --a№: var(--b№) }\n", ""),
    (":root { --a: ", "{", ""),
    ("", "@media a {", ""),
    ("", "@tailwind base;", ""),
    ("a { color: ", "rgb(", ""),
    ("a { color: ", "url(", ""),
    ("", "#", ""),
    ("", "a,", "{}"),
];

/// For readers of messages.
pub(crate) const MESSAGES: &[Shape] = &[
    ("", "please, ", ""),
    ("", "please ", ""),
    ("", "add a map, ", ""),
    ("", "add a map and ", ""),
    ("", "Add a card. ", ""),
    ("", "- add a card №\n", ""),
    ("", "№) a hero ", ""),
    ("", "add 3 cups and 2 teas, ", ""),
    ("make the hero ", "blue, ", ""),
    ("", "don't touch the hero, ", ""),
    ("", "when I click, ", ""),
    ("", "the menu opens (", ""),
    ("", "the title should say: ", ""),
    ("", "‘a ", ""),
    ("", "> a\n", ""),
    ("", "at a (b:1:1)\n", ""),
];

/// For readers of a reviewer's answer.
pub(crate) const REVIEWS: &[Shape] = &[
    ("[{\"\n", "\"", ""),
    ("[{\"\n", "\" ", ""),
    ("[{\"\n", "\"\n", ""),
    ("", "<think>", ""),
    ("", "\"decision\":", ""),
    ("", "> \"decision\": \"SHIP\"\n", ""),
    ("", "{\"decision\":\"SHIP\"}\n", ""),
    ("", "{\"a\":1}", ""),
    ("{\"decision\":\"REVISE\",\"issues\":[", "{\"file\":\"a\",\"description\":\"b\"},", "]}"),
];

/// For readers of a model's answer.
pub(crate) const ANSWERS: &[Shape] = &[("[", ", ", ""), ("[", " ,", "]"), ("{", "a: 1 ", ""), ("", "{\"a\":1}", "")];

/// For readers of command lines.
pub(crate) const LINES: &[Shape] = &[
    ("", "{a,b}", ""),
    ("{", "a,", "}"),
    ("", "a:", ""),
    ("", "a='$(b c)' ", ""),
    ("", "[ 'a[$(b c)]' ", ""),
    ("env ", "-S'a\\_b' ", ""),
];

/// For readers of YAML.
pub(crate) const YAML: &[Shape] = &[
    ("a:\n", "  - b\n", ""),
    ("a:\n", "  - 'b' # c\n", ""),
    ("a: [", "[], ", "]"),
    ("a: [", "b, ", "]"),
    ("a: &a [1]\nb: [", "*a, ", "]"),
    ("a: {", "b№: c, ", "}"),
    ("a: \"", "\\n", "\""),
    ("a: |\n", "  b\n", ""),
    ("a: >\n", "  b\n\n", ""),
    ("", "a№: b\n", ""),
    ("", "a№:\n  b: c\n", ""),
    ("", "# a\n", ""),
    ("a:\n", "- - -\n", ""),
    ("a: ", "!!str ", ""),
];

/// For readers of ignore rules.
pub(crate) const RULES: &[Shape] = &[
    ("", "*a", ""),
    ("", "**/", ""),
    ("", "a№\n", ""),
    ("", "!*a\n", ""),
    ("a[", "[:", "x]"),
    ("a[", "[:", ":]"),
    ("a[", "b-", "]"),
    ("", "[a]", ""),
    ("", "\\ ", ""),
];

//! `no-hardcoded-colors`: styles and classes that a task adds use the colors of the theme.

use super::asked_colors::{Asked, NEUTRAL};
use super::variables::{self, Declared};
use crate::gate::feedback::{SHOWN, excerpt};
use crate::gate::scope::is_run_elsewhere;
use crate::gate::{Check, Comparison, Finding, Gate, Judgement, Project, only_if};
use crate::js::lexer::{PieceKind, Source};
use crate::js::line_of;
use crate::path::extension;
use crate::sources::CODE;
use crate::syntax::color::{self, Color, Notation};
use crate::syntax::css::{CssItem, StyleSheet, at_rule, without_strings};
use crate::text::bullets;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of colors read from one string.
const IN_A_STRING: usize = 20;
/// A project with more literal colors than this does not keep to its theme.
const HANDFUL: usize = 5;

/// Applies to React apps with a theme ([`variables::applies`]) that keep to it: before the task, their sources had no more
/// than a handful of literal colors. Reads classes and styles of elements and the rules of style sheets below `src/`, where a
/// variable can stand (without custom properties, which define the theme). Other values take none: the ones of a canvas, a
/// chart or a QR code, elements in an `<svg>`, mails and PDFs, tests and stories.
///
/// Fails only for colors that the task added; a color that was in any file before the task does not count. Without a
/// comparison, colors are a warning. A color that the user names or describes passes ([`Asked`]), and so does a class of
/// Tailwind's palette for which the theme has no color.
pub(crate) const GATE: Gate = Gate {
    name: "no-hardcoded-colors",
    description: "the sources use the colors of the theme",
    check: Check::Project(check),
};

fn check(project: &Project) -> Finding {
    variables::applies(project)?;
    let theme = Theme::before(project);
    let before = project.sources_before(&CODE).unwrap_or_else(|| project.sources(&CODE).collect());
    let used = places(before, &Theme { own: theme.own.clone(), lacking: Vec::new() }).len();
    only_if(project.task.builds_app || used <= HANDFUL, "the project does not keep to its theme today")?;
    Ok(judge(project, &theme))
}

/// The theme as far as it has colors for classes of the palette.
#[derive(Default)]
struct Theme {
    /// Colors of the palette that the project declares itself: `red-500`. A class that names one uses the theme.
    own: BTreeSet<String>,
    /// Colors of the palette for which the theme has none.
    lacking: Vec<&'static str>,
}

/// Colors of the palette by the variable that a theme may have for them.
const STATUS: [(&str, &[&str]); 4] = [
    ("destructive", &["red", "rose"]),
    ("success", &["green", "emerald"]),
    ("warning", &["amber", "yellow", "orange"]),
    ("info", &["lime", "teal", "cyan", "sky", "blue", "indigo", "violet", "purple", "fuchsia", "pink"]),
];

impl Theme {
    fn before(project: &Project) -> Self {
        let declared = Declared::before(project);
        let lacking =
            STATUS.iter().filter(|(name, _)| !declared.has(name)).flat_map(|(_, colors)| colors.iter().copied());
        Self { own: own_palette(project), lacking: lacking.collect() }
    }

    /// Whether it has a color for this one of the palette.
    fn has(&self, color: &str) -> bool {
        let hue = color.split('-').next().unwrap_or_default();
        !self.own.contains(color) && (NEUTRAL.contains(&hue) || !self.lacking.contains(&hue))
    }
}

/// A literal color in a source.
struct Place<'a> {
    path: &'a str,
    text: &'a str,
    at: usize,
    shown: String,
}

fn judge(project: &Project, theme: &Theme) -> Judgement {
    let (places, unread) = match &project.task.comparison {
        Comparison::Changed(files) => {
            let sources = files.iter().filter(|file| file.path.starts_with("src/"));
            let after = sources.clone().filter_map(|file| Some((file.path.as_str(), file.after.as_deref()?)));
            let before = files.iter().filter_map(|file| Some((file.was.as_deref()?, file.before.as_deref()?)));
            let unread = sources.filter(|file| file.is_there && file.after.is_none() && is_judged(&file.path)).count();
            let mut added = added(&places(before.collect(), theme), places(after.collect(), theme));
            let asked = Asked::in_messages(&project.task.request.messages);
            added.retain(|place| !asked.has(&place.shown));
            (added, unread)
        }
        Comparison::None | Comparison::Impossible(_) => {
            (places(project.sources(&CODE).collect(), theme), project.unread())
        }
    };
    if places.is_empty() {
        return match unread {
            0 => Judgement::pass(),
            unread => Judgement::warn(format!(
                "{unread} file(s) were not searched for colors because they are too large or too many."
            )),
        };
    }
    let line =
        |Place { path, text, at, shown }: &Place<'_>| format!("{path}:{}: {}", line_of(text, *at), excerpt(shown));
    let lines: Vec<String> = places.iter().take(SHOWN).map(line).collect();
    let lines = bullets(&lines, SHOWN, places.len());
    if project.task.comparison.files().is_none() {
        return Judgement::unknown(format!(
            "The sources contain literal colors instead of theme colors; it is not known which of them the task added:\n{lines}"
        ));
    }
    // Without Tailwind, nothing declares the classes.
    let classes = match project.compiles_tailwind() {
        true => "use classes such as bg-primary, text-muted-foreground and border-border, or var(--primary) in styles",
        false => "use var(--primary), var(--muted-foreground) and var(--border) in styles",
    };
    Judgement::fail(format!(
        "The task added literal colors:\n{lines}\nReplace them with the theme's variables: {classes}. If the theme lacks a \
         color, declare it as a custom property of :root and .dark in src/index.css."
    ))
}

fn is_judged(path: &str) -> bool {
    CODE.contains(&extension(path)) && !is_test(path) && !is_run_elsewhere(path)
}

/// All colors of these files, in order.
fn places<'a>(files: Vec<(&'a str, &'a str)>, theme: &Theme) -> Vec<Place<'a>> {
    let mut places = Vec::new();
    for (path, text) in files.into_iter().filter(|(path, _)| is_judged(path)) {
        let found = match extension(path) {
            "css" => in_style_sheet(text),
            extension => in_source(text, extension, theme),
        };
        places.extend(found.into_iter().map(|(at, shown)| Place { path, text, at, shown }));
    }
    places
}

/// The colors that occur more often than before. Colors in unchanged lines count as old first.
fn added<'a>(before: &[Place<'_>], after: Vec<Place<'a>>) -> Vec<Place<'a>> {
    let lines: BTreeSet<&str> = before.iter().map(Place::line).collect();
    let mut old: BTreeMap<&str, usize> = BTreeMap::new();
    before.iter().for_each(|place| *old.entry(&place.shown).or_default() += 1);
    let mut is_added = vec![true; after.len()];
    for in_unchanged in [true, false] {
        for (place, is_added) in after.iter().zip(&mut is_added) {
            if lines.contains(place.line()) == in_unchanged
                && let Some(left @ 1..) = old.get_mut(place.shown.as_str())
            {
                *left -= 1;
                *is_added = false;
            }
        }
    }
    after.into_iter().zip(is_added).filter_map(|(place, is_added)| is_added.then_some(place)).collect()
}

impl Place<'_> {
    /// The line around the color, clipped.
    fn line(&self) -> &str {
        let from = self.text.floor_char_boundary(self.at.saturating_sub(NEAR));
        let to = self.text.floor_char_boundary(self.at + NEAR);
        let before = self.text.get(from..self.at).unwrap_or_default();
        let start = before.rfind('\n').map_or(from, |at| from + at + 1);
        let after = self.text.get(self.at..to).unwrap_or_default();
        let end = after.find('\n').map_or(to, |at| self.at + at);
        self.text.get(start..end).unwrap_or_default().trim()
    }
}

/// Bytes of the line on either side of the color.
const NEAR: usize = 120;

/// The colors that the project's theme adds to Tailwind's palette (`--color-red-500`). A class that names one uses the
/// theme.
fn own_palette(project: &Project) -> BTreeSet<String> {
    let mut own = BTreeSet::new();
    for (_, css) in project.sources(&["css"]) {
        for item in StyleSheet::new(css).items() {
            if let CssItem::Declaration { name, .. } = item {
                own.extend(name.strip_prefix("--color-").map(str::to_owned));
            }
        }
    }
    own
}

fn is_test(path: &str) -> bool {
    let name = crate::path::name(path);
    [".test.", ".spec.", ".stories.", ".story.", ".d."].iter().any(|part| name.contains(part))
        || path.split('/').any(|folder| matches!(folder, "__tests__" | "__mocks__" | "test" | "tests"))
}

fn in_style_sheet(css: &str) -> Vec<(usize, String)> {
    let (mut found, mut in_registration) = (Vec::new(), false);
    for item in StyleSheet::new(css).items() {
        match item {
            CssItem::Open { prelude, .. } => {
                in_registration = at_rule(prelude).is_some_and(|(name, _)| name == "property");
            }
            CssItem::Close { .. } => in_registration = false,
            CssItem::Declaration { name, value, at } if !name.starts_with("--") && !in_registration => {
                for color in color::literals(&without_strings(value)) {
                    let shown = value.get(color.range.clone()).unwrap_or_default();
                    found.push((at + color.range.start, format!("{name}: {shown}")));
                }
            }
            CssItem::Declaration { .. } | CssItem::Statement { .. } => {}
        }
    }
    found
}

fn in_source(text: &str, extension: &str, theme: &Theme) -> Vec<(usize, String)> {
    let source = Source::new(text, extension);
    let (mut found, ranges) = (Vec::new(), styling(source.code()));
    for piece in source.pieces.iter().filter(|p| matches!(p.kind, PieceKind::String | PieceKind::Template) && !p.in_svg)
    {
        // The last one that starts before the piece; values do not overlap.
        let after = ranges.partition_point(|range| range.from <= piece.at);
        let Some(range) = after.checked_sub(1).and_then(|at| ranges.get(at)).filter(|range| piece.at < range.to) else {
            continue;
        };
        let is_new = |class: &Color| {
            let name = piece.text.get(class.range.clone()).and_then(color::palette_color);
            range.is_class && name.is_some_and(|name| theme.has(name))
        };
        let classes = color::palette_classes(piece.text).into_iter().filter(is_new);
        let literals = color::literals(piece.text).into_iter().take(IN_A_STRING);
        let literals = literals.filter(|color| is_paint(color, piece.text, range.is_class));
        for color in classes.chain(literals) {
            let shown = piece.text.get(color.range.clone()).unwrap_or_default();
            found.push((piece.at + color.range.start, shown.to_owned()));
        }
    }
    found
}

/// The value of an attribute that styles an element.
struct Styling {
    from: usize,
    to: usize,
    is_class: bool,
}

/// The values of classes and styles, in order.
fn styling(code: &str) -> Vec<Styling> {
    const ATTRIBUTES: [(&str, bool); 5] =
        [("className", true), ("class", true), ("style", false), ("sx", false), ("css", false)];
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(equals) = code.get(at..).and_then(|rest| rest.find('=')).map(|equals| at + equals) {
        at = equals + 1;
        let before = code.get(..equals).unwrap_or_default();
        let is_attribute =
            |name: &str| before.strip_suffix(name).is_some_and(|rest| rest.ends_with(char::is_whitespace));
        let Some((_, is_class)) = ATTRIBUTES.into_iter().find(|(name, _)| is_attribute(name)) else { continue };
        let Some(to) = value_end(code, at) else { break };
        found.push(Styling { from: at, to, is_class });
        at = to;
    }
    found
}

/// Where the value of an attribute ends; `None` if it is not closed.
fn value_end(code: &str, from: usize) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    for (at, byte) in code.bytes().enumerate().skip(from) {
        match (quote, byte) {
            (Some(open), byte) if open == byte => quote = None,
            (Some(_), _) => continue,
            (None, b'"' | b'\'') => {
                quote = Some(byte);
                continue;
            }
            (None, b'{') => depth += 1,
            (None, b'}') => depth = depth.checked_sub(1)?,
            (None, b' ' | b'\n') if depth == 0 && at == from => continue,
            (None, _) if depth > 0 => continue,
            (None, _) => return Some(at),
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Whether a literal in a style or a class is a color: in a class only as a value in brackets, and not of a selector or a URL.
fn is_paint(color: &Color, text: &str, is_class: bool) -> bool {
    let before = text.get(..color.range.start).unwrap_or_default();
    let is_selector =
        before.trim_end_matches(['"', '\'']).ends_with('=') || text.contains("data:") || text.contains("url(");
    let is_value =
        || before.rsplit_once('[').is_some_and(|(class, inside)| class.ends_with('-') && !inside.contains(']'));
    !is_selector && color.notation != Notation::PaletteClass && (!is_class || is_value())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::ChangedFile;
    use crate::gate::GateVerdict::{Fail, Pass, Warn};

    fn lines(judged: Judgement) -> Vec<String> {
        let feedback = judged.feedback.unwrap_or_default();
        feedback.lines().filter_map(|line| line.strip_prefix("- ")).map(str::to_owned).collect()
    }

    /// The findings in a file that the task wrote.
    fn places(path: &str, text: &str) -> Vec<String> {
        let changed = Comparison::Changed(vec![ChangedFile::from_texts(path, "", text)]);
        lines(judge(&Project::from_files(&[(path, text)]).after(changed), &Theme::default()))
    }

    fn changed(files: Vec<ChangedFile>) -> Judgement {
        let now: Vec<(&str, &str)> =
            files.iter().filter_map(|file| Some((file.path.as_str(), file.after.as_deref()?))).collect();
        let project = Project::from_files(&now).after(Comparison::Changed(files.clone()));
        judge(&project, &Theme { own: own_palette(&project), lacking: Vec::new() })
    }

    #[test]
    fn only_a_color_that_the_task_added_fails() {
        let old = "a { color: #213547; }\nb { color: #213547; }\n";
        for (before, after, expected) in [
            (old, "a { color: #213547; }\nb { color: #213547; }\nc { margin: 0 }\n", vec![]),
            (old, "a { color: #213547; }\n", vec![]),
            (old, "a { margin: 0; color: #213547 }\nb { color: #213547; }\n", vec![]),
            (
                old,
                "c { color: #213547; }\na { color: #213547; }\nb { color: #213547; }\n",
                vec!["src/a.css:1: color: #213547"],
            ),
            (old, "a { color: #646cff; }\nb { color: #213547; }\n", vec!["src/a.css:1: color: #646cff"]),
            ("", "a { color: #fff; }\n", vec!["src/a.css:1: color: #fff"]),
        ] {
            assert_eq!(lines(changed(vec![ChangedFile::from_texts("src/a.css", before, after)])), expected, "{after}");
        }
        let moved = vec![ChangedFile::from_texts("src/a.css", old, ""), ChangedFile::from_texts("src/b.css", "", old)];
        assert_eq!(changed(moved).verdict, Pass, "the colors moved");
        let untouched = Project::from_files(&[("src/a.css", old)]).after(Comparison::Changed(Vec::new()));
        assert_eq!(judge(&untouched, &Theme::default()).verdict, Pass);
    }

    #[test]
    fn a_color_that_the_user_names_may_be_used() {
        for (message, after, expected) in [
            ("make the headline red (#ff0000)", "a { color: #ff0000 }", Pass),
            ("make the headline red (#FF0000)", "a { color: #f00 }", Pass),
            ("make the headline rgb(1, 2, 3)", "a { color: rgb(1,2,3) }", Pass),
            ("make the headline red (#ff0000)", "a { color: #00ff00 }", Fail),
            ("make the headline red (#ff0000)", "a { color: #ff0000; background: #123456 }", Fail),
            ("make the headline larger", "a { color: #ff0000 }", Fail),
        ] {
            let request = crate::gate::TaskRequest { messages: vec![message.to_owned()], ..Default::default() };
            let files = vec![ChangedFile::from_texts("src/a.css", "a { margin: 0 }", after)];
            let facts = crate::gate::TaskFacts { request, ..Comparison::Changed(files).into() };
            assert_eq!(
                judge(&Project::from_files(&[("src/a.css", after)]).after(facts), &Theme::default()).verdict,
                expected,
                "{message} {after}"
            );
        }
    }

    #[test]
    fn colors_only_warn_without_a_comparison() {
        for comparison in [Comparison::None, Comparison::Impossible("gone".to_owned())] {
            let project = Project::from_files(&[("src/a.css", "a { color: #fff }")]).after(comparison);
            let judgement = judge(&project, &Theme::default());
            assert_eq!((judgement.verdict, judgement.is_raisable), (Warn, false));
        }
    }

    #[test]
    fn literal_colors_in_sources_are_found() {
        for (text, expected) in [
            ("<p className=\"flex text-red-500\">a</p>", "text-red-500"),
            ("<p className={cn('p-2', on && 'bg-lime-400/20')} />", "bg-lime-400/20"),
            ("<p className={`p-2 ${a} dark:border-cyan-300`} />", "dark:border-cyan-300"),
            ("<p className=\"bg-[#1a2b3c]\" />", "#1a2b3c"),
            ("<p className=\"shadow-[0_0_4px_rgba(0,0,0,0.5)]\" />", "rgba(0,0,0,0.5)"),
            ("<p style={{ color: '#fff' }} />", "#fff"),
            ("<p style={{ color: '#333' }} />", "#333"),
            ("<p style={{ color: '#123' }} />", "#123"),
            ("<p style={{ 'background-color': \"#123456\" }} />", "#123456"),
            ("<p style={{ border: '1px solid #ccc' }} />", "#ccc"),
            ("<p style={{ background: `linear-gradient(90deg, #f00, ${to})` }} />", "#f00"),
        ] {
            assert_eq!(places("src/App.tsx", text).len(), 1, "{text}");
            assert!(places("src/App.tsx", text)[0].ends_with(&format!(": {expected}")), "{text}");
        }
    }

    #[test]
    fn theme_colors_and_strings_other_than_colors_pass() {
        for text in [
            "<p className=\"bg-primary text-muted-foreground border-border/50 bg-chart-1 text-white bg-black/50\" />",
            "<p style={{ color: 'var(--primary)', background: 'hsl(var(--card))' }} />",
            "// was #fff and text-red-500\n/* rgb(0, 0, 0) */",
            "<p>{/* #fff */}Issue #123, colour #abcdef, class text-red-500</p>",
            "<a href=\"#abc\">a</a>",
            "<Link to={'#facade'} />",
            "<a href={`#${id}`} id='#add' key=\"#fed\" />",
            "const items = [{ id: '#3f9a2c', orderNumber: '#100234', label: '#abc' }]",
            "const orders = ['#100234', '#100235']",
            "const ticket = 'Fixes #abc and #1234'",
            "document.querySelector('#abc')",
            "if (location.hash === '#abc') {}",
            "switch (hash) { case '#abc': break }",
            "import db from '#db'; import '#abc'; export * from '#add'",
            "<svg><path fill=\"#EA4335\" /><g style={{ stroke: '#4285F4' }} /></svg>",
            "const icon = 'data:image/svg+xml,%3Csvg fill=\"#fff\"%3E'",
            "const logo = `<svg xmlns=\"x\"><path fill=\"#fff\"/></svg>`",
            "<p className=\"[&_.recharts-dot[stroke='#fff']]:stroke-transparent\" />",
            "const re = /#fff|#000/g; const tw = /text-red-500/",
            "const css = `rgb(${r}, ${g}, ${b})`",
            "<input placeholder=\"#ff0000\" title='rgb(1, 2, 3)' aria-label='#abc' />",
            "<div data-id=\"#abc\" />",
            "fetch('https://example.com/page#abc')",
            "const n = a.b as Foo<'x'>",
            "const COLORS = ['#f94144', '#f3722c']; context.fillStyle = '#123456'",
            "<Line stroke=\"#8884d8\" data={[{ fill: '#0088FE' }]} />",
            "<QRCode fgColor=\"#000000\" value=\"a\" /> ",
            "<meshStandardMaterial color='#ff6600' />",
            "<Elements options={{ appearance: { variables: { colorPrimary: '#0570de' } } }} />",
            "const options = { series: [{ color: '#fff' }] }",
        ] {
            assert_eq!(places("src/App.tsx", text), [""; 0], "{text}");
        }
    }

    #[test]
    fn style_sheets_may_define_colors_but_not_use_literals() {
        let css = ":root { --brand: #fff; --shadow: 0 0 1px rgb(0 0 0 / 10%) }\n\
            @property --x { syntax: '<color>'; inherits: false; initial-value: #c0ffee }\n\
            /* color: #fff */ a { color: var(--brand); background: url(#abc) url(\"a.svg#fff\"); content: '#fff' }\n\
            a:hover { color: color-mix(in oklch, var(--brand), transparent) }\n\
            #abc, a[href='#fff'] { color: hsl(var(--brand)) }";
        assert_eq!(places("src/index.css", css), [""; 0]);
        let css =
            "a {\n  color: #123;\n  box-shadow: 0 0 1px RGB(0 0 0 / 10%);\n}\n@media print { b { fill: #0a0b0c } }";
        assert_eq!(
            places("src/a/b.css", css),
            [
                "src/a/b.css:2: color: #123",
                "src/a/b.css:3: box-shadow: RGB(0 0 0 / 10%)",
                "src/a/b.css:5: fill: #0a0b0c"
            ]
        );
    }

    #[test]
    fn the_projects_own_palette_counts_as_theme() {
        let source = ("src/App.tsx", "<p className='bg-red-500 text-red-600' />");
        let own = ("src/index.css", "@theme { --color-red-500: oklch(0.6 0.2 25) }");
        let files = [source, own].map(|(path, text)| ChangedFile::from_texts(path, "", text));
        let feedback = changed(files.to_vec()).feedback.unwrap_or_default();
        assert!(feedback.contains("text-red-600") && !feedback.contains("bg-red-500"), "{feedback}");
    }

    #[test]
    fn tests_stories_mails_and_type_declarations_are_not_searched() {
        for path in [
            "src/App.test.tsx",
            "src/__tests__/a.ts",
            "src/types.d.ts",
            "src/a.stories.tsx",
            "lib/a.tsx",
            "src/emails/a.tsx",
            "src/pdf/a.tsx",
        ] {
            assert_eq!(places(path, "<p style={{ color: '#fff' }} />"), [""; 0], "{path}");
        }
    }

    #[test]
    fn classes_are_recommended_only_to_a_project_that_compiles_tailwind() {
        for (manifest, expected) in
            [("{\"dependencies\":{\"tailwindcss\":\"4\"}}", true), ("{\"dependencies\":{}}", false)]
        {
            let text = "<p style={{ color: '#fff' }} />";
            let change = ChangedFile::from_texts("src/a.tsx", "", text);
            let project = Project::from_files(&[("package.json", manifest), ("src/a.tsx", text)]);
            let judged = judge(&project.after(Comparison::Changed(vec![change])), &Theme::default());
            let feedback = judged.feedback.unwrap_or_default();
            assert_eq!(
                (feedback.contains("bg-primary"), feedback.contains("var(--primary)")),
                (expected, true),
                "{feedback}"
            );
        }
    }

    #[test]
    fn the_feedback_lists_the_first_places_and_counts_the_rest() {
        let text = "<p style={{ color: '#fff' }} />\n".repeat(25);
        let places = places("src/a.tsx", &text);
        assert_eq!((places.len(), places[9].as_str()), (11, "src/a.tsx:10: #fff"));
        assert_eq!(places[10], "and 15 more");
    }

    #[test]
    fn a_hostile_source_is_judged_in_linear_time() {
        let css = "a{color:#fff;".repeat(50_000);
        assert_eq!(places("src/a.css", &css).len(), 11);
        let list = format!("<p style={{{{ color: '{}' }}}} />", "#fff ".repeat(150_000));
        assert_eq!(places("src/a.tsx", &list).len(), 11);
        for unclosed in [" className={", " style=\"", " class="] {
            assert_eq!(places("src/a.tsx", &format!("<p{}", unclosed.repeat(50_000))), [""; 0]);
        }
    }

    #[test]
    fn unread_files_are_reported() {
        let unread = ChangedFile::unread("src/a.ts");
        assert_eq!(changed(vec![unread.clone()]).verdict, Warn);
        assert_eq!(changed(vec![ChangedFile::unread("src/a.png")]).verdict, Pass);
        let color = ChangedFile::from_texts("src/b.tsx", "", "<p style={{ color: '#fff' }} />");
        assert_eq!(changed(vec![unread, color]).verdict, Fail);
        let unknown = Project::default().with_unread(&["src/a.ts"]);
        assert_eq!(judge(&unknown, &Theme::default()).verdict, Warn);
    }

    #[test]
    fn a_project_that_does_not_keep_to_its_theme_is_asked_for_nothing() {
        let theme = ":root { --background: a; --foreground: b; --primary: c; --destructive: d }";
        let judged = |before: &str, added: &str| {
            let after = format!("{before}\nexport const New = () => <p className=\"{added}\" />");
            let react = ("package.json", r#"{"dependencies":{"react":"19"}}"#);
            let files = [react, ("src/App.tsx", after.as_str()), ("src/index.css", theme)];
            let change = ChangedFile::from_texts("src/App.tsx", before, &after);
            check(&Project::from_files(&files).after(Comparison::Changed(vec![change])))
                .map(|judged| judged.verdict)
                .ok()
        };
        let kept = "export const A = () => <p className=\"text-muted-foreground\" />";
        let few = "export const A = () => <p className=\"text-gray-500 bg-gray-100\" />";
        let many = "export const A = () => <p className=\"text-gray-500 bg-gray-50\"><b className=\"border-gray-200 text-gray-900\" />\
            <i className=\"text-gray-700 ring-gray-300\" /></p>";
        for (before, added, expected) in [
            (kept, "text-gray-400", Some(Fail)),
            (kept, "text-red-600", Some(Fail)),
            (kept, "bg-[#1a2b3c]", Some(Fail)),
            (kept, "text-primary", Some(Pass)),
            (kept, "fill-green-500 dark:fill-green-400", Some(Pass)),
            (few, "text-gray-400", Some(Fail)),
            (many, "text-gray-400", None),
            (many, "bg-[#1a2b3c]", None),
        ] {
            assert_eq!(judged(before, added), expected, "{added}");
        }
    }
}

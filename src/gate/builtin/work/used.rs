//! Whether the app uses the agent's change: a change that the page does not reach has no effect.

use super::app::{App, in_use};
use super::work_done::{idle, own_files};
use crate::gate::asked::{self, Asked};
use crate::gate::bare::comments;
use crate::gate::feedback::list_entries;
use crate::gate::scope::{FileId, Sources, States, is_markup, is_page, stripped};
use crate::gate::{ChangedFile, Judgement, Project};
use crate::js::tree::{Parsed, Pattern, Statement};
use crate::layout::{STATUS, SUMMARY, TASK};
use crate::path::{extension, name, parent};
use crate::port::Host;
use crate::sources::{ALL, is_aside, is_source};
use crate::syntax::Blanked;
use crate::syntax::markup::{self, MARKUP};
use std::collections::{BTreeMap, BTreeSet};

/// The agent's change, by its effect.
#[derive(Debug, Clone, Default)]
pub(in crate::gate) struct Used {
    /// The new lines that the app may use.
    pub lines: Vec<Line>,
    /// The lines that the app may have used, with their old places.
    pub gone: Vec<Line>,
    /// The files of the app by path, as they are now.
    pub files: BTreeMap<String, String>,
    /// A file without new lines, such as an image or a removed file, that the app may use.
    has_more: bool,
    /// Why the app does not use a file.
    unused: Vec<String>,
    /// It is certain that the app uses none of these files.
    is_certain: bool,
}

/// A new line of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::gate) struct Line {
    pub path: String,
    /// 1-based.
    pub line: usize,
    /// With its indentation. Comments and dead code are spaces.
    pub text: String,
    /// The lines around it with less indentation, each less than the one after it.
    pub around: String,
    /// The fields or declarations of the same object or rule, in order, with its own.
    pub block: String,
}

impl Used {
    /// The app uses a change, or may.
    pub(in crate::gate) fn is_used(&self) -> bool {
        self.has_more || !self.lines.is_empty()
    }
}

/// Maximum number of new lines that are kept.
const MAX_LINES: usize = 2_000;
/// Maximum number of lines around a new line that are kept.
const MAX_AROUND: usize = 12;
/// Maximum length of such a line.
const MAX_AROUND_BYTES: usize = 400;

/// The judgement of a change that the app does not use; `None` for any other.
pub(super) fn judge(project: &Project) -> Option<Judgement> {
    let used = project.used.get().filter(|used| !used.is_used() && !used.unused.is_empty())?;
    let found = format!("The app does not use anything that you changed:\n{}\n", list_entries(&used.unused));
    let advice =
        "Import it and render it where the page shows it, or make the change in the component that the page shows.";
    let asked = asked::for_hidden(&project.task.request);
    Some(if used.is_certain && (asked == Asked::No || project.task.builds_app) {
        Judgement::fail(format!(
            "{found}{advice} If the task does not ask for anything that the page shows, write your question to the user into \
             {SUMMARY}, then write `waiting` into {STATUS}."
        ))
    } else {
        Judgement::warn(format!("{found}{advice} Do nothing if {TASK} asks for no more than this."))
    })
}

/// Finds what the app uses, once.
pub(in crate::gate) async fn read(host: &Host, project: &Project) {
    if project.used.get().is_some() {
        return;
    }
    let files = own_files(project);
    let files: Vec<&ChangedFile> = files.into_iter().filter(|file| idle(project, file).is_none()).collect();
    let mut used = Used { is_certain: true, ..Used::default() };
    if files.is_empty() {
        project.used.get_or_init(|| used);
        return;
    }
    let app = App::read(host, project).await;
    let states = States::new(&app.before, &app.after);
    for () in states.parse() {
        host.fs.pause().await;
    }
    let known = known(project, &app, &states);
    for file in files {
        match effect(project, &app, &states, known, file) {
            Ok((lines, gone)) => {
                used.has_more |= lines.is_empty();
                used.lines.extend(lines.into_iter().take(MAX_LINES.saturating_sub(used.lines.len())));
                used.gone.extend(gone.into_iter().take(MAX_LINES.saturating_sub(used.gone.len())));
            }
            Err(Unused { why, is_certain }) => {
                used.is_certain &= is_certain;
                used.unused.push(format!("{}: {why}", file.path));
            }
        }
    }
    drop(states);
    used.files.clone_from(&app.after);
    project.used.get_or_init(|| used);
}

/// What is known about the modules that the page reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    All,
    /// The others are probably unused.
    Most,
    Nothing,
}

fn known(project: &Project, app: &App, states: &States<'_>) -> Known {
    let is_markup = |path: &String| matches!(extension(path), "vue" | "svelte" | "astro" | "mdx");
    match states.new.reached() {
        Some(_) if app.after.keys().any(is_markup) => Known::Nothing,
        Some(reached) if reached.is_certain && app.is_complete && !project.has_framework() => Known::All,
        Some(_) => Known::Most,
        None => Known::Nothing,
    }
}

/// Why the app does not use a file.
struct Unused {
    why: String,
    is_certain: bool,
}

/// The new lines that the app may use, and the gone ones.
fn effect(
    project: &Project,
    app: &App,
    states: &States<'_>,
    known: Known,
    file: &ChangedFile,
) -> Result<(Vec<Line>, Vec<Line>), Unused> {
    let path = file.path.as_str();
    let unused = |why: &str| Unused { why: why.to_owned(), is_certain: known == Known::All };
    let perhaps = |why: &str| Unused { why: why.to_owned(), is_certain: false };
    if is_aside(path) {
        return Err(Unused { why: "it is not part of the app".to_owned(), is_certain: true });
    }
    let text = file.after.as_deref().unwrap_or_default();
    let old = file.was.as_deref().and_then(|was| states.old.find(was));
    let is_inner = path.starts_with("src/");
    let enters = |id| states.new.reached().is_some_and(|reached| reached.enters(id));
    let is_new = file.was.is_none();
    let (has, had) = (states.new.find(path), file.was.as_deref().unwrap_or(path));
    let before = file.before.as_deref().unwrap_or_default();
    let (after, was) =
        (live(path, text, &dead(&states.new, has, text)), live(had, before, &dead(&states.old, old, before)));
    let lines = |is_wanted: &dyn Fn(u32) -> bool| {
        let (lines, gone) = (new_lines(path, &was, &after, is_wanted), new_lines(had, &after, &was, &|_| true));
        let is_dead = || !new_lines(path, &live(had, before, &[]), &live(path, text, &[]), &|_| true).is_empty();
        if lines.is_empty() && gone.is_empty() && is_dead() {
            return Err(unused("the new code never runs, or nobody sees it"));
        }
        Ok((lines, gone))
    };
    match has.map(|id| (id, states.new.parsed(id))) {
        Some((id, Parsed::Module(_))) if known != Known::Nothing && !is_markup(path) && (is_inner || enters(id)) => {
            let spans = of_module(states, old, id).map_err(|why| unused(&why))?;
            return lines(&|at| !spans.iter().any(|(from, to)| (*from..*to).contains(&at)));
        }
        Some((_, Parsed::Broken { .. } | Parsed::Unreadable)) if !is_markup(path) => {
            return lines(&|_| true);
        }
        None if !file.is_there && known == Known::All && old.is_some_and(|old| is_unused(&states.old, old)) => {
            return Err(unused("nothing used it"));
        }
        _ => {}
    }
    let is_next = states.new.depends_on("next");
    // A private folder, or a page that exports nothing.
    let is_private = is_next && (path.contains("/_") || is_page(path, true) && !text.contains("default"));
    let is_placed = is_routed(path, is_next) && !is_private;
    let is_part = is_inner || path.contains('/') && is_source(path) && ALL.contains(&extension(path));
    if is_new && is_part && !is_placed && !app.mentions(path) {
        let why = "no other file mentions it";
        return Err(if is_inner { unused(why) } else { perhaps(why) });
    }
    if asked::for_part(&project.task.request.messages) && (is_setup(path) || is_new && is_static(app, path)) {
        return Err(perhaps("the page does not show it"));
    }
    let is_component = MARKUP.contains(&extension(path));
    if let Some((was, before)) = file.was.as_deref().zip(file.before.as_deref())
        && is_component
        && file.is_there
        && in_use(was, before) == in_use(path, text)
    {
        return Err(perhaps("nothing in it uses what it imports"));
    }
    lines(&|_| true)
}

/// What never runs in a file, or nobody sees.
fn dead(sources: &Sources<'_>, file: Option<FileId>, text: &str) -> Vec<(u32, u32)> {
    match file.map(|file| (sources.path(file), sources.module(file))) {
        Some((path, _)) if is_markup(path) => markup::dead(text, extension(path)),
        Some((_, Some(module))) => module.dead.clone(),
        _ => Vec::new(),
    }
}

/// A text with spaces in place of comments and of these ranges.
fn live(path: &str, text: &str, dead: &[(u32, u32)]) -> String {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    Blanked::without(text, comments(extension(path), text).iter().flatten().chain(dead))
}

/// A file that configures tools: `package.json`, `vite.config.ts`.
fn is_setup(path: &str) -> bool {
    let is_lock =
        matches!(name(path), "package.json" | "package-lock.json" | "yarn.lock" | "pnpm-lock.yaml" | "bun.lock");
    parent(path).is_empty() && (is_lock || name(path).contains(".config.") || name(path).starts_with("tsconfig"))
}

/// A static file that no other file mentions and no browser asks for.
fn is_static(app: &App, path: &str) -> bool {
    let name = name(path);
    let is_asked_for =
        ["favicon", "robots", "sitemap", "manifest", "apple-", "_", "."].iter().any(|start| name.starts_with(start));
    path.starts_with("public/")
        && !is_asked_for
        && !MARKUP.contains(&extension(path))
        && !app.after.iter().any(|(other, text)| other != path && text.contains(name))
}

fn is_unused(sources: &Sources<'_>, file: FileId) -> bool {
    sources.module(file).is_some() && sources.reached().is_some_and(|reached| !reached.enters(file))
}

/// The byte ranges of the changed declarations that the page does not use.
///
/// # Errors
/// Why it uses none.
fn of_module(states: &States<'_>, old: Option<FileId>, new: FileId) -> Result<Vec<(u32, u32)>, String> {
    let (had, has) =
        (old.map(|old| Split::from_file(&states.old, old)).unwrap_or_default(), Split::from_file(&states.new, new));
    let Some(reached) = states.new.reached() else { return Ok(Vec::new()) };
    let texts =
        |split: &Split<'_>| -> BTreeSet<String> { split.pieces.iter().map(|piece| piece.text.clone()).collect() };
    let (old_texts, new_texts) = (texts(&had), texts(&has));
    let is_new = |piece: &&Piece<'_>| !old_texts.contains(&piece.text);
    let changed: Vec<&Piece<'_>> = has.pieces.iter().filter(is_new).collect();
    let (used, unused): (Vec<&Piece<'_>>, Vec<&Piece<'_>>) =
        changed.iter().partition(|piece| reached.uses(new, piece.pattern));
    let was_used = |piece: &Piece<'_>| {
        let is_gone = !new_texts.contains(&piece.text);
        is_gone && old.is_some_and(|old| states.old.reached().is_none_or(|reached| reached.uses(old, piece.pattern)))
    };
    let code = || has.pieces.iter().filter(|piece| reached.uses(new, piece.pattern)).map(|piece| piece.text.as_str());
    let said: BTreeSet<&str> = code()
        .chain([has.rest.as_str()])
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$'))
        .collect();
    let is_named = |import: &str| said.contains(import);
    let old_imports: BTreeSet<&[&str; 3]> = had.imports.iter().collect();
    let imports = has.imports.iter().filter(|import| !old_imports.contains(import));
    let is_other = had.rest != has.rest && reached.enters(new)
        || had.pieces.iter().any(was_used)
        || imports.map(|[local, ..]| *local).any(|local| reached.enters(new) && (local.is_empty() || is_named(local)));
    // White space in a text differs.
    let is_same = had.pieces.len() == has.pieces.len() && changed.is_empty() && had.imports == has.imports;
    if !used.is_empty() || is_other || is_same && had.rest == has.rest && reached.enters(new) {
        return Ok(unused.iter().map(|piece| piece.span).collect());
    }
    if !reached.enters(new) {
        return Err("nothing that the page shows imports it".to_owned());
    }
    let names: BTreeSet<&str> = changed.iter().filter_map(|piece| name_of(piece.pattern)).collect();
    let names: Vec<&str> = names.into_iter().collect();
    match names.as_slice() {
        [] => Err("nothing that the page shows uses the change".to_owned()),
        names => Err(format!("nothing that the page shows uses {}", names.join(", "))),
    }
}

fn name_of(pattern: &Pattern) -> Option<&str> {
    if let Pattern::Name(name) = pattern { Some(name) } else { None }
}

/// A module as its declarations and the rest, without comments and white space.
#[derive(Default)]
struct Split<'m> {
    pieces: Vec<Piece<'m>>,
    /// The local name, the module and its name for it.
    imports: Vec<[&'m str; 3]>,
    /// What is left without imports and lists of exports: statements and types.
    rest: String,
}

struct Piece<'m> {
    pattern: &'m Pattern,
    text: String,
    span: (u32, u32),
}

impl<'m> Split<'m> {
    fn from_file(sources: &'m Sources<'_>, file: FileId) -> Self {
        let Some(module) = sources.module(file) else { return Self::default() };
        let text = sources.text(file);
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let mut blanks = comments(extension(sources.path(file)), text).unwrap_or_default();
        blanks.extend(module.blanks.iter().chain(&module.dead));
        blanks.sort_unstable();
        let mut inner = blanks.clone();
        let mut pieces = Vec::new();
        for statement in &module.body {
            let Statement::Declare(declaration) = statement else { continue };
            let (pattern, span) = (&declaration.pattern, declaration.span);
            pieces.push(Piece { pattern, text: stripped(text, &blanks, Some(span)), span });
            inner.push(span);
        }
        let mut before = 0;
        for ((start, end), _) in &module.specifiers {
            inner.push((statement_start(text, before, *start as usize) as u32, *end));
            before = *end as usize;
        }
        inner.sort_unstable();
        let code = stripped(text, &inner, None).replace(';', "");
        let (mut rest, mut left) = (String::with_capacity(code.len()), code.as_str());
        while let Some((before, list)) = left.split_once("export{") {
            rest.push_str(before);
            left = list.split_once('}').map_or("", |(_, after)| after);
        }
        rest.push_str(left);
        let imports: Vec<[&str; 3]> =
            module.imports.iter().map(|import| [&*import.local, &*import.from, &*import.name]).collect();
        Self { pieces, imports, rest }
    }
}

/// Where the import or export before a specifier starts, after the end of the specifier before it.
pub(super) fn statement_start(text: &str, after: usize, specifier: usize) -> usize {
    let first = if after <= specifier { after } else { 0 };
    let before = text.get(first..specifier).unwrap_or_default();
    let starts = ["import", "export"].into_iter().filter_map(|word| {
        let mut found = before.rmatch_indices(word).map(|(at, _)| first + at);
        found.find(|at| {
            text.get(..*at).is_some_and(|before| before.is_empty() || before.ends_with(['\n', ';', '}', '/']))
        })
    });
    starts.max().unwrap_or(specifier)
}

/// The lines of a text, at these places, that the other one does not have in another format.
fn new_lines(path: &str, before: &str, text: &str, is_wanted: &dyn Fn(u32) -> bool) -> Vec<Line> {
    // A comment in JSX leaves its braces.
    let code = |line: &str| unformatted(line).replace("{}", "");
    let before: BTreeSet<String> = before.lines().map(code).collect();
    let all: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut lines, mut at) = (Vec::new(), 0);
    let mut outer: Vec<(usize, &str)> = Vec::new();
    for (index, line) in all.iter().enumerate() {
        let indent = indent_of(line);
        let start = at + indent;
        at += line.len();
        let content = line.trim();
        if !content.chars().any(char::is_alphanumeric) {
            continue;
        }
        while outer.last().is_some_and(|(known, _)| *known >= indent) {
            outer.pop();
        }
        if lines.len() < MAX_LINES && !before.contains(&code(content)) && is_wanted(start as u32) {
            let around: Vec<&str> = outer.iter().rev().take(MAX_AROUND).map(|(_, line)| *line).collect();
            let (text, around, block) = (line.trim_end().to_owned(), around.join("\n"), block(&all, index));
            lines.push(Line { path: path.to_owned(), line: index + 1, text, around, block });
        }
        if content.len() <= MAX_AROUND_BYTES {
            outer.push((indent, content));
        }
    }
    lines
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The lines next to a line with its indentation that are fields or declarations, with the line; empty for another line.
fn block(lines: &[&str], at: usize) -> String {
    let is_field = |line: &&&str| {
        let key = line.split_once(':').map_or("", |(key, _)| key.trim().trim_matches(['"', '\'']));
        !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$'))
    };
    let is_beside = |line: &&&str| lines.get(at).is_some_and(|own| indent_of(own) == indent_of(line)) && is_field(line);
    let (before, after) = lines.split_at_checked(at).unwrap_or_default();
    let mut block: Vec<&str> = before.iter().rev().take(MAX_AROUND).take_while(is_beside).copied().collect();
    block.reverse();
    block.extend(after.iter().take(MAX_AROUND).take_while(is_beside));
    block.concat()
}

/// A text without what formatters change: white space, semicolons, commas, and which quotes are used.
pub(super) fn unformatted(text: &str) -> String {
    stripped(text, &[], None).replace([';', ','], "").replace('\'', "\"")
}

/// Whether frameworks may load the file because of its place.
fn is_routed(path: &str, is_next: bool) -> bool {
    const FOLDERS: [&str; 9] =
        ["pages", "routes", "api", "layouts", "content", "plugins", "middleware", "server", "composables"];
    let is_app = path.starts_with("app/") || path.contains("/app/");
    path.split('/').any(|folder| FOLDERS.contains(&folder)) || is_page(path, is_next) || is_app && !is_next
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
pub(super) mod tests {
    use crate::gate::GateVerdict;
    use crate::gate::GateVerdict::{Fail, Pass, Warn};
    use crate::gate::builtin::work::work_done;
    use crate::gate::tests::written_by_agent;
    use crate::plan::MarkerKind;

    pub(in crate::gate::builtin::work) const APP: (&str, &str) = (
        "src/App.tsx",
        "import { Cta } from './Cta'\nexport default function App() {\n  return <main><Cta /></main>\n}\n",
    );
    const CTA: (&str, &str) =
        ("src/Cta.tsx", "// The call to action.\nexport const Cta = () => <a href=\"/shpo\">Shop</a>\n");
    const MAIN: (&str, &str) =
        ("src/main.tsx", "import App from './App'\nimport './setup'\ncreateRoot(root).render(<App />)\n");
    const SETUP: (&str, &str) = ("src/setup.ts", "import { log } from './log'\nlog('ready')\n");
    const LOG: (&str, &str) = ("src/log.ts", "export function log(text: string) { console.log(text) }\n");
    const OLD: (&str, &str) = ("src/Old.tsx", "export const Old = () => <p>Old</p>\n");
    pub(in crate::gate::builtin::work) const ALL: [(&str, &str); 6] = [APP, CTA, MAIN, SETUP, LOG, OLD];

    /// The judgement of `work-done` after the agent wrote these files; an empty text removes one.
    pub(in crate::gate::builtin::work) async fn judged(
        message: &str,
        project: &[(&str, &str)],
        written: &[(&str, &str)],
    ) -> (GateVerdict, String) {
        let kind = if message.starts_with("Fix") { MarkerKind::Fix } else { MarkerKind::Add };
        let (host, project) = written_by_agent((kind, message), project, written).await;
        let judgement = work_done::check(&host, &project).await.unwrap();
        (judgement.verdict, judgement.feedback.unwrap_or_default())
    }

    const FIX: &str = "Fix the broken shop link in the CTA";
    const FOOTER: &str = "export function Footer() { return <footer>All rights reserved</footer> }\n";

    fn cta(text: &str) -> (&'static str, &str) {
        (CTA.0, text)
    }

    #[tokio::test]
    async fn only_comments_and_documents_are_no_work_unless_the_message_asks_for_them() {
        let commented = format!("{}// The link is fixed.\n", CTA.1);
        let notes = ("NOTES.md", "The link is fixed.");
        for (message, written, expected, words) in [
            (FIX, vec![cta(&commented)], Fail, "nothing but comments and documents (src/Cta.tsx)"),
            (FIX, vec![notes], Fail, "(NOTES.md)"),
            (FIX, vec![notes, cta(&commented)], Fail, "(NOTES.md, src/Cta.tsx)"),
            (FIX, vec![("docs/cta.md", "Fixed.")], Fail, "(docs/cta.md)"),
            (FIX, vec![notes, cta("export const Cta = () => <a href=\"/shop\">Shop</a>\n")], Pass, ""),
            (FIX, vec![("src/content/cta.md", "Shop")], Pass, ""),
            ("Add a comment to the CTA", vec![cta(&commented)], Pass, ""),
            ("Clean up the CTA", vec![cta(&commented)], Warn, "unless it asks for comments"),
            ("Update the README", vec![("README.md", "# Shop")], Pass, ""),
            ("Write down my notes", vec![notes], Pass, ""),
        ] {
            let (verdict, feedback) = judged(message, &ALL, &written).await;
            assert_eq!(verdict, expected, "{message} {written:?}: {feedback}");
            assert!(feedback.contains(words), "{message} {written:?}: {feedback}");
        }
    }

    #[tokio::test]
    async fn a_change_that_the_page_does_not_reach_is_refused() {
        let in_app = |import: &str, main: &str, more: &str| {
            format!(
                "import {{ Cta }} from './Cta'\n{import}export default function App() {{\n  return <main>{main}</main>\n}}\n{more}"
            )
        };
        let imported = in_app("import { Footer } from './Footer'\n", "<Cta />", "");
        let unused_here = in_app("", "<Cta />", FOOTER);
        let rendered = in_app("import { Footer } from './Footer'\n", "<Cta /><Footer />", "");
        let footer = ("src/Footer.tsx", FOOTER);
        let add = "Add a footer that says \"All rights reserved\"";
        for (case, written, expected, words) in [
            ("a new component", vec![footer], Fail, "src/Footer.tsx: nothing that the page shows imports it"),
            ("it is imported only", vec![footer, (APP.0, &imported)], Fail, "src/Footer.tsx"),
            ("a new function", vec![(APP.0, &unused_here)], Fail, "nothing that the page shows uses Footer"),
            ("it is rendered", vec![footer, (APP.0, &rendered)], Pass, ""),
            ("an unused component", vec![(OLD.0, FOOTER)], Fail, "src/Old.tsx"),
            ("a test", vec![("src/Footer.test.tsx", "it('is there', () => {})")], Fail, "not part of the app"),
            (
                "a style sheet that nothing imports",
                vec![("src/footer.css", "footer { color: red }")],
                Fail,
                "src/footer.css",
            ),
            ("a module loaded for its effect", vec![(SETUP.0, "document.title = 'a'")], Pass, ""),
            ("what such a module uses", vec![(LOG.0, "export function log() { alert(1) }")], Pass, ""),
            ("the entry", vec![(MAIN.0, "document.body.append('All rights reserved')\n")], Pass, ""),
            ("another import", vec![(APP.0, &APP.1.replace("'./Cta'", "'./Old'"))], Pass, ""),
            ("a file that is no source", vec![("public/footer.html", "<p>")], Pass, ""),
            ("a source that does not parse", vec![(CTA.0, "export const Cta = () => <a")], Pass, ""),
        ] {
            let (verdict, feedback) = judged(add, &ALL, &written).await;
            assert_eq!(verdict, expected, "{case}: {feedback}");
            assert!(feedback.contains(words), "{case}: {feedback}");
        }
    }

    #[tokio::test]
    async fn code_that_the_message_does_not_want_on_the_page_is_work() {
        for (message, written, expected) in [
            ("Add a test for the CTA", ("src/Cta.test.tsx", "it('is there', () => {})"), Pass),
            (
                "Add formatPrice to src/money.ts",
                ("src/money.ts", "export const formatPrice = (n: number) => `$${n}`"),
                Pass,
            ),
            ("Create a Tooltip component", ("src/Tooltip.tsx", "export const Tooltip = () => <i />"), Warn),
            ("Move the log", (LOG.0, LOG.1), Fail),
        ] {
            assert_eq!(judged(message, &ALL, &[written]).await.0, expected, "{message}");
        }
        let moved = [("src/Link.tsx", CTA.1), ("src/Cta.tsx", "export { Cta } from './Link'\n")];
        assert_eq!(judged("Rework the CTA", &ALL, &moved).await.0, Pass, "code that moved");
    }

    #[tokio::test]
    async fn where_it_is_not_known_what_the_page_reaches_an_unmentioned_new_file_is_a_warning() {
        let footer = ("src/components/SiteFooter.vue", "<template><p>All rights reserved</p></template>");
        let vue = ("package.json", r#"{"dependencies":{"vue":"3"}}"#);
        let app = ("src/App.vue", "<template><main /></template>");
        let shown = (app.0, "<template><main /><site-footer /></template>");
        let add = "Add a footer";
        assert_eq!(judged(add, &[vue, app], &[footer]).await.0, Warn);
        assert_eq!(judged(add, &[vue, app], &[footer, shown]).await.0, Pass);
        let none = [("src/lib.ts", "export const a = 1")];
        assert_eq!(judged(add, &none, &[("src/Footer.tsx", FOOTER)]).await.0, Warn, "there is no entry");
        let next = [
            ("package.json", r#"{"dependencies":{"next":"15","react":"19"}}"#),
            ("app/page.tsx", "export default () => <p />"),
        ];
        assert_eq!(judged(add, &next, &[("src/Footer.tsx", FOOTER)]).await.0, Warn, "a framework");
        assert_eq!(judged(add, &next, &[("src/pages/about.tsx", FOOTER)]).await.0, Pass, "a route");
    }
}

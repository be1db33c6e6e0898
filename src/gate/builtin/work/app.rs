//! The files of the app before and after the task, and which of them mention another.

use super::used::statement_start;
use crate::gate::Project;
use crate::gate::bare::comments;
use crate::gate::scope::stripped;
use crate::js::resolve::CONFIGS;
use crate::js::tree::{Parsed, parse};
use crate::path::{extension, name, stem};
use crate::port::{Host, PortResult};
use crate::sources::{self, ALL, is_aside, is_source};
use crate::syntax::markup::{MARKUP, parts};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Texts by path: code, style sheets, documents and configuration.
#[derive(Debug, Clone, Default)]
pub(in crate::gate) struct App {
    pub before: BTreeMap<String, String>,
    pub after: BTreeMap<String, String>,
    /// Every file was read.
    pub is_complete: bool,
}

impl App {
    /// The files, which are read once.
    pub(in crate::gate::builtin) async fn read(host: &Host, project: &Project) -> Rc<Self> {
        if let Some(app) = project.app.get() {
            return app.clone();
        }
        let app = Rc::new(Self::load(host, project).await);
        project.app.get_or_init(|| app).clone()
    }

    async fn load(host: &Host, project: &Project) -> Self {
        let mut app = Self { is_complete: project.unread() == 0, ..Self::default() };
        for path in CONFIGS {
            app.after.extend(project.text(path).map(|text| (path.to_owned(), text.to_owned())));
        }
        match present(host).await {
            Ok(files) => {
                for (path, text) in files {
                    app.is_complete &= text.is_some();
                    app.after.extend(text.map(|text| (path, text)));
                }
            }
            Err(_) => app.is_complete = false,
        }
        app.before = app.after.clone();
        for file in project.task.comparison.files().unwrap_or_default() {
            app.before.remove(&file.path);
            let was = file.was.as_ref().filter(|was| is_source(was) && ALL.contains(&extension(was)));
            app.before.extend(was.zip(file.before.as_ref()).map(|(was, text)| (was.clone(), text.clone())));
        }
        app
    }

    /// Whether another file mentions this one: a style sheet by its name, a component by a name in use.
    pub(in crate::gate::builtin) fn mentions(&self, path: &str) -> bool {
        let mut others = self.after.iter().filter(|(other, _)| *other != path && !is_aside(other));
        others.any(|(other, text)| match extension(path) {
            "css" => text.contains(name(path)),
            "scss" | "sass" | "less" => text.contains(stem(path).trim_start_matches('_')),
            _ => uses(other, text, stem(path)),
        })
    }
}

async fn present(host: &Host) -> PortResult<sources::Sources> {
    let mut files = sources::read_root(host.project(), &ALL).await?;
    files.extend(sources::read(host.project(), &ALL).await?);
    host.fs.pause().await;
    files.extend(sources::read_beside(host.project(), &ALL).await?);
    Ok(files)
}

/// Whether a file uses a component or module of this name. An import that is not used does not count.
fn uses(path: &str, text: &str, component: &str) -> bool {
    let mut names = vec![component.to_owned(), crate::words::words(component).join("-")];
    // `footer` is a tag and a word, too.
    if component.chars().all(|c| c.is_ascii_lowercase()) {
        let (first, rest) = component.split_at_checked(1).unwrap_or_default();
        names = ['\'', '"', '`', '.'].iter().map(|end| format!("/{component}{end}")).collect();
        names.push(first.to_ascii_uppercase() + rest);
    } else {
        names.retain(|name| name == component || name.contains('-'));
    }
    let has = |text: &str| names.iter().any(|name| text.contains(name.as_str()));
    has(text) && has(&in_use(path, text))
}

/// A source without comments, white space and imports whose names it does not use. Imports of names in use follow it.
pub(in crate::gate::builtin) fn in_use(path: &str, text: &str) -> String {
    let extension = extension(path);
    let mut blanks = comments(extension, text).unwrap_or_default();
    let (mut paths, mut modules) = (Vec::new(), Vec::new());
    if MARKUP.contains(&extension) {
        modules.extend(parts(text, extension).into_iter().filter_map(|part| {
            let Parsed::Module(module) = parse(&format!("part.{}", part.extension), part.text) else { return None };
            Some((part.at, part.text, module))
        }));
    } else if let Parsed::Module(module) = parse(path, text) {
        modules.push((0, text.strip_prefix('\u{FEFF}').unwrap_or(text), module));
    }
    for (at, text, module) in &modules {
        // The modules from which names are imported.
        let bound: BTreeSet<&str> = module.imports.iter().map(|import| import.from.as_str()).collect();
        let mut before = 0;
        for ((start, end), from) in &module.specifiers {
            if bound.contains(from.as_str()) {
                blanks.push(((at + statement_start(text, before, *start as usize)) as u32, *end + *at as u32));
            }
            before = *end as usize;
        }
    }
    blanks.sort_unstable();
    let mut used = stripped(text, &blanks, None);
    let said: BTreeSet<&str> = used.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$' && c != '-').collect();
    for import in modules.iter().flat_map(|(_, _, module)| &module.imports) {
        let kebab = crate::words::words(&import.local).join("-");
        if said.contains(import.local.as_str()) || kebab.contains('-') && said.contains(kebab.as_str()) {
            paths.push(format!("\n{} '{}'", import.local, import.from));
        }
    }
    used.extend(paths);
    used
}

//! Compares a plan with the modules and style sheets of a project.

use super::entries::{app_path, entries};
use super::entry::{DiffCategory, DiffStatus, PlanDiff, PlanDiffEntry, PlanPlace};
use super::planned::{Planned, Screen};
use super::screens::{self, Built};
use super::sighting::Sightings;
use super::{data, extras, sections, theme};
use crate::js::graph::{Graph, Node};
use crate::js::outline::Module;
use crate::js::resolve::Resolver;

/// The parsed sources of a project.
pub(super) struct Comparison<'s> {
    pub graph: Graph<'s>,
    pub sightings: Sightings,
    /// By node: the app renders it.
    pub reached: Vec<bool>,
    /// The app's entry points.
    pub entries: Vec<Node>,
    /// The project has a `src/` folder.
    has_src: bool,
    /// Files that were not read completely, each with the reason.
    pub unread: Vec<(String, String)>,
}

impl<'s> Comparison<'s> {
    /// `modules` must be sorted by path.
    pub(super) fn new(modules: Vec<Module<'s>>, unread: Vec<(String, String)>, resolver: Resolver) -> Self {
        let graph = Graph::new(modules, resolver);
        let entries = entries(&graph);
        let sightings = Sightings::from_entries(&graph, &entries);
        let reached = graph.reach(&entries, &[]);
        let has_src = graph.modules.iter().any(|module| module.path.starts_with("src/"));
        Self { graph, sightings, reached, entries, has_src, unread }
    }

    /// Whether sections and pages are looked for in this file: in `src/`, if it exists. Other files count where they
    /// are rendered, and for their types.
    pub(super) fn is_of_app(&self, path: &str) -> bool {
        !self.has_src || path.starts_with("src/")
    }

    /// The entries in plan order, then the extras; and the files that build parts of the plan.
    pub(super) fn with(&self, planned: &Planned, sheets: &[(&str, &str)]) -> PlanDiff {
        let built: Vec<Built<'_>> = self.built(planned);
        let roots: Vec<Node> = built.iter().flat_map(|built| built.roots.iter().copied()).collect();
        let around = self.graph.reach(&self.entries, &roots);
        let (mut entries, mut places, mut in_sources) = (Vec::new(), Vec::new(), Vec::new());
        for (screen, built) in planned.screens.iter().zip(&built) {
            let scope = self.scope(built, &around);
            let judged: Vec<sections::Judged> =
                screen.sections.iter().map(|section| sections::judge(self, screen, section, &scope)).collect();
            let name = format!("Screen {:?}", screen.name);
            let mut add = |entry: PlanDiffEntry, label: String| {
                places.extend(entry.found.clone().map(|path| PlanPlace { path, label }));
                entries.push(entry);
            };
            add(screen_entry(screen, built, &judged), format!("{name}, line {}", screen.line));
            for (section, judged) in screen.sections.iter().zip(judged) {
                add(judged.entry, format!("{name} › Section {}, line {}", section.label, section.line));
                in_sources.push(judged.section);
            }
        }
        entries.extend(theme::judge(&planned.theme, sheets));
        entries.extend(planned.schemas.iter().map(|schema| data::schema(&self.graph, schema)));
        entries.extend(planned.endpoints.iter().map(|resource| data::endpoint(&self.graph, resource)));
        let known: Vec<&str> = places.iter().map(|place| place.path.as_str()).collect();
        entries.extend(extras::judge(self, planned, &known));
        PlanDiff { entries, places, sections: in_sources, ..PlanDiff::default() }
    }

    /// Whether the app renders it.
    pub(super) fn is_shown(&self, node: Node) -> bool {
        self.reached.get(node) == Some(&true)
    }

    fn built(&self, planned: &Planned) -> Vec<Built<'s>> {
        let of = |(at, screen): (usize, &Screen)| match screens::built(self, screen, at == 0) {
            // The only screen of an app is the app itself.
            built if planned.screens.len() == 1 && built.roots.is_empty() => {
                Built { path: app_path(&self.graph, &self.entries), empty: built.empty, ..Built::default() }
            }
            built => built,
        };
        planned.screens.iter().enumerate().map(of).collect()
    }

    /// The nodes that a screen shows: those its components reach, and those around all screens. All nodes, if the
    /// screen has no component of its own.
    fn scope(&self, built: &Built<'_>, around: &[bool]) -> Vec<bool> {
        if built.roots.is_empty() {
            return self.reached.clone();
        }
        let own = self.graph.reach(&built.roots, &[]);
        let shown = own.iter().zip(around).map(|(own, around)| *own || *around);
        shown.zip(&self.reached).map(|(shown, reached)| shown && *reached).collect()
    }
}

fn screen_entry(screen: &Screen, built: &Built<'_>, sections: &[sections::Judged]) -> PlanDiffEntry {
    let shown = sections.iter().find(|section| section.is_rendered).and_then(|section| section.entry.found.clone());
    let place = format!("line {}", screen.line);
    let is_elsewhere = built.path.is_some() && (!built.roots.is_empty() || built.unused || sections.is_empty());
    let (status, found, detail) = match built.path {
        _ if built.empty.is_some() && shown.is_none() && !is_elsewhere => {
            let detail = format!("{place}: it is there, and {}", sections::EMPTY);
            (DiffStatus::Deviation, built.empty.map(str::to_owned), detail)
        }
        // An app without any of the sections exists, but it is not this screen.
        Some(_) if built.roots.is_empty() && !built.unused && shown.is_none() && !sections.is_empty() => {
            (DiffStatus::Missing, None, format!("{place}: none of its sections is rendered"))
        }
        Some(path) if built.unused => {
            (DiffStatus::Deviation, Some(path.to_owned()), format!("{place}: nothing that the app shows renders it"))
        }
        Some(path) => (DiffStatus::Implemented, Some(path.to_owned()), place),
        None if shown.is_some() => (
            DiffStatus::Deviation,
            shown,
            format!("{place}: no component and no route of that name; its sections are rendered"),
        ),
        None => (DiffStatus::Missing, None, format!("{place}: no component and no route of that name")),
    };
    PlanDiffEntry { status, category: DiffCategory::Screen, planned: screen.name.clone(), found, detail: Some(detail) }
}

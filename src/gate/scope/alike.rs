//! Finds a section by what it shows, where no file or component has the name of its key.

use super::evaluate::{Evaluator, Node, Record, Value};
use super::locate::{component, is_component_file, is_reached, name_of, page};
use super::sources::{FileId, Sources};
use super::vocabulary::has;
use super::words::{stems, telling};
use crate::plan::Part;
use crate::words::PAGE_PARTS;
use std::rc::Rc;

/// The only component file whose name, component or own headings have the words of the section's key; else the only one
/// with the elements or headings of such a part. Files of other parts and the page itself are left out.
pub(super) fn find(sources: &Sources<'_>, part: &Part, taken: &[FileId]) -> Option<FileId> {
    let Part::Section(key) = part else { return None };
    let key = telling(stems(key));
    let (page, mut best) = (page(sources), (0, None));
    for file in sources.ids().filter(|file| Some(*file) != page && !taken.contains(file)) {
        if !is_component_file(sources.path(file)) || is_reached(sources, file, part) == Some(false) {
            continue;
        }
        let score = score(sources, file, part, &key).unwrap_or(0);
        if score > best.0 {
            best = (score, Some(file));
        } else if score == best.0 {
            // Two files match equally.
            best.1 = None;
        }
    }
    best.1
}

fn score(sources: &Sources<'_>, file: FileId, part: &Part, key: &[String]) -> Option<u32> {
    let (at, name) = component(sources, file, part).filter(|(at, _)| *at == file)?;
    let unknown = Value::Record(Rc::new(Record { is_open: true, ..Record::default() }));
    let nodes = Evaluator::new(sources, Vec::new()).render(at, &name, unknown)?;
    let mut seen = Seen::default();
    seen.add(&nodes, file);
    let has_key = |words: &[String]| !key.is_empty() && key.iter().all(|stem| words.contains(stem));
    let named = [stems(name_of(sources.path(file))), stems(&name)].concat();
    let by_kind = PAGE_PARTS.iter().any(|part| {
        key.iter().any(|stem| has(part.names, stem))
            && (seen.tags.iter().any(|tag| has(part.tags, tag))
                || seen.headings.iter().any(|stem| has(part.headings, stem)))
    });
    Some(2 * u32::from(has_key(&named)) + 2 * u32::from(has_key(&seen.headings)) + u32::from(by_kind))
}

/// What the file's own elements are.
#[derive(Default)]
struct Seen {
    tags: Vec<Rc<str>>,
    /// Stems of the words in headings.
    headings: Vec<String>,
}

impl Seen {
    fn add(&mut self, nodes: &[Node], file: FileId) {
        for node in nodes {
            let Node::Element(element) = node else { continue };
            if element.origin.file == file {
                self.tags.push(element.tag.clone());
                if matches!(&*element.tag, "h1" | "h2" | "h3") {
                    let mut text = String::new();
                    element.content().for_each(|node| node.write_text(&mut text));
                    self.headings.extend(stems(&text));
                }
            }
            element.content().for_each(|node| self.add(std::slice::from_ref(node), file));
        }
    }
}

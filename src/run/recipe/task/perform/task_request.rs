//! The requirements of the task, for the gates.

use crate::gate::{RequestedChange, TaskRequest};
use crate::run::recipe::View;
use crate::run::recipe::task::Task;
use crate::task::{self, ParsedBy, Requirement, StructuredTask, TaskContext, TaskType};

/// The requirements of a run, and what the user wrote. For a new app there are none to compare.
pub(super) fn of(machine: &View<'_, Task>) -> TaskRequest {
    let is_steered = !machine.run.steered.is_empty();
    let request = machine.recipe.structured.as_ref().map(|task| request(task, is_steered)).unwrap_or_default();
    let written = std::iter::once(machine.recipe.message()).filter(|message| !message.is_empty()).map(str::to_owned);
    TaskRequest { messages: written.chain(machine.run.steered.iter().cloned()).collect(), ..request }
}

fn request(task: &StructuredTask, is_steered: bool) -> TaskRequest {
    let requirements = requirements(task).into_iter().map(|requirement| RequestedChange {
        kind: requirement.marker.kind(),
        text: requirement.description,
        count: requirement.count.and_then(|count| usize::try_from(count).ok()),
    });
    let all: Vec<RequestedChange> = requirements.collect();
    if task::builds_app(task, false) || task.kind == TaskType::NeedsClarification {
        return TaskRequest { all, ..TaskRequest::default() };
    }
    let preserve = task.scope.preserve.clone();
    TaskRequest { requirements: all.clone(), preserve, is_steered, all, ..TaskRequest::default() }
}

/// Without a plan and with few files, the rules parse the first requested thing as an app. An extra file makes them
/// parse the message as a change of the existing app.
fn requirements(task: &StructuredTask) -> Vec<Requirement> {
    if task.kind == TaskType::Fresh && task.parsed_by == ParsedBy::Rules {
        let context = TaskContext { plan_exists: true, ..TaskContext::default() };
        let change = task::parse_by_rules(&task.raw_message, &context);
        if change.kind != TaskType::NeedsClarification {
            return change.requirements;
        }
    }
    task.requirements.clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::MarkerKind;
    use crate::task::parse_by_rules;

    fn read(message: &str, files: &[&str]) -> TaskRequest {
        let file_list = Some(files.iter().map(|file| (*file).to_owned()).collect());
        request(&parse_by_rules(message, &TaskContext { file_list, ..TaskContext::default() }), false)
    }

    #[test]
    fn a_change_of_an_app_without_a_plan_asks_for_its_items() {
        for files in [&["src/App.tsx", "src/main.tsx"][..], &["src/App.tsx", "src/Drinks.tsx"]] {
            let request = read("add 2 more drinks", files);
            let [drinks] = request.requirements.as_slice() else { panic!("{request:?}") };
            assert_eq!((drinks.kind, drinks.count), (MarkerKind::Add, Some(2)));
        }
    }

    #[test]
    fn a_new_app_has_no_comparable_requirements() {
        for message in ["Build a drinks page", "Start over: build a new tea shop with 4 teas", "Create a todo app"] {
            let request = read(message, &["src/App.tsx", "src/Drinks.tsx"]);
            assert!(request.requirements.is_empty() && !request.all.is_empty(), "{message}");
        }
    }
}

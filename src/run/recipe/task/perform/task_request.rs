//! The requirements of the task, for the gates.

use crate::gate::{RequestedChange, TaskRequest};
use crate::run::recipe::View;
use crate::run::recipe::task::Task;
use crate::task::{self, ParsedBy, Requirement, StructuredTask, TaskContext, TaskType};

/// The requirements of a run, and what the user wrote. For a new app there are none to compare.
pub(super) fn task_request(machine: &View<'_, Task>) -> TaskRequest {
    let steered = &machine.run.steered;
    let mut request =
        machine.recipe.structured.as_ref().map(|task| request(task, !steered.is_empty())).unwrap_or_default();
    request.all.extend(steered.iter().flat_map(|message| task::requested(message)).map(|one| change(&one)));
    let written = std::iter::once(machine.recipe.message()).filter(|message| !message.is_empty()).map(str::to_owned);
    let said = steered.iter().chain(&machine.recipe.notes).cloned();
    let messages: Vec<String> = written.chain(said).collect();
    let asks_for_look = messages.iter().any(|message| task::asks_for_look(message));
    TaskRequest { messages, asks_for_look, ..request }
}

fn request(task: &StructuredTask, is_steered: bool) -> TaskRequest {
    let all: Vec<RequestedChange> = task.requirements.iter().map(change).collect();
    if task::builds_app(task, false) || task.kind == TaskType::NeedsClarification {
        return TaskRequest { all, ..TaskRequest::default() };
    }
    let (requirements, preserve) = (compared(task, &all), task.scope.preserve.clone());
    TaskRequest { requirements, preserve, is_steered, all, ..TaskRequest::default() }
}

fn change(requirement: &Requirement) -> RequestedChange {
    RequestedChange {
        kind: requirement.marker.kind(),
        text: requirement.description.clone(),
        count: requirement.count.and_then(|count| usize::try_from(count).ok()),
    }
}

/// Without a plan and with few files, the rules parse the first requested thing as an app. With a plan, they parse it as a
/// change of the existing app. Requirements that the user edited stay.
fn compared(task: &StructuredTask, all: &[RequestedChange]) -> Vec<RequestedChange> {
    let mut requirements = all.to_vec();
    if task.kind == TaskType::Fresh && task.parsed_by == ParsedBy::Rules {
        let context = TaskContext { plan_exists: true, ..TaskContext::default() };
        let changes = task::parse_by_rules(&task.raw_message, &context).requirements;
        for requirement in &mut requirements {
            let found = changes.iter().map(change).find(|change| change.text == requirement.text);
            *requirement = found.unwrap_or_else(|| requirement.clone());
        }
    }
    requirements
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
    fn the_requirements_are_those_of_the_task_as_the_user_edited_it() {
        let context = TaskContext { file_list: Some(vec!["index.html".to_owned()]), ..TaskContext::default() };
        let mut task = parse_by_rules("Add a footer and a header", &context);
        task.requirements.truncate(1);
        task.requirements[0].description = "A footer with the year".to_owned();
        let request = request(&task, false);
        for requirements in [&request.all, &request.requirements] {
            let [only] = requirements.as_slice() else { panic!("{request:?}") };
            assert_eq!(only.text, "A footer with the year");
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

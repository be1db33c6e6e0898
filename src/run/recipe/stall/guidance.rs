//! Feedback for a stuck agent, and feedback after the last stall.

use super::Stuck;
use crate::layout::{STATUS, SUMMARY};
use crate::plan::MarkerKind;
use std::fmt::Write;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Recovery<'a> {
    /// The iteration that completed the stall.
    pub iteration: u32,
    /// The part of the plan that the agent is stuck on.
    pub stuck: Option<&'a Stuck>,
    /// What the agent did in that iteration.
    pub actions: &'a [String],
    /// The next stall ends the task.
    pub is_last_chance: bool,
    /// There is a snapshot from before the task.
    pub rolls_back: bool,
    /// The IDE has a shell.
    pub has_shell: bool,
}

/// The heading of the earlier feedback.
const STILL_TO_DO: &str = "\n# Still to do\n\n";
const HEADING: &str = "## Stall Recovery";
/// Maximum number of actions to show.
const ACTIONS: usize = 8;

/// The guidance, followed by the earlier feedback.
pub(crate) fn guidance(recovery: &Recovery<'_>, feedback: &str) -> String {
    let mut text = format!("{HEADING} (iteration {})\n\n", recovery.iteration);
    match recovery.stuck {
        Some(stuck) => {
            let _ = writeln!(text, "You appear stuck on: {}", described(stuck));
            let marker = stuck.marker.as_ref().map(|marker| format!("[{}] {}", marker.kind.name(), marker.text));
            let _ = writeln!(text, "Plan marker: {}\n", marker.as_deref().map_or("none for this task", str::trim_end));
            text.push_str(&advice(stuck, recovery.has_shell));
        }
        None => text.push_str(
            "You appear stuck: your last iterations changed neither the project nor the verdicts of the gates. Read the \
             task and the feedback again, choose one requirement that is not done, and do that one in another way.\n",
        ),
    }
    push_actions(&mut text, recovery.actions);
    let _ = writeln!(
        text,
        "\nDo not do this again. If something that you cannot change blocks you, describe it in {SUMMARY} and \
         write `waiting` to {STATUS}."
    );
    if recovery.is_last_chance {
        let project = if recovery.rolls_back { "is rolled back" } else { "stays as it is" };
        let _ = writeln!(text, "The next stall ends the task, and the project {project}.");
    }
    // Guidance from an earlier recovery is dropped.
    let earlier = match feedback.strip_prefix(HEADING) {
        Some(guidance) => guidance.split_once(STILL_TO_DO).map(|(_, earlier)| earlier).unwrap_or_default(),
        None => feedback,
    };
    if !earlier.trim().is_empty() {
        text.push_str(STILL_TO_DO);
        text.push_str(earlier);
    }
    text
}

/// The guidance of a role of a spec or a chunk.
pub(crate) fn unstick(actions: &[String], is_last_chance: bool) -> String {
    let mut text = format!(
        "{HEADING}\n\nYou appear stuck: your last iterations changed nothing and decided nothing. Read the task and the \
         feedback again, and do the next step in another way. If the work is done, call `complete_task` with your answer.\n"
    );
    push_actions(&mut text, actions);
    text.push_str("\nDo not do this again.\n");
    if is_last_chance {
        text.push_str("The next stall ends the run.\n");
    }
    text
}

fn push_actions(text: &mut String, actions: &[String]) {
    if actions.is_empty() {
        return;
    }
    text.push_str("\nYour last iteration, without progress:\n");
    for action in actions.iter().take(ACTIONS) {
        let _ = writeln!(text, "- {action}");
    }
}

/// The feedback after the last stall. `project` says what happens to the project.
pub(crate) fn failed(task: u32, recoveries: u32, project: &str) -> String {
    let noun = if recoveries == 1 { "recovery" } else { "recoveries" };
    format!(
        "Task {task} failed after {recoveries} stall {noun}.\n{project}\nConsider simplifying the task or breaking it \
         into smaller requests.\n"
    )
}

fn described(stuck: &Stuck) -> String {
    let Stuck { name, screen, file, .. } = stuck;
    match (screen, file) {
        (Some(screen), Some(file)) => format!("section {name} of screen {screen} ({file})"),
        (None, Some(file)) => format!("section {name} ({file})"),
        _ => format!("screen {name}"),
    }
}

fn advice(stuck: &Stuck, has_shell: bool) -> String {
    let name = &stuck.name;
    let Some(marker) = &stuck.marker else {
        return format!(
            "Re-read the plan for {name} and its current code, then rewrite the complete component \
             instead of editing single lines.\n"
        );
    };
    let words = if marker.text.is_empty() { String::new() } else { format!(" ({})", marker.text) };
    match marker.kind {
        MarkerKind::Add => {
            let what =
                marker.count.map_or_else(|| "the new items".to_owned(), |count| format!("the {count} new items"));
            let existing = stuck.existing.map(|count| format!("{count} ")).unwrap_or_default();
            format!(
                "You appear stuck adding items to {name}{words}. Instead of modifying existing items, create {what} and \
                 append them to the existing list. The existing {existing}items should not be touched.\n"
            )
        }
        MarkerKind::Fix => {
            let look = match has_shell {
                true => "Run the project's build or tests to see what happens now",
                false => "Read the findings of the checks and the code that they concern",
            };
            format!(
                "You appear stuck fixing {name}{words}. {look}, find the one place that causes it, and change that place \
                 only.\n"
            )
        }
        MarkerKind::Remove => format!(
            "You appear stuck removing from {name}{words}. Delete the element, its import and its data together, then \
             search the project for remaining references to it.\n"
        ),
        _ => format!(
            "You appear stuck modifying {name}{words}. Re-read the current content, then write the entire updated \
             component. Do not edit single lines: rewrite the section fresh.\n"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::ChangeMarker;

    fn stuck(marker: MarkerKind) -> Stuck {
        let (text, section) = ("2 flavors".to_owned(), Some("features".to_owned()));
        let marker = ChangeMarker {
            kind: marker,
            task: Some(3),
            count: Some(2),
            existing: None,
            text,
            screen: None,
            section,
            line: 1,
        };
        Stuck {
            name: "features".to_owned(),
            screen: Some("main".to_owned()),
            file: Some("src/sections/FeaturesSection.tsx".to_owned()),
            marker: Some(marker),
            existing: Some(8),
        }
    }

    fn text(stuck: Option<&Stuck>, feedback: &str) -> String {
        let actions = ["read_file src/App.tsx".to_owned()];
        guidance(
            &Recovery {
                iteration: 6,
                stuck,
                actions: &actions,
                is_last_chance: false,
                rolls_back: true,
                has_shell: true,
            },
            feedback,
        )
    }

    #[test]
    fn the_last_chance_names_the_consequence_for_the_project() {
        for (rolls_back, expected) in [
            (true, "\nThe next stall ends the task, and the project is rolled back.\n"),
            (false, "\nThe next stall ends the task, and the project stays as it is.\n"),
        ] {
            let stuck = None;
            let recovery =
                Recovery { iteration: 6, stuck, actions: &[], is_last_chance: true, rolls_back, has_shell: true };
            assert!(guidance(&recovery, "").ends_with(expected));
        }
    }

    #[test]
    fn every_marker_has_its_own_advice() {
        let kinds = [MarkerKind::Add, MarkerKind::Modify, MarkerKind::Fix, MarkerKind::Remove];
        let mut advices: Vec<String> = kinds.map(|kind| advice(&stuck(kind), true)).to_vec();
        advices.push(advice(&Stuck { marker: None, ..stuck(MarkerKind::Add) }, true));
        advices.push(text(None, ""));
        advices.sort();
        advices.dedup();
        assert_eq!(advices.len(), 6);
    }

    #[test]
    fn the_advice_names_only_what_the_project_has() {
        for kind in [MarkerKind::Add, MarkerKind::Modify, MarkerKind::Fix, MarkerKind::Remove] {
            for has_shell in [false, true] {
                let text = advice(&stuck(kind), has_shell);
                assert!(!["preview", "theme", "shell"].iter().any(|word| text.contains(word)), "{text}");
                assert_eq!(text.contains("Run "), has_shell && kind == MarkerKind::Fix, "{text}");
            }
        }
    }

    #[test]
    fn earlier_feedback_follows_the_guidance_once() {
        let first = text(None, "# Quality Gates\n\nmend it\n");
        assert!(first.ends_with("\n# Still to do\n\n# Quality Gates\n\nmend it\n"), "{first}");
        let second = text(None, &first);
        assert_eq!(second, first, "the first guidance is gone, the feedback is not");
    }
}

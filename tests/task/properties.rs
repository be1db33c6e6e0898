//! Any message gives a task. It is deterministic, and its spans are within the message.

use loopgate::task::{StructuredTask, TaskContext, TaskType, format_task, parse_by_rules};
use proptest::collection::vec;
use proptest::prelude::*;

/// Ordinary message fragments, and fragments that confuse parsers.
const PIECES: &[&str] = &[
    "add ",
    "2 ",
    "a ",
    "the ",
    "hero",
    "cards",
    ", ",
    "and ",
    ". ",
    "? ",
    "! ",
    ": ",
    "; ",
    "\n",
    "\n\n",
    "- ",
    "1) ",
    "2) ",
    "remove ",
    "change ",
    "fix ",
    "keep ",
    "don't ",
    "make ",
    "some of ",
    "into ",
    "instead of ",
    "from 5 to 7 ",
    "another ",
    "a couple of ",
    "\"",
    "'",
    "“",
    "”",
    "`",
    "```\n",
    "> ",
    "    at a (b.tsx:1:2)\n",
    "TypeError: x\n",
    "src/App.tsx",
    "./a/b",
    "with ",
    "for ",
    "it ",
    "them ",
    "is broken ",
    "doesn't work ",
    "should be ",
    "when i ",
    "why ",
    "text: ",
    "Sections: ",
    "build me an app ",
    "start over ",
    "never mind ",
    "please ",
    "(",
    ")",
    "[ADD]",
    "[REMOVE] ",
    "SYSTEM: ",
    "ignore all instructions ",
    "🙂",
    "é",
    "\u{2028}",
    "\r\n",
    "\u{0}",
    "99999999999 ",
    "füge ",
    "nicht ",
    "...",
    "…",
    "–",
    "e.g. ",
    "no ",
    "only ",
    "12:30 ",
    "€3.20 ",
    "x/10 ",
    "to ",
];

fn message() -> impl Strategy<Value = String> {
    let pieces = vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat());
    prop_oneof![4 => pieces, 1 => any::<String>()]
}

fn context() -> impl Strategy<Value = TaskContext> {
    (any::<bool>(), any::<bool>(), message()).prop_map(|(plan_exists, files, last_summary)| TaskContext {
        plan_exists,
        last_summary,
        plan_sections: vec!["hero".to_owned()],
        file_list: files.then(|| vec!["src/App.tsx".to_owned(), "src/HeroSection.tsx".to_owned()]),
        ..TaskContext::default()
    })
}

fn check(task: &StructuredTask, message: &str) -> Result<(), TestCaseError> {
    prop_assert_eq!(&task.raw_message, message);
    let units: Vec<u16> = message.encode_utf16().collect();
    for requirement in &task.requirements {
        let [start, end] = requirement.span.unwrap().map(|place| place as usize);
        prop_assert!(start < end && end <= units.len(), "{:?}", requirement);
        prop_assert!(String::from_utf16(&units[start..end]).is_ok(), "{:?}", requirement);
        prop_assert!(!requirement.description.is_empty(), "{:?}", requirement);
        prop_assert!(!requirement.description.contains(['\n', '\r']), "{:?}", requirement);
        prop_assert!(requirement.count != Some(0), "{:?}", requirement);
    }
    let asks = task.kind == TaskType::NeedsClarification;
    prop_assert_eq!(asks, task.requirements.is_empty());
    prop_assert_eq!(asks, task.questions.as_ref().is_some_and(|questions| !questions.is_empty()));
    prop_assert!(task.title.chars().count() <= 72 && !task.title.contains('\n'));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_message_gives_a_task(message in message(), context in context()) {
        let task = parse_by_rules(&message, &context);
        check(&task, &message)?;
        prop_assert_eq!(parse_by_rules(&message, &context), task);
    }

    #[test]
    fn every_task_has_a_file_with_its_own_sections_alone(message in message(), context in context()) {
        let task = parse_by_rules(&message, &context);
        let text = format_task(&task);
        let forged = text.lines().filter(|line| line.starts_with('#')).count();
        prop_assert!(forged <= 4 && text.matches("\n## Original Message\n").count() == 1, "{}", text);
        let markers = text.lines().filter(|line| line.starts_with("- [")).count();
        prop_assert_eq!(markers, task.requirements.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn long_messages_are_read_to_their_end(piece in prop::sample::select(PIECES), other in prop::sample::select(PIECES)) {
        let message = format!("{piece}{other}").repeat(200);
        check(&parse_by_rules(&message, &TaskContext::default()), &message)?;
    }
}

use super::*;
use crate::port::{AgentRole, FunctionCall};
use proptest::prelude::*;

fn user(content: &str) -> ChatMessage {
    ChatMessage::user(content)
}

fn turn(id: &str) -> ChatMessage {
    let function = FunctionCall { name: "read_file".to_owned(), arguments: format!(r#"{{"path":"src/{id}.ts"}}"#) };
    let call = ToolCall { id: id.to_owned(), kind: "function".to_owned(), function, provider_data: None };
    ChatMessage::Assistant { content: None, tool_calls: vec![call], provider_data: None }
}

fn result(id: &str, bytes: usize) -> ChatMessage {
    let content = format!("HEAD{}TAIL", "x".repeat(bytes));
    ChatMessage::Tool { tool_call_id: id.to_owned(), name: "read_file".to_owned(), content, images: Vec::new() }
}

/// A conversation with results of these sizes, one in a turn.
fn request(results: &[usize]) -> ModelRequest {
    let mut messages = vec![ChatMessage::System { content: "rules".to_owned() }, user("the task and its feedback")];
    for (at, bytes) in results.iter().enumerate() {
        messages.extend([turn(&at.to_string()), result(&at.to_string(), *bytes)]);
        if at == 1 {
            messages.push(user("also add tests"));
        }
    }
    ModelRequest {
        role: AgentRole::Builder,
        messages,
        tools: Vec::new(),
        response_format: None,
        max_output_tokens: None,
    }
}

fn is_complete(request: &ModelRequest) -> bool {
    let mut open: Vec<&str> = Vec::new();
    for message in &request.messages {
        match message {
            ChatMessage::Tool { tool_call_id, .. } => {
                let Some(at) = open.iter().position(|id| id == tool_call_id) else { return false };
                open.remove(at);
            }
            _ if !open.is_empty() => return false,
            ChatMessage::Assistant { tool_calls, .. } => open.extend(tool_calls.iter().map(|call| call.id.as_str())),
            _ => {}
        }
    }
    open.is_empty()
}

fn contents(request: &ModelRequest) -> Vec<&str> {
    request
        .messages
        .iter()
        .filter_map(
            |message| if let ChatMessage::User { content, .. } = message { Some(content.as_str()) } else { None },
        )
        .collect()
}

#[test]
fn a_request_that_fits_stays_as_it_is() {
    let mut small = request(&[3_000, 3_000]);
    let before = small.clone();
    assert_eq!(Rate::default().fit(&mut small, 100_000), None);
    assert_eq!(small, before);
}

#[test]
fn the_oldest_results_are_cut_first_and_the_last_turns_stay() {
    let mut long = request(&[4_000; 10]);
    let last = long.messages.split_off(long.messages.len() - 6);
    long.messages.extend(last.clone());
    let shortened = Rate::default().fit(&mut long, 12_000).unwrap();
    assert!(shortened.results > 0 && shortened.turns == 0 && shortened.after <= 6_000, "{shortened:?}");
    assert!(long.messages.ends_with(&last));
    let ChatMessage::Tool { content, .. } = &long.messages[3] else { panic!("a result") };
    assert!(content.starts_with("HEAD") && content.ends_with("TAIL") && content.len() <= 1_000, "{content}");
    assert!(content.contains("call read_file again"), "{content}");
    assert!(is_complete(&long));
}

/// [`result`] with an image whose base64 has `bytes` bytes.
fn result_of(id: &str, bytes: usize) -> ChatMessage {
    let mut message = result(id, 10);
    if let ChatMessage::Tool { images, .. } = &mut message {
        images.push(Image { media_type: "image/png".to_owned(), data: "A".repeat(bytes) });
    }
    message
}

#[test]
fn an_image_counts_as_much_as_the_provider_counts_and_not_its_base64() {
    let tokens = |bytes| {
        let mut request = request(&[10]);
        request.messages.extend([turn("image"), result_of("image", bytes)]);
        Rate::default().tokens(&request)
    };
    let mut without = request(&[10]);
    without.messages.extend([turn("image"), result("image", 10)]);
    let more = tokens(4_000_000) - Rate::default().tokens(&without);
    assert_eq!(tokens(4), tokens(4_000_000));
    assert!((1_500..1_520).contains(&more), "{more}");
}

#[test]
fn the_images_of_the_oldest_results_go_before_their_texts() {
    let images = |request: &ModelRequest| -> Vec<usize> {
        let results = request.messages.iter().filter(|message| matches!(message, ChatMessage::Tool { .. }));
        results.map(|message| message.images().len()).collect()
    };
    let mut long = request(&[]);
    for id in ["0", "1", "2", "3", "4", "5"] {
        long.messages.extend([turn(id), result_of(id, 1_000_000)]);
    }
    for at in [3, 7] {
        if let ChatMessage::Tool { content, .. } = &mut long.messages[at] {
            content.push_str(&"x".repeat(2_000));
        }
    }
    let shortened = Rate::default().fit(&mut long, 12_000).unwrap();
    assert_eq!((images(&long), shortened.results, shortened.turns), (vec![0, 0, 0, 1, 1, 1], 3, 0));
    let note = "The harness removed the images: call read_file again if you need them.";
    let texts: Vec<&str> = long
        .messages
        .iter()
        .filter_map(
            |message| if let ChatMessage::Tool { content, .. } = message { Some(content.as_str()) } else { None },
        )
        .collect();
    assert!(texts[..3].iter().all(|text| text.ends_with(note)) && !texts[3].contains(note), "{texts:?}");
    assert!(texts[0].len() <= 1_000 && texts[2].len() > 2_000, "{texts:?}");
    assert!(is_complete(&long));
}

#[test]
fn the_oldest_turns_become_one_summary_and_messages_of_the_user_stay() {
    let mut long = request(&[900; 100]);
    let first = Rate::default().fit(&mut long, 20_000).unwrap();
    assert!(first.turns > 0 && first.after <= 10_000, "{first:?}");
    let users = contents(&long);
    assert_eq!((users[0], users[2], users.len()), ("the task and its feedback", "also add tests", 3));
    assert!(users[1].starts_with(SUMMARY) && users[1].contains(r#"- read_file {"path":"src/0.ts"}"#), "{}", users[1]);
    let more = request(&[900; 100]);
    long.messages
        .extend(more.messages.into_iter().skip(PROMPT).filter(|message| !matches!(message, ChatMessage::User { .. })));
    Rate::default().fit(&mut long, 20_000).unwrap();
    assert_eq!(contents(&long).iter().filter(|text| text.starts_with(SUMMARY)).count(), 1);
    assert!(is_complete(&long));
}

#[test]
fn the_rate_is_the_providers_unless_it_is_absurd() {
    let request = request(&[1_000]);
    let bytes = size(&request) as u64;
    let mut rate = Rate::default();
    assert_eq!(rate.tokens(&request), bytes.div_ceil(4));
    rate.measure(&request, bytes / 2);
    assert!(rate.tokens(&request).abs_diff(bytes / 2) <= 1);
    for absurd in [0, 1, bytes * 100] {
        rate.measure(&request, absurd);
        assert!(rate.tokens(&request).abs_diff(bytes / 2) <= 1, "{absurd}");
    }
}

#[test]
fn a_refused_request_is_halved_if_it_can_be() {
    let mut long = request(&[5_000; 4]);
    let before = size(&long);
    assert!(Rate::default().halve(&mut long).is_some() && size(&long) <= before / 2);
    assert_eq!(Rate::default().halve(&mut request(&[])), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    /// 200 calls with results of 2 MB in all.
    #[test]
    fn a_long_iteration_never_exceeds_the_window_and_loses_neither_the_task_nor_a_result(
        sizes in prop::collection::vec(0_usize..20_000, 1..200),
        window in 8_000_u64..100_000,
    ) {
        let mut conversation = request(&[]);
        let rate = Rate::default();
        for (at, bytes) in sizes.iter().enumerate() {
            let id = at.to_string();
            conversation.messages.extend([turn(&id), result(&id, *bytes)]);
            rate.fit(&mut conversation, window);
            prop_assert!(rate.tokens(&conversation) <= window, "{at}: {} of {window}", rate.tokens(&conversation));
            prop_assert!(is_complete(&conversation));
            prop_assert_eq!(&conversation.messages[..PROMPT], &request(&[]).messages[..]);
            prop_assert!(conversation.messages.iter().any(|message| *message == turn(&id)), "the last turn stays");
        }
    }
}

use super::*;
use serde_json::json;

#[test]
fn values_in_own_words_and_in_fences_of_data_count() {
    for text in [
        "DATA",
        "I read it: DATA. Done.",
        "```json\nDATA\n```",
        "```\nDATA\n```",
        "`DATA`",
        "<think>{'a': 2}?</think>\nDATA",
        "{'a': 2}?\n</think>\nDATA",
        "It has `{` and {no} data.\n\nDATA",
        "```ts\nconst x = {'a': 2}\n```\nDATA",
        "```diff\n+{'a': 2}\n```\nDATA",
        "> {'a': 2}\n\nDATA",
        "    {'a': 2}\n\nDATA",
        "The user wrote “{'a': 2}”, so DATA",
    ] {
        for data in ["{\"a\": 1}", "{\n    'a': 1, // one\n}", "{a: +1,}"] {
            assert_eq!(values(&text.replace("DATA", data)), [json!({ "a": 1 })], "{text}");
        }
    }
}

#[test]
fn quoted_values_and_reasoning_do_not_count() {
    for text in [
        "<think>\nDATA",
        "<think>DATA</think> I do not know.",
        "DATA\n</think>\nI do not know.",
        "> DATA",
        "+DATA",
        "    DATA",
        "It has `DATA` in it.",
        "It has \"DATA\".",
        "```ts\nDATA\n```",
        "~~~diff\nDATA\n~~~",
    ] {
        let text = text.replace("DATA", "{'a': 1}");
        assert_eq!(values(&text), Vec::<Value>::new(), "{text}");
    }
    assert_eq!(values("{\"a\": {\"b\": 1}"), [json!({ "b": 1 })], "what is closed within a value that is not");
}

#[test]
fn the_arguments_of_a_call_are_its_data() {
    assert_eq!(data(&json!({ "a": "{\"b\": 1}" })), [json!({ "a": "{\"b\": 1}" })]);
    assert_eq!(data(&json!("It is {b: 1}")), [json!({ "b": 1 })]);
}

#[test]
fn hostile_texts_are_read_within_a_budget() {
    for part in ["{", "[", "{\"a\":", "{'", "`{", "{x {", "<think>", "</think>", "\"", "/*{", "{ //", "“{"] {
        let text = part.repeat(1_000_000 / part.len());
        assert_eq!(values(&text), Vec::<Value>::new(), "{part}");
    }
}

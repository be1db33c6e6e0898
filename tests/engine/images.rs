//! Images in results of calls: the model gets them, and nothing that is written has them.

use crate::engine::support::{SUMMARY, complete, options, run_with, write};
use loopgate::port::memory::{MemoryHost, MemoryTool, ScriptedModel, Turn};
use loopgate::port::{ChatMessage, Image, ModelRequest, ToolAnswer};
use loopgate::redact::Redactor;
use loopgate::run::{Event, PlanMode, RunControl};
use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

/// Base64 with a part that looks like a key, and one that is a secret of the host.
const DATA: &str = "AAA/AKIAIOSFODNN7EXAMPLE/marked0secret0AAAAA";

fn png(data: &str) -> Image {
    Image { media_type: "image/png".to_owned(), data: data.to_owned() }
}

/// A project whose tool `screenshot` returns these images, and that has the file `logo.png`.
fn host(model: &ScriptedModel, images: Vec<Image>) -> MemoryHost {
    let shoot = move |_: &_| Ok(ToolAnswer { images: images.clone(), ..ToolAnswer::text(true, "The page:") });
    let host = MemoryHost::new([("index.html", "<h1>Drinks</h1>")]).with(|ports| {
        ports.model = Some(model.clone());
        ports.tools = vec![MemoryTool::new("screenshot", json!({}), shoot).reading()];
        ports.redactor = Redactor::new(["marked0secret0".to_owned()]);
    });
    host.fs.put("/project/logo.png", b"\x89PNG\r\n\x1a\n\0");
    host
}

/// Looks at the page and the logo, builds the app, and ends.
fn script() -> [Turn; 3] {
    let look = Turn::calls([("screenshot", json!({})), ("read_file", json!({ "path": "logo.png" }))]);
    [
        look,
        Turn::calls([write("src/a.ts", "export {}"), write(".ralph/summary.md", SUMMARY)]),
        Turn::calls([complete()]),
    ]
}

/// Every result in a request: its text and its images.
fn results(request: &ModelRequest) -> Vec<(String, Vec<Image>)> {
    let results = request.messages.iter().filter_map(|message| match message {
        ChatMessage::Tool { content, images, .. } => Some((content.clone(), images.clone())),
        _ => None,
    });
    results.collect()
}

fn outputs(events: &[loopgate::run::Envelope]) -> Vec<String> {
    let outputs = events.iter().filter_map(|envelope| match &envelope.event {
        Event::ToolResult { output, .. } => Some(output.clone()),
        _ => None,
    });
    outputs.collect()
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_model_that_takes_images_gets_them_and_no_file_or_event_has_them() {
    let model = ScriptedModel::new(script()).with_images();
    let host = host(&model, vec![png(DATA)]);
    let outcome = run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let expected = [
        ("The page:\n[image image/png, 1 KB]".to_owned(), vec![png(DATA)]),
        ("[image image/png, 1 KB]".to_owned(), vec![png("iVBORw0KGgoA")]),
    ];
    for request in &model.requests()[1..] {
        assert_eq!(results(request)[..2], expected);
    }
    assert_eq!(outputs(&outcome.events)[..2], expected.map(|(text, _)| text));
    let events = format!("{:?}", outcome.events);
    assert!(!events.contains("EXAMPLE") && !events.contains("iVBORw0KGgoA"));
    for (path, bytes) in host.fs.tree("/project/.loopgate") {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!text.contains("EXAMPLE") && !text.contains("iVBORw0KGgoA"), "{path}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_model_that_takes_no_images_gets_a_line_for_each_and_a_note() {
    let model = ScriptedModel::new(script());
    let host = host(&model, vec![png(DATA)]);
    let outcome = run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    let [(screenshot, no_images), (logo, none)] = &results(&model.requests()[1])[..] else { panic!("two results") };
    let note = "Continue without these images, because your model takes none:";
    assert_eq!(*screenshot, format!("The page:\n{note}\n[image image/png, 1 KB]"));
    assert!(logo.contains("\"logo.png\" is not text: 9 bytes of binary data"), "{logo}");
    assert!(no_images.is_empty() && none.is_empty());
    assert_eq!(outputs(&outcome.events)[0], *screenshot);
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn an_invalid_image_fails_its_call_with_the_reason() {
    for (image, why) in [
        (Image { media_type: String::new(), ..png(DATA) }, "`images[1].mediaType` is \"\"; return a type such as"),
        (Image { media_type: "text/plain".to_owned(), ..png(DATA) }, "`images[1].mediaType` is \"text/plain\""),
        (png("data:image/png;base64,AAAA"), "`images[1].data` is not base64"),
        (png(&"A".repeat(7 << 20)), "`images[1].data` has 5505024 bytes; return an image of at most 3932160"),
    ] {
        let model = ScriptedModel::new(script()).with_images();
        let host = host(&model, vec![png(DATA), image]);
        let outcome = run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await;
        assert!(outcome.result().success, "{}", outcome.result().message);
        let (text, images) = &results(&model.requests()[1])[0];
        assert!(text.starts_with("Error: tool.screenshot failed: ") && text.contains(why), "{text}");
        assert!(images.is_empty(), "{why}");
    }
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn a_request_that_the_service_refuses_is_sent_again_without_images() {
    let turns = script();
    let model = ScriptedModel::answering(move |request| {
        let answers = request.messages.iter().filter(|message| matches!(message, ChatMessage::Assistant { .. }));
        let answers = answers.count();
        match request.messages.iter().any(|message| !message.images().is_empty()) {
            true => Turn::Refuse("400: Could not process image".to_owned()),
            false => turns[answers].clone(),
        }
    });
    let model = model.with_images();
    let host = host(&model, vec![png(DATA)]);
    let outcome = run_with(&host, options("run-1", PlanMode::Auto), &RunControl::default()).await;
    assert!(outcome.result().success, "{}", outcome.result().message);
    assert!(outcome.statuses().contains("Could not process image; the request is sent again without images"));
    let (text, images) = results(&model.requests()[2]).remove(0);
    assert!(
        text.ends_with("Your model's service refused a request with these images. Continue without them."),
        "{text}"
    );
    assert!(images.is_empty());
}

#[wasm_bindgen_test(unsupported = tokio::test)]
async fn only_a_model_that_takes_images_is_offered_to_see_them() {
    for (model, offers) in [(ScriptedModel::new(script()), false), (ScriptedModel::new(script()).with_images(), true)] {
        let _ = run_with(&host(&model, Vec::new()), options("run-1", PlanMode::Auto), &RunControl::default()).await;
        let request = model.requests().remove(0);
        let tool = request.tools.iter().find(|tool| tool.function.name == "read_file").unwrap();
        assert_eq!(tool.function.description.contains("Shows an image (PNG, JPEG, GIF, WebP)."), offers);
    }
}

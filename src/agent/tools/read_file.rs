//! `read_file`: reads a text file, completely or by lines, or shows an image.

use super::open;
use super::{Context, Outcome, Signature, fail, line, text};
use crate::agent::arguments::Args;
use crate::agent::calls::RESULT_CAP;
use crate::agent::images::{self, IMAGE_MAX};
use crate::text::{counted, head_and_tail};

pub(super) fn schema(takes_images: bool) -> Signature {
    let images = if takes_images { " Shows an image (PNG, JPEG, GIF, WebP)." } else { "" };
    let description =
        format!("Reads a text file of the project: completely, or the lines from `start` to `end`.{images}");
    let arguments = const {
        &[
            text("path", "The file, relative to the project: src/App.tsx"),
            line("start", "The first line, starting at 1"),
            line("end", "The last line"),
        ]
    };
    (description, arguments, &["path"])
}

pub(super) async fn run(context: &Context<'_>, args: Args<'_>) -> Outcome {
    let path = args.text("path");
    let bytes = open::bytes_of(context, path, context.files.content(path).await).await?;
    if let Some(image) = images::in_file(&bytes).filter(|_| context.input.takes_images(context.host)) {
        if bytes.len() > IMAGE_MAX {
            return fail(format!("{path:?} has {} bytes; images over {IMAGE_MAX} bytes are not shown", bytes.len()));
        }
        context.images.borrow_mut().push(image);
        return Ok(String::new());
    }
    render("read_file", path, bytes, args)
}

/// The lines from `start` to `end` of a text file, as far as a result may have them.
pub(super) fn render(tool: &str, path: &str, bytes: Vec<u8>, args: Args<'_>) -> Outcome {
    let content = open::text(path, bytes)?;
    let content = content.strip_prefix('\u{feff}').unwrap_or(&content);
    let count = content.lines().count();
    let first = args.optional_number("start").unwrap_or(1);
    let last = args.optional_number("end").unwrap_or(count).min(count);
    if first > last && (first, count) != (1, 0) {
        return fail(format!(
            "{path:?} has {}; there is nothing from line {first} to line {last}",
            counted(count, "line")
        ));
    }
    let shown = lines(content, first, last);
    let header = if (first, last) == (1, count) {
        String::new()
    } else {
        format!("[{path}: lines {first} to {last} of {count}]\n")
    };
    let cut = head_and_tail(shown, RESULT_CAP - header.len().min(RESULT_CAP), &|head, tail| {
        let from = first + head.matches('\n').count();
        let to = last.saturating_sub(tail.strip_suffix('\n').unwrap_or(tail).matches('\n').count());
        match from < to {
            true => format!("call {tool} with start={from} and end={to} for more"),
            false => format!("line {from} alone exceeds the result limit; use search to find text in it"),
        }
    });
    Ok(format!("{header}{cut}"))
}

/// The lines from `first` to `last`, starting at 1, with their line ends.
fn lines(content: &str, first: usize, last: usize) -> &str {
    let starts = || std::iter::once(0).chain(content.match_indices('\n').map(|(at, _)| at + 1));
    let from = starts().nth(first.saturating_sub(1)).unwrap_or(content.len());
    let to = starts().nth(last).unwrap_or(content.len());
    content.get(from..to).unwrap_or_default()
}

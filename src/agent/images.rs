//! Images in results of calls: which ones are sent, and the line that names one in a text.

use crate::port::Image;
use crate::text::beginning;
use base64::prelude::{BASE64_STANDARD, Engine};

/// Maximum size of an image, in bytes. Services accept 5 MB of base64.
pub(super) const IMAGE_MAX: usize = 5 * 1024 * 1024 / 4 * 3;

/// Maximum number of images in one result.
const IMAGES_MAX: usize = 10;

/// Maximum length of a media type, in bytes.
const TYPE_MAX: usize = 64;

/// The image in a file, by its first bytes; `None` for formats that models do not take.
pub(super) fn in_file(bytes: &[u8]) -> Option<Image> {
    let media_type = match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => "image/png",
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => "image/gif",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        _ => return None,
    };
    Some(Image { media_type: media_type.to_owned(), data: BASE64_STANDARD.encode(bytes) })
}

/// Checks the images of a result, because one invalid image makes services refuse every later request of the conversation.
///
/// # Errors
/// Which image is invalid, and what it must be.
pub(super) fn check(images: &[Image]) -> Result<(), String> {
    if images.len() > IMAGES_MAX {
        return Err(format!("the result has {} images; return at most {IMAGES_MAX}", images.len()));
    }
    for (at, Image { media_type, data }) in images.iter().enumerate() {
        if !is_media_type(media_type) {
            let found = beginning(media_type, TYPE_MAX);
            return Err(format!("`images[{at}].mediaType` is {found:?}; return a type such as \"image/png\""));
        }
        match decoded_size(data) {
            None => return Err(format!("`images[{at}].data` is not base64; return base64 only, without `data:`")),
            Some(size) if size > IMAGE_MAX => {
                return Err(format!("`images[{at}].data` has {size} bytes; return an image of at most {IMAGE_MAX}"));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// The text of a result, with a line for each image, and a note for a model that takes no images.
pub(super) fn with_lines(text: &str, images: &[Image], takes_images: bool) -> String {
    if images.is_empty() {
        return text.to_owned();
    }
    let note = (!takes_images).then(|| "Continue without these images, because your model takes none:".to_owned());
    let text = Some(text.to_owned()).filter(|text| !text.is_empty());
    let lines: Vec<String> = text.into_iter().chain(note).chain(images.iter().map(line)).collect();
    lines.join("\n")
}

fn line(image: &Image) -> String {
    let size = decoded_size(&image.data).unwrap_or_default().div_ceil(1024);
    format!("[image {}, {size} KB]", image.media_type)
}

fn is_media_type(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-');
    let subtype = text.strip_prefix("image/").filter(|_| text.len() <= TYPE_MAX);
    subtype.is_some_and(|subtype| !subtype.is_empty() && subtype.bytes().all(is_allowed))
}

/// The decoded size of a base64 text, in bytes; `None` for an empty text and for other texts.
fn decoded_size(text: &str) -> Option<usize> {
    BASE64_STANDARD.decode(text).ok().map(|bytes| bytes.len()).filter(|size| *size > 0)
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    fn image(media_type: &str, data: &str) -> Image {
        Image { media_type: media_type.to_owned(), data: data.to_owned() }
    }

    #[test]
    fn a_text_that_is_not_base64_has_no_size() {
        for text in
            ["", "====", "Zg=", "Z===", "Zg", "Zm9v\n", "Zm9v====", "Z=9v", "data:image/png;base64,Zm9v", "Zm-_"]
        {
            assert_eq!(decoded_size(text), None, "{text}");
        }
    }

    #[test]
    fn the_first_bytes_of_a_file_say_which_image_it_is() {
        for (bytes, expected) in [
            (&b"\x89PNG\r\n\x1a\n..."[..], Some("image/png")),
            (b"\xff\xd8\xff\xe0", Some("image/jpeg")),
            (b"GIF87a", Some("image/gif")),
            (b"GIF89a.", Some("image/gif")),
            (b"RIFF\0\0\0\0WEBPVP8 ", Some("image/webp")),
            (b"RIFF\0\0\0\0WAVE", None),
            (b"\x89PNG", None),
            (b"<svg/>", None),
            (b"", None),
        ] {
            assert_eq!(in_file(bytes).map(|image| image.media_type), expected.map(str::to_owned), "{bytes:?}");
        }
    }

    #[test]
    fn an_invalid_image_is_named_with_what_it_must_be() {
        let (fits, large) = ("A".repeat(4 * (IMAGE_MAX / 3)), "A".repeat(4 * (IMAGE_MAX / 3 + 1)));
        let png = |data: &str| image("image/png", data);
        assert_eq!(check(&[png("Zm9v"), image("image/svg+xml", "Zg=="), png(&fits)]), Ok(()));
        for (images, expected) in [
            (vec![image("", "Zm9v")], "`images[0].mediaType` is \"\"; return a type such as \"image/png\""),
            (vec![png("Zm9v"), image("text/html", "Zm9v")], "`images[1].mediaType` is \"text/html\""),
            (vec![image("image/", "Zm9v")], "`images[0].mediaType` is \"image/\""),
            (vec![image("image/png]\nDo", "Zm9v")], "`images[0].mediaType` is \"image/png]\\nDo\""),
            (vec![png("no base64")], "`images[0].data` is not base64"),
            (vec![png(&large)], "`images[0].data` has 3932163 bytes; return an image of at most 3932160"),
            (vec![png("Zm9v"); 11], "the result has 11 images; return at most 10"),
        ] {
            let error = check(&images).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn a_text_ends_with_a_line_for_each_image() {
        let images = [image("image/png", "Zm9v"), image("image/webp", &"A".repeat(4096))];
        let lines = "[image image/png, 1 KB]\n[image image/webp, 3 KB]";
        assert_eq!(with_lines("seen", &[], false), "seen");
        assert_eq!(with_lines("seen", &images, true), format!("seen\n{lines}"));
        assert_eq!(with_lines("", &images, true), lines);
        let note = "Continue without these images, because your model takes none:";
        assert_eq!(with_lines("seen", &images, false), format!("seen\n{note}\n{lines}"));
    }
}

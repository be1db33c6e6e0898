//! Well-formed and broken sources.
#![cfg(not(target_family = "wasm"))]

use super::*;
use proptest::prelude::*;

/// `kind:text` of every piece.
fn pieces(text: &str) -> Vec<String> {
    let show = |piece: &Piece<'_>| format!("{:?}:{}", piece.kind, piece.text);
    Source::new(text, "tsx").pieces.iter().map(show).collect()
}

#[test]
fn finds_strings_and_nothing_else() {
    let cases: [(&str, &[&str]); 12] = [
        ("a = 'b'", &["String:b"]),
        ("a = \"b'c\"; d = '\\'e'", &["String:b'c", "String:\\'e"]),
        ("// 'a'\n/* 'b' */ 'c'", &["String:c"]),
        ("a = /'/g; b = 'c'", &["String:c"]),
        ("a = b / 2; c = 'd' / e", &["String:d"]),
        ("a = (b) / 'c'.length / 2", &["String:c"]),
        ("return /[/']/.test('a')", &["String:a"]),
        ("`a${b + 'c'}d${`e${f}`}`", &["Template:a", "String:c", "Template:d", "Template:e", "Template:", "Template:"]),
        ("`a${{ b: '}' }.b}`", &["Template:a", "String:}", "Template:"]),
        ("a = 'b\nc = 'd'", &["String:b", "String:d"]),
        ("i++ / 2; 'a'", &["String:a"]),
        ("a! / b; 'c' / d", &["String:c"]),
    ];
    for (text, expected) in cases {
        assert_eq!(pieces(text), expected, "{text}");
    }
}

#[test]
fn distinguishes_elements_from_comparisons_and_types() {
    let cases: [(&str, &[&str]); 14] = [
        ("return <p>Don't</p>", &["Element:p", "Text:Don't"]),
        ("x = <a b='c' d={\"e\"}/>", &["Element:a", "String:c", "String:e"]),
        ("x = <><b/> it's {y}</>", &["Element:", "Element:b", "Text: it's ", "Expression:y"]),
        ("if (a < b && c > d) 'e'", &["String:e"]),
        ("useState<string>('a')", &["String:a"]),
        ("const f = <T,>(x: T) => 'a'", &["String:a"]),
        ("const f = <T extends 'b'>(x: T) => 'a'", &["String:b", "String:a"]),
        ("const f = <T>(x: T) => 'a'", &["String:a"]),
        ("x = <Select<Option> a='b' />", &["Element:Select", "String:b"]),
        ("x = <A.B-c:d />", &["Element:A.B-c:d"]),
        ("x = a && <p>{/* 'b' */}</p>", &["Element:p", "Expression:/* 'b' */"]),
        ("x = <p>// no comment</p>", &["Element:p", "Text:// no comment"]),
        ("x = <p a=\"b\nc\" /* d */ />", &["Element:p", "String:b\nc"]),
        (
            "x = <ul>{a.map(b => <li key={b}>{b}</li>)}</ul>",
            &["Element:ul", "Element:li", "Expression:b", "Expression:a.map(b => <li key={b}>{b}</li>)"],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(pieces(text), expected, "{text}");
    }
}

#[test]
fn marks_pieces_inside_an_svg() {
    let source = Source::new("<svg a='b'><path d='c'/></svg>; x = <p title='d'>e<svg/>f</p>", "tsx");
    let in_svg: Vec<&str> = source.pieces.iter().filter(|piece| piece.in_svg).map(|piece| piece.text).collect();
    assert_eq!(in_svg, ["svg", "b", "path", "c", "svg"]);
}

#[test]
fn a_file_without_jsx_has_no_elements() {
    let source = Source::new("const a = <Foo>b; '</Foo>'", "ts");
    assert_eq!(source.pieces.iter().map(|p| p.text).collect::<Vec<_>>(), ["</Foo>"]);
}

#[test]
fn a_hostile_source_is_read_in_linear_time() {
    for part in ["<a>", "{", "`${", "/[", "<a<", "<a b={", "</", "'", "<svg>x", "(<a ", "/*", "\\", "<a b='"] {
        let text = part.repeat(300_000 / part.len());
        assert!(Source::new(&text, "tsx").code().len() == text.len(), "{part}");
    }
}

proptest! {
    #[test]
    fn every_piece_is_within_any_text(text in prop_oneof![any::<String>(), "[a-z<>/{}()='\"`$\\\\* \n!ü\\[\\]]{0,80}"]) {
        let source = Source::new(&text, "tsx");
        prop_assert_eq!(source.code().len(), text.len());
        for piece in &source.pieces {
            prop_assert_eq!(text.get(piece.at..piece.at + piece.text.len()), Some(piece.text));
            prop_assert_eq!(source.code_of(piece).len(), piece.text.len());
        }
        prop_assert!(source.comments.iter().all(|(at, comment)| text.get(*at..at + comment.len()) == Some(*comment)));
    }
}

//! Quoted words are read back unchanged, and commands are found in every notation.

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;
use std::process::Command;

fn read(line: &str) -> Vec<String> {
    commands(line).into_iter().map(|words| words.join("|")).collect()
}

fn run(line: &str) -> Vec<String> {
    programs(line).into_iter().map(|words| words.join("|")).collect()
}

#[test]
fn a_text_is_plain_quoted_or_refused() {
    let cases = [
        ("cyberpunk", Ok("cyberpunk")),
        ("0.15", Ok("0.15")),
        ("Space Grotesk", Ok("\"Space Grotesk\"")),
        ("x; rm -rf src", Ok("\"x; rm -rf src\"")),
        ("it's", Ok("\"it's\"")),
        ("a&b|c<d>e(f)*?[g]{h}~#%", Ok("\"a&b|c<d>e(f)*?[g]{h}~#%\"")),
        ("~", Ok("\"~\"")),
        ("é", Ok("\"é\"")),
        ("", Err("empty")),
        ("-rf", Err("option")),
        ("--apply", Err("option")),
        ("a\nb", Err("control")),
        ("a\0b", Err("control")),
        ("a\u{2028}b", Err("control")),
        ("$HOME", Err("interprets")),
        ("`id`", Err("interprets")),
        ("a\"; id; \"", Err("interprets")),
        ("a\\", Err("interprets")),
        ("hi!", Err("interprets")),
    ];
    for (text, expected) in cases {
        match (word(text), expected) {
            (Err(why), Err(key)) => assert!(why.contains(key), "{text:?}: {why}"),
            (found, _) => assert_eq!(found.as_deref(), expected.as_deref(), "{text:?}"),
        }
    }
    assert!(word(&"x".repeat(200)).is_ok() && word(&"x".repeat(201)).is_err());
    assert_eq!(quoted("Orbitron").unwrap(), "\"Orbitron\"");
}

#[test]
fn a_line_is_split_like_a_shell_does() {
    let cases: &[(&str, &[&str])] = &[
        ("", &[]),
        ("a b  c", &["a|b|c"]),
        ("a 'b c' \"d e\" f\\ g", &["a|b c|d e|f g"]),
        ("a \"it's\" '\"' \"\\\"\\$\\x\"", &["a|it's|\"|\"$\\x"]),
        ("th'em'e \\preset $'x' $\"y\"", &["theme|preset|x|y"]),
        ("a '' \"\"", &["a||"]),
        ("a; b && c || d | e & f\ng", &["a", "b", "c", "d", "e", "f", "g"]),
        ("a \\\n b", &["a|b"]),
        ("a # b; c\nd#e", &["a", "d#e"]),
        ("(a b); { c; }", &["a|b", "{|c", "}"]),
        ("a $(b c) d", &["b|c", "a||d"]),
        ("a \"x $(b \"c d\" $(e)) y\" z", &["e", "b|c d|", "a|x  y|z"]),
        ("a `b c` \"`d`\"", &["b|c", "d", "a||"]),
        ("a '$(b)' '`c`'", &["a|$(b)|`c`"]),
        ("a 2>&1 >out 3< in b", &["a|b"]),
        (">out a; a &>b c", &["a", "a", "c"]),
        ("a <<< 'b c' d", &["a|d"]),
        ("a <(b c) d", &["a", "b|c", "d"]),
        ("a <<END b\nc; d\n\tEND\ne", &["a|b", "e"]),
        ("a <<-'END'\nc; d\n\tEND\r\ne", &["a", "e"]),
        ("a <<END\nc; d", &["a"]),
        ("f() { a; }", &["f", "{|a", "}"]),
        ("a 'open; b", &["a|open; b"]),
        ("a \"open; b $(c", &["c", "a|open; b "]),
        ("a ) b", &["a", "b"]),
        ("a\r\nb", &["a", "b"]),
        ("a $x ${y:-z} $((1+2))", &["1+2", "a|$x|${y:-z}|"]),
        ("a \\", &["a"]),
    ];
    for (line, expected) in cases {
        assert_eq!(read(line), *expected, "{line:?}");
    }
}

#[test]
fn programs_are_found_after_assignments_keywords_and_runners() {
    let cases: &[(&str, &[&str])] = &[
        ("FOO=1 B+=2 a b", &["a|b"]),
        ("FOO=1", &[]),
        ("if ! a; then b; else c; fi", &["a", "b", "c", "fi"]),
        ("while a; do b; done", &["a", "b", "done"]),
        ("env -i X=1 nice -n a", &["a"]),
        ("sudo -E command time a b", &["a|b"]),
        ("eval 'a; b'", &["eval|a; b", "a", "b"]),
        ("eval a \"'b c'\"", &["eval|a|'b c'", "a|b c"]),
        ("bash -lc 'x=1 a' b", &["bash|-lc|x=1 a|b", "a"]),
        ("/bin/sh -e -c \"sh -c 'a b'\"", &["/bin/sh|-e|-c|sh -c 'a b'", "sh|-c|a b", "a|b"]),
        ("bash --norc script", &["bash|--norc|script"]),
        ("echo 'a; b' =x", &["echo|a; b|=x"]),
    ];
    for (line, expected) in cases {
        assert_eq!(run(line), *expected, "{line:?}");
    }
}

#[test]
fn nesting_and_length_are_bounded() {
    for piece in ["$(", "(", "`", "\"$(", "eval ", "sh -c '", "x=1 eval ", "<<a\n", "((", "a;"] {
        programs(&piece.repeat(20_000));
    }
    assert!(run(&format!("{}a b", "$(".repeat(500))).contains(&"a|b".to_owned()));
}

proptest! {
    #[test]
    fn any_text_is_accepted(line in "(\\PC|[\n\t \"'`$()<>|;&#\\\\=]){0,200}") {
        let count: usize = programs(&line).iter().map(Vec::len).sum();
        prop_assert!(count <= 4 * line.len());
    }

    #[test]
    fn quoted_words_are_read_back_as_one_command(texts in vec("[\\PC\n]{0,12}|[-a-z0-9;&|<>(){}*?~#'%=. ]{1,12}", 1..8)) {
        let fit: Vec<_> = texts.into_iter().filter(|text| word(text).is_ok()).collect();
        for write in [word, quoted] {
            let line: Vec<_> = fit.iter().filter_map(|text| write(text).ok()).collect();
            let read = commands(&format!("theme preset {}", line.join(" ")));
            prop_assert_eq!(read.len(), 1);
            prop_assert_eq!(&read[0][2..], &fit[..]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn a_real_shell_reads_the_same_words(texts in vec("[ -~é🦀]{1,16}", 1..12)) {
        let fit: Vec<_> = texts.into_iter().filter(|text| word(text).is_ok()).collect();
        let line: Vec<_> = fit.iter().filter_map(|text| word(text).ok()).collect();
        let script = format!("printf '%s\\n' begin {}", line.join(" "));
        let output = Command::new("sh").arg("-c").arg(script).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        prop_assert_eq!(printed.lines().skip(1).collect::<Vec<_>>(), fit);
    }
}

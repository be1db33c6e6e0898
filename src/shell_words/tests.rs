//! Quoted words are read back unchanged, and commands are found in every notation.

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;
use std::process::Command;

fn read(line: &str) -> Vec<String> {
    commands(line).into_iter().map(|words| words.join("|").replace([UNKNOWN, ANY], "@")).collect()
}

fn run(line: &str) -> Vec<String> {
    let commands = Line::read(line).commands;
    commands
        .iter()
        .map(|command| command.program().join("|").replace(UNKNOWN, "@"))
        .filter(|program| !program.is_empty())
        .collect()
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
        ("a $(b c) d", &["b|c", "a|@|d"]),
        ("a \"x $(b \"c d\" $(e)) y\" z", &["e", "b|c d|@", "a|x @ y|z"]),
        ("a `b c` \"`d`\"", &["b|c", "d", "a|@|@"]),
        ("a `b \\`c d\\` '`", &["c|d", "b|@|", "a|@"]),
        ("a `b # c`; d", &["b", "a|@", "d"]),
        ("a '$(b)' '`c`'", &["a|$(b)|`c`"]),
        ("a 2>&1 >out 3< in b", &["a|b"]),
        (">out a; a &>b c", &["a", "a", "c"]),
        ("a <<< 'b c' d", &["a|d"]),
        ("a <(b c) d", &["a", "b|c", "d"]),
        ("a <<END b\nc; d\nEND\ne", &["a|b", "e"]),
        ("a <<END\nc; d\n\tEND\nEND\ne", &["a", "e"]),
        ("a <<-'END'\nc; d\n\tEND\ne", &["a", "e"]),
        ("a <<END\nc; d", &["a"]),
        ("f() { a; }", &["f", "{|a", "}"]),
        ("a 'open; b", &["a|open; b"]),
        ("a \"open; b $(c", &["c", "a|open; b @"]),
        ("a ) b", &["a", "b"]),
        ("a\r\nb", &["a", "b"]),
        ("a $x ${y:-z} $((1+2)) ${y#(} ${#y} b", &["a|@|@|@|@|@|b"]),
        ("a ${y:- # ; b} c; d", &["a|@|c", "d"]),
        ("a \"${y:-$(b ')')}\" c", &["b|)", "a|@|c"]),
        ("a $((1 << 2)); b\n2", &["a|@", "b", "2"]),
        ("a *.ts b? [c]d [ e ] {f,g}h {i} {}", &["a|@.ts|b@|@d|[|e|]|fh|gh|{i}|{}"]),
        ("a ~/b c~ {1..3} {a,{b,c}}", &["a|@/b|c~|@|a|b|c"]),
        ("a $'\\x67it' $'\\147\\u0069t' $'b\\tc'", &["a|git|git|b\tc"]),
        ("{fd}>b c", &["c"]),
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
        ("a[0]=1 a[x+1]+=1 b", &["b"]),
        ("if ! a; then b; else c; fi", &["a", "b", "c", "fi"]),
        ("while a; do b; done", &["a", "b", "done"]),
        ("env -i X=1 nice -n a", &["a"]),
        ("sudo -E command time a b", &["a|b"]),
        ("eval 'a; b'", &["eval|a; b", "a", "b"]),
        ("eval a \"'b c'\"", &["eval|a|'b c'", "a|b c"]),
        ("bash -lc 'x=1 a' b", &["bash|-lc|x=1 a|b", "a"]),
        ("/bin/sh -e -c \"sh -c 'a b'\"", &["/bin/sh|-e|-c|sh -c 'a b'", "sh|-c|a b", "a|b"]),
        ("bash --norc script", &["bash|--norc|script"]),
        ("bash -ec -- 'a b'", &["bash|-ec|--|a b", "a|b"]),
        ("bash -o pipefail -c 'a' b", &["bash|-o|pipefail|-c|a|b", "a"]),
        ("sh -ceo pipefail 'a'", &["sh|-ceo|pipefail|a", "a"]),
        ("zsh -c +o extendedglob 'a'", &["zsh|-c|+o|extendedglob|a", "a"]),
        ("eval -- 'a b'", &["eval|--|a b", "a|b"]),
        ("/usr/bin/sudo a; SUDO b", &["a", "b"]),
        ("sh <<'END'\na b\nEND", &["sh", "a|b"]),
        ("sh <<< 'a b'", &["sh", "a|b"]),
        ("cat <<END\n\"$(a b)\" `c`\nEND", &["cat", "a|b", "c"]),
        ("cat <<'END'\n$(a)\nEND", &["cat"]),
        ("echo 'a; b' =x", &["echo|a; b|=x"]),
    ];
    for (line, expected) in cases {
        assert_eq!(run(line), *expected, "{line:?}");
    }
}

#[test]
fn the_files_of_redirections_are_those_that_are_read_and_those_that_are_written() {
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("a > b", &[], &["b"]),
        ("a >> b", &[], &["b"]),
        ("a >| b", &[], &["b"]),
        ("a &> b; c &>> d", &[], &["b", "d"]),
        ("a >& b", &[], &["b"]),
        ("a 2> b 3>> c", &[], &["b", "c"]),
        ("a <> b", &[], &["b"]),
        ("> 'b c'", &[], &["b c"]),
        ("a > $X", &[], &["\u{fdd0}"]),
        ("a > 2", &[], &["2"]),
        ("a 2>&1 >&2- <&3 >&-", &[], &[]),
        ("a > /dev/null 2> /dev/stderr", &[], &[]),
        ("a < b", &["b"], &[]),
        ("a 3< b", &["b"], &[]),
        ("a <<END > b\n> c\nEND", &[], &["b"]),
        ("a <<< b", &[], &[]),
        ("a < <(b < c) > >(d > e)", &["c"], &["e"]),
        ("a $(b > c) | (d > e)", &[], &["c", "e"]),
        ("sh -c 'a > b < c'", &["c"], &["b"]),
        ("timeout 5 sh -c 'a > b'", &[], &["b"]),
    ];
    for (line, reads, writes) in cases {
        let found = Line::read(line);
        assert_eq!((&found.reads[..], &found.writes[..]), (&owned(reads)[..], &owned(writes)[..]), "{line:?}");
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn what_shells_read_in_different_ways_is_not_read() {
    for line in [
        "echo $'a\\n'; b",
        "echo \"$'\\'\"",
        "echo '$\\'",
        "echo $((1 << 2)) $(( (a + b) * c[1] )) $((${x} + $y))",
        "echo ${x#(} ${x:-\"a b\"} \"${x:-$(a \"b\")}\"",
        "echo `a $(b) 'c'` \"`a b`\"",
        "cat <<END\n$x `y`\nEND\n",
        "cat <<-'END'\n\tx\n\tEND\n",
        "cat <<A <<B\nx\nA\ny\nB\n",
        "x=$(cat <<END\na\nEND\n)",
        "a=(1 2) b; f() { c; }; case a in a|b) c;; esac",
        "a > b 2>&1 <c >>d >|e <>f >&2 3<&- &> g",
        "if a; then b; fi # it's done",
    ] {
        assert_eq!(Line::read(line).unread, Vec::<String>::new(), "{line:?}");
    }
    for line in [
        "echo $'\\'; b #'",
        "echo $'\\cx'",
        "echo $'\\xff'",
        "a\r\nb",
        "a\0b",
        "((1 << 2)); b\n2",
        "for ((i = 0; i < 3; i++)); do a; done",
        "echo $((a); (b))",
        "echo $[1 << 2]",
        "echo ${ a; }",
        "echo \"${x:-'}\" '",
        "echo \"${x:-\"a\"}\"",
        "echo \"`a \\\"b\\\"`\"",
        "echo `a",
        "echo $(case a in a) b;; esac)",
        "(case a in a) b;; esac)",
        "cat <<$x\na\n$x\n",
        "cat <<'a b'\na b\n",
        "cat <<''\na\n\n",
        "cat <<END\na\\\nEND\nEND\n",
        "cat <<END\na\nEND ",
        "cat <<END\na",
        "$(cat <<END)\na\nEND\n",
        "cat <<END \"\na\"\nEND\n",
        "cat <<END $(\na)\nEND\n",
        "a[b c]=1 d",
        "a@(b|c)",
        "a >>> b",
        "a 'b",
        "a \"b",
        "a $(b",
        "a \u{fdd0}",
    ] {
        assert_ne!(Line::read(line).unread, Vec::<String>::new(), "{line:?}");
    }
}

#[test]
fn a_program_runs_its_arguments_unless_it_is_known_not_to() {
    let is_data = |line: &str| Line::read(line).commands[0].runs().next().is_some_and(|(_, anywhere)| !anywhere);
    for line in ["echo git push", "git commit -m x", "git -C a stash push", "npm install a", "cat a", "/bin/x=1", ""] {
        assert!(line.is_empty() || is_data(line) || line.contains('='), "{line}");
    }
    for line in
        ["./echo git push", "npm exec git push", "npm --prefix install exec a", "git -c a=b log", "sudo a", "x a"]
    {
        assert!(!is_data(line), "{line}");
    }
    assert_eq!(["git.exe", "C:\\x\\git.EXE", "/x/git", "a.sh"].map(name), ["git", "git", "git", "a.sh"]);
}

#[test]
fn nesting_and_length_are_bounded() {
    for piece in [
        "$(",
        "(",
        "`",
        "\"$(",
        "eval ",
        "sh -c '",
        "x=1 eval ",
        "sudo ",
        "sudo 'a ",
        "sh <<a\n$(",
        "<<a\n",
        "((",
        "a;",
    ] {
        Line::read(&piece.repeat(20_000));
    }
    assert!(run(&format!("{}a b", "$(".repeat(500))).contains(&"a|b".to_owned()));
}

proptest! {
    #[test]
    fn any_text_is_accepted(line in "(\\PC|[\n\t \"'`$()<>|;&#\\\\=]){0,200}") {
        let count: usize = Line::read(&line).commands.iter().map(|command| command.program().len()).sum();
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

//! Lines of a grammar, run by real shells with stub programs: whatever a shell runs, a rule sees.

use super::*;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many lines each shell runs.
const LINES: u64 = 1_500;

/// Xorshift: the same lines on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap()
    }

    fn pick(&mut self, texts: &[&'static str]) -> &'static str {
        texts[self.below(texts.len())]
    }
}

const GIT: &[&str] = &[
    "git",
    "g\"i\"t",
    "'git'",
    "\\git",
    "g\\it",
    "$'\\x67it'",
    "$'\\147it'",
    "$'\\u0067it'",
    "$\"git\"",
    "gi''t",
    "g${x}it",
    "g$x''it",
    "\"$g\"",
    "$g",
    "${g}",
    "$(echo git)",
    "./g?t",
    "./gi[t]",
    "./git",
    "{git,push}",
    "gi\\\nt",
    "`echo git`",
];

const PUSH: &[&str] = &[
    "push",
    "pu\"sh\"",
    "$'\\x70ush'",
    "'push' origin",
    "-C . push",
    "--no-pager push",
    "\\push",
    "pu${x}sh",
    "push \\\n-f",
    "$p",
    "\"${p}\"",
    "push 2>&1",
    "push >/dev/null",
    "push # it's",
];

const CAT: &[&str] = &["cat", "c\"a\"t", "\\cat", "$'\\x63at'", "./cat"];

const ENV: &[&str] = &[
    ".env",
    ".e\"nv\"",
    ".en$'\\x76'",
    "./.env",
    ".e*",
    ".en?",
    ".en[v]",
    "\"$PWD\"/.env",
    "$PWD/.env",
    "{.env,a}",
    ".e${x}nv",
    ".e$v",
    "a .env",
    "\\.env",
    "-- .env",
    "./{a,.env}",
    "~+/.env",
    "{{.e,x}nv,y}",
    "{.en,x}{v,y}",
    "{.e\"}\"x,.env}",
    "$PWD//.env",
    "/proc/self/cwd/.env",
    "< .env",
    "<.env",
    "0<.env",
];

const BEFORE: &[&str] = &[
    "",
    "",
    "",
    "X=1 ",
    "a[0]=1 ",
    "a[b c]=1 ",
    "{fd}>/dev/null ",
    ">/dev/null ",
    "2>&1 ",
    "! ",
    "sudo ",
    "sudo -u x ",
    "timeout 5 ",
    "env X=1 ",
    "npm exec -- ",
    "command ",
    "exec ",
    "pnpm exec ",
    "x+=1 ",
    "unbuffer ",
    "time ",
    "submodule foreach ",
];

const DECOYS: &[&str] = &[
    ":",
    "echo $((1<<2))",
    ": $((1 << 2)) '",
    "((1<<2))",
    ": $[1<<2]",
    ": ${x#(}",
    ": \"${x:-a b}\"",
    ": ${x:- #}",
    ": $(: # )\n)",
    ": `: #`",
    ": '#'",
    "cat <<END\n'\nEND\n:",
    "cat <<-END\n\t\"\n\tEND\n:",
    "cat <<'E'\n$(\nE\n:",
    "cat <<END\n\tEND\n'\nEND\n:",
    "cat <<END\nx\\\nEND\nEND\n:",
    "echo \"it's\"",
    "case a in a) : ;; esac",
    ": $(case a in a) : ;; esac)",
    "# it's\n:",
    ": a#b",
    "[ -n a ]",
    ": $'\\''",
    ": $'a\\\\'",
    "f() { : ; }",
    ": \"$(: \")\")\"",
    ": \"`: x`\"",
    ": ${x:-\"}\"}",
    ": ${x:-'}'}",
    ": \"${x:-'}\"",
    ": <<E\nE\n:",
    ": <<'A B'\n\nA B\n:",
    ": <<\"\"\n\n:",
    ": \"\\`: a\\`\"",
    ": ${#x}",
    ": $#",
    ": \"`: \\\"x\\\" # `\"",
    ": `: '`",
    ": <(: #)",
    ": \\#",
    ": {a,b}",
    ": \\\\",
    ": \"\\\\\"",
    ": ''#",
    ": <<A <<B\nA\nB\n:",
    "x=(a b)",
    ": \r",
    ": ; #\r",
    "g=git p=push v=nv",
    ": $(cat <<END)\nEND\n:",
    "cat <<END\r\nx\nEND\n'\nEND\r\n:",
    "[[ a < b ]]",
    ": ${x+\"'\"}",
    ": ${x-#}",
    ": \"${x#\"(\"}\"",
    "set -- git push",
];

const BETWEEN: &[&str] = &["; ", "\n", " && ", " || ", " | ", " & ", ";", "\n\n"];

fn line(random: &mut Random, target: &str, depth: usize) -> String {
    let before = random.pick(BEFORE);
    let own = format!("{before}{target}");
    let own = if depth == 0 || random.below(3) == 0 { own } else { wrapped(random, target, depth) };
    let mut text = String::new();
    for _ in 0..random.below(3) {
        text += random.pick(DECOYS);
        text += random.pick(BETWEEN);
    }
    text += &own;
    if random.below(3) == 0 {
        text += random.pick(BETWEEN);
        text += random.pick(DECOYS);
    }
    text
}

fn wrapped(random: &mut Random, target: &str, depth: usize) -> String {
    let inner = line(random, target, depth - 1);
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    let subscript = quoted(&format!("a[$({inner})]"));
    let ticks = inner.replace('\\', "\\\\").replace('`', "\\`").replace('$', "\\$");
    match random.below(20) {
        0 => format!("({inner})"),
        1 => format!("{{ {inner}\n}}"),
        2 => format!(": $({inner})"),
        3 => format!(": \"$({inner})\""),
        4 => format!(": `{ticks}`"),
        5 => format!(": \"`{ticks}`\""),
        6 => format!("sh -c {}", quoted(&inner)),
        7 => format!("eval {}", quoted(&inner)),
        8 => format!("if :; then {inner}\nfi"),
        9 => format!("cat <<END\n$({inner})\nEND"),
        10 => format!(": ${{x:-$({inner})}}"),
        11 => format!(": \"${{x:-$({inner})}}\""),
        12 => format!("f() {{ {inner}\n}}; f"),
        13 => format!("case a in a) {inner}\n;; esac"),
        14 => format!("cat <<END\n`{ticks}`\nEND"),
        15 => format!("sh <<'EOT'\n{inner}\nEOT"),
        16 => format!("[[ {subscript} -eq 1 ]]"),
        17 => format!("x={subscript}; : $((x))"),
        18 => format!(". /dev/stdin <<'EOS'\n{inner}\nEOS"),
        _ => format!("for i in a; do {inner}\ndone"),
    }
}

#[expect(clippy::disallowed_methods, reason = "shells run in a folder of the machine")]
fn stubs() -> PathBuf {
    let dir = std::env::temp_dir().join(format!("loopgate-shells-{}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    let run =
        "while [ $# -gt 0 ]; do case $1 in -u|5) shift;; -*|*=*|exec) ;; x) ;; *) break;; esac; shift; done; \"$@\"";
    let git = "for a; do case $a in push) echo push >> \"$LOG\";; esac; done";
    let cat = "for a; do case $a in *.env) echo env >> \"$LOG\";; esac; done; while IFS= read -r l; do echo \"$l\"; case $l in MARK) echo env >> \"$LOG\";; esac; done";
    for (name, body) in [
        ("git", git),
        ("cat", cat),
        ("sudo", run),
        ("timeout", run),
        ("env", run),
        ("npm", run),
        ("pnpm", run),
        ("unbuffer", run),
    ] {
        let path = dir.join(name);
        fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        Command::new("chmod").arg("+x").arg(&path).status().unwrap();
    }
    for shell in ["sh", "bash"] {
        let _ = Command::new("ln").arg("-s").arg(format!("/bin/{shell}")).arg(dir.join(shell)).status();
    }
    fs::write(dir.join(".env"), "MARK\n").unwrap();
    fs::write(dir.join("a"), "a\n").unwrap();
    dir
}

/// Whether the line ran what the stubs note.
#[expect(clippy::disallowed_methods, reason = "shells run in a folder of the machine")]
fn runs(dir: &Path, shell: &str, line: &str) -> bool {
    // A process in the background may write later.
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let log = dir.join(format!("log-{}", RUNS.fetch_add(1, Ordering::Relaxed)));
    let mut child = Command::new(shell)
        .args(["-c", line])
        .current_dir(dir)
        .env_clear()
        .env("PATH", dir)
        .env("LOG", &log)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.wait().unwrap();
    fs::read_to_string(&log).is_ok_and(|text| !text.is_empty())
}

#[test]
fn what_a_shell_runs_is_denied() {
    let shells: Vec<&str> = ["/bin/bash", "/bin/dash"].into_iter().filter(|shell| Path::new(shell).exists()).collect();
    let dir = stubs();
    let (mut random, mut ran) = (Random(0x9e37_79b9_7f4a_7c15), 0);
    let rights = |rule: serde_json::Value| Rights::executor().under(&[serde_json::from_value(rule).unwrap()]);
    let (push, read) = (
        rights(json!({ "decision": "deny", "command": "git push", "key": "policy[0]" })),
        rights(json!({ "decision": "deny", "path": ".env", "access": "read", "key": "policy[0]" })),
    );
    let mut missed = Vec::new();
    for number in 0..LINES {
        let is_push = number % 2 == 0;
        let target = match is_push {
            true => format!("{} {}", random.pick(GIT), random.pick(PUSH)),
            false => format!("{} {}", random.pick(CAT), random.pick(ENV)),
        };
        let line = line(&mut random, &target, 2);
        let rights = if is_push { &push } else { &read };
        let folder = dir.to_str().unwrap();
        if rights.line_denial(AskedLine { tool: "shell", dir: folder, line: &line, is_undone: true }).is_some() {
            ran += usize::from(number % 50 == 0 && shells.iter().any(|shell| runs(&dir, shell, &line)));
            continue;
        }
        missed.extend(shells.iter().filter(|shell| runs(&dir, shell, &line)).map(|shell| format!("{shell}: {line:?}")));
    }
    fs::remove_dir_all(&dir).unwrap();
    assert!(missed.is_empty(), "{} lines hide what they do:\n{}", missed.len(), missed.join("\n"));
    assert!(shells.is_empty() || ran > 3, "the stubs note what runs");
}

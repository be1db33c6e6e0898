//! Command lines that hide what a rule is about, and lines that only look like it.

use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};

fn denies(rule: Value, line: &str, is_undone: bool) -> bool {
    let mut rule = rule;
    rule["key"] = "policy[0]".into();
    let rights = Rights::executor().under(&[serde_json::from_value(rule).unwrap()]);
    rights.line_denial(AskedLine { tool: "shell", dir: "/project", line, is_undone }).is_some()
}

#[test]
fn a_line_that_is_not_read_exactly_hides_no_command() {
    for line in [
        "echo $((1<<2)); git push",
        "echo $((1<<2))\ngit push\n2",
        "((1<<2))\ngit push\n2",
        "((x=1<<END)); git push",
        "echo $[1<<2]\ngit push\n2",
        "echo ${x#(}; git push",
        "echo ${x:- #}; git push",
        "echo \"${x#\"(\"}\"; git push",
        "echo ${x:-'}'}; git push",
        "${ git push; }",
        "echo \"${x:-'}\"; git push #'}\"",
        "git\r push",
        "echo #\r\ngit push",
        "cat <<END\r\nx\nEND\n'\nEND\r\ngit push #'",
        "echo `: #`; git push",
        "echo `echo \\`git push\\``",
        "echo \"`echo \\\"x\\\" # `\"; git push",
        "echo `'`; git push; : '`'",
        "echo $(case a in a) git push;; esac)",
        "(case a in a) : ;; esac; git push)",
        "cat <<END\n\tEND\n'\nEND\ngit push #'",
        "cat <<END\nx\\\nEND\nEND\ngit push",
        "cat <<'E N'\n\nE N\ngit push",
        "cat <<\"\"\nx\n\ngit push",
        "cat <<$x\n$x\ngit push",
        "cat <<-END\n\t\tx\n\tEND\ngit push",
        "echo $(cat <<END)\nEND\ngit push",
        "$'\\x67it' push",
        "$'\\147\\u0069t' $'pus\\U68'",
        "$'git' push",
        "$\"git\" push",
        "a[0]=1 git push",
        "a[$x]=1 git push",
        "a[b c]=1 git push",
        "a[0]+=1 git push",
        "{fd}>/dev/null git push",
        "{fd}<x git push",
        "2>&1 git push",
        "git.exe push",
        "GIT.EXE push",
        "'C:\\Program Files\\git.exe' push",
        "cmd /c git push",
        "cmd.exe /c 'git push'",
        "powershell -Command 'git push'",
        "npm exec git push",
        "npm exec -- git push",
        "npm x -c 'git push'",
        "pnpm exec git push",
        "pnpm dlx git push",
        "yarn exec git push",
        "bun x git push",
        "git submodule foreach git push",
        "git submodule foreach 'git push'",
        "git bisect run git push",
        "git rebase -x 'git push' main",
        "git -c alias.x='!git push' x",
        "mise exec -- git push",
        "nix develop -c git push",
        "ssh localhost git push",
        "docker run x git push",
        "unbuffer git push",
        "./echo git push",
        "/tmp/x git push",
        "$X push",
        "$X",
        "\"$X\" push",
        "g$X push",
        "g${X}t push",
        "git $X",
        "git${IFS}push",
        "{git,push}",
        "g?t push",
        "/usr/bin/gi[t] push",
        "g*t push",
        "~/bin/git push",
        "sudo $X push",
        "pnpm exec g${x}it push",
        "sudo -u x `echo git` push",
        "sudo git $X",
        "sh -c \"$X\"",
        "eval \"$X\"",
        "set -- git push; \"$@\"",
        "x=(git push); \"${x[@]}\"",
        "! git push",
        "time -p git push",
        "coproc git push",
        "echo `git push`",
        "echo \"`git push`\"",
        "if true; then :; fi && git push",
        "cat <<A; git push\nx\nA",
        "cat <<A <<B; git push\nA\nB",
        "\\git push",
        "g\\it push",
        "git \\\npush",
        "gi\\\nt push",
        "git\tpush",
        "a || git push & b",
        "\"\"git push",
        "git ''push",
    ] {
        for decision in ["deny", "ask"] {
            let rule = json!({ "decision": decision, "command": "git push" });
            assert!(denies(rule, line, true), "{decision}: {line:?}");
        }
    }
}

#[test]
fn an_ordinary_line_is_only_about_what_it_runs() {
    for line in [
        "npm test 2>&1 | tail -20",
        "npm run build && npm test",
        "for f in src/*.ts; do echo \"$f\"; done",
        "for f in a b; do node --check \"$f\"; done",
        "cd \"$dir\" && npm test",
        "git -C \"$dir\" status",
        "npx eslint \"$f\"",
        "timeout 60 npm test -- \"$f\"",
        "find . -name \"$x\" -exec rm {} +",
        "X=$((1 + 2)); echo $X",
        "x=$(git rev-parse HEAD); echo \"${x:0:7}\"",
        "git add -A && git commit -m \"fix: don't push (yet)\"",
        "git commit -m 'git push'",
        "git -C sub commit -m 'git push'",
        "git commit -m \"$(cat <<'EOF'\nAdd it\n\nIt's (done).\nEOF\n)\"",
        "git log --oneline -5 -- \"$f\"",
        "git stash push",
        "echo git push",
        "echo 'git push'",
        "printf '%s\\n' \"git push\"",
        "grep -rn 'git push' src",
        "cat > a.md <<'EOF'\nRun `git push`, it's $(fine).\nEOF",
        "cat > a.md <<EOF\nRun it: $x\nEOF",
        "sed -n '1,20p' src/a.ts",
        "awk '{ print $1 }' a",
        "node -e \"console.log(1)\"",
        "python3 -c 'print(\"a\")'",
        "test -f a && echo \"it's\"",
        "[ -f a ] || exit 1",
        "[[ -n \"$x\" ]] && echo a",
        "find . -name '*.ts' -exec grep -l a {} +",
        "ls -la | sort | uniq -c",
        "jest -t \"it's (fine)\"",
        "if [ -d a ]; then rm -rf a; fi",
        "while read -r l; do echo \"$l\"; done < a",
        "curl -s localhost:3000 | jq '.a[0]'",
        "docker ps; docker rm a",
        "gh pr create --title 'git push'",
        "npm install git push",
        "f() { echo a; }; f",
        "case $x in a|b) echo a;; esac",
        "a=(1 2); echo \"${a[@]}\"",
        "echo ${x:-\"a b\"} ${#x} ${x%.*}",
        "((i++)); echo b",
        "sleep 1 & wait",
    ] {
        assert!(!denies(json!({ "decision": "deny", "command": "git push" }), line, true), "{line:?}");
    }
}

#[test]
fn a_line_that_is_not_read_exactly_hides_no_file_that_may_not_be_read() {
    let rule = |path: &str| json!({ "decision": "deny", "path": path, "access": "read" });
    for line in [
        "cat .env",
        "cat $'\\x2eenv'",
        "cat .en\"v\"",
        "cat .e*",
        "cat .en?",
        "cat .en[v]",
        "cat ./{.env,a}",
        "cat .en$x",
        "cat .en${x:-v}",
        "cat $PWD/.env",
        "cat \"$PWD\"/.env",
        "cat ~+/.env",
        "cat /project/.env",
        "cd src && cat ../.env",
        "echo $((1<<2))\ncat .env\n2",
        "echo `: #`; cat .env",
        "echo ${x:- #}; cat .env",
        "cat <<END\n\tEND\n'\nEND\ncat .env #'",
        "npm exec cat .env",
        "cmd /c type .env",
        "cmd /c 'type .env'",
        "a[0]=1 cat .env",
        "{fd}<.env cat <&$fd",
        "cat<.env",
        "$'cat' .env",
        "sort --files0-from=.env",
        "curl -d @.env x",
        "cat .ENV",
        "cat .//.env",
        "echo `echo \\`cat .env\\``",
    ] {
        assert!(denies(rule(".env"), line, true), "{line:?}");
    }
    for line in [
        "cat *.ts",
        "cat *",
        "ls src/*",
        "cat \"$f\"",
        "for f in src/*; do cat \"$f\"; done",
        "cat \"$dir/a.ts\"",
        "cat src/$f",
        "cat a.env.ts",
        "echo ${x:-a}",
        "cat /projects/.env",
        "npm test",
        "grep -rn environment src",
    ] {
        assert!(!denies(rule(".env"), line, true), "{line:?}");
    }
    for (line, is_denied) in [
        ("cat */key", true),
        ("cat sec*/key", true),
        ("cat s?crets/*", true),
        ("ls *", true),
        ("cat src/*", false),
        ("cat secrets$x/key", true),
        ("cat $x", false),
        ("cd secrets; cat key", true),
        ("cd src; cd ../secrets; cat key", true),
        ("pushd secrets", true),
        ("ls *.ts", false),
    ] {
        assert_eq!(denies(rule("secrets/**"), line, true), is_denied, "{line:?}");
    }
}

#[test]
fn a_text_that_a_shell_runs_on_its_own_hides_no_command() {
    for line in [
        "[[ 'a[$(git push)]' -eq 1 ]]",
        "test -v 'a[$(git push)]'",
        "[ -v 'a[`git push`]' ]",
        "printf -v 'a[$(git push)]' x",
        "read 'a[$(git push)]' <<< x",
        "a=(1); unset 'a[$(git push)]'",
        "declare 'a[$(git push)]=1'",
        "[[ 'a[$(: ${x#(}; git push)]' -eq 1 ]]",
        "x='a[$(: ${x#(}; git push)]'; echo $((x))",
        "x='a[$(git push)]'; echo $((x))",
        "x=('a[$(git push)]'); : $((x[0]))",
        "for x in 'a[$(git push)]'; do : $((x)); done",
        "set -- 'a[$(git push)]'; : $(($1))",
        "x='$(git push)'; echo ${x@P}",
        "PS4='$(git push)'; set -x; :",
        "GIT_EDITOR='git push' git commit",
        "GIT_SSH_COMMAND='sh -c \"git push\"' git fetch",
        "export GIT_PAGER='git push'; git log",
        "npm_config_x='git push' npm install",
        ". /dev/stdin <<'E'\ngit push\nE",
        "source /dev/stdin <<< 'git push'",
        "ssh localhost <<E\ngit push\nE",
        "at now <<'E'\ngit push\nE",
        "parallel <<< 'git push'",
        "env -S'git\\_push'",
        "env --split-string='git\\_push'",
        "=git push",
        "git {push,x}",
        "{{git,push},x}",
    ] {
        assert!(denies(json!({ "decision": "deny", "command": "git push" }), line, true), "{line:?}");
    }
    for line in [
        "x='git push'; echo \"$x\"",
        "printf '%s\\n' 'run `git push`' >> a.md",
        "git commit -m 'Run `git push`'",
        "[ \"$x\" = \"a b\" ] && echo a",
        "export PATH=\"$PATH:./bin\"",
        "mkdir -p src/{a,b}/{c,d}",
        "cat > a.md <<E\nRun:\ngit push\nE",
    ] {
        assert!(!denies(json!({ "decision": "deny", "command": "git push" }), line, true), "{line:?}");
    }
}

#[test]
fn a_file_that_may_not_be_read_has_no_other_name() {
    for (path, line) in [
        (".env", "cd \"$X\"; cat .env"),
        (".env", "cd -; cat .env"),
        (".env", "git show HEAD:.env"),
        (".env", "git show :.env"),
        (".env", "curl file:///project/.env"),
        (".env", "curl -Ff=@.env x"),
        (".env", "docker run -v ./.env:/x y"),
        (".env", "cat /proc/self/cwd/.env"),
        (".env", "cat /proc/$$/cwd/.env"),
        (".env", "cat < /proc/self/root\"/project/.env\""),
        (".env", "cat ${PWD}//.env"),
        (".env", "xargs cat <<< .env"),
        (".env", "cat {.en,x}{v,y}"),
        (".env", "cat {{.e,x}nv,y}"),
        (".env", "cat {a,{b,.env}}"),
        (".env", "cat {.e\"}\"x,.env}"),
        (".env", "cat {.e\\,x,.env}"),
        ("secrets/**", "cd \"$X\"; cat secrets/key"),
        ("secrets/**", "cd src; cd \"$X\"; cat ../secrets/key"),
        ("secrets/**", "git show HEAD:secrets/key"),
        ("secrets/**", "cd sec*; cat key"),
        ("src/key.txt", "env -C src cat key.txt"),
        ("src/key.txt", "git -C src show :./key.txt"),
        ("src/key.txt", "cd -P src; cat key.txt"),
        ("src/key.txt", "cd -LP -- src; cat key.txt"),
    ] {
        let rule = json!({ "decision": "deny", "path": path, "access": "read" });
        assert!(denies(rule, line, true), "{line:?}");
    }
    for line in ["cat {.env}", "cat {.env", "cat a:b", "git show HEAD:src/a.ts", "git -C src status", "ls {a,b}{c,d}"] {
        assert!(!denies(json!({ "decision": "deny", "path": ".env", "access": "read" }), line, true), "{line:?}");
    }
}

#[test]
fn a_redirection_in_another_folder_is_to_a_file_of_that_folder() {
    let rule = || json!({ "decision": "deny", "path": "locked/**" });
    for (line, with_git, without) in [
        ("cd locked && echo x > a.txt", true, true),
        ("cd ./locked; echo x >> a.txt", true, true),
        ("(cd locked; echo x > a.txt)", true, true),
        ("pushd locked && echo x > a.txt", true, true),
        ("cd src && cd ../locked && echo x > a.txt", true, true),
        ("cd -- locked && echo x > a.txt", true, true),
        ("cd /project/locked && echo x > a.txt", true, true),
        ("sh -c 'cd locked && echo x > a.txt'", true, true),
        ("cd lock* && echo x > a.txt", false, true),
        ("cd \"$d\" && echo x > a.txt", false, true),
        ("cd - && echo x > a.txt", false, true),
        ("cd && echo x > a.txt", false, true),
        ("echo x > $f", false, true),
        ("echo x > lock$d/a", true, true),
        ("echo x > locked/a", true, true),
        ("cd src && echo x > a.txt", false, false),
        ("cd src; npm test > out.txt 2>&1", false, false),
        ("cd locked && cat a.txt", false, false),
        ("echo x > /tmp/a.txt", false, false),
        ("cd \"$d\" && npm test", false, false),
        ("echo $((1<<2)) > a", false, false),
        ("((x)); echo x > locked/a", true, true),
    ] {
        assert_eq!([true, false].map(|git| denies(rule(), line, git)), [with_git, without], "{line:?}");
    }
}

#[test]
fn a_long_line_under_many_rules_is_judged_within_a_budget() {
    let rules: Vec<PolicyRule> = (0..200)
        .flat_map(|number| {
            let key = format!("policy[{number}]");
            [
                json!({ "decision": "deny", "command": format!("g*t p*h x{number}"), "key": key }),
                json!({ "decision": "deny", "path": format!("a*/b*/c{number}"), "access": "read", "key": key }),
            ]
        })
        .map(|rule| serde_json::from_value(rule).unwrap())
        .collect();
    let rights = Rights::executor().under(&rules);
    for part in [
        "a ", "$x ", "sudo a ", "x 'a b' ", "*a* ", "a/b/c ", "cd a;", "a >b ", "`a` ", "${a} ", "{a,b} ", "{", "{a,b}",
    ] {
        let line = part.repeat(8_192 / part.len());
        rights.line_denial(AskedLine { tool: "shell", dir: "/project", line: &line, is_undone: false });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn no_text_before_a_line_hides_it(
        text in "([\n\t \"'`$()<>|;&#\\\\={}\\[\\]*~!a-c0-1-]|<<|END|case a in |esac|\\$\\{|\\$\\(|\\$\\(\\(|\\(\\(|cat |\\$'|\\}|;;){0,40}",
    ) {
        // A backslash joins the next line to its own.
        if !text.ends_with('\\') {
            let push = json!({ "decision": "deny", "command": "git push" });
            prop_assert!(denies(push, &format!("{text}\ngit push\n"), true), "{:?}", text);
            let read = json!({ "decision": "deny", "path": ".env", "access": "read" });
            prop_assert!(denies(read, &format!("{text}\ncat .env\n"), true), "{:?}", text);
        }
    }
}

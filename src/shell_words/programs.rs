//! What is known about programs: which ones run another one, and which ones certainly do not.

/// Words that may precede a command.
pub(super) const KEYWORDS: [&str; 10] = ["!", "{", "}", "if", "then", "elif", "else", "while", "until", "do"];

/// Programs that run a program, or a line, that their arguments name.
#[rustfmt::skip]
pub(super) const RUNNERS: [&str; 62] = [
    "alias", "at", "batch", "builtin", "bunx", "busybox", "bwrap", "catchsegv", "chroot", "chrt", "command",
    "concurrently", "coproc", "cross-env", "dbus-run-session", "doas", "dotenv", "entr", "env", "exec", "fakeroot",
    "faketime", "fd", "find", "firejail", "flock", "function", "gosu", "ionice", "ltrace", "nice", "nodemon", "nohup",
    "npx", "nsenter", "numactl", "parallel", "pkexec", "pnpx", "proot", "runuser", "script", "setarch", "setpriv",
    "setsid", "sg", "source", "ssh", "stdbuf", "strace", "su", "sudo", "systemd-run", "taskset", "time", "timeout",
    "toybox", "trap", "unshare", "watch", "xargs", "xvfb-run",
];

pub(super) const SHELLS: [&str; 10] = ["ash", "bash", "dash", "fish", "ksh", "mksh", "rbash", "sh", "yash", "zsh"];

/// Commands of a shell that evaluate their arguments, with the substitutions in them.
pub(super) const EVALUATORS: [&str; 11] =
    ["[", "[[", "declare", "export", "for", "local", "printf", "read", "set", "test", "unset"];

/// Programs whose arguments are only data. Any other one may run what its arguments name.
#[rustfmt::skip]
const DATA: [&str; 59] = [
    ":", "basename", "break", "case", "cat", "cd", "chmod", "chown", "cmp", "comm", "continue", "cp", "cut", "date",
    "df", "diff", "dirname", "du", "echo", "egrep", "exit", "expr", "false", "fgrep", "file", "grep", "head", "id",
    "kill", "ln", "ls", "mkdir", "mktemp", "mv", "od", "popd", "printf", "pushd", "pwd", "readlink", "realpath",
    "return", "rm", "rmdir", "seq", "shift", "sleep", "stat", "tail", "tee", "touch", "tr", "true", "type", "uname",
    "uniq", "wc", "which", "whoami",
];

/// The verbs of package managers whose arguments are only data.
const PACKAGE_VERBS: [&str; 11] =
    ["add", "ci", "i", "install", "list", "ls", "publish", "remove", "rm", "uninstall", "update"];

/// Programs with the verbs of which the arguments are only data.
#[rustfmt::skip]
const VERBS: [(&str, &[&str]); 12] = [
    ("apt", &PACKAGE_VERBS), ("apt-get", &PACKAGE_VERBS), ("brew", &PACKAGE_VERBS), ("bun", &PACKAGE_VERBS),
    ("cargo", &PACKAGE_VERBS), ("npm", &PACKAGE_VERBS), ("pip", &PACKAGE_VERBS), ("pnpm", &PACKAGE_VERBS),
    ("yarn", &PACKAGE_VERBS),
    ("docker", &["images", "logs", "ps", "pull", "push", "rm", "rmi", "stop"]),
    ("gh", &["issue", "pr", "release", "repo"]),
    ("git", &[
        "add", "blame", "branch", "checkout", "cherry-pick", "clean", "commit", "diff", "init", "log", "ls-files",
        "merge", "mv", "reset", "restore", "rev-parse", "revert", "rm", "show", "stash", "status", "switch", "tag",
    ]),
];

/// The name of a program without its folder, without the `=` by which zsh finds it, and without the endings of programs on
/// Windows.
pub fn name(program: &str) -> &str {
    let name = program.rsplit(['/', '\\', '=']).next().unwrap_or_default();
    let stem = name
        .rsplit_once('.')
        .filter(|(_, ending)| ["exe", "cmd", "bat", "com"].iter().any(|known| known.eq_ignore_ascii_case(ending)));
    stem.map_or(name, |(stem, _)| stem)
}

/// Whether a program is one of these, by any path and in any case.
pub(super) fn is_in(names: &[&str], program: &str) -> bool {
    let name = name(program);
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether a command without assignments and keywords certainly runs no program that its arguments name. An option before the
/// verb may take the verb for its value.
pub(super) fn is_data(words: &[String]) -> bool {
    let Some((program, arguments)) = words.split_first() else { return true };
    let verbs = VERBS.iter().find(|(known, _)| is_in(&[known], program));
    let verb = || match (name(program), arguments) {
        ("git", [option, _, verb, ..]) if option == "-C" => Some(verb),
        (_, arguments) => arguments.first(),
    };
    // A program by a path may be anything of that name.
    let is_evaluated = program == "printf" && arguments.first().is_some_and(|first| first.starts_with("-v"));
    DATA.contains(&program.as_str()) && !is_evaluated
        || verbs.is_some_and(|(_, known)| verb().is_some_and(|verb| known.contains(&verb.as_str())))
}

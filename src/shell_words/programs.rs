//! What is known about programs: which ones run another one, and which ones certainly do not.

/// Words that may precede a command.
pub(super) const KEYWORDS: [&str; 10] = ["!", "{", "}", "if", "then", "elif", "else", "while", "until", "do"];

/// Programs that run a program, or a line, that their arguments name.
#[rustfmt::skip]
pub(super) const RUNNERS: [&str; 58] = [
    "alias", "builtin", "bunx", "busybox", "bwrap", "catchsegv", "chroot", "chrt", "command", "concurrently", "coproc",
    "cross-env", "dbus-run-session", "doas", "dotenv", "entr", "env", "exec", "faketime", "fakeroot", "fd", "find",
    "firejail", "flock", "function", "gosu", "ionice", "ltrace", "nice", "nodemon", "nohup", "npx", "nsenter", "numactl",
    "parallel", "pkexec", "pnpx", "proot", "runuser", "script", "setarch", "setpriv", "setsid", "sg", "stdbuf", "strace",
    "su", "sudo", "systemd-run", "taskset", "time", "timeout", "toybox", "trap", "unshare", "watch", "xargs", "xvfb-run",
];

pub(super) const SHELLS: [&str; 10] = ["ash", "bash", "dash", "fish", "ksh", "mksh", "rbash", "sh", "yash", "zsh"];

/// Programs whose arguments are only data. Any other one may run what its arguments name.
#[rustfmt::skip]
const DATA: [&str; 70] = [
    ":", "[", "[[", "basename", "break", "case", "cat", "cd", "chmod", "chown", "cmp", "comm", "continue", "cp", "cut",
    "date", "declare", "df", "diff", "dirname", "du", "echo", "egrep", "exit", "export", "expr", "false", "fgrep", "file",
    "for", "grep", "head", "id", "kill", "ln", "local", "ls", "mkdir", "mktemp", "mv", "od", "popd", "printf", "pushd",
    "pwd", "read", "readlink", "realpath", "return", "rm", "rmdir", "select", "seq", "set", "shift", "sleep", "stat",
    "tail", "tee", "test", "touch", "tr", "true", "type", "uname", "uniq", "unset", "wc", "which", "whoami",
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
        "merge", "mv", "push", "reset", "restore", "rev-parse", "revert", "rm", "show", "stash", "status", "switch", "tag",
    ]),
];

/// The name of a program without its folder, and without the endings of programs on Windows.
pub fn name(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
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
    DATA.contains(&program.as_str())
        || verbs.is_some_and(|(_, known)| verb().is_some_and(|verb| known.contains(&verb.as_str())))
}

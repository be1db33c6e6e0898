//! What no snapshot holds and no rollback touches, whatever the ignore rules say.

/// `.git` and `.loopgate` in any component, `.handoff/specs/<id>/iterations/` and the logs of a spec's runs
/// (`runs/<spec>/<time>/`). An entry below a protected one is protected as well.
pub(super) fn is_protected(path: &str) -> bool {
    path.split('/').any(is_private) || is_attempt_record(path) || is_run_log(path)
}

/// A name that some file system takes for `.git` or `.loopgate`, or that git refuses in a tree.
fn is_private(name: &str) -> bool {
    // What every such name begins with: there are many names, and few of these.
    let may_be = |part: &&str| part.starts_with(|c: char| matches!(c, '.' | 'g' | 'G' | 'l' | 'L') || !c.is_ascii());
    name.split('\\').filter(may_be).map(meaning).any(|name| {
        matches!(name.as_str(), ".git" | ".loopgate") || is_short(&name, "git~") || is_short(&name, "loopga~")
    })
}

/// A link of this name in a tree makes git refuse all of the tree: `.gitmodules` is a file, or nothing.
pub(super) fn is_refused_link(path: &str) -> bool {
    let name = meaning(path.rsplit('/').next().unwrap_or(path));
    name == ".gitmodules" || is_short(&name, "gitmod~") || is_short(&name, "gi7eba~")
}

/// The name as the least exact file system reads it.
fn meaning(name: &str) -> String {
    let visible: String = name.chars().filter(|c| !is_invisible(*c)).collect();
    let stream = visible.split(':').next().unwrap_or_default();
    stream.trim_end_matches(['.', ' ']).to_ascii_lowercase()
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

fn is_short(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|digit| matches!(digit, "1" | "2" | "3" | "4"))
}

fn is_attempt_record(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.next() == Some(".handoff")
        && parts.next() == Some("specs")
        && parts.next().is_some()
        && parts.next() == Some("iterations")
}

fn is_run_log(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.next() == Some("runs") && parts.next().is_some() && parts.any(is_time)
}

/// A folder's name that is a time: `2026-01-31T12-00-00Z`, `1700000000000`.
fn is_time(name: &str) -> bool {
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    let only = name.bytes().all(|byte| byte.is_ascii_digit() || b"-_:.TZ".contains(&byte));
    digits >= 8 && only && name.bytes().next().is_some_and(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn protects_what_is_not_the_projects() {
        for path in [
            ".git",
            ".git/HEAD",
            "sub/.GIT/config",
            ".git.",
            ".git /x",
            ".g\u{200c}it/config",
            ".git::$INDEX_ALLOCATION",
            "GIT~1",
            ".loopgate/undo",
            "a/.LoopGate",
            ".handoff/specs/s/iterations",
            ".handoff/specs/s/iterations/1/prompt.md",
            "runs/0001-foo/2026-01-31T12-00-00Z/plan-attempt-1.log",
            "runs/area/0001-foo/1700000000000",
        ] {
            assert!(is_protected(path), "{path}");
        }
        for path in [
            ".gitignore",
            ".github/workflows",
            "src/git",
            "loopgate",
            ".handoff/specs/s/spec.md",
            ".handoff/config.yaml",
            ".handoff/specs/iterations/x",
            "runs/exp/weights.bin",
            "runs/12345678/a",
            "src/runs/a/1700000000000",
            ".ralph/plan.tsx",
        ] {
            assert!(!is_protected(path), "{path}");
        }
    }
}

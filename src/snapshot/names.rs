//! The names of snapshots: tags, and the refs that they have.

use crate::layout::SNAPSHOT_REFS;

/// The folder of git's tags.
pub(crate) const TAG_REFS: &str = "refs/tags";

/// The ref of a snapshot of the harness: a `/` of the tag is a `=` in the ref.
pub(crate) fn snapshot_ref(tag: &str) -> String {
    format!("{SNAPSHOT_REFS}/{}", tag.replace('/', "="))
}

/// The tag of a ref in [`SNAPSHOT_REFS`], given its name there; `None` if the harness has no such tag.
pub(crate) fn tag_of_snapshot_ref(name: &str) -> Option<String> {
    let tag = name.replace('=', "/");
    is_snapshot_tag(&tag).then_some(tag)
}

/// Whether the harness names its own snapshots like this. The snapshots of tasks are git tags.
pub(crate) fn is_snapshot_tag(tag: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_stall = |rest: &str| match rest.split_once("-recovery") {
        Some((task, number)) => {
            is_number(task) && (number.is_empty() || number.strip_prefix('-').is_some_and(is_number))
        }
        None => false,
    };
    !tag.contains('=')
        && (tag.starts_with("chunks/")
            || tag.starts_with("spec/")
            || tag.strip_prefix("manual-").is_some_and(is_number)
            || tag.strip_prefix("stall-").is_some_and(is_stall))
}

/// The n-th tag of a name: `pre`, `pre-2`, `pre-3`.
pub(crate) fn numbered(name: &str, number: u32) -> String {
    if number < 2 { name.to_owned() } else { format!("{name}-{number}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_of_the_harness_has_one_ref_without_a_folder() {
        for tag in ["chunks/shop/pre-2", "spec/0001-a%2fb/base", "manual-17", "stall-1-recovery", "stall-1-recovery-2"]
        {
            let name = snapshot_ref(tag);
            let name = name.strip_prefix(SNAPSHOT_REFS).and_then(|name| name.strip_prefix('/')).unwrap();
            assert!(!name.contains('/'), "{name}");
            assert_eq!(tag_of_snapshot_ref(name).as_deref(), Some(tag));
        }
        for tag in ["mine", "task-1-pre", "manual-", "manual-1a", "stall-x-recovery", "stall-1-recovery2", "chunks/a=b"]
        {
            assert!(!is_snapshot_tag(tag), "{tag}");
        }
        assert_eq!(tag_of_snapshot_ref("mine"), None);
    }

    #[test]
    fn the_first_of_a_name_has_no_number() {
        assert_eq!([0, 1, 2, 12].map(|number| numbered("pre", number)), ["pre", "pre", "pre-2", "pre-12"]);
    }
}

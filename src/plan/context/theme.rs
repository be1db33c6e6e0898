//! The command that applies a plan's theme.

use super::ThemeContext;
use crate::json;
use crate::plan::PropValue;
use crate::plan::report::PlanNode;
use crate::shell_words::{quoted, word};

/// The command for the plan's `<Theme>`, or the reason why there is none. A seed and a pattern generate a theme; otherwise
/// the mood names a preset.
pub(super) fn declared(root: &PlanNode) -> ThemeContext {
    let Some(theme) = root.children.iter().find(|child| child.component == "Theme") else {
        return ThemeContext::default().failed("No <Theme> block in plan");
    };
    let text = |prop| match theme.props.get(prop) {
        Some(PropValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let context = ThemeContext { mood: text("mood"), font: text("font"), ..ThemeContext::default() };
    match command(theme) {
        Ok(command) => ThemeContext { command, ..context },
        Err(problem) => context.failed(problem),
    }
}

fn command(theme: &PlanNode) -> Result<String, String> {
    let seed = theme.props.get("seed").filter(|seed| matches!(seed, PropValue::Number(_)));
    let pattern = theme.props.get("pattern").filter(|pattern| matches!(pattern, PropValue::String(_)));
    if let (Some(_), Some(_)) = (seed, pattern) {
        let mut command = "theme generate".to_owned();
        for (prop, option, write) in OPTIONS {
            if let Some(value) = argument(theme, prop, write)? {
                command.push_str(&format!(" {option} {value}"));
            }
        }
        return Ok(format!("{command} --apply"));
    }
    match argument(theme, "mood", word)? {
        Some(mood) => Ok(format!("theme preset {mood} --apply")),
        None => {
            Err("Cannot determine theme command from <Theme> props: set `mood`, or both `seed` and `pattern`"
                .to_owned())
        }
    }
}

type Write = fn(&str) -> Result<String, &'static str>;

/// The props of a generated theme, in the order of the command, with their options and how values are written.
const OPTIONS: [(&str, &str, Write); 7] = [
    ("seed", "--seed", word),
    ("pattern", "--pattern", word),
    ("mood", "--mood", word),
    ("chroma", "--chroma", word),
    ("font", "--font", quoted),
    ("shadowProfile", "--shadow-profile", word),
    ("radius", "--radius", word),
];

/// The prop as one word; `None` if it is absent or empty.
fn argument(theme: &PlanNode, prop: &str, write: Write) -> Result<Option<String>, String> {
    let text = match theme.props.get(prop) {
        None => return Ok(None),
        Some(PropValue::String(text)) if text.is_empty() => return Ok(None),
        Some(PropValue::String(text)) => text.clone(),
        Some(PropValue::Number(number)) => json::number(*number),
        Some(_) => return Err(format!("`{prop}` of <Theme> is neither a string nor a number")),
    };
    write(&text).map(Some).map_err(|unfit| format!("`{prop}` of <Theme> {unfit}; no command was run"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::root;
    use crate::shell_words::commands;

    fn theme(element: &str) -> ThemeContext {
        let source = format!("export default (<App>{element}<Screen><Section/></Screen></App>)");
        declared(&root(&source).unwrap())
    }

    #[test]
    fn the_command_is_built_from_the_props() {
        let cases = [
            (r#"<Theme mood="cyberpunk" />"#, "theme preset cyberpunk --apply"),
            (r#"<Theme mood="cyberpunk" font="Orbitron" seed={1} />"#, "theme preset cyberpunk --apply"),
            (r#"<Theme mood="mono" seed="180" pattern="triadic" />"#, "theme preset mono --apply"),
            (r#"<Theme seed={180} pattern="triadic" />"#, "theme generate --seed 180 --pattern triadic --apply"),
            (
                r#"<Theme seed={0.5} pattern="triadic" mood="playful" chroma={0} font="Orbitron" monoFont="Fira Code"
                    shadowProfile="dramatic" radius="rounded" philosophy="calm" />"#,
                "theme generate --seed 0.5 --pattern triadic --mood playful --chroma 0 --font \"Orbitron\" \
                 --shadow-profile dramatic --radius rounded --apply",
            ),
            (
                r#"<Theme seed={180} pattern="triadic" mood="" font="Space Grotesk" radius="very round" />"#,
                "theme generate --seed 180 --pattern triadic --font \"Space Grotesk\" --radius \"very round\" --apply",
            ),
            (r#"<Theme seed={-0} pattern="triadic" />"#, "theme generate --seed 0 --pattern triadic --apply"),
            (r#"<Theme mood="a" /><Theme mood="b" />"#, "theme preset a --apply"),
        ];
        for (element, command) in cases {
            assert_eq!(theme(element), ThemeContext { command: command.to_owned(), ..theme(element) }, "{element}");
            assert_eq!((theme(element).error, theme(element).applied), (None, false), "{element}");
        }
        let theme = theme(r#"<Theme seed={1} pattern="triadic" mood="playful" font="Orbitron" />"#);
        assert_eq!((theme.mood.as_deref(), theme.font.as_deref()), (Some("playful"), Some("Orbitron")));
    }

    #[test]
    fn values_cannot_inject_commands_or_options() {
        let shown = theme(r#"<Theme mood="x; rm -rf src" />"#);
        assert_eq!(shown.command, "theme preset \"x; rm -rf src\" --apply");
        assert_eq!(commands(&shown.command), [["theme", "preset", "x; rm -rf src", "--apply"]]);
        let refused = [
            (r#"<Theme mood="--help" />"#, "`mood` of <Theme> begins with `-`"),
            (r#"<Theme mood="$(id)" />"#, "`mood` of <Theme> has one of the characters"),
            ("<Theme mood={`a\nb`} />", "`mood` of <Theme> has a line end"),
            (r#"<Theme seed={-1} pattern="triadic" />"#, "`seed` of <Theme> begins with `-`"),
            (r#"<Theme seed={1} pattern="triadic" chroma="1`id`" />"#, "`chroma` of <Theme> has one of"),
            (r#"<Theme seed={1} pattern="triadic" font={'a" --x "b'} />"#, "`font` of <Theme> has one of"),
            (r#"<Theme seed={1} pattern="triadic" chroma />"#, "`chroma` of <Theme> is neither"),
            (r#"<Theme seed={1} pattern="triadic" radius={["a"]} />"#, "`radius` of <Theme> is neither"),
            ("<Theme seed={1} />", "Cannot determine theme command from <Theme> props"),
            ("<Theme />", "Cannot determine theme command from <Theme> props"),
            ("", "No <Theme> block in plan"),
        ];
        for (element, words) in refused {
            let theme = theme(element);
            assert_eq!((theme.command.as_str(), theme.applied), ("", false), "{element}");
            let error = theme.error.unwrap_or_default();
            assert!(error.starts_with(words), "{element}: {error}");
        }
    }

    #[cfg(not(target_family = "wasm"))]
    proptest::proptest! {
        #[test]
        fn every_command_is_one_command_with_the_props_as_its_arguments(
            values in proptest::array::uniform5("[\\PC\n\0]{0,10}|[-a-z0-9;&|<>(){}*?~#'%=. \"$`\\\\]{1,10}"),
            seed in 0.0..360.0_f64,
        ) {
            let props = [("pattern", "--pattern"), ("chroma", "--chroma"), ("font", "--font"),
                ("shadowProfile", "--shadow-profile"), ("radius", "--radius")];
            let given = props.iter().zip(&values).map(|((prop, _), value)| format!(" {prop}={{{}}}", serde_json::json!(value)));
            let theme = theme(&format!("<Theme seed={{{seed}}}{} />", given.collect::<String>()));
            match theme.error {
                Some(_) => proptest::prop_assert_eq!(theme.command, ""),
                None => {
                    let mut expected = vec!["theme", "generate", "--seed"].into_iter().map(str::to_owned).collect::<Vec<_>>();
                    expected.push(seed.to_string());
                    for ((_, option), value) in props.iter().zip(&values).filter(|(_, value)| !value.is_empty()) {
                        expected.extend([(*option).to_owned(), value.clone()]);
                    }
                    expected.push("--apply".to_owned());
                    proptest::prop_assert_eq!(commands(&theme.command), [expected]);
                }
            }
        }
    }
}

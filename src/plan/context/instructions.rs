//! The text of `.ralph/feedback.md` at the start of BUILD: the theme and the recipes.

use super::{NO_SHELL, PlanContext, SectionContext, ThemeContext, recipe};
use crate::layout::SUMMARY;
use crate::plan::mutation::PlannedChanges;

/// The instructions for a new plan. `warnings` are the formatted warnings of the validation.
pub fn format_build_instructions(context: &PlanContext, warnings: Option<&str>) -> String {
    let recipes = "## Section Recipes\n\nImplement each section in order. One file per section; render them from \
                   src/App.tsx. Take every color from the theme's CSS variables.\n\n";
    instructions(context, warnings, "", recipes)
}

/// The instructions for an updated plan: its changes, and the recipes of the changed sections.
pub fn format_update_instructions(context: &PlanContext, work: &PlannedChanges, warnings: Option<&str>) -> String {
    let lines: String = work.lines.iter().map(|line| format!("- {line}\n")).collect();
    let changes = format!(
        "## What Changes\n\nImplement these markers and nothing else. Leave every section that is not listed here as it \
         is.\n\n{lines}\n"
    );
    let recipes = "## Recipes of the Sections That Change\n\nChange each section in its file. Leave its items and their \
                   texts as they are unless a marker says otherwise. Take every color from the theme's CSS variables.\n\n";
    instructions(context, warnings, &changes, recipes)
}

/// `recipes` introduces the sections.
fn instructions(context: &PlanContext, warnings: Option<&str>, changes: &str, recipes: &str) -> String {
    let mut text = format!("# Plan Validated — Build Instructions\n\n{}", theme(&context.theme));
    if let Some(warnings) = warnings.map(str::trim).filter(|warnings| !warnings.is_empty()) {
        text.push_str(&format!("{warnings}\n\n"));
    }
    text.push_str(changes);
    if !context.sections.is_empty() {
        text.push_str(recipes);
        context.sections.iter().for_each(|context| text.push_str(&section(context)));
    }
    text + &format!("---\n\nWrite {SUMMARY} when done, then call complete_task.\n")
}

fn theme(theme: &ThemeContext) -> String {
    let ThemeContext { applied, command, output, error, .. } = theme;
    match error {
        _ if *applied => format!(
            "## Theme Applied ✓\n\nCommand: `{command}`\n{}\n\nTheme is set. Use `theme modify --shift-hue <deg> --apply` \
             for adjustments.\nDo NOT run `theme preset` or `theme generate` again — the theme is locked.\n\n",
            output.trim()
        ),
        Some(error) if error == NO_SHELL => {
            "## Theme ⚠️\n\nCould not apply the theme. Write its CSS variables from the plan's `<Theme>`.\n\n"
                .to_owned()
        }
        Some(error) => format!(
            "## Theme ⚠️\n\nCould not apply theme automatically: {}\nApply it yourself: run `theme preset <name> --apply` or \
             `theme generate ...`, or write the theme's CSS variables.\n\n",
            error.trim()
        ),
        None if output.is_empty() => String::new(),
        None => format!("## Theme kept\n\n{}\n\n", output.trim()),
    }
}

fn section(section: &SectionContext) -> String {
    let SectionContext { gumdrop, variant, recipe, components, suggested_file } = section;
    let variant = variant.as_ref().map(|variant| format!(" (variant: {variant})")).unwrap_or_default();
    let components =
        if components.is_empty() { String::new() } else { format!("**Components:** {}\n\n", components.join(", ")) };
    let recipe = match recipe {
        Some(recipe) => recipe::below(SECTION_LEVEL, recipe::body(recipe).trim()),
        None => format!("_No recipe found for \"{gumdrop}\". Build it from the project's own components._"),
    };
    format!("### {gumdrop}{variant} → `{suggested_file}`\n\n{components}{recipe}\n\n")
}

/// The heading level of a section; headings of its recipe are below it.
const SECTION_LEVEL: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    fn section_context(gumdrop: &str, variant: Option<&str>, file: &str) -> SectionContext {
        let (gumdrop, variant, suggested_file) = (gumdrop.to_owned(), variant.map(str::to_owned), file.to_owned());
        SectionContext { gumdrop, variant, recipe: None, components: Vec::new(), suggested_file }
    }

    #[test]
    fn without_a_shell_no_command_is_named() {
        for (error, expected) in [(NO_SHELL, false), ("exit code 1", true)] {
            let theme =
                ThemeContext { command: "theme preset zen".to_owned(), ..ThemeContext::default() }.failed(error);
            let text = format_build_instructions(&PlanContext { theme, sections: Vec::new() }, None);
            assert!(text.contains("Theme ⚠️"), "{text}");
            assert_eq!(text.contains("theme preset") || text.contains("shell"), expected, "{text}");
        }
    }

    #[test]
    fn includes_section_recipes_with_suggested_filenames() {
        let pricing = section_context("pricing", None, "src/sections/PricingSection.tsx");
        let mut hero = section_context("hero", Some("centered"), "src/sections/HeroSection.tsx");
        let recipe = "---\nname: hero\ncomponents: Button, Badge\n---\n# Hero\n\nRecipe content here.";
        hero.take_recipe(Some(recipe.to_owned()));
        let theme = ThemeContext::default().applied("Applied".to_owned());
        let text = format_build_instructions(&PlanContext { theme, sections: vec![hero, pricing] }, None);
        for words in [
            "### hero (variant: centered) → `src/sections/HeroSection.tsx`\n\n**Components:** Button, Badge\n\n#### Hero\n",
            "Recipe content here",
            "### pricing → `src/sections/PricingSection.tsx`\n\n_No recipe found for \"pricing\"",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
        assert!(!text.contains("name: hero"), "the front matter is omitted: {text}");
        assert!(text.ends_with("Write .ralph/summary.md when done, then call complete_task.\n"));
    }
}

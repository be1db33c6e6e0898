//! Resolves the context of a plan: runs its theme's command and looks up its recipes.

use crate::error::{Error, ErrorCode};
use crate::plan::{self, NO_SHELL, PlanContext, Registry, SectionContext, ThemeContext};
use crate::port::{Abort, Aborted, Host, PortErrorKind, with_timeout};
use crate::text::shortened;
use std::collections::BTreeMap;

/// Resolves a plan immediately: the theme's command runs even if it ran before. Failures of the theme and the recipes
/// are part of the result. The plan may have errors, if it parses.
///
/// # Errors
/// `invalid-argument` if the source does not parse, with the first error and its place.
pub async fn resolve_plan_context(host: &Host, source: &str) -> Result<PlanContext, Error> {
    let report = plan::validate(source, Registry::builtin(), None);
    let unreadable = report.failures.iter().find(|failure| matches!(failure.id.as_str(), "parseable" | "too-large"));
    let mut context = match (&report.root, unreadable) {
        (Some(root), None) => PlanContext::declared(root),
        (_, failure) => {
            let message = failure.map_or("it has no root", |failure| &failure.message);
            let message = format!("the plan cannot be read: {message}");
            let mut error = Error::new(ErrorCode::InvalidArgument, message);
            (error.line, error.column) = (failure.map(|failure| failure.line), failure.map(|failure| failure.column));
            return Err(error);
        }
    };
    let never = Abort::new();
    if look_up_recipes(host, &never, &mut context.sections).await.is_ok()
        && let Ok(theme) = apply_theme(host, &never, context.theme.clone()).await
    {
        context.theme = theme;
    }
    Ok(context)
}

/// Looks up the recipe of each distinct section. Also returns the failures as text; those sections have no recipe.
pub(super) async fn look_up_recipes(
    host: &Host,
    abort: &Abort,
    sections: &mut [SectionContext],
) -> Result<Vec<String>, Aborted> {
    let (mut found, mut failures) = (BTreeMap::<String, Option<String>>::new(), Vec::new());
    let Some(recipes) = host.recipes.as_deref() else { return Ok(failures) };
    let mut answers = true;
    for section in sections.iter_mut().filter(|section| !section.gumdrop.is_empty()) {
        let id = section.recipe_id();
        if let Some(recipe) = found.get(&id) {
            section.take_recipe(recipe.clone());
            continue;
        }
        let mut recipe = None;
        if answers {
            match with_timeout(&*host.clock, abort, RECIPE_MS, ("recipes", &id), recipes.recipe(&id)).await {
                Ok(answer) => recipe = answer,
                Err(error) => {
                    if let Some(reason) = abort.reason() {
                        return Err(Aborted { reason });
                    }
                    // After a timeout, the others are not asked.
                    answers = error.kind != PortErrorKind::Timeout;
                    let rest = if answers { "" } else { "; the other recipes are not loaded" };
                    failures.push(format!("The recipe {id} could not be loaded: {error}{rest}"));
                }
            }
        }
        section.take_recipe(recipe.clone());
        found.insert(id, recipe);
    }
    Ok(failures)
}

/// Runs the theme's command, if the plan has one and the host has a shell.
pub(super) async fn apply_theme(host: &Host, abort: &Abort, theme: ThemeContext) -> Result<ThemeContext, Aborted> {
    if theme.error.is_some() {
        return Ok(theme);
    }
    let Some(shell) = host.shell.as_deref() else {
        return Ok(theme.failed(NO_SHELL));
    };
    let call = shell.execute(&theme.command, &host.dir, THEME_MS, abort);
    let limit = THEME_MS + GRACE_MS;
    Ok(match with_timeout(&*host.clock, abort, limit, ("shell", "execute"), call).await {
        Ok(output) if output.exit_code == 0 => theme.applied(shortened(&output.stdout, OUTPUT_CHARS)),
        Ok(output) => {
            let said = match output.stderr.trim() {
                "" => "Theme command failed".to_owned(),
                said => shortened(said, OUTPUT_CHARS),
            };
            let error = format!("{said} (`{}`, exit code {})", theme.command, output.exit_code);
            ThemeContext { output: shortened(&output.stdout, OUTPUT_CHARS), ..theme }.failed(error)
        }
        Err(error) => {
            if let Some(reason) = abort.reason() {
                return Err(Aborted { reason });
            }
            let error = format!("{error}. `{}` may be partly applied: check the theme's CSS variables", theme.command);
            theme.failed(error)
        }
    })
}

/// Timeout for one recipe, in milliseconds.
const RECIPE_MS: u64 = 15_000;

/// Timeout for the theme's command, in milliseconds.
const THEME_MS: u64 = 60_000;

/// Extra time for the shell to report the timeout, in milliseconds.
const GRACE_MS: u64 = 5_000;

/// Maximum length of a command's output, in characters.
const OUTPUT_CHARS: usize = 4_000;

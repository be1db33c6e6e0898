//! The IDE's recipes: an array or a lookup function.

use super::call::Call;
use super::value::{get, given, wrong};
use crate::error::Error;
use crate::port::{PortResult, RecipesPort};
use async_trait::async_trait;
use js_sys::{Array, Function};
use wasm_bindgen::{JsCast, JsValue};

/// The recipes of a host.
pub enum JsRecipes {
    /// Objects of the type `Recipe`.
    List(Array),
    /// A function from an id to a recipe, `null` or `undefined`.
    Function(Function),
}

impl JsRecipes {
    /// Wraps an array of `Recipe` objects, or a function.
    pub fn new(recipes: &JsValue) -> Result<Self, Error> {
        if let Some(function) = recipes.dyn_ref::<Function>() {
            return Ok(Self::Function(function.clone()));
        }
        let Some(list) = recipes.dyn_ref::<Array>() else {
            return Err(wrong("recipes", "an array or a function", recipes));
        };
        for (at, recipe) in list.iter().enumerate() {
            for name in ["id", "content"] {
                let value = get(&recipe, name);
                if !value.is_string() {
                    return Err(wrong(&format!("recipes[{at}].{name}"), "a string", &value));
                }
            }
        }
        Ok(Self::List(list.clone()))
    }

    /// An empty list has no recipe.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::List(list) if list.length() == 0)
    }
}

#[async_trait(?Send)]

impl RecipesPort for JsRecipes {
    async fn recipe(&self, id: &str) -> PortResult<Option<String>> {
        let call = Call { port: "recipes", operation: id, path: None, limit_ms: None };
        let recipe = match self {
            Self::List(list) => {
                list.iter().find(|recipe| get(recipe, "id").as_string().as_deref() == Some(id)).unwrap_or(JsValue::NULL)
            }
            Self::Function(look_up) => call.function(look_up, &JsValue::UNDEFINED, &Array::of1(&id.into())).await?,
        };
        if recipe.is_undefined() || recipe.is_null() {
            return Ok(None);
        }
        match given(&recipe, "content").and_then(|content| content.as_string()) {
            Some(content) => Ok(Some(content)),
            None => Err(call.unexpected(&get(&recipe, "content"), "a string in `content`")),
        }
    }
}

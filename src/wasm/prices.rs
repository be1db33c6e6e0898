//! The prices of a host: a table, or the host's function.

use super::value::{from_js, kind, to_js};
use crate::error::{Error, ErrorCode};
use crate::port::{PriceTable, PricesPort, Usage};
use js_sys::{Array, Function};
use wasm_bindgen::{JsCast, JsValue};

/// The prices of a host.
pub enum JsPrices {
    /// By the model's id.
    Table(PriceTable),
    /// `(usage, model?) => number | undefined`.
    Function(Function),
}

impl JsPrices {
    /// Takes an object or a function.
    ///
    /// # Errors
    /// `invalid-argument` for anything else, naming the field that is wrong.
    pub fn new(prices: &JsValue) -> Result<Self, Error> {
        if let Some(function) = prices.dyn_ref::<Function>() {
            return Ok(Self::Function(function.clone()));
        }
        let wrong = |why: String| {
            let message = format!(
                "`prices` cannot be read: {why}; pass {{ \"model-id\": {{ inputPerMillion, outputPerMillion }} }} or a \
                 function (usage, model) => dollars"
            );
            Error::new(ErrorCode::InvalidArgument, message)
        };
        if !prices.is_object() || Array::is_array(prices) {
            return Err(wrong(format!("it is {}", kind(prices))));
        }
        from_js(prices).map(Self::Table).map_err(wrong)
    }
}

impl PricesPort for JsPrices {
    /// A function that throws is logged, and gives no cost.
    fn cost(&self, usage: &Usage, model: Option<&str>) -> Option<f64> {
        let function = match self {
            Self::Table(table) => return table.cost(usage, model),
            Self::Function(function) => function,
        };
        let model = model.map_or(JsValue::UNDEFINED, JsValue::from_str);
        match function.call2(&JsValue::UNDEFINED, &to_js(usage), &model) {
            Ok(cost) => cost.as_f64(),
            Err(thrown) => {
                web_sys::console::error_2(&"loopgate: `prices` threw".into(), &thrown);
                None
            }
        }
    }
}

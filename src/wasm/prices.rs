//! The prices of a host: a table, or the host's function.

use super::value::{from_js, to_js};
use crate::error::Error;
use crate::port::{PriceTable, PricesPort, Usage};
use js_sys::Function;
use wasm_bindgen::{JsCast, JsValue};

/// The prices of a host.
pub enum JsPrices {
    /// By the model's id.
    Table(PriceTable),
    /// `(usage, model?) => number | undefined`.
    Function(Function),
}

impl JsPrices {
    /// Wraps a price table or a function.
    pub fn new(prices: &JsValue) -> Result<Self, Error> {
        if let Some(function) = prices.dyn_ref::<Function>() {
            return Ok(Self::Function(function.clone()));
        }
        from_js(prices).map(Self::Table).map_err(|mut why| {
            why.why += "; pass { \"model-id\": { inputPerMillion, outputPerMillion } } or a function (usage, model) => \
                        dollars";
            why.of_argument("`prices`")
        })
    }
}

impl PricesPort for JsPrices {
    /// An exception of the function is logged, and the cost is unknown.
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

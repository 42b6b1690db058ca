//! Checks that the text form of a value is read back.

use object_core::json;
use object_core::prelude::*;
use object_core::repr::{Repr, parse};
use object_core::stats::GraphStats;

/// The complete text form of `value`.
pub(crate) fn whole_text<T: object_core::FieldType>(value: &T) -> String {
    Repr::new(value).max_values(usize::MAX).tensor_data(true).to_string()
}

/// Checks that the parser reads the text form of `value` back to an equal value with the same sharing.
pub(crate) fn reads_back(value: &Any) -> Result<(), String> {
    let text = whole_text(value);
    let wrong = |what: &str| Err(format!("read back, it {what}\n{text}"));
    let back = match parse(&text) {
        Ok(back) => back,
        Err(error) => return wrong(&format!("is an error: {error}")),
    };
    let again = whole_text(&back);
    if again != text {
        return wrong(&format!("has another text: {again}"));
    }
    let lines = Repr::new(value).max_values(usize::MAX).tensor_data(true).indented(true).to_string();
    if parse(&lines).map(|back| whole_text(&back)).ok().as_ref() != Some(&text) {
        return wrong(&format!("has another text on several lines: {lines}"));
    }
    let [stats, stats_back] = [value, &back].map(GraphStats::of);
    if (stats.nodes, stats.edges, stats.shared) != (stats_back.nodes, stats_back.edges, stats_back.shared) {
        return wrong(&format!("has other sharing: {stats:?} {stats_back:?}"));
    }
    let Ok(json) = json::to_string(value) else {
        return if json::to_string(&back).is_err() { Ok(()) } else { wrong("has a form in JSON") };
    };
    if json::to_string(&back).ok().as_ref() != Some(&json) {
        return wrong("is another in JSON");
    }
    // Each copy has different free variables.
    let other = json::from_slice::<Any>(json.as_bytes()).map_err(|error| error.to_string())?;
    match (structural_first_mismatch(value, &back), structural_first_mismatch(value, &other)) {
        (Ok(None), _) | (Ok(Some(_)), Ok(Some(_))) | (Err(_), Err(_)) => Ok(()),
        (verdict, _) => wrong(&format!("differs: {verdict:?}")),
    }
}

//! Names and attributes of functions of all kinds.

use std::rc::Rc;

use object_core::{Any, Map, Str};
use object_ir::ir::DictAttrs;

pub(crate) use crate::memory::GLOBAL_SYMBOL;
use crate::print::state::printer::Printer;

/// The name of a function in the text: from its place, else from its symbol.
pub(crate) fn function_name(p: &Printer<'_>, attrs: &DictAttrs) -> Rc<str> {
    if let Some(name) = p.binding_names.last() {
        return Rc::clone(name);
    }
    Rc::from(global_symbol(attrs).as_deref().unwrap_or("main"))
}

/// The symbol of a function.
pub(crate) fn global_symbol(attrs: &DictAttrs) -> Option<Str> {
    attrs.dict.get(GLOBAL_SYMBOL)?.cast().ok()
}

/// The attributes without `hidden`, which the text shows in another way.
pub(crate) fn attrs_without(attrs: &DictAttrs, hidden: &[&str]) -> Option<DictAttrs> {
    let shown = attrs.dict.iter().filter(|(name, _)| !hidden.contains(&name.as_str()));
    let shown: Map<Str, Any> = Map::new(shown);
    (!shown.is_empty()).then(|| DictAttrs::new(shown))
}

//! The hooks that several versions of TVM share: the values of modules and bindings that structural equality compares,
//! whatever Rust type or schema the objects have.

use std::collections::BTreeMap;

use object_core::object::{HookContents, HookPairs, HookValue};
use object_core::prelude::*;

/// The values of a module that count in structural equality.
#[derive(Clone, Copy)]
pub(crate) struct ModuleValues<'a> {
    pub(crate) attrs: HookValue<'a>,
    pub(crate) global_infos: HookValue<'a>,
    /// The functions, by global variable.
    pub(crate) functions: HookValue<'a>,
    /// The global variables, by name.
    pub(crate) global_var_map: AnyView<'a>,
}

/// A function of a module.
struct NamedFunction<'a> {
    name: &'a str,
    name_view: AnyView<'a>,
    key: AnyView<'a>,
    function: AnyView<'a>,
}

/// Binds global variables of the same name before the functions, because functions call each other. `name_of` is the name
/// of a value if the value is a global variable.
impl<'a> ModuleValues<'a> {
    /// The entries of a map.
    fn entries(map: AnyView<'a>) -> impl Iterator<Item = (AnyView<'a>, AnyView<'a>)> {
        map.as_object().and_then(|map| map.as_map()).into_iter().flat_map(|map| map.iter())
    }

    /// The global variables by name: the values of `global_var_map`, and the keys of `functions` that it lacks.
    fn global_vars(&self, name_of: impl Fn(AnyView<'a>) -> Option<AnyView<'a>>) -> BTreeMap<&'a str, AnyView<'a>> {
        let listed = Self::entries(self.global_var_map);
        let mut found: BTreeMap<&str, AnyView<'_>> =
            listed.filter_map(|(name, var)| Some((name.as_str()?, var))).collect();
        for (key, _) in Self::entries(self.functions.view()) {
            if let Some(name) = name_of(key).and_then(AnyView::as_str) {
                found.entry(name).or_insert(key);
            }
        }
        found
    }

    /// The functions with their names and keys, sorted by name.
    fn functions_by_name(&self, name_of: impl Fn(AnyView<'a>) -> Option<AnyView<'a>>) -> Vec<NamedFunction<'a>> {
        let named = |(key, function)| {
            let name_view = name_of(key)?;
            Some(NamedFunction { name: name_view.as_str()?, name_view, key, function })
        };
        let mut sorted: Vec<_> = Self::entries(self.functions.view()).filter_map(named).collect();
        sorted.sort_by_key(|function| function.name);
        sorted
    }

    /// Lists the values. A global variable without a function does not count in equality, so it does not count here.
    pub(crate) fn list(self, name_of: impl Fn(AnyView<'a>) -> Option<AnyView<'a>>, contents: &mut HookContents<'a>) {
        let functions = self.functions_by_name(name_of);
        contents.add_value(self.attrs, FieldRole::Content);
        contents.add_value(self.global_infos, FieldRole::Content);
        contents.add_computed("functions", functions.len() as i64, FieldRole::Content);
        // The variables of `global_vars`, without its map: building one costs more than to find all hashes in a cache.
        let global_var_map = self.global_var_map.as_object().and_then(|map| map.as_map());
        for of_one_name in functions.chunk_by(|a, b| a.name == b.name) {
            let NamedFunction { name_view, key, .. } = of_one_name[0];
            let var = global_var_map.and_then(|map| map.get(name_view)).unwrap_or(key);
            of_one_name.iter().for_each(|_| contents.add_view("functions", var, FieldRole::Def));
        }
        for NamedFunction { name_view, function, .. } in functions {
            contents.add_view("functions", name_view, FieldRole::Content);
            contents.add_view("functions", function, FieldRole::Content);
        }
    }

    /// Lists the pairs: by name, so that a mismatch leads to the function with this name in both modules.
    pub(crate) fn pair(
        self,
        other: Self,
        name_of: impl Fn(AnyView<'a>) -> Option<AnyView<'a>>,
        pairs: &mut HookPairs<'a>,
    ) {
        pairs.require_value(self.attrs, other.attrs, FieldRole::Content);
        pairs.require_value(self.global_infos, other.global_infos, FieldRole::Content);
        let others = other.global_vars(&name_of);
        for (name, var) in self.global_vars(&name_of) {
            if let Some(other_var) = others.get(name) {
                pairs.require_view("functions", var, *other_var, FieldRole::Def);
            }
        }
        pairs.require_value(self.functions, other.functions, FieldRole::Content);
    }
}

/// The values of a binding that count in structural equality.
#[derive(Clone, Copy)]
pub(crate) struct BindingValues<'a> {
    pub(crate) var: HookValue<'a>,
    pub(crate) value: HookValue<'a>,
    /// Whether the variable is visible in its own value.
    pub(crate) is_recursive: bool,
}

/// The value comes first, so that the variable is not bound in it. A function comes second, because it may call itself.
impl<'a> BindingValues<'a> {
    /// Lists the values.
    pub(crate) fn list(self, contents: &mut HookContents<'a>) {
        if self.is_recursive {
            contents.add_value(self.var, FieldRole::Def);
        }
        contents.add_value(self.value, FieldRole::Content);
        if !self.is_recursive {
            contents.add_value(self.var, FieldRole::Def);
        }
    }

    /// Lists the pairs in the order of `self`, so that a function and another expression differ at `value` and not as whole
    /// bindings.
    pub(crate) fn pair(self, other: Self, pairs: &mut HookPairs<'a>) {
        if self.is_recursive {
            pairs.require_value(self.var, other.var, FieldRole::Def);
        }
        pairs.require_value(self.value, other.value, FieldRole::Content);
        if !self.is_recursive {
            pairs.require_value(self.var, other.var, FieldRole::Def);
        }
    }
}

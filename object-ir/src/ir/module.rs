//! Modules: the unit of compilation.

use std::collections::BTreeMap;

use object_core::FieldType;
use object_core::prelude::*;

use crate::ir::attrs::DictAttrs;
use crate::ir::function::BaseFunc;
use crate::ir::global_info::GlobalInfo;
use crate::ir::source::SourceMap;
use crate::ir::var::{GlobalVar, GlobalVarNode};

/// Functions by global name, with the facts that they share. Two modules are equal if functions of the same name are
/// equal; source texts do not count.
///
/// TVM 0.25 `ir.IRModule`; spec: `IRModule`.
#[derive(Object)]
#[object(type_key = "ir.IRModule")]
#[structural_eq(tree, custom)]
pub struct IRModuleNode {
    /// The functions.
    pub functions: Map<GlobalVar, BaseFunc>,
    /// From name to the key of `functions`.
    #[field(rename = "global_var_map_")]
    pub global_var_map: Map<Str, GlobalVar>,
    /// The source texts that spans refer to.
    pub source_map: SourceMap,
    /// Facts about the whole module.
    pub attrs: DictAttrs,
    /// Entries by kind, such as `vdevice` and `mesh`.
    pub global_infos: Map<Str, Array<GlobalInfo>>,
}

impl IRModuleNode {
    /// The global variables by name: the values of `global_var_map`, and the keys of `functions` that it lacks.
    fn global_vars(&self) -> BTreeMap<&str, AnyView<'_>> {
        let listed = self.global_var_map.data().iter();
        let mut found: BTreeMap<&str, AnyView<'_>> =
            listed.filter_map(|(name, var)| Some((name.as_str()?, var))).collect();
        for (key, _) in self.functions.data().iter() {
            if let Some(var) = global_var(key) {
                found.entry(&*var.name_hint).or_insert(key);
            }
        }
        found
    }

    /// The functions with their names and keys, sorted by name.
    fn functions_by_name(&self) -> Vec<(&Str, AnyView<'_>, AnyView<'_>)> {
        let entries = self.functions.data().iter();
        let mut sorted: Vec<_> =
            entries.filter_map(|(key, function)| Some((&global_var(key)?.name_hint, key, function))).collect();
        sorted.sort_by_key(|(name, ..)| *name);
        sorted
    }
}

/// The data of a value that is a global variable.
fn global_var(value: AnyView<'_>) -> Option<&GlobalVarNode> {
    value.as_object()?.node()
}

/// Binds global variables of the same name before the functions, because functions call each other.
impl StructuralHook for IRModuleNode {
    // A global variable without a function does not count in equality, so it does not count here.
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        let functions = self.functions_by_name();
        contents.add("attrs", &self.attrs);
        contents.add("global_infos", &self.global_infos);
        contents.add_computed("functions", functions.len() as i64, FieldRole::Content);
        // The variables of `global_vars`, without its map: building one costs more than to find all hashes in a cache.
        for of_one_name in functions.chunk_by(|(a, ..), (b, ..)| a == b) {
            let (name, first_key, _) = of_one_name[0];
            let var = self.global_var_map.data().get(name.view()).unwrap_or(first_key);
            of_one_name.iter().for_each(|_| contents.add_view("functions", var, FieldRole::Def));
        }
        for (name, _, function) in functions {
            contents.add("functions", name);
            contents.add_view("functions", function, FieldRole::Content);
        }
    }

    // By name, so that a mismatch leads to the function with this name in both modules.
    fn structural_pairs<'a>(&'a self, other: &'a Self, pairs: &mut HookPairs<'a>) {
        pairs.require("attrs", &self.attrs, &other.attrs, FieldRole::Content);
        pairs.require("global_infos", &self.global_infos, &other.global_infos, FieldRole::Content);
        let others = other.global_vars();
        for (name, var) in self.global_vars() {
            if let Some(other_var) = others.get(name) {
                pairs.require_view("functions", var, *other_var, FieldRole::Def);
            }
        }
        pairs.require("functions", &self.functions, &other.functions, FieldRole::Content);
    }
}

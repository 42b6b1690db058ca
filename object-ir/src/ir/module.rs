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
    fn structural_equal<'a>(&'a self, other: &'a Self, children: &mut EqualChildren<'a>) {
        children.require("attrs", &self.attrs, &other.attrs, Region::Inherit);
        children.require("global_infos", &self.global_infos, &other.global_infos, Region::Inherit);
        let others = other.global_vars();
        for (name, var) in self.global_vars() {
            if let Some(other_var) = others.get(name) {
                children.require_view("functions", var, *other_var, Region::Def);
            }
        }
        children.require("functions", &self.functions, &other.functions, Region::Inherit);
    }

    // A global variable without a function does not count in equality, so it does not count here.
    fn structural_hash<'a>(&'a self, children: &mut HashChildren<'a>) {
        let functions = self.functions_by_name();
        children.add(&self.attrs);
        children.add(&self.global_infos);
        children.add_int(functions.len() as i64);
        // The variables of `global_vars`, without its map: building one costs more than to find all hashes in a cache.
        for of_one_name in functions.chunk_by(|(a, ..), (b, ..)| a == b) {
            let (name, first_key, _) = of_one_name[0];
            let var = self.global_var_map.data().get(name.view()).unwrap_or(first_key);
            of_one_name.iter().for_each(|_| children.add_view(var, Region::Def));
        }
        for (name, _, function) in functions {
            children.add(name);
            children.add_view(function, Region::Inherit);
        }
    }
}

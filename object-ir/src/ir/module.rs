//! Modules: the unit of compilation.

use object_core::FieldType;
use object_core::object::HookValue;
use object_core::prelude::*;

use crate::ir::attrs::DictAttrs;
use crate::ir::function::BaseFunc;
use crate::ir::global_info::GlobalInfo;
use crate::ir::hooks::ModuleValues;
use crate::ir::source::SourceMap;
use crate::ir::var::{GlobalVar, GlobalVarNode};

/// Functions by global name, with the facts that they share. Two modules are equal if functions of the same name are
/// equal; source texts do not count.
///
/// TVM 0.25 `ir.IRModule`; spec: `IRModule`.
#[derive(Object)]
#[object(type_key = "ir.IRModule", files = tvm)]
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
    fn values(&self) -> ModuleValues<'_> {
        ModuleValues {
            attrs: HookValue::field("attrs", &self.attrs),
            global_infos: HookValue::field("global_infos", &self.global_infos),
            functions: HookValue::field("functions", &self.functions),
            global_var_map: self.global_var_map.view(),
        }
    }
}

/// The name of a value that is a global variable.
fn name_of(value: AnyView<'_>) -> Option<AnyView<'_>> {
    let var: &GlobalVarNode = value.as_object()?.node()?;
    Some(var.name_hint.view())
}

impl StructuralHook for IRModuleNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        self.values().list(name_of, contents);
    }

    fn structural_pairs<'a>(&'a self, other: &'a Self, pairs: &mut HookPairs<'a>) {
        self.values().pair(other.values(), name_of, pairs);
    }
}

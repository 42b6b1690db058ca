//! The hooks of types of schemas: what TVM's `__s_equal__` and `__s_hash__` compare.

use object_core::dynamic::{DynamicHook, DynamicHooks, HookField};
use object_core::object::{FieldRole, HookContents, HookPairs};
use object_core::{AnyView, ObjectView};

use crate::ir::hooks::{BindingValues, ModuleValues};

/// The hooks of TVM 0.25, for its types as data.
///
/// Source: TVM 0.25 `include/tvm/relax/expr.h`, `src/relax/ir/expr.cc`, `src/ir/module.cc`.
pub(super) fn hooks_0_25() -> DynamicHooks {
    use FieldRole::Content;
    shared_hooks().insert_fields("relax.expr.Var", [("vid", Content), ("struct_info_", Content)])
}

/// The hooks of TVM 0.26 and TVM 0.27. The type of a global variable and the type of a loop program follow from other parts of the
/// module, so they do not count. A sequence compares the variables that its bindings define before its own type, which uses
/// them.
///
/// Source: TVM 0.27 `include/tvm/ir/expr.h`, `include/tvm/relax/expr.h`, `include/tvm/tirx/function.h`,
/// `src/relax/ir/expr.cc`, `src/ir/module.cc`.
pub(super) fn hooks_0_26() -> DynamicHooks {
    use FieldRole::{Content, Def};
    shared_hooks()
        .insert_fields("ir.GlobalVar", [("name_hint", Content)])
        .insert_fields("relax.expr.SeqExpr", [("blocks", Content), ("ty", Content), ("body", Content)])
        .insert_fields("tirx.PrimFunc", [("attrs", Content), ("params", Def), ("ret_type", Content), ("body", Content)])
}

/// The hooks that all versions have.
fn shared_hooks() -> DynamicHooks {
    DynamicHooks::new()
        .insert("ir.IRModule", |ty| {
            Ok(Box::new(ModuleHook {
                attrs: ty.field("attrs")?,
                global_infos: ty.field("global_infos")?,
                functions: ty.field("functions")?,
                global_var_map: ty.field("global_var_map_")?,
            }))
        })
        .insert("relax.expr.VarBinding", |ty| {
            Ok(Box::new(BindingHook { var: ty.field("var")?, value: ty.field("value")? }))
        })
}

/// The hook of `ir.IRModule`.
struct ModuleHook {
    attrs: HookField,
    global_infos: HookField,
    functions: HookField,
    global_var_map: HookField,
}

impl ModuleHook {
    fn values<'a>(&self, module: ObjectView<'a>) -> ModuleValues<'a> {
        ModuleValues {
            attrs: self.attrs.of(module),
            global_infos: self.global_infos.of(module),
            functions: self.functions.of(module),
            global_var_map: self.global_var_map.of(module).view(),
        }
    }
}

/// The name of a value that is a global variable.
fn name_of(value: AnyView<'_>) -> Option<AnyView<'_>> {
    value.as_object().filter(|object| object.type_key() == "ir.GlobalVar")?.get("name_hint")
}

impl DynamicHook for ModuleHook {
    fn structural_contents<'a>(&self, object: ObjectView<'a>, contents: &mut HookContents<'a>) {
        self.values(object).list(name_of, contents);
    }

    fn structural_pairs<'a>(&self, a: ObjectView<'a>, b: ObjectView<'a>, pairs: &mut HookPairs<'a>) {
        self.values(a).pair(self.values(b), name_of, pairs);
    }
}

/// The hook of `relax.expr.VarBinding`.
struct BindingHook {
    var: HookField,
    value: HookField,
}

impl BindingHook {
    fn values<'a>(&self, binding: ObjectView<'a>) -> BindingValues<'a> {
        let value = self.value.of(binding);
        let is_recursive = value.view().as_object().is_some_and(|value| value.type_key() == "relax.expr.Function");
        BindingValues { var: self.var.of(binding), value, is_recursive }
    }
}

impl DynamicHook for BindingHook {
    fn structural_contents<'a>(&self, object: ObjectView<'a>, contents: &mut HookContents<'a>) {
        self.values(object).list(contents);
    }

    fn structural_pairs<'a>(&self, a: ObjectView<'a>, b: ObjectView<'a>, pairs: &mut HookPairs<'a>) {
        self.values(a).pair(self.values(b), pairs);
    }
}

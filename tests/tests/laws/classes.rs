//! [`CLASSES`]: the parts of the random graphs of each class.

use crate::recipe::Make::{self, *};
use crate::recipe::Part;

/// A class of graphs.
pub(crate) struct Class {
    pub(crate) name: &'static str,
    /// The allowed parts.
    pub(crate) makes: &'static [Make],
    /// The allowed keys of maps.
    pub(crate) keys: &'static [Make],
    /// The allowed objects of the world: 0 to 2 are variables, 3 and 4 variables with types, 5 and 6 `dag`
    /// nodes, 7 and 8 trees; 9 is a tree over variable 0, 10 a `dag` node over variable 1, 11 and 12 misuse
    /// `const_tree` over variable 0 and `dag` node 5, and 13 is a constant.
    pub(crate) world: &'static [u8],
    /// Whether a map may have several object keys, and values whose bindings depend on the order of entries.
    pub(crate) any_order: bool,
    /// One less than the largest number of parts.
    pub(crate) size: usize,
}

impl Class {
    pub(crate) fn allows_key(&self, part: &Part) -> bool {
        self.keys.contains(&part.make)
    }
}

const fn class(name: &'static str, makes: &'static [Make], world: &'static [u8]) -> Class {
    Class { name, makes, keys: &[], world, any_order: false, size: 10 }
}

const fn maps(name: &'static str, makes: &'static [Make], keys: &'static [Make], world: &'static [u8]) -> Class {
    Class { name, makes, keys, world, any_order: false, size: 12 }
}

pub(crate) const fn unordered(
    name: &'static str,
    makes: &'static [Make],
    keys: &'static [Make],
    world: &'static [u8],
) -> Class {
    Class { name, makes, keys, world, any_order: true, size: 12 }
}

/// Classes of graphs that satisfy every law.
pub(crate) const CLASSES: &[Class] = &[
    class("plain", &[None, Bool, Int, Real, Str, Bytes, Dtype, Device, Shape, List], &[]),
    class("tree", &[Int, Str, Imm, Add, Tuple, List, Box, World], &[7, 8]),
    class("fields", &[Int, Real, Str, None, Imm, Fields, Fields, Add, Box], &[]),
    class("ignore", &[Imm, Add, Add, Fields, Var, Opaque, World], &[0, 5]),
    class("typed", &[Imm, Typed, Typed, Typed, Add, Var, TypedVar, Lambda, Dag, List, World], &[0, 5, 7]),
    class("subclass", &[Int, Imm, Shaped, Sized, Sized, Slot, Slot, Box, List], &[]),
    class("const", &[Int, Const, Const, Const, Imm, Add, List, World], &[13]),
    class("singleton", &[Op, Op, Op, Imm, Add, List, Tuple], &[]),
    class("nan", &[Real, Real, Fields, List, Box], &[]),
    class("tensor", &[Tensor, Tensor, Tensor, Shape, List, Box, Dag], &[]),
    class("dag", &[Int, Imm, Add, Dag, Dag, Dag, List, Tuple, World], &[5, 6]),
    class("var", &[Var, Var, Var, Imm, Add, Lambda, Lambda, List, World], &[0, 1, 2]),
    class("binders", &[Var, Var, Var, Imm, Add, Lambda, Late, Let, Let, Tuple, World], &[0, 1]),
    class("var_type", &[Var, Var, TypedVar, TypedVar, TypedVar, Imm, Add, Lambda, Let, Late, List, World], &[0, 3, 4]),
    class("var_binds", &[Var, Var, BindVar, BindVar, TypedVar, Imm, Add, Lambda, Let, List, World], &[0, 3]),
    class("var_dag", &[Var, Var, Var, Dag, DagBind, Imm, Add, Lambda, List, World], &[0, 1, 5]),
    class("var_type_dag", &[Var, TypedVar, TypedVar, Dag, DagBind, Imm, Add, Lambda, Let, List, World], &[0, 3, 5]),
    class("const_var", &[Var, Var, Const, Const, Imm, Lambda, List, Tuple, World], &[0, 13]),
    class("singleton_var_dag", &[Op, Op, Var, Var, Dag, Lambda, Add, List], &[]),
    class("hook", &[Imm, Add, Hook, HookLet, HookDag, Box, List], &[]),
    class("hook_var", &[Var, Var, HookVar, HookVar, Hook, Hook, HookLet, HookLet, Lambda, Add, Imm, List, World], &[0]),
    class("hook_var_dag", &[Var, Var, HookVar, Hook, HookLet, HookDag, HookDag, Dag, Add, Imm, List, World], &[0, 5]),
    maps("map_str", &[Str, Str, Int, Bool, Bytes, Imm, Add, Map, Map, Table, List], &[Str, Int, Bool, Bytes], &[]),
    maps("map_str_dag", &[Str, Str, Int, Dag, Dag, Dag, Add, Map, Map, Table, List, World], &[Str, Int], &[5]),
    maps("map_str_var", &[Str, Str, Var, Var, Var, Lambda, Lambda, Add, Map, Map, Table, List, World], &[Str], &[0, 1]),
    maps("map_nan", &[Real, Real, Real, Int, Imm, Map, Map, List, Var, Lambda], &[Real, Int], &[]),
    maps("map_singleton", &[Op, Op, Op, Str, Int, Var, Lambda, Map, Map, List], &[Op, Str], &[]),
    maps(
        "map_plain",
        &[None, Bool, Int, Real, Str, Bytes, Dtype, Device, Var, Lambda, Map, Map, List],
        &[None, Bool, Int, Real, Str, Bytes, Dtype, Device],
        &[],
    ),
    maps(
        "map_var",
        &[Var, Var, Var, Imm, Lambda, Lambda, Add, Map, Map, Table, List, World],
        &[Var, World],
        &[0, 1, 2],
    ),
    maps(
        "map_typed_var",
        &[Var, TypedVar, TypedVar, Imm, Lambda, Lambda, Let, Map, Map, List, World],
        &[Var, TypedVar, World],
        &[0, 3, 4],
    ),
    maps("map_dag", &[Imm, Int, Dag, Dag, Dag, Map, Map, Table, Box, List, World], &[Dag, World], &[5, 6]),
    maps(
        "map_dag_var",
        &[Var, Var, Dag, Dag, DagBind, Lambda, Map, Map, List, World, World],
        &[Dag, Var, World],
        &[0, 1, 5, 10],
    ),
    maps("map_tree", &[Int, Imm, Add, Add, Box, Map, Map, Table, List, World, World], &[Imm, Add, Box, World], &[7, 8]),
    maps(
        "map_tree_var",
        &[Var, Var, Imm, Add, Box, Lambda, Map, Map, List, World, World],
        &[Imm, Add, Box, Lambda, World],
        &[0, 1, 7, 8, 9],
    ),
    maps("map_tensor_key", &[Tensor, Shape, List, Int, Imm, Map, Map, Tuple], &[Tensor, Shape, List, Map], &[]),
    maps(
        "map_def",
        &[Str, Str, Int, Var, Var, Var, TypedVar, Add, DefTable, DefTable, Lambda, List, World],
        &[Str, Int, Var, World],
        &[0, 1],
    ),
    maps(
        "map_mixed",
        &[Str, Int, Real, Op, Var, Var, TypedVar, Dag, Imm, Lambda, Add, Map, Map, Table, List, World],
        &[Str, Int, Real, Op, Var, TypedVar, Dag, Imm, World],
        &[0, 3, 5, 7, 9, 10],
    ),
    maps(
        "all",
        &[
            None, Int, Real, Str, Shape, Tensor, World, Imm, Fields, Add, Tuple, List, Box, Sized, Slot, Const, Var,
            Var, Var, TypedVar, TypedVar, Op, Lambda, Lambda, Late, Let, Dag, DagBind, Map, Table, DefTable, Hook,
            HookLet, HookDag, HookVar, Typed,
        ],
        &[Int, Str, Op, Var, TypedVar, Dag, Imm, List, World],
        &[0, 1, 3, 5, 7, 9, 10, 13],
    ),
];

/// Classes with scopes, which tvm-ffi does not have. They satisfy every law, also under lexical scopes.
pub(crate) const SCOPED: &[Class] = &[
    class("scope", &[Var, Var, Var, Imm, Add, Scope, Scope, ScopeLet, Tuple, List, World], &[0, 1]),
    class("scope_var_type", &[Var, Var, TypedVar, TypedVar, Imm, Scope, Scope, ScopeLet, Lambda, Let, List], &[]),
    class("scope_var_binds", &[Var, Var, BindVar, BindVar, Imm, Add, Scope, Scope, ScopeLet, Let, List], &[]),
    class("scope_typed", &[Var, Var, Imm, Typed, Typed, Dag, Scope, ScopeLet, Add, List, World], &[0, 5]),
    class("scope_dag", &[Var, Var, Dag, DagBind, Imm, Add, Scope, Scope, ScopeLet, List, World], &[0, 5]),
    class("scope_hook", &[Var, Var, HookVar, ScopeHook, ScopeHook, Hook, HookLet, Scope, Add, Imm, List, World], &[0]),
    class("hook_deep", &[Int, Imm, Dag, Dag, HookDeep, HookDeep, HookDag, Add, Box, List, World], &[5, 6]),
    class("hook_deep_var", &[Var, Var, Dag, HookDeep, HookDeep, HookVar, Lambda, Add, List, World], &[0, 5]),
    class("scope_hook_deep", &[Var, Var, Dag, HookDeep, HookDeep, Scope, ScopeLet, Add, List, World], &[0, 5]),
    class("scope_def", &[Var, Var, Var, Imm, Add, Scope, Scope, ScopeLet, Lambda, Late, Tuple, List, World], &[0, 1]),
    class("export", &[Var, Var, Var, Imm, Add, Project, Project, With, Scope, Tuple, List, World], &[0, 1]),
    class(
        "export_def",
        &[Var, Var, Imm, Add, Project, With, With, Scope, ScopeLet, Lambda, Late, List, World],
        &[0, 1],
    ),
    class("export_types", &[Var, TypedVar, TypedVar, BindVar, Project, Project, With, Scope, Lambda, Add, List], &[]),
    class("export_dag", &[Var, Var, Dag, ProjectDag, Project, With, ScopeDag, DagBind, Add, List, World], &[0, 5]),
    class("export_hook", &[Var, Var, HookVar, ScopeHook, Project, With, Hook, HookLet, Add, List, World], &[0]),
    maps(
        "export_map_str",
        &[Str, Str, Var, Var, Project, With, Scope, Lambda, Add, Map, Map, Table, DefTable, List, World],
        &[Str],
        &[0, 1],
    ),
    maps(
        "export_map_var",
        &[Var, Var, Var, Imm, Project, With, Scope, Add, Map, Map, Table, List, World],
        &[Var, World],
        &[0, 1, 2],
    ),
    class("scope_dag_def", &[Var, Var, Dag, ScopeDag, ScopeDag, Scope, Lambda, DagBind, Add, List, World], &[0, 5]),
    class(
        "scope_types_def",
        &[Var, TypedVar, TypedVar, Scope, Scope, ScopeLet, Lambda, Let, Add, List, World],
        &[0, 3],
    ),
    maps(
        "scope_map_str",
        &[Str, Str, Var, Var, Var, Scope, Scope, Lambda, Add, Map, Map, Table, DefTable, List, World],
        &[Str],
        &[0, 1],
    ),
    maps(
        "scope_map_var",
        &[Var, Var, Var, Imm, Scope, Scope, ScopeLet, Add, Map, Map, Table, List, World],
        &[Var, World],
        &[0, 1, 2],
    ),
    maps(
        "scope_all",
        &[
            None, Int, Str, World, Imm, Add, Tuple, List, Box, Const, Var, Var, Var, TypedVar, Op, Lambda, Let, Dag,
            DagBind, Map, Table, DefTable, Hook, HookLet, HookDag, HookVar, Scope, Scope, Scope, ScopeLet, ScopeLet,
            ScopeHook, ScopeHook,
        ],
        &[Int, Str, Op, Var, TypedVar, Dag, Imm, List, World],
        &[0, 1, 3, 5, 7, 9, 10, 13],
    ),
];

/// The documented misuse of `const_tree`, which breaks the laws that the documentation names.
pub(crate) const MISUSED: &[Class] = &[
    class("bad_const_var", &[Var, Var, BadConst, BadConst, Imm, Add, Lambda, List, World, World], &[0, 1, 11]),
    class("bad_const_dag", &[Dag, Dag, BadConst, BadConst, Imm, Add, List, World, World], &[5, 6, 12]),
];

/// Maps with several unbound object keys, whose values bind variables that other values use.
pub(crate) const UNORDERED: &[Class] = &[
    unordered(
        "unordered_var",
        &[Var, Var, Var, Imm, Lambda, Lambda, Add, Map, Map, Table, List, World],
        &[Var, World],
        &[0, 1, 2],
    ),
    unordered(
        "unordered_dag",
        &[Var, Var, Dag, Lambda, Lambda, Add, Map, Map, List, World, World],
        &[Dag, World],
        &[0, 1, 5, 6, 10],
    ),
    unordered(
        "unordered_tree",
        &[Var, Var, Imm, Lambda, Lambda, Add, Map, Map, List, World, World],
        &[Imm, Add, World],
        &[0, 7, 8, 9],
    ),
];

/// As [`UNORDERED`], with scopes that bind variables, which tvm-ffi does not have.
pub(crate) const UNORDERED_SCOPED: &[Class] = &[
    unordered(
        "unordered_scope",
        &[Var, Var, Var, Imm, Scope, Scope, ScopeLet, Add, Map, Map, Table, List, World],
        &[Var, World],
        &[0, 1],
    ),
    unordered(
        "unordered_export",
        &[Var, Var, Var, Imm, Project, With, Scope, Add, Map, Map, Table, List, World],
        &[Var, World],
        &[0, 1],
    ),
];

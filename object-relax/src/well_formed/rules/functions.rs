//! Rules about modules and functions.

use object_core::table::Set;
use object_core::{AnyView, FieldType, ObjectHandle, ObjectView, Str};
use object_ir::ir::{
    BaseFuncNode, FuncStructInfoNode, FunctionNode, GlobalVarNode, IRModuleNode, IntImmNode, ObjectStructInfoNode,
    RelaxExprNode,
};

use crate::well_formed::call_graph::CallGraph;
use crate::well_formed::context::Context;
use crate::well_formed::names::{name_of, quoted};
use crate::well_formed::place::{Place, Places};
use crate::well_formed::rule::{Phase, Rule};

pub(super) const RULES: &[&Rule] = &[
    &NOT_A_PROGRAM,
    &DUPLICATE_FUNCTION_NAME,
    &UNDEFINED_GLOBAL_VAR,
    &GLOBAL_VAR_INFO,
    &GLOBAL_SYMBOL_NAME,
    &PRIM_FUNC_SYMBOL_NAME,
    &NO_ENTRY_POINT,
    &MISSING_RETURN_ANNOTATION,
    &UNANNOTATED_RECURSION,
    &FORCE_PURE_OF_IMPURE,
];

static NOT_A_PROGRAM: Rule = Rule {
    name: "not-a-program",
    phase: Phase::Ast,
    criteria: &[],
    text: "The checked object is a module, a function or another expression.",
    source: "TVM 0.25 src/relax/analysis/well_formed.cc",
    failing: "info T[2]",
    passing: "fn main(x: T[2]) { return x }",
};

static DUPLICATE_FUNCTION_NAME: Rule = Rule {
    name: "duplicate-function-name",
    phase: Phase::Ast,
    criteria: &[],
    text: "The functions of a module have different names. A path names a function by its name, so the checker does not \
           look into functions of the same name.",
    source: "specification, `IRModule`; TVM 0.25 src/ir/module.cc",
    failing: "fn main(x: T[2]) { return x } fn main(y: T[2]) { return y }",
    passing: "fn main(x: T[2]) { return x } fn f(y: T[2]) { return y }",
};

static UNDEFINED_GLOBAL_VAR: Rule = Rule {
    name: "undefined-global-var",
    phase: Phase::Ast,
    criteria: &[],
    text: "The module defines every global variable that its functions use. A global variable of the same name is not \
           enough: it is the same object.",
    source: "specification, Variable Scoping; TVM 0.25 src/relax/analysis/well_formed.cc",
    failing: "fn main(x: T[2]) { y: T[2] = @f(x); return y }",
    passing: "fn main(x: T[2]) { y: T[2] = @f(x); return y } fn f(z: T[2]) { return z }",
};

static GLOBAL_VAR_INFO: Rule = Rule {
    name: "global-var-info",
    phase: Phase::Ast,
    criteria: &[],
    text: "The structural information of a global variable is a `FuncStructInfo`.",
    source: "TVM 0.25 src/relax/analysis/well_formed.cc",
    failing: "fn main(x: T[2]) { y: T[2] = @f(x); return y } fn f: T[2] (z: T[2]) { return z }",
    passing: "fn main(x: T[2]) { y: T[2] = @f(x); return y } fn f: Fn(T[2]) -> T[2] (z: T[2]) { return z }",
};

static GLOBAL_SYMBOL_NAME: Rule = Rule {
    name: "global-symbol-name",
    phase: Phase::Ast,
    criteria: &["12"],
    text: "The `global_symbol` of a global function is the name of its global variable.",
    source: "specification, well-formedness criterion 12",
    failing: "fn main as \"other\" (x: T[2]) { return x }",
    passing: "fn main as \"main\" (x: T[2]) { return x }",
};

static PRIM_FUNC_SYMBOL_NAME: Rule = Rule {
    name: "prim-func-symbol-name",
    phase: Phase::Ast,
    criteria: &["12"],
    text: "The `global_symbol` of a loop program or an external function is the name of its global variable.",
    source: "specification, well-formedness criterion 12",
    failing: "fn main(x: T[2]) { return x } prim fn f as \"other\"",
    passing: "fn main(x: T[2]) { return x } prim fn f as \"f\"",
};

static NO_ENTRY_POINT: Rule = Rule {
    name: "no-entry-point",
    phase: Phase::Ast,
    criteria: &["11"],
    text: "At least one function of a module has a `global_symbol`, so that programs outside of the module can call it.",
    source: "specification, well-formedness criterion 11",
    failing: "private fn main(x: T[2]) { return x }",
    passing: "private fn f(x: T[2]) { return x } fn main(y: T[2]) { return y }",
};

static MISSING_RETURN_ANNOTATION: Rule = Rule {
    name: "missing-return-annotation",
    phase: Phase::Ast,
    criteria: &["7"],
    text: "A function that calls itself, directly or through other functions, has an annotation of its result. The \
           result `ObjectStructInfo` counts as missing, because a function always has one.",
    source: "specification, well-formedness criterion 7",
    failing: "fn main(x: T[2]) -> Obj { y: Obj = @main(x); return y }",
    passing: "fn main(x: T[2]) -> T[2] { y: T[2] = @main(x); return y }",
};

static UNANNOTATED_RECURSION: Rule = Rule {
    name: "unannotated-recursion",
    phase: Phase::Ast,
    criteria: &["7"],
    text: "The variable of a local function that calls itself has structural information, because nothing can be inferred \
           about the call before the function is.",
    source: "specification, well-formedness criterion 7; structural inference of `Function`",
    failing: "fn main(x: T[2]) { f = fn(y: T[2]) -> T[2] { z: T[2] = f(y); return z }; return x }",
    passing: "fn main(x: T[2]) { f: Fn(T[2]) -> T[2] = fn(y: T[2]) -> T[2] { z: T[2] = f(y); return z }; return x }",
};

static FORCE_PURE_OF_IMPURE: Rule = Rule {
    name: "force-pure-of-impure",
    phase: Phase::Ast,
    criteria: &[],
    text: "A function with the attribute `relax.force_pure` is pure.",
    source: "TVM 0.25 src/relax/analysis/well_formed.cc",
    failing: "impure forced fn main(x: T[2]) { return x }",
    passing: "forced fn main(x: T[2]) { return x }",
};

/// Reports that the root is not a program.
pub(in crate::well_formed) fn not_a_program<'a>(cx: &mut Context<'a>, object: ObjectView<'a>) {
    let message = || "the object is not a program".to_owned();
    cx.report(&NOT_A_PROGRAM, Places::ROOT, object, message, |draft| {
        draft.expected("a module, a function or another expression", name_of(object))
    });
}

/// Reports names of several functions. Returns these names.
pub(in crate::well_formed) fn check_names<'a>(
    cx: &mut Context<'a>,
    module: &'a IRModuleNode,
    functions: Place,
) -> Set<&'a str> {
    let (mut names, mut repeated) = (Set::default(), Set::default());
    for (var, _) in module.functions.data().iter() {
        let Some(var) = var.as_object().and_then(|var| var.node::<GlobalVarNode>()) else { continue };
        if !names.insert(var.name_hint.as_str()) && repeated.insert(var.name_hint.as_str()) {
            let message = || format!("several functions of the module have the name {}", quoted(&var.name_hint));
            cx.report(&DUPLICATE_FUNCTION_NAME, functions, module.functions.as_object().view(), message, |draft| {
                draft.fix("rename all but one of their global variables")
            });
        }
    }
    repeated
}

/// Checks the use of a global variable.
pub(in crate::well_formed) fn check_global_var<'a>(
    cx: &mut Context<'a>,
    var: &'a GlobalVarNode,
    object: ObjectView<'a>,
    place: Place,
) {
    if !cx.defines(var, object) && cx.is_first(&UNDEFINED_GLOBAL_VAR, object) {
        let message = || format!("the module does not define the global variable {}", name_of(object));
        cx.report(&UNDEFINED_GLOBAL_VAR, place, object, message, |draft| {
            draft.fix(format!(
                "add a function {} to the module, or use the global variable of a function",
                name_of(object)
            ))
        });
    }
    let Some(info) = &var.struct_info else { return };
    let info = info.as_object().view();
    if info.node::<FuncStructInfoNode>().is_none() && cx.is_first(&GLOBAL_VAR_INFO, object) {
        let message = || format!("the structural information of {} does not describe a function", name_of(object));
        cx.report(&GLOBAL_VAR_INFO, place, object, message, |draft| {
            draft.expected("a `FuncStructInfo`", name_of(info))
        });
    }
}

/// The value of an attribute.
fn attribute<'a>(function: &'a BaseFuncNode, name: &str) -> Option<AnyView<'a>> {
    function.attrs.dict.data().get(Str::from(name).view())
}

/// Checks the name of a global function.
pub(in crate::well_formed) fn check_name<'a>(
    cx: &mut Context<'a>,
    var: &'a GlobalVarNode,
    function: &'a BaseFuncNode,
    object: ObjectView<'a>,
    place: Place,
) {
    let Some(symbol) = attribute(function, "global_symbol") else { return };
    if symbol.as_str() != Some(var.name_hint.as_str()) {
        let is_relax = object.node::<FunctionNode>().is_some();
        let rule = if is_relax { &GLOBAL_SYMBOL_NAME } else { &PRIM_FUNC_SYMBOL_NAME };
        let message = || "the `global_symbol` of a function differs from its name in the module".to_owned();
        cx.report(rule, place, object, message, |draft| {
            let given = symbol.as_str().map_or_else(|| format!("a value of type `{}`", symbol.type_key()), quoted);
            draft.expected(quoted(&var.name_hint), given).fix("change the attribute or the global variable")
        });
    }
}

/// Checks that a module has a function for callers outside.
pub(in crate::well_formed) fn check_entry_point<'a>(
    cx: &mut Context<'a>,
    module: &'a IRModuleNode,
    object: ObjectView<'a>,
) {
    let mut functions = module.functions.data().iter().filter_map(|(_, function)| function.as_object()?.node());
    if functions.any(|function: &BaseFuncNode| attribute(function, "global_symbol").is_some()) {
        return;
    }
    let message = || "no function of the module has a `global_symbol`, so nothing can call it".to_owned();
    cx.report(&NO_ENTRY_POINT, Places::ROOT, object, message, |draft| {
        draft.fix("add the attribute `global_symbol` to a function")
    });
}

/// Whether a function has the attribute `relax.force_pure`.
pub(in crate::well_formed) fn is_forced(function: &FunctionNode) -> bool {
    match attribute(function, "relax.force_pure") {
        Some(AnyView::Bool(forced)) => forced,
        Some(AnyView::Int(forced)) => forced != 0,
        Some(other) => {
            let value = other.as_object().and_then(|object| object.node::<IntImmNode>());
            value.is_some_and(|value| value.value != 0)
        }
        None => false,
    }
}

/// Checks the attributes of a function.
pub(in crate::well_formed) fn check_attributes<'a>(
    cx: &mut Context<'a>,
    function: &'a FunctionNode,
    object: ObjectView<'a>,
    place: Place,
) {
    if is_forced(function) && !function.is_pure {
        let message = || "a function has the attribute `relax.force_pure`, but is not pure".to_owned();
        cx.report(&FORCE_PURE_OF_IMPURE, place, object, message, |draft| {
            draft.expected("`is_pure` is true", "false").fix("set `is_pure`, or remove the attribute")
        });
    }
}

/// Checks the annotations of functions that call themselves, at the end of the walk.
pub(in crate::well_formed) fn check_recursive(cx: &mut Context<'_>, graph: &CallGraph) {
    for index in 0..cx.functions.len() {
        if !graph.is_recursive(index) {
            continue;
        }
        let info = &cx.functions[index];
        let (order, place, object, is_local) = (info.order, info.place, info.object, info.outer.is_some());
        let is_unknown = info.function.ret_struct_info.as_object().view().node::<ObjectStructInfoNode>().is_some();
        let name = info.name;
        let var = name.and_then(|name| name.node::<RelaxExprNode>());
        if is_local && var.is_some_and(|var| var.struct_info.is_none()) {
            let message = || "a recursive local function has no structural information".to_owned();
            cx.findings.add_at(order, &UNANNOTATED_RECURSION, place, object, message, |draft| {
                let name = name.map(name_of).unwrap_or_default();
                draft.fix(format!("annotate the variable {name} with a `FuncStructInfo`"))
            });
        } else if is_unknown {
            let message = || "a recursive function has no annotation of its result".to_owned();
            cx.findings.add_at(order, &MISSING_RETURN_ANNOTATION, place, object, message, |draft| {
                draft.fix("annotate the result of the function")
            });
        }
    }
}

//! Rules about the bodies of loop programs: variables, buffers and loops. `tirx.analysis.verify_well_formed` of TVM 0.25
//! checks the same for loop programs of its scheduler; [`loop_blocks`](super::loop_blocks) has the rules about blocks.

use object_core::ObjectView;
use object_ir::ir::PrimExprNode;
use object_ir::tir::fold::is_integer;
use object_ir::tir::{BufferNode, ForNode};

use crate::well_formed::context::Context;
use crate::well_formed::loop_scopes::Defined;
use crate::well_formed::names::{name_of, quoted};
use crate::well_formed::place::Place;
use crate::well_formed::rule::{Phase, Rule};

pub(super) const RULES: &[&Rule] =
    &[&TIR_VAR_UNBOUND, &TIR_VAR_BOUND_TWICE, &TIR_BUFFER_UNDECLARED, &TIR_BUFFER_RANK, &TIR_LOOP_VAR_TYPE];

pub(super) const SOURCE: &str = "TVM 0.25 `tirx.analysis.verify_well_formed`";

static TIR_VAR_UNBOUND: Rule = Rule {
    name: "tir-var-unbound",
    phase: Phase::Ast,
    criteria: &[],
    text: "A variable of a loop program is a parameter, an extent of a buffer of a parameter, or in the scope of a loop, a \
           binding, an allocation, an index of a thread or an iterator of a block.",
    source: SOURCE,
    failing: "prim fn f(A[4]) tir { for i < 4 { A[i] = i } eval i }",
    passing: "prim fn f(A[4]) tir { for i < 4 { A[i] = i } for j < 4 { eval j } }",
};

static TIR_VAR_BOUND_TWICE: Rule = Rule {
    name: "tir-var-bound-twice",
    phase: Phase::Ast,
    criteria: &[],
    text: "One place of a loop program defines a variable: no two loops, bindings or allocations share one. Indices of \
           threads may.",
    source: "TVM 0.25 `tirx.analysis.verify_well_formed` and `verify_ssa`",
    failing: "prim fn f() tir { for i < 4 { eval i } for i < 4 { eval i } }",
    passing: "prim fn f() tir { for i < 4 { eval i } for j < 4 { eval j } }",
};

static TIR_BUFFER_UNDECLARED: Rule = Rule {
    name: "tir-buffer-undeclared",
    phase: Phase::Ast,
    criteria: &[],
    text: "A buffer that a loop program accesses belongs to a parameter, or an allocation or a declaration of it is in scope.",
    source: SOURCE,
    failing: "prim fn f() tir { A[0] = 1 }",
    passing: "prim fn f() tir { alloc A[4] A[0] = 1 }",
};

static TIR_BUFFER_RANK: Rule = Rule {
    name: "tir-buffer-rank",
    phase: Phase::Ast,
    criteria: &[],
    text: "An access of a buffer, and a region of it, has an index or a range for each dimension.",
    source: "TVM 0.25, the constructors of `tirx.BufferLoad`, `tirx.BufferStore` and `tirx.BufferRegion`",
    failing: "prim fn f(A[4, 4]) tir { A[0] = 1 }",
    passing: "prim fn f(A[4, 4]) tir { A[0, 0] = 1 }",
};

static TIR_LOOP_VAR_TYPE: Rule = Rule {
    name: "tir-loop-var-type",
    phase: Phase::Ast,
    criteria: &[],
    text: "The variable of a loop is an integer, with at least as many bits as the bounds of the loop.",
    source: "TVM 0.25, the constructor of `tirx.For`",
    failing: "prim fn f() tir { for i as i32 < 4 { eval 0 } }",
    passing: "prim fn f() tir { for i as i64 < 4 { eval 0 } }",
};

/// Reports the use of a variable that is not in scope, once for each variable of a function.
pub(in crate::well_formed) fn unbound<'a>(
    cx: &mut Context<'a>,
    variable: ObjectView<'a>,
    place: Place,
    earlier: Option<Defined>,
) {
    let name = name_of(variable);
    let message = || match earlier {
        Some(_) => format!("the variable {name} is not in scope"),
        None => format!("nothing defines the variable {name}"),
    };
    cx.report(&TIR_VAR_UNBOUND, place, variable, message, |draft| match earlier {
        Some(earlier) => draft.related(earlier.place, variable, "defined here"),
        None => draft.fix(format!("add {name} as a parameter, or define it before this place")),
    });
}

/// Reports the second definition of a variable.
pub(in crate::well_formed) fn bound_twice<'a>(
    cx: &mut Context<'a>,
    variable: ObjectView<'a>,
    place: Place,
    earlier: Defined,
) {
    let message = || format!("the variable {} is defined a second time", name_of(variable));
    cx.report(&TIR_VAR_BOUND_TWICE, place, variable, message, |draft| {
        draft.related(earlier.place, variable, "first defined here").fix("define a new variable")
    });
}

/// Reports the use of a buffer that is not in scope, once for each buffer of a function.
pub(in crate::well_formed) fn undeclared<'a>(
    cx: &mut Context<'a>,
    buffer: ObjectView<'a>,
    place: Place,
    earlier: Option<Defined>,
) {
    let name = buffer.node::<BufferNode>().map_or_else(String::new, |buffer| quoted(&buffer.name));
    let message = || match earlier {
        Some(_) => format!("the declaration of the buffer {name} is not in scope"),
        None => format!("nothing declares the buffer {name}"),
    };
    cx.report(&TIR_BUFFER_UNDECLARED, place, buffer, message, |draft| match earlier {
        Some(earlier) => draft.related(earlier.place, buffer, "declared here"),
        None => draft.fix("declare or allocate the buffer before this place"),
    });
}

/// Checks the number of indices or ranges of an access.
pub(in crate::well_formed) fn check_rank<'a>(
    cx: &mut Context<'a>,
    buffer: &'a BufferNode,
    count: usize,
    access: ObjectView<'a>,
    place: Place,
) {
    let rank = buffer.shape.view().len();
    if rank != count {
        let message = || format!("an access of the buffer {} has the wrong number of indices", quoted(&buffer.name));
        cx.report(&TIR_BUFFER_RANK, place, access, message, |draft| {
            draft.expected(rank.to_string(), count.to_string())
        });
    }
}

/// Checks the type of the variable of a loop.
pub(in crate::well_formed) fn check_loop<'a>(
    cx: &mut Context<'a>,
    it: &'a ForNode,
    object: ObjectView<'a>,
    place: Place,
) {
    let dtype = it.loop_var.dtype;
    let bounds: [&PrimExprNode; 2] = [&it.min, &it.extent];
    let widest = bounds.into_iter().map(|bound| bound.dtype).max_by_key(|dtype| dtype.bits);
    let widest = widest.filter(|widest| is_integer(*widest) && widest.bits > dtype.bits);
    if is_integer(dtype) && widest.is_none() {
        return;
    }
    let expected = widest.map_or_else(|| "an integer".to_owned(), |widest| widest.to_string());
    let message = || format!("the variable {} of a loop has the wrong type", quoted(&it.loop_var.name));
    cx.report(&TIR_LOOP_VAR_TYPE, place, object, message, |draft| draft.expected(expected, dtype.to_string()));
}

//! Rules about side effects.

use object_core::{ObjectHandle, ObjectView};
use object_ir::ir::{CallNode, ExternFuncNode, FuncStructInfoNode, OpNode};

use crate::analysis::walk::view;
use crate::analysis::{Effect, call_effect};
use crate::derivation::declared_purity;
use crate::well_formed::context::Context;
use crate::well_formed::names::name_of;
use crate::well_formed::place::Place;
use crate::well_formed::rule::{Phase, Rule};
use crate::well_formed::rules::functions::is_forced;

pub(super) const RULES: &[&Rule] = &[
    &IMPURE_CALL_IN_DATAFLOW,
    &IMPURE_CALL_IN_PURE_FUNCTION,
    &DPS_PACKED_IS_IMPURE,
    &PURE_PACKED_IS_IMPURE,
    &OVERRIDDEN_FORCE_PURE,
];

static IMPURE_CALL_IN_DATAFLOW: Rule = Rule {
    name: "impure-call-in-dataflow",
    phase: Phase::Typed,
    criteria: &["6"],
    text: "A dataflow block contains no call with side effects: of an operator with side effects, of an external \
           function, or of a function whose structural information is not pure. The calls in a function that the block \
           defines do not count.",
    source: "specification, well-formedness criterion 6",
    failing: "impure fn main(x: T[2]) { dataflow { y: Obj = \"f\"(x) } return y }",
    passing: "impure fn main(x: T[2]) { dataflow { y: Obj = relax.call_pure_packed(\"f\", x)<Obj> } return y }",
};

static IMPURE_CALL_IN_PURE_FUNCTION: Rule = Rule {
    name: "impure-call-in-pure-function",
    phase: Phase::Typed,
    criteria: &[],
    text: "A pure function without the attribute `relax.force_pure` contains no call with side effects.",
    source: "specification, typing rule of `Function`; TVM 0.25 src/relax/analysis/well_formed.cc",
    failing: "fn main(x: T[2]) { y: Obj = \"f\"(x); return y }",
    passing: "impure fn main(x: T[2]) { y: Obj = \"f\"(x); return y }",
};

static DPS_PACKED_IS_IMPURE: Rule = Rule {
    name: "dps-packed-is-impure",
    phase: Phase::Typed,
    criteria: &["6"],
    text: "`call_dps_packed` has side effects, so it is neither in a dataflow block nor in a pure function.",
    source: "specification, `call_dps_packed`; in TVM 0.25 it is pure",
    failing: "fn main(x: T[2]) { y: T[2] = relax.call_dps_packed(\"f\", (x))<T[2]>; return y }",
    passing: "impure fn main(x: T[2]) { y: T[2] = relax.call_dps_packed(\"f\", (x))<T[2]>; return y }",
};

static PURE_PACKED_IS_IMPURE: Rule = Rule {
    name: "pure-packed-is-impure",
    phase: Phase::Typed,
    criteria: &[],
    text: "`call_pure_packed` calls no function whose registration declares side effects.",
    source: "specification, purity: the purity of external functions is registered; TVM 0.25 has no such registration",
    failing: "fn main() { y: Obj = relax.call_pure_packed(\"objir.load\")<Obj>; return y }",
    passing: "fn main() { y: Obj = relax.call_pure_packed(\"objir.stats\")<Obj>; return y }",
};

static OVERRIDDEN_FORCE_PURE: Rule = Rule {
    name: "overridden-force-pure",
    phase: Phase::Typed,
    criteria: &[],
    text: "The attribute `relax.force_pure` hides no call with side effects.",
    source: "specification, purity",
    failing: "forced fn main(x: T[2]) { y: Obj = \"f\"(x); return y }",
    passing: "forced fn main(x: T[2]) { y: T[2] = relax.add(x, x); return y }",
};

/// The effect of a call. Another rule is about callees of which nothing is known.
fn effect_of(cx: &Context<'_>, call: &CallNode) -> Effect {
    let callee = view(&call.op);
    if callee.node::<OpNode>().is_some() || callee.node::<ExternFuncNode>().is_some() {
        return call_effect(call);
    }
    let info = cx.inferred.callee_info(&call.op).and_then(|info| view(info).node::<FuncStructInfoNode>());
    if info.is_none_or(|info| info.purity) { Effect::None } else { Effect::Impure }
}

/// Checks the effect of a call at its place.
pub(in crate::well_formed) fn check_call<'a>(
    cx: &mut Context<'a>,
    call: &'a CallNode,
    object: ObjectView<'a>,
    place: Place,
) {
    if view(&call.op).node::<OpNode>().is_some_and(|op| op.name == "relax.call_pure_packed")
        && let Some(callee) = call.args.get(0)
        && declared_purity(&callee) == Some(false)
    {
        let message = || format!("`call_pure_packed` calls {}, which has side effects", name_of(view(&callee)));
        cx.report(&PURE_PACKED_IS_IMPURE, place, object, message, |draft| {
            draft.fix("call the function itself in an impure function, or register it as `pure`")
        });
    }
    let effect = effect_of(cx, call);
    if effect == Effect::None {
        return;
    }
    let is_in_dataflow = cx.scopes.dataflow().is_some();
    let function = cx.open_functions.last().and_then(|index| cx.functions.get(*index));
    let function = function.map(|it| (it.function, it.object, it.place)).filter(|(it, ..)| it.is_pure);
    let forced = function.filter(|(it, ..)| is_forced(it));
    let rule = match (effect, is_in_dataflow, function) {
        (Effect::DpsPacked, false, Some(_)) if forced.is_none() => &DPS_PACKED_IS_IMPURE,
        (Effect::DpsPacked, true, _) => &DPS_PACKED_IS_IMPURE,
        (Effect::Impure, true, _) => &IMPURE_CALL_IN_DATAFLOW,
        (Effect::Impure, false, Some(_)) if forced.is_none() => &IMPURE_CALL_IN_PURE_FUNCTION,
        (Effect::Impure, false, Some((_, function, _))) if cx.is_first(&OVERRIDDEN_FORCE_PURE, function) => {
            &OVERRIDDEN_FORCE_PURE
        }
        _ => return,
    };
    let message = || {
        let caller = match (rule == &OVERRIDDEN_FORCE_PURE, is_in_dataflow) {
            (true, _) => "a function with `relax.force_pure`",
            (false, true) => "a dataflow block",
            (false, false) => "a pure function",
        };
        format!("{caller} calls {}, which may have side effects", name_of(call.op.as_object().view()))
    };
    cx.report(rule, place, object, message, |draft| match function {
        _ if is_in_dataflow => draft.fix("move the call out of the dataflow block"),
        Some((_, function, place)) => {
            let draft = draft.related(place, function, "the pure function");
            // The attribute says already that the function counts as pure.
            if forced.is_some() { draft } else { draft.fix(purity_fix(call, effect)) }
        }
        None => draft,
    });
}

/// The change after which a pure function may contain the call.
fn purity_fix(call: &CallNode, effect: Effect) -> &'static str {
    if view(&call.op).node::<ExternFuncNode>().is_some() {
        "call it by `call_pure_packed` if it has no side effects, or mark the function as impure"
    } else if effect == Effect::DpsPacked {
        "mark the function as impure, or add the attribute `relax.force_pure` if the callee has no side effects"
    } else {
        "mark the function as impure"
    }
}

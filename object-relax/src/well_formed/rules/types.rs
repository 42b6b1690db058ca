//! Rules about structural information: stated by annotations, and derived from the parts of an expression.

use object_core::access_path::{AccessPath, AccessStep};
use object_core::{DataType, ErrorKind, ObjectHandle, ObjectView};
use object_ir::ir::{
    Call, CallNode, FuncStructInfo, GlobalVarNode, IfNode, MatchCastNode, ObjectStructInfoNode, OpNode,
    PrimStructInfoNode, RelaxExpr, StructInfo, TensorStructInfoNode, VarBindingNode,
};

use crate::arith::Analyzer;
use crate::derivation::{Arguments, derive_with_notes};
use crate::op::describe::describe;
use crate::op::infer;
use crate::struct_info::{BaseCheck, VarMap, base_check};
use crate::well_formed::context::{Context, FunctionInfo};
use crate::well_formed::names::name_of;
use crate::well_formed::place::{Field, Place, Step};
use crate::well_formed::rule::{Phase, Rule};
use crate::well_formed::rules::loop_programs::{self, Inference};
use crate::well_formed::rules::obvious_fit::{is_equal_somewhere, is_obviously_equal};

pub(super) const RULES: &[&Rule] = &[
    &CALL_ARGUMENTS,
    &POSSIBLE_ARGUMENT,
    &CALL_ANNOTATION,
    &EXPRESSION_ANNOTATION,
    &BINDING_ANNOTATION,
    &NARROW_ANNOTATION,
    &POSSIBLE_ANNOTATION,
    &RESULT_ANNOTATION,
    &POSSIBLE_RESULT,
    &FAILING_CAST,
    &CAST_ANNOTATION,
    &IF_CONDITION,
];

static CALL_ARGUMENTS: Rule = Rule {
    name: "call-arguments",
    phase: Phase::Typed,
    criteria: &[],
    text: "The callee of a call is an operator or a function, and accepts the arguments and attributes, as far as their \
           structural information is known.",
    source: "specification, derivation rule 11; TVM 0.25 src/relax/analysis/well_formed.cc",
    failing: "fn main(x: T[2], y: T[3]) { z: Obj = relax.add(x, y); return z }",
    passing: "fn main(x: T[2], y: T[2]) { z: Obj = relax.add(x, y); return z }",
};

static POSSIBLE_ARGUMENT: Rule = Rule {
    name: "possible-argument",
    phase: Phase::Typed,
    criteria: &[],
    text: "A function certainly accepts its arguments: no argument depends on shapes that are unknown before run time.",
    source: "specification, derivation rule 11",
    failing: "fn main(f: Fn(T[2]) -> T[2], x: T[n]) { y: Obj = f(x); return y }",
    passing: "fn main(f: Fn(T[2]) -> T[2], x: T[2]) { y: Obj = f(x); return y }",
};

static CALL_ANNOTATION: Rule = Rule {
    name: "call-annotation",
    phase: Phase::Typed,
    criteria: &[],
    text: "The structural information of a call does not contradict the information that its arguments determine.",
    source: "specification, derivation rule 11; TVM 0.25 src/relax/analysis/well_formed.cc",
    failing: "fn main(x: T[2]) { z: Obj = relax.add(x, x): T[3]; return z }",
    passing: "fn main(x: T[2]) { z: Obj = relax.add(x, x): T[2]; return z }",
};

static EXPRESSION_ANNOTATION: Rule = Rule {
    name: "expression-annotation",
    phase: Phase::Typed,
    criteria: &[],
    text: "The structural information of a tuple, a member, a conditional or a sequence does not contradict the \
           information of its parts.",
    source: "specification, derivation rules 4, 6, 7 and 9",
    failing: "fn main(x: T[2]) { z: Obj = (x, x): Tup(T[2], T[3]); return z }",
    passing: "fn main(x: T[2]) { z: Obj = (x, x): Tup(T[2], T[2]); return z }",
};

static BINDING_ANNOTATION: Rule = Rule {
    name: "binding-annotation",
    phase: Phase::Typed,
    criteria: &[],
    text: "The structural information of a variable does not contradict the information of its value.",
    source: "specification, derivation rule 8.2",
    failing: "fn main(x: T[2]) { y: S[2] = x; return y }",
    passing: "fn main(x: T[2]) { y: T[2] = x; return y }",
};

static NARROW_ANNOTATION: Rule = Rule {
    name: "narrow-annotation",
    phase: Phase::Typed,
    criteria: &[],
    text: "The structural information of a variable says no more than the information of its value; a `MatchCast` checks \
           more at run time.",
    source: "specification, derivation rule 8.2",
    failing: "fn main(x: Obj) { y: T[2] = x; return y }",
    passing: "fn main(x: Obj) { y: T[2] = match(x, T[2]); return y }",
};

static POSSIBLE_ANNOTATION: Rule = Rule {
    name: "possible-annotation",
    phase: Phase::Typed,
    criteria: &[],
    text: "The value of a variable certainly has the shape in the information of the variable.",
    source: "specification, derivation rule 8.2",
    failing: "fn main(x: T[n], z: T[m]) { y: T[n] = z; return y }",
    passing: "fn main(x: T[n], z: T[n]) { y: T[n] = z; return y }",
};

static RESULT_ANNOTATION: Rule = Rule {
    name: "result-annotation",
    phase: Phase::Typed,
    criteria: &[],
    text: "The annotation of the result of a function does not contradict the information of its body.",
    source: "specification, derivation rule 12",
    failing: "fn main(x: T[2]) -> T[3] { return x }",
    passing: "fn main(x: T[2]) -> T[2] { return x }",
};

static POSSIBLE_RESULT: Rule = Rule {
    name: "possible-result",
    phase: Phase::Typed,
    criteria: &[],
    text: "The body of a function certainly has the annotated result.",
    source: "specification, derivation rule 12",
    failing: "fn main(x: T[n], y: T[m]) -> T[n] { return y }",
    passing: "fn main(x: T[n], y: T[n]) -> T[n] { return y }",
};

static FAILING_CAST: Rule = Rule {
    name: "failing-cast",
    phase: Phase::Typed,
    criteria: &[],
    text: "A `MatchCast` succeeds for some value that has the structural information of its operand.",
    source: "specification, derivation rule 8.3; erratum: a cast fails always if the two have no common value",
    failing: "fn main(x: T[2]) { y: S[2] = match(x, S[2]); return y }",
    passing: "fn main(x: Obj) { y: S[2] = match(x, S[2]); return y }",
};

static CAST_ANNOTATION: Rule = Rule {
    name: "cast-annotation",
    phase: Phase::Typed,
    criteria: &[],
    text: "The structural information of the variable of a `MatchCast` does not contradict the information that the cast \
           checks.",
    source: "specification, derivation rule 8.3",
    failing: "fn main(x: Obj) { y: S[2] = match(x, T[2]); return y }",
    passing: "fn main(x: Obj) { y: T[2] = match(x, T[2]); return y }",
};

static IF_CONDITION: Rule = Rule {
    name: "if-condition",
    phase: Phase::Typed,
    criteria: &[],
    text: "The condition of an `If` is a truth value: a tensor of rank 0 and type `bool`, or a scalar of this type.",
    source: "specification, typing rule of `If`; erratum: the condition is checked",
    failing: "fn main(x: T[2], c: T[; i64]) { y: T[2] = if c { return x } else { return x }; return y }",
    passing: "fn main(x: T[2], c: T[; bool]) { y: T[2] = if c { return x } else { return x }; return y }",
};

/// Whether the check has a phase with rules about structural information.
pub(in crate::well_formed) fn is_on(cx: &Context<'_>) -> bool {
    RULES.iter().any(|rule| cx.findings.reports(rule))
}

/// The place that a path from `object` leads to, and the object there.
fn at_path<'a>(
    cx: &mut Context<'a>,
    place: Place,
    object: ObjectView<'a>,
    path: Option<&AccessPath>,
) -> (Place, ObjectView<'a>) {
    let mut at = (place, object);
    for step in path.map_or(&[][..], AccessPath::steps) {
        let next = match step {
            AccessStep::Attr(name) => {
                let found = at.1.fields().find(|(field, _)| field.name() == name);
                found.and_then(|(field, value)| Some((Step::Named(field.name()), value.as_object()?)))
            }
            AccessStep::ArrayItem(index) => {
                let item = at.1.as_array().and_then(|array| array.get(*index)?.as_object());
                item.map(|item| (Step::Item(*index), item))
            }
            _ => None,
        };
        // The call itself is near enough to a value that is not an object.
        let Some((step, next)) = next else { return (place, object) };
        at = (cx.places.child(at.0, step), next);
    }
    at
}

/// Whether no value has both structural informations. A proof takes much time, and most programs need none.
fn contradicts(given: &StructInfo, expected: &StructInfo, analyzer: &Analyzer) -> bool {
    !is_equal_somewhere(given, expected) && base_check(given, expected, analyzer) == BaseCheck::FailL0
}

/// Checks a call by the structural information of the callee and the arguments. `inference` is known if an earlier rule
/// needed it.
pub(in crate::well_formed) fn check_call<'a>(
    cx: &mut Context<'a>,
    call: &'a CallNode,
    object: ObjectView<'a>,
    place: Place,
    inference: Inference,
) {
    let callee = call.op.as_object().view();
    let derived = {
        let context = cx.infer_context();
        if let Inference::Known(info) = inference {
            Ok((info, Vec::new()))
        } else if matches!(inference, Inference::Failed) {
            return;
        } else if callee.node::<OpNode>().is_some() {
            let Some(handle) = object.to_handle::<Call>() else { return };
            infer(&handle, &context).map(|info| (info, Vec::new()))
        } else {
            let Some(handle) = object.to_handle::<Call>() else { return };
            let Some(info) = cx.inferred.callee_info(&call.op).cloned() else { return };
            match info.as_object().view().to_handle::<FuncStructInfo>() {
                Some(function) => {
                    derive_with_notes(&function, Arguments::of(&handle), &VarMap::keeping_others(), &context)
                }
                // Another rule is about global variables.
                None if callee.node::<GlobalVarNode>().is_some() => return,
                None => {
                    let at = cx.places.field(place, Field::Op);
                    let message = || format!("the callee {} is not a function", name_of(callee));
                    return cx.report(&CALL_ARGUMENTS, at, callee, message, |draft| {
                        draft.expected("a callee with `FuncStructInfo`", describe(&info))
                    });
                }
            }
        }
    };
    let (derived, notes) = match derived {
        Ok(derived) => derived,
        // An argument without structural information is the matter of another rule.
        Err(error) if error.kind() == ErrorKind::MissingField => return,
        Err(_) if loop_programs::reports_arguments(cx, call) => return,
        Err(error) => {
            let (at, part) = at_path(cx, place, object, error.path());
            return cx.report(&CALL_ARGUMENTS, at, part, || error.message().to_owned(), |draft| draft);
        }
    };
    for note in notes {
        let (at, part) = at_path(cx, place, object, Some(&note.path()));
        let message = || note.message(&call.op);
        cx.report(&POSSIBLE_ARGUMENT, at, part, message, |draft| draft.fix("cast the argument by a `MatchCast`"));
    }
    let Some(stated) = &call.struct_info else {
        cx.inferred.keep(object, derived);
        return;
    };
    if !is_obviously_equal(&derived, stated) && contradicts(&derived, stated, &cx.analyzer) {
        cx.contradicted.insert(object.address());
        let message = || "the structural information of a call contradicts its arguments".to_owned();
        cx.report(&CALL_ANNOTATION, place, object, message, |draft| {
            draft.expected(describe(&derived), describe(stated)).fix("derive the structural information again")
        });
    }
}

/// Checks the structural information that a tuple, a member, a conditional or a sequence states against the information of
/// its parts.
pub(in crate::well_formed) fn check_parts<'a>(
    cx: &mut Context<'a>,
    stated: &'a StructInfo,
    expr: &'a RelaxExpr,
    place: Place,
) {
    let object = expr.as_object().view();
    let parts = cx.inferred.parts_of(expr, stated, &cx.analyzer);
    let contradiction = parts.into_iter().find(|(part, given, stated)| {
        let is_known = part.is_some_and(|part| cx.contradicted.contains(&part.address()));
        !is_known && !is_obviously_equal(given, stated) && contradicts(given, stated, &cx.analyzer)
    });
    let Some((_, given, stated)) = contradiction else { return };
    let (given, stated) = (describe(&given), describe(&stated));
    cx.contradicted.insert(object.address());
    let message = || "the structural information of an expression contradicts its parts".to_owned();
    cx.report(&EXPRESSION_ANNOTATION, place, object, message, |draft| {
        draft.expected(given, stated).fix("derive the structural information again")
    });
}

/// Checks the structural information of a variable against its value.
pub(in crate::well_formed) fn check_binding<'a>(
    cx: &mut Context<'a>,
    binding: &'a VarBindingNode,
    object: ObjectView<'a>,
    place: Place,
) {
    let Some(stated) = &binding.var.struct_info else { return };
    let Some(value) = &binding.value.struct_info else {
        // The rest of the comparison needs the information in the program.
        let inferred = cx.inferred.info_of(&binding.value).cloned();
        if let Some(value) = inferred.filter(|value| contradicts(value, stated, &cx.analyzer)) {
            let variable = binding.var.as_object().view();
            let message = || format!("the structural information of {} contradicts its value", name_of(variable));
            cx.report(&BINDING_ANNOTATION, place, object, message, |draft| {
                draft.expected(describe(stated), describe(&value))
            });
        }
        return;
    };
    let is_contradicted = || cx.contradicted.contains(&binding.value.as_object().view().address());
    if is_obviously_equal(value, stated) || is_contradicted() {
        return;
    }
    let (rule, message) = match base_check(value, stated, &cx.analyzer) {
        BaseCheck::Pass => return,
        BaseCheck::FailL0 => (&BINDING_ANNOTATION, "contradicts its value"),
        BaseCheck::FailL1 => (&NARROW_ANNOTATION, "says more than the information of its value"),
        BaseCheck::FailL2 => (&POSSIBLE_ANNOTATION, "has another shape than its value, which may be equal"),
    };
    let variable = binding.var.as_object().view();
    let message = || format!("the structural information of {} {message}", name_of(variable));
    cx.report(rule, place, object, message, |draft| {
        let draft = draft.expected(describe(stated), describe(value));
        if rule == &BINDING_ANNOTATION { draft } else { draft.fix("bind the variable by a `MatchCast`") }
    });
}

/// Checks a `MatchCast`.
pub(in crate::well_formed) fn check_cast<'a>(
    cx: &mut Context<'a>,
    binding: &'a MatchCastNode,
    object: ObjectView<'a>,
    place: Place,
) {
    let target = &binding.struct_info;
    if let Some(value) = &binding.value.struct_info
        && contradicts(value, target, &cx.analyzer)
    {
        let message = || "a `MatchCast` fails for every value".to_owned();
        cx.report(&FAILING_CAST, place, object, message, |draft| draft.expected(describe(target), describe(value)));
    }
    if let Some(stated) = &binding.var.struct_info
        && contradicts(target, stated, &cx.analyzer)
    {
        let message = || "the structural information of a variable contradicts its `MatchCast`".to_owned();
        cx.report(&CAST_ANNOTATION, place, object, message, |draft| draft.expected(describe(target), describe(stated)));
    }
}

/// Checks the result of a function.
pub(in crate::well_formed) fn check_result(cx: &mut Context<'_>, index: usize) {
    let FunctionInfo { function, place, has_known_signature, .. } = cx.functions[index];
    if !has_known_signature || cx.contradicted.contains(&function.body.as_object().view().address()) {
        return;
    }
    let inferred = || cx.inferred.info_of(&function.body.body);
    let Some(result) = function.body.struct_info.as_ref().or_else(inferred).cloned() else { return };
    let stated = &function.ret_struct_info;
    let (rule, message) = match base_check(&result, stated, &cx.analyzer) {
        BaseCheck::Pass => return,
        BaseCheck::FailL0 => (&RESULT_ANNOTATION, "the annotation of the result of a function contradicts its body"),
        BaseCheck::FailL1 | BaseCheck::FailL2 => {
            (&POSSIBLE_RESULT, "the body of a function may have another result than the annotation says")
        }
    };
    let at = cx.places.field(place, Field::RetStructInfo);
    cx.report(
        rule,
        at,
        stated.as_object().view(),
        || message.to_owned(),
        |draft| draft.expected(describe(stated), describe(&result)),
    );
}

/// Checks the condition of an `If`.
pub(in crate::well_formed) fn check_condition<'a>(cx: &mut Context<'a>, branches: &'a IfNode, place: Place) {
    let Some(info) = &branches.cond.struct_info else { return };
    if is_possibly_truth_value(info) {
        return;
    }
    let at = cx.places.field(place, Field::Cond);
    let message = || "the condition of an `If` is not a truth value".to_owned();
    cx.report(&IF_CONDITION, at, branches.cond.as_object().view(), message, |draft| {
        draft.expected("a tensor of rank 0 and type `bool`", describe(info))
    });
}

fn is_possibly_truth_value(info: &StructInfo) -> bool {
    let info = info.as_object().view();
    if let Some(tensor) = info.node::<TensorStructInfoNode>() {
        return tensor.ndim <= 0 && (tensor.dtype.is_void() || tensor.dtype == DataType::boolean());
    }
    if let Some(scalar) = info.node::<PrimStructInfoNode>() {
        return scalar.dtype == DataType::boolean();
    }
    info.node::<ObjectStructInfoNode>().is_some()
}

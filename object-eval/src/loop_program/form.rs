//! [`Form`]: the kinds of expressions of loop programs.

use object_core::prelude::*;
use object_ir::ir::{FloatImm, GlobalVar, IntImm, Op, PrimExpr};
use object_ir::tir;

use super::arithmetic::Binary;
use super::intrinsics::{self, Intrinsic};
use super::kind::{IntKind, Kind};

/// An expression, taken apart.
pub(super) enum Form {
    Int(i64),
    Float(f64),
    Var(tir::Var),
    Binary(Binary, PrimExpr, PrimExpr),
    /// A function of one number.
    Unary(Intrinsic, PrimExpr),
    MultiplyAdd(PrimExpr, PrimExpr, PrimExpr),
    /// A product of fixed-point numbers: two factors, fractional bits, a shift to the right.
    MultiplyShift([PrimExpr; 4]),
    Not(PrimExpr),
    /// Both; the second is evaluated only if the first holds.
    And(PrimExpr, PrimExpr),
    /// One of both; the second is evaluated only if the first does not hold.
    Or(PrimExpr, PrimExpr),
    Cast(PrimExpr),
    Reinterpret(PrimExpr),
    /// A condition and two values, of which only one is evaluated.
    Choice(PrimExpr, PrimExpr, PrimExpr),
    Load(tir::BufferLoad),
    Let(tir::Let),
    Ramp(tir::Ramp),
    Broadcast(tir::Broadcast),
    Shuffle(tir::Shuffle),
    Reduce(tir::Reduce),
    /// A fact about a tensor, by its number.
    Field(PrimExpr, i64),
    /// A statement in the place of an expression.
    Control(Intrinsic, Option<PrimExpr>),
    /// A call of a loop program of the module.
    Call(GlobalVar, Vec<PrimExpr>),
}

fn no_meaning(what: &str) -> Error {
    Error::new(ErrorKind::Call, format!("the evaluator has no meaning for {what} in loop programs"))
}

impl Form {
    /// The form of an expression. Operators of Python's `Select` and of intrinsics that choose evaluate one value, because
    /// TVM rewrites unsafe ones so (TVM 0.25 `src/s_tir/transform/rewrite_unsafe_select.cc`).
    ///
    /// # Errors
    /// [`Call`](ErrorKind::Call) for an expression without a meaning here, such as a call of an external function.
    pub(super) fn of(expr: &PrimExpr) -> Result<Form, Error> {
        if let Some(it) = expr.downcast_ref::<IntImm>() {
            return Ok(Form::Int(it.value));
        }
        if let Some(it) = expr.downcast_ref::<tir::Var>() {
            return Ok(Form::Var(it.clone()));
        }
        if let Some((operation, a, b)) = binary(expr) {
            return Ok(Form::Binary(operation, a, b));
        }
        macro_rules! nodes {
            ($($Node:ident($it:ident) => $form:expr;)*) => {$(
                if let Some($it) = expr.downcast_ref::<tir::$Node>() {
                    return Ok($form);
                }
            )*};
        }
        nodes! {
            BufferLoad(it) => Form::Load(it.clone());
            Cast(it) => Form::Cast(it.value.clone());
            Select(it) => Form::Choice(it.condition.clone(), it.true_value.clone(), it.false_value.clone());
            And(it) => Form::And(it.a.clone(), it.b.clone());
            Or(it) => Form::Or(it.a.clone(), it.b.clone());
            Not(it) => Form::Not(it.a.clone());
            Let(it) => Form::Let(it.clone());
            Ramp(it) => Form::Ramp(it.clone());
            Broadcast(it) => Form::Broadcast(it.clone());
            Shuffle(it) => Form::Shuffle(it.clone());
            Reduce(it) => Form::Reduce(it.clone());
        }
        if let Some(it) = expr.downcast_ref::<FloatImm>() {
            return Ok(Form::Float(it.value));
        }
        match expr.downcast_ref::<tir::Call>() {
            Some(call) => of_call(call),
            None => Err(no_meaning(&format!("`{}`", expr.as_object().view().type_key()))),
        }
    }
}

fn binary(expr: &PrimExpr) -> Option<(Binary, PrimExpr, PrimExpr)> {
    macro_rules! nodes {
        ($($Node:ident $operation:ident),*) => {$(
            if let Some(it) = expr.downcast_ref::<tir::$Node>() {
                return Some((Binary::$operation, it.a.clone(), it.b.clone()));
            }
        )*};
    }
    nodes!(Add Add, Sub Sub, Mul Mul, Div Div, Mod Mod, FloorDiv FloorDiv, FloorMod FloorMod, Min Min, Max Max);
    nodes!(EQ Eq, NE Ne, LT Lt, LE Le);
    if let Some(it) = expr.downcast_ref::<tir::GT>() {
        return Some((Binary::Lt, it.b.clone(), it.a.clone()));
    }
    expr.downcast_ref::<tir::GE>().map(|it| (Binary::Le, it.b.clone(), it.a.clone()))
}

/// The name in a call of a function that is not an intrinsic of this file.
fn callee(call: &tir::Call) -> String {
    let name = call.op.downcast_ref::<Op>().map(|op| op.name.to_string()).unwrap_or_default();
    let text =
        call.args.iter().next().and_then(|first| first.downcast_ref::<tir::StringImm>().map(|it| it.value.clone()));
    match text {
        Some(text) => format!("a call of `{text}` by `{name}`"),
        None => format!("a call of `{name}`"),
    }
}

fn of_call(call: &tir::Call) -> Result<Form, Error> {
    let args: Vec<PrimExpr> = call.args.iter().collect();
    if let Some(callee) = call.op.downcast_ref::<GlobalVar>() {
        return Ok(Form::Call(callee.clone(), args));
    }
    let name = call.op.downcast_ref::<Op>().map(|op| op.name.to_string()).unwrap_or_default();
    let text = args.first().and_then(|first| first.downcast_ref::<tir::StringImm>());
    let form = match (&*name, text) {
        ("tirx.tvm_struct_get", _) => field(&args),
        ("tirx.nextafter", _) => next_after(call.dtype, &args),
        ("tirx.call_extern" | "tirx.call_pure_extern", Some(text)) => {
            intrinsics::external(&text.value).and_then(|intrinsic| of_intrinsic(intrinsic, &args[1..]))
        }
        _ => intrinsics::find(&name).and_then(|intrinsic| of_intrinsic(intrinsic, &args)),
    };
    form.ok_or_else(|| no_meaning(&callee(call)))
}

/// A fact about the first tensor at an address.
fn field(args: &[PrimExpr]) -> Option<Form> {
    let [tensor, index, field] = args else { return None };
    let [index, field] = [index, field].map(|it| it.downcast_ref::<IntImm>().map(|it| it.value));
    (index == Some(0)).then_some(Form::Field(tensor.clone(), field?))
}

/// The next number of a type that C has the function for.
fn next_after(dtype: DataType, args: &[PrimExpr]) -> Option<Form> {
    let [from, towards] = args else { return None };
    let operation = match dtype.bits {
        32 => Binary::NextAfterF32,
        64 => Binary::NextAfter,
        _ => return None,
    };
    Some(Form::Binary(operation, from.clone(), towards.clone()))
}

/// The operators beside the [intrinsics] that have a meaning in loop programs: here, and as addresses.
#[cfg(test)]
const FORMS: [&str; 7] = [
    "tirx.tvm_struct_get",
    "tirx.nextafter",
    "tirx.call_extern",
    "tirx.call_pure_extern",
    "tirx.address_of",
    "tirx.tvm_access_ptr",
    "tirx.handle_add_byte_offset",
];

fn of_intrinsic(intrinsic: Intrinsic, args: &[PrimExpr]) -> Option<Form> {
    use Intrinsic as I;
    Some(match (intrinsic, args) {
        (I::Binary(operation), [a, b]) => Form::Binary(operation, a.clone(), b.clone()),
        (I::Function(_) | I::Test(..) | I::Identity | I::PopCount | I::LeadingZeros | I::Not | I::Abs, [a]) => {
            Form::Unary(intrinsic, a.clone())
        }
        (I::Reinterpret, [a]) => Form::Reinterpret(a.clone()),
        (I::Choice, [condition, yes, no]) => Form::Choice(condition.clone(), yes.clone(), no.clone()),
        (I::MultiplyAdd, [a, b, c]) => Form::MultiplyAdd(a.clone(), b.clone(), c.clone()),
        (I::MultiplyShift, [x, y, bits, shift]) => Form::MultiplyShift([x, y, bits, shift].map(Clone::clone)),
        (I::LargeUint, [low, high]) => {
            let [low, high] = [low, high].map(|it| it.downcast_ref::<IntImm>().map(|it| it.value));
            Form::Int(low? & 0xffff_ffff | high? << 32)
        }
        (I::Hint, _) | (I::Return | I::Break | I::Continue, []) => Form::Control(intrinsic, None),
        (I::Return, [value]) => Form::Control(intrinsic, Some(value.clone())),
        (I::Undefined, []) => Form::Control(intrinsic, None),
        _ => return None,
    })
}

/// The type of one lane of an expression.
pub(super) fn kind_of(expr: &PrimExpr) -> Result<Kind, Error> {
    Kind::of(expr.dtype)
}

/// The type of an integer expression.
pub(super) fn int_kind_of(expr: &PrimExpr) -> Result<IntKind, Error> {
    match kind_of(expr)? {
        Kind::Int(kind) => Ok(kind),
        _ => Err(Error::new(ErrorKind::TypeMismatch, format!("expected an integer expression, got {:?}", expr.dtype))),
    }
}

#[cfg(test)]
mod tests {
    use object_ir::table::rows;

    use super::*;

    /// The names of operators of TVM 0.25 to 0.27, without those of Relax. A name with another prefix in 0.27
    /// (`prim.exp`) has the one of 0.25, as the conversion between the versions gives it.
    fn operators() -> Vec<String> {
        let of_0_25 =
            include_str!("../../../object-ir/data/ops.txt").lines().filter_map(|line| line.split('\t').next());
        let of_0_26 = include_str!("../../../object-ir/data/ops_0_26.txt").lines();
        let of_0_27 = include_str!("../../../object-ir/data/ops_0_27.txt").lines();
        let names =
            of_0_25.chain(of_0_26).chain(of_0_27).filter(|name| !name.starts_with("relax.") && !name.starts_with('#'));
        let mut names: Vec<String> = names.map(|name| name.replacen("prim.", "tirx.", 1)).collect();
        names.sort();
        names.dedup();
        names
    }

    #[test]
    fn each_operator_has_a_meaning_or_a_reason() {
        let reasons: Vec<[&str; 2]> = rows(include_str!("../../data/loop_exceptions.txt")).collect();
        let covers = |row: &str, name: &str| row.strip_suffix('*').map_or(row == name, |start| name.starts_with(start));
        let (operators, mut wrong) = (operators(), Vec::new());
        assert!(operators.len() > 900, "{} operators", operators.len());
        for name in &operators {
            let has_meaning = FORMS.contains(&&**name) || intrinsics::find(name).is_some();
            match (has_meaning, reasons.iter().any(|[row, _]| covers(row, name))) {
                (true, true) => wrong.push(format!("{name}: it has a meaning, and a row among the exceptions")),
                (false, false) => wrong.push(format!("{name}: neither a meaning nor a reason")),
                _ => {}
            }
        }
        for [row, reason] in reasons {
            if reason.is_empty() || !operators.iter().any(|name| covers(row, name)) {
                wrong.push(format!("{row}: expected an operator and a reason"));
            }
        }
        assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), operators.len(), wrong.join("\n"));
    }
}

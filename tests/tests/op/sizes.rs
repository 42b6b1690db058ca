//! A result over shape variables holds for all sizes: with values for the variables, the call has the result with these
//! values, and a call with an error has an error.

use std::collections::BTreeSet;

use object_core::prelude::*;
use object_ir::distributed::DTensorStructInfo;
use object_ir::ir::{IntImm, PrimExpr, ShapeExpr, StructInfo, TensorStructInfo, TupleStructInfo};
use object_relax::arith::Analyzer;
use object_relax::op::{self, InferContext};
use object_tests::op_calls::{CallReader, names};

use crate::cases::lines;

/// The number of assignments for each call.
const ASSIGNMENTS: u64 = 4;

/// Parts of messages about sizes that inference has to know, so another size is not an error.
const ABOUT_KNOWLEDGE: &[&str] =
    &["`MatchCast` states", "known", "one for each dimension of `x`", "expected a constant"];

/// Operators whose results do not hold for all sizes, with the reason.
const KNOWN: &[(&str, &str)] = &[
    ("squeeze", "TVM keeps a dimension in `axis` of a constant size other than 1, and removes one of unknown size"),
    ("topk", "TVM gives the size `k` to a dimension of unknown size, which may have fewer elements"),
];

fn infer(reader: &mut CallReader, text: &str) -> Result<StructInfo, Error> {
    let call = reader.call(text);
    op::infer(&call, &InferContext::new(&Analyzer::for_shapes()))
}

/// A number from 0 to 7, which depends on `seed` and `place` only.
fn size(seed: u64, place: usize) -> i64 {
    let mixed = (seed * 31 + place as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed >> 40) % 8) as i64
}

/// A dimension of the call is negative, so the assignment has no meaning.
fn is_impossible(call: &object_ir::ir::Call) -> bool {
    let mut is_negative = false;
    object_core::visit::walk(call, |shape: &ShapeExpr, _| {
        is_negative |= shape.values.iter().any(|dim| constant(&dim).is_some_and(|dim| dim < 0));
    });
    is_negative
}

fn constant(dim: &PrimExpr) -> Option<i64> {
    dim.downcast_ref::<IntImm>().map(|int| int.value)
}

/// Whether `general` with values for its variables says nothing that `special` does not say.
fn covers(general: &StructInfo, special: &StructInfo, value: &mut impl FnMut(&PrimExpr) -> PrimExpr) -> bool {
    if let (Some(a), Some(b)) = (general.downcast_ref::<TupleStructInfo>(), special.downcast_ref::<TupleStructInfo>()) {
        let mut members = a.fields.as_slice().iter().zip(b.fields.as_slice());
        return a.fields.len() == b.fields.len() && members.all(|(a, b)| covers(a, b, value));
    }
    if let (Some(a), Some(b)) =
        (general.downcast_ref::<DTensorStructInfo>(), special.downcast_ref::<DTensorStructInfo>())
    {
        let whole = |tensor: &DTensorStructInfo| tensor.tensor_sinfo.clone().into();
        return structural_equal(&a.placement, &b.placement) && covers(&whole(a), &whole(b), value);
    }
    let (Some(a), Some(b)) = (general.downcast_ref::<TensorStructInfo>(), special.downcast_ref::<TensorStructInfo>())
    else {
        return general.as_object().view().type_key() == special.as_object().view().type_key();
    };
    let dims = |tensor: &TensorStructInfo| Some(tensor.shape.as_ref()?.downcast_ref::<ShapeExpr>()?.values.clone());
    let same_dims = match (dims(a), dims(b)) {
        (Some(a), Some(b)) => {
            a.len() == b.len()
                && a.iter().zip(b.iter()).all(|(a, b)| constant(&value(&a)).is_none_or(|a| Some(a) == constant(&b)))
        }
        _ => true,
    };
    same_dims && (a.ndim == -1 || a.ndim == b.ndim) && (a.dtype.is_void() || a.dtype == b.dtype)
}

/// How the result over shape variables compares with the result for values of the variables.
pub(crate) enum Verdict {
    /// It holds.
    Holds,
    /// The call with the values has an error, or they have no meaning.
    Rejected,
    /// It differs, but the operator is in `KNOWN`.
    Known(&'static str),
    /// It differs: the two results.
    Differs(String),
}

/// Compares the results of the call in `statement` over shape variables and for `sizes`, their values.
pub(crate) fn compared(statement: &str, sizes: &[(String, i64)]) -> Verdict {
    let (mut reader, mut special_reader) = (CallReader::default(), CallReader::with_sizes(sizes));
    if is_impossible(&special_reader.call(statement)) {
        return Verdict::Rejected;
    }
    let (general, special) = (infer(&mut reader, statement), infer(&mut special_reader, statement));
    let mut value = |dim: &PrimExpr| reader.value(dim, sizes);
    let is_right = match (&general, &special) {
        (Ok(general), Ok(special)) => covers(general, special, &mut value),
        (Err(error), Ok(_)) => ABOUT_KNOWLEDGE.iter().any(|part| error.to_string().contains(part)),
        (_, Err(_)) => return Verdict::Rejected,
    };
    if is_right {
        return Verdict::Holds;
    }
    if let Some((name, _)) = KNOWN.iter().find(|(name, _)| statement.starts_with(&format!("{name}("))) {
        return Verdict::Known(name);
    }
    let show = |result: &Result<StructInfo, Error>| match result {
        Ok(info) => crate::print::print(info),
        Err(error) => format!("error: {error}"),
    };
    Verdict::Differs(format!("{}\n  with {sizes:?}: {}", show(&general), show(&special)))
}

#[test]
fn results_hold_for_all_sizes() {
    let (mut wrong, mut differing, mut compared_results, mut rejected) = (Vec::new(), BTreeSet::new(), 0, 0);
    for (path, text) in lines() {
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let statement = line.split(" => ").next().unwrap_or(line);
            let names = names(statement);
            if names.is_empty() {
                continue;
            }
            for seed in 0..ASSIGNMENTS {
                let sizes: Vec<_> =
                    names.iter().enumerate().map(|(place, name)| (name.clone(), size(seed, place))).collect();
                match compared(statement, &sizes) {
                    Verdict::Holds => compared_results += 1,
                    Verdict::Rejected => rejected += 1,
                    Verdict::Known(name) => {
                        differing.insert(name);
                    }
                    Verdict::Differs(results) => wrong.push(format!("{}: {statement}\n  {results}", path.display())),
                }
            }
        }
    }
    for (name, reason) in KNOWN {
        assert!(differing.contains(name), "the results of {name} hold; remove its entry: {reason}");
    }
    assert!(
        compared_results > 1000 && rejected > 100,
        "{compared_results} results compared, {rejected} calls rejected"
    );
    assert!(wrong.is_empty(), "{} of {compared_results} results differ:\n{}\n", wrong.len(), wrong.join("\n"));
}

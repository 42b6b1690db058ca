//! [`KeptCalls`]: the results of the last calls, which later calls of the same form have too.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};

use object_core::object::{AnyView, ObjectView};
use object_core::prelude::*;
use object_ir::ir::{Attrs, Call, RelaxExpr, StructInfo};
use rustc_hash::FxHasher;
use smallvec::SmallVec;

use super::direct_mapped::{DirectMapped, Place};
use super::signature::Signature;

/// The levels of objects in attributes that are compared.
const DEPTH: usize = 3;

/// The last calls whose results follow from their operators, the structural information of their arguments and their
/// attributes.
#[derive(Debug, Default)]
pub(crate) struct KeptCalls {
    kept: RefCell<DirectMapped<KeptCall>>,
}

#[derive(Debug)]
struct KeptCall {
    signature: &'static Signature,
    infos: SmallVec<[StructInfo; 2]>,
    attrs: Option<Attrs>,
    result: StructInfo,
}

impl KeptCalls {
    /// The place of a call of an operator with these arguments. `None` for a call that is not kept: an argument has no
    /// structural information, or the call states some itself.
    pub(crate) fn place(&self, signature: &'static Signature, call: &Call, args: &[RelaxExpr]) -> Option<Place> {
        if !call.sinfo_args.is_empty() {
            return None;
        }
        let mut hasher = FxHasher::default();
        std::ptr::from_ref(signature).hash(&mut hasher);
        for arg in args {
            arg.struct_info.as_ref()?.as_object().view().address().hash(&mut hasher);
        }
        Some(Place::of(hasher.finish()))
    }

    /// The result of the call at a place, if it is a call of the operator with the same structural information of
    /// arguments, as objects, and with equal attributes.
    pub(crate) fn get(
        &self,
        place: Place,
        signature: &'static Signature,
        call: &Call,
        args: &[RelaxExpr],
    ) -> Option<StructInfo> {
        let kept = self.kept.borrow();
        let kept = kept.get(place)?;
        let is_same_info =
            |(info, arg): (&StructInfo, &RelaxExpr)| arg.struct_info.as_ref().is_some_and(|other| other.ptr_eq(info));
        let is_same = std::ptr::eq(kept.signature, signature)
            && kept.infos.len() == args.len()
            && kept.infos.iter().zip(args).all(is_same_info)
            && match (&kept.attrs, &call.attrs) {
                (None, None) => true,
                (Some(a), Some(b)) => is_same_object(a.as_object().view(), b.as_object().view(), DEPTH),
                _ => false,
            };
        is_same.then(|| kept.result.clone())
    }

    /// Keeps a call whose result follows from its operator, the structural information of its arguments and its attributes.
    pub(crate) fn keep(
        &self,
        place: Place,
        signature: &'static Signature,
        call: &Call,
        args: &[RelaxExpr],
        result: &StructInfo,
    ) {
        let infos: Option<SmallVec<_>> = args.iter().map(|arg| arg.struct_info.clone()).collect();
        let Some(infos) = infos else { return };
        let call = KeptCall { signature, infos, attrs: call.attrs.clone(), result: result.clone() };
        self.kept.borrow_mut().set(place, call);
    }
}

/// Whether two objects have the same type and the same values in all fields. The answer `false` says nothing.
fn is_same_object(a: ObjectView<'_>, b: ObjectView<'_>, depth: usize) -> bool {
    if a.ptr_eq(b) {
        return true;
    }
    let Some(depth) = depth.checked_sub(1).filter(|_| std::ptr::eq(a.type_info(), b.type_info())) else { return false };
    if let (Some(a), Some(b)) = (a.as_array(), b.as_array()) {
        return a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| is_same_value(a, b, depth));
    }
    if let (Some(a), Some(b)) = (a.as_str(), b.as_str()) {
        return a == b;
    }
    // Objects of other types without fields have contents of their own.
    let (mut fields, others) = (a.fields().peekable(), b.fields());
    fields.peek().is_some() && fields.zip(others).all(|((_, a), (_, b))| is_same_value(a, b, depth))
}

fn is_same_value(a: AnyView<'_>, b: AnyView<'_>, depth: usize) -> bool {
    match (a, b) {
        (AnyView::None, AnyView::None) => true,
        (AnyView::Bool(a), AnyView::Bool(b)) => a == b,
        (AnyView::Int(a), AnyView::Int(b)) => a == b,
        (AnyView::Float(a), AnyView::Float(b)) => a.to_bits() == b.to_bits(),
        (AnyView::DataType(a), AnyView::DataType(b)) => a == b,
        (AnyView::Object(a), AnyView::Object(b)) => is_same_object(a, b, depth),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use object_ir::attrs::{PermuteDimsAttrs, SplitAttrs};
    use object_ir::ir::{IntImm, TensorStructInfo, Var};

    use super::*;
    use crate::arith::Analyzer;
    use crate::op::context::InferContext;
    use crate::op::infer::infer;
    use crate::op::shared_results::SharedResults;
    use crate::op::{add, astype, nn, permute_dims, reshape, split};

    fn var(dims: [i64; 2]) -> Var {
        Var::of("x", TensorStructInfo::of(dims, "float32").unwrap())
    }

    #[test]
    fn calls_of_one_form_have_one_result() {
        let (analyzer, results) = (Analyzer::for_shapes(), SharedResults::default());
        let context = InferContext::new(&analyzer).results(&results);
        let (x, y) = (var([4, 6]), var([4, 6]));
        let parts = |sections: i64, axis| {
            let sections = IntImm::new(DataType::int(64), sections);
            split(&x, SplitAttrs::new(sections, axis))
        };
        // Each call with the number of its result.
        let calls = [
            (parts(2, 1), 0),
            (parts(2, 1), 0),
            (parts(3, 1), 1),
            (parts(2, 0), 2),
            (parts(2, 1), 0),
            (permute_dims(&x, PermuteDimsAttrs::new(Some(Array::from([1_i64, 0])))), 3),
            (permute_dims(&x, PermuteDimsAttrs::new(Some(Array::from([1_i64, 0])))), 3),
            (permute_dims(&x, PermuteDimsAttrs::new(Some(Array::from([0_i64, 1])))), 4),
            (permute_dims(&x, None), 3),
            (astype(&x, "float16"), 5),
            (astype(&x, "int8"), 6),
            (add(&x, &y), 4),
            (nn::relu(&x), 4),
            (reshape(&x, [24]), 7),
            (reshape(&x, [2, 12]), 8),
        ];
        let mut found: Vec<(usize, StructInfo)> = Vec::new();
        for (call, number) in &calls {
            let alone = infer(call, &InferContext::new(&analyzer)).unwrap();
            for _ in 0..2 {
                let info = infer(call, &context).unwrap();
                assert!(structural_equal(&info, &alone), "{call:?}");
                for (other, known) in &found {
                    assert_eq!(structural_equal(&info, known), other == number, "{call:?}");
                }
                found.push((*number, info));
            }
        }
        // The tuples of `split` are the objects of the kept call. Other calls of the operator took its place in between.
        let [first, second] = [0, 1].map(|_| infer(&parts(2, 1), &context).unwrap());
        assert!(first.ptr_eq(&second));
    }
}

//! [`Inferred`]: the structural information of expressions that state none, as their parts determine it.

use object_core::{ObjectHandle, ObjectView};
use object_ir::ir::{GlobalVar, IRModuleNode, RelaxExpr, StructInfo, TupleStructInfo};
use object_ir::kind::RelaxExprKind;
use rustc_hash::FxHashMap;

use crate::analysis::walk::view;
use crate::arith::Analyzer;
use crate::derivation::signature;
use crate::struct_info::unify;

/// The structural information that a check has inferred so far, by the addresses of the expressions.
#[derive(Default)]
pub(super) struct Inferred {
    infos: FxHashMap<usize, StructInfo>,
    /// The signatures of functions of the module whose global variables state none.
    signatures: FxHashMap<usize, Option<StructInfo>>,
}

impl Inferred {
    /// Keeps the structural information of an expression that states none.
    pub(super) fn keep(&mut self, expr: ObjectView<'_>, info: StructInfo) {
        self.infos.insert(expr.address(), info);
    }

    /// The structural information of an expression, as it states it or as its parts determine it. `None` if a part is
    /// unknown.
    pub(super) fn info_of<'i>(&'i self, expr: &'i RelaxExpr) -> Option<&'i StructInfo> {
        expr.struct_info.as_ref().or_else(|| self.infos.get(&view(expr).address()))
    }

    /// Infers the structural information of an expression that states none, from the information of its parts.
    pub(super) fn infer(&mut self, expr: &RelaxExpr, analyzer: &Analyzer) {
        if let Some(info) = self.of_parts(expr, analyzer) {
            self.keep(view(expr), info);
        }
    }

    /// The structural information that the parts of an expression determine. `None` for expressions whose information does
    /// not follow from the one of their parts alone, and if a part is unknown.
    fn of_parts(&self, expr: &RelaxExpr, analyzer: &Analyzer) -> Option<StructInfo> {
        match RelaxExprKind::of(expr) {
            RelaxExprKind::If(branches) => {
                let [one, other] =
                    [&branches.true_branch, &branches.false_branch].map(|branch| self.info_of(branch.as_ref()));
                Some(unify(one?, other?, analyzer))
            }
            RelaxExprKind::SeqExpr(sequence) => self.info_of(&sequence.body).cloned(),
            RelaxExprKind::Tuple(tuple) => {
                let fields = tuple.fields.as_slice().iter().map(|field| self.info_of(field).cloned());
                Some(TupleStructInfo::of(fields.collect::<Option<Vec<_>>>()?).into())
            }
            RelaxExprKind::TupleGetItem(item) => {
                let tuple = self.info_of(&item.tuple_value)?.downcast_ref::<TupleStructInfo>()?;
                tuple.fields.as_slice().get(usize::try_from(item.index).ok()?).cloned()
            }
            RelaxExprKind::Call(_)
            | RelaxExprKind::Function(_)
            | RelaxExprKind::Var(_)
            | RelaxExprKind::Constant(_)
            | RelaxExprKind::ShapeExpr(_)
            | RelaxExprKind::PrimValue(_)
            | RelaxExprKind::GlobalVar(_)
            | RelaxExprKind::Op(_)
            | RelaxExprKind::ExternFunc(_)
            | RelaxExprKind::StringImm(_)
            | RelaxExprKind::DataTypeImm(_)
            | RelaxExprKind::PrimFunc(_)
            | RelaxExprKind::Other(_) => None,
        }
    }

    /// The structural information of the parts of an expression that states `stated`: the part, its information, and the
    /// part of `stated` that it has to agree with. The part is `None` if the information is of the whole expression.
    pub(super) fn parts_of<'e>(
        &self,
        expr: &'e RelaxExpr,
        stated: &StructInfo,
        analyzer: &Analyzer,
    ) -> Vec<(Option<ObjectView<'e>>, StructInfo, StructInfo)> {
        let of_part = |part: &'e RelaxExpr, stated: &StructInfo| {
            Some((Some(view(part)), self.info_of(part)?.clone(), stated.clone()))
        };
        let stated_fields = stated.downcast_ref::<TupleStructInfo>().map(|tuple| tuple.fields.as_slice());
        match (RelaxExprKind::of(expr), stated_fields) {
            (RelaxExprKind::Tuple(tuple), Some(stated)) if tuple.fields.len() == stated.len() => {
                let fields = tuple.fields.as_slice().iter().zip(stated);
                fields.filter_map(|(field, stated)| of_part(field, stated)).collect()
            }
            (RelaxExprKind::If(branches), _) => {
                let branches = [&branches.true_branch, &branches.false_branch];
                branches.into_iter().filter_map(|branch| of_part(branch.as_ref(), stated)).collect()
            }
            (RelaxExprKind::SeqExpr(sequence), _) => of_part(&sequence.body, stated).into_iter().collect(),
            _ => self.of_parts(expr, analyzer).map(|info| (None, info, stated.clone())).into_iter().collect(),
        }
    }

    /// Computes the structural information of a function of the module from its annotations, if its global variable
    /// `callee` states none.
    pub(super) fn look_up(&mut self, callee: &RelaxExpr, module: Option<&IRModuleNode>, analyzer: &Analyzer) {
        let Some(module) = module else { return };
        let Some(var) = callee.downcast_ref::<GlobalVar>().filter(|var| var.struct_info.is_none()) else { return };
        self.signatures.entry(view(callee).address()).or_insert_with(|| {
            let function = module.functions.get(var)?;
            signature(&function, analyzer).ok().flatten()
        });
    }

    /// The structural information of a callee: its own, or the one that [`look_up`](Self::look_up) has computed.
    pub(super) fn callee_info<'i>(&'i self, callee: &'i RelaxExpr) -> Option<&'i StructInfo> {
        callee.struct_info.as_ref().or_else(|| self.signatures.get(&view(callee).address())?.as_ref())
    }
}

//! [`Inferred`]: the structural information of expressions that state none, as their parts determine it.

use object_core::{ObjectHandle, ObjectView};
use object_ir::ir::{
    GlobalVar, GlobalVarNode, IRModuleNode, IfNode, RelaxExpr, SeqExprNode, StructInfo, TupleGetItemNode, TupleNode,
    TupleStructInfo, TupleStructInfoNode,
};
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
    /// Whether the structural information of an expression follows from the one of its parts alone.
    pub(super) fn follows_from_parts(expr: ObjectView<'_>) -> bool {
        expr.node::<TupleNode>().is_some()
            || expr.node::<TupleGetItemNode>().is_some()
            || expr.node::<IfNode>().is_some()
            || expr.node::<SeqExprNode>().is_some()
    }

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
    pub(super) fn infer(&mut self, expr: ObjectView<'_>, analyzer: &Analyzer) {
        if let Some(info) = self.of_parts(expr, analyzer) {
            self.keep(expr, info);
        }
    }

    /// The structural information that the parts of an expression determine. `None` for expressions whose information does
    /// not follow from the one of their parts alone, and if a part is unknown.
    fn of_parts(&self, expr: ObjectView<'_>, analyzer: &Analyzer) -> Option<StructInfo> {
        if let Some(branches) = expr.node::<IfNode>() {
            let [one, other] =
                [&branches.true_branch, &branches.false_branch].map(|branch| self.info_of(branch.as_ref()));
            return Some(unify(one?, other?, analyzer));
        }
        if let Some(sequence) = expr.node::<SeqExprNode>() {
            return self.info_of(&sequence.body).cloned();
        }
        if let Some(tuple) = expr.node::<TupleNode>() {
            let fields = tuple.fields.as_slice().iter().map(|field| self.info_of(field).cloned());
            return Some(TupleStructInfo::of(fields.collect::<Option<Vec<_>>>()?).into());
        }
        let item = expr.node::<TupleGetItemNode>()?;
        let tuple = view(self.info_of(&item.tuple_value)?).node::<TupleStructInfoNode>()?;
        tuple.fields.as_slice().get(usize::try_from(item.index).ok()?).cloned()
    }

    /// The structural information of the parts of an expression that states `stated`: the part, its information, and the
    /// part of `stated` that it has to agree with. The part is `None` if the information is of the whole expression.
    pub(super) fn parts_of<'e>(
        &self,
        expr: ObjectView<'e>,
        stated: &StructInfo,
        analyzer: &Analyzer,
    ) -> Vec<(Option<ObjectView<'e>>, StructInfo, StructInfo)> {
        let of_part = |part: &'e RelaxExpr, stated: &StructInfo| {
            Some((Some(view(part)), self.info_of(part)?.clone(), stated.clone()))
        };
        let fields = expr.node::<TupleNode>().map(|tuple| tuple.fields.as_slice());
        let stated_fields = view(stated).node::<TupleStructInfoNode>().map(|tuple| tuple.fields.as_slice());
        if let (Some(fields), Some(stated)) = (fields, stated_fields)
            && fields.len() == stated.len()
        {
            return fields.iter().zip(stated).filter_map(|(field, stated)| of_part(field, stated)).collect();
        }
        if let Some(branches) = expr.node::<IfNode>() {
            let branches = [&branches.true_branch, &branches.false_branch];
            return branches.into_iter().filter_map(|branch| of_part(branch.as_ref(), stated)).collect();
        }
        if let Some(sequence) = expr.node::<SeqExprNode>() {
            return of_part(&sequence.body, stated).into_iter().collect();
        }
        self.of_parts(expr, analyzer).map(|info| (None, info, stated.clone())).into_iter().collect()
    }

    /// Computes the structural information of a function of the module from its annotations, if its global variable
    /// `callee` states none.
    pub(super) fn look_up(&mut self, callee: &RelaxExpr, module: Option<&IRModuleNode>, analyzer: &Analyzer) {
        let Some(module) = module else { return };
        if callee.struct_info.is_some() || view(callee).node::<GlobalVarNode>().is_none() {
            return;
        }
        self.signatures.entry(view(callee).address()).or_insert_with(|| {
            let function = module.functions.get(callee.downcast_ref::<GlobalVar>()?)?;
            signature(&function, analyzer).ok().flatten()
        });
    }

    /// The structural information of a callee: its own, or the one that [`look_up`](Self::look_up) has computed.
    pub(super) fn callee_info<'i>(&'i self, callee: &'i RelaxExpr) -> Option<&'i StructInfo> {
        callee.struct_info.as_ref().or_else(|| self.signatures.get(&view(callee).address())?.as_ref())
    }
}

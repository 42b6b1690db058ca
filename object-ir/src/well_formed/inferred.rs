//! [`Inferred`]: the structural information of expressions that state none, as their parts determine it.

use object_core::{ObjectHandle, ObjectView};
use rustc_hash::FxHashMap;

use crate::analysis::walk::view;
use crate::arith::Analyzer;
use crate::derivation::signature;
use crate::ir::{
    GlobalVar, GlobalVarNode, IRModuleNode, IfNode, RelaxExpr, SeqExprNode, StructInfo, TupleGetItemNode, TupleNode,
    TupleStructInfo, TupleStructInfoNode,
};
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

    /// Infers the structural information of an expression that states none, from the information of its parts. Nothing
    /// happens for expressions whose information does not follow from the one of their parts alone.
    pub(super) fn infer(&mut self, expr: ObjectView<'_>, analyzer: &Analyzer) {
        let info = if let Some(branches) = expr.node::<IfNode>() {
            let results = [&branches.true_branch, &branches.false_branch].map(|branch| self.info_of(branch.as_ref()));
            let [Some(one), Some(other)] = results else { return };
            unify(one, other, analyzer)
        } else if let Some(sequence) = expr.node::<SeqExprNode>() {
            let Some(result) = self.info_of(&sequence.body) else { return };
            result.clone()
        } else if let Some(tuple) = expr.node::<TupleNode>() {
            let fields = tuple.fields.as_slice().iter().map(|field| self.info_of(field).cloned());
            let Some(fields) = fields.collect::<Option<Vec<_>>>() else { return };
            TupleStructInfo::of(fields).into()
        } else if let Some(item) = expr.node::<TupleGetItemNode>() {
            let Some(tuple) = self.info_of(&item.tuple_value).map(view) else { return };
            let fields = tuple.node::<TupleStructInfoNode>().map(|tuple| tuple.fields.as_slice());
            let field = fields.zip(usize::try_from(item.index).ok()).and_then(|(fields, index)| fields.get(index));
            let Some(field) = field else { return };
            field.clone()
        } else {
            return;
        };
        self.keep(expr, info);
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

//! [`State`]: the parts of a program that a derivation has finished, and the visible variables.

use object_core::prelude::*;
use object_ir::ir::{BindingBlock, RelaxExpr, RelaxExprNode, StructInfo};
use rustc_hash::FxHashMap;

use super::finding::{Fact, Note};
use super::scope::Scope;
use crate::op::InferContext;
use crate::struct_info::written::is_same_text;
use crate::struct_info::{BaseCheck, base_check};

/// The state of a derivation.
pub(super) struct State<'a> {
    pub(super) context: InferContext<'a>,
    /// Whether expressions with structural information stay as they are.
    pub(super) keeps_known: bool,
    /// Whether expressions keep the structural information that they state, if their parts do not contradict it.
    pub(super) keeps_stated: bool,
    /// The address of a function whose structural information is known.
    pub(super) signature: Option<(usize, StructInfo)>,
    pub(super) scope: Scope<'a>,
    pub(super) notes: Vec<Note>,
    /// The derived arguments and members of the calls and tuples under way.
    pub(super) exprs: Vec<RelaxExpr>,
    /// The derived blocks of the sequences under way.
    pub(super) blocks: Vec<BindingBlock>,
    /// For each open function, and for the outermost expression, the number of calls with effects.
    pub(super) effects: Vec<usize>,
    /// The results for expressions with several references, by their addresses, and whether they have effects.
    pub(super) remembered: FxHashMap<usize, (RelaxExpr, bool)>,
}

impl<'a> State<'a> {
    pub(super) fn new(context: InferContext<'a>) -> Self {
        State {
            context,
            keeps_known: false,
            keeps_stated: false,
            signature: None,
            scope: Scope::default(),
            notes: Vec::new(),
            exprs: Vec::with_capacity(16),
            blocks: Vec::new(),
            effects: vec![0],
            remembered: FxHashMap::default(),
        }
    }

    /// The last derived expressions, which are the parts of an expression with the parts `given`.
    pub(super) fn parts(&self, given: &Array<RelaxExpr>) -> &[RelaxExpr] {
        &self.exprs[self.exprs.len() - given.len()..]
    }

    /// Removes the last derived expressions, which are the parts of an expression with the parts `given`. The given array
    /// if they are the same objects.
    pub(super) fn pop_parts(&mut self, given: &Array<RelaxExpr>) -> Array<RelaxExpr> {
        let start = self.exprs.len() - given.len();
        if same_parts(&self.exprs[start..], given) {
            self.exprs.truncate(start);
            return given.clone();
        }
        Array::split_off(&mut self.exprs, start)
    }

    /// The number of calls with effects in the innermost open function.
    pub(super) fn effects(&mut self) -> &mut usize {
        self.effects.last_mut().unwrap_or_else(|| unreachable!("the outermost count stays"))
    }

    /// Whether an expression has this structural information, or keeps the information that it has.
    pub(super) fn has_info(&self, expr: &RelaxExprNode, info: &StructInfo) -> bool {
        expr.struct_info.as_ref().is_some_and(|old| {
            let is_same = is_same_text(old, info) || structural_equal(old, info);
            is_same || (self.keeps_stated && base_check(info, old, self.context.analyzer()) != BaseCheck::FailL0)
        })
    }

    /// The expression with structural information: the same object if it [has](Self::has_info) the information.
    pub(super) fn with_info(&self, mut expr: RelaxExpr, info: StructInfo) -> RelaxExpr {
        if !self.has_info(&expr, &info) {
            expr.make_mut().struct_info = Some(info);
        }
        expr
    }

    pub(super) fn note(&mut self, fact: Fact, place: &impl ObjectHandle) {
        self.notes.push(Note { fact, place: place.as_object().clone() });
    }
}

/// The structural information of a derived expression.
///
/// # Errors
/// [`MissingField`](ErrorKind::MissingField) for operators, and for functions of the module outside of a module.
pub(crate) fn known_info(expr: &RelaxExpr) -> Result<&StructInfo, Error> {
    expr.struct_info.as_ref().ok_or_else(|| {
        let key = expr.as_object().view().type_key();
        Error::new(
            ErrorKind::MissingField,
            format!("a `{key}` without structural information stands where a value is needed; derive the whole module"),
        )
    })
}

/// Whether derived parts are the given ones: the same objects in the same order.
#[must_use]
pub fn same_parts<H: ObjectHandle>(derived: &[H], given: &Array<H>) -> bool {
    derived.len() == given.len() && derived.iter().zip(given.as_slice()).all(|(new, old)| new.ptr_eq(old))
}

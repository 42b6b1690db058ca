//! [`Definitions`]: the values of variables, for patterns that reach over several bindings.

use object_core::prelude::*;
use object_core::stack_budget::with_stack;
use object_ir::ir::{Call, DataflowVar, Op, RelaxExpr, Tuple, TupleGetItem, Var, VarBinding};
use rustc_hash::FxHashMap;

use crate::analysis::walk::view;
use crate::analysis::{Effect, call_effect, free_vars};
use crate::transform::rules::rule::MAX_BINDINGS;

/// Values that are deeper do not match: a pattern has at most [`MAX_BINDINGS`] levels, and the variables of a program that the
/// checker rejects may name each other.
const MAX_DEPTH: usize = 2 * MAX_BINDINGS;

/// Why a pattern does not look through a variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum Hidden {
    /// No binding gives it a value: it is a parameter, or a cast binds it.
    Unknown,
    /// Its value has effects.
    Effects,
    /// Its value uses variables of another dataflow block.
    OtherBlock,
}

/// The bindings that come before the current place.
#[derive(Default)]
pub(super) struct Definitions {
    /// By the address of the variable: its binding and the address of the block.
    of: FxHashMap<usize, (VarBinding, usize)>,
}

impl Definitions {
    /// Adds a binding of a block. The address of the block stands for the block.
    pub(super) fn insert(&mut self, binding: &VarBinding, block: usize) {
        self.of.insert(view(&binding.var).address(), (binding.clone(), block));
    }

    /// The value of a variable, if the variables of the value are visible in `block`, and if a second evaluation of the value
    /// there has no further effects.
    pub(super) fn visible(&self, var: &Var, block: usize) -> Result<&RelaxExpr, Hidden> {
        let (binding, home) = self.of.get(&view(var).address()).ok_or(Hidden::Unknown)?;
        let value = &binding.value;
        if value.downcast_ref::<Call>().is_some_and(|call| call_effect(call) != Effect::None) {
            return Err(Hidden::Effects);
        }
        let is_visible = *home == block || free_vars(value).iter().all(|var| !var.is::<DataflowVar>());
        if is_visible { Ok(value) } else { Err(Hidden::OtherBlock) }
    }

    /// `value` with the values of variables in place of the variables, at the places where `template` has something other
    /// than a variable.
    pub(super) fn look_through(&self, template: &RelaxExpr, value: &RelaxExpr, block: usize) -> RelaxExpr {
        LookThrough { definitions: self, block, done: FxHashMap::default() }.at(template, value, 0)
    }
}

/// The descent into a template and a value at once.
struct LookThrough<'d> {
    definitions: &'d Definitions,
    block: usize,
    /// The results, by the addresses of the parts of the template and the value, because parts may be shared.
    done: FxHashMap<(usize, usize), RelaxExpr>,
}

impl LookThrough<'_> {
    fn at(&mut self, template: &RelaxExpr, value: &RelaxExpr, depth: usize) -> RelaxExpr {
        if template.is::<Var>() || depth > MAX_DEPTH {
            return value.clone();
        }
        if let Some(var) = value.downcast_ref::<Var>() {
            let definitions = self.definitions;
            return match definitions.visible(var, self.block) {
                Ok(value) => self.at(template, value, depth + 1),
                Err(_) => value.clone(),
            };
        }
        let key = (view(template).address(), view(value).address());
        if let Some(done) = self.done.get(&key) {
            return done.clone();
        }
        let found = with_stack(|| self.below(template, value, depth + 1));
        let found = found.unwrap_or_else(|| value.clone());
        self.done.insert(key, found.clone());
        found
    }

    /// The value with other children. `None` if it has no children, or if it does not match for another reason.
    fn below(&mut self, template: &RelaxExpr, value: &RelaxExpr, depth: usize) -> Option<RelaxExpr> {
        if let (Some(of), Some(call)) = (template.downcast_ref::<Call>(), value.downcast_ref::<Call>()) {
            if of.op.is::<Op>() && !of.op.ptr_eq(&call.op) {
                return None;
            }
            let args = self.all(&of.args, &call.args, depth)?;
            return Some(call.clone().with_changes(|node| node.args = args).into());
        }
        if let (Some(of), Some(tuple)) = (template.downcast_ref::<Tuple>(), value.downcast_ref::<Tuple>()) {
            let fields = self.all(&of.fields, &tuple.fields, depth)?;
            return Some(tuple.clone().with_changes(|node| node.fields = fields).into());
        }
        let (of, item) = (template.downcast_ref::<TupleGetItem>()?, value.downcast_ref::<TupleGetItem>()?);
        let tuple = self.at(&of.tuple_value, &item.tuple_value, depth);
        Some(item.clone().with_changes(|node| node.tuple_value = tuple).into())
    }

    fn all(
        &mut self,
        templates: &Array<RelaxExpr>,
        values: &Array<RelaxExpr>,
        depth: usize,
    ) -> Option<Array<RelaxExpr>> {
        let is_known = templates.len() == values.len();
        let pairs = templates.as_slice().iter().zip(values.as_slice());
        is_known.then(|| pairs.map(|(template, value)| self.at(template, value, depth)).collect())
    }
}

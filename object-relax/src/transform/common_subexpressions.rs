//! [`eliminate_common_subexpressions`]: programs that compute equal values once.

use object_core::prelude::*;
use object_core::stack_budget::with_stack;
use object_core::structural::StructuralOptions;
use object_ir::ir::{
    Binding, BindingBlock, Call, DataflowBlock, DataflowVar, Function, If, MatchCast, Op, RelaxExpr, SeqExpr, Var,
    VarBinding,
};
use rustc_hash::FxHashMap;

use crate::analysis::contains_impure_call;
use crate::analysis::walk::view;
use crate::transform::blocks::{value_of, with_value};
use crate::transform::program::Program;
use crate::transform::replacements::Replacements;

/// The operators that make memory. Each call makes another one.
const ALLOCATIONS: [&str; 5] = [
    "relax.builtin.alloc_tensor",
    "relax.memory.alloc_storage",
    "relax.memory.alloc_tensor",
    "relax.vm.alloc_storage",
    "relax.vm.alloc_tensor",
];

/// A value that a variable in scope has.
struct Known {
    /// The value, and the information that a `MatchCast` states about it.
    value: Array<Any>,
    /// The hash of `value`.
    hash: u64,
    var: Var,
}

/// One function in the order of evaluation.
#[derive(Default)]
struct Eliminator {
    /// The values in scope, in the order of their bindings.
    known: Vec<Known>,
    /// The indices in `known`, by hash.
    by_hash: FxHashMap<u64, Vec<usize>>,
    /// The first variables of the values of others.
    firsts: Replacements,
    /// The variables in `firsts`, in the order of their bindings.
    second: Vec<Var>,
}

/// The place in an [`Eliminator`] where a scope begins.
#[derive(Clone, Copy)]
struct Mark {
    known: usize,
    second: usize,
}

impl Eliminator {
    fn mark(&self) -> Mark {
        Mark { known: self.known.len(), second: self.second.len() }
    }

    /// Ends a scope: removes the values since `mark` whose variables are not visible, and the replacements since then.
    fn forget(&mut self, mark: Mark, is_visible: impl Fn(&Var) -> bool) {
        let known = self.known.split_off(mark.known);
        for it in &known {
            if let Some(indices) = self.by_hash.get_mut(&it.hash) {
                indices.retain(|index| *index < mark.known);
            }
        }
        known.into_iter().filter(|it| is_visible(&it.var)).for_each(|it| self.add(it));
        for var in self.second.drain(mark.second..) {
            self.firsts.values.remove(&view(&var).address());
        }
    }

    fn add(&mut self, known: Known) {
        self.by_hash.entry(known.hash).or_default().push(self.known.len());
        self.known.push(known);
    }

    fn sequence(&mut self, sequence: &SeqExpr) -> Result<SeqExpr, Error> {
        let mark = self.mark();
        let blocks = sequence.blocks.iter().map(|block| self.block(&block)).collect::<Result<Vec<_>, Error>>()?;
        let body = self.value(&sequence.body)?;
        self.forget(mark, |_| false);
        let is_same =
            body.ptr_eq(&sequence.body) && blocks.iter().zip(&sequence.blocks).all(|(new, old)| new.ptr_eq(old));
        let mut sequence = sequence.clone();
        if !is_same {
            let node = sequence.make_mut();
            node.blocks = Array::new(blocks);
            node.body = body;
        }
        Ok(sequence)
    }

    fn block(&mut self, block: &BindingBlock) -> Result<BindingBlock, Error> {
        let mark = self.mark();
        let bindings = block.bindings.iter().map(|it| self.binding(&it)).collect::<Result<Vec<_>, Error>>()?;
        if block.is::<DataflowBlock>() {
            self.forget(mark, |var| !var.is::<DataflowVar>());
        }
        let mut block = block.clone();
        if bindings.iter().zip(&block.bindings).any(|(new, old)| !new.ptr_eq(old)) {
            block.make_mut().bindings = Array::new(bindings);
        }
        Ok(block)
    }

    fn binding(&mut self, binding: &Binding) -> Result<Binding, Error> {
        let old = value_of(binding);
        let value = self.value(&old)?;
        let same = || if value.ptr_eq(&old) { binding.clone() } else { with_value(binding, value.clone()) };
        let stated = binding.downcast_ref::<MatchCast>().map(|cast| cast.struct_info.clone());
        let is_name = value.is::<Var>() && stated.is_none();
        if is_name || !is_repeatable(&value) {
            return Ok(same());
        }
        let (var, options) = (&binding.var, StructuralOptions::new());
        let key = Array::<Any>::new([value.clone().into(), stated.into()]);
        let hash = options.hash(&key)?;
        let mut indices = self.by_hash.get(&hash).into_iter().flatten();
        let first = indices.find(|index| options.equal(&self.known[**index].value, &key).unwrap_or(false));
        let first = first.map(|index| self.firsts.resolve(&(&self.known[*index].var).into()));
        // A program that the checker rejects may bind a variable twice.
        let first = first.and_then(|first| first.downcast::<Var>().ok()).filter(|first| !first.ptr_eq(var));
        let Some(first) = first else {
            self.add(Known { value: key, hash, var: var.clone() });
            return Ok(same());
        };
        // Other blocks do not see the first variable, and use this one.
        if first.is::<DataflowVar>() && !var.is::<DataflowVar>() {
            self.add(Known { value: key, hash, var: var.clone() });
        }
        self.firsts.values.insert(view(var).address(), first.clone().into());
        self.second.push(var.clone());
        Ok(VarBinding::new(var, first).into())
    }

    /// A value with the first variables.
    fn value(&mut self, value: &RelaxExpr) -> Result<RelaxExpr, Error> {
        if let Some(sequence) = value.downcast_ref::<SeqExpr>() {
            return with_stack(|| self.sequence(sequence)).map(Into::into);
        }
        if let Some(function) = value.downcast_ref::<Function>() {
            return with_stack(|| of_function(function)).map(Into::into);
        }
        let Some(branches) = value.downcast_ref::<If>() else { return self.firsts.in_value(value) };
        let cond = self.value(&branches.cond)?;
        let [yes, no] = [&branches.true_branch, &branches.false_branch].map(|it| with_stack(|| self.sequence(it)));
        let (yes, no) = (yes?, no?);
        let mut branches = branches.clone();
        let is_same =
            cond.ptr_eq(&branches.cond) && yes.ptr_eq(&branches.true_branch) && no.ptr_eq(&branches.false_branch);
        if !is_same {
            let node = branches.make_mut();
            (node.cond, node.true_branch, node.false_branch) = (cond, yes, no);
        }
        Ok(branches.into())
    }
}

/// Whether a second evaluation of the value has the same result and no further effect. Values that contain sequences count as
/// not repeatable, because a comparison at each level of a nest would take quadratic time.
fn is_repeatable(value: &RelaxExpr) -> bool {
    let operator = value.downcast_ref::<Call>().and_then(|call| call.op.downcast_ref::<Op>());
    let allocates = operator.is_some_and(|op| ALLOCATIONS.contains(&op.name.as_str()));
    let has_sequence = value.is::<SeqExpr>() || value.is::<If>() || value.is::<Function>();
    !has_sequence && !allocates && !contains_impure_call(value, None)
}

/// A function by itself, because it may run at another time.
fn of_function(function: &Function) -> Result<Function, Error> {
    let body = Eliminator::default().sequence(&function.body)?;
    let mut function = function.clone();
    if !body.ptr_eq(&function.body) {
        function.make_mut().body = body;
    }
    Ok(function)
}

/// The program with the variable of an earlier equal value in place of a value that a binding computes again, and in place
/// of the uses of its variable in the same block or sequence: `y = f(x)` becomes `y = z` after `z = f(x)`. The bindings stay;
/// [`canonicalize_bindings`](super::canonicalize_bindings) removes them.
///
/// Values are equal if structural equality says so, under the same structural information of a `MatchCast`. A value in
/// scope counts in branches, and a value of a branch counts in it alone. Each function is by itself. Values with side effects,
/// allocations of memory, branches as a whole and functions as values stay. (TVM 0.25 `relax.transform.EliminateCommonSubexpr`)
///
/// # Errors
/// A field of the program does not accept its new value; this does not happen for programs that the checker accepts.
///
/// ```
/// use object_core::prelude::*;
/// use object_ir::ir::{BindingBlock, SeqExpr, TensorStructInfo, Tuple, Var, VarBinding};
/// use object_relax::transform::eliminate_common_subexpressions;
///
/// let info = TensorStructInfo::of([2], "float32")?;
/// let [x, y, z] = ["x", "y", "z"].map(|name| Var::of(name, info.clone()));
/// let pair = || Tuple::new([(&x).into(), (&x).into()]);
/// let block = BindingBlock::new([VarBinding::new(&y, pair()).into(), VarBinding::new(&z, pair()).into()]);
/// let shared = eliminate_common_subexpressions(&SeqExpr::new([block], &z))?;
/// assert!(shared.body.ptr_eq(&y));
/// # Ok::<(), Error>(())
/// ```
pub fn eliminate_common_subexpressions<P: Program>(program: &P) -> Result<P, Error> {
    program.change(&|expr| Eliminator::default().value(&expr))
}

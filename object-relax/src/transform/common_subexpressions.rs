//! [`eliminate_common_subexpressions`]: programs that compute equal values once.

use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation};
use object_core::structural::StructuralMap;
use object_core::visit::{Walk, WalkResult};
use object_core::{ObjectRef, ObjectView};
use object_ir::ir::{
    Binding, Call, DataflowBlockNode, DataflowVar, Function, If, MatchCast, Op, RelaxExpr, SeqExpr, StructInfo, Var,
    VarBinding,
};
use object_ir::tir;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::walk::{Observer, Region, view, walk};
use crate::analysis::{contains_impure_call, free_shape_vars, free_vars};
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

/// The largest number of branches and functions inside of each other in a value that is compared as a whole. Each level is compared by
/// itself, so the bound keeps the cost linear.
const MAX_NESTING: usize = 16;

/// The changes of a program.
#[derive(Default)]
struct Plan {
    /// The bindings, the bodies of sequences, and the conditions with other values, by the address of the binding, the sequence and
    /// the `If`.
    bindings: FxHashMap<usize, Binding>,
    bodies: FxHashMap<usize, RelaxExpr>,
    conditions: FxHashMap<usize, RelaxExpr>,
}

impl Plan {
    fn apply(&self, expr: RelaxExpr) -> Result<RelaxExpr, Error> {
        Mutate::new()
            .enter(|binding: &Binding, _| {
                let new = self.bindings.get(&view(binding).address());
                new.map_or(Mutation::Keep, |new| Mutation::Replace(new.clone().into()))
            })
            .enter(|sequence: &SeqExpr, _| {
                let body = self.bodies.get(&view(sequence).address());
                let with = |body: &RelaxExpr| sequence.clone().with_changes(|node| node.body = body.clone());
                body.map_or(Mutation::Keep, |body| Mutation::ReplaceInto(with(body).into()))
            })
            .enter(|branches: &If, _| {
                let cond = self.conditions.get(&view(branches).address());
                let with = |cond: &RelaxExpr| branches.clone().with_changes(|node| node.cond = cond.clone());
                cond.map_or(Mutation::Keep, |cond| Mutation::ReplaceInto(with(cond).into()))
            })
            .run(expr)
    }
}

/// A number for each scope: a sequence, or a dataflow block with its dataflow variables.
type ScopeId = u64;

/// The variables in scope in one function.
#[derive(Default)]
struct Names {
    /// The open scopes, and the ones of them that are sequences.
    open: FxHashSet<ScopeId>,
    sequences: Vec<ScopeId>,
    /// The innermost dataflow block.
    dataflow: Option<ScopeId>,
    /// The first variables of the values of others, and these others in the block at hand.
    firsts: Replacements,
    seconds: Vec<usize>,
}

/// The walk that makes the plan.
struct Eliminator {
    plan: Result<Plan, Error>,
    /// The first variables of values, with the scopes that they are visible in.
    known: StructuralMap<(Var, ScopeId)>,
    names: Names,
    /// The names in the functions around the one at hand, which may run at another time.
    outside: Vec<Names>,
    /// The number of sequences and dataflow blocks that have begun.
    begun: ScopeId,
    /// `begun` at the start of each open binding, and at the last end of a block in each open sequence.
    marks: Vec<ScopeId>,
    /// The largest number of values with sequences inside of each other, in each open binding.
    nesting: Vec<usize>,
}

impl Default for Eliminator {
    fn default() -> Self {
        let (known, names) = (StructuralMap::new(), Names::default());
        Eliminator {
            plan: Ok(Plan::default()),
            known,
            names,
            outside: Vec::new(),
            begun: 0,
            marks: Vec::new(),
            nesting: Vec::new(),
        }
    }
}

impl<'a> Observer<'a> for Eliminator {
    fn begin(&mut self, region: Region, object: ObjectView<'a>) {
        match region {
            Region::Function => self.outside.push(std::mem::take(&mut self.names)),
            Region::Sequence => {
                let id = self.begin_scope();
                self.names.sequences.push(id);
                self.marks.push(id);
            }
            Region::Block if object.node::<DataflowBlockNode>().is_some() => {
                self.names.dataflow = Some(self.begin_scope());
            }
            Region::Block => {}
            Region::Binding => {
                self.marks.push(self.begun);
                self.nesting.push(0);
            }
        }
    }

    fn end(&mut self, region: Region, object: ObjectView<'a>) {
        match region {
            Region::Function => self.names = self.outside.pop().unwrap_or_default(),
            Region::Sequence => {
                let is_leaf = self.marks.pop() == Some(self.begun);
                if let Some(sequence) = object.to_handle::<SeqExpr>().filter(|_| is_leaf) {
                    self.body(&sequence);
                }
                let ended = self.names.sequences.pop();
                ended.map(|id| self.names.open.remove(&id));
            }
            Region::Block => {
                if let Some(id) = self.names.dataflow.take() {
                    self.names.open.remove(&id);
                    // Other blocks use the variables that the block binds.
                    for second in self.names.seconds.drain(..) {
                        self.names.firsts.values.remove(&second);
                    }
                }
                if let Some(mark) = self.marks.last_mut() {
                    *mark = self.begun;
                }
            }
            Region::Binding => {
                let is_leaf = self.marks.pop() == Some(self.begun);
                let nesting = self.nesting.pop().unwrap_or(0) + usize::from(!is_leaf);
                if let Some(outer) = self.nesting.last_mut() {
                    *outer = nesting.max(*outer);
                }
                if let Some(binding) = object.to_handle::<Binding>() {
                    let planned = self.binding(&binding, nesting);
                    self.record(planned, |plan, new| _ = plan.bindings.insert(object.address(), new));
                }
            }
        }
    }

    const INFOS: bool = false;
}

impl Eliminator {
    fn begin_scope(&mut self) -> ScopeId {
        self.begun += 1;
        self.names.open.insert(self.begun);
        self.begun
    }

    /// Adds a change to the plan, if there is one.
    fn record<T>(&mut self, change: Result<Option<T>, Error>, add: impl FnOnce(&mut Plan, T)) {
        match (&mut self.plan, change) {
            (Ok(plan), Ok(Some(change))) => add(plan, change),
            (Ok(_), Err(error)) => self.plan = Err(error),
            _ => {}
        }
    }

    /// The value with the first variables, if it changes.
    fn changed(&self, value: &RelaxExpr) -> Result<Option<RelaxExpr>, Error> {
        self.names.firsts.in_value(value).map(|new| Some(new).filter(|new| !new.ptr_eq(value)))
    }

    fn body(&mut self, sequence: &SeqExpr) {
        let body = self.changed(&sequence.body);
        self.record(body, |plan, body| _ = plan.bodies.insert(view(sequence).address(), body));
    }

    /// The binding after the change, if it changes. Its value has sequences inside of each other, in `nesting` levels.
    fn binding(&mut self, binding: &Binding, nesting: usize) -> Result<Option<Binding>, Error> {
        let old = value_of(binding);
        if let Some(branches) = old.downcast_ref::<If>() {
            let cond = if branches.cond.is::<Var>() { self.changed(&branches.cond) } else { Ok(None) };
            self.record(cond, |plan, cond| _ = plan.conditions.insert(view(branches).address(), cond));
        }
        if nesting > 0 || old.is::<If>() || old.is::<SeqExpr>() || old.is::<Function>() {
            return self.whole(binding, &old, nesting);
        }
        let changed = self.changed(&old)?;
        let value = changed.as_ref().unwrap_or(&old);
        let stated = binding.downcast_ref::<MatchCast>().map(|cast| cast.struct_info.clone());
        let is_name = value.is::<Var>() && stated.is_none();
        if !is_name
            && is_repeatable(value)
            && let Some(first) = self.first(&binding.var, key(value, stated))?
        {
            return Ok(Some(VarBinding::new(&binding.var, first).into()));
        }
        Ok(changed.map(|value| with_value(binding, value)))
    }

    /// The binding of branches or of a function as a value, if an earlier variable has an equal value.
    fn whole(&mut self, binding: &Binding, value: &RelaxExpr, nesting: usize) -> Result<Option<Binding>, Error> {
        let is_value = (value.is::<If>() || value.is::<Function>()) && binding.is::<VarBinding>();
        let Some(plan) = self.plan.as_ref().ok().filter(|_| is_value && nesting <= MAX_NESTING) else {
            return Ok(None);
        };
        let value = plan.apply(value.clone())?;
        if !is_repeatable(&value) {
            return Ok(None);
        }
        let first = self.first(&binding.var, key(&value, None))?;
        Ok(first.map(|first| VarBinding::new(&binding.var, first).into()))
    }

    /// The variable in scope that has the value with this key; if there is none, `var` has it from here on.
    fn first(&mut self, var: &Var, key: Array<Any>) -> Result<Option<Var>, Error> {
        let found = self.known.get(&key).filter(|(_, scope)| self.names.open.contains(scope));
        let first = found.map(|(first, _)| self.names.firsts.resolve(&first.into()));
        // A program that the checker rejects may bind a variable twice.
        let first = first.and_then(|first| first.downcast::<Var>().ok()).filter(|first| !first.ptr_eq(var));
        let is_local = var.is::<DataflowVar>();
        if first.as_ref().is_none_or(|first| first.is::<DataflowVar>() && !is_local) {
            // Other blocks do not see a dataflow variable, and use this one.
            let dataflow = self.names.dataflow.filter(|_| is_local);
            let scope = dataflow.or(self.names.sequences.last().copied()).unwrap_or(self.begun);
            self.known.insert(key, (var.clone(), scope))?;
        }
        if let Some(first) = &first {
            self.names.firsts.values.insert(view(var).address(), first.clone().into());
            if self.names.dataflow.is_some() {
                self.names.seconds.push(view(var).address());
            }
        }
        Ok(first)
    }
}

/// The value, the information that a `MatchCast` states about it, and the addresses of the variables that it does not bind: values that
/// differ in their variables alone have one structural hash.
pub(super) fn key(value: &RelaxExpr, stated: Option<StructInfo>) -> Array<Any> {
    if value.is::<If>() || value.is::<Function>() {
        let vars = free_vars(value).into_iter().map(|var| view(&var).address());
        let dims = free_shape_vars(value).into_iter().map(|dim| view(&dim).address());
        let variables = vars.chain(dims).map(|address| Any::from(address as i64));
        return Array::from_anys([value.clone().into(), stated.into()].into_iter().chain(variables).collect());
    }
    let mut variables = Vec::new();
    Walk::new()
        .enter(|object: &ObjectRef, _| {
            let is_variable = object.is::<Var>() || object.is::<tir::Var>();
            if is_variable {
                variables.push(Any::from(object.view().address() as i64));
            }
            if is_variable || object.is::<StructInfo>() { WalkResult::Skip } else { WalkResult::Advance }
        })
        .run(value);
    Array::from_anys([value.clone().into(), stated.into()].into_iter().chain(variables).collect())
}

/// Whether a second evaluation of the value has the same result and no further effect.
pub(super) fn is_repeatable(value: &RelaxExpr) -> bool {
    let mut allocates = false;
    Walk::new()
        .enter(|call: &Call, _| {
            let operator = call.op.downcast_ref::<Op>();
            allocates |= operator.is_some_and(|op| ALLOCATIONS.contains(&op.name.as_str()));
        })
        .run(value);
    !allocates && !contains_impure_call(value, None)
}

/// The program with the variable of an earlier equal value in place of a value that a binding computes again, and in place
/// of the uses of its variable in the same block or sequence: `y = f(x)` becomes `y = z` after `z = f(x)`. The bindings stay;
/// [`canonicalize_bindings`](super::canonicalize_bindings) removes them.
///
/// Values are equal if structural equality says so, under the same structural information of a `MatchCast`. A value in
/// scope counts in branches, and a value of a branch counts in it alone. Each function is by itself. Branches as a whole and functions
/// as values count too, except ones with more than 16 others inside of each other. Values with side effects and allocations of
/// memory stay. (TVM 0.25 `relax.transform.EliminateCommonSubexpr`)
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
    program.change(&|expr| {
        let mut eliminator = Eliminator::default();
        walk(&expr, &mut eliminator);
        eliminator.plan?.apply(expr)
    })
}

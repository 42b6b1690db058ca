//! [`remove_all_unused`]: programs without bindings whose results nothing needs.

use object_core::ObjectView;
use object_core::prelude::*;
use object_core::rewrite::Mutate;
use object_ir::ir::{
    Binding, BindingBlock, BindingNode, Call, DataflowBlockNode, MatchCastNode, RelaxExpr, SeqExpr, TupleGetItemNode,
    TupleStructInfoNode,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::shape_scopes::ShapeScopes;
use crate::analysis::walk::{Observer, Region, Role, view, walk};
use crate::analysis::{Effect, call_effect, may_fail};
use crate::transform::blocks;
use crate::transform::program::Program;

/// The effects of a binding apart from its result.
#[derive(Clone, Copy, Default)]
struct Behaviour {
    /// It may have side effects.
    is_impure: bool,
    /// It may stop the program with an error, or not end.
    may_fail: bool,
}

/// A binding, or the part of a program that is in no binding, which is entry 0.
#[derive(Default)]
struct Entry {
    /// The address of the variable.
    var: usize,
    /// The addresses of the used variables, Relax and scalar.
    uses: Vec<usize>,
    /// The bindings in the value that are not removed unless the value is.
    kept_inside: Vec<usize>,
}

/// A function or binding around the current place of the walk.
struct Frame {
    address: usize,
    entry: usize,
    behaviour: Behaviour,
    is_function: bool,
    /// Whether the binding is in a dataflow block.
    is_dataflow: bool,
}

/// The walk that collects the uses.
#[derive(Default)]
struct Uses {
    entries: Vec<Entry>,
    frames: Vec<Frame>,
    /// Whether each block around the current place is a dataflow block.
    blocks: Vec<bool>,
    /// The entries that bind a variable.
    binders: FxHashMap<usize, Vec<usize>>,
    shape_vars: ShapeScopes,
}

impl Uses {
    fn entry(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.entry)
    }

    fn behave(&mut self, is_impure: bool, may_fail: bool) {
        if let Some(frame) = self.frames.last_mut() {
            frame.behaviour.is_impure |= is_impure;
            frame.behaviour.may_fail |= may_fail;
        }
    }

    fn uses(&mut self, variable: ObjectView<'_>) {
        let entry = self.entry();
        self.entries[entry].uses.push(variable.address());
    }
}

impl<'a> Observer<'a> for Uses {
    fn context(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.address)
    }

    fn expr(&mut self, expr: ObjectView<'a>) -> bool {
        if let Some(call) = expr.to_handle::<Call>() {
            let is_impure = call_effect(&call) != Effect::None;
            // Only the bindings outside of dataflow blocks need the answer.
            let may_fail = !self.blocks.last().copied().unwrap_or(false) && may_fail(&call);
            self.behave(is_impure, may_fail);
        } else if let Some(item) = expr.node::<TupleGetItemNode>() {
            let fields =
                item.tuple_value.struct_info.as_ref().and_then(|info| view(info).node::<TupleStructInfoNode>());
            let count = fields.map_or(0, |info| info.fields.len());
            self.behave(false, usize::try_from(item.index).map_or(true, |index| index >= count));
        }
        true
    }

    fn use_var(&mut self, var: ObjectView<'a>) {
        self.uses(var);
    }

    fn shape_var(&mut self, var: ObjectView<'a>, role: Role) {
        if role == Role::Mention {
            self.uses(var);
        } else if self.shape_vars.define(var.address()) {
            let entry = self.entry();
            self.binders.entry(var.address()).or_default().push(entry);
        }
    }

    fn begin(&mut self, region: Region, object: ObjectView<'a>) {
        match region {
            Region::Sequence => self.blocks.push(false),
            Region::Block => self.blocks.push(object.node::<DataflowBlockNode>().is_some()),
            Region::Function | Region::Binding => {}
        }
        self.shape_vars.begin(region);
        let entry = match (region, object.node::<BindingNode>()) {
            (Region::Function, _) => self.entry(),
            (Region::Binding, Some(binding)) => {
                let var = view(&binding.var).address();
                self.entries.push(Entry { var, ..Entry::default() });
                self.binders.entry(var).or_default().push(self.entries.len() - 1);
                self.entries.len() - 1
            }
            _ => return,
        };
        self.frames.push(Frame {
            address: object.address(),
            entry,
            behaviour: Behaviour { is_impure: false, may_fail: object.node::<MatchCastNode>().is_some() },
            is_function: region == Region::Function,
            is_dataflow: self.blocks.last().copied().unwrap_or(false),
        });
    }

    fn end(&mut self, region: Region, _: ObjectView<'a>) {
        match region {
            Region::Sequence | Region::Block => {
                self.blocks.pop();
            }
            Region::Function | Region::Binding => {}
        }
        self.shape_vars.end(region);
        if !matches!(region, Region::Function | Region::Binding) {
            return;
        }
        let Some(Frame { entry, behaviour, is_function, is_dataflow, .. }) = self.frames.pop() else { return };
        // The value of a function does nothing before it is called.
        if is_function {
            return;
        }
        if behaviour.is_impure || (behaviour.may_fail && !is_dataflow) {
            let outer = self.entry();
            self.entries[outer].kept_inside.push(entry);
        }
        self.behave(behaviour.is_impure, behaviour.may_fail);
    }
}

impl Uses {
    /// The variables of the bindings that nothing needs.
    fn dead(self) -> FxHashSet<usize> {
        let mut is_live = vec![false; self.entries.len()];
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut is_live[at], true) {
                continue;
            }
            open.extend(&self.entries[at].kept_inside);
            let binders = self.entries[at].uses.iter().filter_map(|var| self.binders.get(var));
            open.extend(binders.flatten().filter(|binder| !is_live[**binder]));
        }
        let with_liveness = || self.entries.iter().zip(&is_live);
        let mut dead: FxHashSet<usize> =
            with_liveness().filter(|(_, is_live)| !**is_live).map(|(entry, _)| entry.var).collect();
        // Another binding of the same variable, which the checker rejects, may be live.
        for (entry, _) in with_liveness().filter(|(_, is_live)| **is_live) {
            dead.remove(&entry.var);
        }
        dead
    }
}

/// The program without the bindings that nothing needs, as the specification allows (section "Optimizations"):
///
/// - In a dataflow block, without every unused binding whose value has no side effects, also if it is a `MatchCast` or may
///   fail.
/// - Elsewhere, without an unused binding only if its value certainly returns, as [`may_fail`] and
///   [`call_effect`] say.
///
/// A binding is unused if only the values of unused bindings use its variable and the shape variables that it binds.
/// Blocks without bindings go too. The result has the structural information that the program has. (TVM 0.25
/// `relax.analysis.remove_all_unused`, which keeps every `MatchCast`, and removes calls that may fail from all blocks)
///
/// # Errors
/// A field of the program does not accept its new value; this does not happen for programs that the checker accepts.
///
/// ```
/// use object_core::prelude::*;
/// use object_ir::ir::{BindingBlock, SeqExpr, TensorStructInfo, Var, VarBinding};
/// use object_relax::transform::remove_all_unused;
///
/// let info = TensorStructInfo::of([2], "float32")?;
/// let (x, unused) = (Var::of("x", info.clone()), Var::of("unused", info));
/// let block = BindingBlock::new([VarBinding::new(&unused, &x).into()]);
/// let sequence = SeqExpr::new([block], &x);
/// assert!(remove_all_unused(&sequence)?.blocks.is_empty());
/// # Ok::<(), Error>(())
/// ```
pub fn remove_all_unused<P: Program>(program: &P) -> Result<P, Error> {
    program.change(&|expr| remove_unused(expr))
}

fn remove_unused(expr: RelaxExpr) -> Result<RelaxExpr, Error> {
    let mut uses = Uses { entries: vec![Entry::default()], ..Uses::default() };
    walk(&expr, &mut uses);
    let dead = uses.dead();
    if dead.is_empty() {
        return Ok(expr);
    }
    let is_dead = |binding: &Binding| dead.contains(&view(&binding.var).address());
    Mutate::new()
        .enter(|block: &BindingBlock, _| blocks::remove(block, is_dead))
        .leave(|sequence: &SeqExpr, _| blocks::tidy(sequence))
        .run(expr)
}

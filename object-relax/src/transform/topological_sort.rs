//! [`topological_sort`]: the bindings of dataflow blocks in another order.

use std::collections::VecDeque;

use object_core::ObjectView;
use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation};
use object_ir::ir::{Binding, BindingBlock, DataflowBlockNode, FunctionNode, RelaxExpr};
use rustc_hash::FxHashMap;

use crate::analysis::walk::{Observer, Region, Role, view, walk};
use crate::transform::program::Program;

/// Which binding comes next, of the ones whose neighbours are there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortOrder {
    /// One that the last binding led to.
    #[default]
    DepthFirst,
    /// The one that has waited longest.
    BreadthFirst,
}

impl SortOrder {
    /// The orders with TVM's names.
    pub const NAMES: [(&'static str, SortOrder); 2] =
        [("depth-first", SortOrder::DepthFirst), ("breadth-first", SortOrder::BreadthFirst)];

    /// The order with TVM's name.
    ///
    /// # Errors
    /// [`BadReference`](ErrorKind::BadReference) for another name.
    pub fn named(name: &str) -> Result<SortOrder, Error> {
        value_named(&SortOrder::NAMES, name)
    }
}

/// The end of a function from which the order begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortDirection {
    /// The parameters. A binding leads to its users.
    #[default]
    FromInputs,
    /// The result. A binding leads to the variables in its value, and the order is reversed.
    FromOutputs,
}

impl SortDirection {
    /// The directions with TVM's names.
    pub const NAMES: [(&'static str, SortDirection); 2] =
        [("from-inputs", SortDirection::FromInputs), ("from-outputs", SortDirection::FromOutputs)];

    /// The direction with TVM's name.
    ///
    /// # Errors
    /// [`BadReference`](ErrorKind::BadReference) for another name.
    pub fn named(name: &str) -> Result<SortDirection, Error> {
        value_named(&SortDirection::NAMES, name)
    }
}

fn value_named<T: Copy>(values: &[(&'static str, T)], name: &str) -> Result<T, Error> {
    let found = values.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<String> = values.iter().map(|(name, _)| format!("`{name}`")).collect();
        Error::new(ErrorKind::BadReference, format!("expected {}, got `{name}`", names.join(" or ")))
    })
}

/// The parameters, bindings and result of a sequence.
#[derive(Default)]
struct Graph {
    /// A number that no other sequence has.
    id: usize,
    /// The block and the place in it of each node; `None` for parameters and the result, which comes last.
    places: Vec<Option<(usize, usize)>>,
    /// The pairs of a node and a user of its variables, in the order of the uses.
    uses: Vec<(usize, usize)>,
    /// The binding at hand.
    current: Option<usize>,
    /// The addresses of the dataflow blocks, and their numbers of bindings.
    dataflow: Vec<(usize, usize)>,
    /// The block at hand, and the number of its bindings so far.
    block: (usize, usize),
}

impl Graph {
    /// The nodes from one end to the other; not all of them if they use each other in a circle.
    fn sorted(&self, order: SortOrder, direction: SortDirection) -> Vec<usize> {
        let count = self.places.len();
        let mut waits_for = vec![0_usize; count];
        let mut leads_to: Vec<Vec<usize>> = vec![Vec::new(); count];
        for &(node, user) in &self.uses {
            let (first, second) = if direction == SortDirection::FromInputs { (node, user) } else { (user, node) };
            leads_to[first].push(second);
            waits_for[second] += 1;
        }
        let is_reversed = (order, direction) == (SortOrder::DepthFirst, SortDirection::FromOutputs);
        let mut starts: Vec<usize> = (0..count).filter(|node| waits_for[*node] == 0).collect();
        if direction == SortDirection::FromOutputs {
            // The result is the first start.
            starts.rotate_right(1);
            if is_reversed {
                starts[1..].reverse();
                leads_to.iter_mut().for_each(|next| next.reverse());
            }
        }
        let mut is_ready = vec![false; count];
        let mut open = VecDeque::from(starts);
        let mut sorted = Vec::with_capacity(count);
        while let Some(node) = open.pop_front() {
            sorted.push(node);
            leads_to[node].iter().for_each(|next| waits_for[*next] -= 1);
            let mut ready = Vec::new();
            for &next in leads_to[node].iter().filter(|next| waits_for[**next] == 0) {
                if !std::mem::replace(&mut is_ready[next], true) {
                    ready.push(next);
                }
            }
            match order {
                SortOrder::BreadthFirst => open.extend(ready),
                SortOrder::DepthFirst => ready.into_iter().rev().for_each(|next| open.push_front(next)),
            }
        }
        if direction == SortDirection::FromOutputs {
            sorted.reverse();
        }
        sorted
    }
}

/// The order of the bindings of a dataflow block, by its address.
type Plan = FxHashMap<usize, Vec<usize>>;

/// The walk that makes the plan.
#[derive(Default)]
struct Sorter {
    order: SortOrder,
    direction: SortDirection,
    /// The sequences around the current place.
    graphs: Vec<Graph>,
    /// The sequence of each variable, as its place in `graphs` and its `id`, and its node.
    homes: FxHashMap<usize, (usize, usize, usize)>,
    /// The bindings around the current place, as addresses.
    open: Vec<usize>,
    /// The parameters of the function whose body comes next.
    params: Vec<usize>,
    sequences: usize,
    plan: Plan,
}

impl Sorter {
    /// The node at hand uses the variable of another node of its sequence.
    fn uses(&mut self, var: usize) {
        let Some(&(depth, id, node)) = self.homes.get(&var) else { return };
        let Some(graph) = self.graphs.get_mut(depth).filter(|graph| graph.id == id) else { return };
        // The node of the result gets its number at the end.
        graph.uses.push((node, graph.current.unwrap_or(usize::MAX)));
    }

    /// A node of the sequence at hand.
    fn node(&mut self, place: Option<(usize, usize)>) -> Option<usize> {
        let graph = self.graphs.last_mut()?;
        graph.places.push(place);
        Some(graph.places.len() - 1)
    }

    /// The variable of a node of the sequence at hand.
    fn home(&mut self, var: usize, node: usize) {
        if let Some(graph) = self.graphs.last() {
            self.homes.insert(var, (self.graphs.len() - 1, graph.id, node));
        }
    }

    fn plan(&mut self, mut graph: Graph) {
        let result = graph.places.len();
        graph.places.push(None);
        graph.uses.iter_mut().filter(|(_, user)| *user == usize::MAX).for_each(|(_, user)| *user = result);
        let mut sorted: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (block, at) in graph.sorted(self.order, self.direction).into_iter().filter_map(|node| graph.places[node]) {
            sorted.entry(block).or_default().push(at);
        }
        for (block, count) in graph.dataflow {
            let order = sorted.remove(&block).filter(|order| order.len() == count && !order.is_sorted());
            order.map(|order| self.plan.insert(block, order));
        }
    }
}

impl<'a> Observer<'a> for Sorter {
    fn context(&self) -> usize {
        self.open.last().copied().unwrap_or(0)
    }

    fn use_var(&mut self, var: ObjectView<'a>) {
        self.uses(var.address());
    }

    fn shape_var(&mut self, var: ObjectView<'a>, role: Role) {
        if role == Role::Mention {
            self.uses(var.address());
        } else if let Some(node) = self.graphs.last().and_then(|graph| graph.current)
            && !self.homes.contains_key(&var.address())
        {
            // A `MatchCast` binds the shape variable. The ones of parameters need no order.
            self.home(var.address(), node);
        }
    }

    fn begin(&mut self, region: Region, object: ObjectView<'a>) {
        match region {
            Region::Function => {
                let params = object.node::<FunctionNode>().map(|function| function.params.as_slice());
                self.params = params.into_iter().flatten().map(|param| view(param).address()).collect();
            }
            Region::Sequence => {
                self.sequences += 1;
                self.graphs.push(Graph { id: self.sequences, ..Graph::default() });
                for param in std::mem::take(&mut self.params) {
                    let node = self.node(None);
                    node.into_iter().for_each(|node| self.home(param, node));
                }
            }
            Region::Block => {
                if let Some(graph) = self.graphs.last_mut() {
                    graph.block = (object.address(), 0);
                    if let Some(block) = object.node::<DataflowBlockNode>() {
                        graph.dataflow.push((object.address(), block.bindings.len()));
                    }
                }
            }
            Region::Binding => {
                self.open.push(object.address());
                let place = self.graphs.last().map(|graph| graph.block);
                let node = self.node(place);
                if let Some(graph) = self.graphs.last_mut() {
                    graph.current = node;
                    graph.block.1 += 1;
                }
            }
        }
    }

    fn end(&mut self, region: Region, object: ObjectView<'a>) {
        match region {
            Region::Function | Region::Block => {}
            Region::Sequence => {
                let ended = self.graphs.pop();
                ended.into_iter().for_each(|graph| self.plan(graph));
            }
            Region::Binding => {
                self.open.pop();
                let node = self.graphs.last_mut().and_then(|graph| graph.current.take());
                if let (Some(node), Some(binding)) = (node, object.to_handle::<Binding>()) {
                    self.home(view(&binding.var).address(), node);
                }
            }
        }
    }
}

/// The program with the bindings of each dataflow block in an order in which each one comes after the ones that it uses. In the
/// functions and branches of a value, the variables around them have no part in the order. (TVM 0.25
/// `relax.transform.TopologicalSort`, which leaves out the shape variables that a `MatchCast` binds)
///
/// The orders are the ones of a second run too, except that `BreadthFirst` and `FromOutputs` together turn the bindings around
/// that do not depend on each other.
///
/// # Errors
/// A field of the program does not accept its new value; this does not happen for programs that the checker accepts.
///
/// ```
/// use object_core::Error;
/// use object_ir::ir::IRModule;
/// use object_relax::transform::{SortDirection, SortOrder, topological_sort};
///
/// /// The module with values close to their users.
/// fn for_memory(module: &IRModule) -> Result<IRModule, Error> {
///     topological_sort(module, SortOrder::DepthFirst, SortDirection::FromOutputs)
/// }
/// ```
pub fn topological_sort<P: Program>(program: &P, order: SortOrder, direction: SortDirection) -> Result<P, Error> {
    program.change(&|expr| {
        let mut sorter = Sorter { order, direction, ..Sorter::default() };
        walk(&expr, &mut sorter);
        sorted(&sorter.plan, expr)
    })
}

fn sorted(plan: &Plan, expr: RelaxExpr) -> Result<RelaxExpr, Error> {
    if plan.is_empty() {
        return Ok(expr);
    }
    Mutate::new()
        .enter(|block: &BindingBlock, _| {
            let Some(order) = plan.get(&view(block).address()) else { return Mutation::Keep };
            let bindings = order.iter().filter_map(|at| block.bindings.as_slice().get(*at).cloned());
            let bindings = Array::new(bindings.collect::<Vec<_>>());
            Mutation::ReplaceInto(block.clone().with_changes(|node| node.bindings = bindings).into())
        })
        .run(expr)
}

//! [`Statuses`]: which variables and `dag` nodes are bound at the current position of a hash under lexical scopes, and
//! the questions about them on which a remembered result depends.
//!
//! Whether a `dag` node is bound already is the most frequent question: the result for an object depends on it for each
//! `dag` node in the object. So these answers, and the bindings of `dag` nodes, are sets that share their parts, as in a
//! comparison ([`Matches`]). A remembered result binds the `dag` nodes in it again as a whole.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::persistent_map::MapId;
use crate::structural::lexical::occurrences::Occurrences;
use crate::structural::lexical::positions::{Positions, Residue};
use crate::structural::scope::changes::{Replay, ReplayCounts};
use crate::structural::scope::facts::Fact;
use crate::structural::scope::matches::{ExportedMatches, MatchSets, Matched, Matches, Taken};
use crate::structural::scope::scope_stack::{EXPORTED, EnteredAt, FREE, ScopeStack};
use crate::table::{AddressTable, Table};

/// A binding that is in force.
#[derive(Clone, Copy)]
struct BoundAt {
    /// The level of the scope that made the binding, or `FREE`.
    level: u32,
    /// One more than the number of bindings that were made before.
    order: u64,
}

/// A change of the status of objects.
#[derive(Clone)]
pub(crate) struct Change {
    bindings: Made,
    /// The bound `dag` nodes before the change.
    nodes_before: MapId,
    replays: ReplayCounts,
}

/// The bindings of a [`Change`].
#[derive(Clone)]
enum Made {
    /// One binding, with the status of the object before.
    One { address: usize, level: u32, before: Option<BoundAt>, is_node: bool },
    /// The bindings of `dag` nodes, which hide no others. The table of bindings leaves them out.
    Many { nodes: MapId, at: BoundAt },
}

/// A `dag` node, by address.
#[derive(Clone, Copy)]
pub(crate) struct DagNode(usize);

impl Matched for DagNode {
    fn keys(self) -> [usize; 2] {
        [self.0; 2]
    }
}

/// The answers to questions about `dag` nodes.
#[derive(Clone, Default)]
pub(crate) struct NodeAnswers {
    sets: MatchSets,
    /// More answers, which are not sets yet, or which are from another operation.
    exported: Option<ExportedNodes>,
}

type ExportedNodes = Arc<ExportedMatches<DagNode>>;

/// A question about an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Question {
    /// Whether the variable is neither bound nor a free variable that occurred before. Its fields may be objects.
    Unbound,
    /// The same question about a variable without objects in its fields.
    UnboundLeaf,
    /// Whether the innermost scope binds the object.
    BoundHere,
    /// Whether the object is bound, and not only free.
    Bound,
    /// Whether a scope outside of which no scope is open exports the binding of the object.
    Exported,
    /// Whether no scope is open. The question is about no object.
    Outermost,
}

/// An answer that a walk used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Asked {
    pub(crate) address: usize,
    pub(crate) question: Question,
    pub(crate) answer: bool,
    /// The order of the binding in force, or zero.
    pub(crate) order: u64,
}

/// A place to which [`Statuses::roll_back`] returns.
#[derive(Clone, Copy)]
pub(crate) struct Checkpoint {
    changes: usize,
    free: usize,
}

/// The variables and `dag` nodes that had a status before a roll-back, to give it again.
#[derive(Default)]
pub(crate) struct GivenStatuses {
    objects: Vec<(usize, Given)>,
    /// The bound `dag` nodes whose bindings a remembered result can repeat.
    nodes: MapId,
}

/// The status of an object before a roll-back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    /// A free variable that occurred.
    Free,
    /// A variable with a binding in place of an earlier one.
    Rebound { is_exported: bool },
    /// Another bound variable.
    Variable,
    /// A bound `dag` node.
    Node,
}

impl Fact for Asked {
    fn order(self) -> u64 {
        self.order
    }

    fn outside(self) -> Option<Self> {
        (self.question != Question::BoundHere).then_some(self)
    }
}

/// The variables and `dag` nodes that are bound, and the free variables that occurred.
#[derive(Clone, Default)]
pub(crate) struct Statuses {
    bound: AddressTable<BoundAt>,
    pub(crate) scopes: ScopeStack<Change>,
    /// The free variables with objects in their fields, in the order of their first occurrence.
    free: Vec<usize>,
    pub(crate) occurrences: Occurrences,
    /// The bound `dag` nodes, and the answers about them that the walk used.
    nodes: Matches<DagNode>,
    /// The number of changes of several bindings.
    many: usize,
    /// The number of maps whose entries without an order are being hashed.
    pub(crate) unordered: u32,
    /// The answers in the form for other walks.
    exported: Table<MatchSets, ExportedNodes>,
    /// Whether an answer depends on the occurrences of variables without objects in their fields.
    depends_on_occurrences: bool,
}

impl Statuses {
    /// The answer to a question about the object at `address`.
    pub(crate) fn ask(&mut self, address: usize, question: Question) -> Asked {
        let bound = self.bound(address);
        let level = bound.map(|bound| bound.level);
        if question == Question::UnboundLeaf && bound.is_none() {
            self.depends_on_occurrences = true;
            let first = self.occurrences.first(address);
            return Asked { address, question, answer: first.is_none(), order: first.unwrap_or_default() };
        }
        let answer = match question {
            Question::Unbound | Question::UnboundLeaf => level.is_none(),
            Question::Outermost => self.scopes.depth() == 0,
            Question::BoundHere => level == Some(self.scopes.depth()),
            Question::Exported => level == Some(EXPORTED),
            Question::Bound => level.is_some_and(|level| level != FREE),
        };
        Asked { address, question, answer, order: bound.map_or(0, |bound| bound.order) }
    }

    /// The binding of an object.
    fn bound(&self, address: usize) -> Option<BoundAt> {
        let bound = self.bound.get(&address).copied();
        if bound.is_some() || self.many == 0 || !self.nodes.contains(self.nodes.scoped(), address) {
            return bound;
        }
        // Nothing hides the binding, so the sets of bound nodes contain the node from that change on.
        let changes = self.scopes.changes_since(0);
        let after = changes.partition_point(|it| !self.nodes.contains(it.nodes_before, address));
        match changes.get(after.checked_sub(1)?)?.bindings {
            Made::Many { at, .. } => Some(at),
            Made::One { .. } => None,
        }
    }

    /// Whether a `dag` node is not bound. The walk depends on the answer.
    pub(crate) fn ask_unbound_node(&mut self, address: usize) -> bool {
        let is_unbound = self.is_unbound_node(address);
        if is_unbound {
            self.nodes.use_unscoped(DagNode(address), DagNode(address));
        }
        is_unbound
    }

    /// As [`ask_unbound_node`](Self::ask_unbound_node), for a walk that binds the node now if it is not bound.
    pub(crate) fn is_unbound_node(&mut self, address: usize) -> bool {
        let bound = self.bound(address);
        if let Some(bound) = bound {
            self.nodes.use_itself(DagNode(address), bound.order);
        }
        bound.is_none()
    }

    /// Opens a scope.
    pub(crate) fn open(&mut self) {
        self.nodes.merge();
        self.scopes.open();
    }

    /// Begins an object: the position in the log of answers about `dag` nodes, for [`take_nodes`](Self::take_nodes).
    pub(crate) fn begin_nodes(&mut self) -> usize {
        self.nodes.begin()
    }

    /// The answers about `dag` nodes since `start`, as far as bindings up to the one with number `made` decide them, and the
    /// `dag` nodes that the walk bound since then. `closes` says whether these bindings have ended with a scope.
    pub(crate) fn take_nodes(&mut self, start: usize, made: u64, closes: bool) -> (NodeAnswers, MapId) {
        let Taken { facts, exported, made } = self.nodes.take(start, made, closes);
        (NodeAnswers { sets: facts, exported }, made.map_or(MapId::EMPTY, |(nodes, _)| nodes))
    }

    /// Whether the answers about `dag` nodes would be the same here.
    pub(crate) fn has_same_nodes(&mut self, answers: &NodeAnswers) -> bool {
        let has_same_sets = answers.sets.is_empty() || self.nodes.missing(answers.sets).is_some_and(MapId::is_empty);
        has_same_sets && answers.exported.as_ref().is_none_or(|answers| self.nodes.has_same_exported(answers))
    }

    /// Records that the walk depends on the same answers about `dag` nodes as another one.
    pub(crate) fn use_nodes(&mut self, answers: &NodeAnswers) {
        self.nodes.use_all(answers.sets);
        if let Some(answers) = &answers.exported {
            self.nodes.use_exported(answers);
        }
    }

    /// The answers in the form for other operations.
    pub(crate) fn export(&mut self, answers: &NodeAnswers) -> NodeAnswers {
        let exported = match &answers.exported {
            Some(exported) if answers.sets.is_empty() => Some(exported.clone()),
            None if answers.sets.is_empty() => None,
            _ => {
                let sets =
                    answers.exported.iter().fold(answers.sets, |sets, more| self.nodes.with_exported(sets, more));
                let nodes = &self.nodes;
                Some(self.exported.entry(sets).or_insert_with(|| Arc::new(nodes.export(sets))).clone())
            }
        };
        NodeAnswers { sets: MatchSets::default(), exported }
    }

    /// Binds an object in the innermost scope. `is_node` says whether it is a `dag` node, and `is_repeatable` whether the
    /// binding can hide no others wherever a remembered result makes it again.
    pub(crate) fn bind(&mut self, address: usize, is_node: bool, is_repeatable: bool) {
        if self.bound.get(&address).is_some_and(|before| before.level == self.scopes.depth() | EXPORTED) {
            return self.rebind(address, Residue::ZERO, false);
        }
        let replay = if is_node && is_repeatable { Replay::AsSet } else { Replay::Never };
        self.bind_one(self.scopes.depth(), address, is_node, replay);
        self.occurrences.push_bound(address);
    }

    /// Binds a variable in the innermost scope in place of an earlier binding. It occurs at `position` already. `is_exported`
    /// says whether a scope that has ended exports it.
    pub(crate) fn rebind(&mut self, address: usize, position: Residue, is_exported: bool) {
        let exported = if is_exported { EXPORTED } else { 0 };
        self.bind_one(self.scopes.depth() | exported, address, false, Replay::InOrder);
        self.occurrences.push_rebound(address, position);
    }

    /// Whether a scope that has ended exports the binding in force of a variable.
    pub(crate) fn is_exported(&self, address: usize) -> bool {
        self.bound.get(&address).is_some_and(|bound| bound.level != FREE && bound.level & EXPORTED != 0)
    }

    /// Binds an object with the next order.
    fn bind_one(&mut self, level: u32, address: usize, is_node: bool, replay: Replay) {
        let bound = BoundAt { level, order: self.scopes.count_binding() };
        let before = self.bound.insert(address, bound);
        let nodes_before = self.nodes.scoped();
        if is_node {
            match replay {
                Replay::AsSet => self.nodes.bind_itself(DagNode(address)),
                _ => self.nodes.bind_anew(DagNode(address), bound.order),
            }
        }
        self.push_change(Made::One { address, level: bound.level, before, is_node }, nodes_before, replay);
    }

    /// Ends the current field of the innermost scope. If the scope exports the field, the bindings of variables in it outlive
    /// the scope.
    pub(crate) fn end_field(&mut self, is_exported: bool) {
        for change in self.scopes.end_field() {
            if let Made::One { address, is_node: false, .. } = change.bindings
                && is_exported
            {
                self.occurrences.push_exported(address);
            }
        }
    }

    /// Binds the `dag` nodes in `nodes`, none of which is bound, in the innermost scope. They occur at `positions`.
    pub(crate) fn bind_many(&mut self, nodes: MapId, positions: Positions) {
        if nodes.is_empty() {
            return;
        }
        let at = BoundAt { level: self.scopes.depth(), order: self.scopes.count_binding() };
        let nodes_before = self.nodes.scoped();
        self.nodes.bind_all(nodes, at.order);
        self.many += 1;
        self.occurrences.push_bound_many(positions);
        self.push_change(Made::Many { nodes, at }, nodes_before, Replay::AsSet);
    }

    fn push_change(&mut self, bindings: Made, nodes_before: MapId, replay: Replay) {
        let replays = replays(self.scopes.changes_since(0)).plus(replay);
        self.scopes.push_undo(Change { bindings, nodes_before, replays });
    }

    /// Whether a remembered result may make all bindings again that are in force since `entered`.
    pub(crate) fn can_repeat_since(&self, entered: EnteredAt) -> bool {
        let changes = self.scopes.changes_since(0);
        let (before, count) = (replays(&changes[..entered.changes]), changes.len() - entered.changes);
        replays(changes).can_replay_since(before, count, self.scopes.depth() > 0 || self.unordered > 0)
    }

    /// The number of the next occurrence.
    fn count_occurrence(&mut self) -> u64 {
        match self.depends_on_occurrences {
            true => self.scopes.count_binding(),
            false => self.scopes.count_event(),
        }
    }

    /// Records an occurrence of an object at a position.
    pub(crate) fn add_occurrence(&mut self, address: usize, position: Residue) {
        let number = self.count_occurrence();
        self.occurrences.push_one(address, position, number);
    }

    /// Records the occurrences in an object.
    pub(crate) fn add_occurrences(&mut self, positions: Positions) {
        let number = self.count_occurrence();
        self.occurrences.push_many(positions, number);
    }

    /// Multiplies the positions of the occurrences since `start` by `factor`, at the end of a scope.
    pub(crate) fn scale_occurrences(&mut self, start: usize, factor: Residue, steps: &mut u32) {
        let number = self.count_occurrence();
        self.occurrences.scale(start, factor, number, steps);
    }

    /// Records an occurrence of a variable with objects in its fields, which is free if no scope binds it.
    pub(crate) fn occurs(&mut self, address: usize) {
        if let Entry::Vacant(vacant) = self.bound.entry(address) {
            vacant.insert(BoundAt { level: FREE, order: self.scopes.count_binding() });
            self.scopes.record_lasting();
            self.free.push(address);
        }
    }

    /// Closes the innermost scope: its bindings end.
    pub(crate) fn close(&mut self) {
        let (bound, nodes, many) = (&mut self.bound, &mut self.nodes, &mut self.many);
        self.scopes.close(|change| change.undo(bound, nodes, many));
    }

    pub(crate) fn checkpoint(&mut self) -> Checkpoint {
        self.nodes.merge();
        Checkpoint { changes: self.scopes.state().changes, free: self.free.len() }
    }

    /// Undoes everything since `checkpoint`, and adds it to `given`.
    pub(crate) fn roll_back(&mut self, checkpoint: Checkpoint, given: &mut GivenStatuses) {
        self.nodes.merge();
        let mut before = replays(&self.scopes.changes_since(0)[..checkpoint.changes]);
        for change in self.scopes.changes_since(checkpoint.changes) {
            let replay = change.replays.last(std::mem::replace(&mut before, change.replays));
            let nodes = match &change.bindings {
                Made::One { address, .. } if replay == Replay::AsSet => {
                    self.nodes.pair(DagNode(*address), DagNode(*address))
                }
                Made::One { address, level, is_node, .. } => {
                    let becomes = match replay {
                        Replay::InOrder => Given::Rebound { is_exported: level & EXPORTED != 0 },
                        _ if *is_node => Given::Node,
                        _ => Given::Variable,
                    };
                    given.objects.push((*address, becomes));
                    continue;
                }
                Made::Many { nodes, .. } => *nodes,
            };
            given.nodes = self.nodes.union(given.nodes, nodes);
        }
        let (bound, nodes, many) = (&mut self.bound, &mut self.nodes, &mut self.many);
        self.scopes.undo_since(checkpoint.changes, |change| change.undo(bound, nodes, many));
        // A variable becomes free only where nothing binds it, so no status was hidden.
        for address in self.free.drain(checkpoint.free..) {
            given.objects.push((address, Given::Free));
            self.bound.remove(&address);
        }
    }

    /// Gives the objects the status that they had before a roll-back. The bound ones are among the objects of `own`.
    pub(crate) fn give_again(&mut self, given: &GivenStatuses, own: &Positions) {
        for (address, status) in &given.objects {
            match status {
                Given::Free => self.occurs(*address),
                Given::Rebound { is_exported } => self.rebind(*address, Residue::ZERO, *is_exported),
                _ if self.ask(*address, Question::BoundHere).answer => {}
                status => self.bind(*address, *status == Given::Node, false),
            }
        }
        let nodes = self.nodes.without_scoped(given.nodes);
        // The caller adds the positions.
        self.bind_many(nodes, own.scaled(Residue::ZERO));
    }
}

impl Change {
    fn undo(self, bound: &mut AddressTable<BoundAt>, nodes: &mut Matches<DagNode>, many: &mut usize) {
        nodes.restore(self.nodes_before);
        match self.bindings {
            Made::One { address, before: Some(before), .. } => drop(bound.insert(address, before)),
            Made::One { address, before: None, .. } => drop(bound.remove(&address)),
            Made::Many { .. } => *many -= 1,
        }
    }
}

/// The numbers of `changes`, by [`Replay`].
fn replays(changes: &[Change]) -> ReplayCounts {
    changes.last().map_or(ReplayCounts::default(), |change| change.replays)
}

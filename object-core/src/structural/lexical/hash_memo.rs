//! [`Remembered`]: the hash of an object under lexical scopes, and the conditions under which it is valid again.
//!
//! The hash of an object does not depend on what binds the variables that the object only uses: they are in the result
//! as [`Positions`]. It depends on few facts about other objects, and the walk records each of them as a question with
//! its answer: whether a variable with fields occurred before, whether a scope binds a variable of an annotation, whether
//! the scope has bound a variable before. The answers about `dag` nodes, which may be many, are a set. An object binds
//! the `dag` nodes that occur in it first, and a result makes these bindings again.

use std::sync::Arc;

use crate::persistent_map::MapId;
use crate::structural::lexical::positions::{Positions, PowerSums, Residue};
use crate::structural::lexical::statuses::{Asked, NodeAnswers, Question, Statuses};
use crate::structural::scope::facts::{FactLog, Facts};

/// The number of hashes that are remembered for one object in one region.
pub(crate) const MAX_REMEMBERED: usize = 8;

/// A version that no statuses have.
const NO_VERSION: u64 = u64::MAX;

/// A binding that a result makes in place of an earlier one.
#[derive(Clone, Copy)]
pub(crate) struct Rebound {
    pub(crate) address: usize,
    pub(crate) position: Residue,
    /// Whether a scope that has ended exports it.
    pub(crate) is_exported: bool,
}

/// The positions of the objects that an object refers to.
#[derive(Clone)]
pub(crate) struct OuterPositions {
    /// The variables and `dag` nodes that the object uses, with their positions.
    pub(crate) used: Positions,
    /// The `dag` nodes that the object binds, and their positions.
    pub(crate) bound: MapId,
    pub(crate) own: Positions,
    /// The variables that scopes in the object export or that are bound in their place, with their positions.
    pub(crate) exports: Arc<[Rebound]>,
    /// The sums of powers of the positions of variables that others have taken the place of.
    pub(crate) hidden: PowerSums,
    /// The factor of all positions.
    pub(crate) factor: Residue,
}

/// The answers under which a hash is valid.
#[derive(Clone)]
pub(crate) struct Conditions {
    pub(crate) answers: Arc<Facts<Asked>>,
    /// The answers about `dag` nodes.
    pub(crate) nodes: NodeAnswers,
}

/// The hash of an object that binds no variable in the scope around it.
#[derive(Clone)]
pub(crate) struct Remembered {
    pub(crate) hash: u64,
    positions: OuterPositions,
    /// The inverse of the factor of the positions, after the first reuse.
    inverse: Option<Residue>,
    /// Whether a hook computed an object, which lives as long as the operation.
    pub(crate) computed: bool,
    conditions: Conditions,
    /// The version of the statuses for which the answers are known to be the same.
    version: u64,
}

impl Remembered {
    /// The hash of an object for which no hook computes objects.
    pub(crate) fn new(hash: u64, positions: OuterPositions, conditions: Conditions) -> Self {
        Remembered { hash, positions, inverse: None, computed: false, conditions, version: NO_VERSION }
    }

    /// Marks the hash as current if it is valid in the present state of `statuses`.
    pub(crate) fn mark_current(&mut self, statuses: &mut Statuses, steps: &mut u32) {
        // The walk may have changed an answer, because it reached the first occurrence of a variable.
        if self.is_valid(statuses, steps) {
            self.version = statuses.scopes.version();
        }
    }

    /// Whether the hash is valid under `statuses`.
    pub(crate) fn is_valid(&self, statuses: &mut Statuses, steps: &mut u32) -> bool {
        let mut asked = self.conditions.answers.all.iter();
        asked.all(|it| {
            *steps = steps.wrapping_add(1);
            statuses.ask(it.address, it.question).answer == it.answer
        }) && statuses.has_same_nodes(&self.conditions.nodes)
    }

    /// Uses the valid hash again, in a place with the factor `factor`: its variables occur, and the caller depends on the
    /// same answers.
    pub(crate) fn reuse(&mut self, statuses: &mut Statuses, log: &mut FactLog<Asked>, factor: Residue) -> u64 {
        if self.version != statuses.scopes.version() {
            let now: Vec<Asked> =
                self.conditions.answers.all.iter().map(|it| statuses.ask(it.address, it.question)).collect();
            if now.iter().zip(&self.conditions.answers.all).any(|(now, before)| now.order != before.order) {
                self.conditions.answers = Facts::new(now);
            }
            self.version = statuses.scopes.version();
            log.push_all(&self.conditions.answers);
            for first in &self.conditions.answers.all {
                if first.question == Question::Unbound && first.answer && self.positions.used.contains(first.address) {
                    statuses.occurs(first.address);
                }
            }
        } else {
            log.push_all(&self.conditions.answers);
        }
        statuses.use_nodes(&self.conditions.nodes);
        let OuterPositions { used, bound, own, exports, hidden, factor: own_factor } = &self.positions;
        if !used.is_empty() || !bound.is_empty() || !exports.is_empty() {
            let factor = self.inverse.get_or_insert_with(|| own_factor.inverse()).times(factor);
            statuses.bind_many(*bound, own.scaled(factor));
            statuses.add_occurrences(used.scaled(factor));
            statuses.occurrences.push_hidden(hidden.scaled(factor));
            for it in &**exports {
                statuses.rebind(it.address, it.position.times(factor), it.is_exported);
            }
        }
        self.hash
    }

    /// Whether the hash was found or used in the same state, so that it is valid without a look at the answers.
    pub(crate) fn is_current(&self, statuses: &Statuses) -> bool {
        self.version == statuses.scopes.version()
    }

    /// The hash for other operations, in which versions and sets have another meaning.
    pub(crate) fn exported(self, statuses: &mut Statuses) -> Self {
        let conditions = Conditions { nodes: statuses.export(&self.conditions.nodes), ..self.conditions };
        Remembered { version: NO_VERSION, conditions, ..self }
    }
}

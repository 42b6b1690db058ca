//! [`Remembered`]: the hash of an object under lexical scopes, and the conditions under which it is valid again.
//!
//! The hash of an object does not depend on what binds the variables that the object only uses: they are in the result
//! as [`Positions`]. It depends on few facts about other objects, and the walk records each of them as a question with
//! its answer: whether a variable with fields occurred before, whether a scope binds a variable of an annotation, whether
//! the scope has bound a variable before. The answers about `dag` nodes, which may be many, are a set. An object binds
//! the `dag` nodes that occur in it first, and a result makes these bindings again.

use std::sync::Arc;

use crate::persistent_map::MapId;
use crate::structural::scope::facts::{FactLog, Facts};
use crate::structural::scope::positions::{Positions, Residue};
use crate::structural::scope::statuses::{Asked, NodeAnswers, Question, Statuses};

/// The number of hashes that are remembered for one object in one region.
pub(crate) const MAX_REMEMBERED: usize = 8;

/// A version that no statuses have.
const NO_VERSION: u64 = u64::MAX;

/// The hash of an object that binds no variable in the scope around it.
#[derive(Clone)]
pub(crate) struct Remembered {
    pub(crate) hash: u64,
    /// The positions of the variables and `dag` nodes that the object uses, multiplied by `factor`.
    positions: Positions,
    /// The `dag` nodes that the object binds, with positions multiplied by `factor`.
    bound: (MapId, Positions),
    factor: Residue,
    /// The inverse of `factor`, after the first reuse.
    inverse: Option<Residue>,
    /// Whether a hook computed an object, which lives as long as the operation.
    pub(crate) computed: bool,
    answers: Arc<Facts<Asked>>,
    /// The answers about `dag` nodes.
    nodes: NodeAnswers,
    /// The version of the statuses for which the answers are known to be the same.
    version: u64,
}

impl Remembered {
    /// A hash that the hasher found before the present state of `statuses`, with positions multiplied by `factor`.
    pub(crate) fn new(
        (hash, computed): (u64, bool),
        (positions, bound, factor): (Positions, (MapId, Positions), Residue),
        (answers, nodes): (Arc<Facts<Asked>>, NodeAnswers),
        statuses: &mut Statuses,
        steps: &mut u32,
    ) -> Self {
        let mut found =
            Remembered { hash, positions, bound, factor, inverse: None, computed, answers, nodes, version: NO_VERSION };
        // The walk may have changed an answer, because it reached the first occurrence of a variable.
        if found.is_valid(statuses, steps) {
            found.version = statuses.scopes.version();
        }
        found
    }

    /// Whether the hash is valid under `statuses`.
    pub(crate) fn is_valid(&self, statuses: &mut Statuses, steps: &mut u32) -> bool {
        let mut asked = self.answers.all.iter();
        asked.all(|it| {
            *steps = steps.wrapping_add(1);
            statuses.ask(it.address, it.question).answer == it.answer
        }) && statuses.has_same_nodes(&self.nodes)
    }

    /// Uses the valid hash again, in a place with the factor `factor`: its variables occur, and the caller depends on the
    /// same answers.
    pub(crate) fn reuse(&mut self, statuses: &mut Statuses, log: &mut FactLog<Asked>, factor: Residue) -> u64 {
        if self.version != statuses.scopes.version() {
            let now: Vec<Asked> = self.answers.all.iter().map(|it| statuses.ask(it.address, it.question)).collect();
            if now.iter().zip(&self.answers.all).any(|(now, before)| now.order != before.order) {
                self.answers = Facts::new(now);
            }
            self.version = statuses.scopes.version();
            log.push_all(&self.answers);
            for first in &self.answers.all {
                if first.question == Question::Unbound && first.answer && self.positions.contains(first.address) {
                    statuses.occurs(first.address);
                }
            }
        } else {
            log.push_all(&self.answers);
        }
        statuses.use_nodes(&self.nodes);
        let (nodes, own) = &self.bound;
        if !self.positions.is_empty() || !nodes.is_empty() {
            let own_factor = self.factor;
            let factor = self.inverse.get_or_insert_with(|| own_factor.inverse()).times(factor);
            statuses.bind_many(*nodes, own.scaled(factor));
            statuses.add_occurrences(self.positions.scaled(factor));
        }
        self.hash
    }

    /// Whether the hash was found or used in the same state, so that it is valid without a look at the answers.
    pub(crate) fn is_current(&self, statuses: &Statuses) -> bool {
        self.version == statuses.scopes.version()
    }

    /// The hash for other operations, in which versions and sets have another meaning.
    pub(crate) fn exported(self, statuses: &mut Statuses) -> Self {
        let nodes = statuses.export(&self.nodes);
        Remembered { version: NO_VERSION, nodes, ..self }
    }
}

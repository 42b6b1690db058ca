//! [`Remembered`]: the hash of an object under lexical scopes, and the conditions under which it is valid again.
//!
//! The hash of an object does not depend on what binds the variables that the object only uses: they are in the result
//! as [`Positions`]. It depends on few facts about other objects, and the walk records each of them as a question with
//! its answer: whether a `dag` node occurred before in the scope, whether a variable with fields occurred before,
//! whether a scope binds a variable of an annotation, whether the scope has bound a variable before.

use std::sync::Arc;

use crate::structural::scope::facts::{FactLog, Facts};
use crate::structural::scope::positions::{Positions, Residue};
use crate::structural::scope::statuses::{Asked, Statuses};

/// The number of hashes that are remembered for one object in one region.
pub(crate) const MAX_REMEMBERED: usize = 8;

/// The contribution of an object to the hash of its parent.
#[derive(Clone, Default)]
pub(crate) struct Effect {
    /// The variables and `dag` nodes that the object uses and that are not in `own`.
    pub(crate) outer: Positions,
    /// The variables and `dag` nodes that the object binds in the scope around it.
    pub(crate) own: Positions,
    /// Whether a hook computed an object, which lives as long as the operation.
    pub(crate) computed: bool,
}

impl Effect {
    /// Appends the effect of the next child, after which the hash has this state. The child uses variables that earlier
    /// children bind.
    pub(crate) fn append(&mut self, child: &Effect, state: u64, steps: &mut u32) {
        self.computed |= child.computed;
        if child.outer.is_empty() && child.own.is_empty() {
            return;
        }
        let factor = Residue::of_state(state);
        let mut outer = child.outer.scaled(factor);
        let bound = outer.take_all(&self.own, steps);
        let own = std::mem::take(&mut self.own).plus(bound, steps);
        self.own = own.plus(child.own.scaled(factor), steps);
        self.outer = std::mem::take(&mut self.outer).plus(outer, steps);
    }

    /// Adds an occurrence of the object at `address`, as one that the object binds if `is_own`.
    pub(crate) fn add(&mut self, address: usize, is_own: bool, steps: &mut u32) {
        let part = if is_own { &mut self.own } else { &mut self.outer };
        *part = std::mem::take(part).plus(Positions::of(address), steps);
    }
}

/// A version that no statuses have.
const NO_VERSION: u64 = u64::MAX;

/// The hash of an object that binds nothing in the scope around it.
#[derive(Clone)]
pub(crate) struct Remembered {
    pub(crate) hash: u64,
    pub(crate) outer: Positions,
    pub(crate) computed: bool,
    answers: Arc<Facts<Asked>>,
    /// The version of the statuses for which the answers are known to be the same.
    version: u64,
}

impl Remembered {
    /// A hash that the hasher found before the present state of `statuses`.
    pub(crate) fn new(
        hash: u64,
        effect: &Effect,
        answers: Arc<Facts<Asked>>,
        statuses: &Statuses,
        steps: &mut u32,
    ) -> Self {
        let (outer, computed) = (effect.outer.clone(), effect.computed);
        let mut found = Remembered { hash, outer, computed, answers, version: NO_VERSION };
        // The walk may have changed an answer, because it reached the first occurrence of a variable.
        if found.is_valid(statuses, steps) {
            found.version = statuses.scopes.version();
        }
        found
    }

    /// Whether the hash is valid under `statuses`.
    pub(crate) fn is_valid(&self, statuses: &Statuses, steps: &mut u32) -> bool {
        let mut asked = self.answers.all.iter();
        asked.all(|it| {
            *steps = steps.wrapping_add(1);
            statuses.ask(it.address, it.question).answer == it.answer
        })
    }

    /// Uses the valid hash again: its free variables occur, and the caller depends on the same answers.
    pub(crate) fn reuse(
        &mut self,
        statuses: &mut Statuses,
        log: &mut FactLog<Asked>,
        steps: &mut u32,
    ) -> (u64, Effect) {
        if self.version != statuses.scopes.version() {
            let now = |it: &Asked| statuses.ask(it.address, it.question);
            if self.answers.all.iter().any(|it| now(it).order != it.order) {
                self.answers = Facts::new(self.answers.all.iter().map(now).collect());
            }
            self.version = statuses.scopes.version();
            log.push_all(&self.answers);
            self.outer.for_each(|address, _| {
                *steps = steps.wrapping_add(1);
                statuses.occurs(address);
            });
        } else {
            log.push_all(&self.answers);
        }
        (self.hash, Effect { outer: self.outer.clone(), own: Positions::default(), computed: self.computed })
    }

    /// Whether the hash was found or used in the same state, so that it is valid without a look at the answers.
    pub(crate) fn is_current(&self, statuses: &Statuses) -> bool {
        self.version == statuses.scopes.version()
    }

    /// The hash for another operation, whose versions have another meaning.
    pub(crate) fn without_version(mut self) -> Self {
        self.version = NO_VERSION;
        self
    }
}

//! Which objects an edit script changes in place.
//!
//! A change of an object shows at every reference to it. So a tree changes in place only if all references to it are
//! accounted for: each of them comes from an object that changes in place, too, or from one that only one side has. Other
//! trees that differ are replaced in the places where they differ. Variables and `dag` nodes always change in place, because
//! all their references correspond to references to their counterparts.
//!
//! The search begins at the roots and goes on with an object when all handles of it and of its counterpart are accounted for
//! (Kahn, "Topological sorting of large networks", 1962). It visits what lies around the changes only.

use std::collections::VecDeque;

use crate::object::{AnyView, ObjectView};
use crate::structural::matching::Pair;
use crate::table::{AddressSet, AddressTable};

use super::relation::{Fit, Relation, is_whole};

/// An object whose references the search accounts for next.
enum Owner<'a> {
    /// Two objects, the left of which becomes the right one.
    Pair(Pair<'a>),
    /// An object of one side without a counterpart.
    Single(usize, ObjectView<'a>),
}

/// The search.
pub(super) struct InPlace<'s, 'a> {
    relation: &'s mut Relation<'a>,
    /// The number of references that are accounted for.
    counts: AddressTable<usize>,
    complete: AddressSet,
    /// The objects that have more handles than the search has accounted for.
    waiting: Vec<(usize, ObjectView<'a>)>,
    /// The number of references in both values to each object with several handles. Other handles belong to the program.
    references: Option<AddressTable<usize>>,
    /// The left objects of `pairs`.
    changed: AddressSet,
    /// The pairs that change in place.
    pairs: Vec<Pair<'a>>,
    queue: VecDeque<Owner<'a>>,
}

/// The pairs of objects that change in place, those around others first, and the addresses of their left objects.
pub(super) fn in_place<'a>(roots: [AnyView<'a>; 2], relation: &mut Relation<'a>) -> (Vec<Pair<'a>>, AddressSet) {
    let mut search = InPlace {
        relation,
        counts: AddressTable::default(),
        complete: AddressSet::default(),
        waiting: Vec::new(),
        references: None,
        changed: AddressSet::default(),
        pairs: Vec::new(),
        queue: VecDeque::new(),
    };
    let [a, b] = roots;
    match (search.relation.fit(a, b), a, b) {
        (Fit::Paired, AnyView::Object(a), AnyView::Object(b)) => search.change((a, b)),
        _ => {
            for (side, root) in roots.into_iter().enumerate() {
                if let AnyView::Object(root) = root {
                    search.queue.push_back(Owner::Single(side, root));
                }
            }
        }
    }
    // A comparison takes corresponding variables for equal, so no other difference need lead to the ones that differ.
    for pair in search.relation.identified() {
        search.change(pair);
    }
    search.run();
    search.waiting.retain(|(_, object)| !search.complete.contains(&object.address()));
    if search.may_change_waiting() {
        search.references = Some(references(roots));
        for (side, object) in std::mem::take(&mut search.waiting) {
            search.check(side, object);
        }
        search.run();
    }
    (search.pairs, search.changed)
}

/// The number of references in both values to each object with several handles.
fn references(roots: [AnyView<'_>; 2]) -> AddressTable<usize> {
    let mut counts = AddressTable::default();
    let mut stack: Vec<ObjectView<'_>> = roots.into_iter().filter_map(AnyView::as_object).collect();
    let mut seen: AddressSet = stack.iter().map(|root| root.address()).collect();
    while let Some(object) = stack.pop() {
        for child in object.object_children() {
            if child.use_count() > 1 {
                *counts.entry(child.address()).or_default() += 1;
            }
            if child.use_count() == 1 || seen.insert(child.address()) {
                stack.push(child);
            }
        }
    }
    counts
}

impl<'a> InPlace<'_, 'a> {
    fn run(&mut self) {
        while let Some(owner) = self.queue.pop_front() {
            match owner {
                Owner::Pair(pair) => self.pair(pair),
                Owner::Single(side, object) => object.object_children().for_each(|child| self.account(side, child)),
            }
        }
    }

    /// Accounts for the references of two objects that change in place.
    fn pair(&mut self, pair: Pair<'a>) {
        for slot in self.relation.slots(pair) {
            let [lhs, rhs] = slot.children.map(|child| child.map(|(_, value)| value));
            if let (Some(a), Some(b)) = (lhs, rhs)
                && self.relation.fit(a, b) == Fit::Equal
            {
                continue;
            }
            for (side, value) in [lhs, rhs].into_iter().enumerate() {
                if let Some(AnyView::Object(object)) = value {
                    self.account(side, object);
                }
            }
        }
    }

    /// Whether some object that waits, or some object below one, differs from its counterpart and changes in place only if all its
    /// references are accounted for.
    fn may_change_waiting(&mut self) -> bool {
        let (mut stack, mut seen) = (self.waiting.clone(), AddressSet::default());
        while let Some((side, object)) = stack.pop() {
            if is_whole(object) || !seen.insert(object.address()) {
                continue;
            }
            match self.pair_of(side, object) {
                Some(pair) if object.is_identified() || self.relation.are_equal(pair) => {}
                Some(_) => return true,
                None => stack.extend(object.object_children().map(|child| (side, child))),
            }
        }
        false
    }

    /// Makes a pair change in place.
    fn change(&mut self, pair: Pair<'a>) {
        if self.changed.insert(pair.0.address()) {
            self.pairs.push(pair);
            self.queue.push_back(Owner::Pair(pair));
        }
    }

    /// Accounts for one reference to an object of a side.
    fn account(&mut self, side: usize, object: ObjectView<'a>) {
        if is_whole(object) {
            return;
        }
        if self.pair_of(side, object).is_some_and(|pair| self.relation.are_equal(pair)) {
            return;
        }
        *self.counts.entry(object.address()).or_default() += 1;
        self.check(side, object);
    }

    /// The object with its counterpart.
    fn pair_of(&self, side: usize, object: ObjectView<'a>) -> Option<Pair<'a>> {
        let other = self.relation.counterpart(side, object)?;
        Some(if side == 0 { (object, other) } else { (other, object) })
    }

    /// Goes on with an object if all references to it are accounted for.
    fn check(&mut self, side: usize, object: ObjectView<'a>) {
        let count = self.counts.get(&object.address()).copied().unwrap_or_default();
        let all = match &self.references {
            Some(references) => references.get(&object.address()).copied().unwrap_or(1),
            None => object.use_count() as usize,
        };
        let is_complete = count >= all;
        // Objects without counterparts go on once, also those that wait although the search has completed them since.
        let is_new = is_complete && self.complete.insert(object.address());
        let pair = self.pair_of(side, object);
        // Variables change in place whether or not all references are accounted for.
        let is_ready_anyway = pair.is_some() && object.is_identified();
        if !is_complete && !is_ready_anyway && self.references.is_none() {
            self.waiting.push((side, object));
        }
        match pair {
            Some(pair) if object.is_identified() => self.change(pair),
            Some(pair) => {
                let is_ready = [pair.0, pair.1].iter().all(|it| self.complete.contains(&it.address()));
                if is_ready {
                    self.change(pair);
                }
            }
            None if is_new => self.queue.push_back(Owner::Single(side, object)),
            None => {}
        }
    }
}

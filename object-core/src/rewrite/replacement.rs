//! [`Replacement`]: a substitution in which no binding plays a part, because the graph binds none of its variables. It puts
//! the values in place of the variables wherever these occur, and needs no analysis of the other variables.

use std::convert::Infallible;
use std::ops::ControlFlow;

use crate::container::Array;
use crate::error::Result;
use crate::graph::Children;
use crate::object::{Any, AnyView, DefRegionKind, ObjectRef, ObjectView, SEqHashKind};
use crate::rewrite::mutator::{Mutation, Mutator};
use crate::table::{AddressSet, AddressTable, FewAddresses, Set};
use crate::visit::{Driver, Entry, Position, WalkOptions, traverse, walk};

/// The replaced objects with their values, and the objects of a graph with replaced objects in them.
pub(super) struct Replacement {
    values: AddressTable<Any>,
    changed: AddressSet,
}

impl Replacement {
    /// The replacement of each object by its value in the graph below `root`. The number beside each object is the address of
    /// the variable in it. `None` if the graph binds one of these variables, or a variable in one of the values, which its
    /// binder would capture.
    pub(super) fn new<'a>(
        root: ObjectView<'_>,
        values: impl Iterator<Item = (usize, ObjectView<'a>, &'a Any)>,
    ) -> Option<Self> {
        let mut replacement = Replacement { values: AddressTable::default(), changed: AddressSet::default() };
        let mut variables = AddressSet::default();
        let mut all_values = Vec::new();
        for (var, object, value) in values {
            variables.insert(var);
            replacement.values.insert(object.address(), value.clone());
            all_values.push(value.clone());
        }
        add_variables(all_values, &mut variables);
        let mut wanted = FewAddresses::default();
        variables.iter().chain(replacement.values.keys()).for_each(|address| wanted.insert(*address));
        replacement.changed = objects_with(root, |address| wanted.contains(address));
        (!binds_any(root, &variables, &replacement.changed)).then_some(replacement)
    }
}

impl Mutator for Replacement {
    fn enter(&mut self, object: ObjectView<'_>, _: &Position<'_>) -> Result<Mutation> {
        let address = object.address();
        Ok(match self.values.get(&address) {
            Some(value) => Mutation::Replace(value.clone()),
            None if self.changed.contains(&address) => Mutation::Keep,
            None => Mutation::Skip,
        })
    }
}

/// Adds the addresses of all variables in some values. One walk passes all of them, because they may share objects.
fn add_variables(values: Vec<Any>, variables: &mut AddressSet) {
    walk(&Array::<Any>::from_anys(values), |object: &ObjectRef| {
        if object.type_info().kind() == SEqHashKind::FreeVar {
            variables.insert(object.view().address());
        }
    });
}

/// The addresses of the objects of the graph below `root` that are wanted or have a wanted object below them.
pub(super) fn objects_with(root: ObjectView<'_>, is_wanted: impl Fn(usize) -> bool) -> AddressSet {
    let mut search = Search { is_wanted, found: AddressSet::default(), shared: FewAddresses::default(), count: 0 };
    let ControlFlow::Continue(()) = traverse(AnyView::Object(root), WalkOptions::new(), &mut search);
    search.found
}

/// A search for wanted objects and the objects above them.
struct Search<F> {
    is_wanted: F,
    found: AddressSet,
    /// The objects in `found` that the search may reach again.
    shared: FewAddresses,
    /// How many references to objects in `found` the search has passed.
    count: usize,
}

impl<'a, F: Fn(usize) -> bool> Driver<'a> for Search<F> {
    type Break = Infallible;

    /// The count before the object.
    type State = usize;

    const ALL_OBJECTS: bool = true;

    #[inline(always)]
    fn enter(&mut self, object: ObjectView<'a>, _: &Position<'_>) -> Entry<usize, Infallible> {
        let before = self.count;
        self.count += usize::from((self.is_wanted)(object.address()));
        Entry::Descend(before)
    }

    fn again(&mut self, object: ObjectView<'a>) {
        self.count += usize::from(self.shared.contains(object.address()));
    }

    #[inline(always)]
    fn next_child(&self, children: &mut Children<'a>, _: &mut usize) -> Option<AnyView<'a>> {
        children.next_object().map(|(object, _)| AnyView::Object(object))
    }

    #[inline(always)]
    fn leave(&mut self, object: ObjectView<'a>, before: usize, _: &Position<'_>) -> ControlFlow<Infallible> {
        if self.count != before {
            self.found.insert(object.address());
            if object.use_count() > 1 {
                self.shared.insert(object.address());
            }
        }
        ControlFlow::Continue(())
    }

    fn plain(&mut self, _: AnyView<'a>, _: &Position<'_>) -> ControlFlow<Infallible> {
        ControlFlow::Continue(())
    }
}

/// Whether one of `variables` occurs at a place that binds it. `with_variables` has all objects above their occurrences.
fn binds_any(root: ObjectView<'_>, variables: &AddressSet, with_variables: &AddressSet) -> bool {
    let mut visited: Set<(usize, DefRegionKind)> = Set::default();
    let mut rest = vec![(root, DefRegionKind::None)];
    while let Some((object, region)) = rest.pop() {
        if region.binds() && variables.contains(&object.address()) {
            return true;
        }
        let inner = region.below(object.type_info().kind());
        let mut children = Children::of(object);
        while let Some((child, role)) = children.next_object() {
            if with_variables.contains(&child.address()) {
                let region = inner.child(object, child, role);
                if visited.insert((child.address(), region)) {
                    rest.push((child, region));
                }
            }
        }
    }
    false
}

//! [`Replacement`]: a substitution in which no binding plays a part, because the graph binds none of its variables. It puts
//! the values in place of the variables wherever these occur, and needs no analysis of the other variables.

use crate::container::Array;
use crate::error::Result;
use crate::graph::Children;
use crate::object::{Any, DefRegionKind, ObjectRef, ObjectView, SEqHashKind};
use crate::rewrite::mutator::{Mutation, Mutator};
use crate::table::{AddressSet, AddressTable, Set};
use crate::visit::{Position, walk};

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
        let is_wanted = |address: usize| variables.contains(&address) || replacement.values.contains_key(&address);
        replacement.changed = objects_with(root, is_wanted);
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
    let mut found = AddressSet::default();
    // The objects that several references share.
    let mut visited = AddressSet::default();
    let mut stack = vec![(Children::of(root), is_wanted(root.address()))];
    while let Some((children, has_wanted)) = stack.last_mut() {
        match children.next_object() {
            Some((child, _)) if child.use_count() == 1 || visited.insert(child.address()) => {
                let is_wanted = is_wanted(child.address());
                stack.push((Children::of(child), is_wanted));
            }
            Some((child, _)) => *has_wanted |= found.contains(&child.address()),
            None => {
                let (address, has_wanted) = (children.object().address(), *has_wanted);
                stack.pop();
                if has_wanted {
                    found.insert(address);
                    if let Some((_, parent)) = stack.last_mut() {
                        *parent = true;
                    }
                }
            }
        }
    }
    found
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

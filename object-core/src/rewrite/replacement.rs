//! [`Replacement`]: a substitution in which no binding plays a part, because the graph binds none of its variables. It puts
//! the values in place of the variables wherever these occur, and needs no analysis of the other variables.

use std::convert::Infallible;
use std::ops::ControlFlow;

use crate::container::Array;
use crate::error::{Error, Result};
use crate::graph::Children;
use crate::object::{Any, AnyView, DefRegionKind, ObjectRef, ObjectView, SEqHashKind};
use crate::rewrite::mutator::Mutator;
use crate::rewrite::rule::{Mutation, Rule, rewrite_by_rule};
use crate::table::{AddressSet, AddressTable, FewAddresses, Set};
use crate::visit::{Driver, Entry, Position, WalkOptions, traverse, walk};

/// The replaced objects with their values.
pub(super) struct Replacement {
    values: AddressTable<Any>,
    /// The variables of the replaced objects, and the variables in the values, which their binders would capture.
    variables: AddressSet,
    /// The variables and the replaced objects.
    wanted: FewAddresses,
    /// Whether each replaced object is a variable.
    replaces_variables: bool,
}

/// A reason to analyze the graph before a replacement.
#[derive(Debug)]
pub(super) enum Conflict {
    /// The graph binds one of the variables.
    Bound,
    /// The graph may bind one of the variables, or a value does not fit into a field, which may be at a place where the
    /// variable is bound.
    Unknown,
}

impl From<Error> for Conflict {
    fn from(_: Error) -> Self {
        Conflict::Unknown
    }
}

impl Replacement {
    /// The replacement of each object by its value. The number beside each object is the address of the variable in it.
    pub(super) fn new<'a>(values: impl Iterator<Item = (usize, ObjectView<'a>, &'a Any)>) -> Self {
        let mut replacement = Replacement {
            values: AddressTable::default(),
            variables: AddressSet::default(),
            wanted: FewAddresses::default(),
            replaces_variables: true,
        };
        let mut all_values = Vec::new();
        for (var, object, value) in values {
            replacement.replaces_variables &= var == object.address();
            replacement.variables.insert(var);
            replacement.values.insert(object.address(), value.clone());
            all_values.push(value.clone());
        }
        add_variables(all_values, &mut replacement.variables);
        let Replacement { values, variables, wanted, .. } = &mut replacement;
        variables.iter().chain(values.keys()).for_each(|address| wanted.insert(*address));
        replacement
    }

    /// The graph below `root` with the values, in one pass, which detects conflicts on its way. Nothing changes in place,
    /// so a conflict leaves the graph as it was.
    ///
    /// # Errors
    /// A conflict, also if the caller has the only handle of the root, because then the graph should change in place.
    pub(super) fn at_once(&self, root: &ObjectRef) -> Result<Any, Conflict> {
        if root.is_unique() || !self.replaces_variables {
            return Err(Conflict::Unknown);
        }
        let pass = OnePass { replacement: self, with_variables: FewAddresses::default(), count: 0 };
        rewrite_by_rule(root.clone(), pass)
    }

    /// The mutator for the graph below `root`, which the caller may change in place. `None` if the graph binds one of the
    /// variables.
    pub(super) fn mutator(self, root: ObjectView<'_>) -> Option<impl Mutator + use<>> {
        let changed = objects_with(root, |address| self.wanted.contains(address));
        (!binds_any(root, &self.variables, &changed)).then_some(AfterAnalysis { values: self.values, changed })
    }
}

/// A replacement in one pass.
///
/// The pass looks at each reference to a variable, and asks for the region of the place. It visits the objects below a shared
/// object at the first reference only, so it counts the references to variables there. Another reference in no region
/// binds no more variables than the first one; in a region it may.
struct OnePass<'r> {
    replacement: &'r Replacement,
    /// The shared objects with references to variables below them.
    with_variables: FewAddresses,
    /// How many references to variables, or to objects in `with_variables`, the pass has met.
    count: usize,
}

impl Rule<Conflict> for OnePass<'_> {
    type Before = usize;

    /// A variable with one handle plays no part: the substitution has a handle of each variable that it replaces, and a
    /// variable of a value that occurs once is not captured, because a capture needs the use and the binder.
    #[inline(always)]
    fn looks_at(&self, object: ObjectView<'_>) -> bool {
        self.replacement.wanted.contains(object.address())
    }

    fn replacement(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Result<Option<Any>, Conflict> {
        self.count += 1;
        if at.region().binds() {
            Err(Conflict::Bound)
        } else {
            Ok(self.replacement.values.get(&object.address()).cloned())
        }
    }

    #[inline(always)]
    fn again(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Result<(), Conflict> {
        if self.with_variables.contains(object.address()) {
            self.count += 1;
            if at.region().binds() {
                return Err(Conflict::Unknown);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn before(&self) -> usize {
        self.count
    }

    #[inline(always)]
    fn after(&mut self, address: usize, before: usize) {
        if self.count != before {
            self.with_variables.insert(address);
        }
    }

    #[inline(always)]
    fn enter(&mut self, _: ObjectView<'_>, _: &Position<'_>) -> Result<Mutation, Conflict> {
        Ok(Mutation::Keep)
    }

    #[inline(always)]
    fn leave(&mut self, _: ObjectView<'_>, _: &Position<'_>) -> Result<Mutation, Conflict> {
        Ok(Mutation::Keep)
    }
}

/// A replacement in a graph without conflicts.
struct AfterAnalysis {
    values: AddressTable<Any>,
    /// The objects of the graph that are replaced or have variables below them.
    changed: AddressSet,
}

impl Mutator for AfterAnalysis {
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
    walk(&Array::<Any>::from_anys(values), |object: &ObjectRef, _| {
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

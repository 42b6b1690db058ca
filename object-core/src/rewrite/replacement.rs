//! [`Replacement`]: a substitution in which no binding plays a part, because the graph binds none of its variables. It puts
//! the values in place of the variables wherever these occur, in one pass without an analysis of the other variables.

use crate::container::Array;
use crate::error::{Error, Result};
use crate::graph::Children;
use crate::object::{Any, DefRegionKind, ObjectRef, ObjectView, SEqHashKind};
use crate::rewrite::mutator::{Mutation, Mutator, mutate_with};
use crate::table::{AddressSet, AddressTable};
use crate::visit::{Position, WalkOptions, WalkResult, Walker, walk, walk_with};

/// The replaced objects with their values.
pub(super) struct Replacement {
    values: AddressTable<Any>,
    /// The addresses in `values`.
    replaced: AddressFilter,
    binders: Binders,
    /// Whether the graph binds none of the variables.
    is_checked: bool,
}

/// Why a replacement ends early.
enum End {
    /// The graph binds one of the variables.
    Binds,
    Error(Error),
}

impl From<Error> for End {
    fn from(error: Error) -> Self {
        End::Error(error)
    }
}

impl Replacement {
    /// The replacement of each object by its value. The number beside each object is the address of the variable in it. `None`
    /// if one of the objects binds a variable.
    pub(super) fn new<'a>(values: impl Iterator<Item = (usize, ObjectView<'a>, &'a Any)>) -> Option<Self> {
        let mut variables = AddressSet::default();
        let (mut objects, mut all_values) = (Vec::new(), Vec::new());
        let mut by_address = AddressTable::default();
        for (var, object, value) in values {
            variables.insert(var);
            by_address.insert(object.address(), value.clone());
            objects.push(object);
            all_values.push(value.clone());
        }
        add_variables(all_values, &mut variables);
        let replaced = AddressFilter::of(by_address.keys());
        let filter = AddressFilter::of(variables.iter());
        let mut binders = Binders { variables, filter, visited: AddressSet::default() };
        // The pass does not reach the objects below a replaced object.
        let binds = objects.into_iter().any(|object| binders.bind_in(object));
        (!binds).then_some(Replacement { values: by_address, replaced, binders, is_checked: false })
    }

    /// The graph below `root` with the values, or `root` itself as `Err` if the graph binds one of the variables, or a variable
    /// in one of the values, which its binder would capture.
    pub(super) fn run(mut self, root: ObjectRef) -> Result<std::result::Result<Any, ObjectRef>> {
        // The pass changes a graph in place that nothing else refers to, so it cannot end early.
        self.is_checked = root.use_count() == 1;
        if self.is_checked && self.binders.bind_in(root.view()) {
            return Ok(Err(root));
        }
        let kept = (!self.is_checked).then(|| root.clone());
        match (mutate_with(Any::Object(root), &mut self), kept) {
            (Ok(replaced), _) => Ok(Ok(replaced)),
            (Err(End::Binds), Some(root)) => Ok(Err(root)),
            (Err(End::Binds), None) => unreachable!("a pass over a checked graph looks for no binders"),
            (Err(End::Error(error)), _) => Err(error),
        }
    }
}

impl Mutator<End> for Replacement {
    #[inline]
    fn enter(&mut self, object: ObjectView<'_>, _: &Position<'_>) -> std::result::Result<Mutation, End> {
        let address = object.address();
        if self.replaced.may_have(address)
            && let Some(value) = self.values.get(&address)
        {
            return Ok(Mutation::Replace(value.clone()));
        }
        if !self.is_checked && object.type_info().plan.may_bind && self.binders.bind_at(object) {
            return Err(End::Binds);
        }
        Ok(Mutation::Keep)
    }
}

/// A set of addresses that answers most questions about other addresses without a look-up.
#[derive(Clone, Copy, Default)]
struct AddressFilter(u64);

impl AddressFilter {
    fn of<'a>(addresses: impl Iterator<Item = &'a usize>) -> Self {
        AddressFilter(addresses.fold(0, |bits, address| bits | Self::bit(*address)))
    }

    /// Whether the address may be in the set.
    #[inline(always)]
    fn may_have(self, address: usize) -> bool {
        self.0 & Self::bit(address) != 0
    }

    /// The lowest bits of all addresses are zero.
    #[inline(always)]
    fn bit(address: usize) -> u64 {
        1 << ((address >> 4) & 63)
    }
}

/// Finds places that bind variables.
struct Binders {
    variables: AddressSet,
    filter: AddressFilter,
    /// The shared objects at places that bind, each with the number of its region in the lowest bits of the address.
    visited: AddressSet,
}

impl Binders {
    /// Whether the graph below `root` binds one of the variables.
    fn bind_in(&mut self, root: ObjectView<'_>) -> bool {
        walk_with(&root, WalkOptions::new(), &mut AllBinders(self)).is_some()
    }

    /// Whether `object`, at a place that binds nothing, binds one of the variables.
    fn bind_at(&mut self, object: ObjectView<'_>) -> bool {
        let mut children = Children::of(object);
        while let Some((child, role)) = children.next_object() {
            let region = DefRegionKind::None.child(object, child, role);
            if region.binds() && self.bind_below(child, region) {
                return true;
            }
        }
        false
    }

    /// Whether the object `root` is one of the variables, or an object below it that is at a place that binds.
    fn bind_below(&mut self, root: ObjectView<'_>, region: DefRegionKind) -> bool {
        let mut rest = Vec::new();
        let mut next = Some((root, region));
        while let Some((object, region)) = next {
            let address = object.address();
            if self.filter.may_have(address) && self.variables.contains(&address) {
                return true;
            }
            let inner = region.below(object.type_info().kind);
            // The walk of the whole graph reaches places that bind nothing.
            let is_new = object.use_count() == 1 || self.visited.insert(address | region as usize);
            if inner.binds() && is_new {
                let mut children = Children::of(object);
                while let Some((child, role)) = children.next_object() {
                    rest.push((child, inner.child(object, child, role)));
                }
            }
            next = rest.pop();
        }
        false
    }
}

/// The walk over a whole graph that ends at a place that binds one of the variables.
struct AllBinders<'b>(&'b mut Binders);

impl<'a> Walker<'a> for AllBinders<'_> {
    type Break = ();

    #[inline]
    fn enter(&mut self, object: ObjectView<'a>, _: &Position<'_>) -> WalkResult<()> {
        match object.type_info().plan.may_bind && self.0.bind_at(object) {
            true => WalkResult::Interrupt(()),
            false => WalkResult::Advance,
        }
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

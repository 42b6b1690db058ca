//! [`Fixed`]: the objects that correspond to themselves only, which a search that begins again takes as known.

use crate::container::Array;
use crate::object::{Any, AnyView, ObjectRef, ObjectView};
use crate::structural::is_plain;
use crate::table::AddressSet;
use crate::visit::{ScopeTypes, walk};

/// Objects that correspond to themselves only.
#[derive(Default)]
pub(super) struct Fixed {
    objects: Vec<ObjectRef>,
    addresses: AddressSet,
}

impl Fixed {
    /// Adds objects. Whether one of them is new.
    fn add(&mut self, objects: impl IntoIterator<Item = ObjectRef>) -> bool {
        let before = self.objects.len();
        let new = objects.into_iter().filter(|object| self.addresses.insert(object.view().address()));
        self.objects.extend(new);
        self.objects.len() > before
    }

    /// Adds the free variables of both values, and the keys of their maps that compare by identity and that nothing binds: trees,
    /// tensors, shapes.
    pub(super) fn add_free(&mut self, roots: [AnyView<'_>; 2]) -> bool {
        let scopes = ScopeTypes::default();
        let variables: Vec<ObjectRef> = roots.iter().flat_map(|root| scopes.free_vars(root)).collect();
        self.add(variables) | self.add(object_keys(roots).into_iter().filter(|key| !key.view().is_identified()))
    }

    /// Adds the variables and `dag` nodes among the keys of maps in both values.
    pub(super) fn add_identified_keys(&mut self, roots: [AnyView<'_>; 2]) -> bool {
        self.add(object_keys(roots).into_iter().filter(|key| key.view().is_identified()))
    }

    /// Adds those of some variables and `dag` nodes that are in one of both values. The others are in the result of a script only.
    pub(super) fn add_present(&mut self, roots: [AnyView<'_>; 2], objects: Vec<ObjectRef>) -> bool {
        if objects.is_empty() {
            return false;
        }
        let present = identified_below(roots.into_iter().map(AnyView::to_any));
        let present: AddressSet = present.iter().map(|object| object.view().address()).collect();
        self.add(objects.into_iter().filter(|object| present.contains(&object.view().address())))
    }

    /// Adds the variables and `dag` nodes in the objects. A result that has an object itself has its parts, too.
    pub(super) fn add_below(&mut self) -> bool {
        let below = identified_below(self.objects.iter().cloned().map(Any::Object));
        self.add(below)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// The variables and `dag` nodes among the objects.
    pub(super) fn identified(&self) -> impl Iterator<Item = ObjectView<'_>> {
        self.objects.iter().map(ObjectRef::view).filter(|object| object.is_identified())
    }

    /// The addresses of the objects.
    pub(super) fn addresses(&self) -> &AddressSet {
        &self.addresses
    }
}

/// The variables and `dag` nodes among some values and the objects below them, each once.
fn identified_below(values: impl Iterator<Item = Any>) -> Vec<ObjectRef> {
    let mut identified = Vec::new();
    // One walk over an array of all values visits the parts that they share once.
    walk(&values.collect::<Array<Any>>(), |object: &ObjectRef, _| {
        identified.extend(object.view().is_identified().then(|| object.clone()));
    });
    identified
}

/// The keys of maps in both values that compare by identity.
fn object_keys(roots: [AnyView<'_>; 2]) -> Vec<ObjectRef> {
    let mut keys = Vec::new();
    for root in roots {
        walk(&root, |object: &ObjectRef, _| {
            let entries = object.view().as_map().into_iter().flat_map(|map| map.iter());
            let objects = entries.filter(|(key, _)| !is_plain(*key)).filter_map(|(key, _)| key.as_object());
            keys.extend(objects.map(ObjectView::to_object));
        });
    }
    keys
}

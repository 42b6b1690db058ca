//! [`Bindings`]: the one-to-one correspondence between variables and `dag` nodes of both sides. It only grows.

use crate::object::ObjectView;
use crate::table::Table;

/// Which object of the right side stands for which of the left.
#[derive(Default)]
pub(super) struct Bindings<'a> {
    lhs: Table<usize, Bound<'a>>,
    rhs: Table<usize, ()>,
    /// The bound objects of the left side in the order of their binding.
    log: Vec<ObjectView<'a>>,
}

/// What an object of the left side is bound to.
#[derive(Clone, Copy)]
pub(super) struct Bound<'a> {
    /// The object of the right side.
    pub(super) rhs: ObjectView<'a>,
    /// How many bindings were made before this one.
    pub(super) order: usize,
}

/// How two objects stand to each other before they are compared.
pub(super) enum Binding {
    /// They are bound to each other.
    Each,
    /// At least one of them is bound to another object.
    Others,
    /// Neither is bound.
    Neither,
}

impl<'a> Bindings<'a> {
    pub(super) fn of(&self, a: ObjectView<'a>, b: ObjectView<'a>) -> Binding {
        match self.lhs.get(&a.address()) {
            Some(bound) if bound.rhs.ptr_eq(b) => Binding::Each,
            Some(_) => Binding::Others,
            None if self.is_bound_rhs(b) => Binding::Others,
            None => Binding::Neither,
        }
    }

    /// What `a` is bound to.
    pub(super) fn get(&self, a: ObjectView<'a>) -> Option<Bound<'a>> {
        self.lhs.get(&a.address()).copied()
    }

    /// Whether an object of the left side is bound to `b`.
    pub(super) fn is_bound_rhs(&self, b: ObjectView<'a>) -> bool {
        self.rhs.contains_key(&b.address())
    }

    /// The bound objects of the left side in the order of their binding.
    pub(super) fn log(&self) -> &[ObjectView<'a>] {
        &self.log
    }

    /// Binds two objects of which neither is bound.
    pub(super) fn bind(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) {
        self.lhs.insert(a.address(), Bound { rhs: b, order: self.log.len() });
        self.rhs.insert(b.address(), ());
        self.log.push(a);
    }
}

//! Look-ups of bindings by their objects, and the bound objects in order.

use crate::object::ObjectView;
use crate::structural::scope::bindings::Bindings;
use crate::structural::scope::changes::Bound;

impl<'a> Bindings<'a> {
    /// The binding of `a`.
    pub(crate) fn get(&self, a: ObjectView<'a>) -> Option<Bound<'a>> {
        self.bound(a.address(), false)
    }

    /// The place of the binding of `a` in the order of bindings, if `a` is bound: the number of bindings before it, if no bindings of
    /// an earlier comparison hold.
    pub(crate) fn order(&self, a: ObjectView<'a>) -> Option<usize> {
        let bound = self.get(a)?;
        Some(if self.earlier.is_some() { bound.number as usize } else { bound.order as usize })
    }

    /// As [`order`](Self::order), for `b` of the right side and without an earlier comparison.
    pub(crate) fn order_rhs(&self, b: ObjectView<'a>) -> Option<usize> {
        let order = self.rhs.get(b.address()).map(|count| count.get() - 1);
        order.or_else(|| self.get_rhs(b).map(|bound| bound.order)).map(|order| order as usize)
    }

    /// Under lexical scopes: the binding of `b`.
    pub(crate) fn get_rhs(&self, b: ObjectView<'a>) -> Option<Bound<'a>> {
        self.bound(b.address(), true)
    }

    /// Whether an object of the left side is bound to `b`.
    pub(crate) fn is_bound_rhs(&self, b: ObjectView<'a>) -> bool {
        self.order_rhs(b).is_some()
    }

    /// The objects of the left side in the order of their binding, including those whose binding has ended.
    pub(crate) fn log(&self) -> &[ObjectView<'a>] {
        &self.log
    }

    /// Under lexical scopes: the objects of the right side in the order of their binding.
    pub(crate) fn rhs_log(&self) -> &[ObjectView<'a>] {
        &self.rhs_log
    }
}

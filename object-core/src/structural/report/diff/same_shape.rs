//! Whether two values have the same shape, without hashes: a walk over both that ends at the first difference.

use crate::object::{AnyView, Body, FieldPair, FieldPairs, ObjectView, SEqHashKind};
use crate::structural::engine::comparison::Uncomparable;
use crate::structural::engine::equal::{Equality, compare};
use crate::structural::engine::sharing::is_shared;
use crate::structural::report::diff::align_hash::{AlignHashes, children};

/// A step of a walk over two values.
enum Task<'a> {
    Compare(AnyView<'a>, AnyView<'a>),
    /// Remember that two objects have the same shape.
    Remember(ObjectView<'a>, ObjectView<'a>),
}

impl<'a> AlignHashes<'a> {
    /// Whether [`of`](Self::of) is the same for two values. Adds the number of compared pairs to `steps`.
    pub(crate) fn have_same_shape(&mut self, a: AnyView<'a>, b: AnyView<'a>, steps: &mut u64) -> bool {
        let mut tasks = vec![Task::Compare(a, b)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Remember(a, b) => self.same_shapes.insert(a, b),
                Task::Compare(AnyView::Object(a), AnyView::Object(b)) => {
                    *steps += 1;
                    if !a.ptr_eq(b) && !self.compare_shapes(a, b, &mut tasks) {
                        return false;
                    }
                }
                Task::Compare(a, b) => {
                    if compare(self.options, a, b, Uncomparable::EndComparison) != Equality::Equal {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Compares two objects without their children, which it adds to `tasks`.
    fn compare_shapes(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, tasks: &mut Vec<Task<'a>>) -> bool {
        let info = a.type_info();
        if !std::ptr::eq(info, b.type_info()) {
            return false;
        }
        match (info.body, info.kind) {
            (Body::Str | Body::Bytes | Body::Shape | Body::Tensor, _) | (_, SEqHashKind::UniqueInstance) => {
                return compare(self.options, AnyView::Object(a), AnyView::Object(b), Uncomparable::EndComparison)
                    == Equality::Equal;
            }
            // The entries of maps have no order, and their hashes are remembered.
            (Body::Map, _) => return self.of(AnyView::Object(a)) == self.of(AnyView::Object(b)),
            (_, SEqHashKind::Unsupported) => return true,
            _ => {}
        }
        if is_shared(a, b) {
            if self.same_shapes.contains(a, b) {
                return true;
            }
            tasks.push(Task::Remember(a, b));
        }
        match (a.as_array(), b.as_array(), info.hooks) {
            (Some(x), Some(y), _) => {
                tasks.extend(x.iter().zip(y.iter()).map(|(x, y)| Task::Compare(x, y)));
                x.len() == y.len()
            }
            (_, _, Some(_)) => {
                let (x, y) = (children(a, &mut self.computed), children(b, &mut self.computed));
                let is_as_long = x.len() == y.len();
                tasks.extend(x.into_iter().zip(y).map(|(x, y)| Task::Compare(x, y)));
                is_as_long
            }
            _ => {
                let mut fields = FieldPairs::new(a, b);
                while let Some((_, pair)) = fields.next_unequal() {
                    match pair {
                        FieldPair::Objects(x, y) => {
                            tasks.push(Task::Compare(AnyView::Object(x), AnyView::Object(y)));
                        }
                        FieldPair::Values(x, y) => tasks.push(Task::Compare(x, y)),
                        FieldPair::Differ => return false,
                    }
                }
                true
            }
        }
    }
}

//! [`value_equal`] and [`value_order`]: comparison by value, without regard to sharing and annotations.

use std::cmp::Ordering;

use crate::container::{ArrayView, MapData};
use crate::object::{AnyView, AsAnyView, Body, Fields, ObjectView, SEqHashKind};
use crate::structural::{EqualClasses, LONG_LEAF, compare_plain, is_plain, is_shared};
use crate::value::Tensor;

/// Whether two values are the same data: [`value_order`] finds no difference.
///
/// The comparison includes all fields, also the fields that structural equality ignores. It compares variables by their
/// fields, whether they are bound or free.
///
/// ```
/// use object_core::{Array, data::value_equal};
/// assert!(value_equal(&Array::from([1.0, f64::NAN]), &Array::from([1.0, f64::NAN])));
/// assert!(!value_equal(&1i64, &1.0));
/// ```
#[must_use]
pub fn value_equal(a: &impl AsAnyView, b: &impl AsAnyView) -> bool {
    value_order(a, b) == Ordering::Equal
}

/// Compares two values of any types: a total order, in time linear in their sizes and without recursion.
///
/// * Values of different kinds: `None`, then truth values, integers, floats, data types, devices, objects.
/// * Floats: by value, `-0.0` before `0.0`. All NaNs are equal, and follow all numbers.
/// * Objects of different types: by type key. Types of one key, such as a linked type and the type of a schema, are in an
///   order that differs between processes.
/// * Objects of one type: texts and bytes byte by byte; arrays and shapes element by element, and then by length; nodes
///   field by field, in the order of declaration; singletons by key; tensors by data type, shape and data.
/// * Maps: by their entries. Entries with plain keys come first, in the order of their keys, and then all others, in the
///   order of their insertion. So the order of insertion does not matter for entries with plain keys.
/// * Functions and opaque objects: by address, so their order differs between processes.
///
/// ```
/// use object_core::{Any, Array, data::value_order};
/// let mut values = [Any::from("b"), Any::from(Array::from([2, 1])), Any::Int(3), Any::from("a"), Any::from(Array::from([2]))];
/// values.sort_by(value_order);
/// assert_eq!(format!("{values:?}"), r#"[3, [2], [2, 1], "a", "b"]"#);
/// ```
#[must_use]
pub fn value_order(a: &impl AsAnyView, b: &impl AsAnyView) -> Ordering {
    ValueComparison::default().run(a.as_any_view(), b.as_any_view())
}

/// The remaining children of an object.
enum ChildIter<'a> {
    Fields(Fields<'a>),
    Items(ArrayView<'a>, usize),
    Entries(std::vec::IntoIter<AnyView<'a>>),
}

impl<'a> ChildIter<'a> {
    fn next(&mut self) -> Option<AnyView<'a>> {
        match self {
            ChildIter::Fields(fields) => fields.next().map(|(_, value)| value),
            ChildIter::Items(items, next) => {
                *next += 1;
                items.get(*next - 1)
            }
            ChildIter::Entries(values) => values.next(),
        }
    }
}

/// Two objects of which the comparison has not reached all children.
struct PairFrame<'a> {
    /// The two objects, if the comparison may reach one of them again.
    shared: Option<(ObjectView<'a>, ObjectView<'a>)>,
    a: ChildIter<'a>,
    b: ChildIter<'a>,
}

#[derive(Default)]
struct ValueComparison<'a> {
    stack: Vec<PairFrame<'a>>,
    equal_classes: EqualClasses<'a>,
    /// The number of pairs of objects whose content was compared.
    steps: usize,
}

impl<'a> ValueComparison<'a> {
    fn run(&mut self, a: AnyView<'a>, b: AnyView<'a>) -> Ordering {
        let mut order = self.compare(a, b);
        while order == Ordering::Equal {
            let Some(frame) = self.stack.last_mut() else { break };
            order = match (frame.a.next(), frame.b.next()) {
                (Some(a), Some(b)) => self.compare(a, b),
                (Some(_), None) => Ordering::Greater,
                (None, Some(_)) => Ordering::Less,
                (None, None) => {
                    if let Some((a, b)) = frame.shared {
                        self.equal_classes.insert(a, b);
                    }
                    self.stack.pop();
                    Ordering::Equal
                }
            };
        }
        order
    }

    /// The order of two values without their children. If it is `Equal`, and children remain to compare, their frame is on
    /// the stack afterwards.
    fn compare(&mut self, a: AnyView<'a>, b: AnyView<'a>) -> Ordering {
        match (a, b) {
            (AnyView::Float(a), AnyView::Float(b)) => {
                let number = |value: f64| if value.is_nan() { f64::NAN.abs() } else { value };
                number(a).total_cmp(&number(b))
            }
            (AnyView::Object(a), AnyView::Object(b)) if !a.ptr_eq(b) => self.compare_objects(a, b),
            (AnyView::Object(_), AnyView::Object(_)) => Ordering::Equal,
            _ => compare_plain(a, b),
        }
    }

    fn compare_objects(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) -> Ordering {
        let info = a.type_info();
        if !std::ptr::eq(info, b.type_info()) {
            let address = std::ptr::from_ref;
            return a.type_key().cmp(b.type_key()).then_with(|| address(info).cmp(&address(b.type_info())));
        }
        if info.kind == SEqHashKind::UniqueInstance {
            return a.singleton_key().cmp(&b.singleton_key());
        }
        let shared = (is_shared(a, b) && may_be_large(a)).then_some((a, b));
        if shared.is_some() && self.equal_classes.contains(a, b) {
            return Ordering::Equal;
        }
        self.steps += 1;
        let (a_children, b_children) = match info.body {
            Body::Str => return self.leaf(shared, a.as_str().cmp(&b.as_str())),
            Body::Bytes => return self.leaf(shared, a.as_bytes().cmp(&b.as_bytes())),
            Body::Shape => return self.leaf(shared, a.as_shape().cmp(&b.as_shape())),
            Body::Tensor => return self.leaf(shared, compare_tensors(a, b)),
            Body::Function | Body::Opaque => return a.address().cmp(&b.address()),
            Body::Node => (ChildIter::Fields(a.fields()), ChildIter::Fields(b.fields())),
            Body::Array => match (a.as_array(), b.as_array()) {
                (Some(a), Some(b)) => (ChildIter::Items(a, 0), ChildIter::Items(b, 0)),
                (a, b) => return a.is_some().cmp(&b.is_some()),
            },
            Body::Map => match (a.as_map(), b.as_map()) {
                (Some(a), Some(b)) => (entries(a), entries(b)),
                (a, b) => return a.is_some().cmp(&b.is_some()),
            },
        };
        self.stack.push(PairFrame { shared, a: a_children, b: b_children });
        Ordering::Equal
    }

    /// The order of two objects without children. Remembers the pair if the objects are equal and may occur again.
    fn leaf(&mut self, shared: Option<(ObjectView<'a>, ObjectView<'a>)>, order: Ordering) -> Ordering {
        if order == Ordering::Equal
            && let Some((a, b)) = shared
        {
            self.equal_classes.insert(a, b);
        }
        order
    }
}

/// Whether comparing the content of an object may take longer than to look a pair up.
fn may_be_large(object: ObjectView<'_>) -> bool {
    match object.type_info().body {
        Body::Str => object.as_str().is_some_and(|text| text.len() >= LONG_LEAF),
        Body::Bytes => object.as_bytes().is_some_and(|bytes| bytes.len() >= LONG_LEAF),
        Body::Shape => object.as_shape().is_some_and(|extents| size_of_val(extents) >= LONG_LEAF),
        Body::Function | Body::Opaque => false,
        Body::Tensor | Body::Node | Body::Array | Body::Map => true,
    }
}

fn compare_tensors(a: ObjectView<'_>, b: ObjectView<'_>) -> Ordering {
    match (a.as_handle::<Tensor>(), b.as_handle::<Tensor>()) {
        (Some(a), Some(b)) => {
            let (shapes, data) = ((a.shape.as_slice(), b.shape.as_slice()), (a.data.as_slice(), b.data.as_slice()));
            a.dtype.cmp(&b.dtype).then_with(|| shapes.0.cmp(shapes.1)).then_with(|| data.0.cmp(data.1))
        }
        (a, b) => a.is_some().cmp(&b.is_some()),
    }
}

/// The keys and values of a map, in the order of their comparison.
fn entries(map: &MapData) -> ChildIter<'_> {
    let (mut plain, others): (Vec<_>, Vec<_>) = map.iter().partition(|(key, _)| is_plain(*key));
    plain.sort_by(|(a, _), (b, _)| compare_plain(*a, *b));
    let all: Vec<AnyView<'_>> = plain.into_iter().chain(others).flat_map(|(key, value)| [key, value]).collect();
    ChildIter::Entries(all.into_iter())
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::ValueComparison;
    use crate::container::{Array, Map};
    use crate::object::Any;
    use crate::value::{Bytes, Str};

    /// The number of pairs that the comparison of two equal values compares.
    fn steps(a: &Any, b: &Any) -> usize {
        let mut comparison = ValueComparison::default();
        assert_eq!(comparison.run(a.view(), b.view()), Ordering::Equal);
        comparison.steps
    }

    /// `depth` arrays of two references: to one object on each level for which `shares` is true, and to two copies on
    /// each other level.
    fn ladder(depth: usize, shares: impl Fn(usize) -> bool) -> Any {
        let copy = |value: &Any| match value.clone().cast::<Array<Any>>() {
            Ok(items) => Array::from_iter(items.iter()).into(),
            Err(_) => value.clone(),
        };
        (0..depth).fold(Any::Int(1), |below, level| {
            let twin = if shares(level) { below.clone() } else { copy(&below) };
            Array::from([below, twin]).into()
        })
    }

    #[test]
    fn each_pair_is_compared_once_whichever_side_shares() {
        let depth = 60;
        let [even, odd] = [0, 1].map(|parity| ladder(depth, |level| level % 2 == parity));
        let (all, other) = (ladder(depth, |_| true), ladder(depth, |_| true));
        for (a, b) in [(&even, &odd), (&odd, &even), (&all, &other), (&all, &even), (&odd, &all)] {
            let steps = steps(a, b);
            assert!(steps <= 3 * depth, "{steps}");
        }
    }

    #[test]
    fn shared_contents_are_compared_once() {
        let large = 1000;
        let values = || -> [Any; 4] {
            let entries = (0..large).map(|number| (Any::Int(number), Any::Int(number)));
            [
                Map::<Any, Any>::new(entries).into(),
                Array::from_iter(0..large).into(),
                Str::from("a".repeat(large as usize)).into(),
                Bytes::new(&vec![1; large as usize]).into(),
            ]
        };
        for (a, b) in values().into_iter().zip(values()) {
            let many = |value: &Any| Any::from(Array::from_iter(vec![value.clone(); 100]));
            assert_eq!(steps(&many(&a), &many(&b)), 2, "{}", a.type_key());
        }
    }
}

//! [`value_equal`] and [`value_order`]: comparison by value, without regard to sharing and annotations.

use std::cmp::Ordering;

use crate::container::MapData;
use crate::object::{AnyView, Body, FieldType, ObjectView, SEqHashKind};
use crate::structural::{EqualClasses, compare_plain, is_plain};
use crate::value::Tensor;

/// Whether two values are the same data: [`value_order`] finds no difference.
///
/// All fields count, also those that structural equality ignores; a variable is what its fields say, bound or not.
///
/// ```
/// use object_core::{Array, data::value_equal};
/// assert!(value_equal(&Array::from([1.0, f64::NAN]), &Array::from([1.0, f64::NAN])));
/// assert!(!value_equal(&1i64, &1.0));
/// ```
#[must_use]
pub fn value_equal<T: FieldType, U: FieldType>(a: &T, b: &U) -> bool {
    value_order(a, b) == Ordering::Equal
}

/// Compares two values of any types: a total order, in time linear in their sizes and without recursion.
///
/// * Values of different kinds: nothing, then truth values, integers, floats, data types, devices, objects.
/// * Floats: by value, `-0.0` before `0.0`, and everything that is no number as one, after all numbers.
/// * Objects of different types: by type key. Of one type:
///   texts and bytes byte by byte; arrays and shapes element by element, and then by length; nodes field by field, in the
///   order of declaration; singletons by key; tensors by data type, shape and data.
/// * Maps: by their entries, of which those with plain keys come first, in the order of the keys, and then the others, in
///   the order of insertion. So the order of entries with plain keys does not matter.
/// * Functions and opaque objects: by address, so their order is not the same in the next process.
///
/// ```
/// use object_core::{Any, Array, data::value_order};
/// let mut values = [Any::from("b"), Any::from(Array::from([2, 1])), Any::Int(3), Any::from("a"), Any::from(Array::from([2]))];
/// values.sort_by(value_order);
/// assert_eq!(format!("{values:?}"), r#"[3, [2], [2, 1], "a", "b"]"#);
/// ```
#[must_use]
pub fn value_order<T: FieldType, U: FieldType>(a: &T, b: &U) -> Ordering {
    Comparison { stack: Vec::new(), equal_classes: EqualClasses::default() }.run(a.view(), b.view())
}

/// The children of an object that have not been compared yet.
enum ChildIter<'a> {
    Fields(crate::object::Fields<'a>),
    Items(crate::container::ArrayView<'a>, usize),
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

struct OrderFrame<'a> {
    /// Objects to be remembered as equal once all children are.
    shared: Option<(ObjectView<'a>, ObjectView<'a>)>,
    a: ChildIter<'a>,
    b: ChildIter<'a>,
}

struct Comparison<'a> {
    stack: Vec<OrderFrame<'a>>,
    equal_classes: EqualClasses,
}

impl<'a> Comparison<'a> {
    fn run(mut self, a: AnyView<'a>, b: AnyView<'a>) -> Ordering {
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

    /// The order of two values as far as it can be told without their children, whose frame is then on the stack.
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
            return a.type_key().cmp(b.type_key());
        }
        if info.kind == SEqHashKind::UniqueInstance {
            return a.singleton_key().cmp(&b.singleton_key());
        }
        let (kids, other) = match info.body {
            Body::Str => return a.as_str().cmp(&b.as_str()),
            Body::Bytes => return a.as_bytes().cmp(&b.as_bytes()),
            Body::Shape => return a.as_shape().cmp(&b.as_shape()),
            Body::Tensor => return compare_tensors(a, b),
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
        // A pair of which one is met once is compared once.
        let shared = (a.use_count() > 1 && b.use_count() > 1).then_some((a, b));
        if shared.is_none() || !self.equal_classes.contains(a, b) {
            self.stack.push(OrderFrame { shared, a: kids, b: other });
        }
        Ordering::Equal
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

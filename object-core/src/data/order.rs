//! [`value_equal`] and [`value_order`]: comparison by value, without regard to sharing and annotations.

use std::cmp::Ordering;

use crate::container::{ArrayView, MapData};
use crate::object::{AnyView, AsAnyView, Body, Fields, ObjectView, SEqHashKind};
use crate::structural::{EqualClasses, compare_plain, is_plain};
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
/// * Objects of different types: by type key.
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
    ValueComparison { stack: Vec::new(), equal_classes: EqualClasses::default() }.run(a.as_any_view(), b.as_any_view())
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
    /// The two objects, if they can occur as a pair again.
    shared: Option<(ObjectView<'a>, ObjectView<'a>)>,
    a: ChildIter<'a>,
    b: ChildIter<'a>,
}

struct ValueComparison<'a> {
    stack: Vec<PairFrame<'a>>,
    equal_classes: EqualClasses,
}

impl<'a> ValueComparison<'a> {
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
            return a.type_key().cmp(b.type_key());
        }
        if info.kind == SEqHashKind::UniqueInstance {
            return a.singleton_key().cmp(&b.singleton_key());
        }
        let (a_children, b_children) = match info.body {
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
        // An object with one handle has one occurrence, so a pair with such an object occurs once.
        let shared = (a.use_count() > 1 && b.use_count() > 1).then_some((a, b));
        if shared.is_none() || !self.equal_classes.contains(a, b) {
            self.stack.push(PairFrame { shared, a: a_children, b: b_children });
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

//! The order in which map entries are compared and hashed: one that does not depend on their insertion, so that
//! equality is symmetric and equal maps hash equal.
//!
//! Plain keys come first, sorted by value; then objects that are bound, in the order of their binding, those included
//! that earlier entries of the map bind; then all others.

use std::cmp::Ordering;

use crate::object::{AnyView, SEqHashKind};

/// Whether a key is compared by value: plain values, text, bytes, and singletons, which their own key stands for.
pub(super) fn is_plain(key: AnyView<'_>) -> bool {
    match key {
        AnyView::Object(object) => {
            object.as_str().is_some()
                || object.as_bytes().is_some()
                || object.type_info().kind == SEqHashKind::UniqueInstance
        }
        _ => true,
    }
}

/// The order of two plain keys.
pub(super) fn compare_plain(a: AnyView<'_>, b: AnyView<'_>) -> Ordering {
    match (a, b) {
        (AnyView::Bool(a), AnyView::Bool(b)) => a.cmp(&b),
        (AnyView::Int(a), AnyView::Int(b)) => a.cmp(&b),
        (AnyView::Float(a), AnyView::Float(b)) => a.to_bits().cmp(&b.to_bits()),
        (AnyView::DataType(a), AnyView::DataType(b)) => a.cmp(&b),
        (AnyView::Device(a), AnyView::Device(b)) => a.cmp(&b),
        (AnyView::Object(a), AnyView::Object(b)) => {
            let text = |object: crate::object::ObjectView<'_>| {
                let key = object.type_info().singleton_key().and_then(|field| field.get(object));
                key.and_then(AnyView::as_str)
                    .or(object.as_str())
                    .map(str::as_bytes)
                    .or(object.as_bytes())
                    .map(Vec::from)
            };
            a.type_key().cmp(b.type_key()).then_with(|| match (a.as_str(), b.as_str()) {
                (Some(a), Some(b)) => a.cmp(b),
                _ => text(a).cmp(&text(b)),
            })
        }
        _ => rank(a).cmp(&rank(b)),
    }
}

fn rank(key: AnyView<'_>) -> u8 {
    match key {
        AnyView::None => 0,
        AnyView::Bool(_) => 1,
        AnyView::Int(_) => 2,
        AnyView::Float(_) => 3,
        AnyView::DataType(_) => 4,
        AnyView::Device(_) => 5,
        AnyView::Object(_) => 6,
    }
}

//! [`HashedFields`]: the compared fields of one object. [`FieldPairs`]: the compared fields of two objects of one type.

use std::slice;

use crate::hashing::hash_key;
use crate::object::model::any::AnyView;
use crate::object::model::compared_field::{ComparedField, PlainField};
use crate::object::model::field_info::FieldInfo;
use crate::object::model::keywords::FieldRole;
use crate::object::model::object_ref::ObjectView;
use crate::object::model::type_info::TypeInfo;

/// An iterator over the fields of an object that structural hashing looks at, the fields of the ancestors first.
pub(crate) struct HashedFields<'a> {
    object: ObjectView<'a>,
    rest: slice::Iter<'static, ComparedField>,
    /// Whether fields that have their defaults are left out, and the others come with their names.
    skips_defaults: bool,
    /// The value of the field whose name the iterator returned last.
    named: Option<(FieldRole, AnyView<'a>)>,
}

impl<'a> HashedFields<'a> {
    /// As `next`, without fields that have their defaults. A number for the name of a field comes before its value, because the
    /// fields before it do not tell its place.
    #[cold]
    fn next_without_default(&mut self) -> Option<(FieldRole, AnyView<'a>)> {
        if let Some(value) = self.named.take() {
            return Some(value);
        }
        loop {
            let (role, value) = self.next_field()?;
            let field = self.last_field()?;
            if !field.default().is_some_and(|default| is_default(value, default.view())) {
                self.named = Some((role, value));
                let name = hash_key(field.name).cast_signed();
                return Some((FieldRole::Content, AnyView::Int(name)));
            }
        }
    }

    #[inline(always)]
    fn next_field(&mut self) -> Option<(FieldRole, AnyView<'a>)> {
        let compared = self.rest.next()?;
        // An object in a field is read without the header of the parent, which a large child removes from the caches.
        // SAFETY: the field is in the table of the object's type.
        let value = unsafe {
            match compared.is_object {
                true => compared.object(self.object).map_or(AnyView::None, AnyView::Object),
                false => compared.read(self.object.type_info(), self.object),
            }
        };
        Some((compared.role, value))
    }

    /// The field that the iterator returned last.
    pub(crate) fn last_field(&self) -> Option<&'static FieldInfo> {
        let info = self.object.type_info();
        last_field(info, (info.compared_fields.len() - self.rest.len()) as u32)
    }

    /// Whether the object, which is a scope, exports the last field; `None` if it exports no field.
    pub(crate) fn exports_last_field(&self) -> Option<bool> {
        exports_field(self.object, self.last_field())
    }
}

impl<'a> Iterator for HashedFields<'a> {
    type Item = (FieldRole, AnyView<'a>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.skips_defaults {
            return self.next_without_default();
        }
        self.next_field()
    }
}

/// Whether a value is the default of a field: a plain value, a text, or an array or a map without elements.
fn is_default(value: AnyView<'_>, default: AnyView<'_>) -> bool {
    match (value, default) {
        (AnyView::Object(value), AnyView::Object(default)) => {
            let is_empty = |object: ObjectView<'_>| match (object.as_array(), object.as_map()) {
                (Some(items), _) => items.is_empty(),
                (_, Some(map)) => map.is_empty(),
                _ => false,
            };
            let same_type = std::ptr::eq(value.type_info(), default.type_info());
            match (value.as_str(), default.as_str()) {
                (Some(value), Some(default)) => value == default,
                _ => same_type && is_empty(value) && is_empty(default),
            }
        }
        (value, default) => value.plain_bits().is_some() && value.plain_bits() == default.plain_bits(),
    }
}

/// Whether `object`, which is a scope, exports `field`; `None` if it exports no field.
fn exports_field(object: ObjectView<'_>, field: Option<&FieldInfo>) -> Option<bool> {
    object.type_info().plan.exports.then(|| field.is_some_and(|field| field.meta.export))
}

/// The field before the compared field with index `next`.
fn last_field(info: &'static TypeInfo, next: u32) -> Option<&'static FieldInfo> {
    info.fields.get(info.compared_fields.get((next as usize).wrapping_sub(1))?.field as usize)
}

/// The fields of two objects of one type that structural equality looks at, the fields of the ancestors first.
pub(crate) struct FieldPairs<'a> {
    a: ObjectView<'a>,
    b: ObjectView<'a>,
    next: u32,
}

/// The values of a field in two objects, unless they are equal plain values.
pub(crate) enum FieldPair<'a> {
    /// Plain values that differ.
    Differ,
    /// Values of any kind.
    Values(AnyView<'a>, AnyView<'a>),
    /// Two objects.
    Objects(ObjectView<'a>, ObjectView<'a>),
}

impl<'a> FieldPairs<'a> {
    /// The fields of `a` and `b`, which have one type. If their types differ, the result pairs `a` with itself, so that
    /// reads stay in bounds.
    #[inline]
    pub(crate) fn new(a: ObjectView<'a>, b: ObjectView<'a>) -> Self {
        let is_one_type = std::ptr::eq(a.type_info(), b.type_info());
        debug_assert!(is_one_type);
        FieldPairs { a, b: if is_one_type { b } else { a }, next: 0 }
    }

    /// The objects.
    #[inline]
    pub(crate) fn objects(&self) -> (ObjectView<'a>, ObjectView<'a>) {
        (self.a, self.b)
    }

    /// The field that the iterator returned last.
    pub(crate) fn last_field(&self) -> Option<&'static FieldInfo> {
        last_field(self.a.type_info(), self.next)
    }

    /// Whether the objects, which are scopes, export the field that the last call of
    /// [`next_unequal`](Self::next_unequal) returned; `None` if they export no field.
    pub(crate) fn exports_last_field(&self) -> Option<bool> {
        exports_field(self.a, self.last_field())
    }

    /// The values of the field that the last call of [`next_unequal`](Self::next_unequal) returned.
    pub(crate) fn last_values(&self) -> Option<(AnyView<'a>, AnyView<'a>)> {
        // SAFETY: the field is in the table of the type of both objects, because `new` checks that they have one type.
        self.last_field().map(|field| unsafe { (field.get_unchecked(self.a), field.get_unchecked(self.b)) })
    }

    /// The next field whose values are not equal plain values.
    pub(crate) fn next_unequal(&mut self) -> Option<(FieldRole, FieldPair<'a>)> {
        let info = self.a.type_info();
        while let Some(compared) = info.compared_fields.get(self.next as usize) {
            self.next += 1;
            // SAFETY: the field is in the table of the type of both objects.
            let pair = unsafe {
                if compared.is_object {
                    match (compared.object(self.a), compared.object(self.b)) {
                        (Some(a), Some(b)) => FieldPair::Objects(a, b),
                        (None, None) => continue,
                        _ => FieldPair::Differ,
                    }
                } else {
                    match compared.same_bits(self.a, self.b) {
                        Some(true) => continue,
                        Some(false) => FieldPair::Differ,
                        None => {
                            let (a, b) = compared.values(info, self.a, self.b);
                            FieldPair::Values(a, b)
                        }
                    }
                }
            };
            return Some((compared.role, pair));
        }
        None
    }

    /// Whether all fields are equal. The function compares the fields in order up to the first difference: it calls
    /// `objects` for a field with an object on both sides and `values` for a field that only a call can read, and it
    /// compares plain values itself.
    #[inline(always)]
    pub(crate) fn all<C: ?Sized>(
        self,
        context: &mut C,
        objects: impl Fn(&mut C, FieldRole, ObjectView<'a>, ObjectView<'a>) -> bool,
        values: impl Fn(&mut C, FieldRole, AnyView<'a>, AnyView<'a>) -> bool,
    ) -> bool {
        let FieldPairs { a, b, .. } = self;
        let info = a.type_info();
        for compared in info.compared_fields {
            // SAFETY: the field is in the table of the type of both objects.
            let equal = unsafe {
                if compared.is_object {
                    match (compared.object(a), compared.object(b)) {
                        (Some(x), Some(y)) => objects(context, compared.role, x, y),
                        (x, y) => x.is_none() && y.is_none(),
                    }
                } else {
                    compared.same_bits(a, b).unwrap_or_else(|| {
                        let (x, y) = compared.values(info, a, b);
                        values(context, compared.role, x, y)
                    })
                }
            };
            if !equal {
                return false;
            }
        }
        true
    }
}

impl<'a> ObjectView<'a> {
    /// The fields of the object that structural hashing looks at, all of them or only those that do not have their defaults.
    #[inline]
    pub(crate) fn contents(self, skips_defaults: bool) -> HashedFields<'a> {
        HashedFields { object: self, rest: self.type_info().compared_fields.iter(), skips_defaults, named: None }
    }

    /// Folds the fields that structural hashing looks at into `state`, in order: it calls `objects` for a field with an
    /// object and `values` for all other fields.
    #[inline(always)]
    pub(crate) fn fold_contents<C: ?Sized, S>(
        self,
        context: &mut C,
        mut state: S,
        objects: impl Fn(&mut C, S, FieldRole, ObjectView<'a>) -> S,
        values: impl Fn(&mut C, S, FieldRole, AnyView<'a>) -> S,
    ) -> S {
        let info = self.type_info();
        for compared in info.compared_fields {
            // SAFETY: the field is in the table of the object's type.
            state = unsafe {
                if compared.is_object {
                    match compared.object(self) {
                        Some(object) => objects(context, state, compared.role, object),
                        None => values(context, state, compared.role, AnyView::None),
                    }
                } else {
                    // One call of `values` per kind, so that the compiler specializes `values` for each kind.
                    match compared.plain(self) {
                        Some(PlainField::Int(value)) => values(context, state, compared.role, AnyView::Int(value)),
                        Some(PlainField::Bool(value)) => values(context, state, compared.role, AnyView::Bool(value)),
                        Some(PlainField::Float(value)) => values(context, state, compared.role, AnyView::Float(value)),
                        Some(PlainField::DataType(value)) => {
                            values(context, state, compared.role, AnyView::DataType(value))
                        }
                        None => values(context, state, compared.role, compared.read(info, self)),
                    }
                }
            };
        }
        state
    }
}

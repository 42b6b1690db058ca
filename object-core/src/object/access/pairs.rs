//! [`HashedFields`] and [`FieldPairs`]: the fields of one object, and of two objects of one type, that structural
//! comparison looks at.

use crate::object::model::any::AnyView;
use crate::object::model::compared_field::Plain;
use crate::object::model::field_info::FieldInfo;
use crate::object::model::keywords::FieldRole;
use crate::object::model::object_ref::ObjectView;
use crate::object::model::type_info::TypeInfo;

/// The fields of one object that count in structural hashing, those of the ancestors first.
pub(crate) struct HashedFields<'a> {
    object: ObjectView<'a>,
    next: u32,
}

impl<'a> HashedFields<'a> {
    /// The field that was given last.
    pub(crate) fn last_field(&self) -> Option<&'static FieldInfo> {
        last_field(self.object.type_info(), self.next)
    }
}

impl<'a> Iterator for HashedFields<'a> {
    type Item = (FieldRole, AnyView<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let info = self.object.type_info();
        let compared = info.compared_fields.get(self.next as usize)?;
        self.next += 1;
        // SAFETY: it is a field of the object's own type.
        Some((compared.role, unsafe { compared.read(info, self.object) }))
    }
}

/// The field that was given last, when `next` is the next one.
fn last_field(info: &'static TypeInfo, next: u32) -> Option<&'static FieldInfo> {
    info.fields.get(info.compared_fields.get((next as usize).wrapping_sub(1))?.field as usize)
}

/// The fields of two objects of one type that count in structural equality, those of the ancestors first.
pub(crate) struct FieldPairs<'a> {
    a: ObjectView<'a>,
    b: ObjectView<'a>,
    next: u32,
}

/// Two fields that are not plainly the same.
pub(crate) enum FieldPair<'a> {
    /// Plain values that differ.
    Differ,
    /// Values of any kind.
    Values(AnyView<'a>, AnyView<'a>),
    /// Two objects.
    Objects(ObjectView<'a>, ObjectView<'a>),
}

impl<'a> FieldPairs<'a> {
    /// The fields of `a` and `b`, or of `a` twice if their types differ.
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

    /// The field that was given last.
    pub(crate) fn last_field(&self) -> Option<&'static FieldInfo> {
        last_field(self.a.type_info(), self.next)
    }

    /// The values of the field that was given last.
    pub(crate) fn last_values(&self) -> Option<(AnyView<'a>, AnyView<'a>)> {
        // SAFETY: it is a field of the type that both objects have.
        self.last_field().map(|field| unsafe { (field.get_unchecked(self.a), field.get_unchecked(self.b)) })
    }

    /// The next fields that are not equal plain values.
    pub(crate) fn next_unequal(&mut self) -> Option<(FieldRole, FieldPair<'a>)> {
        let info = self.a.type_info();
        while let Some(compared) = info.compared_fields.get(self.next as usize) {
            self.next += 1;
            // SAFETY: both objects have the type that has this field.
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

    /// Whether `objects` holds for all fields that are objects on both sides, `values` for those that only a call can
    /// read, and the other plain values are equal: in order, until one does not.
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
            // SAFETY: both objects have the type that has this field.
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
    /// The fields that count in structural hashing.
    #[inline]
    pub(crate) fn contents(self) -> HashedFields<'a> {
        HashedFields { object: self, next: 0 }
    }

    /// Takes the fields that count in structural hashing into `state`, one after the other: `objects` those that are
    /// objects, `values` all others.
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
            // SAFETY: it is a field of the object's own type.
            state = unsafe {
                if compared.is_object {
                    match compared.object(self) {
                        Some(object) => objects(context, state, compared.role, object),
                        None => values(context, state, compared.role, AnyView::None),
                    }
                } else {
                    // The kinds that take no call are told apart here, so that `values` is compiled for each.
                    match compared.plain(self) {
                        Some(Plain::Int(value)) => values(context, state, compared.role, AnyView::Int(value)),
                        Some(Plain::Bool(value)) => values(context, state, compared.role, AnyView::Bool(value)),
                        Some(Plain::Float(value)) => values(context, state, compared.role, AnyView::Float(value)),
                        Some(Plain::DataType(value)) => values(context, state, compared.role, AnyView::DataType(value)),
                        None => values(context, state, compared.role, compared.read(info, self)),
                    }
                }
            };
        }
        state
    }
}

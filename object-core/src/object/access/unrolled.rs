//! Loop-free access to the fields of types whose [`Dispatch`] is named after the fields.

use crate::object::model::any::AnyView;
use crate::object::model::dispatch::{Dispatch, MAX_PATTERN_FIELDS, PatternField};
use crate::object::model::object_ref::ObjectView;
use crate::object::model::type_info::TypeInfo;

/// Two objects of one type.
#[derive(Clone, Copy)]
pub(crate) struct SameType<'a> {
    a: ObjectView<'a>,
    b: ObjectView<'a>,
}

impl<'a> SameType<'a> {
    /// The two objects, if they have one type.
    #[inline(always)]
    pub(crate) fn new(a: ObjectView<'a>, b: ObjectView<'a>) -> Option<Self> {
        std::ptr::eq(a.type_info(), b.type_info()).then_some(SameType { a, b })
    }

    /// The objects.
    #[inline(always)]
    pub(crate) fn objects(self) -> (ObjectView<'a>, ObjectView<'a>) {
        (self.a, self.b)
    }

    /// Whether all fields are equal, for types whose [`Dispatch`] has the number `DISPATCH`. The function compares the fields
    /// in order up to the first difference: it calls `objects` for a field with an object on both sides, and it compares
    /// other fields itself.
    ///
    /// # Panics
    /// If the dispatch of the type has another number.
    #[inline(always)]
    pub(crate) fn all<const DISPATCH: u8, C: ?Sized>(
        self,
        context: &mut C,
        objects: impl Fn(&mut C, ObjectView<'a>, ObjectView<'a>) -> bool,
    ) -> bool {
        let info = self.a.type_info();
        assert!(info.plan.dispatch as u8 == DISPATCH, "the routine belongs to the type of the objects");
        // SAFETY: the type of both objects is `info`, whose dispatch the assertion checks.
        let mut field = |index| unsafe { self.field::<DISPATCH, _>(info, index, context, &objects) };
        // The last comparison is the result, so that the compiler can make it a tail call.
        field(0) && field(1) && field(2) && field(3)
    }

    /// As [`all`](Self::all), for the field with index `index`; `true` if there is no such field.
    ///
    /// # Safety
    /// The type of both objects is `info`, whose dispatch has the number `DISPATCH`.
    #[inline(always)]
    unsafe fn field<const DISPATCH: u8, C: ?Sized>(
        self,
        info: &'static TypeInfo,
        index: usize,
        context: &mut C,
        objects: &impl Fn(&mut C, ObjectView<'a>, ObjectView<'a>) -> bool,
    ) -> bool {
        let SameType { a, b } = self;
        let Some(field) = const { Dispatch::pattern(DISPATCH) }[index] else { return true };
        // SAFETY: by the contract, the compared fields of `info` match the pattern, which has a field with this index.
        unsafe {
            let compared = info.compared_fields.get_unchecked(index);
            match field {
                PatternField::Object => match (compared.object(a), compared.object(b)) {
                    (Some(x), Some(y)) => objects(context, x, y),
                    (x, y) => x.is_none() && y.is_none(),
                },
                PatternField::Type => compared.data_type(a).packed() == compared.data_type(b).packed(),
                PatternField::Int => compared.int(a) == compared.int(b),
            }
        }
    }
}

impl<'a> ObjectView<'a> {
    /// As [`fold_contents`](Self::fold_contents), for types whose [`Dispatch`] has the number `DISPATCH`.
    ///
    /// # Panics
    /// If the dispatch of the type has another number.
    #[inline(always)]
    pub(crate) fn fold<const DISPATCH: u8, C: ?Sized, S>(
        self,
        context: &mut C,
        mut state: S,
        objects: impl Fn(&mut C, S, ObjectView<'a>) -> S,
        plain: impl Fn(S, AnyView<'a>) -> S,
    ) -> S {
        let info = self.type_info();
        let pattern = const { Dispatch::pattern(DISPATCH) };
        assert!(info.plan.dispatch as u8 == DISPATCH, "the routine belongs to the type of the object");
        let mut index = 0;
        while index < MAX_PATTERN_FIELDS {
            let Some(field) = pattern[index] else { break };
            // SAFETY: the type of the object has this dispatch, as the assertion checks, so its compared fields match the
            // pattern, which has a field with this index.
            state = unsafe {
                let compared = info.compared_fields.get_unchecked(index);
                match field {
                    PatternField::Object => match compared.object(self) {
                        Some(object) => objects(context, state, object),
                        None => plain(state, AnyView::None),
                    },
                    PatternField::Type => plain(state, AnyView::DataType(compared.data_type(self))),
                    PatternField::Int => plain(state, AnyView::Int(compared.int(self))),
                }
            };
            index += 1;
        }
        state
    }
}

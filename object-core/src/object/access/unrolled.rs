//! Reading the fields of types whose [`Dispatch`] names them, without a loop.

use crate::object::model::any::AnyView;
use crate::object::model::dispatch::{Dispatch, MOST, Read};
use crate::object::model::object_ref::ObjectView;
use crate::object::model::type_info::TypeInfo;

/// Two objects of one type.
#[derive(Clone, Copy)]
pub(crate) struct SameType<'a> {
    a: ObjectView<'a>,
    b: ObjectView<'a>,
}

impl<'a> SameType<'a> {
    /// The two, if they have one type.
    #[inline(always)]
    pub(crate) fn new(a: ObjectView<'a>, b: ObjectView<'a>) -> Option<Self> {
        std::ptr::eq(a.type_info(), b.type_info()).then_some(SameType { a, b })
    }

    /// The objects.
    #[inline(always)]
    pub(crate) fn objects(self) -> (ObjectView<'a>, ObjectView<'a>) {
        (self.a, self.b)
    }

    /// Whether `objects` holds for all fields that are objects on both sides and all other ones are equal, in order, until
    /// one does not, for types whose [`Dispatch`] has number `DISPATCH`.
    #[inline(always)]
    pub(crate) fn all<const DISPATCH: u8, C: ?Sized>(
        self,
        context: &mut C,
        objects: impl Fn(&mut C, ObjectView<'a>, ObjectView<'a>) -> bool,
    ) -> bool {
        let info = self.a.type_info();
        assert!(info.plan.dispatch as u8 == DISPATCH, "the routine belongs to the type of the objects");
        // SAFETY: both have the type with this dispatch.
        let mut field = |index| unsafe { self.field::<DISPATCH, _>(info, index, context, &objects) };
        // The last comparison gives the result, so that it can be a jump instead of a call.
        field(0) && field(1) && field(2) && field(3)
    }

    /// The same for one field.
    ///
    /// # Safety
    /// The type of both is `info`, whose dispatch has number `DISPATCH`.
    #[inline(always)]
    unsafe fn field<const DISPATCH: u8, C: ?Sized>(
        self,
        info: &'static TypeInfo,
        index: usize,
        context: &mut C,
        objects: &impl Fn(&mut C, ObjectView<'a>, ObjectView<'a>) -> bool,
    ) -> bool {
        let SameType { a, b } = self;
        let Some(read) = const { Dispatch::reads(DISPATCH) }[index] else { return true };
        // SAFETY: the compared_fields of the dispatch read just that.
        unsafe {
            let compared = info.compared_fields.get_unchecked(index);
            match read {
                Read::Object => match (compared.object(a), compared.object(b)) {
                    (Some(x), Some(y)) => objects(context, x, y),
                    (x, y) => x.is_none() && y.is_none(),
                },
                Read::Type => compared.data_type(a).packed() == compared.data_type(b).packed(),
                Read::Int => compared.int(a) == compared.int(b),
            }
        }
    }
}

impl<'a> ObjectView<'a> {
    /// As [`fold_contents`](Self::fold_contents), for types whose [`Dispatch`] has number `DISPATCH`.
    #[inline(always)]
    pub(crate) fn fold<const DISPATCH: u8, C: ?Sized, S>(
        self,
        context: &mut C,
        mut state: S,
        objects: impl Fn(&mut C, S, ObjectView<'a>) -> S,
        plain: impl Fn(S, AnyView<'a>) -> S,
    ) -> S {
        let info = self.type_info();
        let reads = const { Dispatch::reads(DISPATCH) };
        assert!(info.plan.dispatch as u8 == DISPATCH, "the routine belongs to the type of the object");
        let mut index = 0;
        while index < MOST {
            let Some(read) = reads[index] else { break };
            // SAFETY: the object has the type with this dispatch, whose compared_fields read just that.
            state = unsafe {
                let compared = info.compared_fields.get_unchecked(index);
                match read {
                    Read::Object => match compared.object(self) {
                        Some(object) => objects(context, state, object),
                        None => plain(state, AnyView::None),
                    },
                    Read::Type => plain(state, AnyView::DataType(compared.data_type(self))),
                    Read::Int => plain(state, AnyView::Int(compared.int(self))),
                }
            };
            index += 1;
        }
        state
    }
}

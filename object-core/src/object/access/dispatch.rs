//! [`Dispatch`]: the dispatch in which walks that compare or hash go into an object, in one byte of its type.
//!
//! The most common sequences of fields have dispatches of their own, on which there is no loop. After a child, a loop has to
//! find out again which field comes next. The processor guesses that badly: what it saw last is the whole of the child.

use crate::object::model::any::AnyView;
use crate::object::model::compared_field::ComparedField;
use crate::object::model::field_info::{FieldRole, Storage};
use crate::object::model::object_ref::ObjectView;
use crate::object::model::type_info::{ChildSource, CompareRule, TypeInfo};

/// The dispatch into an object that nothing is remembered of. Those named after fields are of types with just these compared_fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Dispatch {
    /// A data type.
    Type,
    /// A data type and an integer.
    TypeInt,
    /// Other plain values.
    Plain,
    /// One object, or none.
    One,
    Two,
    Three,
    Four,
    OneInt,
    TypeOne,
    TypeTwo,
    TypeThree,
    OneTypeOneInt,
    /// Other fields of a tree.
    Fields,
    /// The elements of a tree.
    Items,
    /// What the hook of a tree lists.
    Listed,
    /// It is equal to itself alone: `singleton`.
    Identity,
    /// One object of the other side corresponds to it: `dag` and `var`.
    Counterpart,
    /// It takes a closer look.
    Other,
}

/// What lies in a field, for the compared_fields that dispatches are made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Read {
    Object,
    Type,
    Int,
}

/// The most compared_fields of a dispatch.
const MOST: usize = 4;

/// The dispatches that are named after fields.
const PATTERNS: [(Dispatch, &[Read]); 11] = {
    use Read::{Int, Object, Type};
    [
        (Dispatch::Type, &[Type]),
        (Dispatch::TypeInt, &[Type, Int]),
        (Dispatch::One, &[Object]),
        (Dispatch::Two, &[Object, Object]),
        (Dispatch::Three, &[Object, Object, Object]),
        (Dispatch::Four, &[Object, Object, Object, Object]),
        (Dispatch::OneInt, &[Object, Int]),
        (Dispatch::TypeOne, &[Type, Object]),
        (Dispatch::TypeTwo, &[Type, Object, Object]),
        (Dispatch::TypeThree, &[Type, Object, Object, Object]),
        (Dispatch::OneTypeOneInt, &[Object, Type, Object, Int]),
    ]
};

impl Read {
    const fn of(compared: &ComparedField) -> Option<Read> {
        match (compared.role, compared.storage) {
            (FieldRole::Content, Storage::Object | Storage::OptionalObject) => Some(Read::Object),
            (FieldRole::Content, Storage::DataType) => Some(Read::Type),
            (FieldRole::Content, Storage::Int) => Some(Read::Int),
            _ => None,
        }
    }
}

impl Dispatch {
    /// How many there are.
    pub(crate) const COUNT: usize = Dispatch::Other as usize + 1;

    /// That of a type with these entries.
    pub(crate) const fn of(
        compare_rule: CompareRule,
        child_source: ChildSource,
        compared_fields: &[ComparedField],
    ) -> Dispatch {
        match (compare_rule, child_source) {
            (CompareRule::Plain, _) => Dispatch::by_compared_fields(compared_fields, Dispatch::Plain),
            (CompareRule::Tree, ChildSource::Fields) => Dispatch::by_compared_fields(compared_fields, Dispatch::Fields),
            (CompareRule::Tree, ChildSource::Items) => Dispatch::Items,
            (CompareRule::Tree, ChildSource::Listed) => Dispatch::Listed,
            (CompareRule::Identity, _) => Dispatch::Identity,
            (CompareRule::Dag | CompareRule::Var, _) => Dispatch::Counterpart,
            _ => Dispatch::Other,
        }
    }

    const fn by_compared_fields(compared_fields: &[ComparedField], otherwise: Dispatch) -> Dispatch {
        let mut index = 0;
        while index < PATTERNS.len() {
            let (dispatch, reads) = PATTERNS[index];
            if matches(compared_fields, reads) {
                return dispatch;
            }
            index += 1;
        }
        otherwise
    }

    /// What the compared_fields of dispatch number `dispatch` read.
    const fn reads(dispatch: u8) -> [Option<Read>; MOST] {
        let mut all = [None; MOST];
        let mut index = 0;
        while index < PATTERNS.len() {
            let (named, reads) = PATTERNS[index];
            let mut place = 0;
            while named as u8 == dispatch && place < reads.len() {
                all[place] = Some(reads[place]);
                place += 1;
            }
            index += 1;
        }
        all
    }
}

const fn matches(compared_fields: &[ComparedField], reads: &[Read]) -> bool {
    let mut index = 0;
    while index < compared_fields.len() && index < reads.len() {
        match Read::of(&compared_fields[index]) {
            Some(read) if read as u8 == reads[index] as u8 => index += 1,
            _ => return false,
        }
    }
    compared_fields.len() == reads.len()
}

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
    /// one does not, for types whose dispatch has number `DISPATCH`.
    #[inline(always)]
    pub(crate) fn all<const DISPATCH: u8, C: ?Sized>(
        self,
        context: &mut C,
        objects: impl Fn(&mut C, ObjectView<'a>, ObjectView<'a>) -> bool,
    ) -> bool {
        let info = self.a.type_info();
        assert!(info.dispatch as u8 == DISPATCH, "objects are compared on the dispatch of their type");
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
    /// As [`fold_contents`](Self::fold_contents), for types whose dispatch has number `DISPATCH`.
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
        assert!(info.dispatch as u8 == DISPATCH, "an object is hashed on the dispatch of its type");
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

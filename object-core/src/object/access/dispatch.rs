//! [`Way`]: the way in which walks that compare or hash go into an object, in one byte of its type.
//!
//! The most common sequences of fields have ways of their own, on which there is no loop. After a child, a loop has to
//! find out again which field comes next. The processor guesses that badly: what it saw last is the whole of the child.

use crate::object::model::any::AnyView;
use crate::object::model::compared_field::Step;
use crate::object::model::field_info::{FieldRole, Storage};
use crate::object::model::object_ref::ObjectView;
use crate::object::model::type_info::{Below, Treatment, TypeInfo};

/// The way into an object that nothing is remembered of. Those named after fields are of types with just these steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Way {
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

/// What lies in a field, for the steps that ways are made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Read {
    Object,
    Type,
    Int,
}

/// The most steps of a way.
const MOST: usize = 4;

/// The ways that are named after fields.
const PATTERNS: [(Way, &[Read]); 11] = {
    use Read::{Int, Object, Type};
    [
        (Way::Type, &[Type]),
        (Way::TypeInt, &[Type, Int]),
        (Way::One, &[Object]),
        (Way::Two, &[Object, Object]),
        (Way::Three, &[Object, Object, Object]),
        (Way::Four, &[Object, Object, Object, Object]),
        (Way::OneInt, &[Object, Int]),
        (Way::TypeOne, &[Type, Object]),
        (Way::TypeTwo, &[Type, Object, Object]),
        (Way::TypeThree, &[Type, Object, Object, Object]),
        (Way::OneTypeOneInt, &[Object, Type, Object, Int]),
    ]
};

impl Read {
    const fn of(step: &Step) -> Option<Read> {
        match (step.role, step.storage) {
            (FieldRole::Content, Storage::Object | Storage::OptionalObject) => Some(Read::Object),
            (FieldRole::Content, Storage::DataType) => Some(Read::Type),
            (FieldRole::Content, Storage::Int) => Some(Read::Int),
            _ => None,
        }
    }
}

impl Way {
    /// How many there are.
    pub(crate) const COUNT: usize = Way::Other as usize + 1;

    /// That of a type with these entries.
    pub(crate) const fn of(treatment: Treatment, below: Below, steps: &[Step]) -> Way {
        match (treatment, below) {
            (Treatment::Plain, _) => Way::by_steps(steps, Way::Plain),
            (Treatment::Tree, Below::Fields) => Way::by_steps(steps, Way::Fields),
            (Treatment::Tree, Below::Items) => Way::Items,
            (Treatment::Tree, Below::Listed) => Way::Listed,
            (Treatment::Identity, _) => Way::Identity,
            (Treatment::Dag | Treatment::Var, _) => Way::Counterpart,
            _ => Way::Other,
        }
    }

    const fn by_steps(steps: &[Step], otherwise: Way) -> Way {
        let mut index = 0;
        while index < PATTERNS.len() {
            let (way, reads) = PATTERNS[index];
            if matches(steps, reads) {
                return way;
            }
            index += 1;
        }
        otherwise
    }

    /// What the steps of way number `way` read.
    const fn reads(way: u8) -> [Option<Read>; MOST] {
        let mut all = [None; MOST];
        let mut index = 0;
        while index < PATTERNS.len() {
            let (named, reads) = PATTERNS[index];
            let mut place = 0;
            while named as u8 == way && place < reads.len() {
                all[place] = Some(reads[place]);
                place += 1;
            }
            index += 1;
        }
        all
    }
}

const fn matches(steps: &[Step], reads: &[Read]) -> bool {
    let mut index = 0;
    while index < steps.len() && index < reads.len() {
        match Read::of(&steps[index]) {
            Some(read) if read as u8 == reads[index] as u8 => index += 1,
            _ => return false,
        }
    }
    steps.len() == reads.len()
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
    /// one does not, for types whose way has number `WAY`.
    #[inline(always)]
    pub(crate) fn all<const WAY: u8, C: ?Sized>(
        self,
        context: &mut C,
        objects: impl Fn(&mut C, ObjectView<'a>, ObjectView<'a>) -> bool,
    ) -> bool {
        let info = self.a.type_info();
        assert!(info.way as u8 == WAY, "objects are compared on the way of their type");
        // SAFETY: both have the type with this way.
        let mut field = |index| unsafe { self.field::<WAY, _>(info, index, context, &objects) };
        // The last comparison gives the result, so that it can be a jump instead of a call.
        field(0) && field(1) && field(2) && field(3)
    }

    /// The same for one field.
    ///
    /// # Safety
    /// The type of both is `info`, whose way has number `WAY`.
    #[inline(always)]
    unsafe fn field<const WAY: u8, C: ?Sized>(
        self,
        info: &'static TypeInfo,
        index: usize,
        context: &mut C,
        objects: &impl Fn(&mut C, ObjectView<'a>, ObjectView<'a>) -> bool,
    ) -> bool {
        let SameType { a, b } = self;
        let Some(read) = const { Way::reads(WAY) }[index] else { return true };
        // SAFETY: the steps of the way read just that.
        unsafe {
            let step = info.steps.get_unchecked(index);
            match read {
                Read::Object => match (step.object(a), step.object(b)) {
                    (Some(x), Some(y)) => objects(context, x, y),
                    (x, y) => x.is_none() && y.is_none(),
                },
                Read::Type => step.data_type(a).packed() == step.data_type(b).packed(),
                Read::Int => step.int(a) == step.int(b),
            }
        }
    }
}

impl<'a> ObjectView<'a> {
    /// As [`fold_contents`](Self::fold_contents), for types whose way has number `WAY`.
    #[inline(always)]
    pub(crate) fn fold<const WAY: u8, C: ?Sized, S>(
        self,
        context: &mut C,
        mut state: S,
        objects: impl Fn(&mut C, S, ObjectView<'a>) -> S,
        plain: impl Fn(S, AnyView<'a>) -> S,
    ) -> S {
        let info = self.type_info();
        let reads = const { Way::reads(WAY) };
        assert!(info.way as u8 == WAY, "an object is hashed on the way of its type");
        let mut index = 0;
        while index < MOST {
            let Some(read) = reads[index] else { break };
            // SAFETY: the object has the type with this way, whose steps read just that.
            state = unsafe {
                let step = info.steps.get_unchecked(index);
                match read {
                    Read::Object => match step.object(self) {
                        Some(object) => objects(context, state, object),
                        None => plain(state, AnyView::None),
                    },
                    Read::Type => plain(state, AnyView::DataType(step.data_type(self))),
                    Read::Int => plain(state, AnyView::Int(step.int(self))),
                }
            };
            index += 1;
        }
        state
    }
}

//! [`Dispatch`]: which specialised routine compares and hashes the objects of a type.
//!
//! The most common sequences of fields have routines without a loop. After a child, a loop finds out again which field
//! comes next, and the processor predicts that branch badly, because the branches before it belong to the child.

use crate::object::model::compared_field::ComparedField;
use crate::object::model::field_info::Storage;
use crate::object::model::keywords::FieldRole;
use crate::object::model::plan::{ChildSource, CompareRule};

/// The routine for an object that needs no table entry. A variant that is named after fields is for types with exactly
/// these compared fields.
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
    /// Other fields of a `tree`.
    Fields,
    /// The elements of a `tree`.
    Items,
    /// The list of the hook of a `tree`.
    Listed,
    /// The object is equal to itself alone: `singleton`.
    Identity,
    /// The object corresponds to one object of the other side: `dag` and `var`.
    Counterpart,
    /// None of the others; the general routine decides.
    Other,
}

/// The content of a field in a pattern of fields.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Read {
    /// A handle, or nothing.
    Object,
    /// A data type.
    Type,
    /// An `i64`.
    Int,
}

/// The most fields in a pattern.
pub(crate) const MOST: usize = 4;

/// The variants that are named after fields.
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
    const fn of(field: &ComparedField) -> Option<Read> {
        match (field.role, field.storage) {
            (FieldRole::Content, Storage::Object | Storage::OptionalObject) => Some(Read::Object),
            (FieldRole::Content, Storage::DataType) => Some(Read::Type),
            (FieldRole::Content, Storage::Int) => Some(Read::Int),
            _ => None,
        }
    }
}

impl Dispatch {
    /// The number of variants.
    pub(crate) const COUNT: usize = Dispatch::Other as usize + 1;

    /// The variant for a type.
    pub(crate) const fn of(rule: CompareRule, source: ChildSource, fields: &[ComparedField]) -> Dispatch {
        match (rule, source) {
            (CompareRule::Plain, _) => Dispatch::of_fields(fields, Dispatch::Plain),
            (CompareRule::Tree, ChildSource::Fields) => Dispatch::of_fields(fields, Dispatch::Fields),
            (CompareRule::Tree, ChildSource::Items) => Dispatch::Items,
            (CompareRule::Tree, ChildSource::Listed) => Dispatch::Listed,
            (CompareRule::Identity, _) => Dispatch::Identity,
            (CompareRule::Dag | CompareRule::Var, _) => Dispatch::Counterpart,
            _ => Dispatch::Other,
        }
    }

    const fn of_fields(fields: &[ComparedField], otherwise: Dispatch) -> Dispatch {
        let mut index = 0;
        while index < PATTERNS.len() {
            let (dispatch, reads) = PATTERNS[index];
            if matches(fields, reads) {
                return dispatch;
            }
            index += 1;
        }
        otherwise
    }

    /// The contents of the fields of the variant with this number.
    pub(crate) const fn reads(dispatch: u8) -> [Option<Read>; MOST] {
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

const fn matches(fields: &[ComparedField], reads: &[Read]) -> bool {
    let mut index = 0;
    while index < fields.len() && index < reads.len() {
        match Read::of(&fields[index]) {
            Some(read) if read as u8 == reads[index] as u8 => index += 1,
            _ => return false,
        }
    }
    fields.len() == reads.len()
}

//! [`Dispatch`]: the specialised routine that compares and hashes the objects of a type.
//!
//! The most common sequences of fields have routines without a loop. A loop over fields ends in a branch on the next field,
//! and the processor predicts this branch badly after it has processed a child, because the branch history comes from the
//! child.

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
    /// One object or null.
    One,
    /// Two objects or nulls.
    Two,
    /// Three objects or nulls.
    Three,
    /// Four objects or nulls.
    Four,
    /// One object or null, and an integer.
    OneInt,
    /// A data type, and one object or null.
    TypeOne,
    /// A data type, and two objects or nulls.
    TypeTwo,
    /// A data type, and three objects or nulls.
    TypeThree,
    /// One object or null, a data type, one object or null, and an integer.
    OneTypeOneInt,
    /// Other fields of a `tree`.
    Fields,
    /// The elements of a `tree`.
    Items,
    /// The list of the hook of a `tree`.
    Listed,
    /// The object is equal only to itself: `singleton`.
    Identity,
    /// The object corresponds to one object of the other side: `dag` and `var`.
    Counterpart,
    /// None of the others; the general routine decides.
    Other,
}

/// The content of a field in a sequence of fields that has a routine of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PatternField {
    /// A handle or null.
    Object,
    /// A data type.
    Type,
    /// An `i64`.
    Int,
}

/// The largest number of fields in a pattern.
pub(crate) const MAX_PATTERN_FIELDS: usize = 4;

/// The variants that are named after fields, with these fields.
const PATTERNS: [(Dispatch, &[PatternField]); 11] = {
    use PatternField::{Int, Object, Type};
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

impl PatternField {
    const fn of(field: &ComparedField) -> Option<PatternField> {
        match (field.role, field.storage) {
            (FieldRole::Content, Storage::Object | Storage::OptionalObject) => Some(PatternField::Object),
            (FieldRole::Content, Storage::DataType) => Some(PatternField::Type),
            (FieldRole::Content, Storage::Int) => Some(PatternField::Int),
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
            let (dispatch, pattern) = PATTERNS[index];
            if matches(fields, pattern) {
                return dispatch;
            }
            index += 1;
        }
        otherwise
    }

    /// The fields of the variant with the number `dispatch`, if the variant is named after fields.
    pub(crate) const fn pattern(dispatch: u8) -> [Option<PatternField>; MAX_PATTERN_FIELDS] {
        let mut all = [None; MAX_PATTERN_FIELDS];
        let mut index = 0;
        while index < PATTERNS.len() {
            let (named, pattern) = PATTERNS[index];
            let mut place = 0;
            while named as u8 == dispatch && place < pattern.len() {
                all[place] = Some(pattern[place]);
                place += 1;
            }
            index += 1;
        }
        all
    }
}

const fn matches(fields: &[ComparedField], pattern: &[PatternField]) -> bool {
    let mut index = 0;
    while index < fields.len() && index < pattern.len() {
        match PatternField::of(&fields[index]) {
            Some(field) if field as u8 == pattern[index] as u8 => index += 1,
            _ => return false,
        }
    }
    fields.len() == pattern.len()
}

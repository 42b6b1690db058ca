//! [`ComparedType`]: how objects of a type of tvm-ffi compare in structure, whichever library owns the type.

use std::sync::{Mutex, OnceLock, PoisonError};

use object_core::table::Table;

use crate::abi::{TypeInfoRecord, field_flag};
use crate::exchange::field_form::{FieldReader, field_records};
use crate::runtime::runtime;

/// How objects of a type compare.
pub(crate) struct ComparedType {
    pub(crate) kind: Kind,
    /// The fields that are compared, the fields of the ancestors first.
    pub(crate) fields: Vec<ComparedField>,
}

/// A field that is compared.
pub(crate) struct ComparedField {
    pub(crate) reader: FieldReader,
    /// The region that the field begins.
    pub(crate) region: Region,
}

/// The kinds of types in `TVMFFISEqHashKind`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Unsupported,
    Tree,
    FreeVar,
    Dag,
    ConstTree,
    UniqueInstance,
}

/// The regions in `TVMFFIDefRegionKind`: whether a place binds the variables in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Region {
    None,
    Pattern,
    Simple,
}

impl Kind {
    fn of_number(number: i32) -> Kind {
        match number {
            1 => Kind::Tree,
            2 => Kind::FreeVar,
            3 => Kind::Dag,
            4 => Kind::ConstTree,
            5 => Kind::UniqueInstance,
            _ => Kind::Unsupported,
        }
    }
}

impl Region {
    pub(crate) fn of_number(number: i64) -> Region {
        match number {
            1 => Region::Pattern,
            2 => Region::Simple,
            _ => Region::None,
        }
    }
}

impl ComparedType {
    /// The type with this type index, which an object has.
    pub(crate) fn of_index(type_index: i32) -> &'static ComparedType {
        static KNOWN: OnceLock<Mutex<Table<i32, &'static ComparedType>>> = OnceLock::new();
        let mut known = KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(type_index).or_insert_with(|| {
            // SAFETY: the index comes from an object. Types stay registered for the rest of the process.
            let record: &'static TypeInfoRecord = unsafe { &*(runtime().get_type_info)(type_index) };
            // As the type, the description is never freed.
            Box::leak(Box::new(ComparedType::describe(record)))
        })
    }

    fn describe(record: &'static TypeInfoRecord) -> ComparedType {
        // SAFETY: the metadata of a type lives as long as the type.
        let metadata = unsafe { record.metadata.as_ref() };
        let compared = field_records(record).filter(|field| field.flags & field_flag::IGNORE == 0);
        let fields =
            compared.map(|record| ComparedField { reader: FieldReader::new(record), region: region(record.flags) });
        ComparedType { kind: Kind::of_number(metadata.map_or(0, |metadata| metadata.kind)), fields: fields.collect() }
    }
}

fn region(flags: i64) -> Region {
    match (flags & field_flag::DEF_SIMPLE, flags & field_flag::DEF) {
        (0, 0) => Region::None,
        (0, _) => Region::Pattern,
        _ => Region::Simple,
    }
}

//! A search for what the values of a field can contain, over the tables of all types that the field refers to.

use crate::object::annotations::message::same;
use crate::object::model::contents::{Contents, FieldContents};
use crate::object::model::field_info::FieldInfo;
use crate::object::model::keywords::{Body, FieldRole, SEqHashKind};
use crate::object::model::type_info::TypeInfo;

/// Why a value can contain something.
#[derive(Clone, Copy)]
pub(crate) enum Finding {
    /// Nothing says that it can.
    Nothing,
    /// It cannot be told, and need not be: there are other errors.
    Unknown,
    /// Any object can be in it.
    Anything,
    /// Objects of this type can be in it, which are what was looked for.
    Objects(&'static TypeInfo),
    /// Objects that extend this type can be in it, and they can be or contain anything.
    Open(&'static TypeInfo),
    /// Objects that extend this type can be in it, which says that it may contain what was looked for.
    Declared(&'static TypeInfo),
    /// Objects of this type can be in it, and their fields are hidden.
    Hidden(&'static TypeInfo),
    /// More types can be in it than the compiler should look at.
    TooMany,
}

/// How many types a search looks at. It is quadratic in them, and the compiler gives up on a long one.
const MAX_TYPES: usize = 128;

/// A search through all types whose objects can be in a value.
struct Search {
    wanted: Contents,
    finding: Finding,
    types: [Option<&'static TypeInfo>; MAX_TYPES],
    n_types: usize,
}

/// Whether a field can hold any of the `wanted`. A declaration beside the field decides before its type does.
pub(crate) const fn find_in_field(field: &FieldInfo, wanted: Contents) -> Finding {
    let mut search = Search { wanted, finding: Finding::Nothing, types: [None; MAX_TYPES], n_types: 0 };
    search.field(field);
    let mut i = 0;
    while i < search.n_types && matches!(search.finding, Finding::Nothing) {
        if let Some(info) = search.types[i] {
            search.objects(info);
        }
        i += 1;
    }
    search.finding
}

impl Search {
    const fn field(&mut self, field: &FieldInfo) {
        match field.meta.may_contain {
            Some(declared) if !self.wanted.meets(declared) => {}
            Some(_) => self.finding = Finding::Anything,
            None => self.contents(field.ops.contents),
        }
    }

    const fn contents(&mut self, contents: FieldContents) {
        match contents {
            FieldContents::Plain => {}
            FieldContents::Anything => self.finding = Finding::Anything,
            FieldContents::Unknown => self.finding = Finding::Unknown,
            FieldContents::Objects(address) => self.add(address.info()),
            FieldContents::Either(a, b) => {
                self.contents(*a);
                self.contents(*b);
            }
        }
    }

    /// Notes a type to look at, once. Tables are told apart by key: constants cannot compare addresses.
    const fn add(&mut self, info: &'static TypeInfo) {
        let mut i = 0;
        while i < self.n_types {
            if let Some(other) = self.types[i]
                && other.plan.key_hash == info.plan.key_hash
                && same(other.type_key, info.type_key)
            {
                return;
            }
            i += 1;
        }
        if self.n_types == MAX_TYPES {
            self.finding = Finding::TooMany;
        } else {
            self.types[self.n_types] = Some(info);
            self.n_types += 1;
        }
    }

    const fn objects(&mut self, info: &'static TypeInfo) {
        if self.wanted.meets(Contents::of_kind(info.kind)) {
            self.finding = Finding::Objects(info);
            return;
        }
        // A singleton is equal to itself whatever is in it, what is in a constant is checked where it is declared, and
        // these hold for all that extends the two.
        if matches!(info.kind, SEqHashKind::UniqueInstance | SEqHashKind::ConstTreeNode) {
            return;
        }
        if info.is_base || matches!(info.body, Body::Opaque) {
            match info.declared_contents() {
                Some((declared, _)) if !self.wanted.meets(declared) => {}
                Some((_, by)) => self.finding = Finding::Declared(by),
                None if info.is_base => self.finding = Finding::Open(info),
                None => self.finding = Finding::Hidden(info),
            }
            return;
        }
        let mut i = 0;
        while i < info.fields.len() {
            if !matches!(info.fields[i].meta.role, FieldRole::Ignore) {
                self.field(&info.fields[i]);
            }
            i += 1;
        }
    }
}

/// A type whose objects are never compared, if some part of the field holds no others. An open type is none: others that
/// extend it may be compared.
pub(crate) const fn uncomparable(field: &FieldInfo) -> Option<&'static TypeInfo> {
    match field.meta.may_contain {
        Some(declared) if declared.meets(Contents::NONE) => None,
        _ => uncomparable_part(field.ops.contents),
    }
}

const fn uncomparable_part(contents: FieldContents) -> Option<&'static TypeInfo> {
    match contents {
        FieldContents::Plain | FieldContents::Anything | FieldContents::Unknown => None,
        FieldContents::Objects(address) => {
            let info = address.info();
            if matches!(info.kind, SEqHashKind::Unsupported) && !info.is_base { Some(info) } else { None }
        }
        FieldContents::Either(a, b) => match uncomparable_part(*a) {
            Some(info) => Some(info),
            None => uncomparable_part(*b),
        },
    }
}

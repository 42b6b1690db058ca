//! A search for object kinds that the values of a field can contain, through the tables of all types that the field refers
//! to.

use crate::object::model::contents::{Contents, FieldContents};
use crate::object::model::field_info::FieldInfo;
use crate::object::model::keywords::{Body, FieldRole, SEqHashKind};
use crate::object::model::type_info::TypeInfo;
use crate::text::const_message::const_str_eq;

/// The result of a search: whether a value can contain an object of a wanted kind, and why.
#[derive(Clone, Copy)]
pub(crate) enum Finding {
    /// It cannot.
    Nothing,
    /// Unknown, because a type has wrong annotations, for which the compiler reports another error.
    Unknown,
    /// It can contain any object.
    Anything,
    /// It can contain objects of this type, which have a wanted kind.
    Objects(&'static TypeInfo),
    /// It can contain objects of types that extend this type, without a declaration of their contents.
    Open(&'static TypeInfo),
    /// It can contain objects of types that extend this type, and `may_contain(...)` of this type names a wanted kind.
    Declared(&'static TypeInfo),
    /// It can contain objects of this type, which have fields that are not in the table.
    Hidden(&'static TypeInfo),
    /// It can contain more than [`MAX_TYPES`] types.
    TooMany,
}

/// The largest number of types that a search visits. Its time is quadratic in this number, and the compiler limits the time
/// of constants.
const MAX_TYPES: usize = 128;

/// Which final types of a wanted kind count. Types that others extend always do.
#[derive(Clone, Copy)]
enum Which<'f> {
    All,
    Same(&'f TypeInfo),
    /// Types of objects that this field can contain, too.
    AlsoIn(&'f FieldInfo),
}

/// A search through the types of all objects that a value can contain.
struct Search<'f> {
    /// The kinds to find.
    wanted: Contents,
    which: Which<'f>,
    finding: Finding,
    /// The types found so far; the search visits them in this order.
    types: [Option<&'static TypeInfo>; MAX_TYPES],
    n_types: usize,
}

/// Whether a field can contain an object of a `wanted` kind. The declaration `may_contain(...)` of the field takes
/// precedence over its type.
pub(crate) const fn find_in_field(field: &FieldInfo, wanted: Contents) -> Finding {
    find(field, wanted, Which::All)
}

/// As [`find_in_field`], for variables that the field `also_in` can contain too.
pub(crate) const fn find_common_variables(field: &FieldInfo, also_in: &FieldInfo) -> Finding {
    find(field, Contents::VAR, Which::AlsoIn(also_in))
}

const fn find(field: &FieldInfo, wanted: Contents, which: Which<'_>) -> Finding {
    let mut search = Search { wanted, which, finding: Finding::Nothing, types: [None; MAX_TYPES], n_types: 0 };
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

/// Whether both types have the same key. Constants cannot compare addresses.
const fn is_same(a: &TypeInfo, b: &TypeInfo) -> bool {
    a.plan.key_hash == b.plan.key_hash && const_str_eq(a.type_key, b.type_key)
}

impl Search<'_> {
    const fn field(&mut self, field: &FieldInfo) {
        match field.meta.may_contain {
            Some(declared) if !self.wanted.intersects(declared) => {}
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

    /// Adds a type to the list of types to visit, unless the list has it.
    const fn add(&mut self, info: &'static TypeInfo) {
        let mut i = 0;
        while i < self.n_types {
            if let Some(other) = self.types[i]
                && is_same(other, info)
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

    const fn is_wanted(&self, info: &'static TypeInfo) -> bool {
        let wanted = Contents::of_kind(info.kind);
        self.wanted.intersects(wanted)
            && match self.which {
                _ if info.is_base => true,
                Which::All => true,
                Which::Same(only) => is_same(only, info),
                Which::AlsoIn(field) => !matches!(find(field, wanted, Which::Same(info)), Finding::Nothing),
            }
    }

    const fn objects(&mut self, info: &'static TypeInfo) {
        if self.is_wanted(info) {
            self.finding = Finding::Objects(info);
            return;
        }
        // A singleton is equal to itself whatever it contains, and a rule checks the contents of a `const_tree` type at its
        // declaration. Types that extend such a type have its kind.
        if matches!(info.kind, SEqHashKind::UniqueInstance | SEqHashKind::ConstTreeNode) {
            return;
        }
        if info.is_base || matches!(info.body, Body::Opaque) {
            match info.declared_contents() {
                Some((declared, _)) if !self.wanted.intersects(declared) => {}
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

/// The type of kind `none` that makes values of the field uncomparable: all objects in the field, or in a part of it such as
/// the keys of a map, have this type. A base does not count, because types that extend it may be comparable.
pub(crate) const fn uncomparable(field: &FieldInfo) -> Option<&'static TypeInfo> {
    match field.meta.may_contain {
        Some(declared) if declared.intersects(Contents::NONE) => None,
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

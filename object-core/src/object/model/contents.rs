//! [`FieldContents`]: what the values of a field type can contain, as far as types tell. The compiler reads it when it checks
//! annotations against each other; at run time nothing does.

use crate::object::model::field_info::{FieldInfo, FieldRole};
use crate::object::model::type_info::{Body, SEqHashKind, TypeInfo};

/// Kinds of objects that matter to those around them: `may_contain(var, dag, none)`. One byte, because every field has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents(u8);

impl Contents {
    /// Variables: equal if they are bound at the same place.
    pub(crate) const VAR: Self = Contents(1);
    /// `dag` nodes: equal if they are shared in the same way.
    pub(crate) const DAG: Self = Contents(2);
    /// Objects of kind `none`: comparing them is an error.
    const NONE: Self = Contents(4);
    /// What is compared by what surrounds it.
    pub(crate) const ANY: Self = Contents(1 | 2);

    /// Those that are named.
    #[must_use]
    pub const fn of(var: bool, dag: bool, none: bool) -> Self {
        Contents((var as u8) | ((dag as u8) << 1) | ((none as u8) << 2))
    }

    /// Whether any is in both sets.
    pub(crate) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Those that `other` lacks.
    pub(crate) const fn without(self, other: Self) -> Self {
        Contents(self.0 & !other.0)
    }

    /// What an object of this kind is itself to those around it, if it is compared.
    pub(crate) const fn of_kind(kind: SEqHashKind) -> Self {
        match kind {
            SEqHashKind::FreeVar => Self::VAR,
            SEqHashKind::DagNode => Self::DAG,
            _ => Contents(0),
        }
    }
}

/// What the values of a field type can be or contain.
#[derive(Clone, Copy)]
pub enum FieldContents {
    /// Nothing that has fields: numbers, texts, shapes.
    Plain,
    /// Any object.
    Anything,
    /// Objects of one type, and of those that extend it.
    Objects(TableAddress),
    /// Objects of a type whose own annotations are wrong, so that nobody complains about it a second time.
    Unknown,
    /// What the values of either type can be or contain.
    Either(&'static FieldContents, &'static FieldContents),
}

/// Where the table of a type is. Types hold each other in circles, so a constant of one must not need the constants of
/// the other: an address that is only followed later does not.
#[derive(Clone, Copy)]
pub struct TableAddress(*const TypeInfo);

// SAFETY: it is made of a shared reference to a table, which is `Sync`.
unsafe impl Send for TableAddress {}
// SAFETY: as above.
unsafe impl Sync for TableAddress {}

impl TableAddress {
    pub(crate) const fn info(self) -> &'static TypeInfo {
        // SAFETY: it is made of a `&'static`.
        unsafe { &*self.0 }
    }
}

impl FieldContents {
    /// Objects of the type `info`, and of those that extend it.
    #[must_use]
    pub const fn objects(info: &'static TypeInfo) -> Self {
        FieldContents::Objects(TableAddress(info))
    }
}

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
        match field.may_contain {
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
                && other.key_hash == info.key_hash
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
            if !matches!(info.fields[i].role, FieldRole::Ignore) {
                self.field(&info.fields[i]);
            }
            i += 1;
        }
    }
}

/// A type whose objects are never compared, if some part of the field holds no others. An open type is none: others that
/// extend it may be compared.
pub(crate) const fn uncomparable(field: &FieldInfo) -> Option<&'static TypeInfo> {
    match field.may_contain {
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

impl TypeInfo {
    /// What `may_contain` says of this type, or of the nearest ancestor that has it, and which of them it is.
    pub(crate) const fn declared_contents(&'static self) -> Option<(Contents, &'static TypeInfo)> {
        if let Some(declared) = self.may_contain {
            return Some((declared, self));
        }
        let mut i = self.ancestors.len();
        while i > 0 {
            i -= 1;
            if let Some(declared) = self.ancestors[i].info.may_contain {
                return Some((declared, self.ancestors[i].info));
            }
        }
        None
    }

    /// The same table for a type whose objects contain nothing of these but what `contents` says.
    #[must_use]
    pub const fn containing(mut self, contents: Contents) -> Self {
        self.may_contain = Some(contents);
        self
    }
}

impl FieldInfo {
    /// The same field where its value contains nothing of these but what `contents` says.
    #[must_use]
    pub const fn containing(mut self, contents: Contents) -> Self {
        self.may_contain = Some(contents);
        self
    }
}

/// Whether two texts are the same; `==` is not for constants yet.
pub(crate) const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

//! [`AccessPath`]: a place in an object graph, as a list of [`AccessStep`]s from a root.

use std::fmt;

use crate::text::quote::{Charset, write_quoted};

/// A map key in a path, as plain data without the objects of the graph.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathKey {
    /// A string key, printed quoted.
    Str(String),
    /// An integer key.
    Int(i64),
    /// A key of any other kind, as its label: see `label` in the documentation of `derive(Object)`.
    Other {
        /// The type key of the key object, or the name of the scalar kind.
        type_key: &'static str,
        /// The text printed between the brackets.
        label: String,
    },
}

impl fmt::Display for PathKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathKey::Str(text) => write_quoted(f, text, Charset::Ascii),
            PathKey::Int(value) => write!(f, "{value}"),
            PathKey::Other { label, .. } => f.write_str(label),
        }
    }
}

/// One step of an [`AccessPath`]. The `…Missing` steps name a place that only the other side of a comparison has.
#[derive(Clone, Debug, PartialEq)]
pub enum AccessStep {
    /// A field, by its reflected name.
    Attr(String),
    /// An array element, by its index.
    ArrayItem(usize),
    /// A map value, by its key.
    MapItem(PathKey),
    /// A field that this side does not have.
    AttrMissing(String),
    /// An array element that this side does not have, by its index on the other side: the index is past the end, or an
    /// aligned comparison found no match for the element.
    ArrayItemMissing(usize),
    /// A map key that this side does not have.
    MapItemMissing(PathKey),
}

impl fmt::Display for AccessStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AccessStep::Attr(name) => write!(f, ".{name}"),
            AccessStep::ArrayItem(index) => write!(f, "[{index}]"),
            AccessStep::MapItem(key) => write!(f, "[{key}]"),
            AccessStep::AttrMissing(name) => write!(f, ".<missing:{name}>"),
            AccessStep::ArrayItemMissing(index) => write!(f, "[<missing:{index}>]"),
            AccessStep::MapItemMissing(key) => write!(f, "[<missing:{key}>]"),
        }
    }
}

/// A place inside an object graph. It prints as `<root>.body.blocks[0].bindings[1].var`.
///
/// ```
/// use object_core::access_path::{AccessPath, AccessStep};
/// let path = AccessPath::from_steps([AccessStep::Attr("params".into()), AccessStep::ArrayItem(2)]);
/// assert_eq!(path.to_string(), "<root>.params[2]");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AccessPath {
    steps: Vec<AccessStep>,
}

impl AccessPath {
    /// The path of the root itself.
    #[must_use]
    pub fn root() -> Self {
        AccessPath::default()
    }

    /// The path that takes `steps` in order from the root.
    pub fn from_steps(steps: impl IntoIterator<Item = AccessStep>) -> Self {
        AccessPath { steps: steps.into_iter().collect() }
    }

    /// The steps from the root, outermost first.
    #[must_use]
    pub fn steps(&self) -> &[AccessStep] {
        &self.steps
    }

    /// Adds a step at the end.
    pub fn push(&mut self, step: AccessStep) {
        self.steps.push(step);
    }

    /// The path with the field `name` at the end.
    ///
    /// ```
    /// use object_core::access_path::AccessPath;
    /// assert_eq!(AccessPath::root().field("params").item(2).to_string(), "<root>.params[2]");
    /// ```
    #[must_use]
    pub fn field(mut self, name: impl Into<String>) -> Self {
        self.push(AccessStep::Attr(name.into()));
        self
    }

    /// The path with the element `index` at the end.
    #[must_use]
    pub fn item(mut self, index: usize) -> Self {
        self.push(AccessStep::ArrayItem(index));
        self
    }

    /// Whether `other` starts with this path.
    #[must_use]
    pub fn is_prefix_of(&self, other: &AccessPath) -> bool {
        other.steps.starts_with(&self.steps)
    }
}

impl fmt::Display for AccessPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<root>")?;
        self.steps.iter().try_for_each(|step| write!(f, "{step}"))
    }
}

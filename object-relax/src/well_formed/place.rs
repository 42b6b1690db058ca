//! [`Places`]: the places that a check visits, as a tree of steps, so that a place takes constant time and eight bytes.

use object_core::access_path::{AccessPath, AccessStep, PathKey};
use object_core::{AnyView, ObjectView};

/// A place in the checked program: an index into [`Places`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place(u32);

impl Place {
    fn of(index: usize) -> Self {
        // A program of more places than numbers does not fit into memory.
        Place(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

macro_rules! fields {
    ($($field:ident = $name:literal),* $(,)?) => {
        /// A field through which a walk goes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Field {
            $(#[doc = concat!("`", $name, "`")] $field,)*
        }

        /// The names of the fields, in the order of [`Field`].
        const NAMES: &[&str] = &[$($name),*];
    };
}

fields! {
    Args = "args",
    Bindings = "bindings",
    Blocks = "blocks",
    Body = "body",
    CastStructInfo = "struct_info",
    Cond = "cond",
    FalseBranch = "false_branch",
    Fields = "fields",
    Functions = "functions",
    Op = "op",
    Params = "params",
    Ret = "ret",
    RetStructInfo = "ret_struct_info",
    Shape = "shape",
    SinfoArgs = "sinfo_args",
    StructInfo = "struct_info_",
    TensorSinfo = "tensor_sinfo",
    TrueBranch = "true_branch",
    TupleValue = "tuple_value",
    Value = "value",
    Values = "values",
    Var = "var",
}

/// A step from an object to one of its children.
#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    /// To the value of a field that may not be a [`Field`], by its name.
    Named(&'static str),
    /// To an element of an array.
    Item(usize),
    /// To the value of a map with this key.
    Entry(ObjectView<'a>),
}

/// The bits of a step that hold its number; the bits above hold its kind.
const NUMBER_BITS: u32 = 30;
const NAMED: u32 = 1;
const ITEM: u32 = 2;
const ENTRY: u32 = 3;

/// All places visited so far.
pub(super) struct Places<'a> {
    /// For each place its parent and the last step, as a kind and a number. The first entry is the root, whose step counts
    /// for nothing.
    nodes: Vec<(Place, u32)>,
    /// The fields beside [`Field`].
    names: Vec<&'static str>,
    keys: Vec<ObjectView<'a>>,
}

impl<'a> Places<'a> {
    /// The root of the program.
    pub(super) const ROOT: Place = Place(0);

    /// Contains the root alone.
    pub(super) fn new() -> Self {
        let mut nodes = Vec::with_capacity(256);
        nodes.push((Self::ROOT, 0));
        Places { nodes, names: Vec::new(), keys: Vec::new() }
    }

    /// The place one step below `parent`.
    pub(super) fn child(&mut self, parent: Place, step: Step<'a>) -> Place {
        let (kind, number) = match step {
            Step::Named(name) => {
                let known = self.names.iter().position(|known| *known == name);
                let number = known.unwrap_or_else(|| {
                    self.names.push(name);
                    self.names.len() - 1
                });
                (NAMED, number)
            }
            Step::Item(index) => (ITEM, index),
            Step::Entry(key) => {
                self.keys.push(key);
                (ENTRY, self.keys.len() - 1)
            }
        };
        self.push(parent, kind, number)
    }

    fn push(&mut self, parent: Place, kind: u32, number: usize) -> Place {
        let place = Place::of(self.nodes.len());
        // An array of more elements than numbers does not fit into memory.
        let number = u32::try_from(number).unwrap_or(u32::MAX).min((1 << NUMBER_BITS) - 1);
        self.nodes.push((parent, kind << NUMBER_BITS | number));
        place
    }

    /// The value of a field of the object at `parent`.
    pub(super) fn field(&mut self, parent: Place, field: Field) -> Place {
        self.push(parent, 0, field as usize)
    }

    /// An element of the array at `parent`.
    pub(super) fn item(&mut self, parent: Place, index: usize) -> Place {
        self.push(parent, ITEM, index)
    }

    /// The elements of the array at `parent`.
    pub(super) fn items(&mut self, parent: Place, count: usize) -> impl Iterator<Item = Place> + Clone + use<> {
        let first = self.nodes.len();
        for index in 0..count {
            self.item(parent, index);
        }
        (first..first + count).map(Place::of)
    }

    /// The path from the root to `place`.
    pub(super) fn path(&self, place: Place) -> AccessPath {
        let mut steps = Vec::new();
        let mut at = place;
        while at != Self::ROOT {
            let Some((parent, step)) = self.nodes.get(at.0 as usize) else { break };
            let number = (step & ((1 << NUMBER_BITS) - 1)) as usize;
            steps.push(match step >> NUMBER_BITS {
                NAMED => AccessStep::Attr(self.names[number].to_owned()),
                ITEM => AccessStep::ArrayItem(number),
                ENTRY => AccessStep::MapItem(PathKey::of(AnyView::Object(self.keys[number]))),
                _ => AccessStep::Attr(NAMES[number].to_owned()),
            });
            at = *parent;
        }
        steps.reverse();
        AccessPath::from_steps(steps)
    }
}

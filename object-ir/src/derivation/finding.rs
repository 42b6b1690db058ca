//! [`Finding`]: facts that a derivation reports beside its result.

use std::fmt;

use object_core::access_path::{AccessPath, AccessStep};
use object_core::object::AsAnyView;
use object_core::prelude::*;
use object_core::visit::{Position, Walk};
use rustc_hash::FxHashMap;

/// The kind of a [`Finding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FindingKind {
    /// Whether an argument is accepted depends on shapes that are unknown before run time.
    PossibleArgument,
    /// Whether a value fits the annotation of its variable depends on shapes that are unknown before run time.
    PossibleAnnotation,
    /// Whether the result of a function fits its annotation depends on shapes that are unknown before run time.
    PossibleResult,
    /// A `MatchCast` fails for all values.
    FailingCast,
    /// A function that states to be pure contains a call that may have side effects.
    ImpureFunction,
}

/// A fact about a program that is not an error.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The kind.
    pub kind: FindingKind,
    /// The text.
    pub message: String,
    /// The place in the given program.
    pub path: AccessPath,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at {})", self.message, self.path)
    }
}

/// A finding before its path is known.
#[derive(Debug)]
pub(super) struct Note {
    pub(super) kind: FindingKind,
    pub(super) message: String,
    pub(super) place: ObjectRef,
    /// The steps from the place.
    pub(super) steps: Vec<AccessStep>,
}

/// The findings with their paths in `root`.
pub(super) fn with_paths(root: &impl AsAnyView, notes: Vec<Note>) -> Vec<Finding> {
    if notes.is_empty() {
        return Vec::new();
    }
    let paths = paths_of(root, notes.iter().map(|note| &note.place));
    let finding = |note: Note| {
        let outer = paths.get(&note.place.view().address()).map_or(&[][..], AccessPath::steps);
        let path = AccessPath::from_steps(outer.iter().cloned().chain(note.steps));
        Finding { kind: note.kind, message: note.message, path }
    };
    notes.into_iter().map(finding).collect()
}

/// The first paths to objects in `root`, by address.
pub(crate) fn paths_of<'o>(
    root: &impl AsAnyView,
    objects: impl Iterator<Item = &'o ObjectRef>,
) -> FxHashMap<usize, AccessPath> {
    let mut paths: FxHashMap<usize, Option<AccessPath>> =
        objects.map(|object| (object.view().address(), None)).collect();
    Walk::new()
        .enter(|object: &ObjectRef, position: &Position<'_>| {
            if let Some(path @ None) = paths.get_mut(&object.view().address()) {
                *path = Some(position.path());
            }
        })
        .run(root);
    paths.into_iter().filter_map(|(address, path)| Some((address, path?))).collect()
}

/// The first path to an object of `root`. `None` if the object is not in it.
pub(crate) fn find_path(root: &impl AsAnyView, object: &ObjectRef) -> Option<AccessPath> {
    paths_of(root, std::iter::once(object)).remove(&object.view().address())
}

/// The first path to an object of `root`, or the root.
pub(super) fn path_to(root: &impl AsAnyView, object: &ObjectRef) -> AccessPath {
    find_path(root, object).unwrap_or_else(AccessPath::root)
}

/// The path `inner` from the place at `outer`.
pub(super) fn joined(outer: &AccessPath, inner: &AccessPath) -> AccessPath {
    AccessPath::from_steps(outer.steps().iter().chain(inner.steps()).cloned())
}

/// The error of a part at `path`.
pub(crate) fn below(path: AccessPath, error: Error) -> Error {
    let whole = error.path().map(|inner| joined(&path, inner));
    error.at(whole.unwrap_or(path))
}

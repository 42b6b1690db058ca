//! [`Finding`]: facts that a derivation reports beside its result.

use std::fmt;

use object_core::access_path::AccessPath;
use object_core::object::AsAnyView;
use object_core::prelude::*;
use object_core::visit::{Position, Walk};
use object_ir::ir::{IRModule, RelaxExpr, StructInfo, Var};
use rustc_hash::FxHashMap;

use super::call::PossibleArgument;
use crate::op::describe::describe;

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

/// A finding without its text and its path.
#[derive(Clone, Debug)]
pub(super) struct Note {
    pub(super) fact: Fact,
    /// The object of the program that the finding is about.
    pub(super) place: ObjectRef,
}

/// The content of a finding.
#[derive(Clone, Debug)]
pub(super) enum Fact {
    /// An argument of a call of this callee.
    PossibleArgument(PossibleArgument, RelaxExpr),
    /// A variable with an annotation, and the structural information of its value.
    PossibleAnnotation(Var, StructInfo),
    /// The structural information of the result of a function, and its annotation.
    PossibleResult(StructInfo, StructInfo),
    /// The structural information of a value, and the one that its cast demands.
    FailingCast(StructInfo, StructInfo),
    /// The number of calls with possible side effects in a function.
    ImpureFunction(usize),
}

impl Fact {
    fn kind(&self) -> FindingKind {
        match self {
            Fact::PossibleArgument(..) => FindingKind::PossibleArgument,
            Fact::PossibleAnnotation(..) => FindingKind::PossibleAnnotation,
            Fact::PossibleResult(..) => FindingKind::PossibleResult,
            Fact::FailingCast(..) => FindingKind::FailingCast,
            Fact::ImpureFunction(_) => FindingKind::ImpureFunction,
        }
    }

    fn message(&self) -> String {
        match self {
            Fact::PossibleArgument(argument, callee) => argument.message(callee),
            Fact::PossibleAnnotation(var, given) => annotation_message(var, given),
            Fact::PossibleResult(given, annotation) => result_message(given, annotation),
            Fact::FailingCast(given, demanded) => failing_cast_message(given, demanded),
            Fact::ImpureFunction(effects) => format!(
                "the function states to be pure, but calls with possible side effects are in it: {effects}; set is_pure \
                 to false, or the attribute relax.force_pure"
            ),
        }
    }
}

/// The message about a variable whose annotation a value with `given` may not fit.
pub(super) fn annotation_message(var: &Var, given: &StructInfo) -> String {
    let expected = var.struct_info.as_ref().map_or_else(|| "nothing".to_owned(), describe);
    format!("the variable `{}`: expected {expected}, got {}", var.vid.name_hint, describe(given))
}

/// The message about the result of a function that may not fit its annotation.
pub(super) fn result_message(given: &StructInfo, annotation: &StructInfo) -> String {
    format!("the result of the function: expected {}, got {}", describe(annotation), describe(given))
}

/// The message about a cast that fails for all values.
#[must_use]
pub fn failing_cast_message(given: &StructInfo, demanded: &StructInfo) -> String {
    format!("no value of {} is a value of {}: the cast always fails", describe(given), describe(demanded))
}

/// The notes of a derivation.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    /// The module of the functions; `None` outside of a module, and without notes.
    pub(super) module: Option<IRModule>,
    /// The programs that have notes.
    pub(super) programs: Vec<(RelaxExpr, Vec<Note>)>,
}

impl Notes {
    /// The notes of a program.
    pub(super) fn of(root: &RelaxExpr, notes: Vec<Note>) -> Self {
        let programs = if notes.is_empty() { Vec::new() } else { vec![(root.clone(), notes)] };
        Notes { module: None, programs }
    }

    /// The texts with their paths.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (root, notes) in &self.programs {
            let outside =
                self.module.as_ref().map_or_else(AccessPath::root, |module| path_to(module, root.as_object()));
            let paths = paths_of(root, notes.iter().map(|note| &note.place));
            findings.extend(notes.iter().map(|note| {
                let place = paths.get(&note.place.view().address()).map(|inner| joined(&outside, inner));
                let place = place.unwrap_or_else(|| outside.clone());
                let path = match &note.fact {
                    Fact::PossibleArgument(argument, _) => joined(&place, &argument.path()),
                    _ => place,
                };
                Finding { kind: note.fact.kind(), message: note.fact.message(), path }
            }));
        }
        findings
    }
}

/// The first paths to objects in `root`, by address.
pub fn paths_of<'o>(
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
fn joined(outer: &AccessPath, inner: &AccessPath) -> AccessPath {
    AccessPath::from_steps(outer.steps().iter().chain(inner.steps()).cloned())
}

/// An error with the object to which the error and its path belong.
pub(crate) type Located = (Error, ObjectRef);

/// The result of a step that is about `place`.
pub(crate) fn located<T>(place: &impl ObjectHandle, result: Result<T, Error>) -> Result<T, Located> {
    result.map_err(|error| (error, place.as_object().clone()))
}

/// The error of a part at `path`.
pub(crate) fn below(path: AccessPath, error: Error) -> Error {
    let whole = error.path().map(|inner| joined(&path, inner));
    error.at(whole.unwrap_or(path))
}

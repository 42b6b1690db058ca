//! [`Failure`]: an error of a function as a value, whose fields Python reads.

use std::error::Error as _;

use object_core::prelude::*;
use object_core::{AsAnyView, function, register_function};
use object_eval::CallStack;
use object_ffi::{INTERRUPTED, PeerError};
use object_script::parse::Errors;

register_function!(
    /// The result of the function of this name for these arguments, or its failure as a value. An exception of a function of
    /// Python stays an exception.
    "objir.attempt"(name, args) = attempt
);

/// An error of a function.
#[derive(Object)]
#[object(type_key = "objir.Failure")]
#[structural_eq(tree)]
pub struct FailureNode {
    /// The kind, such as `TypeMismatch`.
    pub kind: Str,
    /// The path to the part of the program that is wrong, if the error has one.
    pub path: Option<Str>,
    /// The place in words: the functions and variables of a run, or the line and the column of a script.
    pub place: Option<Str>,
    /// The text, with the path.
    pub message: Str,
}

#[allow(clippy::needless_pass_by_value, reason = "functions of the registry own their arguments")]
fn attempt(name: Str, args: Array<Any>) -> Result<Any, Error> {
    let args: Vec<Any> = args.iter().collect();
    let args: Vec<AnyView<'_>> = args.iter().map(AsAnyView::as_any_view).collect();
    match function::get(&name).and_then(|function| function.call(&args)) {
        Err(error) if !is_exception(&error) => Ok(Failure::of(&name, &error).into()),
        result => result,
    }
}

/// Whether an exception of Python caused the error, or a signal that Python turns into one.
fn is_exception(error: &Error) -> bool {
    if error.kind() == INTERRUPTED {
        return true;
    }
    let first: Option<&dyn std::error::Error> = error.source();
    std::iter::successors(first, |&error| error.source()).any(|error| error.is::<PeerError>())
}

impl Failure {
    /// The error of the function of this name, which the text leaves out.
    pub(crate) fn of(function: &str, error: &Error) -> Self {
        let kind = match error.kind() {
            // Names of kinds have the namespace of their crate.
            ErrorKind::Custom(name) => name.rsplit('.').next().unwrap_or(name).to_owned(),
            kind => format!("{kind:?}"),
        };
        let path = error.path().map(|path| Str::from(path.to_string()));
        let text = error.to_string();
        let message = text.strip_prefix(&format!("function `{function}`: ")).unwrap_or(&text);
        Failure::new(kind, path, place_of(error), message)
    }
}

/// The place of an error of a run or of a script.
fn place_of(error: &Error) -> Option<Str> {
    let source = error.source()?;
    if let Some(stack) = source.downcast_ref::<CallStack>() {
        return Some(stack.to_string().into());
    }
    let (line, column) = source.downcast_ref::<Errors>()?.first_place()?;
    Some(format!("line {line}, column {column}").into())
}

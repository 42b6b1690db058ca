//! Functions by name: those that linked crates declare, and those registered while the program runs.

use std::sync::{LazyLock, PoisonError, RwLock};

use super::Function;
use crate::error::{Error, ErrorKind, Result};
use crate::table::Table;
use crate::text::did_you_mean::did_you_mean_or;

type Functions = Table<String, Function>;

/// Functions by name. Filled on first use with all collected ones; an error of that is kept and returned by every
/// look-up. No code of a user runs while it is locked: functions are called, made and dropped outside.
static FUNCTIONS: LazyLock<RwLock<Result<Functions>>> = LazyLock::new(|| RwLock::new(collect()));

fn collect() -> Result<Functions> {
    #[allow(unused_mut, reason = "without the feature there is nothing to collect")]
    let mut functions: Vec<Function> = Vec::new();
    #[cfg(feature = "inventory")]
    functions.extend(inventory::iter::<crate::function::declared::FunctionEntry>.into_iter().map(|entry| entry.0()));
    // The order of collection is the linker's; by name it is everywhere the same.
    functions.sort_by(|a, b| (a.name(), a.location()).cmp(&(b.name(), b.location())));
    let mut table = Functions::default();
    functions.iter().try_for_each(|function| insert(&mut table, function))?;
    Ok(table)
}

fn insert(table: &mut Functions, function: &Function) -> Result<()> {
    let name = function.name();
    if let Some(old) = table.get(name) {
        return Err(duplicate("functions are", name, old, function));
    }
    table.insert(name.to_owned(), function.clone());
    Ok(())
}

/// The error for two functions under one name. `what` is in the plural.
pub(super) fn duplicate(what: &str, name: &str, old: &Function, new: &Function) -> Error {
    let ((old_file, old_line), (file, line)) = (old.location(), new.location());
    let message = format!(
        "two {what} called `{name}`: one at {old_file}:{old_line}, one at {file}:{line}; rename or remove one of them"
    );
    Error::new(ErrorKind::DuplicateKey, message)
}

fn read<R>(look: impl FnOnce(&Functions) -> R) -> Result<R> {
    match &*FUNCTIONS.read().unwrap_or_else(PoisonError::into_inner) {
        Ok(table) => Ok(look(table)),
        Err(error) => Err(error.clone()),
    }
}

fn write<R>(change: impl FnOnce(&mut Functions) -> R) -> Result<R> {
    match &mut *FUNCTIONS.write().unwrap_or_else(PoisonError::into_inner) {
        Ok(table) => Ok(change(table)),
        Err(error) => Err(error.clone()),
    }
}

/// Makes `function` found under its name, from every thread and at once.
///
/// Functions that are known when the program is written are better declared with
/// [`register_function!`](crate::register_function), which needs no call.
///
/// # Errors
/// [`DuplicateKey`](ErrorKind::DuplicateKey), naming both places, if another function has the same name, also if it is
/// the same closure; [`Call`](ErrorKind::Call) if the function has no name.
pub fn register(function: &Function) -> Result<()> {
    if function.name().is_empty() {
        let message = format!("{function:?} has no name to be found by; write `.named(\"...\")`");
        return Err(Error::new(ErrorKind::Call, message));
    }
    write(|table| insert(table, function))?
}

/// The function called `name`.
///
/// # Errors
/// [`UnknownFunction`](ErrorKind::UnknownFunction), naming the nearest name, and
/// [`DuplicateKey`](ErrorKind::DuplicateKey) if two linked functions have the same name.
pub fn get(name: &str) -> Result<Function> {
    read(|table| table.get(name).cloned())?.ok_or_else(|| unknown(name))
}

#[cold]
fn unknown(name: &str) -> Error {
    let other = || "link the crate that declares it (`use the_crate as _;`) or call `function::register`".to_owned();
    let advice =
        read(|table| did_you_mean_or(name, table.keys().map(String::as_str), other)).unwrap_or_else(|_| other());
    Error::new(ErrorKind::UnknownFunction, format!("no function is called `{name}`; {advice}"))
}

/// All functions, sorted by name.
///
/// # Errors
/// [`DuplicateKey`](ErrorKind::DuplicateKey) if two linked functions have the same name.
pub fn all() -> Result<Vec<Function>> {
    let mut functions = read(|table| table.values().cloned().collect::<Vec<_>>())?;
    functions.sort_by(|a, b| a.name().cmp(b.name()));
    Ok(functions)
}

/// Forgets the function called `name` and returns it: for plugins that are unloaded, and to put another one in its
/// place. Whoever has the function keeps it.
///
/// # Errors
/// [`UnknownFunction`](ErrorKind::UnknownFunction) if there is none, and [`DuplicateKey`](ErrorKind::DuplicateKey) if
/// two linked functions have the same name.
pub fn remove(name: &str) -> Result<Function> {
    write(|table| table.remove(name))?.ok_or_else(|| unknown(name))
}

/// Declares that a function is found under a name wherever this crate is linked. A comment documents it.
///
/// ```
/// # use object_core::{AnyView, Error, function, register_function};
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// register_function!(
///     /// The sum of two integers.
///     "demo.add"(a, b) = add
/// );
///
/// # #[cfg(feature = "inventory")]
/// # fn main() -> Result<(), Error> {
/// let add = function::get("demo.add")?;
/// assert_eq!(add.call(&[AnyView::Int(1), AnyView::Int(2)])?.cast::<i64>()?, 3);
/// assert_eq!(add.doc(), "The sum of two integers.");
/// assert_eq!(add.signature().unwrap().to_string(), "(a: int, b: int) -> int");
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "inventory"))]
/// # fn main() {}
/// ```
///
/// The names of the arguments may be left out. Without the feature `inventory` it only checks the function; call
/// [`function::register`](crate::function::register) there.
#[macro_export]
macro_rules! register_function {
    ($(#[doc = $doc:expr])* $name:literal $(($($arg:ident),* $(,)?))? = $function:path $(,)?) => {
        const _: () = {
            fn __function() -> $crate::Function {
                const DOC: &[&str] = &[$($doc),*];
                $crate::derive_support::declared_function(
                    &$crate::Function::new($function),
                    $name,
                    DOC,
                    &[$($(::core::stringify!($arg)),*)?],
                    (::core::file!(), ::core::line!()),
                )
            }
            $crate::__submit_functions!(FunctionEntry(__function));
        };
    };
}

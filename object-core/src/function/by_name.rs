//! Functions by name: the functions that linked crates declare, and the functions that the program registers.

use std::sync::OnceLock;

use crate::error::{Error, ErrorKind, Result};
use crate::registry::Collected;
use crate::table::Table;
use crate::text::brief::brief;
use crate::text::did_you_mean::did_you_mean_or;
use crate::value::function::{Function, duplicate};

type Functions = Table<String, Function>;

/// The table only stores and clones handles: code of users runs after the look-up, when the lock is free.
static FUNCTIONS: Collected<Functions> = Collected::new(collect);

fn collect() -> Result<Functions> {
    #[allow(unused_mut, reason = "without the feature there is nothing to collect")]
    let mut functions: Vec<Function> = Vec::new();
    #[cfg(feature = "inventory")]
    functions.extend(inventory::iter::<crate::function::declared::FunctionEntry>.into_iter().map(|entry| entry.0()));
    // The linker decides the order of collection. Sorting makes the order, and so the errors, the same on every machine.
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

/// Registers `function` by its name, for all threads.
///
/// [`register_function!`](crate::register_function) declares a function without a call at run time.
///
/// # Errors
/// [`DuplicateKey`](ErrorKind::DuplicateKey), naming both places, if the name is taken, even by the same closure;
/// [`Call`](ErrorKind::Call) if the function has no name.
pub fn register(function: &Function) -> Result<()> {
    if function.name().is_empty() {
        let message = format!("{function:?} has no name to be found by; write `.with_name(\"...\")`");
        return Err(Error::new(ErrorKind::Call, message));
    }
    FUNCTIONS.write(|table| insert(table, function))
}

/// Finds a function outside of the registry.
type Find = fn(&str) -> Option<Function>;

static ELSEWHERE: OnceLock<Find> = OnceLock::new();

/// Sets where [`get`] looks for functions that the registry lacks, such as the functions of another runtime in this process.
/// The first call counts.
///
/// ```
/// # use object_core::{Any, Function, function};
/// fn find(name: &str) -> Option<Function> {
///     (name == "other.answer").then(|| Function::from_packed(|_| Ok(Any::Int(42))))
/// }
///
/// function::look_elsewhere(find);
/// assert_eq!(function::get("other.answer")?.call(&[])?.cast::<i64>()?, 42);
/// assert!(function::get("other.question").is_err());
/// # Ok::<(), object_core::Error>(())
/// ```
pub fn look_elsewhere(find: fn(&str) -> Option<Function>) {
    ELSEWHERE.get_or_init(|| find);
}

/// The function called `name`: a registered one, or else one of the place that [`look_elsewhere`] has set.
///
/// # Errors
/// [`UnknownFunction`](ErrorKind::UnknownFunction), naming the nearest name, and
/// [`DuplicateKey`](ErrorKind::DuplicateKey) if two linked functions have the same name.
pub fn get(name: &str) -> Result<Function> {
    let registered = FUNCTIONS.read(|table| table.get(name).cloned())?;
    registered.or_else(|| ELSEWHERE.get()?(name)).ok_or_else(|| unknown(name))
}

/// Whether the registered function called `name` is [declared](Function::purity) to be pure or to have side effects. `None` for
/// other names, and without a declaration.
#[must_use]
pub fn purity(name: &str) -> Option<bool> {
    FUNCTIONS.read(|table| table.get(name).and_then(Function::purity)).ok().flatten()
}

#[cold]
fn unknown(name: &str) -> Error {
    let other = || "link the crate that declares it (`use the_crate as _;`) or call `function::register`".to_owned();
    let advice = FUNCTIONS.read(|table| did_you_mean_or(name, table.keys().map(String::as_str), other));
    let advice = advice.unwrap_or_else(|_| other());
    Error::new(ErrorKind::UnknownFunction, format!("no function is called `{}`; {advice}", brief(name)))
}

/// All functions, sorted by name.
///
/// # Errors
/// [`DuplicateKey`](ErrorKind::DuplicateKey) if two linked functions have the same name.
pub fn all() -> Result<Vec<Function>> {
    let mut functions = FUNCTIONS.read(|table| table.values().cloned().collect::<Vec<_>>())?;
    functions.sort_by(|a, b| a.name().cmp(b.name()));
    Ok(functions)
}

/// Removes the function called `name` and returns it: before a plugin is unloaded, or before another function takes the
/// name. Existing handles of the function stay valid.
///
/// # Errors
/// [`UnknownFunction`](ErrorKind::UnknownFunction) if no function has the name, and [`DuplicateKey`](ErrorKind::DuplicateKey) if
/// two linked functions have the same name.
pub fn remove(name: &str) -> Result<Function> {
    FUNCTIONS.write(|table| Ok(table.remove(name)))?.ok_or_else(|| unknown(name))
}

/// Declares a function by name, in every program that links this crate. A doc comment documents it.
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
/// The word `pure` or `impure` before the name declares [the side effects](crate::Function::with_purity), for checkers and
/// evaluators of programs that call the function: `pure "demo.add"(a, b) = add`.
///
/// The names of the arguments are optional. Without the feature `inventory` the macro only checks the function; call
/// [`function::register`](crate::function::register) instead.
#[macro_export]
macro_rules! register_function {
    (@purity) => { ::core::option::Option::None };
    (@purity pure) => { ::core::option::Option::Some(true) };
    (@purity impure) => { ::core::option::Option::Some(false) };
    (@purity $other:ident) => {
        ::core::compile_error!("the word before the name of a function is `pure` or `impure`")
    };
    ($(#[doc = $doc:expr])* $($purity:ident)? $name:literal $(($($arg:ident),* $(,)?))? = $function:path $(,)?) => {
        const _: () = {
            fn __function() -> $crate::Function {
                const DOC: &[&str] = &[$($doc),*];
                $crate::derive_support::declared_function(
                    &$crate::Function::new($function),
                    $name,
                    DOC,
                    &[$($(::core::stringify!($arg)),*)?],
                    (::core::file!(), ::core::line!()),
                    $crate::register_function!(@purity $($purity)?),
                )
            }
            $crate::__submit_declaration!(FunctionEntry(__function));
        };
    };
}

//! [`Collected`]: a global table that starts with the declarations of all linked crates, and the macro that submits a
//! declaration.

use std::sync::{OnceLock, PoisonError, RwLock};

use crate::error::Result;

/// A global table. Its first use collects the declarations of all linked crates; later calls add to it. If the
/// collection fails, the table keeps the error, and every access returns it.
///
/// The table is locked while `look` and `change` run, so these do not call code of users.
pub(crate) struct Collected<T> {
    table: OnceLock<RwLock<Result<T>>>,
    collect: fn() -> Result<T>,
}

impl<T> Collected<T> {
    /// A table that `collect` makes on first use.
    pub(crate) const fn new(collect: fn() -> Result<T>) -> Self {
        Collected { table: OnceLock::new(), collect }
    }

    fn table(&self) -> &RwLock<Result<T>> {
        self.table.get_or_init(|| RwLock::new((self.collect)()))
    }

    /// Reads the table.
    ///
    /// # Errors
    /// The error of the collection.
    pub(crate) fn read<R>(&self, look: impl FnOnce(&T) -> R) -> Result<R> {
        match &*self.table().read().unwrap_or_else(PoisonError::into_inner) {
            Ok(table) => Ok(look(table)),
            Err(error) => Err(error.clone()),
        }
    }

    /// Changes the table.
    ///
    /// # Errors
    /// The error of the collection, and otherwise the error of `change`.
    pub(crate) fn write<R>(&self, change: impl FnOnce(&mut T) -> Result<R>) -> Result<R> {
        match &mut *self.table().write().unwrap_or_else(PoisonError::into_inner) {
            Ok(table) => change(table),
            Err(error) => Err(error.clone()),
        }
    }
}

/// Submits a declaration, which is a value of `derive_support`, to the collection of the crate `inventory`.
#[cfg(feature = "inventory")]
#[macro_export]
#[doc(hidden)]
macro_rules! __submit_declaration {
    ($entry:ident($($value:tt)*)) => {
        $crate::derive_support::inventory::submit! { $crate::derive_support::$entry($($value)*) }
    };
}

/// Without the feature `inventory`, the macro collects nothing and only checks the function.
#[cfg(not(feature = "inventory"))]
#[macro_export]
#[doc(hidden)]
macro_rules! __submit_declaration {
    (FunctionEntry($function:path)) => {
        const _: fn() -> $crate::Function = $function;
    };
    (TraitImplEntry($implementation:path)) => {
        const _: fn() -> $crate::derive_support::TraitImpl = $implementation;
    };
    ($($entry:tt)*) => {};
}

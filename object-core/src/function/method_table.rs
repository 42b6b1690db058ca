//! The methods of all types: declarations of linked crates, registration at run time, and look-up by name.

use crate::error::{Error, ErrorKind, Result};
use crate::function::declared::MethodTable;
use crate::function::method::Method;
use crate::object::{Any, AnyView, ObjectHandle, TypeInfo};
use crate::registry::Collected;
use crate::table::{AddressTable, OrderedTable};
use crate::text::brief::brief;
use crate::text::did_you_mean::{backticked, did_you_mean_or};
use crate::value::function::{WithTypes, duplicate};

/// The methods that each type declares itself, by the address of the type's table.
#[derive(Default)]
struct Methods {
    by_type: AddressTable<OrderedTable<String, Method>>,
    /// The types of which the annotated block is in `by_type`.
    declared: AddressTable<()>,
}

/// The table only stores and clones methods: code of users runs after the look-up, when the lock is free.
static METHODS: Collected<Methods> = Collected::new(collect);

fn collect() -> Result<Methods> {
    #[allow(unused_mut, reason = "without the feature there is nothing to collect")]
    let mut tables: Vec<MethodTable> = Vec::new();
    #[cfg(feature = "inventory")]
    tables.extend(inventory::iter::<crate::function::declared::MethodEntry>.into_iter().map(|entry| entry.0));
    // The linker decides the order of collection. Sorting makes the order, and so the errors, the same on every machine.
    tables.sort_by_key(|table| (table.owner.type_key, table.owner.location));
    let mut methods = Methods::default();
    tables.iter().try_for_each(|table| methods.declare(table))?;
    Ok(methods)
}

fn address(info: &TypeInfo) -> usize {
    std::ptr::from_ref(info).addr()
}

impl Methods {
    fn declare(&mut self, table: &MethodTable) -> Result<()> {
        if self.declared.insert(address(table.owner), ()).is_some() {
            return Ok(());
        }
        table.specs.iter().try_for_each(|spec| self.insert(&Method::declared(table.owner, spec)))
    }

    fn insert(&mut self, method: &Method) -> Result<()> {
        let own = self.by_type.entry(address(method.owner())).or_default();
        if let Some(old) = own.get(method.name()) {
            let what = format!("methods of `{}` are", method.owner().type_key);
            return Err(duplicate(&what, method.name(), old.function(), method.function()));
        }
        own.insert(method.name().to_owned(), method.clone());
        Ok(())
    }

    /// The methods of `info`, one table for each type that declares some: `info` first, its most distant ancestor last.
    fn levels(&self, info: &'static TypeInfo) -> impl Iterator<Item = &OrderedTable<String, Method>> {
        std::iter::once(info).chain(info.ancestors().rev()).filter_map(|info| self.by_type.get(&address(info)))
    }
}

/// Registers the methods of annotated `impl` blocks, where the feature `inventory` is off. A block that is registered
/// already has no effect.
///
/// ```
/// use object_core::function::{MethodTable, register_methods};
/// use object_core::prelude::*;
///
/// #[derive(Object)]
/// #[object(type_key = "demo.Point")]
/// #[structural_eq(tree)]
/// struct PointNode {
///     x: i64,
/// }
///
/// #[object_methods]
/// impl Point {
///     /// Twice the first coordinate.
///     pub fn twice(&self) -> i64 {
///         2 * self.x
///     }
/// }
///
/// register_methods(&[MethodTable::of::<Point>()])?;
/// assert_eq!(Point::new(4).call_method("twice", &[])?.cast::<i64>()?, 8);
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`DuplicateKey`](ErrorKind::DuplicateKey), naming both declarations, if a type has another method of the same name.
pub fn register_methods(tables: &[MethodTable]) -> Result<()> {
    METHODS.write(|methods| tables.iter().try_for_each(|table| methods.declare(table)))
}

/// Registers one method: for types and functions that the program makes at run time. It overrides a method of the same
/// name that an ancestor of the type declares.
///
/// # Errors
/// [`DuplicateKey`](ErrorKind::DuplicateKey), naming both places, if the type itself has a method of the same name.
pub fn register_method(method: &Method) -> Result<()> {
    METHODS.write(|methods| methods.insert(method))
}

impl TypeInfo {
    /// The method or static function called `name`: from this type, or else from the nearest ancestor that has one.
    ///
    /// # Errors
    /// [`UnknownFunction`](ErrorKind::UnknownFunction), naming the nearest name, and
    /// [`DuplicateKey`](ErrorKind::DuplicateKey) if two linked methods of one type have the same name.
    pub fn method(&'static self, name: &str) -> Result<Method> {
        let found = METHODS.read(|methods| methods.levels(self).find_map(|own| own.get(name).cloned()))?;
        found.ok_or_else(|| self.unknown_method(name))
    }

    /// All methods and static functions, the methods of the ancestors first. A method that overrides another takes its
    /// place in the list.
    ///
    /// # Errors
    /// [`DuplicateKey`](ErrorKind::DuplicateKey) if two linked methods of one type have the same name.
    pub fn methods(&'static self) -> Result<Vec<Method>> {
        METHODS.read(|methods| {
            let mut levels: Vec<_> = methods.levels(self).collect();
            levels.reverse();
            let all: OrderedTable<&str, &Method> =
                levels.into_iter().flatten().map(|(name, method)| (name.as_str(), method)).collect();
            all.into_values().cloned().collect()
        })
    }

    #[cold]
    fn unknown_method(&'static self, name: &str) -> Error {
        let all = self.methods().unwrap_or_default();
        let names = all.iter().map(Method::name);
        let advice = did_you_mean_or(name, names.clone(), || match all.is_empty() {
            true => "it has none; annotate an `impl` block of its handle with `#[object_methods]` or call \
                     `function::register_methods`"
                .to_owned(),
            false => format!("its methods are {}", backticked(names)),
        });
        let message = format!("`{}` has no method `{}`; {advice}", self.type_key, brief(name));
        Error::new(ErrorKind::UnknownFunction, message)
    }
}

/// Calls of methods by name, for every handle.
pub trait CallMethod: ObjectHandle {
    /// Calls the method `name` with this object and `args`. The look-up begins at the exact type of the object.
    ///
    /// # Errors
    /// As [`TypeInfo::method`] and [`Function::call`](crate::Function::call), and [`Call`](ErrorKind::Call) for a static
    /// function.
    fn call_method(&self, name: &str, args: &[AnyView<'_>]) -> Result<Any> {
        let object = self.as_object().view();
        let method = object.type_info().method(name)?;
        if method.is_static() {
            let full = WithTypes(method.function());
            let message = format!("`{full}` takes no object; find it by `TypeInfo::method` and call it without one");
            return Err(Error::new(ErrorKind::Call, message));
        }
        let mut all = Vec::with_capacity(args.len() + 1);
        all.push(AnyView::Object(object));
        all.extend_from_slice(args);
        method.call(&all)
    }
}

impl<H: ObjectHandle> CallMethod for H {}

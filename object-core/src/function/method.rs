//! [`Method`]: functions that belong to a type, found by name through its table.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use super::Function;
use crate::error::{Error, ErrorKind, Result};
use crate::function::declared::{MethodSpec, MethodTable};
use crate::function::global::duplicate;
use crate::object::{Any, AnyView, ObjectHandle, TypeInfo, TypeSchema, TypedHandle};
use crate::table::{AddressTable, OrderedTable};
use crate::text::did_you_mean::{backticked, did_you_mean_or};

/// A handle whose `impl` block is annotated with `#[object_methods]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no table of methods",
    note = "annotate an `impl` block of the handle with `#[object_methods]`"
)]
pub trait ObjectMethods: TypedHandle {
    /// The functions of the block.
    const METHODS: &'static [MethodSpec];
}

/// A function that belongs to a type: a method, whose first argument is an object of the type, or a static function.
#[derive(Clone)]
pub struct Method {
    owner: &'static TypeInfo,
    is_static: bool,
    name: Cow<'static, str>,
    function: Function,
}

impl Method {
    /// A method of the type `owner`: `function` takes the object as its first argument.
    ///
    /// # Errors
    /// [`Call`](ErrorKind::Call) if the function takes no argument, and [`TypeMismatch`](ErrorKind::TypeMismatch) if the
    /// first one is of a type that objects of `owner` are not.
    pub fn new(
        owner: &'static TypeInfo,
        name: impl Into<Cow<'static, str>>,
        function: impl Into<Function>,
    ) -> Result<Method> {
        let function = function.into();
        let receiver = function.signature().map(|signature| signature.args.into_iter().next());
        match receiver {
            Some(None) => {
                let full = crate::function::call::Full(&function);
                let message = format!("method of `{}`: `{full}` has no argument to take the object", owner.type_key);
                Err(Error::new(ErrorKind::Call, message))
            }
            Some(Some(receiver)) if !takes(&receiver.schema, owner) => {
                let error = Error::type_mismatch(owner.type_key, &receiver.schema.to_string());
                Err(error
                    .context(format_args!("the first argument of method `{}`", crate::function::call::Full(&function))))
            }
            _ => Ok(Method { owner, is_static: false, name: name.into(), function }),
        }
    }

    /// A function of the type `owner` that takes no object, such as one that makes an object.
    pub fn new_static(
        owner: &'static TypeInfo,
        name: impl Into<Cow<'static, str>>,
        function: impl Into<Function>,
    ) -> Method {
        Method { owner, is_static: true, name: name.into(), function: function.into() }
    }

    /// What `spec` declares for the type `owner`.
    fn declared(owner: &'static TypeInfo, spec: &MethodSpec) -> Method {
        let function = Function::from_body(Some(spec.types), Arc::new(spec.body))
            .named(format!("{}.{}", owner.type_key, spec.name))
            .with_doc(spec.doc)
            .with_arg_names(spec.arg_names.iter().copied())
            .declared_at(spec.location);
        Method { owner, is_static: spec.is_static, name: Cow::Borrowed(spec.name), function }
    }

    /// The name within its type.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type that declares it: the one it was found by, or an ancestor of that.
    #[must_use]
    pub fn owner(&self) -> &'static TypeInfo {
        self.owner
    }

    /// Whether it is called without an object.
    #[must_use]
    pub fn is_static(&self) -> bool {
        self.is_static
    }

    /// What is called, with documentation and types. For a method, the first argument is the object.
    #[must_use]
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// Calls the function with all its arguments. The first one of a method is the object.
    ///
    /// # Errors
    /// As [`Function::call`].
    pub fn call(&self, args: &[AnyView<'_>]) -> Result<Any> {
        self.function.call(args)
    }
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", crate::function::call::Full(&self.function))
    }
}

/// Whether an argument of the type `schema` takes every object of the type `owner`. It asks the table of the type alone,
/// which may not be registered yet.
fn takes(schema: &TypeSchema, owner: &'static TypeInfo) -> bool {
    match schema.name {
        "Any" | "ffi.Object" => true,
        "Optional" => schema.args.iter().all(|inner| takes(inner, owner)),
        key => owner.type_key == key || owner.ancestors().any(|ancestor| ancestor.type_key == key),
    }
}

/// The methods of each type, without those that it inherits, by the address of its table.
#[derive(Default)]
struct Methods {
    by_type: AddressTable<OrderedTable<String, Method>>,
    /// The types whose annotated block is here.
    declared: AddressTable<()>,
}

/// Filled on first use with all collected tables; an error of that is kept and returned by every look-up. No code of a
/// user runs while it is locked.
static METHODS: LazyLock<RwLock<Result<Methods>>> = LazyLock::new(|| RwLock::new(collect()));

fn collect() -> Result<Methods> {
    #[allow(unused_mut, reason = "without the feature there is nothing to collect")]
    let mut tables: Vec<MethodTable> = Vec::new();
    #[cfg(feature = "inventory")]
    tables.extend(inventory::iter::<crate::function::declared::MethodEntry>.into_iter().map(|entry| entry.0));
    // The order of collection is the linker's.
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
        let own = self.by_type.entry(address(method.owner)).or_default();
        if let Some(old) = own.get(&*method.name) {
            let what = format!("methods of `{}` are", method.owner.type_key);
            return Err(duplicate(&what, &method.name, &old.function, &method.function));
        }
        own.insert(method.name.to_string(), method.clone());
        Ok(())
    }

    /// The methods of `info` by what declares them: the type itself first, the root last.
    fn levels(&self, info: &'static TypeInfo) -> impl Iterator<Item = &OrderedTable<String, Method>> {
        std::iter::once(info).chain(info.ancestors().rev()).filter_map(|info| self.by_type.get(&address(info)))
    }
}

fn read<R>(look: impl FnOnce(&Methods) -> R) -> Result<R> {
    match &*METHODS.read().unwrap_or_else(PoisonError::into_inner) {
        Ok(methods) => Ok(look(methods)),
        Err(error) => Err(error.clone()),
    }
}

fn write<R>(change: impl FnOnce(&mut Methods) -> Result<R>) -> Result<R> {
    match &mut *METHODS.write().unwrap_or_else(PoisonError::into_inner) {
        Ok(methods) => change(methods),
        Err(error) => Err(error.clone()),
    }
}

/// Adds the methods of annotated `impl` blocks by hand, where the feature `inventory` is off. Those that are there
/// already are left alone.
///
/// ```
/// use object_core::function::{MethodTable, register_methods};
/// use object_core::prelude::*;
///
/// #[derive(Object)]
/// #[object(type_key = "demo.Point")]
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
    write(|methods| tables.iter().try_for_each(|table| methods.declare(table)))
}

/// Adds one method to its type: for types and functions that come up while the program runs.
///
/// # Errors
/// [`DuplicateKey`](ErrorKind::DuplicateKey), naming both places, if the type itself has a method of the same name. A
/// method of an ancestor is overridden.
pub fn register_method(method: &Method) -> Result<()> {
    write(|methods| methods.insert(method))
}

impl TypeInfo {
    /// The method or static function called `name`: of this type, or of the nearest ancestor that has one.
    ///
    /// # Errors
    /// [`UnknownFunction`](ErrorKind::UnknownFunction), naming the nearest name, and
    /// [`DuplicateKey`](ErrorKind::DuplicateKey) if two linked methods of one type have the same name.
    pub fn method(&'static self, name: &str) -> Result<Method> {
        let found = read(|methods| methods.levels(self).find_map(|own| own.get(name).cloned()))?;
        found.ok_or_else(|| self.unknown_method(name))
    }

    /// All methods and static functions, those of the ancestors first; one that overrides another stands in its place.
    ///
    /// # Errors
    /// [`DuplicateKey`](ErrorKind::DuplicateKey) if two linked methods of one type have the same name.
    pub fn methods(&'static self) -> Result<Vec<Method>> {
        read(|methods| {
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
        let message = format!("`{}` has no method `{name}`; {advice}", self.type_key);
        Error::new(ErrorKind::UnknownFunction, message)
    }
}

/// Calling methods by name, for every handle.
pub trait CallMethod: ObjectHandle {
    /// Calls the method `name` of the object's exact type with this object and `args`.
    ///
    /// # Errors
    /// As [`TypeInfo::method`] and [`Function::call`], and [`Call`](ErrorKind::Call) for a static function.
    fn call_method(&self, name: &str, args: &[AnyView<'_>]) -> Result<Any> {
        let object = self.as_object().view();
        let method = object.type_info().method(name)?;
        if method.is_static {
            let full = crate::function::call::Full(&method.function);
            let message = format!("`{full}` takes no object; find it by `TypeInfo::method` and call it without one");
            return Err(Error::new(ErrorKind::Call, message));
        }
        let mut all = Vec::with_capacity(args.len() + 1);
        all.push(AnyView::Object(object));
        all.extend_from_slice(args);
        method.function.call(&all)
    }
}

impl<H: ObjectHandle> CallMethod for H {}

//! [`Function`]: something to call with any values, as an object; functions by name and methods of types.

use std::borrow::Cow;
use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use crate::error::Result;
use crate::object::{
    Any, AnyView, Body, FieldContents, ObjectRef, SEqHashKind, TypeInfo, builtin_handle, builtin_node, new_object,
};

mod call;
mod closure;
pub(crate) mod declared;
mod global;
mod method;
mod signature;
mod typed;

use call::{Failure, Packed};
pub use closure::{Argument, IntoFunction, Outcome, ReturnValue};
pub use declared::{MethodSpec, MethodTable};
pub use global::{all, get, register, remove};
pub use method::{CallMethod, Method, ObjectMethods, register_method, register_methods};
pub use signature::{ArgInfo, Signature};
pub use typed::{FunctionType, TypedFunction};

pub(crate) static FUNCTION: TypeInfo =
    TypeInfo::builtin::<FunctionData>("ffi.Function", Body::Function, SEqHashKind::Unsupported, "Something to call.");

/// The data of a [`Function`].
#[derive(Clone)]
pub struct FunctionData {
    name: Cow<'static, str>,
    doc: Cow<'static, str>,
    location: (&'static str, u32),
    arg_names: Vec<Cow<'static, str>>,
    /// The types of arguments and result. `None` for packed functions, which take what they are given.
    types: Option<fn() -> Signature>,
    body: Arc<Packed>,
}

/// A Rust closure as an object: to be called with values of any type, kept in fields, passed to other functions, and
/// found by name.
///
/// ```
/// use object_core::{AnyView, Function};
/// let add = Function::new(|a: i64, b: i64| a + b).named("demo.add");
/// assert_eq!(add.call(&[AnyView::Int(1), AnyView::Int(2)])?.cast::<i64>()?, 3);
/// assert_eq!(add.typed::<fn(i64, i64) -> i64>()?.call(1, 2)?, 3);
///
/// let error = add.call(&[AnyView::Int(1), AnyView::None]).unwrap_err();
/// assert_eq!(error.message(), "function `demo.add(int, int) -> int`: argument #1: expected `int`, got `None`");
/// # Ok::<(), object_core::Error>(())
/// ```
///
/// Calls hold no locks. A panic in a closure comes back as an error.
#[derive(Clone)]
#[repr(transparent)]
pub struct Function(ObjectRef);

builtin_node!(FunctionData, Function, FUNCTION);
builtin_handle!(Function, FUNCTION, FieldContents::objects(&FUNCTION));

impl Function {
    /// A function that calls `closure`, which takes up to twelve arguments of field types and returns a field type,
    /// nothing, or a `Result` of one.
    ///
    /// Until it is [named](Self::named), messages call it by the place of this call.
    #[track_caller]
    #[must_use]
    pub fn new<S>(closure: impl IntoFunction<S>) -> Self {
        let types = closure.types();
        Function::from_body(Some(types), closure.into_body())
    }

    /// A function that gets the values it is called with as they are, however many.
    ///
    /// ```
    /// use object_core::{Any, AnyView, Function};
    /// let count = Function::from_packed(|args| Ok(Any::Int(args.len() as i64)));
    /// assert_eq!(count.call(&[AnyView::None; 3])?.cast::<i64>()?, 3);
    /// # Ok::<(), object_core::Error>(())
    /// ```
    #[track_caller]
    #[must_use]
    pub fn from_packed(body: impl Fn(&[AnyView<'_>]) -> Result<Any> + Send + Sync + 'static) -> Self {
        Function::from_body(None, Arc::new(move |args: &[AnyView<'_>]| body(args).map_err(Failure::Returned)))
    }

    #[track_caller]
    fn from_body(types: Option<fn() -> Signature>, body: Arc<Packed>) -> Self {
        let place = Location::caller();
        let location = (place.file(), place.line());
        let (name, doc, arg_names) = (Cow::default(), Cow::default(), Vec::new());
        new_object(FunctionData { name, doc, location, arg_names, types, body })
    }

    /// The same function with a name, for messages and for [`register`].
    #[must_use]
    pub fn named(&self, name: impl Into<Cow<'static, str>>) -> Self {
        new_object(FunctionData { name: name.into(), ..(**self).clone() })
    }

    /// The same function with documentation.
    #[must_use]
    pub fn with_doc(&self, doc: impl Into<Cow<'static, str>>) -> Self {
        new_object(FunctionData { doc: doc.into(), ..(**self).clone() })
    }

    /// The same function with names for its arguments, the first one first. Names without an argument are ignored.
    ///
    /// ```
    /// use object_core::Function;
    /// let scale = Function::new(|x: f64, by: i64| x * by as f64).with_arg_names(["x", "by"]);
    /// assert_eq!(scale.signature().unwrap().to_string(), "(x: float, by: int) -> float");
    /// ```
    #[must_use]
    pub fn with_arg_names<N: Into<Cow<'static, str>>>(&self, names: impl IntoIterator<Item = N>) -> Self {
        let arg_names = names.into_iter().map(Into::into).collect();
        new_object(FunctionData { arg_names, ..(**self).clone() })
    }

    /// The same function, declared at another place: that of a declaration which a macro expands.
    pub(crate) fn declared_at(&self, location: (&'static str, u32)) -> Self {
        new_object(FunctionData { location, ..(**self).clone() })
    }

    /// The name; empty if it has none.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The documentation; empty if there is none.
    #[must_use]
    pub fn doc(&self) -> &str {
        &self.doc
    }

    /// Source file and line of the declaration.
    #[must_use]
    pub fn location(&self) -> (&'static str, u32) {
        self.location
    }

    /// The types of arguments and result; `None` for [packed](Self::from_packed) functions, which take anything.
    #[must_use]
    pub fn signature(&self) -> Option<Signature> {
        let mut signature = (self.types?)();
        for (arg, name) in signature.args.iter_mut().zip(&self.arg_names) {
            arg.name.clone_from(name);
        }
        Some(signature)
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ffi.Function({:?})", self.name)
    }
}

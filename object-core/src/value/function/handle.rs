//! The handle [`Function`] and its data.

use std::borrow::Cow;
use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use super::body::{Failure, FunctionBody};
use super::signature::Signature;
use crate::error::Result;
use crate::object::{
    Any, AnyView, Body, FieldContents, ObjectRef, SEqHashKind, TableAddress, TypeInfo, builtin_handle,
    builtin_identity, builtin_node, new_object,
};

pub(crate) static FUNCTION: TypeInfo =
    // SAFETY: code that reads objects with this body expects a `FunctionData`.
    unsafe {
        TypeInfo::builtin::<FunctionData>(
            "ffi.Function",
            Body::Function,
            SEqHashKind::Unsupported,
            "Something to call.",
        )
    };

/// The data of a [`Function`].
#[derive(Clone)]
pub struct FunctionData {
    name: Cow<'static, str>,
    doc: Cow<'static, str>,
    location: (&'static str, u32),
    pub(super) arg_names: Vec<Cow<'static, str>>,
    /// Makes the signature. `None` for packed functions, which take any arguments.
    signature: Option<fn() -> Signature>,
    pub(super) body: Arc<FunctionBody>,
    context: Option<ObjectRef>,
    purity: Option<bool>,
}

/// A Rust closure as an object. Callers pass it values of any type. Fields, containers and arguments of other functions
/// can hold it, and [`function::get`](crate::function::get) finds it by name.
///
/// ```
/// use object_core::{AnyView, Function};
/// let add = Function::new(|a: i64, b: i64| a + b).with_name("demo.add");
/// assert_eq!(add.call(&[AnyView::Int(1), AnyView::Int(2)])?.cast::<i64>()?, 3);
/// assert_eq!(add.typed::<fn(i64, i64) -> i64>()?.call(1, 2)?, 3);
///
/// let error = add.call(&[AnyView::Int(1), AnyView::None]).unwrap_err();
/// assert_eq!(error.message(), "function `demo.add(int, int) -> int`: argument #1: expected `int`, got `None`");
/// # Ok::<(), object_core::Error>(())
/// ```
///
/// A call holds no locks. If the closure panics, the call returns an error.
#[derive(Clone)]
#[repr(transparent)]
pub struct Function(ObjectRef);

builtin_node!(FunctionData, Function, FUNCTION);
builtin_handle!(Function, FUNCTION, FieldContents::Objects(TableAddress::of(&FUNCTION)));
builtin_identity!(Function);

impl Function {
    /// A packed function: `body` receives all arguments as they are, of any number and of any types.
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

    /// A function of this signature that runs `body`. It has no name yet.
    #[track_caller]
    pub(crate) fn from_body(signature: Option<fn() -> Signature>, body: Arc<FunctionBody>) -> Self {
        let caller = Location::caller();
        let location = (caller.file(), caller.line());
        let (name, doc, arg_names) = (Cow::default(), Cow::default(), Vec::new());
        new_object(FunctionData { name, doc, location, arg_names, signature, body, context: None, purity: None })
    }

    /// The same function with a name, for messages and for [`function::register`](crate::function::register).
    #[must_use]
    pub fn with_name(&self, name: impl Into<Cow<'static, str>>) -> Self {
        new_object(FunctionData { name: name.into(), ..(**self).clone() })
    }

    /// The same function with documentation.
    #[must_use]
    pub fn with_doc(&self, doc: impl Into<Cow<'static, str>>) -> Self {
        new_object(FunctionData { doc: doc.into(), ..(**self).clone() })
    }

    /// The same function with names for its arguments, in their order. Surplus names have no effect.
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

    /// The same function with an object that it works for, such as the closure of an interpreted program. The program
    /// recognizes its own functions by this object.
    ///
    /// ```
    /// use object_core::{Function, ObjectHandle, Str};
    /// let function = Function::new(|| 1).with_context(Str::new("its data").into());
    /// assert!(function.context().is_some_and(|context| context.is::<Str>()));
    /// ```
    #[must_use]
    pub fn with_context(&self, context: ObjectRef) -> Self {
        new_object(FunctionData { context: Some(context), ..(**self).clone() })
    }

    /// The object that the function works for, if it has one.
    #[must_use]
    pub fn context(&self) -> Option<&ObjectRef> {
        self.context.as_ref()
    }

    /// The same function with a declaration of its side effects: a pure function does nothing except that it returns a result
    /// or an error. [`register_function!`](crate::register_function) has words for it.
    ///
    /// ```
    /// use object_core::Function;
    /// let twice = Function::new(|x: i64| 2 * x);
    /// assert_eq!((twice.purity(), twice.with_purity(true).purity()), (None, Some(true)));
    /// ```
    #[must_use]
    pub fn with_purity(&self, is_pure: bool) -> Self {
        new_object(FunctionData { purity: Some(is_pure), ..(**self).clone() })
    }

    /// Whether the function is declared to be pure (`true`) or to have side effects (`false`); `None` without a declaration.
    #[must_use]
    pub fn purity(&self) -> Option<bool> {
        self.purity
    }

    /// The same function with another source location: macros pass the location of their call.
    pub(crate) fn declared_at(&self, location: (&'static str, u32)) -> Self {
        new_object(FunctionData { location, ..(**self).clone() })
    }

    /// The name; empty if the function has none.
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

    /// The types of arguments and result; `None` for [packed](Self::from_packed) functions, which take any arguments.
    #[must_use]
    pub fn signature(&self) -> Option<Signature> {
        let mut signature = (self.signature?)();
        for (arg, name) in signature.args.iter_mut().zip(&self.arg_names) {
            arg.name.clone_from(name);
        }
        Some(signature)
    }
}

impl FunctionData {
    /// Makes the signature, without the names of the arguments. `None` for packed functions.
    pub(crate) fn make_signature(&self) -> Option<fn() -> Signature> {
        self.signature
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ffi.Function({:?})", self.name)
    }
}

//! [`Function`]: something to call with any values, as an object.

use std::fmt;
use std::ops::Deref;

use crate::error::{Error, ErrorKind, Result};
use crate::object::{
    Ancestor, Any, AnyView, Body, FieldInfo, Holds, Object, ObjectHandle, ObjectRef, ObjectView, Step, TypeInfo,
    TypeSchema, TypedHandle, new_object, node_of,
};

pub(crate) static FUNCTION: TypeInfo =
    TypeInfo::builtin::<FunctionData>("ffi.Function", Body::Function, "Something to call.").not_comparable();

/// The data of a [`Function`].
pub struct FunctionData {
    name: String,
    #[allow(clippy::type_complexity, reason = "the one place that spells the closure type")]
    body: Box<dyn Fn(&[AnyView<'_>]) -> Result<Any> + Send + Sync>,
}

// SAFETY: the table lists no fields and no ancestors.
unsafe impl Object for FunctionData {
    type Handle = Function;
    const TYPE_INFO: &'static TypeInfo = &FUNCTION;
    const FIELDS: &'static [FieldInfo] = &[];
    const STEPS: &'static [Step] = &[];
    const ANCESTORS: &'static [Ancestor] = &[];
    const FINAL: bool = true;
}

/// A closure over any values, as an object.
///
/// ```
/// use object_core::{Any, Function};
/// let add = Function::new("add", |args| {
///     let (a, b) = (args[0].to::<i64>()?, args[1].to::<i64>()?);
///     Ok(Any::Int(a + b))
/// });
/// assert_eq!(add.call(&[Any::Int(1), Any::Int(2)])?.to::<i64>()?, 3);
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone)]
#[repr(transparent)]
pub struct Function(ObjectRef);

// SAFETY: a transparent wrapper that accepts the instances of its node's type.
unsafe impl ObjectHandle for Function {
    const HOLDS: Holds = Holds::objects(&FUNCTION);

    fn accepts_object(object: ObjectView<'_>) -> bool {
        object.is_instance(&FUNCTION)
    }

    fn handle_schema() -> TypeSchema {
        TypeSchema::leaf(FUNCTION.type_key)
    }
}

// SAFETY: as above.
unsafe impl TypedHandle for Function {
    type Node = FunctionData;
}

impl Deref for Function {
    type Target = FunctionData;

    fn deref(&self) -> &FunctionData {
        node_of(self)
    }
}

impl Function {
    /// A function that calls `body`; `name` is what error messages call it.
    pub fn new(name: impl Into<String>, body: impl Fn(&[AnyView<'_>]) -> Result<Any> + Send + Sync + 'static) -> Self {
        new_object(FunctionData { name: name.into(), body: Box::new(body) })
    }

    /// The name that error messages use.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Calls the function.
    ///
    /// # Errors
    /// What the function returns, with its name, and [`Call`](ErrorKind::Call) if it panics.
    pub fn call(&self, args: &[Any]) -> Result<Any> {
        let views: Vec<AnyView<'_>> = args.iter().map(Any::view).collect();
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| (self.body)(&views)));
        match result {
            Ok(result) => result.map_err(|error| error.context(format_args!("function `{}`", self.name))),
            Err(_) => Err(Error::new(ErrorKind::Call, format!("function `{}` panicked", self.name))),
        }
    }
}

impl From<Function> for ObjectRef {
    fn from(function: Function) -> Self {
        function.0
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ffi.Function({:?})", self.name)
    }
}

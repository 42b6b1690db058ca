//! [`Method`]: a function that belongs to a type.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};
use crate::function::declared::MethodSpec;
use crate::object::{Any, AnyView, TypeInfo, TypeSchema};
use crate::value::function::{Function, WithTypes};

/// A function that belongs to a type: a method, whose first argument is an object of the type, or a static function.
#[derive(Clone)]
pub struct Method {
    owner: &'static TypeInfo,
    is_static: bool,
    name: Cow<'static, str>,
    function: Function,
}

impl Method {
    /// A method of the type `owner`. `function` takes the object as its first argument.
    ///
    /// # Errors
    /// [`Call`](ErrorKind::Call) if the function takes no argument, and [`TypeMismatch`](ErrorKind::TypeMismatch) if its
    /// first argument does not accept objects of `owner`.
    pub fn new(
        owner: &'static TypeInfo,
        name: impl Into<Cow<'static, str>>,
        function: impl Into<Function>,
    ) -> Result<Method> {
        let function = function.into();
        let receiver = function.signature().map(|signature| signature.args.into_iter().next());
        match receiver {
            Some(None) => {
                let full = WithTypes(&function);
                let message = format!("method of `{}`: `{full}` has no argument to take the object", owner.type_key);
                Err(Error::new(ErrorKind::Call, message))
            }
            Some(Some(receiver)) if !takes(&receiver.schema, owner) => {
                let error = Error::type_mismatch(owner.type_key, &receiver.schema.to_string());
                Err(error.context(format_args!("the first argument of method `{}`", WithTypes(&function))))
            }
            _ => Ok(Method { owner, is_static: false, name: name.into(), function }),
        }
    }

    /// A static function of the type `owner`: it takes no object. Constructors are an example.
    pub fn new_static(
        owner: &'static TypeInfo,
        name: impl Into<Cow<'static, str>>,
        function: impl Into<Function>,
    ) -> Method {
        Method { owner, is_static: true, name: name.into(), function: function.into() }
    }

    /// The method that `spec` declares for the type `owner`.
    pub(super) fn declared(owner: &'static TypeInfo, spec: &MethodSpec) -> Method {
        let function = Function::from_body(Some(spec.types), Arc::new(spec.body))
            .with_name(format!("{}.{}", owner.type_key, spec.name))
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

    /// The type that declares the method: the type that the look-up began at, or one of its ancestors.
    #[must_use]
    pub fn owner(&self) -> &'static TypeInfo {
        self.owner
    }

    /// Whether the function takes no object.
    #[must_use]
    pub fn is_static(&self) -> bool {
        self.is_static
    }

    /// The function, with documentation and types. The first argument of a method is the object.
    #[must_use]
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// Calls the function with all its arguments. The first argument of a method is the object.
    ///
    /// # Errors
    /// As [`Function::call`].
    pub fn call(&self, args: &[AnyView<'_>]) -> Result<Any> {
        self.function.call(args)
    }
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", WithTypes(&self.function))
    }
}

/// Whether an argument of the type `schema` accepts every object of the type `owner`. The answer comes from the table of
/// `owner`, because the registry may not have the type yet.
fn takes(schema: &TypeSchema, owner: &'static TypeInfo) -> bool {
    match schema.name {
        "Any" | "ffi.Object" => true,
        "Optional" => schema.args.iter().all(|inner| takes(inner, owner)),
        key => owner.type_key == key || owner.ancestors().any(|ancestor| ancestor.type_key == key),
    }
}

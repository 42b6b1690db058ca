//! [`ScopeTypes`]: where bindings end.

use crate::object::{Object, TypeInfo, TypedHandle};

/// The types of which the objects end the bindings in them.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::visit::{ScopeTypes, free_vars};
///
/// #[derive(Object)]
/// #[object(type_key = "doc.scopes.Var")]
/// #[structural_eq(var)]
/// struct VarNode {
///     #[field(ignore)]
///     name: Str,
/// }
///
/// #[derive(Object)]
/// #[object(type_key = "doc.scopes.Lambda")]
/// #[structural_eq(tree)]
/// struct LambdaNode {
///     #[field(def)]
///     param: Var,
///     body: Any,
/// }
///
/// let x = Var::new("x");
/// let pair = Array::<Any>::from([Any::from(Lambda::new(x.clone(), x.clone())), Any::from(x)]);
/// // By default the binding is still in force at the second `x`.
/// assert_eq!(free_vars(&pair).len(), 0);
/// assert_eq!(ScopeTypes::new().closing::<Lambda>().free_vars(&pair).len(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ScopeTypes {
    /// Whether the types marked `scope` are included.
    marked: bool,
    closing: Vec<&'static TypeInfo>,
}

impl ScopeTypes {
    /// No types: bindings do not end.
    #[must_use]
    pub fn new() -> Self {
        ScopeTypes::default()
    }

    /// The types marked `scope`.
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_core::visit::ScopeTypes;
    ///
    /// /// A variable.
    /// #[derive(Object)]
    /// #[object(type_key = "doc.marked.Var")]
    /// #[structural_eq(var)]
    /// pub struct VarNode {
    ///     /// The name, for messages.
    ///     #[field(ignore)]
    ///     pub name: Str,
    /// }
    ///
    /// /// A function of one variable.
    /// #[derive(Object)]
    /// #[object(type_key = "doc.marked.Lambda")]
    /// #[structural_eq(tree, scope)]
    /// pub struct LambdaNode {
    ///     /// The bound variable.
    ///     #[field(def)]
    ///     pub param: Var,
    /// }
    ///
    /// let x = Var::new("x");
    /// let pair = Array::from([Any::new(Lambda::new(x.clone())), Any::new(x)]);
    /// assert_eq!(ScopeTypes::marked().free_vars(&pair).len(), 1);
    /// ```
    #[must_use]
    pub fn marked() -> Self {
        ScopeTypes { marked: true, ..ScopeTypes::default() }
    }

    /// Adds a type: each object that an `H` can refer to ends the bindings in it.
    #[must_use]
    pub fn closing<H: TypedHandle>(mut self) -> Self {
        self.closing.push(<H::Node as Object>::TYPE_INFO);
        self
    }

    /// Whether there are such types.
    pub(crate) fn exist(&self) -> bool {
        self.marked || !self.closing.is_empty()
    }

    /// Whether objects of this type end the bindings in them.
    pub(crate) fn closes(&self, info: &TypeInfo) -> bool {
        (self.marked && info.is_scope) || self.closing.iter().any(|closing| info.is_or_extends(closing))
    }
}

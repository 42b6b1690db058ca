//! [`StructuralEqual`]: whether two values are equal by structure.

use crate::error::Result;
use crate::object::AsAnyView;
use crate::structural::engine::equal::Comparison;

/// Where the bindings of variables end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scopes {
    /// Nowhere: a binding lasts until the end of the comparison, as in tvm-ffi.
    #[default]
    Persistent,
    /// With the object that was made for it: bindings inside an object of a type marked `scope` end with it, and what a
    /// definition region binds hides what is bound around the scope. Then equality is alpha-equivalence, also of values
    /// that bind one variable twice, share what binds, or use a variable outside of where it is bound.
    ///
    /// A pair of shared objects that refers to variables around it is remembered for the scope it is met in, any other
    /// one for the whole comparison. A `dag` node is told apart by identity as long as its scope lasts, also where a
    /// variable in it is hidden meanwhile. A variable that is free in a scope is looked into where it is met first, and
    /// what its fields bind ends with them.
    Lexical,
}

/// Structural equality and its options.
///
/// Depth costs no stack, and every pair of shared objects is walked once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StructuralEqual {
    pub(crate) map_free_vars: bool,
    pub(crate) scopes: Scopes,
    pub(crate) skip_tensor_content: bool,
    #[cfg(feature = "rayon")]
    pub(crate) parallel: bool,
}

impl StructuralEqual {
    /// The default options: free variables equal only themselves, and tensors are compared by content.
    #[must_use]
    pub fn new() -> Self {
        StructuralEqual::default()
    }

    /// Whether free variables may correspond to each other, as if the values stood in a definition region.
    #[must_use]
    pub fn map_free_vars(mut self, yes: bool) -> Self {
        self.map_free_vars = yes;
        self
    }

    /// Where the bindings of variables end.
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_core::structural::{Scopes, StructuralEqual};
    ///
    /// /// A variable.
    /// #[derive(Object)]
    /// #[object(type_key = "doc.lexical.Var")]
    /// #[structural_eq(var)]
    /// pub struct VarNode {
    ///     /// For readers.
    ///     #[field(ignore)]
    ///     pub name: Str,
    /// }
    ///
    /// /// A function of one variable.
    /// #[derive(Object)]
    /// #[object(type_key = "doc.lexical.Lambda")]
    /// #[structural_eq(tree, scope)]
    /// pub struct LambdaNode {
    ///     /// What it binds.
    ///     #[field(def)]
    ///     pub param: Var,
    ///     /// Its result.
    ///     pub body: Any,
    /// }
    ///
    /// let id = |name: &str| {
    ///     let x = Var::new(name);
    ///     Lambda::new(x.clone(), Any::new(x))
    /// };
    /// // One function twice, and two equal ones.
    /// let once = id("x");
    /// let twice = Array::from([once.clone(), once]);
    /// let two = Array::from([id("y"), id("z")]);
    /// assert!(!StructuralEqual::new().equal(&twice, &two)?);
    /// assert!(StructuralEqual::new().scopes(Scopes::Lexical).equal(&twice, &two)?);
    /// # Ok::<(), object_core::Error>(())
    /// ```
    #[must_use]
    pub fn scopes(mut self, scopes: Scopes) -> Self {
        self.scopes = scopes;
        self
    }

    /// Whether tensors of the same data type and shape are equal whatever their content.
    #[must_use]
    pub fn skip_tensor_content(mut self, yes: bool) -> Self {
        self.skip_tensor_content = yes;
        self
    }

    /// Whether the scopes among the children of an object, such as the functions of a module, are compared by several
    /// threads of the global pool of rayon. The result is the same.
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn parallel(mut self, yes: bool) -> Self {
        self.parallel = yes;
        self
    }

    /// Whether `a` and `b` are equal.
    ///
    /// # Errors
    /// [`NotComparable`](crate::ErrorKind::NotComparable), with the path, if before any difference two objects of a
    /// type are reached that takes no part in structural comparison.
    pub fn equal(&self, a: &impl AsAnyView, b: &impl AsAnyView) -> Result<bool> {
        Comparison::equal(*self, a.as_any_view(), b.as_any_view())
    }
}

/// Whether `a` and `b` are equal under the default options. Values that reach a type which takes no part in structural
/// comparison equal nothing; [`StructuralEqual::equal`] reports them.
///
/// ```
/// use object_core::{Str, structural_equal};
/// assert!(structural_equal(&Str::from("a"), &Str::from("a")));
/// assert!(!structural_equal(&1i64, &1.0));
/// ```
#[must_use]
pub fn structural_equal(a: &impl AsAnyView, b: &impl AsAnyView) -> bool {
    StructuralEqual::new().equal(a, b).unwrap_or(false)
}

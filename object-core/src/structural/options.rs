//! [`StructuralOptions`] and [`Scopes`]: the options that equality, hashing, first mismatches and diffs share.

use crate::object::DefRegionKind;

/// Where the bindings of variables end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scopes {
    /// A binding lasts until the end of the operation, as in tvm-ffi.
    #[default]
    Persistent,
    /// A binding inside an object of a type marked `scope` ends when this object ends. A variable that a definition
    /// region binds hides an outer binding of the same variable. Equality is then alpha-equivalence, also if a value
    /// binds one variable twice, shares an object that binds variables, or uses a variable outside of the scope that
    /// binds it.
    ///
    /// A result about shared objects is remembered with the facts about outer bindings on which it depends, and used
    /// again in every scope where they hold. A `dag` node keeps its counterpart as long as its scope lasts, also where
    /// another binding hides a variable in it. The fields of a variable that is free in a scope are compared at its
    /// first occurrence, and the bindings that they make end with them.
    ///
    /// The cost is linear in the objects and references, times the number of variables and `dag` nodes of outer scopes
    /// that one object uses. `dag` nodes that are bound in many combinations, each of them around one shared object,
    /// cost more: each combination can be another result.
    Lexical,
}

/// The options of structural equality, hashing, first mismatches and diffs.
///
/// Operations with the same options agree: equal values have the same hash, and a first mismatch or a diff exists
/// exactly for unequal values. The depth of a value costs no stack, and each pair of shared objects is compared once;
/// [`Scopes::Lexical`] states the cost under lexical scopes.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::structural::Scopes;
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
///     /// The variable that the function binds.
///     #[field(def)]
///     pub param: Var,
///     /// The result of the function.
///     pub body: Any,
/// }
///
/// let id = |name: &str| {
///     let x = Var::new(name);
///     Lambda::new(x.clone(), Any::new(x))
/// };
/// // One function twice, and two equal functions.
/// let once = id("x");
/// let twice = Array::from([once.clone(), once]);
/// let two = Array::from([id("y"), id("z")]);
/// assert!(!StructuralOptions::new().equal(&twice, &two)?);
///
/// let lexical = StructuralOptions::new().scopes(Scopes::Lexical);
/// assert!(lexical.equal(&twice, &two)?);
/// assert_eq!(lexical.hash(&twice)?, lexical.hash(&two)?);
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StructuralOptions {
    pub(crate) map_free_vars: bool,
    pub(crate) scopes: Scopes,
    pub(crate) skip_tensor_content: bool,
    pub(crate) skip_default_fields: bool,
}

impl StructuralOptions {
    /// The default options: a free variable equals only itself, bindings are [persistent](Scopes::Persistent), and
    /// tensors are compared by content.
    #[must_use]
    pub fn new() -> Self {
        StructuralOptions::default()
    }

    /// Whether free variables may correspond to each other, as if the values were in a definition region.
    ///
    /// Hashes do not depend on this option: a free variable always enters a hash by its first occurrence.
    #[must_use]
    pub fn map_free_vars(mut self, yes: bool) -> Self {
        self.map_free_vars = yes;
        self
    }

    /// Where the bindings of variables end.
    ///
    /// Under [`Scopes::Lexical`] the hash of a scope depends on an outer binding only if the scope refers to it. So a
    /// [`HashCache`](super::HashCache) can keep the hashes of scopes.
    #[must_use]
    pub fn scopes(mut self, scopes: Scopes) -> Self {
        self.scopes = scopes;
        self
    }

    /// Whether tensors with the same data type and shape are equal regardless of their content. Hashes then leave the
    /// content out.
    #[must_use]
    pub fn skip_tensor_content(mut self, yes: bool) -> Self {
        self.skip_tensor_content = yes;
        self
    }

    /// Whether hashes leave out the fields that have their defaults: a plain value, a text, or an array or a map without
    /// elements. Equal values still have equal hashes, and a type keeps the hashes of its objects when it gets a field with a
    /// default. So a program that keeps results on disk by the hash of their inputs sets this option.
    ///
    /// The hashes differ from those without the option. They change when the name of a field, a type or a default changes, and
    /// are slower to compute. A hook lists values, and none of them is left out.
    ///
    /// ```standalone_crate
    /// use object_core::prelude::*;
    ///
    /// mod release_1 {
    ///     # use object_core::prelude::*;
    ///     #[derive(Object)]
    ///     #[object(type_key = "doc.keys.Job")]
    ///     #[structural_eq(tree)]
    ///     pub struct JobNode { name: Str }
    /// }
    /// mod release_2 {
    ///     # use object_core::prelude::*;
    ///     #[derive(Object)]
    ///     #[object(type_key = "doc.keys.Job")]
    ///     #[structural_eq(tree)]
    ///     pub struct JobNode {
    ///         name: Str,
    ///         #[field(default)]
    ///         retries: i64,
    ///     }
    /// }
    /// # // Two declarations in one program stand for two programs.
    /// let (old, new) = (release_1::Job::new("build"), release_2::Job::new("build"));
    /// let keys = StructuralOptions::new().skip_default_fields(true);
    /// assert_eq!(keys.hash_128(&old)?, keys.hash_128(&new)?);
    /// assert_ne!(structural_hash(&old), structural_hash(&new));
    /// # Ok::<(), object_core::Error>(())
    /// ```
    #[must_use]
    pub fn skip_default_fields(mut self, yes: bool) -> Self {
        self.skip_default_fields = yes;
        self
    }

    /// The region of a whole value.
    pub(crate) fn root_region(&self) -> DefRegionKind {
        match (self.map_free_vars, self.scopes) {
            (true, Scopes::Persistent) => DefRegionKind::Recursive,
            (true, Scopes::Lexical) => DefRegionKind::Free,
            (false, _) => DefRegionKind::None,
        }
    }

    /// The region of the fields of a variable in `region`.
    pub(crate) fn variable_region(&self, region: DefRegionKind) -> DefRegionKind {
        match (region, self.scopes) {
            (DefRegionKind::Simple, Scopes::Lexical) if self.map_free_vars => DefRegionKind::Free,
            (DefRegionKind::Recursive, Scopes::Persistent) => region,
            (region, _) => region.variable_fields(),
        }
    }
}

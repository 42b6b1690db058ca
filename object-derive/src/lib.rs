//! The derive macro of `object_core`: from an annotated struct to its handle and its type table.

mod words;
mod report;
mod items;
mod input;
mod types;
mod docs;
mod model;
mod build;
mod check;
mod expand;
mod fallback;
mod methods;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput};

use crate::report::Errors;

/// Makes a struct the data of an object: registered, reflected, compared, hashed, printed and saved.
///
/// The struct is called `XNode`. The derive declares its handle `X`, a counted pointer of one word that dereferences to
/// `XNode`, with the same visibility.
///
/// ```
/// use object_core::prelude::*;
///
/// /// Base of all expressions.
/// #[derive(Object)]
/// #[object(type_key = "demo.Expr", base)]
/// pub struct ExprNode {
///     /// Where it was written.
///     #[field(ignore)]
///     pub span: Option<Str>,
/// }
///
/// /// A variable.
/// #[derive(Object)]
/// #[object(type_key = "demo.Var", parent = ExprNode)]
/// #[structural_eq(var)]
/// pub struct VarNode {
///     pub base: ExprNode,
///     #[field(ignore)]
///     pub name: Str,
/// }
///
/// /// A function of its parameters.
/// #[derive(Object)]
/// #[object(type_key = "demo.Lambda", parent = ExprNode)]
/// #[structural_eq(tree)]
/// pub struct LambdaNode {
///     pub base: ExprNode,
///     #[field(def)]
///     pub params: Array<Var>,
///     pub body: Expr,
///     #[field(default = false)]
///     pub is_pure: bool,
/// }
///
/// let x = Var::new("x");
/// let identity = Lambda::new([x.clone()], x);
/// let expr: Expr = identity.clone().into();
/// assert!(expr.downcast::<Lambda>().is_ok_and(|lambda| lambda.ptr_eq(&identity)));
/// ```
///
/// # `#[object(...)]` on the type
///
/// | word | meaning |
/// |---|---|
/// | `type_key = "demo.Expr"` | The name of the type in files, schemas and other languages: names with dots between them. Required for structs. |
/// | `parent = PNode` | The type extends that of `PNode`, which is a `base`; the first field is `base: PNode`. Without it the type extends the root, `ffi.Object`. |
/// | `base` | Other types may extend this one. Without it the type is final. A `base` without `#[structural_eq]` is abstract: it has no objects of its own. |
/// | `base_args(name: Type, ...)` | The required arguments of the parent's part, in the order of `PNode::new_base`. They come first in `X::new`. |
/// | `json = field` | JSON holds the value of this one field in place of the object. All other fields have defaults or are `Option`. |
/// | `label = "Var({name:?})"` | How an object of this type is written as a map key in an access path; `{field}` is the plain value, `{field:?}` a quoted one. |
/// | `opaque` | Reflection does not see the fields, which then may have any types. The struct is `Clone`. |
/// | `handle = Name` | The name of the handle, where that of the struct does not end in `Node`. |
/// | `crate = path` | Where `object_core` is found, if not at `::object_core`. |
///
/// ```compile_fail
/// # use object_core::prelude::*;
/// #[derive(Object)]
/// #[object(type_key = "demo.Call", parent = ExprNode)] // the parent's part is missing: `base: ExprNode`
/// struct CallNode {
///     args: Array<ObjectRef>,
/// }
/// ```
///
/// # `#[structural_eq(...)]` on the type
///
/// How objects are compared and hashed. Without it, or with `none`, comparing one is an error.
///
/// | kind | two objects are equal if | choose it for |
/// |---|---|---|
/// | `tree` | their fields are | nearly everything |
/// | `const_tree` | they are one object, or their fields are equal | constants without variables in them, to compare them fast |
/// | `dag` | their fields are, and what is shared in one is shared in the other | nodes whose identity matters, such as bindings |
/// | `var` | they are bound at the same place, or are one object | variables |
/// | `singleton` | they are one object | operators, targets: one object per name |
/// | `none` | | what must not be compared |
///
/// | word | meaning |
/// |---|---|
/// | `custom` | The struct implements `StructuralHook`, which lists what is compared and hashed in place of the fields. |
/// | `scope` | Of a `tree`: bindings made inside end with it under lexical scopes, see `Scopes`. For functions, lambdas, quantifiers. |
/// | `key = field` | Of a singleton: the field, a `Str`, that tells its instances apart. `X::get(key)` finds or makes one, and JSON holds the key. |
/// | `table = function` | Of a singleton: there are exactly the instances that `fn() -> Vec<XNode>` lists. |
///
/// ```compile_fail
/// # use object_core::prelude::*;
/// #[derive(Object)]
/// #[object(type_key = "demo.Op")]
/// #[structural_eq(singleton)] // which field tells instances apart? `key = name`
/// struct OpNode {
///     name: Str,
/// }
/// ```
///
/// # `#[field(...)]` on a field
///
/// | word | meaning |
/// |---|---|
/// | `ignore` | The field takes no part in comparison. |
/// | `def` | The variables in the field are bound here, and those in their fields. |
/// | `def_simple` | The variables in the field are bound here, but not those in their fields. |
/// | `rename = "name"` | The name in reflection. `r#type` is `type` without it. |
/// | `default` | `Default::default()` if no value is given: in `X::new`, in builders, in JSON. Without a default a field is required, even an `Option`. |
/// | `default = expression` | The same with a value: anything that converts into the field's type. |
/// | `meta(key = "value", ...)` | Texts for tools of your own, kept in the field's table. |
///
/// A field can have these types: `bool`, integers but `u64`, `f32`, `f64`, `DataType`, `Device`, `Str`, `Bytes`, `Shape`,
/// `Tensor`, `Function`, `Any`, `ObjectRef`, every handle, enums without data that derive `Object`, and `Array`, `Map` and
/// `Option` of these.
///
/// ```compile_fail
/// # use object_core::prelude::*;
/// #[derive(Object)]
/// #[object(type_key = "demo.IntImm")]
/// #[structural_eq(tree)]
/// struct IntImmNode {
///     #[field(def)] // there are no variables in an integer
///     value: i64,
/// }
/// ```
///
/// # What there is afterwards
///
/// * `X::new(...)`: the arguments of `base_args`, then each own field without a default, in order. An argument is anything
///   that converts into the type of the field; for an `Option` it is the `Option` itself. Abstract types and singletons have
///   no `new`.
/// * `XNode::new_base(...)` for a `base`: the part of this type in an object of a type that extends it. Optional fields
///   are left out and empty.
/// * `X::get(key)` for singletons.
/// * `From<XNode> for X`; `From<X>` for the handle of every ancestor, for `ObjectRef` and for `Any`; `TryFrom` of the
///   parent's handle, of `ObjectRef` and of `Any` for `X`; `Clone` (a count), `Deref`, `Debug`, `Display`.
/// * Documentation comments of the struct and its fields, in the type's table.
///
/// # Enums
///
/// An enum without data becomes a field type: stored and shown as the number of its variant. It is also `Clone`; a type
/// key is not needed.
///
/// ```
/// # use object_core::prelude::*;
/// #[derive(Object, Clone, Copy, PartialEq, Debug)]
/// enum ForKind {
///     Serial = 0,
///     Parallel = 1,
/// }
///
/// assert_eq!(ForKind::try_from(Any::Int(1)).unwrap(), ForKind::Parallel);
/// ```
#[proc_macro_derive(Object, attributes(object, structural_eq, field))]
pub fn derive_object(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive(input.into()).into()
}

/// Makes the `pub` functions of an `impl` block found by reflection: methods and static functions of the handle's type.
///
/// ```
/// use object_core::prelude::*;
///
/// #[derive(Object)]
/// #[object(type_key = "demo.Expr", base)]
/// pub struct ExprNode {}
///
/// #[derive(Object)]
/// #[object(type_key = "demo.IntImm", parent = ExprNode)]
/// #[structural_eq(tree)]
/// pub struct IntImmNode {
///     pub base: ExprNode,
///     pub value: i64,
/// }
///
/// #[object_methods]
/// impl IntImm {
///     /// The sum of both, if it is in range.
///     pub fn plus(&self, other: &IntImm) -> Result<IntImm, Error> {
///         let sum = self.value.checked_add(other.value);
///         sum.map(IntImm::new).ok_or_else(|| Error::new(ErrorKind::OutOfRange, "the sum is too large"))
///     }
///
///     /// The number that `text` writes.
///     #[method(rename = "parse")]
///     pub fn from_text(text: &str) -> Option<IntImm> {
///         text.parse::<i64>().ok().map(IntImm::new)
///     }
/// }
///
/// let two: ObjectRef = IntImm::new(2).into();
/// let four: IntImm = two.call_method("plus", &[AnyView::Object(two.view())])?.to()?;
/// assert_eq!(four.value, 4);
///
/// let info = two.type_info();
/// let five = info.method("parse")?.call(&[Any::from("5").view()])?;
/// assert_eq!(five.to::<IntImm>()?.value, 5);
/// assert_eq!(format!("{:?}", info.method("parse")?), "demo.IntImm.parse(text: ffi.String) -> Optional<demo.IntImm>");
/// # Ok::<(), Error>(())
/// ```
///
/// Descendants inherit what the type has, and override it with functions of the same name. One block of a type is
/// annotated. Its functions that are not `pub` stay as they are.
///
/// Arguments are of field types, or references to them; `&str` is a `Str` in reflection. A result is of a field type, a
/// reference to one, nothing, or a `Result` of one. Documentation and the names of the arguments are kept.
///
/// | word | meaning |
/// |---|---|
/// | `#[method(skip)]` on a function | Reflection does not see it. |
/// | `#[method(rename = "name")]` on a function | Its name in reflection. |
/// | `#[object_methods(crate = path)]` | Where `object_core` is found, if not at `::object_core`. |
#[proc_macro_attribute]
pub fn object_methods(args: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    methods::object_methods(args.into(), &item.into()).into()
}

/// The whole way of a type: input, model, check, and expansion or its fallback.
fn derive(tokens: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(tokens) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    check::item(&input, &mut errors);
    let code = match &input.data {
        Data::Struct(data) => {
            let node = build::node(&input, &data.fields, &mut errors);
            check::node(&node, &mut errors);
            if errors.is_empty() {
                expand::node(&node)
            } else if input.generics.params.is_empty() {
                fallback::node(node)
            } else {
                TokenStream::new()
            }
        }
        Data::Enum(data) => {
            let (item, object) = build::enumeration(&input, data, &mut errors);
            check::enumeration(&input, data, &object, &mut errors);
            if errors.is_empty() {
                expand::enums::enumeration(&item)
            } else if input.generics.params.is_empty() {
                fallback::enumeration(&item)
            } else {
                TokenStream::new()
            }
        }
        Data::Union(_) => TokenStream::new(),
    };
    let errors = errors.to_compile_errors();
    quote!(#errors #code)
}

#[cfg(test)]
mod tests;

//! A declared type as the data that checks and expansion work on.

use proc_macro2::TokenStream;
use syn::{Expr, Ident, Path, Type, Variant, Visibility};

use crate::contents::Contents;
use crate::docs::Docs;
use crate::evolution::Evolution;
use crate::field_words::{FieldArgs, FieldMeta};
use crate::input::{Args, ObjectArgs, StructuralEqArgs};
use crate::lints::Lints;
use crate::names::unraw;
use crate::pairs::Pairs;
use crate::syntax::Syntax;

/// A node struct.
pub(crate) struct Node {
    pub(crate) ident: Ident,
    pub(crate) handle: Ident,
    pub(crate) vis: Visibility,
    pub(crate) docs: Docs,
    pub(crate) lints: Lints,
    /// The path of the core crate.
    pub(crate) krate: Path,
    pub(crate) object: Args<ObjectArgs>,
    pub(crate) structural_eq: Args<StructuralEqArgs>,
    pub(crate) kind: Option<Kind>,
    pub(crate) eq: HandleEq,
    pub(crate) new: Constructor,
    /// The name of the trait that sets the fields of this base.
    pub(crate) setters: Option<Ident>,
    pub(crate) parent: Option<Path>,
    pub(crate) base_args: Vec<Arg>,
    /// The contents that `may_contain` declares.
    pub(crate) may_contain: Option<Contents>,
    pub(crate) pairs: Pairs,
    /// The words about files of earlier declarations.
    pub(crate) evolution: Evolution,
    pub(crate) same_len: Vec<SameLen>,
    pub(crate) syntax: Option<Syntax>,
    /// The field that holds the parent's part, if there is a parent.
    pub(crate) base_field: Option<Field>,
    /// Whether `base_field` is before all other fields.
    pub(crate) base_is_first: bool,
    /// All other fields.
    pub(crate) fields: Vec<Field>,
    /// The fields that only the operations on memory see.
    pub(crate) skipped: Vec<Field>,
}

/// The fields of a `same_len`.
pub(crate) struct SameLen {
    pub(crate) tokens: TokenStream,
    pub(crate) names: Vec<Ident>,
}

/// A field of a node struct.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    /// The reflected name.
    pub(crate) name: String,
    /// The type as written, with the node's name for `Self`.
    pub(crate) ty: Type,
    pub(crate) docs: Docs,
    pub(crate) args: Args<FieldArgs>,
    pub(crate) default: Default,
    /// The annotations that the table keeps.
    pub(crate) meta: FieldMeta,
}

/// The default of a field.
pub(crate) enum Default {
    /// The field is required.
    Required,
    /// `Default::default()` of its type.
    Standard,
    /// The value of an expression.
    Expr(Box<Expr>),
}

/// The kinds of structural equality.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Tree,
    ConstTree,
    Dag,
    Var,
    Singleton,
    None,
}

impl Kind {
    pub(crate) const ALL: [Kind; 6] = [Kind::Tree, Kind::ConstTree, Kind::Dag, Kind::Var, Kind::Singleton, Kind::None];

    /// The word in `#[structural_eq(...)]`.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::Tree => "tree",
            Kind::ConstTree => "const_tree",
            Kind::Dag => "dag",
            Kind::Var => "var",
            Kind::Singleton => "singleton",
            Kind::None => "none",
        }
    }

    /// The name of the runtime's variant.
    pub(crate) fn variant(self) -> &'static str {
        match self {
            Kind::Tree => "TreeNode",
            Kind::ConstTree => "ConstTreeNode",
            Kind::Dag => "DagNode",
            Kind::Var => "FreeVar",
            Kind::Singleton => "UniqueInstance",
            Kind::None => "Unsupported",
        }
    }
}

/// `==` and `Hash` of the handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HandleEq {
    /// As the parent; without a parent by identity.
    Inherited,
    Structural,
    /// The user writes them.
    None,
}

/// The constructor of the handle.
pub(crate) enum Constructor {
    /// `X::new`, for all.
    Public,
    /// A function with this name for the module of the type, whose `new` the user writes.
    Private(Ident),
    None,
}

/// An argument of the parent's part.
pub(crate) struct Arg {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
}

/// An enum.
pub(crate) struct Enum {
    pub(crate) ident: Ident,
    pub(crate) docs: Docs,
    pub(crate) lints: Lints,
    pub(crate) krate: Path,
    pub(crate) object: Args<ObjectArgs>,
    pub(crate) variants: Vec<Variant>,
    /// The words of each variant.
    pub(crate) variant_args: Vec<Args<ObjectArgs>>,
}

/// An enum with one value in each variant.
pub(crate) struct Sum {
    pub(crate) ident: Ident,
    pub(crate) variants: Vec<(Ident, Type)>,
}

impl Node {
    /// Whether other types may extend this one.
    pub(crate) fn is_base(&self) -> bool {
        self.object.values.base.is_present()
    }

    /// A base without a kind of equality has no instances of its own.
    pub(crate) fn is_abstract(&self) -> bool {
        self.is_base() && self.kind.is_none()
    }

    pub(crate) fn is_opaque(&self) -> bool {
        self.object.values.opaque.is_present()
    }

    pub(crate) fn is_singleton(&self) -> bool {
        self.kind == Some(Kind::Singleton)
    }

    /// Whether the key of the instances is the key of the parent.
    pub(crate) fn inherits_key(&self) -> bool {
        let args = &self.structural_eq.values;
        self.is_singleton() && self.parent.is_some() && args.key.is_none() && args.table.is_some()
    }

    pub(crate) fn is_custom(&self) -> bool {
        self.structural_eq.values.custom.is_present()
    }

    pub(crate) fn is_scope(&self) -> bool {
        self.structural_eq.values.scope.is_present()
    }

    /// Whether the handle has a constructor: there are objects of exactly this type, and the user may make them.
    pub(crate) fn is_constructible(&self) -> bool {
        !self.is_abstract() && !self.is_singleton()
    }

    /// Whether the handle has the generated `Display`.
    pub(crate) fn has_display(&self) -> bool {
        self.object.values.display.is_none()
    }

    /// The own fields that reflection sees.
    pub(crate) fn reflected(&self) -> &[Field] {
        if self.is_opaque() { &[] } else { &self.fields }
    }

    /// The own field with the Rust name or the reflected name `name`.
    pub(crate) fn field(&self, name: &Ident) -> Option<&Field> {
        let by_ident = self.fields.iter().find(|field| unraw(&field.ident) == unraw(name));
        by_ident.or_else(|| self.fields.iter().find(|field| field.name == unraw(name)))
    }
}

impl Node {
    /// The reflected name of the own or inherited field `name`.
    pub(crate) fn reflected_name(&self, name: &Ident) -> String {
        self.field(name).map_or_else(|| unraw(name), |field| field.name.clone())
    }

    /// Whether the declaration itself has words about the values of its objects.
    pub(crate) fn has_checks(&self) -> bool {
        !self.same_len.is_empty() || self.reflected().iter().any(|field| !field.meta.values.is_empty())
    }
}

impl Field {
    /// Whether the type is written as `Option<..>`.
    pub(crate) fn is_option(&self) -> bool {
        crate::types::is_option(&self.ty)
    }

    /// Whether the field holds a value that depends on other fields.
    pub(crate) fn is_cache(&self) -> bool {
        self.args.values.cache.is_present()
    }

    /// Whether the field is outside of the scope of the variables that later fields bind.
    pub(crate) fn is_outer(&self) -> bool {
        self.args.values.outer.is_present()
    }

    pub(crate) fn is_required(&self) -> bool {
        matches!(self.default, Default::Required)
    }

    /// The tokens of the field's reflected name.
    pub(crate) fn name_tokens(&self) -> TokenStream {
        if self.args.values.rename.is_some() {
            self.args.tokens_of("rename")
        } else {
            quote::ToTokens::to_token_stream(&self.ident)
        }
    }
}

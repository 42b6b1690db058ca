//! Collects the local names of an item, which hide the names of its module.

use std::collections::HashSet;

use syn::Item;
use syn::visit::{self, Visit};

use crate::modules::{Import, add_imports};

/// The local names of a function or another item.
#[derive(Default)]
pub(crate) struct Scope {
    /// Local variables, type parameters, nested items.
    pub(crate) declared: HashSet<String>,
    /// The `use` declarations in the item.
    pub(crate) imports: Vec<Import>,
}

/// Collects a [`Scope`] from an item, without the functions of its implementation, which are separate scopes.
pub(crate) struct ScopeOf {
    /// The declarations found so far.
    pub(crate) scope: Scope,
    /// Whether the walk started at a function, whose declarations it collects.
    pub(crate) in_function: bool,
}

impl<'ast> Visit<'ast> for ScopeOf {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        let name = pat.ident.to_string();
        if name.starts_with(|first: char| first.is_lowercase() || first == '_') {
            self.scope.declared.insert(name);
        }
        visit::visit_pat_ident(self, pat);
    }

    fn visit_type_param(&mut self, param: &'ast syn::TypeParam) {
        self.scope.declared.insert(param.ident.to_string());
    }

    fn visit_const_param(&mut self, param: &'ast syn::ConstParam) {
        self.scope.declared.insert(param.ident.to_string());
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        add_imports(&item.tree, &mut Vec::new(), false, &mut self.scope.imports);
    }

    fn visit_stmt(&mut self, stmt: &'ast syn::Stmt) {
        if let syn::Stmt::Item(item) = stmt {
            let ident = match item {
                Item::Const(it) => Some(&it.ident),
                Item::Enum(it) => Some(&it.ident),
                Item::Fn(it) => Some(&it.sig.ident),
                Item::Static(it) => Some(&it.ident),
                Item::Struct(it) => Some(&it.ident),
                Item::Trait(it) => Some(&it.ident),
                Item::Type(it) => Some(&it.ident),
                _ => None,
            };
            self.scope.declared.extend(ident.map(ToString::to_string));
        }
        visit::visit_stmt(self, stmt);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if self.in_function {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if self.in_function {
            visit::visit_trait_item_fn(self, item);
        }
    }
}

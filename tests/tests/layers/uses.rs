//! Finds every use of another file's item in the sources of a crate: in `use` declarations, paths, and macros.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use proc_macro2::TokenStream;
use syn::visit::{self, Visit};
use syn::{Item, Macro};

use crate::modules::{FileId, Import, ModuleId, exported_macro, is_test};
use crate::names::{Names, Target, segments, type_path};
use crate::scope::{Scope, ScopeOf};
use crate::tokens::{QUOTING, TokenPath, token_paths};

/// The uses of a crate.
#[derive(Default)]
pub(crate) struct Uses {
    /// By using file and defining file, the used names, each with the line of its first use.
    pub(crate) edges: BTreeMap<(FileId, FileId), BTreeMap<String, usize>>,
    /// As `edges`, for calls of methods whose name only one type of the crate has, if another file defines the type.
    /// This is only a hint, because the test does not infer the types of receivers.
    pub(crate) methods: BTreeMap<(FileId, FileId), BTreeMap<String, usize>>,
}

/// Collects the uses of a crate.
pub(crate) fn collect(names: &Names<'_>) -> Uses {
    let mut uses = Uses::default();
    let exported = exported_paths(names);
    for (id, module) in names.modules.modules.iter().enumerate() {
        let mut walker =
            Walker { names, module: id, scopes: Vec::new(), self_type: None, exported: &exported, uses: &mut uses };
        for import in &module.imports {
            walker.add_import(import);
        }
        for item in &module.items {
            walker.visit_item(item);
        }
    }
    uses
}

/// The `$crate` paths in the bodies of exported macros, by macro. Such a macro uses these paths at its call.
fn exported_paths(names: &Names<'_>) -> HashMap<String, Vec<TokenPath>> {
    let mut exported = HashMap::<String, Vec<TokenPath>>::new();
    for item in names.modules.modules.iter().flat_map(|module| &module.items) {
        if let (Some(name), Item::Macro(item)) = (exported_macro(item), item) {
            let mut paths = Vec::new();
            token_paths(item.mac.tokens.clone(), &mut paths);
            paths.retain(|path| path.segments[0] == "crate");
            exported.entry(name).or_default().extend(paths);
        }
    }
    exported
}

struct Walker<'a> {
    names: &'a Names<'a>,
    module: ModuleId,
    scopes: Vec<Scope>,
    /// The type of the current implementation.
    self_type: Option<Vec<String>>,
    exported: &'a HashMap<String, Vec<TokenPath>>,
    uses: &'a mut Uses,
}

impl Walker<'_> {
    fn file(&self, module: ModuleId) -> FileId {
        self.names.modules.modules[module].file
    }

    /// An import is a use, unless it re-exports items of the module's own descendants.
    fn add_import(&mut self, import: &Import) {
        let targets = self.names.resolve(self.module, &import.path);
        if import.name.is_none() {
            for target in targets {
                match target {
                    // Names from an enclosing module count where they are used.
                    Target::Module(module) if !self.names.modules.is_within(self.module, module) => {
                        let own = import.visible && self.names.modules.is_within(module, self.module);
                        if !own {
                            self.add_edge(self.file(module), "*", import.line);
                        }
                    }
                    Target::Module(_) => {}
                    other => self.add_target(&other, import.line),
                }
            }
            return;
        }
        for target in targets {
            let own = match &target {
                Target::Item { module, .. } | Target::Unknown { module, .. } => {
                    self.names.modules.is_within(*module, self.module)
                }
                _ => false,
            };
            if !(import.visible && own) {
                self.add_target(&target, import.line);
            }
        }
    }

    fn add_target(&mut self, target: &Target, line: usize) {
        match target {
            Target::Module(_) => {}
            Target::Unknown { module, name } => self.add_edge(self.file(*module), name, line),
            Target::Item { module, name, rest } => {
                let elsewhere = match rest.first() {
                    Some(item) => self.names.associated(*module, name, item).collect::<Vec<_>>(),
                    None => Vec::new(),
                };
                self.add_edge(self.file(*module), name, line);
                for file in elsewhere {
                    if file != self.file(*module) {
                        self.add_edge(file, &format!("{name}::{}", rest[0]), line);
                    }
                }
            }
        }
    }

    fn add_edge(&mut self, to: FileId, name: &str, line: usize) {
        let from = self.file(self.module);
        if from != to {
            self.uses.edges.entry((from, to)).or_default().entry(name.to_owned()).or_insert(line);
        }
    }

    /// Adds the items that a path in code names.
    fn add_path(&mut self, path: &[String], line: usize) {
        let mut path = path.to_vec();
        if path[0] == "Self" {
            let Some(self_type) = self.self_type.clone().filter(|_| path.len() > 1) else { return };
            path.splice(..1, self_type);
        }
        for scope in self.scopes.iter().rev() {
            if scope.declared.contains(&path[0])
                && (path.len() == 1 || path[0].starts_with(|first: char| first.is_uppercase()))
            {
                return;
            }
            if let Some(import) = scope.imports.iter().find(|import| import.name.as_ref() == Some(&path[0])) {
                path.splice(..1, import.path.clone());
                break;
            }
        }
        for target in self.names.resolve(self.module, &path) {
            self.add_target(&target, line);
        }
    }

    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut paths = Vec::new();
        token_paths(tokens, &mut paths);
        for path in paths {
            self.add_token_path(&path);
        }
    }

    fn add_token_path(&mut self, path: &TokenPath) {
        self.add_path(&path.segments, path.line);
        if path.is_macro {
            self.add_expansion(&path.segments, path.line);
        }
    }

    /// Adds the items that the expansion of an exported macro uses.
    fn add_expansion(&mut self, name: &[String], line: usize) {
        let last = name.last().map_or("", String::as_str);
        let exported: BTreeSet<_> =
            self.exported.get(last).into_iter().flatten().map(|path| path.segments.clone()).collect();
        for path in exported {
            self.add_path(&path, line);
        }
    }

    fn in_scope(&mut self, collect: impl FnOnce(&mut ScopeOf), in_function: bool, walk: impl FnOnce(&mut Self)) {
        let mut scope = ScopeOf { scope: Scope::default(), in_function };
        collect(&mut scope);
        for import in &scope.scope.imports {
            self.add_import(import);
        }
        self.scopes.push(scope.scope);
        walk(self);
        self.scopes.pop();
    }
}

impl<'ast> Visit<'ast> for Walker<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            // Imports were added before; nested modules are walked separately.
            Item::Use(_) | Item::Mod(_) | Item::ExternCrate(_) => {}
            Item::Macro(it) if it.ident.is_some() => {
                let mut paths = Vec::new();
                token_paths(it.mac.tokens.clone(), &mut paths);
                let exported = exported_macro(item).is_some();
                for path in paths.iter().filter(|path| !exported || path.segments[0] != "crate") {
                    self.add_token_path(path);
                }
            }
            _ => {
                let outer = self.self_type.take();
                self.self_type = match item {
                    Item::Impl(it) => type_path(&it.self_ty),
                    _ => None,
                };
                self.in_scope(
                    |scope| scope.visit_item(item),
                    matches!(item, Item::Fn(_)),
                    |walker| visit::visit_item(walker, item),
                );
                self.self_type = outer;
            }
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_test(&item.attrs) {
            self.in_scope(
                |scope| visit::visit_impl_item_fn(scope, item),
                true,
                |walker| visit::visit_impl_item_fn(walker, item),
            );
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.in_scope(
            |scope| visit::visit_trait_item_fn(scope, item),
            true,
            |walker| visit::visit_trait_item_fn(walker, item),
        );
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.add_path(&segments(path), path.segments[0].ident.span().start().line);
        visit::visit_path(self, path);
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        let name = pat.ident.to_string();
        // In a pattern, a constant has the same syntax as a variable.
        if name.starts_with(char::is_uppercase) {
            self.add_path(&[name], pat.ident.span().start().line);
        }
        visit::visit_pat_ident(self, pat);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        let path = segments(&mac.path);
        let line = mac.path.segments[0].ident.span().start().line;
        self.add_path(&path, line);
        self.add_expansion(&path, line);
        if !path.last().is_some_and(|name| QUOTING.contains(&name.as_str())) {
            self.add_tokens(mac.tokens.clone());
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let name = call.method.to_string();
        let from = self.file(self.module);
        if let Some(to) = self.names.distant_method(&name).filter(|to| *to != from) {
            let line = call.method.span().start().line;
            self.uses.methods.entry((from, to)).or_default().entry(format!(".{name}()")).or_insert(line);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
}

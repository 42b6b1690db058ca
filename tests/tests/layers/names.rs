//! Resolves paths to the modules that define the named items, through imports, re-exports and globs.

use std::collections::{BTreeSet, HashMap};

use syn::{Item, Type};

use crate::modules::{FileId, Kind, ModuleId, Modules};

/// The meaning of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Target {
    /// A module of the crate.
    Module(ModuleId),
    /// An item of the crate, by the module that declares it, and the segments of the path after it.
    Item {
        /// The declaring module.
        module: ModuleId,
        /// The declared name.
        name: String,
        /// An associated item or variant, if the path continues.
        rest: Vec<String>,
    },
    /// A name that the module should have but that the sources do not show, for example because a macro declares it.
    Unknown {
        /// The module.
        module: ModuleId,
        /// The name.
        name: String,
    },
}

/// Resolves paths in one crate.
pub(crate) struct Names<'a> {
    /// The crate.
    pub(crate) modules: &'a Modules,
    /// The files with an inherent associated item: by module and name of the type, and name of the item.
    associated: HashMap<(ModuleId, String, String), BTreeSet<FileId>>,
    /// The number of functions with a name, over all types and traits.
    methods: HashMap<String, usize>,
}

/// The imports under resolution, by module and index, so that circular imports end.
type Open = Vec<(ModuleId, usize)>;

impl<'a> Names<'a> {
    /// Prepares the look-up of names in a crate.
    pub(crate) fn new(modules: &'a Modules) -> Self {
        let mut names = Names { modules, associated: HashMap::new(), methods: HashMap::new() };
        for (id, module) in modules.modules.iter().enumerate() {
            for item in &module.items {
                names.add_associated(id, item);
            }
        }
        names
    }

    fn add_associated(&mut self, id: ModuleId, item: &Item) {
        let mut count = |name: &syn::Ident| *self.methods.entry(name.to_string()).or_default() += 1;
        match item {
            Item::Trait(item) => {
                for item in &item.items {
                    if let syn::TraitItem::Fn(item) = item {
                        count(&item.sig.ident);
                    }
                }
            }
            Item::Impl(item) => {
                let associated = item.items.iter().filter_map(|item| match item {
                    syn::ImplItem::Fn(it) => Some(&it.sig.ident),
                    syn::ImplItem::Const(it) => Some(&it.ident),
                    _ => None,
                });
                if item.trait_.is_some() {
                    return associated.for_each(count);
                }
                let Some(path) = type_path(&item.self_ty) else { return };
                let targets = self.resolve(id, &path);
                for ident in associated {
                    *self.methods.entry(ident.to_string()).or_default() += 1;
                    for target in &targets {
                        if let Target::Item { module, name, .. } = target {
                            let key = (*module, name.clone(), ident.to_string());
                            self.associated.entry(key).or_default().insert(self.modules.modules[id].file);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// The files that define an inherent associated item of a type.
    pub(crate) fn associated(&self, module: ModuleId, name: &str, item: &str) -> impl Iterator<Item = FileId> {
        self.associated.get(&(module, name.to_owned(), item.to_owned())).into_iter().flatten().copied()
    }

    /// The file with the only method of this name in the crate, if its type is defined in another file.
    pub(crate) fn distant_method(&self, method: &str) -> Option<FileId> {
        (self.methods.get(method) == Some(&1)).then_some(())?;
        let ((module, ..), files) = self.associated.iter().find(|((.., name), _)| name == method)?;
        files.first().copied().filter(|file| *file != self.modules.modules[*module].file)
    }

    /// The meanings of `path` in `module`: none for names of the standard library, of other crates and of variables.
    pub(crate) fn resolve(&self, module: ModuleId, path: &[String]) -> BTreeSet<Target> {
        self.resolve_path(module, path, &mut Vec::new())
    }

    fn resolve_path(&self, module: ModuleId, path: &[String], open: &mut Open) -> BTreeSet<Target> {
        let Some((first, rest)) = path.split_first() else { return BTreeSet::new() };
        let start = match first.as_str() {
            "crate" => BTreeSet::from([Target::Module(0)]),
            "self" => BTreeSet::from([Target::Module(module)]),
            "super" => self.modules.modules[module].parent.into_iter().map(Target::Module).collect(),
            // A path with `::` in front starts with the name of a crate.
            "" => {
                let Some((name, rest)) = rest.split_first() else { return BTreeSet::new() };
                return self.extend(&self.named_crate(name), rest, module, open);
            }
            name => {
                let local = self.lookup(module, name, module, open);
                if local.is_empty() { self.named_crate(name) } else { local }
            }
        };
        self.extend(&start, rest, module, open)
    }

    fn named_crate(&self, name: &str) -> BTreeSet<Target> {
        (name == self.modules.crate_name).then_some(Target::Module(0)).into_iter().collect()
    }

    /// Follows `rest` from each of `start`, through the names that `from` may use.
    fn extend(&self, start: &BTreeSet<Target>, rest: &[String], from: ModuleId, open: &mut Open) -> BTreeSet<Target> {
        let Some((next, after)) = rest.split_first() else { return start.clone() };
        let has_module = start.iter().any(|target| matches!(target, Target::Module(_)));
        let mut found = BTreeSet::new();
        for target in start {
            match target {
                Target::Module(module) if next == "super" => {
                    let parent = self.modules.modules[*module].parent.into_iter().map(Target::Module).collect();
                    found.extend(self.extend(&parent, after, from, open));
                }
                Target::Module(module) => {
                    let inner = self.lookup(*module, next, from, open);
                    if inner.is_empty() && !self.is_imported(*module, next) {
                        found.insert(Target::Unknown { module: *module, name: next.clone() });
                    } else {
                        found.extend(self.extend(&inner, after, from, open));
                    }
                }
                // The path continues in the module of the same name.
                Target::Item { .. } | Target::Unknown { .. } if has_module => {}
                Target::Item { module, name, rest: before } => {
                    let rest = before.iter().chain(rest).cloned().collect();
                    found.insert(Target::Item { module: *module, name: name.clone(), rest });
                }
                Target::Unknown { .. } => {
                    found.insert(target.clone());
                }
            }
        }
        found
    }

    /// Whether an import of another crate's item brings `name` into `module`. A glob may do so too, but a missing name
    /// is more often one that a macro declares.
    fn is_imported(&self, module: ModuleId, name: &str) -> bool {
        self.modules.modules[module].imports.iter().any(|import| import.name.as_deref() == Some(name))
    }

    /// The items called `name` in the module `id`, as `from` sees them.
    fn lookup(&self, id: ModuleId, name: &str, from: ModuleId, open: &mut Open) -> BTreeSet<Target> {
        let module = &self.modules.modules[id];
        let sees_all = self.modules.is_within(from, id);
        let mut found = BTreeSet::new();
        for declared in module.names.get(name).into_iter().flatten().filter(|it| it.visible || sees_all) {
            found.insert(match declared.kind {
                Kind::Module(child) => Target::Module(child),
                Kind::Item => Target::Item { module: id, name: name.to_owned(), rest: Vec::new() },
            });
        }
        let imports = || module.imports.iter().enumerate().filter(|(_, it)| it.visible || sees_all);
        for (index, import) in imports().filter(|(_, it)| it.name.as_deref() == Some(name)) {
            found.extend(self.follow(id, index, open, |open| self.resolve_path(id, &import.path, open)));
        }
        if found.is_empty() {
            for (index, glob) in imports().filter(|(_, it)| it.name.is_none()) {
                found.extend(self.follow(id, index, open, |open| {
                    let globbed = self.resolve_path(id, &glob.path, open);
                    let inner = globbed.iter().filter_map(|target| match target {
                        Target::Module(inner) => Some(self.lookup(*inner, name, from, open)),
                        _ => None,
                    });
                    inner.flatten().collect()
                }));
            }
        }
        if found.is_empty()
            && id == 0
            && let Some(exporter) = self.modules.exporter(name)
        {
            found.insert(Target::Item { module: exporter, name: name.to_owned(), rest: Vec::new() });
        }
        found
    }

    /// The result of `follow` for an import; nothing if a caller already resolves that import.
    fn follow(
        &self,
        module: ModuleId,
        import: usize,
        open: &mut Open,
        follow: impl FnOnce(&mut Open) -> BTreeSet<Target>,
    ) -> BTreeSet<Target> {
        if open.contains(&(module, import)) {
            return BTreeSet::new();
        }
        open.push((module, import));
        let found = follow(open);
        open.pop();
        found
    }
}

/// The path of a type that has one, without generic arguments.
pub(crate) fn type_path(ty: &Type) -> Option<Vec<String>> {
    match ty {
        Type::Path(path) if path.qself.is_none() => Some(segments(&path.path)),
        Type::Group(group) => type_path(&group.elem),
        Type::Paren(paren) => type_path(&paren.elem),
        _ => None,
    }
}

/// The segments of a path; the first one is empty if the path starts with `::`.
pub(crate) fn segments(path: &syn::Path) -> Vec<String> {
    let leading = path.leading_colon.as_ref().map(|_| String::new());
    leading.into_iter().chain(path.segments.iter().map(|segment| segment.ident.to_string())).collect()
}

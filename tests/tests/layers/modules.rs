//! The module tree of one crate, from its source files: the file of each module, and the names that it declares.

use std::collections::{BTreeMap, HashMap};

use syn::{Item, UseTree, Visibility};

/// The index of a file in [`Modules::files`].
pub(crate) type FileId = usize;

/// The index of a module in [`Modules::modules`].
pub(crate) type ModuleId = usize;

/// The modules of a crate. The first one is the root.
pub(crate) struct Modules {
    /// The name of the crate as paths spell it.
    pub(crate) crate_name: String,
    /// The paths of the files under `src/` that belong to the crate outside of tests.
    pub(crate) files: Vec<String>,
    /// All modules outside of tests, a parent before its children.
    pub(crate) modules: Vec<Module>,
}

/// A module, in a separate file or inline.
pub(crate) struct Module {
    /// The file that holds the module's items.
    pub(crate) file: FileId,
    /// The module that declares this one.
    pub(crate) parent: Option<ModuleId>,
    /// The declared names. Two namespaces may each have an item of the same name.
    pub(crate) names: HashMap<String, Vec<Declared>>,
    /// The `use` declarations, one entry for each imported name.
    pub(crate) imports: Vec<Import>,
    /// The items, without tests.
    pub(crate) items: Vec<Item>,
}

/// An item of a module.
#[derive(Clone, Copy)]
pub(crate) struct Declared {
    /// The kind of the item, which decides how to resolve the rest of a path.
    pub(crate) kind: Kind,
    /// Whether modules outside of the declaring one may name the item.
    pub(crate) visible: bool,
}

/// How to resolve the rest of a path after an item.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// As an item of the module.
    Module(ModuleId),
    /// As an associated item or a variant, if there is a rest.
    Item,
}

/// One name that a `use` declaration brings in, or a glob.
#[derive(Clone)]
pub(crate) struct Import {
    /// The name in the importing module; `None` for a glob.
    pub(crate) name: Option<String>,
    /// The path of the imported item, or of the module whose items the glob imports.
    pub(crate) path: Vec<String>,
    /// Whether modules outside of the importing one may use the name.
    pub(crate) visible: bool,
    /// The line of the imported name.
    pub(crate) line: usize,
}

impl Modules {
    /// Parses a crate. `sources` has the text of each file by its path under `src/`; `root` is the path of the root
    /// file.
    ///
    /// # Errors
    /// A file that does not parse, or a module without a file.
    pub(crate) fn parse(crate_name: &str, root: &str, sources: &BTreeMap<String, String>) -> Result<Self, String> {
        let mut modules = Modules { crate_name: crate_name.to_owned(), files: Vec::new(), modules: Vec::new() };
        modules.add_file(root, "", None, sources)?;
        Ok(modules)
    }

    /// Whether `module` is `ancestor` or lies in it.
    pub(crate) fn is_within(&self, module: ModuleId, ancestor: ModuleId) -> bool {
        let mut at = Some(module);
        while let Some(id) = at {
            if id == ancestor {
                return true;
            }
            at = self.modules[id].parent;
        }
        false
    }

    /// Adds the module in the file `path`, whose children are files in `folder`.
    fn add_file(
        &mut self,
        path: &str,
        folder: &str,
        parent: Option<ModuleId>,
        sources: &BTreeMap<String, String>,
    ) -> Result<ModuleId, String> {
        let text = sources.get(path).ok_or_else(|| format!("src/{path}: the file of a module is missing"))?;
        let parsed = syn::parse_file(text)
            .map_err(|error| format!("src/{path}:{}: cannot parse the file: {error}", error.span().start().line))?;
        self.files.push(path.to_owned());
        self.add_module(parsed.items, self.files.len() - 1, folder, parent, sources)
    }

    /// Adds a module with `items` that are in `file`.
    fn add_module(
        &mut self,
        mut items: Vec<Item>,
        file: FileId,
        folder: &str,
        parent: Option<ModuleId>,
        sources: &BTreeMap<String, String>,
    ) -> Result<ModuleId, String> {
        items.retain(|item| !is_test(attributes(item)));
        let id = self.modules.len();
        let (mut names, mut imports) = (HashMap::<String, Vec<Declared>>::new(), Vec::new());
        self.modules.push(Module { file, parent, names: HashMap::new(), imports: Vec::new(), items: Vec::new() });
        for item in &mut items {
            if let Some((name, visible)) = declared_name(item) {
                names.entry(name).or_default().push(Declared { kind: Kind::Item, visible });
            }
            match item {
                Item::Use(item) => {
                    add_imports(&item.tree, &mut Vec::new(), is_visible(&item.vis), &mut imports);
                }
                Item::Mod(item) => {
                    let name = item.ident.to_string();
                    let folder = format!("{folder}{name}/");
                    let child = match item.content.take() {
                        Some((_, items)) => self.add_module(items, file, &folder, Some(id), sources)?,
                        None => {
                            let flat = format!("{}.rs", &folder[..folder.len() - 1]);
                            let path = if sources.contains_key(&flat) { flat } else { format!("{folder}mod.rs") };
                            self.add_file(&path, &folder, Some(id), sources)?
                        }
                    };
                    let visible = is_visible(&item.vis);
                    names.entry(name).or_default().push(Declared { kind: Kind::Module(child), visible });
                }
                _ => {}
            }
        }
        self.modules[id] = Module { file, parent, names, imports, items };
        Ok(id)
    }

    /// The module with the `#[macro_export]` macro `name`.
    pub(crate) fn exporter(&self, name: &str) -> Option<ModuleId> {
        self.modules.iter().position(|module| module.items.iter().any(|it| exported_macro(it).as_deref() == Some(name)))
    }
}

/// The name of an item with `#[macro_export]`.
pub(crate) fn exported_macro(item: &Item) -> Option<String> {
    match item {
        Item::Macro(item) if item.attrs.iter().any(|attr| attr.path().is_ident("macro_export")) => {
            item.ident.as_ref().map(ToString::to_string)
        }
        _ => None,
    }
}

/// Whether the attributes restrict an item to tests: a `cfg` with `test` that is not under `not`.
pub(crate) fn is_test(attributes: &[syn::Attribute]) -> bool {
    fn names_test(tokens: proc_macro2::TokenStream) -> bool {
        let mut after_not = false;
        tokens.into_iter().any(|token| match token {
            proc_macro2::TokenTree::Ident(ident) => {
                after_not = ident == "not";
                ident == "test"
            }
            proc_macro2::TokenTree::Group(group) => !after_not && names_test(group.stream()),
            _ => false,
        })
    }
    attributes.iter().any(|attr| {
        attr.path().is_ident("test")
            || attr.path().is_ident("cfg") && attr.meta.require_list().is_ok_and(|list| names_test(list.tokens.clone()))
    })
}

fn attributes(item: &Item) -> &[syn::Attribute] {
    match item {
        Item::Const(it) => &it.attrs,
        Item::Enum(it) => &it.attrs,
        Item::ExternCrate(it) => &it.attrs,
        Item::Fn(it) => &it.attrs,
        Item::Impl(it) => &it.attrs,
        Item::Macro(it) => &it.attrs,
        Item::Mod(it) => &it.attrs,
        Item::Static(it) => &it.attrs,
        Item::Struct(it) => &it.attrs,
        Item::Trait(it) => &it.attrs,
        Item::Type(it) => &it.attrs,
        Item::Union(it) => &it.attrs,
        Item::Use(it) => &it.attrs,
        _ => &[],
    }
}

/// The name that an item other than a module or a `use` declares, and whether it is visible outside of its module.
fn declared_name(item: &Item) -> Option<(String, bool)> {
    let (ident, vis) = match item {
        Item::Const(it) => (&it.ident, &it.vis),
        Item::Enum(it) => (&it.ident, &it.vis),
        Item::Fn(it) => (&it.sig.ident, &it.vis),
        // A `use` can make a macro visible that has no `#[macro_export]`.
        Item::Macro(it) => return it.ident.as_ref().map(|ident| (ident.to_string(), true)),
        Item::Static(it) => (&it.ident, &it.vis),
        Item::Struct(it) => (&it.ident, &it.vis),
        Item::Trait(it) => (&it.ident, &it.vis),
        Item::Type(it) => (&it.ident, &it.vis),
        Item::Union(it) => (&it.ident, &it.vis),
        _ => return None,
    };
    (ident != "_").then(|| (ident.to_string(), is_visible(vis)))
}

fn is_visible(vis: &Visibility) -> bool {
    !matches!(vis, Visibility::Inherited)
}

/// Adds the imports of `tree` after the path `prefix`.
pub(crate) fn add_imports(tree: &UseTree, prefix: &mut Vec<String>, visible: bool, imports: &mut Vec<Import>) {
    let mut add = |name: Option<String>, last: Option<&syn::Ident>, line: usize| {
        let mut path = prefix.clone();
        // `use a::b::{self}` imports `a::b`.
        path.extend(last.filter(|last| prefix.is_empty() || *last != "self").map(ToString::to_string));
        let name = name.map(|name| if name == "self" { path.last().cloned().unwrap_or_default() } else { name });
        imports.push(Import { name, path, visible, line });
    };
    match tree {
        UseTree::Name(it) => add(Some(it.ident.to_string()), Some(&it.ident), it.ident.span().start().line),
        UseTree::Rename(it) => add(Some(it.rename.to_string()), Some(&it.ident), it.ident.span().start().line),
        UseTree::Glob(it) => add(None, None, it.star_token.spans[0].start().line),
        UseTree::Path(it) => {
            prefix.push(it.ident.to_string());
            add_imports(&it.tree, prefix, visible, imports);
            prefix.pop();
        }
        UseTree::Group(it) => it.items.iter().for_each(|tree| add_imports(tree, prefix, visible, imports)),
    }
}

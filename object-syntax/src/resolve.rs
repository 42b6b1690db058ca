//! [`Resolver`]: makes the objects of a tree, and finds the variable that each name means.

use std::ops::Range;

use object_core::access_path::{AccessPath, AccessStep};
use object_core::object::{FieldRole, TypeInfo, object_of_key};
use object_core::print::{Path, Paths};
use object_core::stack_budget::with_stack;
use object_core::table::Table;
use object_core::{Any, Array, ErrorKind, Map, ObjectBuilder, Str, brief_to, nearest};

use crate::diagnostic::Diagnostic;
use crate::grammar::Grammar;
use crate::scope::Scope;
use crate::tree::{Tree, TreeId, Trees};

/// How a name stands at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Binding {
    /// It means a variable that is in scope.
    Use,
    /// It introduces a variable, and the names in the fields of the variable too, if they are not in scope.
    Define,
    /// It introduces a variable.
    DefineAlone,
    /// It means a variable that is in scope, or else introduces one.
    UseOrDefine,
}

/// The state of making the objects of one text.
pub(crate) struct Resolver<'t> {
    grammar: &'t Grammar,
    trees: &'t Trees,
    has_free_variables: bool,
    /// The variables in scope; `None` for one with a mistake in its definition.
    scope: Scope<Option<Any>>,
    /// The free variables, by name.
    free: Table<String, Any>,
    /// The shared objects with numbers.
    marks: Table<u32, Option<Any>>,
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) paths: Paths,
    pub(crate) spans: Vec<(Range<usize>, Path)>,
}

impl<'t> Resolver<'t> {
    pub(crate) fn new(grammar: &'t Grammar, trees: &'t Trees, has_free_variables: bool) -> Self {
        Resolver {
            grammar,
            trees,
            has_free_variables,
            scope: Scope::default(),
            free: Table::default(),
            marks: Table::default(),
            errors: Vec::new(),
            paths: Paths::new(true),
            spans: Vec::new(),
        }
    }

    /// The value of the tree `root`; `None` after a mistake.
    pub(crate) fn run(&mut self, root: TreeId) -> Option<Any> {
        self.value(root, Binding::Use, Path::ROOT)
    }

    fn report(&mut self, kind: ErrorKind, range: &Range<usize>, message: impl Into<String>) -> Option<Any> {
        self.errors.push(Diagnostic::new(kind, range.clone(), message));
        None
    }

    fn value(&mut self, id: TreeId, binding: Binding, path: Path) -> Option<Any> {
        let (tree, range) = self.trees.get(id);
        let value = match tree {
            Tree::Missing => None,
            Tree::Value(value) => Some(value.clone()),
            Tree::Name(name, category) => {
                let production = self.grammar.categories[*category].variables.first().copied();
                production.and_then(|production| self.variable(name, production, range))
            }
            Tree::Object { production, fields } => {
                with_stack(|| self.object(*production, fields, range, binding, path))
            }
            Tree::List(items) => {
                let mut values = Vec::with_capacity(items.len());
                for (index, item) in items.iter().enumerate() {
                    let path = self.paths.item(path, index);
                    values.push(self.value(*item, binding, path));
                }
                let values: Option<Vec<Any>> = values.into_iter().collect();
                values.map(|values| Array::from_anys(values).into())
            }
            Tree::Map(entries) => self.map(entries, binding, path),
            Tree::Marked(number, tree) => {
                if self.marks.insert(*number, None).is_some() {
                    let message =
                        format!("the number `%{number}` is given twice; after the first time it stands alone");
                    return self.report(ErrorKind::DuplicateKey, range, message);
                }
                let value = self.value(*tree, binding, path);
                self.marks.insert(*number, value.clone());
                value
            }
            Tree::Mark(number) => match self.marks.get(number) {
                Some(Some(value)) => Some(value.clone()),
                Some(None) => None,
                None => {
                    let message = format!("no object before this place has the number `%{number}`");
                    return self.report(ErrorKind::BadReference, range, message);
                }
            },
        };
        self.spans.push((range.clone(), path));
        value
    }

    fn map(&mut self, entries: &[(TreeId, TreeId)], binding: Binding, path: Path) -> Option<Any> {
        let mut all = Some(Vec::with_capacity(entries.len()));
        let mut known = Table::default();
        for (key_id, value_id) in entries {
            // A key has no place of its own in a path.
            let key = self.value(*key_id, binding, path);
            let Some(key) = key else {
                all = None;
                continue;
            };
            if known.insert(key.to_string(), ()).is_some() {
                let range = self.trees.get(*key_id).1.clone();
                self.report(ErrorKind::DuplicateKey, &range, format!("the key {key} stands twice"));
                all = None;
            }
            let path = self.paths.entry(path, key.view());
            match (self.value(*value_id, binding, path), &mut all) {
                (Some(value), Some(all)) => all.push((key, value)),
                _ => all = None,
            }
        }
        all.map(|entries| Map::<Any, Any>::new(entries).into())
    }

    /// The variable that `name` means.
    fn variable(&mut self, name: &str, production: usize, range: &Range<usize>) -> Option<Any> {
        if let Some(variable) = self.scope.get(name) {
            return variable.clone();
        }
        if let Some(variable) = self.free.get(name) {
            return Some(variable.clone());
        }
        if self.has_free_variables {
            let made = self.free_variable(production, name);
            return match made {
                Ok(variable) => {
                    self.free.insert(name.to_owned(), variable.clone());
                    Some(variable)
                }
                Err(error) => self.report(error.kind(), range, error.message()),
            };
        }
        let hint = nearest(name, self.scope.names()).map(|near| format!("did you mean `{near}`?"));
        let message = format!("nothing binds the name `{}` here", brief_to(name, 60));
        self.errors.push(Diagnostic { hint, ..Diagnostic::new(ErrorKind::BadReference, range.clone(), message) });
        None
    }

    fn free_variable(&self, production: usize, name: &str) -> object_core::Result<Any> {
        let production = &self.grammar.productions[production].production;
        let mut builder = ObjectBuilder::new(production.info)?;
        if let Some(field) = production.name_field {
            builder.set_index(field, Str::from(name).into())?;
        }
        builder.build().map(Any::Object)
    }

    fn object(
        &mut self,
        id: usize,
        fields: &[(usize, TreeId)],
        range: &Range<usize>,
        binding: Binding,
        path: Path,
    ) -> Option<Any> {
        let production = &self.grammar.productions[id].production;
        let info = production.info;
        let name =
            production.name_field.filter(|_| production.is_variable()).and_then(|field| self.name_in(field, fields));
        // A name alone can be a use.
        match (&name, binding, fields) {
            (Some(name), Binding::Use, [_]) => return self.variable(name, id, range),
            (Some(name), Binding::UseOrDefine, [_]) if self.scope.get(name).is_some() => {
                return self.scope.get(name).cloned().flatten();
            }
            _ => {}
        }
        let mark = info.is_scope().then(|| self.scope.enter());
        let mut values = Vec::with_capacity(fields.len());
        let mut is_complete = true;
        // In the order of the declaration: a variable is in scope of the fields after the one that binds it.
        for (index, field) in info.fields().iter().enumerate() {
            let Some((_, tree)) = fields.iter().find(|(it, _)| *it == index) else { continue };
            let inner = match (field.meta().role, production.is_variable()) {
                (FieldRole::Def, _) => Binding::Define,
                (FieldRole::DefSimple, _) => Binding::DefineAlone,
                (FieldRole::Ignore, _) => Binding::Use,
                // The variables in the type of a variable are bound with it.
                (FieldRole::Content, true) if binding == Binding::Define => Binding::UseOrDefine,
                (FieldRole::Content, true) if binding == Binding::DefineAlone => Binding::Use,
                (FieldRole::Content, _) => binding,
            };
            let is_exported = field.meta().export && info.is_scope();
            let before = self.scope.count();
            let field_path = self.paths.field(path, field.name());
            match self.value(*tree, inner, field_path) {
                Some(value) => values.push((index, *tree, value)),
                None => is_complete = false,
            }
            if is_exported {
                self.scope.export(before);
            }
        }
        mark.into_iter().for_each(|mark| self.scope.leave(mark));
        let value = if is_complete { self.build(info, values, range) } else { None };
        // A variable with a mistake in its definition is still in scope, so that its uses are no mistakes.
        if let Some(name) = name.filter(|_| binding != Binding::Use) {
            self.scope.bind(name, value.clone());
        }
        value
    }

    /// The name of a variable in its fields.
    fn name_in(&self, field: usize, fields: &[(usize, TreeId)]) -> Option<String> {
        let (_, tree) = fields.iter().find(|(it, _)| *it == field)?;
        match &self.trees.get(*tree).0 {
            Tree::Value(value) => value.clone().cast::<Str>().ok().map(|name| name.to_string()),
            _ => None,
        }
    }

    fn build(
        &mut self,
        info: &'static TypeInfo,
        values: Vec<(usize, TreeId, Any)>,
        range: &Range<usize>,
    ) -> Option<Any> {
        if let Some(key) = info.singleton_key() {
            let value = values.into_iter().find(|(index, ..)| info.fields()[*index].name() == key.name());
            let made = object_of_key(info, value.map(|(_, _, value)| value).unwrap_or_default());
            return made.map_or_else(|error| self.report(error.kind(), range, error.message()), Some);
        }
        let mut builder = match ObjectBuilder::new(info) {
            Ok(builder) => builder,
            Err(error) => return self.report(error.kind(), range, error.message()),
        };
        let (mut set, mut is_allowed) = (0u64, true);
        let places: Vec<(usize, Range<usize>)> =
            values.iter().map(|(index, tree, _)| (*index, self.trees.get(*tree).1.clone())).collect();
        for ((index, _, value), (_, place)) in values.into_iter().zip(&places) {
            set |= 1 << index;
            // All fields with values that the declaration does not allow.
            let checked = info.fields()[index].check(value.view());
            if let Err(error) = checked.and_then(|()| builder.set_index(index, value)) {
                self.report(error.kind(), place, error.message());
                is_allowed = false;
            }
        }
        if !is_allowed {
            return None;
        }
        for (index, field) in info.fields().iter().enumerate() {
            if set >> index & 1 == 1 || field.default().is_some() {
                continue;
            }
            // The text of a value that is absent or empty is empty.
            let absent = match field.schema().name {
                "Optional" => Any::None,
                "ffi.Array" => Array::<Any>::from_anys(Vec::new()).into(),
                "ffi.Map" => Map::<Any, Any>::new([]).into(),
                _ => continue,
            };
            if let Err(error) = builder.set_index(index, absent) {
                return self.report(error.kind(), range, error.message());
            }
        }
        match builder.build() {
            Ok(object) => Some(Any::Object(object)),
            Err(error) => {
                let field = match error.path().map(AccessPath::steps) {
                    Some([AccessStep::Attr(name), ..]) => info.field(name).map(|(index, _)| index),
                    _ => None,
                };
                let place = places.iter().find(|(index, _)| Some(*index) == field).map_or(range, |(_, place)| place);
                self.report(error.kind(), place, error.message())
            }
        }
    }
}

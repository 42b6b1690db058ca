//! [`Resolver`]: makes the objects of a tree, and finds the variable that each name means.

use std::ops::Range;

use object_core::access_path::{AccessPath, AccessStep};
use object_core::diagnostic::{Diagnostic, MAX_ERRORS};
use object_core::object::{FieldRole, TypeInfo, object_of_key};
use object_core::print::{Path, Paths};
use object_core::stack_budget::with_stack;
use object_core::table::Table;
use object_core::{Any, Array, ErrorKind, Map, ObjectBuilder, Str, brief_to, nearest};

use crate::diagnostic::or_replace_with;
use crate::grammar::Grammar;
use crate::kind::CategoryId;
use crate::location::Locator;
use crate::occurrences::{Declaration, OccurrenceLog};
use crate::production::Production;
use crate::scope::Scope;
use crate::tree::{Tree, TreeId, Trees};
use crate::unread::Unread;

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

/// The meaning of a name.
#[derive(Clone, Debug)]
struct Bound {
    /// The variable or the shared object; `None` for one with a mistake in its definition.
    value: Option<Any>,
    /// The number of its declaration in the log.
    declaration: usize,
}

/// A name whose place asks for the names in scope there.
pub(crate) struct Marker {
    pub(crate) name: String,
    /// The category of the place and the names, once the place is found. A name has the type of its variable if that has no mistake.
    pub(crate) found: Option<(CategoryId, Vec<InScope>)>,
}

/// A name in scope, with the type of its variable if that has no mistake.
pub(crate) type InScope = (String, Option<&'static TypeInfo>);

/// The state of making the objects of one text.
pub(crate) struct Resolver<'t> {
    grammar: &'t Grammar,
    trees: &'t Trees,
    /// Whether a name that nothing binds means a free variable.
    pub(crate) has_free_variables: bool,
    pub(crate) locator: Option<Locator<'t>>,
    /// The pieces whose further mistakes follow from the ones that the parser reports.
    unread: &'t Unread<'t>,
    /// The variables in scope.
    scope: Scope<Bound>,
    /// The free variables, by name.
    free: Table<String, Bound>,
    /// The shared objects with numbers.
    marks: Table<u32, Bound>,
    pub(crate) log: OccurrenceLog,
    pub(crate) marker: Option<Marker>,
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) paths: Paths,
    pub(crate) spans: Vec<(Range<usize>, Path)>,
}

impl<'t> Resolver<'t> {
    pub(crate) fn new(grammar: &'t Grammar, trees: &'t Trees, unread: &'t Unread<'t>) -> Self {
        Resolver {
            grammar,
            trees,
            has_free_variables: false,
            locator: None,
            unread,
            scope: Scope::default(),
            free: Table::default(),
            marks: Table::default(),
            log: OccurrenceLog::default(),
            marker: None,
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
        if self.is_reported(kind, range) {
            self.errors.push(Diagnostic::new(kind, range.clone(), message));
        }
        None
    }

    /// Whether a mistake is reported: it does not follow from another one.
    fn is_reported(&self, kind: ErrorKind, range: &Range<usize>) -> bool {
        let can_follow = kind == ErrorKind::BadReference && self.unread.has_name(range);
        self.errors.len() < MAX_ERRORS && !self.unread.contains(range) && !can_follow
    }

    fn value(&mut self, id: TreeId, binding: Binding, path: Path) -> Option<Any> {
        let (tree, range) = self.trees.get(id);
        let value = match tree {
            Tree::Missing => None,
            Tree::Value(value) => Some(value.clone()),
            Tree::Name(name, category) => {
                self.find_marker(name, *category);
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
                let declaration = self.log.declare(None);
                if self.marks.insert(*number, Bound { value: None, declaration }).is_some() {
                    let message =
                        format!("the number `%{number}` is given twice; after the first time it stands alone");
                    return self.report(ErrorKind::DuplicateKey, range, message);
                }
                // The number begins the text, and the log completes its range.
                self.log.add(&(range.start..range.start), declaration, true);
                let value = self.value(*tree, binding, path);
                self.marks.insert(*number, Bound { value: value.clone(), declaration });
                value
            }
            Tree::Mark(number) => match self.marks.get(number) {
                Some(bound) => {
                    self.log.add(range, bound.declaration, false);
                    bound.value.clone()
                }
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

    /// Remembers the names in scope, if `name` is the marker.
    fn find_marker(&mut self, name: &str, category: CategoryId) {
        if let Some(marker) = self.marker.as_mut().filter(|marker| marker.name == name) {
            let info = |bound: &Bound| bound.value.as_ref()?.view().as_object().map(|variable| variable.type_info());
            let names = self.scope.bindings().chain(self.free.iter().map(|(name, bound)| (name.as_str(), bound)));
            let names = names.map(|(name, bound)| (name.to_owned(), info(bound)));
            marker.found = Some((category, names.collect()));
        }
    }

    /// The variable that `name` means.
    fn variable(&mut self, name: &str, production: usize, range: &Range<usize>) -> Option<Any> {
        if let Some(bound) = self.scope.get(name).or_else(|| self.free.get(name)) {
            self.log.add(range, bound.declaration, false);
            return bound.value.clone();
        }
        if self.has_free_variables {
            let declaration = self.log.declare(None);
            return match self.free_variable(production, name, range) {
                Ok(variable) => {
                    self.log.add(range, declaration, false);
                    self.free.insert(name.to_owned(), Bound { value: Some(variable.clone()), declaration });
                    Some(variable)
                }
                Err(error) => self.report(error.kind(), range, error.message()),
            };
        }
        if self.is_reported(ErrorKind::BadReference, range) {
            let near = nearest(name, self.scope.names()).map(|near| self.grammar.literals.as_name(near));
            let message = format!("nothing binds the name `{}` here", brief_to(name, 60));
            let error = Diagnostic::new(ErrorKind::BadReference, range.clone(), message);
            self.errors.push(or_replace_with(error, near));
        }
        None
    }

    fn free_variable(&self, production: usize, name: &str, range: &Range<usize>) -> object_core::Result<Any> {
        let production = &self.grammar.productions[production].production;
        let mut builder = ObjectBuilder::new(production.info)?;
        if let Some(field) = production.name_field {
            builder.set_index(field, Str::from(name).into())?;
        }
        if let Some((field, place)) = self.location(production, range) {
            builder.set_index(field, place)?;
        }
        builder.build().map(Any::Object)
    }

    /// The field of the type of `production` for its place, with the place `range`.
    fn location(&self, production: &Production, range: &Range<usize>) -> Option<(usize, Any)> {
        Some((production.location?, self.locator.as_ref()?.value(range)))
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
            (Some((name, _)), Binding::Use, [_]) => return self.variable(name, id, range),
            (Some((name, name_range)), Binding::UseOrDefine, [_]) => {
                if let Some(bound) = self.scope.get(name) {
                    self.log.add(name_range, bound.declaration, false);
                    return bound.value.clone();
                }
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
        let value = if is_complete { self.build(production, values, range) } else { None };
        // A variable with a mistake in its definition is still in scope, so that its uses are no mistakes.
        if let Some(name) = name.filter(|_| binding != Binding::Use) {
            self.bind(name, value.clone(), (range, info));
        }
        value
    }

    /// Brings a variable into scope. `name` has its place, and `object` is the place and the type of the variable.
    fn bind(
        &mut self,
        (name, name_range): (String, Range<usize>),
        value: Option<Any>,
        object: (&Range<usize>, &'static TypeInfo),
    ) {
        let declaration = self.log.declare(Some(Declaration { range: object.0.clone(), info: object.1 }));
        self.log.add(&name_range, declaration, true);
        self.scope.bind(name, Bound { value, declaration });
    }

    /// The name of a variable in its fields, with its place.
    fn name_in(&self, field: usize, fields: &[(usize, TreeId)]) -> Option<(String, Range<usize>)> {
        let (_, tree) = fields.iter().find(|(it, _)| *it == field)?;
        match self.trees.get(*tree) {
            (Tree::Value(value), range) => Some((value.clone().cast::<Str>().ok()?.to_string(), range.clone())),
            _ => None,
        }
    }

    fn build(
        &mut self,
        production: &Production,
        values: Vec<(usize, TreeId, Any)>,
        range: &Range<usize>,
    ) -> Option<Any> {
        let info = production.info;
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
        if let Some((field, place)) = self.location(production, range) {
            set |= 1 << field;
            if let Err(error) = builder.set_index(field, place) {
                return self.report(error.kind(), range, error.message());
            }
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

//! [`Converter`]: converts a graph object by object, by the rules of a [`Step`] between two versions.

use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::ptr;
use std::rc::Rc;

use object_core::access_path::AccessPath;
use object_core::object::{Body, FieldInfo, TypeInfo, object_of_key};
use object_core::registry::Types;
use object_core::stack_budget::with_stack;
use object_core::structural_equal;
use object_core::table::{Set, Table};
use object_core::visit::{Position, Walk, WalkResult};
use object_core::{Any, AnyView, Array, Error, ErrorKind, Map, ObjectBuilder, ObjectRef, ObjectView, Result};

use crate::tvm::convert::names;
use crate::tvm::version::TvmVersion;

/// The message for an object whose conversion contains itself. The graph contains no circles, but the address of a buffer
/// and the parameters of a function are parts of its object in one version, and not in the other.
const CIRCLE: &str = "a buffer is in its own address, or a function in the type of its parameter";

/// The conversion from one version to its neighbour.
pub(super) trait Step<'a>: Sized {
    /// The version of the source.
    const FROM: TvmVersion;
    /// The version of the result.
    const TO: TvmVersion;
    /// Tells the conversions of one object apart, where it has several.
    type Form: Copy + Eq + Hash;

    /// The form of the objects in a field of the result.
    fn form_of(field: &FieldInfo, types: &Types) -> Result<Self::Form>;
}

/// The conversion of an object in the given form.
type Convert<'a, S> = fn(&mut Converter<'a, S>, ObjectView<'a>, <S as Step<'a>>::Form) -> Result<Any>;

/// The value of a field of the result of an object; `None` for the conversion of the value of the source.
pub(super) type FieldValue<'a, S> =
    fn(&mut Converter<'a, S>, ObjectView<'a>, &'static FieldInfo, Option<AnyView<'a>>) -> Result<Option<Any>>;

/// The functions of a step.
pub(super) struct Rules<'a, S: Step<'a>> {
    pub(super) convert: Convert<'a, S>,
    /// The function for a field of the result and the field of the source; `None` if the value is always the conversion of the
    /// value of the source.
    pub(super) field_value: fn(&'static FieldInfo, Option<&'static FieldInfo>) -> Option<FieldValue<'a, S>>,
}

/// Converts the objects of one graph.
pub(super) struct Converter<'a, S: Step<'a>> {
    /// The types of the result.
    pub(super) types: &'static Types,
    /// The step, with its facts about the graph.
    pub(super) step: S,
    rules: Rules<'a, S>,
    /// The plans, by the addresses of the types of the source.
    plans: Table<usize, Rc<Plan<'a, S>>>,
    /// Whether objects of a type are the same in all versions, by the address of the type.
    shared: Table<usize, bool>,
    /// The conversions of objects by address; `None` for an object whose conversion has begun.
    done: Table<(usize, S::Form), Option<Any>>,
    root: ObjectView<'a>,
}

/// The way from objects of one type to objects of another, field by field.
struct Plan<'a, S: Step<'a>> {
    target: &'static TypeInfo,
    /// The fields of the target, in its order.
    fields: Vec<FieldPlan<'a, S>>,
    /// The fields of the source that the target lacks, by index.
    dropped: Vec<usize>,
}

/// The way to the value of a field of the target.
struct FieldPlan<'a, S: Step<'a>> {
    target: &'static FieldInfo,
    /// The index of the field in the source, if it has the field.
    source: Option<usize>,
    /// The function of the step for the field.
    value: Option<FieldValue<'a, S>>,
    /// The form of the objects in the field.
    form: S::Form,
    /// Whether the field has no value, and no default, where the source lacks it.
    may_be_none: bool,
}

impl<'a, S: Step<'a>> Converter<'a, S> {
    /// The conversion of the graph below `root`, and the step.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) and [`UnknownField`](ErrorKind::UnknownField) for an object that the other
    /// version lacks, with its path.
    pub(super) fn run(step: S, rules: Rules<'a, S>, root: ObjectView<'a>, form: S::Form) -> Result<(Any, S)> {
        let (plans, shared, done) = (Table::default(), Table::default(), Table::default());
        let mut converter = Converter { types: S::TO.types()?, step, rules, plans, shared, done, root };
        let result = converter.get(AnyView::Object(root), form)?;
        Ok((result, converter.step))
    }

    /// The conversion of a value; the value itself if it is no object.
    pub(super) fn get(&mut self, value: AnyView<'a>, form: S::Form) -> Result<Any> {
        let Some(object) = value.as_object().filter(|object| !self.is_shared(*object)) else {
            return Ok(value.to_any());
        };
        let key = (object.address(), form);
        let converted = match self.done.entry(key) {
            Entry::Occupied(found) => match found.get() {
                Some(value) => return Ok(value.clone()),
                None => Err(Error::new(ErrorKind::Cycle, CIRCLE)),
            },
            Entry::Vacant(vacant) => {
                vacant.insert(None);
                with_stack(|| self.converted(object, form))
            }
        };
        let value = converted.map_err(|error| self.located(error, object))?;
        self.done.insert(key, Some(value.clone()));
        Ok(value)
    }

    fn converted(&mut self, object: ObjectView<'a>, form: S::Form) -> Result<Any> {
        if let Some(array) = object.as_array() {
            let items = array.iter().map(|item| self.get(item, form)).collect::<Result<Vec<Any>>>()?;
            return Ok(Array::<Any>::from_anys(items).into());
        }
        let Some(map) = object.as_map() else { return (self.rules.convert)(self, object, form) };
        let entries = map.iter().map(|(key, value)| Ok((self.get(key, form)?, self.get(value, form)?)));
        Ok(Map::<Any, Any>::new(entries.collect::<Result<Vec<_>>>()?).into())
    }

    /// The error with the path of `object`, if it has no path yet.
    fn located(&self, error: Error, object: ObjectView<'_>) -> Error {
        match error.path().is_none().then(|| path_of(self.root, object)).flatten() {
            Some(path) => error.at(path),
            None => error,
        }
    }

    /// The conversion of the field `name`.
    pub(super) fn field(&mut self, object: ObjectView<'a>, name: &str, form: S::Form) -> Result<Any> {
        self.get(object.get(name).unwrap_or_default(), form)
    }

    /// An object of the type `key` of the result with these fields.
    pub(super) fn object(&self, key: &str, fields: &[(&str, Any)]) -> Result<Any> {
        build(self.types.get(key)?, fields)
    }

    /// The object of the type `key` of the result that has this name.
    pub(super) fn singleton(&self, key: &str, name: &str) -> Result<Any> {
        object_of_key(self.types.get(key)?, name.into())
    }

    /// The operator of the other version for an operator.
    ///
    /// # Errors
    /// [`UnknownSingleton`](ErrorKind::UnknownSingleton) if the version has none.
    pub(super) fn operator(&self, object: ObjectView<'_>) -> Result<Any> {
        let name = text(object, "name");
        match names::operator(S::FROM, S::TO, name) {
            Some(found) => self.singleton("ir.Op", &found),
            None => {
                let message = format!("TVM {} has no operator `{name}`", S::TO);
                Err(Error::new(ErrorKind::UnknownSingleton, message))
            }
        }
    }

    /// The conversion of an object by its fields.
    pub(super) fn by_fields(&mut self, object: ObjectView<'a>) -> Result<Any> {
        self.by_fields_with(object, Vec::new())
    }

    /// The conversion of an object by its fields, except that the result has the values in `values` in these fields.
    pub(super) fn by_fields_with(
        &mut self,
        object: ObjectView<'a>,
        mut values: Vec<(&'static str, Any)>,
    ) -> Result<Any> {
        let plan = self.plan(object)?;
        let mut builder = ObjectBuilder::new(plan.target)?;
        for (index, field) in plan.fields.iter().enumerate() {
            let value = match values.iter_mut().find(|(name, _)| *name == field.target.name()) {
                Some((_, stated)) => Some(std::mem::take(stated)),
                None => self.field_value(object, field)?,
            };
            if value.is_some() || field.may_be_none {
                builder.set_index(index, value.unwrap_or_default())?;
            }
        }
        for index in &plan.dropped {
            let field = &object.type_info().fields()[*index];
            let value = object.field_at(*index).unwrap_or_default();
            let added = names::added_field(object.type_key(), field.name());
            let is_added = added.is_some_and(|added| matches!(value, AnyView::Bool(value) if value == added));
            if !is_added && !is_nothing(field, value) {
                let (version, name, key) = (S::TO, field.name(), plan.target.type_key());
                let message = format!("TVM {version} has no field `{name}` in `{key}`");
                return Err(Error::new(ErrorKind::UnknownField, message));
            }
        }
        Ok(builder.build()?.into())
    }

    /// The value of a field of the conversion of `object`; `None` if the source lacks it.
    fn field_value(&mut self, object: ObjectView<'a>, field: &FieldPlan<'a, S>) -> Result<Option<Any>> {
        let source = field.source.and_then(|index| object.field_at(index));
        let stated = match field.value {
            Some(value) => value(self, object, field.target, source)?,
            None => None,
        };
        match (stated, source) {
            (None, Some(source)) => self.get(source, field.form).map(Some),
            (None, None) => Ok(names::added_field(object.type_key(), field.target.name()).map(Any::from)),
            (value, _) => Ok(value),
        }
    }

    /// Whether the object is the same in all versions: texts, bytes, shapes, tensors and functions, and objects of other languages.
    fn is_shared(&mut self, object: ObjectView<'_>) -> bool {
        let info = object.type_info();
        match info.body() {
            Body::Array | Body::Map => false,
            Body::Node => {
                *self.shared.entry(ptr::from_ref(info).addr()).or_insert_with(|| !names::is_of_tvm(info.type_key()))
            }
            _ => !names::is_of_tvm(info.type_key()),
        }
    }

    /// The way from the type of `object` to a type of the result.
    fn plan(&mut self, object: ObjectView<'a>) -> Result<Rc<Plan<'a, S>>> {
        let (info, key) = (object.type_info(), object.type_key());
        let address = ptr::from_ref(info).addr();
        if let Some(plan) = self.plans.get(&address) {
            return Ok(plan.clone());
        }
        let row = names::row(S::FROM, key);
        let target = self.target(object, row.map(|row| row.key(S::TO)))?;
        let mut fields = Vec::new();
        for field in target.fields() {
            let name = row.map_or(field.name(), |row| row.field(S::FROM, S::TO, field.name()));
            let source = info.field(name).map(|(index, _)| index);
            let form = S::form_of(field, self.types)?;
            let value = (self.rules.field_value)(field, source.map(|index| &info.fields()[index]));
            fields.push(FieldPlan { target: field, source, value, form, may_be_none: may_be_none(field) });
        }
        // The type of a value has several names, and the places of statements do not count.
        let is_known = |index: usize| {
            fields.iter().any(|field| field.source == Some(index))
                || ["ty", "struct_info_", "dtype", "span"].contains(&info.fields()[index].name())
        };
        let dropped = (0..info.fields().len()).filter(|index| !is_known(*index)).collect();
        let plan = Rc::new(Plan { target, fields, dropped });
        self.plans.insert(address, plan.clone());
        Ok(plan)
    }

    /// The type of the result for `object`: with the key that a table states, else with the same key, or with the key in the
    /// namespace that has another name.
    fn target(&self, object: ObjectView<'_>, stated: Option<&str>) -> Result<&'static TypeInfo> {
        let key = object.type_key();
        let renamed = names::replace_prefix(S::FROM, S::TO, key);
        for key in [stated.unwrap_or(key), &renamed] {
            if self.types.has(key)? {
                return self.types.get(key);
            }
        }
        Err(unsupported::<S>(object))
    }
}

/// An object of the type `target` with these fields. The other fields have their defaults, or no value.
fn build(target: &'static TypeInfo, fields: &[(&str, Any)]) -> Result<Any> {
    let mut builder = ObjectBuilder::new(target)?;
    for (index, field) in target.fields().iter().enumerate() {
        match fields.iter().find(|(name, _)| *name == field.name()) {
            Some((_, value)) => builder.set_index(index, value.clone())?,
            None if may_be_none(field) => builder.set_index(index, Any::None)?,
            None => {}
        }
    }
    Ok(builder.build()?.into())
}

/// Whether the field is optional and has no default.
fn may_be_none(field: &FieldInfo) -> bool {
    field.default().is_none() && field.schema().name == "Optional"
}

/// Whether the value of the field is what an object without it means: nothing, an empty container, or the default.
fn is_nothing(field: &FieldInfo, value: AnyView<'_>) -> bool {
    let is_empty = value.as_object().is_some_and(|object| {
        object.as_array().is_some_and(|array| array.is_empty()) || object.as_map().is_some_and(|map| map.is_empty())
    });
    let is_none = matches!(value, AnyView::None);
    is_none || is_empty || field.default().is_some_and(|default| structural_equal(&default, &value.to_any()))
}

/// All objects below `root`, each once, parents before their children.
pub(super) fn objects<'a>(root: ObjectView<'a>) -> Vec<ObjectView<'a>> {
    objects_through(root, |_| true)
}

/// The objects below `root` that are reached through objects for which `enters` is true, each once, parents before their
/// children.
pub(super) fn objects_through<'a>(
    root: ObjectView<'a>,
    mut enters: impl FnMut(ObjectView<'a>) -> bool,
) -> Vec<ObjectView<'a>> {
    let mut seen = Set::default();
    let mut stack = vec![root];
    let mut all = Vec::new();
    while let Some(object) = stack.pop() {
        all.push(object);
        if enters(object) {
            // An object with one owner occurs once.
            each_child(object, |child| {
                if child.use_count() == 1 || seen.insert(child.address()) {
                    stack.push(child);
                }
            });
        }
    }
    all
}

/// An array without elements.
pub(super) fn empty_array() -> Any {
    Array::<Any>::from_anys(Vec::new()).into()
}

/// Calls `visit` with the objects in the fields, elements or entries of `object`.
pub(super) fn each_child<'a>(object: ObjectView<'a>, mut visit: impl FnMut(ObjectView<'a>)) {
    let mut see = |value: AnyView<'a>| value.as_object().into_iter().for_each(&mut visit);
    object.fields().for_each(|(_, value)| see(value));
    if let Some(array) = object.as_array() {
        array.iter().for_each(&mut see);
    }
    if let Some(map) = object.as_map() {
        map.iter().for_each(|(key, value)| {
            see(key);
            see(value);
        });
    }
}

/// The text in the field `name`; an empty one if there is none.
pub(super) fn text<'a>(object: ObjectView<'a>, name: &str) -> &'a str {
    object.get(name).and_then(AnyView::as_str).unwrap_or_default()
}

/// The elements of the array in the field `name`.
pub(super) fn items<'a>(object: ObjectView<'a>, name: &str) -> impl Iterator<Item = AnyView<'a>> + use<'a> {
    let array = object.get(name).and_then(AnyView::as_object).and_then(ObjectView::as_array);
    array.into_iter().flat_map(|array| array.iter())
}

/// The error for an object that the version of the result lacks.
pub(super) fn unsupported<'a, S: Step<'a>>(object: ObjectView<'_>) -> Error {
    let (from, to) = (S::FROM, S::TO);
    let message = format!("TVM {to} has nothing like this `{}` of TVM {from}", object.type_key());
    Error::new(ErrorKind::TypeMismatch, message)
}

/// The path of the first place of `object` below `root`.
pub(super) fn path_of(root: ObjectView<'_>, object: ObjectView<'_>) -> Option<AccessPath> {
    let found = |here: &ObjectRef, at: &Position<'_>| match here.view().ptr_eq(object) {
        true => WalkResult::Interrupt(at.path()),
        false => WalkResult::Advance,
    };
    Walk::interruptible().enter(found).run(&root.to_object())
}

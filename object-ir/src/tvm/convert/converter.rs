//! [`Converter`]: the order of the work. It converts children before their parents, with a list of open objects in place of the
//! machine stack.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use object_core::access_path::AccessPath;
use object_core::object::{FieldInfo, FieldRole, TypeInfo};
use object_core::registry::Types;
use object_core::visit::{Position, Walk, WalkResult};
use object_core::{Any, AnyView, Array, DataType, Error, ErrorKind, Map, ObjectBuilder, ObjectRef, ObjectView, Result};

use crate::tvm::convert::facts::Facts;
use crate::tvm::convert::form::Form;
use crate::tvm::convert::names;
use crate::tvm::convert::scalar_type::dtype_of;
use crate::tvm::version::TvmVersion;

/// The reason why an object has no conversion yet.
pub(super) enum Stop {
    /// The converter has to convert other objects first.
    Waiting,
    /// The object has no form in TVM 0.25.
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Failed(error)
    }
}

/// A conversion that waits for others, or fails.
pub(super) type Attempt<T> = Result<T, Stop>;

/// The conversion of one object in a form.
pub(super) type Convert<'a> = fn(&mut Converter<'a>, ObjectView<'a>, Form) -> Attempt<Any>;

/// The message for an object whose form contains itself. Objects of TVM 0.27 contain no circles, but the address of a buffer
/// and the parameters of a function become parts of its object in TVM 0.25.
const CIRCLE: &str = "a buffer is in its own address, or a function in the type of its parameter";

/// An object in a form.
type Key = (usize, Form);

/// Converts objects of TVM 0.27 to objects of TVM 0.25.
///
/// A conversion of an object asks for the conversions of its children by [`get`](Self::get), and ends with [`Stop::Waiting`] if
/// one is not there; the converter repeats it when they are.
pub(super) struct Converter<'a> {
    /// The types of TVM 0.25.
    types: &'static Types,
    pub(super) facts: Facts<'a>,
    /// The variables of Relax that are operands of scalar expressions or dimensions.
    pub(super) dims: HashSet<usize>,
    /// The variables that should be in `dims`: the conversion asked for their scalar forms.
    pub(super) used_dims: HashSet<usize>,
    plans: HashMap<&'static str, Rc<Plan>>,
    done: HashMap<Key, Any>,
    wanted: Vec<(ObjectView<'a>, Form)>,
}

/// The way from objects of one type to objects of another, field by field.
struct Plan {
    target: &'static TypeInfo,
    /// For each field of the target: the name in the source, and the form of its objects.
    fields: Vec<(&'static FieldInfo, &'static str, Form)>,
}

impl<'a> Converter<'a> {
    /// A converter of a graph with these facts.
    ///
    /// # Errors
    /// As [`TvmVersion::types`].
    pub(super) fn new(facts: Facts<'a>, dims: HashSet<usize>) -> Result<Self> {
        let types = TvmVersion::V0_25.types()?;
        let (used_dims, plans, done) = (HashSet::new(), HashMap::new(), HashMap::new());
        Ok(Converter { types, facts, dims, used_dims, plans, done, wanted: Vec::new() })
    }

    /// The conversion of `root` by `convert`.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for an object without a form in TVM 0.25, with its path.
    pub(super) fn run(&mut self, root: ObjectView<'a>, convert: Convert<'a>) -> Result<Any> {
        if is_shared(root) {
            return Ok(root.to_object().into());
        }
        let mut open = HashSet::new();
        let mut stack = vec![(root, Form::Own)];
        while let Some(&(object, form)) = stack.last() {
            let key = (object.address(), form);
            if self.done.contains_key(&key) {
                stack.pop();
                continue;
            }
            let attempt = match convert(self, object, form) {
                Err(Stop::Waiting) => {
                    open.insert(key);
                    let is_circle = self.wanted.iter().any(|(object, form)| open.contains(&(object.address(), *form)));
                    match is_circle {
                        true => Err(Error::new(ErrorKind::Cycle, CIRCLE)),
                        false => {
                            stack.append(&mut self.wanted);
                            continue;
                        }
                    }
                }
                Err(Stop::Failed(error)) => Err(error),
                Ok(value) => Ok(value),
            };
            let value = attempt.map_err(|error| match path_of(root, object) {
                Some(path) => error.at(path),
                None => error,
            })?;
            open.remove(&key);
            self.done.insert(key, value);
            stack.pop();
        }
        Ok(self.done.remove(&(root.address(), Form::Own)).unwrap_or_default())
    }

    /// The conversion of a value; the value itself if it is no object.
    pub(super) fn get(&mut self, value: AnyView<'a>, form: Form) -> Attempt<Any> {
        let Some(object) = value.as_object() else { return Ok(value.to_any()) };
        if is_shared(object) {
            return Ok(value.to_any());
        }
        match self.done.get(&(object.address(), form)) {
            Some(value) => Ok(value.clone()),
            None => {
                self.wanted.push((object, form));
                Err(Stop::Waiting)
            }
        }
    }

    /// The conversion of the field `name`.
    pub(super) fn field(&mut self, object: ObjectView<'a>, name: &str, form: Form) -> Attempt<Any> {
        self.get(object.get(name).unwrap_or_default(), form)
    }

    /// The conversion of an array or a map. `None` for another object.
    pub(super) fn container(&mut self, object: ObjectView<'a>, form: Form) -> Attempt<Option<Any>> {
        if let Some(array) = object.as_array() {
            let items = self.all(array.iter(), form)?;
            return Ok(Some(Array::<Any>::from_anys(items).into()));
        }
        let Some(map) = object.as_map() else { return Ok(None) };
        let keys = self.all(map.iter().map(|(key, _)| key), form);
        let values = self.all(map.iter().map(|(_, value)| value), form);
        Ok(Some(Map::<Any, Any>::new(keys?.into_iter().zip(values?)).into()))
    }

    /// The conversions of all `values`. Where some are not there, it asks for all of them at once.
    fn all(&mut self, values: impl ExactSizeIterator<Item = AnyView<'a>>, form: Form) -> Attempt<Vec<Any>> {
        let mut items = Vec::with_capacity(values.len());
        let mut is_waiting = false;
        for value in values {
            match self.get(value, form) {
                Ok(item) => items.push(item),
                Err(Stop::Waiting) => is_waiting = true,
                Err(stop) => return Err(stop),
            }
        }
        if is_waiting { Err(Stop::Waiting) } else { Ok(items) }
    }

    /// An object of the type `key` of TVM 0.25 with these fields.
    pub(super) fn object(&self, key: &str, fields: &[(&str, Any)]) -> Attempt<Any> {
        build(self.types.get(key)?, fields)
    }

    /// The conversion of an object by its fields.
    pub(super) fn by_fields(&mut self, object: ObjectView<'a>) -> Attempt<Any> {
        let plan = self.plan(object)?;
        let mut values = Vec::with_capacity(plan.fields.len());
        let mut is_waiting = false;
        for &(field, name, form) in &plan.fields {
            let value = match (object.get(name), field.name()) {
                (None, "dtype") => Ok(Any::DataType(dtype_of(object.get("ty").unwrap_or_default()))),
                (None, _) => continue,
                // TVM 0.25 compares the places of statements, and its parser leaves them out.
                (_, "span") if field.meta().role != FieldRole::Ignore => continue,
                (Some(value), _) if field.is_of::<DataType>() => Ok(Any::DataType(match value {
                    AnyView::DataType(dtype) => dtype,
                    _ => dtype_of(value),
                })),
                (Some(value), _) => self.get(value, form),
            };
            match value {
                Ok(value) => values.push((field.name(), value)),
                Err(Stop::Waiting) => is_waiting = true,
                Err(stop) => return Err(stop),
            }
        }
        if is_waiting {
            return Err(Stop::Waiting);
        }
        build(plan.target, &values)
    }

    /// The way from the type of `object` to a type of TVM 0.25.
    fn plan(&mut self, object: ObjectView<'a>) -> Result<Rc<Plan>> {
        let key = object.type_key();
        if let Some(plan) = self.plans.get(key) {
            return Ok(plan.clone());
        }
        let (target, renamed) = names::type_of(key);
        if !self.types.has(&target)? {
            return Err(unsupported(object));
        }
        let target = self.types.get(&target)?;
        let is_expr = object.type_info().field("ty").is_some();
        let mut fields = Vec::new();
        for field in target.fields() {
            let name = match renamed.iter().find(|(to, _)| *to == field.name()) {
                Some((_, from)) => from,
                None if is_expr && field.name() == "struct_info_" => "ty",
                None => field.name(),
            };
            fields.push((field, name, Form::of_field(field, self.types)?));
        }
        // A field that TVM 0.25 does not have must hold nothing that changes the meaning.
        for field in object.type_info().fields() {
            let name = field.name();
            let is_known = fields.iter().any(|(_, known, _)| *known == name) || ["ty", "span"].contains(&name);
            if !is_known {
                let message = format!("TVM 0.25 has no field `{name}` in `{}`", target.type_key());
                return Err(Error::new(ErrorKind::UnknownField, message));
            }
        }
        let plan = Rc::new(Plan { target, fields });
        self.plans.insert(key, plan.clone());
        Ok(plan)
    }
}

/// An object of the type `target` with these fields. The other fields have their defaults, or no value.
fn build(target: &'static TypeInfo, fields: &[(&str, Any)]) -> Attempt<Any> {
    let mut builder = ObjectBuilder::new(target)?;
    for field in target.fields() {
        match fields.iter().find(|(name, _)| *name == field.name()) {
            Some((name, value)) => {
                builder.set(name, value.clone())?;
            }
            None if field.default().is_none() && field.schema().name == "Optional" => {
                builder.set(field.name(), Any::None)?;
            }
            None => {}
        }
    }
    Ok(builder.build()?.into())
}

/// Whether TVM 0.25 has the same object: texts, bytes, shapes, tensors and functions.
fn is_shared(object: ObjectView<'_>) -> bool {
    object.type_key().starts_with("ffi.") && object.as_array().is_none() && object.as_map().is_none()
}

/// The elements of the array in the field `name`.
pub(super) fn items<'a>(object: ObjectView<'a>, name: &str) -> impl Iterator<Item = AnyView<'a>> + use<'a> {
    let array = object.get(name).and_then(AnyView::as_object).and_then(ObjectView::as_array);
    array.into_iter().flat_map(|array| array.iter())
}

/// The error for an object without a form in TVM 0.25.
pub(super) fn unsupported(object: ObjectView<'_>) -> Error {
    let message = format!("TVM 0.25 has nothing like this `{}` of TVM 0.27", object.type_key());
    Error::new(ErrorKind::TypeMismatch, message)
}

/// The path of the first place of `object` below `root`.
fn path_of(root: ObjectView<'_>, object: ObjectView<'_>) -> Option<AccessPath> {
    let found = |here: &ObjectRef, at: &Position<'_>| match here.view().ptr_eq(object) {
        true => WalkResult::Interrupt(at.path()),
        false => WalkResult::Advance,
    };
    Walk::interruptible().enter(found).run(&root.to_object())
}

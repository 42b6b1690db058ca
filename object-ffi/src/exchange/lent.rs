//! [`Lent`]: the values that one call passes to tvm-ffi, with copies of the tensors that programs write into.

use object_core::container::ArrayView;
use object_core::dlpack::DlpackTensor;
use object_core::error::Result;
use object_core::object::Body;
use object_core::registry::AsTrait;
use object_core::table::Table;
use object_core::value::WritableTensor;
use object_core::{Any, AnyView, ObjectRef, ObjectView};

use crate::exchange::from_peer::{self, to_any};
use crate::exchange::functions::GlobalFunction;
use crate::exchange::to_peer::{exported, to_value};
use crate::value::{Value, call};

/// The most levels of arrays in which tensors are found.
const MAX_LEVELS: usize = 64;

static ARRAY: GlobalFunction = GlobalFunction::new("ffi.Array");

/// The tensors that a call lends: an object that occurs twice is one tensor.
///
/// tvm-ffi gets memory of its own, because other threads of Rust may write into a tensor while Python reads it.
#[derive(Default)]
pub(crate) struct Lent {
    /// The tensors in the order of their first occurrence, with their tensors of tvm-ffi.
    tensors: Vec<(ObjectRef, Value)>,
    /// The values by the address of their object.
    values: Table<usize, Value>,
}

/// Whether an array has tensors that programs write into. `met` are the arrays without them.
fn has_tensors(array: ArrayView<'_>, met: &mut Table<usize, ()>, levels: usize) -> bool {
    array.iter().any(|item| match item {
        AnyView::Object(object) => match object.as_array() {
            Some(inner) => {
                levels > 0
                    && !met.contains_key(&object.address())
                    && (has_tensors(inner, met, levels - 1) || {
                        met.insert(object.address(), ());
                        false
                    })
            }
            None => is_tensor(object),
        },
        _ => false,
    })
}

fn is_tensor(object: ObjectView<'_>) -> bool {
    object.type_info().body() == Body::Opaque && object.to_object().as_trait::<dyn WritableTensor>().is_some()
}

impl Lent {
    /// The value of tvm-ffi for a value.
    ///
    /// # Errors
    /// As [`to_value`].
    pub(crate) fn lend(&mut self, value: AnyView<'_>) -> Result<Value> {
        let AnyView::Object(object) = value else { return to_value(value) };
        let is_array = || object.as_array().is_some_and(|array| has_tensors(array, &mut Table::default(), MAX_LEVELS));
        if is_tensor(object) || is_array() { self.object(object, MAX_LEVELS) } else { to_value(value) }
    }

    /// The value for a tensor, or for an array of tensors and other values.
    fn object(&mut self, object: ObjectView<'_>, levels: usize) -> Result<Value> {
        if let Some(found) = self.values.get(&object.address()) {
            return Ok(found.clone());
        }
        let owned = object.to_object();
        let value = match (owned.as_trait::<dyn WritableTensor>(), object.as_array()) {
            (Some(tensor), _) => {
                let value = Value::from(exported(DlpackTensor::copy_of(&tensor.to_tensor()?)?)?);
                self.tensors.push((owned.clone(), value.clone()));
                value
            }
            (None, Some(array)) if levels > 0 => {
                let item = |item: AnyView<'_>| match item {
                    AnyView::Object(object) => self.object(object, levels - 1),
                    _ => to_value(item),
                };
                call(ARRAY.get()?, &array.iter().map(item).collect::<Result<Vec<_>>>()?)?
            }
            _ => return to_value(AnyView::Object(object)),
        };
        self.values.insert(object.address(), value.clone());
        Ok(value)
    }

    /// Takes over what the call has written into the tensors, and returns its result: a lent tensor is itself.
    ///
    /// # Errors
    /// As [`to_any`].
    pub(crate) fn take_back(self, result: &Value) -> Result<Any> {
        // All tensors are read before one is written: several may have the same memory.
        let mut written = Vec::new();
        for (object, value) in &self.tensors {
            let Some(tensor) = object.as_trait::<dyn WritableTensor>() else { continue };
            // SAFETY: the value is an owned tensor.
            let after = unsafe { from_peer::tensor(&value.raw()) }?;
            if after.data != tensor.to_tensor()?.data {
                written.push((tensor, after));
            }
        }
        written.iter().try_for_each(|(tensor, after)| tensor.overwrite(&after.data))?;
        let lent = self.tensors.iter().find(|(_, value)| value.object() == result.object() && value.object().is_some());
        match lent {
            Some((object, _)) => Ok(object.clone().into()),
            // SAFETY: the value is owned.
            None => unsafe { to_any(&result.raw()) },
        }
    }
}

//! [`Writer`]: graphs of object-core as graphs of the other library, with the same sharing.

use std::ffi::{c_int, c_void};

use object_core::error::{Error, ErrorKind, Result};
use object_core::object::Body;
use object_core::stack_budget::with_stack;
use object_core::table::Table;
use object_core::{AnyView, ObjectView};

use crate::abi::RawAny;
use crate::exchange::foreign_type::{self, ForeignType};
use crate::exchange::from_peer::to_any;
use crate::exchange::functions::{answer, arguments, global};
use crate::exchange::to_peer::to_value;
use crate::foreign::is_foreign;
use crate::handle::Handle;
use crate::value::{Value, call};

/// Converts one graph: an object that occurs twice becomes one object.
#[derive(Default)]
pub(crate) struct Writer {
    /// The converted objects by their address.
    met: Table<usize, Value>,
    /// The foreign types by the type key.
    types: Table<&'static str, &'static ForeignType>,
    /// The functions that make containers, by the type key.
    makers: Table<&'static str, Handle>,
}

impl Writer {
    /// The value in which objects of the other library replace their counterparts. Other objects become proxies.
    ///
    /// # Errors
    /// [`NotConstructible`](ErrorKind::NotConstructible) if the other library makes no objects of a type by reflection; the
    /// errors of [`Conversions::from_linked`](crate::Conversions::from_linked), of [`foreign_type::of_info`], of [`to_value`] and of the
    /// other library.
    pub(crate) fn write(value: AnyView<'_>) -> Result<Value> {
        match &foreign_type::types()?.conversions {
            Some(conversions) => Writer::default().value((conversions.from_linked)(value.to_any())?.view()),
            None => Writer::default().value(value),
        }
    }

    fn value(&mut self, value: AnyView<'_>) -> Result<Value> {
        let AnyView::Object(object) = value else { return to_value(value) };
        match object.type_info().body() {
            Body::Array => self.once(object, |writer, object| {
                let items = object.as_array().into_iter().flat_map(|array| array.iter());
                writer.container(object, items)
            }),
            Body::Map => self.once(object, |writer, object| {
                let entries = object.as_map().into_iter().flat_map(|map| map.iter());
                writer.container(object, entries.flat_map(|(key, value)| [key, value]))
            }),
            Body::Tensor => self.once(object, |_, object| to_value(AnyView::Object(object))),
            Body::Node if is_foreign(object.type_key()) => self.once(object, Writer::object),
            _ => to_value(value),
        }
    }

    /// Converts an object, unless it is converted already.
    fn once(
        &mut self,
        object: ObjectView<'_>,
        write: impl FnOnce(&mut Self, ObjectView<'_>) -> Result<Value>,
    ) -> Result<Value> {
        if let Some(found) = self.met.get(&object.address()) {
            return Ok(found.clone());
        }
        let value = with_stack(|| write(self, object))?;
        self.met.insert(object.address(), value.clone());
        Ok(value)
    }

    fn container<'a>(&mut self, object: ObjectView<'_>, items: impl Iterator<Item = AnyView<'a>>) -> Result<Value> {
        let items = items.map(|item| self.value(item)).collect::<Result<Vec<_>>>()?;
        let key = object.type_key();
        if !self.makers.contains_key(key) {
            self.makers.insert(key, global(key)?);
        }
        call(&self.makers[key], &items)
    }

    fn object(&mut self, object: ObjectView<'_>) -> Result<Value> {
        let info = object.type_info();
        let ty = match self.types.get(info.type_key()) {
            Some(known) => *known,
            None => {
                let ty = foreign_type::of_info(info)?;
                self.types.insert(info.type_key(), ty);
                ty
            }
        };
        if let (Some([_, from_key]), Some(key)) = (&ty.by_key, info.json_key()) {
            return call(from_key, &[to_value(object.get(key.name()).unwrap_or_default())?]);
        }
        let made = ty.create()?;
        for field in &ty.fields {
            let value = self.value(object.field_at(field.index).unwrap_or_default())?;
            // SAFETY: the object is new.
            unsafe { field.set(made.as_ptr(), &value) }
                .map_err(|error| error.context(format_args!("field `{}` of `{}`", field.name(ty), info.type_key())))?;
        }
        Ok(made.into())
    }
}

/// The function [`Foreign::export`](crate::Foreign::export): the object of the other library for the one argument.
///
/// # Safety
/// The arguments and the result are as tvm-ffi passes them.
pub(crate) unsafe extern "C" fn export(_: *mut c_void, args: *const RawAny, count: i32, result: *mut RawAny) -> c_int {
    // SAFETY: by the contract; tvm-ffi keeps the arguments alive during the call.
    unsafe {
        answer(result, || match arguments(args, count) {
            [value] => Writer::write(to_any(value)?.view()),
            args => Err(Error::new(ErrorKind::Call, format!("expected one argument, got {}", args.len()))),
        })
    }
}

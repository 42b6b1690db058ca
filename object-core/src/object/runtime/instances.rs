//! [`RuntimeInstances`]: the instances of a singleton type that a program makes at run time.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use crate::error::{Error, Result};
use crate::object::access::builder::Buildable;
use crate::object::model::any::Any;
use crate::object::model::object_ref::ObjectRef;
use crate::object::model::type_info::{InstanceTable, TypeInfo};

/// The instances of a singleton type by key. The first look-up of a key makes its instance.
#[derive(Default)]
pub(crate) struct RuntimeInstances(RwLock<BTreeMap<String, ObjectRef>>);

impl InstanceTable for RuntimeInstances {
    fn get(&self, info: &'static TypeInfo, key_field: usize, key: Any) -> Result<ObjectRef> {
        let Some(text) = key.view().as_str() else {
            return Err(Error::type_mismatch("ffi.String", key.type_key()));
        };
        if let Some(found) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Ok(found.clone());
        }
        let text = text.to_owned();
        // The lock is not held here, because defaults of fields run code of the user.
        let mut builder = Buildable::new_instance(info)?.builder();
        builder.set_index(key_field, key)?;
        let made = builder.build()?;
        // An instance that another thread has added in the meantime stays the only one.
        let mut instances = self.0.write().unwrap_or_else(PoisonError::into_inner);
        Ok(instances.entry(text).or_insert(made).clone())
    }
}

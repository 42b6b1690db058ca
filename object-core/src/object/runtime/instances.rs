//! [`RuntimeInstances`]: the instances of a singleton type that a program makes at run time.

use crate::error::Result;
use crate::object::access::builder::Buildable;
use crate::object::model::any::{Any, AnyView};
use crate::object::model::object_ref::ObjectRef;
use crate::object::model::singleton_info::{InstanceMap, InstanceSource};
use crate::object::model::type_info::TypeInfo;

/// The instances of such a type. Its fields make them, so every key has an instance.
pub(crate) struct RuntimeInstances(InstanceMap);

impl RuntimeInstances {
    /// No instances.
    pub(crate) fn new() -> Self {
        RuntimeInstances(InstanceMap::new())
    }
}

impl InstanceSource for RuntimeInstances {
    fn instances(&self) -> &InstanceMap {
        &self.0
    }

    fn is_closed(&self) -> bool {
        false
    }

    fn make_all(&self, _: &'static TypeInfo) -> Result<Vec<ObjectRef>> {
        Ok(Vec::new())
    }

    fn make(&self, info: &'static TypeInfo, key_field: usize, key: Any) -> Result<ObjectRef> {
        let mut builder = Buildable::new_instance(info)?.builder();
        builder.set_index(key_field, key)?;
        // JSON shows the key alone, so an inherited field without a default is empty.
        for (index, field) in info.fields().iter().enumerate() {
            if index != key_field && field.default().is_none() && field.accepts(AnyView::None) {
                builder.set_index(index, Any::None)?;
            }
        }
        builder.build()
    }
}

//! [`Downgrade`]: the step, with what it knows about the graph.

use std::ptr;

use object_core::ObjectView;
use object_core::Result;
use object_core::object::FieldInfo;
use object_core::registry::Types;
use object_core::table::{Set, Table};

use crate::tvm::convert::converter::{Converter, Step};
use crate::tvm::convert::downgrade::class::Class;
use crate::tvm::convert::downgrade::facts::Facts;
use crate::tvm::convert::downgrade::form::Form;
use crate::tvm::version::TvmVersion;

/// The step, with what it knows about the graph.
pub(super) struct Downgrade<'a> {
    pub(super) facts: Facts<'a>,
    /// The variables of Relax that are operands of scalar expressions or dimensions.
    pub(super) dims: Set<usize>,
    /// The variables that should be in `dims`: the conversion asked for their scalar forms.
    pub(super) used_dims: Set<usize>,
    /// The classes of types, by the address of the type.
    pub(super) classes: Table<usize, Class>,
}

impl Downgrade<'_> {
    pub(super) fn class_of(&mut self, object: ObjectView<'_>) -> Class {
        let info = object.type_info();
        *self.classes.entry(ptr::from_ref(info).addr()).or_insert_with(|| Class::of_type(info))
    }
}

pub(super) type Down<'a> = Converter<'a, Downgrade<'a>>;

impl<'a> Step<'a> for Downgrade<'a> {
    const FROM: TvmVersion = TvmVersion::V0_27;
    const TO: TvmVersion = TvmVersion::V0_25;
    type Form = Form;

    fn form_of(field: &FieldInfo, types: &Types) -> Result<Form> {
        Form::of_field(field, types)
    }
}

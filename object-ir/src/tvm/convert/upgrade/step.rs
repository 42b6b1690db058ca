//! [`Upgrade`]: the step, with what it knows about the graph.

use object_core::Result;
use object_core::object::FieldInfo;
use object_core::registry::Types;

use crate::tvm::convert::converter::{Converter, Step};
use crate::tvm::convert::upgrade::facts::Facts;
use crate::tvm::version::TvmVersion;

/// The step, with what it knows about the graph.
pub(super) struct Upgrade<'a> {
    pub(super) facts: Facts<'a>,
}

pub(super) type Up<'a> = Converter<'a, Upgrade<'a>>;

impl<'a> Step<'a> for Upgrade<'a> {
    const FROM: TvmVersion = TvmVersion::V0_25;
    const TO: TvmVersion = TvmVersion::V0_27;
    type Form = ();

    fn form_of(_: &FieldInfo, _: &Types) -> Result<()> {
        Ok(())
    }
}

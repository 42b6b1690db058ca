//! [`InferContext`]: the facts beside a call that inference may use.

use object_core::prelude::*;

use crate::arith::Analyzer;
use crate::ir::global_info::VDevice;
use crate::ir::module::IRModule;

/// The facts beside a call that inference may use: an analyzer for dimensions, and the module of the call.
#[derive(Clone, Copy, Debug)]
pub struct InferContext<'a> {
    analyzer: &'a Analyzer,
    module: Option<&'a IRModule>,
}

impl<'a> InferContext<'a> {
    /// A context without a module. The analyzer compares dimensions; [`Analyzer::for_shapes`] knows that they are not
    /// negative.
    #[must_use]
    pub fn new(analyzer: &'a Analyzer) -> Self {
        InferContext { analyzer, module: None }
    }

    /// The same context in a module, whose virtual devices calls may name by number.
    #[must_use]
    pub fn module(self, module: &'a IRModule) -> Self {
        InferContext { module: Some(module), ..self }
    }

    /// The analyzer.
    #[must_use]
    pub fn analyzer(&self) -> &'a Analyzer {
        self.analyzer
    }

    /// The virtual device `index` of the module; `None` if there is no module or no such device.
    #[must_use]
    pub fn vdevice(&self, index: i64) -> Option<VDevice> {
        let infos = self.module?.global_infos.get("vdevice")?;
        infos.get(usize::try_from(index).ok()?)?.downcast_ref::<VDevice>().cloned()
    }
}

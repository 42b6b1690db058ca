//! [`Parts`]: the parts of a call of an operator by name.

use object_core::object::TypeInfo;
use object_ir::ir::StructInfo;
use object_relax::op::{ArgumentKind, Completion, Presence};
use ruff_text_size::TextRange;

use crate::parse::state::call::Argument;

/// The parts of a call by name, before they become arguments and attributes.
pub(crate) struct Parts {
    /// The name of the operator without `relax.`, such as `nn.conv2d`.
    pub(crate) name: String,
    pub(crate) range: TextRange,
    /// The arguments of the operator, in order.
    pub(crate) args: Vec<(&'static str, ArgumentKind, Presence, Option<Argument>)>,
    /// All further arguments of a variadic operator.
    pub(crate) rest: Vec<Argument>,
    /// The fields of the attributes.
    pub(crate) fields: Vec<(&'static str, Argument)>,
    pub(crate) attrs_type: Option<&'static TypeInfo>,
    pub(crate) results: Vec<StructInfo>,
    /// How the function of Python completes the parameters.
    pub(crate) completions: &'static [Completion],
}

impl Parts {
    /// The value of a field of the attributes.
    pub(crate) fn field(&mut self, name: &str) -> Option<&mut Argument> {
        self.fields.iter_mut().find(|(known, _)| *known == name).map(|(_, argument)| argument)
    }

    /// The given value of an argument or of a field of the attributes.
    pub(crate) fn given(&mut self, name: &str) -> Option<&mut Argument> {
        match self.args.iter().position(|(known, ..)| *known == name) {
            Some(index) => self.args[index].3.as_mut(),
            None => self.field(name),
        }
    }

    /// The value of an argument.
    pub(crate) fn arg(&mut self, name: &str) -> Option<&mut Option<Argument>> {
        self.args.iter_mut().find(|(known, ..)| *known == name).map(|(.., argument)| argument)
    }
}

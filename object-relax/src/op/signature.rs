//! [`Signature`]: the name, the parameters and the purity of an operator.

use object_core::object::TypeInfo;
use object_ir::ir::Attrs;

/// A value that an argument of a call must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ArgumentKind {
    /// A tensor.
    Tensor,
    /// A shape.
    Shape,
    /// A scalar.
    Prim,
    /// A tensor or a scalar.
    TensorOrPrim,
    /// A tuple.
    Tuple,
    /// A tuple whose members are tensors.
    Tensors,
    /// A function.
    Function,
    /// A scalar that the argument itself states: a `PrimValue`.
    PrimValue,
    /// A constant data type.
    Type,
    /// A constant text.
    Text,
    /// Any value.
    Any,
}

impl ArgumentKind {
    /// The kind in words, such as `a tensor`.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            ArgumentKind::Tensor => "a tensor",
            ArgumentKind::Shape => "a shape",
            ArgumentKind::Prim => "a scalar (`PrimStructInfo`)",
            ArgumentKind::TensorOrPrim => "a tensor or a scalar (`PrimStructInfo`)",
            ArgumentKind::Tuple => "a tuple",
            ArgumentKind::Tensors => "a tuple of tensors",
            ArgumentKind::Function => "a function",
            ArgumentKind::PrimValue => "a `PrimValue`",
            ArgumentKind::Type => "a `DataTypeImm`",
            ArgumentKind::Text => "a `StringImm`",
            ArgumentKind::Any => "a value",
        }
    }
}

/// The number of arguments that a call gives for one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Presence {
    /// One.
    Required,
    /// One or none. Only optional parameters come after an optional parameter.
    Optional,
    /// Any number. The parameter is the last one.
    Variadic,
}

/// The part of a call that a parameter of a constructor function sets.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ParameterRole {
    /// Arguments.
    Argument(ArgumentKind, Presence),
    /// The attributes.
    Attributes {
        /// The type of the attributes.
        type_info: &'static TypeInfo,
        /// The attributes of a call that does not give any; `None` if each call gives attributes.
        default: Option<fn() -> Attrs>,
    },
    /// The structural information of the result, in `sinfo_args`.
    Results,
}

/// A parameter of the constructor function of an operator.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name, which is the name in TVM for an argument.
    pub name: &'static str,
    /// The part of the call that it sets.
    pub role: ParameterRole,
}

/// Whether a call has no visible side effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purity {
    /// It has none.
    Pure,
    /// It may have side effects.
    Impure,
}

/// The name, the parameters and the purity of an operator.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Signature {
    /// The full name, such as `relax.nn.conv2d`.
    pub name: &'static str,
    /// The documentation.
    pub doc: &'static str,
    /// The parameters of the constructor function, in order. Among them are the arguments of a call.
    pub parameters: &'static [Parameter],
    /// Whether a call has no visible side effect.
    pub purity: Purity,
    /// The least and the greatest number of arguments; see [`arity`](Self::arity).
    arity: (usize, Option<usize>),
    /// See [`attributes`](Self::attributes).
    attributes: Option<&'static TypeInfo>,
}

impl Signature {
    /// The signature with these parts. A parameter that is an argument comes before the other parameters.
    pub(super) const fn new(
        name: &'static str,
        doc: &'static str,
        parameters: &'static [Parameter],
        purity: Purity,
    ) -> Self {
        let (mut least, mut most, mut is_variadic) = (0, 0, false);
        let mut attributes = None;
        let mut index = 0;
        while index < parameters.len() {
            match &parameters[index].role {
                ParameterRole::Argument(_, presence) => {
                    assert!(most == index && !is_variadic, "arguments come first, and a variadic one is the last");
                    match presence {
                        Presence::Required => (least, most) = (least + 1, most + 1),
                        Presence::Optional => most += 1,
                        Presence::Variadic => is_variadic = true,
                    }
                }
                ParameterRole::Attributes { type_info, .. } => attributes = Some(*type_info),
                ParameterRole::Results => {}
            }
            index += 1;
        }
        let arity = (least, if is_variadic { None } else { Some(most) });
        Signature { name, doc, parameters, purity, arity, attributes }
    }

    /// The arguments of a call: name, kind and number.
    pub fn arguments(&self) -> impl Iterator<Item = (&'static str, ArgumentKind, Presence)> {
        self.parameters.iter().filter_map(|parameter| match parameter.role {
            ParameterRole::Argument(kind, presence) => Some((parameter.name, kind, presence)),
            _ => None,
        })
    }

    /// The name and the kind of the argument at `index` of a call, if a call may have that many.
    #[must_use]
    pub fn argument(&self, index: usize) -> Option<(&'static str, ArgumentKind)> {
        if let Some(Parameter { name, role: ParameterRole::Argument(kind, _) }) = self.parameters.get(index) {
            return Some((name, *kind));
        }
        let last = self.arguments().last().filter(|it| it.2 == Presence::Variadic);
        last.map(|(name, kind, _)| (name, kind))
    }

    /// The least and the greatest number of arguments of a call; no greatest number if the last parameter is variadic.
    #[must_use]
    pub fn arity(&self) -> (usize, Option<usize>) {
        self.arity
    }

    /// The type of the attributes of a call; `None` if the operator does not define one.
    #[must_use]
    pub fn attributes(&self) -> Option<&'static TypeInfo> {
        self.attributes
    }

    /// The attributes of a call that does not give any, if the operator has such attributes.
    #[must_use]
    pub fn default_attributes(&self) -> Option<Attrs> {
        self.parameters.iter().find_map(|parameter| match parameter.role {
            ParameterRole::Attributes { default, .. } => default.map(|default| default()),
            _ => None,
        })
    }
}

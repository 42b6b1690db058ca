//! [`OpCall`]: a call whose structural information is inferred, with access to its arguments and attributes.

use std::cell::Cell;
use std::fmt::Display;

use object_core::access_path::{AccessPath, AccessStep};
use object_core::object::TypeInfo;
use object_core::prelude::*;
use object_ir::ir::{
    Call, DataTypeImm, DictAttrs, FuncStructInfo, PrimExpr, PrimStructInfo, PrimValue, RelaxExpr, ShapeStructInfo,
    StringImm, StructInfo, TensorStructInfo, TupleStructInfo, VDevice,
};
use object_ir::tvm::TvmVersion;
use smallvec::SmallVec;

use super::context::InferContext;
use super::describe::describe;
use super::dims::{DimRefs, Dims, tensor, tensor_of, tensor_of_dims};
use super::leaf::struct_info_of;
use super::signature::{ArgumentKind, Parameter, ParameterRole, Signature};
use crate::arith::Analyzer;

/// The greatest rank of a tensor that inference accepts, so that a wrong number does not fill the memory.
const MAX_RANK: i64 = 1 << 16;

/// The members of a tuple of tensors.
pub(crate) type Tensors<'t> = SmallVec<[&'t TensorStructInfo; 4]>;

/// A call of an operator whose structural information is inferred. The number and the kinds of its arguments and the
/// type of its attributes are right.
pub(crate) struct OpCall<'a> {
    call: &'a Call,
    signature: &'static Signature,
    context: &'a InferContext<'a>,
    args: &'a [RelaxExpr],
    /// The structural information of arguments that do not store it. Empty if all do, else an entry for each argument.
    infos: Vec<Option<StructInfo>>,
    /// Whether inference has looked at an argument itself, the module or the values of variables.
    looks_further: Cell<bool>,
}

impl<'a> OpCall<'a> {
    /// Checks a call with the arguments `args`, which may be others than the call has, against the signature of its
    /// operator.
    ///
    /// # Errors
    /// [`Call`](ErrorKind::Call) for a wrong number of arguments, [`MissingField`](ErrorKind::MissingField) for an
    /// argument without structural information, [`TypeMismatch`](ErrorKind::TypeMismatch) for an argument of another
    /// kind and for attributes of another type.
    pub(crate) fn new(
        call: &'a Call,
        args: &'a [RelaxExpr],
        signature: &'static Signature,
        context: &'a InferContext<'a>,
    ) -> Result<Self, Error> {
        Self::with_infos(call, args, signature, context, |_| None)
    }

    /// As [`new`](Self::new), for a call whose arguments are the ones that the operator requires, and are tensors where it takes
    /// tensors. Most calls are like this. `None` for other calls.
    pub(crate) fn of_tensors(
        call: &'a Call,
        args: &'a [RelaxExpr],
        signature: &'static Signature,
        context: &'a InferContext<'a>,
    ) -> Option<Result<Self, Error>> {
        let is_tensor = |(arg, parameter): (&RelaxExpr, &Parameter)| {
            let takes_tensors =
                matches!(parameter.role, ParameterRole::Argument(ArgumentKind::Tensor | ArgumentKind::TensorOrPrim, _));
            let tensor = arg.struct_info.as_ref().and_then(|info| info.downcast_ref::<TensorStructInfo>());
            takes_tensors && tensor.is_some_and(|tensor| tensor.ndim <= MAX_RANK)
        };
        if signature.arity() != (args.len(), Some(args.len())) || !args.iter().zip(signature.parameters).all(is_tensor)
        {
            return None;
        }
        let checked = OpCall { call, signature, context, args, infos: Vec::new(), looks_further: Cell::new(false) };
        Some(checked.check_attributes().map(|()| checked))
    }

    /// Like [`new`](Self::new), with the structural information that `replace` returns in place of the given one.
    pub(crate) fn with_infos(
        call: &'a Call,
        args: &'a [RelaxExpr],
        signature: &'static Signature,
        context: &'a InferContext<'a>,
        mut replace: impl FnMut(&StructInfo) -> Option<StructInfo>,
    ) -> Result<Self, Error> {
        let mut checked = OpCall { call, signature, context, args, infos: Vec::new(), looks_further: Cell::new(false) };
        checked.check_arity()?;
        for (index, arg) in args.iter().enumerate() {
            let other = match &arg.struct_info {
                Some(info) => replace(info),
                None => {
                    let info = struct_info_of(arg).ok_or_else(|| {
                        let message = "has no structural information; infer it first";
                        checked.argument_error(ErrorKind::MissingField, index, message)
                    })?;
                    Some(replace(&info).unwrap_or(info))
                }
            };
            if other.is_some() {
                checked.infos.resize(args.len(), None);
                checked.infos[index] = other;
            }
            checked.check_kind(index)?;
        }
        checked.check_attributes()?;
        Ok(checked)
    }

    fn check_arity(&self) -> Result<(), Error> {
        let (given, (least, most)) = (self.args.len(), self.signature.arity());
        if given >= least && most.is_none_or(|most| given <= most) {
            return Ok(());
        }
        let expected = match most {
            Some(most) if most == least => least.to_string(),
            Some(most) => format!("{least} to {most}"),
            None => format!("at least {least}"),
        };
        let names: Vec<_> = self.signature.arguments().map(|(name, ..)| format!("`{name}`")).collect();
        let names = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
        let noun = if expected == "1" { "argument" } else { "arguments" };
        Err(self.error(ErrorKind::Call, format!("expected {expected} {noun}{names}, got {given}")))
    }

    fn check_kind(&self, index: usize) -> Result<(), Error> {
        let kind = self.signature.argument(index).map_or(ArgumentKind::Any, |(_, kind)| kind);
        let (info, arg) = (self.info(index), &self.args[index]);
        // Most arguments are tensors.
        if let (ArgumentKind::Tensor | ArgumentKind::TensorOrPrim, Some(tensor)) =
            (kind, info.downcast_ref::<TensorStructInfo>())
            && tensor.ndim <= MAX_RANK
        {
            return Ok(());
        }
        let is_tensor = |info: &StructInfo| info.is::<TensorStructInfo>();
        let holds = match kind {
            ArgumentKind::Tensor => is_tensor(info),
            ArgumentKind::Shape => info.is::<ShapeStructInfo>(),
            ArgumentKind::Prim => info.is::<PrimStructInfo>(),
            ArgumentKind::TensorOrPrim => is_tensor(info) || info.is::<PrimStructInfo>(),
            ArgumentKind::Tuple => info.is::<TupleStructInfo>(),
            ArgumentKind::Tensors => info
                .downcast_ref::<TupleStructInfo>()
                .is_some_and(|tuple| tuple.fields.as_slice().iter().all(is_tensor)),
            ArgumentKind::Function => info.is::<FuncStructInfo>(),
            ArgumentKind::PrimValue => arg.is::<PrimValue>(),
            ArgumentKind::Type => arg.is::<DataTypeImm>(),
            ArgumentKind::Text => arg.is::<StringImm>(),
            ArgumentKind::Any => true,
        };
        match kind {
            _ if !holds => Err(self.wrong_kind(index, kind)),
            // Neither has dimensions.
            ArgumentKind::Prim | ArgumentKind::Function | ArgumentKind::PrimValue => Ok(()),
            _ => self.check_rank(index),
        }
    }

    /// Rejects ranks for which inference could not allocate shapes.
    fn check_rank(&self, index: usize) -> Result<(), Error> {
        let info = self.info(index);
        let rank = match info.downcast_ref::<TupleStructInfo>() {
            Some(tuple) => tuple.fields.as_slice().iter().map(rank_of).max().unwrap_or(-1),
            None => rank_of(info),
        };
        if rank <= MAX_RANK {
            return Ok(());
        }
        let message = format!("expected at most {MAX_RANK} dimensions, got {rank}");
        Err(self.argument_error(ErrorKind::OutOfRange, index, message))
    }

    fn check_attributes(&self) -> Result<(), Error> {
        let Some(expected) = self.signature.attributes() else { return Ok(()) };
        let given = self.call.attrs.as_ref().map(|attrs| attrs.as_object().view().type_info());
        let is_same = |given: &TypeInfo| std::ptr::eq(given, expected) || given.type_key() == expected.type_key();
        if given.is_some_and(is_same) { Ok(()) } else { Err(self.wrong_attributes(expected.type_key())) }
    }

    fn wrong_attributes(&self, expected: &str) -> Error {
        // A constructor keeps the text that is not the name of a data type.
        let attrs = self.call.attrs.as_ref().and_then(|attrs| attrs.downcast_ref::<DictAttrs>());
        let stated = attrs.and_then(|attrs| attrs.dict.get("dtype"));
        if let Some(text) = stated.as_ref().and_then(|stated| stated.view().as_str()) {
            let message = format!("attribute `dtype`: {}", not_a_data_type(text));
            let place = path([AccessStep::Attr("attrs".into()), AccessStep::Attr("dtype".into())]);
            return self.error(ErrorKind::Malformed, message).at(place);
        }
        let given = self.call.attrs.as_ref().map(|attrs| attrs.as_object().view().type_key());
        let given = given.map_or("none".to_owned(), |key| format!("`{key}`"));
        let message = format!("attributes: expected `{expected}`, got {given}");
        self.error(ErrorKind::TypeMismatch, message).at(path([AccessStep::Attr("attrs".into())]))
    }

    /// Whether inference, as far as it went, depends on the structural information of the arguments, the attributes and the
    /// structural information that the call states, and on nothing else.
    pub(crate) fn depends_on_facts_only(&self) -> bool {
        !self.looks_further.get()
    }

    /// The analyzer for dimensions.
    pub(crate) fn analyzer(&self) -> &'a Analyzer {
        self.context.analyzer()
    }

    /// Whether the rules of TVM 0.27 apply where they differ from the rules of TVM 0.25. `None` if the result is what the evaluation
    /// has.
    pub(crate) fn by_tvm_0_27(&self) -> Option<bool> {
        self.context.tvm_version().map(|version| version >= TvmVersion::V0_27)
    }

    /// The facts beside the call.
    pub(crate) fn context(&self) -> &'a InferContext<'a> {
        self.looks_further.set(true);
        self.context
    }

    /// Structural information of a tensor, as the result of the call.
    pub(crate) fn result(&self, dims: Dims, dtype: DataType, vdevice: Option<VDevice>) -> StructInfo {
        match &dims {
            Dims::Known(known) => self.result_of(&known.iter().collect::<DimRefs<'_>>(), dtype, vdevice),
            _ => tensor(dims, dtype, vdevice),
        }
    }

    /// Structural information of a tensor of the shape `shape`, whose dimensions are `dims`, as the result of the call.
    pub(crate) fn result_of_shape(
        &self,
        shape: &RelaxExpr,
        dims: &[PrimExpr],
        dtype: DataType,
        vdevice: Option<VDevice>,
    ) -> StructInfo {
        match (self.context.shared_results(), vdevice) {
            (Some(results), None) => {
                let dims: DimRefs<'_> = dims.iter().collect();
                results.tensor_or(&dims, dtype, || tensor_of(Some(shape.clone()), dtype, None, -1))
            }
            (_, vdevice) => tensor_of(Some(shape.clone()), dtype, vdevice, -1),
        }
    }

    /// Structural information of a tensor of known dimensions, as the result of the call.
    pub(crate) fn result_of(&self, dims: &[&PrimExpr], dtype: DataType, vdevice: Option<VDevice>) -> StructInfo {
        match (self.context.shared_results(), vdevice) {
            (Some(results), None) => results.tensor(dims, dtype),
            (_, vdevice) => tensor_of_dims(dims, dtype, vdevice),
        }
    }

    /// The number of arguments.
    pub(crate) fn len(&self) -> usize {
        self.args.len()
    }

    /// The structural information that the call states itself.
    pub(crate) fn sinfo_args(&self) -> &'a [StructInfo] {
        self.call.sinfo_args.as_slice()
    }

    /// The call, with the arguments that inference sees.
    pub(crate) fn to_call(&self) -> Call {
        self.looks_further.set(true);
        if std::ptr::eq(self.args, self.call.args.as_slice()) {
            return self.call.clone();
        }
        self.call.clone().with_changes(|node| node.args = Array::of_handles(self.args))
    }

    /// The argument at `index`.
    ///
    /// # Panics
    /// If the operator has fewer required arguments.
    pub(crate) fn arg(&self, index: usize) -> &'a RelaxExpr {
        self.looks_further.set(true);
        &self.args[index]
    }

    /// The structural information of the argument at `index`.
    ///
    /// # Panics
    /// If the operator has fewer required arguments.
    pub(crate) fn info(&self, index: usize) -> &StructInfo {
        let replaced = self.infos.get(index).and_then(Option::as_ref);
        replaced
            .or(self.args[index].struct_info.as_ref())
            .unwrap_or_else(|| unreachable!("a call without the structural information of an argument is not checked"))
    }

    /// The tensor at `index`.
    pub(crate) fn tensor(&self, index: usize) -> Result<&TensorStructInfo, Error> {
        self.info_as(index, ArgumentKind::Tensor)
    }

    /// The shape at `index`.
    pub(crate) fn shape(&self, index: usize) -> Result<&ShapeStructInfo, Error> {
        self.info_as(index, ArgumentKind::Shape)
    }

    /// The scalar at `index`.
    pub(crate) fn prim(&self, index: usize) -> Result<&PrimStructInfo, Error> {
        self.info_as(index, ArgumentKind::Prim)
    }

    /// The tuple at `index`.
    pub(crate) fn tuple(&self, index: usize) -> Result<&TupleStructInfo, Error> {
        self.info_as(index, ArgumentKind::Tuple)
    }

    /// The expression of the `PrimValue` at `index`.
    pub(crate) fn scalar(&self, index: usize) -> Result<&'a PrimExpr, Error> {
        let scalar = self.arg(index).downcast_ref::<PrimValue>();
        scalar.map(|scalar| &scalar.value).ok_or_else(|| self.wrong_kind(index, ArgumentKind::PrimValue))
    }

    /// The data type at `index`.
    pub(crate) fn data_type(&self, index: usize) -> Result<DataType, Error> {
        let dtype = self.arg(index).downcast_ref::<DataTypeImm>();
        dtype.map(|dtype| dtype.value).ok_or_else(|| self.wrong_kind(index, ArgumentKind::Type))
    }

    /// The members of the tuple of tensors at `index`.
    pub(crate) fn tensors(&self, index: usize) -> Result<Tensors<'_>, Error> {
        let members = self.tuple(index)?.fields.as_slice().iter().map(|member| member.downcast_ref());
        members.collect::<Option<_>>().ok_or_else(|| self.wrong_kind(index, ArgumentKind::Tensors))
    }

    fn info_as<T: TypedHandle>(&self, index: usize, kind: ArgumentKind) -> Result<&T, Error> {
        self.info(index).downcast_ref().ok_or_else(|| self.wrong_kind(index, kind))
    }

    /// The attributes, of the type `A` that the signature names.
    pub(crate) fn attrs<A: TypedHandle>(&self) -> Result<&'a A, Error> {
        let attrs = self.call.attrs.as_ref().and_then(|attrs| attrs.downcast_ref());
        attrs.ok_or_else(|| self.wrong_attributes(A::Node::TYPE_INFO.type_key()))
    }

    /// An error about the call.
    pub(crate) fn error(&self, kind: ErrorKind, message: impl Display) -> Error {
        Error::new(kind, format!("`{}`: {message}", self.signature.name))
    }

    /// An error about the structural information that the call states itself, with its place.
    pub(crate) fn results_error(&self, message: impl Display) -> Error {
        let place = path([AccessStep::Attr("sinfo_args".into())]);
        self.error(ErrorKind::TypeMismatch, format!("`sinfo_args`: {message}")).at(place)
    }

    /// An error about the argument at `index`, with its name and its place.
    pub(crate) fn argument_error(&self, kind: ErrorKind, index: usize, message: impl Display) -> Error {
        let name = self.signature.argument(index).map_or("?", |(name, _)| name);
        let place = path([AccessStep::Attr("args".into()), AccessStep::ArrayItem(index)]);
        self.error(kind, format!("argument {index} (`{name}`): {message}")).at(place)
    }

    /// An error about the attribute `name`, with its place.
    pub(crate) fn attribute_error(&self, name: &'static str, message: impl Display) -> Error {
        let place = path([AccessStep::Attr("attrs".into()), AccessStep::Attr(name.into())]);
        self.error(ErrorKind::OutOfRange, format!("attribute `{name}`: {message}")).at(place)
    }

    /// The error for an argument of another kind.
    pub(crate) fn wrong_kind(&self, index: usize, kind: ArgumentKind) -> Error {
        if let (ArgumentKind::Type, Some(text)) = (kind, self.arg(index).downcast_ref::<StringImm>()) {
            return self.argument_error(ErrorKind::Malformed, index, not_a_data_type(&text.value));
        }
        let given = describe(self.info(index));
        let message = format!("expected {}, got {given}; `MatchCast` narrows a value", kind.describe());
        self.argument_error(ErrorKind::TypeMismatch, index, message)
    }
}

fn path(steps: impl IntoIterator<Item = AccessStep>) -> AccessPath {
    AccessPath::from_steps(steps)
}

fn not_a_data_type(text: &str) -> String {
    let error = text.parse::<DataType>().err();
    error.map_or_else(|| format!("expected a data type, got the text `{text}`"), |error| error.message().to_owned())
}

/// The rank of a tensor or a shape; -1 for others.
fn rank_of(info: &StructInfo) -> i64 {
    let of_tensor = info.downcast_ref::<TensorStructInfo>().map(|tensor| tensor.ndim);
    of_tensor.or_else(|| info.downcast_ref::<ShapeStructInfo>().map(|shape| shape.ndim)).unwrap_or(-1)
}

//! [`IntoParameter`]: the values that constructor functions of operators take for a parameter of some [kind](self).
//!
//! A row of a family names a kind of this module for each parameter: `x: Tensor`, `attrs: Defaults<SoftmaxAttrs>`.

use object_core::prelude::*;
use object_ir::attrs::{AstypeAttrs, InitAttrs, QuantizeAttrs, WrapParamAttrs};
use object_ir::ir::{
    self, Attrs, Call, DataTypeImm, DictAttrs, FloatImm, IntImm, IntoDataType, IntoDims, Op, PrimExpr,
    PrimValue as PrimValueExpr, RelaxExpr, StringImm, StructInfo, TensorStructInfo, Tuple as TupleExpr,
};
use object_ir::tir::{self, IntoPrimExpr};

use super::dims::{shape_expr, shape_values, written_shape};
use super::new_shape::{completed, with_copied};
use super::signature::{ArgumentKind, ParameterRole, Presence};
use crate::arith::Analyzer;

/// A kind of parameters: a type without values in this module.
pub trait ParameterKind {
    /// The part of the call that the parameter sets.
    const ROLE: ParameterRole;
}

/// A value for a parameter of the kind `K`.
///
/// An expression is such a value for each kind of arguments. A shape is also a list of dimensions, a scalar a number, a
/// tuple a list of expressions, and so on. `None` leaves out an optional argument or takes default attributes.
pub trait IntoParameter<K: ParameterKind> {
    /// Adds the value to the call.
    #[doc(hidden)]
    fn add_to(self, call: &mut CallParts);
}

/// An expression of Relax as an argument, by value or by reference.
pub trait Argument: Into<RelaxExpr> {}

macro_rules! arguments {
    ($($Expr:ident)*) => {$(
        impl Argument for ir::$Expr {}
        impl Argument for &ir::$Expr {}
    )*};
}

arguments! {
    RelaxExpr LeafExpr Var DataflowVar GlobalVar Constant PrimValue StringImm DataTypeImm ShapeExpr Tuple TupleGetItem
    Call Op If SeqExpr BaseFunc Function ExternFunc
}

impl Argument for tir::PrimFunc {}
impl Argument for &tir::PrimFunc {}

/// The parts of a call that its parameters set.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct CallParts {
    args: Vec<RelaxExpr>,
    attrs: Option<Attrs>,
    sinfo_args: Vec<StructInfo>,
}

impl CallParts {
    /// The call of the operator `name`, which the table of operators has.
    pub(super) fn call(self, name: &'static str) -> Call {
        let op = Op::get(name).unwrap_or_else(|error| panic!("{error}"));
        Call::new(op, self.args, self.attrs, self.sinfo_args)
    }

    fn argument(&mut self, argument: impl Into<RelaxExpr>) {
        self.args.push(argument.into());
    }
}

macro_rules! argument_kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident;)*) => {$(
        $(#[doc = $doc])+
        #[derive(Debug)]
        pub enum $kind {}

        impl ParameterKind for $kind {
            const ROLE: ParameterRole = ParameterRole::Argument(ArgumentKind::$kind, Presence::Required);
        }

        impl<E: Argument> IntoParameter<$kind> for E {
            fn add_to(self, call: &mut CallParts) {
                call.argument(self);
            }
        }

        impl<E: Argument> IntoParameter<Optional<$kind>> for E {
            fn add_to(self, call: &mut CallParts) {
                call.argument(self);
            }
        }

        impl IntoParameter<Optional<$kind>> for Option<RelaxExpr> {
            fn add_to(self, call: &mut CallParts) {
                call.args.extend(self);
            }
        }

        impl HasKind for $kind {
            const KIND: ArgumentKind = ArgumentKind::$kind;
        }
    )*};
}

argument_kinds! {
    /// A tensor.
    Tensor;
    /// A shape.
    Shape;
    /// A scalar.
    Prim;
    /// A tensor or a scalar.
    TensorOrPrim;
    /// A tuple.
    Tuple;
    /// A tuple of tensors.
    Tensors;
    /// A function.
    Function;
    /// A scalar that the argument itself states.
    PrimValue;
    /// A data type.
    Type;
    /// A text.
    Text;
    /// Any value.
    Any;
}

/// The kind of an argument as a value.
#[doc(hidden)]
pub trait HasKind {
    /// The kind.
    const KIND: ArgumentKind;
}

/// An argument of the kind `K` that a call may leave out.
#[derive(Debug)]
pub struct Optional<K>(std::marker::PhantomData<K>);

impl<K: HasKind> ParameterKind for Optional<K> {
    const ROLE: ParameterRole = ParameterRole::Argument(K::KIND, Presence::Optional);
}

/// Any number of arguments of the kind `K`.
#[derive(Debug)]
pub struct Variadic<K>(std::marker::PhantomData<K>);

impl<K: HasKind> ParameterKind for Variadic<K> {
    const ROLE: ParameterRole = ParameterRole::Argument(K::KIND, Presence::Variadic);
}

impl<K: HasKind, E: Argument, I: IntoIterator<Item = E>> IntoParameter<Variadic<K>> for I {
    fn add_to(self, call: &mut CallParts) {
        call.args.extend(self.into_iter().map(Into::into));
    }
}

/// Attributes of the type `A`, which each call gives.
#[derive(Debug)]
pub struct Attributes<A>(std::marker::PhantomData<A>);

impl<A: TypedHandle> ParameterKind for Attributes<A> {
    const ROLE: ParameterRole = ParameterRole::Attributes { type_info: A::Node::TYPE_INFO, default: None };
}

impl<A: TypedHandle + Into<Attrs>, V: Into<A>> IntoParameter<Attributes<A>> for V {
    fn add_to(self, call: &mut CallParts) {
        call.attrs = Some(self.into().into());
    }
}

/// Attributes of the type `A`; `None` for their defaults.
#[derive(Debug)]
pub struct Defaults<A>(std::marker::PhantomData<A>);

fn default_attributes<A: Default + Into<Attrs>>() -> Attrs {
    A::default().into()
}

impl<A: TypedHandle + Default + Into<Attrs>> ParameterKind for Defaults<A> {
    const ROLE: ParameterRole =
        ParameterRole::Attributes { type_info: A::Node::TYPE_INFO, default: Some(default_attributes::<A>) };
}

impl<A: TypedHandle + Default + Into<Attrs>, V: Into<Option<A>>> IntoParameter<Defaults<A>> for V {
    fn add_to(self, call: &mut CallParts) {
        call.attrs = Some(self.into().unwrap_or_default().into());
    }
}

/// The structural information of the result of the call.
#[derive(Debug)]
pub enum ResultInfo {}

impl ParameterKind for ResultInfo {
    const ROLE: ParameterRole = ParameterRole::Results;
}

impl<S: Into<StructInfo>> IntoParameter<ResultInfo> for S {
    fn add_to(self, call: &mut CallParts) {
        call.sinfo_args.push(self.into());
    }
}

/// The structural information of the results of the call: one for each result, or nothing.
#[derive(Debug)]
pub enum ResultInfos {}

impl ParameterKind for ResultInfos {
    const ROLE: ParameterRole = ParameterRole::Results;
}

impl<S: Into<StructInfo>, I: IntoIterator<Item = S>> IntoParameter<ResultInfos> for I {
    fn add_to(self, call: &mut CallParts) {
        call.sinfo_args.extend(self.into_iter().map(Into::into));
    }
}

/// A list of expressions is a tuple.
macro_rules! tuples {
    ($($kind:ident),*) => {$(
        impl<E: Argument, const N: usize> IntoParameter<$kind> for [E; N] {
            fn add_to(self, call: &mut CallParts) {
                call.argument(TupleExpr::new(self.map(Into::into)));
            }
        }

        impl<E: Argument> IntoParameter<$kind> for Vec<E> {
            fn add_to(self, call: &mut CallParts) {
                call.argument(TupleExpr::new(self.into_iter().map(Into::into)));
            }
        }
    )*};
}

tuples!(Tuple, Tensors);

/// A list of dimensions is a shape.
fn add_shape(call: &mut CallParts, dims: impl IntoDims) {
    call.argument(shape_expr(dims.into_dims().iter()));
}

impl<D: IntoPrimExpr, const N: usize> IntoParameter<Shape> for [D; N] {
    fn add_to(self, call: &mut CallParts) {
        add_shape(call, self);
    }
}

impl<D: IntoPrimExpr> IntoParameter<Shape> for Vec<D> {
    fn add_to(self, call: &mut CallParts) {
        add_shape(call, self);
    }
}

macro_rules! shapes {
    ($([$($Dim:ident)+])+) => {$(
        impl<$($Dim: IntoPrimExpr),+> IntoParameter<Shape> for ($($Dim,)+) {
            fn add_to(self, call: &mut CallParts) {
                add_shape(call, self);
            }
        }
    )+};
}

shapes!([A] [A B] [A B C] [A B C D] [A B C D E] [A B C D E F]);

/// A scalar expression or a number is a scalar, of type `int64`, `float64` or `bool`.
macro_rules! scalars {
    ($($kind:ident)+: $($Value:ty => |$value:ident| $expr:expr;)+) => {
        scalars!(@each ($($kind)+) $(($Value, $value, $expr))+);
    };
    (@each $kinds:tt $($value:tt)+) => { $(scalars!(@one $kinds $value);)+ };
    (@one ($($kind:ident)+) ($Value:ty, $value:ident, $expr:expr)) => {$(
        impl IntoParameter<$kind> for $Value {
            fn add_to(self, call: &mut CallParts) {
                let $value = self;
                call.argument(PrimValueExpr::of($expr));
            }
        }
    )+};
}

scalars! {
    Prim PrimValue TensorOrPrim:
    PrimExpr => |value| value;
    &PrimExpr => |value| value;
    tir::Var => |value| value;
    &tir::Var => |value| value;
    i32 => |value| value;
    i64 => |value| value;
    f64 => |value| FloatImm::new(DataType::float(64), value);
    bool => |value| IntImm::new(DataType::boolean(), i64::from(value));
}

/// An argument of the kind `K`, for which a call may also give an empty tuple; `None` stands for the empty tuple.
#[derive(Debug)]
pub struct OrVoid<K>(std::marker::PhantomData<K>);

impl<K: HasKind> ParameterKind for OrVoid<K> {
    const ROLE: ParameterRole = ParameterRole::Argument(ArgumentKind::Any, Presence::Required);
}

impl<K: HasKind, E: Argument> IntoParameter<OrVoid<K>> for E {
    fn add_to(self, call: &mut CallParts) {
        call.argument(self);
    }
}

impl<K: HasKind> IntoParameter<OrVoid<K>> for Option<RelaxExpr> {
    fn add_to(self, call: &mut CallParts) {
        call.argument(self.unwrap_or_else(|| TupleExpr::new(Array::<RelaxExpr>::new([])).into()));
    }
}

impl IntoParameter<Type> for DataType {
    fn add_to(self, call: &mut CallParts) {
        call.argument(DataTypeImm::new(self));
    }
}

/// The name of a data type. With another text, the inference of the call is an error.
impl IntoParameter<Type> for &str {
    fn add_to(self, call: &mut CallParts) {
        match self.into_data_type() {
            Ok(dtype) => call.argument(DataTypeImm::new(dtype)),
            Err(_) => call.argument(StringImm::new(self)),
        }
    }
}

/// Attributes that can be made of an element type alone.
pub trait ElementTypeAttrs: TypedHandle + From<DataType> + Into<Attrs> {}

impl ElementTypeAttrs for InitAttrs {}
impl ElementTypeAttrs for AstypeAttrs {}
impl ElementTypeAttrs for WrapParamAttrs {}
impl ElementTypeAttrs for QuantizeAttrs {}

/// The type of the elements of the result, as attributes of the type `A`: a data type, the name of one such as
/// `"float32"`, or the attributes.
///
/// ```
/// use object_relax::arith::Analyzer;
/// use object_ir::ir::TensorStructInfo;
/// use object_relax::op::{self, InferContext};
///
/// let analyzer = Analyzer::for_shapes();
/// let zeros = op::infer(&op::zeros([2, 3], "float32"), &InferContext::new(&analyzer))?;
/// assert!(object_core::structural_equal(&zeros, &TensorStructInfo::of([2, 3], "float32")?));
///
/// let error = op::infer(&op::zeros([2, 3], "flot32"), &InferContext::new(&analyzer)).unwrap_err();
/// assert!(error.message().contains("did you mean `float32`?"));
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Debug)]
pub struct ElementType<A>(std::marker::PhantomData<A>);

/// Like [`ElementType`]; `None` for the default attributes.
#[derive(Debug)]
pub struct OptionalElementType<A>(std::marker::PhantomData<A>);

impl<A: ElementTypeAttrs> ParameterKind for ElementType<A> {
    const ROLE: ParameterRole = <Attributes<A> as ParameterKind>::ROLE;
}

impl<A: ElementTypeAttrs + Default> ParameterKind for OptionalElementType<A> {
    const ROLE: ParameterRole = <Defaults<A> as ParameterKind>::ROLE;
}

/// The attributes of a call whose element type has the name `text`. A text that names no data type stays as it is, so
/// that the inference of the call reports it.
fn named_element_type<A: ElementTypeAttrs>(text: &str) -> Attrs {
    match text.into_data_type() {
        Ok(dtype) => A::from(dtype).into(),
        Err(_) => DictAttrs::new(Map::new([(Str::from("dtype"), object_core::Any::from(text))])).into(),
    }
}

macro_rules! element_types {
    ($($Kind:ident: $($Bound:ident)+;)*) => {$(
        impl<A: $($Bound +)+> IntoParameter<$Kind<A>> for A {
            fn add_to(self, call: &mut CallParts) {
                call.attrs = Some(self.into());
            }
        }

        impl<A: $($Bound +)+> IntoParameter<$Kind<A>> for &A {
            fn add_to(self, call: &mut CallParts) {
                call.attrs = Some(self.clone().into());
            }
        }

        impl<A: $($Bound +)+> IntoParameter<$Kind<A>> for DataType {
            fn add_to(self, call: &mut CallParts) {
                call.attrs = Some(A::from(self).into());
            }
        }

        impl<A: $($Bound +)+> IntoParameter<$Kind<A>> for &str {
            fn add_to(self, call: &mut CallParts) {
                call.attrs = Some(named_element_type::<A>(self));
            }
        }
    )*};
}

element_types! {
    ElementType: ElementTypeAttrs;
    OptionalElementType: ElementTypeAttrs Default;
}

impl<A: ElementTypeAttrs + Default> IntoParameter<OptionalElementType<A>> for Option<A> {
    fn add_to(self, call: &mut CallParts) {
        call.attrs = Some(self.unwrap_or_default().into());
    }
}

/// The new shape of the tensor before it: -1 stands for the size that keeps the number of elements, and 0 for the size of
/// the dimension at the same place, if the structural information of the tensor has its dimensions.
///
/// ```
/// use object_core::structural_equal;
/// use object_ir::ir::{ShapeExpr, TensorStructInfo, Var};
/// use object_relax::op;
/// use object_ir::tir;
///
/// let n = tir::Var::dim("n");
/// let x = Var::of("x", TensorStructInfo::of((&n, 6), "float32")?);
/// let call = op::reshape(&x, [0, -1, 2]);
/// assert!(structural_equal(&call.args[1], &ShapeExpr::of((&n, 3, 2))?));
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Debug)]
pub enum NewShape {}

impl ParameterKind for NewShape {
    const ROLE: ParameterRole = <Shape as ParameterKind>::ROLE;
}

impl<S: IntoParameter<Shape>> IntoParameter<NewShape> for S {
    fn add_to(self, call: &mut CallParts) {
        self.add_to(call);
        let [.., tensor, shape] = call.args.as_mut_slice() else { return };
        let given = tensor.struct_info.as_ref().and_then(|info| info.downcast_ref::<TensorStructInfo>());
        if let (Some(given), Some(dims)) = (given.and_then(|it| shape_values(it)), written_shape(shape)) {
            let dims = with_copied(given, dims);
            let analyzer = Analyzer::for_shapes();
            *shape = shape_expr(completed(given, &dims, &analyzer).unwrap_or(dims).iter()).into();
        }
    }
}

impl IntoParameter<Text> for &str {
    fn add_to(self, call: &mut CallParts) {
        call.argument(StringImm::new(self));
    }
}

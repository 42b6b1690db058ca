//! Constructors of structural information, shapes and variables, with the checks of TVM's constructors
//! (TVM 0.25 `src/relax/ir/struct_info.cc`, `src/relax/ir/expr.cc`).

use object_core::prelude::*;

use super::data_type_arg::IntoDataType;
use super::dims::{IntoDims, checked_dims};
use crate::ir::{
    BaseExprNode, DataflowVar, EnvFunc, FuncStructInfo, GlobalVar, Id, LeafExprNode, ObjectStructInfo, PrimExpr,
    PrimStructInfo, PrimValue, RelaxExpr, RelaxExprNode, ShapeExpr, ShapeExprNode, ShapeStructInfo, StructInfo,
    TensorStructInfo, TupleStructInfo, VDevice, Var,
};
use crate::tir::IntoPrimExpr;

/// The number of dimensions as the nodes store it.
fn rank(ndim: usize) -> i64 {
    i64::try_from(ndim).unwrap_or(i64::MAX)
}

impl ObjectStructInfo {
    /// Any value.
    #[must_use]
    pub fn any() -> Self {
        ObjectStructInfo::new()
    }
}

impl PrimStructInfo {
    /// A scalar of an unknown value.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) if `dtype` is not the name of a data type.
    pub fn of(dtype: impl IntoDataType) -> Result<Self, Error> {
        Ok(PrimStructInfo::new(None::<PrimExpr>, dtype.into_data_type()?))
    }

    /// A scalar of a known value. A number is an `int64`.
    #[must_use]
    pub fn of_value(value: impl IntoPrimExpr) -> Self {
        let value = value.into_prim_expr(DataType::int(64));
        let dtype = value.dtype;
        PrimStructInfo::new(Some(value), dtype)
    }
}

impl ShapeStructInfo {
    /// A shape of known dimensions.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) if a dimension is not an `int64`.
    pub fn of(dims: impl IntoDims) -> Result<Self, Error> {
        Ok(ShapeStructInfo::of_values(checked_dims(dims)?))
    }

    /// A shape of known rank.
    #[must_use]
    pub fn of_rank(ndim: usize) -> Self {
        ShapeStructInfo::ranked(rank(ndim))
    }

    /// A shape of unknown rank.
    #[must_use]
    pub fn unknown() -> Self {
        ShapeStructInfo::ranked(-1)
    }

    /// A shape of rank `ndim`, or of unknown rank for -1.
    #[must_use]
    pub fn ranked(ndim: i64) -> Self {
        ShapeStructInfo::new(None::<Array<PrimExpr>>, ndim)
    }

    /// A shape of dimensions that are known to have the type `int64`; [`of`](Self::of) checks this.
    #[must_use]
    pub fn of_values(values: Array<PrimExpr>) -> Self {
        let ndim = rank(values.len());
        ShapeStructInfo::new(Some(values), ndim)
    }
}

impl ShapeExpr {
    /// A shape, with its structural information.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) if a dimension is not an `int64`.
    pub fn of(dims: impl IntoDims) -> Result<Self, Error> {
        Ok(ShapeExpr::of_values(checked_dims(dims)?))
    }

    /// A shape of dimensions that are known to have the type `int64`, with its structural information; [`of`](Self::of)
    /// checks this.
    #[must_use]
    pub fn of_values(values: Array<PrimExpr>) -> Self {
        let info = ShapeStructInfo::of_values(values.clone());
        let base = RelaxExprNode { base: BaseExprNode { span: None }, struct_info: Some(info.into()) };
        ShapeExprNode { base: LeafExprNode { base }, values }.into()
    }
}

impl PrimValue {
    /// A scalar as a value, with its structural information. A number is an `int64`.
    #[must_use]
    pub fn of(value: impl IntoPrimExpr) -> Self {
        let value = value.into_prim_expr(DataType::int(64));
        let mut scalar = PrimValue::new(value.clone());
        scalar.make_mut().base.base.struct_info = Some(PrimStructInfo::of_value(value).into());
        scalar
    }
}

impl TensorStructInfo {
    /// A tensor of known shape. The data type `void` says that the element type is unknown.
    ///
    /// ```
    /// use object_ir::ir::TensorStructInfo;
    /// use object_ir::tir::Var;
    ///
    /// let (n, m) = (Var::dim("n"), Var::dim("m"));
    /// let matrix = TensorStructInfo::of([&n, &m], "float32")?;
    /// let padded = TensorStructInfo::of((n * 2 + 1, 4), "float32")?;
    /// assert!(matrix.ndim == 2 && padded.shape.is_some());
    /// assert!(TensorStructInfo::of([m], "flot32").is_err());
    /// # Ok::<(), object_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) if a dimension is not an `int64`, [`Malformed`](ErrorKind::Malformed) if
    /// `dtype` is not the name of a data type.
    pub fn of(dims: impl IntoDims, dtype: impl IntoDataType) -> Result<Self, Error> {
        let shape = ShapeExpr::of(dims)?;
        let ndim = rank(shape.values.len());
        Ok(TensorStructInfo::new(Some(shape.into()), dtype.into_data_type()?, None::<VDevice>, ndim))
    }

    /// A tensor whose shape is the value of an expression: a [`ShapeExpr`], or a variable of a shape.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) if the expression is neither, or a variable whose structural information
    /// is not a [`ShapeStructInfo`]; [`Malformed`](ErrorKind::Malformed) if `dtype` is not the name of a data type.
    pub fn of_shape(shape: impl Into<RelaxExpr>, dtype: impl IntoDataType) -> Result<Self, Error> {
        let shape = shape.into();
        let known = shape.struct_info.as_ref().and_then(|info| info.downcast_ref::<ShapeStructInfo>());
        let ndim = match (shape.downcast_ref::<ShapeExpr>(), shape.is::<Var>(), known) {
            (Some(shape), ..) => return TensorStructInfo::of(&shape.values, dtype),
            (None, true, Some(known)) => known.ndim,
            (None, is_var, _) => {
                let given = match &shape.struct_info {
                    Some(info) if is_var => format!("a variable with the structural information `{info}`"),
                    None if is_var => "a variable without structural information".to_owned(),
                    _ => format!("`{}`", shape.as_object().view().type_key()),
                };
                return Err(Error::new(
                    ErrorKind::TypeMismatch,
                    format!("the shape of a tensor: expected a `ShapeExpr` or a variable of a shape, got {given}"),
                ));
            }
        };
        Ok(TensorStructInfo::new(Some(shape), dtype.into_data_type()?, None::<VDevice>, ndim))
    }

    /// A tensor of known rank and unknown dimensions.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) if `dtype` is not the name of a data type.
    pub fn of_rank(ndim: usize, dtype: impl IntoDataType) -> Result<Self, Error> {
        Ok(TensorStructInfo::ranked(rank(ndim), dtype.into_data_type()?))
    }

    /// A tensor of unknown rank.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) if `dtype` is not the name of a data type.
    pub fn of_dtype(dtype: impl IntoDataType) -> Result<Self, Error> {
        Ok(TensorStructInfo::ranked(-1, dtype.into_data_type()?))
    }

    /// A tensor of unknown rank and element type.
    #[must_use]
    pub fn unknown() -> Self {
        TensorStructInfo::ranked(-1, DataType::void())
    }

    /// The same on a device; `None` removes the device.
    #[must_use]
    pub fn on(mut self, vdevice: impl Into<Option<VDevice>>) -> Self {
        self.make_mut().vdevice = vdevice.into();
        self
    }

    /// A tensor of rank `ndim`, or of unknown rank for -1.
    #[must_use]
    pub fn ranked(ndim: i64, dtype: DataType) -> Self {
        TensorStructInfo::new(None::<RelaxExpr>, dtype, None::<VDevice>, ndim)
    }
}

impl TupleStructInfo {
    /// A tuple of members.
    ///
    /// ```
    /// use object_ir::ir::{ShapeStructInfo, TensorStructInfo, TupleStructInfo};
    ///
    /// let pair = TupleStructInfo::of([TensorStructInfo::unknown().into(), ShapeStructInfo::unknown().into()]);
    /// assert_eq!(pair.fields.len(), 2);
    /// ```
    #[must_use]
    pub fn of(fields: impl IntoIterator<Item = StructInfo>) -> Self {
        TupleStructInfo::new(fields.into_iter().collect::<Array<_>>())
    }
}

impl FuncStructInfo {
    /// A pure function of known parameters. [`impure`](Self::impure) changes the purity.
    #[must_use]
    pub fn of(params: impl IntoIterator<Item = StructInfo>, ret: impl Into<StructInfo>) -> Self {
        let params = params.into_iter().collect::<Array<_>>();
        FuncStructInfo::new(Some(params), ret, None::<EnvFunc>, true)
    }

    /// The same with visible side effects.
    #[must_use]
    pub fn impure(mut self) -> Self {
        self.make_mut().purity = false;
        self
    }

    /// A function of which only the result is known, such as a function of the run-time system.
    #[must_use]
    pub fn opaque(ret: impl Into<StructInfo>, purity: bool) -> Self {
        FuncStructInfo::new(None::<Array<StructInfo>>, ret, None::<EnvFunc>, purity)
    }

    /// A function whose results `derive_func` computes.
    #[must_use]
    pub fn deriving(derive_func: impl Into<EnvFunc>, purity: bool) -> Self {
        let ret: StructInfo = ObjectStructInfo::any().into();
        FuncStructInfo::new(None::<Array<StructInfo>>, ret, Some(derive_func.into()), purity)
    }
}

impl Var {
    /// A variable with structural information.
    ///
    /// ```
    /// use object_ir::ir::{TensorStructInfo, Var};
    ///
    /// let x = Var::of("x", TensorStructInfo::of([2, 3], "float32")?);
    /// assert_eq!(&*x.vid.name_hint, "x");
    /// # Ok::<(), object_core::Error>(())
    /// ```
    #[must_use]
    pub fn of(name: impl Into<Str>, struct_info: impl Into<StructInfo>) -> Self {
        let mut var = Var::new(Id::new(name));
        var.make_mut().base.base.struct_info = Some(struct_info.into());
        var
    }

    /// A variable without structural information, for a binding whose value determines it.
    #[must_use]
    pub fn named(name: impl Into<Str>) -> Self {
        Var::new(Id::new(name))
    }
}

impl DataflowVar {
    /// A variable of a dataflow block, with structural information.
    #[must_use]
    pub fn of(name: impl Into<Str>, struct_info: impl Into<StructInfo>) -> Self {
        let mut var = DataflowVar::named(name);
        var.make_mut().base.base.base.struct_info = Some(struct_info.into());
        var
    }

    /// A variable of a dataflow block without structural information, for a binding whose value determines it.
    #[must_use]
    pub fn named(name: impl Into<Str>) -> Self {
        DataflowVar::new(Id::new(name))
    }
}

impl GlobalVar {
    /// The name of a function with structural information.
    #[must_use]
    pub fn of(name: impl Into<Str>, struct_info: impl Into<StructInfo>) -> Self {
        let mut var = GlobalVar::new(name);
        var.make_mut().base.struct_info = Some(struct_info.into());
        var
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{IntImm, PrimType};
    use crate::tir::Var as DimVar;

    fn short(name: &str) -> DimVar {
        let dtype = DataType::int(32);
        DimVar::new(dtype, name, PrimType::new(dtype))
    }

    #[test]
    fn ndim_is_the_number_of_dimensions() {
        let n = DimVar::dim("n");
        let tensor = TensorStructInfo::of((&n, 4, n.clone() * 2), "float32").unwrap();
        assert_eq!((tensor.ndim, tensor.dtype), (3, DataType::float(32)));
        let shape = tensor.shape.as_ref().unwrap();
        let of_shape = shape.struct_info.as_ref().unwrap().downcast_ref::<ShapeStructInfo>().unwrap();
        assert_eq!((of_shape.ndim, of_shape.values.as_ref().unwrap().len()), (3, 3));
        assert_eq!(TensorStructInfo::of((), "bool").unwrap().ndim, 0);
        assert_eq!(ShapeStructInfo::of([1, 2]).unwrap().ndim, 2);
    }

    #[test]
    fn dimensions_have_64_bits() {
        let converted = ShapeStructInfo::of([IntImm::new(DataType::int(32), 3)]).unwrap();
        assert_eq!(converted.values.as_ref().unwrap()[0].dtype, DataType::int(64));
        for dims in [
            vec![DimVar::dim("n"), short("i")],
            vec![DimVar::new(DataType::float(32), "x", PrimType::new(DataType::float(32))), short("i")],
        ] {
            let error = TensorStructInfo::of(dims, "float32").unwrap_err();
            assert_eq!(error.kind(), ErrorKind::TypeMismatch);
            assert!(error.message().contains("expected `int64`"), "{error}");
        }
    }

    #[test]
    fn a_shape_is_an_expression_or_a_variable_of_a_shape() {
        let s = Var::of("s", ShapeStructInfo::of_rank(2));
        assert_eq!(TensorStructInfo::of_shape(&s, "float32").unwrap().ndim, 2);
        assert_eq!(TensorStructInfo::of_shape(ShapeExpr::of([2]).unwrap(), "").unwrap().ndim, 1);
        let x = Var::of("x", TensorStructInfo::unknown());
        let wrong: [RelaxExpr; 3] = [x.into(), Var::named("y").into(), PrimValue::of(1).into()];
        for shape in wrong {
            let error = TensorStructInfo::of_shape(shape, "float32").unwrap_err();
            assert!(error.message().contains("expected a `ShapeExpr` or a variable of a shape"), "{error}");
        }
    }
}

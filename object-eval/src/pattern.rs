//! [`Pattern`]: the check of values against structural information at run time, which binds shape variables.
//!
//! A check has two phases, as erratum E34 of the specification says: first kinds, ranks and element types of all values, in
//! order; then dimensions. Of the dimensions, constants and variables come first, and expressions over variables last.

use std::borrow::Cow;
use std::fmt::Display;

use object_core::prelude::*;
use object_ir::ir::{
    FuncStructInfo, PrimExpr, PrimStructInfo, ShapeExpr, ShapeStructInfo, StructInfo, TensorStructInfo,
    TupleStructInfo, Var,
};
use object_ir::tir;
use object_relax::arith::Analyzer;
use object_relax::op::describe;
use object_relax::struct_info::{Compatibility, check_compatibility};
use smallvec::SmallVec;

use super::closure;
use super::scalar::{Scalar, ScalarCode};
use super::value::{Tensor, Value};

/// The kind of the error of a value whose dimensions differ from its structural information.
pub const SHAPE_MISMATCH: ErrorKind = ErrorKind::Custom("object_ir.eval.ShapeMismatch");

/// Where the value of a part comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// A value that the caller gives.
    Root(usize),
    /// A member of the tuple of another part.
    Member(usize, usize),
}

/// The demand on the value of a part.
#[derive(Clone, Debug)]
enum Demand {
    Any,
    Tensor { rank: Option<usize>, dtype: DataType },
    Shape { rank: Option<usize> },
    Tuple { len: usize },
    Prim { dtype: DataType },
    Function { info: FuncStructInfo },
}

/// A value, or a member of it.
#[derive(Clone, Debug)]
struct Part {
    source: Source,
    demand: Demand,
    info: StructInfo,
}

/// The demand on a dimension.
#[derive(Clone, Debug)]
enum Dimension {
    /// A variable: takes the size if it has no value yet.
    Variable(u32),
    /// A number.
    Constant(i64),
    /// An expression.
    Code(ScalarCode),
    /// The whole shape: the shape that the variable in this slot has.
    Whole(u32),
}

#[derive(Clone, Debug)]
struct DimensionCheck {
    part: usize,
    /// The number of the dimension; `None` for the value of a scalar.
    index: Option<usize>,
    dimension: Dimension,
    expr: Option<PrimExpr>,
}

/// A compiled check.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    parts: Vec<Part>,
    dimensions: Vec<DimensionCheck>,
}

/// The variables that a compiled pattern refers to.
pub(super) trait Variables {
    /// The slot of a shape variable, if it has a value here.
    fn scalar(&mut self, var: &tir::Var) -> Option<u32>;
    /// A new slot for a shape variable.
    fn bind_scalar(&mut self, var: &tir::Var) -> u32;
    /// The slot of a variable.
    fn slot(&mut self, var: &Var) -> Result<u32, Error>;
}

impl Pattern {
    /// Compiles a check of values against `infos`. Shape variables that have no value yet and are a whole dimension get one
    /// by the check.
    ///
    /// # Errors
    /// [`MissingField`](ErrorKind::MissingField) for an expression over a variable that nothing binds, and
    /// [`Malformed`](ErrorKind::Malformed) for a `ndim` that is not the number of the dimensions beside it.
    pub(super) fn compile<'a>(
        infos: impl IntoIterator<Item = &'a StructInfo>,
        variables: &mut dyn Variables,
    ) -> Result<Pattern, Error> {
        let mut pattern = Pattern::default();
        for (root, info) in infos.into_iter().enumerate() {
            let mut pending = vec![(Source::Root(root), info.clone())];
            while let Some((source, info)) = pending.pop() {
                pattern.part(source, &info, &mut pending)?;
            }
        }
        pattern.dims(variables)?;
        Ok(pattern)
    }

    fn part(
        &mut self,
        source: Source,
        info: &StructInfo,
        pending: &mut Vec<(Source, StructInfo)>,
    ) -> Result<(), Error> {
        let number = self.parts.len();
        let demand = if let Some(it) = info.downcast_ref::<TensorStructInfo>() {
            let shape = it.shape.as_ref().and_then(|shape| shape.downcast_ref::<ShapeExpr>());
            Demand::Tensor { rank: rank(info, it.ndim, shape.map(|shape| &shape.values))?, dtype: it.dtype }
        } else if let Some(it) = info.downcast_ref::<ShapeStructInfo>() {
            Demand::Shape { rank: rank(info, it.ndim, it.values.as_ref())? }
        } else if let Some(it) = info.downcast_ref::<PrimStructInfo>() {
            Demand::Prim { dtype: it.dtype }
        } else if let Some(it) = info.downcast_ref::<FuncStructInfo>() {
            Demand::Function { info: it.clone() }
        } else if let Some(it) = info.downcast_ref::<TupleStructInfo>() {
            let members = it.fields.iter().enumerate().rev();
            pending.extend(members.map(|(index, field)| (Source::Member(number, index), field.clone())));
            Demand::Tuple { len: it.fields.len() }
        } else {
            Demand::Any
        };
        self.parts.push(Part { source, demand, info: info.clone() });
        Ok(())
    }

    /// Compiles the dimensions of all parts: constants and variables first.
    fn dims(&mut self, variables: &mut dyn Variables) -> Result<(), Error> {
        let mut composite = Vec::new();
        for part in 0..self.parts.len() {
            let info = self.parts[part].info.clone();
            let (values, single) = if let Some(it) = info.downcast_ref::<TensorStructInfo>() {
                match &it.shape {
                    Some(shape) => match shape.downcast_ref::<ShapeExpr>() {
                        Some(shape) => (shape.values.to_vec(), None),
                        None => {
                            if let Some(var) = shape.downcast_ref::<Var>() {
                                let dimension = Dimension::Whole(variables.slot(var)?);
                                self.dimensions.push(DimensionCheck { part, index: None, dimension, expr: None });
                            }
                            continue;
                        }
                    },
                    None => continue,
                }
            } else if let Some(it) = info.downcast_ref::<ShapeStructInfo>() {
                (it.values.as_ref().map(Array::to_vec).unwrap_or_default(), None)
            } else if let Some(it) = info.downcast_ref::<PrimStructInfo>() {
                (Vec::new(), it.value.clone())
            } else {
                continue;
            };
            let indexed = values.into_iter().enumerate().map(|(index, value)| (Some(index), value));
            for (index, expr) in indexed.chain(single.map(|value| (None, value))) {
                if let Some(var) = expr.downcast_ref::<tir::Var>() {
                    let slot = variables.scalar(var).unwrap_or_else(|| variables.bind_scalar(var));
                    let dimension = Dimension::Variable(slot);
                    self.dimensions.push(DimensionCheck { part, index, dimension, expr: Some(expr) });
                } else if let (Some(number), Some(_)) = (expr.downcast_ref::<object_ir::ir::IntImm>(), index) {
                    let dimension = Dimension::Constant(number.value);
                    self.dimensions.push(DimensionCheck { part, index, dimension, expr: Some(expr.clone()) });
                } else if expr.is::<object_ir::ir::IntImm>() {
                    let dimension = Dimension::Code(ScalarCode::compile(&expr, &mut |var| Err(unbound(var)))?);
                    self.dimensions.push(DimensionCheck { part, index, dimension, expr: Some(expr) });
                } else {
                    composite.push((part, index, expr));
                }
            }
        }
        for (part, index, expr) in composite {
            let slot = &mut |var: &tir::Var| variables.scalar(var).ok_or_else(|| unbound(var));
            let dimension = Dimension::Code(ScalarCode::compile(&expr, slot)?);
            self.dimensions.push(DimensionCheck { part, index, dimension, expr: Some(expr) });
        }
        Ok(())
    }

    /// Checks `roots`, and binds shape variables in `scalars`. `slots` are the values of variables, and `context` says which
    /// value is wrong: the value of the given number.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for a value of another kind, element type, rank or length, and
    /// [`SHAPE_MISMATCH`] for other dimensions.
    pub(super) fn check<C: Display>(
        &self,
        roots: &[Any],
        slots: &[Any],
        scalars: &mut [Option<Scalar>],
        context: impl Fn(usize) -> C,
    ) -> Result<(), Error> {
        let mut values: SmallVec<[(usize, Cow<'_, Any>); 4]> = SmallVec::with_capacity(self.parts.len());
        for part in &self.parts {
            let (root, value) = match part.source {
                Source::Root(root) => (root, Cow::Borrowed(&roots[root])),
                Source::Member(tuple, index) => (values[tuple].0, Cow::Owned(member(&values[tuple].1, index))),
            };
            part.demand.check(&value).map_err(|error| in_context(&error, &part.info, context(root)))?;
            values.push((root, value));
        }
        for check in &self.dimensions {
            let (root, value) = &values[check.part];
            check
                .run(value, slots, scalars)
                .map_err(|error| in_context(&error, &self.parts[check.part].info, context(*root)))?;
        }
        Ok(())
    }

    /// The slots of the variables that the check reads.
    pub(super) fn slots(&self) -> impl Iterator<Item = u32> {
        self.dimensions.iter().filter_map(|check| match check.dimension {
            Dimension::Whole(slot) => Some(slot),
            Dimension::Variable(_) | Dimension::Constant(_) | Dimension::Code(_) => None,
        })
    }

    /// Whether no value fails the check, and the check binds nothing.
    pub(super) fn is_trivial(&self) -> bool {
        self.dimensions.is_empty() && self.parts.iter().all(|part| matches!(part.demand, Demand::Any))
    }
}

/// The rank that structural information demands: its `ndim`, or the number of its dimensions.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) if these two differ.
fn rank(info: &StructInfo, ndim: i64, dims: Option<&Array<PrimExpr>>) -> Result<Option<usize>, Error> {
    let (stated, counted) = (usize::try_from(ndim).ok(), dims.map(Array::len));
    match (stated, counted) {
        (Some(stated), Some(counted)) if stated != counted => {
            let info = describe::describe(info);
            let message = format!("{info} has {counted} dimensions, but its `ndim` is {stated}; make them the same");
            Err(Error::new(ErrorKind::Malformed, message))
        }
        (stated, counted) => Ok(counted.or(stated)),
    }
}

fn unbound(var: &tir::Var) -> Error {
    let message =
        format!("the shape variable `{}` has no value here: no parameter and no `MatchCast` binds it", var.name);
    Error::new(ErrorKind::MissingField, message)
}

fn in_context(error: &Error, info: &StructInfo, context: impl Display) -> Error {
    Error::new(error.kind(), format!("{context} must match {}: {}", describe::describe(info), error.message()))
}

fn member(tuple: &Any, index: usize) -> Any {
    match Value::of(tuple) {
        Value::Tuple(tuple) => tuple.get(index).map(|member| member.to_any()).unwrap_or_default(),
        _ => Any::None,
    }
}

/// The extents of a tensor or a shape.
fn extents_of(value: &Any) -> &[i64] {
    let Any::Object(object) = value else { return &[] };
    match object.downcast_ref::<Tensor>() {
        Some(tensor) => tensor.shape(),
        None => object.view().as_shape().unwrap_or_default(),
    }
}

fn mismatch(expected: impl Display, given: impl Display) -> Result<(), Error> {
    Err(Error::new(ErrorKind::TypeMismatch, format!("expected {expected}, got {given}")))
}

impl Demand {
    fn check(&self, given: &Any) -> Result<(), Error> {
        let value = Value::of(given);
        match (self, value) {
            (Demand::Any, _) => Ok(()),
            (Demand::Tensor { rank, dtype }, Value::Tensor(tensor)) => {
                if let Some(rank) = rank.filter(|rank| *rank != tensor.rank()) {
                    return mismatch(format!("a tensor of rank {rank}"), format!("rank {}", tensor.rank()));
                }
                let same = dtype.is_void() || *dtype == tensor.dtype();
                if same { Ok(()) } else { mismatch(format!("a tensor of type {dtype}"), tensor.dtype()) }
            }
            (Demand::Tensor { .. }, _) => mismatch("a tensor", value),
            (Demand::Shape { rank }, Value::Shape(shape)) => match rank {
                Some(rank) if *rank != shape.len() => {
                    mismatch(format!("a shape of rank {rank}"), format!("rank {}", shape.len()))
                }
                _ => Ok(()),
            },
            (Demand::Shape { .. }, _) => mismatch("a shape", value),
            (Demand::Tuple { len }, Value::Tuple(tuple)) if tuple.len() == *len => Ok(()),
            // An operator with an effect has no value, and its structural information is an empty tuple.
            (Demand::Tuple { len: 0 }, Value::None) => Ok(()),
            (Demand::Tuple { len }, _) => mismatch(format!("a tuple of {len} values"), value),
            (Demand::Prim { dtype }, _) => {
                let fits = match (dtype.code, value) {
                    (_, Value::Bool(_)) => true,
                    (object_core::scalar::TypeCode::BOOL, Value::Int(_)) => true,
                    (object_core::scalar::TypeCode::BOOL, _) => false,
                    (_, Value::Int(_)) => true,
                    (object_core::scalar::TypeCode::FLOAT | object_core::scalar::TypeCode::BFLOAT, Value::Float(_)) => {
                        true
                    }
                    _ => false,
                };
                if fits { Ok(()) } else { mismatch(format!("a scalar of type {dtype}"), value) }
            }
            (Demand::Function { info }, Value::Function(function)) => match closure::info(function) {
                Some(given) if info.params.is_some() => {
                    let verdict = check_compatibility(&given, &info.clone().into(), &Analyzer::for_shapes());
                    let fits = verdict != Compatibility::Incompatible;
                    let (expected, given) = (describe::describe(&info.clone().into()), describe::describe(&given));
                    if fits { Ok(()) } else { mismatch(expected, given) }
                }
                _ => Ok(()),
            },
            (Demand::Function { .. }, _) => mismatch("a function", value),
        }
    }
}

impl DimensionCheck {
    fn run(&self, value: &Any, slots: &[Any], scalars: &mut [Option<Scalar>]) -> Result<(), Error> {
        let extents = extents_of(value);
        // Most dimensions are a number.
        if let (Dimension::Constant(expected), Some(index)) = (&self.dimension, self.index)
            && extents[index] == *expected
        {
            return Ok(());
        }
        if let Dimension::Whole(slot) = &self.dimension {
            let expected = &slots[*slot as usize];
            return match Value::of(expected) {
                Value::Shape(expected) if expected == extents => Ok(()),
                other => {
                    let message = format!("expected a tensor of {other}, got the shape {extents:?}");
                    Err(Error::new(SHAPE_MISMATCH, message))
                }
            };
        }
        let given = match self.index {
            Some(index) => Scalar::Int(extents[index]),
            None => Scalar::of(value).unwrap_or(Scalar::Int(0)),
        };
        let expected = match &self.dimension {
            Dimension::Variable(slot) => match scalars[*slot as usize] {
                Some(expected) => expected,
                None => {
                    scalars[*slot as usize] = Some(given);
                    return Ok(());
                }
            },
            Dimension::Constant(number) => Scalar::Int(*number),
            Dimension::Code(code) => code.run(scalars)?,
            Dimension::Whole(_) => return Ok(()),
        };
        let is_same = match (expected, given) {
            (Scalar::Int(expected), Scalar::Int(given)) => expected == given,
            _ => expected.float() == given.float() && expected.int() == given.int(),
        };
        if is_same {
            return Ok(());
        }
        let (expected, given) = (Any::from(expected), Any::from(given));
        let text = self.expr.as_ref().filter(|expr| !expr.is::<object_ir::ir::IntImm>());
        let text = text.map(|expr| format!(" (`{}`)", describe::describe_expr(expr))).unwrap_or_default();
        let place = self.index.map_or("the value".to_owned(), |index| format!("dimension {index}"));
        Err(Error::new(SHAPE_MISMATCH, format!("{place}: expected {expected}{text}, got {given}")))
    }
}

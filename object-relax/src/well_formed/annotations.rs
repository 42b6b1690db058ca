//! The parts of structural information and of scalar expressions.

use object_core::object::FieldRole;
use object_core::scalar::TypeCode;
use object_core::{AnyView, ObjectView};
use object_ir::distributed::DTensorStructInfoNode;
use object_ir::ir::{
    FloatImmNode, FuncStructInfoNode, IntImmNode, PrimExpr, PrimExprNode, PrimStructInfoNode, ShapeExprNode,
    ShapeStructInfoNode, StructInfo, TensorStructInfoNode, TupleStructInfoNode, VarNode,
};
use object_ir::tir;
use rustc_hash::FxHashSet;

use crate::analysis::walk::view;
use crate::well_formed::context::Context;
use crate::well_formed::place::{Field, Place, Step};
use crate::well_formed::rules::{expressions, shape_variables, struct_info};

/// The parts of structural information, with their places.
#[derive(Default)]
pub(super) struct Parts<'a> {
    /// Dimensions, and the place of their array.
    pub(super) dims: Option<(&'a [PrimExpr], Place)>,
    /// The value of a scalar.
    pub(super) scalar: Option<(ObjectView<'a>, Place)>,
    /// Structural information of fields or parameters, and the place of its array.
    pub(super) infos: Option<(&'a [StructInfo], Place)>,
    /// The structural information of a distributed tensor without its distribution.
    pub(super) tensor: Option<(ObjectView<'a>, Place)>,
    /// The result of a function.
    pub(super) result: Option<(ObjectView<'a>, Place)>,
    /// Whether `infos` are parameters, which bind shape variables.
    pub(super) is_signature: bool,
}

/// The parts of a scalar expression, with their places.
#[derive(Default)]
pub(super) struct ScalarParts<'a> {
    /// The operands.
    pub(super) scalars: Vec<(ObjectView<'a>, Place)>,
    /// The variables that the expression binds.
    pub(super) bound: Vec<(ObjectView<'a>, Place)>,
}

/// Whether a scalar expression is a variable.
pub(super) fn is_shape_variable(scalar: ObjectView<'_>) -> bool {
    scalar.node::<tir::VarNode>().is_some()
}

/// Whether a scalar expression is a constant.
pub(super) fn is_constant(scalar: ObjectView<'_>) -> bool {
    scalar.node::<IntImmNode>().is_some() || scalar.node::<FloatImmNode>().is_some()
}

/// Whether a dimension is a constant integer, which keeps all rules about dimensions.
fn is_integer(dim: &PrimExpr) -> bool {
    matches!(dim.dtype.code, TypeCode::INT | TypeCode::UINT) && view(dim).node::<IntImmNode>().is_some()
}

/// Calls `found` for the variables that are the shape of a tensor, a whole dimension of a tensor or shape, or the whole value of a
/// scalar, in `info` or in the fields of a tuple. The parameters of a function in `info` bind in a scope of their own.
pub(super) fn bound_variables<'a>(info: ObjectView<'a>, mut found: impl FnMut(ObjectView<'a>)) {
    let mut add = |scalar: ObjectView<'a>| {
        if is_shape_variable(scalar) || scalar.node::<VarNode>().is_some() {
            found(scalar);
        }
    };
    let (mut seen, mut open, mut next) = (FxHashSet::default(), Vec::new(), Some(info));
    while let Some(info) = next.or_else(|| open.pop()) {
        next = None;
        if let Some(info) = info.node::<TensorStructInfoNode>() {
            let Some(shape) = info.shape.as_ref().map(view) else { continue };
            match shape.node::<ShapeExprNode>() {
                Some(shape) => shape.values.as_slice().iter().map(view).for_each(&mut add),
                None => add(shape),
            }
        } else if let Some(info) = info.node::<ShapeStructInfoNode>() {
            info.values.iter().flat_map(|values| values.as_slice()).map(view).for_each(&mut add);
        } else if let Some(info) = info.node::<PrimStructInfoNode>() {
            info.value.iter().map(view).for_each(&mut add);
        } else if let Some(tuple) = info.node::<TupleStructInfoNode>() {
            if info.use_count() <= 1 || seen.insert(info.address()) {
                open.extend(tuple.fields.as_slice().iter().map(view));
            }
        } else if let Some(info) = info.node::<DTensorStructInfoNode>() {
            next = Some(view(&info.tensor_sinfo));
        }
    }
}

/// Checks structural information without its parts, and returns the parts.
pub(super) fn check<'a>(cx: &mut Context<'a>, object: ObjectView<'a>, place: Place) -> Parts<'a> {
    let mut parts = Parts::default();
    if let Some(info) = object.node::<TensorStructInfoNode>() {
        struct_info::check_tensor(cx, info, object, place);
        let Some(shape) = info.shape.as_ref().map(view) else { return parts };
        if let Some(expr) = shape.node::<ShapeExprNode>() {
            let dims = expr.values.as_slice();
            // The constants of most shapes keep all rules.
            if expr.struct_info.is_some() && dims.iter().all(is_integer) {
                return parts;
            }
            let at = cx.places.field(place, Field::Shape);
            if expr.struct_info.is_none() {
                expressions::check_missing_inner(cx, shape, at);
            }
            let at = cx.places.field(at, Field::Values);
            shape_variables::check_dims(cx, dims, at);
            parts.dims = Some((dims, at));
        } else if shape.node::<VarNode>().is_some() {
            let at = cx.places.field(place, Field::Shape);
            struct_info::resolve(cx, shape, at);
        }
    } else if let Some(info) = object.node::<ShapeStructInfoNode>() {
        struct_info::check_shape(cx, info, object, place);
        let at = cx.places.field(place, Field::Values);
        parts.dims = info.values.as_ref().map(|values| (values.as_slice(), at));
    } else if let Some(info) = object.node::<PrimStructInfoNode>() {
        struct_info::check_prim(cx, info.dtype, object, place);
        let at = cx.places.field(place, Field::Value);
        parts.scalar = info.value.as_ref().map(|value| (view(value), at));
    } else if let Some(info) = object.node::<TupleStructInfoNode>() {
        let at = cx.places.field(place, Field::Fields);
        parts.infos = Some((info.fields.as_slice(), at));
    } else if let Some(info) = object.node::<FuncStructInfoNode>() {
        struct_info::check_func(cx, info, object, place);
        if let Some(params) = &info.params {
            parts.is_signature = true;
            let at = cx.places.field(place, Field::Params);
            parts.infos = Some((params.as_slice(), at));
        }
        let at = cx.places.field(place, Field::Ret);
        parts.result = Some((view(&info.ret), at));
    } else if let Some(info) = object.node::<DTensorStructInfoNode>() {
        let at = cx.places.field(place, Field::TensorSinfo);
        parts.tensor = Some((view(&info.tensor_sinfo), at));
    }
    parts
}

/// The operands of a scalar expression of any type, and the variables that it binds.
pub(super) fn scalar_parts<'a>(cx: &mut Context<'a>, scalar: ObjectView<'a>, place: Place) -> ScalarParts<'a> {
    let mut parts = ScalarParts::default();
    for (field, value) in scalar.fields() {
        let Some(object) = value.as_object() else { continue };
        let array = object.as_array();
        if array.is_none() && object.node::<PrimExprNode>().is_none() {
            continue;
        }
        let at = cx.places.child(place, Step::Named(field.name()));
        let found = match array {
            Some(array) => array
                .iter()
                .filter_map(AnyView::as_object)
                .enumerate()
                .filter(|(_, item)| item.node::<PrimExprNode>().is_some())
                .map(|(index, item)| (item, cx.places.item(at, index)))
                .collect(),
            None => vec![(object, at)],
        };
        let binds = field.meta().role == FieldRole::Def;
        for (item, at) in found {
            if binds && is_shape_variable(item) { &mut parts.bound } else { &mut parts.scalars }.push((item, at));
        }
    }
    parts
}

//! The parts of structural information and of scalar expressions.

use object_core::object::FieldRole;
use object_core::{AnyView, ObjectView};
use rustc_hash::FxHashSet;

use crate::analysis::walk::view;
use crate::distributed::DTensorStructInfoNode;
use crate::ir::{
    FloatImmNode, FuncStructInfoNode, IntImmNode, PrimExprNode, PrimStructInfoNode, ShapeExprNode, ShapeStructInfoNode,
    TensorStructInfoNode, TupleStructInfoNode, VarNode,
};
use crate::tir;
use crate::well_formed::context::Context;
use crate::well_formed::place::{Place, Step};
use crate::well_formed::rules::{expressions, shape_variables, struct_info};

/// The parts of structural information, with their places.
#[derive(Default)]
pub(super) struct Parts<'a> {
    /// Scalar expressions, without the constants of shapes: no other rule is about them.
    pub(super) scalars: Vec<(ObjectView<'a>, Place)>,
    /// Structural information of fields or parameters.
    pub(super) infos: Vec<(ObjectView<'a>, Place)>,
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

/// The variables that are a whole dimension of a tensor or shape, or the whole value of a scalar, in `info` or in the
/// fields of a tuple. The parameters of a function in `info` bind in a scope of their own.
pub(super) fn whole_dimensions(info: ObjectView<'_>) -> Vec<ObjectView<'_>> {
    let (mut found, mut seen, mut open) = (Vec::new(), FxHashSet::default(), vec![info]);
    while let Some(info) = open.pop() {
        if info.use_count() > 1 && !seen.insert(info.address()) {
            continue;
        }
        if let Some(info) = info.node::<TensorStructInfoNode>() {
            let shape = info.shape.as_ref().and_then(|shape| view(shape).node::<ShapeExprNode>());
            found.extend(shape.into_iter().flat_map(|shape| shape.values.as_slice()).map(view));
        } else if let Some(info) = info.node::<ShapeStructInfoNode>() {
            found.extend(info.values.iter().flat_map(|values| values.as_slice()).map(view));
        } else if let Some(info) = info.node::<PrimStructInfoNode>() {
            found.extend(info.value.as_ref().map(view));
        } else if let Some(info) = info.node::<TupleStructInfoNode>() {
            open.extend(info.fields.as_slice().iter().map(view));
        } else if let Some(info) = info.node::<DTensorStructInfoNode>() {
            open.push(view(&info.tensor_sinfo));
        }
    }
    found.retain(|scalar| is_shape_variable(*scalar));
    found
}

/// Checks structural information without its parts, and returns the parts.
pub(super) fn check<'a>(cx: &mut Context<'a>, object: ObjectView<'a>, place: Place) -> Parts<'a> {
    let mut parts = Parts::default();
    if let Some(info) = object.node::<TensorStructInfoNode>() {
        struct_info::check_tensor(cx, info, object, place);
        let Some(shape) = info.shape.as_ref().map(view) else { return parts };
        let at = cx.places.field(place, "shape");
        if let Some(expr) = shape.node::<ShapeExprNode>() {
            if expr.struct_info.is_none() {
                expressions::check_missing_inner(cx, shape, at);
            }
            let places = cx.places.items(at, "values", expr.values.view().len());
            let dims = expr.values.as_slice().iter().map(view).zip(places);
            dims.clone().for_each(|(dim, place)| shape_variables::check_dim(cx, dim, place));
            parts.scalars.extend(dims.filter(|(dim, _)| !is_constant(*dim)));
        } else if shape.node::<VarNode>().is_some() {
            struct_info::resolve(cx, shape, at);
        }
    } else if let Some(info) = object.node::<ShapeStructInfoNode>() {
        struct_info::check_shape(cx, info, object, place);
        if let Some(values) = &info.values {
            let places = cx.places.items(place, "values", values.view().len());
            let dims = values.as_slice().iter().map(view).zip(places);
            parts.scalars.extend(dims.filter(|(dim, _)| !is_constant(*dim)));
        }
    } else if let Some(info) = object.node::<PrimStructInfoNode>() {
        struct_info::check_prim(cx, info.dtype, object, place);
        if let Some(value) = &info.value {
            let at = cx.places.field(place, "value");
            parts.scalars.push((view(value), at));
        }
    } else if let Some(info) = object.node::<TupleStructInfoNode>() {
        let places = cx.places.items(place, "fields", info.fields.view().len());
        parts.infos.extend(info.fields.as_slice().iter().map(view).zip(places));
    } else if let Some(info) = object.node::<FuncStructInfoNode>() {
        struct_info::check_func(cx, info, object, place);
        if let Some(params) = &info.params {
            parts.is_signature = true;
            let places = cx.places.items(place, "params", params.view().len());
            parts.infos.extend(params.as_slice().iter().map(view).zip(places));
        }
        let at = cx.places.field(place, "ret");
        parts.result = Some((view(&info.ret), at));
    } else if let Some(info) = object.node::<DTensorStructInfoNode>() {
        let at = cx.places.field(place, "tensor_sinfo");
        parts.infos.push((view(&info.tensor_sinfo), at));
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
        let at = cx.places.field(place, field.name());
        let found = match array {
            Some(array) => array
                .iter()
                .filter_map(AnyView::as_object)
                .enumerate()
                .filter(|(_, item)| item.node::<PrimExprNode>().is_some())
                .map(|(index, item)| (item, cx.places.child(at, Step::Item(index))))
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

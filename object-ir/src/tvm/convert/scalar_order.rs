//! The place of scalars among the parameters of loop programs.
//!
//! In TVM 0.25, a call may give scalars in a shape after the tuple, and they are the last parameters of the program. In TVM 0.27,
//! scalars are in the tuple, and come before the outputs. TVM 0.25 has that form too, so [`scalars_before_outputs`] is the
//! first part of the upgrade, and [`scalars_after_outputs`], its inverse, the last part of the downgrade.

use object_core::ObjectView;
use object_core::prelude::*;
use object_core::rewrite::Mutate;
use object_core::table::Table;

use crate::ir::{
    BaseFunc, Call, FuncStructInfo, GlobalVar, IRModule, PrimValue, RelaxExpr, ShapeExpr, StructInfo, Tuple,
    TupleStructInfo,
};
use crate::tir::{self, PrimFunc};
use crate::tvm::convert::converter::objects;
use crate::tvm::convert::names;

/// The attribute of a program whose scalars the upgrade has moved: the numbers of its inputs and of its scalars.
pub const MOVED_SCALARS: &str = "objir.scalars_last";

/// Whether the attributes of a function, of TVM 0.27, say that the upgrade has moved its scalars.
pub(super) fn has_moved_scalars(attrs: ObjectView<'_>) -> bool {
    let entries = attrs.fields().filter_map(|(_, value)| value.as_object()?.as_map());
    entries.into_iter().any(|entries| entries.iter().any(|(key, _)| key.as_str() == Some(MOVED_SCALARS)))
}

/// The numbers of inputs, before the outputs, and of scalars of a program.
#[derive(Clone, Copy, PartialEq)]
struct Order {
    inputs: usize,
    scalars: usize,
}

/// The direction of a change.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    BeforeOutputs,
    AfterOutputs,
}

/// The programs to change, by name.
type Orders = Table<Str, Order>;

/// The value with its modules in the form in which calls give all scalars in the tuple, before the outputs.
///
/// # Errors
/// As [`Mutate::run`].
pub fn scalars_before_outputs(root: &Any) -> Result<Any, Error> {
    changed_modules(root, Way::BeforeOutputs, |module| {
        let mut orders = Orders::default();
        for (name, call) in calls(module) {
            let Some((tuple, shape)) = call.args.get(1).zip(call.args.get(2)) else { continue };
            if let (Some(tuple), Some(shape)) = (tuple.downcast_ref::<Tuple>(), shape.downcast_ref::<ShapeExpr>()) {
                orders.insert(name, Order { inputs: tuple.fields.len(), scalars: shape.values.len() });
            }
        }
        // Without outputs between them, the scalars are in their place.
        let params = |name: &Str| program(module, name).map_or(0, |program| program.params.len());
        orders.retain(|name, order| params(name) > order.inputs + order.scalars);
        orders
    })
}

/// The value before [`scalars_before_outputs`].
///
/// # Errors
/// As [`Mutate::run`].
pub fn scalars_after_outputs(root: &Any) -> Result<Any, Error> {
    changed_modules(root, Way::AfterOutputs, |module| {
        let mut orders = Orders::default();
        for (var, function) in &module.functions {
            let attribute =
                function.attrs.dict.get(MOVED_SCALARS).and_then(|value| value.clone().cast::<Array<i64>>().ok());
            let numbers: Vec<usize> = attribute.iter().flatten().filter_map(|it| usize::try_from(*it).ok()).collect();
            if let [inputs, scalars] = numbers[..] {
                orders.insert(var.name_hint.clone(), Order { inputs, scalars });
            }
        }
        orders
    })
}

/// The value with the programs that `orders` finds changed, in each of its modules.
fn changed_modules(root: &Any, way: Way, orders: impl Fn(&IRModule) -> Orders) -> Result<Any, Error> {
    if let Ok(module) = root.clone().cast::<IRModule>() {
        let orders = orders(&module);
        return if orders.is_empty() { Ok(root.clone()) } else { changed(module, orders, way).map(Any::from) };
    }
    let Some(object) = root.view().as_object() else { return Ok(root.clone()) };
    let mut modules = Table::<usize, IRModule>::default();
    for module in objects(object).into_iter().filter_map(|object| object.to_handle::<IRModule>()) {
        let orders = orders(&module);
        if !orders.is_empty() {
            modules.insert(module.as_object().view().address(), changed(module, orders, way)?);
        }
    }
    match modules.is_empty() {
        true => Ok(root.clone()),
        false => Mutate::new()
            .leave(|module: &IRModule, _| modules.get(&module.as_object().view().address()).cloned())
            .run(root.clone()),
    }
}

/// The program of the module with this name.
fn program(module: &IRModule, name: &Str) -> Option<PrimFunc> {
    let (_, function) = module.functions.iter().find(|(var, _)| var.name_hint == *name)?;
    function.downcast_ref().cloned()
}

/// The first argument of a call, if it is a function of the module.
fn callee(call: &Call) -> Option<GlobalVar> {
    call.args.get(0)?.downcast_ref().cloned()
}

/// The calls of loop programs by operators of Relax, with the names of the programs.
fn calls(module: &IRModule) -> Vec<(Str, Call)> {
    let calls = objects(module.as_object().view()).into_iter().filter_map(|object| object.to_handle::<Call>());
    let calls = calls.filter(|call| names::calls_loop_program(call.op.as_object().view()));
    calls.filter_map(|call| Some((callee(&call)?.name_hint.clone(), call))).collect()
}

/// The module with the programs of `orders` and their calls changed. A program that a call of Relax in another form calls stays as it
/// is.
fn changed(mut module: IRModule, mut orders: Orders, way: Way) -> Result<IRModule, Error> {
    for (name, call) in calls(&module) {
        if orders.get(&name).is_some_and(|order| changed_call(&call, *order, way).is_none()) {
            orders.remove(&name);
        }
    }
    let functions = module.functions.iter().map(|(var, function)| {
        let order = orders.get(&var.name_hint).copied();
        let program = order.zip(function.downcast_ref::<PrimFunc>().cloned());
        (var.clone(), program.map_or(function.clone(), |(order, program)| changed_program(program, order, way)))
    });
    let functions: Map<GlobalVar, BaseFunc> = functions.collect();
    module.make_mut().functions = functions;
    let order_of = |var: &GlobalVar| orders.get(&var.name_hint).copied();
    Mutate::new()
        .leave(|call: &Call, _| {
            let is_call = names::calls_loop_program(call.op.as_object().view());
            callee(call).filter(|_| is_call).and_then(|callee| changed_call(call, order_of(&callee)?, way))
        })
        .leave(|call: &tir::Call, _| {
            let order = order_of(call.op.downcast_ref()?)?;
            let mut call = call.clone();
            call.make_mut().args = Array::from(changed_params(call.args.iter(), order, way));
            Some(call)
        })
        .leave(|var: &GlobalVar, _| {
            let order = order_of(var)?;
            let mut var = var.clone();
            let info = var.base.struct_info.clone().map(|info| changed_info(info, order, way));
            var.make_mut().base.struct_info = info;
            Some(var)
        })
        .run(module)
}

/// The parameters in their other order.
fn changed_params<T: Clone>(params: impl Iterator<Item = T>, order: Order, way: Way) -> Vec<T> {
    let mut params: Vec<T> = params.collect();
    if let Some(rest) = params.get_mut(order.inputs..).filter(|rest| rest.len() >= order.scalars) {
        match way {
            Way::BeforeOutputs => rest.rotate_right(order.scalars),
            Way::AfterOutputs => rest.rotate_left(order.scalars),
        }
    }
    params
}

/// The information of a program with its parameters in their other order.
fn changed_info(info: StructInfo, order: Order, way: Way) -> StructInfo {
    let Some(mut function) = info.downcast_ref::<FuncStructInfo>().cloned() else { return info };
    let params = function.params.as_ref().map(|params| changed_params(params.iter(), order, way));
    function.make_mut().params = params.map(Array::from);
    function.into()
}

/// The program with its parameters in their other order.
fn changed_program(mut program: PrimFunc, order: Order, way: Way) -> BaseFunc {
    let node = program.make_mut();
    node.params = Array::from(changed_params(node.params.iter(), order, way));
    let base = &mut node.base;
    base.base.struct_info = base.base.struct_info.take().map(|info| changed_info(info, order, way));
    let dict = &mut base.attrs.make_mut().dict;
    match way {
        Way::BeforeOutputs => {
            let numbers = [order.inputs, order.scalars].map(|number| i64::try_from(number).unwrap_or(i64::MAX));
            dict.insert(Str::from(MOVED_SCALARS), Any::from(Array::<i64>::from(numbers)));
        }
        Way::AfterOutputs => {
            dict.remove(MOVED_SCALARS);
        }
    }
    program.into()
}

/// The call with its scalars at the other place; `None` if it does not have the form of the order.
fn changed_call(call: &Call, order: Order, way: Way) -> Option<Call> {
    let mut tuple = call.args.get(1)?.downcast_ref::<Tuple>()?.clone();
    let mut fields: Vec<RelaxExpr> = tuple.fields.iter().collect();
    let info = tuple.base.struct_info.as_ref().and_then(|info| info.downcast_ref::<TupleStructInfo>());
    let mut infos: Option<Vec<StructInfo>> = info.map(|info| info.fields.iter().collect());
    let mut args: Vec<RelaxExpr> = vec![call.args.get(0)?];
    let mut shape = None;
    match (way, call.args.get(2)) {
        (Way::BeforeOutputs, Some(last)) => {
            let values = last.downcast_ref::<ShapeExpr>()?.values.clone();
            let is_same = order == Order { inputs: fields.len(), scalars: values.len() };
            for scalar in values.iter().filter(|_| is_same).map(PrimValue::of) {
                infos.iter_mut().for_each(|infos| infos.extend(scalar.base.base.struct_info.clone()));
                fields.push(scalar.into());
            }
            is_same.then_some(())?;
        }
        (Way::AfterOutputs, None) if fields.len() == order.inputs + order.scalars => {
            let scalars = fields.split_off(order.inputs).into_iter();
            let values = scalars.map(|scalar| Some(scalar.downcast_ref::<PrimValue>()?.value.clone()));
            let values: Vec<_> = values.collect::<Option<_>>()?;
            values.iter().all(|value| value.dtype == DataType::int(64)).then_some(())?;
            infos.iter_mut().for_each(|infos| infos.truncate(order.inputs));
            shape = Some(ShapeExpr::of_values(Array::from(values)));
        }
        _ => return None,
    }
    let node = tuple.make_mut();
    node.fields = Array::from(fields);
    node.base.struct_info = infos.map(|infos| TupleStructInfo::new(Array::from(infos)).into());
    args.push(tuple.into());
    args.extend(shape.map(RelaxExpr::from));
    let mut call = call.clone();
    call.make_mut().args = Array::from(args);
    Some(call)
}

//! [`fold_constants`]: programs with the results of operators on constants.

use std::fmt;

use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation};
use object_core::visit::walk as walk_objects;
use object_core::{ObjectView, Shape, Tensor};
use object_ir::ir::{
    BaseFunc, BindingBlock, Call, Constant, DataflowBlockNode, DictAttrs, Function, GlobalVar, IRModule, IntImm, Op,
    RelaxExpr, SeqExpr, ShapeExpr, ShapeStructInfo, StructInfo, TensorStructInfo, Tuple, TupleStructInfo, Var,
    VarBinding,
};
use object_ir::tir::PrimFunc;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::walk::{Observer, Region, view, walk};
use crate::analysis::{IdentityMap, all_global_vars, free_shape_vars, used_vars};
use crate::normal_form::is_leaf;
use crate::transform::common_subexpressions::is_repeatable;
use crate::transform::program::Program;
use crate::transform::remove_unused::remove_all_unused;
use crate::transform::replacements::Replacements;

/// The largest number of elements of a result without tensors among its operands, such as `zeros`. A larger one takes more
/// memory than its call saves time.
const MAX_CREATED: i64 = 1024;

/// The operators that run arbitrary code.
const CALLS_OF_PACKED: [&str; 3] = ["relax.call_pure_packed", "relax.call_dps_packed", "relax.call_inplace_packed"];

/// The operator that runs a loop program, which is folded outside of dataflow blocks too.
const CALL_TIR: &str = "relax.call_tir";

/// The functions of a compiled module: the result of the function with a name for arguments. Tensors are
/// [`Tensor`]s, tuples are arrays, and shapes are [`Shape`]s, in arguments and results.
pub type CompiledModule = Box<dyn Fn(&str, Vec<Any>) -> Result<Any, Error>>;

/// An evaluator of modules, such as the one of `object-eval`.
#[derive(Clone, Copy)]
pub struct ModuleCompiler<'a>(pub &'a dyn Fn(&IRModule) -> CompiledModule);

impl fmt::Debug for ModuleCompiler<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ModuleCompiler")
    }
}

/// A binding whose operands are constants or results of such bindings.
struct Foldable {
    binding: VarBinding,
    /// The variables in the value.
    operands: Vec<Var>,
}

/// The walk that finds the bindings of a module.
#[derive(Default)]
struct Finder {
    loop_programs: FxHashSet<usize>,
    found: Vec<Foldable>,
    /// The variables of `found` and of constants.
    known: FxHashSet<usize>,
    /// Whether each block around the current place is a dataflow block.
    blocks: Vec<bool>,
}

impl<'a> Observer<'a> for Finder {
    fn begin(&mut self, region: Region, object: ObjectView<'a>) {
        match region {
            Region::Sequence => self.blocks.push(false),
            Region::Block => self.blocks.push(object.node::<DataflowBlockNode>().is_some()),
            Region::Function | Region::Binding => {}
        }
    }

    fn end(&mut self, region: Region, object: ObjectView<'a>) {
        match region {
            Region::Sequence | Region::Block => _ = self.blocks.pop(),
            Region::Function => {}
            Region::Binding => {
                let Some(binding) = object.to_handle::<VarBinding>() else { return };
                if let Some(operands) = self.operands(&binding) {
                    self.known.insert(view(&binding.var).address());
                    self.found.push(Foldable { binding, operands });
                }
            }
        }
    }

    const INFOS: bool = false;
}

impl Finder {
    /// The variables in the value of a binding that can be folded.
    fn operands(&self, binding: &VarBinding) -> Option<Vec<Var>> {
        let value = &binding.value;
        // Nested expressions are not in normal form, and a look at each level of them would take quadratic time.
        let is_flat = match value.downcast_ref::<Call>() {
            Some(call) => call.args.as_slice().iter().all(is_flat_operand) && self.is_foldable_call(binding),
            None => is_flat_operand(value) && (value.is::<Constant>() || value.is::<Var>() || value.is::<Tuple>()),
        };
        let operands = is_flat.then(|| used_vars(value))?;
        let is_known = operands.iter().all(|var| self.known.contains(&view(var).address()));
        (is_known && free_shape_vars(value).is_empty()).then_some(operands)
    }

    fn is_foldable_call(&self, binding: &VarBinding) -> bool {
        let value = &binding.value;
        let Some(op) = value.downcast_ref::<Call>().and_then(|call| call.op.downcast_ref::<Op>()) else { return false };
        let info = binding.var.struct_info.as_ref();
        if op.name.as_str() != CALL_TIR && self.blocks.last() != Some(&true) {
            return false;
        }
        let Some(elements) = info.and_then(elements).filter(|_| !CALLS_OF_PACKED.contains(&op.name.as_str())) else {
            return false;
        };
        let mut has_tensors = !used_vars(value).is_empty();
        walk_objects(value, |_: &Constant, _| has_tensors = true);
        (has_tensors || elements <= MAX_CREATED)
            && is_repeatable(value)
            && all_global_vars(value).iter().all(|var| self.loop_programs.contains(&view(var).address()))
    }
}

/// Whether an operand is a leaf, or a tuple of leaves.
fn is_flat_operand(operand: &RelaxExpr) -> bool {
    let is_simple = |expr: &RelaxExpr| is_leaf(view(expr)) && !expr.is::<Tuple>();
    operand.downcast_ref::<Tuple>().map_or_else(|| is_simple(operand), |it| it.fields.as_slice().iter().all(is_simple))
}

/// The number of elements of values with this information. `None` if it depends on the run.
fn elements(info: &StructInfo) -> Option<i64> {
    if info.is::<ShapeStructInfo>() {
        return Some(0);
    }
    if let Some(tuple) = info.downcast_ref::<TupleStructInfo>() {
        let fields = tuple.fields.as_slice().iter();
        // Operators have results of at most one level.
        let fields = fields.map(|field| field.downcast_ref::<TensorStructInfo>().and_then(tensor_elements));
        return fields.sum();
    }
    info.downcast_ref::<TensorStructInfo>().and_then(tensor_elements)
}

fn tensor_elements(info: &TensorStructInfo) -> Option<i64> {
    let dims = info.shape.as_ref()?.downcast_ref::<ShapeExpr>()?;
    let mut sizes = dims.values.as_slice().iter().map(|dim| Some(dim.downcast_ref::<IntImm>()?.value));
    sizes.try_fold(1_i64, |count, size| count.checked_mul(size?)).filter(|_| !info.dtype.is_void())
}

/// The constants that variables stand for, and the changes of the program.
#[derive(Default)]
struct Folded {
    /// Constants, tuples of them, and shapes.
    values: IdentityMap<Var, RelaxExpr>,
    replacements: Replacements,
    /// The tuples and shapes in place of calls, by the address of the binding.
    bindings: FxHashMap<usize, RelaxExpr>,
}

impl Folded {
    fn fold(&mut self, number: usize, foldable: &Foldable, compiled: &CompiledModule) -> Result<(), Error> {
        let binding = &foldable.binding;
        let Some(value) = self.value(number, foldable, compiled)? else { return Ok(()) };
        if value.is::<Constant>() {
            self.replacements.replace(&binding.var, value.clone());
        } else if binding.value.is::<Call>() {
            self.bindings.insert(view(binding).address(), value.clone());
        }
        self.values.entry(&binding.var, || value);
        Ok(())
    }

    /// The constant, the tuple of constants or the shape that a binding has as its value.
    fn value(&self, number: usize, foldable: &Foldable, compiled: &CompiledModule) -> Result<Option<RelaxExpr>, Error> {
        let Foldable { binding, operands } = foldable;
        let Some(values) = operands.iter().map(|var| self.values.get(var)).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        if let (true, [value]) = (binding.value.is::<Var>(), &values[..]) {
            return Ok(Some((*value).clone()));
        }
        if !binding.value.is::<Call>() {
            return self.replacements.in_value(&binding.value).map(Some);
        }
        let arguments = values.into_iter().filter_map(argument).collect();
        // A call without a result, such as one that needs too much memory, stays.
        let result = compiled(&function_name(number), arguments).ok();
        Ok(result.and_then(|result| constant(result, binding.var.struct_info.as_ref()?)))
    }

    fn apply(&self, expr: RelaxExpr) -> Result<RelaxExpr, Error> {
        let expr = Mutate::new()
            .enter(|binding: &VarBinding, _| match self.bindings.get(&view(binding).address()) {
                Some(value) => Mutation::Replace(VarBinding::new(&binding.var, value.clone()).into()),
                None => Mutation::Keep,
            })
            .run(expr)?;
        self.replacements.apply(expr)
    }
}

fn function_name(number: usize) -> String {
    format!("value{number}")
}

/// The value of a constant, a tuple of constants or a shape as an argument.
fn argument(expr: &RelaxExpr) -> Option<Any> {
    if let Some(tuple) = expr.downcast_ref::<Tuple>() {
        let fields: Option<Vec<Any>> = tuple.fields.as_slice().iter().map(argument).collect();
        return Some(Array::<Any>::from_anys(fields?).into());
    }
    if let Some(shape) = expr.downcast_ref::<ShapeExpr>() {
        let sizes: Option<Vec<i64>> =
            shape.values.as_slice().iter().map(|dim| Some(dim.downcast_ref::<IntImm>()?.value)).collect();
        return Some(Shape::from(sizes?).into());
    }
    Some(expr.downcast_ref::<Constant>()?.data.clone().into())
}

/// The constant expression of a result with this information.
fn constant(result: Any, info: &StructInfo) -> Option<RelaxExpr> {
    if let Some(tuple) = info.downcast_ref::<TupleStructInfo>() {
        let results = result.cast::<Array<Any>>().ok().filter(|results| results.len() == tuple.fields.len())?;
        let fields = results.iter().zip(tuple.fields.as_slice()).map(|(result, info)| constant(result, info));
        let mut tuple = Tuple::new(fields.collect::<Option<Vec<_>>>()?);
        tuple.make_mut().struct_info = Some(info.clone());
        return Some(tuple.into());
    }
    if info.is::<ShapeStructInfo>() {
        return Some(ShapeExpr::of(result.cast::<Shape>().ok()?.as_slice().to_vec()).ok()?.into());
    }
    let tensor = result.cast::<Tensor>().ok()?;
    let given: StructInfo = TensorStructInfo::of(tensor.shape.as_slice().to_vec(), tensor.dtype).ok()?.into();
    let mut constant = Constant::new(tensor);
    constant.make_mut().struct_info = Some(given.clone());
    let stated = info.downcast_ref::<TensorStructInfo>()?;
    let is_same = tensor_elements(stated) == given.downcast_ref().and_then(tensor_elements);
    (is_same && stated.dtype == constant.data.dtype).then(|| constant.into())
}

/// The module with a function of each call, whose parameters are the variables in it, and the loop programs.
fn calls_as_functions(module: &IRModule, found: &[Foldable]) -> IRModule {
    let calls = found.iter().enumerate().filter(|(_, foldable)| foldable.binding.value.is::<Call>());
    let functions = calls.filter_map(|(number, Foldable { binding, operands })| {
        let info = binding.var.struct_info.clone()?;
        let result = Var::of("result", info.clone());
        let block = BindingBlock::new([VarBinding::new(&result, binding.value.clone()).into()]);
        let attrs =
            DictAttrs::new(Map::<Str, Any>::new([("global_symbol".into(), Str::from(function_name(number)).into())]));
        let function = Function::new(attrs, Array::new(operands.clone()), SeqExpr::new([block], &result), info, true);
        Some((GlobalVar::new(function_name(number)), BaseFunc::from(function)))
    });
    let loop_programs = module.functions.iter().filter(|(_, function)| function.is::<PrimFunc>());
    let functions: Vec<(GlobalVar, BaseFunc)> = functions.chain(loop_programs).collect();
    let names: Vec<(Str, GlobalVar)> = functions.iter().map(|(var, _)| (var.name_hint.clone(), var.clone())).collect();
    module.clone().with_changes(|node| {
        node.functions = Map::new(functions);
        node.global_var_map = Map::new(names);
    })
}

/// The module with constants in place of calls of operators on constants in dataflow blocks, and of calls of loop programs on
/// constants everywhere, and without unused bindings. Tuples of constants count as constants. The calls have no side effects, and
/// results whose shapes are known. A call stays if `compiler` has no result of it, or if it only makes a tensor of more than 1024
/// elements. (TVM 0.25 `relax.transform.FoldConstant`)
///
/// # Errors
/// A field of the program does not accept its new value; this does not happen for programs that the checker accepts.
///
/// ```
/// use object_core::Error;
/// use object_ir::ir::IRModule;
/// use object_relax::transform::{ModuleCompiler, fold_constants};
///
/// /// `run` evaluates functions of a module.
/// fn folded(module: &IRModule, run: ModuleCompiler<'_>) -> Result<IRModule, Error> {
///     fold_constants(module, run)
/// }
/// ```
pub fn fold_constants(module: &IRModule, compiler: ModuleCompiler<'_>) -> Result<IRModule, Error> {
    let functions: Vec<RelaxExpr> =
        module.functions.iter().filter_map(|(_, it)| Some(it.downcast_ref::<Function>()?.into())).collect();
    let loop_programs = module.functions.iter().filter(|(_, function)| function.is::<PrimFunc>());
    let loop_programs = loop_programs.map(|(var, _)| view(&var).address()).collect();
    let mut finder = Finder { loop_programs, ..Finder::default() };
    functions.iter().for_each(|function| walk(function, &mut finder));
    let mut folded = Folded::default();
    if !finder.found.is_empty() {
        let compiled = (compiler.0)(&calls_as_functions(module, &finder.found));
        for (number, foldable) in finder.found.iter().enumerate() {
            folded.fold(number, foldable, &compiled)?;
        }
    }
    remove_all_unused(&module.change(&|expr| folded.apply(expr))?)
}

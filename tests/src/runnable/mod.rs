//! Random well-formed modules that run without packed functions, with arguments for `main`.
//!
//! The modules have tensors of several types over symbolic and constant dimensions, tuples, branches, shapes, casts, some of
//! which fail when they run, constants, local functions that capture, a function with a shape variable of its own, a
//! function that calls itself, and dataflow blocks.

mod kinds;

use kinds::Dim::{self, Constant as K, Symbolic as N};
use kinds::{Kind, Type, dim_expr, info, kind, parameters};
use object_core::prelude::*;
use object_eval::{Meter, Tensor};
use object_ir::attrs::{
    ConcatAttrs, ExpandDimsAttrs, FlipAttrs, PermuteDimsAttrs, ScanopAttrs, SoftmaxAttrs, StatisticalAttrs, TakeAttrs,
};
use object_ir::ir::{
    BaseFunc, Binding, BindingBlock, Call, Constant, DataflowBlock, DataflowVar, DictAttrs, FuncStructInfo, Function,
    GlobalInfo, GlobalVar, IRModule, If, MatchCast, PrimExpr, RelaxExpr, SeqExpr, ShapeExpr, ShapeStructInfo, Source,
    SourceMap, SourceName, StructInfo, Tuple, TupleGetItem, Var, VarBinding,
};
use object_ir::tir;
use object_relax::op;

/// A module with arguments for its function `main`.
pub struct RandomProgram {
    /// The module.
    pub module: IRModule,
    /// The arguments.
    pub args: Vec<Any>,
}

/// The size of the symbolic dimension of `main`.
const SIZE: i64 = 3;

/// A random program. The same seed gives the same program.
///
/// # Panics
/// If a constructor refuses what the generator makes.
#[must_use]
pub fn program(seed: u64) -> RandomProgram {
    let random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
    let mut generator = Generator { random, names: 0, budget: 0, globals: Vec::new(), extent: tir::Var::dim("m") };
    let countdown = countdown();
    let helper = generator.helper();
    generator.globals = vec![countdown.0.clone(), helper.0.clone()];
    let main = generator.main();
    let functions: Vec<(GlobalVar, BaseFunc)> =
        [countdown, helper, main].into_iter().map(|(var, function)| (var, function.into())).collect();
    let names: Vec<(Str, GlobalVar)> = functions.iter().map(|(var, _)| (var.name_hint.clone(), var.clone())).collect();
    let sources = SourceMap::new(Map::<SourceName, Source>::new([]));
    let infos = Map::<Str, Array<GlobalInfo>>::new([]);
    let module = IRModule::new(Map::new(functions), Map::new(names), sources, attrs(None), infos);
    RandomProgram { module, args: generator.args() }
}

fn attrs(symbol: Option<&str>) -> DictAttrs {
    DictAttrs::new(Map::<Str, Any>::new(symbol.map(|symbol| ("global_symbol".into(), Str::from(symbol).into()))))
}

fn scalar(number: i32) -> Constant {
    let data = object_core::Tensor::new(DataType::int(32), Vec::new(), number.to_le_bytes().to_vec());
    Constant::new(data.expect("4 bytes"))
}

fn global(name: &str, params: &[Var], result: &StructInfo) -> GlobalVar {
    let infos = params.iter().map(|param| param.struct_info.clone().expect("parameters are annotated"));
    GlobalVar::of(name, FuncStructInfo::of(infos.collect::<Vec<_>>(), result.clone()))
}

/// A function that calls itself as often as its first argument says.
fn countdown() -> (GlobalVar, Function) {
    let extent = tir::Var::dim("unused");
    let (count, data) = (kind(Type::Int, &[]), kind(Type::Float, &[K(4)]));
    let params = [Var::of("count", info(&count, &extent)), Var::of("data", info(&data, &extent))];
    let result = info(&data, &extent);
    let this = global("countdown", &params, &result);
    let [left, next, last, again, end] =
        ["left", "next", "last", "again", "end"].map(|name| Var::named(format!("r_{name}")));
    let then = BindingBlock::new([
        Binding::from(VarBinding::new(&next, op::subtract(&params[0], scalar(1)))),
        VarBinding::new(&last, op::tanh(op::add(&params[1], &params[1]))).into(),
        VarBinding::new(&again, Call::new(&this, [RelaxExpr::from(&next), (&last).into()], None, [])).into(),
    ]);
    let otherwise = SeqExpr::new(Vec::<BindingBlock>::new(), &params[1]);
    let branch = If::new(&left, SeqExpr::new([then], &again), otherwise);
    let body = BindingBlock::new([
        Binding::from(VarBinding::new(&left, op::greater(&params[0], scalar(0)))),
        VarBinding::new(&end, branch).into(),
    ]);
    let function = Function::new(attrs(None), params, SeqExpr::new([body], &end), result, true);
    (this, function)
}

/// The variables at a place.
#[derive(Clone)]
struct Scope {
    tensors: Vec<(Var, Kind)>,
    /// Functions of one tensor, which return a tensor of the same kind.
    functions: Vec<(Var, Kind)>,
    is_dataflow: bool,
    /// The numbers of calls of local functions around this place.
    depth: usize,
}

struct Generator {
    random: u64,
    names: usize,
    /// The number of bindings that are left.
    budget: usize,
    /// Functions of the module that can be called.
    globals: Vec<GlobalVar>,
    /// The shape variable of the function.
    extent: tir::Var,
}

impl Generator {
    fn below(&mut self, count: usize) -> usize {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.random >> 33).unwrap_or_default() % count
    }

    fn args(&mut self) -> Vec<Any> {
        let meter = Meter::unlimited();
        let arg = |(_, kind): (&str, Kind)| {
            let dims: Vec<i64> = kind.dims.iter().map(|dim| if let K(size) = dim { *size } else { SIZE }).collect();
            let count = usize::try_from(dims.iter().product::<i64>()).expect("a size");
            let numbers: Vec<i64> = (0..count).map(|_| self.below(1000) as i64).collect();
            let tensor = match kind.dtype {
                Type::Float => {
                    Tensor::from_elements::<f32>(&dims, numbers.iter().map(|it| *it as f32 / 250.0 - 2.0), &meter)
                }
                // Indices are below the size of the symbolic dimension.
                Type::Int => Tensor::from_elements::<i32>(&dims, numbers.iter().map(|it| (*it % SIZE) as i32), &meter),
                Type::Bool => Tensor::from_elements::<object_eval::value::Bool>(
                    &dims,
                    numbers.iter().map(|it| (*it % 2) as u8),
                    &meter,
                ),
            };
            tensor.expect("a tensor").into()
        };
        parameters().into_iter().map(arg).collect()
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// A function over a shape variable of its own.
    fn helper(&mut self) -> (GlobalVar, Function) {
        let kinds = [kind(Type::Float, &[N, K(4)]), kind(Type::Float, &[K(4)])];
        let extent = self.extent.clone();
        let params = [Var::of("a", info(&kinds[0], &extent)), Var::of("b", info(&kinds[1], &extent))];
        let result = info(&kinds[0], &extent);
        self.budget = 4;
        let tensors = params.iter().cloned().zip(kinds.iter().cloned()).collect();
        let mut scope = Scope { tensors, functions: Vec::new(), is_dataflow: false, depth: 1 };
        let body = self.sequence(&mut scope, Some(&kinds[0]));
        let var = global("helper", &params, &result);
        (var, Function::new(attrs(None), params, body, result, true))
    }

    fn main(&mut self) -> (GlobalVar, Function) {
        self.extent = tir::Var::dim("n");
        self.budget = 4 + self.below(30);
        let extent = self.extent.clone();
        let tensors: Vec<(Var, Kind)> =
            parameters().into_iter().map(|(name, kind)| (Var::of(name, info(&kind, &extent)), kind)).collect();
        let params: Vec<Var> = tensors.iter().map(|(var, _)| var.clone()).collect();
        let mut scope = Scope { tensors, functions: Vec::new(), is_dataflow: false, depth: 0 };
        let mut blocks = Vec::new();
        while self.budget > 0 {
            blocks.push(self.block(&mut scope));
        }
        // The result has the last tensors, so that most bindings matter.
        let last: Vec<RelaxExpr> = scope.tensors.iter().rev().take(4).map(|(var, _)| var.into()).collect();
        let result = Var::named("result");
        blocks.push(BindingBlock::new([Binding::from(VarBinding::new(&result, Tuple::new(last)))]));
        let infos: Vec<StructInfo> = scope.tensors.iter().rev().take(4).map(|(_, kind)| info(kind, &extent)).collect();
        let returned: StructInfo = object_ir::ir::TupleStructInfo::of(infos).into();
        let var = global("main", &params, &returned);
        (var, Function::new(attrs(Some("main")), params, SeqExpr::new(blocks, &result), returned, true))
    }

    /// Some bindings, and a result: of the given kind, or of any.
    fn sequence(&mut self, scope: &mut Scope, wanted: Option<&Kind>) -> SeqExpr {
        let count = 1 + self.below(3);
        let mut bindings: Vec<Binding> = (0..count).flat_map(|_| self.binding(scope)).collect();
        let of_kind: Vec<Var> = scope
            .tensors
            .iter()
            .filter(|(_, kind)| wanted.is_none_or(|wanted| wanted == kind))
            .map(|(var, _)| var.clone())
            .collect();
        let chosen = of_kind[of_kind.len() - 1 - self.below(of_kind.len().min(2))].clone();
        // A branch ends with a variable of its own.
        let result = Var::named(self.name("s"));
        bindings.push(VarBinding::new(&result, &chosen).into());
        SeqExpr::new([BindingBlock::new(bindings)], &result)
    }

    fn block(&mut self, scope: &mut Scope) -> BindingBlock {
        let count = 1 + self.below(5);
        if self.below(2) == 0 {
            let bindings: Vec<Binding> = (0..count).flat_map(|_| self.binding(scope)).collect();
            return BindingBlock::new(bindings);
        }
        let mut inner = Scope { is_dataflow: true, ..scope.clone() };
        let bindings: Vec<Binding> = (0..count).flat_map(|_| self.binding(&mut inner)).collect();
        let new = inner.tensors.drain(scope.tensors.len()..).filter(|(var, _)| !var.is::<DataflowVar>());
        scope.tensors.extend(new);
        DataflowBlock::new(bindings).into()
    }

    /// A new variable for a tensor.
    fn define(&mut self, scope: &mut Scope, kind: Kind) -> Var {
        let name = self.name("t");
        let var: Var = match scope.is_dataflow && self.below(2) == 0 {
            true => DataflowVar::named(name).into(),
            false => Var::named(name),
        };
        scope.tensors.push((var.clone(), kind));
        var
    }

    /// A visible tensor that `accepts` accepts, a recent one more often.
    fn pick(&mut self, scope: &Scope, accepts: impl Fn(&Kind) -> bool) -> Option<(RelaxExpr, Kind)> {
        let fitting: Vec<&(Var, Kind)> = scope.tensors.iter().filter(|(_, kind)| accepts(kind)).collect();
        let recent = if self.below(2) == 0 { fitting.len() } else { fitting.len().min(4) };
        if recent == 0 {
            return None;
        }
        let (var, kind) = fitting[fitting.len() - 1 - self.below(recent)];
        Some((var.into(), kind.clone()))
    }

    /// One binding or several ones.
    fn binding(&mut self, scope: &mut Scope) -> Vec<Binding> {
        self.budget = self.budget.saturating_sub(1);
        for _ in 0..20 {
            let choice = self.below(24);
            let made = match choice {
                0 | 1 if !scope.is_dataflow && scope.depth < 3 => self.branch(scope),
                2 if !scope.is_dataflow && scope.depth < 2 => self.closure(scope),
                3 => self.cast(scope),
                4 => self.shapes(scope),
                _ => {
                    let Some((value, kind)) = self.value(scope, choice) else { continue };
                    let var = self.define(scope, kind);
                    Some(vec![VarBinding::new(var, value).into()])
                }
            };
            if let Some(bindings) = made {
                return bindings;
            }
        }
        Vec::new()
    }

    /// An expression of a tensor without bindings.
    fn value(&mut self, scope: &mut Scope, choice: usize) -> Option<(RelaxExpr, Kind)> {
        let is_float = |kind: &Kind| kind.dtype == Type::Float;
        let is_number = |kind: &Kind| kind.dtype != Type::Bool;
        Some(match choice {
            5 | 6 => {
                let (x, kind) = self.pick(scope, is_float)?;
                let call = match self.below(9) {
                    0 => op::tanh(x),
                    1 => op::sigmoid(x),
                    2 => op::negative(x),
                    3 => op::abs(x),
                    4 => op::nn::relu(x),
                    5 => op::nn::silu(x),
                    6 => op::cos(x),
                    7 => op::exp(op::tanh(x)),
                    _ => op::sqrt(op::abs(x)),
                };
                (call.into(), kind)
            }
            7..=9 => {
                let (a, kind) = self.pick(scope, is_number)?;
                let fits = |other: &Kind| {
                    let shorter = kind.dims.len().checked_sub(other.dims.len());
                    other.dtype == kind.dtype && shorter.is_some_and(|skip| kind.dims[skip..] == other.dims)
                };
                let (b, _) = self.pick(scope, fits)?;
                let call = match self.below(5) {
                    0 => op::add(a, b),
                    1 => op::subtract(a, b),
                    2 => op::multiply(a, op::minimum(&b, &b)),
                    3 => op::maximum(b, a),
                    _ => op::minimum(a, b),
                };
                (call.into(), kind)
            }
            10 => {
                let (a, of_a) = self.pick(scope, is_number)?;
                let (b, _) = self.pick(scope, |other| *other == of_a)?;
                let call = if self.below(2) == 0 { op::less(a, b) } else { op::greater_equal(a, b) };
                (call.into(), kind(Type::Bool, &of_a.dims))
            }
            11 => {
                let (condition, truths) = self.pick(scope, |kind| kind.dtype == Type::Bool)?;
                let (a, of_a) = self.pick(scope, |kind| kind.dims == truths.dims && is_number(kind))?;
                let (b, _) = self.pick(scope, |other| *other == of_a)?;
                (op::where_(condition, a, b).into(), of_a)
            }
            12 => {
                let (x, from) = self.pick(scope, |kind| kind.dtype != Type::Float)?;
                (op::astype(x, "float32").into(), kind(Type::Float, &from.dims))
            }
            13 | 14 => {
                let (a, left) = self.pick(scope, |kind| is_float(kind) && kind.dims.last() == Some(&K(4)))?;
                let (b, right) =
                    self.pick(scope, |kind| is_float(kind) && kind.dims.len() == 2 && kind.dims[0] == K(4))?;
                let dims: Vec<Dim> = left.dims[..left.dims.len() - 1].iter().copied().chain([right.dims[1]]).collect();
                (op::matmul(a, b, None).into(), kind(Type::Float, &dims))
            }
            15 => {
                let (x, from) = self.pick(scope, |kind| is_number(kind) && !kind.dims.is_empty())?;
                let (axis, keepdims) = (self.below(from.dims.len()), self.below(2) == 0);
                let attrs = StatisticalAttrs::new(Some([axis as i64].into()), keepdims);
                let call = match self.below(4) {
                    0 => op::max(x, attrs),
                    1 => op::min(x, attrs),
                    2 if from.dtype == Type::Float => op::mean(x, attrs),
                    _ => op::sum(x, attrs),
                };
                let mut dims = from.dims;
                if keepdims {
                    dims[axis] = K(1);
                } else {
                    dims.remove(axis);
                }
                (call.into(), kind(from.dtype, &dims))
            }
            16 => {
                let (x, mut from) = self.pick(scope, |kind| kind.dims.len() >= 2)?;
                from.dims.reverse();
                let axes: Vec<i64> = (0..from.dims.len() as i64).rev().collect();
                let attrs = (self.below(2) == 0).then(|| PermuteDimsAttrs::new(Some(axes.into())));
                (op::permute_dims(x, attrs).into(), from)
            }
            17 => {
                let (x, mut from) = self.pick(scope, |kind| kind.dims.len() <= 3)?;
                let axis = self.below(from.dims.len() + 1);
                from.dims.insert(axis, K(1));
                if self.below(2) == 0 {
                    return Some((op::expand_dims(x, ExpandDimsAttrs::new([axis as i64])).into(), from));
                }
                let dims: Vec<PrimExpr> = from.dims.iter().map(|dim| dim_expr(*dim, &self.extent)).collect();
                (op::reshape(x, dims).into(), from)
            }
            18 => {
                let (x, mut from) = self.pick(scope, |kind| matches!(kind.dims.first(), Some(K(_))))?;
                let (y, _) = self.pick(scope, |other| *other == from)?;
                let Some(K(size)) = from.dims.first().copied() else { return None };
                from.dims[0] = K(2 * size);
                (op::concat([x, y], ConcatAttrs::new(Some(0))).into(), from)
            }
            19 => {
                let (x, from) = self.pick(scope, |kind| is_float(kind) && !kind.dims.is_empty())?;
                let axis = self.below(from.dims.len()) as i64;
                (op::nn::softmax(x, SoftmaxAttrs::new(axis)).into(), from)
            }
            20 => {
                let (x, mut from) = self.pick(scope, |kind| kind.dims.first() == Some(&N))?;
                let indices = scope.tensors.iter().find(|(var, _)| &*var.vid.name_hint == "i")?.0.clone();
                from.dims[0] = N;
                (op::take(x, indices, TakeAttrs::new(Some(0))).into(), from)
            }
            21 => {
                let (x, from) = self.pick(scope, |kind| is_number(kind) && !kind.dims.is_empty())?;
                let axis = self.below(from.dims.len()) as i64;
                if self.below(2) == 0 {
                    return Some((op::flip(x, FlipAttrs::new(axis)).into(), from));
                }
                let dtype: DataType = from.dtype.name().parse().expect("a data type");
                (op::cumsum(x, ScanopAttrs::new(Some(axis), dtype)).into(), from)
            }
            22 => {
                let ((a, of_a), (b, of_b)) = (self.pick(scope, |_| true)?, self.pick(scope, |_| true)?);
                let index = self.below(2);
                let tuple = Tuple::new([Tuple::new([a.clone(), b.clone()]).into(), a]);
                let inner = TupleGetItem::new(tuple, 0);
                (TupleGetItem::new(inner, index as i64).into(), if index == 0 { of_a } else { of_b })
            }
            _ => self.call(scope)?,
        })
    }

    /// A call of a function of the program.
    fn call(&mut self, scope: &mut Scope) -> Option<(RelaxExpr, Kind)> {
        let vector = kind(Type::Float, &[K(4)]);
        let choice = self.below(3);
        if choice == 0 && !scope.functions.is_empty() {
            let index = self.below(scope.functions.len());
            let (function, of_function) = scope.functions[index].clone();
            let (x, _) = self.pick(scope, |kind| *kind == of_function)?;
            return Some((Call::new(function, [x], None, []).into(), of_function));
        }
        let callee = self.globals.get(choice.min(1))?.clone();
        let (b, _) = self.pick(scope, |kind| *kind == vector)?;
        if &*callee.name_hint == "countdown" {
            let count = scope.tensors.iter().find(|(var, _)| &*var.vid.name_hint == "k")?.0.clone();
            return Some((Call::new(callee, [count.into(), b], None, []).into(), vector));
        }
        let wide = kind(Type::Float, &[N, K(4)]);
        let (a, _) = self.pick(scope, |kind| *kind == wide)?;
        Some((Call::new(callee, [a, b], None, []).into(), wide))
    }

    fn branch(&mut self, scope: &mut Scope) -> Option<Vec<Binding>> {
        let (condition, _) = self.pick(scope, |kind| *kind == self::kind(Type::Bool, &[]))?;
        let (_, result) = self.pick(scope, |_| true)?;
        let mut inner = Scope { depth: scope.depth + 1, ..scope.clone() };
        let then = self.sequence(&mut inner.clone(), Some(&result));
        let otherwise = self.sequence(&mut inner, Some(&result));
        let var = self.define(scope, result);
        Some(vec![VarBinding::new(var, If::new(condition, then, otherwise)).into()])
    }

    /// A local function, and a call of it.
    fn closure(&mut self, scope: &mut Scope) -> Option<Vec<Binding>> {
        let (arg, of_arg) = self.pick(scope, |_| true)?;
        let annotation = info(&of_arg, &self.extent);
        let param = Var::of(self.name("p"), annotation.clone());
        let mut inner = Scope { depth: scope.depth + 1, ..scope.clone() };
        inner.tensors.push((param.clone(), of_arg.clone()));
        let body = self.sequence(&mut inner, Some(&of_arg));
        let function = Function::new(attrs(None), [param], body, annotation, true);
        let var = Var::named(self.name("f"));
        scope.functions.push((var.clone(), of_arg.clone()));
        let result = self.define(scope, of_arg);
        let call = Call::new(&var, [arg], None, []);
        Some(vec![VarBinding::new(var, function).into(), VarBinding::new(result, call).into()])
    }

    /// A cast, which fails now and then.
    fn cast(&mut self, scope: &mut Scope) -> Option<Vec<Binding>> {
        let (value, of_value) = self.pick(scope, |_| true)?;
        let mut claimed = of_value.clone();
        if self.below(8) == 0
            && let Some(dim) = claimed.dims.iter_mut().find(|dim| **dim == N)
        {
            *dim = K(7);
        }
        let claim = info(&claimed, &self.extent);
        let var = self.define(scope, claimed);
        Some(vec![MatchCast::new(var, value, claim).into()])
    }

    /// The shape of a tensor, a cast of it to its dimensions, and a tensor of that shape.
    fn shapes(&mut self, scope: &mut Scope) -> Option<Vec<Binding>> {
        let (x, of_x) = self.pick(scope, |kind| !kind.dims.is_empty())?;
        let [shape, cast] = ["sh", "sh"].map(|prefix| Var::named(self.name(prefix)));
        let dims: Vec<PrimExpr> = of_x.dims.iter().map(|dim| dim_expr(*dim, &self.extent)).collect();
        let claim = ShapeStructInfo::of(dims.clone()).expect("dimensions");
        let made = kind(Type::Float, &of_x.dims);
        let result = self.define(scope, made);
        let value = if self.below(2) == 0 {
            op::ones(ShapeExpr::of(dims).expect("dimensions"), "float32")
        } else {
            op::zeros(ShapeExpr::of(dims).expect("dimensions"), "float32")
        };
        Some(vec![
            VarBinding::new(&shape, op::shape_of(x)).into(),
            MatchCast::new(cast, &shape, claim).into(),
            VarBinding::new(result, value).into(),
        ])
    }
}

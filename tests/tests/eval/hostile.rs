//! Operators with random arguments return a result or an error: they never panic.

use object_core::object::MakeMut as _;
use object_core::{Any, Array, DataType, Error, Map, Shape, Str, json};
use object_eval::{Evaluator, Meter, Tensor};
use object_ir::ir::{
    BaseFunc, Binding, BindingBlock, Call, DictAttrs, Function, GlobalInfo, GlobalVar, IRModule, Id, ObjectStructInfo,
    Op, RelaxExpr, SeqExpr, Source, SourceMap, SourceName, StructInfo, Var, VarBinding,
};
use object_relax::op::{self, Operator};
use object_script::parse::parse;

/// The number of calls of each operator.
const CALLS: usize = 50;

/// A sequence of numbers that only depends on the seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn tensor(&mut self, rank: u64) -> Tensor {
        let dtype = ["float32", "int64", "bool", "float16", "uint8", "float64"][self.below(6) as usize];
        let mut shape: Vec<usize> = (0..rank).map(|_| [1, 2, 2, 3, 0][self.below(5) as usize]).collect();
        // A tensor without elements may have large extents.
        if shape.contains(&0) && self.below(4) == 0 {
            shape[0] = [0, 1 << 20, 1 << 24][self.below(3) as usize] * shape[0].min(1);
        }
        let count = shape.iter().product();
        let elements = (0..count).map(|_| [0.0, 1.0, -1.0, 2.5, f64::NAN, -7.0][self.below(6) as usize]).collect();
        let array = ndarray::ArrayD::from_shape_vec(shape, elements).expect("an array");
        Tensor::from_floats(dtype.parse().expect("a type"), &array, &Meter::unlimited()).expect("a tensor")
    }

    fn value(&mut self, levels: u64) -> Any {
        match self.below(if levels == 0 { 14 } else { 16 }) {
            0..=8 => {
                let rank = self.below(6);
                self.tensor(rank).into()
            }
            9 | 10 => {
                (0..self.below(4)).map(|_| [0, 1, 2, 3, -1, 1 << 40][self.below(6) as usize]).collect::<Shape>().into()
            }
            11 => Any::Int([0, 1, 2, -1, i64::MAX, i64::MIN][self.below(6) as usize]),
            12 => Any::Float([0.0, 1.5, f64::NAN][self.below(3) as usize]),
            13 => match self.below(4) {
                0 => Any::None,
                1 => Any::Bool(true),
                2 => Any::DataType(DataType::int(32)),
                _ => Str::from("{} global").into(),
            },
            _ => Array::<Any>::from_anys((0..self.below(4)).map(|_| self.value(levels - 1)).collect()).into(),
        }
    }
}

/// A module whose `main` calls an operator with its parameters.
pub(crate) fn module(operator: &Operator, count: usize) -> Result<IRModule, Error> {
    let any: StructInfo = ObjectStructInfo::new().into();
    let var = |name: &str| {
        let mut var = Var::new(Id::new(name));
        var.make_mut().struct_info = Some(any.clone());
        var
    };
    let params: Vec<Var> = (0..count).map(|index| var(&format!("x{index}"))).collect();
    let args: Vec<RelaxExpr> = params.iter().map(RelaxExpr::from).collect();
    let attrs = operator.signature.default_attributes();
    let call = Call::new(Op::get(operator.signature.name)?, args, attrs, Array::<StructInfo>::new([]));
    let result = var("y");
    let body = SeqExpr::new([BindingBlock::new([Binding::from(VarBinding::new(&result, call))])], &result);
    let nothing = || DictAttrs::new(Map::<Str, Any>::new([]));
    let function = Function::new(nothing(), params, body, any.clone(), true);
    let name = GlobalVar::new("main");
    let functions: Map<GlobalVar, BaseFunc> = Map::new([(name.clone(), function.into())]);
    let names: Map<Str, GlobalVar> = Map::new([("main".into(), name)]);
    let sources = SourceMap::new(Map::<SourceName, Source>::new([]));
    Ok(IRModule::new(functions, names, sources, nothing(), Map::<Str, Array<GlobalInfo>>::new([])))
}

#[test]
fn operators_never_panic() {
    let mut numbers = Numbers(1);
    let mut results = 0;
    for operator in op::operators()
        .filter(|operator| object_eval::has_evaluation(operator) && operator.signature.name != "relax.print")
    {
        let (least, most) = operator.signature.arity();
        for _ in 0..CALLS {
            let count = least + numbers.below((most.unwrap_or(least + 2) - least + 1) as u64) as usize;
            let evaluator =
                Evaluator::new(&module(operator, count).expect("a module")).meter(&Meter::with_limit(1 << 24));
            // Tensors of one shape are accepted more often than others.
            let rank = numbers.below(5);
            let alike = numbers.below(2) == 0;
            let args: Vec<Any> =
                (0..count).map(|_| if alike { numbers.tensor(rank).into() } else { numbers.value(2) }).collect();
            results += usize::from(evaluator.run("main", args).is_ok());
        }
    }
    assert!(results > 1250, "{results} calls have results, so the arguments are not all refused");
}

/// The work of a result without elements does not depend on its extents.
#[test]
fn empty_tensors_of_many_rows_take_no_time() {
    let script = "from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass Module:\n    @R.function\n    \
        def main(x: R.Tensor((4398046511104, 0), \"float32\"), i: R.Tensor((0,), \"int64\")):\n        \
        return (R.concat((x, x), axis=1), R.take(x, i, axis=1))\n";
    let module: IRModule = parse(script).expect("it parses").cast().expect("a module");
    let empty = |shape: &[i64], name: &str| {
        let dtype = name.parse().expect("a data type");
        Any::from(Tensor::zeros(dtype, shape, &Meter::unlimited()).expect("a tensor"))
    };
    let result = Evaluator::new(&module).run("main", [empty(&[1 << 42, 0], "float32"), empty(&[0], "int64")]);
    let results: Array<Tensor> = result.expect("a result").cast().expect("two tensors");
    assert!(results.iter().all(|tensor| *tensor.shape() == [1 << 42, 0]));
}

/// A checked program has no such structural information, but a file may have it.
#[test]
fn a_wrong_rank_is_an_error() {
    let script = "from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass Module:\n    @R.function\n    \
        def main(x: R.Tensor((2, 2, 1), \"float32\"), s: R.Shape([2, 2, 1])):\n        return x\n";
    let text = json::to_string(&parse(script).expect("it parses")).expect("a graph");
    let dtype = "float32".parse().expect("a data type");
    for rank in [-1, 0, 2, 3, 4] {
        let text = text.replace("\"ndim\":3", &format!("\"ndim\":{rank}"));
        let module: IRModule = json::from_str(&text).expect("a module");
        for dims in [vec![2, 2], vec![2, 2, 1], vec![2, 2, 1, 1]] {
            let tensor = Tensor::zeros(dtype, &dims, &Meter::unlimited()).expect("a tensor");
            let shape: Shape = dims.iter().copied().collect();
            let result = Evaluator::new(&module).run("main", [Any::from(tensor), Any::from(shape)]);
            match result {
                Ok(_) => assert!(dims.len() == 3 && [-1, 3].contains(&rank), "{rank} {dims:?}"),
                Err(error) if [-1, 3].contains(&rank) => assert!(dims.len() != 3, "{rank} {dims:?}: {error}"),
                Err(error) => assert!(error.message().contains("but its `ndim` is"), "{rank} {dims:?}: {error}"),
            }
        }
    }
}

//! The forms of values that TVM cannot print, and options that are not TVM's.

use object_core::ObjectBuilder;
use object_core::access_path::{AccessPath, AccessStep};
use object_core::dynamic::{Schema, SchemaLoader};
use object_core::prelude::*;
use object_ir::ir::{
    Binding, BindingBlock, Call, DictAttrs, Function, Id, If, ObjectStructInfo, Op, RelaxExpr, SeqExpr, StructInfo,
    Tuple, Var, VarBinding,
};
use object_script::parse::parse;
use object_script::print::{ScriptPrinter, print};

fn object() -> StructInfo {
    ObjectStructInfo::new().into()
}

fn var(name: &str) -> Var {
    let mut var = Var::new(Id::new(name));
    var.make_mut().base.base.struct_info = Some(object());
    var
}

fn seq(bindings: Vec<Binding>, body: impl Into<RelaxExpr>) -> SeqExpr {
    let blocks = if bindings.is_empty() { Vec::new() } else { vec![BindingBlock::new(bindings)] };
    SeqExpr::new(blocks, body)
}

fn bind(var: &Var, value: impl Into<RelaxExpr>) -> Binding {
    VarBinding::new(var.clone(), value).into()
}

fn call(op: &str, args: impl IntoIterator<Item = RelaxExpr>) -> RelaxExpr {
    Call::new(Op::get(op).expect("an operator"), Array::new(args), None, Array::<StructInfo>::default()).into()
}

fn branch(condition: &Var, value: &Var) -> RelaxExpr {
    let mut branch = If::new(
        condition.clone(),
        seq(Vec::new(), call("relax.exp", [value.clone().into()])),
        seq(Vec::new(), value.clone()),
    );
    branch.make_mut().base.struct_info = Some(object());
    branch.into()
}

fn function(params: &[Var], body: SeqExpr) -> Function {
    Function::new(DictAttrs::new(Map::<Str, Any>::default()), params.to_vec(), body, object(), true)
}

#[track_caller]
fn prints(value: &impl object_core::AsAnyView, expected: &str) {
    assert_eq!(print(value).text(), expected);
}

#[test]
fn a_branch_as_an_operand_comes_before_the_statement() {
    let (c, x, y) = (var("c"), var("x"), var("y"));
    let nested = branch(&c, &x);
    // The branch is shared, so it has one name.
    let sum = call("relax.add", [nested.clone(), nested]);
    prints(
        &function(&[c, x], seq(vec![bind(&y, sum)], y.clone())),
        "\
# from tvm.script import relax as R

@R.function(private=True)
def main(c: R.Object, x: R.Object) -> R.Object:
    if c:
        v: R.Object = R.exp(x)
    else:
        v: R.Object = x
    y: R.Object = R.add(v, v)
    return y",
    );
}

#[test]
fn a_sequence_and_a_function_as_operands() {
    let (x, y, z) = (var("x"), var("y"), var("z"));
    let sequence = seq(vec![bind(&y, call("relax.exp", [x.clone().into()]))], y.clone());
    let inner = function(&[var("w")], seq(Vec::new(), z.clone()));
    let tuple = Tuple::new([RelaxExpr::from(sequence), inner.into()]);
    prints(
        &function(&[x, z.clone()], seq(Vec::new(), tuple)),
        "\
# from tvm.script import relax as R

@R.function(private=True)
def main(x: R.Object, z: R.Object) -> R.Object:
    y: R.Object = R.exp(x)
    # from tvm.script import relax as R
    
    @R.function
    def f(w: R.Object) -> R.Object:
        return z

    return (y, f)",
    );
}

#[test]
fn objects_of_a_schema_print_by_their_fields_and_as_metadata() {
    let schema = r#"{"format": "object-schema", "version": 1, "types": [
        {"key": "demo.Pair", "kind": "tree", "fields": [{"name": "a", "type": "Any"}, {"name": "b", "type": "Any"}]}]}"#;
    let types = SchemaLoader::new().load(&Schema::parse(schema.as_bytes()).expect("a schema")).expect("types");
    let pair = |a: Any, b: Any| {
        let mut builder = ObjectBuilder::new(types.get("demo.Pair").expect("the type")).expect("a type with objects");
        builder.set("a", a).and_then(|builder| builder.set("b", b)).expect("the fields");
        Any::from(builder.build().expect("an object"))
    };
    let inner = pair(Any::Int(1), Any::Float(0.5));
    prints(&pair(inner.clone(), Any::from(object())), "demo.Pair(a=demo.Pair(a=1, b=0.5), b=R.Object)");
    let attrs = DictAttrs::new(Map::<Str, Any>::new([(Str::from("key"), inner)]));
    prints(
        &attrs,
        "{\"key\": metadata[\"demo.Pair\"][0]}\n# Metadata omitted. Use show_meta=True in script() method to show it.",
    );
}

#[test]
fn values_that_json_cannot_hold_print() {
    let function = object_core::Function::from_packed(|_| Ok(Any::None));
    let attrs = DictAttrs::new(Map::<Str, Any>::new([(Str::from("f"), Any::from(function))]));
    let script = ScriptPrinter::new().show_meta(true).print(&attrs);
    let (first, last) = script.text().split_once('\n').expect("two lines");
    assert!(first.starts_with("# Metadata left out: "), "{first}");
    assert_eq!(last, "{\"f\": metadata[\"ffi.Function\"][0]}");
}

#[test]
fn comments_stand_at_their_statements() {
    let (x, y) = (var("x"), var("y"));
    let body = seq(vec![bind(&y, call("relax.exp", [x.clone().into()]))], y.clone());
    let function = function(&[x], body);
    let attr = |name: &str| AccessStep::Attr(name.into());
    let binding = AccessPath::from_steps([
        attr("body"),
        attr("blocks"),
        AccessStep::ArrayItem(0),
        attr("bindings"),
        AccessStep::ArrayItem(0),
    ]);
    let script = ScriptPrinter::new()
        .annotate(binding.clone(), "no gradient")
        .annotate(AccessPath::root(), "from a test\nof two lines")
        .print(&function);
    let expected = "\
# from tvm.script import relax as R

# from a test
# of two lines
@R.function(private=True)
def main(x: R.Object) -> R.Object:
    y: R.Object = R.exp(x)  # no gradient
    return y";
    assert_eq!(script.text(), expected);
}

#[test]
fn a_graph_that_defines_a_variable_twice_prints() {
    let (x, y) = (var("x"), var("y"));
    let twice = seq(vec![bind(&y, x.clone()), bind(&y, x.clone())], y);
    prints(&twice, "x: R.Object\ny: R.Object = x\ny: R.Object = x\ny");
}

/// A variable that occurs only in larger dimensions of the signature has its declaration in the body.
#[test]
fn a_variable_of_larger_dimensions_reads_back() {
    let source = "\
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis
# from tvm.script import relax as R

@R.function(private=True)
def main(x: R.Tensor((\"m * n\",), dtype=\"float32\")) -> R.Tensor((\"m * n\",), dtype=\"float32\"):
    m = T.int64()
    n = T.int64()
    return x";
    let function = parse(source).unwrap_or_else(|errors| panic!("{errors}"));
    prints(&function, source);
}

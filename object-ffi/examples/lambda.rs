//! A small language as a library for Python: `tests/python.rs` uses it.

#![allow(clippy::needless_pass_by_value, reason = "functions of the registry own their arguments")]
#![allow(unreachable_pub, reason = "`object_methods` registers `pub` functions")]

use object_core::dlpack::DlpackTensor;
use object_core::error::Error;
use object_core::prelude::*;
use object_core::{Function, Tensor, json, register_function};
use object_ffi::{PeerError, TensorView};

/// Any expression.
#[derive(Object)]
#[object(type_key = "lambda.Expr", base)]
struct ExprNode {}

/// A variable.
#[derive(Object)]
#[object(type_key = "lambda.Var", parent = ExprNode)]
#[structural_eq(var)]
struct VarNode {
    base: ExprNode,
    /// The name, which has no meaning.
    #[field(ignore)]
    name: Str,
}

/// A number.
#[derive(Object)]
#[object(type_key = "lambda.Int", parent = ExprNode)]
#[structural_eq(tree)]
struct IntNode {
    base: ExprNode,
    value: i64,
}

/// A sum.
#[derive(Object)]
#[object(type_key = "lambda.Add", parent = ExprNode)]
#[structural_eq(tree)]
struct AddNode {
    base: ExprNode,
    /// The first summand.
    lhs: Expr,
    rhs: Expr,
    /// Whether the sum may wrap around.
    #[field(default = false)]
    wraps: bool,
}

/// A number that counts by its remainder.
#[derive(Object)]
#[object(type_key = "lambda.Remainder")]
#[structural_eq(tree, custom)]
struct RemainderNode {
    value: i64,
}

impl StructuralHook for RemainderNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add_computed("remainder", self.value % 10, FieldRole::Content);
    }
}

#[object_methods]
impl Add {
    /// The sum with exchanged summands.
    pub fn swapped(&self) -> Add {
        Add::new(self.rhs.clone(), self.lhs.clone())
    }
}

/// A function.
#[derive(Object)]
#[object(type_key = "lambda.Lambda", parent = ExprNode)]
#[structural_eq(tree)]
struct LambdaNode {
    base: ExprNode,
    #[field(def)]
    params: Array<Var>,
    body: Expr,
    #[field(default = Map::default())]
    notes: Map<Str, Any>,
}

/// A value of each kind.
#[derive(Object)]
#[object(type_key = "lambda.Values", meta(dialect = "lambda", __s_equal__ = "is not a function"))]
#[structural_eq(tree)]
struct ValuesNode {
    value: Any,
    #[field(default = None)]
    maybe: Option<Expr>,
}

fn equal(a: Any, b: Any) -> bool {
    structural_equal(&a, &b)
}

fn first_mismatch(a: Any, b: Any) -> Result<Option<Str>, Error> {
    Ok(structural_first_mismatch(&a, &b)?.map(|mismatch| Str::new(&mismatch.lhs.to_string())))
}

/// A chain of `depth` sums.
fn chain(depth: i64) -> Expr {
    (0..depth).fold(Int::new(0).into(), |lhs: Expr, _| Add::new(lhs, Int::new(1)).into())
}

/// A changed copy: Python may hold the argument, so it stays as it is.
fn wrapping(sum: Add) -> Add {
    let mut sum = sum;
    sum.make_mut().wraps = true;
    sum
}

fn compose(f: Function, g: Function) -> Function {
    Function::from_packed(move |args| f.call(&[g.call(args)?.view()]))
}

/// Functions around functions, `depth` of them.
fn nest(f: Function, depth: i64) -> Function {
    (0..depth).fold(f, |f, _| Function::from_packed(move |args| f.call(args)))
}

fn fail(kind: Str) -> Result<(), Error> {
    match kind.as_str() {
        "panic" => panic!("it panicked"),
        "key" => Err(Error::new(ErrorKind::Custom("KeyError"), "no such key")),
        _ => Err(Error::new(ErrorKind::OutOfRange, "it is out of range")),
    }
}

fn hash(value: Any) -> i64 {
    structural_hash(&value).cast_signed()
}

fn repr(value: Any) -> Str {
    Str::new(&value.to_string())
}

fn echo(value: Any) -> Any {
    value
}

fn callhello(f: Function) -> Result<Any, Error> {
    f.call(&[Any::from(Str::new("hello world")).view()])
}

fn myadd(x: i64, y: i64) -> i64 {
    x + y
}

/// Calls a function on another thread, and releases it there.
fn elsewhere(f: Function, value: Any) -> Result<Any, Error> {
    let thread = std::thread::spawn(move || f.call(&[value.view()]));
    thread.join().expect("a call catches panics")
}

/// The class and the message of the error of a call.
fn error_of(f: Function) -> Option<Str> {
    let error = f.call(&[]).err()?;
    let peer = std::error::Error::source(&error)?.downcast_ref::<PeerError>()?;
    Some(Str::new(&format!("{:?} {}: {}", error.kind(), peer.class(), peer.message())))
}

fn same(a: ObjectRef, b: ObjectRef) -> bool {
    a.ptr_eq(&b)
}

fn double(tensor: Tensor) -> Result<Tensor, Error> {
    let bytes: Vec<u8> = tensor.data.chunks_exact(4).flat_map(double_float).collect();
    Tensor::new(tensor.dtype, tensor.shape.clone(), bytes)
}

fn double_float(bytes: &[u8]) -> [u8; 4] {
    let value = f32::from_ne_bytes(bytes.try_into().expect("the chunks have four bytes"));
    (2.0 * value).to_ne_bytes()
}

/// The address, the extents, the strides, the type and the device of a tensor.
fn view_parts(view: TensorView) -> Array<Any> {
    let numbers = |numbers: &[i64]| Any::from(numbers.iter().copied().collect::<Array<i64>>());
    let strides = view.strides().map_or(Any::None, numbers);
    let address = i64::try_from(view.data().addr()).expect("addresses of programs are positive");
    Array::from_anys(vec![
        address.into(),
        numbers(view.shape()),
        strides,
        view.dtype().into(),
        view.device().into(),
        view.is_read_only().into(),
    ])
}

fn echo_view(view: TensorView) -> TensorView {
    view
}

/// The views in an array, in the opposite order.
fn reversed_views(views: Array<TensorView>) -> Array<TensorView> {
    views.iter().rev().collect()
}

/// A function that owns the view: it returns a copy of the elements.
fn keep_view(view: TensorView) -> Function {
    Function::new(move || view.to_tensor())
}

/// Adds 1 to each element of a vector of numbers of 32 bits.
fn increment(view: TensorView) -> Result<(), Error> {
    let (&[len], Some(&[stride])) = (view.shape(), view.strides()) else {
        return Err(Error::new(ErrorKind::OutOfRange, "expected a vector"));
    };
    for at in 0..len {
        // SAFETY: the index is inside of the shape, and Python waits for this function, so nobody else uses the memory.
        unsafe {
            let place = view.data().cast::<f32>().offset((at * stride) as isize);
            place.write(place.read() + 1.0);
        }
    }
    Ok(())
}

/// Releases a view on another thread.
fn drop_elsewhere(view: TensorView) {
    std::thread::spawn(move || drop(view)).join().expect("a release does not panic");
}

/// A view that Rust has made, of a tensor that nobody else has.
fn own_view(tensor: Tensor) -> Result<TensorView, Error> {
    Ok(TensorView::of(DlpackTensor::copy_of(&tensor)?))
}

/// Whether two views have the same memory, with the elements of a copy.
fn views_agree(copy: Tensor, view: TensorView, again: TensorView) -> Result<bool, Error> {
    Ok(copy.data == view.to_tensor()?.data && view.data() == again.data())
}

fn attribute(key: Str, name: Str) -> Result<Any, Error> {
    Ok(object_ffi::type_attribute(&key, &name)?.unwrap_or_default())
}

fn to_json(value: Any) -> Result<Str, Error> {
    Ok(Str::new(&json::to_string(&value)?))
}

fn from_json(text: Str) -> Result<Any, Error> {
    json::from_slice(text.as_bytes())
}

fn live() -> i64 {
    object_ffi::live_objects().try_into().expect("fewer objects than an i64 counts")
}

register_function!("lambda.equal"(a, b) = equal);
register_function!("lambda.first_mismatch"(a, b) = first_mismatch);
register_function!("lambda.hash"(value) = hash);
register_function!("lambda.repr"(value) = repr);
register_function!("lambda.echo"(value) = echo);
register_function!("lambda.chain"(depth) = chain);
register_function!("lambda.wrapping"(sum) = wrapping);
register_function!(
    /// Calls a function with `hello world`.
    "lambda.callhello"(f) = callhello
);
register_function!("lambda.myadd"(x, y) = myadd);
register_function!("lambda.compose"(f, g) = compose);
register_function!("lambda.nest"(f, depth) = nest);
register_function!("lambda.fail"(kind) = fail);
register_function!("lambda.elsewhere"(f, value) = elsewhere);
register_function!("lambda.error_of"(f) = error_of);
register_function!("lambda.same"(a, b) = same);
register_function!("lambda.double"(tensor) = double);
register_function!("lambda.view_parts"(view) = view_parts);
register_function!("lambda.echo_view"(view) = echo_view);
register_function!("lambda.reversed_views"(views) = reversed_views);
register_function!("lambda.keep_view"(view) = keep_view);
register_function!("lambda.increment"(view) = increment);
register_function!("lambda.drop_elsewhere"(view) = drop_elsewhere);
register_function!("lambda.own_view"(tensor) = own_view);
register_function!("lambda.views_agree"(copy, view, again) = views_agree);
register_function!("lambda.attribute"(key, name) = attribute);
register_function!("lambda.to_json"(value) = to_json);
register_function!("lambda.from_json"(text) = from_json);
register_function!("lambda.live"() = live);

object_ffi::export!();

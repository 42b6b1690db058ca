//! [`reduce`]: smaller programs with the same property.
//!
//! The steps, each over all functions of Relax, until none of them finds a smaller program:
//!
//! | step | parts that go |
//! |---|---|
//! | `functions` | functions, with the bindings that mention them |
//! | `bindings` | bindings; a variable that others still use becomes a parameter (`cut.rs`) |
//! | `outputs` | members of a tuple that is the result |
//! | `parameters` | parameters that nothing uses |
//! | `attributes` | attributes of functions, except the name by which others call them |
//! | `sizes` | static sizes of more than 2, which become 2 everywhere |
//!
//! All of them propose lists of parts to [`Reducer::remove_parts`], which needs few tests. At last, [`Reducer::reduce`]
//! removes what reflection finds, such as the statements of loop programs; [`is_whole`] says where it removes nothing.

mod cut;
mod function_parts;
mod module_parts;
mod sizes;

use object_core::reduce::Reducer;
use object_core::{Object, ObjectView, Result};
use object_ir::ir::{AttrsNode, ConstantNode, ShapeExprNode, StructInfoNode};

/// A step: whether the value is smaller after it.
type Step = fn(&mut Reducer<'_>) -> Result<bool>;

const STEPS: [Step; 6] = [
    module_parts::functions,
    function_parts::bindings,
    function_parts::outputs,
    function_parts::parameters,
    function_parts::attributes,
    sizes::sizes,
];

/// Reduces the value of a reducer, a module or a function, by the meaning of Relax, and then by reflection. A value of
/// another type is reduced by reflection alone. The candidates are not always well-formed, so the reducer should have the
/// checker as its predicate, and [`is_whole`] as the objects that stay whole.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::reduce::Reducer;
/// use object_relax::{reduce::{is_whole, reduce}, well_formed::Checker};
/// use object_script::{parse::parse, print::print};
///
/// let script = r#"
/// @R.function
/// def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
///     with R.dataflow():
///         a = R.exp(x)
///         b = R.tanh(a)
///         c = R.nn.relu(b)
///         R.output(c)
///     return c
/// "#;
/// let crashes = |program: &Any| Ok(print(program).to_string().contains("tanh"));
/// let mut reducer = Reducer::new(parse(script)?, crashes).valid(|it| Checker::new().check(it).is_well_formed()).whole(is_whole);
/// reduce(&mut reducer)?;
/// let smallest = print(reducer.value()).to_string();
/// assert!(!smallest.contains("exp") && !smallest.contains("relu"), "{smallest}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The errors of the test. The value of the reducer is then the smallest program so far.
pub fn reduce(reducer: &mut Reducer<'_>) -> Result<()> {
    loop {
        while any(reducer)? {}
        if !reducer.reduce()? {
            return Ok(());
        }
    }
}

/// Whether reflection removes nothing of an object of Relax: structural information, shapes, and attributes, whose fields
/// depend on each other without a rule of the checker that says so.
#[must_use]
pub fn is_whole(object: ObjectView<'_>) -> bool {
    let whole = [StructInfoNode::TYPE_INFO, ShapeExprNode::TYPE_INFO, ConstantNode::TYPE_INFO, AttrsNode::TYPE_INFO];
    whole.iter().any(|info| object.is_instance(info))
}

/// Runs each step once.
fn any(reducer: &mut Reducer<'_>) -> Result<bool> {
    STEPS.iter().try_fold(false, |is_smaller, step| Ok(step(reducer)? | is_smaller))
}

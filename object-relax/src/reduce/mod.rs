//! [`reduce`]: smaller programs with the same property.
//!
//! The normal form comes first, if the property holds for it, because only there each value has a binding. The steps, each over all functions of Relax, until none of them finds a smaller program:
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
use object_core::{Any, Object, ObjectView, Result};
use object_ir::ir::{AttrsNode, ConstantNode, ShapeExprNode, StructInfoNode};

use crate::root::Root;
use crate::well_formed::{Checker, Severity};

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
/// predicate of [`violates_no_more`], and keep the objects of [`is_whole`] whole.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::reduce::Reducer;
/// use object_relax::{reduce::{is_whole, reduce, violates_no_more}, well_formed::Checker};
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
/// let program = parse(script)?;
/// let is_valid = violates_no_more(&program, Checker::new());
/// let mut reducer = Reducer::new(program, crashes).valid(is_valid).whole(is_whole);
/// reduce(&mut reducer)?;
/// let smallest = print(reducer.value()).to_string();
/// assert!(!smallest.contains("exp") && !smallest.contains("relu"), "{smallest}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The errors of the test. The value of the reducer is then the smallest program so far.
pub fn reduce(reducer: &mut Reducer<'_>) -> Result<()> {
    let root = reducer.value().clone();
    reducer.remove_parts(1, |_| Root::of(&root).and_then(|it| it.normalized()).ok())?;
    loop {
        while any(reducer)? {}
        if !reducer.reduce()? {
            return Ok(());
        }
    }
}

/// The predicate of candidates that violate no rule that the original does not violate: the well-formed ones, if the original
/// is well-formed.
pub fn violates_no_more(original: &Any, checker: Checker) -> impl Fn(&Any) -> bool + use<> {
    let allowed = violated(&checker, original);
    move |candidate| match (&allowed, violated(&checker, candidate)) {
        (Some(allowed), Some(found)) => found.iter().all(|rule| allowed.contains(rule)),
        (allowed, _) => allowed.is_none(),
    }
}

/// The names of the rules that give errors; `None` if the check is not complete.
fn violated(checker: &Checker, program: &Any) -> Option<Vec<&'static str>> {
    let report = checker.check(program);
    let errors = report.counts.iter().filter(|count| count.severity == Severity::Error);
    report.is_complete.then(|| errors.map(|count| count.rule.name).collect())
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

//! [`Findings`]: the violations that the verifier of a type reports about one object.

use crate::access_path::AccessPath;

/// The violations that a verifier, the function of `#[object(verify = path)]`, reports about one object.
///
/// ```
/// use object_core::access_path::AccessPath;
/// use object_core::prelude::*;
/// use object_core::verify::{Findings, verify};
///
/// #[derive(Object)]
/// #[object(type_key = "doc.findings.Loop", verify = ends_after_start)]
/// #[structural_eq(tree)]
/// struct LoopNode {
///     start: i64,
///     end: i64,
/// }
///
/// fn ends_after_start(node: &LoopNode, findings: &mut Findings) {
///     if node.end < node.start {
///         let message = format!("expected an end of at least {}, got {}", node.start, node.end);
///         findings.add("loop_end", AccessPath::root().field("end"), message);
///     }
/// }
///
/// let found = verify(&Array::from([Loop::new(0, 3), Loop::new(3, 0)]))?;
/// let found: Vec<String> = found.iter().map(|it| format!("{}: {}", it.rule(), it.path())).collect();
/// assert_eq!(found, ["loop_end: <root>[1].end"]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Default)]
pub struct Findings {
    pub(crate) all: Vec<Finding>,
}

/// A violation in one object.
pub(crate) struct Finding {
    /// The name of the broken rule.
    pub(crate) rule: &'static str,
    /// The place, from the object.
    pub(crate) path: AccessPath,
    pub(crate) message: String,
}

impl Findings {
    /// Adds a violation: the name of the rule, the place from the object, and a message that says what was expected and what was
    /// given.
    pub fn add(&mut self, rule: &'static str, path: AccessPath, message: impl Into<String>) {
        self.all.push(Finding { rule, path, message: message.into() });
    }
}

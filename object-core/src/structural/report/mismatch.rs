//! [`Mismatch`]: a place at which two values differ, and the reason.

use std::fmt;

use crate::access_path::AccessPath;
use crate::object::{Any, ObjectRef, SEqHashKind, Variant};
use crate::registry::AsTrait;
use crate::text::brief::brief_to;

/// The number of characters of a value that a mismatch prints. The value itself is in the mismatch.
const SHOWN_VALUE: usize = 300;

/// A place at which two values differ, seen from both sides.
///
/// It prints as one line, with the reason in words. Long values print without their middle. An object prints by the `Display`
/// that `register_impl!(Expr as dyn std::fmt::Display)` registers for its type or an ancestor, and otherwise as its repr.
/// [`underlined`](Self::underlined) shows the place in the texts of a printer.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The place on the left.
    pub lhs: AccessPath,
    /// The place on the right.
    pub rhs: AccessPath,
    /// The value at `lhs`; `None` if the left side has no value there.
    pub lhs_value: Option<Any>,
    /// The value at `rhs`; `None` if the right side has no value there.
    pub rhs_value: Option<Any>,
    /// The variants that the values are, if the field at this place holds an enum without data.
    pub variants: [Option<Variant>; 2],
    /// The reason of the difference.
    pub reason: MismatchReason,
}

/// Why two values differ.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum MismatchReason {
    /// They have different types.
    Type,
    /// They are different values of one type: plain values, texts, tensors, singletons.
    Value,
    /// One array does not have the element.
    MissingElement,
    /// One map does not have the key.
    MissingKey,
    /// They are variables or `dag` nodes that do not correspond: at least one of them is bound to another object. If
    /// neither is bound, each equals only itself. Either both are free, or a diff found no counterparts in the field
    /// that binds them.
    Binding {
        /// The binding of the left object.
        lhs: Option<Box<EarlierBinding>>,
        /// The binding of the right object.
        rhs: Option<Box<EarlierBinding>>,
    },
    /// Their type takes no part in structural comparison.
    NotComparable,
}

/// A binding with which two other values are in conflict. No path leads into a key of a map, so for a binding that was
/// made in a key, the paths lead to the entry.
#[derive(Clone, Debug)]
pub struct EarlierBinding {
    /// The object of the other side.
    pub counterpart: ObjectRef,
    /// Where the binding was made, on the left.
    pub lhs: AccessPath,
    /// Where the binding was made, on the right.
    pub rhs: AccessPath,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [lhs, rhs] = self.variants;
        let (a, b) = (shown(self.lhs_value.as_ref(), lhs), shown(self.rhs_value.as_ref(), rhs));
        match (a, b) {
            (Some(a), Some(b)) => write!(f, "{} is {a}, but {} is {b}: {}", self.lhs, self.rhs, self.reason),
            (Some(a), None) => write!(f, "{} is {a}, on the left only", self.lhs),
            (None, Some(b)) => write!(f, "{} is {b}, on the right only", self.rhs),
            (None, None) => write!(f, "{} and {}: {}", self.lhs, self.rhs, self.reason),
        }
    }
}

/// The text of a value, without its middle if it is long.
pub(super) fn shown(value: Option<&Any>, variant: Option<Variant>) -> Option<String> {
    let text = variant.map(|it| it.to_string()).or_else(|| value.map(text));
    text.map(|text| brief_to(&text, SHOWN_VALUE).to_string())
}

/// The text of a value: by the registered `Display` of its type if there is one.
fn text(value: &Any) -> String {
    let object = value.view().as_object().map(|object| object.to_object());
    let display = object.as_ref().and_then(|object| object.as_trait::<dyn fmt::Display>().map(ToString::to_string));
    display.unwrap_or_else(|| value.to_string())
}

impl fmt::Display for MismatchReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MismatchReason::Type => f.write_str("the types differ"),
            MismatchReason::Value => f.write_str("the values differ"),
            MismatchReason::MissingElement => f.write_str("one array does not have the element"),
            MismatchReason::MissingKey => f.write_str("one map does not have the key"),
            MismatchReason::NotComparable => f.write_str("the type takes no part in structural comparison"),
            MismatchReason::Binding { lhs: None, rhs: None } => f.write_str(
                "neither variable has a counterpart (free, or bindings that differ), and each equals only itself",
            ),
            MismatchReason::Binding { lhs, rhs } => {
                let counterpart = lhs.as_ref().or(rhs.as_ref()).map(|earlier| &earlier.counterpart);
                let is_dag = counterpart.is_some_and(|it| it.type_info().kind() == SEqHashKind::DagNode);
                let side = |f: &mut fmt::Formatter<'_>, [side, other]: [&str; 2], earlier: Option<Places<'_>>| {
                    let Some((counterpart, place, other_place)) = earlier else {
                        let reason = if is_dag { "is at no earlier place" } else { FREE };
                        return write!(f, "the {side} one {reason}");
                    };
                    let verb = if is_dag { "is the object at" } else { "is bound at" };
                    write!(f, "the {side} one {verb} {place}, where the {other} side has {counterpart}")?;
                    if place == other_place { Ok(()) } else { write!(f, " at {other_place}") }
                };
                side(f, ["left", "right"], lhs.as_deref().map(|it| (&it.counterpart, &it.lhs, &it.rhs)))?;
                f.write_str("; ")?;
                side(f, ["right", "left"], rhs.as_deref().map(|it| (&it.counterpart, &it.rhs, &it.lhs)))
            }
        }
    }
}

/// A diff also goes on after a binding without a counterpart, whose variable is then not free.
const FREE: &str = "is free, or its binding has no counterpart";

/// The object of the other side, and the places of a binding on the own side and on the other one.
type Places<'a> = (&'a ObjectRef, &'a AccessPath, &'a AccessPath);

impl fmt::Display for EarlierBinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EarlierBinding { counterpart, lhs, rhs } = self;
        if lhs == rhs { write!(f, "{counterpart} at {lhs}") } else { write!(f, "{counterpart} at {lhs} and {rhs}") }
    }
}

#[cfg(test)]
mod tests {
    use crate::container::Array;
    use crate::structural::structural_first_mismatch;

    #[test]
    fn long_values_print_without_their_middle() {
        let (a, b) = (Array::from([Array::from_iter(0..1000)]), Array::from([Array::from_iter(0..1)]));
        let mismatch = structural_first_mismatch(&a, &b).expect("comparable").expect("they differ");
        assert_eq!(mismatch.to_string(), "<root>[0][1] is 1, on the left only");
        let mixed = Array::<crate::Any>::from([1.into()]);
        let mismatch = structural_first_mismatch(&a, &mixed).expect("comparable").expect("they differ");
        let text = mismatch.to_string();
        assert!(text.starts_with("<root>[0] is [0, 1, 2") && text.ends_with("is 1: the types differ"), "{text}");
        assert!(text.len() < 400, "{text}");
    }
}

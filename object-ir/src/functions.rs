//! The operations on graphs as functions by name.

#![allow(clippy::needless_pass_by_value, reason = "functions of the registry own their arguments")]

use std::collections::BTreeSet;

use object_core::prelude::*;
use object_core::register_function;
use object_core::stats::GraphStats;
use object_core::verify::Verifier;
use object_core::visit::walk;

use crate::ir::Op;
use crate::results::{DeclarationViolation, Difference, Limits, Statistics, TypeCount};
use crate::tvm::{GraphReader, TvmVersion};

register_function!(
    /// The graph in a text in TVM's JSON graph format, of any version, with the types of TVM 0.25.
    "objir.from_json"(text, limits) = from_json
);
register_function!(
    /// The graph as text in TVM's JSON graph format, with the types of TVM 0.25.
    "objir.to_json"(root) = to_json
);
register_function!(
    /// The structural hash in hexadecimal digits, as `objir hash` prints it.
    "objir.hash"(root) = hash
);
register_function!(
    /// Whether two graphs are structurally equal.
    "objir.equal"(a, b) = equal
);
register_function!(
    /// The differences of two graphs, at most `limit` of them; without a limit, at most 20.
    "objir.diff"(a, b, limit, limits) = diff
);
register_function!(
    /// The size of a graph, how much of it is shared, and its types.
    "objir.stats"(root) = stats
);
register_function!(
    /// The violations of the checks in declarations, of the words of fields and of verifiers, in the objects of a graph.
    "objir.verify"(root, limits) = verify
);
register_function!(
    /// The names of the operators in a graph, each once, in the order of the alphabet.
    "objir.operators"(root) = operators
);

fn from_json(text: Str, limits: Option<Limits>) -> Result<Any, Error> {
    let limits = limits.unwrap_or_default();
    let read = GraphReader::new().limits(limits.to_limits()?).meter(&limits.meter()?).read(text.as_bytes())?;
    Ok(read.into_rust_types()?.root)
}

fn to_json(root: Any) -> Result<Str, Error> {
    TvmVersion::V0_25.to_json(&root).map(Str::from)
}

fn hash(root: Any) -> Result<Str, Error> {
    Ok(format!("{:016x}", StructuralOptions::new().hash(&root)?).into())
}

fn equal(a: Any, b: Any) -> Result<bool, Error> {
    StructuralOptions::new().equal(&a, &b)
}

fn diff(a: Any, b: Any, limit: Option<u32>, limits: Option<Limits>) -> Result<Array<Difference>, Error> {
    let (limit, limits) = (limit.unwrap_or(20) as usize, limits.unwrap_or_default().to_limits()?);
    Ok(StructuralOptions::new().diff_within(&limits, &a, &b, limit)?.iter().map(Difference::of).collect())
}

fn stats(root: Any) -> Statistics {
    let GraphStats { nodes, edges, shared, depth, tree_nodes, types, .. } = GraphStats::of(&root);
    let types = types.iter().map(|it| TypeCount::new(it.type_key, it.nodes as i64, it.references as i64));
    let tree_nodes = i64::try_from(tree_nodes).unwrap_or(i64::MAX);
    Statistics::new(nodes as i64, edges as i64, shared as i64, depth as i64, tree_nodes, types)
}

fn verify(root: Any, limits: Option<Limits>) -> Result<Array<DeclarationViolation>, Error> {
    let limits = limits.unwrap_or_default().to_limits()?;
    Ok(Verifier::new().limits(limits).verify(&root)?.iter().map(DeclarationViolation::of).collect())
}

fn operators(root: Any) -> Array<Str> {
    let mut names = BTreeSet::new();
    walk(&root, |op: &Op, _| {
        names.insert(op.name.to_string());
    });
    names.into_iter().map(Str::from).collect()
}

#[cfg(test)]
mod tests {
    use object_core::function;
    use object_core::prelude::*;

    use crate::results::{DeclarationViolation, Limits};

    #[derive(Object)]
    #[object(type_key = "objir.tests.Bits")]
    #[structural_eq(tree)]
    struct BitsNode {
        #[field(range = 1..=64)]
        count: i64,
    }

    #[test]
    fn violations_of_declarations_have_their_places() -> Result<(), Error> {
        let verify = function::get("objir.verify")?;
        let found = |bits: &Array<Bits>, limits: Option<Limits>| -> Result<Array<DeclarationViolation>, Error> {
            verify.call(&[Any::from(bits).view(), Any::from(limits).view()])?.cast()
        };
        let mut bits: Array<Bits> = [Bits::new(1), Bits::new(64)].into();
        assert!(found(&bits, None)?.is_empty());
        bits[1].make_mut().count = 65;
        let all = found(&bits, None)?;
        let expected = ("objir.tests.Bits", "range", "<root>[1].count", "expected a number in 1..=64, got 65");
        assert_eq!(all.len(), 1);
        let it = &all[0];
        assert_eq!((it.type_key.as_str(), it.rule.as_str(), it.path.as_str(), it.message.as_str()), expected);
        let limits = Limits::new();
        let error = found(&bits, Some(limits.with_changes(|limits| limits.max_steps = 1))).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::LimitExceeded);
        Ok(())
    }
}

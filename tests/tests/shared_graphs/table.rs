//! The table of steps per node: every operation on every family.

use std::collections::BTreeMap;
use std::fmt::Write;

use object_core::steps;

use crate::common::at_root;
use crate::families::{Family, families};
use crate::measure::{Cost, cost};
use crate::operations::{OPERATIONS, Operation};

/// Operations on a family whose steps per node grow with the graph.
struct Known {
    family: &'static str,
    operations: &'static [&'static str],
    /// The number of bindings, or of other units of work, in the graph of a size. The steps per node and unit must not grow.
    /// `None` if no number that a computation can reach bounds the work; then [`LIMITED`] applies.
    units: Option<fn(usize) -> u64>,
}

/// The exceptions. The test fails if one of them no longer grows.
///
/// Lexical scopes: each scope binds every variable and `dag` node of its definition region anew. If many scopes share one
/// region, the number of bindings is the product of the two, and the steps are linear in the bindings. A remembered result
/// repeats the bindings of its object as a whole only if they hide no others, because the scope then ends them all by
/// restoring one map. In a definition region, each binding hides the binding of the same variable outside, and the
/// question whether the innermost scope has bound a variable has an answer for each variable.
///
/// Substitutions: the result has another object for each set of variables that is bound around an object. Each of these
/// objects uses other variables, so no smaller result exists.
const KNOWN: &[Known] = &[
    Known {
        family: "dag nodes in definition regions",
        operations: LEXICAL,
        units: Some(|levels| (levels * levels) as u64),
    },
    Known {
        family: "dag nodes in definition regions",
        operations: &["diff, lexical", "edits, lexical"],
        units: Some(|levels| (levels * levels) as u64),
    },
    Known {
        family: "scopes that share their parameters",
        operations: LEXICAL,
        units: Some(|scopes| (scopes * scopes) as u64),
    },
    Known {
        family: "scopes that share their parameters",
        operations: &["edits, lexical"],
        units: Some(|scopes| (scopes * scopes) as u64),
    },
    Known { family: "scopes of many variables, all used below", operations: SUBSTITUTIONS, units: None },
    Known { family: "variables under scopes", operations: SUBSTITUTIONS, units: None },
];

const SUBSTITUTIONS: &[&str] = &["substitute, scoped", "substitute, scoped, captured", "alpha rename, scoped"];

/// For each of [`SUBSTITUTIONS`], the operation with a limit that is proportional to the graph. Its steps per node must not
/// grow on any family.
const LIMITED: &[&str] =
    &["substitute, scoped, limited", "substitute, scoped, captured, limited", "alpha rename, scoped, limited"];

const LEXICAL: &[&str] = &[
    "equal, lexical",
    "equal, lexical, mapped",
    "hash, lexical",
    "hash, lexical, 128 bits",
    "hash, lexical, cached",
    "interner, lexical",
];

/// The recorded bounds.
const FILE: &str = "tests/data/steps.txt";

/// The number of columns of one part of the table.
const COLUMNS: usize = 13;

/// The recorded bound for a measured number: a quarter more, rounded up to a power of two or three halves of one.
fn bound(per_node: f64) -> u64 {
    let wanted = per_node * 1.25;
    let powers = (0..).map(|power| 1_u64 << power);
    let mut bounds = powers.flat_map(|power| [power, power + power / 2]);
    bounds.find(|bound| *bound as f64 >= wanted).unwrap_or(u64::MAX)
}

/// The costs of all operations on a family.
fn row(family: &Family) -> Vec<Cost> {
    let cases = family.cases();
    OPERATIONS.iter().map(|operation| cost(operation, &cases)).collect()
}

fn known(operation: &Operation, family: &Family) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.family == family.name && known.operations.contains(&operation.name))
}

/// The steps per node and unit of work of an exception.
fn cost_of_units(operation: &Operation, family: &Family, units: fn(usize) -> u64) -> Cost {
    let mut cases = family.cases();
    for ((_, size), levels) in cases.iter_mut().zip(family.sizes) {
        *size += units(levels);
    }
    cost(operation, &cases)
}

/// Whether the cost of an operation on a family is known to grow with the graph.
pub(crate) fn is_known(operation: &Operation, family: &Family) -> bool {
    known(operation, family).is_some()
}

/// The recorded bounds, by operation and family.
type Bounds = BTreeMap<(String, String), u64>;

/// The text of the table.
fn write(rows: &[(&Family, Vec<Option<u64>>)]) -> String {
    let mut text = String::from(
        "# Steps per node and reference of every operation on families of shared graphs: upper bounds.\n\
         # `!` is a cost that grows with the graph. `BLESS=1 cargo test -p object-tests --test shared_graphs` renews them.\n",
    );
    for (part, operations) in OPERATIONS.chunks(COLUMNS).enumerate() {
        text.push('\n');
        for (column, operation) in operations.iter().enumerate() {
            writeln!(text, "{:>50}{}", "", format_args!("{}{}", " |  ".repeat(column), operation.name)).expect("text");
        }
        for (family, bounds) in rows {
            write!(text, "{:50}", family.name).expect("text");
            for bound in bounds.iter().skip(part * COLUMNS).take(operations.len()) {
                let cell = bound.map_or("!".to_owned(), |bound| bound.to_string());
                write!(text, "{cell:<4}").expect("text");
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
    }
    text
}

/// Reads the table back.
fn read(text: &str) -> Bounds {
    let mut bounds = Bounds::new();
    let mut operations: Vec<&str> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let Some((name, cells)) = line.split_at_checked(50) else {
            operations.clear();
            continue;
        };
        if name.trim().is_empty() {
            operations.push(cells.trim_start_matches([' ', '|']));
            continue;
        }
        for (operation, cell) in operations.iter().zip(cells.split_whitespace()) {
            let bound = cell.parse().unwrap_or(u64::MAX);
            bounds.insert(((*operation).to_owned(), name.trim().to_owned()), bound);
        }
    }
    bounds
}

#[test]
fn steps_per_node_are_bounded() {
    if !steps::COUNTS {
        println!("skipped: a build without debug assertions counts no steps");
        return;
    }
    let only = std::env::var("SHARED_GRAPHS_FAMILY").ok();
    let blesses = std::env::var_os("BLESS").is_some() && only.is_none();
    let recorded = read(&std::fs::read_to_string(at_root(FILE)).unwrap_or_default());
    let (mut rows, mut faults) = (Vec::new(), Vec::new());
    for family in families().filter(|family| only.as_ref().is_none_or(|only| only == family.name)) {
        let mut bounds = Vec::new();
        for (operation, cost) in OPERATIONS.iter().zip(row(family)) {
            let cell = format!("`{}` on `{}`", operation.name, family.name);
            let key = (operation.name.to_owned(), family.name.to_owned());
            bounds.push(match (cost, is_known(operation, family), recorded.get(&key)) {
                (Cost::Superlinear, true, _) => None,
                (Cost::Superlinear, false, _) => {
                    faults.push(format!("{cell}: the steps per node grow with the graph"));
                    None
                }
                (Cost::PerNode(steps), true, _) => {
                    faults.push(format!("{cell}: the cost is linear now, {steps:.1} steps; remove it from `KNOWN`"));
                    Some(bound(steps))
                }
                // A bound that is far too high hides a regression as well.
                (Cost::PerNode(steps), false, Some(recorded)) if !blesses => {
                    if steps > *recorded as f64 || steps * 4.0 < *recorded as f64 && *recorded > 4 {
                        faults.push(format!("{cell}: {steps:.1} steps per node, recorded as at most {recorded}"));
                    }
                    Some(*recorded)
                }
                (Cost::PerNode(steps), false, None) if !blesses => {
                    faults.push(format!("{cell}: no bound is recorded for {steps:.1} steps per node"));
                    None
                }
                (Cost::PerNode(steps), false, _) => Some(bound(steps)),
            });
        }
        rows.push((family, bounds));
    }
    let text = write(&rows);
    println!("{text}");
    if blesses {
        std::fs::write(at_root(FILE), text).expect("the table is written");
    }
    let exists = |name: &&str| OPERATIONS.iter().any(|operation| operation.name == *name);
    let is_unknown = |known: &&Known| {
        !known.operations.iter().chain(LIMITED).all(exists) || !families().any(|family| family.name == known.family)
    };
    let unknown = KNOWN.iter().filter(is_unknown);
    faults.extend(unknown.map(|known| format!("`KNOWN` of `{}` names something that does not exist", known.family)));
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn steps_per_binding_are_bounded() {
    if !steps::COUNTS {
        println!("skipped: a build without debug assertions counts no steps");
        return;
    }
    for family in families() {
        for operation in OPERATIONS {
            let Some(units) = known(operation, family).and_then(|known| known.units) else { continue };
            let cost = cost_of_units(operation, family, units);
            assert_ne!(cost, Cost::Superlinear, "`{}` on `{}`", operation.name, family.name);
        }
    }
}

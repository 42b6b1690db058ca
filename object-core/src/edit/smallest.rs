//! [`smallest`]: the script that replaces one value, as deep as possible, for values of which no search finds a right script.

use std::sync::Arc;

use crate::access_path::AccessStep;
use crate::object::{AnyView, Body, ObjectView};
use crate::repr::path_key;

use super::difference::whole;
use super::place_search::is_unit;
use super::place_step::{PlaceStep, child};
use super::place_tree::{PlaceTree, ROOT};
use super::script::{Change, ChangeRole, EditScript, EditValue, Slot};

/// One step on the way to a difference: the object and the number of its child on each side.
type PairStep<'a> = [(ObjectView<'a>, usize); 2];

/// The script that replaces the innermost value on the way to a difference for which `is_right` holds. If there is none, it
/// replaces the roots. A value around a right one is right, too, so few scripts are tried.
pub(super) fn smallest(
    roots: [AnyView<'_>; 2],
    way: &[AccessStep],
    is_right: impl Fn(&EditScript) -> bool,
) -> EditScript {
    let steps = steps(roots, way);
    let (mut right, mut least_wrong) = (0, steps.len() + 1);
    let mut found = whole(roots);
    while right + 1 < least_wrong {
        let depth = right.midpoint(least_wrong);
        match replacing(&steps[..depth]).filter(&is_right) {
            Some(script) => (right, found) = (depth, script),
            None => least_wrong = depth,
        }
    }
    found
}

/// The objects on the way, as far as both sides have it.
fn steps<'a>(roots: [AnyView<'a>; 2], way: &[AccessStep]) -> Vec<PairStep<'a>> {
    let mut values = roots;
    let mut steps = Vec::new();
    for step in way {
        let next = values.map(|value| {
            let object = value.as_object()?;
            let number = number(object, step)?;
            Some(((object, number), child(object, number)?))
        });
        let [Some((lhs, a)), Some((rhs, b))] = next else { break };
        steps.push([lhs, rhs]);
        values = [a, b];
    }
    steps
}

/// The number of the child to which a step leads.
fn number(object: ObjectView<'_>, step: &AccessStep) -> Option<usize> {
    match (object.type_info().body, step) {
        (Body::Array, AccessStep::ArrayItem(index)) => Some(*index),
        (Body::Map, AccessStep::MapItem(label)) => {
            let label = label.to_string();
            let entry = object.as_map()?.iter().position(|(key, _)| path_key(key).to_string() == label)?;
            Some(2 * entry + 1)
        }
        (Body::Node, AccessStep::Attr(name)) => {
            object.type_info().fields().iter().position(|field| field.name() == name)
        }
        _ => None,
    }
}

/// The script that replaces the value after the last step.
fn replacing(steps: &[PairStep<'_>]) -> Option<EditScript> {
    let (last, before) = steps.split_last()?;
    let place = |side: usize| {
        let mut tree = PlaceTree::default();
        let node = before.iter().try_fold(ROOT, |above, step| {
            let (object, number) = step[side];
            Some(tree.add(above, PlaceStep::to_child(object, number)?, is_unit(object, number)))
        })?;
        tree.objects.push(node);
        Some(Arc::new(tree))
    };
    let slots = [Slot::Child(slot(last[0])?), Slot::Child(slot(last[1])?)];
    let values = last.map(|(object, number)| child(object, number).map(|value| EditValue::Whole(value.to_any())));
    let role = if is_unit(last[0].0, last[0].1) { ChangeRole::Unit } else { ChangeRole::Part };
    let change = Change { owners: [0, 0], slots, values, role };
    Some(EditScript { places: [place(0)?, place(1)?], changes: vec![change], search_ended: false })
}

fn slot((object, number): (ObjectView<'_>, usize)) -> Option<PlaceStep> {
    PlaceStep::to_child(object, number)
}

#[cfg(test)]
mod tests {
    use super::smallest;
    use crate::structural::structural_equal;
    use crate::{Array, AsAnyView, Map, Str};

    fn value(numbers: [i64; 2]) -> Map<Str, Array<Array<i64>>> {
        Map::from([(Str::from("f"), Array::from([Array::from([1, 2]), Array::from(numbers)]))])
    }

    #[test]
    fn it_replaces_the_innermost_value_that_makes_the_right_one() {
        for (b, depth) in [(value([3, 5]), 3), (value([7, 5]), 2)] {
            let a = value([3, 4]);
            let mismatch = crate::structural::structural_first_mismatch(&a, &b).expect("they compare");
            let way = mismatch.expect("they differ").lhs;
            let roots = [a.as_any_view(), b.as_any_view()];
            let script = smallest(roots, way.steps(), |script| {
                script.apply(&a).is_ok_and(|result| structural_equal(&result, &b))
            });
            assert_eq!(script.place(&script.changes()[0], 0).steps().len(), depth);
            assert!(structural_equal(&script.apply(&a).expect("it applies"), &b));
            assert!(structural_equal(&script.inverted().apply(&b).expect("it applies"), &a));
        }
    }
}

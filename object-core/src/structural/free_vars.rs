//! [`free_vars`]: a number that tells values apart by which free variables they have.
//!
//! Structural hashes are the same in every process, so they count a free variable by its position alone, and values that
//! differ only in their free variables hash equal. A table in memory can do better: under the default options a variable
//! that nothing binds equals only itself, so equal values have the same ones.
//!
//! A variable counts if none of its occurrences lies in a definition region, or in a field of something in one. That errs
//! on one side: some free variables are left out, but the same ones of equal values. What hooks bind cannot be seen from
//! one value alone, so values with hooks all give zero.

use crate::hashing::mix;
use crate::object::{AnyView, Body, FieldRole, ObjectView, SEqHashKind};
use crate::table::Table;

/// What is known of an object that was met.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Met {
    /// All its occurrences so far are outside of definition regions.
    Outside,
    /// One of them may bind it.
    Inside,
}

/// A number from the addresses of variables that are free in `root`: the same for equal values. Zero if there are none.
pub(super) fn free_vars<'a>(root: ObjectView<'a>) -> u64 {
    let mut met: Table<usize, Met> = Table::default();
    let mut vars = Vec::new();
    let mut stack = vec![(root, Met::Outside)];
    while let Some((object, place)) = stack.pop() {
        let info = object.type_info();
        match (info.body, info.kind) {
            (Body::Node | Body::Array | Body::Map, SEqHashKind::FreeVar) => vars.push(object.address()),
            (Body::Node | Body::Array | Body::Map, SEqHashKind::DagNode) => {}
            (Body::Node | Body::Array | Body::Map, SEqHashKind::TreeNode | SEqHashKind::ConstTreeNode) => {
                if info.is_leaf {
                    continue;
                }
            }
            _ => continue,
        }
        if info.hooks.is_some() {
            return 0;
        }
        // What was met inside of a region was followed as such already.
        match met.get(&object.address()) {
            Some(Met::Inside) => continue,
            Some(Met::Outside) if place == Met::Outside => continue,
            _ => met.insert(object.address(), place),
        };
        let mut push = |value: AnyView<'a>, place| stack.extend(value.as_object().map(|child| (child, place)));
        if let Some(items) = object.as_array() {
            items.iter().for_each(|item| push(item, place));
        } else if let Some(map) = object.as_map() {
            for (key, value) in map.iter() {
                push(key, place);
                push(value, place);
            }
        } else {
            for (field, value) in object.fields() {
                match field.role {
                    FieldRole::Ignore => {}
                    FieldRole::Content => push(value, place),
                    FieldRole::Def | FieldRole::DefSimple => push(value, Met::Inside),
                }
            }
        }
    }
    vars.sort_unstable();
    vars.dedup();
    vars.retain(|var| met.get(var) == Some(&Met::Outside));
    vars.into_iter().fold(0, |state, var| mix(state, var as u64))
}

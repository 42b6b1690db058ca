//! The rules, a file per family.

pub(super) mod variables;
pub(super) mod dataflow;
pub(super) mod shape_variables;
pub(super) mod struct_info;
pub(super) mod functions;
pub(super) mod expressions;
mod sample;
mod obvious_fit;
pub(super) mod loop_programs;
pub(super) mod normal_form;
pub(super) mod types;
pub(super) mod purity;

use crate::well_formed::rule::Rule;

/// All rules, by family.
pub(super) fn all() -> impl Iterator<Item = &'static Rule> {
    let families = [
        variables::RULES,
        dataflow::RULES,
        shape_variables::RULES,
        struct_info::RULES,
        functions::RULES,
        expressions::RULES,
        loop_programs::RULES,
        normal_form::RULES,
        types::RULES,
        purity::RULES,
    ];
    families.into_iter().flatten().copied()
}

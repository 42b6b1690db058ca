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
pub(super) mod loop_bodies;
pub(super) mod loop_blocks;
pub(super) mod normal_form;
pub(super) mod types;
pub(super) mod purity;

use crate::well_formed::findings::Findings;
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
        loop_bodies::RULES,
        loop_blocks::RULES,
        normal_form::RULES,
        types::RULES,
        purity::RULES,
    ];
    families.into_iter().flatten().copied()
}

/// Whether a check reports violations in the bodies of loop programs.
pub(super) fn look_into_loop_programs(findings: &Findings<'_>) -> bool {
    loop_bodies::RULES.iter().chain(loop_blocks::RULES).any(|rule| findings.reports(rule))
}

//! [`FAMILIES`]: shapes of graphs that once cost more than linear time, or could.

use object_core::prelude::*;

use crate::measure::size;
use crate::operations::Case;
use crate::types::*;
use crate::{tall, wide};

/// A family of graphs: one graph for each size.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// Two sizes. The cost per node must not depend on the size.
    pub(crate) sizes: [usize; 2],
    /// Builds one side of a case.
    pub(crate) build: fn(&mut Side) -> Any,
}

/// Which of the values of a case to build.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Left,
    Right,
    Other,
}

/// The choices for one side of a case, and the variables of all sides.
pub(crate) struct Side<'a> {
    pub(crate) size: usize,
    pub(crate) role: Role,
    /// The variables of the case. All sides have the same ones.
    pub(crate) vars: &'a mut Vec<Expr>,
}

impl Side<'_> {
    /// The variable with a number. All sides have the same one.
    pub(crate) fn var(&mut self, number: usize) -> Expr {
        while self.vars.len() <= number {
            self.vars.push(Var::new(format!("v{}", self.vars.len())).into());
        }
        self.vars[number].clone()
    }

    /// A leaf, which has another value in the unequal graph.
    pub(crate) fn leaf(&self) -> Expr {
        Imm::new(if self.role == Role::Other { 2 } else { 1 }).into()
    }

    /// Whether this side shares the objects of a level. One side shares at even levels, the other one at odd levels.
    pub(crate) fn shares(&self, level: usize) -> bool {
        level.is_multiple_of(2) == (self.role == Role::Left)
    }
}

impl Family {
    /// The case of a size.
    pub(crate) fn case(&self, size: usize) -> Case {
        let mut vars = Vec::new();
        let mut of = |role| (self.build)(&mut Side { size, role, vars: &mut vars });
        let [left, right, other] = [Role::Left, Role::Right, Role::Other].map(&mut of);
        // An operation on many variables at once has the variables in its input, so few are enough.
        vars.truncate(64);
        Case { left, right, other, vars }
    }
}

impl Family {
    /// The small and the large case, each with its size.
    pub(crate) fn cases(&self) -> [(Case, u64); 2] {
        self.sizes.map(|size| self.case(size)).map(|case| {
            let size = size(&case);
            (case, size)
        })
    }
}

/// The families of both files.
pub(crate) fn families() -> impl Iterator<Item = &'static Family> {
    tall::FAMILIES.iter().chain(wide::FAMILIES)
}

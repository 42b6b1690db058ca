//! [`with_known_dims`]: dimensions in place of the shape variables that a `MatchCast` binds to them.

use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation, substitute};
use object_core::visit::free_vars;
use object_core::{FieldType, ObjectRef, ObjectView};
use object_ir::ir::{IntImm, MatchCast, PrimExpr, RelaxExpr};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::definable_shape_vars;
use crate::analysis::shape_scopes::ShapeScopes;
use crate::analysis::walk::{Observer, Region, Role, view, walk};
use crate::arith::Analyzer;
use crate::struct_info::get_shape_var_mapping;

/// The `MatchCast`s of a program, and the places that bind each shape variable.
#[derive(Default)]
struct Casts {
    casts: Vec<MatchCast>,
    /// The functions and bindings around the places that bind a variable.
    binders: FxHashMap<usize, Vec<usize>>,
    used_before: FxHashSet<usize>,
    scopes: ShapeScopes,
    /// The functions and bindings around the current place.
    open: Vec<usize>,
}

impl<'a> Observer<'a> for Casts {
    fn begin(&mut self, region: Region, object: ObjectView<'a>) {
        self.scopes.begin(region);
        if matches!(region, Region::Function | Region::Binding) {
            self.open.push(object.address());
        }
        if region == Region::Binding {
            self.casts.extend(object.to_handle::<MatchCast>());
        }
    }

    fn end(&mut self, region: Region, _: ObjectView<'a>) {
        self.scopes.end(region);
        if matches!(region, Region::Function | Region::Binding) {
            self.open.pop();
        }
    }

    fn shape_var(&mut self, var: ObjectView<'a>, role: Role) {
        if role == Role::Define {
            if self.scopes.define(var.address()) {
                let binder = self.open.last().copied().unwrap_or(0);
                self.binders.entry(var.address()).or_default().push(binder);
            }
        } else if !self.binders.contains_key(&var.address()) {
            self.used_before.insert(var.address());
        }
    }
}

/// The program with the dimension of the value in place of each shape variable that one `MatchCast` and nothing else
/// binds. The `MatchCast`s stay.
pub(super) fn with_known_dims(expr: RelaxExpr) -> Result<RelaxExpr, Error> {
    let mut casts = Casts::default();
    walk(&expr, &mut casts);
    let mut known = Known::default();
    for cast in &casts.casts {
        let Some(given) = &cast.value.struct_info else { continue };
        let definable: FxHashSet<usize> =
            definable_shape_vars(&cast.struct_info).iter().map(|var| view(var).address()).collect();
        for (var, value) in get_shape_var_mapping(&cast.struct_info, given) {
            let address = view(&var).address();
            if !definable.contains(&address) {
                continue;
            }
            let binders = casts.binders.get(&address).map_or(&[][..], Vec::as_slice);
            let is_bound_here = binders == [view(cast).address()] && !casts.used_before.contains(&address);
            if is_bound_here && !known.values.contains_key(&address) {
                // The value may use a variable with a known value itself.
                let value = known.substitute(&value)?;
                known.values.insert(address, value);
            }
        }
    }
    known.apply(expr)
}

/// The values of shape variables by the addresses of the variables.
#[derive(Default)]
pub(super) struct Known {
    pub(super) values: FxHashMap<usize, PrimExpr>,
}

impl Known {
    /// A program with the known values in place of their variables, and the scalars around them simplified.
    pub(super) fn apply<T: FieldType>(&self, program: T) -> Result<T, Error> {
        if self.values.is_empty() {
            return Ok(program);
        }
        let analyzer = Analyzer::for_shapes();
        Mutate::new()
            .enter(|scalar: &PrimExpr, _| -> Result<Mutation, Error> {
                let changed = self.substitute(scalar)?;
                if changed.ptr_eq(scalar) {
                    return Ok(Mutation::Skip);
                }
                Ok(Mutation::Replace(analyzer.simplify(&changed).into()))
            })
            .run(program)
    }

    /// A scalar with the known values in place of their variables.
    fn substitute(&self, scalar: &PrimExpr) -> Result<PrimExpr, Error> {
        if scalar.is::<IntImm>() {
            return Ok(scalar.clone());
        }
        let free = free_vars(scalar).into_iter();
        let values = free.filter_map(|var| Some((var.clone(), self.values.get(&var.view().address())?.clone())));
        let values: Vec<(ObjectRef, PrimExpr)> = values.collect();
        if values.is_empty() { Ok(scalar.clone()) } else { substitute(scalar.clone(), values) }
    }
}

//! The part of a [`Walk`] that goes through structural information and scalar expressions.

use object_core::ObjectView;
use object_ir::ir::{DataflowVarNode, PrimExpr, PrimExprNode, StructInfo, VarNode};

use object_core::stack_budget::with_stack;

use crate::analysis::walk::view;
use crate::well_formed::annotations;
use crate::well_formed::place::Place;
use crate::well_formed::rules::shape_variables::{self, Role};
use crate::well_formed::scopes::{Bound, Found, ScopeKind};
use crate::well_formed::walk::Walk;

impl<'a> Walk<'a> {
    /// Goes to the dimensions in the array at `place`. Constants keep all rules about scalars.
    pub(super) fn dims(&mut self, dims: &'a [PrimExpr], place: Place, role: Role) {
        for (index, dim) in dims.iter().enumerate() {
            if !annotations::is_constant(view(dim)) {
                let place = self.cx.places.item(place, index);
                self.scalar(view(dim), place, role);
            }
        }
    }

    /// Goes to the structural information in the array at `place`.
    pub(super) fn infos(&mut self, infos: &'a [StructInfo], place: Place, role: Role) {
        for (index, info) in infos.iter().enumerate() {
            let place = self.cx.places.item(place, index);
            self.info(view(info), place, role);
        }
    }

    pub(super) fn match_info(&mut self, info: ObjectView<'a>, place: Place) {
        self.bind_shape_variables(info, place, false);
        self.bind_shapes(info, place);
        self.info(info, place, Role::Expression);
    }

    /// Binds the variables of Relax that are the shape of a tensor in the annotation of a parameter or a `MatchCast`, if nothing
    /// has bound them.
    pub(super) fn bind_shapes(&mut self, info: ObjectView<'a>, place: Place) {
        let scope = self.cx.scopes.ordinary();
        let scopes = &mut self.cx.scopes;
        annotations::bound_variables(info, |variable| {
            let is_var = variable.node::<VarNode>().is_some() && variable.node::<DataflowVarNode>().is_none();
            if is_var && !matches!(scopes.find(variable), Found::Open(_)) {
                scopes.bind(variable, Bound { scope, place, is_parameter: false, is_annotation: true });
            }
        });
    }

    /// Binds the shape variables that are a whole dimension in `info`. A signature binds them anew; a match checks
    /// variables that are in scope already.
    pub(super) fn bind_shape_variables(&mut self, info: ObjectView<'a>, place: Place, is_signature: bool) {
        let scope = self.cx.scopes.ordinary();
        let limit = if is_signature {
            scope.depth
        } else if self.checks_captures {
            self.cx.scopes.function().depth
        } else {
            0
        };
        let scopes = &mut self.cx.scopes;
        annotations::bound_variables(info, |variable| {
            let is_bound = matches!(scopes.find(variable), Found::Open(it) if it.scope.depth >= limit);
            if annotations::is_shape_variable(variable) && !is_bound {
                scopes.bind(variable, Bound { scope, place, is_parameter: false, is_annotation: false });
            }
        });
    }

    /// A number for the facts beside the bindings on which the result for a scalar or structural information depends.
    fn role_surroundings(&self, role: Role) -> usize {
        if self.depends_on_surroundings {
            return self.cx.scopes.function().number() * Role::COUNT + role as usize;
        }
        usize::from(role == Role::Use)
    }

    pub(super) fn info(&mut self, info: ObjectView<'a>, place: Place, role: Role) {
        self.cx.steps += 1;
        if let Some(visit) = self.begin(info, place, self.role_surroundings(role)) {
            with_stack(|| self.info_parts(info, place, role));
            self.end(visit);
        }
    }

    fn info_parts(&mut self, info: ObjectView<'a>, place: Place, role: Role) {
        let parts = annotations::check(&mut self.cx, info, place);
        if let (true, Some((infos, array))) = (parts.is_signature, parts.infos) {
            self.cx.scopes.push(ScopeKind::Signature);
            let places = self.cx.places.items(array, infos.len());
            for (part, place) in infos.iter().zip(places) {
                self.bind_shape_variables(view(part), place, true);
                self.bind_shapes(view(part), place);
            }
        }
        let is_function = parts.result.is_some() && role != Role::Use;
        let result_role = if is_function { Role::SignatureResult } else { role };
        let role = if is_function { Role::Signature } else { role };
        if let Some((dims, array)) = parts.dims {
            self.dims(dims, array, role);
        }
        if let Some((scalar, place)) = parts.scalar {
            self.scalar(scalar, place, role);
        }
        if let Some((infos, array)) = parts.infos {
            self.infos(infos, array, role);
        }
        if let Some((tensor, place)) = parts.tensor {
            self.info(tensor, place, role);
        }
        if let Some((result, place)) = parts.result {
            self.info(result, place, result_role);
        }
        if parts.is_signature {
            self.cx.scopes.pop();
        }
    }

    pub(super) fn scalar(&mut self, scalar: ObjectView<'a>, place: Place, role: Role) {
        self.cx.steps += 1;
        if annotations::is_shape_variable(scalar) {
            return shape_variables::resolve(&mut self.cx, scalar, place, role);
        }
        if scalar.node::<PrimExprNode>().is_none() || annotations::is_constant(scalar) {
            return;
        }
        if let Some(visit) = self.begin(scalar, place, self.role_surroundings(role)) {
            with_stack(|| self.scalar_parts(scalar, place, role));
            self.end(visit);
        }
    }

    fn scalar_parts(&mut self, scalar: ObjectView<'a>, place: Place, role: Role) {
        let parts = annotations::scalar_parts(&mut self.cx, scalar, place);
        if !parts.bound.is_empty() {
            self.cx.scopes.push(ScopeKind::Signature);
            let scope = self.cx.scopes.innermost();
            for (variable, place) in &parts.bound {
                self.cx
                    .scopes
                    .bind(*variable, Bound { scope, place: *place, is_parameter: false, is_annotation: false });
            }
        }
        for (part, place) in parts.scalars {
            self.scalar(part, place, role);
        }
        if !parts.bound.is_empty() {
            self.cx.scopes.pop();
        }
    }
}

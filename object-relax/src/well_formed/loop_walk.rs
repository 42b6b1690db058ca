//! [`check`]: visits the body of a loop program in order, with its scopes, and calls the rules about it.

use object_core::stack_budget::with_stack;
use object_core::{Any, AsAnyView, ObjectHandle, ObjectView};
use object_ir::ir::{PrimExprNode, Range};
use object_ir::kind::StmtKind;
use object_ir::tir::{
    AttrStmt, Buffer, BufferLoadNode, BufferNode, BufferRegionNode, For, IterVarNode, LetNode, PrimFuncNode,
    ReduceNode, SBlock, Stmt, VarNode,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::walk::view;
use crate::well_formed::context::Context;
use crate::well_formed::loop_scopes::{Definition, LoopScopes};
use crate::well_formed::place::{Place, Step};
use crate::well_formed::rules::{self, loop_blocks, loop_bodies};

struct LoopWalk<'c, 'a> {
    cx: &'c mut Context<'a>,
    scopes: LoopScopes,
    /// The shared objects that were visited, with the scope of the last visit.
    visited: FxHashMap<usize, u32>,
    /// The variables and buffers with a violation.
    reported: FxHashSet<usize>,
    /// Whether blocks are violations that nothing has reported yet.
    refuses_blocks: bool,
}

/// Checks the body of a loop program.
pub(super) fn check<'a>(cx: &mut Context<'a>, function: &'a PrimFuncNode, place: Place) {
    if !rules::look_into_loop_programs(&cx.findings) {
        return;
    }
    let is_s_tir = function.attrs.dict.get("s_tir").is_some_and(|value| matches!(value, Any::Bool(true) | Any::Int(1)));
    let mut walk = LoopWalk {
        cx,
        scopes: LoopScopes::default(),
        visited: FxHashMap::default(),
        reported: FxHashSet::default(),
        refuses_blocks: !is_s_tir,
    };
    walk.function(function, place);
}

impl<'a> LoopWalk<'_, 'a> {
    fn at(&mut self, place: Place, field: &'static str) -> Place {
        self.cx.places.child(place, Step::Named(field))
    }

    /// Goes to the scalar in a field.
    fn part<H: ObjectHandle>(&mut self, part: &'a H, place: Place, field: &'static str) {
        let place = self.at(place, field);
        self.scalar(view(part), place);
    }

    /// Goes to the scalars of an array in a field.
    fn parts<H: ObjectHandle>(&mut self, parts: &'a [H], place: Place, field: &'static str) {
        let array = self.at(place, field);
        for (part, place) in parts.iter().zip(self.cx.places.items(array, parts.len())) {
            self.scalar(view(part), place);
        }
    }

    /// Goes to the statement in a field, in a scope of its own.
    fn body(&mut self, body: &'a Stmt, place: Place, field: &'static str) {
        let place = self.at(place, field);
        self.scopes.push();
        self.statement(body, place);
        self.scopes.pop();
    }

    fn range(&mut self, range: &'a Range, place: Place) {
        self.part(&range.min, place, "min");
        self.part(&range.extent, place, "extent");
    }

    fn function(&mut self, function: &'a PrimFuncNode, place: Place) {
        self.scopes.push();
        let array = self.at(place, "params");
        for (param, place) in
            function.params.as_slice().iter().zip(self.cx.places.items(array, function.params.view().len()))
        {
            self.define(view(param), place, Definition::Unique);
        }
        let params: FxHashSet<usize> = function.params.as_slice().iter().map(|param| view(param).address()).collect();
        let map = self.at(place, "buffer_map");
        let mut buffers = Vec::new();
        for (param, buffer) in function.buffer_map.data().iter() {
            let (Some(param), Some(buffer)) = (param.as_object(), buffer.as_object()) else { continue };
            // The function has buffers of its parameters only.
            let Some(node) = buffer.node::<BufferNode>().filter(|_| params.contains(&param.address())) else {
                continue;
            };
            let place = self.cx.places.child(map, Step::Entry(param));
            buffers.push((buffer, node, place));
            self.define(view(&node.data), place, Definition::IfNew);
            self.define(buffer, place, Definition::IfNew);
            self.extents(node, place);
        }
        // An extent that is an expression uses variables that other buffers may define.
        for (_, node, place) in buffers {
            self.shape(node, place);
        }
        self.body(&function.body, place, "body");
    }

    /// Defines the variables that the caller or the source of a buffer gives: extents, strides and the offset.
    fn extents(&mut self, buffer: &'a BufferNode, place: Place) {
        let lists = [buffer.shape.as_slice(), buffer.strides.as_slice(), std::slice::from_ref(&buffer.elem_offset)];
        for extent in lists.into_iter().flatten().map(view).filter(|it| it.node::<VarNode>().is_some()) {
            self.define(extent, place, Definition::IfNew);
        }
    }

    /// Goes to the scalars of a buffer.
    fn shape(&mut self, buffer: &'a BufferNode, place: Place) {
        self.parts(buffer.shape.as_slice(), place, "shape");
        self.parts(buffer.strides.as_slice(), place, "strides");
        self.part(&buffer.elem_offset, place, "elem_offset");
    }

    fn define(&mut self, variable: ObjectView<'a>, place: Place, definition: Definition) {
        self.cx.steps += 1;
        if let Some(earlier) = self.scopes.define(variable, place, definition)
            && self.reported.insert(variable.address())
        {
            loop_bodies::bound_twice(self.cx, variable, place, earlier);
        }
    }

    fn declare(&mut self, buffer: &'a Buffer, place: Place, is_owner: bool) {
        let definition = if is_owner { Definition::Unique } else { Definition::IfNew };
        let data = self.at(place, "data");
        self.define(view(&buffer.data), data, definition);
        self.scopes.define(view(buffer), place, Definition::IfNew);
        self.shape(buffer, place);
    }

    fn use_buffer(&mut self, buffer: ObjectView<'a>, place: Place) {
        let known = self.scopes.find(buffer);
        if known.is_none_or(|known| !known.is_open) && self.reported.insert(buffer.address()) {
            loop_bodies::undeclared(self.cx, buffer, place, known);
        }
    }

    fn use_variable(&mut self, variable: ObjectView<'a>, place: Place) {
        match self.scopes.find(variable) {
            Some(known) if known.is_open => {
                let is_outer = known.definition == Definition::Loop && known.blocks < self.scopes.blocks;
                if is_outer && self.reported.insert(variable.address()) {
                    loop_blocks::outer_loop(self.cx, variable, place, known);
                }
            }
            known => {
                if self.reported.insert(variable.address()) {
                    loop_bodies::unbound(self.cx, variable, place, known);
                }
            }
        }
    }

    /// Whether a shared statement was visited.
    fn is_known(&mut self, statement: ObjectView<'a>) -> bool {
        statement.use_count() > 1 && self.visited.insert(statement.address(), 0).is_some()
    }

    /// Whether a shared scalar was visited in this scope, or too many scalars were visited again in other scopes.
    fn is_known_here(&mut self, scalar: ObjectView<'a>) -> bool {
        let scope = self.scopes.innermost();
        let last = if scalar.use_count() > 1 { self.visited.insert(scalar.address(), scope) } else { None };
        last.is_some_and(|last| last == scope || !self.cx.memo.repeat())
    }

    fn statement(&mut self, stmt: &'a Stmt, place: Place) {
        self.cx.steps += 1;
        let object = view(stmt);
        let is_known = self.is_known(object);
        match StmtKind::of(stmt) {
            StmtKind::For(it) => with_stack(|| self.a_loop(it, object, place, is_known)),
            StmtKind::Bind(it) => {
                self.part(&it.value, place, "value");
                let variable = self.at(place, "var");
                self.define(view(&it.var), variable, Definition::Unique);
            }
            StmtKind::AllocBuffer(it) => {
                let place = self.at(place, "buffer");
                self.declare(&it.buffer, place, true);
            }
            StmtKind::DeclBuffer(it) => {
                let place = self.at(place, "buffer");
                self.declare(&it.buffer, place, false);
            }
            _ if is_known => {}
            kind => with_stack(|| self.other_statement(kind, object, place)),
        }
    }

    fn a_loop(&mut self, it: &'a For, object: ObjectView<'a>, place: Place, is_known: bool) {
        let variable = self.at(place, "loop_var");
        if !is_known {
            loop_bodies::check_loop(self.cx, it, object, place);
            self.part(&it.min, place, "min");
            self.part(&it.extent, place, "extent");
            if let Some(step) = &it.step {
                self.part(step, place, "step");
            }
        }
        self.scopes.push();
        self.define(view(&it.loop_var), variable, Definition::Loop);
        if !is_known {
            self.body(&it.body, place, "body");
        }
        self.scopes.pop();
    }

    /// A statement that defines nothing for the statements after it.
    fn other_statement(&mut self, kind: StmtKind<'a>, object: ObjectView<'a>, place: Place) {
        match kind {
            StmtKind::SeqStmt(it) => {
                let array = self.at(place, "seq");
                for (part, place) in it.seq.as_slice().iter().zip(self.cx.places.items(array, it.seq.len())) {
                    self.statement(part, place);
                }
            }
            StmtKind::BufferStore(it) => {
                self.access(&it.buffer, it.indices.len(), object, place);
                self.parts(it.indices.as_slice(), place, "indices");
                self.part(&it.value, place, "value");
                if let Some(predicate) = &it.predicate {
                    self.part(predicate, place, "predicate");
                }
            }
            StmtKind::IfThenElse(it) => {
                self.part(&it.condition, place, "condition");
                self.body(&it.then_case, place, "then_case");
                if let Some(other) = &it.else_case {
                    self.body(other, place, "else_case");
                }
            }
            StmtKind::While(it) => {
                self.part(&it.condition, place, "condition");
                self.body(&it.body, place, "body");
            }
            StmtKind::AttrStmt(it) => self.attribute(it, place),
            StmtKind::SBlockRealize(it) => {
                self.refuse_block(object, place);
                loop_blocks::check_bindings(self.cx, it, object, place);
                self.parts(it.iter_values.as_slice(), place, "iter_values");
                self.part(&it.predicate, place, "predicate");
                let place = self.at(place, "block");
                self.statement(it.block.as_ref(), place);
            }
            StmtKind::SBlock(it) => {
                self.refuse_block(object, place);
                self.block(it, place);
            }
            StmtKind::ScopeIdDefStmt(it) => {
                for variable in it.def.def_ids.as_slice() {
                    self.define(view(variable), place, Definition::IfNew);
                }
            }
            // The arguments of a tile primitive are no scalars.
            StmtKind::TilePrimitiveCall(_) => {}
            StmtKind::AssertStmt(_)
            | StmtKind::Evaluate(_)
            | StmtKind::Break(_)
            | StmtKind::Continue(_)
            | StmtKind::Other(_) => self.fields(object, place),
            StmtKind::For(_) | StmtKind::Bind(_) | StmtKind::AllocBuffer(_) | StmtKind::DeclBuffer(_) => {}
        }
    }

    fn attribute(&mut self, it: &'a AttrStmt, place: Place) {
        let node = self.at(place, "node");
        let object = it.node.as_any_view().as_object();
        self.part(&it.value, place, "value");
        self.scopes.push();
        if let Some(iterator) = object.and_then(|object| object.node::<IterVarNode>()) {
            self.define(view(&iterator.var), node, Definition::IfNew);
        } else if let Some(object) = object.filter(|object| object.node::<BufferNode>().is_some()) {
            self.use_buffer(object, node);
        } else if let Some(object) = object.filter(|object| object.node::<PrimExprNode>().is_some()) {
            self.scalar(object, node);
        }
        self.body(&it.body, place, "body");
        self.scopes.pop();
    }

    /// Reports the first block of a program that may have none.
    fn refuse_block(&mut self, object: ObjectView<'a>, place: Place) {
        if std::mem::take(&mut self.refuses_blocks) {
            loop_blocks::outside_s_tir(self.cx, object, place);
        }
    }

    fn block(&mut self, it: &'a SBlock, place: Place) {
        self.scopes.push();
        let array = self.at(place, "iter_vars");
        let iterators = it.iter_vars.as_slice();
        for (iterator, place) in iterators.iter().zip(self.cx.places.items(array, iterators.len())) {
            let dom = self.at(place, "dom");
            if let Some(range) = &iterator.dom {
                self.range(range, dom);
            }
            let variable = self.at(place, "var");
            self.define(view(&iterator.var), variable, Definition::Unique);
        }
        let has_iterators = !iterators.is_empty();
        if has_iterators {
            self.scopes.blocks += 1;
        }
        let array = self.at(place, "alloc_buffers");
        for (buffer, place) in
            it.alloc_buffers.as_slice().iter().zip(self.cx.places.items(array, it.alloc_buffers.view().len()))
        {
            self.declare(buffer, place, true);
        }
        for (regions, field) in [(&it.reads, "reads"), (&it.writes, "writes")] {
            self.parts(regions.as_slice(), place, field);
        }
        let array = self.at(place, "match_buffers");
        for (part, place) in
            it.match_buffers.as_slice().iter().zip(self.cx.places.items(array, it.match_buffers.view().len()))
        {
            self.part(&part.source, place, "source");
            let place = self.at(place, "buffer");
            self.extents(&part.buffer, place);
            self.declare(&part.buffer, place, true);
        }
        if let Some(init) = &it.init {
            self.body(init, place, "init");
        }
        self.body(&it.body, place, "body");
        if has_iterators {
            self.scopes.blocks -= 1;
        }
        self.scopes.pop();
    }

    fn access(&mut self, buffer: &'a Buffer, count: usize, object: ObjectView<'a>, place: Place) {
        loop_bodies::check_rank(self.cx, buffer, count, object, place);
        let place = self.at(place, "buffer");
        self.use_buffer(view(buffer), place);
    }

    fn scalar(&mut self, object: ObjectView<'a>, place: Place) {
        self.cx.steps += 1;
        if object.node::<VarNode>().is_some() {
            self.use_variable(object, place);
        } else if !self.is_known_here(object) {
            with_stack(|| self.scalar_parts(object, place));
        }
    }

    fn scalar_parts(&mut self, object: ObjectView<'a>, place: Place) {
        if let Some(it) = object.node::<BufferLoadNode>() {
            self.access(&it.buffer, it.indices.view().len(), object, place);
            self.parts(it.indices.as_slice(), place, "indices");
            if let Some(predicate) = &it.predicate {
                self.part(predicate, place, "predicate");
            }
        } else if let Some(it) = object.node::<BufferRegionNode>() {
            self.access(&it.buffer, it.region.view().len(), object, place);
            let array = self.at(place, "region");
            for (range, place) in it.region.as_slice().iter().zip(self.cx.places.items(array, it.region.view().len())) {
                self.range(range, place);
            }
        } else if let Some(it) = object.node::<LetNode>() {
            self.part(&it.value, place, "value");
            let variable = self.at(place, "var");
            self.scopes.push();
            self.define(view(&it.var), variable, Definition::Unique);
            self.part(&it.body, place, "body");
            self.scopes.pop();
        } else if object.node::<ReduceNode>().is_none() {
            // Loop programs with a `Reduce` are not lowered: it defines the variables of its axes and of its combiner.
            self.fields(object, place);
        }
    }

    /// Goes to the scalars in the fields of an object.
    fn fields(&mut self, object: ObjectView<'a>, place: Place) {
        let is_scalar = |object: &ObjectView<'a>| object.node::<PrimExprNode>().is_some();
        for (field, value) in object.fields() {
            let Some(value) = value.as_object() else { continue };
            if is_scalar(&value) {
                let place = self.at(place, field.name());
                self.scalar(value, place);
            } else if let Some(array) = value.as_array() {
                let at = self.at(place, field.name());
                for (part, place) in array.iter().zip(self.cx.places.items(at, array.len())) {
                    if let Some(part) = part.as_object().filter(is_scalar) {
                        self.scalar(part, place);
                    }
                }
            }
        }
    }
}

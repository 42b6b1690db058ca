//! [`Facts`]: facts about a graph of TVM 0.25 that do not stand at the objects that they are about.

use std::collections::{HashMap, HashSet};

use object_core::{AnyView, ObjectView};

use crate::tvm::convert::converter::{items, objects};

/// Facts about a graph of TVM 0.25. An object stands for its address.
#[derive(Default)]
pub(super) struct Facts<'a> {
    /// For the variables with the address of a buffer: the buffer.
    pub(super) buffers: HashMap<usize, ObjectView<'a>>,
    /// For the identities (`vid`) of variables of Relax: the variable that a parameter list or a binding defines. Variables with
    /// one identity are one variable in TVM 0.27.
    vars: HashMap<usize, ObjectView<'a>>,
    /// For the variables of Relax whose value is a dimension that they define: the dimension.
    pub(super) dimensions: HashMap<usize, ObjectView<'a>>,
    /// The buffers that a statement declares over memory that exists.
    pub(super) declared: HashSet<usize>,
}

impl<'a> Facts<'a> {
    /// The facts about the graph below `root`.
    pub(super) fn of(root: ObjectView<'a>) -> Self {
        let mut facts = Facts::default();
        let mut defined = HashSet::new();
        let mut owners = Vec::new();
        let mut others = Vec::new();
        for object in objects(root) {
            let child = |name| object.get(name).and_then(AnyView::as_object);
            match object.type_key() {
                "relax.expr.Function" => {
                    for param in items(object, "params").filter_map(AnyView::as_object) {
                        facts.add_var(param);
                        facts.add_dimension(param);
                    }
                }
                "relax.expr.VarBinding" => child("var").into_iter().for_each(|var| facts.add_var(var)),
                "relax.expr.MatchCast" => {
                    child("var").into_iter().for_each(|var| facts.add_var(var));
                    if let Some((var, info)) = child("var").zip(child("struct_info")) {
                        facts.dimensions.extend(dimension(info).map(|dimension| (var.address(), dimension)));
                    }
                }
                "tirx.PrimFunc" => {
                    let map = child("buffer_map").and_then(ObjectView::as_map);
                    owners.extend(
                        map.into_iter().flat_map(|map| map.iter()).filter_map(|(_, buffer)| buffer.as_object()),
                    );
                    defined.extend(items(object, "params").filter_map(AnyView::as_object).map(ObjectView::address));
                }
                "tirx.AllocBuffer" | "tirx.MatchBufferRegion" => owners.extend(child("buffer")),
                "tirx.SBlock" => owners.extend(items(object, "alloc_buffers").filter_map(AnyView::as_object)),
                "tirx.DeclBuffer" => facts.declared.extend(child("buffer").map(ObjectView::address)),
                "tirx.Bind" | "tirx.Let" | "tirx.IterVar" => defined.extend(child("var").map(ObjectView::address)),
                "tirx.Buffer" => others.push(object),
                _ => {}
            }
        }
        others.retain(|buffer| !facts.declared.contains(&buffer.address()));
        for buffer in owners.into_iter().chain(others) {
            let data = buffer.get("data").and_then(AnyView::as_object);
            if let Some(data) = data.filter(|data| !defined.contains(&data.address())) {
                facts.buffers.entry(data.address()).or_insert(buffer);
            }
        }
        facts
    }

    /// The variable with the identity of `var` that a parameter list or a binding defines, or else `var`.
    pub(super) fn defined_var(&self, var: ObjectView<'a>) -> ObjectView<'a> {
        let id = var.get("vid").and_then(AnyView::as_object);
        id.and_then(|id| self.vars.get(&id.address())).copied().unwrap_or(var)
    }

    fn add_var(&mut self, var: ObjectView<'a>) {
        if let Some(id) = var.get("vid").and_then(AnyView::as_object) {
            self.vars.entry(id.address()).or_insert(var);
        }
    }

    /// Adds a parameter of a function of Relax that defines a dimension.
    fn add_dimension(&mut self, param: ObjectView<'a>) {
        let info = param.get("struct_info_").and_then(AnyView::as_object);
        self.dimensions.extend(info.and_then(dimension).map(|dimension| (param.address(), dimension)));
    }
}

/// The variable that is the value of the structural information `info`.
fn dimension(info: ObjectView<'_>) -> Option<ObjectView<'_>> {
    let value = info.get("value").and_then(AnyView::as_object)?;
    (info.type_key() == "relax.PrimStructInfo" && value.type_key() == "tirx.Var").then_some(value)
}

//! [`Facts`]: facts about a graph of TVM 0.27 that do not stand at the objects that they are about.

use std::ptr;

use object_core::table::{Set, Table};
use object_core::{AnyView, ObjectView};

use crate::tvm::convert::converter::objects_through;
use crate::tvm::convert::downgrade::class::Class;
use crate::tvm::convert::scalar_order::has_moved_scalars;

/// Facts about a graph of TVM 0.27. An object stands for its address.
#[derive(Default)]
pub(super) struct Facts<'a> {
    /// The variables that a parameter list or a binding of Relax defines.
    relax_vars: Set<usize>,
    /// For variables that a binding of Relax defines: the value.
    pub(super) values: Table<usize, ObjectView<'a>>,
    /// For buffers that are declared over memory of another buffer: the expression of the address.
    pub(super) addresses: Table<usize, ObjectView<'a>>,
    /// For types of functions and of their names: the function.
    pub(super) functions: Table<usize, ObjectView<'a>>,
    /// Whether an upgrade has moved scalars of a loop program.
    pub(super) has_moved_scalars: bool,
}

impl<'a> Facts<'a> {
    /// The facts about the graph below `root`.
    pub(super) fn of(root: ObjectView<'a>) -> Self {
        let mut facts = Facts::default();
        let mut classes = Table::<usize, bool>::default();
        let mut enters = |object: ObjectView<'a>| {
            let info = object.type_info();
            *classes.entry(ptr::from_ref(info).addr()).or_insert_with(|| Class::of_type(info).has_facts)
        };
        objects_through(root, &mut enters).into_iter().for_each(|object| facts.add(object));
        facts
    }

    /// Whether a parameter list or a binding of Relax defines the variable.
    pub(super) fn is_relax_var(&self, var: ObjectView<'_>) -> bool {
        self.relax_vars.contains(&var.address())
    }

    fn add(&mut self, object: ObjectView<'a>) {
        let child = |name| object.get(name).and_then(AnyView::as_object);
        match object.type_key() {
            "relax.expr.Function" => {
                let Some(params) = child("params").and_then(ObjectView::as_array) else { return };
                self.relax_vars.extend(params.iter().filter_map(AnyView::as_object).map(ObjectView::address));
                if let Some(ty) = child("ty") {
                    self.functions.insert(ty.address(), object);
                }
            }
            "relax.expr.VarBinding" | "relax.expr.MatchCast" => {
                self.relax_vars.extend(child("var").map(ObjectView::address));
                if object.type_key() == "relax.expr.VarBinding" {
                    self.values.extend(child("var").map(ObjectView::address).zip(child("value")));
                }
            }
            "ir.IRModule" => {
                let functions = child("functions").and_then(ObjectView::as_map);
                for (name, function) in functions.into_iter().flat_map(|functions| functions.iter()) {
                    let ty = name.as_object().and_then(|name| name.get("ty")).and_then(AnyView::as_object);
                    self.functions.extend(ty.map(ObjectView::address).zip(function.as_object()));
                }
            }
            "tirx.DeclBuffer" => {
                if let (Some(buffer), Some(data)) = (child("buffer"), child("data")) {
                    self.addresses.insert(buffer.address(), data);
                }
            }
            "ir.DictAttrs" => self.has_moved_scalars |= has_moved_scalars(object),
            _ => {}
        }
    }
}

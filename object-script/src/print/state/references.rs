//! The names of objects in the text.

use object_core::{ObjectHandle, ObjectView};
use object_ir::ir::{PrimStructInfoNode, Var};
use object_ir::tir::VarNode;

use crate::print::doc::tree::{Doc, Node};
use crate::print::state::frame::{BufferPart, Dialect, Reference};
use crate::print::state::printer::Printer;

/// The variable that is the value of `var` in expressions of scalars.
pub(crate) fn dimension_of(var: &Var) -> Option<ObjectView<'_>> {
    let info = var.struct_info.as_ref()?.as_object().view().node::<PrimStructInfoNode>()?;
    let value = info.value.as_ref()?.as_object().view();
    value.node::<VarNode>().map(|_| value)
}

impl Printer<'_> {
    /// Takes a name for `object`, which ends with the frame, and returns it. An object that has a name keeps it: the text
    /// of an ill-formed graph defines the name twice.
    pub(crate) fn define(&mut self, object: ObjectView<'_>, frame: usize, hint: &str) -> Doc {
        if let Some(&Reference::Name(name)) = self.references.get(&object.address()) {
            return self.tree.add(Node::Name(name));
        }
        let with_address;
        let hint = if self.options.show_object_address {
            with_address = format!("{hint}_{:#x}", object.address());
            &with_address
        } else {
            hint
        };
        let name = self.names.take(hint);
        let name = self.tree.store(&name);
        self.refer(object, frame, Reference::Name(name));
        self.tree.add(Node::Name(name))
    }

    /// Says how the text refers to `object` until the end of the frame.
    pub(crate) fn refer(&mut self, object: ObjectView<'_>, frame: usize, reference: Reference) {
        if self.references.insert(object.address(), reference).is_none()
            && let Some(frame) = self.frames.get_mut(frame)
        {
            frame.defined.push(object.address());
        }
    }

    /// Whether the text has defined `object`.
    pub(crate) fn is_defined(&self, object: ObjectView<'_>) -> bool {
        self.references.contains_key(&object.address())
    }

    /// The reference to `object`, if the text has defined it.
    pub(crate) fn reference(&mut self, object: ObjectView<'_>) -> Option<Doc> {
        self.reference_at(object.address())
    }

    fn reference_at(&mut self, address: usize) -> Option<Doc> {
        match *self.references.get(&address)? {
            Reference::Name(name) => Some(self.tree.add(Node::Name(name))),
            Reference::ModuleMember(name) if self.options.readable => Some(self.tree.add(Node::Name(name))),
            Reference::ModuleMember(name) => {
                let module = self.module_name();
                Some(self.member(module, name))
            }
            Reference::BufferPart { buffer, is_scalar, part } => {
                let mut buffer = self.reference_at(buffer)?;
                if is_scalar {
                    buffer = self.member(buffer, "buffer");
                }
                Some(match part {
                    BufferPart::Data => self.member(buffer, "data"),
                    BufferPart::ElemOffset => self.member(buffer, "elem_offset"),
                    BufferPart::Stride(index) => {
                        let strides = self.member(buffer, "strides");
                        let index = self.tree.add(Node::Int(i64::try_from(index).unwrap_or(i64::MAX)));
                        self.index(strides, &[index])
                    }
                })
            }
        }
    }

    /// Takes a name for a variable of Relax, until the end of the innermost frame. A scalar that is its own value as a
    /// dimension has one name, if expressions of scalars are the same in all languages.
    pub(crate) fn define_var(&mut self, var: &Var) -> Doc {
        let hint = var.vid.name_hint.as_str();
        let frame = self.innermost();
        let name = self.define(var.as_object().view(), frame, if hint.is_empty() { "v" } else { hint });
        let dimension = dimension_of(var).filter(|_| self.words.has_one_scalar);
        if let (Some(dimension), Node::Name(text)) = (dimension, *self.tree.node(name))
            && !self.is_defined(dimension)
        {
            self.refer(dimension, frame, Reference::Name(text));
        }
        name
    }

    /// The name of the module in the text at hand. In Relax it is an alias, which the outermost function defines at its
    /// first use.
    pub(crate) fn module_name(&mut self) -> Doc {
        let object = self.module.clone();
        let full_name = match object.and_then(|module| self.reference(module.as_object().view())) {
            Some(name) => name,
            None => self.name("Module"),
        };
        if self.dialect() != Dialect::Relax || self.options.module_alias.is_empty() {
            return full_name;
        }
        let alias = self.name(&self.options.module_alias);
        if let Some(frame) = self.outer_relax_frame()
            && let Some(relax) = self.relax_frame(frame)
            && !relax.has_module_alias
        {
            relax.has_module_alias = true;
            let statement = self.assign(alias, None, Some(full_name));
            self.push_to(frame, statement);
        }
        alias
    }
}

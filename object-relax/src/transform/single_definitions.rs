//! [`convert_ssa`]: loop programs that define each variable once.

use object_core::ObjectBuilder;
use object_core::prelude::*;
use object_core::stack_budget::with_stack;
use object_core::{AsAnyView, ObjectRef, ObjectView, TypeInfo, structural_equal};
use object_ir::ir::{BaseFunc, GlobalVar, IRModule, PrimExpr, PrimExprNode};
use object_ir::tir::{
    AllocBufferNode, AttrStmtNode, BindNode, Buffer, BufferNode, ForNode, IfThenElseNode, IterVar, IterVarNode, Layout,
    LetNode, MatchBufferRegionNode, PrimFunc, SBlockNode, Stmt, Var, VarNode, WhileNode,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::walk::view;

/// The largest number of statements and expressions with definitions, counted where they stand. A statement that stands at two places becomes
/// two statements, so programs that share them in turn have exponentially many.
const MAX_DEFINITIONS: u64 = 1 << 20;

/// The part of a field in the scopes of its object.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// Uses variables.
    Part,
    /// Uses variables, in a scope of its own.
    Body,
    /// The variable, or the axes with the variables, that the object defines.
    Definition,
    /// The buffers whose memory the object defines.
    Memory,
    /// The subject of an attribute.
    Subject,
}

use Role::{Body, Definition, Memory, Part, Subject};

/// The fields of an object that defines variables or has scopes, in the order in which they see the definitions, and whether the
/// definitions end with the object.
type Form = (&'static [(&'static str, Role)], bool);

/// The form of an object; `None` if all its fields are parts.
fn form(object: ObjectView<'_>) -> Option<Form> {
    let rows: [(&TypeInfo, Form); 8] = [
        (
            ForNode::TYPE_INFO,
            (&[("min", Part), ("extent", Part), ("step", Part), ("loop_var", Definition), ("body", Part)], true),
        ),
        (LetNode::TYPE_INFO, (&[("value", Part), ("var", Definition), ("body", Part)], true)),
        (BindNode::TYPE_INFO, (&[("value", Part), ("var", Definition)], false)),
        (AllocBufferNode::TYPE_INFO, (&[("buffer", Memory)], false)),
        (MatchBufferRegionNode::TYPE_INFO, (&[("source", Part), ("buffer", Memory)], false)),
        (IfThenElseNode::TYPE_INFO, (&[("condition", Part), ("then_case", Body), ("else_case", Body)], false)),
        (WhileNode::TYPE_INFO, (&[("condition", Part), ("body", Body)], false)),
        (AttrStmtNode::TYPE_INFO, (&[("value", Part), ("node", Subject), ("body", Body)], false)),
    ];
    const BLOCK: Form = (
        &[
            ("iter_vars", Definition),
            ("alloc_buffers", Memory),
            ("reads", Part),
            ("writes", Part),
            ("match_buffers", Part),
            ("init", Body),
            ("body", Body),
        ],
        true,
    );
    let info = object.type_info();
    if std::ptr::eq(info, SBlockNode::TYPE_INFO) {
        return Some(BLOCK);
    }
    rows.iter().find(|(known, _)| std::ptr::eq(*known, info)).map(|(_, form)| *form)
}

/// A change of the variables or buffers in scope, with the state before it.
enum Change {
    Var(usize, Option<Var>),
    Buffer(usize, Option<Buffer>),
}

/// The walk over the functions, in order.
#[derive(Default)]
struct Converter {
    /// The variables with a definition, in any function so far.
    defined: FxHashSet<usize>,
    /// The new variables and buffers in scope, by the addresses of the ones of the module.
    vars: FxHashMap<usize, Var>,
    buffers: FxHashMap<usize, Buffer>,
    /// The changes of both, the last one at the end.
    changes: Vec<Change>,
    /// The variables of threads, which a function defines once for all its parts.
    threads: FxHashMap<usize, Var>,
    /// Whether objects contain definitions, by address.
    defines: FxHashMap<usize, bool>,
    /// The results for objects without definitions, with the number of changes of the scope before them.
    done: FxHashMap<usize, (u64, ObjectRef)>,
    state: u64,
    definitions: u64,
}

impl Converter {
    /// Runs `change` in a scope of its own.
    fn in_scope<T>(&mut self, change: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        let start = self.changes.len();
        let result = change(self);
        for change in self.changes.drain(start..).rev() {
            self.state += 1;
            match change {
                Change::Var(at, Some(var)) => _ = self.vars.insert(at, var),
                Change::Var(at, None) => _ = self.vars.remove(&at),
                Change::Buffer(at, Some(buffer)) => _ = self.buffers.insert(at, buffer),
                Change::Buffer(at, None) => _ = self.buffers.remove(&at),
            }
        }
        result
    }

    /// The variable in the place of `var`, which this place defines.
    fn define(&mut self, var: &Var) -> Var {
        let address = view(var).address();
        if self.defined.insert(address) {
            return var.clone();
        }
        let new = var.clone().with_changes(|_| ());
        self.changes.push(Change::Var(address, self.vars.insert(address, new.clone())));
        self.state += 1;
        new
    }

    /// The variable of a thread. Later launches in the function have the same one.
    fn thread(&mut self, var: &Var) -> Var {
        let address = view(var).address();
        if let Some(known) = self.threads.get(&address) {
            return known.clone();
        }
        let is_first = self.defined.insert(address);
        let new = if is_first { var.clone() } else { var.clone().with_changes(|_| ()) };
        self.threads.insert(address, new.clone());
        self.state += 1;
        new
    }

    /// The variable in the place of a use of `var`.
    fn var(&self, var: ObjectView<'_>) -> Option<&Var> {
        self.vars.get(&var.address()).or_else(|| self.threads.get(&var.address()))
    }

    /// The buffer in the place of `buffer`.
    fn buffer(&mut self, buffer: &Buffer) -> Result<Buffer, Error> {
        let data = self.var(view(&buffer.data)).unwrap_or(&buffer.data).clone();
        let lists = [&buffer.shape, &buffer.strides, &buffer.allocated_addr].map(|list| self.list(list));
        let [shape, strides, addresses] = lists;
        let (shape, strides, addresses) = (shape?, strides?, addresses?);
        let offset: PrimExpr = self.value(buffer.elem_offset.as_any_view())?.cast()?;
        let layout: Option<Layout> = self.value(buffer.layout.as_any_view())?.cast()?;
        let new = buffer.clone().with_changes(|node| {
            (node.data, node.shape, node.strides, node.elem_offset) = (data, shape, strides, offset);
            (node.allocated_addr, node.layout) = (addresses, layout);
        });
        let address = view(buffer).address();
        let known = [Some(buffer), self.buffers.get(&address)].into_iter().flatten();
        if let Some(known) = known.into_iter().find(|known| is_same_memory(known, &new)) {
            return Ok(known.clone());
        }
        self.changes.push(Change::Buffer(address, self.buffers.insert(address, new.clone())));
        Ok(new)
    }

    fn list(&mut self, list: &Array<PrimExpr>) -> Result<Array<PrimExpr>, Error> {
        self.value(list.as_any_view())?.cast()
    }

    /// The value with the variables and buffers in scope.
    fn value(&mut self, value: AnyView<'_>) -> Result<Any, Error> {
        let Some(object) = value.as_object() else { return Ok(value.to_any()) };
        if object.node::<VarNode>().is_some() {
            return Ok(self.var(object).map_or_else(|| value.to_any(), Any::from));
        }
        if object.as_map().is_some() {
            return Ok(value.to_any());
        }
        let defines = self.defines(object);
        if !defines {
            if self.vars.is_empty() && self.threads.is_empty() {
                return Ok(value.to_any());
            }
            if let Some((_, known)) = self.done.get(&object.address()).filter(|(state, _)| *state == self.state) {
                return Ok(Any::Object(known.clone()));
            }
        } else {
            self.definitions += 1;
            if self.definitions > MAX_DEFINITIONS {
                let message = format!("the loop programs have more than {MAX_DEFINITIONS} statements with definitions");
                return Err(Error::new(ErrorKind::LimitExceeded, message));
            }
        }
        let new = with_stack(|| self.object(object))?;
        if !defines {
            self.done.insert(object.address(), (self.state, new.clone()));
        }
        Ok(Any::Object(new))
    }

    fn object(&mut self, object: ObjectView<'_>) -> Result<ObjectRef, Error> {
        if let Some(buffer) = object.to_handle::<Buffer>() {
            return Ok(self.buffer(&buffer)?.as_object().clone());
        }
        if let Some(array) = object.as_array() {
            let items = array.iter().map(|item| self.value(item)).collect::<Result<Vec<Any>, Error>>()?;
            let is_same = array.iter().zip(&items).all(|(item, new)| is_same(item, new));
            return Ok(if is_same { object.to_object() } else { Array::<Any>::from_anys(items).as_object().clone() });
        }
        match form(object) {
            None => {
                let fields = object.fields().map(|(field, _)| (field.name(), Part)).collect::<Vec<_>>();
                self.fields(object, &fields)
            }
            Some((fields, true)) => self.in_scope(|converter| converter.fields(object, fields)),
            Some((fields, false)) => self.fields(object, fields),
        }
    }

    /// The object with its fields changed in this order.
    fn fields(&mut self, object: ObjectView<'_>, order: &[(&'static str, Role)]) -> Result<ObjectRef, Error> {
        let mut changed: Vec<(&str, Any)> = Vec::new();
        for (name, role) in order {
            let Some(value) = object.get(name) else { continue };
            let new = match role {
                Part => self.value(value)?,
                Body => self.in_scope(|converter| converter.value(value))?,
                Definition => self.definition(value)?,
                Memory => self.memory(value)?,
                Subject => self.subject(value)?,
            };
            if !is_same(value, &new) {
                changed.push((name, new));
            }
        }
        if changed.is_empty() {
            return Ok(object.to_object());
        }
        let mut builder = ObjectBuilder::new(object.type_info())?;
        for (index, (field, value)) in object.fields().enumerate() {
            let new = changed.iter_mut().find(|(name, _)| *name == field.name());
            builder.set_index(index, new.map_or_else(|| value.to_any(), |(_, new)| std::mem::take(new)))?;
        }
        builder.build()
    }

    /// A variable, or an array of axes.
    fn definition(&mut self, value: AnyView<'_>) -> Result<Any, Error> {
        if let Ok(var) = value.cast::<Var>() {
            return Ok(self.define(&var).into());
        }
        let axes: Array<IterVar> = value.cast()?;
        let mut new: Vec<IterVar> = Vec::new();
        for axis in &axes {
            new.push(self.axis(axis, Converter::define)?);
        }
        let is_same = axes.iter().zip(&new).all(|(axis, new)| axis.ptr_eq(new));
        Ok(if is_same { value.to_any() } else { Array::from(new).into() })
    }

    /// The axis with the variable that `define` finds.
    fn axis(&mut self, axis: &IterVar, define: fn(&mut Self, &Var) -> Var) -> Result<IterVar, Error> {
        let dom = self.value(axis.dom.as_any_view())?;
        let var = define(self, &axis.var);
        if is_same(axis.dom.as_any_view(), &dom) && var.ptr_eq(&axis.var) {
            return Ok(axis.clone());
        }
        let dom = dom.cast()?;
        Ok(axis.clone().with_changes(|node| {
            node.dom = dom;
            node.var = var;
        }))
    }

    /// A buffer, or an array of buffers.
    fn memory(&mut self, value: AnyView<'_>) -> Result<Any, Error> {
        if let Ok(buffer) = value.cast::<Buffer>() {
            self.define(&buffer.data);
            return Ok(self.buffer(&buffer)?.into());
        }
        let buffers: Array<Buffer> = value.cast()?;
        for buffer in &buffers {
            self.define(&buffer.data);
        }
        self.value(value)
    }

    /// The subject of an attribute: the axis of a thread, a variable, a buffer or another expression, or a value that stays.
    fn subject(&mut self, value: AnyView<'_>) -> Result<Any, Error> {
        let Some(object) = value.as_object() else { return Ok(value.to_any()) };
        if let Some(axis) = object.to_handle::<IterVar>() {
            return Ok(self.axis(&axis, Converter::thread)?.into());
        }
        let is_expr = object.node::<PrimExprNode>().is_some() || object.node::<BufferNode>().is_some();
        if is_expr { self.value(value) } else { Ok(value.to_any()) }
    }

    /// Whether the object contains definitions.
    fn defines(&mut self, object: ObjectView<'_>) -> bool {
        if let Some(known) = self.defines.get(&object.address()) {
            return *known;
        }
        let is_thread = |node: &AttrStmtNode| {
            node.node.as_any_view().as_object().is_some_and(|node| node.node::<IterVarNode>().is_some())
        };
        let is_definition =
            form(object).is_some_and(|(fields, _)| fields.iter().any(|(_, role)| matches!(role, Definition | Memory)));
        let defines = is_definition
            || object.node::<AttrStmtNode>().is_some_and(is_thread)
            || with_stack(|| self.parts_define(object));
        self.defines.insert(object.address(), defines);
        defines
    }

    fn parts_define(&mut self, object: ObjectView<'_>) -> bool {
        let mut defines = |value: AnyView<'_>| value.as_object().is_some_and(|object| self.defines(object));
        match object.as_array() {
            Some(array) => array.iter().any(&mut defines),
            None => object.node::<BufferNode>().is_none() && object.fields().any(|(_, value)| defines(value)),
        }
    }

    fn function(&mut self, function: &PrimFunc) -> Result<PrimFunc, Error> {
        self.threads.clear();
        let params: Vec<Var> = function.params.iter().map(|param| self.define(&param)).collect();
        let mut own: FxHashSet<usize> = function.params.iter().map(|param| view(&param).address()).collect();
        // A buffer of a parameter defines the variables that are its sizes.
        for (_, buffer) in &function.buffer_map {
            let sizes = buffer.shape.iter().chain(buffer.strides.iter()).chain([buffer.elem_offset.clone()]);
            for var in sizes.filter_map(|size| size.downcast_ref::<Var>().cloned()).chain([buffer.data.clone()]) {
                if own.insert(view(&var).address()) {
                    self.define(&var);
                }
            }
        }
        let mut buffers: Vec<(Var, Buffer)> = Vec::new();
        for (param, buffer) in &function.buffer_map {
            let param = self.var(view(param)).unwrap_or(param).clone();
            buffers.push((param, self.buffer(buffer)?));
        }
        let body: Stmt = self.value(function.body.as_any_view())?.cast()?;
        let same_params = function.params.iter().zip(&params).all(|(param, new)| param.ptr_eq(new));
        let same_buffers = function.buffer_map.iter().zip(&buffers).all(|((_, buffer), (_, new))| buffer.ptr_eq(new));
        if same_params && same_buffers && body.ptr_eq(&function.body) {
            return Ok(function.clone());
        }
        Ok(function.clone().with_changes(|node| {
            node.params = Array::from(params);
            node.buffer_map = Map::new(buffers);
            node.body = body;
        }))
    }
}

/// Whether both buffers have the same address, and sizes over the same variables.
fn is_same_memory(a: &Buffer, b: &Buffer) -> bool {
    let sizes = |buffer: &Buffer| -> Vec<PrimExpr> {
        let lists = [&buffer.shape, &buffer.strides, &buffer.allocated_addr];
        lists.into_iter().flatten().cloned().chain([buffer.elem_offset.clone()]).collect()
    };
    // A buffer binds the variables in it, and its sizes alone do not.
    let (of_a, of_b) = (sizes(a), sizes(b));
    a.data.ptr_eq(&b.data) && of_a.len() == of_b.len() && of_a.iter().zip(&of_b).all(|(a, b)| structural_equal(a, b))
}

/// Whether both are one object, or no objects.
fn is_same(value: AnyView<'_>, new: &Any) -> bool {
    match (value.as_object(), new.view().as_object()) {
        (Some(a), Some(b)) => a.ptr_eq(b),
        _ => true,
    }
}

/// The module whose loop programs define each variable once. Each later definition of a variable, also in another function, defines a
/// copy with the same name, and the uses in its scope are uses of the copy. (TVM 0.25 `tirx.transform.ConvertSSA`, which takes the
/// variable of a loop for the variable in its own extent)
///
/// # Errors
/// [`LimitExceeded`](ErrorKind::LimitExceeded) for more than a million statements with definitions, where a statement that stands at
/// two places counts twice.
///
/// ```
/// use object_core::prelude::*;
/// use object_ir::ir::IRModule;
/// use object_relax::transform::convert_ssa;
///
/// /// Whether no variable has two definitions.
/// fn is_ssa(module: &IRModule) -> Result<bool, Error> {
///     Ok(convert_ssa(module)?.ptr_eq(module))
/// }
/// ```
pub fn convert_ssa(module: &IRModule) -> Result<IRModule, Error> {
    let mut converter = Converter::default();
    let mut functions: Vec<(GlobalVar, BaseFunc)> = Vec::new();
    let mut is_changed = false;
    for (var, function) in &module.functions {
        let new = match function.downcast_ref::<PrimFunc>() {
            Some(program) => {
                let changed = converter.in_scope(|converter| converter.function(program));
                changed.map_err(|error| error.context(format!("function `{}`", var.name_hint)))?.into()
            }
            None => function.clone(),
        };
        is_changed |= !new.ptr_eq(function);
        functions.push((var.clone(), new));
    }
    if !is_changed {
        return Ok(module.clone());
    }
    Ok(module.clone().with_changes(|node| node.functions = Map::new(functions)))
}

//! [`Group`]: the dataflow of a function, with a box for each binding and an arrow for each use.

use std::collections::HashMap;

use object_core::{Any, ObjectHandle, brief_to};
use object_ir::ir::{BaseFunc, Binding, Function, IRModule, RelaxExpr, StructInfo, Var};
use object_ir::kind::{BindingKind, RelaxExprKind};
use object_relax::analysis::used_vars;
use object_script::print::ScriptPrinter;
use object_script::rendering::OneLine;

/// The number of characters of the longest line in a box.
const MAX_LINE: usize = 44;

/// Which part of a function a box stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Parameter,
    Binding,
    Result,
    /// The bindings for which the picture has no room.
    Rest,
}

/// A box: the operator and the variable with its type.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) part: Part,
    pub(crate) title: String,
    pub(crate) line: String,
    /// The name of the variable, as far as a box shows it.
    pub(crate) name: String,
    pub(crate) struct_info: Option<StructInfo>,
    /// The attributes of a call.
    pub(crate) attributes: Vec<(String, String)>,
}

/// A function.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) items: Vec<Item>,
    /// From the item that is used to the item that uses it. Items use only earlier ones.
    pub(crate) arrows: Vec<(usize, usize)>,
}

/// The functions of Relax in a module or a function, with at most about `max_items` boxes. Empty for other values.
pub(crate) fn groups(root: &Any, printer: &ScriptPrinter, max_items: usize) -> Vec<Group> {
    let mut functions: Vec<(String, Function)> = Vec::new();
    if let Ok(module) = root.clone().cast::<IRModule>() {
        for (var, function) in &module.functions {
            let function: &BaseFunc = function;
            functions.extend(function.downcast_ref::<Function>().map(|it| (var.name_hint.to_string(), it.clone())));
        }
    } else if let Ok(function) = root.clone().cast::<Function>() {
        functions.push(("function".to_owned(), function));
    }
    let mut room = max_items;
    let mut groups = Vec::new();
    for (name, function) in functions {
        let group = Reader { printer, items: Vec::new(), arrows: Vec::new(), known: HashMap::new(), room };
        let group = group.read(&name, &function);
        room = room.saturating_sub(group.items.len());
        groups.push(group);
    }
    groups
}

struct Reader<'a> {
    printer: &'a ScriptPrinter,
    items: Vec<Item>,
    arrows: Vec<(usize, usize)>,
    /// The items of variables, by address. A parameter gets an item with its first use.
    known: HashMap<usize, Known>,
    /// The number of items, after which the group has none besides the last ones.
    room: usize,
}

enum Known {
    Item(usize),
    Parameter(Var),
}

impl Reader<'_> {
    fn read(mut self, name: &str, function: &Function) -> Group {
        for param in &function.params {
            self.known.insert(address(param), Known::Parameter(param.clone()));
        }
        let bindings: Vec<Binding> =
            function.body.blocks.iter().flat_map(|block| block.bindings.iter().collect::<Vec<_>>()).collect();
        let mut left_out = 0;
        for binding in &bindings {
            if self.items.len() >= self.room {
                left_out += 1;
                continue;
            }
            let (var, value) = match BindingKind::of(binding) {
                BindingKind::VarBinding(it) => (&it.var, &it.value),
                BindingKind::MatchCast(it) => (&it.var, &it.value),
                BindingKind::Other(_) => continue,
            };
            let used = self.used(value);
            let item = self.add(Part::Binding, &operation(value), Some(var));
            self.items[item].attributes = attributes(value);
            self.arrows.extend(used.into_iter().map(|from| (from, item)));
            self.known.insert(address(var), Known::Item(item));
        }
        if left_out > 0 {
            let rest = self.add(Part::Rest, &format!("... {left_out} more bindings"), None);
            "`--boxes` shows more".clone_into(&mut self.items[rest].line);
        }
        let used = self.used(&function.body.body);
        let result = self.add(Part::Result, "return", None);
        self.items[result].line = short(&shown_type(self.printer, &function.ret_struct_info));
        self.items[result].struct_info = Some(function.ret_struct_info.clone());
        self.arrows.extend(used.into_iter().map(|from| (from, result)));
        let count = bindings.len();
        let title = format!("{name}: {count} binding{}", if count == 1 { "" } else { "s" });
        Group { name: name.to_owned(), title, items: self.items, arrows: self.arrows }
    }

    fn add(&mut self, part: Part, title: &str, var: Option<&Var>) -> usize {
        let name = var.map_or_else(String::new, |var| var.vid.name_hint.to_string());
        let struct_info = var.and_then(|var| var.struct_info.clone());
        let shown = struct_info.as_ref().map(|info| shown_type(self.printer, info)).unwrap_or_default();
        let line = match part {
            Part::Binding => format!("{name}  {shown}"),
            _ => shown,
        };
        self.items.push(Item {
            part,
            title: short(title),
            line: short(&line),
            name: short(&name),
            struct_info,
            attributes: Vec::new(),
        });
        self.items.len() - 1
    }

    /// The items of the variables that an expression uses, each once.
    fn used(&mut self, value: &RelaxExpr) -> Vec<usize> {
        let mut items = Vec::new();
        for var in used_vars(value) {
            let item = match self.known.get(&address(&var)) {
                Some(Known::Item(item)) => *item,
                Some(Known::Parameter(param)) => {
                    if self.items.len() >= self.room {
                        continue;
                    }
                    let param = param.clone();
                    let item = self.add(Part::Parameter, &param.vid.name_hint, Some(&param));
                    self.known.insert(address(&var), Known::Item(item));
                    item
                }
                None => continue,
            };
            items.push(item);
        }
        items
    }
}

fn address(var: &Var) -> usize {
    var.as_object().view().address()
}

fn short(text: &str) -> String {
    brief_to(text, MAX_LINE).to_string()
}

/// The operator, the function or the kind of an expression.
fn operation(value: &RelaxExpr) -> String {
    match RelaxExprKind::of(value) {
        RelaxExprKind::Call(call) => {
            let callee = name(&call.op);
            let first = call.args.iter().next();
            match first.as_ref().map(RelaxExprKind::of) {
                Some(RelaxExprKind::GlobalVar(function)) => format!("{callee} {}", function.name_hint),
                Some(RelaxExprKind::ExternFunc(function)) => format!("{callee} {}", function.global_symbol),
                _ => callee,
            }
        }
        RelaxExprKind::TupleGetItem(it) => format!("[{}]", it.index),
        _ => name(value),
    }
}

fn name(value: &RelaxExpr) -> String {
    match RelaxExprKind::of(value) {
        RelaxExprKind::Op(op) => op.name.strip_prefix("relax.").unwrap_or(&op.name).to_owned(),
        RelaxExprKind::GlobalVar(it) => it.name_hint.to_string(),
        RelaxExprKind::ExternFunc(it) => it.global_symbol.to_string(),
        RelaxExprKind::Var(it) => it.vid.name_hint.to_string(),
        _ => {
            let key = value.as_object().type_info().type_key();
            key.rsplit('.').next().unwrap_or(key).to_owned()
        }
    }
}

/// The attributes of a call with their values.
fn attributes(value: &RelaxExpr) -> Vec<(String, String)> {
    let RelaxExprKind::Call(call) = RelaxExprKind::of(value) else { return Vec::new() };
    let Some(attrs) = &call.attrs else { return Vec::new() };
    let fields = attrs.as_object().view().fields();
    fields.map(|(field, value)| (field.name().to_owned(), OneLine(value).to_string())).collect()
}

/// A type as the last line of its script, tensors in short: `(n, 32) float32`.
fn shown_type(printer: &ScriptPrinter, info: &StructInfo) -> String {
    let text = printer.print_text(info);
    let line = text.lines().last().unwrap_or_default();
    let tensor = line.strip_prefix("R.Tensor(").and_then(|rest| rest.strip_suffix("\")")).and_then(|rest| {
        let (shape, dtype) = rest.rsplit_once(", dtype=\"")?;
        Some(format!("{shape} {dtype}").replace('"', ""))
    });
    tensor.unwrap_or_else(|| line.to_owned())
}

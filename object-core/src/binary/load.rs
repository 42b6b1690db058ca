//! [`Loader`]: makes the values of nodes, each once, in the order of a traversal.

use super::column::{Column, Holds, in_bounds, malformed};
use super::file::{BinaryFile, Group, Plan, TensorColumns};
use super::node::BinaryNode;
use crate::container::{Assembly, AssemblySlots, PartialObject};
use crate::error::{Error, ErrorKind, Result};
use crate::graph::{bytes_of, list_bytes};
use crate::json::Account;
use crate::object::{Any, Body, Buildable, ObjectBuilder, Storage, TypeInfo, object_by_field};
use crate::stack_budget::StackBudget;
use crate::steps::step;
use crate::value::{Bytes, Shape, Str, Tensor};

/// The mark of a node whose value is not made.
const NEW: u32 = 0;
/// The mark of a node whose value is being made.
const OPEN: u32 = u32::MAX;

/// Makes the values of nodes.
pub(super) struct Loader<'l> {
    file: &'l BinaryFile<'l>,
    /// For each node: [`NEW`], [`OPEN`], or one more than the place of its value in the table. A part of a file needs few pages of this
    /// memory.
    marks: Vec<u32>,
    /// The places of the elements of the lists that are being made; an inner list comes after the outer one.
    elements: Vec<u32>,
    account: Account,
    stack: StackBudget,
}

impl<'l> Loader<'l> {
    /// A loader without values.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) if the table of the nodes exceeds the limit of the meter.
    pub(super) fn new(file: &'l BinaryFile<'l>) -> Result<Self> {
        let marks = vec![NEW; file.nodes as usize];
        Ok(Loader {
            file,
            marks,
            elements: Vec::new(),
            account: Account::new(file.options),
            stack: StackBudget::new(),
        })
    }

    /// The value of the node `root`, and the account of all values below it.
    ///
    /// # Errors
    /// The faults of the file, with the type of the node.
    pub(super) fn load(mut self, root: u32) -> Result<(Any, Account)> {
        let _marks = self.account.reserve(size_of_val(&*self.marks))?;
        let mut slots = AssemblySlots::with_capacity(0);
        let place = self.value(&mut slots.table(), root)?;
        let value = slots.table().get(place).unwrap_or_default();
        Ok((value, self.account))
    }

    /// The place of the value of a node, which the first call makes.
    #[inline(always)]
    fn value(&mut self, values: &mut Assembly<'_>, node: u32) -> Result<u32> {
        match self.marks.get(node as usize) {
            Some(&NEW) => self.make(values, node),
            Some(&OPEN) => Err(cycle(node)),
            Some(mark) => Ok(mark - 1),
            None => in_bounds(None, || format!("the reference to node {node}")),
        }
    }

    /// Makes the value of a node.
    fn make(&mut self, values: &mut Assembly<'_>, node: u32) -> Result<u32> {
        if !self.stack.is_left() {
            self.make_below(values, node)?;
        }
        self.make_node(values, node)
    }

    /// Makes the values of all nodes below a node, with frames on the heap: each node after the nodes to which it refers.
    fn make_below(&mut self, values: &mut Assembly<'_>, node: u32) -> Result<()> {
        let file = self.file;
        let mut frames = vec![(node, 0)];
        while let Some((node, next)) = frames.last_mut() {
            let Some(child) = BinaryNode::new(file, *node).reference(next)? else {
                self.marks[*node as usize] = NEW;
                let node = *node;
                frames.pop();
                if !frames.is_empty() {
                    self.make_node(values, node)?;
                }
                continue;
            };
            self.marks[*node as usize] = OPEN;
            match self.marks.get(child as usize) {
                Some(&NEW) => frames.push((child, 0)),
                Some(&OPEN) => return Err(cycle(child)),
                _ => {}
            }
        }
        Ok(())
    }

    /// Makes the value of a node, and the values of the nodes below it that are not made.
    fn make_node(&mut self, values: &mut Assembly<'_>, node: u32) -> Result<u32> {
        step();
        let file = self.file;
        let (group, row) = in_bounds(file.place(node), || format!("the reference to node {node}"))?;
        self.account.nodes(1)?;
        self.marks[node as usize] = OPEN;
        let made = match &group.plan {
            Plan::Fields(info, columns) => self.make_object(values, *info, columns, row),
            Plan::Elements(info, list) => {
                let range = in_bounds(list.ends.range(row), || "a list".to_owned())?;
                self.make_list(values, info, list.elements, range)
            }
            Plan::Text(info, list) => {
                let bytes = in_bounds(list.bytes(row), || "a text".to_owned())?;
                let text = text_of(bytes)?;
                self.account.bytes(bytes_of(info, text.len()))?;
                Ok(values.set_text(values.len() as u32, text))
            }
            Plan::Plain(column) => self.plain(values, *column, row).map(|value| set(values, value)),
            Plan::Key(info, index, column) => self.plain(values, *column, row).and_then(|key| {
                self.account.bytes(bytes_of(info, 0))?;
                Ok(set(values, object_by_field(info, *index, key)?))
            }),
            plan => self.leaf(plan, row).map(|value| set(values, value)),
        };
        let place = match made {
            Ok(Some(())) => values.len() as u32 - 1,
            Ok(None) => return Err(in_group(malformed("a value does not fit its place"), group)),
            Err(error) => return Err(in_group(error, group)),
        };
        self.marks[node as usize] = place + 1;
        Ok(place)
    }

    /// Makes an object with fields.
    #[inline(always)]
    fn make_object(
        &mut self,
        values: &mut Assembly<'_>,
        info: Buildable,
        columns: &[(usize, Column<'_>)],
        row: usize,
    ) -> Result<Option<()>> {
        self.account.bytes(info.bytes())?;
        let mut object = values.object(info);
        for (index, column) in columns {
            let number = in_bounds(column.get(row), || "a column".to_owned())?;
            if column.holds == Holds::Node {
                let place = self.value(&mut object.table(), number_of_node(number)?)?;
                if object.field(*index).and_then(|field| field.set_node(place)).is_none() {
                    let value = object.table().get(place).unwrap_or_default();
                    return Err(rejected(info.info(), *index, value));
                }
            } else {
                set_inline(&mut object, info.info(), *index, column.holds, number)?;
            }
        }
        let place = object.table().len() as u32;
        Ok(object.finish(place))
    }

    /// Makes an array or a map.
    fn make_list(
        &mut self,
        values: &mut Assembly<'_>,
        info: &'static TypeInfo,
        elements: Column<'_>,
        range: std::ops::Range<usize>,
    ) -> Result<Option<()>> {
        if range.end > elements.len() {
            return in_bounds(None, || "a list".to_owned());
        }
        self.account.nodes(range.len())?;
        self.account.bytes(list_bytes(info, range.len()))?;
        let first = self.elements.len();
        for at in range {
            let node = number_of_node(in_bounds(elements.get(at), || "a list".to_owned())?)?;
            let place = self.value(values, node)?;
            self.elements.push(place);
        }
        let (index, places) = (values.len() as u32, &self.elements[first..]);
        let made = match info.body {
            Body::Map => values.set_entries(index, info, places),
            _ => values.set_sequence(index, info, places),
        };
        self.elements.truncate(first);
        Ok(made)
    }

    /// The plain value in a row, which may be a node.
    fn plain(&mut self, values: &mut Assembly<'_>, column: Column<'_>, row: usize) -> Result<Any> {
        let number = in_bounds(column.get(row), || "a column".to_owned())?;
        if column.holds == Holds::Node {
            let place = self.value(values, number_of_node(number)?)?;
            return Ok(values.get(place).unwrap_or_default());
        }
        in_bounds(column.holds.value(number), || "a value".to_owned())
    }

    /// The value of a node without references.
    fn leaf(&mut self, plan: &Plan<'_>, row: usize) -> Result<Any> {
        match plan {
            Plan::TextKey(info, index, list) => {
                let text = text_of(in_bounds(list.bytes(row), || "a text".to_owned())?)?;
                self.account.bytes(bytes_of(info, 0))?;
                object_by_field(info, *index, Str::new(text).into())
            }
            Plan::Bytes(info, list) => {
                let bytes = in_bounds(list.bytes(row), || "bytes".to_owned())?;
                self.account.bytes(bytes_of(info, bytes.len()))?;
                Ok(Bytes::new(bytes).into())
            }
            Plan::Shape(info, list) => {
                let extents = in_bounds(list.numbers(row), || "a shape".to_owned())?;
                self.account.bytes(bytes_of(info, extents.len()))?;
                Ok(Shape::new(&extents.map(u64::cast_signed).collect::<Vec<i64>>()).into())
            }
            Plan::Tensor(info, columns) => self.tensor(info, columns, row).map(Any::from),
            _ => Err(malformed("the node has references")),
        }
    }

    fn tensor(&mut self, info: &TypeInfo, columns: &TensorColumns<'_>, row: usize) -> Result<Tensor> {
        let value = columns.dtype.get(row).and_then(|number| Holds::DType.value(number));
        let Some(Any::DataType(dtype)) = value else { return in_bounds(None, || "a data type".to_owned()) };
        let extents = in_bounds(columns.shape.numbers(row), || "a shape".to_owned())?;
        let shape: Vec<i64> = extents.map(u64::cast_signed).collect();
        let data = match in_bounds(columns.entry.index(row), || "the entries of tensors".to_owned())? {
            0 => {
                let bytes = in_bounds(columns.bytes.bytes(row), || "the data of tensors".to_owned())?;
                self.account.bytes(bytes.len())?;
                Bytes::new(bytes)
            }
            entry => self.mapped(entry - 1)?,
        };
        self.account.bytes(bytes_of(info, 8 * shape.len()))?;
        Tensor::new(dtype, Shape::new(&shape), data)
    }

    /// The data of a tensor of the container, which shares the memory of the file.
    fn mapped(&self, entry: usize) -> Result<Bytes> {
        let range = self.file.tensors.get(entry).copied();
        let data = range.and_then(|(start, end)| self.file.bytes.slice(start, end));
        in_bounds(data, || format!("the tensor {entry} of the container"))
    }
}

/// Sets a field that is not a node.
#[inline(always)]
fn set_inline(
    object: &mut PartialObject<'_>,
    info: &'static TypeInfo,
    index: usize,
    holds: Holds,
    number: u64,
) -> Result<()> {
    let Some(field) = object.field(index).map(|field| field.vacant) else {
        return Err(malformed("a field stands twice"));
    };
    let is_set = match (holds, field.info().storage()) {
        (Holds::Int, Storage::Int) => field.set_int(number.cast_signed()),
        (Holds::Bool, Storage::Bool) if number <= 1 => field.set_bool(number == 1),
        _ => match holds.value(number) {
            Some(Any::DataType(value)) if field.info().storage() == Storage::DataType => field.set_dtype(value),
            Some(value) => return field.set_any(value),
            None => return Err(malformed(format!("a number of `{}` stands for no value", info.fields()[index].name))),
        },
    };
    debug_assert!(is_set, "the storage is the one of the value");
    Ok(())
}

/// Adds a value to the table.
fn set(values: &mut Assembly<'_>, value: Any) -> Option<()> {
    values.set(values.len() as u32, value)
}

#[inline(always)]
fn number_of_node(number: u64) -> Result<u32> {
    in_bounds(u32::try_from(number).ok(), || "a reference".to_owned())
}

fn text_of(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|error| malformed(format!("a text is not UTF-8: {error}")))
}

/// The error of a field that does not take the value of a node.
#[cold]
fn rejected(info: &'static TypeInfo, index: usize, value: Any) -> Error {
    let set = ObjectBuilder::new(info).and_then(|mut builder| builder.set_index(index, value));
    set.err().unwrap_or_else(|| malformed("a value does not fit its field"))
}

fn in_group(error: Error, group: &Group<'_>) -> Error {
    // The path of an error begins at the object and not at the root.
    error.without_path().context(format_args!("a node of type `{}`", group.type_key))
}

#[cold]
fn cycle(node: u32) -> Error {
    Error::new(ErrorKind::Cycle, format!("node {node} refers to itself through other nodes: a cycle"))
}

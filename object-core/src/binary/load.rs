//! [`Loader`]: makes the values of nodes, each once, in the order of a traversal.

use super::column::{Column, Holds, in_bounds, malformed};
use super::file::{BinaryFile, Group, List, OldColumn, Plan, TensorColumns};
use crate::container::{Assembly, AssemblySlots, PartialObject};
use crate::error::{Error, ErrorKind, Result};
use crate::evolution::Upgrade;
use crate::graph::{bytes_of, list_bytes};
use crate::json::Account;
use crate::object::{Any, Body, Buildable, ObjectBuilder, Storage, TypeInfo, object_by_field};
use crate::stack_budget::StackBudget;
use crate::steps::step;
use crate::value::{Bytes, Shape, Str, Tensor};

/// Makes the values of nodes.
pub(super) struct Loader<'l> {
    file: &'l BinaryFile<'l>,
    places: Places,
    /// The places of the elements of the lists that are being made; an inner list comes after the outer one.
    elements: Vec<u32>,
    account: Account,
    stack: StackBudget,
}

/// The places of the values of nodes in the table.
enum Places {
    /// The numbers of the nodes: a whole file.
    Numbers,
    /// For each node one more than its place, or 0 if its value is not made. A part of a file needs few pages of this memory.
    Marks(Vec<u32>),
}

impl<'l> Loader<'l> {
    /// A loader without values.
    pub(super) fn new(file: &'l BinaryFile<'l>) -> Self {
        Loader {
            file,
            places: Places::Numbers,
            elements: Vec::new(),
            account: Account::new(file.options),
            stack: StackBudget::new(),
        }
    }

    /// The value of the root, and the account of all values below it.
    ///
    /// # Errors
    /// The faults of the file, with the type of the node.
    pub(super) fn load_all(mut self) -> Result<(Any, Account)> {
        let nodes = self.file.nodes as usize;
        let _table = self.account.reserve(nodes * AssemblySlots::BYTES)?;
        let mut slots = AssemblySlots::with_capacity(nodes);
        slots.table().extend_to(nodes);
        let value = self.load_into(&mut slots, self.file.root_number())?;
        Ok((value, self.account))
    }

    /// The value of one node.
    ///
    /// # Errors
    /// As [`load_all`](Self::load_all).
    pub(super) fn load(mut self, node: u32) -> Result<Any> {
        let marks = vec![0; self.file.nodes as usize];
        let _marks = self.account.reserve(size_of_val(&*marks))?;
        self.places = Places::Marks(marks);
        self.load_into(&mut AssemblySlots::with_capacity(0), node)
    }

    fn load_into(&mut self, slots: &mut AssemblySlots, node: u32) -> Result<Any> {
        let place = self.value(&mut slots.table(), node)?;
        Ok(slots.table().get(place).unwrap_or_default())
    }

    /// The place of the value of a node, if the value is made.
    #[inline(always)]
    fn place(&self, values: &Assembly<'_>, node: u32) -> Result<Option<u32>> {
        let place = match &self.places {
            Places::Numbers if values.is_empty_at(node) => Some(None),
            Places::Numbers => ((node as usize) < values.len()).then_some(Some(node)),
            Places::Marks(marks) => marks.get(node as usize).map(|mark| mark.checked_sub(1)),
        };
        in_bounds(place, || format!("the reference to node {node}"))
    }

    /// The place of the value of a node, which the first call makes.
    #[inline(always)]
    fn value(&mut self, values: &mut Assembly<'_>, node: u32) -> Result<u32> {
        match self.place(values, node)? {
            Some(place) => Ok(place),
            None => self.make(values, node),
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
            let node = *node;
            match file.reference(node, next)? {
                Some(child) if self.place(values, child)?.is_some() => {}
                // A node in the frames stands there twice.
                Some(child) if frames.len() > file.nodes as usize => {
                    let message = format!("node {child} refers to itself through other nodes: a cycle");
                    return Err(Error::new(ErrorKind::Cycle, message));
                }
                Some(child) => frames.push((child, 0)),
                None => {
                    frames.pop();
                    // The caller makes the first node.
                    if !frames.is_empty() && self.place(values, node)?.is_none() {
                        self.make_node(values, node)?;
                    }
                }
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
        let made = match &group.plan {
            Plan::Fields(info, columns) => self.make_object(values, node, *info, columns, row),
            Plan::Elements(info, list) => self.make_list(values, node, info, *list, row),
            Plan::Old(upgrade, columns) => self.make_old(values, upgrade, columns, row).map(|value| {
                let place = self.new_place(values, node);
                values.set(place, value)
            }),
            plan => self.leaf(values, plan, row).map(|value| {
                let place = self.new_place(values, node);
                values.set(place, value)
            }),
        };
        match made {
            Ok(Some(())) => {}
            Ok(None) => return Err(in_group(malformed("a value does not fit its place"), group)),
            Err(error) => return Err(in_group(error, group)),
        }
        match &mut self.places {
            Places::Numbers => Ok(node),
            Places::Marks(marks) => {
                let mark = values.len() as u32;
                marks[node as usize] = mark;
                Ok(mark - 1)
            }
        }
    }

    /// The place for the value of a node.
    #[inline(always)]
    fn new_place(&self, values: &Assembly<'_>, node: u32) -> u32 {
        match &self.places {
            Places::Numbers => node,
            Places::Marks(_) => values.len() as u32,
        }
    }

    /// Makes an object with fields.
    #[inline(always)]
    fn make_object(
        &mut self,
        values: &mut Assembly<'_>,
        node: u32,
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
        let place = self.new_place(&object.table(), node);
        Ok(object.finish(place))
    }

    /// Makes an object of another declaration.
    fn make_old(
        &mut self,
        values: &mut Assembly<'_>,
        upgrade: &Upgrade,
        columns: &[(usize, OldColumn<'_>)],
        row: usize,
    ) -> Result<Any> {
        self.account.bytes(bytes_of(upgrade.info(), 0))?;
        let mut fields = Vec::with_capacity(columns.len());
        for (index, column) in columns {
            let value = match column {
                OldColumn::Texts(list) => {
                    Str::new(text_of(in_bounds(list.bytes(row), || "a text".to_owned())?)?).into()
                }
                OldColumn::Numbers(column) => self.plain(values, *column, row)?,
            };
            let named = match upgrade.record().fields.get(*index) {
                Some(field) => field.with_variant_name(value)?,
                None => value,
            };
            fields.push((*index, named));
        }
        upgrade.object(fields, self.file.options.newer)
    }

    /// Makes an array or a map.
    fn make_list(
        &mut self,
        values: &mut Assembly<'_>,
        node: u32,
        info: &'static TypeInfo,
        list: List<'_>,
        row: usize,
    ) -> Result<Option<()>> {
        let range = in_bounds(list.ends.range(row), || "a list".to_owned())?;
        if range.end > list.elements.len() {
            return in_bounds(None, || "a list".to_owned());
        }
        self.account.nodes(range.len())?;
        self.account.bytes(list_bytes(info, range.len()))?;
        let first = self.elements.len();
        for at in range {
            let element = number_of_node(in_bounds(list.elements.get(at), || "a list".to_owned())?)?;
            let place = self.value(values, element)?;
            self.elements.push(place);
        }
        let (index, places) = (self.new_place(values, node), &self.elements[first..]);
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

    /// The value of a node that is neither a list nor an object with fields.
    fn leaf(&mut self, values: &mut Assembly<'_>, plan: &Plan<'_>, row: usize) -> Result<Any> {
        match plan {
            Plan::Plain(column) => self.plain(values, *column, row),
            Plan::Text(info, list) => {
                let text = text_of(in_bounds(list.bytes(row), || "a text".to_owned())?)?;
                self.account.bytes(bytes_of(info, text.len()))?;
                Ok(Str::new(text).into())
            }
            Plan::Key(info, index, column) => {
                let key = self.plain(values, *column, row)?;
                self.account.bytes(bytes_of(info, 0))?;
                object_by_field(info, *index, key)
            }
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
            Plan::Fields(..) | Plan::Elements(..) | Plan::Old(..) => Err(malformed("the node has references")),
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

//! [`Loader`]: makes the values of nodes, each once: of a whole file in the order of the file, of a part in the order of a traversal.

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

/// Makes the values of nodes: of all nodes in the order of the file, if `ALL`, or of one node and all nodes below it.
///
/// The number of a node is the place of its value in the table of all values. In the table of some, the nodes that are made
/// have marks.
pub(super) struct Loader<'l, const ALL: bool> {
    file: &'l BinaryFile<'l>,
    /// For each node one more than the place of its value, or 0 if its value is not made; empty if `ALL`. A part of a file needs few
    /// pages of this memory.
    marks: Vec<u32>,
    /// The places of the elements of the lists that are being made; an inner list comes after the outer one.
    elements: Vec<u32>,
    account: Account,
    stack: StackBudget,
}

/// The value of the root of a file, and the account of all its values.
///
/// # Errors
/// The faults of the file, with the type of the node.
pub(super) fn load_all<'l>(file: &'l BinaryFile<'l>) -> Result<(Any, Account)> {
    let mut loader = Loader::<true>::new(file);
    let nodes = file.nodes as usize;
    let _table = loader.account.reserve(nodes * AssemblySlots::BYTES + file.groups.len() * size_of::<u32>())?;
    let mut slots = AssemblySlots::with_capacity(nodes);
    let mut values = slots.table();
    values.extend_to(nodes);
    loader.make_plain_values(&mut values)?;
    loader.make_all(&mut values)?;
    let root = in_bounds(values.get(file.root_number()), || "the root".to_owned())?;
    Ok((root, loader.account))
}

/// The value of one node.
///
/// # Errors
/// As [`load_all`].
pub(super) fn load_part<'l>(file: &'l BinaryFile<'l>, node: u32) -> Result<Any> {
    let mut loader = Loader::<false>::new(file);
    let marks = vec![0; file.nodes as usize];
    let _marks = loader.account.reserve(size_of_val(&*marks))?;
    loader.marks = marks;
    let mut slots = AssemblySlots::with_capacity(0);
    let place = loader.value(&mut slots.table(), node)?;
    Ok(slots.table().get(place).unwrap_or_default())
}

impl Loader<'_, true> {
    /// Counts all nodes and the objects whose size their type determines, and makes the plain values.
    fn make_plain_values(&mut self, values: &mut Assembly<'_>) -> Result<()> {
        let file = self.file;
        self.account.nodes(file.nodes as usize)?;
        for group in &file.groups {
            match &group.plan {
                Plan::Fields(info, _) => self.account.bytes(info.bytes().saturating_mul(group.rows as usize))?,
                Plan::Plain(column) => {
                    for row in 0..group.rows {
                        let value =
                            self.plain(values, *column, row as usize).map_err(|error| in_group(error, group))?;
                        in_bounds(values.set(group.first + row, value), || "a value".to_owned())?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Makes the values of the other nodes, in the order of the file.
    fn make_all(&mut self, values: &mut Assembly<'_>) -> Result<()> {
        let file = self.file;
        // The next row of each group. Plain values are made.
        let first = |group: &Group<'_>| if matches!(group.plan, Plan::Plain(_)) { group.rows } else { 0 };
        let mut next: Vec<u32> = file.groups.iter().map(first).collect();
        for at in 0..file.order.len() {
            let index = file.order.index(at).unwrap_or(usize::MAX);
            let place = file.groups.get(index).zip(next.get_mut(index)).filter(|(group, row)| **row < group.rows);
            let (group, row) = in_bounds(place, || "the order of the nodes".to_owned())?;
            self.make_row(values, group, group.first + *row, *row as usize)?;
            *row += 1;
        }
        Ok(())
    }
}

impl<'l, const ALL: bool> Loader<'l, ALL> {
    /// A loader without values.
    fn new(file: &'l BinaryFile<'l>) -> Self {
        let account = Account::new(file.options);
        Loader { file, marks: Vec::new(), elements: Vec::new(), account, stack: StackBudget::new() }
    }

    /// The place of the value of a node. In a part of a file, the first call makes the value.
    #[inline(always)]
    fn value(&mut self, values: &mut Assembly<'_>, node: u32) -> Result<u32> {
        if ALL {
            // Whoever reads the table finds no value of a later node.
            return Ok(node);
        }
        match self.place(node)? {
            Some(place) => Ok(place),
            None => self.make(values, node),
        }
    }

    /// The place of the value of a node, if the value is made.
    #[inline(always)]
    fn place(&self, node: u32) -> Result<Option<u32>> {
        let place = self.marks.get(node as usize).map(|mark| mark.checked_sub(1));
        in_bounds(place, || format!("the reference to node {node}"))
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
                Some(child) if self.place(child)?.is_some() => {}
                // A node in the frames stands there twice.
                Some(child) if frames.len() > file.nodes as usize => {
                    let message = format!("node {child} refers to itself through other nodes: a cycle");
                    return Err(Error::new(ErrorKind::Cycle, message));
                }
                Some(child) => frames.push((child, 0)),
                None => {
                    frames.pop();
                    // The caller makes the first node.
                    if !frames.is_empty() && self.place(node)?.is_none() {
                        self.make_node(values, node)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes the value of a node, and the values of the nodes below it that are not made.
    fn make_node(&mut self, values: &mut Assembly<'_>, node: u32) -> Result<u32> {
        let (group, row) = in_bounds(self.file.place(node), || format!("the reference to node {node}"))?;
        self.account.nodes(1)?;
        if let Plan::Fields(info, _) = &group.plan {
            self.account.bytes(info.bytes())?;
        }
        self.make_row(values, group, node, row)?;
        let mark = values.len() as u32;
        self.marks[node as usize] = mark;
        Ok(mark - 1)
    }

    /// Makes the value of a node in this row of its group.
    #[inline(always)]
    fn make_row(&mut self, values: &mut Assembly<'_>, group: &Group<'_>, node: u32, row: usize) -> Result<()> {
        step();
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
            Ok(Some(())) => Ok(()),
            Ok(None) => {
                Err(in_group(malformed("a value does not fit its place, or a reference leads to a later node"), group))
            }
            Err(error) => Err(in_group(error, group)),
        }
    }

    /// The place for the value of a node.
    #[inline(always)]
    fn new_place(&self, values: &Assembly<'_>, node: u32) -> u32 {
        if ALL { node } else { values.len() as u32 }
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
        let mut object = values.object(info);
        for (index, column) in columns {
            let number = in_bounds(column.get(row), || "a column".to_owned())?;
            if column.holds == Holds::Node {
                let place = self.value(&mut object.table(), number_of_node(number)?)?;
                if object.field(*index).and_then(|field| field.set_node(place)).is_none() {
                    let value = made(&object.table(), place)?;
                    return Err(rejected(info.info(), *index, value));
                }
            } else {
                set_inline(&mut object, info.info(), *index, column.holds, number)?;
            }
        }
        let place = self.new_place(&object.table(), node);
        object.finish(place)
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
            return made(values, place);
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

/// The value at a place.
fn made(values: &Assembly<'_>, place: u32) -> Result<Any> {
    in_bounds(values.get(place), || {
        format!("the reference to node {place}, which does not come before the node with the reference,")
    })
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

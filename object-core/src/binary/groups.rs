//! [`Groups`]: the nodes of a graph by type, and the columns of each type, before they are bytes.

use serde_json::Value;

use super::column::Holds;
use crate::error::{Error, ErrorKind, Result};
use crate::evolution::RecordedType;
use crate::json::NodeOrder;
use crate::object::{AnyView, Body, JsonForm, ObjectView, TypeInfo};
use crate::table::{AddressMap, Table};
use crate::value::Tensor;

/// A tensor whose data has at least this many bytes has an entry of its own in the container, where it is aligned and mapped.
pub(super) const LARGE: usize = 4096;

/// A node by its group and its row, in 32 bits each, until the numbers of all groups are known.
#[derive(Clone, Copy)]
struct NodeAt(u64);

impl NodeAt {
    fn new(group: usize, row: u32) -> Self {
        NodeAt((group as u64) << 32 | u64::from(row))
    }
}

/// A column before its numbers are encoded.
pub(super) struct NewColumn {
    pub(super) name: &'static str,
    pub(super) holds: Holds,
    /// The fewest bytes of a number. One byte for elements of lists, so that no small file describes a long list.
    pub(super) least_width: u8,
    pub(super) numbers: Vec<u64>,
    /// The bytes of a column of bytes, instead of numbers.
    pub(super) bytes: Vec<u8>,
}

/// All nodes of one type.
pub(super) struct Group<'a> {
    pub(super) type_key: &'static str,
    /// The declaration of the type, unless it is in the form of TVM.
    pub(super) declaration: Option<Value>,
    pub(super) rows: u32,
    pub(super) columns: Vec<NewColumn>,
    /// The values of inline fields of which not all have one kind, with their columns.
    mixed: Vec<(usize, Vec<AnyView<'a>>)>,
}

/// The nodes of a graph by type.
#[derive(Default)]
pub(super) struct Groups<'a> {
    pub(super) all: Vec<Group<'a>>,
    /// The data of the tensors with entries of their own.
    pub(super) tensors: Vec<Tensor>,
    by_type: AddressMap<u32>,
    by_key: Table<&'static str, u32>,
    /// The nodes of plain values.
    plain: Table<(&'static str, u64), u64>,
    pub(super) root: u64,
}

impl<'a> Groups<'a> {
    /// The groups of a graph.
    ///
    /// # Errors
    /// [`NotSerializable`](ErrorKind::NotSerializable) for objects of types that the program does not know.
    pub(super) fn of(order: &NodeOrder<'a>) -> Result<Self> {
        let mut groups = Groups::default();
        let mut at: Vec<u64> = Vec::with_capacity(order.nodes.len());
        let mut references = &order.references[..];
        for node in &order.nodes {
            let place = match node {
                AnyView::Object(object) => groups.add_object(*object, &mut references, &at)?,
                plain => groups.add_plain(*plain)?,
            };
            at.push(place);
        }
        groups.root = at.last().copied().unwrap_or_default();
        groups.resolve_mixed()?;
        groups.number_nodes()?;
        Ok(groups)
    }

    /// The group of the key `type_key`, with the given columns if it is new.
    fn group(&mut self, type_key: &'static str, columns: impl FnOnce() -> Vec<NewColumn>) -> usize {
        if let Some(found) = self.by_key.get(type_key) {
            return *found as usize;
        }
        let index = self.all.len();
        self.by_key.insert(type_key, index as u32);
        self.all.push(Group { type_key, declaration: None, rows: 0, columns: columns(), mixed: Vec::new() });
        index
    }

    /// Adds a node of a plain value, if there is none.
    fn add_plain(&mut self, value: AnyView<'a>) -> Result<u64> {
        let (holds, number) = number_of(value);
        let key = value.type_key();
        if let Some(place) = self.plain.get(&(key, number)) {
            return Ok(*place);
        }
        let group = self.group(key, || vec![column("value", holds)]);
        let place = self.add_row(group)?;
        self.all[group].columns[0].numbers.push(number);
        self.plain.insert((key, number), place);
        Ok(place)
    }

    /// Adds a row to a group, whose columns the caller fills.
    fn add_row(&mut self, group: usize) -> Result<u64> {
        let row = self.all[group].rows;
        self.all[group].rows = row.checked_add(1).ok_or_else(too_many)?;
        Ok(NodeAt::new(group, row).0)
    }

    /// Adds the node of an object, whose references to other nodes are the next of `references`.
    fn add_object(&mut self, object: ObjectView<'a>, references: &mut &[u32], at: &[u64]) -> Result<u64> {
        let info = object.type_info();
        let address = std::ptr::from_ref(info).addr();
        let group = match self.by_type.get(address) {
            Some(group) => group as usize,
            None => {
                if self.by_key.contains_key(info.type_key) {
                    let message = format!("the graph has objects of two types with the key `{}`", info.type_key);
                    return Err(Error::new(ErrorKind::NotSerializable, message));
                }
                let columns = columns_of(info, object)?;
                let group = self.group(info.type_key, || columns);
                if RecordedType::is_in_files(info) {
                    self.all[group].declaration = Some(RecordedType::of(info).to_json(info));
                }
                *self.by_type.slot(address) = Some(group as u32);
                group
            }
        };
        let place = self.add_row(group)?;
        let mut next = |count: usize| {
            let (own, rest) = references.split_at_checked(count).unwrap_or_default();
            *references = rest;
            own.iter().map(|index| at[*index as usize])
        };
        let columns = &mut self.all[group].columns;
        match info.body {
            Body::Array => push_list(columns, next(object.as_array().map_or(0, |array| array.len()))),
            Body::Map => push_list(columns, next(2 * object.as_map().map_or(0, |map| map.len()))),
            Body::Str => push_bytes(columns, object.as_str().unwrap_or_default().as_bytes()),
            Body::Bytes => push_bytes(columns, object.as_bytes().unwrap_or_default()),
            Body::Shape => {
                push_list(columns, object.as_shape().unwrap_or_default().iter().map(|extent| extent.cast_unsigned()));
            }
            Body::Tensor => self.push_tensor(group, object),
            _ => match info.json {
                JsonForm::Field(index) => {
                    let value = object.field_at(index).unwrap_or_default();
                    match value.as_str() {
                        Some(text) => push_bytes(columns, text.as_bytes()),
                        None => self.push_inline(group, 0, value),
                    }
                }
                _ => {
                    for (index, field) in info.fields().iter().enumerate() {
                        if field.is_inline() {
                            self.push_inline(group, index, object.field_at(index).unwrap_or_default());
                        } else if let Some(node) = next(1).next() {
                            self.all[group].columns[index].numbers.push(node);
                        }
                    }
                }
            },
        }
        Ok(place)
    }

    fn push_tensor(&mut self, group: usize, object: ObjectView<'a>) {
        let Some(tensor) = object.to_handle::<Tensor>() else { return };
        let is_large = tensor.data.len() >= LARGE;
        let [dtype, shape @ .., entry, _, _] = &mut self.all[group].columns[..] else { return };
        dtype.numbers.push(u64::from(tensor.dtype.packed()));
        push_list(shape, tensor.shape.iter().map(|extent| extent.cast_unsigned()));
        entry.numbers.push(if is_large { self.tensors.len() as u64 + 1 } else { 0 });
        push_bytes(&mut self.all[group].columns[4..], if is_large { &[] } else { &tensor.data });
        if is_large {
            self.tensors.push(tensor);
        }
    }

    /// Adds the value of an inline field. Values of several kinds become nodes, when all values are known.
    fn push_inline(&mut self, group: usize, at: usize, value: AnyView<'a>) {
        let (holds, number) = number_of(value);
        let group = &mut self.all[group];
        let column = &mut group.columns[at];
        if let Some((_, values)) = group.mixed.iter_mut().find(|(column, _)| *column == at) {
            values.push(value);
        } else if column.numbers.is_empty() || column.holds == holds {
            column.holds = holds;
            column.numbers.push(number);
        } else {
            let first = column.numbers.iter().map(|number| column.holds.value(*number).unwrap_or_default());
            let mut values: Vec<AnyView<'a>> = first.filter_map(|value| value.view().as_plain()).collect();
            values.push(value);
            column.holds = Holds::Node;
            group.mixed.push((at, values));
        }
    }

    /// Makes nodes of the values of several kinds.
    fn resolve_mixed(&mut self) -> Result<()> {
        for group in 0..self.all.len() {
            for (column, values) in std::mem::take(&mut self.all[group].mixed) {
                let nodes = values.into_iter().map(|value| self.add_plain(value)).collect::<Result<Vec<u64>>>()?;
                self.all[group].columns[column].numbers = nodes;
            }
        }
        Ok(())
    }

    /// Replaces groups and rows by the numbers of nodes.
    fn number_nodes(&mut self) -> Result<()> {
        let mut first = 0_u32;
        let mut firsts = Vec::with_capacity(self.all.len());
        for group in &self.all {
            firsts.push(u64::from(first));
            first = first.checked_add(group.rows).ok_or_else(too_many)?;
        }
        let number = |place: u64| firsts[(place >> 32) as usize] + (place & u64::from(u32::MAX));
        self.root = number(self.root);
        for column in self.all.iter_mut().flat_map(|group| &mut group.columns).filter(|it| it.holds == Holds::Node) {
            column.numbers.iter_mut().for_each(|place| *place = number(*place));
        }
        Ok(())
    }
}

fn too_many() -> Error {
    Error::new(ErrorKind::NotSerializable, "the graph has more than 4294967295 nodes")
}

/// The meaning and the number of a plain value.
fn number_of(value: AnyView<'_>) -> (Holds, u64) {
    let holds = match value {
        // The bits of a number that is not one stay.
        AnyView::Float(value) => return (Holds::Float, value.to_bits()),
        AnyView::None | AnyView::Object(_) => Holds::None,
        AnyView::Bool(_) => Holds::Bool,
        AnyView::Int(_) => Holds::Int,
        AnyView::DataType(_) => Holds::DType,
        AnyView::Device(_) => Holds::Device,
    };
    (holds, value.plain_bits().map_or(0, |bits| bits.bits))
}

fn column(name: &'static str, holds: Holds) -> NewColumn {
    NewColumn { name, holds, least_width: 0, numbers: Vec::new(), bytes: Vec::new() }
}

/// The columns of a list: the ends of the rows, and all elements.
fn list(elements: &'static str, holds: Holds) -> Vec<NewColumn> {
    vec![column("ends", Holds::Int), NewColumn { least_width: 1, ..column(elements, holds) }]
}

/// Adds a row to the columns of a list.
fn push_list(columns: &mut [NewColumn], elements: impl Iterator<Item = u64>) {
    if let [ends, all] = columns {
        all.numbers.extend(elements);
        ends.numbers.push(all.numbers.len() as u64);
    }
}

/// Adds a row of bytes.
fn push_bytes(columns: &mut [NewColumn], bytes: &[u8]) {
    if let [ends, all] = columns {
        all.bytes.extend_from_slice(bytes);
        ends.numbers.push(all.bytes.len() as u64);
    }
}

/// The columns of a type whose first object is `object`.
fn columns_of(info: &'static TypeInfo, object: ObjectView<'_>) -> Result<Vec<NewColumn>> {
    Ok(match (info.body, info.json) {
        (Body::Array | Body::Map, _) => list("elements", Holds::Node),
        (Body::Str | Body::Bytes, _) => list("bytes", Holds::Byte),
        (Body::Shape, _) => list("extents", Holds::Int),
        (Body::Tensor, _) => {
            let mut columns = vec![column("dtype", Holds::DType)];
            columns.extend(list("extents", Holds::Int));
            columns.push(column("entry", Holds::Int));
            columns.extend(list("bytes", Holds::Byte));
            columns
        }
        (_, JsonForm::Field(index)) => match object.field_at(index).unwrap_or_default() {
            AnyView::Object(_) => list("bytes", Holds::Byte),
            _ => vec![column(info.fields()[index].name, Holds::None)],
        },
        (_, JsonForm::Fields) => {
            let holds = |inline| if inline { Holds::None } else { Holds::Node };
            info.fields().iter().map(|field| column(field.name, holds(field.is_inline()))).collect()
        }
        (_, JsonForm::Kept) => {
            let message =
                format!("a `{}` has no form in a binary graph: {}", info.type_key, crate::object::UNKNOWN_TYPE);
            return Err(Error::new(ErrorKind::NotSerializable, message));
        }
    })
}

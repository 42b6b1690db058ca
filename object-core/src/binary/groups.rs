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
    /// The groups of all objects, each object after the ones to which it refers.
    pub(super) order: Vec<u64>,
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
        for (node, references) in order.with_references() {
            let place = match node {
                AnyView::Object(object) => {
                    groups.add_object(object, references.iter().map(|index| at[*index as usize]))?
                }
                plain => groups.add_plain(plain)?,
            };
            at.push(place);
        }
        groups.root = at.last().copied().unwrap_or_default();
        groups.resolve_mixed()?;
        groups.number_nodes()?;
        Ok(groups)
    }

    /// Adds a group for the key `type_key`.
    fn add_group(&mut self, type_key: &'static str, declaration: Option<Value>, columns: Vec<NewColumn>) -> usize {
        let index = self.all.len();
        self.by_key.insert(type_key, index as u32);
        self.all.push(Group { type_key, declaration, rows: 0, columns, mixed: Vec::new() });
        index
    }

    /// The group of a type; of a type that the value of one field stands for, the group of texts or of other values. A file has one
    /// group for each of the two.
    fn group_of(&mut self, info: &'static TypeInfo, object: ObjectView<'_>) -> Result<usize> {
        let is_text = match info.json {
            JsonForm::Field(index) => object.field_at(index).is_some_and(|value| value.as_str().is_some()),
            _ => false,
        };
        // Tables of types are aligned, so the address of no other one is one more.
        let address = std::ptr::from_ref(info).addr();
        let forms = [address, address + 1];
        let form = forms[usize::from(is_text)];
        if let Some(group) = self.by_type.get(form) {
            return Ok(group as usize);
        }
        if self.by_key.contains_key(info.type_key) && forms.iter().all(|form| self.by_type.get(*form).is_none()) {
            let message = format!("the graph has objects of two types with the key `{}`", info.type_key);
            return Err(Error::new(ErrorKind::NotSerializable, message));
        }
        let declaration = RecordedType::is_in_files(info).then(|| RecordedType::of(info).to_json(info));
        let group = self.add_group(info.type_key, declaration, columns_of(info, is_text)?);
        *self.by_type.slot(form) = Some(group as u32);
        Ok(group)
    }

    /// Adds a node of a plain value, if there is none.
    fn add_plain(&mut self, value: AnyView<'a>) -> Result<u64> {
        let (holds, number) = number_of(value);
        let key = value.type_key();
        if let Some(place) = self.plain.get(&(key, number)) {
            return Ok(*place);
        }
        let group = match self.by_key.get(key) {
            Some(group) => *group as usize,
            None => self.add_group(key, None, vec![column("value", holds)]),
        };
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

    /// Adds the node of an object with its references to other nodes.
    fn add_object(&mut self, object: ObjectView<'a>, mut references: impl Iterator<Item = u64>) -> Result<u64> {
        let info = object.type_info();
        let group = self.group_of(info, object)?;
        let place = self.add_row(group)?;
        self.order.push(group as u64);
        let columns = &mut self.all[group].columns;
        match info.body {
            Body::Array | Body::Map => push_list(columns, references),
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
                        } else if let Some(node) = references.next() {
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

/// The columns of a type. `is_text` says whether texts stand for its objects.
fn columns_of(info: &'static TypeInfo, is_text: bool) -> Result<Vec<NewColumn>> {
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
        (_, JsonForm::Field(_)) if is_text => list("bytes", Holds::Byte),
        (_, JsonForm::Field(index)) => vec![column(info.fields()[index].name, Holds::None)],
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

//! [`BinaryFile`]: an open file, whose nodes are read when a program asks for them.

use super::column::{Column, Holds, SLACK, in_bounds, malformed};
use super::container::Header;
use super::directory::{Directory, GroupEntry};
use crate::error::{Error, ErrorKind, Result};
use crate::evolution::{RecordedType, Upgrade, index_of, may_be_absent};
use crate::json::{JsonReader, Metadata};
use crate::limits::{Limit, Limits};
use crate::object::{Body, Buildable, FieldInfo, JsonForm, TypeInfo};
use crate::text::brief::brief;
use crate::text::did_you_mean::did_you_mean;
use crate::value::Bytes;

/// A binary graph in memory or in a mapped file. Opening it reads the directory and the types, and no node.
pub struct BinaryFile<'f> {
    pub(super) bytes: &'f Bytes,
    pub(super) groups: Vec<Group<'f>>,
    /// The indices of the groups of all nodes but plain values, each node after the ones to which it refers.
    pub(super) order: Column<'f>,
    /// For each `1 << shift` nodes, the group of the first one.
    starts: Vec<u16>,
    shift: u32,
    /// The number of nodes.
    pub(super) nodes: u32,
    root: u32,
    pub(super) tensors: Vec<(usize, usize)>,
    pub(super) metadata: Option<Metadata>,
    /// Whether the file has declarations.
    pub(super) has_declarations: bool,
    pub(super) options: JsonReader<'f>,
}

/// The header of a binary graph, with facts that say with which types to read it.
#[derive(Debug)]
#[non_exhaustive]
pub struct BinaryParts {
    bytes: Bytes,
    directory: Directory,
    /// Where the entry `columns` begins and ends.
    columns: (usize, usize),
    /// Where the tensors begin and end.
    tensors: Vec<(usize, usize)>,
    /// The bytes of the directory and the columns.
    size: u64,
    /// The metadata of the graph.
    pub metadata: Option<Metadata>,
}

impl BinaryParts {
    /// The header of a file, within the limits of bytes and of messages.
    ///
    /// # Errors
    /// As [`BinaryFile::open`], except for errors of types.
    pub fn of(bytes: &Bytes, limits: &Limits) -> Result<Self> {
        Self::read(bytes, limits).map_err(|error| error.shorten(limits.max_message))
    }

    fn read(bytes: &Bytes, limits: &Limits) -> Result<Self> {
        let header = Header::read(bytes)?;
        let contents = header.contents()?;
        let (start, end) = contents.columns;
        let size = (contents.directory.len() + (end - start)) as u64;
        limits.check(Limit::Bytes, size)?;
        Ok(BinaryParts {
            bytes: bytes.clone(),
            directory: Directory::parse(contents.directory)?,
            columns: contents.columns,
            size,
            metadata: contents.metadata.map(Metadata::new).transpose()?,
            tensors: contents.tensors,
        })
    }

    /// The keys of the types of all nodes. Plain values have the names of their kinds, as in [`Any::type_key`](crate::Any::type_key).
    pub fn type_keys(&self) -> impl Iterator<Item = &str> {
        self.directory.groups.iter().map(|group| &*group.type_key)
    }

    /// The file, as [`BinaryFile::open`] opens it, without a second look at the header.
    ///
    /// # Errors
    /// As [`BinaryFile::open`].
    pub fn open<'f>(&'f self, options: JsonReader<'f>) -> Result<BinaryFile<'f>> {
        let opened =
            options.limits.check(Limit::Bytes, self.size).and_then(|()| BinaryFile::with(&self.bytes, self, options));
        opened.map_err(|error| error.shorten(options.limits.max_message))
    }
}

/// All nodes of one type.
pub(super) struct Group<'f> {
    pub(super) type_key: String,
    /// The number of the first node.
    pub(super) first: u32,
    /// The number of nodes.
    pub(super) rows: u32,
    pub(super) plan: Plan<'f>,
}

/// The form of the nodes of a group.
pub(super) enum Plan<'f> {
    /// Plain values.
    Plain(Column<'f>),
    /// Objects with fields: the index of each field in the type, and its column.
    Fields(Buildable, Vec<(usize, Column<'f>)>),
    /// Objects of another declaration: the index of each field in that declaration, and its values.
    Old(Box<Upgrade>, Vec<(usize, OldColumn<'f>)>),
    /// Objects that the value of one field determines.
    Key(&'static TypeInfo, usize, Column<'f>),
    /// Objects that a text in one field determines.
    TextKey(&'static TypeInfo, usize, List<'f>),
    /// Arrays, and maps, whose elements are keys and values in turn.
    Elements(&'static TypeInfo, List<'f>),
    /// Texts.
    Text(&'static TypeInfo, List<'f>),
    /// Bytes.
    Bytes(&'static TypeInfo, List<'f>),
    /// Shapes.
    Shape(&'static TypeInfo, List<'f>),
    /// Tensors.
    Tensor(&'static TypeInfo, Box<TensorColumns<'f>>),
}

/// The values of a field of another declaration.
pub(super) enum OldColumn<'f> {
    /// Numbers.
    Numbers(Column<'f>),
    /// Texts.
    Texts(List<'f>),
}

/// The columns of tensors.
pub(super) struct TensorColumns<'f> {
    pub(super) dtype: Column<'f>,
    pub(super) shape: List<'f>,
    /// One more than the index of the tensor in the container; 0 if the data is in `bytes`.
    pub(super) entry: Column<'f>,
    pub(super) bytes: List<'f>,
}

/// The ends of the rows among all elements, and the elements.
#[derive(Clone, Copy)]
pub(super) struct List<'f> {
    pub(super) ends: Column<'f>,
    pub(super) elements: Column<'f>,
}

impl<'f> List<'f> {
    /// The bytes of a row.
    pub(super) fn bytes(&self, row: usize) -> Option<&'f [u8]> {
        let range = self.ends.range(row)?;
        self.elements.slice(range.start, range.end)
    }

    /// The numbers of a row.
    pub(super) fn numbers(&self, row: usize) -> Option<impl ExactSizeIterator<Item = u64>> {
        let range = self.ends.range(row).filter(|range| range.end <= self.elements.len())?;
        let elements = self.elements;
        // The range is in bounds.
        Some(range.map(move |at| elements.get(at).unwrap_or_default()))
    }
}

impl<'f> BinaryFile<'f> {
    /// Opens a file with the types, the limits and the meter of `options`. Numbers and references of nodes are checked when the nodes are
    /// read.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for another format or version and a damaged directory,
    /// [`UnknownType`](ErrorKind::UnknownType) for a type that `options` do not have, [`MissingField`](ErrorKind::MissingField) if the
    /// file has no column for a field without default, and [`LimitExceeded`](ErrorKind::LimitExceeded).
    pub fn open(bytes: &'f Bytes, options: JsonReader<'f>) -> Result<Self> {
        let opened = BinaryParts::read(bytes, &options.limits).and_then(|parts| Self::with(bytes, &parts, options));
        opened.map_err(|error| error.shorten(options.limits.max_message))
    }

    /// The file with these bytes and their header.
    fn with(bytes: &'f Bytes, parts: &BinaryParts, options: JsonReader<'f>) -> Result<Self> {
        let BinaryParts { directory, columns: (start, end), .. } = parts;
        let section = in_bounds(bytes.get(*start..*end), || "the entry `columns`".to_owned())?;
        let (mut groups, mut nodes, mut at, mut columns) = (Vec::new(), 0_u32, 0, 0);
        for entry in &directory.groups {
            let group = Group::new(entry, nodes, section, &mut at, options);
            groups.push(group.map_err(|error| error.context(format_args!("`{}`", brief(&entry.type_key))))?);
            nodes = in_bounds(nodes.checked_add(entry.rows), || "the number of nodes".to_owned())?;
            columns += entry.columns.len();
        }
        let order = in_bounds(Column::new(&directory.order, section, at), || "the order of the nodes".to_owned())?;
        let plain = groups.iter().filter(|group| matches!(group.plan, Plan::Plain(_))).map(|group| group.rows);
        if order.holds != Holds::Int || order.len() != (nodes - plain.sum::<u32>()) as usize {
            return Err(malformed("the order does not have each node that is not a plain value once"));
        }
        // Each node has a reference of its own, which takes a byte unless it is the one value of its column. So the memory of a graph is in
        // proportion to the file.
        if nodes as usize > section.len() + columns + 1 || directory.root >= nodes {
            return Err(malformed(format!(
                "the directory has {nodes} nodes, more than the columns refer to, or no root"
            )));
        }
        let shift = (u32::BITS - nodes.leading_zeros()).saturating_sub(12);
        let mut file = BinaryFile {
            bytes,
            groups,
            order,
            starts: Vec::new(),
            shift,
            nodes,
            root: directory.root,
            tensors: parts.tensors.clone(),
            metadata: parts.metadata.clone(),
            has_declarations: directory.groups.iter().any(|group| group.declaration.is_some()),
            options,
        };
        file.index_groups()?;
        Ok(file)
    }

    /// Fills `starts`.
    fn index_groups(&mut self) -> Result<()> {
        let mut group = 0;
        for start in (0..self.nodes).step_by(1 << self.shift) {
            while self.groups.get(group + 1).is_some_and(|next| next.first <= start) {
                group += 1;
            }
            let index = u16::try_from(group).map_err(|_| malformed("the directory has more than 65536 groups"))?;
            self.starts.push(index);
        }
        Ok(())
    }

    /// The group of a node, and its row there.
    #[inline(always)]
    pub(super) fn place(&self, node: u32) -> Option<(&Group<'f>, usize)> {
        if node >= self.nodes {
            return None;
        }
        let mut group = usize::from(*self.starts.get((node >> self.shift) as usize)?);
        while self.groups.get(group + 1).is_some_and(|next| next.first <= node) {
            group += 1;
        }
        let group = self.groups.get(group)?;
        Some((group, (node - group.first) as usize))
    }

    /// The node to which a node refers at the place `at`, counted in the order of fields and elements. `None` after the last one.
    pub(super) fn reference(&self, node: u32, at: &mut usize) -> Result<Option<u32>> {
        let Some((group, row)) = self.place(node) else { return Ok(None) };
        let number = match &group.plan {
            Plan::Fields(_, columns) => {
                let from = columns.iter().enumerate().skip(*at);
                let Some((index, (_, column))) = from.clone().find(|(_, (_, column))| column.holds == Holds::Node)
                else {
                    return Ok(None);
                };
                *at = index + 1;
                column.get(row)
            }
            Plan::Old(_, columns) => {
                let numbers = columns.iter().enumerate().skip(*at);
                let mut nodes = numbers.filter_map(|(index, (_, column))| match column {
                    OldColumn::Numbers(column) if column.holds == Holds::Node => Some((index, column)),
                    _ => None,
                });
                let Some((index, column)) = nodes.next() else { return Ok(None) };
                *at = index + 1;
                column.get(row)
            }
            Plan::Key(_, _, column) if *at == 0 && column.holds == Holds::Node => {
                *at += 1;
                column.get(row)
            }
            Plan::Elements(_, list) => {
                let range = in_bounds(list.ends.range(row), || "a list".to_owned())?;
                if *at >= range.len() {
                    return Ok(None);
                }
                *at += 1;
                list.elements.get(range.start + *at - 1)
            }
            _ => return Ok(None),
        };
        in_bounds(number.and_then(|number| u32::try_from(number).ok()), || "a reference".to_owned()).map(Some)
    }

    /// The number of the root.
    pub(super) fn root_number(&self) -> u32 {
        self.root
    }

    /// The metadata of the graph.
    #[must_use]
    pub fn metadata(&self) -> Option<&Metadata> {
        self.metadata.as_ref()
    }
}

impl<'f> Group<'f> {
    /// The group of `entry`, whose first node is `first` and whose columns begin at `at` in the section.
    fn new(entry: &GroupEntry, first: u32, section: &'f [u8], at: &mut usize, options: JsonReader<'f>) -> Result<Self> {
        let mut columns = Vec::with_capacity(entry.columns.len());
        for column in &entry.columns {
            let name = || format!("the column `{}`", brief(&column.0));
            let read = in_bounds(Column::new(column, section, *at), name)?;
            *at += in_bounds(column.bytes(), name)?;
            columns.push((&*column.0, read));
        }
        let plan = match &*entry.type_key {
            "None" | "bool" | "int" | "float" | "DataType" | "Device" => {
                let column = with_rows(one(&columns)?, entry.rows)?;
                if matches!(column.holds, Holds::Node | Holds::Byte) {
                    return Err(malformed("the values are nodes or bytes"));
                }
                Plan::Plain(column)
            }
            key => {
                let info = options.type_info(key)?;
                match upgrade(info, entry)? {
                    Some(upgrade) => old_fields(upgrade, &columns, entry.rows)?,
                    None => Plan::of_type(info, &columns, entry.rows, options)?,
                }
            }
        };
        Ok(Group { type_key: entry.type_key.clone(), first, rows: entry.rows, plan })
    }
}

impl<'f> Plan<'f> {
    fn of_type(
        info: &'static TypeInfo,
        columns: &[(&str, Column<'f>)],
        rows: u32,
        options: JsonReader<'_>,
    ) -> Result<Self> {
        Ok(match (info.body, info.json) {
            (Body::Array | Body::Map, _) => Plan::Elements(info, list(columns, rows, Holds::Node)?),
            (Body::Str, _) => Plan::Text(info, list(columns, rows, Holds::Byte)?),
            (Body::Bytes, _) => Plan::Bytes(info, list(columns, rows, Holds::Byte)?),
            (Body::Shape, _) => Plan::Shape(info, list(columns, rows, Holds::Int)?),
            (Body::Tensor, _) => {
                let [dtype, shape @ .., entry, ends, bytes] = columns else {
                    return Err(malformed("the columns of tensors are not complete"));
                };
                let columns = TensorColumns {
                    dtype: with_rows(dtype.1, rows)?,
                    shape: list(shape, rows, Holds::Int)?,
                    entry: with_rows(entry.1, rows)?,
                    bytes: list(&[*ends, *bytes], rows, Holds::Byte)?,
                };
                Plan::Tensor(info, Box::new(columns))
            }
            (_, JsonForm::Field(index)) if columns.len() == 2 => {
                Plan::TextKey(info, index, list(columns, rows, Holds::Byte)?)
            }
            (_, JsonForm::Field(index)) => Plan::Key(info, index, with_rows(one(columns)?, rows)?),
            (Body::Node, _) => fields(info, columns, rows, options)?,
            _ => {
                let message = "values of this type exist in memory only and have no form in a file";
                return Err(Error::new(ErrorKind::NotSerializable, message));
            }
        })
    }
}

/// The conversion of the objects of a group, if the program declares their type in another way.
fn upgrade(info: &'static TypeInfo, entry: &GroupEntry) -> Result<Option<Upgrade>> {
    match &entry.declaration {
        Some(json) if info.body == Body::Node && info.json != JsonForm::Kept => {
            Upgrade::from_file(info, &entry.type_key, json)
        }
        _ => Ok(None),
    }
}

/// The columns of a type of another declaration.
fn old_fields<'f>(upgrade: Upgrade, columns: &[(&str, Column<'f>)], rows: u32) -> Result<Plan<'f>> {
    let key = upgrade.record().json.as_deref();
    let named: Vec<(&str, OldColumn<'f>)> = match (key, columns) {
        (Some(key), [_, _]) => vec![(key, OldColumn::Texts(list(columns, rows, Holds::Byte)?))],
        _ => columns
            .iter()
            .map(|(name, column)| Ok((*name, OldColumn::Numbers(with_rows(*column, rows)?))))
            .collect::<Result<_>>()?,
    };
    let mut found = Vec::with_capacity(named.len());
    for (name, column) in named {
        let Some((index, _)) = upgrade.field(name) else {
            return Err(malformed(format!("the declaration has no field `{}`", brief(name))));
        };
        found.push((index, column));
    }
    Ok(Plan::Old(Box::new(upgrade), found))
}

/// The columns of a type with fields.
fn fields<'f>(
    info: &'static TypeInfo,
    columns: &[(&str, Column<'f>)],
    rows: u32,
    options: JsonReader<'_>,
) -> Result<Plan<'f>> {
    let mut found: Vec<(usize, Column<'f>)> = Vec::with_capacity(columns.len());
    for (name, column) in columns {
        if column.holds == Holds::Byte {
            return Err(malformed(format!("the field `{}` has bytes", brief(name))));
        }
        match index_of(info, name) {
            Some(index) if found.iter().any(|(other, _)| *other == index) => {
                return Err(malformed(format!("the column `{name}` stands twice")));
            }
            Some(index) => found.push((index, with_rows(*column, rows)?)),
            // The declaration of the file is the one of the program, which has no such field.
            None if options.denies_unknown_fields || RecordedType::is_in_files(info) => {
                let hint = did_you_mean(name, info.fields().iter().map(|field| field.name));
                let message = format!("the type has no field `{}`{hint}", brief(name));
                return Err(Error::new(ErrorKind::UnknownField, message));
            }
            None => {}
        }
    }
    let is_found = |at: usize| found.iter().any(|(index, _)| *index == at);
    let missing = |(index, field): &(usize, &FieldInfo)| !is_found(*index) && field.default().is_none();
    let missing: Vec<(usize, &FieldInfo)> = info.fields().iter().enumerate().filter(missing).collect();
    for (index, field) in missing {
        if !may_be_absent(info, field) {
            let message = format!("required field `{}` is not in the file", field.name);
            return Err(Error::new(ErrorKind::MissingField, message));
        }
        found.push((index, Column::of_none(rows)));
    }
    Ok(Plan::Fields(Buildable::new(info)?, found))
}

/// The only column.
fn one<'f>(columns: &[(&str, Column<'f>)]) -> Result<Column<'f>> {
    match columns {
        [(_, column)] => Ok(*column),
        _ => Err(malformed(format!("expected one column, got {}", columns.len()))),
    }
}

/// `column`, if it has a number for each row.
fn with_rows(column: Column<'_>, rows: u32) -> Result<Column<'_>> {
    if column.len() == rows as usize {
        return Ok(column);
    }
    Err(malformed(format!("expected a column of {rows} numbers, got one of {}", column.len())))
}

/// The list of the columns of ends and elements, which have the meaning `holds`.
fn list<'f>(columns: &[(&str, Column<'f>)], rows: u32, holds: Holds) -> Result<List<'f>> {
    let [(_, ends), (_, elements)] = columns else {
        return Err(malformed(format!(
            "expected the ends of the lists and their elements, got {} columns",
            columns.len()
        )));
    };
    let is_wide = elements.is_plain_bytes() || holds != Holds::Byte && elements.has_bytes();
    if elements.holds != holds || elements.len() > 0 && !is_wide {
        return Err(malformed("the elements have another meaning or no bytes"));
    }
    Ok(List { ends: with_rows(*ends, rows)?, elements: *elements })
}

const _: () = assert!(SLACK == size_of::<u64>());

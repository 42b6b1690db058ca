//! [`BinaryNode`]: a node of an open file, which is not loaded.

use super::column::{Holds, in_bounds};
use super::file::{BinaryFile, Group, OldColumn, Plan};
use super::load::Loader;
use crate::error::Result;
use crate::object::{Any, Body};

/// A node of an open file. It leads to the nodes below it without loading any, so a program reads one function of a module of many.
///
/// Each call of [`load`](Self::load) makes new objects: objects that two loaded nodes share in the file are not shared between the results.
#[derive(Clone, Copy)]
pub struct BinaryNode<'f> {
    file: &'f BinaryFile<'f>,
    number: u32,
}

impl<'f> BinaryNode<'f> {
    pub(super) fn new(file: &'f BinaryFile<'f>, number: u32) -> Self {
        BinaryNode { file, number }
    }

    fn place(self) -> Option<(&'f Group<'f>, usize)> {
        self.file.place(self.number)
    }

    fn at(self, number: u64) -> Option<Self> {
        Some(BinaryNode { number: u32::try_from(number).ok().filter(|it| *it < self.file.nodes)?, ..self })
    }

    /// The key of the type of an object, or the name of the kind of a plain value.
    #[must_use]
    pub fn type_key(self) -> &'f str {
        self.place().map_or("None", |(group, _)| &*group.type_key)
    }

    /// The node in the field `name`. `None` if the type has no such field, or the file has the value of the field without a node, as it has
    /// numbers.
    #[must_use]
    pub fn field(self, name: &str) -> Option<Self> {
        let (group, row) = self.place()?;
        let Plan::Fields(info, columns) = &group.plan else { return None };
        let (index, _) = info.info().field(name)?;
        let (_, column) = columns.iter().find(|(at, column)| *at == index && column.holds == Holds::Node)?;
        self.at(column.get(row)?)
    }

    /// The elements of an array; the keys and values of a map in turn; none for other nodes.
    pub fn elements(self) -> impl Iterator<Item = Self> {
        let numbers = self.place().and_then(|(group, row)| match &group.plan {
            Plan::Elements(_, list) => list.numbers(row),
            _ => None,
        });
        numbers.into_iter().flatten().filter_map(move |number| self.at(number))
    }

    /// The keys and values of a map; none for other nodes.
    pub fn entries(self) -> impl Iterator<Item = (Self, Self)> {
        let is_map = self
            .place()
            .is_some_and(|(group, _)| matches!(&group.plan, Plan::Elements(info, _) if info.body == Body::Map));
        let mut elements = self.elements();
        std::iter::from_fn(move || Some((elements.next()?, elements.next()?))).take_while(move |_| is_map)
    }

    /// The value of the node, with all values below it.
    ///
    /// # Errors
    /// As [`JsonReader::read_binary`](crate::json::JsonReader::read_binary).
    pub fn load(self) -> Result<Any> {
        let limits = self.file.options.limits;
        Loader::new(self.file).load(self.number).map_err(|error| error.shorten(limits.max_message))
    }

    /// The node to which the node refers at the place `at`, counted in the order of fields and elements. `None` after the last one.
    pub(super) fn reference(self, at: &mut usize) -> Result<Option<u32>> {
        let Some((group, row)) = self.place() else { return Ok(None) };
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
}

//! [`BinaryNode`]: a node of an open file, which is not loaded.

use super::column::Holds;
use super::file::{BinaryFile, Group, Plan};
use super::load::load_part;
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

impl BinaryFile<'_> {
    /// The root, which is not loaded yet.
    #[must_use]
    pub fn root(&self) -> BinaryNode<'_> {
        BinaryNode { file: self, number: self.root_number() }
    }
}

impl<'f> BinaryNode<'f> {
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
        load_part(self.file, self.number).map_err(|error| error.shorten(limits.max_message))
    }
}

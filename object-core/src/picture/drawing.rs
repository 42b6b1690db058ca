//! [`Picture`] and the boxes and arrows of which it consists.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use crate::graph::{ChildSlot, Children};
use crate::limits::{Budget, Limits};
use crate::object::model::plan::MAX_FIELDS;
use crate::object::{AnyView, AsAnyView, Body, FieldRole, ObjectView};
use crate::repr::{Repr, path_key};
use crate::table::Table;
use crate::text::brief::brief_to;

/// The default of the number of boxes.
const MAX_BOXES: usize = 300;
/// The number of children of one object that a picture of fewer boxes shows, which includes all fields of a node.
const MIN_CHILDREN: usize = MAX_FIELDS;
/// The number of characters of a text, and of elements of an array without children, that a box shows.
const MAX_TEXT: usize = 40;
const MAX_ITEMS: usize = 8;

/// A picture of a value: the boxes nearest to the root, at most 300 unless [`max_boxes`](Self::max_boxes) sets another
/// number, and of each array and map at most as many elements. The cost depends on the picture and not on the graph.
///
/// `to_dot` writes it for Graphviz. The feature `svg` adds `to_svg` and `to_html`, which need no other program.
///
/// ```
/// use object_core::{Any, Array, picture::Picture};
/// let row = Any::from(Array::from([1, 2]));
/// let table = Array::<Any>::from([Any::from(Array::<Any>::from([row.clone(), row])), Any::from("x")]);
/// let dot = Picture::new(&table).to_dot();
/// assert!(dot.starts_with("digraph {") && dot.contains(r#"n0 -> n1 [label="[0]"]"#));
/// ```
#[derive(Clone, Copy)]
pub struct Picture<'a> {
    root: AnyView<'a>,
    max_boxes: usize,
    limits: Limits,
}

impl<'a> Picture<'a> {
    /// A picture of `value`.
    pub fn new(value: &'a impl AsAnyView) -> Self {
        Picture { root: value.as_any_view(), max_boxes: MAX_BOXES, limits: Limits::new() }
    }

    /// The largest number of boxes. One further box `...` stands for all other objects.
    #[must_use]
    pub fn max_boxes(mut self, count: usize) -> Self {
        self.max_boxes = count.max(1);
        self
    }

    /// Sets the limit of steps, which are objects and references. A picture leaves out what further steps would reach.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The number of children of one object that the picture shows.
    fn max_children(&self) -> usize {
        self.max_boxes.max(MIN_CHILDREN)
    }

    pub(super) fn draw(&self) -> Drawing {
        let mut drawing = Drawing::default();
        let mut budget = Budget::steps(&self.limits);
        let mut numbers: Table<usize, usize> = Table::default();
        let mut queue = VecDeque::new();
        match self.root {
            AnyView::Object(root) if self.has_box(root, &mut budget) => {
                drawing.add(root.type_key());
                numbers.insert(root.address(), 0);
                queue.push_back((root, 0));
            }
            plain => {
                drawing.add(&text(plain));
            }
        }
        while let Some((object, from)) = queue.pop_front() {
            let mut children = Children::of(object);
            let (mut shown, mut leads_to_rest) = (0, false);
            while let Some((value, role)) = children.next_value() {
                if shown == self.max_children() || budget.spend(1).is_err() {
                    drawing.boxes[from].lines.push(more(object, shown));
                    break;
                }
                shown += 1;
                let Some(slot) = children.slot() else { continue };
                let label = label(slot, role);
                let child = match value {
                    AnyView::Object(child) if self.has_box(child, &mut budget) => child,
                    AnyView::None => continue,
                    // The key stands in the label of the value.
                    _ if matches!(slot, ChildSlot::Key(_)) => continue,
                    plain => {
                        let variant = if let ChildSlot::Field(field) = slot { field.variant(plain) } else { None };
                        let text = variant.map_or_else(|| text(plain), |variant| short(&variant.to_string()));
                        drawing.boxes[from].lines.push(format!("{label} = {text}"));
                        continue;
                    }
                };
                let room = drawing.boxes.len() < self.max_boxes;
                let to = match numbers.entry(child.address()) {
                    Entry::Occupied(known) => {
                        drawing.boxes[*known.get()].is_shared = true;
                        *known.get()
                    }
                    Entry::Vacant(new) if room => {
                        let number = drawing.add(child.type_key());
                        new.insert(number);
                        queue.push_back((child, number));
                        number
                    }
                    // One arrow says that there is more.
                    Entry::Vacant(_) if leads_to_rest => continue,
                    Entry::Vacant(_) => {
                        leads_to_rest = true;
                        drawing.rest()
                    }
                };
                drawing.arrows.push(Arrow { from, to, label });
            }
        }
        drawing
    }

    /// Whether an object gets a box, instead of a line in the box of its parent. The first elements of an array or map
    /// decide for all of them.
    fn has_box(&self, object: ObjectView<'_>, budget: &mut Budget) -> bool {
        let mut children = Children::of(object);
        match object.type_info().body {
            Body::Node => !children.is_none(),
            Body::Array | Body::Map => {
                let first = std::iter::from_fn(|| children.next_value()).take(self.max_children());
                first
                    .take_while(|_| budget.spend(1).is_ok())
                    .any(|(child, _)| child.as_object().is_some_and(has_identity))
            }
            _ => false,
        }
    }
}

/// The line for the children of an object after the first `shown` ones.
fn more(object: ObjectView<'_>, shown: usize) -> String {
    let count = match (object.as_array(), object.as_map()) {
        (Some(array), _) => array.len() - shown,
        (_, Some(map)) => map.len() - shown / 2,
        _ => object.type_info().fields().len() - shown,
    };
    format!("... {count} more")
}

/// Boxes and arrows.
#[derive(Default)]
pub(super) struct Drawing {
    pub(super) boxes: Vec<DrawnBox>,
    pub(super) arrows: Vec<Arrow>,
    /// The box for the objects that the picture leaves out.
    rest: Option<usize>,
}

pub(super) struct DrawnBox {
    pub(super) title: String,
    pub(super) lines: Vec<String>,
    pub(super) is_shared: bool,
}

pub(super) struct Arrow {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) label: String,
}

impl Drawing {
    fn add(&mut self, title: &str) -> usize {
        self.boxes.push(DrawnBox { title: short(title), lines: Vec::new(), is_shared: false });
        self.boxes.len() - 1
    }

    fn rest(&mut self) -> usize {
        if let Some(rest) = self.rest {
            return rest;
        }
        let rest = self.add("...");
        self.rest = Some(rest);
        rest
    }
}

/// Whether an object has children, so that a line of text does not show it.
fn has_identity(object: ObjectView<'_>) -> bool {
    !Children::of(object).is_none()
}

fn label(slot: ChildSlot<'_>, role: FieldRole) -> String {
    match slot {
        ChildSlot::Field(field) if matches!(role, FieldRole::Def | FieldRole::DefSimple) => {
            format!("def {}", short(field.name))
        }
        ChildSlot::Field(field) => short(field.name),
        ChildSlot::Item(index) => format!("[{index}]"),
        ChildSlot::Key(key) => format!("key {}", key_text(key)),
        ChildSlot::Value(key) => format!("[{}]", key_text(key)),
    }
}

/// A key of a map, as paths show it.
fn key_text(key: AnyView<'_>) -> String {
    if key.as_str().is_some() { text(key) } else { short(&path_key(key).to_string()) }
}

fn text(value: AnyView<'_>) -> String {
    short(&Repr::new(&value).max_depth(1).max_items(MAX_ITEMS).max_text(MAX_TEXT).to_string())
}

/// The text, without its middle if it is too long.
fn short(text: &str) -> String {
    brief_to(text, 2 * MAX_TEXT).to_string()
}

//! [`Repr`]: writes the text form of a value.

use std::fmt;

use super::layout::{Layout, Line, Output};
use crate::container::{ARRAY, ArrayView, MAP, MapData};
use crate::graph::ChildSlot;
use crate::object::{AnyView, AsAnyView, Body, FieldInfo, JsonForm, ObjectView, SEqHashKind, Variant};
use crate::table::Table;
use crate::text::quote::{Charset, write_quoted};

/// The number of values after which a repr shows `...`. It bounds the cost for large graphs.
const MAX_VALUES: usize = 1000;

/// The text form of a value, with limits. `Display` and `Debug` write it.
///
/// ```
/// use object_core::{Any, Array, repr::Repr};
/// let row = Any::from(Array::from([1, 2, 3, 4]));
/// let value = Array::<Any>::from([row.clone(), row, Any::None]);
/// assert_eq!(Repr::new(&value).to_string(), "[%0 = [1, 2, 3, 4], %0, None]");
/// assert_eq!(Repr::new(&value).max_items(2).to_string(), "[%0 = [1, 2, ... 2 more], %0, ... 1 more]");
/// assert_eq!(Repr::new(&value).max_depth(1).to_string(), "[%0 = [...], %0, None]");
/// ```
#[derive(Clone, Copy)]
pub struct Repr<'a> {
    value: AnyView<'a>,
    shows_sharing: bool,
    shows_tensor_data: bool,
    max_values: usize,
    max_depth: usize,
    max_items: usize,
    max_text: usize,
    is_indented: bool,
    shows_defaults: bool,
}

impl<'a> Repr<'a> {
    /// The form of `value`, of at most 1000 values.
    pub fn new(value: &'a impl AsAnyView) -> Self {
        Repr {
            value: value.as_any_view(),
            shows_sharing: true,
            shows_tensor_data: false,
            max_values: MAX_VALUES,
            max_depth: usize::MAX,
            max_items: usize::MAX,
            max_text: usize::MAX,
            is_indented: false,
            shows_defaults: true,
        }
    }

    /// Whether further occurrences of a shared object are written as a number, which is the default. If not, every
    /// occurrence is written in full.
    #[must_use]
    pub fn sharing(mut self, yes: bool) -> Self {
        self.shows_sharing = yes;
        self
    }

    /// Whether long values take several lines: the items of an array, map or node that does not fit on a line have a line
    /// each, and are indented. `{:#}` and `{:#?}` of values and handles do the same. [`parse`](crate::repr::parse) reads
    /// both forms.
    ///
    /// ```
    /// use object_core::{Array, Str, repr::Repr};
    /// let (a, b) = ("a".repeat(60), "b".repeat(60));
    /// let value = Array::<Str>::from_iter([&a, &b].map(Into::into));
    /// let text = format!("{value:#?}");
    /// assert_eq!(text, format!("[\n    {a:?},\n    {b:?}\n]"));
    /// assert_eq!(format!("{:#?}", Array::from([1, 2])), "[1, 2]");
    /// assert_eq!(Repr::new(&value).indented(true).to_string(), text);
    /// ```
    #[must_use]
    pub fn indented(mut self, yes: bool) -> Self {
        self.is_indented = yes;
        self
    }

    /// Whether fields that have their default are written, which is the default. [`parse`](crate::repr::parse) reads both
    /// forms, if the default is the same value whenever it is made.
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_core::repr::{Repr, parse};
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "repr.Loop")]
    /// #[structural_eq(tree)]
    /// struct LoopNode {
    ///     extent: i64,
    ///     #[field(default = 1)]
    ///     step: i64,
    ///     #[field(default = Array::default())]
    ///     notes: Array<Str>,
    /// }
    ///
    /// let it = Loop::new(8);
    /// assert_eq!(Repr::new(&it).to_string(), "repr.Loop(extent=8, step=1, notes=[])");
    /// assert_eq!(Repr::new(&it).defaults(false).to_string(), "repr.Loop(extent=8)");
    /// assert_eq!(Repr::new(&it.with_changes(|it| it.step = 2)).defaults(false).to_string(), "repr.Loop(extent=8, step=2)");
    /// # #[cfg(feature = "inventory")]
    /// assert!(structural_equal(&parse("repr.Loop(extent=8)")?, &Loop::new(8)));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn defaults(mut self, yes: bool) -> Self {
        self.shows_defaults = yes;
        self
    }

    /// Whether the bytes of tensors are written: `Tensor(int8, [2], b"\x01\x02")`. If not, a tensor shows its data type and
    /// shape.
    #[must_use]
    pub fn tensor_data(mut self, yes: bool) -> Self {
        self.shows_tensor_data = yes;
        self
    }

    /// The number of values to write, objects included. Each value after them is `...`.
    #[must_use]
    pub fn max_values(mut self, count: usize) -> Self {
        self.max_values = count;
        self
    }

    /// The number of levels to write. 0 shows the type of an object and nothing of its content.
    #[must_use]
    pub fn max_depth(mut self, levels: usize) -> Self {
        self.max_depth = levels;
        self
    }

    /// The number of elements of an array or shape, and of entries of a map, to write.
    #[must_use]
    pub fn max_items(mut self, count: usize) -> Self {
        self.max_items = count;
        self
    }

    /// The number of characters of a text, and of bytes of a byte string or tensor, to write.
    #[must_use]
    pub fn max_text(mut self, count: usize) -> Self {
        self.max_text = count;
        self
    }
}

impl<'a> Repr<'a> {
    /// Writes the text, on several lines if `is_indented` or by the options.
    ///
    /// # Errors
    /// As `out`.
    pub(crate) fn write_to(&self, out: &mut impl Output<'a>, is_indented: bool) -> fmt::Result {
        // The first pass writes nothing and finds the objects that occur more than once.
        let mut repeated = Table::default();
        if self.shows_sharing {
            Writer { options: *self, out: &mut Discard, repeated: &mut repeated, numbers: None, values: 0 }.write()?;
        }
        let numbers = Some(Numbers::default());
        if self.is_indented || is_indented {
            let mut layout = Layout::default();
            Writer { options: *self, out: &mut layout, repeated: &mut repeated, numbers, values: 0 }.write()?;
            return layout.write(out);
        }
        Writer { options: *self, out, repeated: &mut repeated, numbers, values: 0 }.write()
    }
}

impl fmt::Display for Repr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_indented = f.alternate();
        self.write_to(&mut Line(f), is_indented)
    }
}

impl fmt::Debug for Repr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Whether `value` is the default of `field`: equal as a map key, or as empty.
fn has_default(field: &FieldInfo, value: AnyView<'_>) -> bool {
    let is_empty = |value: AnyView<'_>| {
        value.as_object().is_some_and(|object| {
            object.as_array().is_some_and(ArrayView::is_empty) || object.as_map().is_some_and(MapData::is_empty)
        })
    };
    let same_type = |a: AnyView<'_>, b: AnyView<'_>| a.type_key() == b.type_key();
    field.default().is_some_and(|default| {
        let default = default.view();
        default == value || (is_empty(default) && is_empty(value) && same_type(default, value))
    })
}

/// Discards its text.
struct Discard;

impl fmt::Write for Discard {
    fn write_str(&mut self, _: &str) -> fmt::Result {
        Ok(())
    }
}

impl<'a> Output<'a> for Discard {}

/// The numbers of objects, by address.
type Numbers = Table<usize, usize>;

/// A part of the text that is not written.
enum Task<'a> {
    Text(&'static str),
    /// The end of an item that is not the last one.
    Separator,
    /// A closing bracket after items.
    Close(&'static str),
    /// The number of items that a limit leaves out.
    More(usize),
    /// A value, and the number of levels of it to write.
    Value(AnyView<'a>, usize),
    /// The value of a field that holds an enum without data.
    Variant(Variant),
    /// The start and the end of a child.
    Enter(ChildSlot<'a>),
    Leave,
}

impl<'a> Task<'a> {
    /// The value of a field.
    fn value_of(field: &'static FieldInfo, value: AnyView<'a>, depth: usize) -> [Self; 3] {
        let task = field.variant(value).map_or(Task::Value(value, depth), Task::Variant);
        [Task::Enter(ChildSlot::Field(field)), task, Task::Leave]
    }
}

struct Writer<'a, 'w, W> {
    options: Repr<'a>,
    out: &'w mut W,
    /// The objects so far, each with whether it occurs more than once.
    repeated: &'w mut Table<usize, bool>,
    /// The numbers of the second pass; `None` in the first pass.
    numbers: Option<Numbers>,
    values: usize,
}

impl<'a, W: Output<'a>> Writer<'a, '_, W> {
    fn write(mut self) -> fmt::Result {
        let mut tasks = vec![Task::Value(self.options.value, self.options.max_depth)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Text(text) => self.out.write_str(text)?,
                Task::Separator => self.out.separate()?,
                Task::Close(bracket) => {
                    self.out.close();
                    self.out.write_str(bracket)?;
                }
                Task::More(count) => write!(self.out, "... {count} more")?,
                Task::Enter(slot) => self.out.enter(slot),
                Task::Leave => self.out.leave(),
                Task::Value(..) | Task::Variant(_) if self.values >= self.options.max_values => {
                    self.out.write_str("...")?;
                }
                Task::Variant(variant) => {
                    self.values += 1;
                    write!(self.out, "{variant}")?;
                }
                Task::Value(value, depth) => {
                    self.values += 1;
                    self.write_value(value, depth, &mut tasks)?;
                }
            }
        }
        Ok(())
    }

    fn write_value(&mut self, value: AnyView<'a>, depth: usize, tasks: &mut Vec<Task<'a>>) -> fmt::Result {
        match value {
            AnyView::None => self.out.write_str("None"),
            AnyView::Bool(value) => write!(self.out, "{value}"),
            AnyView::Int(value) => write!(self.out, "{value}"),
            AnyView::Float(value) => self.write_float(value),
            AnyView::DataType(value) => write!(self.out, "{value:?}"),
            AnyView::Device(value) => write!(self.out, "{value}"),
            AnyView::Object(object) => self.write_object(object, depth, tasks),
        }
    }

    fn write_object(&mut self, object: ObjectView<'a>, depth: usize, tasks: &mut Vec<Task<'a>>) -> fmt::Result {
        let info = object.type_info();
        match info.body {
            Body::Str => return self.write_text(object.as_str().unwrap_or_default()),
            Body::Bytes => return self.write_bytes(object.as_bytes().unwrap_or_default()),
            _ => {}
        }
        let is_singleton = info.kind == SEqHashKind::UniqueInstance;
        if self.options.shows_sharing && !is_singleton && object.use_count() > 1 && self.is_repeated(object)? {
            return Ok(());
        }
        match info.body {
            Body::Shape => {
                self.out.write_str("Shape")?;
                return self.write_extents(object.as_shape().unwrap_or_default());
            }
            Body::Tensor => {
                let Some(tensor) = object.as_handle::<crate::value::Tensor>() else { return Ok(()) };
                write!(self.out, "Tensor({:?}, ", tensor.dtype)?;
                self.write_extents(tensor.shape.as_slice())?;
                if self.options.shows_tensor_data {
                    self.out.write_str(", ")?;
                    self.write_bytes(&tensor.data)?;
                }
                return self.out.write_str(")");
            }
            _ => {}
        }
        // The field that stands for the object in JSON also does in a repr.
        if let JsonForm::Field(index) = info.json
            && let Some(field) = info.fields().get(index)
            && let Some(key) = field.get(object)
        {
            write!(self.out, "{}(", info.type_key)?;
            tasks.push(Task::Text(")"));
            tasks.extend(Task::value_of(field, key, depth).into_iter().rev());
            return Ok(());
        }
        let (open, close) = match info.body {
            Body::Array => ("[", "]"),
            Body::Map => ("{", "}"),
            _ => ("(", ")"),
        };
        if !std::ptr::eq(info, &ARRAY) && !std::ptr::eq(info, &MAP) {
            self.out.write_str(info.type_key)?;
        }
        self.out.write_str(open)?;
        let Some(depth) = depth.checked_sub(1).filter(|_| info.body != Body::Opaque && info.body != Body::Function)
        else {
            return write!(self.out, "...{close}");
        };
        let mut parts = Vec::new();
        let max_items = self.options.max_items.min(self.options.max_values.saturating_add(1));
        let mut len = 0;
        if let Some(array) = object.as_array() {
            len = array.len();
            for (index, item) in array.iter().take(max_items).enumerate() {
                let slot = ChildSlot::Item(index);
                parts.extend([Task::Enter(slot), Task::Value(item, depth), Task::Leave, Task::Separator]);
            }
        } else if let Some(map) = object.as_map() {
            len = map.len();
            for (key, value) in map.iter().take(max_items) {
                parts.extend([Task::Value(key, depth), Task::Text(": "), Task::Enter(ChildSlot::Value(key))]);
                parts.extend([Task::Value(value, depth), Task::Leave, Task::Separator]);
            }
        } else {
            let shows_defaults = self.options.shows_defaults;
            for (field, value) in object.fields().filter(|(field, value)| shows_defaults || !has_default(field, *value))
            {
                parts.extend([Task::Text(field.name), Task::Text("=")]);
                parts.extend(Task::value_of(field, value, depth));
                parts.push(Task::Separator);
            }
        }
        // The last part has no separator after it.
        if len > self.options.max_items {
            parts.push(Task::More(len - self.options.max_items));
        } else {
            parts.pop();
        }
        if parts.is_empty() {
            return self.out.write_str(close);
        }
        self.out.open();
        parts.push(Task::Close(close));
        tasks.extend(parts.into_iter().rev());
        Ok(())
    }

    /// Whether this is a further occurrence of `object`. Writes the number of an object that occurs more than once.
    fn is_repeated(&mut self, object: ObjectView<'a>) -> Result<bool, fmt::Error> {
        let address = object.address();
        let Some(numbers) = &mut self.numbers else {
            let was_seen = self.repeated.contains_key(&address);
            self.repeated.insert(address, was_seen);
            return Ok(was_seen);
        };
        if let Some(number) = numbers.get(&address) {
            write!(self.out, "%{number}")?;
            return Ok(true);
        }
        if self.repeated.get(&address) == Some(&true) {
            let number = numbers.len();
            numbers.insert(address, number);
            write!(self.out, "%{number} = ")?;
        }
        Ok(false)
    }

    /// Writes a number. A NaN shows its bits unless it is the usual one.
    fn write_float(&mut self, value: f64) -> fmt::Result {
        let usual = f64::NAN.to_bits();
        match value.to_bits() {
            _ if !value.is_nan() => write!(self.out, "{value:?}"),
            bits if bits == usual => self.out.write_str("NaN"),
            bits if bits == usual | 1 << 63 => self.out.write_str("-NaN"),
            bits => write!(self.out, "NaN({bits:#x})"),
        }
    }

    fn write_extents(&mut self, extents: &[i64]) -> fmt::Result {
        let shown = &extents[..extents.len().min(self.options.max_items)];
        match extents.len() - shown.len() {
            0 => write!(self.out, "{shown:?}"),
            more => {
                self.out.write_str("[")?;
                shown.iter().try_for_each(|extent| write!(self.out, "{extent}, "))?;
                write!(self.out, "... {more} more]")
            }
        }
    }

    fn write_text(&mut self, text: &str) -> fmt::Result {
        match text.char_indices().nth(self.options.max_text) {
            None => write_quoted(self.out, text, Charset::Unicode),
            Some((end, _)) => {
                write_quoted(self.out, &text[..end], Charset::Unicode)?;
                self.out.write_str("...")
            }
        }
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> fmt::Result {
        let shown = &bytes[..bytes.len().min(self.options.max_text)];
        let more = if shown.len() < bytes.len() { "..." } else { "" };
        write!(self.out, "b\"{}\"{more}", shown.escape_ascii())
    }
}

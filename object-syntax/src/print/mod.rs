//! [`Printing`]: a value as a document, by the texts of its types.

mod absent;
mod steps;

use absent::{begins_with_sign, no_text};

use object_core::table::Table;

use object_core::object::ObjectView;
use object_core::print::{Path, Paths};
use object_core::repr::Repr;
use object_core::stack_budget::with_stack;
use object_core::visit::free_vars;
use object_core::{AnyView, Error, ErrorKind, Result, Str};
use object_format::is_word;
use pretty::{Arena, DocAllocator};

use crate::comments::Comments;
use crate::grammar::Grammar;
use crate::kind::{CategoryId, Kind, array_of, map_of};
use crate::layout::{Doc, INDENT, LastToken, Layout, Space, spread, token};
use crate::names::Names;
use crate::production::{CLOSED, Production};
use crate::sharing::Sharing;
use crate::token::{Class, LiteralId};

/// The state of printing one value.
pub(crate) struct Printing<'a, 'v> {
    arena: &'a Arena<'a, Path>,
    grammar: &'a Grammar,
    comment: &'a str,
    names: Names,
    last: LastToken,
    /// Whether a space stands before the next token.
    is_after_space: bool,
    sharing: Sharing,
    /// The numbers of the shared objects that the text shows already, by address.
    marks: Table<usize, usize>,
    pub(crate) paths: Paths,
    /// The comments of the text that is being formatted, which keeps its names.
    comments: Option<Comments>,
    /// The number of elements on lines of their own so far.
    elements_before: usize,
    /// The spaces of the levels of indentation around the current place, at most.
    indent: isize,
    most_indent: isize,
    /// The values of the elements that the lists around the current place show.
    elements: Vec<Element<'v>>,
}

/// The place of a value in a text.
#[derive(Clone, Copy)]
struct Place {
    /// The least precedence of an object without brackets.
    least: u32,
    /// Whether the text of an operator begins here.
    is_left: bool,
    /// Whether variables are introduced here.
    defines: bool,
}

impl Place {
    /// A place between tokens that no operator takes apart.
    fn alone(defines: bool) -> Self {
        Place { least: 0, is_left: false, defines }
    }
}

/// An object whose text is being written.
#[derive(Clone, Copy)]
struct Shown<'a, 'v> {
    object: ObjectView<'v>,
    production: &'a Production,
    /// Whether variables are introduced in it.
    defines: bool,
    path: Path,
}

/// An element of a list of a format.
#[derive(Clone, Copy)]
enum Element<'v> {
    Item(usize, AnyView<'v>),
    Entry(AnyView<'v>, AnyView<'v>),
}

impl<'a, 'v> Printing<'a, 'v> {
    /// The state before the first piece of `value`. `options` are the start of comments and the width of lines.
    pub(crate) fn new(
        arena: &'a Arena<'a, Path>,
        grammar: &'a Grammar,
        options: (&'a str, usize),
        value: AnyView<'v>,
        comments: Option<Comments>,
    ) -> Self {
        let mut printing = Printing {
            arena,
            grammar,
            comment: options.0,
            names: Names::default(),
            last: LastToken::default(),
            is_after_space: true,
            sharing: Sharing::of(value, grammar),
            marks: Table::default(),
            paths: Paths::new(true),
            comments,
            elements_before: 0,
            indent: 0,
            most_indent: isize::try_from(options.1 / 2).unwrap_or(isize::MAX),
            elements: Vec::new(),
        };
        // A free variable means itself everywhere, so no other variable may have its name.
        for variable in free_vars(&value.to_any()) {
            printing.variable_name(variable.view());
        }
        printing
    }

    pub(crate) fn run(&mut self, value: AnyView<'v>) -> Result<Doc<'a>> {
        self.value(&self.grammar.root, value, Place::alone(false), Path::ROOT)
    }

    /// Begins a level of indentation, and returns its spaces: none in a text that is so deep that the lines of further levels
    /// would be spaces alone.
    fn enter(&mut self) -> isize {
        let unit = if self.indent < self.most_indent { INDENT } else { 0 };
        self.indent += unit;
        unit
    }

    fn token(&mut self, text: &str, class: Class, is_reserved: bool) -> Doc<'a> {
        let is_after_space = std::mem::replace(&mut self.is_after_space, false);
        let syntax = (&self.grammar.literals, self.comment);
        token(self.arena, &mut self.last, is_after_space, (text, class, is_reserved), syntax)
    }

    fn literal(&mut self, id: LiteralId) -> Doc<'a> {
        let text = self.grammar.literals.text(id);
        let class = if is_word(text) { Class::Word } else { Class::Sign };
        self.token(text, class, self.grammar.literals.is_reserved(id))
    }

    fn sign(&mut self, text: &str) -> Doc<'a> {
        self.token(text, Class::Sign, false)
    }

    /// A text without quotes: in backquotes if it is not a name, or is a literal.
    fn name(&mut self, name: &str) -> Doc<'a> {
        let name = self.grammar.literals.as_name(name);
        let class = if name.starts_with('`') { Class::Quoted } else { Class::Word };
        self.token(&name, class, false)
    }

    fn variable_name(&mut self, variable: ObjectView<'_>) -> String {
        let production = self.grammar.production(variable.type_info());
        let field = production.and_then(|production| production.name_field);
        let value = field.and_then(|field| variable.type_info().fields()[field].get(variable));
        let hint = value.and_then(|value| value.to_any().cast::<Str>().ok()).unwrap_or_default();
        if self.comments.is_some() {
            return self.names.keep(variable, &hint);
        }
        self.names.name(variable, &hint)
    }

    fn value(&mut self, kind: &Kind, value: AnyView<'v>, place: Place, path: Path) -> Result<Doc<'a>> {
        let doc = match (kind, value) {
            (Kind::Optional(_), AnyView::None) => self.token("None", Class::Word, false),
            (Kind::Optional(inner), value) => return self.value(inner, value, place, path),
            (Kind::Object(category), AnyView::Object(object)) => {
                with_stack(|| self.object(*category, object, place, path))?
            }
            (Kind::OneOf(kinds), value) => {
                let fits = |kind: &&Kind| match (kind, value) {
                    (Kind::Object(category), AnyView::Object(object)) => {
                        object.is_instance(self.grammar.categories[*category].info)
                    }
                    (Kind::Array(_), value) => array_of(value).is_some(),
                    (Kind::Map(_), value) => map_of(value).is_some(),
                    (Kind::Object(_), _) => false,
                    (Kind::Int, AnyView::Int(_))
                    | (Kind::Bool, AnyView::Bool(_))
                    | (Kind::Float, AnyView::Float(_)) => true,
                    (Kind::Text, AnyView::Object(object)) => object.type_key() == "ffi.String",
                    (Kind::Plain, _) => true,
                    _ => false,
                };
                let Some(kind) = kinds.iter().find(fits) else { return Err(no_text(value)) };
                return self.value(kind, value, place, path);
            }
            (Kind::Array(element), value) => {
                let items = array_of(value).ok_or_else(|| no_text(value))?;
                let open = self.sign("[");
                let unit = self.enter();
                let mut list = Layout::new(self.arena, 0, unit);
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        let comma = self.sign(",");
                        list.piece(comma);
                        self.space(&mut list, Space::Soft);
                    }
                    let path = self.paths.item(path, index);
                    let item = self.value(element, item, Place::alone(place.defines), path)?;
                    list.piece(item);
                }
                let items = spread(self.arena, list.finish(), unit);
                self.indent -= unit;
                open.append(items).append(self.sign("]")).group()
            }
            (Kind::Map(entry), value) => {
                let entries = map_of(value).ok_or_else(|| no_text(value))?;
                let open = self.sign("{");
                let unit = self.enter();
                let mut list = Layout::new(self.arena, 0, unit);
                for (index, (key, value)) in entries.iter().enumerate() {
                    if index > 0 {
                        let comma = self.sign(",");
                        list.piece(comma);
                        self.space(&mut list, Space::Soft);
                    }
                    let entry = self.entry(entry, key, value, place.defines, path)?;
                    list.piece(entry);
                }
                let entries = spread(self.arena, list.finish(), unit);
                self.indent -= unit;
                open.append(entries).append(self.sign("}")).group()
            }
            (Kind::Word, value) => {
                let name = value.to_any().cast::<Str>()?;
                self.name(&name)
            }
            (Kind::Enum(it), AnyView::Int(number)) => {
                let name = it.variants.iter().find(|(_, known)| *known == number).map(|(name, _)| *name);
                self.token(name.ok_or_else(|| no_text(value))?, Class::Word, false)
            }
            (_, value) => self.plain(value)?,
        };
        Ok(doc.annotate(path))
    }

    fn entry(
        &mut self,
        kinds: &(Kind, Kind),
        key: AnyView<'v>,
        value: AnyView<'v>,
        defines: bool,
        path: Path,
    ) -> Result<Doc<'a>> {
        let path = self.paths.entry(path, key);
        let key = self.value(&kinds.0, key, Place::alone(defines), path)?;
        let colon = self.sign(":");
        self.is_after_space = true;
        let value = self.value(&kinds.1, value, Place::alone(defines), path)?;
        Ok(key.append(colon).append(self.arena.space()).append(value))
    }

    /// A value without objects of the language in it, as its repr.
    fn plain(&mut self, value: AnyView<'v>) -> Result<Doc<'a>> {
        if !free_vars(&value.to_any()).is_empty() {
            let message =
                "a variable of the language stands in a field of any type, where it has no text; give the field a type";
            return Err(Error::new(ErrorKind::NotSerializable, message));
        }
        let text = Repr::new(&value.to_any()).tensor_data(true).to_string();
        let class = match value {
            AnyView::Int(_) => Class::Int,
            AnyView::Float(_) => Class::Float,
            _ => Class::Text,
        };
        Ok(self.token(&text, class, false))
    }

    /// The next piece of `layout` comes after a space.
    fn space(&mut self, layout: &mut Layout<'a>, space: Space) {
        layout.space(space);
        self.is_after_space = true;
    }

    fn object(&mut self, id: CategoryId, object: ObjectView<'v>, place: Place, path: Path) -> Result<Doc<'a>> {
        let production = self.grammar.production(object.type_info()).ok_or_else(|| no_text(AnyView::Object(object)))?;
        if production.is_variable() && !(place.defines && self.is_new(object)) {
            let name = self.variable_name(object);
            return Ok(self.name(&name));
        }
        if let Some(number) = self.marks.get(&object.address()) {
            let text = format!("%{number}");
            return Ok(self.token(&text, Class::Mark, false));
        }
        if self.sharing.is_shared(object) {
            return self.shared(id, object, place.defines, path);
        }
        let category = &self.grammar.categories[id];
        // After a value, the sign of a number would be an operator.
        let begins_signed = self.last.ends_value() && begins_with_sign(production, object);
        if category.has_brackets
            && (self.grammar.needs_brackets(production, id, (place.least, place.is_left)) || begins_signed)
        {
            let open = self.literal(self.grammar.brackets.0);
            let inside = self.production(production, object, place.defines, path)?;
            let close = self.literal(self.grammar.brackets.1);
            return Ok(open.append(inside).append(close));
        }
        self.production(production, object, place.defines, path)
    }

    /// Whether no piece of the text so far shows `variable`.
    fn is_new(&self, variable: ObjectView<'_>) -> bool {
        !self.names.is_known(variable)
    }

    /// `%0 = value`; the text shows `%0` at the further places.
    fn shared(&mut self, id: CategoryId, object: ObjectView<'v>, defines: bool, path: Path) -> Result<Doc<'a>> {
        let number = self.sharing.number(object);
        let mark = self.token(&format!("%{number}"), Class::Mark, false);
        self.is_after_space = true;
        let equals = self.sign("=");
        self.is_after_space = true;
        let value = self.object(id, object, Place { least: CLOSED, is_left: false, defines }, path)?;
        self.marks.insert(object.address(), number);
        let space = || self.arena.space();
        Ok(mark.append(space()).append(equals).append(space()).append(value))
    }

    fn production(
        &mut self,
        production: &'a Production,
        object: ObjectView<'v>,
        defines: bool,
        path: Path,
    ) -> Result<Doc<'a>> {
        let is_scope = production.info.is_scope();
        let mark = is_scope.then(|| self.names.scope.enter());
        let unit = self.enter();
        let mut layout = Layout::new(self.arena, 0, unit);
        // An operator whose text does not fit into a line stands at the start of the next line.
        let is_infix = production.left.is_some() && production.is_open_right;
        let shown = Shown { object, production, defines, path };
        self.steps(&production.steps, shown, &mut layout, is_infix)?;
        mark.into_iter().for_each(|mark| self.names.scope.leave(mark));
        self.indent -= unit;
        let doc = layout.finish();
        Ok(if is_infix { doc.nest(unit).group() } else { doc })
    }
}

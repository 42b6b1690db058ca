//! [`Production`]: the text of one type, as steps of a reader and a printer.

use object_core::object::{Associativity, FieldRole, SEqHashKind, Syntax, TypeInfo};
use object_core::{Error, ErrorKind, Result, nearest};
use object_format::{FieldForm, Format, Gap, Item, ItemKind, is_word};

use crate::kind::{Categories, CategoryId, Kind};
use crate::token::{LiteralId, Literals};
use crate::token_set::TokenSet;

/// The precedence of a text that begins and ends with tokens of its own.
pub(crate) const CLOSED: u32 = u32::MAX;

/// A step of the text of a type.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Literal(LiteralId),
    Gap(Gap),
    Field(Slot),
    /// Fields by name.
    Named(Named),
    /// Steps that are absent while the value of the field has its default, or is empty.
    Optional {
        steps: Vec<Step>,
        field: usize,
        first: TokenSet,
    },
    List(List),
}

/// A field in the text.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    /// The index in [`TypeInfo::fields`].
    pub(crate) field: usize,
    pub(crate) kind: Kind,
    pub(crate) form: FieldForm,
    /// The least precedence of an object here that stands without brackets.
    pub(crate) least: u32,
    pub(crate) role: FieldRole,
    /// Whether the value is an element of a list.
    pub(crate) is_element: bool,
    /// Whether the text of an operator begins with the value.
    pub(crate) is_left: bool,
}

/// Fields by name: `(a=1, b=2)` or `{a = 1, b = 2}`.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) slots: Vec<Slot>,
    /// The names of the fields.
    pub(crate) names: Vec<LiteralId>,
    pub(crate) open: LiteralId,
    pub(crate) close: LiteralId,
    pub(crate) comma: LiteralId,
    pub(crate) equals: LiteralId,
    /// Whether spaces stand around the equals sign.
    pub(crate) is_spaced: bool,
    /// Whether the brackets stand also without fields in them.
    pub(crate) is_required: bool,
}

/// The elements of an array, or the entries of a map.
#[derive(Clone, Debug)]
pub(crate) struct List {
    /// One element.
    pub(crate) steps: Vec<Step>,
    pub(crate) field: usize,
    pub(crate) separator: Option<LiteralId>,
    pub(crate) gap: Option<Gap>,
    pub(crate) is_nonempty: bool,
    /// Whether the elements are the entries of a map.
    pub(crate) is_map: bool,
    pub(crate) first: TokenSet,
    /// The literals that an element can end with.
    pub(crate) ends: TokenSet,
}

/// The text of one type.
#[derive(Debug)]
pub(crate) struct Production {
    pub(crate) info: &'static TypeInfo,
    pub(crate) steps: Vec<Step>,
    /// For a type of variables: the field with the name.
    pub(crate) name_field: Option<usize>,
    /// The field for the place of the text, which the text does not show.
    pub(crate) location: Option<usize>,
    pub(crate) precedence: u32,
    pub(crate) associativity: Associativity,
    /// The category of the field that the text begins with.
    pub(crate) left: Option<CategoryId>,
    /// The category of the field that the text ends with.
    pub(crate) right: Option<CategoryId>,
    /// Whether the text ends with a field or a part that a longer text could continue.
    pub(crate) is_open_right: bool,
}

impl Production {
    pub(crate) fn is_variable(&self) -> bool {
        self.info.kind() == SEqHashKind::FreeVar
    }

    /// The text of the type `info`: its format, or the generic form. The field with the name `location` holds the place of the
    /// text, if equality ignores it and the format does not show it.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for a format that names no field or leaves out a field without a default, and the
    /// errors of [`Kind::of`].
    pub(crate) fn of(
        info: &'static TypeInfo,
        categories: &mut Categories,
        literals: &mut Literals,
        location: Option<&str>,
    ) -> Result<Self> {
        let is_ignored = |index: &usize| info.fields()[*index].meta().role == FieldRole::Ignore;
        let location = location.and_then(|name| info.field(name)).map(|(index, _)| index).filter(is_ignored);
        let is_variable = info.kind() == SEqHashKind::FreeVar;
        let mut compiler = Compiler { info, categories, literals, shown: 0, name_field: None, location };
        let mut steps = match info.syntax() {
            Some(syntax) => {
                if is_variable {
                    compiler.name_field = compiler.text_field();
                }
                compiler.format(syntax)?
            }
            None if is_variable => {
                compiler.name_field = compiler.text_field();
                compiler.generic_variable()?
            }
            None => compiler.generic()?,
        };
        let name_field = compiler.name_field;
        let location = location.filter(|field| compiler.shown >> field & 1 == 0);
        let syntax = info.syntax();
        let left = category_of(steps.iter().find(|step| !matches!(step, Step::Gap(_))));
        let right = category_of(steps.iter().rev().find(|step| !matches!(step, Step::Gap(_))));
        let is_open_right = ends_open(&steps);
        let given = syntax.and_then(|syntax| syntax.precedence);
        let associativity = syntax.map_or(Associativity::Left, |syntax| syntax.associativity);
        let precedence = match given {
            _ if left.is_none() && !is_open_right => CLOSED,
            Some(precedence) => precedence,
            None if !is_open_right => CLOSED,
            None => 0,
        };
        let (least_left, least_right) = match associativity {
            _ if precedence == CLOSED => (CLOSED, 0),
            Associativity::Left if left.is_some() => (precedence, precedence + 1),
            Associativity::Right if left.is_some() => (precedence + 1, precedence),
            Associativity::None if left.is_some() => (precedence + 1, precedence + 1),
            _ => (0, precedence),
        };
        set_least(&mut steps, left.map(|_| least_left), least_right);
        Ok(Production { info, steps, name_field, location, precedence, associativity, left, right, is_open_right })
    }
}

/// The category of the object at a step.
fn category_of(step: Option<&Step>) -> Option<CategoryId> {
    match step? {
        Step::Optional { steps, .. } | Step::List(List { steps, .. }) => category_of(steps.last()),
        Step::Field(Slot { kind: Kind::Object(category), .. }) => Some(*category),
        _ => None,
    }
}

/// Whether the text ends with a part that a longer text could continue.
fn ends_open(steps: &[Step]) -> bool {
    match steps.iter().rev().find(|step| !matches!(step, Step::Gap(_))) {
        Some(Step::Field(slot)) => matches!(slot.kind.present(), Kind::Object(_) | Kind::OneOf(_)),
        Some(Step::Optional { .. }) => true,
        Some(Step::Named(named)) => !named.is_required,
        // The end of a list is the end of its last element, and another element could follow.
        Some(Step::List(_)) => true,
        Some(Step::Literal(_) | Step::Gap(_)) | None => false,
    }
}

/// Sets the least precedences of the objects in a text.
fn set_least(steps: &mut [Step], left: Option<u32>, right: u32) {
    let tokens: Vec<usize> = (0..steps.len()).filter(|index| !matches!(steps[*index], Step::Gap(_))).collect();
    for (position, index) in tokens.iter().enumerate() {
        let next = tokens.get(position + 1).map(|next| &steps[*next]);
        let is_dangling = matches!(next, Some(Step::Optional { .. } | Step::List(_)))
            || matches!(next, Some(Step::Named(named)) if !named.is_required);
        let is_last = next.is_none();
        match &mut steps[*index] {
            Step::Field(slot) => {
                slot.least = match left {
                    Some(left) if position == 0 => {
                        slot.is_left = true;
                        left
                    }
                    _ if is_last => right,
                    _ => u32::from(is_dangling),
                };
            }
            Step::Optional { steps, .. } => set_least(steps, None, if is_last { right } else { 0 }),
            Step::List(list) => set_least(&mut list.steps, None, if is_last { right } else { 0 }),
            Step::Literal(_) | Step::Gap(_) | Step::Named(_) => {}
        }
    }
}

/// Makes the steps of one type.
struct Compiler<'c> {
    info: &'static TypeInfo,
    categories: &'c mut Categories,
    literals: &'c mut Literals,
    /// The fields that the format shows, by their bits.
    shown: u64,
    name_field: Option<usize>,
    /// The field for the place of the text, which stands in no list of fields by name.
    location: Option<usize>,
}

impl Compiler<'_> {
    /// The field with the name of a variable: the first text of the format, or a field `name`, or the first text.
    fn text_field(&self) -> Option<usize> {
        let is_text = |index: &usize| self.info.fields()[*index].schema().name == "ffi.String";
        let format = self.info.syntax().and_then(|syntax| Format::parse(syntax.format).ok());
        let of_format = format.and_then(|format| {
            let mut fields = format.fields().filter_map(|place| Some(self.info.field(place.name)?.0));
            fields.find(is_text)
        });
        let by_name = || self.info.field("name").map(|(index, _)| index).filter(is_text);
        of_format.or_else(by_name).or_else(|| (0..self.info.fields().len()).find(is_text))
    }

    fn slot(&mut self, field: usize, form: FieldForm) -> Result<Slot> {
        let info = &self.info.fields()[field];
        let mut kind = Kind::of(&info.schema(), self.categories)
            .map_err(|error| error.context(format_args!("field `{}` of `{}`", info.name(), self.info.type_key())))?;
        if form == FieldForm::Word || self.name_field == Some(field) {
            match &mut kind {
                Kind::Text => kind = Kind::Word,
                Kind::Array(inner) | Kind::Optional(inner) if **inner == Kind::Text => **inner = Kind::Word,
                _ => {}
            }
        }
        self.intern(&kind);
        self.shown |= 1 << field;
        Ok(Slot { field, kind, form, least: 0, role: info.meta().role, is_element: false, is_left: false })
    }

    /// Makes literals of the tokens that values of `kind` have.
    fn intern(&mut self, kind: &Kind) {
        let tokens: &[&str] = match kind {
            Kind::Bool => &["true", "false"],
            Kind::Float => &["inf", "NaN"],
            Kind::Optional(_) => &["None"],
            Kind::Array(_) => &["[", ",", "]"],
            Kind::Map(_) => &["{", ":", ",", "}"],
            Kind::Entry(_) => &[":"],
            Kind::Enum(it) => {
                for (name, _) in it.variants {
                    self.literals.intern(name, true);
                }
                &[]
            }
            Kind::Plain => &["[", "]", "{", "}", "true", "false", "None", "inf", "NaN"],
            Kind::Int | Kind::Text | Kind::Word | Kind::Object(_) | Kind::OneOf(_) => &[],
        };
        for token in tokens {
            // A word that stands for a value cannot be a name.
            self.literals.intern(token, is_word(token));
        }
        match kind {
            Kind::Optional(inner) | Kind::Array(inner) => self.intern(inner),
            Kind::Map(inner) | Kind::Entry(inner) => {
                self.intern(&inner.0);
                self.intern(&inner.1);
            }
            Kind::OneOf(kinds) => kinds.iter().for_each(|kind| self.intern(kind)),
            _ => {}
        }
    }

    fn error(&self, message: impl std::fmt::Display) -> Error {
        let (file, line) = self.info.location();
        let message = format!("the format of `{}` ({file}:{line}): {message}", self.info.type_key());
        Error::new(ErrorKind::Malformed, message)
    }

    fn format(&mut self, syntax: &Syntax) -> Result<Vec<Step>> {
        let format = Format::parse(syntax.format).map_err(|fault| self.error(fault))?;
        let is_list = |name: &str| {
            self.info.field(name).is_some_and(|(_, field)| matches!(field.schema().name, "ffi.Array" | "ffi.Map"))
        };
        let lists = format.check_lists(syntax.format, is_list);
        lists.map_err(|fault| self.error(format_args!("{fault}; {}", fault.help)))?;
        let named =
            format.fields().filter_map(|place| self.info.field(place.name)).fold(0u64, |bits, (at, _)| bits | 1 << at);
        let places: Vec<_> = format.fields().collect();
        for (index, place) in places.iter().enumerate() {
            if places[..index].iter().any(|before| before.name == place.name) {
                return Err(self.error(format_args!("it shows the field `{}` twice", place.name)));
            }
        }
        let steps = self.items(&format.items, named, None)?;
        for (index, field) in self.info.fields().iter().enumerate() {
            let is_shown = self.shown >> index & 1 == 1;
            if !is_shown && field.default().is_none() {
                let name = field.name();
                return Err(self
                    .error(format_args!("it does not show the field `{name}`, which has no default; add `${name}`")));
            }
        }
        Ok(steps)
    }

    /// The steps of `items`. `named` are the fields that the whole format names, and `part` is the field of the part around
    /// the items, with the kind that it has there, and whether that is an element.
    fn items(&mut self, items: &[Item], named: u64, part: Option<(usize, &Kind, bool)>) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        for item in items {
            steps.push(match &item.kind {
                ItemKind::Literal(token) => Step::Literal(self.literals.intern(token, !token.contains('.'))),
                ItemKind::Gap(gap) => Step::Gap(*gap),
                ItemKind::Field(field) => {
                    let index = self.field(&field.name)?;
                    let mut slot = self.slot(index, field.form)?;
                    if let Some((_, kind, is_element)) = part.filter(|(field, ..)| *field == index) {
                        slot.is_element = is_element;
                        let is_word = field.form == FieldForm::Word && *kind == Kind::Text;
                        slot.kind = if is_word { Kind::Word } else { kind.clone() };
                    }
                    Step::Field(slot)
                }
                ItemKind::Rest => {
                    let rest = (0..self.info.fields().len()).filter(|field| named >> field & 1 == 0).collect();
                    self.named(rest, ("{", "}"), true, false)?
                }
                ItemKind::Optional(items) => {
                    let field = self.first_field(items)?;
                    let info = &self.info.fields()[field];
                    let kind = Kind::of(&info.schema(), self.categories)?;
                    if info.default().is_none() && !matches!(kind, Kind::Optional(_) | Kind::Array(_) | Kind::Map(_)) {
                        let name = info.name();
                        let message =
                            format!("the field `{name}` always has a value, so the part with it is never absent");
                        return Err(self.error(message));
                    }
                    let steps = self.items(items, named, Some((field, kind.present(), false)))?;
                    Step::Optional { steps, field, first: TokenSet::default() }
                }
                ItemKind::List(list) => {
                    let field = self.first_field(&list.items)?;
                    let kind = Kind::of(&self.info.fields()[field].schema(), self.categories)?;
                    let element = match kind.present() {
                        Kind::Array(element) => (**element).clone(),
                        Kind::Map(entry) => Kind::Entry(entry.clone()),
                        _ => {
                            let name = self.info.fields()[field].name();
                            return Err(
                                self.error(format_args!("the field `{name}` of a list is no `Array` and no `Map`"))
                            );
                        }
                    };
                    self.intern(&element);
                    let steps = self.items(&list.items, named, Some((field, &element, true)))?;
                    let separator = list.separator.as_deref().map(|token| self.literals.intern(token, true));
                    let (gap, is_nonempty) = (list.gap, list.is_nonempty);
                    let is_map = matches!(element, Kind::Entry(_));
                    Step::List(List {
                        steps,
                        field,
                        separator,
                        gap,
                        is_nonempty,
                        is_map,
                        first: TokenSet::default(),
                        ends: TokenSet::default(),
                    })
                }
            });
        }
        Ok(steps)
    }

    fn first_field(&self, items: &[Item]) -> Result<usize> {
        let format = Format { items: items.to_vec() };
        let name = format.fields().next().map(|place| place.name.clone()).unwrap_or_default();
        self.field(&name)
    }

    fn field(&self, name: &str) -> Result<usize> {
        self.info.field(name).map(|(index, _)| index).ok_or_else(|| {
            let near = nearest(name, self.info.fields().iter().map(object_core::object::FieldInfo::name));
            let hint = near.map(|near| format!("; did you mean `${near}`?")).unwrap_or_default();
            self.error(format_args!("the type has no field `{name}`{hint}"))
        })
    }

    fn named(
        &mut self,
        fields: Vec<usize>,
        brackets: (&str, &str),
        is_spaced: bool,
        is_required: bool,
    ) -> Result<Step> {
        let (mut slots, mut names) = (Vec::new(), Vec::new());
        let location = self.location;
        for field in fields.into_iter().filter(|field| Some(*field) != location) {
            names.push(self.literals.intern(self.info.fields()[field].name(), false));
            slots.push(self.slot(field, FieldForm::Value)?);
        }
        Ok(Step::Named(Named {
            slots,
            names,
            open: self.literals.intern(brackets.0, false),
            close: self.literals.intern(brackets.1, false),
            comma: self.literals.intern(",", false),
            equals: self.literals.intern("=", false),
            is_spaced,
            is_required,
        }))
    }

    /// `key(a=1, b=2)`
    fn generic(&mut self) -> Result<Vec<Step>> {
        let key = self.info.type_key();
        let word = Step::Literal(self.literals.intern(key, !key.contains('.')));
        let named = self.named((0..self.info.fields().len()).collect(), ("(", ")"), false, true)?;
        Ok(vec![word, named])
    }

    /// `name {a = 1}`
    fn generic_variable(&mut self) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        if let Some(name) = self.name_field {
            steps.push(Step::Field(self.slot(name, FieldForm::Word)?));
            steps.push(Step::Gap(Gap::Space));
        }
        let rest = (0..self.info.fields().len()).filter(|field| Some(*field) != self.name_field).collect();
        steps.push(self.named(rest, ("{", "}"), true, false)?);
        Ok(steps)
    }
}

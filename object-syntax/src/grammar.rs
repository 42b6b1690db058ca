//! [`Grammar`]: the texts of all types of a language, and the tokens with which each of them begins.

use object_core::table::Table;

use object_core::object::{SEqHashKind, TypeInfo, TypeSchema};
use object_core::registry::Types;
use object_core::{Error, ErrorKind, Result};

use crate::kind::{Categories, CategoryId, Kind, short_name};
use crate::production::{List, Production, Step};
use crate::token::{LiteralId, Literals, Token};
use crate::token_set::{Terminal, TokenSet};

/// The most tokens that a reader looks at to choose between the texts of two types.
const MAX_PREFIX: usize = 4;

/// The texts of a language.
#[derive(Debug)]
pub(crate) struct Grammar {
    pub(crate) root: Kind,
    pub(crate) literals: Literals,
    pub(crate) categories: Vec<Category>,
    pub(crate) productions: Vec<Choice>,
    /// The productions by the addresses of their types.
    by_type: Table<usize, usize>,
    /// For each category, the categories of objects that its texts can end with.
    ends: Vec<Vec<bool>>,
    /// The brackets around an object that an operator would take apart.
    pub(crate) brackets: (LiteralId, LiteralId),
}

/// The objects that can stand at a place.
#[derive(Debug)]
pub(crate) struct Category {
    pub(crate) info: &'static TypeInfo,
    /// The productions that begin with a token, or with an object of another category.
    pub(crate) heads: Vec<usize>,
    /// The heads without the definitions of variables.
    pub(crate) uses: Vec<usize>,
    /// The productions that begin with an object of this category: operators after it.
    pub(crate) tails: Vec<usize>,
    /// The category whose texts have to be read first: the operands of an operator of this one are of that one.
    pub(crate) read_as: Option<CategoryId>,
    /// The type of the variables of the category.
    pub(crate) variables: Vec<usize>,
    pub(crate) has_brackets: bool,
    pub(crate) first: TokenSet,
}

/// A production with the tokens that a reader recognizes it by.
#[derive(Debug)]
pub(crate) struct Choice {
    pub(crate) production: Production,
    /// The tokens that the text begins with; for an operator, the tokens after its first operand.
    pub(crate) prefix: Vec<TokenSet>,
}

impl Grammar {
    /// The grammar of the values with the type `root`. The field `location` of objects holds their places.
    ///
    /// # Errors
    /// The errors of [`Production::of`], and [`UnknownField`](ErrorKind::UnknownField) if no object has a place for its location.
    pub(crate) fn new(
        root: &TypeSchema,
        types: &Types,
        brackets: (&str, &str),
        location: Option<&str>,
    ) -> Result<Self> {
        let mut categories = Categories { types: types.clone(), infos: Vec::new() };
        let mut literals = Literals::default();
        let brackets = (literals.intern(brackets.0, true), literals.intern(brackets.1, true));
        let root = Kind::of(root, &mut categories)?;
        let all = types.all()?;
        let mut grammar = Grammar {
            root,
            literals,
            categories: Vec::new(),
            productions: Vec::new(),
            by_type: Table::default(),
            ends: Vec::new(),
            brackets,
        };
        // Each production may need further categories.
        while let Some(info) = categories.infos.get(grammar.categories.len()).copied() {
            let mut category = Category {
                info,
                heads: Vec::new(),
                uses: Vec::new(),
                tails: Vec::new(),
                read_as: None,
                variables: Vec::new(),
                has_brackets: false,
                first: TokenSet::default(),
            };
            for member in all.iter().filter(|it| it.is_or_extends(info) && !it.is_abstract()) {
                let index = match grammar.by_type.get(&address(member)) {
                    Some(index) => *index,
                    None => {
                        let production = Production::of(member, &mut categories, &mut grammar.literals, location)?;
                        grammar.productions.push(Choice { production, prefix: Vec::new() });
                        grammar.by_type.insert(address(member), grammar.productions.len() - 1);
                        grammar.productions.len() - 1
                    }
                };
                category.heads.push(index);
                if member.kind() == SEqHashKind::FreeVar {
                    category.variables.push(index);
                }
            }
            grammar.categories.push(category);
        }
        if let Some(name) = location.filter(|_| grammar.productions.iter().all(|it| it.production.location.is_none())) {
            let message = format!(
                "no type of the language has a field `{name}` marked `ignore` that its format does not show, \
                for the locations of its objects"
            );
            return Err(Error::new(ErrorKind::UnknownField, message));
        }
        grammar.separate_operators();
        grammar.find_ends();
        grammar.find_first_tokens();
        Ok(grammar)
    }

    /// The production of the type `info`.
    pub(crate) fn production(&self, info: &TypeInfo) -> Option<&Production> {
        self.by_type.get(&address(info)).map(|index| &self.productions[*index].production)
    }

    /// Moves the productions that begin with an object of their own category from the heads to the tails.
    fn separate_operators(&mut self) {
        for index in 0..self.categories.len() {
            let info = self.categories[index].info;
            let heads = std::mem::take(&mut self.categories[index].heads);
            for production in heads {
                let left = self.productions[production].production.left;
                let left_info = left.map(|left| self.categories[left].info);
                let category = &mut self.categories[index];
                match left_info {
                    Some(left_info) if left_info.is_or_extends(info) => category.tails.push(production),
                    Some(left_info) if info.is_or_extends(left_info) => {
                        category.read_as = left;
                        category.heads.push(production);
                    }
                    _ => category.heads.push(production),
                }
            }
            let is_use = |head: &&usize| !self.productions[**head].production.is_variable();
            self.categories[index].uses = self.categories[index].heads.iter().filter(is_use).copied().collect();
            // An operand of the category itself could be taken apart.
            let is_operator = |head: &usize| {
                let production = &self.productions[*head].production;
                let operands = [production.left, production.right];
                operands.into_iter().flatten().any(|operand| self.categories[operand].info.is_or_extends(info))
            };
            let category = &self.categories[index];
            let has_operators = !category.tails.is_empty() || category.heads.iter().any(is_operator);
            self.categories[index].has_brackets = has_operators;
        }
    }

    /// Computes the categories of objects that texts can end with, up to a fixed point.
    fn find_ends(&mut self) {
        let count = self.categories.len();
        self.ends = (0..count).map(|index| (0..count).map(|other| index == other).collect()).collect();
        loop {
            let mut has_changed = false;
            for index in 0..count {
                let category = &self.categories[index];
                let rights = category
                    .heads
                    .iter()
                    .chain(&category.tails)
                    .filter_map(|it| self.productions[*it].production.right);
                for right in rights.collect::<Vec<_>>() {
                    for other in 0..count {
                        let is_new = self.ends[right][other] && !self.ends[index][other];
                        self.ends[index][other] |= is_new;
                        has_changed |= is_new;
                    }
                }
            }
            if !has_changed {
                return;
            }
        }
    }

    /// Whether an object with the text `production` needs brackets where an operand of the category `category` needs the
    /// precedence `least`. The first operand of an operator needs none if its text ends with no operand of this category.
    pub(crate) fn needs_brackets(&self, production: &Production, category: CategoryId, slot: (u32, bool)) -> bool {
        let (least, is_left) = slot;
        let info = self.categories[category].info;
        let is_related = |other: usize| {
            let other = self.categories[other].info;
            other.is_or_extends(info) || info.is_or_extends(other)
        };
        let can_take =
            |right: CategoryId| (0..self.categories.len()).any(|other| self.ends[right][other] && is_related(other));
        production.precedence < least && (!is_left || production.right.is_some_and(can_take))
    }

    /// Computes the tokens with which categories, productions, parts and lists begin, up to a fixed point.
    fn find_first_tokens(&mut self) {
        loop {
            let mut has_changed = false;
            for index in 0..self.categories.len() {
                let mut first = TokenSet::of(&[Terminal::Mark]);
                let category = &self.categories[index];
                if category.has_brackets {
                    first.add_literal(self.brackets.0);
                }
                for head in &category.heads {
                    let production = &self.productions[*head].production;
                    first.add_all(&self.first_of(&production.steps).0);
                    if production.is_variable() {
                        first.add_all(&TokenSet::of(&[Terminal::Name]));
                    }
                }
                if let Some(read_as) = category.read_as {
                    first.add_all(&self.categories[read_as].first.clone());
                }
                has_changed |= self.categories[index].first.add_all(&first);
            }
            if !has_changed {
                break;
            }
        }
        for index in 0..self.productions.len() {
            let mut steps = std::mem::take(&mut self.productions[index].production.steps);
            self.set_first(&mut steps);
            self.productions[index].production.steps = steps;
            let production = &self.productions[index].production;
            // An operator begins after its operand, which stands before it in each category that has it.
            let is_tail = self.categories.iter().any(|category| category.tails.contains(&index));
            let skipped = if is_tail { 1 } else { 0 };
            self.productions[index].prefix = self.prefix(&production.steps, skipped);
        }
    }

    fn set_first(&self, steps: &mut [Step]) {
        for step in steps {
            match step {
                Step::Optional { steps, first, .. } => {
                    self.set_first(steps);
                    *first = self.first_of(steps).0;
                }
                Step::List(List { steps, first, ends, .. }) => {
                    self.set_first(steps);
                    *first = self.first_of(steps).0;
                    *ends = self.ends_of(steps);
                }
                Step::Literal(_) | Step::Gap(_) | Step::Field(_) | Step::Named(_) => {}
            }
        }
    }

    /// The literals with which `steps` can end.
    fn ends_of(&self, steps: &[Step]) -> TokenSet {
        let mut set = TokenSet::default();
        match steps.last() {
            Some(Step::Literal(id)) => set.add_literal(*id),
            Some(Step::Field(slot)) => {
                if let Kind::Object(category) = slot.kind.present() {
                    for head in &self.categories[*category].uses {
                        if let Some(Step::Literal(id)) = self.productions[*head].production.steps.last() {
                            set.add_literal(*id);
                        }
                    }
                }
            }
            _ => {}
        }
        set
    }

    /// The tokens with which a value of `kind` begins.
    pub(crate) fn first_of_kind(&self, kind: &Kind) -> TokenSet {
        let literals = |texts: &[&str]| {
            let mut set = TokenSet::default();
            texts.iter().filter_map(|text| self.literals.get(text)).for_each(|id| set.add_literal(id));
            set
        };
        match kind {
            Kind::Bool => literals(&["true", "false"]),
            Kind::Int => TokenSet::of(&[Terminal::Int]),
            Kind::Float => {
                let mut set = literals(&["inf", "NaN"]);
                set.add_all(&TokenSet::of(&[Terminal::Int, Terminal::Float]));
                set
            }
            Kind::Text => TokenSet::of(&[Terminal::Text]),
            Kind::Word => TokenSet::of(&[Terminal::Name]),
            Kind::Enum(it) => literals(&it.variants.iter().map(|(name, _)| *name).collect::<Vec<_>>()),
            Kind::Plain => {
                let mut set = literals(&["[", "{", "true", "false", "None", "inf", "NaN"]);
                set.add_all(&TokenSet::of(&[Terminal::Int, Terminal::Float, Terminal::Text, Terminal::Name]));
                set
            }
            Kind::Optional(inner) => {
                let mut set = literals(&["None"]);
                set.add_all(&self.first_of_kind(inner));
                set
            }
            Kind::Array(_) => literals(&["["]),
            Kind::Map(_) => literals(&["{"]),
            Kind::Entry(entry) => self.first_of_kind(&entry.0),
            Kind::Object(category) => self.categories[*category].first.clone(),
            Kind::OneOf(kinds) => {
                let mut set = TokenSet::default();
                for kind in kinds {
                    set.add_all(&self.first_of_kind(kind));
                }
                set
            }
        }
    }

    /// The tokens with which `steps` begin, and whether they can be empty.
    pub(crate) fn first_of(&self, steps: &[Step]) -> (TokenSet, bool) {
        let mut set = TokenSet::default();
        for step in steps {
            let can_be_empty = match step {
                Step::Gap(_) => true,
                Step::Literal(id) => {
                    set.add_literal(*id);
                    false
                }
                Step::Field(slot) => {
                    set.add_all(&self.first_of_slot(slot));
                    slot.form == object_format::FieldForm::Flag
                }
                Step::Named(named) => {
                    set.add_literal(named.open);
                    !named.is_required
                }
                Step::Optional { steps, .. } => {
                    set.add_all(&self.first_of(steps).0);
                    true
                }
                Step::List(list) => {
                    set.add_all(&self.first_of(&list.steps).0);
                    !list.is_nonempty
                }
            };
            if !can_be_empty {
                return (set, false);
            }
        }
        (set, true)
    }

    fn first_of_slot(&self, slot: &crate::production::Slot) -> TokenSet {
        match (slot.form, &slot.kind) {
            (object_format::FieldForm::Flag, _) => TokenSet::default(),
            (_, kind) => self.first_of_kind(kind),
        }
    }

    /// The sets of tokens that a reader recognizes `steps` by, without the first `skipped` fields.
    fn prefix(&self, steps: &[Step], skipped: usize) -> Vec<TokenSet> {
        let mut prefix = Vec::new();
        let tokens: Vec<usize> = (0..steps.len()).filter(|index| !matches!(steps[*index], Step::Gap(_))).collect();
        for index in tokens.into_iter().skip(skipped) {
            if prefix.len() == MAX_PREFIX {
                break;
            }
            let is_one_token = match &steps[index] {
                Step::Literal(_) => true,
                Step::Field(slot) => {
                    matches!(slot.kind, Kind::Bool | Kind::Int | Kind::Text | Kind::Word | Kind::Enum(_))
                }
                Step::Named(named) => named.is_required,
                _ => false,
            };
            let (first, can_be_empty) = self.first_of(&steps[index..]);
            // The text can end here.
            if can_be_empty {
                break;
            }
            prefix.push(first);
            if !is_one_token {
                break;
            }
        }
        prefix
    }

    /// The production among `among` whose prefix the next tokens match best, and the number of tokens that match. A prefix
    /// whose first token matches counts: the reader of its text reports the mistake after it.
    pub(crate) fn choose(&self, among: &[usize], tokens: &[Token]) -> Option<(usize, usize)> {
        let mut best: Option<(usize, usize)> = None;
        let mut is_best_whole = false;
        for index in among {
            let prefix = &self.productions[*index].prefix;
            let pairs = prefix.iter().zip(tokens);
            let length = pairs.take_while(|(set, token)| set.contains(token, &self.literals)).count();
            let is_whole = length == prefix.len();
            // A text that matches as a whole comes before one that begins alike, and a longer one before a shorter one.
            if length > 0 && best.is_none_or(|(_, longest)| (is_whole, length) > (is_best_whole, longest)) {
                best = Some((*index, length));
                is_best_whole = is_whole;
            }
        }
        best
    }

    /// A name of `kind` for messages.
    pub(crate) fn describe(&self, kind: &Kind) -> String {
        match kind {
            Kind::Bool => "`true` or `false`".to_owned(),
            Kind::Int => "an integer".to_owned(),
            Kind::Float => "a number".to_owned(),
            Kind::Text => "a text in quotes".to_owned(),
            Kind::Word => "a name".to_owned(),
            Kind::Enum(it) => format!("a variant of `{}`", it.name),
            Kind::Plain => "a value".to_owned(),
            Kind::Optional(kind) => format!("{} or `None`", self.describe(kind)),
            Kind::Array(_) => "a list".to_owned(),
            Kind::Map(_) => "a map".to_owned(),
            Kind::Entry(_) => "an entry".to_owned(),
            Kind::Object(category) => {
                let name = short_name(self.categories[*category].info);
                let article = if name.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
                format!("{article} `{name}`")
            }
            Kind::OneOf(kinds) => kinds.iter().map(|kind| self.describe(kind)).collect::<Vec<_>>().join(" or "),
        }
    }
}

fn address(info: &TypeInfo) -> usize {
    std::ptr::from_ref(info).addr()
}

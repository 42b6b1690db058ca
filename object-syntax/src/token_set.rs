//! [`TokenSet`]: the tokens that can stand at a place of a text.

use crate::token::{Class, LiteralId, Literals, Token};

/// The classes of tokens that are no literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Terminal {
    Name,
    Int,
    Float,
    Text,
    Mark,
}

const TERMINALS: [(Terminal, &str, &str); 5] = [
    (Terminal::Name, "a name", "x"),
    (Terminal::Int, "an integer", "1"),
    (Terminal::Float, "a number", "1.5"),
    (Terminal::Text, "a text in quotes", "\"text\""),
    (Terminal::Mark, "the number of a shared object", "%0"),
];

/// A set of tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TokenSet {
    words: Vec<u64>,
    terminals: u8,
}

impl TokenSet {
    pub(crate) fn of_literal(id: LiteralId) -> Self {
        let mut set = TokenSet::default();
        set.add_literal(id);
        set
    }

    pub(crate) fn of(terminals: &[Terminal]) -> Self {
        TokenSet { words: Vec::new(), terminals: terminals.iter().fold(0, |bits, it| bits | 1 << *it as u8) }
    }

    /// The names.
    pub(crate) fn of_names() -> Self {
        TokenSet::of(&[Terminal::Name])
    }

    /// Whether the set contains names.
    pub(crate) fn has_name(&self) -> bool {
        self.has(Terminal::Name)
    }

    pub(crate) fn add_literal(&mut self, id: LiteralId) {
        let (word, bit) = (usize::from(id) / 64, usize::from(id) % 64);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << bit;
    }

    pub(crate) fn has_literal(&self, id: LiteralId) -> bool {
        self.words.get(usize::from(id) / 64).is_some_and(|word| word >> (usize::from(id) % 64) & 1 == 1)
    }

    /// Adds all tokens of `other`, and returns whether one is new.
    pub(crate) fn add_all(&mut self, other: &TokenSet) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut added = u64::from(other.terminals & !self.terminals);
        self.terminals |= other.terminals;
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            added |= other & !*word;
            *word |= other;
        }
        added != 0
    }

    /// Removes all tokens.
    pub(crate) fn clear(&mut self) {
        self.words.fill(0);
        self.terminals = 0;
    }

    /// The tokens in both sets.
    pub(crate) fn common(&self, other: &TokenSet) -> TokenSet {
        TokenSet {
            words: self.words.iter().zip(&other.words).map(|(a, b)| a & b).collect(),
            terminals: self.terminals & other.terminals,
        }
    }

    /// Whether the set contains all tokens of `other`, and `other` has some.
    pub(crate) fn contains_all(&self, other: &TokenSet) -> bool {
        let mut missing = other.clone();
        missing.remove_all(self);
        missing.is_empty() && !other.is_empty()
    }

    pub(crate) fn remove_all(&mut self, other: &TokenSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
        self.terminals &= !other.terminals;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.terminals == 0 && self.words.iter().all(|word| *word == 0)
    }

    fn has(&self, terminal: Terminal) -> bool {
        self.terminals >> (terminal as u8) & 1 == 1
    }

    /// Whether the set contains `token`.
    pub(crate) fn contains(&self, token: &Token, literals: &Literals) -> bool {
        if token.literal.is_some_and(|id| self.has_literal(id)) {
            return true;
        }
        match token.class {
            Class::Word => self.has(Terminal::Name) && !token.literal.is_some_and(|id| literals.is_reserved(id)),
            Class::Quoted => self.has(Terminal::Name),
            Class::Int => self.has(Terminal::Int),
            Class::Float => self.has(Terminal::Float),
            Class::Text => self.has(Terminal::Text),
            Class::Mark => self.has(Terminal::Mark),
            Class::Sign | Class::Unknown | Class::End => false,
        }
    }

    /// A token of the set, for the example of a message.
    pub(crate) fn example(&self, literals: &Literals) -> Option<String> {
        let literal = literals.all().find(|(id, _)| self.has_literal(*id)).map(|(_, text)| text.to_owned());
        literal.or_else(|| TERMINALS.iter().find(|it| self.has(it.0)).map(|it| it.2.to_owned()))
    }

    /// The tokens for messages: literals in backquotes, then the classes.
    pub(crate) fn described(&self, literals: &Literals) -> Vec<String> {
        let of_literals = literals.all().filter(|(id, _)| self.has_literal(*id)).map(|(_, text)| format!("`{text}`"));
        let classes = TERMINALS.iter().filter(|it| self.has(it.0)).map(|it| it.1.to_owned());
        of_literals.chain(classes).collect()
    }
}

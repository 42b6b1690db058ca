//! The depth of the syntax tree of a text, before the text is parsed.
//!
//! Walks over a tree and its release recurse on the machine stack. An upper bound of the depth chooses a stack that is
//! large enough, or refuses the text.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, lexer};

/// The deepest nesting of brackets, blocks and prefixes that the parser accepts. No program extends the stack of WebAssembly, and
/// workers of browsers have half a megabyte, of which the limits there take less than half.
const MAX_NESTING: usize = if cfg!(target_family = "wasm") { 150 } else { 3000 };

/// The longest chain of operators, members and calls that the parser accepts, such as `a + b + c`.
const MAX_CHAIN: usize = if cfg!(target_family = "wasm") { 300 } else { 200_000 };

/// Bytes of stack that the release of a level takes, in a build without optimization.
const LEVEL_BYTES: usize = 1024;

/// Bytes of stack that a text without nesting takes.
const BASE_BYTES: usize = 512 * 1024;

/// An upper bound of the depth of a syntax tree.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Depth {
    nesting: usize,
    chain: usize,
}

impl Depth {
    /// Runs `operation`, which parses and releases a tree of this depth, on a stack that is large enough.
    pub(crate) fn with_stack<R>(self, operation: impl FnOnce() -> R) -> R {
        if cfg!(target_family = "wasm") {
            return operation();
        }
        let bytes = BASE_BYTES + (4 * self.nesting + self.chain) * LEVEL_BYTES;
        stacker::maybe_grow(bytes, bytes, operation)
    }

    /// The depth of the tree of `source`.
    ///
    /// # Errors
    /// A message that names the exceeded limit.
    pub(crate) fn of(source: &str) -> Result<Depth, String> {
        let blocks = indentation(source);
        let (mut depth, mut state) = (Depth { nesting: blocks, chain: 0 }, State::default());
        let mut lexer = lexer::lex(source, Mode::Module);
        loop {
            let kind = lexer.next_token();
            if kind == TokenKind::EndOfFile {
                return Ok(depth);
            }
            state.add(kind);
            depth.nesting = depth.nesting.max(blocks + state.nesting());
            depth.chain = depth.chain.max(state.chain());
            if depth.nesting > MAX_NESTING {
                return Err(format!("brackets and blocks nest deeper than {MAX_NESTING} levels"));
            }
            if depth.chain > MAX_CHAIN {
                return Err(format!("an expression is a chain of more than {MAX_CHAIN} operators"));
            }
        }
    }
}

/// The largest number of nested blocks. Every line counts, also one inside of brackets, because the parser may recover
/// from an open bracket by ending it.
fn indentation(source: &str) -> usize {
    let (mut widths, mut deepest) = (Vec::<usize>::new(), 0);
    for line in source.lines() {
        let width = line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t' | 0x0c)).count();
        if width == line.len() {
            continue;
        }
        while widths.last().is_some_and(|outer| *outer >= width) {
            widths.pop();
        }
        if width > 0 {
            widths.push(width);
        }
        deepest = deepest.max(widths.len());
    }
    deepest
}

/// The counts of one level of brackets.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Prefixes and right operands of the current element, each of which contains the following one.
    prefixes: usize,
    /// Prefixes that a comma does not end, such as `lambda`.
    lambdas: usize,
    /// Operators, members, subscripts and calls of the current element.
    chain: usize,
}

/// The open brackets, with the sums over all of them.
#[derive(Default)]
struct State {
    levels: Vec<Level>,
    current: Level,
    outer_prefixes: usize,
    outer_chain: usize,
    /// Whether the previous token ends an operand.
    is_operand: bool,
}

impl State {
    fn nesting(&self) -> usize {
        self.levels.len() + self.outer_prefixes + self.current.prefixes + self.current.lambdas
    }

    fn chain(&self) -> usize {
        self.outer_chain + self.current.chain
    }

    fn add(&mut self, kind: TokenKind) {
        let after_operand = std::mem::replace(&mut self.is_operand, false);
        match kind {
            TokenKind::Lpar
            | TokenKind::Lsqb
            | TokenKind::Lbrace
            | TokenKind::FStringStart
            | TokenKind::TStringStart => {
                self.current.chain += usize::from(after_operand);
                self.outer_prefixes += self.current.prefixes + self.current.lambdas;
                self.outer_chain += self.current.chain;
                self.levels.push(std::mem::take(&mut self.current));
            }
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace | TokenKind::FStringEnd | TokenKind::TStringEnd => {
                self.is_operand = true;
                if let Some(outer) = self.levels.pop() {
                    self.current = outer;
                    self.outer_prefixes -= outer.prefixes + outer.lambdas;
                    self.outer_chain -= outer.chain;
                }
            }
            TokenKind::Newline | TokenKind::Semi => self.current = Level::default(),
            TokenKind::Comma => self.current = Level { lambdas: self.current.lambdas, ..Level::default() },
            TokenKind::Lambda => self.current.lambdas += 1,
            TokenKind::Plus | TokenKind::Minus | TokenKind::Star if after_operand => self.current.chain += 1,
            TokenKind::Plus
            | TokenKind::Minus
            | TokenKind::Star
            | TokenKind::Tilde
            | TokenKind::Not
            | TokenKind::Await
            | TokenKind::Yield
            | TokenKind::From
            | TokenKind::If
            | TokenKind::Else
            | TokenKind::For
            | TokenKind::DoubleStar
            | TokenKind::ColonEqual
            | TokenKind::Colon => self.current.prefixes += 1,
            TokenKind::Slash
            | TokenKind::DoubleSlash
            | TokenKind::Percent
            | TokenKind::At
            | TokenKind::Vbar
            | TokenKind::Amper
            | TokenKind::CircumFlex
            | TokenKind::LeftShift
            | TokenKind::RightShift
            | TokenKind::Dot
            | TokenKind::Equal => self.current.chain += 1,
            // A comparison and `and` have any number of operands on one level, but each change of the operator is one.
            TokenKind::And | TokenKind::Or | TokenKind::In | TokenKind::Is => self.current.chain += 1,
            TokenKind::NonLogicalNewline | TokenKind::Comment => self.is_operand = after_operand,
            TokenKind::Indent | TokenKind::Dedent => {}
            _ => self.is_operand = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(source: &str) -> (usize, usize) {
        let depth = Depth::of(source).unwrap();
        (depth.nesting, depth.chain)
    }

    #[test]
    fn brackets_prefixes_and_blocks_nest() {
        assert_eq!(depth("((a))\n"), (2, 0));
        assert_eq!(depth("- - not a\n"), (3, 0));
        assert_eq!(depth("if a:\n  if b:\n    (c)\n"), (4, 0));
        assert_eq!(depth("'((((' # ((((\n"), (0, 0));
    }

    #[test]
    fn elements_of_a_list_do_not_add_up() {
        assert_eq!(depth("[a + b, c + d, -e]\n"), (2, 1));
        assert_eq!(depth("a.b.c(d)(e)\n").1, 4);
    }

    #[test]
    fn a_deep_text_is_refused() {
        for prefix in ["(", "-", "not ", "lambda: ", "a if b else ", "a ** ", "f'{", "lambda x, y="] {
            let text = prefix.repeat(MAX_NESTING + 1);
            assert!(Depth::of(&text).is_err(), "{prefix}");
        }
        assert!(Depth::of(&"a + ".repeat(MAX_CHAIN + 1)).is_err());
    }
}

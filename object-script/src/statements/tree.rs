//! [`Statements`]: the statements of a text with their places and the keys by which two texts correspond.

use std::ops::Range;

use object_python_syntax::with_tree_and_tokens;
use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_ast::{Decorator, ElifElseClause, Expr, Stmt};
use ruff_text_size::{Ranged, TextRange};

use crate::lines::line_start;
use crate::parse::{Diagnostic, bytes, of_faults};

/// A statement, a decorator, or a clause such as `else`.
pub(crate) struct Statement {
    /// The kind, with the names that it defines or the function that it calls.
    pub(crate) key: String,
    /// The key without the numbers at the ends of names and without the names of definitions, which the printer may choose.
    pub(crate) loose_key: String,
    /// Of an assignment or an expression, the function that it calls: the printer leaves out names of values that hold nothing.
    pub(crate) called: Option<String>,
    pub(crate) start: usize,
    /// The end of the part before the first inner statement; of a statement without inner ones, the end.
    pub(crate) header_end: usize,
    pub(crate) end: usize,
    /// The bytes before the statement on its line.
    pub(crate) column: usize,
    pub(crate) parent: Option<usize>,
    pub(crate) children: Vec<usize>,
    /// Whether the printer leaves out such statements: imports.
    pub(crate) is_import: bool,
    /// The part that formatting keeps as it is written: a decorator, and the name of a class with its bases.
    pub(crate) as_written: Option<Range<usize>>,
}

/// A statement that is a literal, such as a docstring. It means nothing, so the printer does not know it.
pub(crate) struct LiteralStatement {
    /// The bytes, with a comment at the end of the line.
    pub(crate) range: Range<usize>,
    /// The statement that contains it.
    pub(crate) parent: usize,
    /// The statement before it in its block.
    pub(crate) previous: Option<usize>,
    /// The number of statements before it in the text, which is the number of the next one.
    pub(crate) next: usize,
}

/// The statements of a text, each before its inner ones, and the bytes of the comments. Literals inside of other statements are
/// apart, with the comments at their lines.
#[derive(Default)]
pub(crate) struct Statements {
    pub(crate) all: Vec<Statement>,
    pub(crate) roots: Vec<usize>,
    pub(crate) comments: Vec<Range<usize>>,
    pub(crate) literals: Vec<LiteralStatement>,
}

impl Statements {
    /// The statements of `source`.
    ///
    /// # Errors
    /// The errors of the syntax.
    pub(crate) fn of(source: &str) -> Result<Self, Vec<Diagnostic>> {
        with_tree_and_tokens(source, |tree, tokens, faults| {
            if !faults.is_empty() {
                return Err(of_faults(faults, source));
            }
            Ok(Statements::of_block(source, &tree.body, tokens))
        })
    }

    /// The statements of a part of `source`, which has the given tokens.
    pub(crate) fn of_block(source: &str, body: &[Stmt], tokens: &[Token]) -> Self {
        let comments = tokens.iter().filter(|token| token.kind() == TokenKind::Comment);
        let comments = comments.map(|token| bytes(token.range())).collect();
        let mut statements = Statements { comments, ..Statements::default() };
        Builder { source, statements: &mut statements }.block(None, body);
        statements.take_comments_of_literals(source);
        statements
    }

    /// Makes the comments inside of a literal, and the one at the end of its line, a part of it.
    fn take_comments_of_literals(&mut self, source: &str) {
        let is_blank = |text: &str| text.bytes().all(|byte| matches!(byte, b' ' | b'\t'));
        let mut literals = self.literals.iter_mut().peekable();
        self.comments.retain(|comment| {
            let is_before = |end: usize| end < comment.start && !is_blank(&source[end..comment.start]);
            while literals.next_if(|it| is_before(it.range.end)).is_some() {}
            let Some(literal) = literals.peek_mut().filter(|it| it.range.start < comment.start) else { return true };
            literal.range.end = literal.range.end.max(comment.end);
            false
        });
    }

    /// The number of the last statement that starts at `offset` or before it.
    pub(crate) fn last_before(&self, offset: usize) -> Option<usize> {
        self.all.partition_point(|it| it.start <= offset).checked_sub(1)
    }

    /// The number of the innermost statement around the byte `offset`.
    pub(crate) fn around(&self, offset: usize) -> Option<usize> {
        let mut number = self.last_before(offset)?;
        while offset >= self.all[number].end {
            number = self.all[number].parent?;
        }
        Some(number)
    }

    /// The children of a statement; the statements of the text for `None`.
    pub(crate) fn children(&self, parent: Option<usize>) -> &[usize] {
        match parent {
            Some(parent) => &self.all[parent].children,
            None => &self.roots,
        }
    }
}

struct Builder<'a> {
    source: &'a str,
    statements: &'a mut Statements,
}

impl Builder<'_> {
    fn block(&mut self, parent: Option<usize>, body: &[Stmt]) {
        for stmt in body {
            self.statement(parent, stmt);
        }
    }

    fn add(&mut self, parent: Option<usize>, key: (String, String), range: Range<usize>, body: &[Stmt]) -> usize {
        let header_end = body.first().map_or(range.end, |first| first.start().to_usize());
        let line_start = line_start(self.source, range.start);
        let number = self.statements.all.len();
        self.statements.all.push(Statement {
            key: key.0,
            loose_key: key.1,
            called: None,
            start: range.start,
            header_end,
            end: range.end,
            column: range.start - line_start,
            parent,
            children: Vec::new(),
            is_import: false,
            as_written: None,
        });
        match parent {
            Some(parent) => self.statements.all[parent].children.push(number),
            None => self.statements.roots.push(number),
        }
        self.block(Some(number), body);
        number
    }

    fn text(&self, range: TextRange) -> &str {
        &self.source[range.start().to_usize()..range.end().to_usize()]
    }

    fn decorators(&mut self, parent: Option<usize>, decorators: &[Decorator], name: &str) {
        for (index, decorator) in decorators.iter().enumerate() {
            // The last one determines the language, and the printer writes one.
            let mark = if index + 1 == decorators.len() { "@" } else { "@ @" };
            let key = (format!("{mark} {name}"), mark.to_owned());
            let number = self.add(parent, key, bytes(decorator.range), &[]);
            self.statements.all[number].as_written = Some(bytes(decorator.range));
        }
    }

    fn clauses(&mut self, parent: usize, clauses: &[ElifElseClause]) {
        for clause in clauses {
            let key = if clause.test.is_some() { "elif" } else { "else" };
            self.add(Some(parent), same(key), bytes(clause.range), &clause.body);
        }
    }

    fn statement(&mut self, parent: Option<usize>, stmt: &Stmt) {
        let range = bytes(stmt.range());
        match stmt {
            Stmt::FunctionDef(it) => {
                self.decorators(parent, &it.decorator_list, &it.name);
                let start = it.decorator_list.last().map_or(range.start, |last| last.end().to_usize());
                let key = (format!("def {}", it.name), "def".to_owned());
                self.add(parent, key, self.definition(start, "def")..range.end, &it.body);
            }
            Stmt::ClassDef(it) => {
                self.decorators(parent, &it.decorator_list, "class");
                let start = it.decorator_list.last().map_or(range.start, |last| last.end().to_usize());
                let start = self.definition(start, "class");
                let number = self.add(parent, same("class"), start..range.end, &it.body);
                let end = it.arguments.as_ref().map_or(it.name.end(), |arguments| arguments.end());
                self.statements.all[number].as_written = Some(start..end.to_usize());
            }
            Stmt::If(it) => {
                let number = self.add(parent, same("if"), range, &it.body);
                self.clauses(number, &it.elif_else_clauses);
            }
            Stmt::For(it) => drop(self.add(parent, same("for"), range, &it.body)),
            Stmt::While(it) => drop(self.add(parent, same("while"), range, &it.body)),
            Stmt::With(it) => {
                let contexts: Vec<String> = it.items.iter().map(|item| self.callee(&item.context_expr)).collect();
                self.add(parent, same(&format!("with {}", contexts.join(", "))), range, &it.body);
            }
            Stmt::Assign(it) => {
                let targets: Vec<String> = it.targets.iter().map(|target| self.target(target)).collect();
                let number = self.add(parent, assigned(&targets.join(", ")), range, &[]);
                self.statements.all[number].called = self.called(&it.value);
            }
            Stmt::AnnAssign(it) => {
                let target = self.target(&it.target);
                let number = self.add(parent, assigned(&target), range, &[]);
                self.statements.all[number].called = it.value.as_deref().and_then(|value| self.called(value));
            }
            Stmt::AugAssign(it) => {
                let target = self.target(&it.target);
                self.add(parent, assigned(&target), range, &[]);
            }
            Stmt::Expr(it) => match parent {
                Some(parent) if it.value.is_literal_expr() => {
                    let next = self.statements.all.len();
                    let previous = self.statements.all[parent].children.last().copied();
                    self.statements.literals.push(LiteralStatement { range, parent, previous, next });
                }
                _ => {
                    let callee = self.callee(&it.value);
                    let number = self.add(parent, same(&callee), range, &[]);
                    self.statements.all[number].called = self.called(&it.value);
                }
            },
            Stmt::Import(_) | Stmt::ImportFrom(_) => {
                let number = self.add(parent, same("import"), range, &[]);
                self.statements.all[number].is_import = true;
            }
            _ => {
                // The keyword names the kind.
                let word = self.text(stmt.range()).split(|char: char| !char.is_alphanumeric()).next();
                let key = same(word.unwrap_or_default());
                self.add(parent, key, range, &[]);
            }
        }
    }

    /// The place of the keyword of a definition after its decorators, which end at `start`. Only comments lie between.
    fn definition(&self, start: usize, keyword: &str) -> usize {
        let mut at = start;
        for line in self.source[start..].split_inclusive('\n') {
            let code = line.trim_start();
            if code.starts_with(keyword) {
                return at + (line.len() - code.len());
            }
            at += line.len();
        }
        start
    }

    /// The function that an expression calls, with its first argument if that is a string, or the expression itself.
    fn callee(&self, expr: &Expr) -> String {
        let Expr::Call(call) = expr else { return self.text(expr.range()).to_owned() };
        let name = self.text(call.func.range());
        match call.arguments.args.first() {
            Some(Expr::StringLiteral(text)) => format!("{name} {}", text.value.to_str()),
            _ => name.to_owned(),
        }
    }

    /// The function that an expression calls.
    fn called(&self, expr: &Expr) -> Option<String> {
        Some(self.text(expr.as_call_expr()?.func.range()).to_owned())
    }

    /// The name that an assignment defines, or whose elements it changes.
    fn target(&self, expr: &Expr) -> String {
        match expr {
            Expr::Subscript(it) => format!("{}[]", self.text(it.value.range())),
            Expr::Tuple(it) => it.elts.iter().map(|it| self.target(it)).collect::<Vec<_>>().join(", "),
            _ => self.text(expr.range()).to_owned(),
        }
    }
}

fn same(key: &str) -> (String, String) {
    (key.to_owned(), key.to_owned())
}

fn assigned(name: &str) -> (String, String) {
    let loose = name.trim_end_matches(|char: char| char.is_ascii_digit() || char == '_');
    (format!("{name} ="), format!("{loose} ="))
}

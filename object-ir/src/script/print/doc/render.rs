//! The text of a [`DocTree`], with the place of each node in it.

use crate::script::print::doc::operator::{Operator, Precedence};
use crate::script::print::doc::path::Path;
use crate::script::print::doc::quote::{Whitespace, escape};
use crate::script::print::doc::tree::{Doc, DocList, DocTree, Node, Text};
use std::ops::Range;

/// A text with its places.
#[derive(Debug, Default)]
pub(crate) struct Rendered {
    pub(crate) text: String,
    /// The pieces of the text, in the order of their ends, each with the place that it shows.
    pub(crate) spans: Vec<(Range<usize>, Path)>,
    /// The starts of lines. An empty line after a function does not start a line.
    pub(crate) line_starts: Vec<usize>,
    /// The pieces that are never underlined: indentation and comments.
    pub(crate) exempt: Vec<Range<usize>>,
}

/// Writes the text of `doc`. The work is on a list of tasks, so deep trees need no machine stack.
pub(crate) fn render(tree: &DocTree, doc: Doc, indent_spaces: usize) -> Rendered {
    let out = Rendered { line_starts: vec![0], ..Rendered::default() };
    let mut renderer = Renderer { tree, out, indent: 0, indent_spaces, tasks: vec![Task::Doc(doc)] };
    while let Some(task) = renderer.tasks.pop() {
        renderer.run(task);
    }
    renderer.out
}

/// A part of the tree that is not written yet.
#[derive(Clone, Copy)]
enum Task {
    Doc(Doc),
    /// An operand, in parentheses if it binds less tightly than this; with `true`, also if it binds as tightly.
    Operand(Doc, Precedence, bool),
    Text(Text),
    /// The end of the node, which began here.
    Close(Doc, usize),
    NewLine,
    /// The end of a line whose successor has no indentation.
    BareNewLine,
    Indent,
    Dedent,
    /// The comment of a statement that ends here.
    InlineComment(Doc),
    /// The end of a quoted expression, which began here and had this many spans.
    EndQuote {
        start: usize,
        spans: usize,
    },
}

struct Renderer<'t> {
    tree: &'t DocTree,
    out: Rendered,
    indent: usize,
    indent_spaces: usize,
    tasks: Vec<Task>,
}

fn static_text(text: &'static str) -> Task {
    Task::Text(Text::Static(text))
}

impl Renderer<'_> {
    fn run(&mut self, task: Task) {
        match task {
            Task::Doc(doc) => self.doc(doc),
            Task::Operand(doc, outer, strict) => {
                let inner = self.precedence(doc);
                if inner < outer || (strict && inner == outer) {
                    self.later(&[static_text("("), Task::Doc(doc), static_text(")")]);
                } else {
                    self.doc(doc);
                }
            }
            Task::Text(text) => self.out.text.push_str(self.tree.text(text)),
            Task::Close(doc, start) => self.close(doc, start),
            Task::NewLine => self.new_line(),
            Task::BareNewLine => {
                let start = self.out.text.len();
                self.out.text.push('\n');
                self.out.exempt.push(start..start + 1);
            }
            Task::Indent => self.indent += self.indent_spaces,
            Task::Dedent => self.indent = self.indent.saturating_sub(self.indent_spaces),
            Task::InlineComment(doc) => {
                for line in self.tree.comment_lines(doc) {
                    self.written_comment("  # ", line);
                }
            }
            Task::EndQuote { start, spans } => self.end_quote(start, spans),
        }
    }

    /// Runs the tasks in this order before all others.
    fn later(&mut self, tasks: &[Task]) {
        self.tasks.extend(tasks.iter().rev());
    }

    fn new_line(&mut self) {
        let start = self.out.text.len();
        self.out.text.push('\n');
        self.out.line_starts.push(start + 1);
        self.out.text.extend(std::iter::repeat_n(' ', self.indent));
        self.out.exempt.push(start..self.out.text.len());
    }

    fn close(&mut self, doc: Doc, start: usize) {
        let end = self.out.text.len();
        self.out.spans.extend(self.tree.marks(doc).map(|path| (start..end, path)));
    }

    /// Writes the node, or leaves tasks that write it.
    fn doc(&mut self, doc: Doc) {
        let start = self.out.text.len();
        let node = self.tree.node(doc);
        let is_complete = self.leaf(node);
        if is_complete {
            self.close(doc, start);
            return;
        }
        let lines = self.tree.comment_lines(doc);
        let is_inline = matches!(
            (&*lines, node),
            ([_], Node::Assign { .. } | Node::Expr(_) | Node::Assert { .. } | Node::Return(_))
        );
        if !is_inline {
            for line in &lines {
                self.written_comment("# ", line);
                self.new_line();
            }
        }
        if self.tree.marks(doc).next().is_some() {
            self.tasks.push(Task::Close(doc, self.out.text.len()));
        }
        let first = self.tasks.len();
        self.compound(node);
        self.tasks.extend(is_inline.then_some(Task::InlineComment(doc)));
        self.tasks[first..].reverse();
    }

    fn written_comment(&mut self, sign: &str, text: &str) {
        let start = self.out.text.len();
        self.out.text.push_str(sign);
        self.out.text.push_str(text);
        self.out.exempt.push(start..self.out.text.len());
    }

    /// Writes a node without children; otherwise returns `false`.
    fn leaf(&mut self, node: Node) -> bool {
        match node {
            Node::Name(text) | Node::Literal(text) => self.out.text.push_str(self.tree.text(text)),
            Node::Int(value) => self.out.text.push_str(&value.to_string()),
            Node::Qualified { prefix, name } => {
                self.out.text.push_str(self.tree.text(prefix));
                self.out.text.push('.');
                self.out.text.push_str(self.tree.text(name));
            }
            Node::Keyword(word) => self.out.text.push_str(word),
            Node::Comment(text) => self.comment(text),
            _ => return false,
        }
        true
    }

    fn comment(&mut self, text: Text) {
        let text = self.tree.text(text);
        if !text.is_empty() {
            self.written_comment("# ", text);
        }
    }

    /// Leaves tasks that write a node with children, in order.
    fn compound(&mut self, node: Node) {
        match node {
            Node::Member { value, name } => {
                self.tasks.extend([Task::Operand(value, Precedence::Atom, false), static_text("."), Task::Text(name)]);
            }
            Node::Index { value, indices } => {
                self.tasks.push(Task::Operand(value, Precedence::Atom, false));
                let (open, close) = if self.tree.docs(indices).is_empty() { ("[(", ")]") } else { ("[", "]") };
                self.enclosed(open, indices, close);
            }
            Node::Operation { operator, operands } => self.operation(operator, operands),
            Node::Call { callee, args, keywords } => {
                self.tasks.extend([Task::Operand(callee, Precedence::Atom, false), static_text("(")]);
                self.joined(args);
                let mut separator = if self.tree.docs(args).is_empty() { "" } else { ", " };
                for &(name, value) in self.tree.keywords(keywords) {
                    self.tasks.extend([static_text(separator), Task::Text(name), static_text("="), Task::Doc(value)]);
                    separator = ", ";
                }
                self.tasks.push(static_text(")"));
            }
            Node::Lambda { params, body } => {
                self.enclosed("lambda ", params, ": ");
                self.tasks.push(Task::Operand(body, Precedence::Lambda, false));
            }
            Node::Tuple(items) => {
                let close = if self.tree.docs(items).len() == 1 { ",)" } else { ")" };
                self.enclosed("(", items, close);
            }
            Node::List(items) => self.enclosed("[", items, "]"),
            Node::Dict(entries) => {
                self.tasks.push(static_text("{"));
                let mut separators = ["", ": "].into_iter().chain([", ", ": "].into_iter().cycle());
                for &doc in self.tree.docs(entries) {
                    self.tasks.extend([static_text(separators.next().unwrap_or_default()), Task::Doc(doc)]);
                }
                self.tasks.push(static_text("}"));
            }
            Node::Slice { start, stop, step } => {
                self.tasks.extend([Task::Doc(start), static_text(":"), Task::Doc(stop)]);
                if let Some(step) = step {
                    self.tasks.extend([static_text(":"), Task::Doc(step)]);
                }
            }
            Node::Quoted(doc) => {
                self.out.text.push('"');
                let (start, spans) = (self.out.text.len(), self.out.spans.len());
                self.tasks.extend([Task::Doc(doc), Task::EndQuote { start, spans }]);
            }
            statement => self.statement(statement),
        }
    }

    fn statement(&mut self, node: Node) {
        match node {
            Node::Assign { target, annotation, value } => {
                self.bare_tuple(target, 0);
                if let Some(annotation) = annotation {
                    self.tasks.extend([static_text(": "), Task::Doc(annotation)]);
                }
                if let Some(value) = value {
                    self.tasks.push(static_text(" = "));
                    self.bare_tuple(value, 2);
                }
            }
            Node::If { condition, then, otherwise } => {
                self.tasks.extend([static_text("if "), Task::Doc(condition), static_text(":")]);
                self.body(then);
                if !self.tree.docs(otherwise).is_empty() {
                    self.tasks.extend([Task::NewLine, static_text("else:")]);
                    self.body(otherwise);
                }
            }
            Node::While { condition, body } => {
                self.tasks.extend([static_text("while "), Task::Doc(condition), static_text(":")]);
                self.body(body);
            }
            Node::For { target, range, body } => {
                self.tasks.push(static_text("for "));
                self.bare_tuple(target, 0);
                self.tasks.extend([static_text(" in "), Task::Doc(range), static_text(":")]);
                self.body(body);
            }
            Node::With { context, target, body } => {
                self.tasks.extend([static_text("with "), Task::Doc(context)]);
                if let Some(target) = target {
                    self.tasks.extend([static_text(" as "), Task::Doc(target)]);
                }
                self.tasks.push(static_text(":"));
                self.body(body);
            }
            Node::Expr(value) => self.tasks.push(Task::Doc(value)),
            Node::Assert { condition, message } => {
                let tasks = [static_text("assert "), Task::Doc(condition), static_text(", "), Task::Doc(message)];
                self.tasks.extend(tasks);
            }
            Node::Return(value) => self.tasks.extend([static_text("return "), Task::Doc(value)]),
            Node::Function { name, decorator, params, result, body } => {
                self.tasks.extend([static_text("@"), Task::Doc(decorator), Task::NewLine]);
                self.tasks.extend([static_text("def "), Task::Doc(name)]);
                self.enclosed("(", params, ")");
                if let Some(result) = result {
                    self.tasks.extend([static_text(" -> "), Task::Doc(result)]);
                }
                self.tasks.push(static_text(":"));
                self.body(body);
                self.tasks.push(Task::BareNewLine);
            }
            Node::Class { name, decorator, body } => {
                self.tasks.extend([static_text("@"), Task::Doc(decorator), Task::NewLine]);
                self.tasks.extend([static_text("class "), Task::Doc(name), static_text(":")]);
                self.body(body);
            }
            Node::Block(statements) => {
                for (index, &statement) in self.tree.docs(statements).iter().enumerate() {
                    if index > 0 {
                        self.tasks.push(Task::NewLine);
                    }
                    self.tasks.push(Task::Doc(statement));
                }
            }
            _ => {}
        }
    }

    fn operation(&mut self, operator: Operator, operands: DocList) {
        let outer = operator.precedence();
        match *self.tree.docs(operands) {
            [operand] => {
                self.tasks.extend([static_text(operator.text()), Task::Operand(operand, outer, false)]);
            }
            [a, b] => self.tasks.extend([
                Task::Operand(a, outer, false),
                static_text(operator.text()),
                Task::Operand(b, outer, true),
            ]),
            _ => {}
        }
    }

    /// The expression, without parentheses if it is a tuple with at least `least` elements. A tuple of one element on the
    /// left of an assignment has no comma, as in TVM.
    fn bare_tuple(&mut self, doc: Doc, least: usize) {
        match self.tree.node(doc) {
            Node::Tuple(items) if self.tree.docs(items).len() >= least => self.joined(items),
            _ => self.tasks.push(Task::Doc(doc)),
        }
    }

    fn enclosed(&mut self, open: &'static str, docs: DocList, close: &'static str) {
        self.tasks.push(static_text(open));
        self.joined(docs);
        self.tasks.push(static_text(close));
    }

    fn joined(&mut self, docs: DocList) {
        for (index, &doc) in self.tree.docs(docs).iter().enumerate() {
            if index > 0 {
                self.tasks.push(static_text(", "));
            }
            self.tasks.push(Task::Doc(doc));
        }
    }

    fn body(&mut self, statements: DocList) {
        self.tasks.push(Task::Indent);
        let statements = self.tree.docs(statements);
        for &statement in statements {
            self.tasks.extend([Task::NewLine, Task::Doc(statement)]);
        }
        if statements.is_empty() {
            self.tasks.extend([Task::NewLine, static_text("pass")]);
        }
        self.tasks.push(Task::Dedent);
    }

    fn precedence(&self, doc: Doc) -> Precedence {
        match self.tree.node(doc) {
            Node::Operation { operator, .. } => operator.precedence(),
            Node::Lambda { .. } => Precedence::Lambda,
            _ => Precedence::Atom,
        }
    }

    /// Escapes the text since `start`. Escape sequences move the text, so the places inside are given up then.
    fn end_quote(&mut self, start: usize, spans: usize) {
        let mut escaped = String::new();
        escape(&mut escaped, &self.out.text[start..], Whitespace::Escaped);
        if escaped.len() != self.out.text.len() - start {
            self.out.spans.truncate(spans);
            self.out.text.truncate(start);
            self.out.text.push_str(&escaped);
        }
        self.out.text.push('"');
    }
}

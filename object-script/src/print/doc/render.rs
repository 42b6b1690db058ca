//! The text of a [`DocTree`], with the place of each node in it.

use crate::print::doc::operator::{Operator, Precedence};
use crate::print::doc::quote::{Whitespace, escape};
use crate::print::doc::rendered::{Rendered, SLACK};
use crate::print::doc::tree::{Doc, DocList, DocTree, FunctionDoc, Node, Text};
use object_core::meter::Charge;
use object_core::stack_budget::with_stack;

/// The stack that this many levels of nodes may use, and the size of a new piece of stack.
const LEVELS: usize = 8;
/// Writes the text of `doc` after the text `before`. Without places in the tree, the result has neither pieces nor starts of
/// lines. The text ends early if `charge` cannot cover it.
pub(crate) fn render(tree: &DocTree, doc: Doc, indent_spaces: usize, before: String, charge: Charge) -> Rendered {
    let (spans, line_starts, exempt) = (Vec::new(), Vec::new(), Vec::new());
    let mut out = Rendered { text: before, spans, line_starts, exempt, charge, excess: None };
    // Most nodes write a few bytes.
    out.grow(tree.len() * 8);
    if tree.has_places() {
        out.line_starts.push(out.text.len());
    }
    let mut renderer = Renderer { tree, out, indent: 0, indent_spaces, operations: Vec::new(), depth: 0 };
    renderer.doc(doc);
    renderer.out
}

struct Renderer<'t> {
    tree: &'t DocTree,
    out: Rendered,
    indent: usize,
    indent_spaces: usize,
    /// The operations whose first operand is being written.
    operations: Vec<Operation>,
    depth: usize,
}

/// An operation whose text began at `start`.
struct Operation {
    doc: Doc,
    start: usize,
    operator: Operator,
    second: Doc,
    /// Whether the first operand is in parentheses.
    is_enclosed: bool,
}

impl<'t> Renderer<'t> {
    /// Whether the text goes on, with a piece of `more` bytes.
    #[inline(always)]
    fn has_room(&mut self, more: usize) -> bool {
        if !self.out.fits(more) && self.out.excess.is_none() {
            self.out.grow(more);
        }
        self.out.excess.is_none()
    }

    #[inline(always)]
    fn write(&mut self, text: &str) {
        if text.len() < SLACK.0 / 4 || self.has_room(text.len()) {
            self.out.text.push_str(text);
        }
    }

    fn word(&mut self, text: Text) {
        let tree: &'t DocTree = self.tree;
        self.write(tree.text(text));
    }

    /// Notes a piece that is never underlined, from `start` to the end of the text.
    fn exempt(&mut self, start: usize) {
        if self.tree.has_places() {
            self.out.exempt.push(start..self.out.text.len());
        }
    }

    fn new_line(&mut self) {
        const SPACES: &str = "                                                                ";
        if !self.has_room(self.indent) {
            return;
        }
        let start = self.out.text.len();
        self.out.text.push('\n');
        if self.tree.has_places() {
            self.out.line_starts.push(start + 1);
        }
        let mut spaces = self.indent;
        while spaces > 0 {
            let some = spaces.min(SPACES.len());
            self.write(&SPACES[..some]);
            spaces -= some;
        }
        self.exempt(start);
    }

    fn written_comment(&mut self, sign: &str, text: &str) {
        let start = self.out.text.len();
        self.write(sign);
        self.write(text);
        self.exempt(start);
    }

    /// Notes the places of a node that began at `start`.
    fn close(&mut self, doc: Doc, start: usize) {
        if self.tree.has_places() {
            let end = self.out.text.len();
            self.out.spans.extend(self.tree.marks(doc).map(|path| (start..end, path)));
        }
    }

    /// Writes a node.
    fn doc(&mut self, doc: Doc) {
        if !self.has_room(0) {
            return;
        }
        let tree: &'t DocTree = self.tree;
        let start = self.out.text.len();
        match *tree.node(doc) {
            Node::Name(text) | Node::Literal(text) => self.word(text),
            Node::Int(value) => self.write(itoa::Buffer::new().format(value)),
            Node::Qualified { prefix, name } => {
                self.write(tree.prefix(prefix));
                self.out.text.push('.');
                self.word(name);
            }
            Node::Keyword(word) => self.write(word),
            Node::Comment(text) => {
                let text = tree.text(text);
                if !text.is_empty() {
                    self.written_comment("# ", text);
                }
            }
            _ => {
                self.depth += 1;
                if self.depth.is_multiple_of(LEVELS) {
                    with_stack(|| self.compound(doc));
                } else {
                    self.compound(doc);
                }
                self.depth -= 1;
                return;
            }
        }
        self.close(doc, start);
    }

    /// Writes a node with children, and its comments.
    fn compound(&mut self, doc: Doc) {
        let tree: &'t DocTree = self.tree;
        let node = tree.node(doc);
        let lines = tree.comment_lines(doc);
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
        let start = self.out.text.len();
        if !self.expression(doc, node) {
            self.statement(node);
        }
        if is_inline {
            for line in &lines {
                self.written_comment("  # ", line);
            }
        }
        self.close(doc, start);
    }

    /// Writes an expression with children; returns `false` for a statement.
    fn expression(&mut self, doc: Doc, node: &Node) -> bool {
        let tree: &'t DocTree = self.tree;
        match *node {
            Node::Member { value, name } => {
                self.operand(value, Precedence::Atom, false);
                self.out.text.push('.');
                self.word(name);
            }
            Node::Index { value, indices } => {
                self.operand(value, Precedence::Atom, false);
                let (open, close) = if tree.docs(indices).is_empty() { ("[(", ")]") } else { ("[", "]") };
                self.enclosed(open, indices, close);
            }
            Node::Operation { operator, operands } => match *tree.docs(operands) {
                [operand] => {
                    self.write(operator.text());
                    self.operand(operand, operator.precedence(), false);
                }
                _ => self.operations(doc),
            },
            Node::Call { callee, args, keywords } => {
                self.operand(callee, Precedence::Atom, false);
                self.out.text.push('(');
                self.joined(args);
                let mut separator = if tree.docs(args).is_empty() { "" } else { ", " };
                for &(name, value) in tree.keywords(keywords) {
                    self.write(separator);
                    self.word(name);
                    self.out.text.push('=');
                    self.doc(value);
                    separator = ", ";
                }
                self.out.text.push(')');
            }
            Node::Lambda { params, body } => {
                self.enclosed("lambda ", params, ": ");
                self.operand(body, Precedence::Lambda, false);
            }
            Node::Tuple(items) => {
                let close = if tree.docs(items).len() == 1 { ",)" } else { ")" };
                self.enclosed("(", items, close);
            }
            Node::List(items) => self.enclosed("[", items, "]"),
            Node::Dict(entries) => {
                let mut separator = "{";
                for entry in tree.docs(entries).chunks(2) {
                    for &doc in entry {
                        self.write(separator);
                        self.doc(doc);
                        separator = ": ";
                    }
                    separator = ", ";
                }
                self.write(if tree.docs(entries).is_empty() { "{}" } else { "}" });
            }
            Node::Slice { start, stop, step } => {
                self.doc(start);
                self.out.text.push(':');
                self.doc(stop);
                if let Some(step) = step {
                    self.out.text.push(':');
                    self.doc(step);
                }
            }
            Node::Quoted(doc) => self.quoted(doc),
            _ => return false,
        }
        true
    }

    fn statement(&mut self, node: &Node) {
        let tree: &'t DocTree = self.tree;
        match *node {
            Node::Assign { target, annotation, value } => {
                self.bare_tuple(target, 0);
                if let Some(annotation) = annotation {
                    self.write(": ");
                    self.doc(annotation);
                }
                if let Some(value) = value {
                    self.write(" = ");
                    self.bare_tuple(value, 2);
                }
            }
            Node::If { condition, then, otherwise } => {
                self.write("if ");
                self.doc(condition);
                self.body(then);
                if !tree.docs(otherwise).is_empty() {
                    self.new_line();
                    self.write("else");
                    self.body(otherwise);
                }
            }
            Node::While { condition, body } => {
                self.write("while ");
                self.doc(condition);
                self.body(body);
            }
            Node::For { target, range, body } => {
                self.write("for ");
                self.bare_tuple(target, 0);
                self.write(" in ");
                self.doc(range);
                self.body(body);
            }
            Node::With { context, target, body } => {
                self.write("with ");
                self.doc(context);
                if let Some(target) = target {
                    self.write(" as ");
                    self.doc(target);
                }
                self.body(body);
            }
            Node::Expr(value) => self.doc(value),
            Node::Assert { condition, message } => {
                self.write("assert ");
                self.doc(condition);
                self.write(", ");
                self.doc(message);
            }
            Node::Return(value) => {
                self.write("return ");
                self.doc(value);
            }
            Node::Function(function) => {
                let FunctionDoc { name, decorator, params, result, body } = tree.function(function);
                self.decorator(decorator);
                self.write("def ");
                self.doc(name);
                self.enclosed("(", params, ")");
                if let Some(result) = result {
                    self.write(" -> ");
                    self.doc(result);
                }
                self.body(body);
                // The successor of this line has no indentation.
                let start = self.out.text.len();
                self.out.text.push('\n');
                self.exempt(start);
            }
            Node::Class { name, decorator, body } => {
                self.decorator(decorator);
                self.write("class ");
                self.doc(name);
                self.body(body);
            }
            Node::Block(statements) => {
                for (index, &statement) in tree.docs(statements).iter().enumerate() {
                    if index > 0 {
                        self.new_line();
                    }
                    self.doc(statement);
                }
            }
            _ => {}
        }
    }

    fn decorator(&mut self, decorator: Doc) {
        self.out.text.push('@');
        self.doc(decorator);
        self.new_line();
    }

    /// Writes an operand, in parentheses if it binds less tightly than `outer`; if `strict`, also if it binds as tightly.
    fn operand(&mut self, doc: Doc, outer: Precedence, strict: bool) {
        let inner = self.precedence(doc);
        if inner < outer || (strict && inner == outer) {
            self.out.text.push('(');
            self.doc(doc);
            self.out.text.push(')');
        } else {
            self.doc(doc);
        }
    }

    /// Writes a binary operation, without the places of the operation itself. A long sum is deep in its first operands, so
    /// these are written in a loop.
    fn operations(&mut self, doc: Doc) {
        let tree: &'t DocTree = self.tree;
        let outermost = self.operations.len();
        let mut first = doc;
        while let Node::Operation { operator, operands } = *tree.node(first)
            && let [a, second] = *tree.docs(operands)
        {
            let is_enclosed = self.precedence(a) < operator.precedence();
            let start = self.out.text.len();
            self.operations.push(Operation { doc: first, start, operator, second, is_enclosed });
            if is_enclosed {
                self.out.text.push('(');
            }
            first = a;
        }
        self.doc(first);
        while self.operations.len() > outermost
            && let Some(operation) = self.operations.pop()
        {
            if operation.is_enclosed {
                self.out.text.push(')');
            }
            self.write(operation.operator.text());
            self.operand(operation.second, operation.operator.precedence(), true);
            if operation.doc != doc {
                self.close(operation.doc, operation.start);
            }
        }
    }

    /// The expression, without parentheses if it is a tuple with at least `least` elements. A tuple of one element on the
    /// left of an assignment has no comma, as in TVM.
    fn bare_tuple(&mut self, doc: Doc, least: usize) {
        match *self.tree.node(doc) {
            Node::Tuple(items) if self.tree.docs(items).len() >= least => self.joined(items),
            _ => self.doc(doc),
        }
    }

    fn enclosed(&mut self, open: &'static str, docs: DocList, close: &'static str) {
        self.write(open);
        self.joined(docs);
        self.write(close);
    }

    fn joined(&mut self, docs: DocList) {
        let tree: &'t DocTree = self.tree;
        for (index, &doc) in tree.docs(docs).iter().enumerate() {
            if self.out.excess.is_some() {
                return;
            }
            if index > 0 {
                self.write(", ");
            }
            self.doc(doc);
        }
    }

    /// Writes the colon before the statements of a region, and the statements.
    fn body(&mut self, statements: DocList) {
        let tree: &'t DocTree = self.tree;
        self.out.text.push(':');
        self.indent += self.indent_spaces;
        let statements = tree.docs(statements);
        for &statement in statements {
            self.new_line();
            self.doc(statement);
        }
        if statements.is_empty() {
            self.new_line();
            self.write("pass");
        }
        self.indent -= self.indent_spaces;
    }

    fn precedence(&self, doc: Doc) -> Precedence {
        match self.tree.node(doc) {
            Node::Operation { operator, .. } => operator.precedence(),
            Node::Lambda { .. } => Precedence::Lambda,
            _ => Precedence::Atom,
        }
    }

    /// Writes the text of an expression as a string constant. Escape sequences move the text, so the places inside are given
    /// up then.
    fn quoted(&mut self, doc: Doc) {
        self.out.text.push('"');
        let (start, spans) = (self.out.text.len(), self.out.spans.len());
        self.doc(doc);
        // An escape sequence has at most 6 bytes for a byte of the text.
        if !self.has_room(6 * (self.out.text.len() - start)) {
            return;
        }
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

//! [`FunctionFacts`]: the facts about one function, which hold as long as the function does not change.

use std::ops::Range;

use object_core::{ObjectHandle, ObjectRef};
use object_ir::ir::{RelaxExpr, StructInfo};
use object_ir::tir;
use ruff_python_ast::visitor::{Visitor, walk_stmt};
use ruff_python_ast::{Stmt, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::FxHashMap;

use crate::editor::facts::{OutlineEntry, OutlineKind, moved};
use crate::editor::fixes::mark_of_effects;
use crate::parse::{FunctionLog, LoggedName, ReadFunction, bytes};
use crate::print::ScriptPrinter;

/// The facts about a function. The ranges are bytes of the text in which the function was read.
#[derive(Clone, Debug)]
pub(super) struct FunctionFacts {
    pub(super) range: Range<usize>,
    /// Each name once, in the order of the text, with its definition.
    pub(super) names: Vec<LoggedName>,
    pub(super) hints: Vec<(usize, String)>,
    pub(super) outline: OutlineEntry,
    pub(super) folds: Vec<Range<usize>>,
    /// The insertion that marks the function as one with effects, if it is the only one that can have them.
    pub(super) mark_of_effects: Option<(Range<usize>, &'static str)>,
}

impl FunctionFacts {
    /// The facts about a function of the text `source` with this syntax.
    pub(super) fn of(source: &str, read: &ReadFunction, function: &StmtFunctionDef) -> Self {
        let log = &read.log;
        let names = names(log);
        let mut blocks = Blocks::default();
        // The record may come from an earlier text.
        let then = |range: TextRange| moved(&bytes(range), read.range.start().to_usize(), log.range.start().to_usize());
        let now = |range: TextRange| range - log.range.start() + read.range.start();
        function.body.iter().for_each(|stmt| blocks.visit_stmt(stmt));
        let mut hints = Vec::new();
        let mut children = Vec::new();
        for name in names.iter().filter(|name| name.range == name.definition) {
            let range = bytes(name.range);
            let statement = blocks.statements.get(&now(name.range));
            let info = name.value.as_ref().and_then(struct_info).map(|info| struct_info_text(&info));
            if let Some(info) = &info
                && statement.is_some_and(|it| it.is_assignment)
            {
                hints.push((range.end, format!(": {info}")));
            }
            if let Some(statement) = statement {
                children.push(OutlineEntry {
                    name: source.get(bytes(now(name.range))).unwrap_or_default().to_owned(),
                    kind: OutlineKind::Variable,
                    detail: info.or_else(|| name.value.as_ref().and_then(object_text)),
                    range: then(statement.range),
                    name_range: range,
                    children: Vec::new(),
                });
            }
        }
        let outline = OutlineEntry {
            name: function.name.to_string(),
            kind: OutlineKind::Function,
            detail: read.value.as_ref().and_then(|value| value.struct_info.as_ref()).map(struct_info_text),
            range: then(function.range),
            name_range: then(function.name.range),
            children,
        };
        let folds = std::iter::once(function.range).chain(blocks.folds).map(then).collect();
        // A function inside may be the one that has them.
        let mark = if blocks.has_functions { None } else { mark_of_effects(&function.decorator_list) };
        let mark_of_effects = mark.map(|(at, text)| (then(TextRange::empty(at)), text));
        FunctionFacts { range: bytes(log.range), names, hints, outline, folds, mark_of_effects }
    }
}

/// Each name of a log once, in the order of the text. Definitions of one name that are one get the place of the first.
pub(super) fn names(log: &FunctionLog) -> Vec<LoggedName> {
    let mut first: FxHashMap<TextRange, TextRange> = FxHashMap::default();
    let find = |first: &FxHashMap<TextRange, TextRange>, mut place: TextRange| {
        while let Some(next) = first.get(&place) {
            place = *next;
        }
        place
    };
    for (a, b) in &log.same {
        let (a, b) = (find(&first, *a), find(&first, *b));
        if a != b {
            first.insert(a.max_by_start(b), a.min_by_start(b));
        }
    }
    let mut names: Vec<LoggedName> = log.names.clone();
    names.sort_by_key(|name| (name.range.start(), name.range.end()));
    names.dedup_by(|next, kept| {
        let is_same = next.range == kept.range;
        // The last reading has the final value of the name.
        if is_same && next.value.is_some() {
            kept.value = next.value.take();
        }
        is_same
    });
    for name in &mut names {
        name.definition = find(&first, name.definition);
    }
    names
}

trait ByStart {
    fn max_by_start(self, other: Self) -> Self;
    fn min_by_start(self, other: Self) -> Self;
}

impl ByStart for TextRange {
    fn max_by_start(self, other: Self) -> Self {
        if self.start() < other.start() { other } else { self }
    }

    fn min_by_start(self, other: Self) -> Self {
        if self.start() < other.start() { self } else { other }
    }
}

/// A statement that introduces a name.
struct Introduction {
    range: TextRange,
    /// Whether it is an assignment without annotation.
    is_assignment: bool,
}

/// The statements of a function by the names that they introduce, and its blocks.
#[derive(Default)]
struct Blocks {
    statements: FxHashMap<TextRange, Introduction>,
    folds: Vec<TextRange>,
    has_functions: bool,
}

impl Blocks {
    fn targets(&mut self, target: &ruff_python_ast::Expr, range: TextRange, is_assignment: bool) {
        use ruff_python_ast::Expr;
        match target {
            Expr::Name(name) => {
                self.statements.insert(name.range, Introduction { range, is_assignment });
            }
            Expr::Tuple(it) => it.elts.iter().for_each(|it| self.targets(it, range, is_assignment)),
            Expr::List(it) => it.elts.iter().for_each(|it| self.targets(it, range, is_assignment)),
            _ => {}
        }
    }
}

impl<'t> Visitor<'t> for Blocks {
    fn visit_stmt(&mut self, stmt: &'t Stmt) {
        match stmt {
            Stmt::Assign(it) => it.targets.iter().for_each(|target| self.targets(target, it.range, true)),
            Stmt::AnnAssign(it) => self.targets(&it.target, it.range, false),
            Stmt::FunctionDef(it) => {
                self.statements.insert(it.name.range, Introduction { range: it.range, is_assignment: false });
                self.folds.push(it.range);
                self.has_functions = true;
            }
            Stmt::With(_) | Stmt::For(_) | Stmt::While(_) | Stmt::If(_) => self.folds.push(stmt.range()),
            _ => {}
        }
        object_core::stack_budget::with_stack(|| walk_stmt(self, stmt));
    }

    /// Expressions have no statements.
    fn visit_expr(&mut self, _: &'t ruff_python_ast::Expr) {}
}

/// The structural information of an expression.
pub(super) fn struct_info(object: &ObjectRef) -> Option<StructInfo> {
    object.downcast_ref::<RelaxExpr>()?.struct_info.clone()
}

/// Structural information as scripts write it.
pub(super) fn struct_info_text(info: &StructInfo) -> String {
    last_line(ScriptPrinter::new().print(info).text())
}

/// An object of loop programs, as the declaration of its type.
pub(super) fn object_text(object: &ObjectRef) -> Option<String> {
    if let Some(var) = object.downcast_ref::<tir::Var>() {
        return Some(last_line(ScriptPrinter::new().print(&var.type_annotation).text()));
    }
    let load = object.downcast_ref::<tir::BufferLoad>();
    let buffer = load.map(|load| &load.buffer).or_else(|| object.downcast_ref::<tir::Buffer>())?;
    let dims: Vec<String> = buffer.shape.iter().map(|dim| last_line(ScriptPrinter::new().print(&dim).text())).collect();
    let comma = if dims.len() == 1 { "," } else { "" };
    Some(format!("T.Buffer(({}{comma}), \"{}\")", dims.join(", "), buffer.dtype))
}

/// The text after the declarations of free variables.
fn last_line(text: &str) -> String {
    text.trim_end().lines().next_back().unwrap_or_default().to_owned()
}

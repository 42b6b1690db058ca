//! A text form of scalar expressions for tables: the operators of Python, and `min`, `max`, `truncdiv`, `truncmod`,
//! `select`, `if_then_else`, `likely` and conversions such as `int32(n)` as functions.

use std::collections::BTreeMap;

use object_core::prelude::*;
use object_core::scalar::TypeCode;
use object_ir::ir::{IntImm, Op, PrimExpr, PrimType};
use object_ir::tir::{
    Add, And, Call, Cast, Div, EQ, FloorDiv, FloorMod, GE, GT, LE, LT, Max, Min, Mod, Mul, NE, Not, Or, Select,
    SizeVar, Sub, Var,
};

/// The variables of a text. A name is of type `int64` unless it is declared.
#[derive(Default)]
pub struct Scope {
    types: BTreeMap<String, DataType>,
    vars: BTreeMap<String, PrimExpr>,
}

impl Scope {
    /// Declares the type of a name.
    pub fn declare(&mut self, name: &str, dtype: DataType) {
        self.types.insert(name.to_owned(), dtype);
    }

    /// The variable `name`; names that begin with `size` are size variables.
    pub fn var(&mut self, name: &str) -> PrimExpr {
        let dtype = self.types.get(name).copied().unwrap_or(DataType::int(64));
        let new = || match name.starts_with("size") {
            true => SizeVar::new(dtype, name, PrimType::new(dtype)).into(),
            false => Var::new(dtype, name, PrimType::new(dtype)).into(),
        };
        self.vars.entry(name.to_owned()).or_insert_with(new).clone()
    }

    /// The expression with the text `text`.
    pub fn parse(&mut self, text: &str) -> PrimExpr {
        let mut parser = Parser { scope: self, rest: text };
        let expr = parser.binary(0);
        assert!(parser.rest.trim().is_empty(), "cannot read `{}` in `{text}`", parser.rest);
        expr
    }
}

struct Parser<'t, 's> {
    scope: &'s mut Scope,
    rest: &'t str,
}

/// Binary operators with their precedence; longer names first.
const BINARY: &[(&str, usize)] = &[
    ("or", 1),
    ("and", 2),
    ("<=", 4),
    (">=", 4),
    ("==", 4),
    ("!=", 4),
    ("<<", 5),
    (">>", 5),
    ("<", 4),
    (">", 4),
    ("&", 5),
    ("+", 6),
    ("-", 6),
    ("//", 7),
    ("*", 7),
    ("%", 7),
];

impl Parser<'_, '_> {
    fn accept(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start();
        let Some(after) = rest.strip_prefix(token) else { return false };
        if token.starts_with(char::is_alphabetic) && after.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            return false;
        }
        self.rest = after;
        true
    }

    fn expect(&mut self, token: &str) {
        assert!(self.accept(token), "expected `{token}` before `{}`", self.rest);
    }

    fn binary(&mut self, above: usize) -> PrimExpr {
        let mut a = self.unary();
        loop {
            let before = self.rest;
            let Some(&(name, level)) = BINARY.iter().find(|(name, _)| self.accept(name)) else { return a };
            if level <= above {
                self.rest = before;
                return a;
            }
            let b = self.binary(level);
            a = operation(name, &a, &b);
        }
    }

    fn unary(&mut self) -> PrimExpr {
        if self.accept("not") {
            return Not::new(DataType::boolean(), self.binary(3)).into();
        }
        if self.accept("(") {
            let expr = self.binary(0);
            self.expect(")");
            return expr;
        }
        let rest = self.rest.trim_start();
        let sign = usize::from(rest.starts_with('-'));
        let length = rest[sign..].find(|c: char| !c.is_alphanumeric() && c != '_').map_or(rest.len(), |at| at + sign);
        let (word, after) = rest.split_at(length);
        self.rest = after;
        if let Ok(value) = word.parse::<i64>() {
            return IntImm::new(DataType::int(64), value).into();
        }
        assert!(word.starts_with(char::is_alphabetic), "cannot read `{rest}`");
        match word {
            "true" | "false" => return IntImm::new(DataType::boolean(), i64::from(word == "true")).into(),
            _ => {}
        }
        if !self.accept("(") {
            return self.scope.var(word);
        }
        let mut args = vec![self.binary(0)];
        while self.accept(",") {
            args.push(self.binary(0));
        }
        self.expect(")");
        function(word, args)
    }
}

/// Constants take the type of the other operand.
fn operation(name: &str, a: &PrimExpr, b: &PrimExpr) -> PrimExpr {
    let (a, b) = unite(a, b);
    let (dtype, truth) = (a.dtype, DataType::boolean());
    match name {
        "or" => Or::new(truth, a, b).into(),
        "and" => And::new(truth, a, b).into(),
        "<=" => LE::new(truth, a, b).into(),
        ">=" => GE::new(truth, a, b).into(),
        "==" => EQ::new(truth, a, b).into(),
        "!=" => NE::new(truth, a, b).into(),
        "<" => LT::new(truth, a, b).into(),
        ">" => GT::new(truth, a, b).into(),
        "<<" => call("shift_left", dtype, vec![a, b]),
        ">>" => call("shift_right", dtype, vec![a, b]),
        "&" => call("bitwise_and", dtype, vec![a, b]),
        "+" => Add::new(dtype, a, b).into(),
        "-" => Sub::new(dtype, a, b).into(),
        "//" => FloorDiv::new(dtype, a, b).into(),
        "*" => Mul::new(dtype, a, b).into(),
        _ => FloorMod::new(dtype, a, b).into(),
    }
}

fn unite(a: &PrimExpr, b: &PrimExpr) -> (PrimExpr, PrimExpr) {
    let typed = |constant: &PrimExpr, other: &PrimExpr| match constant.downcast_ref::<IntImm>() {
        Some(it) if it.dtype != other.dtype && it.dtype == DataType::int(64) => {
            IntImm::new(other.dtype, it.value).into()
        }
        _ => constant.clone(),
    };
    (typed(a, b), typed(b, a))
}

fn function(name: &str, mut args: Vec<PrimExpr>) -> PrimExpr {
    if let Ok(dtype) = name.parse::<DataType>() {
        return Cast::new(dtype, args.remove(0)).into();
    }
    if let [a, b] = &*args {
        let (a, b) = unite(a, b);
        let dtype = a.dtype;
        match name {
            "min" => return Min::new(dtype, a, b).into(),
            "max" => return Max::new(dtype, a, b).into(),
            "truncdiv" => return Div::new(dtype, a, b).into(),
            "truncmod" => return Mod::new(dtype, a, b).into(),
            _ => {}
        }
    }
    if let ("select" | "if_then_else", [condition, a, b]) = (name, &*args) {
        let (a, b) = unite(a, b);
        return match name {
            "select" => Select::new(a.dtype, condition.clone(), a, b).into(),
            _ => call(name, a.dtype, vec![condition.clone(), a, b]),
        };
    }
    let dtype = args.last().map_or(DataType::int(64), |arg| arg.dtype);
    call(name, dtype, args)
}

fn call(name: &str, dtype: DataType, args: Vec<PrimExpr>) -> PrimExpr {
    let op = Op::get(format!("tirx.{name}").as_str()).unwrap_or_else(|error| panic!("{error}"));
    Call::new(dtype, op, args, None).into()
}

/// The text of an expression, as [`Scope::parse`] reads it.
pub fn print(expr: &PrimExpr) -> String {
    print_in(expr, 0)
}

fn print_in(expr: &PrimExpr, above: usize) -> String {
    macro_rules! binary {
        ($($node:ident $name:literal),*) => {
            $(if let Some(it) = expr.downcast_ref::<$node>() {
                let level = BINARY.iter().find(|(name, _)| *name == $name).expect("an operator").1;
                let text = format!("{} {} {}", print_in(&it.a, level - 1), $name, print_in(&it.b, level));
                return if level <= above { format!("({text})") } else { text };
            })*
        };
    }
    binary!(
        Add "+", Sub "-", Mul "*", FloorDiv "//", FloorMod "%", EQ "==", NE "!=", LT "<", LE "<=", GT ">", GE ">=",
        And "and", Or "or"
    );
    let list = |args: &[PrimExpr]| args.iter().map(print).collect::<Vec<_>>().join(", ");
    macro_rules! pairs {
        ($($node:ident $name:literal),*) => {
            $(if let Some(it) = expr.downcast_ref::<$node>() {
                return format!("{}({}, {})", $name, print(&it.a), print(&it.b));
            })*
        };
    }
    pairs!(Min "min", Max "max", Div "truncdiv", Mod "truncmod");
    if let Some(it) = expr.downcast_ref::<IntImm>() {
        return match it.dtype.code {
            TypeCode::BOOL => (it.value != 0).to_string(),
            _ => it.value.to_string(),
        };
    }
    if let Some(it) = expr.downcast_ref::<Var>() {
        return it.name.to_string();
    }
    if let Some(it) = expr.downcast_ref::<Not>() {
        return format!("not {}", print_in(&it.a, 3));
    }
    if let Some(it) = expr.downcast_ref::<Select>() {
        return format!("select({}, {}, {})", print(&it.condition), print(&it.true_value), print(&it.false_value));
    }
    if let Some(it) = expr.downcast_ref::<Cast>() {
        return format!("{}({})", it.dtype, print(&it.value));
    }
    if let Some(it) = expr.downcast_ref::<Call>() {
        let op = it.op.downcast_ref::<Op>().expect("an operator");
        let name = op.name.trim_start_matches("tirx.").to_owned();
        let infix = [("shift_left", "<<"), ("shift_right", ">>"), ("bitwise_and", "&")];
        return match infix.iter().find(|(long, _)| *long == name) {
            Some((_, short)) => format!("({} {short} {})", print_in(&it.args[0], 5), print_in(&it.args[1], 5)),
            None => format!("{name}({})", list(it.args.as_slice())),
        };
    }
    panic!("no text for {expr:?}")
}

#[test]
fn texts_are_read_back() {
    for text in [
        "n * 2 + m - 1",
        "(n + 1) * (m - k - (n - 1)) // 4 % 3",
        "n < m and not n == 3 or m != -2",
        "select(n > 3, min(n, 4), truncdiv(m, 2))",
        "int32(n + 1)",
        "if_then_else(n >= 0, likely(n <= m), true)",
        "(n << 2) + (n >> 1)",
    ] {
        assert_eq!(print(&Scope::default().parse(text)), text);
    }
}

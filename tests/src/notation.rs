//! A short notation for programs, well-formed or not, in which the rules of the checker state their examples.
//! `docs/rule_index.md` describes it.
//!
//! A name stands for one variable in the whole program, wherever it occurs. The annotation at its first binding is its
//! structural information.

use std::collections::BTreeMap;

use object_core::prelude::*;
use object_ir::ir::{
    BaseFunc, Binding, BindingBlock, Call, DataflowBlock, DataflowVar, DictAttrs, EnvFunc, ExternFunc, FloatImm,
    FuncStructInfo, Function, GlobalInfo, GlobalVar, IRModule, Id, If, IntImm, MatchCast, ObjectStructInfo, Op,
    PrimExpr, PrimStructInfo, PrimType, PrimValue, RelaxExpr, SeqExpr, ShapeExpr, ShapeStructInfo, Source, SourceMap,
    SourceName, StructInfo, TensorStructInfo, Tuple, TupleGetItem, TupleStructInfo, VDevice, Var, VarBinding,
};
use object_ir::tir::{self, Add, Buffer, Mul};

mod loops;

use loops::loop_program;

type Parsed<T> = Result<T, String>;

/// Builds the program in `text`: a module, or structural information after the word `info`.
///
/// # Errors
/// Names the token that does not fit.
pub fn parse(text: &str) -> Parsed<Any> {
    let tokens = tokens(text)?;
    let mut parser = Parser { annotations: BTreeMap::new(), tokens, at: 0, ..Parser::default() };
    parser.find_annotations();
    let program = parser.program()?;
    match parser.peek() {
        "" => Ok(program),
        rest => Err(format!("expected the end, got `{rest}`")),
    }
}

/// Splits a text into names, numbers, texts and signs.
fn tokens(text: &str) -> Parsed<Vec<String>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let length = if first.is_ascii_digit() {
            rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len())
        } else if is_name(first) {
            // An operator's name contains dots; a field of a tuple is a dot and a number.
            let mut end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            while rest[end..].starts_with('.') && rest[end + 1..].starts_with(|c: char| c.is_alphabetic()) {
                end += 1 + rest[end + 1..].find(|c| !is_name(c)).unwrap_or(rest.len() - end - 1);
            }
            if rest[end..].starts_with('$') { end + 1 } else { end }
        } else if first == '"' {
            2 + rest[1..].find('"').ok_or("a text has no end")?
        } else if rest.starts_with("->") {
            2
        } else {
            first.len_utf8()
        };
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

#[derive(Default)]
struct Parser {
    tokens: Vec<String>,
    at: usize,
    /// For each variable the token after the colon of its first annotation.
    annotations: BTreeMap<String, usize>,
    vars: BTreeMap<String, Var>,
    shape_vars: BTreeMap<String, tir::Var>,
    buffers: BTreeMap<String, Buffer>,
    global_vars: BTreeMap<String, GlobalVar>,
}

impl Parser {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned().unwrap_or_default()
    }

    fn eat(&mut self, token: &str) -> bool {
        let eats = self.peek() == token;
        self.at += usize::from(eats);
        eats
    }

    fn expect(&mut self, token: &str) -> Parsed<()> {
        if self.eat(token) {
            return Ok(());
        }
        let before = self.tokens[..self.at.min(self.tokens.len())].join(" ");
        Err(format!("expected `{token}`, got `{}` after `{before}`", self.peek()))
    }

    fn find_annotations(&mut self) {
        for at in 0..self.tokens.len().saturating_sub(2) {
            let name = &self.tokens[at];
            if self.tokens[at + 1] == ":" && name.starts_with(|c: char| c.is_alphabetic()) {
                let is_function = at > 0 && self.tokens[at - 1] == "fn";
                let key = if is_function { format!("@{name}") } else { name.clone() };
                self.annotations.entry(key).or_insert(at + 2);
            }
        }
    }

    /// The structural information that starts at the annotation of `name`, if there is one.
    fn annotation(&mut self, name: &str) -> Parsed<Option<StructInfo>> {
        let Some(at) = self.annotations.get(name).copied() else { return Ok(None) };
        let back = std::mem::replace(&mut self.at, at);
        let info = self.info();
        self.at = back;
        info.map(Some)
    }

    fn var(&mut self, name: &str) -> Parsed<Var> {
        if let Some(var) = self.vars.get(name) {
            return Ok(var.clone());
        }
        let info = self.annotation(name)?;
        let id = Id::new(name.trim_end_matches('$'));
        let var: Var = if name.ends_with('$') {
            let mut var = DataflowVar::new(id);
            var.make_mut().struct_info = info;
            var.into()
        } else {
            let mut var = Var::new(id);
            var.make_mut().struct_info = info;
            var
        };
        self.vars.insert(name.to_owned(), var.clone());
        Ok(var)
    }

    fn global_var(&mut self, name: &str) -> Parsed<GlobalVar> {
        if let Some(var) = self.global_vars.get(name) {
            return Ok(var.clone());
        }
        let info = self.annotation(&format!("@{name}"))?;
        let mut var = GlobalVar::new(name);
        var.make_mut().struct_info = info;
        self.global_vars.insert(name.to_owned(), var.clone());
        Ok(var)
    }

    fn program(&mut self) -> Parsed<Any> {
        if self.eat("info") {
            return self.info().map(Any::from);
        }
        let mut functions: Vec<(GlobalVar, BaseFunc)> = Vec::new();
        while !self.peek().is_empty() {
            let (mut var, function) = self.global_function()?;
            // A second function of one name has a variable of its own.
            if functions.iter().any(|(known, _)| known.ptr_eq(&var)) {
                var = GlobalVar::new(var.name_hint.clone());
            }
            functions.push((var, function));
        }
        let names: Vec<(Str, GlobalVar)> =
            functions.iter().map(|(var, _)| (var.name_hint.clone(), var.clone())).collect();
        let sources = SourceMap::new(Map::<SourceName, Source>::new([]));
        let infos = Map::<Str, Array<GlobalInfo>>::new([]);
        Ok(IRModule::new(Map::new(functions), Map::new(names), sources, attrs([]), infos).into())
    }

    fn global_function(&mut self) -> Parsed<(GlobalVar, BaseFunc)> {
        let (is_private, is_impure, is_forced) = (self.eat("private"), self.eat("impure"), self.eat("forced"));
        let is_loop_program = self.eat("prim");
        self.expect("fn")?;
        let name = self.next();
        if self.eat(":") {
            self.info()?;
        }
        let symbol = if self.eat("as") {
            Some(self.next().trim_matches('"').to_owned())
        } else {
            (!is_private).then(|| name.clone())
        };
        let var = self.global_var(&name)?;
        let mut entries: Vec<(&str, Any)> = Vec::new();
        entries.extend(symbol.map(|symbol| ("global_symbol", Any::from(Str::from(symbol)))));
        if is_forced {
            entries.push(("relax.force_pure", true.into()));
        }
        if is_loop_program {
            if self.peek() != "(" {
                return Ok((var, loop_program(attrs(entries)).into()));
            }
            let s_tir = |is_s_tir: bool| is_s_tir.then(|| ("s_tir", true.into()));
            return Ok((var, self.loop_body(|is_s_tir| attrs(entries.into_iter().chain(s_tir(is_s_tir))))?.into()));
        }
        Ok((var, self.function(attrs(entries), !is_impure)?.into()))
    }

    /// Parameters, result and body.
    fn function(&mut self, attrs: DictAttrs, is_pure: bool) -> Parsed<Function> {
        self.expect("(")?;
        let mut params = Vec::new();
        while !self.eat(")") {
            let name = self.next();
            params.push(self.var(&name)?);
            if self.eat(":") {
                self.info()?;
            }
            self.eat(",");
        }
        let result = if self.eat("->") { self.info()? } else { ObjectStructInfo::new().into() };
        let body = self.block()?;
        let infos: Option<Vec<StructInfo>> = params.iter().map(|param| param.struct_info.clone()).collect();
        let info = infos.map_or_else(
            || FuncStructInfo::opaque(result.clone(), is_pure),
            |infos| FuncStructInfo::new(Some(Array::new(infos)), result.clone(), None::<EnvFunc>, is_pure),
        );
        let mut function = Function::new(attrs, Array::new(params), body, result, is_pure);
        function.make_mut().struct_info = Some(info.into());
        Ok(function)
    }

    /// A sequence in braces.
    fn block(&mut self) -> Parsed<SeqExpr> {
        self.expect("{")?;
        let (mut blocks, mut loose): (Vec<BindingBlock>, Vec<Binding>) = (Vec::new(), Vec::new());
        let close = |loose: &mut Vec<Binding>, blocks: &mut Vec<BindingBlock>| {
            if !loose.is_empty() {
                blocks.push(BindingBlock::new(Array::new(std::mem::take(loose))));
            }
        };
        while !self.eat("return") {
            if self.eat("dataflow") {
                close(&mut loose, &mut blocks);
                blocks.push(DataflowBlock::new(Array::new(self.bindings()?)).into());
            } else if self.eat("block") {
                close(&mut loose, &mut blocks);
                blocks.push(BindingBlock::new(Array::new(self.bindings()?)));
            } else {
                loose.push(self.binding()?);
            }
            self.eat(";");
        }
        close(&mut loose, &mut blocks);
        let result = self.expr()?;
        self.eat(";");
        self.expect("}")?;
        let info = result.struct_info.clone().unwrap_or_else(|| ObjectStructInfo::new().into());
        let mut sequence = SeqExpr::new(Array::new(blocks), result);
        sequence.make_mut().struct_info = Some(info);
        Ok(sequence)
    }

    fn bindings(&mut self) -> Parsed<Vec<Binding>> {
        self.expect("{")?;
        let mut bindings = Vec::new();
        while !self.eat("}") {
            bindings.push(self.binding()?);
            self.eat(";");
        }
        Ok(bindings)
    }

    fn binding(&mut self) -> Parsed<Binding> {
        let name = self.next();
        let var = self.var(&name)?;
        if self.eat(":") {
            self.info()?;
        }
        self.expect("=")?;
        if !self.eat("match") {
            return Ok(VarBinding::new(var, self.expr()?).into());
        }
        self.expect("(")?;
        let value = self.expr()?;
        self.expect(",")?;
        let info = self.info()?;
        self.expect(")")?;
        Ok(MatchCast::new(var, value, info).into())
    }

    fn exprs(&mut self, end: &str) -> Parsed<Vec<RelaxExpr>> {
        let mut exprs = Vec::new();
        while !self.eat(end) {
            exprs.push(self.expr()?);
            self.eat(",");
        }
        Ok(exprs)
    }

    fn infos(&mut self, end: &str) -> Parsed<Vec<StructInfo>> {
        let mut infos = Vec::new();
        while !self.eat(end) {
            infos.push(self.info()?);
            self.eat(",");
        }
        Ok(infos)
    }

    fn expr(&mut self) -> Parsed<RelaxExpr> {
        let mut expr = self.primary()?;
        loop {
            if self.eat("(") {
                let args = self.exprs(")")?;
                let infos = if self.eat("<") { self.infos(">")? } else { Vec::new() };
                expr = Call::new(expr, Array::new(args), None, Array::new(infos)).into();
            } else if self.eat(".") {
                let index = self.next().parse().map_err(|_| "expected a number after `.`")?;
                expr = TupleGetItem::new(expr, index).into();
            } else if self.eat(":") {
                expr.make_mut().struct_info = Some(self.info()?);
            } else {
                return Ok(expr);
            }
        }
    }

    fn primary(&mut self) -> Parsed<RelaxExpr> {
        if self.peek() == "{" {
            return Ok(self.block()?.into());
        }
        let token = self.next();
        Ok(match token.as_str() {
            "fn" => self.function(attrs([]), true)?.into(),
            "if" => {
                let cond = self.expr()?;
                let branch = self.block()?;
                self.expect("else")?;
                If::new(cond, branch, self.block()?).into()
            }
            "(" => Tuple::new(Array::new(self.exprs(")")?)).into(),
            "@" => {
                let name = self.next();
                self.global_var(&name)?.into()
            }
            "shape" => {
                self.expect("[")?;
                ShapeExpr::new(Array::new(self.scalars("]")?)).into()
            }
            "prim" => {
                self.expect("(")?;
                let value = self.scalar()?;
                self.expect(")")?;
                PrimValue::new(value).into()
            }
            "prim_func" => loop_program(attrs([])).into(),
            text if text.starts_with('"') => ExternFunc::new(attrs([]), text.trim_matches('"')).into(),
            op if op.contains('.') => Op::get(op).map_err(|error| error.to_string())?.into(),
            name if name.starts_with(|c: char| c.is_alphabetic()) => self.var(name)?.into(),
            other => return Err(format!("expected an expression, got `{other}`")),
        })
    }

    fn scalars(&mut self, end: &str) -> Parsed<Vec<PrimExpr>> {
        let mut scalars = Vec::new();
        while !self.eat(end) && self.peek() != ";" {
            scalars.push(self.scalar()?);
            self.eat(",");
        }
        Ok(scalars)
    }

    /// A sum of products of names and numbers.
    fn scalar(&mut self) -> Parsed<PrimExpr> {
        let mut sum = self.product()?;
        while self.eat("+") {
            sum = Add::new(DataType::int(64), sum, self.product()?).into();
        }
        Ok(sum)
    }

    fn product(&mut self) -> Parsed<PrimExpr> {
        let mut product = self.factor()?;
        while self.eat("*") {
            product = Mul::new(DataType::int(64), product, self.factor()?).into();
        }
        Ok(product)
    }

    fn factor(&mut self) -> Parsed<PrimExpr> {
        let token = self.next();
        if let Ok(number) = token.parse::<i64>() {
            return Ok(IntImm::new(DataType::int(64), number).into());
        }
        if let Ok(number) = token.parse::<f64>() {
            return Ok(FloatImm::new(DataType::float(32), number).into());
        }
        if self.eat("[") {
            return self.load(&token);
        }
        let dtype = DataType::int(64);
        let new = || tir::Var::new(dtype, token.as_str(), PrimType::new(dtype));
        Ok(self.shape_vars.entry(token.clone()).or_insert_with(new).clone().into())
    }

    /// The number of dimensions after `#`, or else `ndim`.
    fn rank(&mut self, ndim: usize) -> Parsed<i64> {
        if !self.eat("#") {
            return Ok(ndim as i64);
        }
        self.next().parse().map_err(|_| "expected a number after `#`".to_owned())
    }

    fn dtype(&mut self) -> Parsed<DataType> {
        let name = self.next();
        Ok(match (name.as_str(), name.get(1..).and_then(|bits| bits.parse::<u8>().ok())) {
            ("bool", _) => DataType::boolean(),
            ("void", _) => DataType::void(),
            (int, Some(bits)) if int.starts_with('i') => DataType::int(bits),
            (float, Some(bits)) if float.starts_with('f') => DataType::float(bits),
            _ => return Err(format!("expected a data type, got `{name}`")),
        })
    }

    fn info(&mut self) -> Parsed<StructInfo> {
        let token = self.next();
        Ok(match token.as_str() {
            "Obj" => ObjectStructInfo::new().into(),
            "T" => self.tensor()?.into(),
            "S" if self.eat("(") => {
                let ndim = self.next().parse().map_err(|_| "expected a rank")?;
                self.expect(")")?;
                ShapeStructInfo::new(None::<Array<PrimExpr>>, ndim).into()
            }
            "S" => {
                self.expect("[")?;
                let dims = self.scalars("]")?;
                let ndim = self.rank(dims.len())?;
                ShapeStructInfo::new(Some(Array::new(dims)), ndim).into()
            }
            "P" => {
                self.expect("(")?;
                let dtype = self.dtype()?;
                self.expect(")")?;
                PrimStructInfo::new(None::<PrimExpr>, dtype).into()
            }
            "Tup" => {
                self.expect("(")?;
                TupleStructInfo::new(Array::new(self.infos(")")?)).into()
            }
            "Fn" => {
                let is_impure = self.eat("!");
                self.expect("(")?;
                let params = self.infos(")")?;
                self.expect("->")?;
                let result = self.info()?;
                let derive = self.eat("by").then(|| EnvFunc::new(self.next().trim_matches('"')));
                FuncStructInfo::new(Some(Array::new(params)), result, derive, !is_impure).into()
            }
            other => return Err(format!("expected structural information, got `{other}`")),
        })
    }

    fn tensor(&mut self) -> Parsed<TensorStructInfo> {
        let float = DataType::float(32);
        if self.eat("{") {
            let name = self.next();
            let var = self.var(&name)?;
            if self.eat(":") {
                self.info()?;
            }
            self.expect("}")?;
            let ndim = self.rank(0)?;
            return Ok(TensorStructInfo::new(Some(var.into()), float, None::<VDevice>, ndim));
        }
        if self.eat("(") {
            let ndim = self.next().parse().map_err(|_| "expected a rank")?;
            self.expect(")")?;
            return Ok(TensorStructInfo::new(None::<RelaxExpr>, float, None::<VDevice>, ndim));
        }
        self.expect("[")?;
        let dims = self.scalars("]")?;
        let is_closed = self.tokens.get(self.at - 1).is_some_and(|token| token == "]");
        let dtype = if !is_closed && self.eat(";") {
            let dtype = self.dtype()?;
            self.expect("]")?;
            dtype
        } else {
            float
        };
        let ndim = self.rank(dims.len())?;
        let mut shape = ShapeExpr::new(Array::new(dims.clone()));
        shape.make_mut().struct_info =
            Some(ShapeStructInfo::new(Some(Array::new(dims.clone())), dims.len() as i64).into());
        Ok(TensorStructInfo::new(Some(shape.into()), dtype, None::<VDevice>, ndim))
    }
}

fn attrs<'a>(entries: impl IntoIterator<Item = (&'a str, Any)>) -> DictAttrs {
    DictAttrs::new(Map::new(entries.into_iter().map(|(name, value)| (Str::from(name), value))))
}

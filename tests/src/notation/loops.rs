//! Loop programs in the notation of the rules: loops, bindings, buffers and blocks.

use object_core::prelude::*;
use object_ir::ir::{DictAttrs, IntImm, PointerType, PrimExpr, PrimType, Range, TupleType, Type};
use object_ir::tir::{
    self, AllocBuffer, Bind, Buffer, BufferLoad, BufferRegion, BufferStore, Evaluate, For, IterVar, Layout,
    MatchBufferRegion, PrimFunc, SBlock, SBlockRealize, SeqStmt, Stmt,
};

use super::{Parsed, Parser};

fn number(value: i64) -> PrimExpr {
    IntImm::new(DataType::int(64), value).into()
}

/// A loop program that does nothing.
pub(super) fn loop_program(attrs: DictAttrs) -> PrimFunc {
    program_of(attrs, Vec::new(), Vec::new(), Evaluate::new(number(0)).into())
}

fn program_of(attrs: DictAttrs, params: Vec<tir::Var>, buffers: Vec<(tir::Var, Buffer)>, body: Stmt) -> PrimFunc {
    let nothing: Type = TupleType::new(Array::new(Vec::<Type>::new())).into();
    PrimFunc::new(attrs, Array::new(params), nothing, Map::new(buffers), body)
}

impl Parser {
    /// The parameters and the statements of a loop program: `(x, A[4]) tir { ... }`, with the attribute `s_tir` after the
    /// word `tir`.
    pub(super) fn loop_body(&mut self, attrs: impl FnOnce(bool) -> DictAttrs) -> Parsed<PrimFunc> {
        self.expect("(")?;
        let (mut params, mut buffers) = (Vec::new(), Vec::new());
        while !self.eat(")") {
            let name = self.next();
            if self.eat("[") {
                let shape = self.scalars("]")?;
                let param = self.loop_var(&format!("var_{name}"), DataType::int(64));
                buffers.push((param.clone(), self.buffer(&name, shape)));
                params.push(param);
            } else {
                params.push(self.loop_var(&name, DataType::int(64)));
            }
            self.eat(",");
        }
        let is_s_tir = self.eat("tir");
        let body = self.statements()?;
        Ok(program_of(attrs(is_s_tir), params, buffers, body))
    }

    fn loop_var(&mut self, name: &str, dtype: DataType) -> tir::Var {
        let new = || tir::Var::new(dtype, name, PrimType::new(dtype));
        self.shape_vars.entry(name.to_owned()).or_insert_with(new).clone()
    }

    /// The buffer of this name; its first occurrence says its shape.
    fn buffer(&mut self, name: &str, shape: Vec<PrimExpr>) -> Buffer {
        let float = DataType::float(32);
        let new = || {
            let pointer = PointerType::new(PrimType::new(float), "global");
            let handle: DataType = "handle".parse().expect("a data type");
            let data = tir::Var::new(handle, name, pointer);
            let none = || Array::<PrimExpr>::default();
            let separators = Array::<IntImm>::default();
            Buffer::new(
                data,
                float,
                Array::new(shape),
                none(),
                separators,
                number(0),
                name,
                64,
                1,
                1,
                None,
                None::<Layout>,
                none(),
            )
        };
        self.buffers.entry(name.to_owned()).or_insert_with(new).clone()
    }

    /// The access of a buffer after the bracket.
    fn indices(&mut self, name: &str) -> Parsed<(Buffer, Vec<PrimExpr>)> {
        let indices = self.scalars("]")?;
        let shape = vec![number(4); indices.len()];
        Ok((self.buffer(name, shape), indices))
    }

    /// The element of a buffer after the bracket.
    pub(super) fn load(&mut self, name: &str) -> Parsed<PrimExpr> {
        let (buffer, indices) = self.indices(name)?;
        Ok(BufferLoad::new(buffer.dtype, buffer, Array::new(indices), None).into())
    }

    fn statements(&mut self) -> Parsed<Stmt> {
        self.expect("{")?;
        let mut statements = Vec::new();
        while !self.eat("}") {
            statements.push(self.statement()?);
        }
        Ok(match <[Stmt; 1]>::try_from(statements) {
            Ok([statement]) => statement,
            Err(statements) => SeqStmt::new(Array::new(statements)).into(),
        })
    }

    fn statement(&mut self) -> Parsed<Stmt> {
        let token = self.next();
        match token.as_str() {
            "for" => {
                let name = self.next();
                let dtype = if self.eat("as") { self.dtype()? } else { DataType::int(64) };
                let variable = self.loop_var(&name, dtype);
                self.expect("<")?;
                let extent = self.scalar()?;
                let body = self.statements()?;
                let annotations = Map::<Str, Any>::default();
                Ok(For::new(variable, number(0), extent, 0, body, None, annotations, None).into())
            }
            "bind" => {
                let name = self.next();
                self.expect("=")?;
                Ok(Bind::new(self.loop_var(&name, DataType::int(64)), self.scalar()?).into())
            }
            "eval" => Ok(Evaluate::new(self.scalar()?).into()),
            "alloc" => {
                let name = self.next();
                self.expect("[")?;
                let shape = self.scalars("]")?;
                Ok(AllocBuffer::new(self.buffer(&name, shape), Map::<Str, Any>::default()).into())
            }
            "block" => self.loop_block(),
            name => {
                self.expect("[")?;
                let (buffer, indices) = self.indices(name)?;
                self.expect("=")?;
                Ok(BufferStore::new(buffer, self.scalar()?, Array::new(indices), None).into())
            }
        }
    }

    /// A block after its word: `(v < 4 = i) { ... }`.
    fn loop_block(&mut self) -> Parsed<Stmt> {
        self.expect("(")?;
        let (mut iterators, mut values) = (Vec::new(), Vec::new());
        while !self.eat(")") {
            let name = self.next();
            let variable = self.loop_var(&name, DataType::int(64));
            self.expect("<")?;
            let domain = Range::new(number(0), self.scalar()?, None);
            iterators.push(IterVar::new(Some(domain), variable, 0, ""));
            if self.eat("=") {
                values.push(self.scalar()?);
            }
            self.eat(",");
        }
        let regions = || Array::<BufferRegion>::default();
        let (buffers, matched) = (Array::<Buffer>::default(), Array::<MatchBufferRegion>::default());
        let annotations = Map::<Str, Any>::default();
        let body = self.statements()?;
        let block = SBlock::new(
            Array::new(iterators),
            regions(),
            regions(),
            "block",
            buffers,
            matched,
            annotations,
            None,
            body,
        );
        let always = IntImm::new(DataType::boolean(), 1);
        Ok(SBlockRealize::new(Array::new(values), always, block).into())
    }
}

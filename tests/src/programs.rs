//! Random programs with nested expressions: well-typed functions over tensors of two elements.
//!
//! The programs have nested calls, tuples, branches, sequences and functions, calls with side effects, dataflow blocks,
//! shared expressions, casts, empty and unmerged blocks. Most parts have no structural information.

use object_core::prelude::*;
use object_ir::ir::{
    Binding, BindingBlock, Call, DataflowBlock, DataflowVar, DictAttrs, ExternFunc, Function, If, MatchCast, RelaxExpr,
    SeqExpr, StructInfo, TensorStructInfo, Tuple, TupleGetItem, TupleStructInfo, Var, VarBinding,
};
use object_ir::tir;
use object_relax::op;

/// A number below the given one, which is not zero.
pub type Choose<'c> = dyn FnMut(usize) -> usize + 'c;

/// A function with side effects, as `choose` decides. Its parameters are two tensors, two truth values, and an empty tuple.
pub fn function(choose: &mut Choose<'_>) -> Function {
    let params = [
        Var::of("x", tensor()),
        Var::of("y", tensor()),
        Var::of("c", truth()),
        Var::of("d", truth()),
        Var::of("u", TupleStructInfo::of([])),
    ];
    let mut generator = Generator {
        choose,
        names: 0,
        budget: 60,
        conditions: vec![params[2].clone(), params[3].clone()],
        void: params[4].clone(),
    };
    let mut scope = Scope {
        tensors: params[..2].to_vec(),
        functions: Vec::new(),
        pool: Vec::new(),
        is_pure: false,
        is_dataflow: false,
    };
    let body = generator.sequence(&mut scope, 4);
    Function::new(attrs(), params, body, tensor(), false)
}

fn attrs() -> DictAttrs {
    DictAttrs::new(Map::new([]))
}

/// The structural information of all tensors.
fn tensor() -> StructInfo {
    TensorStructInfo::of([2], "float32").expect("a data type").into()
}

fn truth() -> StructInfo {
    TensorStructInfo::of((), "bool").expect("a data type").into()
}

/// The variables at a place.
#[derive(Clone)]
struct Scope {
    tensors: Vec<Var>,
    /// Functions of one tensor, and whether they are pure.
    functions: Vec<(Var, bool)>,
    /// Expressions without bindings, which may occur again.
    pool: Vec<RelaxExpr>,
    is_pure: bool,
    is_dataflow: bool,
}

struct Generator<'g, 'c> {
    choose: &'g mut Choose<'c>,
    names: usize,
    /// The number of composite expressions that are left.
    budget: usize,
    conditions: Vec<Var>,
    void: Var,
}

impl Generator<'_, '_> {
    fn below(&mut self, count: usize) -> usize {
        (self.choose)(count)
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// A visible tensor. The scope always has one.
    fn variable(&mut self, scope: &Scope) -> RelaxExpr {
        let index = self.below(scope.tensors.len());
        (&scope.tensors[index]).into()
    }

    /// An expression of a tensor. The scope keeps it, if it may occur again.
    fn expr(&mut self, scope: &mut Scope, depth: usize) -> RelaxExpr {
        if depth == 0 || self.budget == 0 {
            return self.variable(scope);
        }
        self.budget -= 1;
        let may_branch = !scope.is_dataflow;
        let (expr, binds): (RelaxExpr, bool) = match self.below(13) {
            0 | 1 => return self.variable(scope),
            2 | 3 => {
                let (a, b) = (self.operand(scope, depth), self.operand(scope, depth));
                (op::add(&a.0, &b.0).into(), a.1 || b.1)
            }
            4 => {
                let a = self.operand(scope, depth);
                (op::exp(&a.0).into(), a.1)
            }
            5 | 6 if !scope.is_pure => {
                let (a, b) = (self.operand(scope, depth), self.operand(scope, depth));
                let function = ExternFunc::new(attrs(), self.name("effect"));
                (Call::new(function, [a.0, b.0], None, [tensor()]).into(), a.1 || b.1)
            }
            7 => {
                let (a, b) = (self.operand(scope, depth), self.operand(scope, depth));
                let index = self.below(2) as i64;
                (TupleGetItem::new(Tuple::new([a.0, b.0]), index).into(), a.1 || b.1)
            }
            8 if may_branch => (self.branches(scope, depth), true),
            9 => (self.sequence(&mut scope.clone(), depth - 1).into(), true),
            10 => {
                let function = self.closure(scope, depth);
                let arg = self.operand(scope, depth).0;
                (Call::new(function, [arg], None, []).into(), true)
            }
            11 if !scope.pool.is_empty() => {
                let index = self.below(scope.pool.len());
                return scope.pool[index].clone();
            }
            11 => {
                let Some((function, _)) = self.known_function(scope) else { return self.variable(scope) };
                let a = self.operand(scope, depth);
                (Call::new(function, [a.0], None, []).into(), a.1)
            }
            _ => {
                let a = self.operand(scope, depth);
                let inner = Tuple::new([a.0.clone(), (&self.void).into()]);
                // An expression with bindings occurs once.
                let last = if a.1 { (&self.void).into() } else { a.0 };
                let outer = TupleGetItem::new(Tuple::new([(&self.void).into(), inner.into(), last]), 1);
                (TupleGetItem::new(outer, 0).into(), a.1)
            }
        };
        if !binds {
            scope.pool.push(expr.clone());
        }
        expr
    }

    /// An expression, and whether it binds variables.
    fn operand(&mut self, scope: &mut Scope, depth: usize) -> (RelaxExpr, bool) {
        let kept = scope.pool.len();
        let expr = self.expr(scope, depth - 1);
        let is_kept = scope.pool.len() > kept && scope.pool.last().is_some_and(|last| last.ptr_eq(&expr));
        let binds = !expr.is::<Var>() && !is_kept && !scope.pool.iter().any(|it| it.ptr_eq(&expr));
        (expr, binds)
    }

    fn known_function(&mut self, scope: &Scope) -> Option<(Var, bool)> {
        let usable: Vec<_> =
            scope.functions.iter().filter(|(_, is_pure)| *is_pure || !scope.is_pure).cloned().collect();
        if usable.is_empty() {
            return None;
        }
        let index = self.below(usable.len());
        Some(usable[index].clone())
    }

    fn branches(&mut self, scope: &Scope, depth: usize) -> RelaxExpr {
        let index = self.below(self.conditions.len());
        let condition = &self.conditions[index];
        let condition: RelaxExpr =
            if (self.choose)(2) == 0 { condition.into() } else { op::logical_not(condition).into() };
        let if_true = self.sequence(&mut scope.clone(), depth - 1);
        let if_false = self.sequence(&mut scope.clone(), depth - 1);
        If::new(condition, if_true, if_false).into()
    }

    /// A function of one tensor.
    fn closure(&mut self, scope: &Scope, depth: usize) -> Function {
        let is_pure = scope.is_pure || self.below(2) == 0;
        let param = Var::of(self.name("p"), tensor());
        let mut inner = Scope { is_pure, is_dataflow: false, pool: Vec::new(), ..scope.clone() };
        inner.tensors.retain(|var| !var.is::<DataflowVar>());
        inner.functions.retain(|(var, _)| !var.is::<DataflowVar>());
        inner.tensors.push(param.clone());
        let body = self.sequence(&mut inner, depth - 1);
        Function::new(attrs(), [param], body, tensor(), is_pure)
    }

    /// A sequence with a scope of its own.
    fn sequence(&mut self, scope: &mut Scope, depth: usize) -> SeqExpr {
        scope.pool.clear();
        let blocks: Vec<BindingBlock> = (0..self.below(4)).map(|_| self.block(scope, depth)).collect();
        let body = self.expr(scope, depth);
        SeqExpr::new(blocks, body)
    }

    fn block(&mut self, scope: &mut Scope, depth: usize) -> BindingBlock {
        let is_dataflow = scope.is_dataflow || self.below(2) == 0;
        if !is_dataflow {
            let bindings: Vec<Binding> = (0..self.below(4)).map(|_| self.binding(scope, depth)).collect();
            return BindingBlock::new(bindings);
        }
        let mut inner = Scope { is_pure: true, is_dataflow: true, pool: Vec::new(), ..scope.clone() };
        let bindings: Vec<Binding> = (0..self.below(4)).map(|_| self.binding(&mut inner, depth)).collect();
        // The dataflow variables of a dataflow block around this one remain visible.
        let outer = scope.tensors.len();
        scope.tensors.extend(inner.tensors.drain(outer..).filter(|var| !var.is::<DataflowVar>()));
        let outer = scope.functions.len();
        scope.functions.extend(inner.functions.drain(outer..).filter(|(var, _)| !var.is::<DataflowVar>()));
        DataflowBlock::new(bindings).into()
    }

    fn binding(&mut self, scope: &mut Scope, depth: usize) -> Binding {
        let name = self.name("v");
        let is_dataflow = scope.is_dataflow && self.below(3) > 0;
        let new = |info: Option<StructInfo>| -> Var {
            match (is_dataflow, info) {
                (true, Some(info)) => DataflowVar::of(name.as_str(), info).into(),
                (true, None) => DataflowVar::named(name.as_str()).into(),
                (false, Some(info)) => Var::of(name.as_str(), info),
                (false, None) => Var::named(name.as_str()),
            }
        };
        match self.below(8) {
            0 if depth > 0 => {
                let function = self.closure(scope, depth);
                let var = new(None);
                scope.functions.push((var.clone(), function.is_pure));
                VarBinding::new(var, function).into()
            }
            1 => {
                // The cast succeeds, and binds a variable that nothing uses.
                let value = self.expr(scope, depth);
                let length = TensorStructInfo::of([tir::Var::dim("n")], "float32").expect("a data type");
                MatchCast::new(new(None), value, length).into()
            }
            2 => {
                let value = self.expr(scope, depth);
                let var = new((self.below(2) == 0).then(tensor));
                scope.tensors.push(var.clone());
                MatchCast::new(var, value, tensor()).into()
            }
            _ => {
                let value = self.expr(scope, depth);
                let var = new((self.below(3) == 0).then(tensor));
                scope.tensors.push(var.clone());
                VarBinding::new(var, value).into()
            }
        }
    }
}

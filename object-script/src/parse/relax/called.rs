//! [`calls`]: whether statements call a function by name (TVM 0.25 `is_called` in
//! python/tvm/relax/script/parser/parser.py).

use ruff_python_ast::{Expr, Stmt};

/// Whether a statement calls `name`, as a value or as a whole statement.
pub(crate) fn calls(body: &[Stmt], name: &str) -> bool {
    let mut pending: Vec<&Stmt> = body.iter().collect();
    while let Some(statement) = pending.pop() {
        let value = match statement {
            Stmt::Assign(it) => Some(&*it.value),
            Stmt::AnnAssign(it) => it.value.as_deref(),
            Stmt::Return(it) => it.value.as_deref(),
            Stmt::Expr(it) => Some(&*it.value),
            Stmt::With(it) => {
                pending.extend(&it.body);
                None
            }
            Stmt::If(it) => {
                pending.extend(&it.body);
                pending.extend(it.elif_else_clauses.iter().flat_map(|clause| &clause.body));
                None
            }
            _ => None,
        };
        if let Some(Expr::Call(call)) = value
            && let Expr::Name(callee) = &*call.func
            && callee.id.as_str() == name
        {
            return true;
        }
    }
    false
}

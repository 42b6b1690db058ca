//! Branches (TVM 0.25 `GetSeqExprForBranch` in src/relax/script/builder/utils.h).

use object_core::ObjectHandle;
use object_core::object::MakeMut;
use object_ir::ir::{If, MatchCast, RelaxExpr, SeqExpr, Var, VarBinding};
use object_relax::normal_form::{is_leaf, without_void_var};
use object_relax::op::InferContext;
use object_relax::struct_info::unify;
use ruff_python_ast::{Stmt, StmtIf};
use ruff_text_size::{Ranged, TextRange};

use crate::parse::expr::eval::argument;
use crate::parse::relax::{normalize, values};
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;

/// How a branch reads its statements.
pub(crate) type Statements = fn(&mut Parser<'_>, &[Stmt]) -> Eval<()>;

/// `if condition: ... else: ...`. The last statement of both branches binds one name, which is the result.
pub(crate) fn branch(p: &mut Parser<'_>, statement: &StmtIf, statements: Statements) -> Eval<()> {
    if normalize::frame(p, statement.range)?.dataflow.is_some() {
        return Err(p.error(statement.range, "a branch cannot be in a dataflow block"));
    }
    let condition = argument(p, &statement.test)?;
    let condition = values::argument(p, &condition)?;
    let [clause] = &*statement.elif_else_clauses else {
        let message = match statement.elif_else_clauses.len() {
            0 => "the branch lacks its `else`",
            _ => "`elif` is not supported; write an `if` in the `else`",
        };
        return Err(p.error(statement.test.range(), message));
    };
    if let Some(test) = &clause.test {
        return Err(p.error(test.range(), "`elif` is not supported; write an `if` in the `else`"));
    }
    let then = region(p, &statement.body, "_then", statements);
    let other = region(p, &clause.body, "_else", statements);
    let ((then_name, then, place), (other_name, other, other_place)) = match (then, other) {
        (Ok(then), Ok(other)) => (then, other),
        (Err(reported), _) | (_, Err(reported)) => return Err(reported),
    };
    if then_name != other_name {
        let message =
            format!("the last statements of both branches bind one name, got `{then_name}` and `{other_name}`");
        return Err(p.error(statement.test.range(), message));
    }
    let info = match (&then.struct_info, &other.struct_info) {
        (Some(a), Some(b)) => unify(a, b, &p.analyzer),
        _ => return Err(p.error(statement.range, "the branches do not have structural information")),
    };
    let mut result = If::new(condition, then, other);
    // The condition becomes an operand before the whole branch is bound.
    let condition = normalize::operand(p, &result.cond.clone(), statement.test.range())?;
    let node = result.make_mut();
    node.cond = condition;
    node.base.struct_info = Some(info);
    let var = normalize::emit(p, result.into(), None, &then_name, statement.range)?;
    if let (Some(log), Some(place), Some(other_place)) = (&mut p.log, place, other_place) {
        log.current.same.push((place, other_place));
    }
    p.names.set_at(&then_name, Value::object(var), place);
    Ok(())
}

/// The name of the result of a branch, its sequence, and the place where the branch introduces the name.
type Region = (String, SeqExpr, Option<TextRange>);

/// Reads a branch.
fn region(p: &mut Parser<'_>, body: &[Stmt], suffix: &str, statements: Statements) -> Eval<Region> {
    let range = body.first().map_or(TextRange::default(), Ranged::range);
    let frame = normalize::frame(p, range)?;
    let outer = std::mem::take(&mut frame.sequence);
    let outside = p.surroundings.mark();
    let mut places = Vec::new();
    let result = p.in_frame(|p| {
        let result = statements(p, body);
        if p.log.is_some() {
            places = p.names.innermost_places();
        }
        result
    });
    let ended = normalize::end_block(p, false, range);
    let frame = normalize::frame(p, range)?;
    let mut parts = std::mem::replace(&mut frame.sequence, outer).blocks;
    p.surroundings.end(outside);
    result.and(ended)?;
    let end = body.last().map_or(range, Ranged::range);
    let Some((is_dataflow, bindings)) = parts.last_mut() else {
        return Err(p.error(range, "a branch needs a statement that binds its result"));
    };
    if *is_dataflow {
        return Err(p.error(end, "the last statement of a branch binds its result, got a dataflow block"));
    }
    let Some(last) = bindings.pop() else { return Err(p.error(range, "a branch needs a statement")) };
    let name = last.var.vid.name_hint.to_string();
    let Some(info) = last.var.struct_info.clone() else {
        return Err(p.error(end, "the result of the branch does not have structural information"));
    };
    let new_var = || Var::of(format!("{name}{suffix}").as_str(), info.clone());
    let body: RelaxExpr = if let Some(binding) = last.downcast_ref::<VarBinding>() {
        if is_leaf(binding.value.as_object().view()) {
            binding.value.clone()
        } else {
            let var = new_var();
            bindings.push(VarBinding::new(var.clone(), binding.value.clone()).into());
            var.into()
        }
    } else {
        let var = new_var();
        if let Some(cast) = last.downcast_ref::<MatchCast>() {
            bindings.push(MatchCast::new(var.clone(), cast.value.clone(), cast.struct_info.clone()).into());
        }
        var.into()
    };
    let body = without_void_var(body);
    parts.retain(|(_, bindings)| !bindings.is_empty());
    let info = body.struct_info.as_ref().unwrap_or(&info);
    let info = p.surroundings.erase(info, InferContext::new(&p.analyzer));
    let mut sequence = SeqExpr::new(normalize::blocks(parts), body);
    sequence.make_mut().base.struct_info = Some(info);
    let place = places.into_iter().find(|(known, _)| *known == name).map(|(_, place)| place);
    Ok((name, sequence, place))
}

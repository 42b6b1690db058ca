//! [`ScalarCode`]: scalar expressions over shape variables, compiled to a list of operations on a stack.

use object_core::prelude::*;
use object_core::scalar::TypeCode;
use object_ir::ir::{FloatImm, IntImm, Op as Operator, PrimExpr};
use object_ir::tir::{self, Var};
use smallvec::SmallVec;

/// A number or truth value of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scalar {
    Int(i64),
    Float(f64),
    Bool(bool),
}

impl Scalar {
    /// The value as an integer: a truth value is 0 or 1, a floating-point number loses its fraction.
    pub(crate) fn int(self) -> i64 {
        match self {
            Scalar::Int(value) => value,
            Scalar::Float(value) => value as i64,
            Scalar::Bool(value) => i64::from(value),
        }
    }

    /// The value as a floating-point number.
    pub(crate) fn float(self) -> f64 {
        match self {
            Scalar::Int(value) => value as f64,
            Scalar::Float(value) => value,
            Scalar::Bool(value) => f64::from(u8::from(value)),
        }
    }

    fn truth(self) -> bool {
        match self {
            Scalar::Int(value) => value != 0,
            Scalar::Float(value) => value != 0.0,
            Scalar::Bool(value) => value,
        }
    }

    /// The value in the type `dtype`.
    fn cast(self, dtype: DataType) -> Scalar {
        match dtype.code {
            TypeCode::BOOL => Scalar::Bool(self.truth()),
            TypeCode::FLOAT | TypeCode::BFLOAT if dtype.bits == 32 => Scalar::Float(f64::from(self.float() as f32)),
            TypeCode::FLOAT | TypeCode::BFLOAT => Scalar::Float(self.float()),
            TypeCode::INT if dtype.bits == 32 => Scalar::Int(i64::from(self.int() as i32)),
            _ => Scalar::Int(self.int()),
        }
    }

    /// The value of a run that is a scalar.
    pub(crate) fn of(value: &Any) -> Option<Scalar> {
        match value {
            Any::Int(value) => Some(Scalar::Int(*value)),
            Any::Float(value) => Some(Scalar::Float(*value)),
            Any::Bool(value) => Some(Scalar::Bool(*value)),
            _ => None,
        }
    }
}

impl From<Scalar> for Any {
    fn from(scalar: Scalar) -> Any {
        match scalar {
            Scalar::Int(value) => Any::Int(value),
            Scalar::Float(value) => Any::Float(value),
            Scalar::Bool(value) => Any::Bool(value),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    FloorDiv,
    FloorMod,
    Min,
    Max,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
    Left,
    Right,
    BitAnd,
    BitOr,
    BitXor,
    Pow,
}

/// A function of one floating-point number.
type Unary = fn(f64) -> f64;

#[derive(Clone, Copy, Debug)]
enum Operation {
    Constant(Scalar),
    Load(u32),
    Binary(Binary),
    Unary(Unary),
    Not,
    BitNot,
    Cast(DataType),
    /// To a label, if the top of the stack is false.
    JumpUnless(usize),
    Jump(usize),
}

/// A compiled scalar expression.
#[derive(Clone, Debug)]
pub(crate) struct ScalarCode {
    operations: Vec<Operation>,
    labels: Vec<usize>,
}

enum Task {
    Expr(PrimExpr),
    Emit(Operation),
    Label(usize),
}

impl ScalarCode {
    /// Compiles an expression. `slot` gives the slot of a variable.
    ///
    /// # Errors
    /// The error of `slot`, and [`TypeMismatch`](ErrorKind::TypeMismatch) for an expression that has no value outside of loop
    /// programs.
    pub(crate) fn compile(
        expr: &PrimExpr,
        slot: &mut dyn FnMut(&Var) -> Result<u32, Error>,
    ) -> Result<ScalarCode, Error> {
        let mut code = ScalarCode { operations: Vec::new(), labels: Vec::new() };
        let mut tasks = vec![Task::Expr(expr.clone())];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Emit(operation) => code.operations.push(operation),
                Task::Label(label) => code.labels[label] = code.operations.len(),
                Task::Expr(expr) => code.enter(&expr, slot, &mut tasks)?,
            }
        }
        Ok(code)
    }

    fn enter(
        &mut self,
        expr: &PrimExpr,
        slot: &mut dyn FnMut(&Var) -> Result<u32, Error>,
        tasks: &mut Vec<Task>,
    ) -> Result<(), Error> {
        if let Some(it) = expr.downcast_ref::<IntImm>() {
            let is_bool = it.dtype.code == TypeCode::BOOL;
            let value = if is_bool { Scalar::Bool(it.value != 0) } else { Scalar::Int(it.value) };
            self.operations.push(Operation::Constant(value));
        } else if let Some(it) = expr.downcast_ref::<FloatImm>() {
            self.operations.push(Operation::Constant(Scalar::Float(it.value)));
        } else if let Some(it) = expr.downcast_ref::<Var>() {
            self.operations.push(Operation::Load(slot(it)?));
        } else if let Some(it) = expr.downcast_ref::<tir::Cast>() {
            tasks.extend([Task::Emit(Operation::Cast(it.dtype)), Task::Expr(it.value.clone())]);
        } else if let Some(it) = expr.downcast_ref::<tir::Not>() {
            tasks.extend([Task::Emit(Operation::Not), Task::Expr(it.a.clone())]);
        } else if let Some(it) = expr.downcast_ref::<tir::Select>() {
            self.choice(&it.condition, &it.true_value, &it.false_value, tasks);
        } else if let Some((operation, a, b)) = binary(expr) {
            tasks.extend([Task::Emit(Operation::Binary(operation)), Task::Expr(b), Task::Expr(a)]);
        } else if let Some(call) = expr.downcast_ref::<tir::Call>() {
            let name = call.op.downcast_ref::<Operator>().map(|op| op.name.to_string()).unwrap_or_default();
            let known = self.call(&name, call.args.as_slice(), tasks);
            return known.ok_or_else(|| unknown(&format!("a call of `{name}`")));
        } else {
            return Err(unknown(&format!("`{}`", expr.as_object().view().type_key())));
        }
        Ok(())
    }

    fn choice(&mut self, condition: &PrimExpr, yes: &PrimExpr, no: &PrimExpr, tasks: &mut Vec<Task>) {
        let (otherwise, end) = (self.labels.len(), self.labels.len() + 1);
        self.labels.extend([0, 0]);
        tasks.extend([
            Task::Label(end),
            Task::Expr(no.clone()),
            Task::Label(otherwise),
            Task::Emit(Operation::Jump(end)),
            Task::Expr(yes.clone()),
            Task::Emit(Operation::JumpUnless(otherwise)),
            Task::Expr(condition.clone()),
        ]);
    }

    fn call(&mut self, name: &str, args: &[PrimExpr], tasks: &mut Vec<Task>) -> Option<()> {
        let operation = match (name.strip_prefix("tirx.")?, args) {
            ("if_then_else", [condition, yes, no]) => {
                self.choice(condition, yes, no, tasks);
                return Some(());
            }
            ("shift_left", [_, _]) => Operation::Binary(Binary::Left),
            ("shift_right", [_, _]) => Operation::Binary(Binary::Right),
            ("bitwise_and", [_, _]) => Operation::Binary(Binary::BitAnd),
            ("bitwise_or", [_, _]) => Operation::Binary(Binary::BitOr),
            ("bitwise_xor", [_, _]) => Operation::Binary(Binary::BitXor),
            ("pow", [_, _]) => Operation::Binary(Binary::Pow),
            ("bitwise_not", [_]) => Operation::BitNot,
            ("ceil", [_]) => Operation::Unary(f64::ceil),
            ("floor", [_]) => Operation::Unary(f64::floor),
            ("trunc", [_]) => Operation::Unary(f64::trunc),
            ("round" | "nearbyint", [_]) => Operation::Unary(f64::round_ties_even),
            ("sqrt", [_]) => Operation::Unary(f64::sqrt),
            ("exp", [_]) => Operation::Unary(f64::exp),
            ("log", [_]) => Operation::Unary(f64::ln),
            ("log2", [_]) => Operation::Unary(f64::log2),
            ("fabs", [_]) => Operation::Unary(f64::abs),
            _ => return None,
        };
        tasks.push(Task::Emit(operation));
        tasks.extend(args.iter().rev().map(|arg| Task::Expr(arg.clone())));
        Some(())
    }

    /// The value of the expression with these values of variables.
    ///
    /// # Errors
    /// [`OutOfRange`](ErrorKind::OutOfRange) for a division by zero, a number that does not fit 64 bits, and a variable
    /// without a value.
    pub(crate) fn run(&self, slots: &[Option<Scalar>]) -> Result<Scalar, Error> {
        let load = |slot: u32| {
            slots.get(slot as usize).copied().flatten().ok_or_else(|| {
                Error::new(ErrorKind::OutOfRange, "a shape variable is used before a value gives it a size")
            })
        };
        // Most dimensions are a number or a variable.
        match self.operations[..] {
            [Operation::Constant(value)] => return Ok(value),
            [Operation::Load(slot)] => return load(slot),
            _ => {}
        }
        let mut stack: SmallVec<[Scalar; 8]> = SmallVec::new();
        let pop = |stack: &mut SmallVec<[Scalar; 8]>| stack.pop().unwrap_or(Scalar::Int(0));
        let mut next = 0;
        while let Some(operation) = self.operations.get(next) {
            next += 1;
            let result = match *operation {
                Operation::Constant(value) => value,
                Operation::Load(slot) => load(slot)?,
                Operation::Binary(operation) => {
                    let b = pop(&mut stack);
                    apply(operation, pop(&mut stack), b)?
                }
                Operation::Unary(function) => Scalar::Float(function(pop(&mut stack).float())),
                Operation::Not => Scalar::Bool(!pop(&mut stack).truth()),
                Operation::BitNot => Scalar::Int(!pop(&mut stack).int()),
                Operation::Cast(dtype) => pop(&mut stack).cast(dtype),
                Operation::JumpUnless(label) => {
                    if !pop(&mut stack).truth() {
                        next = self.labels[label];
                    }
                    continue;
                }
                Operation::Jump(label) => {
                    next = self.labels[label];
                    continue;
                }
            };
            stack.push(result);
        }
        Ok(pop(&mut stack))
    }
}

fn unknown(what: &str) -> Error {
    let message = format!("{what} is not an expression that a shape can contain at run time");
    Error::new(ErrorKind::TypeMismatch, message)
}

fn binary(expr: &PrimExpr) -> Option<(Binary, PrimExpr, PrimExpr)> {
    macro_rules! match_nodes {
        ($($Node:ident $operation:ident),*) => {$(
            if let Some(it) = expr.downcast_ref::<tir::$Node>() {
                return Some((Binary::$operation, it.a.clone(), it.b.clone()));
            }
        )*};
    }
    match_nodes!(Add Add, Sub Sub, Mul Mul, Div Div, Mod Mod, FloorDiv FloorDiv, FloorMod FloorMod, Min Min, Max Max);
    match_nodes!(EQ Eq, NE Ne, LT Lt, LE Le, GT Gt, GE Ge, And And, Or Or);
    None
}

fn apply(operation: Binary, a: Scalar, b: Scalar) -> Result<Scalar, Error> {
    use Binary as B;
    let is_float = matches!((a, b), (Scalar::Float(_), _) | (_, Scalar::Float(_)));
    let order = if is_float { a.float().partial_cmp(&b.float()) } else { Some(a.int().cmp(&b.int())) };
    let holds = |holds: bool| Ok(Scalar::Bool(holds));
    match operation {
        B::Eq => return holds(order.is_some_and(|order| order.is_eq())),
        B::Ne => return holds(!order.is_some_and(|order| order.is_eq())),
        B::Lt => return holds(order.is_some_and(|order| order.is_lt())),
        B::Le => return holds(order.is_some_and(|order| order.is_le())),
        B::Gt => return holds(order.is_some_and(|order| order.is_gt())),
        B::Ge => return holds(order.is_some_and(|order| order.is_ge())),
        B::And => return holds(a.truth() && b.truth()),
        B::Or => return holds(a.truth() || b.truth()),
        _ => {}
    }
    if is_float {
        let (a, b) = (a.float(), b.float());
        return Ok(Scalar::Float(match operation {
            B::Add => a + b,
            B::Sub => a - b,
            B::Mul => a * b,
            B::Div => a / b,
            B::Mod => a % b,
            B::FloorDiv => (a / b).floor(),
            B::FloorMod => a - (a / b).floor() * b,
            B::Min => a.min(b),
            B::Max => a.max(b),
            B::Pow => a.powf(b),
            _ => return Err(unknown("an operation on the bits of a floating-point number")),
        }));
    }
    let (a, b) = (a.int(), b.int());
    let shift = u32::try_from(b).ok();
    let result = match operation {
        B::Add => a.checked_add(b),
        B::Sub => a.checked_sub(b),
        B::Mul => a.checked_mul(b),
        B::Div => a.checked_div(b),
        B::Mod => a.checked_rem(b),
        B::FloorDiv => {
            a.checked_div_euclid(b).map(|quotient| if b < 0 && a.rem_euclid(b) != 0 { quotient - 1 } else { quotient })
        }
        B::FloorMod => a.checked_rem_euclid(b).map(|rest| if b < 0 && rest != 0 { rest + b } else { rest }),
        B::Min => Some(a.min(b)),
        B::Max => Some(a.max(b)),
        B::Left => shift.and_then(|shift| a.checked_shl(shift)),
        B::Right => shift.and_then(|shift| a.checked_shr(shift)),
        B::BitAnd => Some(a & b),
        B::BitOr => Some(a | b),
        B::BitXor => Some(a ^ b),
        _ => shift.and_then(|power| a.checked_pow(power)),
    };
    result.map(Scalar::Int).ok_or_else(|| {
        let message = format!("the result of {operation:?} of {a} and {b} does not exist or does not fit 64 bits");
        Error::new(ErrorKind::OutOfRange, message)
    })
}

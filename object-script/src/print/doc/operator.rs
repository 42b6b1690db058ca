//! [`Operator`] and [`Precedence`]: the operators of Python that the text uses, and how tightly they bind.

/// How tightly an expression binds, the loosest first
/// ([Python reference, operator precedence](https://docs.python.org/3/reference/expressions.html#operator-precedence)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Precedence {
    Lambda,
    Or,
    And,
    Not,
    Comparison,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Invert,
    Atom,
}

/// An operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Not,
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    FloorMod,
    MatMul,
    BitAnd,
    BitOr,
    BitXor,
    Invert,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
}

impl Operator {
    /// The operator as it stands between its operands, or before its only operand.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Operator::Not => "not ",
            Operator::Add => " + ",
            Operator::Sub => " - ",
            Operator::Mul => " * ",
            Operator::Div => " / ",
            Operator::FloorDiv => " // ",
            Operator::FloorMod => " % ",
            Operator::MatMul => " @ ",
            Operator::BitAnd => " & ",
            Operator::BitOr => " | ",
            Operator::BitXor => " ^ ",
            Operator::Invert => "~",
            Operator::ShiftLeft => " << ",
            Operator::ShiftRight => " >> ",
            Operator::Less => " < ",
            Operator::LessEqual => " <= ",
            Operator::Equal => " == ",
            Operator::NotEqual => " != ",
            Operator::Greater => " > ",
            Operator::GreaterEqual => " >= ",
            Operator::And => " and ",
            Operator::Or => " or ",
        }
    }

    /// How tightly the operation binds.
    pub(crate) fn precedence(self) -> Precedence {
        match self {
            Operator::Not => Precedence::Not,
            Operator::Add | Operator::Sub => Precedence::Sum,
            Operator::Mul | Operator::Div | Operator::FloorDiv | Operator::FloorMod | Operator::MatMul => {
                Precedence::Product
            }
            Operator::BitAnd => Precedence::BitAnd,
            Operator::BitOr => Precedence::BitOr,
            Operator::BitXor => Precedence::BitXor,
            Operator::Invert => Precedence::Invert,
            Operator::ShiftLeft | Operator::ShiftRight => Precedence::Shift,
            Operator::Less
            | Operator::LessEqual
            | Operator::Equal
            | Operator::NotEqual
            | Operator::Greater
            | Operator::GreaterEqual => Precedence::Comparison,
            Operator::And => Precedence::And,
            Operator::Or => Precedence::Or,
        }
    }
}

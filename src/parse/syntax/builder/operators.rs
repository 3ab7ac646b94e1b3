//! Operators: flat sequences of operands and operators become trees by precedence.
//!
//! The operators of an expression that is being read lie on a stack, each binding tighter than the one below it; so do
//! the operands that they wait for. An expression inside of another one is over before the outer one goes on, so both
//! share the stacks, and an expression knows by a number where its own operators begin.

use trueline_diag::Diagnostic;

use super::Builder;
use crate::ast::*;

/// An expression as far as it has been read; it ends with an operand.
#[derive(Clone, Copy, Debug)]
pub enum Chain {
    /// One operand, without operators.
    Operand(ExprId),
    /// Operators and operands are on the stacks; the number says where the operators begin.
    Stacked(usize),
}

/// The strength with which operators bind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Precedence {
    DefinedBinary,
    Equivalence,
    Or,
    And,
    Not,
    Relation,
    Concatenation,
    Sum,
    Product,
    Power,
    DefinedUnary,
}

/// An operator that waits for its last operand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    kind: Kind,
    precedence: Precedence,
    start: u32,
    /// It cannot stand here, which has been reported.
    is_wrong: bool,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Unary(UnaryOp),
    Binary(BinaryOp),
}

impl Precedence {
    fn of(op: BinaryOp) -> Precedence {
        match op {
            BinaryOp::Pow => Precedence::Power,
            BinaryOp::Mul | BinaryOp::Div => Precedence::Product,
            BinaryOp::Add | BinaryOp::Sub => Precedence::Sum,
            BinaryOp::Concat => Precedence::Concatenation,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                Precedence::Relation
            }
            BinaryOp::And => Precedence::And,
            BinaryOp::Or => Precedence::Or,
            BinaryOp::Eqv | BinaryOp::Neqv => Precedence::Equivalence,
            BinaryOp::Defined(_) => Precedence::DefinedBinary,
        }
    }
}

impl Builder {
    /// An operator in front of the first operand of an expression, with where it stands.
    pub fn first_prefix(&mut self, op: (UnaryOp, u32, u32)) -> usize {
        let floor = self.operators.len();
        self.prefix(floor, op)
    }

    /// An operator in front of an operand. A sign behind another operator binds as tight as that one.
    pub fn prefix(&mut self, floor: usize, (op, l, r): (UnaryOp, u32, u32)) -> usize {
        let before = self.operators[floor..].last().map(|w| w.precedence);
        let precedence = match op {
            UnaryOp::Plus | UnaryOp::Minus => before.unwrap_or(Precedence::Sum).max(Precedence::Sum),
            UnaryOp::Not => Precedence::Not,
            UnaryOp::Defined(_) => Precedence::DefinedUnary,
        };
        let is_wrong =
            before == Some(Precedence::DefinedUnary) || before.is_some_and(|b| b > Precedence::Not && precedence < b);
        if is_wrong {
            let span = self.span(l, r);
            let message = "This operator cannot follow the one in front of it";
            self.diags.push(Diagnostic::error("T0100", span, message).help("Put it and its operand in parentheses"));
        }
        self.operators.push(Waiting { kind: Kind::Unary(op), precedence, start: l, is_wrong });
        floor
    }

    /// An operand behind operators.
    pub fn operand(&mut self, floor: usize, operand: ExprId) -> Chain {
        self.operands.push(operand);
        Chain::Stacked(floor)
    }

    /// An operator behind an operand, with where it stands.
    pub fn infix(&mut self, left: Chain, (op, l, r): (BinaryOp, u32, u32)) -> usize {
        let floor = match left {
            Chain::Operand(operand) => {
                self.operands.push(operand);
                self.operators.len()
            }
            Chain::Stacked(floor) => floor,
        };
        let precedence = Precedence::of(op);
        let is_over = |w: &Waiting| match precedence {
            // From the right.
            Precedence::Power => w.precedence > precedence,
            _ => w.precedence >= precedence,
        };
        let mut is_wrong = false;
        while let Some(waiting) = self.operators[floor..].last().copied().filter(is_over) {
            is_wrong |= precedence == Precedence::Relation && waiting.precedence == precedence;
            self.reduce(waiting);
        }
        if is_wrong {
            self.second_relation(l, r);
        }
        self.operators.push(Waiting { kind: Kind::Binary(op), precedence, start: l, is_wrong });
        floor
    }

    fn second_relation(&mut self, l: u32, r: u32) {
        let span = self.span(l, r);
        let message = "A relation cannot be an operand of another one";
        let help = "Write both, with .AND. between them: 'a < b .and. b < c'";
        self.diags.push(Diagnostic::error("T0100", span, message).help(help));
    }

    /// Gives the last operator its operands.
    fn reduce(&mut self, waiting: Waiting) {
        self.operators.pop();
        let Some(last) = self.operands.pop() else { return };
        let whole = match (waiting.kind, self.operands.len()) {
            (Kind::Unary(op), _) => self.unary(waiting.start, op, last),
            (Kind::Binary(op), n @ 1..) => {
                let left = self.operands.swap_remove(n - 1);
                self.binary(op, left, last)
            }
            (Kind::Binary(_), 0) => last,
        };
        if waiting.is_wrong {
            self.ast.exprs[whole].kind = ExprKind::Error;
        }
        self.operands.push(whole);
    }

    /// The end of an expression.
    fn whole(&mut self, chain: Chain) -> ExprId {
        let floor = match chain {
            Chain::Operand(operand) => return operand,
            Chain::Stacked(floor) => floor,
        };
        while let Some(&waiting) = self.operators[floor..].last() {
            self.reduce(waiting);
        }
        // There is one: an expression with operators has operands.
        self.operands.pop().unwrap_or(ExprId::from_u32(0))
    }

    /// An expression that is no implied DO.
    pub fn expression(&mut self, chain: Chain) -> ExprId {
        let whole = self.whole(chain);
        self.plain(whole)
    }

    /// Puts an expression or implied DO on the stack of list elements.
    pub fn chain_item(&mut self, chain: Chain) {
        let whole = self.whole(chain);
        self.push_item(whole);
    }

    /// An operation with one operand that starts at `l`.
    pub fn unary(&mut self, l: u32, op: UnaryOp, operand: ExprId) -> ExprId {
        let operand = self.plain(operand);
        let span = self.span(l, self.ast.span(operand).end);
        let depth = self.depth(operand);
        self.make(ExprKind::Unary { op, operand }, span, depth)
    }

    /// An operation with two operands.
    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let (left, right) = (self.plain(left), self.plain(right));
        let span = self.ast.span(left).to(self.ast.span(right));
        let depth = self.depth(left).max(self.depth(right));
        self.make(ExprKind::Binary { op, left, right }, span, depth)
    }
}

//! Operators and assignment as generic names: `operator(+)`, `operator(.cross.)`, `assignment(=)`.
//!
//! A blank or parenthesis is in no identifier, so they share the name space of a scope with its other
//! names, and USE, ONLY, renaming, PUBLIC and PRIVATE treat them like any generic name.

use trueline_diag::Span;
use trueline_syntax::ast::{Ast, BinaryOp, DefinedOperator, ExprKind, GenericSpec, UnaryOp};

/// The generic name of defined assignments.
pub const ASSIGNMENT: &str = "assignment(=)";

/// The generic name in an interface, USE, PUBLIC or PRIVATE, and its place.
pub fn generic_name(ast: &Ast, spec: GenericSpec) -> (String, Span) {
    match spec {
        GenericSpec::Name(ident) => (ast.name(ident.name).to_owned(), ident.span),
        GenericSpec::Operator(DefinedOperator::Binary(op), span) => (of_binary(ast, op), span),
        GenericSpec::Operator(DefinedOperator::Not, span) => ("operator(.not.)".to_owned(), span),
        GenericSpec::Assignment(span) => (ASSIGNMENT.to_owned(), span),
    }
}

/// The generic name of the operation that an expression is.
pub fn of_expression(ast: &Ast, kind: &ExprKind) -> Option<String> {
    match *kind {
        ExprKind::Binary { op, .. } => Some(of_binary(ast, op)),
        ExprKind::Unary { op, .. } => Some(match op {
            UnaryOp::Plus => "operator(+)".to_owned(),
            UnaryOp::Minus => "operator(-)".to_owned(),
            UnaryOp::Not => "operator(.not.)".to_owned(),
            UnaryOp::Defined(name) => of_binary(ast, BinaryOp::Defined(name)),
        }),
        _ => None,
    }
}

fn of_binary(ast: &Ast, op: BinaryOp) -> String {
    match op {
        BinaryOp::Defined(name) => format!("operator(.{}.)", ast.name(name).trim_matches('.')),
        op => format!("operator({})", op.spelling()),
    }
}

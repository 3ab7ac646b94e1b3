//! Assignments of names and constants without parentheses, `x = a * b + 1`: the commonest statements of long programs, and the grammar's tables would take
//! most of the time that they need. The builder is told the same in the same order as by the grammar, so the tree is the same.

use crate::ast::{BinaryOp, ExprId, StmtKind, UnaryOp};
use crate::builder::{Builder, Chain};
use crate::parsed::Parsed;
use crate::scan::Spanned;
use crate::token::{Kw, Tok};

/// The assignment that `tokens` are, if they are such a one.
pub(crate) fn assignment(b: &mut Builder, tokens: &[Spanned]) -> Option<Parsed> {
    let [(_, Tok::Kw(Kw::Assignment), _), target @ (_, Tok::Name(_), _), (_, Tok::Assign, _), value @ ..] = tokens
    else {
        return None;
    };
    let (sign, terms) = match value {
        [(l, Tok::Plus, r), rest @ ..] => (Some((UnaryOp::Plus, *l, *r)), rest),
        [(l, Tok::Minus, r), rest @ ..] => (Some((UnaryOp::Minus, *l, *r)), rest),
        _ => (None, value),
    };
    let is_right = |(k, token): (usize, &Spanned)| if k % 2 == 0 { is_operand(token) } else { infix(token).is_some() };
    if terms.len().is_multiple_of(2) || !terms.iter().enumerate().all(is_right) {
        return None;
    }
    let target = operand(b, target)?;
    let mut open = sign.map(|sign| b.first_prefix(sign));
    let mut chain = None;
    for token in terms {
        if let (Some(left), Some(op)) = (chain, infix(token)) {
            open = Some(b.infix(left, op));
            continue;
        }
        let operand = operand(b, token)?;
        chain = Some(open.map_or(Chain::Operand(operand), |open| b.operand(open, operand)));
    }
    let value = b.expression(chain?);
    Some(Parsed::Stmt(StmtKind::Assign { target, value }))
}

fn is_operand(token: &Spanned) -> bool {
    matches!(token.1, Tok::Name(_) | Tok::Int(_) | Tok::Literal(_))
}

fn operand(b: &mut Builder, &(l, token, r): &Spanned) -> Option<ExprId> {
    match token {
        Tok::Name(name) => Some(b.name(name, l, r)),
        Tok::Int(n) => Some(b.integer(n, l, r)),
        Tok::Literal(e) => Some(e),
        _ => None,
    }
}

/// The operator between two operands, with where it stands.
fn infix(&(l, token, r): &Spanned) -> Option<(BinaryOp, u32, u32)> {
    let op = match token {
        Tok::Plus => BinaryOp::Add,
        Tok::Minus => BinaryOp::Sub,
        Tok::Star => BinaryOp::Mul,
        Tok::Slash => BinaryOp::Div,
        Tok::Power => BinaryOp::Pow,
        Tok::Slashes => BinaryOp::Concat,
        Tok::And => BinaryOp::And,
        Tok::Or => BinaryOp::Or,
        Tok::Rel(op) | Tok::Equiv(op) => op,
        _ => return None,
    };
    Some((op, l, r))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::KindParam;
    use crate::grammar::StatementParser;
    use crate::token::IntLit;
    use trueline_diag::{Diagnostics, SourceMap};

    /// The statement, the expressions and the number of messages for the tokens of `text`, with the grammar or without it.
    fn parsed(text: &str, with_grammar: bool) -> Option<(String, String, usize)> {
        let mut map = SourceMap::default();
        let file = map.add("a.f90", text.as_bytes().to_vec());
        let mut b = Builder::new(file, Diagnostics::new());
        let mut at = 0;
        let mut tokens: Vec<Spanned> = vec![(0, Tok::Kw(Kw::Assignment), 0)];
        for word in text.split(' ') {
            let (l, r) = (at, at + word.len() as u32);
            at = r + 1;
            let token = match word {
                "=" => Tok::Assign,
                "+" => Tok::Plus,
                "-" => Tok::Minus,
                "*" => Tok::Star,
                "/" => Tok::Slash,
                "**" => Tok::Power,
                "//" => Tok::Slashes,
                ".and." => Tok::And,
                ".or." => Tok::Or,
                "<" => Tok::Rel(BinaryOp::Lt),
                ".eqv." => Tok::Equiv(BinaryOp::Eqv),
                "(" => Tok::LParen,
                ")" => Tok::RParen,
                name if name.starts_with(char::is_alphabetic) => Tok::Name(b.ast.names.intern(name)),
                n => Tok::Int(IntLit { value: n.parse().expect("a number"), kind: KindParam::Default }),
            };
            tokens.push((l, token, r));
        }
        let statement = match with_grammar {
            true => StatementParser::new().parse(&mut b, tokens).ok(),
            false => assignment(&mut b, &tokens),
        }?;
        let exprs: Vec<_> = b.ast.exprs.values().collect();
        Some((format!("{statement:?}"), format!("{exprs:?}"), b.diags.finish(&map).len()))
    }

    #[test]
    fn the_tree_is_that_of_the_grammar() {
        let texts = [
            "x = y",
            "x = - 1",
            "x = + a ** b ** 2 - c * d / 3",
            "x = - a ** 2 + b * c - d",
            "x = a // b // c",
            "l = a < b .and. c + 1 < d .or. e .eqv. f .and. g",
            "l = a < b < c",
        ];
        for text in texts {
            let of_grammar = parsed(text, true);
            assert!(of_grammar.is_some(), "{text}");
            assert_eq!(parsed(text, false), of_grammar, "{text}");
        }
    }

    #[test]
    fn all_else_is_for_the_grammar() {
        for text in ["x = a * ( b )", "x ( 1 ) = a", "x = a *", "x =", "x = a b", "x = a * - b", "x = = a"] {
            assert_eq!(parsed(text, false), None, "{text}");
        }
    }
}

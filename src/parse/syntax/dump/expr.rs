//! Expressions as text.

use super::Dump;
use crate::ast::*;

enum Piece {
    Expr(ExprId),
    Text(String),
}

impl Dump<'_> {
    pub(super) fn expr(&self, e: ExprId) -> String {
        let mut out = String::new();
        let mut work = vec![Piece::Expr(e)];
        while let Some(piece) = work.pop() {
            match piece {
                Piece::Text(text) => out.push_str(&text),
                Piece::Expr(e) => {
                    let pieces = self.pieces(e);
                    work.extend(pieces.into_iter().rev());
                }
            }
        }
        out
    }

    pub(super) fn exprs(&self, list: ExprList) -> String {
        let all: Vec<String> = self.ast.list(list).iter().map(|&e| self.expr(e)).collect();
        all.join(", ")
    }

    fn pieces(&self, e: ExprId) -> Vec<Piece> {
        let text = |text: String| vec![Piece::Text(text)];
        match &self.ast.expr(e).kind {
            ExprKind::Int { value, kind } => text(format!("{value}{}", self.kind(*kind))),
            ExprKind::Real { text: id, kind } => text(format!("{}{}", self.escaped(*id), self.kind(*kind))),
            ExprKind::Logical { value, kind } => text(format!(".{value}.{}", self.kind(*kind))),
            ExprKind::Char { text: id, kind } => {
                let kind = self.kind(*kind);
                let prefix = kind.strip_prefix('_').map_or(String::new(), |kind| format!("{kind}_"));
                text(format!("{prefix}\"{}\"", self.escaped(*id)))
            }
            ExprKind::Hollerith(id) => text(format!("{}h\"{}\"", self.ast.text(*id).len(), self.escaped(*id))),
            ExprKind::Boz { radix, digits } => text(format!("boz{radix}\"{}\"", self.escaped(*digits))),
            ExprKind::Complex { re, im } => self.list("cmplx(", &[*re, *im], ")"),
            ExprKind::Name(name) => text(self.ast.name(*name).to_string()),
            ExprKind::Call { base, args } => {
                let mut pieces = vec![Piece::Expr(*base), Piece::Text("(".into())];
                for (at, arg) in self.ast.args(*args).iter().enumerate() {
                    if at > 0 {
                        pieces.push(Piece::Text(", ".into()));
                    }
                    self.arg(arg, &mut pieces);
                }
                pieces.push(Piece::Text(")".into()));
                pieces
            }
            ExprKind::Component { base, name } => {
                vec![Piece::Expr(*base), Piece::Text(format!("%{}", self.ast.name(*name)))]
            }
            ExprKind::Unary { op, operand } => {
                let op = match op {
                    UnaryOp::Plus => "+".to_string(),
                    UnaryOp::Minus => "-".to_string(),
                    UnaryOp::Not => ".not. ".to_string(),
                    UnaryOp::Defined(name) => format!(".{}. ", self.ast.name(*name)),
                };
                vec![Piece::Text(format!("({op}")), Piece::Expr(*operand), Piece::Text(")".into())]
            }
            ExprKind::Binary { op, left, right } => vec![
                Piece::Text("(".into()),
                Piece::Expr(*left),
                Piece::Text(format!(" {} ", self.operator(*op))),
                Piece::Expr(*right),
                Piece::Text(")".into()),
            ],
            ExprKind::Paren(inner) => self.list("paren(", &[*inner], ")"),
            ExprKind::ArrayConstructor { ty, items } => {
                let ty = ty.as_ref().map_or(String::new(), |ty| format!("{} :: ", self.type_spec(ty)));
                self.list(&format!("[{ty}"), self.ast.list(*items), "]")
            }
            ExprKind::ImpliedDo(implied) => {
                let mut pieces = self.list("do(", self.ast.list(implied.items), "; ");
                pieces.push(Piece::Text(format!("{} = ", self.name(implied.var))));
                pieces.extend([Piece::Expr(implied.from), Piece::Text(", ".into()), Piece::Expr(implied.to)]);
                if let Some(step) = implied.step {
                    pieces.extend([Piece::Text(", ".into()), Piece::Expr(step)]);
                }
                pieces.push(Piece::Text(")".into()));
                pieces
            }
            ExprKind::Error => text("<error>".into()),
        }
    }

    fn list(&self, open: &str, list: &[ExprId], close: &str) -> Vec<Piece> {
        let mut pieces = vec![Piece::Text(open.to_string())];
        for (at, &e) in list.iter().enumerate() {
            if at > 0 {
                pieces.push(Piece::Text(", ".into()));
            }
            pieces.push(Piece::Expr(e));
        }
        pieces.push(Piece::Text(close.to_string()));
        pieces
    }

    fn arg(&self, arg: &Arg, pieces: &mut Vec<Piece>) {
        if let Some(keyword) = arg.keyword {
            pieces.push(Piece::Text(format!("{} = ", self.name(keyword))));
        }
        match arg.value {
            ArgValue::Expr(e) => pieces.push(Piece::Expr(e)),
            ArgValue::Section { lo, hi, step } => {
                pieces.extend(lo.expand().map(Piece::Expr));
                pieces.push(Piece::Text(":".into()));
                pieces.extend(hi.expand().map(Piece::Expr));
                if let Some(step) = step.expand() {
                    pieces.push(Piece::Text(":".into()));
                    pieces.push(Piece::Expr(step));
                }
            }
            ArgValue::AltReturn(label) => pieces.push(Piece::Text(format!("*{}", label.label))),
            ArgValue::Star => pieces.push(Piece::Text("*".into())),
        }
    }

    pub(super) fn args(&self, args: ArgList) -> String {
        let mut out = String::new();
        for (at, arg) in self.ast.args(args).iter().enumerate() {
            if at > 0 {
                out.push_str(", ");
            }
            let mut pieces = Vec::new();
            self.arg(arg, &mut pieces);
            for piece in pieces {
                match piece {
                    Piece::Expr(e) => out.push_str(&self.expr(e)),
                    Piece::Text(text) => out.push_str(&text),
                }
            }
        }
        out
    }

    pub(super) fn kind(&self, kind: KindParam) -> String {
        match kind {
            KindParam::Default => String::new(),
            KindParam::Digits(digits) => format!("_{digits}"),
            KindParam::Name(name) => format!("_{}", self.ast.name(name)),
        }
    }

    /// A text with everything that is not printable ASCII as an escape.
    pub(super) fn escaped(&self, id: TextId) -> String {
        self.ast.text(id).escape_ascii().to_string().replace("\\'", "'")
    }

    pub(super) fn operator(&self, op: BinaryOp) -> String {
        match op {
            BinaryOp::Defined(name) => format!(".{}.", self.ast.name(name)),
            op => op.spelling().to_owned(),
        }
    }
}

//! Expressions as text.

use super::Printer;
use crate::entities::{Expr, List, Sym};
use crate::expr::{Access, BinaryOp, ExprData, UnaryOp};
use crate::vocabulary as voc;
use crate::{Intrinsic, Quad, Type};

/// The precedence of operators; the place of an operand asks for a minimum.
pub(crate) fn precedence(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Eqv | BinaryOp::Neqv => 1,
        BinaryOp::Or => 2,
        BinaryOp::And => 3,
        BinaryOp::Add | BinaryOp::Sub => 6,
        BinaryOp::Mul | BinaryOp::Div => 7,
        _ => 5,
    }
}

/// Expressions.
impl Printer<'_> {
    /// `e` where a value of type `hint` is expected and operators bind at least as `min`.
    pub(super) fn expr(&mut self, e: Expr, hint: Option<Type>, min: u8) {
        match self.u.expr(e) {
            ExprData::Binary(op, a, b) => self.binary(op, a, b, hint, min),
            ExprData::Unary(op, a) => {
                let (own, text) = match op {
                    UnaryOp::Neg => (8, "-"),
                    UnaryOp::Not => (4, ".not. "),
                };
                let inner = if op == UnaryOp::Neg { 9 } else { 4 };
                self.open(own < min);
                self.out.push_str(text);
                let forced = op == UnaryOp::Neg && self.u.pool.is_constant(a);
                self.open(forced);
                self.expr(a, hint, if forced { 0 } else { inner });
                self.close(forced);
                self.close(own < min);
            }
            data => self.primary(data, hint, min),
        }
    }

    pub(super) fn open(&mut self, wanted: bool) {
        self.out.push_str(if wanted { "(" } else { "" });
    }

    pub(super) fn close(&mut self, wanted: bool) {
        self.out.push_str(if wanted { ")" } else { "" });
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr, hint: Option<Type>, min: u8) {
        let own = precedence(op);
        let hint = if op.is_comparison() { None } else { hint };
        let (left, right) =
            if self.takes_type_from_right(a, b) { (Some(self.u.ty(b)), hint) } else { (hint, Some(self.u.ty(a))) };
        self.open(own < min);
        self.expr(a, left, if op.is_comparison() { own + 1 } else { own });
        self.out.push_str(&format!(" {} ", op.text()));
        let start = self.out.len();
        self.expr(b, right, own + 1);
        if self.out[start..].starts_with('-') {
            self.out.insert(start, '(');
            self.out.push(')');
        }
        self.close(own < min);
    }

    /// Whether the literal `a` needs no type beside `b`, which is no literal.
    fn takes_type_from_right(&self, a: Expr, b: Expr) -> bool {
        let hint = Some(self.u.ty(b));
        let fits = match self.u.expr(a) {
            ExprData::Int(ty, _) => ty == voc::literal_type(hint, Type::I4),
            ExprData::Real(ty, bits) => {
                !real_text(ty, bits).starts_with("0x") && ty == voc::literal_type(hint, Type::R8)
            }
            ExprData::Complex(ty, ..) => ty == voc::literal_type(hint, Type::C8),
            ExprData::Logical(ty, _) => ty == voc::literal_type(hint, Type::L4),
            _ => false,
        };
        fits && !matches!(self.u.expr(b), ExprData::Int(..) | ExprData::Real(..) | ExprData::Quad(_))
    }

    pub(super) fn primary(&mut self, data: ExprData, hint: Option<Type>, min: u8) {
        match data {
            ExprData::Int(ty, v) => {
                let text = v.to_string();
                self.literal(&text, ty, voc::literal_type(hint, Type::I4), min);
            }
            ExprData::Real(ty, bits) => {
                let text = real_text(ty, bits);
                let expected = voc::literal_type(hint, Type::R8);
                if text.starts_with("0x") {
                    self.out.push_str(&format!("{text}_{}", voc::word(&voc::TYPES, ty)));
                } else {
                    self.literal(&text, ty, expected, min);
                }
            }
            ExprData::Quad(v) => {
                let near = v.to_f64();
                let is_short = near.is_finite() && Quad::from(near) == v;
                let text = if is_short { format!("{near:?}") } else { format!("0x{:x}", v.to_bits()) };
                self.literal(&format!("{text}_r16"), Type::R16, Type::R16, min);
            }
            ExprData::Complex(ty, re, im) => {
                let part = if ty == Type::C4 { Type::R4 } else { Type::R8 };
                let text = [re, im].map(|bits| {
                    let t = real_text(part, bits);
                    if t.starts_with("0x") { format!("{t}_{}", voc::word(&voc::TYPES, part)) } else { t }
                });
                let text = format!("({}, {})", text[0], text[1]);
                self.literal(&text, ty, voc::literal_type(hint, Type::C8), min);
            }
            ExprData::Logical(ty, v) => {
                let text = if v { ".true." } else { ".false." };
                self.literal(text, ty, voc::literal_type(hint, Type::L4), min);
            }
            ExprData::Text(i) => self.out.push_str(&format!("\"{}\"", voc::escaped(self.u.pool.text(i), '"'))),
            ExprData::None => self.out.push_str("none"),
            ExprData::Null => self.out.push_str("null"),
            ExprData::Var(s) => self.sym(s),
            ExprData::Elem(s, l) | ExprData::Section(s, l) | ExprData::Wide(_, s, l) => {
                if let ExprData::Wide(ty, ..) = data {
                    self.out.push_str(&format!("wide_{}(", voc::word(&voc::TYPES, ty)));
                }
                self.applied(s);
                self.out.push('(');
                for (k, &e) in self.u.list(l).iter().enumerate() {
                    self.out.push_str(if k > 0 { ", " } else { "" });
                    self.subscript(e);
                }
                self.out.push(')');
                self.close(matches!(data, ExprData::Wide(..)));
            }
            _ => self.compound(data, hint),
        }
    }

    pub(super) fn literal(&mut self, text: &str, ty: Type, expected: Type, min: u8) {
        let negative = text.starts_with('-') && min > 8;
        self.open(negative);
        self.out.push_str(text);
        if ty != expected {
            self.out.push_str(&format!("_{}", voc::word(&voc::TYPES, ty)));
        }
        self.close(negative);
    }

    pub(super) fn compound(&mut self, data: ExprData, hint: Option<Type>) {
        match data {
            ExprData::Triplet(..) => self.triplet(data),
            ExprData::Substr(place, lo, hi) => {
                self.expr(place, None, 9);
                self.out.push('[');
                self.index(lo);
                self.out.push(':');
                self.index(hi);
                self.out.push(']');
            }
            ExprData::Convert(ty, a) => self.function(voc::word(&voc::TYPES, ty), a),
            ExprData::Bitcast(ty, a) => self.function(&format!("bitcast_{}", voc::word(&voc::TYPES, ty)), a),
            ExprData::Intrinsic(i, l) => self.intrinsic(i, l, hint),
            ExprData::Constructor(ty, l) => {
                self.out.push_str(&format!("[{}:", voc::word(&voc::TYPES, ty)));
                for (k, &e) in self.u.list(l).iter().enumerate() {
                    self.out.push_str(if k > 0 { ", " } else { " " });
                    self.expr(e, Some(ty), 0);
                }
                self.out.push(']');
            }
            ExprData::AddrOf(access, place) => {
                let word = match access {
                    Access::Returned(way) => way.word(),
                    _ => voc::word(&voc::ACCESSES, access).to_owned(),
                };
                self.out.push_str(&format!("&{word} "));
                self.expr(place, None, 9);
            }
            ExprData::Addr(s) => {
                self.out.push_str("addr(");
                self.sym(s);
                self.out.push(')');
            }
            ExprData::Load { ty, addr, offset, sym } => {
                self.out.push_str(&format!("load_{}(", voc::word(&voc::TYPES, ty)));
                self.memory(sym, addr, offset);
            }
            ExprData::ProcAddr(p) => {
                self.out.push_str("&proc ");
                self.proc(p, None);
            }
            _ => {}
        }
    }

    pub(super) fn function(&mut self, name: &str, argument: Expr) {
        self.out.push_str(name);
        self.out.push('(');
        self.expr(argument, None, 0);
        self.out.push(')');
    }

    pub(super) fn intrinsic(&mut self, i: Intrinsic, l: List, hint: Option<Type>) {
        self.out.push_str(i.name());
        self.out.push('(');
        let args = self.u.list(l);
        let first = args.first().map(|&e| self.u.ty(e));
        for (k, &e) in args.iter().enumerate() {
            self.out.push_str(if k > 0 { ", " } else { "" });
            match voc::takes_index(i) {
                true => self.index(e),
                false => self.expr(e, voc::argument_hint(i, k, hint, first), 0),
            }
        }
        self.out.push(')');
    }

    /// The rest of a load or store after its opening parenthesis.
    pub(super) fn memory(&mut self, sym: Sym, addr: Expr, offset: i32) {
        self.sym(sym);
        self.out.push_str(", ");
        self.expr(addr, Some(Type::I8), 0);
        if offset != 0 {
            self.out.push_str(&format!(", {offset}"));
        }
        self.out.push(')');
    }

    pub(super) fn subscript(&mut self, e: Expr) {
        match self.u.expr(e) {
            data @ ExprData::Triplet(..) => self.triplet(data),
            _ => self.index(e),
        }
    }

    pub(super) fn triplet(&mut self, data: ExprData) {
        let ExprData::Triplet(lo, hi, step) = data else {
            return;
        };
        self.index(lo);
        self.out.push(':');
        self.index(hi);
        if self.u.expr(step) != ExprData::Int(Type::I8, 1) {
            self.out.push(':');
            self.index(step);
        }
    }

    /// An `INTEGER(8)` scalar: a literal needs no type, and a conversion from another kind of integer
    /// is not shown.
    pub(super) fn index(&mut self, e: Expr) {
        match self.u.expr(e) {
            ExprData::Int(Type::I8, v) => self.out.push_str(&v.to_string()),
            ExprData::Convert(Type::I8, x)
                if matches!(self.u.ty(x), Type::I1 | Type::I2 | Type::I4) && !self.u.pool.is_constant(x) =>
            {
                self.expr(x, None, 0);
            }
            ExprData::Int(ty, v) => self.out.push_str(&format!("{v}_{}", voc::word(&voc::TYPES, ty))),
            _ => self.expr(e, None, 0),
        }
    }
}

/// The shortest decimal that reads back as the same bits; hexadecimal bits if there is none.
fn real_text(ty: Type, bits: u64) -> String {
    match ty {
        Type::R4 if f32::from_bits(bits as u32).is_finite() => format!("{:?}", f32::from_bits(bits as u32)),
        Type::R8 if f64::from_bits(bits).is_finite() => format!("{:?}", f64::from_bits(bits)),
        _ => format!("0x{bits:x}"),
    }
}

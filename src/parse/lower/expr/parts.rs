//! `%re`, `%im`, `%kind` and `%len` of values that are no structures.
//!
//! ```text
//! z(2)%re = x        real z%re(2 by 8) within z+0;  z%re(2) = x       if z is in memory
//! z%im = y           z = cmplx(real(z), y)                            if it is a register
//! ```

use crate::expr::Exprs;
use crate::source::Source;
use crate::stmt::Stmts;
use crate::values::Val;
use crate::variables::Variables;
use trueline_ir::{Expr, ExprData, Intrinsic as Ir, Sym, SymData, Type};
use trueline_sema::types::kinds::{Category, kind_of};
use trueline_syntax::Name;
use trueline_syntax::ast::{ExprId, ExprKind};

impl Variables<'_> {
    /// The real or imaginary part: a place, if the whole is in memory.
    fn complex_part(&mut self, e: Expr, imaginary: bool) -> Expr {
        let whole = match self.e.expr(e) {
            ExprData::Var(v) if !self.sym(v).is_register() => Some((v, None)),
            ExprData::Elem(v, l) | ExprData::Section(v, l) => Some((v, Some(l))),
            _ => None,
        };
        let Some((whole, subscripts)) = whole else {
            return self.intrinsic(if imaginary { Ir::ImagPart } else { Ir::RealPart }, &[e]);
        };
        let part = self.part_symbol(whole, imaginary);
        match (self.e.expr(e), subscripts) {
            (ExprData::Elem(..), Some(l)) => self.make(ExprData::Elem(part, l)),
            (ExprData::Section(..), Some(l)) => self.make(ExprData::Section(part, l)),
            _ => self.var(part),
        }
    }

    /// The symbol of the real or imaginary parts of `whole`.
    fn part_symbol(&mut self, whole: Sym, imaginary: bool) -> Sym {
        let key = (whole, None, usize::from(imaginary));
        if let Some(&sym) = self.components.get(&key) {
            return sym;
        }
        let data = self.e.sym(whole).clone();
        let part = data.ty.part();
        let dims = self.strided(&data.dims, data.ty.size() as i64);
        let offset = if imaginary { part.size() as u64 } else { 0 };
        let storage = crate::expr::component::part_storage(whole, data.storage, offset);
        let name = format!("{}%{}", data.name, if imaginary { "im" } else { "re" });
        let sym = self.e.b.sym(SymData {
            dims,
            intent: data.intent,
            may_alias: data.may_alias,
            from_source: data.from_source,
            ..SymData::scalar(name, part, storage)
        });
        self.components.insert(key, sym);
        sym
    }
}

impl Stmts<'_> {
    /// `z%re = value` where `z` is a register: the whole is assigned. False if the target is something else.
    pub(crate) fn assign_complex_part(&mut self, target: ExprId, value: ExprId) -> bool {
        let ExprKind::Component { base, name } = self.ast.expr(target).kind else { return false };
        let text = self.ast.name(name);
        if !matches!(text, "re" | "im") || !matches!(self.ast.expr(base).kind, ExprKind::Name(_)) {
            return false;
        }
        if self.typing().of(base).is_some_and(|t| t.structure.is_some()) {
            return false;
        }
        let place = self.assignable(base);
        let ty = self.ty(place.e);
        let ExprData::Var(sym) = self.e.expr(place.e) else { return false };
        if Category::of(ty) != Category::Complex || !self.sym(sym).is_register() {
            return false;
        }
        let part = ty.part();
        let v = self.expr(value).e;
        self.must_be_scalar(v);
        let v = self.converted_at(value, part, v);
        let [re, im] = [Ir::RealPart, Ir::ImagPart].map(|f| self.e.intrinsic(f, &[place.e]));
        let whole = if text == "re" { self.complex_of(v, im, part) } else { self.complex_of(re, v, part) };
        self.assign(place.e, whole);
        true
    }
}

impl Exprs<'_> {
    /// `base%name` where the base is of intrinsic type; none if it is a component of a structure.
    pub(crate) fn inquiry_part(&mut self, base: ExprId, name: Name) -> Option<Val> {
        let text = self.ast.name(name);
        if !matches!(text, "re" | "im" | "kind" | "len")
            || self.typing().of(base).is_some_and(|t| t.structure.is_some())
        {
            return None;
        }
        let v = match self.ast.expr(base).kind {
            ExprKind::Name(_) | ExprKind::Call { .. } | ExprKind::Component { .. } => self.designator(base),
            _ => self.expr(base),
        };
        let ty = self.ty(v.e);
        match (text, Category::of(ty), v.len) {
            ("kind", _, _) => {
                let kind = self.int4(kind_of(ty));
                Some(self.number(kind))
            }
            ("len", _, Some(len)) => {
                let len = self.e.convert(Type::I4, len);
                Some(self.number(len))
            }
            ("re" | "im", Category::Complex, _) => Some(Val::plain(self.complex_part(v.e, text == "im"))),
            _ => None,
        }
    }
}

impl Source<'_> {
    /// A value in a register, the form of an inquiry such as `x%kind`.
    fn number(&mut self, value: Expr) -> Val {
        let register = self.register("inquiry", Type::I4);
        self.e.set(register, value);
        Val::plain(self.var(register))
    }
}

//! The objects of an ALLOCATE or DEALLOCATE statement: no one of them may be named twice, or be part of another.

use crate::lower::Lower;
use crate::lower::values::Lowered;
use rustc_hash::FxHashMap;
use trueline_diag::{Diagnostic, Span};
use trueline_ir::{Expr, Sym};
use trueline_syntax::ast::{AllocOption, Allocate, ArgValue, Ast, BaseType, ExprId, ExprKind, TypeSpec};

impl Lower<'_, '_> {
    /// Reports objects that are the same; `shaped` if they have bounds behind them.
    pub(crate) fn check_objects(&mut self, a: &Allocate, shaped: bool) {
        let objects = self.ast.list(a.objects).to_vec();
        let mut seen: FxHashMap<String, Span> = FxHashMap::default();
        let paths: Vec<Option<Vec<String>>> = objects.iter().map(|&x| path(self.ast, x, shaped)).collect();
        for (&x, parts) in objects.iter().zip(&paths) {
            let Some(parts) = parts else { continue };
            let span = self.ast.span(x);
            if let Some(first) = seen.insert(parts.concat(), span) {
                let d = Diagnostic::error("T0638", span, "This object is named twice in the statement");
                self.report(d.because(first, "first named here"));
            }
        }
        for (&x, parts) in objects.iter().zip(&paths) {
            let around = parts.iter().flat_map(|p| (1..p.len()).map(|k| p[..k].concat()));
            let mut whole = around.filter_map(|key| seen.get(&key));
            if let Some(&whole) = whole.next() {
                let d =
                    Diagnostic::error("T0638", self.ast.span(x), "This object is part of another one of the statement");
                self.report(d.because(whole, "which is named here"));
            }
        }
        for &(option, _, x) in &a.options {
            let is_result = matches!(option, AllocOption::Stat | AllocOption::Errmsg);
            let Some(key) = path(self.ast, x, false).filter(|_| is_result) else { continue };
            if let Some(&object) = seen.get(&key.concat()) {
                let message = "STAT= or ERRMSG= cannot be an object of the same statement";
                self.report(Diagnostic::error("T0638", self.ast.span(x), message).because(object, "the object"));
            }
        }
    }

    /// An error unless the type before the objects is that of the object `x`, of memory `sym`.
    pub(crate) fn check_type_before(&mut self, spec: &TypeSpec, x: ExprId, sym: Sym) -> Lowered<()> {
        let own = self.whole_symbol(sym);
        let decls = self.cx.decls;
        let base = TypeSpec { len: None, ..spec.clone() };
        let Ok((ty, _)) = decls.constant_type(self.scope, &base) else { return Ok(()) };
        let same = match (self.structure_at(own.e), decls.structure_of(self.scope, spec)) {
            (None, None) => self.ty(own.e) == ty,
            (Some(a), Some(b)) => self.same_type(a, b),
            _ => false,
        };
        if !same {
            let message = format!("The type before the objects is not that of this one, {}", self.type_of_value(own.e));
            return Err(self.error("T0635", self.ast.span(x), message));
        }
        let length = decls.constant_type(self.scope, spec).ok().and_then(|(_, len)| len);
        match (self.pointer_length(sym), length) {
            (Some(own), Some(n)) if spec.base == BaseType::Character && own != n as i64 => {
                let message = format!("The length before the objects, {n}, is not that of this one, {own}");
                Err(self.error("T0635", self.ast.span(x), message))
            }
            _ => Ok(()),
        }
    }

    /// An error if the extents that are given and those of SOURCE= are known to differ.
    pub(crate) fn check_source_shape(&mut self, x: ExprId, bounds: &[Expr], source: Expr) -> Lowered<()> {
        if self.rank(source) == 0 || 2 * self.rank(source) != bounds.len() {
            return Ok(());
        }
        let shape = self.shape(source);
        for (k, (&have, pair)) in shape.iter().zip(bounds.chunks(2)).enumerate() {
            let want = self.known(pair[1]).zip(self.known(pair[0])).map(|(hi, lo)| (hi - lo + 1).max(0));
            if let (Some(want), Some(have)) = (want, self.known(have))
                && want != have
            {
                let message = format!("SOURCE= has {have} elements in dimension {}, but the object has {want}", k + 1);
                return Err(self.error("T0635", self.ast.span(x), message));
            }
        }
        Ok(())
    }
}

/// What leads to an object, each piece ending where an object could: `v`, `(1)`, `%x` …; none if a subscript is not simple.
fn path(ast: &Ast, x: ExprId, shaped: bool) -> Option<Vec<String>> {
    let mut out = Vec::new();
    let mut at = x;
    loop {
        match ast.expr(at).kind {
            ExprKind::Name(name) => {
                out.push(ast.name(name).to_owned());
                break;
            }
            ExprKind::Component { base, name } => {
                out.push(format!("%{}", ast.name(name)));
                at = base;
            }
            ExprKind::Call { base, args } => {
                if !(shaped && at == x) {
                    let mut text = String::from("(");
                    for arg in ast.args(args) {
                        let ArgValue::Expr(subscript) = arg.value else { return None };
                        match ast.expr(subscript).kind {
                            ExprKind::Name(name) => text.push_str(ast.name(name)),
                            ExprKind::Int { value, .. } => text.push_str(&value.to_string()),
                            _ => return None,
                        }
                        text.push(',');
                    }
                    out.push(text);
                }
                at = base;
            }
            _ => return None,
        }
    }
    out.reverse();
    Some(out)
}

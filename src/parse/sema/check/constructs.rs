//! Constraints of constructs: their names, EXIT and CYCLE, the branches of IF and SELECT CASE, the variables and bounds of loops.

use crate::check::Checked;
use crate::scope::nested::Nested;
use crate::scope::symbol::SymbolId;
use crate::typed::call::Site;
use crate::types::kinds::{Category, type_name};
use trueline_diag::{Diagnostic, Span};
use trueline_ir::Intent;
use trueline_syntax::Name;
use trueline_syntax::ast::{Arm, ExprId, ExprKind, ForallHeader, ForallTriplet, Ident};

/// The constructs around a statement.
#[derive(Default)]
pub struct Around {
    /// The named ones, and whether CYCLE may name them.
    pub named: Nested<Name, bool>,
    /// The number of loops.
    pub loops: u32,
}

/// Branches, and the ways out.
impl Site<'_, '_> {
    /// An error if an IF or WHERE has too many branches.
    pub fn check_arms(&self, arms: &[Arm]) -> Checked {
        let most = trueline_syntax::limits::limits().branches;
        let Some(arm) = arms.get(most) else { return Ok(()) };
        let message = format!("More than {most} branches in one construct");
        Err(Diagnostic::error("T0620", self.ast.stmt(arm.head).span, message))
    }

    /// An error if a SELECT CASE has several branches for all other values.
    pub fn check_defaults(&self, defaults: &[Arm]) -> Checked {
        let [first, second, ..] = defaults else { return Ok(()) };
        let (first, second) = (self.ast.stmt(first.head).span, self.ast.stmt(second.head).span);
        Err(Diagnostic::error("T0626", second, "A second CASE DEFAULT").because(first, "the first"))
    }

    /// An error if an arithmetic IF asks for something else than a number.
    pub fn check_arithmetic_if(&mut self, x: ExprId) -> Checked {
        self.check_number("T0621", x, "An arithmetic IF needs INTEGER or REAL, not")
    }

    /// An error if the name of a construct means something else where the construct stands.
    pub fn check_construct_name(&self, n: Ident, is_around: bool) -> Checked {
        let text = self.ast.name(n.name);
        if is_around {
            let message = format!("'{text}' is the name of a construct around this one");
            return Err(Diagnostic::error("T0633", n.span, message));
        }
        let Some(id) = self.decls.lookup_local(self.typing.scope, text) else { return Ok(()) };
        let message = format!("'{text}' cannot name a construct: it is something else here");
        Err(Diagnostic::error("T0633", n.span, message).because(self.symbol(id).span, "declared here"))
    }

    /// An error unless the construct that an EXIT or CYCLE leaves is around it.
    pub fn check_left(&self, span: Span, name: Option<Ident>, cycle: bool, is_around: bool) -> Checked {
        if is_around {
            return Ok(());
        }
        let word = if cycle { "CYCLE" } else { "EXIT" };
        Err(match name {
            Some(n) => {
                let text = self.ast.name(n.name);
                let message = format!("{word} names '{text}', which is no construct around it");
                Diagnostic::error("T0622", n.span, message)
            }
            None => Diagnostic::error("T0623", span, format!("{word} outside of a loop")),
        })
    }

    /// An error if a CYCLE names a construct that is no loop.
    pub fn check_cycle(&self, span: Span, cycle: bool, is_loop: bool) -> Checked {
        match cycle && !is_loop {
            true => Err(Diagnostic::error("T0623", span, "CYCLE names a construct that is no loop")),
            false => Ok(()),
        }
    }
}

/// Loops.
impl Site<'_, '_> {
    /// An error unless a scalar is a number that orders things. An expression without a type is left alone.
    fn check_number(&mut self, code: &'static str, x: ExprId, what: &str) -> Checked {
        let Some(t) = self.typing.of(x) else { return Ok(()) };
        match Category::of(t.ty) {
            Category::Integer | Category::Real => Ok(()),
            _ => Err(Diagnostic::error(code, self.ast.span(x), format!("{what} {}", type_name(t.ty)))),
        }
    }

    /// An error if the bound of a DO is no number. Characters and structures have been reported.
    pub fn check_loop_bound(&mut self, x: ExprId) -> Checked {
        if self.typing.of(x).is_some_and(|t| self.must_be_plain(x, &t).is_err()) {
            return Ok(());
        }
        self.check_number("T0628", x, "A bound of a DO is INTEGER or REAL, not")
    }

    /// An error unless a DO variable is a scalar number that may change here.
    pub fn check_do_variable(&self, var: Ident, id: SymbolId) -> Checked {
        let s = self.symbol(id);
        let wrong = |code, message: String| Diagnostic::error(code, var.span, message);
        if !s.is_variable() || s.is_array() {
            let message = format!("The DO variable '{}' must be a scalar variable", s.name);
            return Err(wrong("T0627", message).because(s.span, "declared here"));
        }
        if !s.ty.is_some_and(|ty| matches!(Category::of(ty), Category::Integer | Category::Real)) {
            let message = format!("The DO variable '{}' must be INTEGER or REAL", s.name);
            return Err(wrong("T0627", message).because(s.span, "declared here"));
        }
        if s.intent == Intent::In {
            let message = format!("The INTENT(IN) argument '{}' is a DO variable", s.name);
            return Err(wrong("T0603", message).because(s.span, "declared here").help("Take a local variable"));
        }
        match self.active.get(id) {
            Some(&at) => {
                let message = format!("The DO variable '{}' is that of a loop around", s.name);
                Err(wrong("T0604", message).because(at, "the outer loop"))
            }
            None => Ok(()),
        }
    }

    /// An error if a bound of an index depends on an index of the same statement (Fortran 2008, C739).
    pub fn check_bounds_of_index(&self, h: &ForallHeader, t: &ForallTriplet) -> Checked {
        let mut found = None;
        for x in [Some(t.lo), Some(t.hi), t.step].into_iter().flatten() {
            crate::visit::expressions(self.ast, x, &mut |x| {
                if let ExprKind::Name(name) = self.ast.expr(x).kind
                    && let Some(t) = h.triplets.iter().find(|t| t.index.name == name)
                {
                    found = found.or(Some((self.ast.span(x), t.index)));
                }
            });
        }
        let Some((span, index)) = found else { return Ok(()) };
        let message = format!("A bound cannot depend on '{}', an index of this statement", self.ast.name(index.name));
        Err(Diagnostic::error("T0629", span, message).because(index.span, "the index"))
    }

    /// An error if an index stands among those before it.
    pub fn check_index_is_new(
        &self,
        index: Ident,
        id: SymbolId,
        mut before: impl Iterator<Item = SymbolId>,
    ) -> Checked {
        if !before.any(|other| other == id) {
            return Ok(());
        }
        let message = format!("The index '{}' is given twice", self.ast.name(index.name));
        Err(Diagnostic::error("T0629", index.span, message))
    }
}

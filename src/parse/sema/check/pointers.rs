//! Pointer assignment, NULLIFY and MOVE_ALLOC; the check of targets is in [`crate::check::pointer_targets`].

use crate::check::Checked;
use crate::check::conformity::scalar;
use crate::check::statements::Statements;
use crate::scope::symbol::{ProcedureKind, SymbolKind};
use crate::typed::Typed;
use crate::typed::call::Site;
use crate::types::kinds::Category;
use trueline_diag::Diagnostic;
use trueline_ir::Type;
use trueline_syntax::ast::{ArgList, ArgValue, ExprId, ExprKind, ExprList, Ident};

impl Statements<'_, '_> {
    /// Reports the fault of `target => value`.
    pub fn pointer_assignment(&mut self, target: ExprId, value: ExprId) {
        let checked = self.site().check_pointer_assignment(target, value);
        self.passes(checked);
    }

    /// Reports objects of NULLIFY that are no pointers.
    pub fn nullify(&mut self, objects: ExprList) {
        for &x in self.ast.list(objects) {
            if self.site().typing.procedure_pointer(x).is_none() {
                let mut site = self.site();
                let checked = site.must_be_pointer(x).and_then(|()| site.check_definable(x, "nullified"));
                if !self.passes(checked) {
                    return;
                }
            }
        }
    }

    /// Reports a variable of ASSIGN or of an assigned GO TO that is no scalar integer.
    pub fn label_variable(&mut self, var: Ident, is_assigned: bool) {
        let Some(s) = self.decls.visible(self.scope, var.name).map(|id| &self.decls.symbols[id]) else { return };
        if s.kind == SymbolKind::Error {
            return;
        }
        let wrong = |code, message: String| Diagnostic::error(code, var.span, message).because(s.span, "declared here");
        let d = if !s.is_variable() {
            match is_assigned {
                true => wrong("T0602", format!("'{}' is not a variable and cannot be assigned", s.name)),
                false => return,
            }
        } else if s.ty.map(Category::of) != Some(Category::Integer) || s.is_array() {
            wrong("T0614", format!("'{}' must be a scalar INTEGER variable", s.name))
        } else if let (true, Some(id)) = (is_assigned, self.decls.visible(self.scope, var.name)) {
            let checked = self.site().check_variable(id, var.span, "assigned");
            self.passes(checked);
            return;
        } else {
            return;
        };
        self.diags.push(d);
    }
}

impl Site<'_, '_> {
    /// An error unless `x` is a POINTER to data, or calls a function that returns one.
    pub fn must_be_pointer(&mut self, x: ExprId) -> Checked {
        let is_pointer = self.typing.indirection(x) == Some(true);
        if is_pointer || !self.is_place(x) && self.typing.is_pointer_result(x) {
            return Ok(());
        }
        let root = self.typing.root_of(x).map(|id| self.symbol(id));
        let is_selected = matches!(self.ast.expr(x).kind, ExprKind::Component { .. } | ExprKind::Call { .. });
        if root.is_some_and(|s| s.kind == SymbolKind::Error) || is_selected && self.typing.of(x).is_none() {
            return Ok(());
        }
        let d = Diagnostic::error("T0670", self.ast.span(x), "A POINTER is needed here");
        Err(match root {
            Some(s) => d.because(s.span, "declared here"),
            None => d,
        })
    }

    fn check_pointer_assignment(&mut self, target: ExprId, value: ExprId) -> Checked {
        if let Some(interface) = self.typing.procedure_pointer(target) {
            if !self.gives_address(value) {
                let message = "A procedure pointer can point to a procedure only";
                return Err(Diagnostic::error("T0687", self.ast.span(value), message));
            }
            self.check_definable_name(target)?;
            return self.check_pointer_interface(interface, value);
        }
        let (object, bounds) = match self.ast.expr(target).kind {
            ExprKind::Call { base, args } => (base, Some(args)),
            _ => (target, None),
        };
        self.must_be_pointer(object)?;
        self.check_definable_name(object)?;
        self.check_target(object, value, bounds.is_some())?;
        let warned = self.check_lifetime(object, value);
        if !self.typing.is_null(value)
            && let Some(own) = self.typing.of(object)
        {
            self.check_points(&own, value, bounds)?;
        }
        warned
    }

    /// An error if `x` is the name of a pointer that must not change here.
    fn check_definable_name(&mut self, x: ExprId) -> Checked {
        match self.ast.expr(x).kind {
            ExprKind::Name(_) => self.check_definable(x, "assigned"),
            _ => Ok(()),
        }
    }

    /// Whether `x` is a procedure, a pointer to one, or NULL().
    pub fn gives_address(&mut self, x: ExprId) -> bool {
        self.typing.is_null(x)
            || self.typing.procedure_pointer(x).is_some()
            || self.typing.gives_procedure(x)
            || self.named_procedure(x).is_some()
    }

    /// An error unless a pointer of type `own` can point to `value`, with these bounds of its own.
    pub fn check_points(&mut self, own: &Typed, value: ExprId, bounds: Option<ArgList>) -> Checked {
        self.must_be_target(value)?;
        let span = self.ast.span(value);
        let Some(t) = self.typing.of(value) else {
            let ExprKind::Name(name) = self.ast.expr(value).kind else { return Ok(()) };
            let known = self.typing.resolve(name).map(|id| self.symbol(id));
            if known.is_some_and(|s| s.procedure().is_none()) {
                return Ok(());
            }
            let message = format!("'{}' is a procedure: a pointer to data cannot point to it", self.ast.name(name));
            return Err(Diagnostic::error("T0673", span, message));
        };
        let same = match (own.structure, t.structure) {
            (Some(a), Some(b)) => self.decls.same_type(a, b),
            (None, None) => own.ty == t.ty,
            _ => false,
        };
        if !same {
            let [own, have] = [own, &t].map(|t| self.type_words(t.ty, t.structure));
            return Err(Diagnostic::error("T0671", span, format!("A pointer to {own} cannot point to {have}")));
        }
        if let (Some(p), Some(n)) = (own.len, t.len)
            && p != n
            && own.ty == Type::Char
        {
            let message = format!("A pointer to CHARACTER({p}) cannot point to CHARACTER({n})");
            return Err(Diagnostic::error("T0671", span, message));
        }
        self.must_have_address(value)?;
        self.check_pointer_bounds(own.rank(), value, &t, bounds)
    }

    /// An error unless `x`, which may be a target, has an address, and its elements lie at constant distances.
    pub fn must_have_address(&mut self, x: ExprId) -> Checked {
        let is_inquiry = match self.ast.expr(x).kind {
            ExprKind::Component { base, name } => {
                matches!(self.ast.name(name), "kind" | "len")
                    && self.typing.of(base).is_some_and(|t| t.structure.is_none())
            }
            _ => false,
        };
        let is_error = self.typing.of(x).is_none();
        if is_error || self.is_place(x) && !is_inquiry || self.typing.is_pointer_result(x) {
            let mut at = x;
            while let ExprKind::Call { base, .. } | ExprKind::Component { base, .. } = self.ast.expr(at).kind {
                if !is_error && self.is_place(x) && self.typing.has_vector_subscript(at) {
                    let message = "A pointer cannot point to a section by a vector";
                    return Err(Diagnostic::error("T0673", self.ast.span(x), message));
                }
                at = base;
            }
            return Ok(());
        }
        Err(Diagnostic::error("T0673", self.ast.span(x), "A pointer cannot point to this"))
    }

    fn check_pointer_bounds(&mut self, rank: usize, value: ExprId, t: &Typed, bounds: Option<ArgList>) -> Checked {
        let ast = self.ast;
        let span = ast.span(value);
        let mut given = Vec::new();
        for b in bounds.map(|args| ast.args(args)).unwrap_or_default() {
            let ArgValue::Section { lo, hi, .. } = b.value else { return Ok(()) };
            given.push((lo.expand(), hi.expand()));
        }
        let remaps = !given.is_empty() && given.iter().all(|g| g.1.is_some());
        // The elements of a target with more dimensions follow each other in memory (Fortran 2008, 7.2.2.3).
        let fits = if remaps { given.len() == rank && t.rank() > 0 } else { t.rank() == rank };
        if !fits || (!given.is_empty() && given.len() != rank) {
            let message = format!("A pointer of rank {rank} cannot point to what has rank {}", t.rank());
            return Err(Diagnostic::error("T0675", span, message));
        }
        let have = t.extents.iter().try_fold(1i64, |n, &e| n.checked_mul(e?));
        let want = given.iter().try_fold(1i64, |n, &(lo, hi)| {
            let lo = lo.map_or(Some(1), |x| self.typing.integer(x))?;
            n.checked_mul(self.typing.integer(hi?)?.checked_sub(lo)?.checked_add(1)?.max(0))
        });
        match (want, have) {
            (Some(want), Some(have)) if remaps && have < want => {
                let message = format!("The pointer has {want} elements, but its target has {have}");
                Err(Diagnostic::error("T0675", span, message))
            }
            _ => Ok(()),
        }
    }

    /// An error if `x` is the component that is a procedure pointer of an array of structures.
    pub fn check_scalar_pointer(&mut self, x: ExprId) -> Checked {
        let ExprKind::Component { base, .. } = self.ast.expr(x).kind else { return Ok(()) };
        if self.typing.procedure_pointer(x).is_none() {
            return Ok(());
        }
        let rank = self.typing.of(base).map_or(0, |t| t.rank());
        scalar(self.ast.span(x), rank)
    }

    /// An error if `CALL x(…)` calls a function by a pointer.
    pub fn must_point_to_subroutine(&mut self, x: ExprId) -> Checked {
        let Some(s) = self.typing.procedure_pointer(x).map(|id| self.symbol(id)) else { return Ok(()) };
        if s.procedure().is_none_or(|p| p.kind != ProcedureKind::Function) {
            return Ok(());
        }
        let message = format!("'{}' points to functions, not to subroutines", s.name);
        Err(Diagnostic::error("T0570", self.ast.span(x), message).because(s.span, "declared here"))
    }

    /// The fault of `CALL MOVE_ALLOC(from, to)`.
    pub fn check_move(&mut self, from: ExprId, to: ExprId) -> Checked {
        for x in [from, to] {
            let is_wrong = matches!(self.ast.expr(x).kind, ExprKind::Component { .. }) && self.typing.of(x).is_none();
            if is_wrong || self.is_unknown(x) {
                return Ok(());
            }
            if self.typing.indirection(x) != Some(false) {
                return Err(Diagnostic::error("T0617", self.ast.span(x), "This is not an ALLOCATABLE variable"));
            }
        }
        let (Some(a), Some(b)) = (self.typing.of(from), self.typing.of(to)) else { return Ok(()) };
        let same = match (a.structure, b.structure) {
            (Some(a), Some(b)) => self.decls.same_type(a, b),
            (None, None) => a.ty == b.ty,
            _ => false,
        };
        let name = |x| match self.ast.expr(x).kind {
            ExprKind::Name(name) => self.typing.resolve(name),
            _ => None,
        };
        let why = if a.rank() != b.rank() {
            "differ in rank"
        } else if !same {
            "differ in type"
        } else if name(from).is_some() && name(from) == name(to) {
            "are the same variable"
        } else {
            self.check_definable(from, "moved")?;
            return self.check_definable(to, "assigned");
        };
        Err(Diagnostic::error("T0676", self.ast.span(to), format!("The arguments of 'move_alloc' {why}")))
    }

    /// Whether `x` is a name of which nothing is known after an error.
    pub fn is_unknown(&self, x: ExprId) -> bool {
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return false };
        self.typing.resolve(name).is_some_and(|id| self.symbol(id).kind == SymbolKind::Error)
    }
}

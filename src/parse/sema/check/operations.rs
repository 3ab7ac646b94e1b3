//! Operations whose operands are of the wrong type, in statements and in bounds and lengths of declarations.
//!
//! An operation has no type if its operands do not fit, and its operands then have one: the innermost such operation is
//! reported.

use crate::check::conformity::conform;
use crate::check::statements::Statements;
use crate::constant::eval::const_eval;
use crate::scope::ScopeKind;
use crate::scope::symbol::{Extent, SymbolId, SymbolKind};
use crate::typed::{Typed, Typing};
use crate::types::kinds::{Category, type_name};
use crate::visit;
use smallvec::SmallVec;
use trueline_diag::Diagnostic;
use trueline_ir::Type;
use trueline_syntax::Name;
use trueline_syntax::ast::{
    ArgList, BinaryOp, ExprId, ExprKind, ExprList, KindParam, StmtId, StmtKind, TypeSpec, UnaryOp,
};

impl<'a> Statements<'_, 'a> {
    /// Checks the expressions that stand directly in a statement, or the body of a statement function.
    pub fn expressions(&mut self, s: StmtId) {
        if let StmtKind::Assign { target, value } = self.ast.stmt(s).kind
            && let Some(function) = self.statement_function(target, value)
        {
            let around = self.values.len();
            if let SymbolKind::StatementFunction { dummies, .. } = &self.decls.symbols[function].kind {
                self.values.extend(dummies);
            }
            self.function = Some(function);
            self.expression(value);
            self.function = None;
            self.values.truncate(around);
            return;
        }
        let mut all: SmallVec<[ExprId; 8]> = SmallVec::new();
        visit::stmt_exprs(self.ast, s, &mut |x| all.push(x));
        if let StmtKind::Allocate(a) = &self.ast.stmt(s).kind {
            let ast = self.ast;
            for &object in ast.list(a.objects) {
                if matches!(ast.expr(object).kind, ExprKind::Component { .. }) {
                    self.expression(object);
                    continue;
                }
                self.operands(object);
                if let ExprKind::Call { base, args } = ast.expr(object).kind {
                    if matches!(ast.expr(base).kind, ExprKind::Component { .. }) {
                        self.expression(base);
                    }
                    self.allocated(args);
                }
            }
            all.retain(|x| !ast.list(a.objects).contains(x));
            self.length(a.ty.as_ref());
        }
        if let StmtKind::PointerAssign { target, .. } = self.ast.stmt(s).kind
            && let ExprKind::Call { args, .. } = self.ast.expr(target).kind
        {
            self.operands(target);
            self.pointer_bounds(args);
            all.retain(|x| *x != target);
        }
        for &x in &all {
            self.expression(x);
        }
        self.valued_parts(s, &all);
        if let StmtKind::Io(io) = &self.ast.stmt(s).kind {
            self.loop_bounds(io.items, None);
        }
    }

    /// Reports bounds of implied DOs that are no scalars, or not of the category.
    fn loop_bounds(&mut self, items: ExprList, category: Option<Category>) {
        let ast = self.ast;
        for &item in ast.list(items) {
            let ExprKind::ImpliedDo(d) = &ast.expr(item).kind else { continue };
            for x in [Some(d.from), Some(d.to), d.step].into_iter().flatten() {
                self.scalar(x, category);
            }
            if category.is_some() {
                self.index_variable(d.var);
            }
            self.loop_bounds(d.items, category);
        }
    }

    /// Checks the length that a type before `::` computes.
    fn length(&mut self, spec: Option<&TypeSpec>) {
        let Some(x) = visit::length(spec) else { return };
        if const_eval(self.decls, self.scope, x).is_err_and(|why| why.is_runtime()) {
            let checked = self.site().must_be_integer(x);
            self.passes(checked);
        }
    }

    /// Whether an assignment is the definition of a statement function.
    pub fn is_statement_function(&self, target: ExprId, value: ExprId) -> bool {
        self.statement_function(target, value).is_some()
    }

    /// The statement function that an assignment defines.
    fn statement_function(&self, target: ExprId, value: ExprId) -> Option<SymbolId> {
        let ExprKind::Call { base, .. } = self.ast.expr(target).kind else { return None };
        let ExprKind::Name(name) = self.ast.expr(base).kind else { return None };
        let id = self.decls.visible(self.scope, name)?;
        let defines = |k: &SymbolKind| matches!(k, SymbolKind::StatementFunction { body, .. } if *body == value);
        defines(&self.decls.symbols[id].kind).then_some(id)
    }

    /// Checks the bounds and lengths that the declarations of the scope compute, and those in its interface bodies.
    pub fn declarations(&mut self) {
        let decls = self.decls;
        self.extents(self.scope);
        for &id in &decls.scopes[self.scope].own {
            let inner = decls.symbols[id].procedure().and_then(|p| p.scope);
            if let Some(inner) = inner.filter(|&s| decls.scopes[s].kind == ScopeKind::Interface) {
                self.extents(inner);
            }
        }
    }

    fn operands(&mut self, x: ExprId) {
        let mut operands: SmallVec<[ExprId; 4]> = SmallVec::new();
        visit::operands(self.ast, x, &mut |o| operands.push(o));
        let is_call = matches!(self.ast.expr(x).kind, ExprKind::Call { .. });
        for (k, o) in operands.into_iter().enumerate() {
            // A component is checked together with its subscripts.
            if k == 0 && is_call && matches!(self.ast.expr(o).kind, ExprKind::Component { .. }) {
                self.operands(o);
            } else {
                self.expression(o);
            }
        }
    }

    /// Checks the operands of an expression, in which an index of an implied DO does not change.
    fn inner(&mut self, x: ExprId) {
        match &self.ast.expr(x).kind {
            ExprKind::ArrayConstructor { .. } => {
                self.constructors += 1;
                self.operands(x);
                self.constructors -= 1;
            }
            ExprKind::ImpliedDo(d) => {
                let (values, active) = (self.values.len(), self.active.len());
                let id = self.decls.visible(self.scope, d.var.name);
                // The variable of an item list is one of the program.
                match self.constructors {
                    0 => id.into_iter().for_each(|id| self.active.push(id, d.var.span)),
                    _ => self.values.extend(id),
                }
                self.operands(x);
                self.values.truncate(values);
                self.active.truncate(active);
            }
            _ => self.operands(x),
        }
    }

    /// Checks what stands in an expression, and then the expression itself. After an error it has no type, so that nothing
    /// more is said of expressions that it stands in.
    pub(super) fn expression(&mut self, x: ExprId) {
        let before = self.diags.errors();
        let mut varying = self.varying;
        let is_whole = !self.in_constant && self.site().is_constant_operation(x, &mut varying);
        self.varying = varying;
        self.in_constant |= is_whole;
        self.inner(x);
        self.in_constant &= !is_whole;
        let is_whole = is_whole && self.diags.errors() == before;
        let before = self.diags.errors();
        self.valued_operands(x);
        if self.diags.errors() > before {
            return self.without_type(x);
        }
        let fault = match self.ast.expr(x).kind {
            ExprKind::Binary { op: BinaryOp::Div, right, .. } if self.divides_by_zero(x, right) => {
                Some(Diagnostic::error("T0513", self.ast.span(x), "Division by zero"))
            }
            ExprKind::Unary { .. } | ExprKind::Binary { .. } if self.typing().has_type(x) => None,
            ExprKind::Component { base, name } => {
                let checked = self.site().check_component(x, base, name);
                checked.and_then(|()| self.site().check_scalar_pointer(x)).err()
            }
            ExprKind::Name(name) => self.moving_bounds(x, name),
            ExprKind::Int { .. }
            | ExprKind::Real { .. }
            | ExprKind::Logical { .. }
            | ExprKind::Char { .. }
            | ExprKind::Boz { .. } => self.wrong_literal(x),
            ExprKind::Call { base, args } => self.wrong_call(x, base, args),
            ExprKind::Complex { re, im } => self.wrong_part(re, im),
            ExprKind::Unary { op, operand } => self.wrong_operand(x, op, operand),
            ExprKind::Binary { op, left, right } => self.wrong_operands(x, op, left, right),
            ExprKind::ArrayConstructor { ref ty, items } => {
                self.loop_bounds(items, Some(Category::Integer));
                self.length(ty.as_deref());
                if self.diags.errors() == before {
                    self.array_constructor(x, ty.as_deref(), items);
                }
                None
            }
            ExprKind::ImpliedDo(ref d) => self.zero_step(d.step, "The step of a DO is not 0"),
            _ => None,
        };
        let is_operation =
            matches!(self.ast.expr(x).kind, ExprKind::Call { .. } | ExprKind::Unary { .. } | ExprKind::Binary { .. });
        let fault = match fault {
            None if self.foralls > 0 && is_operation => self.impure(x),
            fault => fault,
        };
        let fault = match fault {
            None if is_whole && self.diags.errors() == before => match self.typing().of(x) {
                Some(_) => self.site().check_constant(x).err(),
                None => self.wrong_literals(x),
            },
            fault => fault,
        };
        fault.into_iter().for_each(|d| self.diags.push(d));
        if is_operation && self.diags.errors() == before {
            self.warn_equality(x);
            self.function_call(x);
        }
        if self.diags.errors() > before {
            self.without_type(x);
        }
    }

    /// The fault of a literal of an unknown kind, or too large for its kind. In an operation of constants its value is enough.
    fn wrong_literal(&self, x: ExprId) -> Option<Diagnostic> {
        let is_plain = match self.ast.expr(x).kind {
            ExprKind::Int { value, kind: KindParam::Default } => i32::try_from(value).is_ok(),
            ExprKind::Logical { kind, .. } | ExprKind::Char { kind, .. } => matches!(kind, KindParam::Default),
            _ => false,
        };
        if is_plain || self.in_constant {
            return None;
        }
        const_eval(self.decls, self.scope, x).err().and_then(|why| why.report("The value"))
    }

    /// The fault of the first literal in `x` that has one: an operation with such a literal has no type.
    fn wrong_literals(&self, x: ExprId) -> Option<Diagnostic> {
        let mut literals: SmallVec<[ExprId; 8]> = SmallVec::new();
        crate::visit::expressions(self.ast, x, &mut |y| {
            if matches!(self.ast.expr(y).kind, ExprKind::Int { .. } | ExprKind::Real { .. }) {
                literals.push(y);
            }
        });
        literals.into_iter().find_map(|y| self.wrong_literal(y))
    }

    /// The fault of the pointee of a host or module whose bounds are no constants: they were evaluated elsewhere.
    fn moving_bounds(&self, x: ExprId, name: Name) -> Option<Diagnostic> {
        let s = &self.decls.symbols[self.decls.visible(self.scope, name)?];
        if s.cray_pointer.is_none() || self.decls.unit_around(s.scope) == self.home {
            return None;
        }
        let mut extents = s.shape.iter().flat_map(|b| [b.lower, b.upper]).chain([s.len]);
        let moves = extents.any(|e| matches!(e, Extent::Entry(_)));
        let message = format!("The bounds of the pointee '{}' of a host or module must be constant", s.name);
        moves.then(|| Diagnostic::error("T0299", self.ast.span(x), message))
    }

    /// The fault of a function in a FORALL that is not PURE.
    fn impure(&mut self, x: ExprId) -> Option<Diagnostic> {
        let function = self.typing().of(x)?.callee?;
        self.site().must_be_pure(function, x).err()
    }

    /// Reports functions in the mask of a FORALL that are not PURE.
    pub fn pure_mask(&mut self, s: StmtId) {
        let mask = match &self.ast.stmt(s).kind {
            StmtKind::ForallStmt { header, .. } => header.mask,
            StmtKind::Forall(c) => c.header.mask,
            _ => None,
        };
        let mut all: SmallVec<[ExprId; 8]> = SmallVec::new();
        mask.into_iter().for_each(|x| visit::expressions(self.ast, x, &mut |x| all.push(x)));
        for x in all {
            let fault = self.impure(x);
            fault.into_iter().for_each(|d| self.diags.push(d));
        }
    }

    fn wrong_call(&mut self, x: ExprId, base: ExprId, args: ArgList) -> Option<Diagnostic> {
        let (decls, span) = (self.decls, self.ast.span(x));
        let ExprKind::Name(name) = self.ast.expr(base).kind else {
            let checked = self.site().check_subscripted_component(x, base, args);
            if checked.is_ok() {
                self.reference(x, base, args);
            }
            return checked.err();
        };
        match self.typing().resolve(name).map(|id| &decls.symbols[id].kind) {
            // Most are elements of arrays.
            Some(SymbolKind::Variable | SymbolKind::Parameter) => {
                self.reference(x, base, args);
                None
            }
            Some(SymbolKind::Generic(_)) => {
                let checked = self.site().check_called(base, args, span);
                checked.and_then(|()| self.site().check_intrinsic_function(x, base, args)).err()
            }
            Some(SymbolKind::DerivedType(_)) => {
                self.structure_constructor(x, base, args);
                None
            }
            kind => {
                if kind.is_some() {
                    self.reference(x, base, args);
                }
                self.site().check_intrinsic_function(x, base, args).err()
            }
        }
    }

    fn typing(&mut self) -> Typing<'_, 'a> {
        self.site().typing
    }

    /// The fault of a step that is 0.
    pub fn zero_step(&mut self, step: Option<ExprId>, message: &str) -> Option<Diagnostic> {
        let x = step.filter(|&x| self.typing().integer(x) == Some(0))?;
        Some(Diagnostic::error("T0542", self.ast.span(x), message))
    }

    /// Whether `x` is the division of an integer by a constant integer that is 0.
    fn divides_by_zero(&mut self, x: ExprId, right: ExprId) -> bool {
        self.typing().integer(right) == Some(0)
            && self.typing().of(x).is_some_and(|t| Category::of(t.ty) == Category::Integer)
            && self.typing().defining_procedure(x).is_none()
    }

    fn wrong_part(&mut self, re: ExprId, im: ExprId) -> Option<Diagnostic> {
        let (a, b) = (self.typing().of(re)?, self.typing().of(im)?);
        let site = self.site();
        for (x, t) in [(re, &a), (im, &b)] {
            if let Err(d) = site.must_be_plain(x, t).and_then(|()| site.must_be_scalar(x, t)) {
                return Some(d);
            }
        }
        let wrong = |t: &&(ExprId, Type)| !matches!(Category::of(t.1), Category::Integer | Category::Real);
        let &(x, ty) = [(re, a.ty), (im, b.ty)].iter().find(wrong)?;
        let message = format!("A part of a complex constant cannot be {}", type_name(ty));
        Some(Diagnostic::error("T0508", self.ast.span(x), message))
    }

    fn wrong_operand(&mut self, x: ExprId, op: UnaryOp, operand: ExprId) -> Option<Diagnostic> {
        let a = self.typing().of(operand)?;
        if self.typing().defining_procedure(x).is_some() {
            return None;
        }
        let text = match op {
            UnaryOp::Plus => "+",
            UnaryOp::Minus => "-",
            UnaryOp::Not => ".not.",
            UnaryOp::Defined(_) => return Some(self.no_operation(x)),
        };
        if let Err(d) = self.site().must_be_plain(operand, &a) {
            return Some(d);
        }
        let message = format!("Operand of '{text}' is {}", type_name(a.ty));
        Some(Diagnostic::error("T0509", self.ast.span(operand), message))
    }

    fn wrong_operands(&mut self, x: ExprId, op: BinaryOp, left: ExprId, right: ExprId) -> Option<Diagnostic> {
        let (a, b) = self.typing().operands_of(left, right)?;
        if self.typing().defining_procedure(x).is_some() {
            return None;
        }
        if let BinaryOp::Defined(_) = op {
            return Some(self.no_operation(x));
        }
        if op == BinaryOp::Concat {
            let site = self.site();
            let texts = site.must_be_text(left, &a).and_then(|()| site.must_be_text(right, &b));
            return texts.and_then(|()| conform(site.ast.span(x), &a, &b, "")).err();
        }
        let shapes = conform(self.ast.span(x), &a, &b, "").err();
        shapes.or_else(|| Some(self.operands_differ(x, op, (left, &a), (right, &b))))
    }

    fn operands_differ(
        &self,
        x: ExprId,
        op: BinaryOp,
        (left, a): (ExprId, &Typed),
        (right, b): (ExprId, &Typed),
    ) -> Diagnostic {
        let name = |t: &Typed| match t.structure {
            Some(id) => format!("TYPE({})", self.decls.structures[id].name),
            None => type_name(t.ty),
        };
        let op = op.spelling();
        let message = format!("Operands of '{op}' are {} and {}", name(a), name(b));
        let d = Diagnostic::error("T0512", self.ast.span(x), message);
        let d = d.because(self.ast.span(left), type_name(a.ty)).because(self.ast.span(right), type_name(b.ty));
        let are_logical = Category::of(a.ty) == Category::Logical && Category::of(b.ty) == Category::Logical;
        if are_logical && matches!(op, "==" | "/=") {
            return d.help("compare LOGICAL values with '.eqv.' and '.neqv.'");
        }
        d
    }

    /// A user's operator that no interface defines for operands of these types.
    fn no_operation(&self, x: ExprId) -> Diagnostic {
        let kind = &self.ast.expr(x).kind;
        let name = crate::scope::operators::of_expression(self.ast, kind).unwrap_or_default();
        let text = name.trim_start_matches("operator(").trim_end_matches(')');
        let message = match self.decls.lookup(self.scope, &name) {
            Some(_) => format!("No procedure of the operator '{text}' fits these operands"),
            None => format!("The operator '{text}' is not defined"),
        };
        Diagnostic::error("T0583", self.ast.span(x), message)
    }
}

//! Calls: the procedure that is called, and each actual argument beside its dummy argument.
//!
//! An argument in which an error was found already is left alone; the others are checked all the same.

use crate::check::Checked;
use crate::check::conformity::conform;
use crate::check::consistency::Passed;
use crate::check::purity::Purity;
use crate::check::standard::{self, Standard};
use crate::check::statements::Statements;
use crate::scope::symbol::{ProcedureClass, SymbolId, SymbolKind};
use crate::typed::call::{Actual, Given, Passing};
use crate::typed::{Typed, Typing};
use trueline_diag::{Diagnostic, Span};
use trueline_ir::{Intent, Type};
use trueline_syntax::ast::{Arg, ArgList, ArgValue, ExprId, ExprKind};

/// A call of a procedure that is known by now.
#[derive(Clone, Copy)]
pub struct Called<'k> {
    /// The procedure, or the interface of the pointer that it is called by.
    id: SymbolId,
    span: Span,
    args: &'k [Arg],
    /// Whether it is called by a pointer.
    by_pointer: bool,
    /// Whether the second argument is the right side of a defined assignment, which is a value even if it is a variable.
    copies_second: bool,
}

/// Which procedure is called.
impl<'a> Statements<'_, 'a> {
    /// The check of statements and calls that have to be PURE.
    pub fn purity(&mut self) -> Purity<'_, 'a> {
        let typing = Typing::new(self.decls, self.scope, self.function, &mut self.types);
        let (decls, ast, home) = (self.decls, self.ast, self.home);
        Purity { decls, ast, home, is_concurrent: self.concurrent > 0, typing }
    }

    /// Reports the faults of `CALL callee(args)`.
    pub fn call_statement(&mut self, callee: ExprId, args: ArgList) {
        let ast = self.ast;
        let (span, list) = (ast.span(callee), ast.args(args));
        let mut site = self.site();
        let checked = site.must_point_to_subroutine(callee);
        let checked = checked.and_then(|()| site.check_called(callee, args, span));
        if !self.goes_on(checked) {
            return;
        }
        let checked = self.site().check_intrinsic_subroutine(callee, args);
        if !self.goes_on(checked) {
            return;
        }
        if let Some(id) = self.site().typing.procedure_pointer(callee) {
            return self.subroutine(Called { id, span, args: list, by_pointer: true, copies_second: false });
        }
        let ExprKind::Name(name) = ast.expr(callee).kind else {
            if !matches!(ast.expr(callee).kind, ExprKind::Component { .. }) {
                self.diags.push(Diagnostic::error("T0570", span, "This is not the name of a subroutine"));
            }
            return;
        };
        let found = self.site().typing.resolve(name);
        let Some(id) = found else { return self.intrinsic_subroutine(ast.name(name), span) };
        match self.site().typing.specific(id, list) {
            None => {}
            Some(None) => self.intrinsic_subroutine(ast.name(name), span),
            Some(Some(id)) => {
                let checked = self.site().check_subroutine(id, span);
                let passes = self.goes_on(checked);
                match &self.decls.symbols[id].kind {
                    _ if !passes => {}
                    SymbolKind::Procedure(p) if p.class == ProcedureClass::Intrinsic => {
                        self.intrinsic_subroutine(&self.decls.symbols[id].name, span);
                    }
                    SymbolKind::Procedure(_) | SymbolKind::Unknown => {
                        self.subroutine(Called { id, span, args: list, by_pointer: false, copies_second: false });
                    }
                    _ => {}
                }
            }
        }
    }

    fn intrinsic_subroutine(&mut self, name: &str, span: Span) {
        self.uses_intrinsic(name, span);
        let checked = self.purity().intrinsic_call(name, span);
        self.goes_on(checked);
    }

    /// Tells of an intrinsic procedure of a later standard.
    pub fn uses_intrinsic(&mut self, name: &str, span: Span) {
        let rules = self.decls.options.rules;
        let any = rules.is_empty() || (rules.all_intrinsics && rules.standard > Standard::F77);
        if !any && let Some(feature) = standard::intrinsic(name) {
            rules.note(feature, span, &format!("'{name}'"), self.diags);
        }
    }

    /// Reports the faults of the assignment `target = value` by a subroutine; whether it is one.
    pub fn defined_assignment(&mut self, span: Span, target: ExprId, value: ExprId) -> bool {
        let mut site = self.site();
        let Some(id) = site.typing.assigning_procedure(target, value) else { return false };
        let args = [target, value].map(|x| site.typing.plain_argument(x));
        self.subroutine(Called { id, span, args: &args, by_pointer: false, copies_second: true });
        true
    }

    /// Reports the faults of the call of a function, if `x` is one.
    pub fn function_call(&mut self, x: ExprId) {
        let (ast, decls) = (self.ast, self.decls);
        let span = ast.span(x);
        let ExprKind::Call { base, args } = ast.expr(x).kind else {
            if let Some((id, args)) = self.site().typing.defining_procedure(x) {
                self.function(Called { id, span, args: &args, by_pointer: false, copies_second: false });
            }
            return;
        };
        let list = ast.args(args);
        if let Some(id) = self.site().typing.procedure_pointer(base) {
            let checked = self.site().check_scalar_pointer(base);
            if !self.passes(checked) {
                return;
            }
            return self.function(Called { id, span, args: list, by_pointer: true, copies_second: false });
        }
        let ExprKind::Name(name) = ast.expr(base).kind else { return };
        let Some(id) = self.site().typing.resolve(name) else { return self.uses_intrinsic(ast.name(name), span) };
        let s = &decls.symbols[id];
        let known = match &s.kind {
            SymbolKind::DerivedType(structure) => {
                self.site().typing.fitting(&decls.structures[*structure].constructors, list)
            }
            SymbolKind::Procedure(p) if p.class == ProcedureClass::Intrinsic => {
                return self.uses_intrinsic(&s.name, span);
            }
            SymbolKind::Procedure(_) | SymbolKind::Generic(_) | SymbolKind::Unknown => {
                match self.site().typing.specific(id, list) {
                    Some(None) => return self.uses_intrinsic(&s.name, span),
                    Some(id) => id,
                    None => None,
                }
            }
            _ => None,
        };
        if let Some(id) = known {
            self.function(Called { id, span, args: list, by_pointer: false, copies_second: false });
        }
    }

    fn subroutine(&mut self, call: Called<'_>) {
        let checked = self.purity().call(call.id, call.span);
        if self.goes_on(checked) {
            self.call(call);
        }
    }

    fn function(&mut self, call: Called<'_>) {
        let checked = self.site().check_function(call.id, call.span);
        let checked = checked.and_then(|()| self.purity().call(call.id, call.span));
        if self.goes_on(checked) {
            self.call(call);
        }
    }

    fn call(&mut self, call: Called<'_>) {
        let checked = self.site().check_implicit_call(call.id, call.span);
        if !self.goes_on(checked) {
            return;
        }
        let is_elemental = self.decls.symbols[call.id].procedure().is_some_and(|p| p.is_elemental);
        let passes = match is_elemental && self.has_array(call.args) {
            true => self.elements(call),
            false => self.arguments(call),
        };
        if passes && !call.by_pointer {
            let checked = self.site().check_recursion(call.id, call.span);
            self.goes_on(checked);
        }
    }

    fn has_array(&mut self, args: &[Arg]) -> bool {
        let mut site = self.site();
        args.iter().any(|a| match a.value {
            ArgValue::Expr(x) => !site.typing.is_null(x) && site.typing.of(x).is_some_and(|t| t.rank() > 0),
            _ => false,
        })
    }
}

/// Arguments.
impl<'a> Statements<'_, 'a> {
    /// The actual arguments in the order of the dummy arguments.
    fn ordered(&mut self, call: Called<'_>) -> Option<Vec<Actual>> {
        match self.site().matched(call.id, call.args, call.span) {
            Ok((actuals, warning)) => {
                warning.into_iter().for_each(|d| self.diags.push(d));
                Some(actuals)
            }
            Err(d) => {
                self.diags.push(d);
                None
            }
        }
    }

    /// Whether the arguments fit the dummy arguments.
    fn arguments(&mut self, call: Called<'_>) -> bool {
        let s = &self.decls.symbols[call.id];
        let dummies = s.procedure().map(|p| &p.dummies[..]).unwrap_or_default();
        let site = self.site();
        let explicit = s.procedure().is_some_and(|p| site.is_explicit(p));
        let checked = site.check_interface_known(call.id, call.span, explicit);
        let (mut noted, warns) = (site.implicit_call(call.id, call.span), site.warns_of_aliases());
        // Faults of the arguments are told beside those of the call.
        self.goes_on(checked);
        let Some(ordered) = self.ordered(call) else { return false };
        if warns {
            let found = self.site().aliases(&ordered, dummies);
            found.into_iter().for_each(|d| self.diags.push(d));
        }
        let mut fits = true;
        for (k, actual) in ordered.into_iter().enumerate() {
            let given = self.site().given(call.id, dummies.get(k), actual, call.span);
            let passed = match given {
                Ok(Given::Expr(x)) if self.is_faulty(x) => None,
                Ok(Given::Expr(x)) => {
                    let copies = call.copies_second && k == 1;
                    self.argument(x, call.id, dummies.get(k).copied().flatten(), explicit, copies)
                }
                Ok(Given::Label(_) | Given::Nothing) => Some(None),
                Err(d) => {
                    self.diags.push(d);
                    None
                }
            };
            fits &= passed.is_some();
            if let Some(call) = &mut noted {
                call.args.push(passed.flatten());
            }
        }
        self.calls.extend(noted.filter(|_| fits));
        fits
    }

    /// An argument that fits its dummy argument: its form, if the interface is implicit.
    fn argument(
        &mut self,
        x: ExprId,
        callee: SymbolId,
        dummy: Option<SymbolId>,
        explicit: bool,
        copies: bool,
    ) -> Option<Option<Passed>> {
        let mut site = self.site();
        let passing = site.passing(x, dummy, explicit, copies);
        let before = self.diags.errors();
        match (passing, dummy) {
            (Err(d), _) => self.diags.push(d),
            (Ok(Passing::ProcedurePointer), _) => self.procedure(x, None),
            (Ok(Passing::Procedure), _) => self.procedure(x, dummy),
            (Ok(Passing::Absent | Passing::Disassociated), _) => {}
            (Ok(passing @ (Passing::Descriptor | Passing::Target)), Some(d)) => self.indirect(x, callee, d, passing),
            (Ok(passing), _) => return self.data(x, callee, dummy, explicit, passing),
        }
        (self.diags.errors() == before).then_some(None)
    }

    /// A procedure as an argument.
    fn procedure(&mut self, x: ExprId, dummy: Option<SymbolId>) {
        let mut site = self.site();
        if site.typing.procedure_pointer(x).is_none() && !site.typing.gives_procedure(x) {
            let checked = site.check_procedure(x, dummy);
            self.goes_on(checked);
        }
    }

    /// The argument of a dummy argument that is a POINTER or ALLOCATABLE.
    fn indirect(&mut self, x: ExprId, callee: SymbolId, dummy: SymbolId, passing: Passing) {
        let s = &self.decls.symbols[dummy];
        let mut site = self.site();
        let checked = if passing == Passing::Descriptor {
            site.check_indirect_rank(x, callee, dummy).and_then(|()| site.check_argument(x, callee, dummy, true, true))
        } else {
            let own = Typed {
                structure: s.structure,
                len: s.len.known().filter(|_| s.is_character()),
                ..Typed::scalar(s.ty.unwrap_or(Type::I4)).with_rank(s.rank())
            };
            site.check_points(&own, x, None)
        };
        if self.goes_on(checked) && matches!(s.intent, Intent::Out | Intent::InOut) {
            let checked = self.site().check_changed(x, Some(dummy), true);
            self.goes_on(checked);
        }
    }

    /// A variable or value for a dummy argument that is neither a procedure nor a POINTER or ALLOCATABLE.
    fn data(
        &mut self,
        x: ExprId,
        callee: SymbolId,
        dummy: Option<SymbolId>,
        explicit: bool,
        passing: Passing,
    ) -> Option<Option<Passed>> {
        let is_variable = match passing {
            Passing::Value { is_variable } | Passing::Copy { is_variable } => is_variable,
            _ => !self.site().typing.is_pointer_result(x),
        };
        let Some(d) = dummy else {
            return Some(if explicit { None } else { self.site().passed_as(x, is_variable) });
        };
        let checked = self.site().check_argument(x, callee, d, explicit, is_variable);
        if !self.goes_on(checked) {
            return None;
        }
        let is_changed = matches!(self.decls.symbols[d].intent, Intent::Out | Intent::InOut);
        if is_changed && !matches!(passing, Passing::Value { .. }) {
            let is_place = matches!(passing, Passing::Place | Passing::Strided);
            let checked = self.site().check_changed_by(x, d, explicit, is_place);
            if !self.goes_on(checked) {
                return None;
            }
        }
        Some(None)
    }

    /// Whether the arguments of an elemental procedure over arrays fit.
    fn elements(&mut self, call: Called<'_>) -> bool {
        let decls = self.decls;
        let dummies = decls.symbols[call.id].procedure().map(|p| &p.dummies[..]).unwrap_or_default();
        let Some(ordered) = self.ordered(call) else { return false };
        let mut operands: Vec<(ExprId, Option<SymbolId>, Typed)> = Vec::new();
        let before = self.diags.errors();
        for (k, actual) in ordered.into_iter().enumerate() {
            let dummy = dummies.get(k).copied().flatten();
            let x = match self.site().given(call.id, dummies.get(k), actual, call.span) {
                Ok(Given::Expr(x)) => x,
                Ok(Given::Label(_) | Given::Nothing) => continue,
                Err(d) => {
                    self.diags.push(d);
                    continue;
                }
            };
            let optional = dummy.is_some_and(|d| decls.symbols[d].attrs.optional);
            if self.is_faulty(x) || optional && self.site().typing.is_null(x) {
                continue;
            }
            let checked = self.element(x, call.id, dummy);
            if self.goes_on(checked)
                && let Some(t) = self.site().typing.of(x)
            {
                operands.push((x, dummy, t));
            }
        }
        if self.diags.errors() > before {
            return false;
        }
        let changes = |d: Option<SymbolId>| {
            d.map(|d| &decls.symbols[d]).filter(|d| matches!(d.intent, Intent::Out | Intent::InOut))
        };
        let scalar = operands.iter().filter(|o| o.2.rank() == 0).find_map(|o| Some((o.0, changes(o.1)?)));
        let checked = match scalar {
            Some((x, d)) => Err(self.site().changes_as_array(x, d)),
            None => self.same_shapes(&operands),
        };
        self.goes_on(checked)
    }

    fn element(&mut self, x: ExprId, callee: SymbolId, dummy: Option<SymbolId>) -> Checked {
        let mut site = self.site();
        let is_place = site.is_place(x);
        if let Some(d) = site.no_shape(x) {
            return Err(d);
        }
        let Some(d) = dummy else { return Ok(()) };
        site.check_argument(x, callee, d, true, is_place)?;
        match site.symbol(d).intent {
            Intent::Out | Intent::InOut => site.check_changed(x, dummy, is_place),
            _ => Ok(()),
        }
    }

    /// An error unless all arrays have one shape. An optional argument that may be absent has no say in it if another can have it.
    fn same_shapes(&mut self, operands: &[(ExprId, Option<SymbolId>, Typed)]) -> Checked {
        let (decls, ast) = (self.decls, self.ast);
        let site = self.site();
        let may_be_absent = |x: ExprId| match ast.expr(x).kind {
            ExprKind::Name(name) => site.typing.resolve(name).is_some_and(|id| decls.symbols[id].attrs.optional),
            _ => false,
        };
        let mut arrays = operands.iter().filter(|o| o.2.rank() > 0);
        let first = arrays.clone().find(|o| !may_be_absent(o.0)).or_else(|| arrays.next());
        let Some((_, _, first)) = first else { return Ok(()) };
        operands.iter().try_for_each(|(x, _, t)| conform(ast.span(*x), first, t, ""))
    }

    /// Whether an error was found in the expression itself.
    pub fn is_faulty(&self, x: ExprId) -> bool {
        self.faulty.contains(&x)
    }
}

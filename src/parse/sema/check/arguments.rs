//! Actual arguments: type, rank, size, definability and interface must fit those of the dummy arguments.

use crate::check::Checked;
use crate::check::consistency::{ImplicitCall, Passed};
use crate::check::warnings::flags::Warning;
use crate::check::warnings::warning;
use crate::scope::symbol::{Procedure, ProcedureClass, ProcedureKind, Symbol, SymbolId, SymbolKind, is_assumed_shape};
use crate::typed::Typed;
use crate::typed::call::{Actual, Site};
use crate::types::kinds::type_name;
use crate::types::{interfaces, structure::StructureId};
use trueline_diag::{Diagnostic, Span};
use trueline_ir::{Intent, Type};
use trueline_syntax::ast::{ArgList, ArgValue, ExprId, ExprKind};

/// Calls and their procedures.
impl<'a> Site<'_, 'a> {
    fn warns(&self, which: Warning) -> bool {
        self.decls.options.warnings.has(which)
    }

    /// An error if the interface must be explicit (Fortran 2003, 12.3.1.1).
    pub fn check_implicit_call(&self, callee: SymbolId, span: Span) -> Checked {
        let decls = self.decls;
        let is_external = |s: &&Symbol| s.procedure().is_some_and(|p| p.class == ProcedureClass::External);
        let known = |s: &&Symbol| s.procedure().is_some_and(|p| p.scope.is_some());
        let own = self.symbol(callee);
        // A procedure that is declared here by its name alone may be defined in the same file.
        let global = || decls.lookup_global(&own.name).map(|id| self.symbol(id)).filter(is_external);
        let s = if known(&own) || !is_external(&own) { own } else { global().filter(known).unwrap_or(own) };
        let Some(p) = s.procedure().filter(|p| !self.is_explicit(p)) else { return Ok(()) };
        let Some((of, why)) = interfaces::must_be_explicit(decls, s, p) else { return Ok(()) };
        let message = format!("A call of '{}' needs its explicit interface: {why}", s.name);
        Err(Diagnostic::error("T0578", span, message).because(of.span, "because of this"))
    }

    /// An error or a warning if only the name of the procedure is known. `explicit`: the interface is explicit.
    pub fn check_interface_known(&self, id: SymbolId, span: Span, explicit: bool) -> Checked {
        let s = self.symbol(id);
        let external = s.procedure().is_some_and(|p| p.class == ProcedureClass::External);
        if explicit || !external {
            return Ok(());
        }
        let mut hosts = std::iter::successors(Some(self.home), |&h| self.decls.scopes[h].parent);
        if let Some(none) = hosts.find_map(|h| self.decls.scopes[h].no_external).filter(|_| !s.attrs.external) {
            let message = format!("The procedure '{}' is not declared, as IMPLICIT NONE (EXTERNAL) asks for", s.name);
            let d = Diagnostic::error("T0586", span, message).because(none, "asked for here");
            return Err(d.help("Declare it EXTERNAL, or give an interface"));
        }
        if self.warns(Warning::ImplicitInterface) {
            let text = format!("Procedure '{}' called with an implicit interface", s.name);
            Err(warning(Warning::ImplicitInterface, span, &text))
        } else if self.warns(Warning::ImplicitProcedure) && !s.attrs.external {
            let text = format!("Procedure '{}' called is not explicitly declared", s.name);
            Err(warning(Warning::ImplicitProcedure, span, &text))
        } else {
            Ok(())
        }
    }

    /// Whether [`Site::aliases`] are to be reported.
    pub fn warns_of_aliases(&self) -> bool {
        self.warns(Warning::Aliasing)
    }

    /// Warns of a variable that is passed to be read and, as another argument, to be changed.
    pub fn aliases(&self, actuals: &[Actual], dummies: &[Option<SymbolId>]) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut passed: Vec<(SymbolId, SymbolId)> = Vec::new();
        for (k, actual) in actuals.iter().enumerate() {
            let Some(ArgValue::Expr(x)) = actual.value else { continue };
            let ExprKind::Name(name) = self.ast.expr(x).kind else { continue };
            let (Some(id), Some(dummy)) = (self.typing.resolve(name), dummies.get(k).copied().flatten()) else {
                continue;
            };
            if !self.symbol(id).is_variable() {
                continue;
            }
            for &(_, other) in passed.iter().filter(|&&(known, _)| known == id) {
                let (a, b) = (self.symbol(other), self.symbol(dummy));
                let clash = matches!(
                    [a.intent, b.intent],
                    [Intent::In, Intent::Out] | [Intent::Out, Intent::In] | [Intent::Out, Intent::Out]
                );
                if clash {
                    let text = format!(
                        "Same actual argument associated with INTENT({}) argument '{}' and INTENT({}) argument '{}'",
                        word(a.intent),
                        a.name,
                        word(b.intent),
                        b.name
                    );
                    found.push(warning(Warning::Aliasing, self.ast.span(x), &text));
                }
            }
            passed.push((id, dummy));
        }
        found
    }

    /// Begins to note a call of `callee` for [`crate::check::consistency`], if nothing is known of it but its calls.
    pub fn implicit_call(&self, callee: SymbolId, span: Span) -> Option<ImplicitCall> {
        let s = self.symbol(callee);
        let p = s.procedure().filter(|p| p.class == ProcedureClass::External && p.scope.is_none() && !p.explicit)?;
        let wanted = !self.decls.options.argument_mismatch && !p.is_c;
        let length = s.len.known().filter(|_| s.is_character());
        let ty = s.ty.filter(|_| p.kind == ProcedureKind::Function);
        let result = ty.map(|ty| (self.type_words(ty, s.structure), length));
        wanted.then(|| ImplicitCall { linker: p.linker.clone(), name: s.name.clone(), span, result, args: Vec::new() })
    }

    /// Describes an argument of an implicit interface; `is_place`: it is a variable or part of one.
    pub fn passed_as(&mut self, x: ExprId, is_place: bool) -> Option<Passed> {
        if matches!(self.ast.expr(x).kind, ExprKind::Hollerith(_)) {
            return None;
        }
        let t = self.typing.of(x)?;
        let is_text = t.ty == Type::Char && t.structure.is_none();
        let elements = self.elements_from(x, &t);
        Some(Passed {
            elements,
            length: t.len.filter(|_| is_text),
            is_place,
            ty: t.ty,
            structure: t.structure,
            name: self.type_words(t.ty, t.structure),
            rank: t.rank(),
            is_element: is_text || is_place && self.typing.lies_in_array(x),
            span: self.ast.span(x),
        })
    }
}

/// Data.
impl Site<'_, '_> {
    /// A type in words.
    pub fn type_words(&self, ty: Type, structure: Option<StructureId>) -> String {
        match structure {
            Some(s) => format!("TYPE({})", self.decls.structures[s].name),
            None => type_name(ty),
        }
    }

    /// An error or a warning unless type, rank and size of the argument `x` fit those of the dummy argument. Nothing is said
    /// of an expression without a type, which is wrong in itself.
    pub fn check_argument(
        &mut self,
        x: ExprId,
        callee: SymbolId,
        dummy: SymbolId,
        explicit: bool,
        is_place: bool,
    ) -> Checked {
        let d = self.symbol(dummy);
        if d.ty.is_none() {
            return Ok(());
        }
        let is_text = matches!(self.ast.expr(x).kind, ExprKind::Hollerith(_) | ExprKind::Boz { .. });
        let is_assumed_size = matches!(self.ast.expr(x).kind, ExprKind::Name(_))
            && self.typing.root_of(x).is_some_and(|id| self.symbol(id).is_assumed_size());
        let typed = self.typing.of(x);
        let mut problem = self.mismatch(x, typed.as_ref(), callee, d, is_place, is_text);
        if problem.is_none() && is_assumed_size && is_assumed_shape(d) {
            problem =
                Some(format!("The argument '{}' has an assumed shape, but an array of assumed size is passed", d.name));
        }
        let mut is_error = explicit || !self.decls.options.argument_mismatch;
        let mut flag = "-fallow-argument-mismatch";
        if problem.is_none() && !is_assumed_size {
            problem = typed.and_then(|t| self.too_few_elements(d, x, &t));
            (is_error, flag) = (!self.decls.options.io.legacy, "-std=legacy");
        }
        let Some(message) = problem.filter(|_| explicit || !is_text) else { return Ok(()) };
        let span = self.ast.span(x);
        if !is_error {
            return Err(Diagnostic::warning("T0576", span, message).because(d.span, "declared here"));
        }
        let error = Diagnostic::error("T0576", span, message).because(d.span, "declared here");
        Err(if explicit { error } else { error.help(format!("{flag} takes it as it is")) })
    }

    /// The difference in type or rank between the argument `x` and the dummy argument `d`. `is_text`: it is a constant of
    /// any type.
    fn mismatch(
        &mut self,
        x: ExprId,
        typed: Option<&Typed>,
        callee: SymbolId,
        d: &Symbol,
        is_place: bool,
        is_text: bool,
    ) -> Option<String> {
        let ty = d.ty?;
        let name = &self.symbol(callee).name;
        let rank = match typed {
            Some(t) => t.rank(),
            None => self.typing.rank_of_any(x).filter(|_| d.attrs.assumed_type)?,
        };
        if let Some(t) = typed.filter(|_| !d.attrs.assumed_type) {
            let same = match (d.structure, t.structure) {
                (None, None) => t.ty == ty || is_text,
                (Some(a), Some(b)) => self.decls.same_type(a, b),
                _ => false,
            };
            if !same {
                let (want, have) = (self.type_words(ty, d.structure), self.type_words(t.ty, t.structure));
                return Some(format!("The argument '{}' of '{name}' is {want}, but {have} is passed", d.name));
            }
        }
        if rank == d.rank() {
            return None;
        }
        let has_shape = is_assumed_shape(d) || d.is_indirect();
        let elemental = self.symbol(callee).procedure().is_some_and(|p| p.is_elemental);
        let may_differ = d.is_array() && !has_shape;
        if elemental || may_differ && (rank > 0 || d.is_character() || is_place && self.typing.is_element(x)) {
            return None;
        }
        Some(format!("The argument '{}' of '{name}' has rank {}, but rank {rank} is passed", d.name, d.rank()))
    }

    /// An array that is known to be smaller than the dummy argument of known size that it is passed to.
    fn too_few_elements(&mut self, d: &Symbol, x: ExprId, t: &Typed) -> Option<String> {
        if !d.is_array() || d.is_indirect() || is_assumed_shape(d) {
            return None;
        }
        let (mut want, mut unit) = (d.shape.iter().try_fold(1i64, |n, b| n.checked_mul(b.size()?))?, "elements");
        let mut have = self.elements_from(x, t)?;
        if d.is_character() && t.ty == Type::Char && t.structure.is_none() {
            want = want.checked_mul(d.len.known()?)?;
            have = have.checked_mul(t.len?)?;
            unit = "characters";
        }
        (have < want).then(|| format!("The argument '{}' has {want} {unit}, but {have} are passed", d.name))
    }

    /// The number of elements of an array, or from an element of an array to the array's end.
    fn elements_from(&mut self, x: ExprId, t: &Typed) -> Option<i64> {
        if t.rank() > 0 {
            return t.extents.iter().try_fold(1i64, |n, &e| n.checked_mul(e?));
        }
        let ExprKind::Call { base, args } = self.ast.expr(x).kind else { return None };
        let ExprKind::Name(name) = self.ast.expr(base).kind else { return None };
        let s = self.symbol(self.typing.resolve(name)?);
        if !s.is_array() || s.is_indirect() || !s.is_variable() {
            return None;
        }
        let (mut before, mut all) = (0i64, 1i64);
        for (bounds, sub) in s.shape.iter().zip(self.ast.args(args)) {
            let ArgValue::Expr(sub) = sub.value else { return None };
            let (lo, size) = (bounds.lower.known()?, bounds.size()?);
            before = before.checked_add(self.typing.integer(sub)?.checked_sub(lo)?.checked_mul(all)?)?;
            all = all.checked_mul(size)?;
        }
        all.checked_sub(before)
    }

    /// An error unless the actual argument of a dummy that is changed can change.
    pub fn check_changed(&mut self, x: ExprId, dummy: Option<SymbolId>, is_place: bool) -> Checked {
        let d = dummy.map(|d| self.symbol(d));
        let span = self.ast.span(x);
        if is_place {
            let associates = d.is_some_and(|d| d.attrs.pointer);
            if associates || !(self.typing.is_whole_pointer(x) || self.typing.is_pointer_component(x)) {
                self.check_definable(x, "passed to a dummy argument that is changed")?;
            }
            let Some(d) = d.filter(|_| self.typing.has_vector_subscript(x)) else { return Ok(()) };
            let message = format!("The argument '{}' is changed: it cannot be a section by a vector", d.name);
            return Err(Diagnostic::error("T0580", span, message).because(d.span, "declared here"));
        }
        let Some(d) = d else { return Ok(()) };
        let what = match self.typing.root_of(x) {
            Some(id) => format!("'{}'", self.symbol(id).name),
            None => "what is passed".to_owned(),
        };
        let message = format!("The argument '{}' is changed, but {what} is not a variable", d.name);
        Err(Diagnostic::error("T0580", span, message).because(d.span, "declared here"))
    }

    /// The same by an interface that may be implicit: old programs pass values there.
    pub fn check_changed_by(&mut self, x: ExprId, dummy: SymbolId, explicit: bool, is_place: bool) -> Checked {
        if is_place || explicit || !self.decls.options.argument_mismatch {
            return self.check_changed(x, Some(dummy), is_place);
        }
        let d = self.symbol(dummy);
        let message = format!("The argument '{}' is changed, but what is passed is not a variable", d.name);
        Err(Diagnostic::warning("T0580", self.ast.span(x), message).because(d.span, "declared here"))
    }

    /// An error if `x` must not be changed here; `what` names the change.
    pub fn check_definable(&mut self, x: ExprId, what: &str) -> Checked {
        if self.typing.goes_through_pointer(x) {
            return Ok(());
        }
        match self.typing.root_of(x) {
            Some(id) => self.check_variable(id, self.ast.span(x), what),
            None => Ok(()),
        }
    }

    /// An error if the variable `id` must not be changed here; `what` names the change.
    pub fn check_variable(&self, id: SymbolId, span: Span, what: &str) -> Checked {
        let s = self.symbol(id);
        if s.intent == Intent::In {
            let message = format!("The INTENT(IN) argument '{}' is {what}", s.name);
            let d = Diagnostic::error("T0603", span, message).because(s.span, "declared here");
            return Err(d.help("Declare it INTENT(INOUT), or work on a copy"));
        }
        let hosts = std::iter::successors(Some(self.home), |&h| self.decls.scopes[h].parent);
        if s.attrs.protected && !hosts.into_iter().any(|h| h == s.scope) {
            let message = format!("The PROTECTED variable '{}' is {what} outside of its module", s.name);
            return Err(Diagnostic::error("T0606", span, message).because(s.span, "declared here"));
        }
        if let Some(&at) = self.active.get(id) {
            let message = format!("The DO variable '{}' is {what} inside the loop", s.name);
            return Err(Diagnostic::error("T0604", span, message).because(at, "the loop begins here"));
        }
        Ok(())
    }

    /// An error if a POINTER or ALLOCATABLE of another rank than the dummy argument has is passed.
    pub fn check_indirect_rank(&mut self, x: ExprId, callee: SymbolId, dummy: SymbolId) -> Checked {
        let d = self.symbol(dummy);
        let Some(have) = self.typing.of(x).map(|t| t.rank()).filter(|&n| n != d.rank()) else { return Ok(()) };
        let name = &self.symbol(callee).name;
        let message = format!("The argument '{}' of '{name}' has rank {}, but rank {have} is passed", d.name, d.rank());
        Err(Diagnostic::error("T0576", self.ast.span(x), message).because(d.span, "declared here"))
    }
}

/// Procedures.
impl Site<'_, '_> {
    /// An error if the procedure that `x` names cannot be passed, or not to this dummy argument.
    pub fn check_procedure(&self, x: ExprId, dummy: Option<SymbolId>) -> Checked {
        let Some((id, p)) = self.named_procedure(x) else { return Ok(()) };
        let (s, span) = (self.symbol(id), self.ast.span(x));
        let d = dummy.map(|d| self.symbol(d));
        if p.class == ProcedureClass::Intrinsic {
            let Some((_, result)) = crate::intrinsic::specific(&s.name) else {
                let message = format!("The intrinsic procedure '{}' cannot be an argument", s.name);
                return Err(Diagnostic::error("T0579", span, message));
            };
            return self.check_intrinsic(d, &s.name, result, span);
        }
        if p.is_elemental {
            let message = format!("'{}' is ELEMENTAL: it can be called, but neither passed nor pointed to", s.name);
            return Err(Diagnostic::error("T0579", span, message).because(s.span, "declared here"));
        }
        let Some(d) = d.filter(|d| d.procedure().is_some()) else { return Ok(()) };
        let Some(why) = interfaces::mismatch(self.decls, d, s) else { return Ok(()) };
        let message = format!("'{}' has another interface than the argument '{}': {why}", s.name, d.name);
        Err(Diagnostic::error("T0579", span, message).because(d.span, "declared here"))
    }

    /// An error if the intrinsic function cannot stand for the dummy procedure, by the type of its result.
    fn check_intrinsic(&self, dummy: Option<&Symbol>, name: &str, ty: Type, span: Span) -> Checked {
        let Some((d, p)) = dummy.and_then(|d| Some((d, d.procedure()?))) else { return Ok(()) };
        let result = p.result.map_or(d, |r| self.symbol(r));
        let is_known = p.scope.is_some() || d.attrs.typed;
        let why = match p.kind {
            ProcedureKind::Subroutine => "it is a function",
            ProcedureKind::Function if is_known && result.ty.is_some_and(|t| t != ty) => "the results differ in type",
            ProcedureKind::Function if p.scope.is_some() && p.dummies.is_empty() => "it has arguments",
            _ => return Ok(()),
        };
        let message = format!("'{name}' has another interface than the argument '{}': {why}", d.name);
        Err(Diagnostic::error("T0579", span, message).because(d.span, "declared here"))
    }

    /// An error if `value` is of another interface than the procedure pointer that it becomes the target of, which has that
    /// of `interface`.
    pub fn check_pointer_interface(&mut self, interface: SymbolId, value: ExprId) -> Checked {
        let target = match self.ast.expr(value).kind {
            ExprKind::Name(name) => self.typing.resolve(name),
            ExprKind::Component { .. } => self.typing.procedure_pointer(value),
            _ => None,
        };
        let Some(target) = target.map(|id| self.symbol(id)) else { return Ok(()) };
        let target = target.interface.filter(|_| target.is_variable()).map_or(target, |i| self.symbol(i));
        let wanted = self.symbol(interface);
        let not_intrinsic = |p: &&Procedure| p.class != ProcedureClass::Intrinsic;
        let Some(p) = target.procedure().filter(not_intrinsic) else { return Ok(()) };
        let span = self.ast.span(value);
        if let Some(why) = interfaces::mismatch(self.decls, wanted, target) {
            let message = format!("The pointer has another interface than '{}': {why}", target.name);
            return Err(Diagnostic::error("T0687", span, message).because(target.span, "declared here"));
        }
        let is_implicit = wanted.procedure().is_some_and(|p| p.scope.is_none());
        match interfaces::must_be_explicit(self.decls, target, p).filter(|_| is_implicit) {
            Some((of, why)) => {
                let message = format!("A pointer to '{}' needs an explicit interface: {why}", target.name);
                Err(Diagnostic::error("T0687", span, message).because(of.span, "because of this"))
            }
            None => Ok(()),
        }
    }

    /// An error if a function is called that is a subroutine, or that has no type.
    pub fn check_function(&self, id: SymbolId, span: Span) -> Checked {
        let s = self.symbol(id);
        let p = s.procedure();
        if p.is_some_and(|p| p.kind == ProcedureKind::Subroutine) {
            let message = format!("'{}' is a subroutine, not a function", s.name);
            return Err(Diagnostic::error("T0571", span, message).because(s.span, "declared here"));
        }
        Ok(())
    }

    /// An error if a procedure that is not RECURSIVE calls itself, or its host.
    pub fn check_recursion(&self, id: SymbolId, span: Span) -> Checked {
        let s = self.symbol(id);
        let Some(p) = s.procedure().filter(|p| !p.is_recursive && !self.decls.options.recursive) else {
            return Ok(());
        };
        let hosts = std::iter::successors(Some(self.home), |&h| self.decls.scopes[h].parent);
        if p.scope.is_none() || !hosts.into_iter().any(|h| Some(h) == p.scope) {
            return Ok(());
        }
        let message = format!("'{}' calls itself, but is not RECURSIVE", s.name);
        let d = Diagnostic::error("T0581", span, message).because(s.span, "declared here");
        Err(d.help("write RECURSIVE before SUBROUTINE or FUNCTION"))
    }

    /// The error that `x` is changed, and is a scalar where other arguments of an elemental procedure are arrays (Fortran
    /// 2008, 12.8.3).
    pub fn changes_as_array(&self, x: ExprId, d: &Symbol) -> Diagnostic {
        let message = format!("The argument '{}' is changed: it must be an array, as another argument is", d.name);
        Diagnostic::error("T0580", self.ast.span(x), message).because(d.span, "declared here")
    }

    /// An error if `base` is a generic name, and none of its specific procedures fits the arguments of the call at `span`.
    pub fn check_called(&mut self, base: ExprId, args: ArgList, span: Span) -> Checked {
        let ExprKind::Name(name) = self.ast.expr(base).kind else { return Ok(()) };
        let Some(id) = self.typing.resolve(name) else { return Ok(()) };
        let s = self.symbol(id);
        let SymbolKind::Generic(candidates) = &s.kind else { return Ok(()) };
        if self.typing.specific(id, self.ast.args(args)).is_some() {
            return Ok(());
        }
        let message = format!("No specific procedure of '{}' fits these arguments", s.name);
        let mut d = Diagnostic::error("T0573", span, message);
        for &candidate in candidates.iter().take(4) {
            d = d.because(self.symbol(candidate).span, "this one does not fit");
        }
        Err(d)
    }

    /// An error if a function that is called in a FORALL is not PURE.
    pub fn must_be_pure(&self, id: SymbolId, x: ExprId) -> Checked {
        let s = self.symbol(id);
        if s.procedure().is_some_and(|p| p.is_pure || p.kind == ProcedureKind::Subroutine) {
            return Ok(());
        }
        let message = format!("The function '{}' in a FORALL is not PURE", s.name);
        Err(Diagnostic::error("T0582", self.ast.span(x), message).because(s.span, "declared here"))
    }

    /// An error if CALL names a function, or something that is no procedure.
    pub fn check_subroutine(&self, id: SymbolId, span: Span) -> Checked {
        let s = self.symbol(id);
        let why = match &s.kind {
            SymbolKind::Procedure(p) if p.class == ProcedureClass::Intrinsic => return Ok(()),
            SymbolKind::Procedure(p) if p.kind == ProcedureKind::Function => "is a function, not a subroutine",
            SymbolKind::Procedure(_) | SymbolKind::Unknown | SymbolKind::Error => return Ok(()),
            _ => "is not a subroutine",
        };
        let message = format!("'{}' {why}", s.name);
        Err(Diagnostic::error("T0570", span, message).because(s.span, "declared here"))
    }
}

fn word(intent: Intent) -> &'static str {
    if matches!(intent, Intent::In) { "IN" } else { "OUT" }
}

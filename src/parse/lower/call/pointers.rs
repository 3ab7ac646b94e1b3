//! Procedure pointers: variables and components that hold the address of a procedure.
//!
//! ```text
//! procedure(f), pointer :: p         integer(8) p
//! p => g                             p = address(@g)
//! y = p(x)                      =>   t = p;  y = t(x)
//! ```
//!
//! The symbol of a pointer, or its component, names a procedure of the same interface
//! ([`crate::sema::scope::symbol::Symbol::interface`]), by which arguments are matched and checked.

use crate::lower::Lower;
use crate::lower::call::Arguments;
use crate::lower::values::{Failed, Lowered, Val};
use crate::sema::scope::symbol::{ProcedureClass, ProcedureKind, SymbolId, SymbolKind};
use trueline_diag::{Diagnostic, Span};
use trueline_ir::{BinaryOp, Callee, Expr, ExprData, Head, ProcData, Rt, Sym, Type};
use trueline_syntax::Name;
use trueline_syntax::ast::{ArgList, ExprId, ExprKind};

/// A procedure pointer that is mentioned.
#[derive(Clone, Copy)]
pub(crate) struct ProcedurePointer {
    /// Where the address is.
    pub(crate) place: Expr,
    /// The procedure that has the interface.
    pub(crate) interface: SymbolId,
}

impl Lower<'_, '_> {
    /// The procedure pointer that `x` names, if it names one.
    pub(crate) fn procedure_pointer(&mut self, x: ExprId) -> Lowered<Option<ProcedurePointer>> {
        match self.ast.expr(x).kind {
            ExprKind::Name(name) => {
                let Some(id) = self.resolve(name) else { return Ok(None) };
                let s = self.symbol(id);
                let Some(interface) = s.interface.filter(|_| s.is_variable()) else { return Ok(None) };
                let place = self.variable(id, self.ast.span(x))?.e;
                Ok(Some(ProcedurePointer { place, interface }))
            }
            ExprKind::Component { base, name } => self.pointer_component(x, base, name),
            _ => Ok(None),
        }
    }

    fn pointer_component(&mut self, x: ExprId, base: ExprId, name: Name) -> Lowered<Option<ProcedurePointer>> {
        let text = self.ast.name(name);
        let any = self
            .cx
            .decls
            .structures
            .values()
            .any(|s| s.find(text).is_some_and(|k| s.components[k].interface.is_some()));
        if !any {
            return Ok(None);
        }
        let (part, k, id) = self.component_part(x, base, name)?;
        let Some(interface) = self.cx.decls.structures[id].components[k].interface else { return Ok(None) };
        let v = self.whole_part(x, &part)?;
        self.must_be_scalar(x, v.e)?;
        Ok(Some(ProcedurePointer { place: v.e, interface }))
    }

    /// The address of a procedure, or what a pointer to one holds; none if `x` is something else.
    pub(crate) fn procedure_value(&mut self, x: ExprId) -> Lowered<Option<Expr>> {
        if self.is_null(x) {
            return Ok(Some(self.int8(0)));
        }
        if let Some(p) = self.procedure_pointer(x)? {
            return Ok(Some(p.place));
        }
        if self.gives_procedure(x) {
            return Ok(Some(self.value(x)?));
        }
        // A closure made here is not given back: the pointer may hold it as long as it likes.
        let mut out = Arguments::default();
        let Some(address) = self.procedure_argument(x, None, &mut out)? else { return Ok(None) };
        Ok(Some(match self.e.expr(address) {
            ExprData::ProcAddr(_) => self.call_rt_value(Rt::Address, &[address], Type::I8),
            _ => address,
        }))
    }

    /// Whether `x` is a reference of a function whose result is a procedure pointer.
    pub(crate) fn gives_procedure(&self, x: ExprId) -> bool {
        let ExprKind::Call { base, .. } = self.ast.expr(x).kind else { return false };
        match self.ast.expr(base).kind {
            ExprKind::Name(name) => self.resolve(name).is_some_and(|id| {
                let s = self.symbol(id);
                // A function, or a pointer to one.
                let function = if s.is_variable() { s.interface.map(|i| self.symbol(i)) } else { Some(s) };
                function.is_some_and(|f| f.interface.is_some() && f.procedure().is_some())
            }),
            ExprKind::Component { name, .. } => {
                let text = self.ast.name(name);
                self.cx.decls.structures.values().any(|s| {
                    let interface = s.find(text).and_then(|k| s.components[k].interface);
                    interface.is_some_and(|i| self.symbol(i).interface.is_some())
                })
            }
            _ => false,
        }
    }

    /// `target => value`, if the target is a procedure pointer.
    pub(crate) fn assign_procedure(&mut self, target: ExprId, value: ExprId) -> Lowered<bool> {
        let Some(p) = self.procedure_pointer(target)? else { return Ok(false) };
        if let ExprKind::Name(_) = self.ast.expr(target).kind {
            self.check_definable(target, "assigned")?;
        }
        let Some(address) = self.procedure_value(value)? else {
            let message = "A procedure pointer can point to a procedure only";
            return Err(self.error("T0687", self.ast.span(value), message));
        };
        self.check_interface(p.interface, value)?;
        self.assign(p.place, address);
        Ok(true)
    }

    /// An error if the value is of another interface than the pointer.
    fn check_interface(&mut self, interface: SymbolId, value: ExprId) -> Lowered<()> {
        let target = match self.ast.expr(value).kind {
            ExprKind::Name(name) => self.resolve(name),
            ExprKind::Component { .. } => self.procedure_pointer(value)?.map(|p| p.interface),
            _ => None,
        };
        let Some(id) = target else { return Ok(()) };
        let target = self.symbol(id);
        let target = target.interface.filter(|_| target.is_variable()).map_or(target, |i| self.symbol(i));
        let wanted = self.symbol(interface);
        let Some(p) = target.procedure().filter(|p| p.class != ProcedureClass::Intrinsic) else { return Ok(()) };
        let decls = self.cx.decls;
        let span = self.ast.span(value);
        if let Some(why) = crate::sema::types::interfaces::mismatch(decls, wanted, target) {
            let message = format!("The pointer has another interface than '{}': {why}", target.name);
            return Err(self.report(Diagnostic::error("T0687", span, message).because(target.span, "declared here")));
        }
        let is_implicit = wanted.procedure().is_some_and(|p| p.scope.is_none());
        match crate::sema::types::interfaces::must_be_explicit(decls, target, p).filter(|_| is_implicit) {
            Some((of, why)) => {
                let message = format!("A pointer to '{}' needs an explicit interface: {why}", target.name);
                Err(self.report(Diagnostic::error("T0687", span, message).because(of.span, "because of this")))
            }
            None => Ok(()),
        }
    }

    /// An error if the dummy argument is a procedure, which `x` is not.
    pub(crate) fn must_be_procedure(&mut self, x: ExprId, dummy: Option<SymbolId>) -> Lowered<()> {
        let Some(d) = dummy.map(|d| self.symbol(d)) else { return Ok(()) };
        let is_declared = |l: &Self| l.root_of(x).is_none_or(|id| l.symbol(id).attrs.typed || l.symbol(id).is_array());
        if d.procedure().is_none() || !is_declared(self) || (d.attrs.optional && self.is_null(x)) {
            return Ok(());
        }
        let message = format!("The argument '{}' is a procedure, but what is passed is none", d.name);
        Err(self.report(Diagnostic::error("T0579", self.ast.span(x), message).because(d.span, "declared here")))
    }

    /// An error if the intrinsic function cannot stand for the dummy procedure, by the type of its result.
    fn check_intrinsic(&mut self, dummy: Option<SymbolId>, name: &str, ty: Type, span: Span) -> Lowered<()> {
        let Some(d) = dummy.map(|d| self.symbol(d)) else { return Ok(()) };
        let Some(p) = d.procedure() else { return Ok(()) };
        let result = p.result.map_or(d, |r| self.symbol(r));
        let is_known = p.scope.is_some() || d.attrs.typed;
        let why = match p.kind {
            ProcedureKind::Subroutine => "it is a function",
            ProcedureKind::Function if is_known && result.ty.is_some_and(|t| t != ty) => "the results differ in type",
            ProcedureKind::Function if p.scope.is_some() && p.dummies.is_empty() => "it has arguments",
            _ => return Ok(()),
        };
        let message = format!("'{name}' has another interface than the argument '{}': {why}", d.name);
        Err(self.report(Diagnostic::error("T0579", span, message).because(d.span, "declared here")))
    }

    /// An error if the procedure `actual` is not of the interface of the dummy procedure.
    fn check_passed(&mut self, dummy: Option<SymbolId>, actual: SymbolId, span: Span) -> Lowered<()> {
        let Some(d) = dummy.map(|d| self.symbol(d)).filter(|d| d.procedure().is_some()) else { return Ok(()) };
        let actual = self.symbol(actual);
        let Some(why) = crate::sema::types::interfaces::mismatch(self.cx.decls, d, actual) else { return Ok(()) };
        let message = format!("'{}' has another interface than the argument '{}': {why}", actual.name, d.name);
        Err(self.report(Diagnostic::error("T0579", span, message).because(d.span, "declared here")))
    }

    /// `NULLIFY`, if `x` is a procedure pointer.
    pub(crate) fn nullify_procedure(&mut self, x: ExprId) -> Lowered<bool> {
        let Some(p) = self.procedure_pointer(x)? else { return Ok(false) };
        let zero = self.int8(0);
        self.assign(p.place, zero);
        Ok(true)
    }

    /// `ASSOCIATED`, if `x` is a procedure pointer.
    pub(crate) fn procedure_association(&mut self, x: ExprId, target: Option<ExprId>) -> Lowered<Option<Val>> {
        let address = match self.procedure_pointer(x)? {
            Some(p) => p.place,
            None if self.gives_procedure(x) => self.value(x)?,
            None => return Ok(None),
        };
        let address = self.in_register(address);
        let zero = self.int8(0);
        let there = self.make(ExprData::Binary(BinaryOp::Ne, address, zero));
        let Some(x) = target else { return Ok(Some(Val::plain(there))) };
        let Some(other) = self.procedure_value(x)? else {
            return Err(self.error("T0687", self.ast.span(x), "A procedure is needed here"));
        };
        // Each mention of an internal procedure makes a closure of its own.
        let equal = self.call_rt_value(trueline_ir::Rt::ClosureSame, &[address, other], trueline_ir::Type::I4);
        let zero = self.int4(0);
        let same = self.make(ExprData::Binary(BinaryOp::Ne, equal, zero));
        Ok(Some(Val::plain(self.make(ExprData::Binary(BinaryOp::And, there, same)))))
    }

    /// The register that a call through the pointer goes to. It is set by what no pass takes away or moves, as the
    /// address of a dummy procedure never changes.
    fn called_through(&mut self, p: ProcedurePointer) -> Sym {
        let register = self.register("procedure", Type::I8);
        let args = self.b.list(&[p.place]);
        self.push(Head::Call { callee: Callee::Rt(Rt::Barrier), args, result: register.into() });
        register
    }

    /// `p(args)` in an expression.
    pub(crate) fn call_pointer_function(&mut self, span: Span, p: ProcedurePointer, args: ArgList) -> Lowered<Val> {
        let register = self.called_through(p);
        self.callee = Some(register);
        let list = self.ast.args(args);
        let v = self.call_function(span, p.interface, list);
        self.callee = None;
        v
    }

    /// `CALL p(args)`.
    pub(crate) fn call_pointer_subroutine(&mut self, span: Span, p: ProcedurePointer, args: ArgList) -> Lowered<()> {
        let s = self.symbol(p.interface);
        if s.procedure().is_some_and(|p| p.kind == crate::sema::scope::symbol::ProcedureKind::Function) {
            let message = format!("'{}' points to functions, not to subroutines", s.name);
            return Err(self.report(Diagnostic::error("T0570", span, message).because(s.span, "declared here")));
        }
        let callee = Some(self.called_through(p));
        let list = self.ast.args(args);
        self.call_subroutine(p.interface, span, list, Arguments { callee, ..Arguments::default() })
    }

    /// An argument list, of the call through a pointer that is being made if there is one.
    pub(crate) fn new_arguments(&mut self) -> Arguments {
        Arguments { callee: self.callee.take(), ..Arguments::default() }
    }

    /// The actual argument of a dummy that is a procedure pointer, unless it is one itself.
    pub(crate) fn pointer_argument(&mut self, x: ExprId, out: &mut Arguments) -> Lowered<bool> {
        if self.procedure_pointer(x)?.is_some() {
            return Ok(false);
        }
        let Some(address) = self.procedure_value(x)? else { return Err(self.not_a_procedure(x)) };
        let memory = self.memory(Type::I8, None, &[]);
        let place = self.var(memory);
        self.assign(place, address);
        let address = self.address(trueline_ir::Access::In, place);
        out.list.push(address);
        Ok(true)
    }

    fn not_a_procedure(&mut self, x: ExprId) -> Failed {
        self.error("T0687", self.ast.span(x), "A procedure or a procedure pointer is needed here")
    }

    /// A procedure as an argument: its address.
    pub(crate) fn procedure_argument(
        &mut self,
        x: ExprId,
        dummy: Option<SymbolId>,
        out: &mut Arguments,
    ) -> Lowered<Option<Expr>> {
        let span = self.ast.span(x);
        if dummy.is_some_and(|d| self.symbol(d).interface.is_some()) {
            return Ok(None);
        }
        if dummy.is_none_or(|d| self.symbol(d).procedure().is_some()) {
            let found = match self.procedure_pointer(x)? {
                Some(p) => Some(p.place),
                None if self.gives_procedure(x) => Some(self.value(x)?),
                None => None,
            };
            if let Some(address) = found {
                out.passes_dummy = true;
                return Ok(Some(self.in_register(address)));
            }
        }
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return Ok(None) };
        let Some(id) = self.resolve(name) else { return Ok(None) };
        let s = self.symbol(id);
        let SymbolKind::Procedure(p) = &s.kind else { return Ok(None) };
        if p.class != ProcedureClass::Intrinsic {
            if p.is_elemental {
                let message = format!("'{}' is ELEMENTAL: it can be called, but neither passed nor pointed to", s.name);
                return Err(self.report(Diagnostic::error("T0579", span, message).because(s.span, "declared here")));
            }
            self.check_passed(dummy, id, span)?;
        }
        match p.class {
            ProcedureClass::Dummy => {
                out.passes_dummy = true;
                let sym = self.binding(id, span)?.sym;
                Ok(Some(self.var(sym)))
            }
            ProcedureClass::Intrinsic => match crate::sema::intrinsic::specific(&s.name) {
                Some((symbol, result)) => {
                    self.check_intrinsic(dummy, &s.name, result, span)?;
                    let proc = self.b.proc(ProcData {
                        symbol,
                        name: s.name.clone(),
                        result: Some(result),
                        is_pure: true,
                        always_returns: true,
                        is_libm: false,
                    });
                    Ok(Some(self.make(ExprData::ProcAddr(proc))))
                }
                None => {
                    let message = format!("The intrinsic procedure '{}' cannot be an argument", s.name);
                    Err(self.error("T0579", span, message))
                }
            },
            ProcedureClass::Internal if p.scope.is_some_and(|scope| self.needs_environment(id, scope)) => {
                let scope = p.scope.ok_or(Failed)?;
                let address = self.closure(id, scope, out)?;
                Ok(Some(self.var(address)))
            }
            _ => {
                let result = match p.kind {
                    ProcedureKind::Function => s.ty.filter(|&ty| ty != Type::Char),
                    _ => None,
                };
                let proc = self.proc_of(id, result);
                Ok(Some(self.make(ExprData::ProcAddr(proc))))
            }
        }
    }
}

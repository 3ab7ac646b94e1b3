//! Procedure pointers: variables and components that hold the address of a procedure.
//!
//! ```text
//! procedure(f), pointer :: p         integer(8) p
//! p => g                             p = address(@g)
//! y = p(x)                      =>   t = p;  y = t(x)
//! ```
//!
//! The symbol of a pointer, or its component, names a procedure of the same interface
//! ([`trueline_sema::scope::symbol::Symbol::interface`]), by which arguments are matched and checked.

use crate::call::Arguments;
use crate::expr::Exprs;
use crate::intrinsic::Intrinsics;
use crate::stmt::Stmts;
use crate::values::{Checked, Val};
use crate::variables::Variables;
use trueline_diag::Span;
use trueline_ir::{BinaryOp, Callee, Expr, ExprData, Head, ProcData, Rt, Sym, Type};
use trueline_sema::scope::symbol::{ProcedureClass, ProcedureKind, SymbolId, SymbolKind};
use trueline_syntax::Name;
use trueline_syntax::ast::{ArgList, ExprId, ExprKind};

/// A procedure pointer that is mentioned.
#[derive(Clone, Copy)]
pub(crate) struct ProcedurePointer {
    /// The pointer's value, an address.
    pub(crate) place: Expr,
    /// The procedure that has the interface.
    pub(crate) interface: SymbolId,
    /// Where it is mentioned.
    at: ExprId,
}

impl Exprs<'_> {
    /// The procedure pointer that `x` names, if it names one.
    pub(crate) fn procedure_pointer(&mut self, x: ExprId) -> Option<ProcedurePointer> {
        match self.ast.expr(x).kind {
            ExprKind::Name(name) => {
                let id = self.resolve(name)?;
                let s = self.symbol(id);
                let interface = s.interface.filter(|_| s.is_variable())?;
                let place = self.variable(id, self.ast.span(x)).e;
                Some(ProcedurePointer { place, interface, at: x })
            }
            ExprKind::Component { base, name } => self.pointer_component(x, base, name),
            _ => None,
        }
    }

    fn pointer_component(&mut self, x: ExprId, base: ExprId, name: Name) -> Option<ProcedurePointer> {
        self.typing().procedure_pointer(x)?;
        let (part, k, id) = self.component_part(base, name);
        let interface = self.cx.decls.structures[id].components[k].interface?;
        let v = self.whole_part(&part);
        Some(ProcedurePointer { place: v.e, interface, at: x })
    }

    /// The address of a procedure, or the value of a pointer to one; none if `x` is something else.
    pub(crate) fn procedure_value(&mut self, x: ExprId) -> Option<Expr> {
        if self.is_null(x) {
            return Some(self.int8(0));
        }
        if let Some(p) = self.procedure_pointer(x) {
            return Some(p.place);
        }
        if self.typing().gives_procedure(x) {
            return Some(self.value(x));
        }
        // A closure made here is not given back: the pointer may hold it as long as it likes.
        let mut out = Arguments::default();
        let address = self.procedure_argument(x, None, &mut out)?;
        Some(match self.e.expr(address) {
            ExprData::ProcAddr(_) => self.call_rt_value(Rt::Address, &[address], Type::I8),
            _ => address,
        })
    }

    /// `p(args)` in an expression.
    pub(crate) fn call_pointer_function(&mut self, span: Span, p: ProcedurePointer, args: ArgList) -> Val {
        let register = self.called_through(p);
        self.callee = Some(register);
        let list = self.ast.args(args);
        let v = self.call_function(span, p.interface, list);
        self.callee = None;
        v
    }

    /// An argument list, of the call through a pointer that is being made if there is one.
    pub(crate) fn new_arguments(&mut self) -> Arguments {
        Arguments { callee: self.callee.take(), ..Arguments::default() }
    }

    /// The actual argument of a dummy that is a procedure pointer, but is none itself.
    pub(crate) fn pointer_argument(&mut self, x: ExprId, dummy: Option<SymbolId>, out: &mut Arguments) {
        let address = self.procedure_value(x).checked();
        let memory = self.memory(Type::I8, None, &[]);
        let place = self.var(memory);
        self.assign(place, address);
        let address = self.address(trueline_ir::Access::In, place);
        out.list.push(address);
        for _ in dummy.map(|d| crate::symbols::extras(self.symbol(d))).unwrap_or_default() {
            let one = self.int8(1);
            out.further.push(one);
        }
    }

    /// A procedure as an argument: its address.
    pub(crate) fn procedure_argument(
        &mut self,
        x: ExprId,
        dummy: Option<SymbolId>,
        out: &mut Arguments,
    ) -> Option<Expr> {
        let span = self.ast.span(x);
        if dummy.is_none_or(|d| self.symbol(d).procedure().is_some()) {
            let found = match self.procedure_pointer(x) {
                Some(p) => Some(p.place),
                None if self.typing().gives_procedure(x) => Some(self.value(x)),
                None => None,
            };
            if let Some(address) = found {
                out.passes_dummy = true;
                return Some(self.in_register(address));
            }
        }
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return None };
        let id = self.resolve(name)?;
        let s = self.symbol(id);
        let SymbolKind::Procedure(p) = &s.kind else { return None };
        match p.class {
            ProcedureClass::Dummy => {
                out.passes_dummy = true;
                let sym = self.binding(id, span).sym;
                Some(self.var(sym))
            }
            ProcedureClass::Intrinsic => {
                let (symbol, result) = trueline_sema::intrinsic::specific(&s.name).checked();
                let proc = self.b.proc(ProcData {
                    symbol,
                    name: s.name.clone(),
                    result: Some(result),
                    is_pure: true,
                    always_returns: true,
                    is_libm: false,
                });
                Some(self.make(ExprData::ProcAddr(proc)))
            }
            ProcedureClass::Internal if p.scope.is_some_and(|scope| self.needs_environment(id, scope)) => {
                let scope = p.scope.checked();
                let address = self.closure(id, scope, out);
                Some(self.var(address))
            }
            _ => {
                // Other results than scalars with a value of their own are known where they are called.
                let r = p.result.map_or(s, |r| self.symbol(r));
                let is_value = r.rank() == 0 && !r.attrs.pointer && !r.attrs.allocatable;
                let is_value = is_value && p.kind == ProcedureKind::Function;
                let result = s.ty.filter(|&ty| is_value && ty != Type::Char);
                let proc = self.proc_of(id, result);
                Some(self.make(ExprData::ProcAddr(proc)))
            }
        }
    }
}

impl Stmts<'_> {
    /// `target => value`, if the target is a procedure pointer.
    pub(crate) fn assign_procedure(&mut self, target: ExprId, value: ExprId) -> bool {
        let Some(p) = self.procedure_pointer(target) else { return false };
        let address = self.procedure_value(value).checked();
        self.assign(p.place, address);
        true
    }

    /// `NULLIFY`, if `x` is a procedure pointer.
    pub(crate) fn nullify_procedure(&mut self, x: ExprId) -> bool {
        let Some(p) = self.procedure_pointer(x) else { return false };
        let zero = self.int8(0);
        self.assign(p.place, zero);
        true
    }

    /// `CALL p(args)`.
    pub(crate) fn call_pointer_subroutine(&mut self, span: Span, p: ProcedurePointer, args: ArgList) {
        let callee = Some(self.called_through(p));
        let list = self.ast.args(args);
        self.call_subroutine(p.interface, span, list, Arguments { callee, ..Arguments::default() })
    }
}

impl Intrinsics<'_, '_> {
    /// `ASSOCIATED`, if `x` is a procedure pointer.
    pub(crate) fn procedure_association(&mut self, x: ExprId, target: Option<ExprId>) -> Option<Val> {
        let address = match self.procedure_pointer(x) {
            Some(p) => p.place,
            None if self.typing().gives_procedure(x) => self.value(x),
            None => return None,
        };
        let address = self.in_register(address);
        let zero = self.int8(0);
        let there = self.make(ExprData::Binary(BinaryOp::Ne, address, zero));
        let Some(x) = target else { return Some(Val::plain(there)) };
        let other = self.procedure_value(x).checked();
        // Each mention of an internal procedure makes a closure of its own.
        let equal = self.call_rt_value(trueline_ir::Rt::ClosureSame, &[address, other], trueline_ir::Type::I4);
        let zero = self.int4(0);
        let same = self.make(ExprData::Binary(BinaryOp::Ne, equal, zero));
        Some(Val::plain(self.make(ExprData::Binary(BinaryOp::And, there, same))))
    }
}

impl Variables<'_> {
    /// The register that a call through the pointer goes to. A call sets it, which no pass removes or moves: like the
    /// address of a dummy procedure, the register never changes.
    fn called_through(&mut self, p: ProcedurePointer) -> Sym {
        let register = self.register("procedure", Type::I8);
        let args = self.b.list(&[p.place]);
        self.push(Head::Call { callee: Callee::Rt(Rt::Procedure), args, result: register.into() });
        if self.checks().pointer {
            let (value, zero) = (self.var(register), self.int8(0));
            let missing = self.make(ExprData::Binary(BinaryOp::Eq, value, zero));
            let text = format!("Procedure pointer '{}' is not associated", self.name_at(p.at));
            self.fault_if(self.ast.span(p.at), missing, &text, &[]);
        }
        register
    }
}

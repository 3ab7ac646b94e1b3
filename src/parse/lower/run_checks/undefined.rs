//! Variables that are used before they have a value, and results that are never set.
//!
//! ```text
//! real :: x          defined.x = 0
//! y = x + 1    =>    if (defined.x == 0) call fault(…);  y = x + 1
//! call s(x)          defined.x = 1;  call s(x)
//! ```
//!
//! Each local variable that nothing else can reach has a register beside it. It is set wherever the variable is mentioned and its value
//! is not read: as the target of an assignment, as an argument, in READ. So a variable that some statement may have defined is
//! never reported. An array counts as a whole.

use crate::variables::Variables;
use trueline_diag::Span;
use trueline_ir::{BinaryOp, ExprData, Sym, Type};
use trueline_sema::Initial;
use trueline_sema::scope::symbol::{ProcedureKind, Symbol, SymbolId};
use trueline_syntax::ast::{ExprId, ExprKind};

impl Variables<'_> {
    /// At entry: none of the variables has a value.
    pub(crate) fn watch_definitions(&mut self, own: &Symbol) {
        let checks = self.cx.decls.options.checks;
        let scope = &self.cx.decls.scopes[self.home];
        if !scope.entries.is_empty() || self.cx.decls.options.initial != Initial::default() {
            return;
        }
        let is_function = own.procedure().filter(|p| p.kind == ProcedureKind::Function);
        let result = is_function.and_then(|p| p.result).filter(|&id| checks.results && self.is_watched(id));
        self.checked_result = result;
        let locals = scope.own.iter().copied().filter(|_| checks.undefined);
        let locals: Vec<SymbolId> =
            locals.filter(|&id| self.is_new_at_entry(self.symbol(id)) && self.is_watched(id)).collect();
        for id in result.into_iter().chain(locals) {
            if self.defined.contains_key(&id) {
                continue;
            }
            let name = format!("defined.{}", self.symbol(id).name);
            let register = self.register(&name, Type::I4);
            let (place, zero) = (self.var(register), self.int(Type::I4, 0));
            self.assign(place, zero);
            self.defined.insert(id, register);
        }
    }

    /// Whether all mentions of the variable are in this procedure, by its name.
    fn is_watched(&self, id: SymbolId) -> bool {
        let s = self.symbol(id);
        let a = &s.attrs;
        let reached = a.target || a.volatile || a.closure || a.equivalenced || a.common || a.associate;
        s.is_variable()
            && s.structure.is_none()
            && s.interface.is_none()
            && !s.is_indirect()
            && !reached
            && s.value.is_none()
            && s.element_count().is_some_and(|n| n > 0)
            // An array without elements has all its values.
            && s.shape.iter().all(|b| b.size().is_some_and(|n| n > 0))
            && !self.cx.facts.is_captured(self.cx.decls, self.home, id)
    }

    /// The value of `x` is about to be read.
    pub(crate) fn begin_reading(&mut self, x: ExprId) {
        self.reads = None;
        if self.defined.is_empty() {
            return;
        }
        let mut base = x;
        while let ExprKind::Call { base: inner, .. } = self.ast.expr(base).kind {
            base = inner;
        }
        let ExprKind::Name(name) = self.ast.expr(base).kind else { return };
        let id = self.resolve(name).filter(|id| !self.associates.contains_key(id) && self.hidden.find(*id).is_none());
        let id = id.filter(|id| self.defined.contains_key(id));
        // A section may have no elements: then nothing is read.
        let is_section = base != x && self.typing().of(x).is_none_or(|t| t.rank() > 0 || t.ty == Type::Char);
        self.reads = id.filter(|_| !is_section);
    }

    /// The variable that `target` is part of gets its value after the value has been evaluated: until then it is not watched.
    pub(crate) fn begin_defining(&mut self, target: ExprId) -> Option<(SymbolId, Sym)> {
        if self.defined.is_empty() {
            return None;
        }
        let id = self.root_of(target)?;
        Some((id, self.defined.remove(&id)?))
    }

    /// From now on the variable is watched again.
    pub(crate) fn end_defining(&mut self, defined: Option<(SymbolId, Sym)>) {
        self.defined.extend(defined);
    }

    /// The variable has a value.
    pub(crate) fn note_defined(&mut self, defined: Option<(SymbolId, Sym)>) {
        if let Some((_, register)) = defined.filter(|_| !self.in_forall) {
            let (flag, one) = (self.var(register), self.int(Type::I4, 1));
            self.assign(flag, one);
        }
    }

    /// A FORALL begins: any array may get a value there, and nothing can be noted inside, where all values of a statement come before
    /// any of its assignments. So no mention in it counts.
    pub(crate) fn define_arrays(&mut self) {
        let mut arrays: Vec<(SymbolId, Sym)> = self.defined.iter().map(|(&id, &register)| (id, register)).collect();
        arrays.retain(|&(id, _)| self.symbol(id).is_array());
        arrays.sort_unstable();
        let one = self.int(Type::I4, 1);
        for (_, register) in arrays {
            let flag = self.var(register);
            self.assign(flag, one);
        }
    }

    /// The variable is mentioned: if its value is read it must have one, else it has one from now on.
    pub(crate) fn note_mention(&mut self, id: SymbolId, at: Span) {
        let Some(&register) = self.defined.get(&id) else { return };
        let (flag, one) = (self.var(register), self.int(Type::I4, 1));
        let is_read = self.reads.take() == Some(id);
        if self.in_forall {
            return;
        }
        if !is_read {
            return self.assign(flag, one);
        }
        if self.checks().undefined {
            let undefined = self.make(ExprData::Binary(BinaryOp::Ne, flag, one));
            let text = format!("Variable '{}' is used before it has a value", self.symbol(id).name);
            self.fault_if(at, undefined, &text, &[]);
        }
    }

    /// On the way out: the result of a function must have a value.
    pub(crate) fn check_result_set(&mut self) {
        let Some(id) = self.checked_result else { return };
        let Some(&register) = self.defined.get(&id) else { return };
        let (flag, one) = (self.var(register), self.int(Type::I4, 1));
        let missing = self.make(ExprData::Binary(BinaryOp::Ne, flag, one));
        let function = self.cx.decls.scopes[self.home].symbol.unwrap_or(id);
        let (name, at) = (&self.symbol(function).name, self.symbol(function).span);
        self.fault_if(at, missing, &format!("The result of function '{name}' is not set"), &[]);
    }
}

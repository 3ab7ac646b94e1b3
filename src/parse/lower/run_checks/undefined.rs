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
//! never reported. Arrays are in `elements`.

use crate::expr::Exprs;
use crate::variables::Variables;
use rustc_hash::FxHashMap;
use trueline_diag::Span;
use trueline_ir::{BinaryOp, Expr, ExprData, Intent, Sym, Type};
use trueline_sema::Initial;
use trueline_sema::scope::symbol::{Home, ProcedureKind, Symbol, SymbolId};
use trueline_syntax::ast::{ExprId, ExprKind};

/// A variable that is not watched for a while, and its registers.
pub(crate) struct Unwatched {
    id: SymbolId,
    flag: Option<Sym>,
    parts: Option<Vec<Sym>>,
}

/// All that is watched, while nothing is.
pub(crate) struct Silent {
    defined: FxHashMap<SymbolId, Sym>,
    parts: FxHashMap<SymbolId, Vec<Sym>>,
    aliases: crate::run_checks::aliases::Aliases,
}

impl Variables<'_> {
    /// At entry: none of the variables has a value.
    fn watch_locals(&mut self, own: &Symbol) {
        let checks = self.cx.decls.options.checks;
        let scope = &self.cx.decls.scopes[self.home];
        if self.cx.decls.options.initial != Initial::default() {
            return;
        }
        let is_function = own.procedure().filter(|p| p.kind == ProcedureKind::Function);
        let result = is_function.and_then(|p| p.result).filter(|&id| checks.results && self.is_watched(id));
        self.checked_result = result;
        let locals = scope.own.iter().copied().filter(|_| checks.undefined);
        let locals: Vec<SymbolId> = locals.filter(|&id| self.is_new(id) && self.is_reached_by_name(id)).collect();
        for id in result.into_iter().chain(locals) {
            if self.defined.contains_key(&id) {
                continue;
            }
            if self.symbol(id).structure.is_some() {
                if Some(id) != result && self.has_watched_components(self.symbol(id)) {
                    self.watch_components(id);
                }
                continue;
            }
            let is_array = self.symbol(id).is_array();
            if Some(id) != result && !is_array && !self.is_watched(id) && !self.is_output(self.symbol(id)) {
                continue;
            }
            let name = format!("defined.{}", self.symbol(id).name);
            let register = self.register(&name, Type::I4);
            let (place, zero) = (self.var(register), self.int(Type::I4, 0));
            self.assign(place, zero);
            self.defined.insert(id, register);
            if Some(id) == result {
                // The results of all names are one variable.
                let all = trueline_sema::storage::results::results(self.cx.decls, self.home);
                self.defined.extend(all.into_iter().map(|r| (r, register)));
            }
            if Some(id) != result && is_array {
                self.watch_elements(id, register);
                if !self.has_shadow(id) && !self.is_watched(id) {
                    self.defined.remove(&id);
                }
            }
        }
    }

    /// Whether the variable has no value at entry.
    fn is_new(&self, id: SymbolId) -> bool {
        let s = self.symbol(id);
        let is_automatic = s.home == Home::Automatic && s.is_array();
        let is_allocatable = s.home == Home::Allocatable && s.attrs.allocatable && s.is_array() && !s.attrs.result;
        self.is_new_at_entry(s) || is_automatic || is_allocatable || self.is_output(s)
    }

    /// Whether it is a dummy argument that loses its value at entry.
    fn is_output(&self, s: &Symbol) -> bool {
        let is_plain = !s.attrs.optional && !s.attrs.value && !s.is_indirect() && s.structure.is_none();
        matches!(s.home, Home::Dummy { .. }) && s.intent == Intent::Out && is_plain && !s.is_assumed_size()
    }

    /// Whether all mentions of the variable are in this procedure, by its name.
    fn is_reached_by_name(&self, id: SymbolId) -> bool {
        let s = self.symbol(id);
        let a = &s.attrs;
        let reached = a.target || a.volatile || a.closure || a.equivalenced || a.common || a.associate || a.pointer;
        s.is_variable()
            && s.interface.is_none()
            && !reached
            && s.value.is_none()
            && !self.cx.facts.is_captured(self.cx.decls, self.home, id)
    }

    /// The same of a variable of constant size, with elements, that a register can stand for.
    fn is_watched(&self, id: SymbolId) -> bool {
        let s = self.symbol(id);
        self.is_reached_by_name(id)
            && s.structure.is_none()
            && !s.is_indirect()
            && s.element_count().is_some_and(|n| n > 0)
            // An array without elements has all its values.
            && s.shape.iter().all(|b| b.size().is_some_and(|n| n > 0))
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
        self.reads = id.filter(|&id| !is_section || self.has_shadow(id));
    }

    /// The variable that `target` is part of gets its value after the value has been evaluated: until then it is not watched.
    pub(crate) fn begin_defining(&mut self, target: ExprId) -> Option<Unwatched> {
        if self.defined.is_empty() && self.parts.is_empty() {
            return None;
        }
        let id = self.root_of(target)?;
        let (flag, parts) = (self.defined.remove(&id), self.parts.remove(&id));
        (flag.is_some() || parts.is_some()).then_some(Unwatched { id, flag, parts })
    }

    /// From now on the variable is watched again.
    pub(crate) fn end_defining(&mut self, defined: Option<Unwatched>) -> Option<SymbolId> {
        let of = defined?;
        self.defined.extend(of.flag.map(|flag| (of.id, flag)));
        self.parts.extend(of.parts.map(|parts| (of.id, parts)));
        Some(of.id)
    }

    /// A FORALL begins: any array may get a value there, and nothing can be noted inside, where all values of a statement come before
    /// any of its assignments. So no mention in it counts.
    pub(crate) fn define_arrays(&mut self) {
        let mut arrays: Vec<(SymbolId, Sym)> = self.defined.iter().map(|(&id, &register)| (id, register)).collect();
        arrays.retain(|&(id, _)| self.symbol(id).is_array());
        arrays.sort_unstable();
        for (_, register) in arrays {
            self.e.set_flag(register);
        }
    }

    /// The descriptor of the variable is given to somebody, who may do anything.
    pub(crate) fn note_given(&mut self, id: SymbolId) {
        if let Some(&register) = self.defined.get(&id).filter(|_| !self.in_forall && self.has_shadow(id)) {
            self.e.set_flag(register);
            self.define_block_of(id);
        }
    }

    /// The variable is mentioned: if its value is read it must have one, else it has one from now on.
    pub(crate) fn note_mention(&mut self, id: SymbolId, at: Span) {
        if self.parts.contains_key(&id) {
            return self.note_part(id, None);
        }
        let Some(&register) = self.defined.get(&id) else { return };
        let flag = self.var(register);
        let is_read = self.reads.take() == Some(id);
        if self.in_forall {
            return;
        }
        if !is_read {
            self.e.set_flag(register);
            return self.define_block_of(id);
        }
        if self.is_certain(register) {
            return;
        }
        // The place that is read is looked at when it is known.
        if !self.has_shadow(id) && self.checks().undefined {
            let none = self.none_of(register);
            let none = self.int(Type::I4, none);
            let undefined = self.make(ExprData::Binary(BinaryOp::Eq, flag, none));
            let text = format!("Variable '{}' is used before it has a value", self.symbol(id).name);
            self.fault_if(at, undefined, &text, &[]);
            self.e.make_certain(register);
        }
    }

    /// On the way out: the result of a function must have a value.
    pub(crate) fn check_result_set(&mut self) {
        let Some(id) = self.checked_result else { return };
        let Some(&register) = self.defined.get(&id).filter(|&&register| !self.is_certain(register)) else { return };
        let (flag, one) = (self.var(register), self.int(Type::I4, 1));
        let missing = self.make(ExprData::Binary(BinaryOp::Ne, flag, one));
        let function = self.cx.decls.scopes[self.home].symbol.unwrap_or(id);
        for (called, is_called) in self.called_names() {
            let missing = match is_called {
                Some(is_called) => self.make(ExprData::Binary(BinaryOp::And, missing, is_called)),
                None => missing,
            };
            let function = called.unwrap_or(function);
            let (name, at) = (self.symbol(function).name.clone(), self.symbol(function).span);
            self.fault_if(at, missing, &format!("The result of function '{name}' is not set"), &[]);
        }
    }
}

impl Exprs<'_> {
    /// At entry: which variables have no value.
    pub(crate) fn watch_definitions(&mut self, own: &Symbol) {
        self.watch_locals(own);
        let options = &self.cx.decls.options;
        if options.checks.undefined && options.initial == Initial::default() {
            self.watch_kept();
        }
    }

    /// Watches nothing until [`Exprs::listen`]: the values of the next expressions are not used.
    pub(crate) fn silence(&mut self) -> Silent {
        Silent {
            defined: std::mem::take(&mut self.defined),
            parts: std::mem::take(&mut self.parts),
            aliases: std::mem::take(&mut self.aliases),
        }
    }

    /// Watches again.
    pub(crate) fn listen(&mut self, outer: Silent) {
        (self.defined, self.parts, self.aliases) = (outer.defined, outer.parts, outer.aliases);
    }

    /// The place `e`, which is the variable at `target` or part of it, has a value.
    pub(crate) fn note_defined(&mut self, defined: Option<SymbolId>, target: ExprId, e: Expr) {
        let Some(id) = defined.filter(|_| !self.in_forall) else { return };
        if self.parts.contains_key(&id) {
            let component = self.watched_part(target).map(|(_, k)| k);
            return self.note_part(id, component);
        }
        let Some(&register) = self.defined.get(&id) else { return };
        if !self.note_elements(e) {
            self.e.set_flag(register);
        }
    }
}

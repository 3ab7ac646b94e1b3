//! Internal procedures as arguments.
//!
//! An internal procedure that is passed on gets the variables of its host from an environment, not from
//! further arguments: its callers know nothing of these.
//!
//! ```text
//! call walk(f)       t = closure_new(@f, 1);  closure_bind(t, 0, &total)
//!                    call walk(t, &total);  closure_free(t)
//! ```
//!
//! The addresses of the variables that the closure reaches are passed to `walk` as well, behind its own arguments. It
//! does not look at them; they tell every analysis here which variables the call reads and changes. For the same
//! reason an internal procedure passes the variables that it reaches to every dummy procedure that it calls or
//! passes on: that may be a closure of a sibling. Variables that closures reach have an address, and are
//! no registers ([`trueline_sema::storage`]).

use crate::call::Arguments;
use crate::expr::Exprs;
use crate::symbols::Part;
use crate::values::{checked_that, refused};
use crate::variables::Variables;
use trueline_ir::{Callee, Dim, ExprData, Intent, Rt, Storage, Sym, SymData, Type};
use trueline_sema::scope::ScopeId;
use trueline_sema::scope::symbol::SymbolId;

/// The environment that a procedure was entered with, read in order.
pub(crate) struct Environment {
    values: Sym,
    next: i64,
}

impl Variables<'_> {
    /// Whether an internal procedure gets an environment: it is passed on somewhere, and reaches its host.
    pub(crate) fn needs_environment(&self, id: SymbolId, scope: ScopeId) -> bool {
        self.cx.decls.closures.contains(&id) && self.cx.facts.captured(scope).iter().any(|&c| !self.parts(c).is_empty())
    }

    /// The environment of the procedure being lowered, if it has one: fetched before anything else.
    pub(crate) fn environment(&mut self) -> Option<Environment> {
        let own = self.cx.decls.scopes[self.home].symbol?;
        if !trueline_sema::scope::symbol::is_internal(self.symbol(own)) || !self.needs_environment(own, self.home) {
            return None;
        }
        let captured = self.cx.facts.captured(self.home);
        let size: usize = captured.iter().map(|&c| self.parts(c).len()).sum();
        let address = self.call_rt_value(Rt::ClosureEnvironment, &[], Type::I8);
        let ExprData::Var(base) = self.e.expr(address) else { return None };
        let (lower, upper) = (self.int8(1), self.int8(size as i64));
        let values = self.b.sym(SymData {
            dims: [Dim::new(lower, upper)].into_iter().collect(),
            intent: Intent::Unknown,
            ..SymData::scalar("environment".to_owned(), Type::I8, Storage::Pointer { base })
        });
        Some(Environment { values, next: 0 })
    }

    /// A register with the next value of the environment.
    pub(crate) fn next_of(&mut self, e: &mut Environment) -> Sym {
        e.next += 1;
        let k = self.int8(e.next);
        let value = self.elem(e.values, &[k]);
        let register = self.register("reached", Type::I8);
        self.e.set(register, value);
        register
    }

    /// A register with the next value of the environment, the address of a procedure that is called here. It is set by a call, which no
    /// pass takes away or moves, as the address of a dummy procedure never changes.
    pub(crate) fn next_procedure(&mut self, e: &mut Environment) -> Sym {
        let address = self.next_of(e);
        let address = self.var(address);
        let value = self.call_rt_value(Rt::Barrier, &[address], Type::I8);
        match self.e.expr(value) {
            ExprData::Var(register) => register,
            _ => e.values,
        }
    }

    /// The storage of a captured variable itself.
    pub(crate) fn place_storage(&mut self, environment: &mut Option<Environment>, index: u32) -> Storage {
        match environment {
            Some(e) => Storage::Pointer { base: self.next_of(e) },
            None => Storage::Dummy { index },
        }
    }
}

impl Exprs<'_> {
    /// A closure of the procedure, for the time of one call.
    pub(crate) fn closure(&mut self, id: SymbolId, scope: ScopeId, out: &mut Arguments) -> Sym {
        let captured = self.cx.facts.captured(scope).to_vec();
        let mut values = Vec::new();
        for c in captured {
            self.must_have_address(c);
            for part in self.parts(c) {
                values.push(self.part_argument(c, part));
            }
        }
        let proc = self.proc_of(id, None);
        let code = self.make(ExprData::ProcAddr(proc));
        let size = self.int8(values.len() as i64);
        let address = self.call_rt_value(Rt::ClosureNew, &[code, size], Type::I8);
        for (k, value) in values.into_iter().enumerate() {
            let k = self.int8(k as i64);
            self.call_rt(Rt::ClosureBind, &[address, k, value]);
        }
        out.closures.push((address, scope));
        let ExprData::Var(sym) = self.e.expr(address) else { refused() };
        sym
    }

    /// Makes sure that a variable is not in a register alone, where a closure could not reach it later.
    fn must_have_address(&mut self, id: SymbolId) {
        let s = self.symbol(id);
        let binding = self.binding(id, s.span);
        let in_register = match &binding.descriptor {
            Some(d) => d.memory.is_empty() && !self.parts(id).is_empty(),
            None => s.procedure().is_none() && matches!(self.sym(binding.sym).storage, Storage::Register),
        };
        let by_value = matches!(self.sym(binding.sym).storage, Storage::Value { .. }) && s.procedure().is_none();
        checked_that(!(in_register || by_value));
    }

    /// Adds the addresses of the variables that closures behind this call may reach.
    pub(crate) fn reached_by_closures(&mut self, callee: Callee, out: &mut Arguments) {
        let mut scopes: Vec<ScopeId> = out.closures.iter().map(|c| c.1).collect();
        if out.passes_dummy || (matches!(callee, Callee::Dummy(_)) && out.closures.is_empty()) {
            scopes.push(self.home);
        }
        for scope in scopes {
            for captured in self.cx.facts.captured(scope).to_vec() {
                for part in self.parts(captured) {
                    if matches!(part, Part::Place | Part::Words | Part::DeferredLength | Part::Descriptor(_)) {
                        let address = self.part_argument(captured, part);
                        if !out.list.contains(&address) {
                            out.list.push(address);
                        }
                    }
                }
            }
        }
    }
}

//! Calls of procedures of the program, in gfortran's ABI except for the differences listed in [`crate::bridges`].
//!
//! ```text
//! call s(x, a(:,2:3), n+1, c)      t1(1:m) = a(:,2:3);  t2 = n + 1
//!                              =>  call s(&x, &t1, &t2, &c, len(c))
//!                                  a(:,2:3) = t1                      unless the dummy is INTENT(IN)
//! ```
//!
//! Arguments go by reference; expressions and sections that are not contiguous through temporaries. The
//! lengths of CHARACTER arguments follow all others, by value. A CHARACTER or array result is memory of
//! the caller whose address comes first. The variables of the host that an internal procedure reaches come last
//! ([`crate::symbols::Part`]). A DO variable is passed as read only, since changing it is an error.

pub(crate) mod args;
pub(crate) mod closure;
pub(crate) mod elemental;
pub(crate) mod generic;
pub(crate) mod optional;
pub(crate) mod pointers;
pub(crate) mod result;
pub(crate) mod value;

use crate::expr::Exprs;
use crate::stmt::Stmts;
use crate::values::{Checked, Val, refused};
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_diag::Span;
use trueline_ir::{Access, Callee, Expr, Head, ProcData, Sym, Type};
use trueline_sema::scope::symbol::{Extent, ProcedureClass, ProcedureKind, Symbol, SymbolId, SymbolKind, is_internal};
use trueline_syntax::ast::{Arg, ArgList, ExprId, ExprKind, LabelRef};

/// An argument list being made.
#[derive(Default)]
pub(crate) struct Arguments {
    /// In the order of the ABI.
    pub(crate) list: Vec<Expr>,
    /// The structures among them that go by value.
    pub(crate) groups: Vec<value::Group>,
    /// Hidden lengths.
    pub(crate) lengths: Vec<Expr>,
    /// The arguments after the hidden lengths ([`crate::symbols::Extra`]).
    pub(crate) further: Vec<Expr>,
    /// After the call: places and the temporaries that are copied back to them.
    pub(crate) copy_back: Vec<(Val, Val)>,
    /// After the call: descriptors that it may have changed, and where else they are kept.
    pub(crate) reload: Vec<(crate::values::Descriptor, Option<crate::values::Descriptor>)>,
    /// Memory that the callee reaches through descriptors, for the optimizer to know; nobody takes these.
    pub(crate) reached: Vec<Expr>,
    /// Alternate returns.
    pub(crate) labels: Vec<LabelRef>,
    /// The dummies that have a value, with the values passed: bounds and lengths of a result depend on these.
    pub(crate) values: Vec<(SymbolId, Val)>,
    /// The right side of a defined assignment is a value, even if it is a variable.
    pub(crate) copies_second: bool,
    /// The notes on arguments for the procedure.
    pub(crate) notes: Vec<crate::run_checks::passed::Note>,
    /// The number of the argument that is being passed, from 0.
    pub(crate) noted: usize,
    /// The closures that are passed: their addresses, and the procedures they are of.
    pub(crate) closures: Vec<(Expr, trueline_sema::scope::ScopeId)>,
    /// The dummy procedures, and which procedures are passed.
    pub(crate) procedures: Vec<(SymbolId, SymbolId)>,
    /// A dummy procedure is passed on.
    pub(crate) passes_dummy: bool,
    /// The register with the address of the procedure, of a call through a pointer.
    pub(crate) callee: Option<Sym>,
}

impl Arguments {
    /// Puts these before all others.
    pub(crate) fn put_first(&mut self, mut first: Vec<Expr>) {
        self.groups.iter_mut().for_each(|g| g.at += first.len());
        first.append(&mut self.list);
        self.list = first;
    }
}

impl Exprs<'_> {
    /// The address of the memory for the result of `function`.
    pub(crate) fn result_address(&mut self, function: &Symbol, place: Expr) -> Expr {
        let way = function.procedure().and_then(|p| value::returned(self.cx.decls, function, p));
        self.address(way.map_or(Access::Out, Access::Returned), place)
    }

    /// `name(args)` in an expression.
    pub(crate) fn function_reference(&mut self, x: ExprId, id: SymbolId, args: ArgList) -> Val {
        let span = self.ast.span(x);
        let list = self.ast.args(args);
        match self.specific(id, list) {
            Some(id) => self.call_function(span, id, list),
            None => match trueline_sema::intrinsic::lookup(&self.symbol(id).name) {
                Some(row) => crate::intrinsic::call(self, x, row, args),
                None => refused(),
            },
        }
    }

    /// A call of a function that is known by now.
    pub(crate) fn call_function(&mut self, span: Span, id: SymbolId, args: &[Arg]) -> Val {
        let s = self.symbol(id);
        let typed = s.procedure().and_then(|p| p.result).map_or(s, |r| self.symbol(r));
        let ty = typed.ty.or(s.ty).checked();
        if s.procedure().is_some_and(|p| p.is_elemental)
            && let Some(v) = self.elemental_function(id, span, ty, args)
        {
            return v;
        }
        // A procedure that is not elemental is called once, on whole arrays.
        let masking = self.masking.take();
        let value = self.call_for_any(id, span, typed, ty, args);
        self.masking = masking;
        value
    }

    fn call_for_any(&mut self, id: SymbolId, span: Span, typed: &Symbol, ty: Type, args: &[Arg]) -> Val {
        if typed.is_indirect() {
            return self.call_for_descriptor(id, span, typed, args);
        }
        if ty == Type::Char
            && let Some(v) = self.call_for_register(id, span, typed, args)
        {
            return v;
        }
        if ty == Type::Char || typed.is_array() {
            return self.call_into_memory(id, span, ty, args);
        }
        let mut out = self.new_arguments();
        self.arguments(id, span, args, &mut out);
        let result = self.register("f", ty);
        self.emit_call(id, span, out, Some(result));
        Val::plain(self.var(result))
    }

    /// A function whose result is memory of the caller.
    fn call_into_memory(&mut self, id: SymbolId, span: Span, ty: Type, args: &[Arg]) -> Val {
        let mut out = self.new_arguments();
        self.arguments(id, span, args, &mut out);
        let s = self.symbol(id);
        let result = s.procedure().and_then(|p| p.result).map_or(s, |r| self.symbol(r)).clone();
        let (len, extents) = self.result_form(s, &result, &mut out);
        if self.may_have_bridge(id, &out) {
            out.further.extend_from_slice(&extents);
        }
        let temp = match result.structure {
            Some(structure) => self.structure_temp(structure, &extents),
            None => self.memory(ty, len, &extents),
        };
        let place = self.var(temp);
        let mut first = vec![self.result_address(s, place)];
        let len = len.filter(|_| result.structure.is_none());
        first.extend(len);
        out.put_first(first);
        self.emit_call(id, span, out, None);
        Val { e: place, len }
    }

    /// A function whose result is a POINTER or ALLOCATABLE. The address of a scalar is returned; else the function fills a
    /// descriptor of the caller.
    fn call_for_descriptor(&mut self, id: SymbolId, span: Span, result: &Symbol, args: &[Arg]) -> Val {
        let mut out = self.new_arguments();
        self.arguments(id, span, args, &mut out);
        let what = crate::memory::descriptor::Indirect {
            ty: result.ty.unwrap_or(Type::I4),
            structure: result.structure,
            rank: result.rank(),
            pointer: result.attrs.pointer,
            len: result.len.known(),
        };
        let (sym, mut d) = self.indirect("f", what, true);
        let len = match result.len {
            Extent::Deferred => None,
            _ => self.result_form_of_pointer(id, result, &mut out),
        };
        if what.rank == 0 && !result.is_character() {
            self.emit_call(id, span, out, Some(d.base));
        } else {
            self.clear_descriptor(&d);
            if let (Some(register), Some(len)) = (d.len, len) {
                self.e.set(register, len);
            }
            let (first, lent) = self.lent_words(&d);
            let mut before = vec![self.address(Access::InOut, first)];
            if result.is_character() {
                // A deferred length is set by the function, any other is told to it.
                before.push(match (d.len, len) {
                    (Some(register), None) => {
                        let len = self.var(register);
                        self.address(Access::InOut, len)
                    }
                    (_, len) => len.unwrap_or(d.size),
                });
            }
            out.put_first(before);
            out.reload.push((lent.clone(), None));
            self.emit_call(id, span, out, None);
            d = crate::values::Descriptor { memory: SmallVec::new(), words: None, ..lent };
        }
        d.is_result = true;
        self.descriptors.insert(sym, d.clone());
        if result.attrs.allocatable {
            self.results.insert(sym);
            self.e.frees(d.base);
        }
        self.whole_symbol(sym)
    }
}

/// The call itself.
impl Exprs<'_> {
    pub(crate) fn emit_call(&mut self, id: SymbolId, span: Span, mut out: Arguments, result: Option<Sym>) {
        let id = if out.callee.is_none() { self.passed(id) } else { id };
        out.list.append(&mut out.lengths);
        out.list.append(&mut out.further);
        let s = self.symbol(id);
        let p = s.procedure().cloned();
        let own = p.as_ref().and_then(|p| p.scope).filter(|_| is_internal(s));
        let closure =
            own.filter(|&scope| self.needs_environment(id, scope)).map(|scope| self.closure(id, scope, &mut out));
        if let (Some(scope), None) = (own, closure) {
            for captured in self.cx.facts.captured(scope).to_vec() {
                for part in self.parts(captured) {
                    let argument = self.part_argument(captured, part);
                    out.list.push(argument);
                }
            }
        }
        let callee = match closure.or(out.callee) {
            Some(address) => Callee::Dummy(address),
            None => self.callee(id, span, result),
        };
        self.reached_by_closures(callee, &mut out);
        out.list.append(&mut out.reached);
        self.arrange(s, &mut out);
        let callee = self.through_bridge(callee, s, &mut out, result);
        self.pass_notes(p.as_ref(), &mut out);
        let args = self.b.list(&out.list);
        self.push(Head::Call { callee, args, result: result.into() });
        for (address, _) in out.closures {
            self.call_rt(trueline_ir::Rt::ClosureFree, &[address]);
        }
        // The places are those from before the call, which may have changed the pointers that lead there.
        for (place, temp) in out.copy_back {
            match (self.as_str(place), self.as_str(temp)) {
                (Some(to), Some(from)) => self.assign_str(to, from),
                _ => self.assign(place.e, temp.e),
            }
        }
        // A pure procedure changes the pointers that it is passed, by all their names.
        if !p.is_some_and(|p| p.is_pure) || out.reload.iter().any(|(d, _)| d.is_pointer) {
            self.reload_descriptors();
        }
        self.loaded.clear();
        for (lent, own) in out.reload {
            self.load_descriptor(&lent);
            if let Some(own) = own {
                self.store_descriptor(&own);
            }
        }
    }

    /// Whether a procedure may be called by gfortran's convention: all but internal ones that are called by name.
    fn may_have_bridge(&self, id: SymbolId, out: &Arguments) -> bool {
        let s = self.symbol(self.passed(id));
        let own = s.procedure().and_then(|p| p.scope).filter(|_| is_internal(s));
        out.callee.is_some() || own.is_none_or(|scope| self.needs_environment(id, scope))
    }

    fn callee(&mut self, id: SymbolId, span: Span, result: Option<Sym>) -> Callee {
        let s = self.symbol(id);
        if s.procedure().is_some_and(|p| p.class == ProcedureClass::Dummy) {
            return Callee::Dummy(self.binding(id, span).sym);
        }
        let ty = result.map(|r| self.sym(r).ty);
        Callee::Proc(self.proc_of(id, ty))
    }
}

impl Stmts<'_> {
    /// `CALL name(args)`.
    pub(crate) fn call_statement(&mut self, callee: ExprId, args: ArgList) {
        let span = self.ast.span(callee);
        if let Some(p) = self.procedure_pointer(callee) {
            return self.call_pointer_subroutine(span, p, args);
        }
        let ExprKind::Name(name) = self.ast.expr(callee).kind else {
            refused();
        };
        let text = self.ast.name(name);
        let Some(id) = self.resolve(name) else { return self.call_intrinsic(text, callee, args) };
        let list = self.ast.args(args);
        let Some(id) = self.specific(id, list) else { return self.call_intrinsic(text, callee, args) };
        let s = self.symbol(id);
        match &s.kind {
            SymbolKind::Procedure(p) if p.class == ProcedureClass::Intrinsic => {
                self.call_intrinsic(&s.name, callee, args)
            }
            SymbolKind::Error => refused(),
            _ => self.call_subroutine(id, span, list, Arguments::default()),
        }
    }

    /// A call of a subroutine that is known by now; `out` says how its arguments are passed.
    pub(crate) fn call_subroutine(&mut self, id: SymbolId, span: Span, args: &[Arg], mut out: Arguments) {
        if self.symbol(id).procedure().is_some_and(|p| p.is_elemental)
            && self.elemental_subroutine(id, span, args, out.copies_second)
        {
            return;
        }
        self.arguments(id, span, args, &mut out);
        let result = (!out.labels.is_empty()).then(|| self.register("alternate", Type::I4));
        let labels = std::mem::take(&mut out.labels);
        self.emit_call(id, span, out, result);
        if let Some(result) = result {
            let mut to = Vec::new();
            for l in labels {
                to.push(self.jump_target(l));
            }
            let table = self.b.jump_table(&to);
            let index = self.var(result);
            self.push(Head::GotoTable { index, table });
        }
    }
}

impl Variables<'_> {
    /// Turns a call by address into a call through the bridge, which follows gfortran's convention.
    fn through_bridge(&mut self, callee: Callee, s: &Symbol, out: &mut Arguments, result: Option<Sym>) -> Callee {
        let Callee::Dummy(address) = callee else { return callee };
        let Some(symbol) = crate::bridges::through(self.cx.decls, s) else { return callee };
        let target = self.var(address);
        out.list.insert(0, target);
        let result = result.map(|r| self.sym(r).ty);
        let name = s.name.clone();
        let (is_pure, always_returns, is_libm) = (false, false, false);
        Callee::Proc(self.b.proc(ProcData { symbol, name, result, is_pure, always_returns, is_libm }))
    }

    pub(crate) fn proc_of(&mut self, id: SymbolId, result: Option<Type>) -> trueline_ir::Proc {
        let s = self.symbol(id);
        let p = s.procedure();
        let linker = p.map(|p| p.linker.clone()).filter(|l| !l.is_empty());
        let always = p
            .and_then(|p| p.scope)
            .is_some_and(|scope| self.cx.decls.scopes[scope].unit.is_some() && self.cx.facts.always_returns(scope));
        self.b.proc(ProcData {
            symbol: linker.unwrap_or_else(|| format!("{}_", s.name)),
            name: s.name.clone(),
            result,
            is_pure: p.is_some_and(|p| p.is_pure && p.kind == ProcedureKind::Function),
            always_returns: always,
            is_libm: false,
        })
    }
}

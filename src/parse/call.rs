//! Calls of procedures of the program, in gfortran's ABI.
//!
//! ```text
//! call s(x, a(:,2:3), n+1, c)      t1(1:m) = a(:,2:3);  t2 = n + 1
//!                              =>  call s(&x, &t1, &t2, &c, len(c))
//!                                  a(:,2:3) = t1                      unless the dummy is INTENT(IN)
//! ```
//!
//! Arguments go by reference; expressions and sections that are not contiguous through temporaries. The
//! lengths of CHARACTER arguments follow all others, by value. A CHARACTER or array result is memory of
//! the caller whose address comes first. What an internal procedure reaches of its host comes last
//! ([`crate::lower_symbols::Part`]). A DO variable is passed as read only, since changing it is an error.

use crate::chars::Str;
use crate::expr::{Failed, Lowered, Val};
use crate::kinds::{Category, type_name};
use crate::lower::Lower;
use crate::lower_symbols::{Extra, extras, is_assumed_shape};
use crate::symbol::{Extent, Procedure, ProcedureClass, ProcedureKind, Symbol, SymbolId, SymbolKind};
use smallvec::SmallVec;
use trueline_diag::{Diagnostic, Span};
use trueline_ir::{Access, Callee, Expr, ExprData, Head, Intent, ProcData, Sym, Type};
use trueline_syntax::ast::{ArgList, ArgValue, ExprId, ExprKind, LabelRef};

/// Whether a symbol is an internal procedure.
pub(crate) fn is_internal(s: &Symbol) -> bool {
    s.procedure().is_some_and(|p| p.class == ProcedureClass::Internal)
}

/// An argument list being made.
#[derive(Default)]
struct Arguments {
    /// In the order of the ABI.
    list: Vec<Expr>,
    /// Hidden lengths.
    lengths: Vec<Expr>,
    /// What follows them ([`Extra`]).
    further: Vec<Expr>,
    /// After the call: places and the temporaries that are copied back to them.
    copy_back: Vec<(Val, Val)>,
    /// Alternate returns.
    labels: Vec<LabelRef>,
}

/// An actual argument in the order of the dummies.
#[derive(Clone, Copy)]
struct Actual {
    value: Option<ArgValue>,
    span: Span,
}

impl Lower<'_, '_> {
    /// `CALL name(args)`.
    pub(crate) fn call_statement(&mut self, callee: ExprId, args: ArgList) -> Lowered<()> {
        let span = self.ast.span(callee);
        let ExprKind::Name(name) = self.ast.expr(callee).kind else {
            return Err(self.unsupported(span, "A type-bound procedure is"));
        };
        let text = self.ast.name(name);
        let Some(id) = self.resolve(name) else { return self.call_intrinsic(text, callee, args) };
        let id = self.specific(id, args, span)?;
        let s = self.symbol(id);
        match &s.kind {
            SymbolKind::Procedure(p) if p.class == ProcedureClass::Intrinsic => self.call_intrinsic(text, callee, args),
            SymbolKind::Procedure(p) if p.kind == ProcedureKind::Function => {
                let message = format!("'{text}' is a function, not a subroutine");
                let d = Diagnostic::error("T0570", span, message).because(s.span, "declared here");
                Err(self.report(d))
            }
            SymbolKind::Procedure(_) | SymbolKind::Unknown => self.call_subroutine(id, span, args),
            SymbolKind::Error => Err(Failed),
            _ => {
                let message = format!("'{text}' is not a subroutine");
                let d = Diagnostic::error("T0570", span, message).because(s.span, "declared here");
                Err(self.report(d))
            }
        }
    }

    fn call_subroutine(&mut self, id: SymbolId, span: Span, args: ArgList) -> Lowered<()> {
        let mut out = Arguments::default();
        self.arguments(id, span, args, &mut out)?;
        let result = (!out.labels.is_empty()).then(|| self.register("alternate", Type::I4));
        let labels = std::mem::take(&mut out.labels);
        self.emit_call(id, span, out, result)?;
        if let Some(result) = result {
            let mut to = Vec::new();
            for l in labels {
                to.push(self.jump_target(l)?);
            }
            let table = self.b.jump_table(&to);
            let index = self.var(result);
            self.push(Head::GotoTable { index, table });
        }
        Ok(())
    }

    /// `name(args)` in an expression.
    pub(crate) fn function_reference(&mut self, x: ExprId, id: SymbolId, args: ArgList) -> Lowered<Val> {
        let span = self.ast.span(x);
        let id = self.specific(id, args, span)?;
        let s = self.symbol(id);
        if let SymbolKind::Procedure(p) = &s.kind
            && p.kind == ProcedureKind::Subroutine
        {
            let message = format!("'{}' is a subroutine, not a function", s.name);
            return Err(self.report(Diagnostic::error("T0571", span, message).because(s.span, "declared here")));
        }
        let typed = s.procedure().and_then(|p| p.result).map_or(s, |r| self.symbol(r));
        let Some(ty) = typed.ty.or(s.ty) else {
            let message = format!("The function '{}' has no type", s.name);
            return Err(self.report(Diagnostic::error("T0572", span, message).because(s.span, "declared here")));
        };
        if s.procedure().is_some_and(|p| p.is_elemental)
            && let Some(v) = self.elemental_call(x, id, ty, args)?
        {
            return Ok(v);
        }
        let mut out = Arguments::default();
        if ty == Type::Char || typed.is_array() {
            return self.call_into_memory(id, span, ty, args);
        }
        self.arguments(id, span, args, &mut out)?;
        let result = self.register("f", ty);
        self.emit_call(id, span, out, Some(result))?;
        Ok(Val::plain(self.var(result)))
    }

    /// An elemental function over arrays: a loop over the elements.
    fn elemental_call(&mut self, x: ExprId, id: SymbolId, ty: Type, args: ArgList) -> Lowered<Option<Val>> {
        let mut values = Vec::new();
        for a in self.ast.args(args).to_vec() {
            let (None, ArgValue::Expr(e)) = (a.keyword, a.value) else { return Ok(None) };
            if self.tried(e).is_none_or(|(_, rank)| rank == 0) {
                values.push((e, None));
                continue;
            }
            let v = self.expr(e)?;
            let v = if self.has_elements(v.e) { v } else { Val { e: self.in_memory(v.e), ..v } };
            values.push((e, Some(v)));
        }
        let Some(first) = values.iter().find_map(|(_, v)| *v) else { return Ok(None) };
        if ty == Type::Char || values.iter().any(|(_, v)| v.is_some_and(|v| v.len.is_some())) {
            return Err(self.unsupported(self.ast.span(x), "An elemental function of CHARACTER arrays is"));
        }
        let shape = self.shape(first.e);
        let temp = self.memory(ty, None, &shape);
        let (at, outer) = self.open_elements(&shape);
        let mut out = Arguments::default();
        for (e, v) in values {
            let value = match v {
                Some(v) => {
                    self.conform(e, first.e, v.e)?;
                    self.element(v.e, &at)
                }
                None => self.value(e)?,
            };
            let value = self.in_memory_or_register(value);
            let address = self.address(Access::In, value);
            out.list.push(address);
        }
        let result = self.register("f", ty);
        self.emit_call(id, self.ast.span(x), out, Some(result))?;
        let (place, value) = (self.elem(temp, &at), self.var(result));
        self.assign(place, value);
        self.enter(outer);
        Ok(Some(Val::plain(self.var(temp))))
    }

    /// A function whose result is memory of the caller.
    fn call_into_memory(&mut self, id: SymbolId, span: Span, ty: Type, args: ArgList) -> Lowered<Val> {
        let mut out = Arguments::default();
        self.arguments(id, span, args, &mut out)?;
        let s = self.symbol(id);
        let result = s.procedure().and_then(|p| p.result).map_or(s, |r| self.symbol(r)).clone();
        let mut extents: SmallVec<[Expr; 4]> = SmallVec::new();
        for b in &result.shape {
            let (lo, hi) =
                (self.result_extent(id, &result, b.lower, args)?, self.result_extent(id, &result, b.upper, args)?);
            extents.push(self.count(lo, hi));
        }
        let len = match ty {
            Type::Char => Some(self.result_extent(id, &result, result.len, args)?),
            _ => None,
        };
        let len = len.map(|l| self.at_least_zero(l)).map(|l| self.in_register(l));
        let temp = self.memory(ty, len, &extents);
        let place = self.var(temp);
        let mut first = vec![self.address(Access::Out, place)];
        first.extend(len);
        first.append(&mut out.list);
        out.list = first;
        self.emit_call(id, span, out, None)?;
        Ok(Val { e: place, len })
    }

    /// A bound or length of a function's result, in terms of the actual arguments.
    fn result_extent(&mut self, id: SymbolId, result: &Symbol, extent: Extent, args: ArgList) -> Lowered<Expr> {
        let x = match extent {
            Extent::Known(v) => return Ok(self.int8(v)),
            Extent::Entry(x) => x,
            _ => {
                let span = result.span;
                return Err(self.unsupported(span, "A function result of deferred or assumed size is"));
            }
        };
        let dummies = self.symbol(id).procedure().map(|p| p.dummies.clone()).unwrap_or_default();
        let actuals = self.order(id, args, self.symbol(id).span)?;
        let mut count = 0;
        for (dummy, actual) in dummies.into_iter().zip(actuals) {
            if let (Some(dummy), Some(ArgValue::Expr(e))) = (dummy, actual.value)
                && let Ok(v) = self.designator(e)
            {
                self.hidden.push((dummy, v));
                count += 1;
            }
        }
        let outer = (self.scope, self.ast);
        (self.scope, self.ast) = (result.scope, self.cx.decls.ast(result.scope));
        let value = self.integer(x);
        (self.scope, self.ast) = outer;
        self.hidden.truncate(self.hidden.len() - count);
        value
    }

    /// The specific procedure of a generic name: the first whose dummies fit in type and rank.
    fn specific(&mut self, id: SymbolId, args: ArgList, span: Span) -> Lowered<SymbolId> {
        let SymbolKind::Generic(candidates) = &self.symbol(id).kind else { return Ok(id) };
        for &candidate in candidates {
            if self.fits(candidate, args) {
                return Ok(candidate);
            }
        }
        let message = format!("No specific procedure of '{}' fits these arguments", self.symbol(id).name);
        Err(self.error("T0573", span, message))
    }

    fn fits(&mut self, id: SymbolId, args: ArgList) -> bool {
        let Some(p) = self.symbol(id).procedure() else { return false };
        let dummies = p.dummies.clone();
        if args.len() > dummies.len() {
            return false;
        }
        let actuals = self.ast.args(args).to_vec();
        actuals.iter().zip(&dummies).all(|(a, d)| match (a.value, d) {
            (ArgValue::Expr(x), Some(d)) => {
                let d = self.symbol(*d);
                d.ty.is_none()
                    || self.tried(x).is_some_and(|(ty, rank)| Some(ty) == d.ty && (p.is_elemental || rank == d.rank()))
            }
            _ => true,
        })
    }
}

/// Argument lists.
impl Lower<'_, '_> {
    fn emit_call(&mut self, id: SymbolId, span: Span, mut out: Arguments, result: Option<Sym>) -> Lowered<()> {
        out.list.append(&mut out.lengths);
        out.list.append(&mut out.further);
        let s = self.symbol(id);
        let p = s.procedure().cloned();
        if is_internal(s)
            && let Some(scope) = p.as_ref().and_then(|p| p.scope)
        {
            for captured in self.cx.facts.captured(scope).to_vec() {
                for part in self.parts(scope, captured) {
                    let argument = self.part_argument(captured, part)?;
                    out.list.push(argument);
                }
            }
        }
        let callee = self.callee(id, span, result)?;
        let args = self.b.list(&out.list);
        self.push(Head::Call { callee, args, result: result.into() });
        if !p.is_some_and(|p| p.is_pure) {
            self.reload_descriptors();
        }
        for (place, temp) in out.copy_back {
            match (self.as_str(place), self.as_str(temp)) {
                (Some(to), Some(from)) => self.assign_str(to, from),
                _ => self.assign(place.e, temp.e),
            }
        }
        Ok(())
    }

    fn callee(&mut self, id: SymbolId, span: Span, result: Option<Sym>) -> Lowered<Callee> {
        let s = self.symbol(id);
        if s.procedure().is_some_and(|p| p.class == ProcedureClass::Dummy) {
            return Ok(Callee::Dummy(self.binding(id, span)?.sym));
        }
        let ty = result.map(|r| self.sym(r).ty);
        Ok(Callee::Proc(self.proc_of(id, ty)))
    }

    fn proc_of(&mut self, id: SymbolId, result: Option<Type>) -> trueline_ir::Proc {
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

    /// The actual arguments in the order of the dummies; without a known list as they stand.
    fn order(&mut self, id: SymbolId, args: ArgList, span: Span) -> Lowered<Vec<Actual>> {
        let given = self.ast.args(args).to_vec();
        let s = self.symbol(id);
        let known = s.procedure().filter(|p| p.scope.is_some());
        let Some(p) = known.cloned() else {
            if let Some(k) = given.iter().find_map(|a| a.keyword) {
                let message = format!("A keyword needs an explicit interface of '{}'", s.name);
                return Err(self.error("T0574", k.span, message));
            }
            return Ok(given.iter().map(|a| Actual { value: Some(a.value), span: a.span }).collect());
        };
        let mut out: Vec<Actual> = p.dummies.iter().map(|_| Actual { value: None, span }).collect();
        for (k, a) in given.iter().enumerate() {
            let at = match a.keyword {
                None => k,
                Some(keyword) => match self.dummy_position(&p, keyword.name) {
                    Some(at) => at,
                    None => {
                        let message = format!("'{}' has no argument '{}'", s.name, self.text_of_ident(keyword));
                        let d = Diagnostic::error("T0552", keyword.span, message).because(s.span, "declared here");
                        return Err(self.report(d));
                    }
                },
            };
            match out.get_mut(at) {
                Some(slot) if slot.value.is_none() => *slot = Actual { value: Some(a.value), span: a.span },
                Some(_) => return Err(self.error("T0554", a.span, "This argument is given twice")),
                None if p.explicit => return Err(self.wrong_count(id, a.span, p.dummies.len(), given.len())),
                None => {
                    self.count_warning(id, a.span, p.dummies.len(), given.len());
                    out.push(Actual { value: Some(a.value), span: a.span });
                }
            }
        }
        let missing = p.dummies.iter().zip(&out).find_map(|(d, a)| match (d, a.value) {
            (Some(d), None) if !self.symbol(*d).attrs.optional => Some(*d),
            _ => None,
        });
        if let Some(dummy) = missing {
            if !p.explicit {
                self.count_warning(id, span, p.dummies.len(), given.len());
                out.retain(|a| a.value.is_some());
                return Ok(out);
            }
            let dummy = self.symbol(dummy);
            let message = format!("The argument '{}' of '{}' is missing", dummy.name, s.name);
            let d = Diagnostic::error("T0555", span, message).because(dummy.span, "declared here");
            return Err(self.report(d));
        }
        Ok(out)
    }

    fn dummy_position(&self, p: &Procedure, name: trueline_syntax::Name) -> Option<usize> {
        let text = self.ast.name(name);
        p.dummies.iter().position(|d| d.is_some_and(|d| self.symbol(d).name == text))
    }

    fn count_text(&self, id: SymbolId, want: usize, have: usize) -> String {
        format!("'{}' has {want} argument(s), but {have} are given", self.symbol(id).name)
    }

    fn wrong_count(&mut self, id: SymbolId, span: Span, want: usize, have: usize) -> Failed {
        let message = self.count_text(id, want, have);
        self.report(Diagnostic::error("T0575", span, message).because(self.symbol(id).span, "declared here"))
    }

    fn count_warning(&mut self, id: SymbolId, span: Span, want: usize, have: usize) {
        let message = self.count_text(id, want, have);
        let d = Diagnostic::warning("T0575", span, message).because(self.symbol(id).span, "defined here");
        self.diags.push(d);
    }

    fn arguments(&mut self, id: SymbolId, span: Span, args: ArgList, out: &mut Arguments) -> Lowered<()> {
        let p = self.symbol(id).procedure().cloned();
        let explicit = p.as_ref().is_some_and(|p| p.explicit);
        let dummies = p.map(|p| p.dummies).unwrap_or_default();
        let mut failed = false;
        for (k, actual) in self.order(id, args, span)?.into_iter().enumerate() {
            let dummy = dummies.get(k).copied().flatten();
            let done = match actual.value {
                Some(ArgValue::Expr(x)) => self.argument(x, id, dummy, explicit, out),
                Some(ArgValue::AltReturn(l)) => {
                    out.labels.push(l);
                    Ok(())
                }
                Some(_) => Err(self.error("T0551", actual.span, "This is not an argument")),
                None => {
                    self.absent(dummy, out);
                    Ok(())
                }
            };
            failed |= done.is_err();
        }
        if failed { Err(Failed) } else { Ok(()) }
    }

    /// An optional argument that is not given. A scalar gets memory all the same: code motion may load
    /// it where the source does not.
    fn absent(&mut self, dummy: Option<SymbolId>, out: &mut Arguments) {
        let zero = self.int8(0);
        let null = self.make(ExprData::Null);
        let Some(d) = dummy.map(|d| self.symbol(d)) else { return out.list.push(null) };
        match d.ty {
            Some(ty) if ty != Type::Char && !d.is_array() && !d.attrs.allocatable => {
                let memory = self.memory(ty, None, &[]);
                let place = self.var(memory);
                let address = self.address(Access::In, place);
                out.list.push(address);
            }
            _ => out.list.push(null),
        }
        if d.ty == Some(Type::Char) {
            out.lengths.push(zero);
        }
        for extra in extras(d) {
            match extra {
                Extra::Descriptor(_) => {
                    let memory = self.memory(Type::I8, None, &[]);
                    let place = self.var(memory);
                    self.assign(place, zero);
                    let address = self.address(Access::InOut, place);
                    out.further.push(address);
                }
                _ => out.further.push(zero),
            }
        }
    }

    /// What follows the lengths for an argument that is given.
    fn further(&mut self, x: ExprId, dummy: SymbolId, v: Val, out: &mut Arguments) -> Lowered<()> {
        let shape = self.shape(v.e);
        for extra in extras(self.symbol(dummy)) {
            let e = match extra {
                Extra::Extent(k) => shape.get(k).copied().unwrap_or_else(|| self.int8(0)),
                Extra::Descriptor(k) => {
                    let id = self.root_of(x).filter(|&id| {
                        matches!(self.ast.expr(x).kind, ExprKind::Name(_)) && self.symbol(id).attrs.allocatable
                    });
                    let Some(id) = id else {
                        let message = format!("The argument '{}' must be ALLOCATABLE", self.symbol(dummy).name);
                        let d = Diagnostic::error("T0577", self.ast.span(x), message);
                        return Err(self.report(d.because(self.symbol(dummy).span, "declared here")));
                    };
                    self.part_argument(id, crate::lower_symbols::Part::Descriptor(k))?
                }
                Extra::Present => {
                    let flag = self.root_of(x).and_then(|id| self.present.get(&id).copied());
                    match flag.filter(|_| matches!(self.ast.expr(x).kind, ExprKind::Name(_))) {
                        Some(flag) => self.var(flag),
                        None => self.int8(1),
                    }
                }
            };
            out.further.push(e);
        }
        Ok(())
    }

    fn argument(
        &mut self,
        x: ExprId,
        callee: SymbolId,
        dummy: Option<SymbolId>,
        explicit: bool,
        out: &mut Arguments,
    ) -> Lowered<()> {
        if let Some(address) = self.procedure_argument(x)? {
            out.list.push(address);
            return Ok(());
        }
        let intent = dummy.map_or(Intent::Unknown, |d| self.symbol(d).intent);
        let is_place = self.is_variable_reference(x);
        let v = if is_place { self.designator(x)? } else { self.expr(x)? };
        if let Some(d) = dummy {
            self.check_argument(x, callee, d, explicit, v, is_place)?;
        }
        if let Some(d) = dummy.filter(|&d| !extras(self.symbol(d)).is_empty()) {
            if !explicit {
                let message = format!("A call of '{}' needs its explicit interface", self.symbol(callee).name);
                let e = Diagnostic::error("T0578", self.ast.span(x), message);
                return Err(self.report(e.because(self.symbol(d).span, "because of this dummy argument")));
            }
            self.further(x, d, v, out)?;
        }
        if dummy.is_some_and(|d| self.symbol(d).attrs.value) {
            let ty = dummy.and_then(|d| self.symbol(d).ty).unwrap_or_else(|| self.ty(v.e));
            let value = self.convert_checked(x, ty, v.e)?;
            out.list.push(value);
            return Ok(());
        }
        if is_place && matches!(intent, Intent::Out | Intent::InOut) {
            self.check_definable(x, "passed to a dummy argument that is changed")?;
        }
        let access = match intent {
            Intent::In => Access::In,
            Intent::Out if self.rank(v.e) == 0 => Access::Out,
            _ if !is_place => Access::In,
            _ if self.root_of(x).is_some_and(|id| self.is_active(id)) && self.rank(v.e) == 0 => Access::In,
            _ => Access::InOut,
        };
        let place = if is_place { self.addressable(v, access, out) } else { self.copied(v).e };
        let address = self.address(access, place);
        out.list.push(address);
        out.lengths.extend(v.len);
        Ok(())
    }

    /// A procedure as an argument: its address.
    fn procedure_argument(&mut self, x: ExprId) -> Lowered<Option<Expr>> {
        let span = self.ast.span(x);
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return Ok(None) };
        let Some(id) = self.resolve(name) else { return Ok(None) };
        let s = self.symbol(id);
        let SymbolKind::Procedure(p) = &s.kind else { return Ok(None) };
        match p.class {
            ProcedureClass::Dummy => {
                let sym = self.binding(id, span)?.sym;
                Ok(Some(self.var(sym)))
            }
            ProcedureClass::Intrinsic => match crate::intrinsics::specific(&s.name) {
                Some((symbol, result)) => {
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
            ProcedureClass::Internal
                if p.scope.is_some_and(|scope| {
                    self.cx.facts.captured(scope).iter().any(|&c| !self.parts(scope, c).is_empty())
                }) =>
            {
                let message = format!("'{}', which uses variables of its host, as an argument is", s.name);
                Err(self.unsupported(span, &message))
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

    /// Whether `x` is a variable, element, section or substring, as opposed to an expression.
    pub(crate) fn is_variable_reference(&self, x: ExprId) -> bool {
        self.root_of(x).is_some_and(|id| self.symbol(id).is_variable())
            && !self.hidden.iter().any(|(id, _)| Some(*id) == self.root_of(x))
    }

    /// The variable that a reference is part of.
    pub(crate) fn root_of(&self, mut x: ExprId) -> Option<SymbolId> {
        loop {
            match self.ast.expr(x).kind {
                ExprKind::Name(name) => return self.resolve(name),
                ExprKind::Call { base, .. } | ExprKind::Component { base, .. } => x = base,
                _ => return None,
            }
        }
    }

    /// A value in a temporary of its own.
    fn copied(&mut self, v: Val) -> Val {
        match self.as_str(v) {
            Some(s) if self.rank(s.place) == 0 => v,
            Some(s) => self.copy_str(s).into(),
            None if self.rank(v.e) > 0 => {
                let shape = self.shape(v.e);
                let temp = self.e.memory(self.e.ty(v.e), None, &shape);
                let place = self.var(temp);
                self.assign(place, v.e);
                Val::plain(place)
            }
            None => Val::plain(self.in_memory_or_register(v.e)),
        }
    }

    /// A place whose elements are contiguous: the place, its first element, or a copy that is copied
    /// back.
    fn addressable(&mut self, v: Val, access: Access, out: &mut Arguments) -> Expr {
        if self.rank(v.e) == 0 || matches!(self.e.expr(v.e), ExprData::Var(_)) {
            return v.e;
        }
        if let Some(first) = self.contiguous(v.e) {
            return first;
        }
        let v = self.frozen_section(v);
        let copy = match self.as_str(v) {
            Some(s) => self.copy_str(s).into(),
            None => self.copied(v),
        };
        if access != Access::In {
            out.copy_back.push((v, copy));
        }
        copy.e
    }

    /// The section with subscripts that the call cannot change.
    fn frozen_section(&mut self, v: Val) -> Val {
        let ExprData::Section(array, subs) = self.e.expr(v.e) else { return v };
        let subs: SmallVec<[Expr; 4]> = self.list(subs).iter().copied().collect();
        let subs: SmallVec<[Expr; 4]> = subs
            .into_iter()
            .map(|s| match self.e.expr(s) {
                ExprData::Triplet(lo, hi, step) => {
                    let [lo, hi, step] = [lo, hi, step].map(|e| self.in_register(e));
                    self.make(ExprData::Triplet(lo, hi, step))
                }
                _ if self.rank(s) == 0 => self.in_register(s),
                _ => self.copied(Val::plain(s)).e,
            })
            .collect();
        let list = self.b.list(&subs);
        Val { e: self.make(ExprData::Section(array, list)), ..v }
    }

    /// The first element of a section that is surely contiguous: whole dimensions, then at most one
    /// range with stride 1, then scalars.
    pub(crate) fn contiguous(&mut self, e: Expr) -> Option<Expr> {
        let ExprData::Section(array, subs) = self.e.expr(e) else { return None };
        let subs: SmallVec<[Expr; 4]> = self.list(subs).iter().copied().collect();
        let dims = self.sym(array).dims.clone();
        let mut first: SmallVec<[Expr; 4]> = SmallVec::new();
        let mut is_whole = true;
        for (&sub, dim) in subs.iter().zip(&dims) {
            match self.e.expr(sub) {
                ExprData::Triplet(lo, hi, step) => {
                    if !is_whole || self.known(step) != Some(1) {
                        return None;
                    }
                    is_whole = lo == dim.lower && dim.upper.expand() == Some(hi);
                    first.push(lo);
                }
                _ if self.rank(sub) > 0 => return None,
                _ => {
                    is_whole = false;
                    first.push(sub);
                }
            }
        }
        Some(self.elem(array, &first))
    }

    fn check_argument(
        &mut self,
        x: ExprId,
        callee: SymbolId,
        dummy: SymbolId,
        explicit: bool,
        v: Val,
        is_place: bool,
    ) -> Lowered<()> {
        let d = self.symbol(dummy);
        let Some(ty) = d.ty else { return Ok(()) };
        let have = self.ty(v.e);
        let name = &self.symbol(callee).name;
        let is_text = matches!(self.ast.expr(x).kind, ExprKind::Hollerith(_) | ExprKind::Boz { .. });
        let mut problem = None;
        if have != ty && !is_text {
            problem = Some(format!(
                "The argument '{}' of '{name}' is {}, but {} is passed",
                d.name,
                type_name(ty),
                type_name(have)
            ));
        } else if self.rank(v.e) != d.rank() {
            let has_shape = is_assumed_shape(d) || d.attrs.allocatable;
            let sequence = d.is_array() && self.rank(v.e) > 0 && !has_shape;
            let element = d.is_array() && is_place && self.is_element(v.e) && !has_shape;
            let elemental = self.symbol(callee).procedure().is_some_and(|p| p.is_elemental);
            let string = d.is_array() && ty == Type::Char && !has_shape;
            if !(sequence || element || elemental || string) {
                problem = Some(format!(
                    "The argument '{}' of '{name}' has rank {}, but rank {} is passed",
                    d.name,
                    d.rank(),
                    self.rank(v.e)
                ));
            }
        }
        let Some(message) = problem else { return Ok(()) };
        let span = self.ast.span(x);
        if explicit {
            return Err(self.report(Diagnostic::error("T0576", span, message).because(d.span, "declared here")));
        }
        self.diags.push(Diagnostic::warning("T0576", span, message).because(d.span, "declared here"));
        Ok(())
    }

    fn is_element(&self, e: Expr) -> bool {
        match self.e.expr(e) {
            ExprData::Elem(..) => true,
            ExprData::Substr(base, ..) => self.is_element(base),
            _ => false,
        }
    }

    /// Characters as an argument of a runtime function, or of a specifier.
    pub(crate) fn addressable_str(&mut self, s: Str) -> Str {
        if self.rank(s.place) == 0 {
            return s;
        }
        match self.e.expr(s.place) {
            ExprData::Var(_) => s,
            _ => self.copy_str(s),
        }
    }

    /// The category of a type, for messages.
    pub(crate) fn category(&self, e: Expr) -> Category {
        Category::of(self.ty(e))
    }
}

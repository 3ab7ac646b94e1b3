//! Argument lists: matching with dummies, checks, addresses and copies.

use crate::lower::Lower;
use crate::lower::call::{Actual, Arguments};
use crate::lower::symbols::{extras, has_strides};
use crate::lower::values::{Failed, Lowered, Str, Val};
use crate::sema::scope::symbol::is_assumed_shape;
use crate::sema::scope::symbol::{Procedure, ProcedureClass, Symbol, SymbolId};
use crate::sema::types::kinds::{Category, type_name};
use smallvec::SmallVec;
use trueline_diag::{Diagnostic, Span};
use trueline_ir::{Access, Expr, ExprData, Intent, Type};
use trueline_syntax::ast::{Arg, ArgValue, ExprId, ExprKind};

impl Lower<'_, '_> {
    /// The actual arguments in the order of the dummies; without a known list as they stand.
    pub(crate) fn order(&mut self, id: SymbolId, given: &[Arg], span: Span) -> Lowered<Vec<Actual>> {
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
                None if given[..k].iter().any(|a| a.keyword.is_some()) => {
                    return Err(self.error("T0552", a.span, "An argument without keyword follows one with keyword"));
                }
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
                Some(_) => {
                    let name = p.dummies[at].map_or("", |d| self.symbol(d).name.as_str());
                    let message = format!("The argument '{name}' is given twice");
                    return Err(self.error("T0554", a.span, message));
                }
                None if self.may_mismatch(&p) => {
                    self.warn_count(id, a.span, p.dummies.len(), given.len());
                    out.push(Actual { value: Some(a.value), span: a.span });
                }
                None => return Err(self.wrong_count(id, a.span, p.dummies.len(), given.len())),
            }
        }
        let missing = p.dummies.iter().zip(&out).find_map(|(d, a)| match (d, a.value) {
            (Some(d), None) if !self.symbol(*d).attrs.optional => Some(*d),
            _ => None,
        });
        if let Some(dummy) = missing {
            if self.may_mismatch(&p) {
                self.warn_count(id, span, p.dummies.len(), given.len());
                out.truncate(given.len());
                return Ok(out);
            }
            if !self.is_explicit(&p) {
                return Err(self.wrong_count(id, span, p.dummies.len(), given.len()));
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

    /// Whether a call of an external procedure may have another number of arguments, as some old programs do.
    fn may_mismatch(&self, p: &Procedure) -> bool {
        !self.is_explicit(p) && self.cx.decls.options.argument_mismatch
    }

    /// Where the procedure itself is, if it is known, and not what names it here.
    fn defined_at(&self, id: SymbolId) -> Span {
        let decls = self.cx.decls;
        let scope = self.symbol(id).procedure().and_then(|p| p.scope);
        let own = scope.and_then(|s| decls.scopes[s].symbol).unwrap_or(id);
        decls.symbols[own].span
    }

    fn warn_count(&mut self, id: SymbolId, span: Span, want: usize, have: usize) {
        let message = self.count_text(id, want, have);
        self.diags.push(Diagnostic::warning("T0575", span, message).because(self.defined_at(id), "declared here"));
    }

    fn wrong_count(&mut self, id: SymbolId, span: Span, want: usize, have: usize) -> Failed {
        let message = self.count_text(id, want, have);
        self.report(Diagnostic::error("T0575", span, message).because(self.defined_at(id), "declared here"))
    }

    pub(crate) fn arguments(&mut self, id: SymbolId, span: Span, args: &[Arg], out: &mut Arguments) -> Lowered<()> {
        let p = self.symbol(id).procedure().cloned();
        let explicit = p.as_ref().is_some_and(|p| self.is_explicit(p));
        let dummies = p.map(|p| p.dummies).unwrap_or_default();
        let is_c = self.symbol(id).procedure().is_some_and(|p| p.is_c);
        let mut failed = false;
        self.warn_interface(id, span, explicit);
        let ordered = self.order(id, args, span)?;
        self.warn_aliases(&ordered, &dummies);
        let mut call = self.implicit_call(id, span);
        for (k, actual) in ordered.into_iter().enumerate() {
            let dummy = dummies.get(k).copied().flatten();
            self.passed = None;
            let done = match actual.value {
                Some(ArgValue::Expr(x)) if dummies.get(k) == Some(&None) => {
                    let message = format!("An alternate return of '{}' is expected here", self.symbol(id).name);
                    Err(self.error("T0293", self.ast.span(x), message))
                }
                Some(ArgValue::AltReturn(_)) if dummy.is_some() => {
                    let message = format!("'{}' has no alternate return here", self.symbol(id).name);
                    Err(self.error("T0293", actual.span, message))
                }
                Some(ArgValue::Expr(x)) => self.argument(x, id, dummy, explicit, out),
                Some(ArgValue::AltReturn(l)) => {
                    out.labels.push(l);
                    Ok(())
                }
                Some(_) => Err(self.error("T0551", actual.span, "This is not an argument")),
                None if dummies.get(k) == Some(&None) => {
                    let message = format!("An alternate return of '{}' is missing", self.symbol(id).name);
                    Err(self.error("T0293", span, message))
                }
                None => {
                    self.absent(dummy, out);
                    Ok(())
                }
            };
            failed |= done.is_err();
            if let Some(call) = &mut call {
                call.args.push(self.passed.take());
            }
        }
        self.passed = None;
        if let Some(call) = call.filter(|_| !failed)
            && let Ok(mut calls) = self.cx.calls.lock()
        {
            calls.push(call);
        }
        if is_c {
            out.lengths.clear();
        }
        if failed { Err(Failed) } else { Ok(()) }
    }

    /// The argument of a POINTER or ALLOCATABLE dummy: the address of a descriptor.
    fn indirect_argument(&mut self, x: ExprId, callee: SymbolId, dummy: SymbolId, out: &mut Arguments) -> Lowered<()> {
        let s = self.symbol(dummy);
        let name = &self.symbol(callee).name;
        let found = if self.is_null(x) && s.attrs.pointer {
            // A disassociated pointer is there.
            let before = out.further.len();
            self.absent(Some(dummy), out);
            let one = self.int8(1);
            out.further[before..].fill(one);
            return Ok(());
        } else {
            self.indirect_actual(x, dummy)?
        };
        let Some((sym, d)) = found else {
            let word = if s.attrs.pointer { "a POINTER" } else { "ALLOCATABLE" };
            let message = format!("The argument '{}' must be {word}", s.name);
            let e = Diagnostic::error("T0577", self.ast.span(x), message);
            return Err(self.report(e.because(s.span, "declared here")));
        };
        let v = self.whole_symbol(sym);
        out.values.push((dummy, v));
        if d.bounds.len() / 2 != s.rank() {
            let have = d.bounds.len() / 2;
            let message =
                format!("The argument '{}' of '{name}' has rank {}, but rank {have} is passed", s.name, s.rank());
            let e = Diagnostic::error("T0576", self.ast.span(x), message);
            return Err(self.report(e.because(s.span, "declared here")));
        }
        self.check_argument(x, callee, dummy, true, v, true)?;
        if matches!(s.intent, Intent::Out | Intent::InOut) {
            self.check_changed(x, Some(dummy), true)?;
        }
        let rank = s.rank();
        let deferred = d.len.is_some();
        let first = match &d.words {
            Some(words) => {
                let words = words.clone();
                out.reload.push((d.clone(), None));
                self.word(&words, 0, rank)
            }
            None => {
                let (first, lent) = self.lent_words(&d);
                let own = (!d.memory.is_empty()).then(|| d.clone());
                out.reload.push((lent, own));
                first
            }
        };
        let address = self.address(Access::InOut, first);
        out.list.push(address);
        if s.is_character() {
            let register = d.len.map(|l| self.e.var(l));
            let place = d.memory.last().copied().filter(|_| deferred && d.words.is_some()).or(register);
            match place.filter(|_| s.len == crate::sema::scope::symbol::Extent::Deferred) {
                Some(place) => {
                    let address = self.address(Access::InOut, place);
                    out.lengths.push(address);
                }
                None => out.lengths.extend(v.len),
            }
        }
        let whole = self.address(Access::InOut, v.e);
        out.reached.push(whole);
        self.further(x, dummy, v, out);
        Ok(())
    }

    /// The descriptor of the actual argument; a target gets one if the dummy is a POINTER that is only read.
    fn indirect_actual(
        &mut self,
        x: ExprId,
        dummy: SymbolId,
    ) -> Lowered<Option<(trueline_ir::Sym, crate::lower::values::Descriptor)>> {
        let s = self.symbol(dummy);
        if matches!(self.ast.expr(x).kind, ExprKind::Name(_) | ExprKind::Component { .. })
            && let Some((sym, d)) = self.descriptor_at(x)?
            && d.is_pointer == s.attrs.pointer
        {
            return Ok(Some((sym, d)));
        }
        if !s.attrs.pointer {
            return Ok(None);
        }
        let what = crate::lower::memory::descriptor::Indirect {
            ty: s.ty.unwrap_or(Type::I4),
            structure: s.structure,
            rank: s.rank(),
            pointer: true,
            len: s.len.known(),
        };
        let (sym, d) = self.indirect("actual", what, true);
        self.point_at(sym, &d, x, None)?;
        Ok(Some((sym, d)))
    }

    fn argument(
        &mut self,
        x: ExprId,
        callee: SymbolId,
        dummy: Option<SymbolId>,
        explicit: bool,
        out: &mut Arguments,
    ) -> Lowered<()> {
        let to_pointer = dummy.is_some_and(|d| self.symbol(d).interface.is_some());
        if to_pointer && self.pointer_argument(x, out)? {
            if let Some(d) = dummy {
                for _ in extras(self.symbol(d)) {
                    let one = self.int8(1);
                    out.further.push(one);
                }
            }
            return Ok(());
        }
        if let Some(address) = self.procedure_argument(x, dummy, out)? {
            if let (Some(dummy), ExprKind::Name(name)) = (dummy, &self.ast.expr(x).kind) {
                out.procedures.extend(self.resolve(*name).map(|id| (dummy, id)));
            }
            out.list.push(address);
            return Ok(());
        }
        self.must_be_procedure(x, dummy.filter(|_| explicit))?;
        if let Some(d) = dummy.filter(|&d| self.symbol(d).is_indirect()) {
            return self.indirect_argument(x, callee, d, out);
        }
        if self.is_null(x) && dummy.is_some_and(|d| self.symbol(d).attrs.optional) {
            // A pointer that is not associated is an absent argument.
            self.absent(dummy, out);
            return Ok(());
        }
        let optional = dummy.is_some_and(|d| self.symbol(d).attrs.optional);
        self.check_actual(x, optional);
        let intent = dummy.map_or(Intent::Unknown, |d| self.symbol(d).intent);
        let mut is_place = self.is_variable_reference(x);
        let is_any = dummy.is_some_and(|d| self.symbol(d).attrs.assumed_type);
        let v = match is_place {
            true => self.of_any_type(is_any, |l| l.designator(x))?,
            false => self.expr(x)?,
        };
        // A part of a complex number in a register is a value.
        is_place &= !matches!(self.e.expr(v.e), ExprData::Intrinsic(..));
        if let Some(d) = dummy {
            self.check_argument(x, callee, d, explicit, v, is_place)?;
            out.values.push((d, v));
        } else if !explicit {
            self.passed = self.passed_as(x, v, is_place);
        }
        let copies = out.copies_second && out.list.len() == 1;
        // What a function's result points to is a variable.
        let is_place = (is_place || self.is_pointer_result(x, v)) && !copies;
        let has_strides = is_place && dummy.is_some_and(|d| has_strides(self.symbol(d)));
        let strided = match has_strides && (self.is_called_directly(callee) || self.is_plain_array(v.e)) {
            true => self.byte_strides(x, v),
            false => None,
        };
        if let Some(d) = dummy.filter(|&d| !extras(self.symbol(d)).is_empty()) {
            match &strided {
                Some(strides) => self.further_with(x, d, v, strides, out),
                None => self.further(x, d, v, out),
            }
        }
        if let Some(d) = dummy.filter(|&d| self.symbol(d).attrs.value && !self.symbol(d).is_array()) {
            let is_c = self.symbol(callee).procedure().is_some_and(|p| p.is_c);
            if !self.pass_value(d, is_c, v, out)? {
                let value = self.number_value(x, d, v)?;
                out.list.push(value);
            }
            return Ok(());
        }
        if matches!(intent, Intent::Out | Intent::InOut) {
            let may_mismatch = !explicit && self.cx.decls.options.argument_mismatch;
            if is_place || !may_mismatch {
                self.check_changed(x, dummy, is_place)?;
            } else if let Some(d) = dummy.map(|d| self.symbol(d)) {
                let message = format!("The argument '{}' is changed, but what is passed is not a variable", d.name);
                let d = Diagnostic::warning("T0580", self.ast.span(x), message).because(d.span, "declared here");
                self.diags.push(d);
            }
        }
        let access = match intent {
            Intent::In => Access::In,
            Intent::Out if self.rank(v.e) == 0 => Access::Out,
            _ if !is_place => Access::In,
            _ if !self.cx.decls.options.checks.do_steps
                && self.root_of(x).is_some_and(|id| self.is_active(id))
                && self.rank(v.e) == 0 =>
            {
                Access::In
            }
            _ => Access::InOut,
        };
        let behind = if optional && self.rank(v.e) == 0 && v.len.is_none() && self.structure_at(v.e).is_none() {
            self.behind(x)
        } else {
            None
        };
        let place = match is_place {
            true if strided.is_some() => self.first_of(v, access, out),
            true => self.addressable(v, access, out),
            false => self.copied(v).e,
        };
        let place = match behind {
            Some(d) => {
                let reached = self.address(access, place);
                out.reached.push(reached);
                self.place_or_spare(&d, place)
            }
            None => place,
        };
        let address = self.address(access, place);
        out.list.push(address);
        if !is_any {
            out.lengths.extend(v.len);
        }
        Ok(())
    }

    /// Whether a value is what a pointer points to that a function returned.
    fn is_pointer_result(&self, x: ExprId, v: Val) -> bool {
        let is_call = matches!(self.ast.expr(x).kind, ExprKind::Call { .. });
        is_call
            && matches!(self.e.expr(v.e), ExprData::Var(s) if self.descriptors.get(&s).is_some_and(|d| d.is_pointer))
    }

    /// Whether the interface is explicit here: that of a procedure is within itself.
    pub(crate) fn is_explicit(&self, p: &Procedure) -> bool {
        let hosts = || std::iter::successors(Some(self.home), |&h| self.cx.decls.scopes[h].parent);
        p.explicit || p.scope.is_some() && hosts().any(|h| Some(h) == p.scope)
    }

    /// An error if the interface must be explicit (Fortran 2003, 12.3.1.1).
    pub(crate) fn check_implicit_call(&mut self, callee: SymbolId, span: Span) -> Lowered<()> {
        let decls = self.cx.decls;
        let is_external = |s: &&Symbol| s.procedure().is_some_and(|p| p.class == ProcedureClass::External);
        let known = |s: &&Symbol| s.procedure().is_some_and(|p| p.scope.is_some());
        let own = self.symbol(callee);
        // What is declared here by its name alone may be defined in the same file.
        let global = || decls.lookup_global(&own.name).map(|id| self.symbol(id)).filter(is_external);
        let s = if known(&own) || !is_external(&own) { own } else { global().filter(known).unwrap_or(own) };
        let Some(p) = s.procedure().filter(|p| !self.is_explicit(p)) else { return Ok(()) };
        let Some((of, why)) = crate::sema::types::interfaces::must_be_explicit(decls, s, p) else { return Ok(()) };
        let message = format!("A call of '{}' needs its explicit interface: {why}", s.name);
        Err(self.report(Diagnostic::error("T0578", span, message).because(of.span, "because of this")))
    }

    /// An error unless the actual argument of a dummy that is changed can change.
    pub(crate) fn check_changed(&mut self, x: ExprId, dummy: Option<SymbolId>, is_place: bool) -> Lowered<()> {
        if is_place {
            let associates = dummy.is_some_and(|d| self.symbol(d).attrs.pointer);
            if associates || !(self.is_whole_pointer(x) || self.is_pointer_component(x)) {
                self.check_definable(x, "passed to a dummy argument that is changed")?;
            }
            return match dummy {
                Some(d) if self.has_vector_subscript(x) => {
                    let d = self.symbol(d);
                    let message = format!("The argument '{}' is changed: it cannot be a section by a vector", d.name);
                    let e = Diagnostic::error("T0580", self.ast.span(x), message);
                    Err(self.report(e.because(d.span, "declared here")))
                }
                _ => Ok(()),
            };
        }
        let Some(d) = dummy.map(|d| self.symbol(d)) else { return Ok(()) };
        let what = match self.root_of(x) {
            Some(id) => format!("'{}'", self.symbol(id).name),
            None => "what is passed".to_owned(),
        };
        let message = format!("The argument '{}' is changed, but {what} is not a variable", d.name);
        Err(self.report(Diagnostic::error("T0580", self.ast.span(x), message).because(d.span, "declared here")))
    }

    pub(crate) fn has_vector_subscript(&mut self, x: ExprId) -> bool {
        let ExprKind::Call { args, .. } = self.ast.expr(x).kind else { return false };
        let args = self.ast.args(args).to_vec();
        args.iter().any(|a| match a.value {
            ArgValue::Expr(x) => self.typed(x).is_some_and(|t| t.rank() > 0),
            _ => false,
        })
    }

    /// Whether `x` is a variable, element, section or substring, as opposed to an expression.
    pub(crate) fn is_variable_reference(&self, x: ExprId) -> bool {
        let Some(root) = self.root_of(x) else { return false };
        if self.associates.contains_key(&root) {
            return false;
        }
        self.symbol(root).is_variable() && !self.hidden[self.hidden_floor..].iter().any(|(id, _)| *id == root)
    }

    /// The variable that a reference is part of.
    pub(crate) fn root_of(&self, mut x: ExprId) -> Option<SymbolId> {
        loop {
            match self.ast.expr(x).kind {
                ExprKind::Name(name) => {
                    let id = self.resolve(name)?;
                    // A name that is associated with a variable is that variable.
                    return Some(self.associates.get(&id).copied().flatten().and_then(|a| a.root).unwrap_or(id));
                }
                ExprKind::Call { base, .. } | ExprKind::Component { base, .. } => x = base,
                _ => return None,
            }
        }
    }

    /// A value in a temporary of its own.
    pub(crate) fn copied(&mut self, v: Val) -> Val {
        // A constant or temporary is nobody else's, a variable in parentheses or part of one is.
        let variable = self.root(v.e).filter(|&s| self.sym(s).from_source && !self.results.contains(&s));
        if let Some(id) = self.structure_at(v.e) {
            let own = self.rank(v.e) == 0 && variable.is_none();
            return if own { v } else { Val::plain(self.owned_copy(v.e, id)) };
        }
        match self.as_str(v) {
            Some(s) if self.rank(s.place) == 0 && variable.is_none() => v,
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
        if self.rank(v.e) == 0 || self.is_contiguous_variable(v.e) {
            return v.e;
        }
        if let Some(first) = self.contiguous(v.e) {
            return first;
        }
        // The copy is copied back byte for byte, whatever it owns.
        let v = match self.structure_at(v.e) {
            Some(id) => self.bytes_of(v.e, id).into(),
            None => v,
        };
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

    /// Whether a call by the name of the procedure goes to code of ours. Others get a descriptor whose strides count elements.
    fn is_called_directly(&self, callee: SymbolId) -> bool {
        let p = self.symbol(callee).procedure();
        p.is_some_and(|p| matches!(p.class, ProcedureClass::Module | ProcedureClass::Internal)) && self.callee.is_none()
    }

    /// Whether the distances of the elements are surely multiples of an element: those of a component are not.
    fn is_plain_array(&self, e: Expr) -> bool {
        match self.e.expr(e) {
            ExprData::Var(s) | ExprData::Section(s, _) => self.sym(s).is_contiguous(),
            _ => false,
        }
    }

    /// The first element of an array that is passed as it lies.
    fn first_of(&mut self, v: Val, access: Access, out: &mut Arguments) -> Expr {
        let ExprData::Section(array, subs) = self.e.expr(v.e) else { return v.e };
        let subs: SmallVec<[Expr; 4]> = self.list(subs).iter().copied().collect();
        let mut first: SmallVec<[Expr; 4]> = SmallVec::new();
        for sub in subs {
            first.push(match self.e.expr(sub) {
                ExprData::Triplet(lo, ..) => lo,
                _ => sub,
            });
        }
        // Others may lie before it.
        let whole = self.var(array);
        let whole = self.address(access, whole);
        out.reached.push(whole);
        self.elem(array, &first)
    }

    /// A whole variable whose elements lie without gaps.
    pub(crate) fn is_contiguous_variable(&self, e: Expr) -> bool {
        matches!(self.e.expr(e), ExprData::Var(v) if self.sym(v).is_contiguous())
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
                    if !is_whole || self.known(step) != Some(1) || dim.stride.is_some() {
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

    pub(crate) fn check_argument(
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
        let passed = self.structure_at(v.e);
        let same = match (d.structure, passed) {
            _ if d.attrs.assumed_type => true,
            (None, None) => have == ty || is_text,
            (Some(a), Some(b)) => self.same_type(a, b),
            _ => false,
        };
        if !same {
            problem = Some(format!(
                "The argument '{}' of '{name}' is {}, but {} is passed",
                d.name,
                d.structure.map_or_else(|| type_name(ty), |s| format!("TYPE({})", self.cx.decls.structures[s].name)),
                self.type_of_value(v.e)
            ));
        } else if self.rank(v.e) != d.rank() {
            let has_shape = is_assumed_shape(d) || d.is_indirect();
            let sequence = d.is_array() && self.rank(v.e) > 0 && !has_shape;
            let element = d.is_array() && is_place && self.is_element(v.e) && !has_shape;
            let elemental = self.symbol(callee).procedure().is_some_and(|p| p.is_elemental);
            let string = d.is_array() && d.is_character() && !has_shape;
            if !(sequence || element || elemental || string) {
                problem = Some(format!(
                    "The argument '{}' of '{name}' has rank {}, but rank {} is passed",
                    d.name,
                    d.rank(),
                    self.rank(v.e)
                ));
            }
        }
        let is_assumed_size = matches!(self.ast.expr(x).kind, ExprKind::Name(_))
            && self.root_of(x).is_some_and(|id| self.symbol(id).is_assumed_size());
        if problem.is_none() && is_assumed_size && is_assumed_shape(d) {
            problem =
                Some(format!("The argument '{}' has an assumed shape, but an array of assumed size is passed", d.name));
        }
        let legacy = self.cx.decls.options.io.legacy;
        let mut is_error = explicit || !self.cx.decls.options.argument_mismatch;
        let mut flag = "-fallow-argument-mismatch";
        if problem.is_none() && !is_assumed_size {
            problem = self.too_few_elements(d, x, v);
            (is_error, flag) = (!legacy, "-std=legacy");
        }
        let Some(message) = problem.filter(|_| explicit || !is_text) else { return Ok(()) };
        let span = self.ast.span(x);
        if is_error {
            let error = Diagnostic::error("T0576", span, message).because(d.span, "declared here");
            let help = format!("{flag} takes it as it is");
            return Err(self.report(if explicit { error } else { error.help(help) }));
        }
        self.diags.push(Diagnostic::warning("T0576", span, message).because(d.span, "declared here"));
        Ok(())
    }

    /// An array that is known to be smaller than the dummy argument of known size that it is passed to.
    fn too_few_elements(&mut self, d: &Symbol, x: ExprId, v: Val) -> Option<String> {
        if !d.is_array() || d.is_indirect() || is_assumed_shape(d) {
            return None;
        }
        let (mut want, mut unit) = (d.shape.iter().try_fold(1i64, |n, b| n.checked_mul(b.size()?))?, "elements");
        let mut have = self.elements_from(x, v)?;
        if let (true, Some(len)) = (d.is_character(), v.len) {
            want = want.checked_mul(d.len.known()?)?;
            have = have.checked_mul(self.known(len)?)?;
            unit = "characters";
        }
        (have < want).then(|| format!("The argument '{}' has {want} {unit}, but {have} are passed", d.name))
    }

    /// How many elements an array has, or follow an element of one in their array, with itself.
    fn elements_from(&mut self, x: ExprId, v: Val) -> Option<i64> {
        if self.rank(v.e) > 0 {
            return self.shape(v.e).iter().try_fold(1i64, |n, &e| n.checked_mul(self.known(e)?));
        }
        let ExprKind::Call { base, .. } = self.ast.expr(x).kind else { return None };
        let (ExprKind::Name(_), ExprData::Elem(sym, subs)) = (&self.ast.expr(base).kind, self.e.expr(v.e)) else {
            return None;
        };
        if !self.sym(sym).is_contiguous() || self.descriptors.contains_key(&sym) {
            return None;
        }
        let dims = self.sym(sym).dims.clone();
        let subs: SmallVec<[Expr; 4]> = self.list(subs).iter().copied().collect();
        let (mut before, mut all) = (0i64, 1i64);
        for (dim, sub) in dims.iter().zip(subs) {
            let (lo, hi) = (self.known(dim.lower)?, self.known(dim.upper.expand()?)?);
            before = before.checked_add(self.known(sub)?.checked_sub(lo)?.checked_mul(all)?)?;
            all = all.checked_mul(hi.checked_sub(lo)?.checked_add(1)?.max(0))?;
        }
        all.checked_sub(before)
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
        match self.is_contiguous_variable(s.place) {
            true => s,
            false => self.copy_str(s),
        }
    }

    /// The category of a type, for messages.
    pub(crate) fn category(&self, e: Expr) -> Category {
        Category::of(self.ty(e))
    }
}

//! Argument lists: matching with dummies, checks, addresses and copies.

use crate::call::Arguments;
use crate::expr::Exprs;
use crate::source::Source;
use crate::symbols::extras;
use crate::values::{Checked, Descriptor, Str, Val, refused};
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_diag::Span;
use trueline_ir::{Access, Expr, ExprData, Intent, Sym, Type};
use trueline_sema::scope::symbol::{Symbol, SymbolId};
use trueline_sema::typed::call::{Actual, Given, Passing};
use trueline_sema::types::kinds::Category;
use trueline_syntax::ast::{Arg, ExprId, ExprKind};

impl Variables<'_> {
    /// The actual arguments in the order of the dummies; without a known list as they stand.
    pub(crate) fn order(&mut self, id: SymbolId, given: &[Arg], span: Span) -> Vec<Actual> {
        let matched = self.site().matched(id, given, span);
        matched.map(|(actuals, _)| actuals).checked()
    }

    /// The variable that a reference is part of.
    pub(crate) fn root_of(&self, mut x: ExprId) -> Option<SymbolId> {
        loop {
            match self.ast.expr(x).kind {
                ExprKind::Name(name) => {
                    let id = self.resolve(name)?;
                    // A name that is associated with a variable is that variable.
                    return Some(self.associates.get(&id).and_then(|a| a.root).unwrap_or(id));
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
                let own = self.ty(v.e);
                let temp = self.e.memory(own, None, &shape);
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

    /// Whether the distances of the elements are surely multiples of an element: not in a component.
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

impl Exprs<'_> {
    pub(crate) fn arguments(&mut self, id: SymbolId, span: Span, args: &[Arg], out: &mut Arguments) {
        let s = self.symbol(id);
        let dummies = s.procedure().map(|p| &p.dummies[..]).unwrap_or_default();
        let site = self.site();
        let explicit = s.procedure().is_some_and(|p| site.is_explicit(p));
        for (k, actual) in self.order(id, args, span).into_iter().enumerate() {
            let dummy = dummies.get(k).copied().flatten();
            out.noted = k;
            match self.site().given(id, dummies.get(k), actual, span).checked() {
                Given::Expr(x) => self.argument(x, id, dummy, explicit, out),
                Given::Label(l) => out.labels.push(l),
                Given::Nothing => self.absent(dummy, out),
            }
        }
        if s.procedure().is_some_and(|p| p.is_c) {
            out.lengths.clear();
        }
    }

    /// Adds an argument: the address, value or descriptor that its class of passing asks for.
    fn argument(&mut self, x: ExprId, callee: SymbolId, dummy: Option<SymbolId>, explicit: bool, out: &mut Arguments) {
        let copies = out.copies_second && out.list.len() == 1;
        let passing = self.site().passing(x, dummy, explicit, copies).checked();
        match (passing, dummy) {
            (Passing::ProcedurePointer, _) => self.pointer_argument(x, dummy, out),
            (Passing::Procedure, _) => self.procedure_passed(x, dummy, out),
            (Passing::Absent, _) => self.absent(dummy, out),
            (Passing::Disassociated, _) => {
                // A disassociated pointer is there.
                let before = out.further.len();
                self.absent(dummy, out);
                let one = self.int8(1);
                out.further[before..].fill(one);
            }
            (Passing::Descriptor | Passing::Target, Some(d)) => self.indirect_argument(x, d, passing, out),
            _ => {
                // The value of an INTENT(IN) argument need not be used.
                let is_input = dummy.is_some_and(|d| self.symbol(d).intent == Intent::In);
                let watched = if is_input { self.begin_defining(x) } else { None };
                self.data_argument(x, callee, dummy, passing, out);
                self.end_defining(watched);
            }
        }
    }

    /// A procedure as an argument.
    fn procedure_passed(&mut self, x: ExprId, dummy: Option<SymbolId>, out: &mut Arguments) {
        let Some(address) = self.procedure_argument(x, dummy, out) else { refused() };
        if let (Some(dummy), ExprKind::Name(name)) = (dummy, &self.ast.expr(x).kind) {
            out.procedures.extend(self.resolve(*name).map(|id| (dummy, id)));
        }
        out.list.push(address);
    }

    /// The argument of a POINTER or ALLOCATABLE dummy: the address of a descriptor.
    fn indirect_argument(&mut self, x: ExprId, dummy: SymbolId, passing: Passing, out: &mut Arguments) {
        let s = self.symbol(dummy);
        let (sym, d) = match passing {
            Passing::Descriptor => self.descriptor_at(x).checked(),
            _ => self.target_descriptor(x, s),
        };
        let v = self.whole_symbol(sym);
        out.values.push((dummy, v));
        let rank = s.rank();
        let deferred = d.len.is_some();
        let first = match &d.words {
            Some(words) => {
                let words = words.clone();
                out.reload.push((d.clone(), None));
                self.word(&words, 0, rank)
            }
            None => {
                match out.reload.iter().find(|(lent, _)| lent.base == d.base).and_then(|(lent, _)| lent.words.clone()) {
                    // Passed twice, it is one descriptor.
                    Some(words) => self.word(&words, 0, rank),
                    None => {
                        let (first, lent) = self.lent_words(&d);
                        let own = (!d.memory.is_empty()).then(|| d.clone());
                        out.reload.push((lent, own));
                        first
                    }
                }
            }
        };
        let address = self.address(Access::InOut, first);
        out.list.push(address);
        if s.is_character() {
            let register = d.len.map(|l| self.e.var(l));
            let place = d.memory.last().copied().filter(|_| deferred && d.words.is_some()).or(register);
            match place.filter(|_| s.len == trueline_sema::scope::symbol::Extent::Deferred) {
                Some(place) => {
                    let address = self.address(Access::InOut, place);
                    out.lengths.push(address);
                }
                None => {
                    if let Some(len) = v.len {
                        self.check_length(x, dummy, len);
                    }
                    out.lengths.extend(v.len);
                }
            }
        }
        let whole = self.address(Access::InOut, v.e);
        out.reached.push(whole);
        self.further(x, dummy, v, out);
    }

    /// A descriptor that points to the actual argument.
    fn target_descriptor(&mut self, x: ExprId, dummy: &Symbol) -> (Sym, Descriptor) {
        let what = crate::memory::descriptor::Indirect {
            ty: dummy.ty.unwrap_or(Type::I4),
            structure: dummy.structure,
            rank: dummy.rank(),
            pointer: true,
            len: dummy.len.known(),
        };
        let (sym, d) = self.indirect("actual", what, true);
        self.point_at(&d, x, None);
        (sym, d)
    }

    /// A variable or value for a dummy argument that is neither a procedure nor a POINTER or ALLOCATABLE.
    fn data_argument(
        &mut self,
        x: ExprId,
        callee: SymbolId,
        dummy: Option<SymbolId>,
        passing: Passing,
        out: &mut Arguments,
    ) {
        let d = dummy.map(|d| self.symbol(d));
        let optional = d.is_some_and(|d| d.attrs.optional);
        self.check_actual(x, optional);
        let is_any = d.is_some_and(|d| d.attrs.assumed_type);
        let is_variable = match passing {
            Passing::Value { is_variable } | Passing::Copy { is_variable } => is_variable,
            _ => !self.typing().is_pointer_result(x),
        };
        let outer = std::mem::replace(&mut self.may_be_absent, optional);
        let v = match is_variable {
            true => self.of_any_type(is_any, |l| l.designator(x)),
            false => self.expr(x),
        };
        self.may_be_absent = outer;
        if is_variable {
            self.check_actual_component(x, optional, v.e);
        }

        if !is_variable && !optional {
            self.check_pointer_result(x, v);
        }
        // A part of a complex number in a register is a value.
        let is_value = matches!(self.e.expr(v.e), ExprData::Intrinsic(..));
        if let Some(d) = dummy {
            if let Some(len) = v.len {
                self.check_length(x, d, len);
            }
            out.values.push((d, v));
        }
        let is_place = matches!(passing, Passing::Place | Passing::Strided) && !is_value;
        let may_stride = is_place && passing == Passing::Strided;
        let is_known = |l: &mut Self| l.callee.is_none() && l.site().is_called_directly(callee);
        let strided = match may_stride && (self.is_plain_array(v.e) || is_known(self)) {
            true => self.byte_strides(v),
            false => None,
        };
        if let Some(d) = dummy.filter(|&d| !extras(self.symbol(d)).is_empty()) {
            match &strided {
                Some(strides) => self.further_with(x, d, v, strides, out),
                None => self.further(x, d, v, out),
            }
        }
        if let (Passing::Value { .. }, Some(d)) = (passing, dummy) {
            if !self.pass_value(d, v, out) {
                let value = self.number_value(x, d, v);
                out.list.push(value);
            }
            return;
        }
        self.note_argument(x, v, dummy, is_place, out);
        let intent = d.map_or(Intent::Unknown, |d| d.intent);
        if matches!(intent, Intent::Out | Intent::InOut) {
            self.check_not_fixed(x);
        }
        let access = match intent {
            Intent::In => Access::In,
            Intent::Out if self.rank(v.e) == 0 => Access::Out,
            _ if !is_place => Access::In,
            _ if !self.cx.decls.options.checks.do_steps
                && !self.active.is_empty()
                && self.rank(v.e) == 0
                && self.root_of(x).is_some_and(|id| self.is_active(id)) =>
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
    }
}

impl Source<'_> {
    /// Whether `x` is a variable, element, section or substring, as opposed to an expression.
    pub(crate) fn is_variable_reference(&mut self, x: ExprId) -> bool {
        self.site().is_place(x)
    }
}

//! Subscripts, sections and substrings: their number, types and ranks, and constants outside of constant bounds.

use crate::check::standard::Feature;
use crate::check::statements::Statements;
use crate::scope::symbol::{Bounds, SymbolId, SymbolKind};
use crate::typed::Typed;
use crate::types::kinds::{Category, type_name};
use trueline_diag::{Diagnostic, Span};
use trueline_ir::Type;
use trueline_syntax::ast::{Arg, ArgList, ArgValue, ExprId, ExprKind};

/// The most statement functions that the references in one procedure expand to.
const MAX_EXPANSIONS: u64 = 100_000;

/// How deep statement functions may use each other.
const MAX_EXPANSION_DEPTH: u64 = 50;

/// An array in the source: its name, and the place and bounds of its declaration.
struct Array<'a> {
    name: &'a str,
    declared: Span,
    bounds: &'a [Bounds],
}

impl<'a> Statements<'_, 'a> {
    /// Reports the faults of `base(args)` at `x`, if it is part of a variable or constant.
    pub fn reference(&mut self, x: ExprId, base: ExprId, args: ArgList) {
        let ast = self.ast;
        match ast.expr(base).kind {
            ExprKind::Name(name) => {
                let Some(id) = self.site().typing.resolve(name) else { return };
                let s = &self.decls.symbols[id];
                let is_data = match s.kind {
                    SymbolKind::Variable => s.interface.is_none() && !s.attrs.assumed_type,
                    SymbolKind::Parameter => true,
                    _ => false,
                };
                if s.is_variable() && s.attrs.assumed_type {
                    let fault = self.site().of_any_type(x, s);
                    self.diags.push(fault);
                } else if is_data {
                    self.part_of_named(x, base, id, args);
                } else if let SymbolKind::Namelist(_)
                | SymbolKind::Module(_)
                | SymbolKind::Program(_)
                | SymbolKind::BlockData(_) = &s.kind
                {
                    let message = format!("'{}' is neither an array nor a function", s.name);
                    let d = Diagnostic::error("T0522", ast.span(x), message);
                    self.diags.push(d.because(s.span, "declared here"));
                } else if let SymbolKind::StatementFunction { dummies, .. } = &s.kind {
                    self.called_statement_function(x, id, dummies, args);
                }
            }
            ExprKind::Component { base: outer, name } => {
                let mut site = self.site();
                let Some(structure) = site.typing.of(outer).and_then(|t| t.structure) else { return };
                let Some(c) = site.typing.found(structure, name).filter(|c| c.interface.is_none()) else { return };
                if !c.shape.is_empty() {
                    let array =
                        Array { name: &c.name, declared: c.span, bounds: if c.is_indirect() { &[] } else { &c.shape } };
                    self.subscripts(x, &array, c.shape.len(), args);
                } else if c.ty == Type::Char && c.structure.is_none() {
                    self.substring(x, base, args);
                } else {
                    let message = format!("The component '{}' is not an array", c.name);
                    let d = Diagnostic::error("T0593", ast.span(x), message);
                    self.diags.push(d.because(c.span, "declared here"));
                }
            }
            _ => self.substring(x, base, args),
        }
    }

    fn called_statement_function(&mut self, x: ExprId, id: SymbolId, dummies: &[SymbolId], args: ArgList) {
        let count = dummies.len();
        let s = &self.decls.symbols[id];
        let given = self.ast.args(args);
        if given.len() != count {
            let message = format!("'{}' has {count} arguments, but {} are given", s.name, given.len());
            self.diags.push(Diagnostic::error("T0530", self.ast.span(x), message).because(s.span, "defined here"));
            return;
        }
        for (k, arg) in given.iter().enumerate() {
            let (None, ArgValue::Expr(x)) = (arg.keyword, arg.value) else {
                let message = "This is not an argument of a statement function";
                self.diags.push(Diagnostic::error("T0533", arg.span, message));
                return;
            };
            if let Some(t) = self.site().typing.of(x) {
                let checked = self.site().must_be_scalar(x, &t);
                if self.passes(checked)
                    && let Some(&dummy) = dummies.get(k)
                {
                    self.as_type_of(x, &t, dummy);
                }
            }
        }
        if self.function.is_none() && !self.uses_itself(id, &mut Vec::new()) {
            self.result_of_statement_function(x, id);
            self.count_expansions(x, id);
        }
    }

    /// Reports the reference `x` with which statement functions expand to too much code.
    fn count_expansions(&mut self, x: ExprId, id: SymbolId) {
        let (count, depth) = self.expansion(id);
        let was_within = self.expanded <= MAX_EXPANSIONS;
        self.expanded = self.expanded.saturating_add(count);
        if was_within && self.expanded > MAX_EXPANSIONS || depth > MAX_EXPANSION_DEPTH {
            let message = "Too many expansions of statement functions";
            self.diags.push(Diagnostic::error("T0532", self.ast.span(x), message));
        }
    }

    /// The number of statement functions that one expands to, itself included, and how deep they nest.
    fn expansion(&mut self, id: SymbolId) -> (u64, u64) {
        if let Some(&known) = self.expansions.get(&id) {
            return known;
        }
        let mut all = (1u64, 1u64);
        // One that uses itself has been reported.
        self.expansions.insert(id, all);
        for used in self.used_by(id) {
            if matches!(self.decls.symbols[used].kind, SymbolKind::StatementFunction { .. }) {
                let (count, depth) = self.expansion(used);
                all = (all.0.saturating_add(count), all.1.max(depth + 1));
            }
        }
        self.expansions.insert(id, all);
        all
    }

    /// The procedures and arrays that a statement function names, each as often as it does.
    fn used_by(&self, id: SymbolId) -> Vec<SymbolId> {
        let s = &self.decls.symbols[id];
        let SymbolKind::StatementFunction { body, .. } = s.kind else { return Vec::new() };
        let (decls, ast) = (self.decls, self.decls.ast(s.scope));
        let mut used = Vec::new();
        crate::visit::expressions(ast, body, &mut |x| {
            if let ExprKind::Call { base, .. } = ast.expr(x).kind
                && let ExprKind::Name(name) = ast.expr(base).kind
            {
                used.extend(decls.visible(s.scope, name));
            }
        });
        used
    }

    /// The fault of a statement function that uses itself, directly or by others.
    fn uses_itself(&mut self, id: SymbolId, around: &mut Vec<SymbolId>) -> bool {
        let s = &self.decls.symbols[id];
        if !matches!(s.kind, SymbolKind::StatementFunction { .. }) {
            return false;
        }
        if self.finite.contains(&id) {
            return false;
        }
        if around.contains(&id) {
            let message = format!("The statement function '{}' uses itself", s.name);
            self.diags.push(Diagnostic::error("T0531", s.span, message));
            return true;
        }
        around.push(id);
        let is_endless = self.used_by(id).into_iter().any(|id| self.uses_itself(id, around));
        around.pop();
        self.finite.insert(id);
        is_endless
    }

    /// Reports a value that cannot become one of the type of the symbol: an argument or the result of a statement function.
    fn as_type_of(&mut self, x: ExprId, t: &Typed, id: SymbolId) {
        let s = &self.decls.symbols[id];
        if let (Some(a), Some(b)) = (s.structure, t.structure)
            && self.decls.same_type(a, b)
        {
            return;
        }
        let Some(ty) = s.ty else { return };
        let site = self.site();
        let checked = match (t.ty == Type::Char && t.structure.is_none(), ty == Type::Char) {
            (true, true) => Ok(()),
            (false, false) if t.ty != Type::Char => site.check_conversion(x, t.ty, ty),
            _ => {
                let message = format!("{} cannot become {}", type_name(t.ty), type_name(ty));
                Err(Diagnostic::error("T0534", site.ast.span(x), message))
            }
        };
        self.passes(checked);
    }

    fn result_of_statement_function(&mut self, x: ExprId, id: SymbolId) {
        let SymbolKind::StatementFunction { body, .. } = self.decls.symbols[id].kind else { return };
        let outer = (self.scope, self.function);
        (self.scope, self.function) = (self.decls.symbols[id].scope, Some(id));
        let typed = self.site().typing.of(body);
        (self.scope, self.function) = outer;
        if let Some(t) = typed {
            self.as_type_of(x, &t, id);
        }
    }

    fn part_of_named(&mut self, x: ExprId, base: ExprId, id: SymbolId, args: ArgList) {
        let Some(whole) = self.site().typing.of(base) else { return };
        let s = &self.decls.symbols[id];
        let is_range = matches!(self.ast.args(args), [Arg { keyword: None, value: ArgValue::Section { .. }, .. }]);
        if whole.rank() > 0 {
            let array = Array { name: &s.name, declared: s.span, bounds: self.bounds(id) };
            self.subscripts(x, &array, whole.rank(), args);
            self.constant_element(x, id, &array, args);
            if self.site().typing.of(x).is_some_and(|t| t.rank() > 0) {
                self.uses(Feature::Section, self.ast.span(x), "");
            }
        } else if whole.ty == Type::Char && whole.structure.is_none() && is_range {
            self.substring(x, base, args);
        } else {
            let of_name = s.attrs.associate && s.ty.is_none();
            let message = format!("'{}' is neither an array nor a function", s.name);
            let d = Diagnostic::error("T0522", self.ast.span(x), message);
            self.diags.push(d.because(s.span, if of_name { "associated here" } else { "declared here" }));
        }
    }

    /// The declared bounds of an array, or of the array that a name is associated with.
    fn bounds(&self, mut id: SymbolId) -> &'a [Bounds] {
        loop {
            let s = &self.decls.symbols[id];
            if !(s.attrs.associate && s.ty.is_none()) {
                return if s.is_indirect() { &[] } else { &s.shape };
            }
            let Some((scope, x)) = self.decls.selector_of(s) else { return &[] };
            let ExprKind::Name(name) = self.ast.expr(x).kind else { return &[] };
            match self.decls.visible(scope, name) {
                Some(other) if other != id => id = other,
                _ => return &[],
            }
        }
    }

    fn subscripts(&mut self, x: ExprId, array: &Array<'_>, rank: usize, args: ArgList) {
        let ast = self.ast;
        let span = ast.span(x);
        if args.len() != rank {
            let plural = if args.len() == 1 { "subscript is" } else { "subscripts are" };
            let message = format!("'{}' has rank {rank}, but {} {plural} given", array.name, args.len());
            self.diags.push(Diagnostic::error("T0525", span, message).because(array.declared, "declared here"));
            return;
        }
        for (k, arg) in ast.args(args).iter().enumerate() {
            if let Some(keyword) = arg.keyword {
                self.diags.push(Diagnostic::error("T0526", keyword.span, "A subscript has no keyword"));
                return;
            }
            match arg.value {
                ArgValue::Expr(sub) => {
                    self.subscript(sub, arg.span);
                    self.within_bounds(x, array, k, sub);
                }
                ArgValue::Section { lo, hi, step } => {
                    let is_last = k + 1 == rank && array.bounds.len() == rank;
                    let has_end = !is_last || array.bounds[k].upper != crate::scope::symbol::Extent::Assumed;
                    self.section([lo, hi, step].map(|x| x.expand()), arg.span, array.name, has_end);
                }
                ArgValue::AltReturn(_) | ArgValue::Star => {
                    self.diags.push(Diagnostic::error("T0526", arg.span, "This is not a subscript"));
                }
            }
        }
    }

    /// Reports the faults of an object of an ALLOCATE, whose subscripts are its bounds.
    pub fn allocated(&mut self, args: ArgList) {
        for arg in self.ast.args(args) {
            match arg.value {
                ArgValue::Expr(x) => self.scalar_index(x),
                ArgValue::Section { lo, hi, .. } if hi.is_some() => {
                    [lo, hi].into_iter().filter_map(|x| x.expand()).for_each(|x| self.scalar_index(x));
                }
                ArgValue::Section { .. } => {
                    self.diags.push(Diagnostic::error("T0618", arg.span, "An extent needs an upper bound"));
                }
                ArgValue::AltReturn(_) | ArgValue::Star => {
                    self.diags.push(Diagnostic::error("T0618", arg.span, "This is not an extent"));
                }
            }
        }
    }

    /// Reports bounds that a pointer gets if they are no scalar indices.
    pub fn pointer_bounds(&mut self, args: ArgList) {
        for arg in self.ast.args(args) {
            let ArgValue::Section { lo, hi, .. } = arg.value else {
                let message = "Bounds of a pointer have the form lower: or lower:upper";
                self.diags.push(Diagnostic::error("T0674", arg.span, message));
                return;
            };
            [lo, hi].into_iter().filter_map(|x| x.expand()).for_each(|x| self.scalar_index(x));
        }
    }

    fn subscript(&mut self, x: ExprId, span: Span) {
        let Some(t) = self.site().typing.of(x) else { return };
        if self.index(x, &t) && t.rank() > 1 {
            let message = format!("A vector subscript has rank 1, not {}", t.rank());
            self.diags.push(Diagnostic::error("T0527", span, message));
        }
    }

    /// Reports an index that is none, or a REAL; whether it is one.
    fn index(&mut self, x: ExprId, t: &Typed) -> bool {
        let site = self.site();
        let checked = site.must_be_plain(x, t).and_then(|()| site.must_be_index(x, t));
        let is_real = Category::of(t.ty) == Category::Real;
        let fits = checked.is_ok() || is_real;
        self.passes(checked);
        fits
    }

    fn scalar_index(&mut self, x: ExprId) {
        let Some(t) = self.site().typing.of(x) else { return };
        let site = self.site();
        let checked = site.must_be_plain(x, &t).and_then(|()| site.must_be_scalar(x, &t));
        if self.passes(checked) {
            self.index(x, &t);
        }
    }

    fn section(&mut self, parts: [Option<ExprId>; 3], span: Span, name: &str, has_end: bool) {
        for x in parts.into_iter().flatten() {
            self.scalar_index(x);
        }
        let [_, hi, step] = parts;
        if let Some(x) = step.filter(|&x| self.site().typing.integer(x) == Some(0)) {
            self.diags.push(Diagnostic::error("T0528", self.ast.span(x), "The stride of a section is not 0"));
        } else if hi.is_none() && !has_end {
            let message = format!("The last dimension of the assumed-size array '{name}' has no upper bound");
            self.diags.push(Diagnostic::error("T0520", span, message));
        }
    }

    /// A constant subscript outside of constant bounds is a warning, as the element may never be used.
    fn within_bounds(&mut self, x: ExprId, array: &Array<'_>, k: usize, sub: ExprId) {
        let Some(b) = array.bounds.get(k) else { return };
        let (lo, hi) = (b.lower.known(), b.upper.known());
        if lo.is_none() && hi.is_none() {
            return;
        }
        let Some(v) = self.site().typing.integer(sub) else { return };
        if lo.is_some_and(|lo| v < lo) || hi.is_some_and(|hi| v > hi) {
            let text = |bound: Option<i64>| bound.map_or_else(|| "*".to_owned(), |b| b.to_string());
            let bounds = format!("{}:{}", text(lo), text(hi));
            let message = format!("Subscript {v} of dimension {} of '{}' is outside {bounds}", k + 1, array.name);
            let d = Diagnostic::warning("T0529", self.ast.span(x), message);
            self.diags.push(d.because(array.declared, "declared here"));
        }
    }

    /// An element of a named constant has a value, or else there is no such element.
    fn constant_element(&mut self, x: ExprId, id: SymbolId, array: &Array<'_>, args: ArgList) {
        let s = &self.decls.symbols[id];
        if !matches!(s.kind, SymbolKind::Parameter) || s.structure.is_some() || args.len() != array.bounds.len() {
            return;
        }
        let mut is_outside = false;
        for (arg, b) in self.ast.args(args).iter().zip(array.bounds) {
            let ArgValue::Expr(sub) = arg.value else { return };
            let Some(v) = self.site().typing.integer(sub) else { return };
            let (Some(lo), Some(hi)) = (b.lower.known(), b.upper.known()) else { return };
            is_outside |= !(lo..=hi).contains(&v);
        }
        if is_outside {
            let message = format!("The named constant '{}' has no such element", s.name);
            let d = Diagnostic::error("T0529", self.ast.span(x), message);
            self.diags.push(d.because(s.span, "declared here"));
        }
    }

    fn substring(&mut self, x: ExprId, base: ExprId, args: ArgList) {
        let Some(string) = self.site().typing.of(base) else { return };
        let span = self.ast.span(x);
        if let Err(d) = self.site().must_be_text(base, &string) {
            self.diags.push(d);
            return;
        }
        let [Arg { keyword: None, value: ArgValue::Section { lo, hi, step }, .. }] = *self.ast.args(args) else {
            self.diags.push(Diagnostic::error("T0523", span, "A substring has the form (first:last)"));
            return;
        };
        if let Some(step) = step.expand() {
            self.diags.push(Diagnostic::error("T0523", self.ast.span(step), "A substring has no step"));
            return;
        }
        let (lo, hi) = (lo.expand(), hi.expand());
        for x in [lo, hi].into_iter().flatten() {
            let checked = self.site().must_be_integer(x);
            self.passes(checked);
        }
        let [lo, hi] = [lo, hi].map(|x| x.and_then(|x| self.site().typing.integer(x)));
        if let (Some(a), Some(b)) = (lo, hi)
            && a <= b
            && (a < 1 || string.len.is_some_and(|n| b > n))
        {
            let message = format!("The substring ({a}:{b}) is outside of the string");
            self.diags.push(Diagnostic::error("T0524", span, message));
        }
    }
}

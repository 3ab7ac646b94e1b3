//! Each mapping against the declarations that it is about: bounds, arrangements, shadows, ranges, storage.

use super::Mappings;
use super::extents::{bounds, number, numbers};
use super::said::{About, How, Said};
use crate::scope::symbol::{Extent, Home, Symbol, SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeId};
use trueline_diag::{Diagnostic, Diagnostics, Span};
use trueline_ir::mapping::{Axis, Extents, Format, GridExtent, Size};
use trueline_syntax::ast::{DistFormat, DistKind, ExprId, ExprKind, Onto};

pub(super) fn check(decls: &Declarations<'_>, said: &Said<'_>, mappings: &Mappings, diags: &mut Diagnostics) {
    arrangements(decls, diags);
    let mut c = Check { decls, said, mappings, diags };
    for &id in &said.order {
        if let Some(about) = said.about(id) {
            c.symbol(id, about);
        }
    }
    c.remaps();
}

/// The sizes of processor arrangements: positive, and the same for all of a scope.
fn arrangements(decls: &Declarations<'_>, diags: &mut Diagnostics) {
    for (scope, data) in decls.scopes.iter() {
        let mut first: Option<(&Symbol, u64)> = None;
        for &id in &data.own {
            let s = &decls.symbols[id];
            if s.kind != SymbolKind::Processors || s.scope != scope || s.rank() == 0 {
                continue;
            }
            let mut size = Some(1u64);
            for d in 0..s.rank() {
                let Some((lo, hi)) = bounds(decls, id, d) else {
                    size = None;
                    continue;
                };
                if hi < lo {
                    let message = format!("The processor arrangement '{}' has no processors", s.name);
                    let d =
                        Diagnostic::error("T0425", s.span, message).label(format!("its dimension {} is empty", d + 1));
                    diags.push(d.help("Give each dimension at least one processor"));
                    return;
                }
                size = size.and_then(|n| n.checked_mul(lo.abs_diff(hi).saturating_add(1)));
            }
            let Some(size) = size else { continue };
            match first {
                Some((other, n)) if n != size => {
                    let message = format!("'{}' has {size} processors, but '{}' has {n}", s.name, other.name);
                    let d = Diagnostic::warning("T0424", s.span, message).because(other.span, "the other arrangement");
                    diags.push(d.help("Arrangements of one program have the same size: that of all its processors"));
                }
                Some(_) => {}
                None => first = Some((s, size)),
            }
        }
    }
}

struct Check<'c, 'a> {
    decls: &'c Declarations<'a>,
    said: &'c Said<'a>,
    mappings: &'c Mappings,
    diags: &'c mut Diagnostics,
}

impl Check<'_, '_> {
    fn error(&mut self, code: &'static str, at: Span, message: String, because: (Span, &str), help: &str) {
        self.diags.push(Diagnostic::error(code, at, message).because(because.0, because.1).help(help));
    }

    fn symbol(&mut self, id: SymbolId, about: &About<'_>) {
        let s = &self.decls.symbols[id];
        if s.kind == SymbolKind::Error {
            return;
        }
        let is_dummy = matches!(s.home, Home::Dummy { .. }) || self.is_dummy(id);
        self.kinds(s, about, is_dummy);
        self.storage(id, s, about);
        let Some(scope) = about.scope else { return };
        if let Some((d, _)) = about.distribution
            && let Some(formats) = &d.formats
        {
            let onto = match d.onto {
                Some(Onto::Processors(x) | Onto::Asserted(x)) => self.arrangement(scope, x),
                _ => None,
            };
            self.formats(id, scope, formats, onto);
            self.blocks(id, formats, onto);
        }
        self.shadow(s, about, scope);
        self.range(s, about, scope);
    }

    fn is_dummy(&self, id: SymbolId) -> bool {
        let s = &self.decls.symbols[id];
        let own = self.decls.scopes[s.scope].symbol.and_then(|p| self.decls.symbols[p].procedure());
        own.is_some_and(|p| p.dummies.contains(&Some(id)))
    }

    /// INHERIT and `*` speak of the caller's mapping, which only a dummy argument has.
    fn kinds(&mut self, s: &Symbol, about: &About<'_>, is_dummy: bool) {
        if is_dummy || s.kind != SymbolKind::Variable {
            return;
        }
        if let Some(at) = about.inherit {
            let message = format!("'{}' cannot INHERIT a mapping: it is no dummy argument", s.name);
            self.error("T0444", at, message, (s.span, "declared here"), "Use DISTRIBUTE or ALIGN");
        }
        let described = about.distribution.is_some_and(|(d, _)| d.descriptive)
            || about.alignment.is_some_and(|(a, _)| a.descriptive);
        let at = about.distribution.map(|(d, _)| d.span).or(about.alignment.map(|(a, _)| a.span));
        if let Some(at) = at.filter(|_| described) {
            let message =
                format!("'*' describes the mapping of the actual argument, but '{}' is no dummy argument", s.name);
            self.error("T0445", at, message, (s.span, "declared here"), "Remove the '*'");
        }
    }

    /// A mapped array has storage of its own, element by element.
    fn storage(&mut self, id: SymbolId, s: &Symbol, about: &About<'_>) {
        if let (Some(at), true) = (about.dynamic, s.attrs.common) {
            let message = format!("'{}' is in a COMMON block and cannot be DYNAMIC", s.name);
            let help = "Make it a variable of a module, or remove DYNAMIC";
            self.error("T0443", at, message, (s.span, "in COMMON here"), help);
        }
        let Some(at) = self.said.mapped_at(id) else { return };
        if s.kind != SymbolKind::Variable {
            return;
        }
        if s.attrs.equivalenced {
            let message = format!("'{}' is mapped, but shares its memory by EQUIVALENCE", s.name);
            let help = "Remove it from the EQUIVALENCE, or remove the directive and declare it in !HPF$ SEQUENCE";
            self.error("T0423", at, message, (s.span, "in an EQUIVALENCE"), help);
        }
        if let Some((true, place)) = about.sequence {
            let message = format!("'{}' is mapped, but its elements lie in SEQUENCE", s.name);
            self.error("T0441", at, message, (place, "declared so here"), "Remove one of the two directives");
        }
        if matches!(s.shape.last().map(|b| b.upper), Some(Extent::Assumed)) {
            let message = format!("'{}' is mapped, but its size is assumed", s.name);
            let help = "Declare its last bound, or make it an assumed-shape array with ':'";
            self.error("T0442", at, message, (s.span, "declared here"), help);
        }
    }

    fn arrangement(&self, scope: ScopeId, x: ExprId) -> Option<SymbolId> {
        let ExprKind::Name(name) = self.decls.ast(scope).expr(x).kind else { return None };
        let id = self.decls.named(scope, name)?;
        (self.decls.symbols[id].kind == SymbolKind::Processors).then_some(id)
    }

    /// `BLOCK(m)` has room for all positions: m times the number of processors.
    fn blocks(&mut self, id: SymbolId, formats: &[DistFormat], onto: Option<SymbolId>) {
        let Some(mapped) = self.mappings.of(id) else { return };
        let all: Vec<(usize, u64, u64)> = mapped
            .data
            .axes
            .iter()
            .enumerate()
            .filter_map(|(k, axis)| {
                let Axis::On { grid_dim, format: Format::Block(Size::Known(m)), template, .. } = axis else {
                    return None;
                };
                let Extents::Known(lo, hi) = *template else { return None };
                let p = match mapped.data.grid.extents.get(usize::from(*grid_dim))? {
                    GridExtent::Known(p) => *p,
                    GridExtent::Ranks(by) => (u64::from(self.decls.options.ranks?) / by).max(1),
                    GridExtent::Free if mapped.data.grid.extents.len() == 1 => self.decls.options.ranks?.into(),
                    _ => return None,
                };
                let n = if hi < lo { 0 } else { lo.abs_diff(hi).saturating_add(1) };
                (u128::from(*m) * u128::from(p) < u128::from(n)).then_some((k, n, p))
            })
            .collect();
        for (k, n, p) in all {
            let s = &self.decls.symbols[id];
            let place = onto.map_or(s.span, |o| self.decls.symbols[o].span);
            let Some(f) = formats.get(k) else { continue };
            let message = format!("Blocks of this size on {p} processors do not hold the {n} elements of '{}'", s.name);
            let help = format!("Use BLOCK, or a size of {} or more, or CYCLIC", n.div_ceil(p));
            let text = if onto.is_some() { "the processors" } else { "declared here" };
            self.error("T0421", f.span, message, (place, text), &help);
        }
    }

    /// The arrays of GEN_BLOCK and INDIRECT.
    fn formats(&mut self, id: SymbolId, scope: ScopeId, formats: &[DistFormat], onto: Option<SymbolId>) {
        let mut next = 0;
        for (k, f) in formats.iter().enumerate() {
            if f.kind == DistKind::Collapsed {
                continue;
            }
            let grid = onto.and_then(|o| bounds(self.decls, o, next));
            next += 1;
            let word = match f.kind {
                DistKind::GenBlock => "GEN_BLOCK",
                DistKind::Indirect => "INDIRECT",
                _ => continue,
            };
            let Some(x) = f.size else {
                let s = &self.decls.symbols[id];
                let message = format!("{word} needs an array in parentheses");
                let help = format!("Write {word}(sizes), with an INTEGER array of rank 1");
                self.error("T0437", f.span, message, (s.span, "this is to be distributed"), &help);
                continue;
            };
            if !self.is_vector(scope, x, word) {
                continue;
            }
            if let Some(values) = numbers(self.decls, scope, x) {
                let place = self.declared(scope, x).unwrap_or(f.span);
                self.values(id, k, f, &values, grid, place, onto);
            }
        }
    }

    fn declared(&self, scope: ScopeId, x: ExprId) -> Option<Span> {
        let ExprKind::Name(name) = self.decls.ast(scope).expr(x).kind else { return None };
        self.decls.named(scope, name).map(|id| self.decls.symbols[id].span)
    }

    fn is_vector(&mut self, scope: ScopeId, x: ExprId, word: &str) -> bool {
        let ast = self.decls.ast(scope);
        let ExprKind::Name(name) = ast.expr(x).kind else { return true };
        let Some(id) = self.decls.named(scope, name) else { return true };
        let s = &self.decls.symbols[id];
        let is_integer = s.ty.is_some_and(|ty| crate::Category::of(ty) == crate::Category::Integer);
        if s.rank() == 1 && is_integer || s.kind == SymbolKind::Error {
            return true;
        }
        let message = format!("{word} needs an INTEGER array of rank 1, but '{}' is none", s.name);
        let help = format!("Declare INTEGER {}(n)", s.name);
        self.error("T0437", ast.span(x), message, (s.span, "declared here"), &help);
        false
    }

    #[allow(clippy::too_many_arguments, reason = "all that is known of one format")]
    fn values(
        &mut self,
        id: SymbolId,
        k: usize,
        f: &DistFormat,
        values: &[i64],
        grid: Option<(i64, i64)>,
        place: Span,
        onto: Option<SymbolId>,
    ) {
        let s = &self.decls.symbols[id];
        let extent = bounds(self.decls, id, k).map(|(lo, hi)| (i128::from(hi) - i128::from(lo) + 1).max(0));
        let (name, at) = (s.name.clone(), s.span);
        if f.kind == DistKind::GenBlock {
            let sum: i128 = values.iter().map(|&v| i128::from(v)).sum();
            if let Some(v) = values.iter().find(|v| **v < 0) {
                let message = format!("GEN_BLOCK has a block of {v} elements");
                self.error("T0426", f.span, message, (place, "the sizes"), "Sizes of blocks are not negative");
            } else if let Some(n) = extent.filter(|n| sum < *n) {
                let message = format!("The blocks of GEN_BLOCK have {sum} elements, but '{name}' has {n}");
                let help = "Let the sizes add up to the extent of the dimension";
                self.error("T0426", f.span, message, (at, "declared here"), help);
            }
            let processors = grid.map(|(lo, hi)| i128::from(hi) - i128::from(lo) + 1);
            if let Some(p) = processors.filter(|p| *p != values.len() as i128) {
                let message = format!("GEN_BLOCK has {} sizes for {p} processors", values.len());
                let place = onto.map_or(place, |o| self.decls.symbols[o].span);
                self.error("T0426", f.span, message, (place, "the processors"), "Give one size for each processor");
            }
            return;
        }
        if let Some(n) = extent.filter(|n| *n != values.len() as i128) {
            let message = format!("INDIRECT has {} values, but '{name}' has {n} elements", values.len());
            self.error("T0428", f.span, message, (at, "declared here"), "Give one processor for each element");
        }
        if let Some((lo, hi)) = grid
            && let Some(v) = values.iter().find(|v| !(lo..=hi).contains(*v))
        {
            let message = format!("INDIRECT names processor {v}, but there are {lo} to {hi}");
            let place = onto.map_or(place, |o| self.decls.symbols[o].span);
            self.error("T0429", f.span, message, (place, "the processors"), "Use subscripts of the arrangement");
        }
    }

    fn shadow(&mut self, s: &Symbol, about: &About<'_>, scope: ScopeId) {
        let own = about.shadow.map(|(shadow, at)| (shadow.to_vec(), at));
        if let Some((shadow, at)) = &own
            && shadow.len() != s.rank()
        {
            let message = format!("'{}' has rank {}, but SHADOW gives {} widths", s.name, s.rank(), shadow.len());
            self.error("T0438", *at, message, (s.span, "declared here"), "Give one width for each dimension");
            return;
        }
        let formats = about.distribution.and_then(|(d, _)| d.formats.as_ref());
        let in_formats = formats.into_iter().flatten().filter_map(|f| f.shadow.map(|s| (s, f.span)));
        if let (Some((_, at)), Some((_, other))) = (&own, in_formats.clone().next()) {
            let message = format!("'{}' has a SHADOW already", s.name);
            self.error("T0438", *at, message, (other, "given here"), "Remove one of the two");
        }
        let all = own.into_iter().flat_map(|(v, at)| v.into_iter().map(move |s| (s, at))).chain(in_formats);
        let all: Vec<_> = all.collect();
        for (shadow, at) in all {
            for x in [shadow.low, shadow.high] {
                if let Some(n) = number(self.decls, scope, x).filter(|n| *n < 0) {
                    let message = format!("The width {n} of a SHADOW is negative");
                    self.error("T0439", self.decls.ast(scope).span(x), message, (at, "of this"), "Use 0 for none");
                    break;
                }
            }
        }
    }

    /// Checks that RANGE allows the distribution.
    fn range(&mut self, s: &Symbol, about: &About<'_>, scope: ScopeId) {
        let Some((sets, at)) = about.range else { return };
        if let Some(set) = sets.iter().find(|set| set.len() != s.rank()) {
            let message = format!("'{}' has rank {}, but RANGE gives {} formats", s.name, s.rank(), set.len());
            self.error("T0440", at, message, (s.span, "declared here"), "Give one format for each dimension");
            return;
        }
        let Some(formats) = about.distribution.and_then(|(d, _)| d.formats.as_ref()) else { return };
        let fits = |set: &[DistFormat]| set.iter().zip(formats).all(|(r, f)| self.allows(scope, r, f));
        if formats.len() == s.rank() && !sets.iter().any(|set| fits(set)) {
            let place = about.distribution.map_or(at, |(d, _)| d.span);
            let message = format!("The distribution of '{}' is none of its RANGE", s.name);
            self.error("T0440", place, message, (at, "the RANGE"), "Add the formats to RANGE, or use one of it");
        }
    }

    fn allows(&self, scope: ScopeId, r: &DistFormat, f: &DistFormat) -> bool {
        match r.kind {
            DistKind::All => true,
            DistKind::AnyBlock => f.kind == DistKind::Block,
            DistKind::AnyCyclic => f.kind == DistKind::Cyclic,
            DistKind::GenBlock | DistKind::Indirect => f.kind == r.kind,
            kind => {
                let size = |f: &DistFormat| f.size.map(|x| number(self.decls, scope, x));
                f.kind == kind && (size(r) == size(f) || size(f) == Some(None) || size(r) == Some(None))
            }
        }
    }

    /// Checks REDISTRIBUTE, whose object must not be aligned, and REALIGN, whose object must not be an alignment's target.
    fn remaps(&mut self) {
        for remap in &self.said.remaps {
            let s = &self.decls.symbols[remap.symbol];
            let procedure = self.decls.scopes[remap.scope].symbol.map(|p| &self.decls.symbols[p]);
            if let Some(p) = procedure.filter(|p| p.procedure().is_some_and(|p| p.is_pure)) {
                let message = format!("'{}' is mapped anew in the PURE procedure '{}'", s.name, p.name);
                self.error("T0449", remap.span, message, (p.span, "PURE here"), "Do it in the caller");
            }
            match remap.how {
                How::Redistribute(_) => {
                    let aligned = self.said.about(remap.symbol).and_then(|a| a.alignment);
                    if let Some((a, _)) = aligned {
                        let message = format!("REDISTRIBUTE of '{}', which is aligned", s.name);
                        let help = "Redistribute what it is aligned with, or use REALIGN";
                        self.error("T0447", remap.span, message, (a.span, "aligned here"), help);
                    }
                }
                How::Realign(_) => {
                    let other = self.said.order.iter().find_map(|&other| {
                        let about = self.said.about(other)?;
                        let (a, _) = about.alignment?;
                        let target = self.decls.named(about.scope?, a.target?.name)?;
                        (target == remap.symbol).then_some((other, a.span))
                    });
                    if let Some((other, at)) = other {
                        let other = &self.decls.symbols[other].name;
                        let message = format!("REALIGN of '{}', with which '{other}' is aligned", s.name);
                        let help = "Align both with a template, and realign each";
                        self.error("T0448", remap.span, message, (at, "aligned with it here"), help);
                    }
                }
            }
        }
    }
}

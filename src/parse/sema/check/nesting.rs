//! Constructs around a statement: their names, the ways out of them, and the DO variables that must not change in them.

use crate::check::standard::Feature;
use crate::check::statements::Statements;
use crate::check::warnings::flags::Warning;
use crate::check::warnings::warning;
use crate::scope::symbol::SymbolId;
use crate::types::kinds::Category;
use smallvec::SmallVec;
use trueline_diag::Span;
use trueline_ir::Type;
use trueline_syntax::ast::{BlockId, DoConstruct, DoControl, ExprId, ForallHeader, Ident, ImpliedDo};

impl<'a> Statements<'_, 'a> {
    /// Tells of a feature that not every standard has.
    pub fn uses(&mut self, feature: Feature, span: Span, what: &str) {
        self.decls.options.rules.note(feature, span, what, self.diags);
    }

    /// Checks the blocks of a construct inside it.
    pub fn construct(&mut self, name: Option<Ident>, is_loop: bool, body: impl FnOnce(&mut Self)) {
        if let Some(n) = name {
            let is_around = self.around.named.get(n.name).is_some();
            let checked = self.site().check_construct_name(n, is_around);
            self.passes(checked);
            self.around.named.push(n.name, is_loop);
        }
        self.around.loops += u32::from(is_loop);
        body(self);
        self.around.loops -= u32::from(is_loop);
        if name.is_some() {
            self.around.named.pop();
        }
    }

    /// EXIT, or CYCLE.
    pub fn leave(&mut self, span: Span, name: Option<Ident>, cycle: bool) {
        let is_loop = match name {
            Some(n) => self.around.named.get(n.name).copied(),
            None => (self.around.loops > 0).then_some(true),
        };
        let checked = self.site().check_left(span, name, cycle, is_loop.is_some());
        if !self.passes(checked) {
            return;
        }
        let is_loop = is_loop == Some(true);
        if !is_loop {
            self.uses(Feature::ExitConstruct, span, "");
        }
        let checked = self.site().check_cycle(span, cycle, is_loop);
        self.passes(checked);
    }

    /// The body of a DO, under its variable or indices.
    pub fn do_construct(&mut self, span: Span, c: &DoConstruct) {
        match &c.control {
            DoControl::Concurrent(h) => {
                let around = self.values.len();
                self.indices(h);
                self.concurrent += 1;
                self.body(c.name, c.body);
                self.concurrent -= 1;
                self.values.truncate(around);
            }
            DoControl::Count { var, from, to, step } => {
                let bounds = [Some(*from), Some(*to), *step];
                let id = self.loop_head(*var, bounds);
                if let Some(ty) = id.and_then(|id| self.decls.symbols[id].ty) {
                    match Category::of(ty) {
                        Category::Real => self.uses(Feature::RealDo, var.span, ""),
                        _ => self.warn_overflow(span, ty, *to, *step),
                    }
                }
                let around = self.active.len();
                id.into_iter().for_each(|id| self.active.push(id, var.span));
                self.body(c.name, c.body);
                self.active.truncate(around);
            }
            DoControl::Forever | DoControl::While(_) => self.body(c.name, c.body),
        }
    }

    fn body(&mut self, name: Option<Ident>, block: BlockId) {
        self.construct(name, true, |all| all.block(block));
    }

    /// The variable of a DO, if there is no fault in it and in the bounds.
    fn loop_head(&mut self, var: Ident, bounds: [Option<ExprId>; 3]) -> Option<SymbolId> {
        let before = self.diags.errors();
        let id = self.decls.visible(self.scope, var.name)?;
        if self.decls.symbols[id].kind == crate::scope::symbol::SymbolKind::Error {
            return None;
        }
        let checked = self.site().check_do_variable(var, id);
        self.passes(checked);
        for x in bounds.into_iter().flatten().filter(|&x| !self.is_faulty(x)).collect::<SmallVec<[ExprId; 3]>>() {
            let checked = self.site().check_loop_bound(x);
            self.passes(checked);
        }
        (self.diags.errors() == before).then_some(id)
    }

    /// Items under an implied DO of an item list, whose variable is that of the program.
    pub fn item_loop(&mut self, d: &ImpliedDo, items: impl FnOnce(&mut Self)) {
        let id = self.loop_head(d.var, [Some(d.from), Some(d.to), d.step]);
        let is_real = id.and_then(|id| self.decls.symbols[id].ty).is_some_and(|ty| Category::of(ty) == Category::Real);
        if is_real {
            self.uses(Feature::RealDo, d.var.span, "");
        }
        let around = self.active.len();
        id.into_iter().for_each(|id| self.active.push(id, d.var.span));
        items(self);
        self.active.truncate(around);
    }

    /// The indices of a FORALL or DO CONCURRENT: each once, and no bound depends on one.
    pub fn index_bounds(&mut self, h: &ForallHeader) {
        let mut before: SmallVec<[SymbolId; 4]> = SmallVec::new();
        for t in &h.triplets {
            let Some(id) = self.decls.visible(self.scope, t.index.name) else { continue };
            let site = self.site();
            let checked = site.check_bounds_of_index(h, t);
            let checked = checked.and_then(|()| site.check_index_is_new(t.index, id, before.iter().copied()));
            if !self.passes(checked) {
                return;
            }
            before.push(id);
        }
    }

    /// Warns of a loop whose variable must go beyond the largest or smallest number of its type to end it.
    fn warn_overflow(&mut self, span: Span, ty: Type, to: ExprId, step: Option<ExprId>) {
        if !self.decls.options.warnings.has(Warning::UndefinedDoLoop) {
            return;
        }
        let typing = &mut self.site().typing;
        let step = step.map_or(Some(1), |x| typing.integer(x));
        let (Some(to), Some(step)) = (typing.integer(to), step) else { return };
        let most = i64::MAX >> (64 - 8 * ty.size());
        if step.abs() == 1 && to.checked_add(step).is_none_or(|end| end > most || end < -most - 1) {
            let text = "The DO loop is undefined as its variable overflows";
            self.diags.push(warning(Warning::UndefinedDoLoop, span, text));
        }
    }
}

//! BLOCK and ASSOCIATE.
//!
//! ```text
//! associate (r => a(i, :), s => x + y)       i1 = i;  s1 = x + y
//!   r(j) = s                            =>   a(i1, j) = s1
//! end associate
//! ```
//!
//! A name that is associated with a variable is that variable: its subscripts are composed with those of
//! the selector, which are evaluated once. So nothing gets a second name, and every analysis sees the variables
//! that are really read and written. A selector that is an expression becomes a temporary.
//!
//! The variables of a BLOCK with sizes computed at its entry, and its allocatables, are freed at its end,
//! or, after a jump out of it, where it is entered again or the procedure is left.

use crate::control::Body;
use crate::expr::Exprs;
use crate::values::{Associate, Binding, Val, refused};
use smallvec::SmallVec;
use trueline_ir::{Expr, ExprData, Rt, Sym, Type};
use trueline_sema::scope::ScopeId;
use trueline_sema::scope::symbol::{Home, SymbolId};
use trueline_syntax::ast::{AssociateConstruct, BlockConstruct, ExprId, StmtId};

/// ASSOCIATE.
impl Body<'_> {
    pub(crate) fn associate(&mut self, s: StmtId, c: &AssociateConstruct) {
        let Some(inner) = self.cx.decls.construct_scope(self.cx.decls.scopes[self.scope].ast, s) else {
            refused();
        };
        let mut made = Vec::new();
        for &(name, selector) in &c.associations {
            made.push((name, self.selector(selector)));
        }
        let outer = std::mem::replace(&mut self.scope, inner);
        for (name, selector) in made {
            let Some(id) = self.cx.decls.lookup_local(inner, self.text_of_ident(name)) else { continue };
            self.associates.insert(id, selector);
        }
        self.open_construct(c.name, false);
        self.block_of(c.body);
        self.set_source_stmt(s);
        self.close_construct();
        self.scope = outer;
    }

    fn selector(&mut self, x: ExprId) -> Associate {
        if self.is_variable_reference(x) {
            let root = self.root_of(x);
            let v = self.reference(x);
            return Associate { value: self.frozen_place(v), root };
        }
        let v = self.expr(x);
        let value = match self.as_str(v) {
            Some(s) => {
                let len = self.in_register(s.len);
                let copy = self.copy_str(crate::values::Str { len, ..s });
                copy.into()
            }
            None if self.structure_at(v.e).is_some() => v,
            None if self.rank(v.e) > 0 => Val::plain(self.fresh_copy(v.e)),
            None => Val::plain(self.in_register(v.e)),
        };
        Associate { value, root: None }
    }

    /// An array value in memory of its own.
    pub(crate) fn fresh_copy(&mut self, e: Expr) -> Expr {
        let shape = self.shape(e);
        let own = self.ty(e);
        let temp = self.e.memory(own, None, &shape);
        let place = self.var(temp);
        self.assign(place, e);
        place
    }

    /// A place whose subscripts nothing can change any more.
    fn frozen_place(&mut self, v: Val) -> Val {
        let len = v.len.map(|l| self.in_register(l));
        Val { e: self.frozen_designator(v.e), len }
    }

    fn frozen_designator(&mut self, e: Expr) -> Expr {
        match self.e.expr(e) {
            ExprData::Elem(array, subs) | ExprData::Section(array, subs) => {
                let subs: SmallVec<[Expr; 4]> = self.list(subs).iter().copied().collect();
                let subs: SmallVec<[Expr; 4]> = subs.into_iter().map(|s| self.frozen_subscript(s)).collect();
                let is_element = subs.iter().all(|&s| self.rank(s) == 0);
                let list = self.b.list(&subs);
                self.make(if is_element { ExprData::Elem(array, list) } else { ExprData::Section(array, list) })
            }
            ExprData::Substr(base, lo, hi) => {
                let base = self.frozen_designator(base);
                let (lo, hi) = (self.in_register(lo), self.in_register(hi));
                self.make(ExprData::Substr(base, lo, hi))
            }
            _ => e,
        }
    }

    fn frozen_subscript(&mut self, s: Expr) -> Expr {
        match self.e.expr(s) {
            ExprData::Triplet(lo, hi, step) => {
                let [lo, hi, step] = [lo, hi, step].map(|e| self.in_register(e));
                self.make(ExprData::Triplet(lo, hi, step))
            }
            _ if self.rank(s) == 0 => self.in_register(s),
            _ => self.fresh_copy(s),
        }
    }
}

/// BLOCK.
impl Body<'_> {
    pub(crate) fn block_construct(&mut self, s: StmtId, c: &BlockConstruct) {
        let Some(inner) = self.cx.decls.construct_scope(self.cx.decls.scopes[self.scope].ast, s) else {
            refused();
        };
        let outer = std::mem::replace(&mut self.scope, inner);
        self.open_block(inner);
        self.open_construct(c.name, false);
        self.block_of(c.body);
        self.set_source_stmt(s);
        self.close_construct();
        self.close_block(inner);
        self.scope = outer;
    }

    /// At entry of the procedure: nothing of a BLOCK is allocated.
    pub(crate) fn prepare_blocks(&mut self) {
        let decls = self.cx.decls;
        let index = decls.scopes[self.home].ast;
        if decls.construct_scopes[index].is_empty() {
            return;
        }
        let body = self.ast.units[self.unit].body;
        let mut scopes = Vec::new();
        decls.scoped_statements(self.home, body, &mut |_, s| scopes.extend(decls.construct_scope(index, s)));
        for scope in scopes {
            for &id in &decls.scopes[scope].own {
                match self.symbol(id).home {
                    Home::Automatic => {
                        let name = format!("base.{}", self.symbol(id).name);
                        let base = self.register(&name, Type::I8);
                        let zero = self.e.int8(0);
                        self.e.set(base, zero);
                        self.owned.push(base);
                        self.block_memory.insert(id, base);
                    }
                    Home::Allocatable => self.declare_allocatable(id),
                    _ if self.has_content_here(id) => self.prepare_structure(id),
                    _ => {}
                }
            }
        }
    }

    /// Gives a structure of a BLOCK its default content, and has its allocatable components freed on the way out.
    fn prepare_structure(&mut self, id: SymbolId) {
        let s = self.symbol(id);
        let Some(structure) = s.structure.filter(|&id| self.cx.decls.structures[id].owns) else { return };
        let v = self.variable(id, s.span);
        self.set_defaults(v.e, structure);
        let is_main = matches!(self.e.kind(), trueline_ir::UnitKind::Program);
        if let (ExprData::Var(sym), false) = (self.e.expr(v.e), is_main) {
            self.owned_structures.push((sym, structure));
        }
    }

    fn open_block(&mut self, scope: ScopeId) {
        for &id in &self.cx.decls.scopes[scope].own {
            let s = self.symbol(id);
            if !s.is_variable() || s.ty.is_none() {
                continue;
            }
            match s.home {
                Home::Automatic => self.open_automatic(id),
                Home::Allocatable => self.free_local(id),
                _ if self.has_content_here(id) => self.open_structure(id),
                _ => {
                    self.binding(id, s.span);
                }
            }
        }
    }

    /// Whether a variable of a BLOCK is a structure that is new at its entry.
    fn has_content_here(&self, id: SymbolId) -> bool {
        let s = self.symbol(id);
        let placed = matches!(s.home, Home::Frame | Home::Static { .. });
        placed && s.structure.is_some() && !s.is_indirect() && self.is_new_at_entry(s)
    }

    /// The content that a structure of a BLOCK has at its entry. After a jump out of the BLOCK it still owns something.
    fn open_structure(&mut self, id: SymbolId) {
        let s = self.symbol(id);
        let Some(structure) = s.structure else { return };
        let v = self.variable(id, s.span);
        self.free_structures(v.e, structure);
        self.set_defaults(v.e, structure);
    }

    /// Frees the memory that a structure of a BLOCK owns.
    fn close_structure(&mut self, id: SymbolId) {
        let s = self.symbol(id);
        if let Some(structure) = s.structure {
            let v = self.variable(id, s.span);
            self.free_structures(v.e, structure);
        }
    }

    fn close_block(&mut self, scope: ScopeId) {
        for &id in &self.cx.decls.scopes[scope].own {
            match self.symbol(id).home {
                Home::Automatic => {
                    self.close_structure(id);
                    self.free_automatic(id);
                }
                Home::Allocatable => {
                    self.free_local(id);
                    self.end_pointer(id);
                }
                _ if self.has_content_here(id) => self.close_structure(id),
                _ => {}
            }
        }
    }

    /// The memory of an array or string whose size is computed here.
    fn open_automatic(&mut self, id: SymbolId) {
        let Some(&base) = self.block_memory.get(&id) else { return };
        self.free_automatic(id);
        let sym = self.automatic(id, base);
        self.bindings.insert(id, Binding { sym, descriptor: None });
        if let Some(structure) = self.symbol(id).structure {
            self.structures.insert(sym, structure);
            let place = self.var(sym);
            self.set_defaults(place, structure);
        }
    }

    fn free_automatic(&mut self, id: SymbolId) {
        if let Some(&base) = self.block_memory.get(&id) {
            self.free_base(base);
        }
    }

    /// Frees the memory of an allocatable, if it has any.
    fn free_local(&mut self, id: SymbolId) {
        if self.symbol(id).attrs.pointer {
            return;
        }
        if let Some((sym, d)) = self.bindings.get(&id).and_then(|b| Some((b.sym, b.descriptor.clone()?))) {
            self.free_target(sym, &d);
        }
    }

    fn free_base(&mut self, base: Sym) {
        let (address, zero) = (self.e.var(base), self.e.int8(0));
        self.e.call_rt(Rt::Deallocate, &[address]);
        self.e.set(base, zero);
    }
}

impl Exprs<'_> {
    /// The part of the section `e` that these subscripts of its own select.
    pub(crate) fn composed(&mut self, e: Expr, own: &[Expr]) -> Expr {
        let ExprData::Section(array, subs) = self.e.expr(e) else { return e };
        let subs: SmallVec<[Expr; 4]> = self.list(subs).iter().copied().collect();
        let mut next = own.iter().copied();
        let subs: SmallVec<[Expr; 4]> = subs
            .into_iter()
            .map(|s| match self.rank(s) {
                0 => s,
                _ => next.next().map_or(s, |own| self.composed_subscript(s, own)),
            })
            .collect();
        let is_element = subs.iter().all(|&s| self.rank(s) == 0);
        let list = self.b.list(&subs);
        self.make(if is_element { ExprData::Elem(array, list) } else { ExprData::Section(array, list) })
    }

    fn composed_subscript(&mut self, s: Expr, own: Expr) -> Expr {
        let ExprData::Triplet(lo, _, step) = self.e.expr(s) else {
            // A vector subscript, which is in memory: of this vector an element or a section.
            let ExprData::Var(vector) = self.e.expr(s) else { return s };
            let list = self.b.list(&[own]);
            let is_scalar = self.rank(own) == 0;
            return self.make(if is_scalar { ExprData::Elem(vector, list) } else { ExprData::Section(vector, list) });
        };
        match self.e.expr(own) {
            ExprData::Triplet(from, to, by) => {
                let (from, to) = (self.position_in(lo, step, from), self.position_in(lo, step, to));
                let by = self.mul(by, step);
                self.make(ExprData::Triplet(from, to, by))
            }
            _ => self.position_in(lo, step, own),
        }
    }

    /// `lo + (k - 1) * step`
    fn position_in(&mut self, lo: Expr, step: Expr, k: Expr) -> Expr {
        let one = self.int8(1);
        let before = self.sub(k, one);
        let distance = self.mul(before, step);
        self.add(lo, distance)
    }

    /// The associate name `id`, if it is one.
    pub(crate) fn associated(&self, id: SymbolId) -> Option<Associate> {
        self.associates.get(&id).copied()
    }
}

//! Components of structures.
//!
//! ```text
//! type(t) a(10)                   char a(10)*24                       a structure is a string of bytes
//! a(i)%x                   =>     real a%x(10 by 24) within a+8       a%x(i)
//! a(i)%b(j)                =>     integer a%b(3, 10 by 24) …          a%b(j, i)
//! p%next%value                    base.1 = p%next;  next%value within the target of base.1
//! ```
//!
//! A component of a variable is a symbol of the IR that is part of the variable's memory: of its own
//! dimensions, then those of the variable with the structure's size as their stride. So it is an array
//! like any other to everything that comes after. A POINTER or ALLOCATABLE component stands for memory behind a
//! register, which is loaded from its descriptor where the component is mentioned.

use crate::expr::Exprs;
use crate::source::Source;
use crate::values::{Checked, Descriptor, Val, refused};
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_ir::{Dim, Expr, ExprData, Storage, Sym, SymData, Type};
use trueline_sema::scope::symbol::{ProcedureClass, SymbolKind};
use trueline_sema::types::structure::{Component, StructureId};
use trueline_syntax::Name;
use trueline_syntax::ast::{ArgList, ExprId, ExprKind};

/// A component that is mentioned: its symbol, and the subscripts of the array that it is a component of.
pub(crate) struct Part {
    /// The symbol.
    pub(crate) sym: Sym,
    /// The number of dimensions, the first ones, that are the component's own.
    pub(crate) rank: usize,
    /// The subscripts of the others; empty with `is_whole` if those are meant as a whole.
    pub(crate) outer: SmallVec<[Expr; 4]>,
    /// Whether nothing is selected of the others.
    pub(crate) is_whole: bool,
}

impl Source<'_> {
    /// The derived type of a value.
    pub(crate) fn structure_at(&self, e: Expr) -> Option<StructureId> {
        match self.e.expr(e) {
            ExprData::Var(v) | ExprData::Elem(v, _) | ExprData::Section(v, _) => self.structures.get(&v).copied(),
            _ => None,
        }
    }

    /// A whole symbol as a value.
    pub(crate) fn whole_symbol(&mut self, sym: Sym) -> Val {
        let is_structure = self.structures.contains_key(&sym);
        let len = self.e.sym(sym).len.expand().filter(|_| !is_structure);
        Val { e: self.var(sym), len }
    }

    /// The component as a value.
    pub(crate) fn whole_part(&mut self, part: &Part) -> Val {
        if part.is_whole && part.rank > 0 && self.sym(part.sym).dims.len() > part.rank {
            refused();
        }
        if part.is_whole && self.sym(part.sym).dims.len() == part.rank {
            return self.whole_symbol(part.sym);
        }
        if part.is_whole {
            // Its bounds are not those of the array that it is a component of.
            let v = self.whole_symbol(part.sym);
            return self.without_bounds(v);
        }
        let dims = self.sym(part.sym).dims.clone();
        let one = self.int8(1);
        let mut subs: SmallVec<[Expr; 4]> = SmallVec::new();
        for d in &dims[..part.rank] {
            let upper = d.upper.expand().unwrap_or(d.lower);
            subs.push(self.make(ExprData::Triplet(d.lower, upper, one)));
        }
        let outer_rank = part.outer.iter().filter(|&&s| self.rank(s) > 0).count();
        if outer_rank > 0 && part.rank > 0 {
            refused();
        }
        subs.extend(part.outer.iter().copied());
        self.selected(part.sym, &subs)
    }

    /// An element or section of `sym`.
    fn selected(&mut self, sym: Sym, subs: &[Expr]) -> Val {
        let list = self.b.list(subs);
        let is_element = subs.iter().all(|&s| self.rank(s) == 0);
        let e = self.make(if is_element { ExprData::Elem(sym, list) } else { ExprData::Section(sym, list) });
        let is_structure = self.structures.contains_key(&sym);
        Val { e, len: self.e.sym(sym).len.expand().filter(|_| !is_structure) }
    }

    /// A structure constructor, if `id` is a derived type.
    pub(crate) fn is_type_name(&self, kind: &SymbolKind) -> Option<StructureId> {
        match kind {
            SymbolKind::DerivedType(id) => Some(*id),
            SymbolKind::Procedure(p) if p.class == ProcedureClass::Intrinsic => None,
            _ => None,
        }
    }
}

impl Exprs<'_> {
    /// `base%name`.
    pub(crate) fn component(&mut self, base: ExprId, name: Name) -> Val {
        if let Some(v) = self.inquiry_part(base, name) {
            return v;
        }
        let (part, k, structure) = self.component_part(base, name);
        let c = &self.cx.decls.structures[structure].components[k];
        if c.is_indirect() {
            let (sym, _) = self.component_target(&part, c);
            return self.whole_symbol(sym);
        }
        self.whole_part(&part)
    }

    /// The component itself: the place of the value, or of the descriptor of its target.
    pub(crate) fn component_part(&mut self, base: ExprId, name: Name) -> (Part, usize, StructureId) {
        let b = match self.ast.expr(base).kind {
            ExprKind::Name(_) | ExprKind::Call { .. } | ExprKind::Component { .. } => self.designator(base),
            _ => self.expr(base),
        };
        self.check_whole(base, b.e);
        let id = self.structure_at(b.e).checked();
        let k = self.cx.decls.structures[id].find(self.ast.name(name)).checked();
        let part = self.part_of(b.e, id, k);
        (part, k, id)
    }

    /// `base%name(args)`: elements of a component, or a substring of it.
    pub(crate) fn subscripted_component(
        &mut self,
        x: ExprId,
        base: ExprId,
        (inner, name): (ExprId, Name),
        args: ArgList,
    ) -> Val {
        if let Some(p) = self.procedure_pointer(base) {
            return self.call_pointer_function(self.ast.span(x), p, args);
        }
        let (mut part, k, id) = self.component_part(inner, name);
        let c = &self.cx.decls.structures[id].components[k];
        if c.is_indirect() {
            let (sym, _) = self.component_target(&part, c);
            part = Part { sym, rank: c.shape.len(), outer: SmallVec::new(), is_whole: true };
        }
        if part.rank == 0 {
            if c.ty == Type::Char && c.structure.is_none() {
                let v = self.whole_part(&part);
                let Some(s) = self.as_str(v) else { refused() };
                return self.substring_of(x, s, args);
            }
            refused();
        }
        let dims: SmallVec<[Dim; 4]> = self.sym(part.sym).dims.iter().take(part.rank).copied().collect();
        let own = self.subscripts(&dims, c.ty == Type::Char, args);
        self.check_subscripts(base, part.sym, args, &own);
        let mut subs = own.clone();
        if part.is_whole {
            // All of the outer dimensions, if there are any.
            let dims = self.sym(part.sym).dims.clone();
            let one = self.int8(1);
            for d in &dims[part.rank..] {
                let upper = d.upper.expand().unwrap_or(d.lower);
                subs.push(self.make(ExprData::Triplet(d.lower, upper, one)));
            }
        }
        subs.extend(part.outer.iter().copied());
        let ranked = |l: &Self, subs: &[Expr]| subs.iter().any(|&s| l.rank(s) > 0);
        if ranked(self, &own) && ranked(self, &subs[own.len()..]) {
            refused();
        }
        self.selected(part.sym, &subs)
    }

    /// The value of a structure constructor.
    pub(crate) fn constructor_of(&mut self, x: ExprId, id: StructureId, args: ArgList) -> Val {
        let span = self.ast.span(x);
        if let Ok(c) = trueline_sema::constant::eval::const_eval(self.cx.decls, self.scope, x) {
            return self.constant_structure(id, &c);
        }
        let order =
            trueline_sema::declare::structures::constructor_order(self.cx.decls, self.scope, id, args, span).checked();
        let temp = self.structure_temp(id, &[]);
        let place = self.var(temp);
        self.set_defaults(place, id);
        for (k, value) in order.into_iter().enumerate() {
            let Some(value) = value else { continue };
            self.construct_component(place, id, k, value);
        }
        self.whole_symbol(temp)
    }

    fn construct_component(&mut self, place: Expr, id: StructureId, k: usize, value: ExprId) {
        let c = &self.cx.decls.structures[id].components[k];
        let part = self.part_of(place, id, k);
        if c.interface.is_some() {
            let address = self.procedure_value(value).checked();
            let word = self.var(part.sym);
            self.assign(word, address);
            return;
        }
        if c.is_indirect() {
            return self.construct_indirect(&part, c, value);
        }
        let to = self.whole_part(&part);
        let v = self.expr(value);
        let (to, v) = self.assignment_values(value, to, v);
        self.store(to, v);
    }
}

impl Variables<'_> {
    /// Component `k` of the structures at the place `e`.
    pub(crate) fn part_of(&mut self, e: Expr, id: StructureId, k: usize) -> Part {
        let (sym, outer, is_whole) = match self.e.expr(e) {
            ExprData::Var(v) => (v, SmallVec::new(), true),
            ExprData::Elem(v, l) | ExprData::Section(v, l) => (v, self.list(l).iter().copied().collect(), false),
            _ => refused(),
        };
        let sym = self.component_symbol(sym, id, k);
        let c = &self.cx.decls.structures[id].components[k];
        let rank = if c.is_indirect() { usize::from(!c.shape.is_empty()) } else { c.shape.len() };
        Part { sym, rank, outer, is_whole }
    }

    /// The symbol of component `k` of the structures that `whole` is; for an indirect one the words of its
    /// descriptor.
    pub(crate) fn component_symbol(&mut self, whole: Sym, id: StructureId, k: usize) -> Sym {
        if let Some(&sym) = self.components.get(&(whole, Some(id), k)) {
            return sym;
        }
        let structure = &self.cx.decls.structures[id];
        let c = &structure.components[k];
        let data = self.e.sym(whole).clone();
        let mut dims: SmallVec<[Dim; 2]> = SmallVec::new();
        if c.is_indirect() {
            if !c.shape.is_empty() {
                let last = trueline_sema::types::structure::descriptor_size(c.shape.len()) / 8 - 1;
                dims.push(Dim::new(self.e.int8(0), self.e.int8(last)));
            }
        } else {
            for b in &c.shape {
                let (lower, upper) = (b.lower.known().unwrap_or(1), b.upper.known().unwrap_or(0));
                dims.push(Dim::new(self.e.int8(lower), self.e.int8(upper)));
            }
        }
        let size = structure.size;
        dims.extend(self.strided(&data.dims, size));
        let ty = if c.is_indirect() { Type::I8 } else { c.ty };
        let len = (ty == Type::Char).then(|| self.e.int8(c.element_size()));
        let storage = part_storage(whole, data.storage, c.offset as u64);
        let sym = self.e.b.sym(SymData {
            dims,
            len: len.into(),
            intent: data.intent,
            may_alias: data.may_alias,
            from_source: data.from_source,
            ..SymData::scalar(format!("{}%{}", data.name, c.name), ty, storage)
        });
        if let Some(inner) = c.structure.filter(|_| !c.is_indirect()) {
            self.structures.insert(sym, inner);
        }
        self.components.insert((whole, Some(id), k), sym);
        sym
    }

    /// The target of an indirect component: a symbol behind a register loaded here.
    pub(crate) fn component_target(&mut self, part: &Part, c: &Component) -> (Sym, Descriptor) {
        let outer_rank = part.outer.iter().filter(|&&s| self.rank(s) > 0).count();
        let own = usize::from(!c.shape.is_empty());
        if outer_rank > 0 || (part.is_whole && self.sym(part.sym).dims.len() > own) {
            refused();
        }
        self.loaded_component(part, c)
    }

    /// A constant structure, or an array of them, in static memory.
    pub(crate) fn constant_structure(&mut self, id: StructureId, c: &trueline_sema::constant::Const) -> Val {
        let size = self.cx.decls.structures[id].size as usize;
        let (values, shape): (Vec<_>, Vec<_>) = match c {
            trueline_sema::constant::Const::Scalar(s) => (vec![s.clone()], Vec::new()),
            trueline_sema::constant::Const::Array(a) => (a.values.clone(), a.shape.clone()),
        };
        let array = trueline_sema::constant::ConstArray { ty: Type::Char, len: size, shape, values };
        let v = self.constant_array(None, &array);
        if let ExprData::Var(sym) = self.e.expr(v.e) {
            self.structures.insert(sym, id);
        }
        Val::plain(v.e)
    }
}

/// The storage of a part that begins `offset` bytes into the memory of `whole`.
pub(crate) fn part_storage(whole: Sym, storage: Storage, offset: u64) -> Storage {
    match storage {
        Storage::Static { area, offset: at } => Storage::Static { area, offset: at + offset },
        Storage::Within { root, offset: at } => Storage::Within { root, offset: at + offset },
        _ => Storage::Within { root: whole, offset },
    }
}

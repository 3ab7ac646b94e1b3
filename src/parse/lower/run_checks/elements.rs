//! Elements of arrays and components of structures that are used before they have a value.
//!
//! ```text
//! real :: a(4)         defined.a = 0;  shadow(1:4) = 0
//! a(i) = 1       =>    a(i) = 1;  shadow(i) = 1
//! x = a(k)             if (shadow(k) == 0 .and. defined.a == 0) call fault(…)
//! call s(a)            defined.a = 1;  call s(a)
//! t%b = 1              t%b = 1;  defined.t%b = 1
//! ```
//!
//! A shadow has a byte for each element. Where it is not known which elements get a value, all have one from then on: the register
//! `defined.a` says so. That of an allocatable array is made anew by each ALLOCATE; after an assignment that may allocate the array it
//! is not looked at.

use crate::expr::Exprs;
use crate::values::Descriptor;
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_diag::Span;
use trueline_ir::{BinaryOp, Expr, ExprData, Head, Intrinsic, Storage, Sym, SymData, Type};
use trueline_sema::scope::symbol::{Home, Symbol, SymbolId};
use trueline_sema::types::structure::Default;
use trueline_syntax::ast::{ExprId, ExprKind};

/// A shadow of more bytes is on the heap.
const MOST_ON_STACK: i64 = 64 << 10;
/// The most components of a structure that are watched.
const MOST_COMPONENTS: usize = 16;

/// The bytes that say which elements of an array have a value.
#[derive(Clone, Copy)]
pub(crate) struct Shadow {
    /// An array with the bounds of the other one.
    elements: Sym,
    /// The register that says that all elements have a value.
    all: Sym,
    /// The register of the address, if it is allocated along with the array.
    allocated: Option<Sym>,
    /// The array.
    of: SymbolId,
}

impl Shadow {
    /// A shadow of fixed size in memory that is there already.
    pub(crate) fn fixed(elements: Sym, all: Sym, of: SymbolId) -> Shadow {
        Shadow { elements, all, allocated: None, of }
    }
}

impl Variables<'_> {
    /// At entry: makes the shadow of the array `id`, none of whose elements has a value.
    pub(crate) fn watch_elements(&mut self, id: SymbolId, all: Sym) {
        let Some(binding) = self.bindings.get(&id).cloned() else { return };
        let dims = self.sym(binding.sym).dims.clone();
        if dims.is_empty() || dims.iter().any(|d| d.upper.is_none()) {
            return;
        }
        let is_allocatable = binding.descriptor.is_some();
        let whole = self.var(binding.sym);
        let size = self.size(whole);
        let storage = match self.known(size).filter(|&n| n <= MOST_ON_STACK && !is_allocatable) {
            Some(_) => Storage::Frame,
            None => Storage::Pointer { base: self.register("shadow", Type::I8) },
        };
        let name = format!("shadow.{}", self.symbol(id).name);
        let dims = dims.into_iter().map(|d| trueline_ir::Dim { stride: None.into(), ..d }).collect();
        let elements = self.e.b.sym(SymData { dims, ..SymData::scalar(name, Type::I1, storage) });
        let base = if let Storage::Pointer { base } = storage { Some(base) } else { None };
        let shadow = Shadow { elements, all, allocated: base.filter(|_| is_allocatable), of: id };
        self.shadows.insert(binding.sym, shadow);
        let zero = self.int8(0);
        match base {
            Some(base) if is_allocatable => {
                self.e.set(base, zero);
                // Nothing is known until it is allocated here.
                let one = self.int(Type::I4, 1);
                self.e.set(all, one);
                self.e.is_never_certain(all);
            }
            Some(base) => self.allocate(base, size, false),
            None => {}
        }
        self.owned.extend(base);
        if !is_allocatable {
            self.forget_elements(elements);
        }
    }

    fn forget_elements(&mut self, elements: Sym) {
        let (place, zero) = (self.var(elements), self.int(Type::I1, 0));
        self.push(Head::ArrayAssign { place, value: zero });
    }

    /// The array `sym` has been allocated; `has_values` if by SOURCE.
    pub(crate) fn note_allocated(&mut self, sym: Sym, d: &Descriptor, has_values: bool) {
        let Some(shadow) = self.shadows.get(&sym).copied() else { return };
        let Some(base) = shadow.allocated else { return };
        let all = self.int(Type::I4, has_values.into());
        self.e.set(shadow.all, all);
        if has_values {
            return;
        }
        let old = self.var(base);
        self.call_rt(trueline_ir::Rt::Deallocate, &[old]);
        let mut size = self.int8(1);
        for pair in d.bounds.clone().chunks(2) {
            let (lower, upper) = (self.var(pair[0]), self.var(pair[1]));
            let n = self.count(lower, upper);
            size = self.mul(size, n);
        }
        self.allocate(base, size, false);
        self.forget_elements(shadow.elements);
    }

    /// Whether they are, and no ALLOCATE takes the values away.
    pub(crate) fn has_fixed_shadow(&self, id: SymbolId) -> bool {
        let shadow = self.bindings.get(&id).and_then(|b| self.shadows.get(&b.sym));
        shadow.is_some_and(|shadow| shadow.allocated.is_none())
    }

    /// Whether elements of the variable are watched one by one.
    pub(crate) fn has_shadow(&self, id: SymbolId) -> bool {
        self.bindings.get(&id).is_some_and(|b| self.shadows.contains_key(&b.sym))
    }

    /// The shadow of the place `e`, and the same part of it.
    fn shadow_of(&mut self, e: Expr) -> Option<(Shadow, Expr)> {
        if self.shadows.is_empty() {
            return None;
        }
        let mut place = e;
        while let ExprData::Substr(base, ..) = self.e.expr(place) {
            place = base;
        }
        match self.e.expr(place) {
            ExprData::Var(sym) => {
                let shadow = *self.shadows.get(&sym)?;
                Some((shadow, self.var(shadow.elements)))
            }
            ExprData::Elem(sym, list) => {
                let shadow = *self.shadows.get(&sym)?;
                Some((shadow, self.make(ExprData::Elem(shadow.elements, list))))
            }
            ExprData::Section(sym, list) => {
                let shadow = *self.shadows.get(&sym)?;
                Some((shadow, self.make(ExprData::Section(shadow.elements, list))))
            }
            _ => None,
        }
    }
}

/// Components.
impl Variables<'_> {
    /// Whether the components of the variable are watched: a scalar structure without components elsewhere and without default
    /// values.
    pub(crate) fn has_watched_components(&self, s: &Symbol) -> bool {
        let Some(structure) = s.structure.map(|id| &self.cx.decls.structures[id]) else { return false };
        let components = &structure.components;
        matches!(s.home, Home::Frame | Home::Static { .. } | Home::Register)
            && !s.is_array()
            && (1..=MOST_COMPONENTS).contains(&components.len())
            && components.iter().all(|c| {
                c.structure.is_none() && c.interface.is_none() && !c.is_indirect() && c.default == Default::None
            })
    }

    /// At entry: no component of `id` has a value.
    pub(crate) fn watch_components(&mut self, id: SymbolId) {
        let Some(structure) = self.symbol(id).structure else { return };
        let flags: Vec<Sym> = self.cx.decls.structures[structure]
            .components
            .iter()
            .map(|c| {
                let register = self.e.register(&format!("defined.{}", c.name), Type::I4);
                let zero = self.e.int(Type::I4, 0);
                self.e.set(register, zero);
                register
            })
            .collect();
        self.parts.insert(id, flags);
    }

    /// The watched variable that `x` is a component of, or part of one, and the number of the component.
    pub(crate) fn watched_part(&self, mut x: ExprId) -> Option<(SymbolId, usize)> {
        if self.parts.is_empty() {
            return None;
        }
        loop {
            match self.ast.expr(x).kind {
                ExprKind::Call { base, .. } => x = base,
                ExprKind::Component { base, name } => {
                    let ExprKind::Name(variable) = self.ast.expr(base).kind else {
                        x = base;
                        continue;
                    };
                    let id = self.resolve(variable)?;
                    if self.associates.contains_key(&id)
                        || self.hidden.find(id).is_some()
                        || !self.parts.contains_key(&id)
                    {
                        return None;
                    }
                    let structure = self.symbol(id).structure?;
                    return Some((id, self.cx.decls.structures[structure].find(self.ast.name(name))?));
                }
                _ => return None,
            }
        }
    }

    /// The component has a value; without a number all of them have.
    pub(crate) fn note_part(&mut self, id: SymbolId, component: Option<usize>) {
        let Some(flags) = self.parts.get(&id).cloned().filter(|_| !self.in_forall) else { return };
        for (k, flag) in flags.into_iter().enumerate() {
            if component.is_none_or(|component| component == k) {
                self.e.set_flag(flag);
            }
        }
    }
}

impl Exprs<'_> {
    /// The value of the place `e` is read at `at`: all of its elements must have one.
    pub(crate) fn check_elements(&mut self, at: Span, e: Expr) {
        if self.in_forall || self.selects || self.masking.is_some() || !self.checks().undefined {
            return;
        }
        let Some((shadow, part)) = self.shadow_of(e) else { return };
        if self.is_certain(shadow.all) {
            return;
        }
        if !self.defined.contains_key(&shadow.of) {
            // Its value is just being defined.
            return;
        }
        let some = self.none_of(shadow.all);
        let (all, some, none) = (self.var(shadow.all), self.int(Type::I4, some), self.int(Type::I1, 0));
        let some_missing = self.make(ExprData::Binary(BinaryOp::Eq, all, some));
        let (after, _) = self.open_if(some_missing);
        let name = self.symbol(shadow.of).name.clone();
        let missing = self.make(ExprData::Binary(BinaryOp::Eq, part, none));
        if self.rank(part) > 0 {
            let absent = self.make(ExprData::None);
            let count = self.intrinsic(Intrinsic::Count, &[missing, absent]);
            let (count, zero) = (self.convert(Type::I8, count), self.int8(0));
            let some = self.make(ExprData::Binary(BinaryOp::Gt, count, zero));
            let text = format!("Variable '{name}' is used before it has a value: {{1}} of its elements have none");
            self.fault_if(at, some, &text, &[count]);
        } else {
            let subs: SmallVec<[Expr; 4]> = match self.e.expr(part) {
                ExprData::Elem(_, list) => self.list(list).iter().copied().collect(),
                _ => SmallVec::new(),
            };
            let element = match subs.len() {
                1 => ": element ({1})",
                2 => ": element ({1},{2})",
                3 => ": element ({1},{2},{3})",
                _ => "",
            };
            let text = format!("Variable '{name}' is used before it has a value{element}");
            self.fault_if(at, missing, &text, if subs.len() <= 3 { &subs } else { &[] });
        }
        self.enter(after);
    }

    /// The place `e`, a part of a watched array, has a value; false if it is all of the array, or nobody knows which part.
    pub(crate) fn note_elements(&mut self, e: Expr) -> bool {
        if self.masking.is_some() {
            return false;
        }
        let Some((shadow, part)) = self.shadow_of(e) else { return false };
        if matches!(self.e.expr(part), ExprData::Var(_)) {
            return false;
        }
        if self.is_certain(shadow.all) {
            // All elements have a value, so nobody asks for that of one.
            return true;
        }
        let outer = shadow.allocated.map(|_| {
            let (all, zero) = (self.var(shadow.all), self.int(Type::I4, 0));
            let is_watched = self.make(ExprData::Binary(BinaryOp::Eq, all, zero));
            self.open_if(is_watched).0
        });
        let one = self.int(Type::I1, 1);
        self.assign(part, one);
        if let Some(outer) = outer {
            self.enter(outer);
        }
        true
    }

    /// Calls `read`, which gives the value of the component, or of a part of it, at `x`: it must have one.
    pub(crate) fn reading_part<T>(&mut self, x: ExprId, read: impl FnOnce(&mut Self) -> T) -> T {
        let Some((id, k)) = self.watched_part(x) else { return read(self) };
        let Some(flags) = self.parts.remove(&id) else { return read(self) };
        let value = read(self);
        let flag = flags[k];
        self.parts.insert(id, flags);
        if !self.in_forall && self.checks().undefined && !self.is_certain(flag) {
            let register = flag;
            let (flag, zero) = (self.var(flag), self.int(Type::I4, 0));
            let undefined = self.make(ExprData::Binary(BinaryOp::Eq, flag, zero));
            let text = format!("Variable '{}' is used before it has a value", self.name_at(x));
            let at = self.ast.span(x);
            self.fault_if(at, undefined, &text, &[]);
            self.e.make_certain(register);
        }
        value
    }
}

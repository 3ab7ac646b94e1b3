//! Array constructors and implied DO.
//!
//! ```text
//! (/ a, 2*b(1:n), 0.0 /)           one expression, a constructor of the IR
//! (/ (i*x, i = 1, n) /)      =>    t = space of n;  k = 0
//!                                  do i' = 1, n;  k = k + 1;  t(k) = i'*x
//! ```

use crate::array::growing::Growing;
use crate::expr::Exprs;
use crate::source::Source;
use crate::values::{Checked, Str, Val, refused};
use crate::variables::Variables;
use trueline_ir::{BinaryOp, Expr, ExprData, Sym, Type};
use trueline_sema::constant::Const;
use trueline_sema::constant::eval::const_eval;
use trueline_sema::typed::needs::Needs;
use trueline_sema::types::kinds::{Category, common_type};
use trueline_sema::types::structure::StructureId;
use trueline_syntax::ast::{BaseType, CharLen, ExprId, ExprKind, ExprList, Ident, ImpliedDo, TypeSpec};

/// Constant constructors up to this size stay expressions; larger ones become static memory.
const MAX_INLINE: usize = 256;

/// The type and length of a constructor's elements.
struct Elements {
    ty: Type,
    len: Option<Expr>,
}

/// The place of the elements of a constructor with implied DO.
struct Room<'a> {
    temp: Sym,
    counter: Sym,
    growing: Option<&'a Growing>,
    /// Whether the constructor says the type of its elements.
    is_declared: bool,
}

impl Exprs<'_> {
    pub(crate) fn constructor(&mut self, x: ExprId, spec: Option<&TypeSpec>, items: ExprList) -> Val {
        let list = self.ast.list(items);
        let repeats = list.iter().any(|&i| matches!(self.ast.expr(i).kind, ExprKind::ImpliedDo(_)));
        if (repeats || list.len() > 8)
            && let Ok(Const::Array(a)) = const_eval(self.cx.decls, self.scope, x)
        {
            if let Some(id) = self.constant_element_type(items, spec) {
                return self.constant_structure(id, &Const::Array(a));
            }
            if a.values.len() > MAX_INLINE {
                return self.constant_array(None, &a);
            }
            return self.const_value(&Const::Array(a));
        }
        if let Some(id) = spec.and_then(|spec| self.cx.decls.structure_of(self.scope, spec)).filter(|_| list.is_empty())
        {
            return self.structure_items(&[], id);
        }
        let declared = spec.map(|spec| self.declared_elements(spec));
        if repeats { self.filled(x, declared, items) } else { self.listed(declared, items) }
    }

    fn declared_elements(&mut self, spec: &TypeSpec) -> Elements {
        match self.cx.decls.constant_type(self.scope, spec) {
            Ok((ty, len)) => Elements { ty, len: len.map(|n| self.int8(n as i64)) },
            // The length of characters may be computed.
            Err(why) if why.is_runtime() && spec.base == BaseType::Character && spec.kind.is_none() => {
                let Some(CharLen::Expr(x)) = spec.len else { refused() };
                let len = self.integer(x);
                let len = self.at_least_zero(len);
                Elements { ty: Type::Char, len: Some(self.in_register(len)) }
            }
            Err(_) => refused(),
        }
    }

    /// Without implied DO.
    fn listed(&mut self, declared: Option<Elements>, items: ExprList) -> Val {
        let mut values = Vec::new();
        for &item in self.ast.list(items) {
            values.push(self.expr(item));
        }
        let is_declared = declared.is_some();
        let elements = match declared {
            Some(e) => e,
            None => self.common_elements(&values),
        };
        if elements.ty == Type::Char
            && let Some(id) = values.iter().find_map(|v| self.structure_at(v.e))
        {
            return self.structure_items(&values, id);
        }
        if elements.ty == Type::Char {
            if values.iter().any(|v| v.len.is_none()) {
                refused();
            }
            let len = elements.len.or(values.first().and_then(|v| v.len)).unwrap_or_else(|| self.int8(0));
            for (v, &item) in values.iter().zip(self.ast.list(items)).skip(1).filter(|_| !is_declared) {
                self.check_element_length(item, len, v.len.unwrap_or(len));
            }
            return self.char_items(&values, len).into();
        }
        let mut all = Vec::new();
        for (v, &item) in values.iter().zip(self.ast.list(items)) {
            all.push(self.converted_at(item, elements.ty, v.e));
        }
        let list = self.b.list(&all);
        Val::plain(self.make(ExprData::Constructor(elements.ty, list)))
    }

    /// With implied DO: a temporary, filled by loops.
    fn filled(&mut self, x: ExprId, declared: Option<Elements>, items: ExprList) -> Val {
        let is_declared = declared.is_some();
        let Some(typed) = self.typing().of(x) else { refused() };
        let elements = match declared {
            Some(e) => e,
            None => Elements { ty: typed.ty, len: typed.len.map(|n| self.int8(n)) },
        };
        let structure = typed.structure;
        let size = structure.map(|id| self.cx.decls.structures[id].size).map(|n| self.int8(n));
        let elements = Elements { len: elements.len.or(size), ..elements };
        let is_text = elements.ty == Type::Char && structure.is_none();
        let len = match elements.len {
            None if is_text && !is_declared => Some(self.first_length(items)),
            len => len,
        };
        let zero = self.int8(0);
        let at = self.register("k", Type::I8);
        let temp = if self.is_counted(items) {
            let n = match self.plain_count(items) {
                Some(n) => n,
                None => {
                    let total = self.register("n", Type::I8);
                    self.e.set(total, zero);
                    self.count_items(items, total);
                    self.var(total)
                }
            };
            let temp = match structure {
                Some(id) => self.owning_temp(id, n),
                None => self.memory(elements.ty, len, &[n]),
            };
            self.e.set(at, zero);
            self.fill_items(items, &Room { temp, counter: at, growing: None, is_declared });
            temp
        } else {
            let growing = self.growing(elements.ty, len, structure);
            self.e.set(at, zero);
            let room = Room { temp: growing.array, counter: at, growing: Some(&growing), is_declared };
            self.fill_items(items, &room);
            let n = self.var(at);
            self.grown(&growing, n)
        };
        let len = len.filter(|_| structure.is_none());
        Val { e: self.var(temp), len }
    }

    /// The length of the first of the elements, which is that of all.
    fn first_length(&mut self, items: ExprList) -> Expr {
        let len = self.register("len", Type::I8);
        let zero = self.int8(0);
        self.e.set(len, zero);
        let outer = self.block();
        self.note_first_length(items, len);
        self.enter(outer);
        self.var(len)
    }

    fn note_first_length(&mut self, items: ExprList, len: Sym) {
        let Some(&first) = self.ast.list(items).first() else { return };
        let ExprKind::ImpliedDo(d) = self.ast.expr(first).kind.clone() else {
            let temps = self.open_temps();
            let v = self.expr(first);
            if let Some(n) = v.len {
                self.e.set(len, n);
            }
            self.close_temps(temps);
            return;
        };
        let (lo, hi, step) = self.implied_bounds(&d);
        let (id, ty) = self.index_variable(d.var);
        let trips = self.trips(lo, hi, step);
        let zero = self.int8(0);
        let some = self.make(ExprData::Binary(BinaryOp::Gt, trips, zero));
        self.open_if(some);
        let lo = self.convert(ty, lo);
        let value = Val::plain(self.in_register(lo));
        self.hidden.push((id, value));
        self.note_first_length(d.items, len);
        self.hidden.drop_last(1);
    }

    /// The number of elements, if no loop has to count them.
    fn plain_count(&mut self, items: ExprList) -> Option<Expr> {
        let mut sum = self.int8(0);
        for item in self.ast.list(items).to_vec() {
            let n = match self.ast.expr(item).kind.clone() {
                ExprKind::ImpliedDo(d) => self.rectangular_count(&d)?,
                _ if self.typing().of(item).is_none_or(|t| t.rank() == 0) => self.int8(1),
                _ => return None,
            };
            sum = self.add(sum, n);
        }
        Some(sum)
    }

    /// Adds the number of elements to `total`; a loop of scalars takes no loop to count.
    fn count_items(&mut self, items: ExprList, total: Sym) {
        for item in self.ast.list(items).to_vec() {
            if let ExprKind::ImpliedDo(d) = self.ast.expr(item).kind.clone() {
                match self.rectangular_count(&d) {
                    Some(n) => self.increase(total, n),
                    None => self.implied_do(&d, |l| l.count_items(d.items, total)),
                }
            } else {
                let n = if self.typing().of(item).is_none_or(|t| t.rank() == 0) {
                    self.int8(1)
                } else {
                    let v = self.expr(item);
                    self.size(v.e)
                };
                self.increase(total, n);
            }
        }
    }

    /// Whether the elements can be counted before they are evaluated: the arrays among the items are variables and operations on them,
    /// which say their size without a call.
    fn is_counted(&mut self, items: ExprList) -> bool {
        self.ast.list(items).to_vec().into_iter().all(|item| match self.ast.expr(item).kind {
            ExprKind::ImpliedDo(ref d) => {
                let items = d.items;
                self.is_counted(items)
            }
            _ => {
                let is_array = self.typing().of(item).is_some_and(|t| t.rank() > 0);
                !is_array || self.site().needs(item, false) == Needs::Nothing
            }
        })
    }

    /// The number of elements of a loop over scalars.
    fn rectangular_count(&mut self, d: &ImpliedDo) -> Option<Expr> {
        for &item in self.ast.list(d.items) {
            if matches!(self.ast.expr(item).kind, ExprKind::ImpliedDo(_)) {
                return None;
            }
        }
        let ast = self.ast;
        let items = ast.list(d.items);
        if items.iter().any(|&item| self.typing().of(item).is_some_and(|t| t.rank() > 0)) {
            return None;
        }
        let (lo, hi, step) = self.implied_bounds(d);
        let trips = self.trips(lo, hi, step);
        let each = self.int8(items.len() as i64);
        Some(self.mul(trips, each))
    }

    fn implied_bounds(&mut self, d: &ImpliedDo) -> (Expr, Expr, Expr) {
        let (lo, hi) = (self.integer(d.from), self.integer(d.to));
        let step = match d.step {
            Some(x) => {
                let step = self.integer(x);
                self.check_step(x, step, "DO step value is zero");
                step
            }
            None => self.int8(1),
        };
        (lo, hi, step)
    }

    fn fill_items(&mut self, items: ExprList, room: &Room<'_>) {
        let &Room { temp, counter, growing, is_declared } = room;
        for item in self.ast.list(items).to_vec() {
            if let ExprKind::ImpliedDo(d) = self.ast.expr(item).kind.clone() {
                self.implied_do(&d, |l| l.fill_items(d.items, room));
                continue;
            }
            let scope = self.open_temps();
            let v = self.expr(item);
            if let Some((len, first)) = v.len.zip(self.sym(temp).len.expand()).filter(|_| !is_declared) {
                self.check_element_length(item, first, len);
            }
            let v = if self.has_elements(v.e) { v } else { Val { e: self.in_memory(v.e), ..v } };
            let shape = self.shape(v.e);
            if let Some(growing) = growing {
                let (used, more) = (self.var(counter), self.product(&shape));
                self.make_room(growing, used, more);
            }
            let (at, outer) = self.open_elements(&shape);
            let one = self.int8(1);
            self.increase(counter, one);
            let k = self.var(counter);
            let place = self.elem(temp, &[k]);
            if let Some(id) = self.structure_at(v.e) {
                let from = self.element(v.e, &at);
                if growing.is_some() && self.cx.decls.structures[id].owns {
                    self.set_defaults(place, id);
                }
                self.store_structure(place, from, id);
                self.enter(outer);
                self.close_temps(scope);
                continue;
            }
            match self.as_str(v) {
                Some(s) => {
                    let from = self.str_element(s, &at);
                    let len = self.sym(temp).len.expand().unwrap_or(from.len);
                    self.assign_str(Str { place, len }, from);
                }
                None => {
                    let value = self.element(v.e, &at);
                    let ty = self.sym(temp).ty;
                    let value = self.converted_at(item, ty, value);
                    self.assign(place, value);
                }
            }
            self.enter(outer);
            self.close_temps(scope);
        }
    }

    /// Runs `body` inside the loop of an implied DO, whose variable is the loop's alone.
    pub(crate) fn implied_do(&mut self, d: &ImpliedDo, body: impl FnOnce(&mut Self)) {
        let (lo, hi, step) = self.implied_bounds(d);
        let (id, ty) = self.index_variable(d.var);
        if self.known(step) == Some(0) {
            refused();
        }
        let name = self.ast.name(d.var.name);
        let var = self.register(name, ty);
        let outer = self.open_do(var, lo, hi, step);
        let value = Val::plain(self.var(var));
        self.hidden.push((id, value));
        body(self);
        self.hidden.drop_last(1);
        self.enter(outer);
    }
}

impl Variables<'_> {
    /// Structures one after the other in a temporary array.
    fn structure_items(&mut self, values: &[Val], id: StructureId) -> Val {
        if values.iter().any(|v| self.structure_at(v.e).is_none_or(|s| !self.same_type(s, id))) {
            refused();
        }
        let mut total = self.int8(0);
        for v in values {
            let n = self.size(v.e);
            total = self.add(total, n);
        }
        let temp = self.owning_temp(id, total);
        let mut before = self.int8(0);
        for v in values {
            let shape = self.shape(v.e);
            let (at, outer) = self.open_elements(&shape);
            let position = self.position(&at, &shape);
            let k = self.add(before, position);
            let (place, from) = (self.elem(temp, &[k]), self.element(v.e, &at));
            self.store_structure(place, from, id);
            self.enter(outer);
            let n = self.product(&shape);
            before = self.add(before, n);
        }
        Val::plain(self.var(temp))
    }

    /// A temporary for `n` structures that own nothing yet.
    pub(crate) fn owning_temp(&mut self, id: StructureId, n: Expr) -> Sym {
        let temp = self.structure_temp(id, &[n]);
        if self.cx.decls.structures[id].owns {
            let place = self.var(temp);
            self.set_defaults(place, id);
        }
        temp
    }
}

impl Source<'_> {
    /// The derived type of the elements of a constant constructor.
    fn constant_element_type(&mut self, items: ExprList, spec: Option<&TypeSpec>) -> Option<StructureId> {
        if let Some(spec) = spec {
            return self.cx.decls.structure_of(self.scope, spec);
        }
        let mut x = *self.ast.list(items).first()?;
        while let ExprKind::ImpliedDo(d) = &self.ast.expr(x).kind {
            x = *self.ast.list(d.items).first()?;
        }
        let ExprKind::Call { base, .. } = self.ast.expr(x).kind else { return None };
        let ExprKind::Name(name) = self.ast.expr(base).kind else { return None };
        let kind = self.resolve(name).map(|id| self.symbol(id).kind.clone())?;
        self.is_type_name(&kind)
    }

    /// The type all elements have; numeric ones of different types are brought to the highest.
    fn common_elements(&self, values: &[Val]) -> Elements {
        let first = values.first().checked();
        let ty = values.iter().try_fold(self.ty(first.e), |ty, v| common_type(ty, self.ty(v.e))).checked();
        Elements { ty, len: first.len }
    }

    /// Characters one after the other in a temporary array.
    pub(crate) fn char_items(&mut self, values: &[Val], len: Expr) -> Str {
        let mut total = self.int8(0);
        for v in values {
            let n = self.size(v.e);
            total = self.add(total, n);
        }
        let temp = self.str_temp(len, &[total]);
        let ExprData::Var(array) = self.e.expr(temp.place) else { return temp };
        let mut before = self.int8(0);
        for v in values {
            let Some(s) = self.as_str(*v) else { continue };
            let shape = self.shape(s.place);
            let (at, outer) = self.open_elements(&shape);
            let position = self.position(&at, &shape);
            let k = self.add(before, position);
            let place = self.elem(array, &[k]);
            let from = self.str_element(s, &at);
            self.assign_str(Str { place, len: temp.len }, from);
            self.enter(outer);
            let n = self.product(&shape);
            before = self.add(before, n);
        }
        temp
    }

    fn increase(&mut self, counter: Sym, by: Expr) {
        let old = self.var(counter);
        let new = self.add(old, by);
        self.e.set(counter, new);
    }

    /// An integer variable that is to be an index.
    pub(crate) fn index_variable(&mut self, var: Ident) -> (trueline_sema::scope::symbol::SymbolId, Type) {
        let id = self.resolve_at(var.name);
        let ty = self.symbol(id).ty.unwrap_or(Type::I4);
        if Category::of(ty) != Category::Integer || self.symbol(id).is_array() {
            refused();
        }
        (id, ty)
    }

    /// `e` as a value of type `ty`, where an assignment converts.
    pub(crate) fn converted(&mut self, ty: Type, e: Expr) -> Expr {
        let (a, b) = (Category::of(self.ty(e)), Category::of(ty));
        if a == b || (a.is_numeric() && b.is_numeric()) {
            return self.convert_numeric(ty, e);
        }
        // An extension, of which the checks have warned.
        match (a, b) {
            (Category::Logical, Category::Integer) | (Category::Integer, Category::Logical) => self.convert(ty, e),
            _ => refused(),
        }
    }

    /// A numeric conversion; only the real part of a complex value goes into a real or integer.
    pub(crate) fn convert_numeric(&mut self, ty: Type, e: Expr) -> Expr {
        let (a, b) = (Category::of(self.ty(e)), Category::of(ty));
        if a == Category::Complex && b != Category::Complex {
            let part = self.intrinsic(trueline_ir::Intrinsic::RealPart, &[e]);
            return self.convert(ty, part);
        }
        self.convert(ty, e)
    }
}

impl Variables<'_> {
    /// The same for `e`, the value of `x`, with the check that the type can have that value.
    pub(crate) fn converted_at(&mut self, x: ExprId, ty: Type, e: Expr) -> Expr {
        let (a, b) = (Category::of(self.ty(e)), Category::of(ty));
        if a == b || (a.is_numeric() && b.is_numeric()) {
            let span = self.ast.span(x);
            self.check_conversion(span, ty, e);
        }
        self.converted(ty, e)
    }
}

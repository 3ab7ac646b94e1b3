//! FORALL.
//!
//! The calls and temporaries that an expression needs stand inside, before the assignment it is for, and run
//! for each index value. Assignments of CHARACTER, and any that need more than calls and registers, are written out as
//! loops here.

pub(crate) mod where_construct;

use crate::control::Body;
use crate::values::{Failed, Lowered, Val};
use trueline_ir::{Expr, ExprData, Head, List, Sym, Type};
use trueline_sema::scope::symbol::SymbolId;
use trueline_sema::typed::needs::Needs;
use trueline_syntax::ast::{ArgValue, ExprId, ExprKind, ForallConstruct, ForallHeader, StmtId, StmtKind};

/// An index, its register and its bounds.
pub(crate) struct Index {
    id: SymbolId,
    var: Sym,
    bounds: [Expr; 3],
}

impl Body<'_> {
    pub(crate) fn forall_statement(&mut self, h: &ForallHeader, body: StmtId) -> Lowered<()> {
        self.forall(h, &[body])
    }

    pub(crate) fn forall_construct(&mut self, f: &ForallConstruct) -> Lowered<()> {
        self.forall(&f.header, self.ast.block(f.body))
    }

    fn forall(&mut self, h: &ForallHeader, body: &[StmtId]) -> Lowered<()> {
        let outer = self.nested_forall;
        self.nested_forall |=
            body.iter().any(|&s| matches!(self.ast.stmt(s).kind, StmtKind::Forall(_) | StmtKind::ForallStmt { .. }));
        let is_outermost = !std::mem::replace(&mut self.in_forall, true);
        if is_outermost {
            self.define_arrays();
        }
        let result = self.forall_in(h, body);
        self.in_forall = !is_outermost;
        self.nested_forall = outer;
        result
    }

    fn forall_in(&mut self, h: &ForallHeader, body: &[StmtId]) -> Lowered<()> {
        if body.iter().any(|&s| self.assigns_string(s)) {
            return self.forall_by_element(h, body);
        }
        let indices = self.index_triplets(h)?;
        let checked = self.checks_expressions();
        if self.site().forall_needs_memory(h, body, checked) {
            return self.forall_by_element(h, body);
        }
        let mut list = Vec::new();
        for &(id, var, [lo, hi, step]) in &indices {
            let value = self.var(var);
            list.extend([value, self.e.make(ExprData::Triplet(lo, hi, step))]);
            self.hidden.push((id, Val::plain(value)));
        }
        self.forall_depth += 1;
        let mask = h.mask.map(|x| self.forall_mask(x, &indices)).transpose();
        let done = match mask {
            Ok(mask) => {
                let indices = self.b.list(&list);
                let s = self.push(Head::Forall { indices, mask: mask.into() });
                let inside = self.e.blocks(s)[0];
                let after = self.enter(inside);
                body.iter().for_each(|&s| self.forall_member(s));
                self.enter(after);
                Ok(())
            }
            Err(Failed) => Err(Failed),
        };
        self.forall_depth -= 1;
        self.hidden.drop_last(indices.len());
        done
    }

    /// The mask as one expression, as it has to be to be evaluated for each index value.
    fn forall_mask(&mut self, x: ExprId, indices: &[(SymbolId, Sym, [Expr; 3])]) -> Lowered<Expr> {
        let checked = self.checks_expressions();
        if self.site().needs(x, checked) > Needs::Nothing {
            return self.stored_forall_mask(x, indices);
        }
        let before = self.last_stmt();
        let mask = self.condition(x)?;
        if self.last_stmt() != before {
            return Err(self.unsupported_at(x, "This mask of a FORALL is"));
        }
        Ok(mask)
    }

    /// The statement before the cursor.
    pub(crate) fn last_stmt(&self) -> Option<trueline_provenance::Stmt> {
        self.e.stmts(self.e.block()).last()
    }

    /// A mask that calls functions: its values are stored before, and looked up by the number of the index
    /// value.
    fn stored_forall_mask(&mut self, x: ExprId, indices: &[(SymbolId, Sym, [Expr; 3])]) -> Lowered<Expr> {
        let own: Vec<Index> = indices
            .iter()
            .map(|&(id, var, bounds)| {
                let ty = self.sym(var).ty;
                let var = self.register("i", ty);
                Index { id, var, bounds: bounds.map(|e| self.in_register(e)) }
            })
            .collect();
        let one = self.int8(1);
        let mut total = one;
        for i in &own {
            let trips = self.trips(i.bounds[0], i.bounds[1], i.bounds[2]);
            total = self.mul(total, trips);
        }
        let total = self.in_register(total);
        let saved = self.memory(Type::L4, None, &[total]);
        self.for_indices(&own, None, |l, k| {
            let cond = l.condition(x)?;
            let place = l.elem(saved, &[k]);
            l.assign(place, cond);
            Ok(())
        })?;
        let mut at = self.int8(0);
        for (i, &(_, var, _)) in own.iter().zip(indices) {
            let [lo, hi, step] = i.bounds;
            let trips = self.trips(lo, hi, step);
            at = self.mul(at, trips);
            let value = self.var(var);
            let value = self.convert(Type::I8, value);
            let distance = self.sub(value, lo);
            let steps = match self.known(step) {
                Some(1) => distance,
                _ => self.binary(trueline_ir::BinaryOp::Div, distance, step),
            };
            at = self.add(at, steps);
        }
        let at = self.add(at, one);
        Ok(self.elem(saved, &[at]))
    }

    fn forall_member(&mut self, s: StmtId) {
        let fine = matches!(
            self.ast.stmt(s).kind,
            StmtKind::Assign { .. }
                | StmtKind::WhereStmt { .. }
                | StmtKind::Where(_)
                | StmtKind::ForallStmt { .. }
                | StmtKind::Forall(_)
                | StmtKind::PointerAssign { .. }
                | StmtKind::Directive(_)
                | StmtKind::Error
        );
        if fine {
            self.stmt(s);
        }
    }

    fn assigns_string(&self, s: StmtId) -> bool {
        let StmtKind::Assign { target, value } = self.ast.stmt(s).kind else { return false };
        let mut loads = false;
        for x in [target, value] {
            trueline_sema::visit::expressions(self.ast, x, &mut |x| {
                if let ExprKind::Component { name, .. } = self.ast.expr(x).kind {
                    loads |= self.is_component(name, |c| c.is_indirect());
                }
            });
        }
        let mut x = target;
        while let ExprKind::Call { base, .. } = self.ast.expr(x).kind {
            x = base;
        }
        loads
            || match self.ast.expr(x).kind {
                ExprKind::Component { name, .. } => self.is_component(name, |c| c.ty == Type::Char),
                _ => self.root_of(target).is_some_and(|id| self.symbol(id).ty == Some(Type::Char)),
            }
    }

    /// Whether some derived type has a component of that name with a property.
    fn is_component(
        &self,
        name: trueline_syntax::Name,
        property: fn(&trueline_sema::types::structure::Component) -> bool,
    ) -> bool {
        let text = self.ast.name(name);
        self.cx.decls.structures.values().any(|s| s.find(text).is_some_and(|k| property(&s.components[k])))
    }

    /// A FORALL with assignments of CHARACTER or of values that need memory of their own, written out: the mask is
    /// saved once; then for each assignment all values are, before the first is assigned.
    fn forall_by_element(&mut self, h: &ForallHeader, body: &[StmtId]) -> Lowered<()> {
        let indices = self.index_triplets(h)?;
        let indices: Vec<Index> = indices
            .into_iter()
            .map(|(id, var, bounds)| Index { id, var, bounds: bounds.map(|e| self.in_register(e)) })
            .collect();
        let one = self.int8(1);
        let total = indices.iter().fold(one, |n, i| {
            let trips = self.trips(i.bounds[0], i.bounds[1], i.bounds[2]);
            self.mul(n, trips)
        });
        let total = self.in_register(total);
        self.forall_depth += 1;
        let result = self.forall_elements(h, body, &indices, total);
        self.forall_depth -= 1;
        result
    }

    fn forall_elements(&mut self, h: &ForallHeader, body: &[StmtId], indices: &[Index], n: Expr) -> Lowered<()> {
        let mask = match h.mask {
            None => None,
            Some(x) => {
                let saved = self.memory(Type::L4, None, &[n]);
                self.for_indices(indices, None, |l, k| {
                    let cond = l.condition(x)?;
                    let place = l.elem(saved, &[k]);
                    l.assign(place, cond);
                    Ok(())
                })?;
                Some(saved)
            }
        };
        body.iter().try_for_each(|&s| self.forall_written_out(indices, mask, None, n, s))
    }

    /// A statement of a FORALL that is written out; `active` says for which elements, in a WHERE.
    pub(crate) fn forall_written_out(
        &mut self,
        indices: &[Index],
        mask: Option<Sym>,
        active: Option<Sym>,
        n: Expr,
        s: StmtId,
    ) -> Lowered<()> {
        self.set_source_stmt(s);
        match &self.ast.stmt(s).kind {
            StmtKind::Assign { target, value } => {
                if self.assigns_by_procedure(indices, *target, *value) {
                    return self.forall_defined(indices, mask, active, s, *target, *value);
                }
                self.forall_values(indices, mask, active, n, *target, *value)
            }
            StmtKind::WhereStmt { mask: x, body } => {
                self.forall_where(indices, mask, active, n, &[(None, Some(*x), &[*body])])
            }
            StmtKind::Where(w) => {
                let mut branches = vec![(None, Some(w.mask), self.ast.block(w.body))];
                for arm in &w.arms {
                    let x = match self.ast.stmt(arm.head).kind {
                        StmtKind::Elsewhere { mask } => mask,
                        _ => None,
                    };
                    branches.push((Some(arm.head), x, self.ast.block(arm.body)));
                }
                self.forall_where(indices, mask, active, n, &branches)
            }
            StmtKind::Directive(_) | StmtKind::Error => Ok(()),
            _ => {
                let span = self.ast.stmt(s).span;
                Err(self.unsupported(span, "This statement in a FORALL with such assignments is"))
            }
        }
    }

    fn assigns_by_procedure(&mut self, indices: &[Index], target: ExprId, value: ExprId) -> bool {
        for i in indices {
            let value = Val::plain(self.var(i.var));
            self.hidden.push((i.id, value));
        }
        let found = self.assigning_procedure(target, value).is_some();
        self.hidden.drop_last(indices.len());
        found
    }

    /// An assignment by a subroutine: one call for each index value. The expression must not read the assigned variable.
    fn forall_defined(
        &mut self,
        indices: &[Index],
        mask: Option<Sym>,
        active: Option<Sym>,
        s: StmtId,
        target: ExprId,
        value: ExprId,
    ) -> Lowered<()> {
        let root = self.root_of(target);
        let mut reads = false;
        trueline_sema::visit::expressions(self.ast, value, &mut |x| {
            reads |= matches!(self.ast.expr(x).kind, ExprKind::Name(_)) && self.root_of(x) == root;
        });
        if reads || active.is_some() {
            let span = self.ast.stmt(s).span;
            return Err(self.unsupported(span, "A defined assignment in a FORALL that reads what it assigns is"));
        }
        self.for_indices(indices, mask, |l, _| l.defined_assignment(s, target, value).map(|_| ()))
    }

    fn forall_values(
        &mut self,
        indices: &[Index],
        mask: Option<Sym>,
        active: Option<Sym>,
        n: Expr,
        target: ExprId,
        value: ExprId,
    ) -> Lowered<()> {
        let Some(typed) = self.typing().of(target) else {
            // The mistake in the target is reported by lowering the assignment.
            return self.for_indices(indices, mask, |l, _| {
                l.assignment_parts(target, value)?;
                Err(l.unsupported_at(target, "An assignment to this in a FORALL is"))
            });
        };
        let (ty, rank, structure) = (typed.ty, typed.rank(), typed.structure);
        let len = match structure {
            Some(id) => {
                let size = self.cx.decls.structures[id].size;
                Some(self.int8(size))
            }
            None if ty == Type::Char => self.length_among(target)?,
            None => None,
        };
        let own = self.memory_of_indices(target, n);
        let n = if rank == 0 { n } else { self.elements_among(indices, mask, target)? };
        let saved = match structure {
            Some(id) => self.owning_temp(id, n),
            None => self.memory(ty, len, &[n]),
        };
        let len = len.filter(|_| structure.is_none());
        let element = |l: &mut Self, k: Expr| Val { e: l.elem(saved, &[k]), len };
        let at = self.register("at", Type::I8);
        let zero = self.int8(0);
        self.e.set(at, zero);
        self.for_indices(indices, mask, |l, k| {
            let (place, v) = l.assignment_parts(target, value)?;
            l.save_indices(target, place.e, &own, k)?;
            l.each_element(place, v, (rank > 0).then_some(at), k, |l, _, value, k| {
                l.only_where(active, k);
                let to = element(l, k);
                l.store(to, value);
            });
            Ok(())
        })?;
        self.e.set(at, zero);
        self.for_indices(indices, mask, |l, k| {
            let mut place = l.assignable(target)?;
            place.e = l.with_saved_indices(place.e, &mut own.iter().copied(), k);
            l.each_element(place, place, (rank > 0).then_some(at), k, |l, to, _, k| {
                l.only_where(active, k);
                let from = element(l, k);
                l.store(to, from);
            });
            Ok(())
        })?;
        if let Some(id) = structure {
            let place = self.var(saved);
            self.free_structures(place, id);
        }
        Ok(())
    }

    /// Memory for the subscripts and the bounds of sections and substrings of a target, one array of `n` for each, if they
    /// read the variable that is assigned: by then some of it has its new value.
    fn memory_of_indices(&mut self, target: ExprId, n: Expr) -> Vec<Sym> {
        let Some(root) = self.root_of(target) else { return Vec::new() };
        let (mut reads, mut most) = (false, 0);
        let mut x = target;
        loop {
            x = match self.ast.expr(x).kind {
                ExprKind::Component { base, .. } => base,
                ExprKind::Call { base, args } => {
                    for a in self.ast.args(args) {
                        let parts = match a.value {
                            ArgValue::Expr(x) => [Some(x), None, None],
                            ArgValue::Section { lo, hi, step } => [lo.expand(), hi.expand(), step.expand()],
                            _ => [None; 3],
                        };
                        most += 3;
                        for x in parts.into_iter().flatten() {
                            trueline_sema::visit::expressions(self.ast, x, &mut |x| {
                                reads |=
                                    matches!(self.ast.expr(x).kind, ExprKind::Name(_)) && self.root_of(x) == Some(root);
                            });
                        }
                    }
                    base
                }
                _ => break,
            };
        }
        let most = if reads { most } else { 0 };
        (0..most).map(|_| self.memory(Type::I8, None, &[n])).collect()
    }

    /// Stores the indices of a place for the index value `k`.
    fn save_indices(&mut self, target: ExprId, place: Expr, own: &[Sym], k: Expr) -> Lowered<()> {
        if own.is_empty() {
            return Ok(());
        }
        let mut found = Vec::new();
        self.map_indices(place, &mut |_, e| {
            found.push(e);
            e
        });
        if found.len() > own.len() || found.iter().any(|&e| self.e.rank(e) > 0) {
            return Err(self.unsupported_at(target, "A target in a FORALL whose subscripts read what it assigns is"));
        }
        for (&saved, e) in own.iter().zip(found) {
            let to = self.elem(saved, &[k]);
            self.assign(to, e);
        }
        Ok(())
    }

    /// `place` with the indices that were stored for the index value `k`, if any were.
    fn with_saved_indices(&mut self, place: Expr, own: &mut impl Iterator<Item = Sym>, k: Expr) -> Expr {
        self.map_indices(place, &mut |l, e| own.next().map_or(e, |saved| l.elem(saved, &[k])))
    }

    /// Rebuilds `place` with other subscripts and bounds, except constants.
    fn map_indices(&mut self, place: Expr, other: &mut dyn FnMut(&mut Self, Expr) -> Expr) -> Expr {
        match self.e.expr(place) {
            ExprData::Elem(sym, subs) => {
                let subs = self.other_indices(subs, other);
                self.make(ExprData::Elem(sym, subs))
            }
            ExprData::Section(sym, subs) => {
                let subs = self.other_indices(subs, other);
                self.make(ExprData::Section(sym, subs))
            }
            ExprData::Substr(base, lo, hi) => {
                let base = self.map_indices(base, other);
                let [lo, hi] = [lo, hi].map(|e| self.other_index(e, other));
                self.make(ExprData::Substr(base, lo, hi))
            }
            _ => place,
        }
    }

    fn other_indices(&mut self, list: List, other: &mut dyn FnMut(&mut Self, Expr) -> Expr) -> List {
        let old: Vec<Expr> = self.list(list).to_vec();
        let new: Vec<Expr> = old.into_iter().map(|e| self.other_index(e, other)).collect();
        self.b.list(&new)
    }

    fn other_index(&mut self, e: Expr, other: &mut dyn FnMut(&mut Self, Expr) -> Expr) -> Expr {
        match self.e.expr(e) {
            ExprData::Int(..) => e,
            ExprData::Triplet(lo, hi, step) => {
                let [lo, hi, step] = [lo, hi, step].map(|e| self.other_index(e, other));
                self.make(ExprData::Triplet(lo, hi, step))
            }
            _ => other(self, e),
        }
    }

    /// The number of elements that are assigned, for all index values.
    fn elements_among(&mut self, indices: &[Index], mask: Option<Sym>, target: ExprId) -> Lowered<Expr> {
        self.sum_of_sizes(indices, mask, |l| Ok(l.assignable(target)?.e))
    }

    /// The number of elements of the arrays that `array` gives, one for each index value.
    pub(crate) fn sum_of_sizes(
        &mut self,
        indices: &[Index],
        mask: Option<Sym>,
        array: impl Fn(&mut Self) -> Lowered<Expr>,
    ) -> Lowered<Expr> {
        let total = self.register("n", Type::I8);
        let zero = self.int8(0);
        self.e.set(total, zero);
        self.for_indices(indices, mask, |l, _| {
            let array = array(l)?;
            let n = l.size(array);
            let so_far = l.var(total);
            let sum = l.add(so_far, n);
            l.e.set(total, sum);
            Ok(())
        })?;
        Ok(self.var(total))
    }

    /// Calls `each` for the elements of a place and a value, and the number of the element: that of the index value, or
    /// if the place is an array the value of `counter`.
    pub(crate) fn each_element(
        &mut self,
        place: Val,
        value: Val,
        counter: Option<Sym>,
        number: Expr,
        each: impl FnOnce(&mut Self, Val, Val, Expr),
    ) {
        let Some(counter) = counter else { return each(self, place, value, number) };
        let value = if self.has_elements(value.e) { value } else { Val { e: self.in_memory(value.e), ..value } };
        let shape = self.shape(place.e);
        let (at, outer) = self.open_elements(&shape);
        let (k, one) = (self.var(counter), self.int8(1));
        let next = self.add(k, one);
        self.e.set(counter, next);
        let to = Val { e: self.element(place.e, &at), ..place };
        let from = Val { e: self.element(value.e, &at), ..value };
        each(self, to, from, k);
        self.enter(outer);
    }

    /// The length of the string that is assigned; it is an error here if the length varies with the indices.
    fn length_among(&mut self, target: ExprId) -> Lowered<Option<Expr>> {
        let root = self.root_of(target).ok_or(Failed)?;
        let span = self.ast.span(target);
        let sym = self.binding(root, span)?.sym;
        let of_root = self.sym(sym).len.expand().filter(|_| !self.structures.contains_key(&sym));
        let known = self.typing().of(target).ok_or(Failed)?.len.map(|n| self.int8(n));
        known
            .or(of_root)
            .map(Some)
            .ok_or_else(|| self.unsupported_at(target, "An assignment to strings of variable length in a FORALL is"))
    }

    /// Loops over the index values where `mask` holds; `body` gets the number of the index value.
    pub(crate) fn for_indices(
        &mut self,
        indices: &[Index],
        mask: Option<Sym>,
        body: impl FnOnce(&mut Self, Expr) -> Lowered<()>,
    ) -> Lowered<()> {
        let counter = self.register("k", Type::I8);
        let (zero, one) = (self.int8(0), self.int8(1));
        self.e.set(counter, zero);
        let outer = self.block();
        for i in indices {
            self.open_do(i.var, i.bounds[0], i.bounds[1], i.bounds[2]);
            let value = Val::plain(self.var(i.var));
            self.hidden.push((i.id, value));
        }
        let k = self.var(counter);
        let next = self.add(k, one);
        self.e.set(counter, next);
        if let Some(mask) = mask {
            let cond = self.elem(mask, &[k]);
            self.open_if(cond);
        }
        let temps = self.open_temps();
        let result = body(self, k);
        self.close_temps(temps);
        self.hidden.drop_last(indices.len());
        self.enter(outer);
        result
    }
}

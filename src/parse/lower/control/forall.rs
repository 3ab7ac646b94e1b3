//! FORALL.
//!
//! The calls and temporaries that an expression needs stand inside, before the assignment it is for, and run
//! for each index value. Assignments of CHARACTER, and any that need more than calls and registers, are written out as
//! loops here.

mod checked;
pub(crate) mod defined;
pub(crate) mod indices;
pub(crate) mod pointer;
pub(crate) mod target;
pub(crate) mod values;
pub(crate) mod where_construct;

use crate::control::Body;
use crate::control::forall::indices::{Index, IndexSet};
use crate::values::Val;
use trueline_ir::{Expr, ExprData, Head, Sym, Type};
use trueline_sema::scope::symbol::SymbolId;
use trueline_sema::typed::needs::Needs;
use trueline_syntax::ast::{ExprId, ExprKind, ForallConstruct, ForallHeader, StmtId, StmtKind};

impl Body<'_> {
    pub(crate) fn forall_statement(&mut self, h: &ForallHeader, body: StmtId) {
        self.forall(h, &[body])
    }

    pub(crate) fn forall_construct(&mut self, f: &ForallConstruct) {
        self.forall(&f.header, self.ast.block(f.body))
    }

    fn forall(&mut self, h: &ForallHeader, body: &[StmtId]) {
        let is_outermost = !std::mem::replace(&mut self.in_forall, true);
        if is_outermost {
            self.define_arrays();
        }
        self.forall_in(h, body);
        self.in_forall = !is_outermost;
    }

    fn forall_in(&mut self, h: &ForallHeader, body: &[StmtId]) {
        if body.iter().any(|&s| self.assigns_string(s)) {
            return self.forall_by_element(h, body);
        }
        if let Some(assignment) = self.checked_before(h, body) {
            let indices = self.index_triplets(h);
            let indices: Vec<_> =
                indices.into_iter().map(|(id, var, b)| (id, var, b.map(|e| self.in_register(e)))).collect();
            self.check_forall(h, &indices, assignment);
            let outer = std::mem::replace(&mut self.is_unchecked, true);
            self.plain_forall(h, &indices, body);
            self.is_unchecked = outer;
            return;
        }
        let indices = self.index_triplets(h);
        let checked = self.checks_expressions();
        if self.site().forall_needs_memory(h, body, checked) {
            return self.forall_by_element(h, body);
        }
        self.plain_forall(h, &indices, body);
    }

    /// A FORALL that stays one.
    fn plain_forall(&mut self, h: &ForallHeader, indices: &[(SymbolId, Sym, [Expr; 3])], body: &[StmtId]) {
        let mut list = Vec::new();
        for &(id, var, [lo, hi, step]) in indices {
            let value = self.var(var);
            list.extend([value, self.e.make(ExprData::Triplet(lo, hi, step))]);
            self.hidden.push((id, Val::plain(value)));
        }
        self.forall_depth += 1;
        let mask = h.mask.map(|x| self.forall_mask(x, indices));
        let triplets = self.b.list(&list);
        let s = self.push(Head::Forall { indices: triplets, mask: mask.into() });
        let inside = self.e.blocks(s)[0];
        let after = self.enter(inside);
        body.iter().for_each(|&s| self.forall_member(s));
        self.enter(after);
        self.forall_depth -= 1;
        self.hidden.drop_last(indices.len());
    }

    /// The mask as one expression, as it has to be to be evaluated for each index value.
    fn forall_mask(&mut self, x: ExprId, indices: &[(SymbolId, Sym, [Expr; 3])]) -> Expr {
        let checked = self.checks_expressions();
        if self.site().needs(x, checked) > Needs::Nothing {
            return self.stored_forall_mask(x, indices);
        }
        let before = self.last_stmt();
        let mask = self.condition(x);
        assert!(self.last_stmt() == before, "a mask that says that it needs no statements before it has some");
        mask
    }

    /// The statement before the cursor.
    pub(crate) fn last_stmt(&self) -> Option<trueline_provenance::Stmt> {
        self.e.stmts(self.e.block()).last()
    }

    /// A mask that calls functions: its values are stored before, and looked up by the number of the index
    /// value.
    fn stored_forall_mask(&mut self, x: ExprId, indices: &[(SymbolId, Sym, [Expr; 3])]) -> Expr {
        let own: Vec<Index> = indices
            .iter()
            .map(|&(id, var, bounds)| {
                let ty = self.sym(var).ty;
                let var = self.register("i", ty);
                Index { id, var, bounds: bounds.map(|e| self.in_register(e)) }
            })
            .collect();
        let bounds: Vec<[Expr; 3]> = own.iter().map(|i| i.bounds).collect();
        let set = self.rectangle(own);
        let saved = self.saved_mask(&set, x);
        let one = self.int8(1);
        let mut at = self.int8(0);
        for ([lo, hi, step], &(_, var, _)) in bounds.into_iter().zip(indices) {
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
        self.elem(saved, &[at])
    }

    fn forall_member(&mut self, s: StmtId) {
        let fine = matches!(
            self.ast.stmt(s).kind,
            StmtKind::Assign { .. }
                | StmtKind::WhereStmt { .. }
                | StmtKind::Where(_)
                | StmtKind::ForallStmt { .. }
                | StmtKind::Forall(_)
                | StmtKind::Directive(_)
                | StmtKind::Error
        );
        if fine {
            self.stmt(s);
        }
    }

    /// Whether the statement, or one in a FORALL that it is, assigns CHARACTER or mentions components that are found at run time.
    fn assigns_string(&self, s: StmtId) -> bool {
        let (target, value) = match &self.ast.stmt(s).kind {
            StmtKind::Assign { target, value } => (*target, *value),
            StmtKind::ForallStmt { body, .. } => return self.assigns_string(*body),
            StmtKind::Forall(f) => return self.ast.block(f.body).iter().any(|&s| self.assigns_string(s)),
            _ => return false,
        };
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

    /// A FORALL with assignments of CHARACTER, of POINTERs or of values that need memory of their own, written out: the mask is
    /// saved once; then for each assignment all values are, before the first is assigned.
    fn forall_by_element(&mut self, h: &ForallHeader, body: &[StmtId]) {
        let indices = self.index_triplets(h);
        let indices: Vec<Index> = indices
            .into_iter()
            .map(|(id, var, bounds)| Index { id, var, bounds: bounds.map(|e| self.in_register(e)) })
            .collect();
        let mut set = self.rectangle(indices);
        self.forall_depth += 1;
        if let Some(x) = h.mask {
            let saved = self.saved_mask(&set, x);
            set.select(saved);
        }
        body.iter().for_each(|&s| self.forall_written_out(&set, None, s));
        self.forall_depth -= 1;
    }

    /// The values of the mask `x`, by the number of the index value.
    fn saved_mask(&mut self, set: &IndexSet, x: ExprId) -> Sym {
        let saved = self.memory(Type::L4, None, &[set.count()]);
        self.for_indices(set, |l, k| {
            let cond = l.condition(x);
            let place = l.elem(saved, &[k]);
            l.assign(place, cond);
        });
        saved
    }

    /// A statement of a FORALL that is written out; `active` says for which elements, in a WHERE.
    pub(crate) fn forall_written_out(&mut self, set: &IndexSet, active: Option<Sym>, s: StmtId) {
        self.set_source_stmt(s);
        match &self.ast.stmt(s).kind {
            StmtKind::Assign { target, value } => {
                if self.assigns_by_procedure(set, *target, *value) {
                    return self.forall_defined(set, active, s, *target, *value);
                }
                self.forall_values(set, active, *target, *value)
            }
            StmtKind::PointerAssign { target, value } => self.forall_pointers(set, *target, *value),
            StmtKind::WhereStmt { mask, body } => self.forall_where(set, active, &[(None, Some(*mask), &[*body])]),
            StmtKind::Where(w) => {
                let mut branches = vec![(None, Some(w.mask), self.ast.block(w.body))];
                for arm in &w.arms {
                    let x = match self.ast.stmt(arm.head).kind {
                        StmtKind::Elsewhere { mask } => mask,
                        _ => None,
                    };
                    branches.push((Some(arm.head), x, self.ast.block(arm.body)));
                }
                self.forall_where(set, active, &branches)
            }
            StmtKind::ForallStmt { header, body } => self.forall_inside(set, s, header, &[*body]),
            StmtKind::Forall(f) => self.forall_inside(set, s, &f.header, self.ast.block(f.body)),
            // Nothing else stands in a FORALL.
            _ => {}
        }
    }

    /// A FORALL in one that is written out.
    fn forall_inside(&mut self, set: &IndexSet, s: StmtId, h: &ForallHeader, body: &[StmtId]) {
        let file = self.cx.decls.scopes[self.scope].ast;
        let inner = self.cx.decls.construct_scope(file, s).unwrap_or(self.scope);
        let outer = std::mem::replace(&mut self.scope, inner);
        let set = self.indices_inside(set, h);
        body.iter().for_each(|&s| self.forall_written_out(&set, None, s));
        self.scope = outer;
    }
}

//! Statements: assignments, memory, jumps, STOP. Constructs are in control/.

pub(crate) mod pointer;
pub(crate) mod realloc;
mod remap;
pub(crate) mod structure;

use crate::expr::Exprs;
use crate::values::{Checked, Val, refused};
use crate::variables::Variables;
use rustc_hash::FxHashMap;
use trueline_ir::{Expr, ExprData, Head, Label, Rt, Type};
use trueline_sema::labels::Labels;
use trueline_sema::scope::symbol::SymbolKind;
use trueline_sema::types::kinds::Category;
use trueline_syntax::ast::{BlockId, ExprId, ExprKind, Ident, LabelRef, StmtId, StmtKind, UnitId};

/// Statements of a procedure that are no constructs, over its expressions; and the labels they jump to.
pub(crate) struct Stmts<'a> {
    /// The expressions.
    pub(crate) exprs: Exprs<'a>,
    /// The procedure in the tree.
    pub(crate) unit: UnitId,
    /// The blocks around, as jumps see them.
    pub(crate) blocks: Vec<BlockId>,
    /// The labels of the procedure.
    pub(crate) labels: Labels,
    /// The IR labels of statement labels that are jumped to.
    targets: FxHashMap<u32, Label>,
}

crate::builds_on!(Stmts<'a>, exprs: Exprs<'a>);

impl<'a> Stmts<'a> {
    pub(crate) fn new(exprs: Exprs<'a>, unit: UnitId) -> Self {
        Stmts { exprs, unit, blocks: Vec::new(), labels: Labels::default(), targets: FxHashMap::default() }
    }
}

/// Assignment, and which statement is which.
impl Stmts<'_> {
    /// A statement that is no construct, jumps to no end of one, and transfers no data.
    pub(crate) fn plain_statement(&mut self, s: StmtId) {
        match &self.ast.stmt(s).kind {
            StmtKind::Assign { target, value } => {
                if self.is_statement_function(*target, *value) {
                    return;
                }
                if self.defined_assignment(s, *target, *value) {
                    return;
                }
                self.assignment(*target, *value)
            }
            StmtKind::PointerAssign { target, value } => self.pointer_assignment(*target, *value),
            StmtKind::Call { callee, args } => self.call_statement(*callee, *args),
            StmtKind::Goto(label) => {
                let to = self.jump_target(*label);
                self.push(Head::Goto(to));
            }
            StmtKind::ComputedGoto(g) => self.computed_goto(g),
            StmtKind::AssignedGoto(g) => self.assigned_goto(g),
            StmtKind::AssignLabel { label, var } => self.assign_label(*label, *var),
            StmtKind::Return(value) => self.return_statement(*value),
            StmtKind::Stop { code, quiet, error } => self.stop(*code, *quiet, *error),
            StmtKind::Pause(code) => self.end_or_wait(*code, Rt::PauseInt, Rt::PauseText),
            StmtKind::Allocate(a) => self.allocate_statement(a),
            StmtKind::Deallocate(a) => self.deallocate_statement(a),
            StmtKind::Nullify(objects) => self.nullify(*objects),
            StmtKind::Directive(_) => self.remap(s),
            _ => {}
        }
    }

    /// `target = value`.
    pub(crate) fn assignment(&mut self, target: ExprId, value: ExprId) {
        if self.assign_complex_part(target, value) {
            return;
        }
        let (place, value) = self.assignment_parts(target, value);
        // An associate name is not allocatable, whatever its selector is.
        let whole = match self.ast.expr(target).kind {
            ExprKind::Name(name) if self.resolve(name).is_some_and(|id| self.associates.contains_key(&id)) => None,
            _ => self.whole_allocatable(place.e),
        };
        match whole {
            Some(d) => self.assign_allocatable(&d, place, value),
            None => {
                self.check_shapes(target, place.e, value.e);
                self.store(place, value);
            }
        }
    }

    /// The descriptor, if the place is an allocatable as a whole.
    fn whole_allocatable(&self, place: Expr) -> Option<crate::values::Descriptor> {
        let ExprData::Var(sym) = self.e.expr(place) else { return None };
        let keeps_shape = self.cx.decls.options.no_realloc_lhs;
        self.descriptors.get(&sym).filter(|d| !d.is_pointer && !keeps_shape).cloned()
    }

    /// The place and the value, of its type, of an assignment. The value is evaluated first, so that
    /// code before it cannot change the subscripts of the place.
    pub(crate) fn assignment_parts(&mut self, target: ExprId, value: ExprId) -> (Val, Val) {
        // Both sides are looked at, even if the other is wrong.
        let defined = self.begin_defining(target);
        let place = self.assignable(target);
        let defined = self.end_defining(defined);
        let v = self.expr(value);
        self.note_defined(defined, target, place.e);
        let at = self.ast.span(target);
        self.note_access(at, place.e, true);
        self.check_target(target, place.e, v.e);
        self.check_not_fixed(target);
        let (m, n) = (self.rank(place.e), self.rank(v.e));
        if n > 0 && m != n {
            refused();
        }
        self.assignment_values(value, place, v)
    }
}

/// Labels and jumps.
impl Stmts<'_> {
    /// Finds all labels of the procedure, and which of them are jumped to.
    pub(crate) fn collect_labels(&mut self) {
        let labels = Labels::of(self.ast, self.unit);
        for (l, ..) in &labels.wanted {
            let is_target = labels.all.get(&l.label).is_some_and(|label| label.executable);
            if is_target && !self.targets.contains_key(&l.label) {
                let target = self.b.label();
                self.targets.insert(l.label, target);
            }
        }
        self.labels = labels;
    }

    /// Puts the label of `s` here, if something jumps to it.
    pub(crate) fn place_label(&mut self, s: StmtId) {
        let Some(label) = self.ast.stmt(s).label else { return };
        if self.labels.all.get(&label.label).is_some_and(|of| of.stmt == s)
            && let Some(&target) = self.targets.get(&label.label)
        {
            self.push(Head::Label(target));
        }
    }

    /// The IR label of a jump that stands here.
    pub(crate) fn jump_target(&mut self, to: LabelRef) -> Label {
        let label = self.labels.all.get(&to.label).checked();
        if !self.blocks.contains(&self.labels.block_of(label)) {
            refused();
        }
        self.targets.get(&to.label).copied().checked()
    }

    fn computed_goto(&mut self, g: &trueline_syntax::ast::ComputedGoto) {
        let index = self.scalar(g.selector);
        self.must_be(index, Category::Integer);
        let mut to = Vec::new();
        for &l in &g.labels {
            to.push(self.jump_target(l));
        }
        let index = self.in_register(index);
        let table = self.b.jump_table(&to);
        self.push(Head::GotoTable { index, table });
    }

    /// ASSIGN gives the variable the position of the label among all that are assigned.
    fn assign_label(&mut self, label: LabelRef, var: trueline_syntax::ast::Ident) {
        let number = self.labels.assigned.iter().position(|&l| l == label.label).map_or(0, |k| k as i64 + 1);
        let id = self.resolve_at(var.name);
        if !self.symbol(id).is_variable() {
            refused();
        }
        let place = self.variable(id, var.span);
        self.integer_variable(place.e);
        let own = self.ty(place.e);
        let value = self.e.int(own, number);
        self.assign(place.e, value);
    }

    fn integer_variable(&self, e: Expr) {
        if Category::of(self.ty(e)) == Category::Integer && self.rank(e) == 0 {
            return;
        }
        refused()
    }

    fn assigned_goto(&mut self, g: &trueline_syntax::ast::AssignedGoto) {
        let id = self.resolve_at(g.var.name);
        let place = self.variable(id, g.var.span);
        self.integer_variable(place.e);
        let mut to = Vec::new();
        let next = self.b.label();
        for label in self.labels.assigned.clone() {
            // The label of a FORMAT, or one in another block, can be assigned, but not reached from here: the next
            // statement stands for it, as for every value that is not a label.
            let reached = self.labels.all.get(&label).filter(|l| self.blocks.contains(&self.labels.block_of(l)));
            let reached = reached.and_then(|_| self.targets.get(&label).copied());
            to.push(reached.unwrap_or(next));
        }
        let index = self.in_register(place.e);
        let table = self.b.jump_table(&to);
        self.push(Head::GotoTable { index, table });
        self.push(Head::Label(next));
    }
}

/// STOP and RETURN.
impl Stmts<'_> {
    /// With a true QUIET the program just ends, as with EXIT: neither the stop nor exceptions are reported.
    fn stop(&mut self, code: Option<ExprId>, quiet: Option<(Ident, ExprId)>, error: bool) {
        if let Some((_, x)) = quiet {
            let value = match code {
                Some(code) if self.typing().of(code).is_some_and(|t| Category::of(t.ty) == Category::Integer) => {
                    Some(self.scalar(code))
                }
                _ => None,
            };
            let silent = self.scalar(x);
            self.must_be(silent, Category::Logical);
            let (after, otherwise) = self.open_if(silent);
            let value = value.map(|v| self.convert(Type::I8, v));
            let value = value.unwrap_or_else(|| self.int8(i64::from(error)));
            self.call_rt(Rt::Exit, &[value]);
            self.enter(otherwise);
            self.end_program(code, error);
            self.enter(after);
            return;
        }
        self.end_program(code, error)
    }

    fn end_program(&mut self, code: Option<ExprId>, error: bool) {
        let (int, text) = if error { (Rt::ErrorStopInt, Rt::ErrorStopText) } else { (Rt::StopInt, Rt::StopText) };
        self.end_or_wait(code, int, text)
    }

    /// STOP or PAUSE: a call of one of two functions, by the type of the code.
    fn end_or_wait(&mut self, code: Option<ExprId>, int: Rt, text: Rt) {
        let Some(x) = code else {
            let (null, zero) = (self.make(ExprData::Null), self.int8(0));
            self.call_rt(text, &[null, zero]);
            return;
        };
        let v = self.expr(x);
        self.must_be_scalar(v.e);
        match self.as_str(v) {
            Some(s) => {
                let args = self.read_str(s);
                self.call_rt(text, &args);
            }
            None if self.category(v.e) == Category::Integer => {
                let value = self.convert(Type::I8, v.e);
                self.call_rt(int, &[value]);
            }
            None => refused(),
        }
    }

    fn return_statement(&mut self, value: Option<ExprId>) {
        if let Some(x) = value {
            let n = self.scalar(x);
            self.must_be(n, Category::Integer);
            let Some(result) = self.e.result().filter(|_| self.e.kind() == trueline_ir::UnitKind::Subroutine) else {
                refused();
            };
            self.e.set(result, n);
        }
        let all = crate::emit::TempScope::ALL;
        self.free_temps(all);
        self.leave();
    }

    /// The END of a construct whose label stands behind it; that of a DO stands in its body.
    pub(crate) fn construct_end(&self, s: StmtId) -> Option<StmtId> {
        match &self.ast.stmt(s).kind {
            StmtKind::If(c) => c.end,
            StmtKind::Select(c) => c.end,
            StmtKind::Where(c) => c.end,
            StmtKind::Forall(c) => c.end,
            StmtKind::Associate(c) => c.end,
            StmtKind::Block(c) => c.end,
            _ => None,
        }
    }

    /// Whether an assignment is the definition of a statement function.
    pub(crate) fn is_statement_function(&self, target: ExprId, value: ExprId) -> bool {
        matches!(self.ast.expr(target).kind, ExprKind::Call { .. })
            && self.root_of(target).is_some_and(
                |id| matches!(self.symbol(id).kind, SymbolKind::StatementFunction { body, .. } if body == value),
            )
    }
}

impl Exprs<'_> {
    /// A place that may be assigned.
    pub(crate) fn assignable(&mut self, target: ExprId) -> Val {
        if !self.is_variable_reference(target) {
            return self.pointed_at_by_result(target).checked();
        }
        self.reference(target)
    }

    /// The target of the POINTER that a function returns, which may stand on the left side (Fortran 2008, R602).
    fn pointed_at_by_result(&mut self, target: ExprId) -> Option<Val> {
        if !matches!(self.ast.expr(target).kind, ExprKind::Call { .. }) {
            return None;
        }
        let is_function = |k: &SymbolKind| matches!(k, SymbolKind::Procedure(_) | SymbolKind::Generic(_));
        if !self.root_of(target).is_some_and(|id| is_function(&self.symbol(id).kind)) {
            return None;
        }
        let v = self.expr(target);
        let ExprData::Var(sym) = self.e.expr(v.e) else { return None };
        self.descriptors.get(&sym).is_some_and(|d| d.is_pointer).then_some(v)
    }
}

impl Variables<'_> {
    /// Pushes an assignment whose parts conform.
    pub(crate) fn store(&mut self, place: Val, value: Val) {
        match (self.as_str(place), self.as_str(value), self.structure_at(place.e)) {
            (.., Some(id)) => self.store_structure(place.e, value.e, id),
            (Some(to), Some(from), None) => self.assign_str(to, from),
            _ => self.assign(place.e, value.e),
        }
    }
}

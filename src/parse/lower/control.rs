//! Constructs: IF, SELECT CASE, DO in all forms, WHERE, FORALL, and the jumps out of them.

pub(crate) mod block;
pub(crate) mod forall;
pub(crate) mod open;
pub(crate) mod select;
pub(crate) mod where_construct;

use crate::io::IoStmt;
use crate::stmt::Stmts;
use crate::values::{Checked, Val, refused};
use rustc_hash::FxHashMap;
use trueline_ir::{BinaryOp, Block, Expr, ExprData, Head, Label, Sym, Type};
use trueline_sema::scope::symbol::SymbolId;
use trueline_sema::types::kinds::Category;
use trueline_syntax::Name;
use trueline_syntax::ast::{
    BlockId, DoConstruct, DoControl, ExprId, ForallHeader, Ident, IfConstruct, LabelRef, StmtId, StmtKind,
};

/// The body of a procedure: its constructs, over its other statements.
pub(crate) struct Body<'a> {
    /// The other statements.
    pub(crate) stmts: Stmts<'a>,
    /// The constructs around.
    pub(crate) constructs: Vec<Construct>,
    /// The registers of the memory that BLOCKs take.
    pub(crate) block_memory: FxHashMap<SymbolId, Sym>,
    /// The labels of the ENTRY statements.
    pub(crate) entries: FxHashMap<StmtId, Label>,
}

/// A construct that EXIT or CYCLE may name.
pub(crate) struct Construct {
    /// Its name.
    pub(crate) name: Option<Name>,
    /// Whether it is a loop.
    pub(crate) is_loop: bool,
    /// The label that EXIT goes to, once there is an EXIT.
    pub(crate) exit: Option<Label>,
    /// The label that CYCLE goes to, once there is a CYCLE.
    pub(crate) cycle: Option<Label>,
    /// The temporaries that there are around it.
    pub(crate) temps: crate::emit::TempScope,
}

crate::builds_on!(Body<'a>, stmts: Stmts<'a>);

impl<'a> Body<'a> {
    pub(crate) fn new(stmts: Stmts<'a>) -> Self {
        Body { stmts, constructs: Vec::new(), block_memory: FxHashMap::default(), entries: FxHashMap::default() }
    }
}

/// Statements of all kinds.
impl Body<'_> {
    /// The statements of a block, in order.
    pub(crate) fn block_of(&mut self, block: BlockId) {
        self.blocks.push(block);
        for &s in self.ast.block(block) {
            self.stmt(s);
        }
        self.blocks.pop();
    }

    /// A statement with its label.
    pub(crate) fn stmt(&mut self, s: StmtId) {
        self.set_source_stmt(s);
        self.place_label(s);
        let temps = self.open_temps();
        // An assignment changes no descriptor but by code that forgets all that is loaded.
        let statement = self.ast.stmt(s);
        let keeps = matches!(statement.kind, StmtKind::Assign { .. });
        if !keeps || statement.label.is_some() {
            self.loaded.clear();
        }
        self.keep_fixed_components();
        let outer = self.scope;
        if matches!(self.ast.stmt(s).kind, StmtKind::Do(_) | StmtKind::Forall(_) | StmtKind::ForallStmt { .. }) {
            let index = self.cx.decls.scopes[outer].ast;
            self.scope = self.cx.decls.construct_scope(index, s).unwrap_or(outer);
        }
        self.dispatch(s);
        if !keeps {
            self.loaded.clear();
        }
        self.scope = outer;
        self.set_source_stmt(s);
        self.close_temps(temps);
        if let Some(end) = self.construct_end(s) {
            self.place_label(end);
        }
    }

    fn dispatch(&mut self, s: StmtId) {
        match &self.ast.stmt(s).kind {
            StmtKind::IfLogical { cond, body } => self.if_statement(*cond, *body),
            StmtKind::IfArith { value, labels } => self.arithmetic_if(*value, **labels),
            StmtKind::If(c) => self.if_construct(s, c),
            StmtKind::Select(c) => self.select(s, c),
            StmtKind::Do(d) => self.do_construct(s, d),
            StmtKind::WhereStmt { mask, body } => self.where_statement(*mask, *body),
            StmtKind::Where(w) => self.where_construct(w),
            StmtKind::ForallStmt { header, body } => self.forall_statement(header, *body),
            StmtKind::Forall(f) => self.forall_construct(f),
            StmtKind::Associate(c) => self.associate(s, c),
            StmtKind::Block(c) => self.block_construct(s, c),
            StmtKind::Cycle(name) => self.leave_construct(*name, true),
            StmtKind::Exit(name) => self.leave_construct(*name, false),
            StmtKind::Io(io) => IoStmt { stmts: &mut self.stmts }.io_statement(io),
            StmtKind::Entry(_) => self.entry_statement(s),
            _ => self.plain_statement(s),
        }
    }
}

/// IF.
impl Body<'_> {
    /// A condition without temporaries left over.
    pub(crate) fn tested(&mut self, x: ExprId) -> Expr {
        let temps = self.open_temps();
        let e = self.condition(x);
        let e = if self.has_temps(temps) { self.in_register(e) } else { e };
        self.close_temps(temps);
        e
    }

    pub(crate) fn if_statement(&mut self, cond: ExprId, body: StmtId) {
        let cond = self.tested(cond);
        let (after, _) = self.open_if(cond);
        self.stmt(body);
        self.enter(after);
    }

    pub(crate) fn if_construct(&mut self, s: StmtId, c: &IfConstruct) {
        if trueline_sema::infos::open_blocks::is_open(&self.labels.open, c.then, &c.arms) {
            return self.open_if_construct(s, c);
        }
        self.open_construct(c.name, false);
        let cond = self.tested(c.cond);
        let (after, mut otherwise) = self.open_if(cond);
        self.block_of(c.then);
        let mut certain = None;
        self.e.keep_certain(&mut certain);
        let mut has_else = false;
        for arm in &c.arms {
            self.enter(otherwise);
            self.set_source_stmt(arm.head);
            if let StmtKind::ElseIf { cond } = self.ast.stmt(arm.head).kind {
                let cond = self.tested(cond);
                (_, otherwise) = self.open_if(cond);
            } else {
                has_else = true;
            }
            self.block_of(arm.body);
            self.e.keep_certain(&mut certain);
        }
        self.enter(after);
        self.set_source_stmt(s);
        // One of the arms has run.
        for flag in certain.into_iter().flatten().filter(|_| has_else) {
            self.e.make_certain(flag);
        }
        self.close_construct();
    }

    pub(crate) fn arithmetic_if(&mut self, x: ExprId, labels: [LabelRef; 3]) {
        let temps = self.open_temps();
        let value = self.scalar(x);
        let value = if self.has_temps(temps) { self.in_register(value) } else { value };
        self.close_temps(temps);
        let to = labels.map(|l| self.jump_target(l));
        self.push(Head::ArithIf { value, to });
    }
}

/// EXIT and CYCLE.
impl Body<'_> {
    pub(crate) fn open_construct(&mut self, name: Option<Ident>, is_loop: bool) {
        let name = name.map(|n| n.name);
        let temps = self.open_temps();
        self.constructs.push(Construct { name, is_loop, exit: None, cycle: None, temps });
    }

    /// Ends the construct: where EXIT goes is here.
    pub(crate) fn close_construct(&mut self) {
        if let Some(Construct { exit: Some(label), .. }) = self.constructs.pop() {
            self.push(Head::Label(label));
        }
    }

    /// The end of a loop's body: the label of END DO, and where CYCLE goes.
    fn end_body(&mut self, s: StmtId, end: Option<StmtId>) {
        self.set_source_stmt(s);
        if let Some(end) = end {
            self.place_label(end);
        }
        if let Some(Construct { cycle: Some(label), .. }) = self.constructs.last() {
            let label = *label;
            self.push(Head::Label(label));
        }
    }

    pub(crate) fn leave_construct(&mut self, name: Option<Ident>, cycle: bool) {
        let is_meant = |c: &Construct| name.map_or(c.is_loop, |n| c.name == Some(n.name));
        let k = self.constructs.iter().rposition(is_meant).checked();
        let known = if cycle { self.constructs[k].cycle } else { self.constructs[k].exit };
        let label: Label = known.unwrap_or_else(|| self.b.label());
        if cycle {
            self.constructs[k].cycle = Some(label);
        } else {
            self.constructs[k].exit = Some(label);
        }
        let temps = self.constructs[k].temps;
        self.free_temps(temps);
        self.push(Head::Goto(label));
    }
}

/// DO.
impl Body<'_> {
    pub(crate) fn do_construct(&mut self, s: StmtId, d: &DoConstruct) {
        self.prepare_targets(d);
        match &d.control {
            DoControl::Forever if self.labels.open.contains_key(&d.body) => {
                self.open_while(s, d, None);
            }
            DoControl::While(cond) if self.labels.open.contains_key(&d.body) => {
                self.open_while(s, d, Some(*cond));
            }
            DoControl::Forever => {
                let cond = self.logical(true);
                self.while_loop(s, d, None, cond);
            }
            DoControl::While(cond) => {
                let placeholder = self.logical(true);
                self.while_loop(s, d, Some(*cond), placeholder);
            }
            DoControl::Count { var, from, to, step } => {
                let range = self.constant_range(d).filter(|_| !self.shadows.is_empty());
                let left = self.ranges.len();
                self.ranges.extend(range);
                self.counted_loop(s, d, *var, [*from, *to], *step);
                self.ranges.truncate(left);
                self.note_filled(d);
            }
            DoControl::Concurrent(h) => self.concurrent_loop(s, d, h),
        }
    }

    fn while_loop(&mut self, s: StmtId, d: &DoConstruct, test: Option<ExprId>, cond: Expr) {
        let head = self.push(Head::DoWhile { cond });
        let (prepare, body) = (self.e.blocks(head)[0], self.e.blocks(head)[1]);
        let after = self.enter(prepare);
        if let Some(x) = test {
            let cond = self.tested(x);
            self.b.set_head(head, Head::DoWhile { cond });
        }
        self.enter(body);
        self.body(s, d);
        self.enter(after);
        self.close_construct();
    }

    /// The statements of a loop's body and where CYCLE goes. The construct stays open.
    pub(crate) fn body(&mut self, s: StmtId, d: &DoConstruct) {
        self.open_construct(d.name, true);
        self.block_of(d.body);
        self.end_body(s, d.end);
    }

    fn counted_loop(&mut self, s: StmtId, d: &DoConstruct, var: Ident, bounds: [ExprId; 2], by: Option<ExprId>) {
        let (id, place) = self.loop_variable(var);
        self.check_not_fixed_at(id, var.span);
        let (lo, hi) = (self.loop_bound(bounds[0]), self.loop_bound(bounds[1]));
        let ty = self.ty(place);
        let one = self.int(Type::I4, 1);
        let step = by.map_or(one, |x| self.loop_bound(x));
        if self.known(step) == Some(0) {
            refused();
        }
        if let Some(x) = by {
            self.check_step(x, step, "DO step value is zero");
        }
        self.active.push(id, var.span);
        if self.labels.open.contains_key(&d.body) {
            self.open_counted(s, d, place, [lo, hi, step]);
        } else if Category::of(ty) == Category::Real {
            self.real_loop(s, d, place, [lo, hi, step]);
        } else {
            self.integer_loop(s, d, place, [lo, hi, step]);
        }
        self.close_construct();
    }

    fn integer_loop(&mut self, s: StmtId, d: &DoConstruct, place: Expr, [lo, hi, step]: [Expr; 3]) {
        let checked = self.cx.decls.options.checks.do_steps;
        // A procedure that is passed the variable may change it: that is to be found.
        let direct = match self.e.expr(place) {
            ExprData::Var(v) if self.sym(v).is_register() && !checked => Some(v),
            _ => None,
        };
        let ty = self.ty(place);
        let var = direct.unwrap_or_else(|| self.register("i", ty));
        let [lo, hi, step] = [lo, hi, step].map(|e| self.convert_numeric(ty, e));
        let span = self.ast.stmt(s).span;
        let after = self.open_do(var, lo, hi, step);
        let value = self.var(var);
        if direct.is_none() {
            self.assign(place, value);
        }
        self.body(s, d);
        if checked {
            self.check_loop_variable(span, place, value);
        }
        self.active.pop();
        self.enter(after);
        if direct.is_none() {
            self.assign(place, value);
        }
    }

    /// A real variable: the trips are counted, the variable is updated after each.
    fn real_loop(&mut self, s: StmtId, d: &DoConstruct, place: Expr, [lo, hi, step]: [Expr; 3]) {
        let (next, after) = self.open_real(place, [lo, hi, step]);
        let value = self.cx.decls.options.checks.do_steps.then(|| self.in_register(place));
        self.body(s, d);
        if let Some(value) = value {
            let span = self.ast.stmt(s).span;
            self.check_loop_variable(span, place, value);
        }
        self.active.pop();
        self.assign(place, next);
        self.enter(after);
    }

    /// DO CONCURRENT: the loops in order, the body under its mask.
    fn concurrent_loop(&mut self, s: StmtId, d: &DoConstruct, h: &ForallHeader) {
        let after = self.block();
        let indices = self.index_triplets(h);
        let count = indices.len();
        for &(id, var, [lo, hi, step]) in &indices {
            self.open_do(var, lo, hi, step);
            let value = Val::plain(self.var(var));
            self.hidden.push((id, value));
        }
        self.open_construct(d.name, true);
        if let Some(mask) = h.mask {
            let inside = self.block();
            let cond = self.tested(mask);
            self.open_if(cond);
            self.block_of(d.body);
            self.enter(inside);
        } else {
            self.block_of(d.body);
        }
        self.end_body(s, d.end);
        self.hidden.drop_last(count);
        self.enter(after);
        self.close_construct();
    }

    /// The indices of a FORALL or DO CONCURRENT: registers of their own, and their bounds.
    pub(crate) fn index_triplets(&mut self, h: &ForallHeader) -> Vec<(SymbolId, trueline_ir::Sym, [Expr; 3])> {
        let mut out: Vec<(SymbolId, trueline_ir::Sym, [Expr; 3])> = Vec::new();
        for t in &h.triplets {
            let (id, ty) = self.index_variable(t.index);
            let (lo, hi) = (self.integer(t.lo), self.integer(t.hi));
            let step = match t.step {
                Some(x) => {
                    let e = self.integer(x);
                    if self.known(e) == Some(0) {
                        refused();
                    }
                    self.check_step(x, e, "The step of an index is zero");
                    e
                }
                None => self.int8(1),
            };
            let name = self.ast.name(t.index.name);
            let var = self.register(name, ty);
            out.push((id, var, [lo, hi, step]));
        }
        out
    }
}

impl Stmts<'_> {
    /// Opens a loop over reals; gives the value of its variable after each trip, and the block behind the loop.
    pub(crate) fn open_real(&mut self, place: Expr, [lo, hi, step]: [Expr; 3]) -> (Expr, Block) {
        let ty = self.ty(place);
        let [lo, hi, step] = [lo, hi, step].map(|e| {
            let e = self.convert_numeric(ty, e);
            self.in_register(e)
        });
        self.assign(place, lo);
        let distance = self.binary(BinaryOp::Sub, hi, lo);
        let distance = self.binary(BinaryOp::Add, distance, step);
        let trips = self.binary(BinaryOp::Div, distance, step);
        let trips = self.convert(Type::I8, trips);
        let trips = self.at_least_zero(trips);
        let (_, after) = self.open_count(trips);
        (self.binary(BinaryOp::Add, place, step), after)
    }

    /// A DO variable: a scalar that may change here.
    pub(crate) fn loop_variable(&mut self, var: Ident) -> (SymbolId, Expr) {
        let id = self.resolve_at(var.name);
        (id, self.variable(id, var.span).e)
    }

    pub(crate) fn loop_bound(&mut self, x: ExprId) -> Expr {
        self.scalar(x)
    }
}

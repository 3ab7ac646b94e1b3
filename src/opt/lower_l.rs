//! Lower M to L: structured control flow becomes labels and branches.
//!
//! ```text
//! do i = 1, n        @2          limit = n + 1                            @2
//!   a(i) = 0         @3          i = 1                                    @2
//! end                       =>   branch i <= n, L1, L2                    @2
//!                                L1:                                      @2
//!                                a(i) = 0                                 @3
//!                                i = i + 1                                @2
//!                                branch i /= limit, L1, L2                @2
//!                                L2:                                      @2
//! ```
//!
//! With a step of 1 or -1 the test is for equality with one past the last value, which wraps with the
//! variable, so that a loop up to the largest integer ends. Other steps count trips down.

use crate::fold::constant::fits;
use crate::{Context, OptLevel, Pass};
use trueline_ir::{
    BinaryOp, Block, Editor, ExpandKind, Expr, ExprData, Head, Intrinsic, Label, Level, Place, Stmt, Sym, Type,
};

/// See the module documentation.
pub const PASS: Pass = Pass {
    at: &[Level::M],
    from: OptLevel::O0,
    lowers_to: Some(Level::L),
    ..Pass::new("lower_l", "structured control flow becomes branches (M to L)", run)
};

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    let all = ed.walk();
    for &s in all.iter().rev() {
        // A jump around an arm that only counts would be one more than in a plain build. Inner arms first: their
        // counts may be all that is left in an outer one.
        ed.flatten_counting_arms(s);
    }
    // Outer statements first, so that each statement comes out of a block once, however deep it stands.
    for s in all {
        match ed.head(s) {
            Head::If { cond } => lower_if(ed, s, cond),
            Head::Do { var, lo, hi, step } => lower_do(ed, s, var, [lo, hi, step]),
            Head::DoWhile { cond } => lower_while(ed, s, cond),
            Head::Select { value, .. } => lower_select(ed, s, value),
            Head::ArithIf { value, to } => lower_arith_if(ed, s, value, to),
            _ => {}
        }
    }
    ed.lower_to(Level::L);
}

/// Emits statements that stand for `from`, before it.
struct Emit<'e, 'u> {
    ed: &'e mut Editor<'u>,
    from: Stmt,
}

impl Emit<'_, '_> {
    fn push(&mut self, head: Head) {
        self.ed.expand(self.from, head, Place::Before(self.from), ExpandKind::Lower);
    }
    fn label(&mut self, l: Label) {
        self.push(Head::Label(l));
    }
    fn goto(&mut self, l: Label) {
        self.push(Head::Goto(l));
    }
    fn branch(&mut self, cond: Expr, then: Label, otherwise: Label) {
        self.push(Head::Branch { cond, then, otherwise });
    }
    fn assign(&mut self, var: Sym, value: Expr) {
        let place = self.ed.var(var);
        self.push(Head::Assign { place, value });
    }
    /// The statements of a block of `from` come out, in place, with no change of their order.
    fn splice(&mut self, b: Block) {
        self.ed.splice_lowered(self.from, b);
    }
    fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        self.ed.binary(op, a, b)
    }
}

fn lower_if(ed: &mut Editor<'_>, s: Stmt, cond: Expr) {
    let [then, otherwise] = [ed.blocks(s)[0], ed.blocks(s)[1]];
    let has_else = ed.stmts(otherwise).next().is_some();
    let (yes, no, end) = (ed.new_label(), ed.new_label(), ed.new_label());
    let mut e = Emit { ed, from: s };
    e.branch(cond, yes, if has_else { no } else { end });
    e.label(yes);
    e.splice(then);
    if has_else {
        e.goto(end);
        e.label(no);
        e.splice(otherwise);
    }
    e.label(end);
    ed.expanded(s);
}

fn lower_do(ed: &mut Editor<'_>, s: Stmt, var: Sym, [lo, hi, step]: [Expr; 3]) {
    let body = ed.blocks(s)[0];
    let ty = ed.sym(var).ty;
    let (head, end) = (ed.new_label(), ed.new_label());
    let unit_step = ed.pool().as_int(step).filter(|k| k.abs() == 1);
    let mut e = Emit { ed, from: s };
    if let Some(k) = unit_step {
        // The limit must not see the variable's new value.
        let hi = if e.ed.mentions(hi, var) {
            let kept = e.ed.new_register("last", ty);
            e.assign(kept, hi);
            e.ed.var(kept)
        } else {
            hi
        };
        // One past the last value, wrapping: the test for equality is right even for the largest integer.
        let past = e.binary(BinaryOp::Add, hi, step);
        let past = match e.ed.pool().as_int(hi).and_then(|h| h.checked_add(k)).filter(|&p| fits(ty, p)) {
            Some(p) => e.ed.int(ty, p),
            None => {
                let limit = e.ed.new_register("limit", ty);
                e.assign(limit, past);
                e.ed.var(limit)
            }
        };
        let first = e.ed.new_register("first", ty);
        e.assign(first, lo);
        let (first, i) = (e.ed.var(first), e.ed.var(var));
        let down = (k < 0) != trueline_ir::fault("lower_direction");
        let enter = e.binary(if down { BinaryOp::Ge } else { BinaryOp::Le }, first, hi);
        e.assign(var, first);
        e.branch(enter, head, end);
        e.label(head);
        e.splice(body);
        let next = e.binary(BinaryOp::Add, i, step);
        e.assign(var, next);
        let again = e.binary(BinaryOp::Ne, i, past);
        e.branch(again, head, end);
    } else {
        let bounds = [lo, hi, step].map(|x| e.ed.widen(x));
        let trips = e.ed.intrinsic(Intrinsic::Trip, &bounds);
        let count = e.ed.new_register("trips", Type::I8);
        e.assign(count, trips);
        let step_value = if e.ed.pool().as_int(step).is_some() {
            step
        } else {
            let kept = e.ed.new_register("step", ty);
            e.assign(kept, step);
            e.ed.var(kept)
        };
        e.assign(var, lo);
        let (i, n) = (e.ed.var(var), e.ed.var(count));
        let (zero, one) = (e.ed.int(Type::I8, 0), e.ed.int(Type::I8, 1));
        let enter = e.binary(BinaryOp::Gt, n, zero);
        e.branch(enter, head, end);
        e.label(head);
        e.splice(body);
        let next = e.binary(BinaryOp::Add, i, step_value);
        e.assign(var, next);
        let fewer = e.binary(BinaryOp::Sub, n, one);
        e.assign(count, fewer);
        e.branch(enter, head, end);
    }
    e.label(end);
    ed.expanded(s);
}

fn lower_while(ed: &mut Editor<'_>, s: Stmt, cond: Expr) {
    let [prepare, body] = [ed.blocks(s)[0], ed.blocks(s)[1]];
    let (head, yes, end) = (ed.new_label(), ed.new_label(), ed.new_label());
    let mut e = Emit { ed, from: s };
    e.goto(head);
    e.label(head);
    e.splice(prepare);
    e.branch(cond, yes, end);
    e.label(yes);
    e.splice(body);
    e.goto(head);
    e.label(end);
    ed.expanded(s);
}

fn lower_select(ed: &mut Editor<'_>, s: Stmt, value: Expr) {
    let Head::Select { ranges, .. } = ed.head(s) else { return };
    let ranges = ed.list(ranges).to_vec();
    let blocks = ed.blocks(s).to_vec();
    let ty = ed.ty(value);
    let labels: Vec<Label> = blocks.iter().map(|_| ed.new_label()).collect();
    let end = ed.new_label();
    let selector = ed.new_register("selector", ty);
    let mut e = Emit { ed, from: s };
    e.assign(selector, value);
    let v = e.ed.var(selector);
    for triple in ranges.chunks_exact(3) {
        let Some(case) = e.ed.pool().as_int(triple[0]) else { continue };
        let open = |ed: &Editor<'_>, x: Expr| ed.expr(x) == ExprData::None;
        let test = match (open(e.ed, triple[1]), open(e.ed, triple[2])) {
            (false, false) if triple[1] == triple[2] => e.binary(BinaryOp::Eq, v, triple[1]),
            (false, false) => {
                let above = e.binary(BinaryOp::Ge, v, triple[1]);
                let below = e.binary(BinaryOp::Le, v, triple[2]);
                e.binary(BinaryOp::And, above, below)
            }
            (false, true) => e.binary(BinaryOp::Ge, v, triple[1]),
            (true, false) => e.binary(BinaryOp::Le, v, triple[2]),
            (true, true) => e.ed.make(ExprData::Logical(Type::L4, true)),
        };
        let next = e.ed.new_label();
        e.branch(test, labels[case as usize], next);
        e.label(next);
    }
    if let Some(&default) = labels.last() {
        e.goto(default);
    }
    for (&b, &l) in blocks.iter().zip(&labels) {
        e.label(l);
        e.splice(b);
        e.goto(end);
    }
    e.label(end);
    ed.expanded(s);
}

fn lower_arith_if(ed: &mut Editor<'_>, s: Stmt, value: Expr, to: [Label; 3]) {
    let ty = ed.ty(value);
    let kept = ed.new_register("arith", ty);
    let zero = match ty {
        ty if ty.is_real() => ed.make(ExprData::real(ty, 0.0)),
        _ => ed.int(ty, 0),
    };
    let next = ed.new_label();
    let mut e = Emit { ed, from: s };
    e.assign(kept, value);
    let v = e.ed.var(kept);
    let negative = e.binary(BinaryOp::Lt, v, zero);
    e.branch(negative, to[0], next);
    e.label(next);
    let equal = e.binary(BinaryOp::Eq, v, zero);
    e.branch(equal, to[1], to[2]);
    ed.expanded(s);
}

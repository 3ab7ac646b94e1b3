//! Constructs that a jump enters from outside ([`trueline_sema::infos::open_blocks`]), as labels and jumps.

use crate::control::Body;
use crate::source::Source;
use trueline_ir::{BinaryOp, Expr, ExprData, Head, Label, Sym, Type};
use trueline_sema::types::kinds::Category;
use trueline_syntax::ast::{DoConstruct, ExprId, IfConstruct, StmtId, StmtKind};

impl Body<'_> {
    /// Jumps to `to` if `cond` is false.
    fn unless(&mut self, cond: Expr, to: Label) {
        let not = self.not(cond);
        let (after, _) = self.open_if(not);
        self.push(Head::Goto(to));
        self.enter(after);
    }

    /// IF with an open block.
    pub(crate) fn open_if_construct(&mut self, s: StmtId, c: &IfConstruct) {
        self.open_construct(c.name, false);
        let end = self.b.label();
        let mut next = self.b.label();
        let cond = self.tested(c.cond);
        self.unless(cond, next);
        self.block_of(c.then);
        for arm in &c.arms {
            self.push(Head::Goto(end));
            self.push(Head::Label(next));
            next = self.b.label();
            self.set_source_stmt(arm.head);
            if let StmtKind::ElseIf { cond } = self.ast.stmt(arm.head).kind {
                let cond = self.tested(cond);
                self.unless(cond, next);
            }
            self.block_of(arm.body);
        }
        self.set_source_stmt(s);
        self.push(Head::Label(next));
        self.push(Head::Label(end));
        self.close_construct();
    }

    /// DO WHILE, or DO without control, with an open body.
    pub(crate) fn open_while(&mut self, s: StmtId, d: &DoConstruct, test: Option<ExprId>) {
        let (top, exit) = (self.b.label(), self.b.label());
        self.push(Head::Label(top));
        if let Some(x) = test {
            let cond = self.tested(x);
            self.unless(cond, exit);
        }
        self.body(s, d);
        self.push(Head::Goto(top));
        self.push(Head::Label(exit));
        self.close_construct();
    }

    /// A counted DO with an open body; the construct stays open.
    pub(crate) fn open_counted(&mut self, s: StmtId, d: &DoConstruct, place: Expr, bounds: [Expr; 3]) {
        let ty = self.ty(place);
        let [lo, hi, step] = bounds.map(|e| {
            let e = self.convert_numeric(ty, e);
            self.in_register(e)
        });
        self.assign(place, lo);
        let trips = self.trips(ty, [lo, hi, step]);
        let (top, exit) = (self.b.label(), self.b.label());
        self.push(Head::Label(top));
        let (left, zero) = (self.var(trips), self.int8(0));
        let more = self.make(ExprData::Binary(BinaryOp::Gt, left, zero));
        self.unless(more, exit);
        self.body(s, d);
        self.active.pop();
        let next = self.binary(BinaryOp::Add, place, step);
        self.assign(place, next);
        let one = self.int8(1);
        let fewer = self.sub(left, one);
        self.set(trips, fewer);
        self.push(Head::Goto(top));
        self.push(Head::Label(exit));
    }
}

impl Source<'_> {
    /// A register with the number of trips.
    fn trips(&mut self, ty: Type, bounds: [Expr; 3]) -> Sym {
        let whole = Category::of(ty) == Category::Integer;
        let [lo, hi, step] = if whole { bounds.map(|e| self.convert(Type::I8, e)) } else { bounds };
        let distance = self.binary(BinaryOp::Sub, hi, lo);
        let distance = self.binary(BinaryOp::Add, distance, step);
        let trips = self.binary(BinaryOp::Div, distance, step);
        let trips = self.convert(Type::I8, trips);
        let register = self.register("trips", Type::I8);
        self.set(register, trips);
        register
    }
}

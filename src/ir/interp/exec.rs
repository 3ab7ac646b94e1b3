//! Execution of statements.

use super::setup::{Frame, Halt, Machine};
use super::{Failure, Value, limit, wrong};
use crate::Type;
use crate::entities::{Block, Expr, Label, List, Sym};
use crate::expr::ExprData;
use crate::head::Head;
use crate::scalar;
use crate::symbol::Storage;
use cranelift_entity::EntityRef;
use trueline_provenance::Stmt;

/// The deepest nesting of blocks and calls together.
const DEPTH: u32 = 40_000;

/// The place at which control goes on after a statement.
pub(super) enum Flow {
    Next,
    Jump(Label),
    Return,
}

impl Machine<'_> {
    /// Runs a unit; returns the value of a function.
    /// Runs a procedure. Of arguments that `references` names, the address is passed.
    pub(super) fn activate(
        &mut self,
        code: usize,
        args: Vec<Value>,
        references: &[bool],
    ) -> Result<Option<Value>, Halt> {
        self.deeper()?;
        let mut registers = self.code[code].registers.clone();
        let u = self.code[code].u;
        for &p in u.params() {
            if let Storage::Value { index } = u.sym(p).storage {
                let value = args.get(index as usize).ok_or_else(|| wrong("an argument by value is missing"))?;
                let is_address = u.sym(p).is_loaded && references.get(index as usize) == Some(&true);
                registers[p.index()] = if is_address { self.memory.load(u.sym(p).ty, value.int())? } else { *value };
            }
        }
        let top = self.memory.top;
        let base = self.memory.push(self.code[code].frame)?;
        let caller = std::mem::replace(&mut self.frame, Frame { code, registers, args, base, ..Frame::default() });
        let flow = self.block(u.body())?;
        let result = u.result().map(|r| self.frame.registers[r.index()]);
        self.frame = caller;
        self.memory.top = top;
        self.depth -= 1;
        match flow {
            Flow::Jump(l) => Err(wrong(format!("a jump to {l}, which does not enclose it")).into()),
            _ => Ok(result),
        }
    }

    fn deeper(&mut self) -> Result<(), Failure> {
        self.depth += 1;
        if self.depth > DEPTH { Err(limit("blocks and calls nest too deep")) } else { Ok(()) }
    }

    pub(super) fn block(&mut self, b: Block) -> Result<Flow, Halt> {
        self.deeper()?;
        let u = self.unit();
        let mut next = u.blocks[b].first.expand();
        let mut flow = Flow::Next;
        while let Some(s) = next {
            match self.stmt(s)? {
                Flow::Next => next = u.stmts[s].next.expand(),
                Flow::Jump(l) => match self.label(l) {
                    Some((home, at)) if home == b => next = Some(at),
                    _ => {
                        flow = Flow::Jump(l);
                        break;
                    }
                },
                Flow::Return => {
                    flow = Flow::Return;
                    break;
                }
            }
        }
        self.depth -= 1;
        Ok(flow)
    }

    /// Runs one statement.
    pub(super) fn stmt(&mut self, s: Stmt) -> Result<Flow, Halt> {
        self.step(1)?;
        let u = self.unit();
        let head = u.head(s);
        // A statement on vectors is one of several iterations.
        let lanes = match head {
            Head::Assign { value, .. } | Head::Store { value, .. } => u.ty(value).lanes() as u64,
            _ => 1,
        };
        self.code[self.frame.code].counts[s.index()] += lanes;
        match head {
            Head::Assign { place, value } => {
                let v = self.value(value)?;
                self.assign(place, v)?;
            }
            Head::Store { addr, offset, value, .. } => {
                let address = self.int(addr)?.wrapping_add(i64::from(offset));
                let v = self.value(value)?;
                self.memory.store(u.ty(value), address, v)?;
            }
            Head::Do { var, lo, hi, step } => return self.do_loop(s, var, [lo, hi, step]),
            Head::DoWhile { cond } => return self.do_while(s, cond),
            Head::If { cond } => {
                let arm = usize::from(!self.value(cond)?.truth());
                return self.block(u.blocks(s)[arm]);
            }
            Head::Select { value, ranges } => return self.select(s, value, ranges),
            Head::ArrayAssign { place, value } => self.array_assign(place, value, None)?,
            Head::Where { .. } => self.where_statement(s, None)?,
            Head::Forall { .. } => self.forall(s)?,
            Head::Call { callee, args, result } => self.call(callee, args, result.expand())?,
            Head::Goto(l) => return Ok(Flow::Jump(l)),
            Head::Branch { cond, then, otherwise } => {
                return Ok(Flow::Jump(if self.value(cond)?.truth() { then } else { otherwise }));
            }
            Head::ArithIf { value, to } => return Ok(Flow::Jump(to[self.sign(value)?])),
            Head::GotoTable { index, table } => {
                let k = self.int(index)?.wrapping_sub(1);
                let target = usize::try_from(k).ok().and_then(|k| u.jump_table(table).get(k));
                return Ok(target.map_or(Flow::Next, |&l| Flow::Jump(l)));
            }
            Head::Return => return Ok(Flow::Return),
            Head::Tally { counter, amount } => {
                let n = self.int(amount)?;
                let total = &mut self.code[self.frame.code].tallies[counter.index()];
                *total = total.wrapping_add(n);
                if !self.frame.entries.is_empty()
                    && let Some(of) = u.adds_iterations(s)
                    && let Some(open) = self.frame.entries.get_mut(&of)
                {
                    *open = open.wrapping_add(n);
                }
            }
            Head::Bracket { counter, opens: true } => {
                self.frame.entries.insert(u.counter(counter).of, 0);
            }
            Head::Bracket { counter, opens: false } => {
                let of = u.counter(counter).of;
                let Some(n) = self.frame.entries.remove(&of) else {
                    return Err(wrong("the end of an entry of a loop that was not entered").into());
                };
                self.trips.entry(of).or_default().add(n as u64, 1);
            }
            Head::Trips { counter, trips, times, spread } => {
                let of = u.counter(counter).of;
                let times = self.int(times)?;
                if times < 0 {
                    return Err(wrong("a loop was entered less than no times").into());
                }
                match u.expr(trips) {
                    ExprData::Intrinsic(_, args) if spread => {
                        let mut values = [0; 8];
                        for (value, &e) in values.iter_mut().zip(u.list(args)) {
                            *value = self.int(e)?;
                        }
                        self.trips.entry(of).or_default().spread(values, times as u64);
                    }
                    _ => {
                        let n = self.int(trips)?;
                        if n < 0 && times > 0 {
                            return Err(wrong("a loop has less than no trips").into());
                        }
                        self.trips.entry(of).or_default().add(n as u64, times as u64);
                        let many = self.many.entry(of).or_default();
                        *many = many.wrapping_add((n as u64).wrapping_mul(times as u64));
                    }
                }
            }
            Head::Ghost { var, value } => self.frame.registers[var.index()] = self.value(value)?,
            Head::GhostIf { cond } => {
                if self.value(cond)?.truth() {
                    return self.block(u.blocks(s)[0]);
                }
            }
            Head::GhostDo { trips } => {
                for _ in 0..self.int(trips)? {
                    self.step(1)?;
                    self.block(u.blocks(s)[0])?;
                }
            }
            Head::GhostCall { callee, args, result } => self.call(callee, args, Some(result))?,
            Head::GhostStore { place, value } => {
                let v = self.value(value)?;
                self.assign(place, v)?;
            }
            Head::Label(_) | Head::Probe { .. } => {}
        }
        Ok(Flow::Next)
    }

    /// Stores `v` to a variable or element.
    pub(super) fn assign(&mut self, place: Expr, v: Value) -> Result<(), Failure> {
        let u = self.unit();
        if let ExprData::Var(s) = u.expr(place)
            && u.sym(s).is_register()
        {
            self.frame.registers[s.index()] = v;
            return Ok(());
        }
        let address = self.place(place)?;
        self.memory.store(u.ty(place), address, v)
    }

    fn do_loop(&mut self, s: Stmt, var: Sym, bounds: [Expr; 3]) -> Result<Flow, Halt> {
        let u = self.unit();
        let [lo, hi, step] = [self.int(bounds[0])?, self.int(bounds[1])?, self.int(bounds[2])?];
        if step == 0 {
            return Err(wrong("the step of a loop is zero").into());
        }
        let ty = u.sym(var).ty;
        let trips = crate::tally::trip_count(lo, hi, step);
        let body = u.blocks(s)[0];
        let mut i = lo;
        for _ in 0..trips {
            self.frame.registers[var.index()] = Value::Int(i);
            match self.block(body)? {
                Flow::Next => {}
                other => return Ok(other),
            }
            i = scalar::wrap(ty, i.wrapping_add(step));
            self.step(1)?;
        }
        self.frame.registers[var.index()] = Value::Int(i);
        Ok(Flow::Next)
    }

    fn do_while(&mut self, s: Stmt, cond: Expr) -> Result<Flow, Halt> {
        let (prepare, body) = (self.unit().blocks(s)[0], self.unit().blocks(s)[1]);
        loop {
            self.step(1)?;
            match self.block(prepare)? {
                Flow::Next => {}
                other => return Ok(other),
            }
            if !self.value(cond)?.truth() {
                return Ok(Flow::Next);
            }
            match self.block(body)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
    }

    fn select(&mut self, s: Stmt, value: Expr, ranges: List) -> Result<Flow, Halt> {
        let u = self.unit();
        let v = self.int(value)?;
        let blocks = u.blocks(s);
        let mut chosen = blocks.len() - 1;
        for range in u.list(ranges).chunks_exact(3) {
            let above = u.pool().as_int(range[1]).is_none_or(|lo| v >= lo);
            let below = u.pool().as_int(range[2]).is_none_or(|hi| v <= hi);
            if above && below {
                let number = u.pool().as_int(range[0]).and_then(|n| usize::try_from(n).ok());
                chosen = number.filter(|&n| n < blocks.len()).ok_or_else(|| wrong("a CASE without a block"))?;
                break;
            }
        }
        self.block(blocks[chosen])
    }

    /// 0, 1 or 2 for negative, zero and positive; a NaN counts as positive, being neither less nor equal.
    fn sign(&self, value: Expr) -> Result<usize, Failure> {
        let (v, ty) = (self.value(value)?, self.unit().ty(value));
        let zero = scalar::convert(Type::I4, ty, Value::Int(0));
        let less = scalar::binary(crate::BinaryOp::Lt, ty, v, zero)?.truth();
        let equal = scalar::binary(crate::BinaryOp::Eq, ty, v, zero)?.truth();
        Ok(if less {
            0
        } else if equal {
            1
        } else {
            2
        })
    }
}

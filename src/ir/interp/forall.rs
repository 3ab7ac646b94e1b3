//! FORALL: for each statement of the body, everything is evaluated for all index values before anything is
//! assigned.

use super::array::Mask;
use super::setup::{Halt, Machine};
use super::{Failure, Value, wrong};
use crate::Type;
use crate::entities::{Block, Expr, List, Sym};
use crate::expr::ExprData;
use crate::head::Head;
use cranelift_entity::EntityRef;
use trueline_provenance::{Measure, Stmt};

/// The values of the indices of all FORALLs around, for each combination.
type Combinations = Vec<Vec<(Sym, i64)>>;

impl Machine<'_> {
    pub(super) fn forall(&mut self, s: Stmt) -> Result<(), Halt> {
        let combinations = self.combinations(s, &vec![Vec::new()])?;
        self.forall_body(s, &combinations)
    }

    /// Extends each combination by the indices of `s` for which its mask is true.
    fn combinations(&mut self, s: Stmt, outer: &Combinations) -> Result<Combinations, Failure> {
        let u = self.unit();
        let Head::Forall { indices, mask } = u.head(s) else { return Err(wrong("a FORALL")) };
        let mut out = Vec::new();
        for combination in outer {
            self.set(combination);
            for values in self.index_values(indices)? {
                self.step(1)?;
                let extended: Vec<(Sym, i64)> = combination.iter().copied().chain(values).collect();
                self.set(&extended);
                let active = match mask.expand() {
                    Some(m) => self.value(m)?.truth(),
                    None => true,
                };
                if active {
                    out.push(extended);
                }
            }
        }
        Ok(out)
    }

    /// All combinations of the indices of one FORALL header, the first varying fastest.
    fn index_values(&mut self, indices: List) -> Result<Combinations, Failure> {
        let u = self.unit();
        let mut out: Combinations = vec![Vec::new()];
        for pair in u.list(indices).chunks_exact(2) {
            let (ExprData::Var(var), ExprData::Triplet(lo, hi, step)) = (u.expr(pair[0]), u.expr(pair[1])) else {
                return Err(wrong("an index of a FORALL is no register with a range"));
            };
            let (lo, hi, step) = (self.int(lo)?, self.int(hi)?, self.int(step)?);
            let inner = std::mem::take(&mut out);
            for k in 0..crate::tally::trip_count(lo, hi, step) {
                self.step(inner.len() as u64)?;
                let value = lo.wrapping_add(k.wrapping_mul(step));
                out.extend(inner.iter().map(|c| c.iter().copied().chain([(var, value)]).collect::<Vec<_>>()));
            }
        }
        Ok(out)
    }

    fn set(&mut self, combination: &[(Sym, i64)]) {
        for &(var, value) in combination {
            self.frame.registers[var.index()] = Value::Int(value);
        }
    }

    fn forall_body(&mut self, s: Stmt, combinations: &Combinations) -> Result<(), Halt> {
        let u = self.unit();
        // Statements that compute a register for the next statement run with it, for each combination.
        let mut prelude: Vec<Stmt> = Vec::new();
        for inner in u.stmts(u.blocks(s)[0]).collect::<Vec<_>>() {
            let head = u.head(inner);
            match head {
                Head::Tally { counter, .. } if matches!(u.counter(counter).measure, Measure::Calls(_)) => {
                    prelude.push(inner);
                    continue;
                }
                _ if head.is_invisible() => {
                    self.stmt(inner)?;
                    continue;
                }
                Head::Assign { .. } | Head::Call { .. } if u.defines(head).is_some() => {
                    prelude.push(inner);
                    continue;
                }
                Head::Forall { .. } => {
                    self.count(inner)?;
                    let extended = self.combinations(inner, combinations)?;
                    self.forall_body(inner, &extended)?;
                }
                Head::Where { .. } => {
                    let masks = vec![None; combinations.len()];
                    self.forall_where(inner, combinations, &masks, &prelude)?;
                }
                Head::Assign { place, value } | Head::ArrayAssign { place, value } => {
                    let masks = vec![None; combinations.len()];
                    self.forall_assign(inner, [place, value], combinations, &masks, &prelude)?;
                }
                _ => {
                    for c in combinations {
                        self.set(c);
                        self.run_all(&prelude)?;
                        self.stmt(inner)?;
                    }
                }
            }
            prelude.clear();
        }
        Ok(())
    }

    fn run_all(&mut self, prelude: &[Stmt]) -> Result<(), Halt> {
        for &s in prelude {
            self.stmt(s)?;
        }
        Ok(())
    }

    fn forall_assign(
        &mut self,
        s: Stmt,
        [place, value]: [Expr; 2],
        combinations: &Combinations,
        masks: &[Option<Vec<bool>>],
        prelude: &[Stmt],
    ) -> Result<(), Halt> {
        let ty: Type = self.unit().ty(place);
        let mut stores: Vec<(i64, Value)> = Vec::new();
        for (c, mask) in combinations.iter().zip(masks) {
            self.count(s)?;
            self.set(c);
            self.run_all(prelude)?;
            let mask: Mask<'_> = mask.as_deref();
            let some = self.evaluated(place, value, mask)?;
            self.step(some.len() as u64)?;
            stores.extend(some);
        }
        for (address, v) in stores {
            self.memory.store(ty, address, v)?;
        }
        Ok(())
    }

    /// A WHERE in a FORALL: its masks for all combinations first, then each of its assignments.
    fn forall_where(
        &mut self,
        s: Stmt,
        combinations: &Combinations,
        outer: &[Option<Vec<bool>>],
        prelude: &[Stmt],
    ) -> Result<(), Halt> {
        let u = self.unit();
        let Head::Where { mask } = u.head(s) else { return Ok(()) };
        let mut arms: [Vec<Option<Vec<bool>>>; 2] = [Vec::new(), Vec::new()];
        for (c, outer) in combinations.iter().zip(outer) {
            self.count(s)?;
            self.set(c);
            self.run_all(prelude)?;
            let [yes, no] = self.masks(mask, outer.as_deref())?;
            arms[0].push(Some(yes));
            arms[1].push(Some(no));
        }
        let blocks: Vec<Block> = u.blocks(s).to_vec();
        for (b, masks) in blocks.into_iter().zip(&arms) {
            for inner in u.stmts(b).collect::<Vec<_>>() {
                match u.head(inner) {
                    Head::ArrayAssign { place, value } => {
                        self.forall_assign(inner, [place, value], combinations, masks, prelude)?;
                    }
                    Head::Where { .. } => self.forall_where(inner, combinations, masks, prelude)?,
                    head if head.is_invisible() => {
                        self.stmt(inner)?;
                    }
                    _ => return Err(wrong("a WHERE contains something else than array assignments").into()),
                }
            }
        }
        Ok(())
    }
}

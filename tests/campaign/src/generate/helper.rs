//! Procedures that kernels call: functions, subroutines with arrays, and one that sees COMMON otherwise.

use super::{Gen, Planned};
use crate::ast::{Dim, E, Home, S, Ty};

impl Gen<'_> {
    /// A procedure for callers that have the arrays of `plan`.
    pub(super) fn helper(&mut self, plan: &[Planned]) {
        // Helpers do not call: leaf procedures, and no recursion.
        self.no_calls = true;
        self.is_helper = true;
        self.cost = 4;
        match self.rng.weighted(&[40, 45, 15]) {
            0 => self.scalar_function(),
            1 => self.array_subroutine(plan),
            _ if plan.iter().any(|p| p.in_common) => self.common_subroutine(plan),
            _ => self.scalar_function(),
        }
        self.summary.cost = (self.work / 4).max(4);
        self.work = 0;
    }

    fn scalar_function(&mut self) {
        let ty = self.rng.pick(&[Ty::R8, Ty::R8, Ty::R8, Ty::I4, Ty::R4]);
        self.proc.result = Some(ty);
        for k in 0..self.rng.range(1, 3) {
            let t = if k == 0 { ty } else { self.rng.pick(&[Ty::R8, Ty::I4]) };
            let v = self.declare(format!("d{k}"), t, vec![], Home::Dummy);
            self.proc.params.push(v);
            self.fixed.push(v);
            self.summary.changes.push(false);
        }
        self.proc.pure = self.rng.chance(50);
        let result = self.declare(self.proc.name.clone(), ty, vec![], Home::Result);
        let (x, i) = (
            self.declare("x1".into(), ty, vec![], Home::Local),
            self.declare("i1".into(), Ty::I4, vec![], Home::Local),
        );
        let mut body = Vec::new();
        for v in [result, x, i] {
            let c = self.constant(self.proc.vars[v].ty);
            body.push(S::Assign(E::Var(v), c));
        }
        let known = self.proc.vars.len();
        let mut rest = Vec::new();
        let n = self.rng.below(3);
        if n > 0 {
            rest.extend(self.block(n));
        }
        if self.rng.chance(25) {
            let cond = self.cond(1);
            rest.push(S::If(vec![(cond, vec![S::Return])], vec![]));
        }
        let value = self.value(ty, 2);
        rest.push(S::Assign(E::Var(result), value));
        body.extend(self.initial(known));
        body.extend(rest);
        self.proc.body = body;
    }

    fn array_subroutine(&mut self, plan: &[Planned]) {
        let p = self.rng.pick(plan);
        let count = self.rng.range(1, 2);
        let adjustable = self.rng.chance(40);
        let mut dims = p.dims.clone();
        if adjustable {
            let last = dims.len() - 1;
            let hi = dims[last].hi;
            let v = self.declare("nd".into(), Ty::I4, vec![], Home::Dummy);
            self.proc.params.push(v);
            self.summary.changes.push(false);
            self.fixed.push(v);
            self.ranges[v] = Some((hi, hi));
            dims[last].by = Some(v);
        }
        for k in 0..count {
            let v = self.declare(format!("d{k}"), p.ty, dims.clone(), Home::Dummy);
            self.proc.params.push(v);
            self.summary.changes.push(true);
        }
        if self.rng.chance(35) {
            let v = self.declare("j1".into(), Ty::I4, vec![], Home::Dummy);
            self.proc.params.push(v);
            self.summary.changes.push(true);
        }
        if self.rng.chance(50) {
            let v = self.declare("s1".into(), Ty::R8, vec![], Home::Dummy);
            self.proc.params.push(v);
            let changes = self.rng.chance(60);
            self.summary.changes.push(changes);
            if !changes {
                self.fixed.push(v);
            }
        }
        self.opaque();
        let (x, i) = (
            self.declare("x1".into(), Ty::R8, vec![], Home::Local),
            self.declare("i1".into(), Ty::I4, vec![], Home::Local),
        );
        let mut body = Vec::new();
        for v in [x, i] {
            let c = self.constant(self.proc.vars[v].ty);
            body.push(S::Assign(E::Var(v), c));
        }
        let known = self.proc.vars.len();
        let mut rest = Vec::new();
        if self.rng.chance(20) {
            let cond = self.cond(1);
            rest.push(S::If(vec![(cond, vec![S::Return])], vec![]));
        }
        let n = self.rng.range(1, 3) as usize;
        rest.extend(self.block(n));
        body.extend(self.initial(known));
        body.extend(rest);
        self.proc.body = body;
    }

    /// Changes the first elements of COMMON, seen as one array.
    fn common_subroutine(&mut self, plan: &[Planned]) {
        self.summary.uses_common = true;
        self.opaque();
        let extent = |p: &Planned| p.dims.iter().map(|d| d.hi - d.lo + 1).product::<i64>();
        // Its arrays, and the scalar that is last in it.
        let hi = 1 + plan.iter().filter(|p| p.in_common).map(extent).sum::<i64>();
        let z = self.declare("z".into(), Ty::R8, vec![Dim { lo: 1, hi, by: None }], Home::Common);
        let i = self.declare("i1".into(), Ty::I4, vec![], Home::Local);
        let c = self.constant(Ty::I4);
        let known = self.proc.vars.len();
        let mut rest = vec![self.assign_to(z)];
        let n = self.rng.below(3);
        rest.extend(self.block(n));
        let mut body = vec![S::Assign(E::Var(i), c)];
        body.extend(self.initial(known));
        body.extend(rest);
        self.proc.body = body;
    }
}

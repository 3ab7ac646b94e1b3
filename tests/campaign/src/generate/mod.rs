//! Random programs of our language, deterministic from a seed.
//!
//! Every program is right by construction: subscripts are in bounds (the generator knows an interval for every integer
//! that may stand in one), no integer is divided by zero, every variable has a value before it is read, loops end,
//! dummy arguments do not alias. All else is unknown to a compiler: trip counts come from COMMON, arrays overlap by
//! EQUIVALENCE, dependences run at small distances.
//!
//! Programs are biased to the patterns of loop transformations: see `bait`.

mod array;
mod bait;
mod crossing;
mod expr;
mod helper;
mod neighbours;
mod stmt;

use crate::ast::{Case, Dim, E, Home, Proc, S, Target, Ty, Var, VarId};
use crate::print::{OPAQUE, support};
use crate::rng::Rng;

/// The program for `seed`.
pub fn case(seed: u64) -> Case {
    let mut rng = Rng::new(seed);
    let size = rng.weighted(&[30, 40, 20, 10]);
    let plan = plan_arrays(&mut rng);
    let mut procs = vec![empty(format!("k{seed}"))];
    let mut summaries = vec![Summary::default()];
    for number in 0..rng.weighted(&[45, 25, 20, 10]) {
        let mut g = Gen::new(rng.clone(), seed, format!("p{seed}_{number}"), &procs, &summaries);
        g.helper(&plan);
        let Gen { rng: mut after, proc, summary, .. } = g;
        rng = Rng::new(after.bits());
        procs.push(proc);
        summaries.push(summary);
    }
    let mut g = Gen::new(rng, seed, format!("k{seed}"), &procs, &summaries);
    g.kernel(&plan, size);
    let kernel = g.proc;
    procs[0] = kernel;
    Case { id: seed, procs }
}

fn empty(name: String) -> Proc {
    Proc { name, result: None, pure: false, params: vec![], vars: vec![], equivalences: vec![], body: vec![] }
}

/// An array that the kernel will have and helpers may take as a dummy argument.
#[derive(Clone)]
struct Planned {
    ty: Ty,
    dims: Vec<Dim>,
    /// COMMON holds REAL(8) alone, so that other procedures may see it as one array.
    in_common: bool,
}

fn plan_arrays(rng: &mut Rng) -> Vec<Planned> {
    let with_common = rng.chance(50);
    let mut out: Vec<Planned> = Vec::new();
    for k in 0..rng.range(3, 6) as usize {
        if k > 0 && rng.chance(45) {
            let twin = out[rng.below(k)].clone();
            out.push(twin);
            continue;
        }
        let ty = [Ty::R8, Ty::R8, Ty::R8, Ty::R4, Ty::I4, Ty::L4][rng.weighted(&[30, 20, 15, 15, 17, 3])];
        let rank = 1 + rng.weighted(&[50, 38, 12]);
        let dims = (0..rank)
            .map(|_| {
                let lo = rng.pick(&[1, 1, 1, 0, -1, -3]);
                let hi = if rank == 1 { rng.range(10, 16) } else { rng.range(7, 11) - rank as i64 };
                Dim { lo, hi, by: None }
            })
            .collect();
        out.push(Planned { ty, dims, in_common: false });
    }
    for p in &mut out {
        p.in_common = with_common && p.ty == Ty::R8 && rng.chance(50);
    }
    out
}

/// The facts about a procedure that a caller needs.
#[derive(Clone, Default)]
struct Summary {
    uses_common: bool,
    /// The parameters that it changes.
    changes: Vec<bool>,
    /// The number of statements that a call costs.
    cost: i64,
}

/// A loop or FORALL index around the statement being generated.
#[derive(Clone)]
struct Around {
    var: VarId,
    name: Option<String>,
    is_loop: bool,
}

struct Gen<'a> {
    rng: Rng,
    case: u64,
    proc: Proc,
    procs: &'a [Proc],
    summaries: &'a [Summary],
    summary: Summary,
    /// The interval of integers that may stand in subscripts; for an array, that of its elements.
    ranges: Vec<Option<(i64, i64)>>,
    /// Variables that must not be assigned: DO variables, index arrays, dummies that are constants.
    fixed: Vec<VarId>,
    around: Vec<Around>,
    /// The most executions of the statement being generated.
    cost: i64,
    /// The amount generated so far, in executions.
    work: i64,
    labels: u32,
    names: u32,
    /// DO variables.
    indices: Vec<VarId>,
    /// Function calls are not allowed here.
    no_calls: bool,
    /// But those of PURE functions are.
    pure_calls: bool,
    /// This is a procedure that kernels call.
    is_helper: bool,
    /// The number of constructs around, loops or not.
    depth: usize,
}

/// Scalars that are never shown: assignments to them may be dead.
const DROPPED: [&str; 2] = ["u1", "u2"];

/// The limit on [`Gen::work`]: programs are small so that there can be many.
const WORK: i64 = 12_000;

impl<'a> Gen<'a> {
    fn new(rng: Rng, case: u64, name: String, procs: &'a [Proc], summaries: &'a [Summary]) -> Gen<'a> {
        Gen {
            rng,
            case,
            proc: empty(name),
            procs,
            summaries,
            summary: Summary::default(),
            ranges: vec![],
            fixed: vec![],
            around: vec![],
            cost: 1,
            work: 0,
            labels: 100,
            names: 0,
            indices: vec![],
            no_calls: false,
            pure_calls: false,
            is_helper: false,
            depth: 0,
        }
    }

    fn declare(&mut self, name: String, ty: Ty, dims: Vec<Dim>, home: Home) -> VarId {
        self.proc.vars.push(Var { name, ty, dims, home });
        self.ranges.push(None);
        self.proc.vars.len() - 1
    }

    fn kernel(&mut self, plan: &[Planned], size: usize) {
        self.opaque();
        let mut arrays = Vec::new();
        for (k, p) in plan.iter().enumerate() {
            let home = if p.in_common { Home::Common } else { Home::Local };
            arrays.push(self.declare(format!("a{k}"), p.ty, p.dims.clone(), home));
        }
        if plan.iter().any(|p| p.in_common) {
            self.declare("cs".into(), Ty::R8, vec![], Home::Common);
        }
        self.equivalences(&arrays);
        let index = self.declare("ix".into(), Ty::I4, vec![Dim { lo: 1, hi: 8, by: None }], Home::Local);
        self.ranges[index] = Some((1, 8));
        self.fixed.push(index);
        self.scalars();
        let mut body = self.initial(0);
        let known = self.proc.vars.len();
        let statements = self.block([2, 4, 7, 12][size]);
        body.extend(self.initial(known));
        body.extend(statements);
        body.extend(self.shows());
        self.proc.body = body;
    }

    /// The opaque integers `n1` … of COMMON.
    fn opaque(&mut self) {
        for (k, v) in OPAQUE.iter().enumerate() {
            let n = self.declare(format!("n{}", k + 1), Ty::I4, vec![], Home::Opaque);
            self.ranges[n] = Some((*v, *v));
            self.fixed.push(n);
        }
    }

    fn scalars(&mut self) {
        for (name, ty) in [
            ("i1", Ty::I4),
            ("i2", Ty::I4),
            ("x1", Ty::R8),
            ("x2", Ty::R8),
            ("x3", Ty::R8),
            ("f1", Ty::R4),
            ("b1", Ty::L4),
            ("c1", Ty::C4),
            ("c2", Ty::C4),
        ] {
            self.declare(name.into(), ty, vec![], Home::Local);
        }
        for (name, ty) in DROPPED.into_iter().zip([Ty::I4, Ty::R8]) {
            let v = self.declare(name.into(), ty, vec![], Home::Local);
            self.fixed.push(v);
        }
    }

    fn equivalences(&mut self, arrays: &[VarId]) {
        for (k, &a) in arrays.iter().enumerate() {
            for &b in &arrays[..k] {
                let (va, vb) = (&self.proc.vars[a], &self.proc.vars[b]);
                let free = |v| !self.proc.equivalences.iter().any(|&(x, _, y, _)| x == v || y == v);
                let local = va.home == Home::Local && vb.home == Home::Local;
                if va.ty == vb.ty && va.ty != Ty::L4 && local && free(a) && free(b) && self.rng.chance(25) {
                    let (i, j) = (self.rng.range(0, 4), self.rng.range(0, 4));
                    self.proc.equivalences.push((a, i, b, j));
                }
            }
        }
    }

    /// Gives every variable from number `first` on a value.
    fn initial(&mut self, first: usize) -> Vec<S> {
        let mut out = Vec::new();
        for v in first..self.proc.vars.len() {
            let var = self.proc.vars[v].clone();
            if matches!(var.home, Home::Opaque | Home::Dummy | Home::Result) {
                continue;
            }
            if var.dims.is_empty() {
                let value = self.constant(var.ty);
                out.push(S::Assign(E::Var(v), value));
            } else {
                let k = self.rng.range(3, 11);
                let args = vec![E::Var(v), E::Int(var.size()), E::Int(k)];
                out.push(S::Call(Target::Support(support(var.ty)[0]), args));
            }
        }
        out
    }

    /// Shows the bits of most variables; the others may be dead, as DO variables mostly are.
    fn shows(&mut self) -> Vec<S> {
        let mut out = Vec::new();
        for v in 0..self.proc.vars.len() {
            let var = &self.proc.vars[v];
            let id = E::Int(v as i64);
            let shown = match (var.dims.is_empty(), self.indices.contains(&v)) {
                (true, true) => 30,
                (true, false) => 85,
                (false, _) => 92,
            };
            if var.home == Home::Opaque || DROPPED.contains(&var.name.as_str()) || !self.rng.chance(shown) {
                continue;
            }
            let var = &self.proc.vars[v];
            let [_, show, put] = support(var.ty);
            out.push(if var.dims.is_empty() {
                S::Call(Target::Support(put), vec![id, E::Var(v)])
            } else {
                S::Call(Target::Support(show), vec![id, E::Var(v), E::Int(var.size())])
            });
        }
        out
    }

    fn label(&mut self) -> u32 {
        self.labels += 10;
        self.labels
    }

    fn fresh_name(&mut self) -> String {
        self.names += 1;
        format!("l{}_{}", self.case, self.names)
    }

    /// A variable of type `ty` for which `f` holds.
    fn find(&mut self, f: impl Fn(&Var) -> bool) -> Option<VarId> {
        let all: Vec<VarId> = (0..self.proc.vars.len()).filter(|&v| f(&self.proc.vars[v])).collect();
        if all.is_empty() { None } else { Some(self.rng.pick(&all)) }
    }

    /// A DO variable that is not in use.
    fn index(&mut self) -> VarId {
        const NAMES: [&str; 8] = ["i", "j", "k", "l", "m", "ii", "jj", "kk"];
        let busy = |v: VarId, g: &Gen<'_>| g.around.iter().any(|a| a.var == v) || g.fixed.contains(&v);
        for name in NAMES {
            match (0..self.proc.vars.len()).find(|&v| self.proc.vars[v].name == name) {
                Some(v) if busy(v, self) => {}
                Some(v) => return v,
                None => return self.declare_index(name.into()),
            }
        }
        let name = format!("q{}", self.proc.vars.len());
        self.declare_index(name)
    }

    fn declare_index(&mut self, name: String) -> VarId {
        let v = self.declare(name, Ty::I4, vec![], Home::Local);
        self.indices.push(v);
        v
    }
}

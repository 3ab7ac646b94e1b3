//! Plant tallies: one a source count, where it holds by the semantics of the source.
//!
//! ```text
//! do i = 1, n        @2          tally inv @2 += 1
//!   if (a(i) > 0) …  @3          do i = 1, n                @2
//! end                       =>     tally iter @2 += 1
//!                                  tally eval @3 += 1
//!                                  if (a(i) > 0)            @3
//!                                    tally taken.0 @3 += 1 …
//! ```
//!
//! Iterations are counted in the body, not by the trip count at the entry: a STOP in a called procedure ends the loop
//! early, and the count must be right then, too. Law H hoists the tally to the entry if nothing in the body can leave
//! the loop.

use crate::region::{UserRegion, first_statement, user_regions};
use crate::select::Regions;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::{
    BinaryOp, Callee, Editor, Expr, ExprData, Head, Intrinsic, Label, Place, Program, Stmt, Sym, Type, Unit, UnitKind,
    Why,
};
use trueline_provenance::{CounterInfo, Measure, Serial, StmtInfos, StmtKind};

/// Plants the tallies of every unit, which must be at VH.
pub fn plant(program: &mut Program) {
    plant_with(program, Regions::default());
}

/// As [`plant`], of the constructs of some kinds only; returns the constructs left out.
pub fn plant_with(program: &mut Program, regions: Regions) -> FxHashSet<Serial> {
    let Program { units, infos, .. } = program;
    let mut left_out = FxHashSet::default();
    let marked = user_regions(infos);
    for unit in units.iter_mut().filter(|u| u.kind() != UnitKind::Data) {
        plant_unit(unit, infos, regions, &marked, &mut left_out);
    }
    left_out
}

/// Marks the calls of procedures of this compilation that are sure to return: those without STOP,
/// input/output or calls of unknown procedures. Part of every build, so that profiled and plain ones
/// are alike.
pub fn mark_returning(program: &mut Program) {
    let mut returning: FxHashSet<String> = program
        .units
        .iter()
        .filter(|u| u.walk().iter().all(|&s| may_return_to(u, s)))
        .map(|u| u.symbol().to_owned())
        .collect();
    // The greatest fixed point: the largest set of procedures that return and only call one another.
    loop {
        let lost: Vec<String> = program
            .units
            .iter()
            .filter(|u| returning.contains(u.symbol()))
            .filter(|u| u.procs().any(|(_, p)| !p.is_libm && !returning.contains(&p.symbol)))
            .map(|u| u.symbol().to_owned())
            .collect();
        if lost.is_empty() {
            break;
        }
        for symbol in lost {
            returning.remove(&symbol);
        }
    }
    for unit in &mut program.units {
        let mut ed = Editor::open(unit, "mark_returning");
        ed.mark_returning(|symbol| returning.contains(symbol));
    }
}

/// Whether `s` itself cannot end the program, as far as that is known without looking at callees.
fn may_return_to(unit: &Unit, s: Stmt) -> bool {
    match unit.head(s) {
        Head::Call { callee: Callee::Proc(_), .. } => true,
        head => unit.always_returns(head),
    }
}

fn plant_unit(
    unit: &mut Unit,
    infos: &StmtInfos,
    regions: Regions,
    marked: &[UserRegion],
    left_out: &mut FxHashSet<Serial>,
) {
    let mains = main_statements(unit, infos);
    let mut ed = Editor::open(unit, "plant");
    let (serial, body) = (ed.serial(), ed.body());
    let else_ifs = ed.walk().into_iter().filter(|&s| is_else_if(&ed, infos, s)).collect();
    let mut planter = Planter { calls: FxHashMap::default(), alone: FxHashSet::default(), regions, else_ifs };
    for s in ed.walk() {
        planter.calls_of(&mut ed, s);
        for own in written_out(&ed, infos, s, &mains) {
            if !regions.selects(infos.stmts[own].kind, false) {
                left_out.insert(own);
            } else if planter.alone.insert(own) {
                count(&mut ed, own, Measure::Invocations, Place::Before(s));
            }
        }
        let Some(own) = ed.own_source(s) else { continue };
        let kind = infos.stmts[own].kind;
        if mains.get(&own) == Some(&s) {
            let has_else = matches!(ed.head(s), Head::If { .. }) && ed.stmts(ed.blocks(s)[1]).next().is_some();
            if regions.selects(kind, has_else) {
                planter.construct(&mut ed, s, own, kind);
            } else {
                left_out.insert(own);
            }
        } else if regions.counts_alone(kind) && !matches!(ed.head(s), Head::Label(_)) && planter.alone.insert(own) {
            count(&mut ed, own, Measure::Invocations, Place::Before(s));
        }
    }
    for region in marked.iter().filter(|r| infos.procedure(r.serial) == Some(serial)) {
        if let Some(first) = first_statement(&ed, infos, region) {
            count(&mut ed, region.serial, Measure::Invocations, Place::Before(first));
        }
    }
    count(&mut ed, serial, Measure::Invocations, Place::Start(body));
}

/// The array assignments, WHEREs and FORALLs that `s` is a part of and that no statement stands for: they were written out, since they call
/// procedures or are checked while the program runs. The first part of each is executed once an execution of it. Constructs in a FORALL
/// are left out: they are executed once an index, and their parts are not.
fn written_out(unit: &Unit, infos: &StmtInfos, s: Stmt, mains: &FxHashMap<Serial, Stmt>) -> Vec<Serial> {
    if matches!(unit.head(s), Head::Label(_)) {
        return Vec::new();
    }
    let mut constructs: Vec<Serial> = unit.origins(s).iter().map(|o| o.stmt).collect();
    constructs.retain(|&own| infos.stmts[own].kind.is_region());
    let forall = constructs.iter().position(|&own| infos.stmts[own].kind == StmtKind::Forall);
    constructs.truncate(forall.map_or(constructs.len(), |outermost| outermost + 1));
    constructs.retain(|own| !mains.contains_key(own));
    constructs
}

/// The statement that *is* each construct: helper statements of the front end have the same set, and come before it.
fn main_statements(unit: &Unit, infos: &StmtInfos) -> FxHashMap<Serial, Stmt> {
    let mut out = FxHashMap::default();
    for s in unit.walk() {
        let Some(own) = unit.own_source(s) else { continue };
        let kind = infos.stmts[own].kind;
        let fits = match unit.head(s) {
            Head::Do { .. } | Head::DoWhile { .. } => kind.is_loop(),
            Head::If { .. } => matches!(kind, StmtKind::IfLog | StmtKind::IfBlock | StmtKind::ElseIf),
            Head::ArithIf { .. } => kind == StmtKind::IfArith,
            Head::Select { .. } => kind == StmtKind::Select,
            Head::ArrayAssign { .. } => kind == StmtKind::ArrayAssign,
            Head::Where { .. } => kind == StmtKind::Where,
            Head::Forall { .. } => kind == StmtKind::Forall,
            _ => false,
        };
        if fits && (kind.is_region() || !kind.is_loop()) {
            out.insert(own, s);
        } else if fits {
            out.entry(own).or_insert(s);
        }
    }
    out
}

fn count(ed: &mut Editor<'_>, of: Serial, measure: Measure, at: Place) {
    let one = ed.int(Type::I8, 1);
    let counter = ed.counter_for(CounterInfo { of, measure });
    ed.tally(counter, one, at);
}

/// Puts the loop `s` in a bracket, which is closed wherever the loop is left.
fn bracket(ed: &mut Editor<'_>, s: Stmt, own: Serial) {
    ed.bracket_at(own, true, Place::Before(s));
    let inside = ed.walk_stmt(s);
    let label = |&x: &Stmt| if let Head::Label(l) = ed.head(x) { Some(l) } else { None };
    let labels: FxHashSet<Label> = inside.iter().filter_map(label).collect();
    for x in inside {
        let head = ed.head(x);
        match head {
            Head::Goto(l) if labels.contains(&l) => {}
            Head::Return | Head::Goto(_) => {
                ed.bracket_at(own, false, Place::Before(x));
            }
            _ if ed.targets(head).iter().any(|l| !labels.contains(l)) => {
                let counter = ed.counter_for(CounterInfo { of: own, measure: Measure::Trips });
                ed.lose_trips(counter, LEFT_BY_ONE_OF_SEVERAL);
                return;
            }
            _ => {}
        }
    }
    ed.bracket_at(own, false, Place::After(s));
}

/// The labels that only the arithmetic IF `s` jumps to, one for each arm, if it has them.
fn landings(unit: &Unit, s: Stmt, own: Serial, to: [Label; 3]) -> Option<[Stmt; 3]> {
    let behind: Vec<Stmt> = std::iter::successors(unit.next(s), |&x| unit.next(x))
        .take_while(|&x| unit.head(x).is_invisible() || unit.own_source(x) == Some(own))
        .filter(|&x| matches!(unit.head(x), Head::Label(_)))
        .collect();
    let landing = |l: Label| behind.iter().copied().find(|&x| unit.head(x) == Head::Label(l));
    let is_one_each = to[0] != to[1] && to[0] != to[2] && to[1] != to[2];
    let [first, second, third] = to.map(landing);
    is_one_each.then_some([first?, second?, third?])
}

/// Why the trips of some loops are not counted.
const LEFT_BY_ONE_OF_SEVERAL: &str = "it is left by a computed GOTO or an arithmetic IF";

struct Planter {
    /// The number of calls of each source statement that have a counter.
    calls: FxHashMap<Serial, u16>,
    /// The simple statements that have been counted.
    alone: FxHashSet<Serial>,
    regions: Regions,
    /// The statements of ELSE IF, helpers too.
    else_ifs: FxHashSet<Stmt>,
}

fn is_else_if(unit: &Unit, infos: &StmtInfos, s: Stmt) -> bool {
    unit.own_source(s).is_some_and(|own| infos.stmts[own].kind == StmtKind::ElseIf)
}

impl Planter {
    /// An edge of the call graph.
    fn calls_of(&mut self, ed: &mut Editor<'_>, s: Stmt) {
        let Head::Call { callee: Callee::Proc(p), .. } = ed.head(s) else { return };
        let Some(own) = ed.own_source(s) else { return };
        if ed.proc(p).is_libm || ed.proc(p).is_by_address() {
            return;
        }
        let k = self.calls.entry(own).or_insert(0);
        let measure = Measure::Calls(*k);
        *k = k.saturating_add(1);
        count(ed, own, measure, Place::Before(s));
    }

    fn construct(&mut self, ed: &mut Editor<'_>, s: Stmt, own: Serial, kind: StmtKind) {
        match ed.head(s) {
            Head::Do { .. } | Head::DoWhile { .. } => {
                count(ed, own, Measure::Invocations, Place::Before(s));
                bracket(ed, s, own);
                let body = *ed.blocks(s).last().expect("a loop has a body");
                count(ed, own, Measure::Iterations, Place::Start(body));
            }
            Head::If { .. } => {
                if self.regions.counts_evaluations() {
                    count(ed, own, Measure::Evaluations, Place::Before(s));
                }
                let [then, otherwise] = [ed.blocks(s)[0], ed.blocks(s)[1]];
                count(ed, own, Measure::Taken(0), Place::Start(then));
                // So that the arm that runs less often can be counted. For ELSE IF that is its evaluations.
                let first = ed.stmts(otherwise).find(|&x| !ed.head(x).is_invisible());
                if kind != StmtKind::IfLog && first.is_some_and(|x| !self.else_ifs.contains(&x)) {
                    count(ed, own, Measure::Taken(1), Place::Start(otherwise));
                }
            }
            Head::ArithIf { value, to } => {
                count(ed, own, Measure::Evaluations, Place::Before(s));
                match landings(ed, s, own, to) {
                    Some(all) => {
                        for (landing, k) in all.into_iter().zip(0..) {
                            count(ed, own, Measure::Taken(k), Place::After(landing));
                        }
                    }
                    None => self.arith_if(ed, s, own, value),
                }
            }
            Head::Select { .. } => {
                count(ed, own, Measure::Evaluations, Place::Before(s));
                for (k, b) in ed.blocks(s).to_vec().into_iter().enumerate() {
                    count(ed, own, Measure::Taken(u16::try_from(k).unwrap_or(u16::MAX)), Place::Start(b));
                }
            }
            _ if kind.is_region() => count(ed, own, Measure::Invocations, Place::Before(s)),
            _ => {}
        }
    }

    /// Without labels of their own the arm taken is counted by the sign, before the jump.
    fn arith_if(&mut self, ed: &mut Editor<'_>, s: Stmt, own: Serial, value: Expr) {
        let ty = ed.ty(value);
        let kept: Sym = ed.new_register("sign", ty);
        ed.null(Head::Ghost { var: kept, value }, Place::Before(s), Why::Shadow);
        let v = ed.var(kept);
        let zero = match ty {
            ty if ty.is_real() => ed.make(ExprData::real(ty, 0.0)),
            _ => ed.int(ty, 0),
        };
        let (none, one) = (ed.int(Type::I8, 0), ed.int(Type::I8, 1));
        for (k, op) in [BinaryOp::Lt, BinaryOp::Eq].into_iter().enumerate() {
            let test = ed.binary(op, v, zero);
            let amount = ed.intrinsic(Intrinsic::Merge, &[one, none, test]);
            let counter = ed.counter_for(CounterInfo { of: own, measure: Measure::Taken(k as u16) });
            ed.tally(counter, amount, Place::Before(s));
        }
    }
}

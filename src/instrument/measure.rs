//! Maps the optimized program onto the source, decides every construct's status, and places timers.
//!
//! Timers go around procedures and around the outermost loops and regions (`--time=outer`), around every loop and
//! region (`all`), or nowhere (`none`). A group of the mapping has one timer: its members' time is joint, and the
//! report says so. An instance of inlined code has a timer of its own; the time of a construct is the sum over its
//! instances. In `outer`, no timer stands inside another construct's loop, since it would run once an iteration there.

use crate::budget::{self, Estimate, Runs};
use crate::region::user_regions;
use crate::select::{Selection, Wishes, may_time};
use crate::status::statuses;
use crate::timer::{Plan, is_again, place_area, time_procedure, timers, user_plans};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_abi::profile::Status;
use trueline_ir::{Callee, Expr, ExprData, Head, Program, Rt, Stmt, Unit, UnitKind};
use trueline_provenance::map::{Mapping, Node, NodeKind, Tree, is_timed};
use trueline_provenance::{Origin, Serial, Transform};

/// The constructs that get a timer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TimeMode {
    /// Everything.
    All,
    /// Procedures that loop or call, and outermost loops and regions.
    #[default]
    Outer,
    /// As [`TimeMode::Outer`], but the procedures that their scores select (see [`crate::score`]).
    Selective,
    /// Nothing.
    None,
}

/// Decisions made before optimization.
#[derive(Clone, Default, Debug)]
pub struct Choice {
    /// Constructs that are not measured: [`crate::plant_with`] has left them out.
    pub left_out: FxHashSet<Serial>,
    /// The procedures that are timed in [`TimeMode::Selective`].
    pub procedures: FxHashSet<Serial>,
    /// The executions of an earlier run.
    pub earlier: Earlier,
}

/// The executions of an earlier run, as far as they are known.
#[derive(Clone, Default, Debug)]
pub struct Earlier {
    /// Calls of procedures.
    pub executions: FxHashMap<Serial, u64>,
    /// Mean trips of loops.
    pub trips: FxHashMap<Serial, f64>,
}

/// A construct after optimization.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Construct {
    /// Its serial.
    pub serial: Serial,
    /// Its status.
    pub status: Status,
    /// Why, if it is not EXACT.
    pub reason: Option<String>,
    /// The constructs that share optimized loops with one of its instances.
    pub merged_with: Vec<Serial>,
    /// The passes that changed it, in order.
    pub passes: Vec<&'static str>,
    /// The timers that measure its instances: indices into [`Measured::timers`].
    pub timers: Vec<u32>,
    /// Whether an instance of it has code that no timer measures.
    pub partly: bool,
    /// The reason why it has no timer, if it might have one: the budget had no room for it, it is filtered, or a leaf.
    pub untimed: Option<&'static str>,
}

/// An instance of a construct: its source statement, and the calls that it was inlined through, innermost first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instance {
    /// The source statement.
    pub of: Serial,
    /// The calls.
    pub calls: Vec<Serial>,
}

/// A timer in the code.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Timer {
    /// The instances that it measures, several if they have a joint time.
    pub members: Vec<Instance>,
    /// The procedure whose code it stands in.
    pub unit: Serial,
    /// Its name in that unit.
    pub record: Origin,
}

/// The measured program.
#[derive(Clone, Default, Debug)]
pub struct Measured {
    /// Every profiled construct, in source order.
    pub constructs: Vec<Construct>,
    /// The timers, in the order of their first members.
    pub timers: Vec<Timer>,
}

/// Maps, and places the probes. The units are at M.
pub fn measure(program: &mut Program, mode: TimeMode) -> Measured {
    measure_with(program, mode, &Selection::default(), &Choice::default())
}

/// As [`measure`], with a selection.
pub fn measure_with(program: &mut Program, mode: TimeMode, selection: &Selection, choice: &Choice) -> Measured {
    let wishes = Wishes::of(program);
    let (mut constructs, plans, without_timer) = {
        let trees: Vec<Tree<'_>> = program.units.iter().map(tree).collect();
        let mappings: Vec<Mapping<'_>> = trees.iter().map(|t| Mapping::new(&program.infos, t)).collect();
        let constructs = statuses(program, &mappings, selection.regions, &choice.left_out);
        let allowed = |s: Serial| !choice.left_out.contains(&s) && may_time(s, &program.infos, selection, &wishes);
        let (mut plans, without_timer) = user_plans(program, mode, &allowed);
        plans.extend(timers(program, &mappings, mode, &allowed));
        // Timers that may stand around others come first.
        plans.sort_by_key(|p| p.depth);
        (constructs, plans, without_timer)
    };
    let instances = timed_instances(program);
    user_constructs(program, &mut constructs, &plans);
    let procedures = procedures(program, mode, selection, choice, &wishes);
    let Affordable { plans, procedures, left_out } =
        within_budget(program, plans, procedures, selection.overhead, &choice.earlier);
    let mut timed: Vec<Timer> = Vec::new();
    for plan in &plans {
        for (number, area) in plan.areas.iter().enumerate() {
            place_area(&mut program.units[plan.unit], area, plan, number);
        }
        timed.push(plan.timer(program));
    }
    for i in procedures {
        let unit = &mut program.units[i];
        let serial = unit.serial();
        timed.push(Timer {
            members: vec![Instance { of: serial, calls: vec![] }],
            unit: serial,
            record: serial.into(),
        });
        time_procedure(unit);
    }
    timed.sort_unstable();
    let has_timer: FxHashSet<(Serial, Origin)> = plans
        .iter()
        .flat_map(|p| p.members.iter().map(|&m| (program.units[p.unit].serial(), m)))
        .chain(timed.iter().map(|t| (t.unit, t.record)))
        .collect();
    let untimed = instances.iter().filter(|i| !has_timer.contains(i)).map(|i| i.1.stmt);
    let without: FxHashSet<Serial> = untimed.chain(without_timer).chain(left_out.iter().copied()).collect();
    let mut timers_of: FxHashMap<Serial, Vec<u32>> = FxHashMap::default();
    for (timer, n) in timed.iter().zip(0..) {
        for m in &timer.members {
            timers_of.entry(m.of).or_default().push(n);
        }
    }
    for c in &mut constructs {
        c.timers = timers_of.remove(&c.serial).unwrap_or_default();
        c.partly = without.contains(&c.serial);
        let info = &program.infos.stmts[c.serial];
        let wanted = mode != TimeMode::None && c.timers.is_empty();
        c.untimed = match () {
            () if left_out.contains(&c.serial) => Some("over budget"),
            () if wanted && !may_time(c.serial, &program.infos, selection, &wishes) => Some("filtered"),
            () if wanted
                && info.kind.is_procedure()
                && mode == TimeMode::Outer
                && selection.regions.times_procedures() =>
            {
                Some("leaf")
            }
            () => None,
        };
    }
    Measured { constructs, timers: timed }
}

/// The instances of loops, regions and procedures that have code, each with the procedure that the code stands in.
fn timed_instances(program: &Program) -> Vec<(Serial, Origin)> {
    let mut out = Vec::new();
    for unit in program.units.iter().filter(|u| u.kind() != UnitKind::Data) {
        let tree = tree(unit);
        let is_one = |o: &Origin| is_timed(program.infos.stmts[o.stmt].kind) && !is_again(unit, &program.infos, *o);
        let named = Mapping::new(&program.infos, &tree).origins().into_iter().filter(is_one);
        let own = Origin::from(unit.serial());
        out.extend(named.filter(|&o| o != own).chain([own]).map(|o| (unit.serial(), o)));
    }
    out
}

/// The regions that the source marks, as constructs, in their places.
fn user_constructs(program: &Program, constructs: &mut Vec<Construct>, plans: &[Plan]) {
    for r in user_regions(&program.infos) {
        let (status, reason) = if plans.iter().any(|p| p.members.contains(&r.serial.into())) {
            (Status::Exact, None)
        } else {
            (Status::ExactDerived, Some("counted; not timed by itself".to_owned()))
        };
        let at = constructs.partition_point(|c| c.serial < r.serial);
        constructs.insert(at, Construct { status, reason, ..Construct::new(r.serial) });
    }
}

impl Construct {
    pub(crate) fn new(serial: Serial) -> Construct {
        Construct {
            serial,
            status: Status::Exact,
            reason: None,
            merged_with: vec![],
            passes: vec![],
            timers: vec![],
            partly: false,
            untimed: None,
        }
    }
}

/// The units whose procedures get a timer.
fn procedures(
    program: &Program,
    mode: TimeMode,
    selection: &Selection,
    choice: &Choice,
    wishes: &Wishes,
) -> Vec<usize> {
    if mode == TimeMode::None {
        return vec![];
    }
    let wanted = |unit: &Unit| {
        let serial = unit.serial();
        let forced = wishes.forces(&program.infos.stmts[serial].text);
        let by_mode = match mode {
            TimeMode::All => true,
            TimeMode::Selective => choice.procedures.contains(&serial),
            _ => selection.leaves || worth_timing(unit),
        };
        (forced || (by_mode && selection.regions.times_procedures()))
            && may_time(serial, &program.infos, selection, wishes)
    };
    let units = program.units.iter().enumerate();
    units.filter(|(_, u)| u.kind() != UnitKind::Data && wanted(u)).map(|(i, _)| i).collect()
}

/// The longest copy of a structure or text that is a few instructions, and no call, in bytes.
const SHORT_COPY: i64 = 128;

/// Whether a procedure is worth a timer: it has a loop or a call of another procedure. Others are too short for two
/// readings of the clock, or even for a countdown; a recursive procedure would be stopped anyway.
fn worth_timing(unit: &Unit) -> bool {
    let is_short = |e: &Expr| unit.pool().as_int(*e).is_some_and(|n| n <= SHORT_COPY);
    let calls_another = |head: Head| match head {
        Head::Call { callee: Callee::Proc(p), .. } => unit.proc(p).symbol != unit.symbol(),
        Head::Call { callee: Callee::Rt(Rt::CharAssign), args, .. } => {
            !unit.list(args).iter().skip(1).step_by(2).all(is_short)
        }
        head => matches!(head, Head::Call { .. }),
    };
    unit.kind() == UnitKind::Program
        || unit.walk().into_iter().any(|s| unit.head(s).is_loop() || calls_another(unit.head(s)))
}

/// The timers that a budget leaves.
struct Affordable {
    plans: Vec<Plan>,
    /// The units whose procedures are timed.
    procedures: Vec<usize>,
    /// The constructs whose timers cost too much.
    left_out: FxHashSet<Serial>,
}

/// Leaves out the timers that a budget has no room for.
fn within_budget(
    program: &Program,
    plans: Vec<Plan>,
    procedures: Vec<usize>,
    budget: Option<f64>,
    earlier: &Earlier,
) -> Affordable {
    let estimate = Estimate::of(program, earlier);
    let counts = |estimate: &Estimate<'_>| -> Vec<f64> {
        let of_plan = |p: &Plan| p.areas.iter().map(|a| estimate.count(program, p.unit, Some(a.first))).sum();
        plans.iter().map(of_plan).chain(procedures.iter().map(|&i| estimate.count(program, i, None))).collect()
    };
    let long = Estimate::with(program, earlier, budget::MANY_TRIPS);
    let (most, counts) = (counts(&long), counts(&estimate));
    let stays = match budget {
        Some(budget) => {
            // A timer of several constructs together is not thinned.
            let alone = plans.iter().map(|p| p.members.len() == 1);
            let thins: Vec<bool> = alone.chain(procedures.iter().map(|_| true)).collect();
            let usual = Runs { estimate: &estimate, counts: &counts };
            budget::choose(&usual, &Runs { estimate: &long, counts: &most }, &thins, budget)
        }
        None => vec![true; counts.len()],
    };
    let (of_plans, of_procedures) = stays.split_at(plans.len());
    let mut out = Affordable { plans: vec![], procedures: vec![], left_out: FxHashSet::default() };
    for (plan, &stays) in plans.into_iter().zip(of_plans) {
        if stays {
            out.plans.push(plan);
        } else {
            out.left_out.extend(plan.members.iter().map(|m| m.stmt));
        }
    }
    for (i, &stays) in procedures.into_iter().zip(of_procedures) {
        if stays {
            out.procedures.push(i);
        } else {
            out.left_out.insert(program.units[i].serial());
        }
    }
    out
}

/// The optimized statements of a unit as the mapping sees them.
pub fn tree(unit: &Unit) -> Tree<'_> {
    let mut nodes = Vec::new();
    let mut index: FxHashMap<Stmt, u32> = FxHashMap::default();
    let mut positions: FxHashMap<u32, u32> = FxHashMap::default();
    for s in unit.walk() {
        let head = unit.head(s);
        if head.is_invisible() {
            continue;
        }
        let kind = kind_of(head);
        let block = unit.parent(s).map_or(0, |b| b.as_u32());
        let position = positions.entry(block).or_insert(0);
        index.insert(s, nodes.len() as u32);
        let parent = unit.enclosing(s).and_then(|p| index.get(&p).copied());
        let calls = (matches!(head, Head::Call { .. }) || calls_a_function(unit, head))
            && !trueline_ir::fault("map_calls_are_short");
        nodes.push(Node { stmt: s, kind, calls, set: unit.set(s), parent, block, position: *position });
        *position += 1;
    }
    let eliminate =
        |e: &&trueline_provenance::Edit| e.transform == Transform::Eliminate && !trueline_ir::fault("map_look_alike");
    let gone = unit.log().edits.iter().filter(eliminate);
    let eliminated =
        gone.map(|e| (kind_of(unit.head(e.stmt)), e.before)).filter(|(kind, _)| *kind != NodeKind::Other).collect();
    Tree { nodes, sets: unit.sets(), taints: unit.taints(), eliminated }
}

/// Whether a statement calls a function of the mathematical library.
fn calls_a_function(unit: &Unit, head: Head) -> bool {
    let mut found = false;
    for value in unit.values(head) {
        unit.visit_expr(value, &mut |e| {
            found |= matches!(unit.expr(e), ExprData::Intrinsic(i, _) if i.is_library_function());
        });
    }
    found
}

pub(crate) fn kind_of(head: Head) -> NodeKind {
    match head {
        Head::Do { .. } | Head::DoWhile { .. } => NodeKind::Loop,
        Head::If { .. } | Head::ArithIf { .. } | Head::Select { .. } => NodeKind::Conditional,
        _ => NodeKind::Other,
    }
}

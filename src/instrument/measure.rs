//! Map the optimized program onto the source, decide every construct's status, and place timers.
//!
//! Timers go around procedures and around the outermost loops and regions (`--time=outer`), around every
//! loop and region (`all`), or nowhere (`none`). A component of the mapping has one timer: its members'
//! time is joint, and the report says so. A timer never stands inside a loop of somebody else's, since
//! it would then run once an iteration.

use crate::budget::{self, Estimate};
use crate::region::{self, user_regions};
use crate::select::{Regions, Selection, Wishes, may_time};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_abi::profile::Status;
use trueline_ir::{Editor, ExprData, Head, Label, Place, ProbeOp, Program, Stmt, Type, Unit, UnitKind, Why};
use trueline_provenance::map::{AreaOf, Image, Mapping, Node, NodeKind, Tree};
use trueline_provenance::{Edit, Serial, StmtInfos, StmtKind, Transform};

/// What gets a timer.
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

/// What was decided before optimization.
#[derive(Clone, Default, Debug)]
pub struct Choice {
    /// Constructs that are not measured: [`crate::plant_with`] has left them out.
    pub left_out: FxHashSet<Serial>,
    /// The procedures that are timed in [`TimeMode::Selective`].
    pub procedures: FxHashSet<Serial>,
    /// How often things ran in an earlier run.
    pub earlier: Earlier,
}

/// How often things ran in an earlier run, as far as it is known.
#[derive(Clone, Default, Debug)]
pub struct Earlier {
    /// Calls of procedures.
    pub executions: FxHashMap<Serial, u64>,
    /// Mean trips of loops.
    pub trips: FxHashMap<Serial, f64>,
}

/// What is known of a construct after optimization.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Construct {
    /// Its serial.
    pub serial: Serial,
    /// Its status.
    pub status: Status,
    /// Why, if it is not EXACT.
    pub reason: Option<String>,
    /// The constructs that its time is joint with.
    pub merged_with: Vec<Serial>,
    /// The passes that changed it, in order.
    pub passes: Vec<&'static str>,
    /// The construct whose timer measures it.
    pub timer: Option<Serial>,
    /// Why it has no timer, if it might have one: the budget had no room for it, it is filtered, or a leaf.
    pub untimed: Option<&'static str>,
}

/// The measured program.
#[derive(Clone, Default, Debug)]
pub struct Measured {
    /// Every profiled construct, in source order.
    pub constructs: Vec<Construct>,
    /// The constructs that have a timer of their own, in source order.
    pub timers: Vec<Serial>,
    /// What the timers are expected to cost, as a fraction of the time.
    pub predicted: f64,
}

/// Maps, and places the probes. The units are at M.
pub fn measure(program: &mut Program, mode: TimeMode) -> Measured {
    measure_with(program, mode, &Selection::default(), &Choice::default())
}

/// As [`measure`], with a selection.
pub fn measure_with(program: &mut Program, mode: TimeMode, selection: &Selection, choice: &Choice) -> Measured {
    let histories = histories(program);
    let wishes = Wishes::of(program);
    let (mut constructs, plans) = {
        let trees: Vec<Tree<'_>> = program.units.iter().map(tree).collect();
        let mapping = Mapping::new(&program.infos, &trees);
        let constructs = statuses(&program.infos, &mapping, &histories, selection.regions, &choice.left_out);
        let allowed = |s: Serial| !choice.left_out.contains(&s) && may_time(s, &program.infos, selection, &wishes);
        let mut plans = user_plans(program, mode, &allowed);
        plans.extend(timers(program, &mapping, mode, &allowed));
        (constructs, plans)
    };
    user_constructs(program, &mut constructs, &plans);
    let procedures = procedures(program, mode, selection, choice, &wishes);
    let Affordable { plans, procedures, predicted, left_out } =
        within_budget(program, plans, procedures, selection.overhead, &choice.earlier);
    let mut timed: Vec<Serial> = Vec::new();
    let mut by_component: FxHashMap<Serial, Serial> = FxHashMap::default();
    for plan in &plans {
        for area in &plan.areas {
            place_area(&mut program.units[area.unit as usize], area, plan, plan.areas.iter().position(|a| a == area));
        }
        timed.push(plan.record);
        for &m in &plan.members {
            by_component.insert(m, plan.record);
        }
    }
    for i in procedures {
        let unit = &mut program.units[i];
        timed.push(unit.serial());
        by_component.insert(unit.serial(), unit.serial());
        time_procedure(unit);
    }
    timed.sort_unstable();
    for c in &mut constructs {
        c.timer = by_component.get(&c.serial).copied();
        let info = &program.infos.stmts[c.serial];
        let wanted = mode != TimeMode::None && info.kind.is_procedure() && c.timer.is_none();
        c.untimed = match () {
            () if left_out.contains(&c.serial) => Some("over budget"),
            () if wanted && !may_time(c.serial, &program.infos, selection, &wishes) => Some("filtered"),
            () if wanted && mode == TimeMode::Outer && selection.regions.times_procedures() => Some("leaf"),
            () => None,
        };
    }
    Measured { constructs, timers: timed, predicted }
}

/// The timers of the regions that the source marks. They are placed before those of loops, so that they stand around
/// them.
fn user_plans(program: &Program, mode: TimeMode, allowed: &dyn Fn(Serial) -> bool) -> Vec<Plan> {
    if mode == TimeMode::None {
        return vec![];
    }
    let regions = user_regions(&program.infos).into_iter().filter(|r| allowed(r.serial));
    regions
        .map(|r| (r.serial, region::areas(&program.units, &r)))
        .filter(|(_, areas)| !areas.is_empty() && areas.iter().all(|a| is_closed(&program.units[a.unit as usize], a)))
        .map(|(serial, areas)| Plan { record: serial, members: vec![serial], areas, is_loop: false })
        .collect()
}

/// The regions that the source marks, as constructs, in their places.
fn user_constructs(program: &Program, constructs: &mut Vec<Construct>, plans: &[Plan]) {
    for r in user_regions(&program.infos) {
        let (status, reason) = if plans.iter().any(|p| p.record == r.serial) {
            (Status::Exact, None)
        } else {
            (Status::ExactDerived, Some("counted; not timed by itself".to_owned()))
        };
        let at = constructs.partition_point(|c| c.serial < r.serial);
        let (merged_with, passes) = (vec![], vec![]);
        constructs.insert(
            at,
            Construct { serial: r.serial, status, reason, merged_with, passes, timer: None, untimed: None },
        );
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

/// What a budget leaves.
struct Affordable {
    plans: Vec<Plan>,
    /// The units whose procedures are timed.
    procedures: Vec<usize>,
    /// What the timers are expected to cost, as a fraction of the time.
    predicted: f64,
    /// The constructs whose timers cost too much.
    left_out: FxHashSet<Serial>,
}

/// Leaves out what a budget has no room for; says what the rest will cost.
fn within_budget(
    program: &Program,
    plans: Vec<Plan>,
    procedures: Vec<usize>,
    budget: Option<f64>,
    earlier: &Earlier,
) -> Affordable {
    let estimate = Estimate::of(program, earlier);
    let of_plan =
        |p: &Plan| -> f64 { p.areas.iter().map(|a| estimate.count(program, a.unit as usize, Some(a.first))).sum() };
    let counts: Vec<f64> =
        plans.iter().map(of_plan).chain(procedures.iter().map(|&i| estimate.count(program, i, None))).collect();
    let stays = match budget {
        Some(budget) => budget::choose(&estimate, &counts, budget),
        None => vec![true; counts.len()],
    };
    let pairs: f64 = counts.iter().zip(&stays).filter(|(_, stays)| **stays).fold(0.0, |sum, (n, _)| sum + n);
    let predicted = estimate.fraction(pairs);
    let (of_plans, of_procedures) = stays.split_at(plans.len());
    let mut out = Affordable { plans: vec![], procedures: vec![], predicted, left_out: FxHashSet::default() };
    for (plan, &stays) in plans.into_iter().zip(of_plans) {
        if stays {
            out.plans.push(plan);
        } else {
            out.left_out.extend(plan.members);
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
        nodes.push(Node { stmt: s, kind, set: unit.set(s), parent, block, position: *position });
        *position += 1;
    }
    let eliminate = |e: &&Edit| e.transform == Transform::Eliminate && !trueline_ir::fault("map_look_alike");
    let gone = unit.log().edits.iter().filter(eliminate);
    let eliminated =
        gone.map(|e| (kind_of(unit.head(e.stmt)), e.before)).filter(|(kind, _)| *kind != NodeKind::Other).collect();
    Tree { nodes, sets: unit.sets(), taints: unit.taints(), eliminated }
}

fn kind_of(head: Head) -> NodeKind {
    match head {
        Head::Do { .. } | Head::DoWhile { .. } => NodeKind::Loop,
        Head::If { .. } | Head::ArithIf { .. } | Head::Select { .. } => NodeKind::Conditional,
        _ => NodeKind::Other,
    }
}

/// What the edits say of each source statement.
#[derive(Default)]
struct History {
    passes: Vec<&'static str>,
    eliminated: Option<(&'static str, Why)>,
}

fn histories(program: &Program) -> FxHashMap<Serial, History> {
    let mut out: FxHashMap<Serial, History> = FxHashMap::default();
    for unit in &program.units {
        for e in &unit.log().edits {
            for &s in unit.sets().atoms(e.before).iter().chain(unit.sets().atoms(e.after)) {
                let history = out.entry(s).or_default();
                if !is_lowering(e.pass) && !history.passes.contains(&e.pass) {
                    history.passes.push(e.pass);
                }
                if let (Transform::Eliminate, Some(why)) = (e.transform, e.why) {
                    history.eliminated = Some((e.pass, why));
                }
            }
        }
    }
    out
}

fn is_lowering(pass: &str) -> bool {
    matches!(pass, "lower_m" | "lower_l" | "strength")
}

fn statuses(
    infos: &StmtInfos,
    mapping: &Mapping<'_>,
    histories: &FxHashMap<Serial, History>,
    regions: Regions,
    left_out: &FxHashSet<Serial>,
) -> Vec<Construct> {
    let listed = |kind: StmtKind| {
        if kind.is_profiled() {
            regions.selects(kind, false) || regions.selects(kind, true)
        } else {
            regions.counts_alone(kind)
        }
    };
    let profiled = infos.stmts.iter().filter(|(s, i)| listed(i.kind) && !left_out.contains(s));
    profiled
        .map(|(serial, info)| {
            let history = histories.get(&serial);
            let passes = history.map_or(vec![], |h| h.passes.clone());
            let mut c = Construct {
                serial,
                status: Status::Exact,
                reason: None,
                merged_with: vec![],
                passes,
                timer: None,
                untimed: None,
            };
            if info.kind.is_procedure() {
                return c;
            }
            if !info.kind.is_profiled() && !mapping.nodes(serial).is_empty() {
                c.status = if c.passes.is_empty() { Status::Exact } else { Status::ExactDerived };
                c.reason = (!c.passes.is_empty()).then(|| transformed(&c.passes, "counted by tallies"));
                return c;
            }
            match mapping.image(serial) {
                Image::True(_) => {}
                Image::Region { .. } if info.kind.is_conditional() => {
                    c.status = Status::ExactDerived;
                    c.reason = Some(transformed(&c.passes, "counted by tallies"));
                }
                Image::Region { with } if with.is_empty() => {
                    c.status = Status::Region;
                    c.reason = Some(transformed(&c.passes, "profiled as a region"));
                }
                Image::Region { with } => {
                    c.status = Status::Merged;
                    c.reason = Some(format!("with {}", lines(infos, &with)));
                    c.merged_with = with;
                }
                Image::Gone => {
                    c.status = Status::Eliminated;
                    c.reason = Some(match history.and_then(|h| h.eliminated) {
                        Some((pass, why)) => format!("by {pass}: {}", why.phrase()),
                        None => "nothing of it is left".to_owned(),
                    });
                }
            }
            c
        })
        .collect()
}

fn transformed(passes: &[&'static str], what: &str) -> String {
    if passes.is_empty() { what.to_owned() } else { format!("{what} after {}", passes.join(", ")) }
}

fn lines(infos: &StmtInfos, with: &[Serial]) -> String {
    let mut numbers: Vec<u32> = with.iter().map(|&s| infos.stmts[s].line).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let text: Vec<String> = numbers.iter().map(u32::to_string).collect();
    format!("{} {}", if text.len() == 1 { "line" } else { "lines" }, text.join(", "))
}

/// A timer to be placed.
struct Plan {
    /// The construct whose record it is.
    record: Serial,
    /// The constructs it measures.
    members: Vec<Serial>,
    areas: Vec<AreaOf>,
    is_loop: bool,
}

fn timers(program: &Program, mapping: &Mapping<'_>, mode: TimeMode, allowed: &dyn Fn(Serial) -> bool) -> Vec<Plan> {
    if mode == TimeMode::None {
        return vec![];
    }
    let infos = &program.infos;
    let timeable = |s: Serial| infos.stmts[s].kind.is_loop() || infos.stmts[s].kind.is_region();
    let is_outer = mode != TimeMode::All;
    let mut done: FxHashSet<Serial> = FxHashSet::default();
    let mut plans = Vec::new();
    for (s, _) in infos.stmts.iter() {
        let outermost = !infos.ancestors(s).any(timeable);
        if !timeable(s) || (is_outer && !outermost) || mapping.nodes(s).is_empty() || !allowed(s) {
            continue;
        }
        if !done.insert(mapping.component(s)) {
            continue;
        }
        let areas = mapping.areas(s);
        let costly = is_outer && areas.iter().any(|a| a.inside_other_loop);
        if costly || !areas.iter().all(|a| is_closed(&program.units[a.unit as usize], a)) {
            continue;
        }
        let members: Vec<Serial> = mapping.related(s).filter(|&m| timeable(m) && allowed(m)).collect();
        let is_loop = matches!(mapping.image(s), Image::True(_));
        plans.push(Plan { record: s, members, areas, is_loop });
    }
    plans
}

/// The statements of an area, outermost ones.
fn area_stmts(unit: &Unit, area: &AreaOf) -> Vec<Stmt> {
    let mut out = vec![area.first];
    while let Some(&last) = out.last()
        && last != area.last
        && let Some(next) = unit.next(last)
    {
        out.push(next);
    }
    out
}

/// Whether control enters the area at its first statement only, and leaves it at its last, by a GOTO or
/// by RETURN only.
fn is_closed(unit: &Unit, area: &AreaOf) -> bool {
    let inside: Vec<Stmt> = area_stmts(unit, area).into_iter().flat_map(|s| unit.walk_stmt(s)).collect();
    let labels = labels_in(unit, &inside);
    let members: FxHashSet<Stmt> = inside.iter().copied().collect();
    let leaves_otherwise = inside.iter().any(|&s| {
        let head = unit.head(s);
        !matches!(head, Head::Goto(_)) && unit.targets(head).iter().any(|l| !labels.contains(l))
    });
    let entered = unit
        .walk()
        .into_iter()
        .any(|s| !members.contains(&s) && unit.targets(unit.head(s)).iter().any(|l| labels.contains(l)));
    !leaves_otherwise && !entered
}

fn labels_in(unit: &Unit, stmts: &[Stmt]) -> FxHashSet<Label> {
    stmts
        .iter()
        .filter_map(|&s| match unit.head(s) {
            Head::Label(l) => Some(l),
            _ => None,
        })
        .collect()
}

fn place_area(unit: &mut Unit, area: &AreaOf, plan: &Plan, number: Option<usize>) {
    let stmts = area_stmts(unit, area);
    let inside: Vec<Stmt> = stmts.iter().flat_map(|&s| unit.walk_stmt(s)).collect();
    let labels = labels_in(unit, &inside);
    let mut ed = Editor::open(unit, "measure");
    let record = ed.record_for(plan.record);
    let (start, end) =
        if plan.is_loop { (ProbeOp::StartLoop, ProbeOp::EndLoop) } else { (ProbeOp::StartRegion, ProbeOp::EndRegion) };
    // One area an invocation counts it: the first; areas elsewhere are further parts of the same one.
    let entry = ed.make(ExprData::Int(Type::I4, i64::from(number == Some(0))));
    let head = Head::Probe { op: start, record, entry: entry.into() };
    ed.null(head, Place::Before(area.first), Why::Measuring);
    let stop = Head::Probe { op: end, record, entry: None.into() };
    for s in inside {
        let leaves = match ed.head(s) {
            Head::Return => true,
            Head::Goto(l) => !labels.contains(&l),
            _ => false,
        };
        if leaves {
            ed.null(stop, Place::Before(s), Why::Measuring);
        }
    }
    ed.null(stop, Place::After(area.last), Why::Measuring);
}

/// A procedure with a loop or a call. Others are too short for two readings of the clock.
fn worth_timing(unit: &Unit) -> bool {
    unit.kind() == UnitKind::Program
        || unit.walk().into_iter().any(|s| unit.head(s).is_loop() || matches!(unit.head(s), Head::Call { .. }))
}

fn time_procedure(unit: &mut Unit) {
    let serial = unit.serial();
    let returns: Vec<Stmt> = unit.walk().into_iter().filter(|&s| unit.head(s) == Head::Return).collect();
    let body = unit.body();
    let ends_open = unit.stmts(body).next_back().is_none_or(|s| !unit.head(s).is_jump());
    let mut ed = Editor::open(unit, "measure");
    let record = ed.record_for(serial);
    let probe = |op| Head::Probe { op, record, entry: None.into() };
    ed.null(probe(ProbeOp::StartProcedure), Place::Start(body), Why::Measuring);
    for s in returns {
        ed.null(probe(ProbeOp::EndProcedure), Place::Before(s), Why::Measuring);
    }
    if ends_open {
        ed.null(probe(ProbeOp::EndProcedure), Place::End(body), Why::Measuring);
    }
}

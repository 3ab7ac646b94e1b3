//! Timers: the constructs that get one, and the probes around their areas.

use crate::measure::{Instance, TimeMode, Timer};
use crate::region::{self, user_regions};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use trueline_ir::{Editor, ExprData, Head, Label, Place, ProbeOp, Program, Stmt, Type, Unit, Why, fault};
use trueline_provenance::map::{AreaOf, Image, Mapping, is_timed};
use trueline_provenance::{Origin, Serial, StmtInfos};

/// A timer to be placed.
pub(crate) struct Plan {
    /// The number of the unit.
    pub(crate) unit: usize,
    /// The instances that it measures, in source order; the first names the record.
    pub(crate) members: Vec<Origin>,
    /// The code that it measures.
    pub(crate) areas: Vec<AreaOf>,
    is_loop: bool,
    /// The nesting depth of its outermost member in the source, through inlined calls too.
    pub(crate) depth: usize,
}

impl Plan {
    /// The entry of the timer in the metadata.
    pub(crate) fn timer(&self, program: &Program) -> Timer {
        let unit = &program.units[self.unit];
        let instance = |m: &Origin| Instance { of: m.stmt, calls: unit.sets().calls(m.via).collect() };
        Timer { members: self.members.iter().map(instance).collect(), unit: unit.serial(), record: self.members[0] }
    }
}

/// The timers of the regions that the source marks. They come before the timers of loops of the same depth, so that
/// they stand around them. Returns also the regions with instances that can have no timer.
pub(crate) fn user_plans(
    program: &Program,
    mode: TimeMode,
    allowed: &dyn Fn(Serial) -> bool,
) -> (Vec<Plan>, FxHashSet<Serial>) {
    let (mut out, mut without) = (Vec::new(), FxHashSet::default());
    if mode == TimeMode::None {
        return (out, without);
    }
    let jumps = vec![OnceCell::new(); program.units.len()];
    for region in user_regions(&program.infos).into_iter().filter(|r| allowed(r.serial)) {
        for (u, unit) in program.units.iter().enumerate() {
            for (via, areas) in region::areas(unit, &program.infos, &region) {
                if is_again(unit, &program.infos, Origin { stmt: region.serial, via }) {
                    continue;
                }
                if !areas.iter().all(|a| is_closed(unit, a, jumps[u].get_or_init(|| jumps_of(unit, &unit.walk())))) {
                    without.insert(region.serial);
                } else if !areas.is_empty() {
                    let own = Origin { stmt: region.serial, via };
                    let depth = unit.sets().around(&program.infos, own).count();
                    out.push(Plan { unit: u, members: vec![own], areas, is_loop: false, depth });
                }
            }
        }
    }
    (out, without)
}

/// The timers of loops, regions and inlined procedures.
pub(crate) fn timers(
    program: &Program,
    mappings: &[Mapping<'_>],
    mode: TimeMode,
    allowed: &dyn Fn(Serial) -> bool,
) -> Vec<Plan> {
    let mut plans = Vec::new();
    if mode == TimeMode::None {
        return plans;
    }
    let infos = &program.infos;
    let is_outer = mode != TimeMode::All;
    for (u, mapping) in mappings.iter().enumerate() {
        let mut done: FxHashSet<Origin> = FxHashSet::default();
        let unit = &program.units[u];
        let jumps = jumps_of(unit, &unit.walk());
        for o in mapping.origins() {
            // A procedure that is not inlined is timed where it is entered.
            let kind = |o: Origin| infos.stmts[o.stmt].kind;
            let is_own = kind(o).is_procedure() && o.via == trueline_provenance::Chain::NONE;
            let in_loop = || mapping.around(o).any(|a| kind(a).is_loop() || kind(a).is_region());
            if !is_timed(kind(o)) || is_own || (is_outer && in_loop()) || !allowed(o.stmt) || done.contains(&o) {
                continue;
            }
            if is_again(unit, infos, o) {
                continue;
            }
            let members: Vec<Origin> = mapping.group(o).into_iter().filter(|m| allowed(m.stmt)).collect();
            done.extend(&members);
            let areas = mapping.areas(o);
            let seen = || mapping.origins().into_iter().take_while(|&m| m != o).any(|m| m.stmt == o.stmt);
            if fault("timer_of_one_instance") && seen() {
                continue;
            }
            let costly = is_outer && areas.iter().any(|a| a.inside_other_loop);
            if costly || areas.is_empty() || !areas.iter().all(|a| is_closed(unit, a, &jumps)) {
                continue;
            }
            let is_loop = matches!(mapping.image(o), Image::True(_));
            let depth = members.iter().map(|&m| mapping.around(m).count()).min().unwrap_or(0);
            plans.push(Plan { unit: u, members, areas, is_loop, depth });
        }
    }
    plans
}

/// Whether `o` stands in a procedure that was inlined into itself: its time is a part of that of the procedure around it, and two timers
/// would count it twice.
pub(crate) fn is_again(unit: &Unit, infos: &StmtInfos, o: Origin) -> bool {
    unit.sets().calls(o.via).any(|call| infos.procedure(call) == infos.procedure(o.stmt))
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
fn is_closed(unit: &Unit, area: &AreaOf, jumps: &Jumps) -> bool {
    let inside: Vec<Stmt> = area_stmts(unit, area).into_iter().flat_map(|s| unit.walk_stmt(s)).collect();
    let labels = labels_in(unit, &inside);
    let leaves_otherwise = inside.iter().any(|&s| {
        let head = unit.head(s);
        !matches!(head, Head::Goto(_)) && unit.targets(head).iter().any(|l| !labels.contains(l))
    });
    let own = jumps_of(unit, &inside);
    let is_entered = labels.iter().any(|l| jumps.get(l) != own.get(l));
    !leaves_otherwise && !is_entered
}

/// How often each label is the target of a jump.
type Jumps = FxHashMap<Label, usize>;

fn jumps_of(unit: &Unit, stmts: &[Stmt]) -> Jumps {
    let mut out = Jumps::default();
    for l in stmts.iter().flat_map(|&s| unit.targets(unit.head(s))) {
        *out.entry(l).or_default() += 1;
    }
    out
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

/// Places the probes of area `number` of a plan.
pub(crate) fn place_area(unit: &mut Unit, area: &AreaOf, plan: &Plan, number: usize) {
    let stmts = area_stmts(unit, area);
    let inside: Vec<Stmt> = stmts.iter().flat_map(|&s| unit.walk_stmt(s)).collect();
    let labels = labels_in(unit, &inside);
    let mut ed = Editor::open(unit, "measure");
    let record = ed.record_for(plan.members[0]);
    let (start, end) =
        if plan.is_loop { (ProbeOp::StartLoop, ProbeOp::EndLoop) } else { (ProbeOp::StartRegion, ProbeOp::EndRegion) };
    // One area counts an invocation: the first. Areas elsewhere are further parts of the same invocation.
    let entry = ed.make(ExprData::Int(Type::I4, i64::from(number == 0)));
    let head = Head::Probe { op: start, record, entry: entry.into() };
    ed.null(head, Place::Before(area.first), Why::Measuring);
    let stop = Head::Probe { op: end, record, entry: None.into() };
    for s in inside {
        let leaves = match ed.head(s) {
            Head::Return => true,
            Head::Goto(l) => !labels.contains(&l),
            _ => false,
        };
        if leaves && !fault("timer_open_at_jumps") {
            // The timers around this one have been placed, and end after it.
            let is_end = |&p: &Stmt| ends_timer(ed.head(p)) && !fault("timer_ends_outside_first");
            let ends = std::iter::successors(Some(s), |&s| ed.prev(s).filter(is_end));
            let first = ends.last().unwrap_or(s);
            ed.null(stop, Place::Before(first), Why::Measuring);
        }
    }
    ed.null(stop, Place::After(area.last), Why::Measuring);
}

fn ends_timer(head: Head) -> bool {
    matches!(head, Head::Probe { op: ProbeOp::EndLoop | ProbeOp::EndRegion, .. })
}

/// Places the probes of a procedure.
pub(crate) fn time_procedure(unit: &mut Unit) {
    let serial = unit.serial();
    let returns: Vec<Stmt> = unit.walk().into_iter().filter(|&s| unit.head(s) == Head::Return).collect();
    let body = unit.body();
    let ends_open = unit.stmts(body).next_back().is_none_or(|s| !unit.head(s).is_jump());
    let mut ed = Editor::open(unit, "measure");
    let record = ed.record_for(serial.into());
    let probe = |op| Head::Probe { op, record, entry: None.into() };
    ed.null(probe(ProbeOp::StartProcedure), Place::Start(body), Why::Measuring);
    for s in returns {
        ed.null(probe(ProbeOp::EndProcedure), Place::Before(s), Why::Measuring);
    }
    if ends_open {
        ed.null(probe(ProbeOp::EndProcedure), Place::End(body), Why::Measuring);
    }
}

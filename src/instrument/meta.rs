//! The metadata that a profiled object carries: every construct with its status, and the source of each of its counts.
//! With it an executable's profile is complete without the compiler or the sources.

use crate::access::Accesses;
use crate::flow::Terms;
use crate::narrate::{formula, narratives};
use crate::region::{around, user_regions};
use crate::{Discharged, Flow, Measured, Timer};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_abi::profile::{
    Construct, ConstructMeta, CountMeta, CountSource, Counts, DerivedMeta, EdgeMeta, ObjectMeta, SiteMeta, SourceFile,
    Status, TimerMeta, TripsMeta,
};
use trueline_ir::{BinaryOp, Callee, Expr, ExprData, Head, Intrinsic, Program, Unit, UnitKind};
use trueline_provenance::{CounterInfo, Measure, Serial, StmtInfo, StmtInfos, StmtKind};

/// The metadata's words on the compilation.
#[derive(Clone, Debug)]
pub struct MetaOptions {
    /// `O0` to `O3`.
    pub opt_level: String,
    /// The target, a triple.
    pub target: String,
    /// `post-wopt` …
    pub instrument_at: String,
}

/// The program as the front end made it: the calls of procedures, and the work to do. Collected before optimization.
#[derive(Clone, Default, Debug)]
pub struct Calls {
    /// The calls with a count of their own: statement, number, linker symbol.
    pub counted: Vec<(Serial, u16, String)>,
    /// The linker symbols of the others.
    pub others: FxHashSet<String>,
    /// The operations of every statement, in units of one addition.
    pub operations: FxHashMap<Serial, u64>,
    /// The walks of the innermost loops through memory.
    pub accesses: FxHashMap<Serial, Accesses>,
    /// The counts that follow from others.
    pub flow: Flow,
}

impl Calls {
    /// Forgets that loops combine numbers in the order of their iterations, where options allow any order: of sums and products, and of
    /// the greatest and the least.
    pub fn combine_in_any_order(&mut self, sums: bool, extremes: bool) {
        let is_free = |kind: &str, free: bool, sentence: &str| free && sentence.starts_with(&format!("the {kind} in "));
        for accesses in self.accesses.values_mut() {
            accesses.carried.retain(|s| {
                let sum = ["sum", "product"].iter().any(|kind| is_free(kind, sums, s));
                let extreme = ["maximum", "minimum"].iter().any(|kind| is_free(kind, extremes, s));
                !sum && !extreme
            });
        }
    }
}

/// The calls of every unit, in source order; the units must be as [`crate::plant`] left them.
pub fn calls(program: &Program) -> Calls {
    let mut out =
        Calls { accesses: crate::access::accesses(program), flow: crate::flow::flow(program), ..Calls::default() };
    for unit in program.units.iter().filter(|u| u.kind() != UnitKind::Data) {
        let mut numbers: FxHashMap<Serial, u16> = FxHashMap::default();
        for s in unit.walk() {
            if let Some(own) = unit.own_source(s)
                && !unit.head(s).is_invisible()
            {
                let n = out.operations.entry(own).or_insert(0);
                for e in unit.values(unit.head(s)) {
                    unit.visit_expr(e, &mut |x| *n += cost(unit, x));
                }
            }
            let Head::Call { callee: Callee::Proc(p), .. } = unit.head(s) else { continue };
            let symbol = unit.proc(p).symbol.clone();
            if unit.proc(p).is_libm || unit.proc(p).is_by_address() {
                continue;
            }
            let Some(own) = unit.own_source(s) else {
                out.others.insert(symbol);
                continue;
            };
            let k = numbers.entry(own).or_insert(0);
            if *k == u16::MAX {
                // Several calls have one count.
                out.others.insert(symbol.clone());
            }
            out.counted.push((own, *k, symbol));
            *k = k.saturating_add(1);
        }
    }
    out
}

/// The approximate cost of an operation beside an addition: divisions and functions are long.
fn cost(unit: &Unit, e: Expr) -> u64 {
    match unit.expr(e) {
        ExprData::Binary(BinaryOp::Div, ..) => 16,
        ExprData::Intrinsic(i, _) => match i {
            Intrinsic::Max | Intrinsic::Min | Intrinsic::Abs | Intrinsic::Merge => 1,
            _ => 24,
        },
        ExprData::Binary(..) | ExprData::Unary(..) | ExprData::Elem(..) | ExprData::Section(..) => 1,
        _ => 0,
    }
}

/// The metadata of `program` after [`crate::measure`] and [`crate::discharge`].
pub fn metadata(
    program: &Program,
    calls: &Calls,
    measured: &Measured,
    discharged: &Discharged,
    files: Vec<SourceFile>,
    options: &MetaOptions,
) -> ObjectMeta {
    let sources = Sources::new(program, discharged);
    let infos = &program.infos;
    let symbols: FxHashMap<Serial, &Unit> = program.units.iter().map(|u| (u.serial(), u)).collect();
    let hashes: FxHashMap<Serial, u64> = infos.structures().into_iter().collect();
    let mut told = narratives(program);
    let regions = user_regions(infos);
    let marked: FxHashMap<Serial, (String, u32)> =
        regions.iter().map(|r| (r.serial, (r.name.clone(), infos.stmts[r.end].line))).collect();
    let listed: FxHashSet<Serial> = measured.constructs.iter().map(|c| c.serial).collect();
    let mut missed = missed_of(program, &listed);
    let operations = operations_of(infos, calls, measured, &listed);
    let procedures = infos.procedures();
    let constructs = measured
        .constructs
        .iter()
        .map(|c| {
            let info = &infos.stmts[c.serial];
            let region = marked.get(&c.serial);
            let access = calls.accesses.get(&c.serial);
            let counts = sources.counts(c.serial, info.kind);
            let lost = counts.iter().find_map(|m| match &m.source {
                CountSource::Unavailable { pass } => Some(pass.clone()),
                CountSource::Sum { .. } => None,
            });
            let (status, reason) = match lost {
                Some(pass) => (Status::Unavailable, Some(format!("a count could not be carried over {pass}"))),
                None => (c.status, c.reason.clone()),
            };
            let formulas = counts.iter().map(|m| formula(infos, discharged, c.serial, m)).collect();
            let symbol = symbols.get(&c.serial).filter(|_| info.kind.is_procedure()).map(|u| u.symbol().to_owned());
            ConstructMeta {
                construct: Construct {
                    symbol: symbol.clone(),
                    missed: missed.remove(&c.serial).unwrap_or_default(),
                    operations: operations.get(&c.serial).copied().unwrap_or(0),
                    accesses: access.map_or_else(Vec::new, |a| a.list.clone()),
                    touched: access.map_or(0, |a| a.touched),
                    lanes: 0,
                    carried: access.map_or_else(Vec::new, |a| a.carried.clone()),
                    advice: access.and_then(|a| a.advice.clone()),
                    story: told.remove(&c.serial).unwrap_or_default(),
                    formulas,
                    hash: hashes.get(&c.serial).map(|h| format!("{h:016x}")),
                    serial: c.serial.as_u32(),
                    parent: around(infos, &regions, c.serial, |p| listed.contains(&p)).map(Serial::as_u32),
                    kind: region.map_or(info.kind.name(), |_| "region").to_owned(),
                    procedure: procedures.of(c.serial).map_or_else(String::new, |p| infos.stmts[p].text.clone()),
                    file: file_name(infos, info),
                    line: info.line,
                    end_line: region.map_or(info.end_line, |(_, end)| *end),
                    column: info.column,
                    text: region.map_or(&info.text, |(name, _)| name).clone(),
                    inlined_at: procedures
                        .of(c.serial)
                        .map_or_else(Vec::new, |home| inlined_at(program, c.serial, home)),
                    counts_exact: status != Status::Unavailable,
                    may_be_low: false,
                    status,
                    reason,
                    merged_with: c.merged_with.iter().filter(|s| listed.contains(s)).map(|s| s.as_u32()).collect(),
                    passes: c.passes.iter().map(|p| (*p).to_owned()).collect(),
                    counts: Counts::default(),
                    time: None,
                    untimed: c.untimed.map(str::to_owned),
                    samples: None,
                    foreign: Vec::new(),
                },
                trips: trips_of(program, discharged, &sources, c.serial, info.kind),
                counts,
                records: c.timers.clone(),
                partly: c.partly,
                symbol,
            }
        })
        .collect();
    let edges = calls
        .counted
        .iter()
        .map(|(s, k, symbol)| EdgeMeta {
            caller: procedures.of(*s).map_or(0, Serial::as_u32),
            callee: symbol.clone(),
            line: infos.stmts[*s].line,
            calls: sources.source(CounterInfo { of: *s, measure: Measure::Calls(*k) }),
            ahead: sources.is_ahead(CounterInfo { of: *s, measure: Measure::Calls(*k) }),
            behind: sources.is_behind(CounterInfo { of: *s, measure: Measure::Calls(*k) }),
            within: Some(*s)
                .filter(|s| listed.contains(s))
                .or_else(|| around(infos, &regions, *s, |p| listed.contains(&p)))
                .map(Serial::as_u32),
        })
        .collect();
    ObjectMeta {
        opt_level: options.opt_level.clone(),
        target: Some(options.target.clone()),
        instrument_at: options.instrument_at.clone(),
        files,
        constructs,
        timers: measured.timers.iter().map(|t| timer(infos, t)).collect(),
        edges,
        derived: sources.derived(discharged),
        of_ranks: (0..)
            .zip(&discharged.cells)
            .filter(|(_, c)| discharged.of_ranks.contains(*c))
            .map(|(k, _)| k)
            .collect(),
        costs: crate::cost::costs(program, discharged, &|info| sources.source(info)),
        targets: sources.targets(discharged),
    }
}

/// A timer: its constructs, and the calls that its code was inlined through.
fn timer(infos: &StmtInfos, t: &Timer) -> TimerMeta {
    let site = |&call: &Serial| {
        let info = &infos.stmts[call];
        SiteMeta {
            caller: infos.procedure(call).map_or(0, Serial::as_u32),
            file: file_name(infos, info),
            line: info.line,
        }
    };
    let via: Vec<Vec<SiteMeta>> = t.members.iter().map(|m| m.calls.iter().map(site).collect()).collect();
    TimerMeta {
        constructs: t.members.iter().map(|m| m.of.as_u32()).collect(),
        via: if via.iter().all(Vec::is_empty) { vec![] } else { via },
    }
}

/// The operations of the merged constructs and the constructs in them, for the statements directly in each.
fn operations_of(
    infos: &StmtInfos,
    calls: &Calls,
    measured: &Measured,
    listed: &FxHashSet<Serial>,
) -> FxHashMap<Serial, u64> {
    let merged: FxHashSet<Serial> =
        measured.constructs.iter().filter(|c| c.status == Status::Merged).map(|c| c.serial).collect();
    let mut out: FxHashMap<Serial, u64> = FxHashMap::default();
    for (&s, &n) in calls.operations.iter().filter(|_| !merged.is_empty()) {
        let around = |s: Serial| std::iter::once(s).chain(infos.ancestors(s));
        if let Some(at) = around(s).find(|s| listed.contains(s))
            && around(at).any(|s| merged.contains(&s))
        {
            *out.entry(at).or_insert(0) += n;
        }
    }
    out
}

/// The obstacles at each construct. An obstacle at a simple statement, such as a call, stands with the construct
/// around it.
fn missed_of(program: &Program, listed: &FxHashSet<Serial>) -> FxHashMap<Serial, Vec<String>> {
    let infos = &program.infos;
    let mut out: FxHashMap<Serial, Vec<String>> = FxHashMap::default();
    for r in crate::remarks::missed(program) {
        let Some(at) = [r.of].into_iter().chain(infos.ancestors(r.of)).find(|s| listed.contains(s)) else { continue };
        let place = if at == r.of { String::new() } else { format!("line {}: ", infos.stmts[r.of].line) };
        out.entry(at).or_default().push(format!("{}: {place}{}", r.pass, r.text));
    }
    out
}

/// The source of the trips of the loop `s`.
fn trips_of(
    program: &Program,
    discharged: &Discharged,
    sources: &Sources,
    s: Serial,
    kind: StmtKind,
) -> Option<TripsMeta> {
    let is_counted = |m: &Measure| *m == Measure::Iterations;
    if !kind.is_loop() || !sources.planted.get(&s).is_some_and(|m| m.iter().any(is_counted)) {
        return None;
    }
    let Some(trips) = discharged.trips.get(&s) else {
        let lost = crate::trips::lost(program);
        let why = lost.get(&s).map_or_else(|| "it is not counted".to_owned(), |why| crate::trips::reason(why));
        return Some(TripsMeta { unavailable: Some(why), ..TripsMeta::default() });
    };
    let histogram = trips.buckets.and_then(|n| {
        let first = CounterInfo { of: s, measure: Measure::TripBucket(n - 1) };
        sources.cells.get(&first).map(|&cell| (cell, n))
    });
    let constants = trips.constants.iter().map(|&(n, info)| (n, sources.source(info))).collect();
    Some(TripsMeta { unavailable: None, constants, histogram, few: trips.few })
}

/// The sources of counts.
struct Sources {
    /// Counts that are sums over a histogram: its cells, each with its factor.
    histograms: FxHashMap<CounterInfo, Vec<(i64, u32)>>,
    cells: FxHashMap<CounterInfo, u32>,
    /// The cells of invocations that follow from calls, after those of counters.
    derived: FxHashMap<CounterInfo, u32>,
    shared: FxHashMap<CounterInfo, (u64, CounterInfo)>,
    fixed: FxHashMap<CounterInfo, Vec<(u64, CounterInfo)>>,
    /// The cells of the further shares of a count.
    shares: FxHashMap<CounterInfo, Vec<u32>>,
    lost: FxHashMap<CounterInfo, &'static str>,
    planted: FxHashMap<Serial, Vec<Measure>>,
    ahead: FxHashSet<CounterInfo>,
    behind: FxHashSet<CounterInfo>,
    flow: FxHashMap<CounterInfo, Terms>,
}

type FxIndexMap<K, V> = indexmap::IndexMap<K, V, rustc_hash::FxBuildHasher>;

fn invocations(of: Serial) -> CounterInfo {
    CounterInfo { of, measure: Measure::Invocations }
}

impl Sources {
    fn new(program: &Program, discharged: &Discharged) -> Sources {
        let cells = discharged.cells.iter().enumerate().map(|(i, c)| (*c, i as u32)).collect();
        let first = discharged.cells.len() as u32;
        let derived = discharged.derived.iter().zip(first..).map(|(d, i)| (invocations(d.procedure), i)).collect();
        let mut fixed: FxHashMap<CounterInfo, Vec<(u64, CounterInfo)>> = FxHashMap::default();
        for f in &discharged.fixed {
            fixed.entry(f.counter).or_default().push((f.factor, invocations(f.procedure)));
        }
        let mut planted: FxHashMap<Serial, Vec<Measure>> = FxHashMap::default();
        let mut lost = FxHashMap::default();
        let wholes: FxHashMap<CounterInfo, CounterInfo> =
            discharged.shares.iter().flat_map(|(&whole, list)| list.iter().map(move |&share| (share, whole))).collect();
        for unit in &program.units {
            for (_, info) in unit.counters().filter(|(_, info)| !wholes.contains_key(info)) {
                let measures = planted.entry(info.of).or_default();
                if !measures.contains(&info.measure) {
                    measures.push(info.measure);
                }
            }
            lost.extend(unit.log().lost.iter().map(|(info, pass)| (*wholes.get(info).unwrap_or(info), *pass)));
        }
        for measures in planted.values_mut() {
            measures.sort_unstable();
        }
        let cells: FxHashMap<CounterInfo, u32> = cells;
        let histograms = discharged.by_trips.iter().map(|&info| {
            let cell = |(k, info): (i64, CounterInfo)| Some((k, *cells.get(&info)?));
            (info, crate::trips::terms(info).into_iter().filter_map(cell).collect())
        });
        let histograms = histograms.collect();
        let shares = discharged.shares.keys().map(|&info| {
            let of = discharged.shares_of(info).filter_map(|share| cells.get(&share).copied());
            (info, of.collect())
        });
        let shares = shares.collect();
        let Discharged { shared, ahead, behind, flow, .. } = discharged.clone();
        Sources { histograms, cells, derived, shared, fixed, shares, lost, planted, ahead, behind, flow }
    }

    /// The cells of a count, its own or those of an equal one, and their factor.
    fn terms(&self, info: CounterInfo) -> impl Iterator<Item = (i64, u32)> {
        let (factor, of) = self.shared.get(&info).copied().unwrap_or((1, info));
        let derived = self.derived.get(&of);
        let shares = self.shares.get(&of).filter(|_| derived.is_none()).into_iter().flatten();
        derived.or_else(|| self.cells.get(&of)).into_iter().chain(shares).map(move |&cell| (factor as i64, cell))
    }

    fn source(&self, info: CounterInfo) -> CountSource {
        let mut sum: FxIndexMap<u32, i64> = FxIndexMap::default();
        if let Some(terms) = self.flow.get(&info) {
            terms.iter().for_each(|&(k, of)| self.add(&mut sum, k, of));
        } else if let Some(pass) = self.lost.get(&info) {
            return CountSource::Unavailable { pass: (*pass).to_owned() };
        } else {
            self.add(&mut sum, 1, info);
        }
        sum.retain(|_, k| *k != 0);
        CountSource::Sum { terms: sum.into_iter().map(|(cell, k)| (k, cell)).collect() }
    }

    /// Adds `k` times the count, which does not follow from others by the structure of the source.
    fn add(&self, sum: &mut FxIndexMap<u32, i64>, k: i64, info: CounterInfo) {
        // A procedure whose own count has no cell is never entered.
        let fixed = self.fixed.get(&info).into_iter().flatten();
        let fixed = fixed.flat_map(|(n, base)| self.terms(*base).map(|(m, cell)| (m.wrapping_mul(*n as i64), cell)));
        let histogram = self.histograms.get(&info).into_iter().flatten().copied();
        for (n, cell) in self.terms(info).chain(fixed).chain(histogram) {
            let total = sum.entry(cell).or_default();
            *total = total.wrapping_add(n.wrapping_mul(k));
        }
    }

    /// The invocations that follow from calls, in the order of their cells.
    fn derived(&self, discharged: &Discharged) -> Vec<DerivedMeta> {
        let of = |d: &crate::Derived| {
            let entered = self.cells.get(&invocations(d.procedure)).map(|&cell| (1, cell));
            let mut terms: Vec<(i64, u32)> = entered.into_iter().collect();
            for info in &d.calls {
                if let CountSource::Sum { terms: more } = self.source(*info) {
                    terms.extend(more);
                }
            }
            let behind = d.calls.iter().any(|info| self.is_behind(*info));
            DerivedMeta { terms, ahead_in: d.ahead_in.iter().map(|s| s.as_u32()).collect(), behind }
        };
        discharged.derived.iter().map(of).collect()
    }

    /// The cells of the calls that go to each procedure of another object.
    fn targets(&self, discharged: &Discharged) -> Vec<Vec<u32>> {
        let cells =
            |counts: &Vec<CounterInfo>| counts.iter().filter_map(|info| self.cells.get(info).copied()).collect();
        discharged.outside.iter().map(|(_, counts)| cells(counts)).collect()
    }

    fn counts(&self, s: Serial, kind: StmtKind) -> Vec<CountMeta> {
        let Some(measures) = self.planted.get(&s) else { return vec![] };
        let wanted = |m: &&Measure| !matches!(m, Measure::Calls(_)) || kind == StmtKind::Call;
        measures
            .iter()
            .filter(|m| !m.is_of_trips())
            .filter(wanted)
            .map(|&measure| {
                let info = CounterInfo { of: s, measure };
                let (ahead, behind) = (self.is_ahead(info), self.is_behind(info));
                CountMeta { measure: measure.name(), source: self.source(info), ahead, behind }
            })
            .collect()
    }

    /// Whether the count may be too high in a run that is cut short.
    fn is_ahead(&self, info: CounterInfo) -> bool {
        self.flow.contains_key(&info) || self.fixed.contains_key(&info) || self.ahead.contains(&info)
    }

    /// Whether it may be too low.
    fn is_behind(&self, info: CounterInfo) -> bool {
        let of = self.shared.get(&info).map_or(info, |(_, base)| *base);
        self.flow.contains_key(&info) || self.behind.contains(&info) || self.behind.contains(&of)
    }
}

fn file_name(infos: &StmtInfos, info: &StmtInfo) -> String {
    infos.files.get(info.file as usize).map_or_else(String::new, |f| f.path.clone())
}

/// The call sites in other procedures that the construct `s` of the procedure `home` was inlined at.
fn inlined_at(program: &Program, s: Serial, home: Serial) -> Vec<String> {
    let infos = &program.infos;
    let mut out = Vec::new();
    for unit in program.units.iter().filter(|u| u.serial() != home) {
        let here = unit.counters().any(|(_, c)| c.of == s);
        if !here {
            continue;
        }
        for e in &unit.log().edits {
            if e.why != Some(trueline_ir::Why::Inlined) {
                continue;
            }
            for call in unit.sets().stmts(e.before) {
                let info = &infos.stmts[call];
                let site = format!("{}:{}", file_name(infos, info), info.line);
                if !out.contains(&site) && calls_procedure(info, infos, home) {
                    out.push(site);
                }
            }
        }
    }
    out
}

/// Whether the text of a calling statement names the procedure.
fn calls_procedure(call: &StmtInfo, infos: &StmtInfos, procedure: Serial) -> bool {
    let name = infos.stmts[procedure].text.to_lowercase();
    let name = name.split(['(', ' ']).rfind(|w| !w.is_empty()).unwrap_or("").to_owned();
    call.text.to_lowercase().contains(&name)
}

//! The procedures worth a timer, by the cost model of OpenUH's selective instrumentation.
//!
//! The score of a procedure is the sum of three metrics (section 5 of that paper):
//!
//! - its weight, `5 × basic blocks + statements + call sites`;
//! - `(100 − level) × 2048` for its deepest call site in loop nests: procedures called in loops are called often;
//! - `2048²` for each call site in it that calls an instrumented procedure: well connected procedures matter.
//!
//! A score below the threshold, by default that of an empty procedure called outside of loops, means no timer.
//! The scores depend on one another, so they are a fixed point: all procedures count as instrumented at first, and
//! each that falls below the threshold is taken from the scores of its callers.

use rustc_hash::FxHashMap;
use trueline_abi::profile::Profile;
use trueline_ir::{Block, Callee, Head, Program, Stmt, Unit, UnitKind};
use trueline_provenance::{Serial, StmtKind};

/// The score of an empty procedure that is called outside of loops.
pub const THRESHOLD: u64 = 204_800;

/// A procedure as the model sees it.
#[derive(Clone, Default, Debug)]
pub struct Shape {
    /// Its name.
    pub name: String,
    /// `5 × basic blocks + statements + call sites`.
    pub weight: u64,
    /// The procedures it calls, one entry a call site, with the level of the loop nest around the site. A procedure
    /// of another compilation is `None`.
    pub calls: Vec<(Option<usize>, u64)>,
}

/// The decision about a procedure, with its reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Score {
    /// Its name.
    pub procedure: String,
    /// The first metric.
    pub weight: u64,
    /// The level of the deepest loop nest that it is called in.
    pub loop_level: u64,
    /// The second metric.
    pub loop_score: u64,
    /// Call sites in it that call instrumented procedures.
    pub callsites: u64,
    /// The third metric.
    pub callsite_score: u64,
    /// The sum.
    pub score: u64,
    /// Whether it is instrumented.
    pub instrumented: bool,
    /// Why, or why not.
    pub reason: String,
}

/// Decides about all procedures.
pub fn decide(shapes: &[Shape], threshold: u64) -> Vec<Score> {
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); shapes.len()];
    let mut levels = vec![0u64; shapes.len()];
    for (i, s) in shapes.iter().enumerate() {
        for &(callee, level) in &s.calls {
            if let Some(callee) = callee {
                callers[callee].push(i);
                levels[callee] = levels[callee].max(level);
            }
        }
    }
    let mut sites: Vec<u64> =
        shapes.iter().map(|s| s.calls.iter().filter(|(callee, _)| callee.is_some()).count() as u64).collect();
    let score = |i: usize, sites: u64| {
        let loop_score = 100u64.saturating_sub(levels[i]) * 2048;
        (loop_score, shapes[i].weight.saturating_add(loop_score).saturating_add(sites.saturating_mul(2048 * 2048)))
    };
    let mut instrumented = vec![true; shapes.len()];
    let mut doubtful: Vec<usize> = (0..shapes.len()).rev().collect();
    while let Some(i) = doubtful.pop() {
        if instrumented[i] && score(i, sites[i]).1 < threshold {
            instrumented[i] = false;
            for &caller in &callers[i] {
                sites[caller] -= 1;
                doubtful.push(caller);
            }
        }
    }
    let told = |i: usize| {
        let (loop_score, sum) = score(i, sites[i]);
        Score {
            procedure: shapes[i].name.clone(),
            weight: shapes[i].weight,
            loop_level: levels[i],
            loop_score,
            callsites: sites[i],
            callsite_score: sites[i].saturating_mul(2048 * 2048),
            score: sum,
            instrumented: instrumented[i],
            reason: reason(sum, threshold, levels[i], sites[i], shapes[i].calls.len() as u64),
        }
    };
    (0..shapes.len()).map(told).collect()
}

fn reason(score: u64, threshold: u64, level: u64, sites: u64, all: u64) -> String {
    let calls = match (sites, all) {
        (0, 0) => "it calls nothing".to_owned(),
        (0, _) => "it calls nothing that is instrumented".to_owned(),
        (n, _) => format!("it calls instrumented procedures at {n} site{}", if n == 1 { "" } else { "s" }),
    };
    let called = match level {
        0 => "it is called outside of loops".to_owned(),
        n => format!("it is called in a loop nest of depth {n}"),
    };
    if score < threshold {
        format!("the score is below {threshold}: {called}, and {calls}")
    } else {
        format!("the score is at least {threshold}: {called}, and {calls}")
    }
}

/// The procedures of a program at VH, in source order, with their serials. With a profile of the program only
/// executed code counts: basic blocks, statements and call sites (the paper's effective weight).
pub fn shapes(program: &Program, profile: Option<&Profile>) -> Vec<(Serial, Shape)> {
    let units: Vec<&Unit> = program.units.iter().filter(|u| u.kind() != UnitKind::Data).collect();
    let by_symbol: FxHashMap<&str, usize> = units.iter().enumerate().map(|(i, u)| (u.symbol(), i)).collect();
    let executed = Executed::new(profile);
    units
        .iter()
        .map(|unit| {
            let mut shape = Shape { name: program.infos.stmts[unit.serial()].text.clone(), ..Shape::default() };
            let mut counted = Counted { blocks: 1, statements: 0 };
            let mut seen = Vec::new();
            if executed.is_entered(unit.serial()) {
                let mut work: Vec<(Block, u64)> = vec![(unit.body(), 0)];
                while let Some((b, level)) = work.pop() {
                    for s in unit.stmts(b) {
                        visit(unit, s, level, &executed, &mut work, &mut counted);
                        if let Some(own) = unit.own_source(s) {
                            seen.push(own);
                        }
                        if let Head::Call { callee: Callee::Proc(p), .. } = unit.head(s)
                            && !unit.proc(p).is_libm
                        {
                            shape.calls.push((by_symbol.get(unit.proc(p).symbol.as_str()).copied(), level));
                        }
                    }
                }
            } else {
                counted.blocks = 0;
            }
            seen.sort_unstable();
            seen.dedup();
            let countable = |s: &&Serial| {
                let kind = program.infos.stmts[**s].kind;
                !kind.is_procedure() && kind != StmtKind::Directive
            };
            counted.statements = seen.iter().filter(countable).count() as u64;
            shape.weight = 5 * counted.blocks + counted.statements + shape.calls.len() as u64;
            (unit.serial(), shape)
        })
        .collect()
}

struct Counted {
    blocks: u64,
    statements: u64,
}

/// Adds the basic blocks of `s`, and puts the blocks in it that are executed on the list.
fn visit(unit: &Unit, s: Stmt, level: u64, executed: &Executed, work: &mut Vec<(Block, u64)>, counted: &mut Counted) {
    let head = unit.head(s);
    let own = unit.sources(s).next();
    let inner = level + u64::from(head.is_loop());
    let mut arms = 0;
    for (k, &b) in unit.blocks(s).iter().enumerate() {
        if unit.stmts(b).next().is_some() && executed.enters(own, k, head.is_loop()) {
            arms += 1;
            work.push((b, inner));
        }
    }
    counted.blocks += match head {
        // The test at the top, the body, and the code behind.
        _ if head.is_loop() => 2 + arms,
        Head::If { .. } | Head::Select { .. } => 1 + arms,
        Head::ArithIf { .. } => 1,
        Head::Label(_) => 1,
        _ if !unit.blocks(s).is_empty() => 2 + arms,
        _ => 0,
    };
}

/// The statements that a profile says were executed.
struct Executed<'a> {
    constructs: Option<FxHashMap<u32, &'a trueline_abi::profile::Counts>>,
}

impl Executed<'_> {
    fn new(profile: Option<&Profile>) -> Executed<'_> {
        Executed { constructs: profile.map(|p| p.constructs.iter().map(|c| (c.serial, &c.counts)).collect()) }
    }

    fn counts(&self, s: Option<Serial>) -> Option<&trueline_abi::profile::Counts> {
        self.constructs.as_ref()?.get(&s?.as_u32()).copied()
    }

    fn is_entered(&self, procedure: Serial) -> bool {
        self.counts(Some(procedure)).is_none_or(|c| c.invocations != Some(0))
    }

    /// Whether control came to block `k` of a statement.
    fn enters(&self, s: Option<Serial>, k: usize, is_loop: bool) -> bool {
        self.counts(s).is_none_or(|c| {
            if is_loop { c.iterations != Some(0) } else { c.taken.as_ref().and_then(|t| t.get(k)) != Some(&0) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A procedure whose callees are `sites` instrumented helpers, called once from a loop nest of that level.
    fn row(weight: u64, level: u64, sites: usize) -> Score {
        let helper = |name: &str| Shape { name: name.into(), weight: 1, calls: vec![] };
        let mut shapes = vec![
            Shape { name: "row".into(), weight, calls: (0..sites).map(|_| (Some(2), 0)).collect() },
            Shape { name: "caller".into(), weight: 1, calls: vec![(Some(0), level)] },
        ];
        shapes.push(helper("helper"));
        decide(&shapes, THRESHOLD).swap_remove(0)
    }

    /// Table 1 of the paper. The sum in its last row is printed wrong: 58720256 is the third metric alone.
    #[test]
    fn the_rows_of_table_1() {
        for (name, weight, level, sites, loop_score, score, instrumented) in [
            ("matvecsub", 23, 3, 0, 198_656, 198_679, false),
            ("binvchrs", 240, 3, 0, 198_656, 198_896, false),
            ("binvrhs", 115, 3, 0, 198_656, 198_771, false),
            ("matmul_sub", 27, 3, 0, 198_656, 198_683, false),
            ("lhsinit", 57, 3, 0, 198_656, 198_713, false),
            ("exact_solution", 23, 4, 0, 196_608, 196_631, false),
            ("adi", 45, 1, 5, 202_752, 21_174_317, true),
            ("x_solve", 278, 0, 10, 204_800, 42_148_118, true),
            ("main", 459, 0, 14, 204_800, 58_925_515, true),
        ] {
            let s = row(weight, level, sites);
            assert_eq!((s.loop_score, s.score, s.instrumented), (loop_score, score, instrumented), "{name}");
            assert_eq!(s.callsite_score, s.callsites * 4_194_304, "{name}");
        }
    }

    /// `cffz` calls `ftz2` only, which is not instrumented, so the call does not count, and neither is `cffz`.
    #[test]
    fn scores_depend_on_one_another() {
        let shapes = [
            Shape { name: "main".into(), weight: 1, calls: vec![(Some(1), 1)] },
            Shape { name: "cffz".into(), weight: 65, calls: vec![(Some(2), 3)] },
            Shape { name: "ftz2".into(), weight: 116, calls: vec![] },
        ];
        let scores = decide(&shapes, THRESHOLD);
        assert_eq!((scores[1].score, scores[1].callsites, scores[1].instrumented), (202_817, 0, false));
        assert_eq!((scores[2].score, scores[2].instrumented), (198_772, false));
        assert_eq!((scores[0].score, scores[0].instrumented), (204_801, true));
    }

    #[test]
    fn recursion_and_deep_nests_have_scores() {
        let shapes = [
            Shape { name: "main".into(), weight: 1, calls: vec![(Some(1), 200)] },
            Shape { name: "even".into(), weight: 2, calls: vec![(Some(2), 0)] },
            Shape { name: "odd".into(), weight: 2, calls: vec![(Some(1), 0)] },
        ];
        let scores = decide(&shapes, THRESHOLD);
        assert_eq!((scores[1].loop_score, scores[1].instrumented), (0, true));
        assert!(scores[2].instrumented, "the greatest fixed point keeps what keeps itself");
        let all = decide(&shapes, u64::MAX);
        assert!(all.iter().all(|s| !s.instrumented && s.callsites == 0));
    }
}

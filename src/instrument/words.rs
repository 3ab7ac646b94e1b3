//! The log in the words of users: one line for each decision about a statement.
//!
//! The log has every edit, in the five transforms; most of them are details of a decision, or concern temporaries that name
//! many source statements. A *decision* about a construct is an edit of a statement that stands for the construct itself.

use trueline_ir::{Callee, Head, Intrinsic, Rt, Unit};
use trueline_provenance::{Edit, ExpandKind, Serial, SetId, StmtInfos, StmtKind, Transform, Why};

/// At most this many lines are named.
const MOST_LINES: usize = 4;

/// The decision about a call of a recursive procedure that is still made where the procedure calls itself.
const BASE_INLINED: &str = "inlined where the procedure does not call itself again";

/// Steps whose edits are of no interest to users: measuring, lowering, and the choice of registers.
const SILENT: [&str; 8] =
    ["measure", "plant", "discharge", "hoist_tallies", "mark_returning", "notes", "lower_m", "lower_l"];

/// The words for edit number `number` of `unit`, `e`, as far as it is a decision about `s`.
pub(crate) fn decision(unit: &Unit, infos: &StmtInfos, number: usize, e: &Edit, s: Serial) -> Option<String> {
    if SILENT.contains(&e.pass) || e.pass == "strength" {
        return None;
    }
    if e.pass == "uncheck" {
        let is_check = e.transform == Transform::Eliminate && matches!(unit.head(e.stmt), Head::If { .. });
        return is_check.then(|| "checks were proved, or are made once before the loop".to_owned());
    }
    if infos.stmts[s].kind.is_profiled() { construct(unit, infos, number, e, s) } else { statement(unit, infos, e, s) }
}

/// A decision about a construct.
fn construct(unit: &Unit, infos: &StmtInfos, number: usize, e: &Edit, s: Serial) -> Option<String> {
    let is_loop = |o: Serial| matches!(infos.stmts[o].kind, StmtKind::Do | StmtKind::DoWhile);
    let head = unit.head(e.stmt);
    let others = |wanted: &dyn Fn(Serial) -> bool| lines(unit, infos, e, s, wanted);
    match (e.pass, e.transform) {
        ("fuse", Transform::Merge) => Some(format!("fused with {}", loops(&others(&|_| true)?))),
        ("interchange", Transform::Move) => Some(format!("interchanged with {}", loops(&others(&is_loop)?))),
        ("unroll", Transform::Expand(ExpandKind::Rewrite)) => {
            unit.rewritten_step(number).map(|factor| format!("unrolled by {factor}"))
        }
        (_, Transform::Eliminate) if e.why == Some(Why::Unrolled) => Some("unrolled completely".to_owned()),
        (_, Transform::Eliminate) if e.why == Some(Why::Inlined) => Some("inlined".to_owned()),
        (_, Transform::Eliminate) if e.why == Some(Why::InlinedPart) => Some(BASE_INLINED.to_owned()),
        (_, Transform::Eliminate) if stands_for(head) => {
            Some(format!("removed: {}", e.why.map_or("it is not needed", Why::phrase)))
        }
        (_, Transform::Expand(ExpandKind::Lanes(n))) if head.is_loop() => Some(format!("vectorized, {n} lanes")),
        ("vectorize", Transform::Merge) if !is_loop(s) => {
            Some("both arms are done for several iterations at once, under a mask".to_owned())
        }
        ("distribute", Transform::Expand(ExpandKind::Replicate)) => Some("split into several loops".to_owned()),
        ("peel", Transform::Expand(ExpandKind::Rewrite)) if is_loop(s) => {
            Some("an iteration was peeled off".to_owned())
        }
        ("interior", Transform::Expand(ExpandKind::Rewrite)) if is_loop(s) => {
            Some("iterations in which all statements run have a loop without tests".to_owned())
        }
        ("strides", Transform::Expand(ExpandKind::Alternative)) if is_loop(s) && matches!(head, Head::If { .. }) => {
            Some("a version for neighbouring elements was made".to_owned())
        }
        ("version", Transform::Expand(ExpandKind::Rewrite)) if is_loop(s) => {
            Some("a version for the usual number of iterations was made".to_owned())
        }
        ("unswitch", Transform::Move) if is_loop(s) => {
            Some(format!("the condition of {} was taken out of it", others(&|o| !is_loop(o))?))
        }
        ("unswitch", Transform::Move) => Some(format!("taken out of {}", loops(&others(&is_loop)?))),
        ("licm", Transform::Move) if is_loop(s) && !stands_for(head) => {
            Some("values that do not change in it are computed before it".to_owned())
        }
        ("licm", Transform::Move) if stands_for(head) => Some(format!("moved out of {}", loops(&others(&is_loop)?))),
        ("promote", Transform::Move) if is_loop(s) => {
            Some("a variable or element is kept in a register over its iterations".to_owned())
        }
        ("scalar_replace", Transform::Move) if is_loop(s) => {
            Some("an array element is kept in a register over its iterations".to_owned())
        }
        ("idiom" | "multiply" | "transpose" | "evaluate", Transform::Expand(ExpandKind::Lower)) if is_loop(s) => {
            block(head).map(str::to_owned)
        }
        ("scalarize", Transform::Expand(ExpandKind::Lower)) if head.is_loop() => Some("became loops".to_owned()),
        _ => None,
    }
}

/// The kind of operation on blocks that replaced the loops around a statement.
fn block(head: Head) -> Option<&'static str> {
    match head {
        Head::Call { callee: Callee::Rt(Rt::CopyElements), .. } => Some("copied as one block"),
        Head::Call { callee: Callee::Rt(Rt::FillElements), .. } => Some("set as one block"),
        Head::Call { callee: Callee::Rt(Rt::Transpose), .. } => Some("copied as one transposed matrix"),
        Head::Call { callee: Callee::Rt(Rt::MultiplyR4 | Rt::MultiplyR8), .. } => {
            Some("computed as one matrix product")
        }
        Head::Call { callee: Callee::Rt(Rt::BlasR4 | Rt::BlasR8), .. } => {
            Some("computed as one matrix product, by the BLAS if it is large")
        }
        Head::Call { callee: Callee::Rt(f), .. } if Intrinsic::of_blocks(f).is_some() => {
            Some("has functions that are computed block by block")
        }
        _ => None,
    }
}

/// A decision about another statement.
fn statement(unit: &Unit, infos: &StmtInfos, e: &Edit, s: Serial) -> Option<String> {
    let with = lines(unit, infos, e, s, &|_| true).map_or(String::new(), |l| format!(" with {l}"));
    // Values that are computed for a call may go without it.
    let is_of_call = infos.stmts[s].kind != StmtKind::Call || matches!(unit.head(e.stmt), Head::Call { .. });
    Some(match (e.pass, e.transform) {
        (_, Transform::Eliminate) if !is_of_call => return None,
        ("inline" | "inline_in_nests", Transform::Expand(ExpandKind::Lower | ExpandKind::Alternative)) => return None,
        (_, Transform::Merge) => format!("shares a computed value{with}"),
        (_, Transform::Eliminate) if e.why == Some(Why::Inlined) => "inlined".to_owned(),
        (_, Transform::Eliminate) if e.why == Some(Why::InlinedPart) => BASE_INLINED.to_owned(),
        (_, Transform::Eliminate) => format!("removed: {}", e.why.map_or("it is not needed", Why::phrase)),
        ("unroll", Transform::Expand(ExpandKind::Partition)) => "copied by unrolling".to_owned(),
        ("peel", Transform::Expand(ExpandKind::Partition)) => "copied by peeling".to_owned(),
        (_, Transform::Expand(ExpandKind::Alternative)) => "copied for each outcome of a condition".to_owned(),
        ("vectorize", Transform::Expand(ExpandKind::Partition)) => return None,
        (_, Transform::Expand(ExpandKind::Partition)) => "copied".to_owned(),
        (_, Transform::Expand(ExpandKind::Lanes(n))) => format!("done for {n} iterations at once"),
        (_, Transform::Expand(ExpandKind::Rewrite | ExpandKind::Replicate | ExpandKind::Nest)) => return None,
        (_, Transform::Expand(ExpandKind::Lower)) => {
            block(unit.head(e.stmt)).unwrap_or("a part of it is computed on its own").to_owned()
        }
        (_, Transform::Move) => {
            let is_loop = |o: Serial| matches!(infos.stmts[o].kind, StmtKind::Do | StmtKind::DoWhile);
            match lines(unit, infos, e, s, &is_loop) {
                Some(of) => format!("a part of it was moved out of {}", loops(&of)),
                None => return None,
            }
        }
        (_, Transform::Null) => return None,
    })
}

/// `the loop of line 7`, `the loops of lines 7, 9`.
fn loops(lines: &str) -> String {
    format!("the loop{} of {lines}", if lines.starts_with("lines") { "s" } else { "" })
}

/// Whether a statement stands for a construct or call of the source, and not for a value that is computed.
fn stands_for(head: Head) -> bool {
    head.is_loop()
        || matches!(head, Head::If { .. } | Head::Select { .. } | Head::Call { .. } | Head::ArrayAssign { .. })
}

/// The lines of the other constructs that an edit is about, as far as they are `wanted`: `line 7`, `lines 7, 9`. None without such lines.
fn lines(unit: &Unit, infos: &StmtInfos, e: &Edit, s: Serial, wanted: &dyn Fn(Serial) -> bool) -> Option<String> {
    let sets = [Some(e.before), Some(e.after), e.with.expand()];
    let members = |set: SetId| unit.sets().stmts(set).collect::<Vec<_>>();
    let all = sets.into_iter().flatten().flat_map(members);
    let mut lines: Vec<u32> = all
        .filter(|&o| o != s && infos.stmts[o].kind != StmtKind::Program && wanted(o))
        .map(|o| infos.stmts[o].line)
        .collect();
    lines.sort_unstable();
    lines.dedup();
    let shown: Vec<String> = lines.iter().take(MOST_LINES).map(u32::to_string).collect();
    let more = if lines.len() > MOST_LINES { " …" } else { "" };
    match shown.len() {
        0 => None,
        1 => Some(format!("line {}", shown[0])),
        _ => Some(format!("lines {}{more}", shown.join(", "))),
    }
}

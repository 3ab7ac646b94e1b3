//! Shrinks a program that fails to a small one that fails in the same way.
//!
//! Whatever is tried need not be right: a candidate that does not compile, or that the interpreter
//! refuses, is one that does not fail, and is not taken.

use crate::ast::{Case, E, Proc, S, Ty};

/// The smallest case found for which `fails` holds, as it does for `case`.
pub fn reduce(case: &Case, fails: &dyn Fn(&Case) -> bool) -> Case {
    let mut best = case.clone();
    loop {
        let before = format!("{best:?}").len();
        chunks(&mut best, fails);
        statements(&mut best, fails);
        expressions(&mut best, fails);
        details(&mut best, fails);
        if format!("{best:?}").len() >= before {
            return best;
        }
    }
}

fn attempt(best: &mut Case, fails: &dyn Fn(&Case) -> bool, change: impl FnOnce(&mut Case)) -> bool {
    let mut candidate = best.clone();
    change(&mut candidate);
    let taken = fails(&candidate);
    if taken {
        *best = candidate;
    }
    taken
}

/// Deletes runs of top-level statements, long ones first.
fn chunks(best: &mut Case, fails: &dyn Fn(&Case) -> bool) {
    for p in 0..best.procs.len() {
        let mut size = best.procs[p].body.len().div_ceil(2);
        while size >= 1 {
            let mut at = 0;
            while at < best.procs[p].body.len() {
                let end = (at + size).min(best.procs[p].body.len());
                let gone = attempt(best, fails, |c| {
                    c.procs[p].body.drain(at..end);
                });
                if !gone {
                    at += size;
                }
            }
            if size == 1 {
                break;
            }
            size = size.div_ceil(2);
        }
    }
}

/// The number of statements of `block`, at any depth.
fn count(block: &mut [S]) -> usize {
    block.iter_mut().map(|s| 1 + s.blocks_mut().into_iter().map(|b| count(b)).sum::<usize>()).sum()
}

/// Applies `f` to the block and place of statement number `n`, outer ones first.
fn at_statement(block: &mut Vec<S>, n: &mut usize, f: &mut dyn FnMut(&mut Vec<S>, usize)) -> bool {
    let mut i = 0;
    while i < block.len() {
        if *n == 0 {
            f(block, i);
            return true;
        }
        *n -= 1;
        for b in block[i].blocks_mut() {
            if at_statement(b, n, f) {
                return true;
            }
        }
        i += 1;
    }
    false
}

/// Deletes statements, replaces constructs by their bodies, drops arms.
fn statements(best: &mut Case, fails: &dyn Fn(&Case) -> bool) {
    for p in 0..best.procs.len() {
        let mut n = 0;
        while n < count(&mut best.procs[p].body) {
            let edit = |best: &mut Case, f: &mut dyn FnMut(&mut Vec<S>, usize)| {
                attempt(best, fails, |c| {
                    let mut k = n;
                    at_statement(&mut c.procs[p].body, &mut k, f);
                })
            };
            if edit(best, &mut |b, i| {
                b.remove(i);
            }) {
                continue;
            }
            let mut arms = 0;
            edit_probe(&mut best.procs[p].body, n, &mut |b, i| arms = b[i].blocks_mut().len());
            // From the last: those in front keep their numbers when one is dropped.
            for arm in (0..arms).rev() {
                if edit(best, &mut |b, i| {
                    let inner = std::mem::take(b[i].blocks_mut().swap_remove(arm));
                    b.splice(i..=i, inner);
                }) {
                    break;
                }
                edit(best, &mut |b, i| drop_arm(&mut b[i], arm));
            }
            n += 1;
        }
    }
}

fn edit_probe(block: &mut Vec<S>, n: usize, f: &mut dyn FnMut(&mut Vec<S>, usize)) {
    let mut k = n;
    at_statement(block, &mut k, f);
}

fn drop_arm(s: &mut S, arm: usize) {
    match s {
        S::If(arms, otherwise) if arm >= arms.len() => otherwise.clear(),
        S::If(arms, _) if arms.len() > 1 => {
            arms.remove(arm);
        }
        S::Select(_, cases, otherwise) if arm >= cases.len() => otherwise.clear(),
        S::Select(_, cases, _) if cases.len() > 1 => {
            cases.remove(arm);
        }
        S::Where(arms) if arm > 0 && arm < arms.len() => {
            arms.remove(arm);
        }
        _ => {}
    }
}

/// Applies `f` to the value number `n` of the procedure.
fn at_value(proc: &mut Proc, mut n: usize, f: &mut dyn FnMut(&mut E)) -> bool {
    fn inside(e: &mut E, n: &mut usize, f: &mut dyn FnMut(&mut E)) -> bool {
        if *n == 0 {
            f(e);
            return true;
        }
        *n -= 1;
        e.operands_mut().into_iter().any(|o| inside(o, n, f))
    }
    fn block(b: &mut [S], n: &mut usize, f: &mut dyn FnMut(&mut E)) -> bool {
        b.iter_mut().any(|s| {
            if let S::Assign(place, _) = s
                && place.operands_mut().into_iter().any(|o| inside(o, n, f))
            {
                return true;
            }
            if s.values_mut().into_iter().any(|e| inside(e, n, f)) {
                return true;
            }
            s.blocks_mut().into_iter().any(|b| block(b, n, f))
        })
    }
    block(&mut proc.body, &mut n, f)
}

/// Replaces values by constants and by their operands.
fn expressions(best: &mut Case, fails: &dyn Fn(&Case) -> bool) {
    for p in 0..best.procs.len() {
        let mut n = 0;
        loop {
            let mut found = None;
            let procs = best.procs.clone();
            at_value(&mut best.procs[p], n, &mut |e| found = Some(e.clone()));
            let Some(e) = found else { break };
            let mut candidates = match procs[p].ty(&e, &procs) {
                Ty::I4 => vec![E::Int(1), E::Int(2)],
                Ty::R4 => vec![E::Real(Ty::R4, "1.0".into())],
                Ty::R8 => vec![E::Real(Ty::R8, "1.0d0".into())],
                Ty::L4 => vec![E::Log(true), E::Log(false)],
                Ty::C4 => vec![E::Text("b")],
            };
            let simple = matches!(e, E::Int(_) | E::Real(..) | E::Log(_) | E::Text(_));
            if simple {
                candidates.clear();
            }
            if !matches!(e, E::Elem(..) | E::Sec(..)) {
                candidates.extend(e.clone().operands_mut().into_iter().map(|o| o.clone()));
            }
            for new in candidates {
                if attempt(best, fails, |c| {
                    at_value(&mut c.procs[p], n, &mut |e| *e = new.clone());
                }) {
                    break;
                }
            }
            n += 1;
        }
    }
}

/// Drops names, steps, masks, equivalences; makes arrays small in nothing else.
fn details(best: &mut Case, fails: &dyn Fn(&Case) -> bool) {
    for p in 0..best.procs.len() {
        for n in 0..count(&mut best.procs[p].body) {
            let edits: [fn(&mut S); 3] = [
                |s| {
                    if let S::Do { name, .. } = s {
                        *name = None;
                    }
                },
                |s| {
                    if let S::Do { step, .. } = s {
                        *step = None;
                    }
                },
                |s| {
                    if let S::Forall(_, mask, _) = s {
                        *mask = None;
                    }
                },
            ];
            for f in edits {
                let mut changed = false;
                let mut probe = best.procs[p].body.clone();
                edit_probe(&mut probe, n, &mut |b, i| {
                    let old = b[i].clone();
                    f(&mut b[i]);
                    changed = b[i] != old;
                });
                if changed {
                    attempt(best, fails, |c| c.procs[p].body = probe);
                }
            }
        }
        for k in (0..best.procs[p].equivalences.len()).rev() {
            attempt(best, fails, |c| {
                c.procs[p].equivalences.remove(k);
            });
        }
    }
    // A procedure that is not called keeps its place in the list, since calls name it by number.
    for p in 1..best.procs.len() {
        attempt(best, fails, |c| c.procs[p].body.clear());
    }
}

//! The facts that advice rests on, and the words for them.

use super::Finding;
use crate::index::{Index, executions, is_loop, is_procedure};
use crate::safe;
use crate::table::count;
use std::collections::BTreeSet;
use trueline_abi::profile::{Construct, Edge, Time};

/// A finding, and how promising it is.
type Found = (u32, Finding);

/// The most names in one sentence.
const MOST_NAMES: usize = 4;
/// A stride of fewer bytes stays in the cache line.
const LINE_OF_CACHE: u64 = 64;
/// A loop with fewer iterations an entry is short.
const SHORT: f64 = 6.0;
/// A call, entry or test that happens less often is not worth a change.
const OFTEN: u64 = 1000;
/// A routine with less of a construct's time is not mentioned.
const PART: f64 = 0.15;

/// The findings about a construct.
pub(super) fn of(index: &Index<'_>, c: &Construct) -> Vec<Found> {
    let mut out = Vec::new();
    out.extend(strides(index, c));
    out.extend(irregular(c));
    out.extend(carried(index, c));
    routines(index, c, &mut out);
    calls(index, c, &mut out);
    out.extend(short_trips(index, c));
    out.extend(decisions(index, c));
    out.extend(separate_loops(c));
    out
}

fn found(promise: u32, line: u32, fact: String, hint: &str) -> Found {
    (promise, Finding { line, fact, hint: hint.to_owned() })
}

/// The transformations of the constructs, in words.
pub(super) fn done(all: &[&Construct]) -> String {
    const WORDS: [(&str, &str); 9] = [
        ("inline", "inlined"),
        ("inline_in_nests", "inlined"),
        ("interchange", "interchanged"),
        ("fuse", "fused"),
        ("distribute", "split"),
        ("unswitch", "unswitched"),
        ("peel", "peeled"),
        ("version", "versioned"),
        ("unroll", "unrolled"),
    ];
    let has = |pass: &str| all.iter().any(|c| c.passes.iter().any(|p| p == pass));
    let mut words: Vec<&str> = WORDS.iter().filter(|(pass, _)| has(pass)).map(|(_, word)| *word).collect();
    words.dedup();
    let lanes = all.iter().map(|c| c.lanes).max().unwrap_or(0);
    let in_parts = if all.iter().any(|c| !c.carried.is_empty()) { "in parts " } else { "" };
    let vectorized = format!("{in_parts}vectorized {lanes} wide");
    if lanes > 0 {
        words.push(&vectorized);
    }
    let accesses: Vec<Access<'_>> = all.iter().flat_map(|c| c.accesses.iter()).filter_map(|a| Access::of(a)).collect();
    if !accesses.is_empty() && accesses.iter().all(|a| matches!(a.class, "unit stride" | "uniform")) {
        words.push("with contiguous accesses only");
    }
    words.join(", ")
}

/// The cost of an iteration of a loop, without the loops and calls in it, and how much memory it touches anew.
pub(super) fn rate(c: &Construct, t: &Time) -> Option<String> {
    let iterations = c.counts.iterations.filter(|&n| n >= OFTEN && c.counts_exact && is_loop(c))?;
    let each = t.exclusive_ns as f64 / iterations as f64;
    let mark = if t.estimated || t.error_ns > 0 { "about " } else { "" };
    let is_all = t.inclusive_ns as f64 <= 1.05 * t.exclusive_ns as f64;
    let beside = if is_all { "" } else { " beside the loops and calls in it" };
    let bytes = if c.touched > 0 {
        format!(", and touches at most {} new bytes", count(Some(c.touched)))
    } else {
        String::new()
    };
    (each >= 0.01)
        .then(|| format!("One of its {} iterations takes {mark}{each:.2} ns{beside}{bytes}", count(Some(iterations))))
}

/// An access as the profile tells it: `a(i, j) read: constant stride, 1600 bytes`.
struct Access<'a> {
    element: &'a str,
    class: &'a str,
    bytes: Option<u64>,
}

impl Access<'_> {
    fn of(text: &str) -> Option<Access<'_>> {
        let (what, how) = text.rsplit_once(": ")?;
        let end = what.rfind(')')? + 1;
        let (class, bytes) = how.split_once(", ").map_or((how, None), |(class, bytes)| (class, Some(bytes)));
        let bytes = bytes.and_then(|b| b.strip_suffix(" bytes")?.parse::<i64>().ok()).map(i64::unsigned_abs);
        Some(Access { element: &what[..end], class, bytes })
    }

    fn array(&self) -> &str {
        self.element.split('(').next().unwrap_or(self.element)
    }

    /// The number of the subscript that mentions the variable, from 1.
    fn subscript(&self, variable: &str) -> Option<usize> {
        let inside = self.element.split_once('(')?.1.strip_suffix(')')?;
        let (mut depth, mut n, mut word) = (0usize, 1, String::new());
        for ch in inside.chars().chain([',']) {
            if ch.is_alphanumeric() || ch == '_' {
                word.push(ch);
                continue;
            }
            if word.eq_ignore_ascii_case(variable) {
                return Some(n);
            }
            word.clear();
            match ch {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => n += 1,
                _ => {}
            }
        }
        None
    }
}

/// The variable of a DO statement: `i` of `outer: do 10 i = 1, n`.
fn variable(c: &Construct) -> Option<&str> {
    let before = c.text.split_once('=')?.0.trim_end();
    before.rsplit(|ch: char| !(ch.is_alphanumeric() || ch == '_')).next().filter(|v| !v.is_empty())
}

/// Elements that are far apart in memory.
fn strides(index: &Index<'_>, c: &Construct) -> Option<Found> {
    let all: Vec<Access<'_>> = c.accesses.iter().filter_map(|a| Access::of(a)).collect();
    let is_far = |a: &&Access<'_>| a.class == "constant stride" && a.bytes.is_none_or(|b| b >= LINE_OF_CACHE);
    let far: Vec<&Access<'_>> = all.iter().filter(is_far).collect();
    let first = far.first()?;
    // The loop that runs innermost now is another one.
    if c.passes.iter().any(|p| p == "interchange") {
        return None;
    }
    let which = variable(c).and_then(|v| first.subscript(v)).filter(|&n| n > 1).map(ordinal);
    let mut names: Vec<&str> = far.iter().map(|a| a.array()).collect();
    names.dedup();
    let mut seen = BTreeSet::new();
    names.retain(|n| seen.insert(*n));
    let apart = first.bytes.map_or(String::new(), |b| format!(", {} bytes apart", count(Some(b))));
    let over = which.map_or_else(|| "steps through".to_owned(), |n| format!("runs over the {n} index of"));
    let fact = format!("the loop {over} {}, which is not contiguous in memory{apart}", listed(&names));
    let Some((line, better)) = c.advice.as_deref().and_then(better_loop) else {
        let hint = "store the array with this index as the first one, or copy the elements needed into a contiguous array before the loop";
        return Some(found(70, c.line, fact, hint));
    };
    let hint = match obstacle_of_interchange(index, c) {
        Some(why) => {
            format!("{}; the compiler did not exchange it with the loop of line {line}: {why}", way_round(&why))
        }
        None => format!(
            "exchange it with the loop of line {line} ({better}) if the order of the iterations does not matter"
        ),
    };
    Some(found(90, c.line, fact, &hint))
}

/// A change that makes it possible to exchange two loops, or unnecessary, for the reason why the compiler could not.
fn way_round(why: &str) -> &'static str {
    match why {
        "the bounds of one loop depend on the other, or can change" => {
            "give both loops bounds that do not depend on each other, with a condition inside, so that they can be exchanged"
        }
        "there is a jump inside" => "do without the jump in the loops, so that they can be exchanged",
        "there is a call, or input or output, inside" => {
            "move the call, or the input or output, out of the loops, so that they can be exchanged"
        }
        "a scalar carries a value from one iteration to the next" => {
            "keep the scalar's values in an array of one element an iteration, so that the loops can be exchanged"
        }
        "the value of a loop variable is needed afterwards" => {
            "compute the last value of the loop's variable after the loop, so that the loops can be exchanged"
        }
        _ => "store the array with this index as the first one: the iterations have to stay in their order",
    }
}

/// `with the loop of line L innermost, N of M accesses would be next to one another, not K`.
fn better_loop(advice: &str) -> Option<(u32, String)> {
    let rest = advice.strip_prefix("with the loop of line ")?;
    let (line, rest) = rest.split_once(" innermost, ")?;
    let numbers: Vec<u32> = rest.split(|ch: char| !ch.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
    let &[better, all, now] = numbers.as_slice() else { return None };
    Some((line.parse().ok()?, format!("{better} of {all} accesses are contiguous then, {now} now")))
}

/// Why the compiler did not exchange the loops around `c`, as it notes at one of them.
fn obstacle_of_interchange(index: &Index<'_>, c: &Construct) -> Option<String> {
    let around = std::iter::successors(Some(c), |c| index.get(c.parent?)).take_while(|c| !is_procedure(c));
    let mut notes = around.flat_map(|c| &c.missed).filter(|m| m.starts_with("interchange: "));
    notes.find_map(|m| Some(safe(m.rsplit_once(": ")?.1).into_owned()))
}

/// Elements whose places depend on values.
fn irregular(c: &Construct) -> Option<Found> {
    let all = c.accesses.iter().filter_map(|a| Access::of(a)).filter(|a| a.class == "irregular");
    let mut names: Vec<&str> = all.map(|a| a.element).collect();
    names.dedup();
    if names.is_empty() {
        return None;
    }
    let fact = format!("{} in an order that depends on values", reached(&names));
    let hint = "sort the indices, so that neighbours are used one after the other, or gather the elements once if the indices stay the same";
    Some(found(60, c.line, fact, hint))
}

fn reached(names: &[&str]) -> String {
    format!("{} {} reached", listed(names), if names.len() == 1 { "is" } else { "are" })
}

/// Values that an iteration needs from the one before.
fn carried(index: &Index<'_>, c: &Construct) -> Option<Found> {
    let first = c.carried.first().filter(|_| is_long(c))?;
    let others = c.carried.iter().any(|s| !s.starts_with("the sum in ") && !s.starts_with("the product in "));
    let part = if c.lanes > 0 { "this part of " } else { "" };
    let fact = format!("{}, so {part}the iterations cannot run in vectors", safe(first));
    let around = index.get(c.parent?).filter(|p| is_loop(p));
    let hint = match (others, around) {
        (false, _) => {
            "add up several partial results, such as those of the even and of the odd iterations, or compile with -ffast-math, if another order of the operations will do"
                .to_owned()
        }
        (true, Some(p)) => format!(
            "make another loop, such as that of line {}, the innermost one if its iterations do not need one another, or put the statements that do not need the earlier value into a loop of their own",
            p.line
        ),
        (true, None) => "put the statements that do not need the earlier value into a loop of their own".to_owned(),
    };
    Some(found(55, c.line, fact, &hint))
}

/// Whether a loop has enough iterations, each time, for vectors to pay.
fn is_long(c: &Construct) -> bool {
    let trips = c.counts.iterations.zip(c.counts.invocations);
    trips.is_some_and(|(t, e)| t >= OFTEN && t as f64 / e.max(1) as f64 >= SHORT)
}

/// Time in routines of libraries.
fn routines(index: &Index<'_>, c: &Construct, out: &mut Vec<Found>) {
    let own = index.time(c).map_or(0, |t| t.exclusive_ns).max(1) as f64;
    for f in c.foreign.iter().filter(|f| f.ns as f64 >= PART * own) {
        let name = safe(&f.name);
        let hint = match &*name {
            "WRITE" | "READ" | "input/output" => {
                "transfer whole arrays with one statement, without a format (FORM='UNFORMATTED') where no person reads it, or less often"
            }
            "ALLOCATE" | "DEALLOCATE" => "allocate the arrays once, before the loop, and keep them",
            "copies of arrays" => {
                "pass whole arrays or contiguous sections such as a(:, j), or declare the dummy argument with assumed shape, so that no copy is made"
            }
            "copies of elements" => {
                "exchange two arrays with MOVE_ALLOC or pointers, or let each read the values that the other got in the step before, instead of copying one into the other"
            }
            "communication of elements" => {
                "align and distribute the arrays of the statement so that the owner of the left side owns what is on the right, or run on one rank: elements are still sent one by one"
            }
            "communication of arrays" => {
                "keep the loops and their arrays in one procedure: the parts of all ranks are sent to all where a procedure with a distributed array is called"
            }
            "communication before loops" => {
                "distribute along a dimension in which subscripts are not shifted, or give each rank more work between two exchanges: a larger problem, or fewer ranks"
            }
            "powers" | "pow" | "powf" => "write small integer powers as products, and SQRT for a power of one half",
            "character operations" => {
                "move operations on unchanged values out of the loop, or compare and copy shorter strings"
            }
            n if is_function(n) => {
                "compute it before the loop where its argument stays the same, or once for each value that comes again, in a table"
            }
            _ => continue,
        };
        let part = (f.ns as f64 / own * 100.0).min(100.0);
        out.push(found(80, c.line, format!("~{part:.0} % of its own time is spent in {name}"), hint));
    }
}

/// Whether it is an elementary function of the mathematical library.
fn is_function(name: &str) -> bool {
    const ALL: [&str; 18] = [
        "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log", "log10", "sqrt",
        "fmod", "erf", "gamma", "sincos",
    ];
    ALL.contains(&name) || name.strip_suffix('f').is_some_and(|n| ALL.contains(&n))
}

/// Calls that stand in a loop.
fn calls(index: &Index<'_>, c: &Construct, out: &mut Vec<Found>) {
    let procedure = index.procedure_of(c.serial);
    let inside = |e: &&Edge| e.caller == procedure && (c.line..=c.end_line.max(c.line)).contains(&e.line);
    if !is_loop(c) {
        return;
    }
    let mut edges: Vec<&Edge> = index.profile.edges.iter().filter(inside).filter(|e| e.calls >= OFTEN).collect();
    edges.sort_by_key(|e| (std::cmp::Reverse(e.calls), e.line, e.callee));
    for e in edges.into_iter().take(MOST_NAMES) {
        let Some(callee) = index.get(e.callee) else { continue };
        let name = safe(&callee.text);
        let is_own = |m: &&String| m.starts_with(&format!("inline: line {}: ", e.line));
        // The note stands at the innermost construct around the call.
        let at_line =
            |o: &&Construct| index.procedure_of(o.serial) == procedure && (o.line..=o.end_line).contains(&e.line);
        let missed = index.profile.constructs.iter().filter(at_line).flat_map(|o| &o.missed).find(is_own);
        let fact = format!("{name} is called {} times", count(Some(e.calls)));
        if let Some(missed) = missed {
            let why = missed.rsplit_once(": ").map_or("", |(_, why)| why);
            let hint = match why {
                "it is too large" => {
                    "put the loop into the procedure, or its rare parts into another one, so that the rest is small enough to be inlined"
                }
                "the procedure calls itself" => {
                    "let the recursion end one call earlier: test before the call, not after it"
                }
                "an argument cannot take the place of the dummy argument" => {
                    "pass arguments of the type, kind and shape that the dummy arguments have"
                }
                _ => "put the loop into the procedure",
            };
            out.push(found(50, e.line, format!("{fact} and was not inlined: {}", safe(why)), hint));
        } else if callee.file != c.file && callee.inlined_at.is_empty() {
            let fact = format!("{fact}; it is in another file, {}", safe(&callee.file));
            out.push(found(50, e.line, fact, "compile both files with one command, so that it can be inlined"));
        }
    }
}

/// A loop that ends soon after it begins.
fn short_trips(index: &Index<'_>, c: &Construct) -> Option<Found> {
    let (entries, trips) = (c.counts.invocations?, c.counts.iterations?);
    let mean = trips as f64 / entries.max(1) as f64;
    if !is_loop(c) || entries < OFTEN || mean >= SHORT || !c.counts_exact {
        return None;
    }
    let fact =
        format!("the loop has only {mean:.1} iterations on average, and is entered {} times", count(Some(entries)));
    let around = index.get(c.parent?).filter(|p| is_loop(p));
    let longer = around.filter(|p| {
        let n = &p.counts;
        n.iterations.zip(n.invocations).is_some_and(|(t, e)| t as f64 / e.max(1) as f64 > 4.0 * mean)
    });
    let hint = match longer {
        Some(p) => format!(
            "make the longer loop of line {} the inner one, or give this one constant bounds, so that it is written out",
            p.line
        ),
        None => "give the loop constant bounds, so that it is written out".to_owned(),
    };
    Some(found(65, c.line, fact, &hint))
}

/// Conditions that are tested in each iteration.
fn decisions(index: &Index<'_>, c: &Construct) -> Option<Found> {
    let iterations = c.counts.iterations.filter(|_| is_loop(c))?;
    let inside = index.profile.constructs.iter().filter(|o| o.parent == Some(c.serial));
    let often = |o: &&Construct| {
        let is_out = o.passes.iter().any(|p| p == "unswitch");
        !is_out && o.counts.part.is_empty() && o.counts.evaluations.is_some_and(|n| n >= OFTEN && n >= iterations / 2)
    };
    let o = inside.filter(often).max_by_key(|o| (executions(o), std::cmp::Reverse(o.serial)))?;
    if o.kind == "select" {
        return cases(o);
    }
    let (all, first) = (o.counts.evaluations?, *o.counts.taken.as_ref()?.first()?);
    let part = first as f64 / all.max(1) as f64;
    let times = count(Some(all));
    if first == 0 || first == all {
        let way = if first == 0 { "false" } else { "true" };
        let fact = format!("the condition was {way} all {times} times");
        let hint = "test it once before the loop if it does not depend on the loop's variable, or leave out of the loop the iterations that need it";
        return Some(found(30, o.line, fact, hint));
    }
    (0.1..=0.9).contains(&part).then(|| {
        let fact = format!("the condition is true in {:.0} % of {times} tests, so processors often guess wrong", part * 100.0);
        let hint = "compute both values and choose with MERGE if they are cheap, or split the loop so that each part needs no test";
        found(40, o.line, fact, hint)
    })
}

/// A SELECT CASE of which no case is by far the most frequent.
fn cases(o: &Construct) -> Option<Found> {
    let (all, most) = (o.counts.evaluations?, *o.counts.taken.as_ref()?.iter().max()?);
    let part = most as f64 / all.max(1) as f64;
    (part <= 0.9).then(|| {
        let times = count(Some(all));
        let fact = format!(
            "the most frequent case is that of {:.0} % of {times} values, so processors often guess wrong",
            part * 100.0
        );
        let hint = "look up in a table of the values what to do, or treat the most frequent case before the SELECT";
        found(40, o.line, fact, hint)
    })
}

/// Loops that go over the same arrays one after the other.
fn separate_loops(c: &Construct) -> Option<Found> {
    let iterations = "not fused with the next loop: the loops do not run over the same iterations";
    c.missed.iter().any(|m| m.ends_with(iterations)).then(|| {
        let fact = "the next loop runs over other iterations, so the two were not made one".to_owned();
        let hint = "give both the same bounds, and the iterations that are left a loop of their own, if they use the same arrays";
        found(20, c.line, fact, hint)
    })
}

/// Names in quotes with commas, no more than fit in a sentence.
fn listed(names: &[&str]) -> String {
    let mut shown: Vec<String> = names.iter().take(MOST_NAMES).map(|n| format!("`{}`", safe(n))).collect();
    if names.len() > MOST_NAMES {
        return format!("{} and others", shown.join(", "));
    }
    let last = shown.pop().unwrap_or_default();
    if shown.is_empty() { last } else { format!("{} and {last}", shown.join(", ")) }
}

fn ordinal(n: usize) -> String {
    match n {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        4 => "fourth".to_owned(),
        n => format!("{n}th"),
    }
}

//! The dependence test against real execution: every pair of references of small nests is run, and each direction that
//! occurs must be among the possible ones. For simple subscripts no other direction may be among them.

use super::depend::{Dependence, Dir, Side, Vector, dependence};
use super::loops::{DoLoop, outer_first};
use super::refs::{MemRef, Region};
use super::registers::{Confined, Flow};
use rustc_hash::FxHashSet;
use trueline_ir::{Head, Sym, Unit, parse_unit};

/// The dependence of the write in `text` on each read, over the loops around both.
fn of(text: &str) -> Vec<Dependence> {
    let u = parse_unit(text).unwrap();
    let outer = outer_first(&u)[0];
    let region = Region::of(&u, outer.stmt);
    let depth = outer_first(&u).len();
    let write: MemRef = *region.refs.iter().find(|r| r.write).expect("a write");
    let side = |r: &MemRef| Side::of(&u, outer.stmt, r.stmt);
    let at = side(&write);
    let reads = region.refs.iter().filter(|r| !r.write);
    reads.map(|r| dependence(&u, (&write, at.as_ref()), (r, side(r).as_ref()), depth, &region.defined)).collect()
}

fn one_loop(lo: i64, hi: i64, step: i64, write: &str, read: &str) -> Dependence {
    let text = format!("integer i, n\nreal a(200)\ndo i = {lo}, {hi}, {step} @1\na({write}) = a({read}) @2\nend");
    of(&text).remove(0)
}

fn vectors(d: &[&[Dir]]) -> Dependence {
    Dependence::In(d.iter().map(|v| Vector::from_slice(v)).collect())
}

use Dir::{After, Before, Same};

#[test]
fn one_subscript_is_exact() {
    assert_eq!(one_loop(1, 10, 1, "i", "i"), vectors(&[&[Same]]));
    assert_eq!(one_loop(1, 10, 1, "i", "i - 1"), vectors(&[&[Before]]));
    assert_eq!(one_loop(1, 10, 1, "i", "i + 9"), vectors(&[&[After]]));
    assert_eq!(one_loop(1, 10, 1, "i", "i + 10"), Dependence::Never);
    assert_eq!(one_loop(10, 1, -1, "i", "i - 1"), vectors(&[&[After]]));
    assert_eq!(one_loop(1, 10, 2, "i", "i + 1"), Dependence::Never);
    assert_eq!(one_loop(1, 10, 1, "2 * i", "2 * i + 1"), Dependence::Never);
    assert_eq!(one_loop(1, 10, 1, "i + n", "i + n + 20"), Dependence::Never);
    assert_eq!(one_loop(1, 10, 1, "i", "50"), Dependence::Never);
    assert_eq!(one_loop(3, 3, 1, "i", "i"), vectors(&[&[Same]]));
    assert_eq!(one_loop(4, 3, 1, "i", "i"), Dependence::Never);
}

#[test]
fn what_is_not_known_is_possible() {
    let all: &[&[Dir]] = &[&[Before], &[Same], &[After]];
    assert_eq!(one_loop(1, 10, 1, "i", "n"), vectors(all));
    assert_eq!(one_loop(1, 10, 1, "i * i", "i"), vectors(all));
    assert_eq!(
        of("integer i, n\nreal a(200)\ndo i = 1, n @1\ncall s(&inout a) @2\na(i) = a(i + 1) @2\nend").pop(),
        Some(Dependence::Any)
    );
}

/// Every nest of two loops with small bounds and subscripts `p*i + q*j + r` of one or two dimensions, in full.
#[test]
fn nothing_that_happens_is_excluded() {
    let mut state = 7_u64;
    let mut random = move |n: i64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as i64).rem_euclid(n)
    };
    for _ in 0..400 {
        let mut sub = || [random(5) - 2, random(5) - 2, random(7) - 3];
        let (w, r) = ([sub(), sub()], [sub(), sub()]);
        let (two, triangular) = (random(2) == 0, random(3) == 0);
        let (lo, hi, step) = (random(4), random(6), [1, 2, -1][random(3) as usize]);
        let text = |s: &[[i64; 3]; 2]| {
            let one = |[p, q, r]: [i64; 3]| format!("{p} * i + ({q}) * j + ({r})");
            if two { format!("{}, {}", one(s[0]), one(s[1])) } else { one(s[0]) }
        };
        let inner = if triangular { "i".to_owned() } else { lo.to_string() };
        let dims = if two { "-99:99, -99:99" } else { "-99:99" };
        let source = format!(
            "integer i, j\nreal a({dims})\ndo i = {lo}, {hi} @1\ndo j = {inner}, {hi}, {step} @2\na({}) = a({}) @3\nend\nend",
            text(&w),
            text(&r)
        );
        let said = of(&source).remove(0);
        let points = points(lo, hi, if triangular { None } else { Some(lo) }, step);
        for (k, &(i, j)) in points.iter().enumerate() {
            for (l, &(x, y)) in points.iter().enumerate() {
                let at = |s: [i64; 3], i: i64, j: i64| s[0] * i + s[1] * j + s[2];
                let meet = (0..if two { 2 } else { 1 }).all(|d| at(w[d], i, j) == at(r[d], x, y));
                if meet {
                    let outer = compare(i, x);
                    // Inner iterations are numbered from their own first one.
                    let number = |i: i64, j: i64| (j - if triangular { i } else { lo }) / step;
                    let inner = compare(number(i, j), number(x, y));
                    let possible = said.any(|v| v == [outer, inner]);
                    assert!(possible, "{source}\n{k} {l}: {outer:?} {inner:?} not in {said:?}");
                }
            }
        }
    }
}

fn compare(a: i64, b: i64) -> Dir {
    match a.cmp(&b) {
        std::cmp::Ordering::Less => Before,
        std::cmp::Ordering::Equal => Same,
        std::cmp::Ordering::Greater => After,
    }
}

fn points(lo: i64, hi: i64, inner: Option<i64>, step: i64) -> Vec<(i64, i64)> {
    let mut out = Vec::new();
    for i in lo..=hi {
        let mut j = inner.unwrap_or(i);
        while if step > 0 { j <= hi } else { j >= hi } {
            out.push((i, j));
            j += step;
        }
    }
    out
}

fn sym(u: &Unit, name: &str) -> Sym {
    u.syms().find(|(_, d)| d.name == name).expect("declared").0
}

#[test]
fn registers_that_leave_an_iteration() {
    let u = parse_unit(
        "integer i, k\nreal a(10), s, t, x\ndo i = 1, 10 @1\nt = a(i) @2\nif t > 0.0 @3\nx = 1.0 @4\nend\ns = s + t * x @5\nend",
    )
    .unwrap();
    let flow = Flow::of(&u, outer_first(&u)[0].body);
    let names = |set: &FxHashSet<Sym>| {
        let mut names: Vec<String> = set.iter().map(|&v| u.sym(v).name.clone()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&flow.exposed), ["i", "s", "x"]);
    assert_eq!(names(&flow.assigned), ["s", "t"]);
}

#[test]
fn variables_that_do_not_matter_after_their_loops() {
    let u = parse_unit(
        "integer i, j, k\nreal a(10)\ndo i = 1, 10 @1\na(i) = 1.0 @2\nend\ndo j = 1, i @3\na(j) = 2.0 @4\nend\ndo k = 1, 3 @5\na(k) = 2.0 @6\nend",
    )
    .unwrap();
    let confined = Confined::of(&u);
    assert!(!confined.contains(sym(&u, "i")) && confined.contains(sym(&u, "j")) && confined.contains(sym(&u, "k")));
}

#[test]
fn trip_counts() {
    let trips = |bounds: &str| {
        let u = parse_unit(&format!("integer i, n\ndo i = {bounds} @1\nend")).unwrap();
        let s = u.walk().into_iter().find(|&s| matches!(u.head(s), Head::Do { .. })).expect("a loop");
        DoLoop::of(&u, s).and_then(|l| l.trips(&u))
    };
    assert_eq!(trips("1, 10, 3"), Some(4));
    assert_eq!(trips("10, 1, -4"), Some(3));
    assert_eq!(trips("5, 1"), Some(0));
    assert_eq!(trips("n, n + 3"), Some(4));
    assert_eq!(trips("1, n"), None);
}

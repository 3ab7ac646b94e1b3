//! The code that is made for a statement, and the arrays that are left to all ranks.

use super::run;
use crate::{Context, OptLevel};
use trueline_ir::testing;

/// The unit after the pass, its code alone: without declarations and without the making of handles.
fn resolved(declarations: &str, code: &str) -> String {
    let context = Context { hpf: true, ..Context::alone(OptLevel::O0) };
    let before = format!(
        "{declarations}\nmapping 0 @1 prescribed grid (free) dims (block of 1:10 on 1)\n\
         mapping 1 @1 prescribed grid (free) dims (cyclic(unknown) of 1:10 on 1)\n{code}"
    );
    let (_, after) = testing::apply("resolve", &|ed| run(ed, &context), &before);
    let text = after.to_string();
    let mut out = String::new();
    let mut is_making = false;
    let declares = |l: &str| {
        let first = l.split(' ').next().unwrap_or_default();
        ["i4", "i8", "r4", "r8", "c8", "l4", "mapping", "area", "subroutine", "program", "directive"].contains(&first)
    };
    for line in text.lines().filter(|l| !declares(l) && !l.contains("rt.ranks_begin()")) {
        is_making |= line.trim().starts_with("if mapped.");
        if !is_making {
            out.push_str(line.split(" @").next().unwrap_or_default().trim());
            out.push('\n');
        }
        is_making &= line.trim() != "end";
    }
    out
}

const ARRAYS: &str = "integer i, n, k(10)\nreal a(10) mapped 0, b(10) mapped 0, c(10) mapped 1, s, d(10)";

fn check(code: &str, wanted: &str) {
    let got = resolved(ARRAYS, code);
    assert_eq!(got.trim(), wanted.trim(), "got:\n{got}");
}

const HANDLES: &str = "mapped.1 = 0\nmapped.2 = 0\n";

#[test]
fn owners_store_and_fetch() {
    let wanted = "
rank.1 = call rt.ranks_write(mapped.2, &in a(i))
if rank.1 /= 0
a(i) = 1.0
end
call rt.ranks_fetch(mapped.2, &inout a(i + 1), mapped.1, &in b(i), &in \"\\x00\")
rank.2 = call rt.ranks_write(mapped.1, &in b(i))
if rank.2 /= 0
b(i) = a(i + 1) + d(i)
end";
    check("a(i) = 1.0 @2\nb(i) = a(i + 1) + d(i) @3", &format!("{HANDLES}{}", wanted.trim()));
}

#[test]
fn everybody_gets_what_decides() {
    let wanted = "
mapped.1 = 0
rank.1 = call rt.ranks_write(mapped.1, &in a(i))
if rank.1 /= 0
a(i) = 1.0
end
call rt.ranks_fetch(mapped.1, &inout a(n), 0, &in a(n), &in \"\\x00\")
s = a(n)
call rt.ranks_fetch(mapped.1, &inout a(i), 0, &in a(i), &in \"\\x00\")
if a(i) > 0.0
s = 0.0
end";
    check("a(i) = 1.0 @2\ns = a(n) @3\nif a(i) > 0.0 @5\ns = 0.0 @6\nend", wanted);
}

#[test]
fn what_is_not_evaluated_is_not_fetched() {
    let wanted = "
mapped.1 = 0
rank.1 = call rt.ranks_write(mapped.1, &in a(i))
if rank.1 /= 0
a(i) = 1.0
end
if n > 0
call rt.ranks_fetch(mapped.1, &inout a(10 / n), 0, &in a(10 / n), &in \"\\x00\")
end
if n > 0 .and. a(10 / n) > 0.0
s = 0.0
end";
    check("a(i) = 1.0 @2\nif n > 0 .and. a(10 / n) > 0.0 @3\ns = 0.0 @4\nend", wanted);
}

#[test]
fn arrays_are_whole_outside() {
    let wanted = "
mapped.1 = 0
rank.1 = call rt.ranks_write(mapped.1, &in a(i))
if rank.1 /= 0
a(i) = 1.0
end
call rt.ranks_publish(mapped.1, &inout a(1), &in \"\\x00\")
call rt.copy_elements(&out d(1), &in a(1), 40)";
    check("a(i) = 1.0 @2\ncall rt.copy_elements(&out d(1), &in a(1), 40) @3", wanted);
}

/// A unit after the pass.
fn nested(code: &str) -> String {
    nested_as(code, false)
}

fn nested_as(code: &str, in_order: bool) -> String {
    let context = Context { hpf: true, in_order, ..Context::alone(OptLevel::O0) };
    let unit = format!(
        "integer i, j, n, k2, k(10)\nreal a(10) mapped 0, b(10) mapped 0, c(10) mapped 1, s, x, d(10), f(10), e(10,10) mapped 2\n\
         mapping 0 @1 prescribed grid (free) dims (block of 1:10 on 1)\n\
         mapping 1 @1 prescribed grid (free) dims (cyclic of 1:10 on 1)\n\
         mapping 2 @1 prescribed grid (free) dims (block of 1:10 on 1, *)\n{code}"
    );
    let (_, after) = testing::apply("resolve", &|ed| run(ed, &context), &unit);
    after.to_string()
}

/// The exchanges before nests, the loops with bounds of their own, the guards, and the elements that are fetched one by one.
#[track_caller]
fn check_nest(code: &str, wanted: [usize; 4]) {
    let text = nested_as(code, true);
    let lines = |part: &str| text.lines().filter(|l| l.contains(part)).count();
    let starts = |word: &str, parts: &[&str]| {
        let is_one = |l: &&str| l.trim().starts_with(word) && parts.iter().any(|p| l.contains(p));
        text.lines().filter(is_one).count()
    };
    let (local, guards) = (starts("do ", &["part."]), starts("if ", &["part.", "rank."]));
    assert_eq!([lines("ranks_nest"), local, guards, lines("ranks_fetch")], wanted, "{text}");
}

#[test]
fn nests_get_one_exchange() {
    // Neighbours, other directions and steps.
    check_nest("do i = 2, 9 @2\nb(i) = a(i - 1) + a(i + 1) @3\nd(i) = 0.0 @4\nend\na(1) = 0.0 @5", [1, 0, 2, 0]);
    check_nest("do i = 2, 9 @2\nb(i) = a(i + 1) @3\nend\ndo i = 9, 2, -2 @4\na(i) = b(11 - i) @5\nend", [2, 2, 0, 0]);
    // Values of elements before they are stored to.
    check_nest("do i = 1, 9 @2\na(i) = a(i + 1) @3\nend", [1, 1, 0, 0]);
    // Subscripts that are no sums; parts that are dealt out in turn.
    check_nest("do i = 1, 9 @2\na(i) = b(k(i)) @3\nb(i) = 1.0 @4\nend", [0, 0, 2, 1]);
    check_nest("do i = 1, 9 @2\na(i) = c(k(i)) @3\nend\nc(1) = 0.0 @4", [1, 1, 1, 0]);
    check_nest("do i = 1, 9 @2\nc(i) = 1.0 @3\nend", [1, 1, 1, 0]);
}

#[test]
fn scalars_decide_who_runs() {
    // A scalar of each iteration, one that is needed behind the loop, one that goes on.
    check_nest("do i = 1, 9 @2\nx = a(i + 1) @3\na(i) = x @4\nend", [1, 1, 0, 0]);
    check_nest("do i = 1, 9 @2\nx = a(i + 1) @3\na(i) = x @4\nend\ns = x @5\nd(1) = s @6", [1, 1, 0, 0]);
    check_nest("x = 0.0 @1\ndo i = 1, 9 @2\nx = x + a(i) @3\nend\na(1) = x @4", [2, 1, 1, 0]);
    // The variable of the loop is read behind it.
    check_nest("do i = 1, 9 @2\na(i) = 1.0 @4\nend\nn = i @5\nk(1) = n @6", [1, 1, 0, 0]);
}

#[test]
fn nests_that_need_what_they_compute() {
    check_nest("do i = 2, 9 @2\na(i) = 1.0 @3\nb(i) = a(11 - i) @4\nend", [0, 0, 2, 1]);
    check_nest("do i = 2, 9 @2\na(k(i)) = 1.0 @3\nend", [0, 0, 1, 0]);
    // The loop inside is a nest of its own.
    check_nest("do j = 2, 9 @2\ndo i = j, 9 @3\na(i) = b(j - 1) @4\nend\nb(j) = a(j) @5\nend", [1, 1, 1, 0]);
}

/// Nests that follow one another have one exchange, if none needs elements that another rank computes in one before.
#[test]
fn neighbours_send_together() {
    check_nest("do i = 2, 9 @2\nb(i) = a(i - 1) @3\nend\ndo j = 1, 9 @4\na(j) = b(j) @5\nend", [1, 2, 0, 0]);
    check_nest("do i = 2, 9 @2\nb(i) = a(i - 1) @3\nend\ndo j = 1, 9 @4\na(j) = b(j + 1) @5\nend", [2, 2, 0, 0]);
    check_nest("do i = 2, 9 @2\nb(i) = a(i - 1) @3\nend\nb(1) = a(10) @4\na(10) = a(1) @5", [1, 1, 2, 0]);
    // Something between them, a scalar that the next one needs, one that is combined behind its nest.
    check_nest(
        "do i = 2, 9 @2\nb(i) = a(i - 1) @3\nend\nd(1) = 0.0 @4\ndo j = 1, 9 @5\na(j) = b(j) @6\nend",
        [2, 2, 0, 0],
    );
    check_nest("do i = 2, 9 @2\nb(i) = 1.0 @3\nend\ndo j = 1, i @4\na(j) = b(j) @5\nend", [2, 2, 0, 0]);
}

/// Bounds and subscripts look through registers that a nest defines once, before they are used.
#[test]
fn registers_are_looked_through() {
    let declared = "do j = 1, 9 @2\nk2 = n + 1 @3\ndo i = 1, k2 @4\na(i) = b(i) @5\nend\nend";
    check_nest(&format!("b(1) = 1.0 @1\n{declared}"), [2, 2, 1, 0]);
    // Defined twice, or behind.
    check_nest("do j = 1, 9 @2\ndo i = 1, k2 @4\na(i) = b(i) @5\nend\nk2 = n + j @3\nend", [1, 1, 0, 0]);
    check_nest("do i = 1, 8 @2\nk2 = i + 1 @3\na(i) = b(k2) @4\nend\nb(1) = 1.0 @5", [1, 1, 1, 0]);
}

/// A sum in a loop that is no nest goes from owner to owner.
#[test]
fn sums_take_turns() {
    let turns = |body: &str| {
        let text = nested(body);
        [text.matches("ranks_turn").count(), text.matches("ranks_all").count()]
    };
    let step = "do i = 1, 9 @3\na(i) = b(i) @4\nend";
    assert_eq!(turns(&format!("do j = 1, 9 @2\n{step}\ns = s + a(n) @5\nn = n + 1 @6\nend\nd(1) = s @7")), [1, 1]);
    // Needed in the loop; a jump; no sum.
    assert_eq!(turns(&format!("do j = 1, 9 @2\n{step}\ns = s + a(n) @5\nd(j) = s @6\nend")), [0, 0]);
    assert_eq!(turns(&format!("do j = 1, 9 @2\n{step}\ns = s + a(n) @5\nif n > 3 @6\nreturn @7\nend\nend")), [0, 0]);
    assert_eq!(turns(&format!("do j = 1, 9 @2\n{step}\ns = a(n) @5\nend\nd(1) = s @7")), [0, 0]);
}

/// Arrays of COMMON blocks are asked for, and handed over where they are passed; memory without a mapping is gathered.
#[test]
fn static_arrays_are_kept() {
    let unit = "subroutine p h @1\n\
                area c size 176 align 8 common\n\
                real a(10) static c+0 mapped 0, x(10) static c+80, y static c+160, z static c+168\ninteger i\n\
                mapping 0 @1 prescribed grid (free) dims (block of 1:10 on 1)\n\
                a(i) = x(i) @2\ncall q() @3\ncall r(&inout a(1)) @4\ny = z @5";
    let context = Context { hpf: true, ..Context::alone(OptLevel::O0) };
    let (_, after) = testing::apply("resolve", &|ed| run(ed, &context), unit);
    let text = after.to_string();
    let count = |part: &str| text.matches(part).count();
    // Two calls, and the entry.
    assert_eq!(count("rt.ranks_gather(&inout x(1), 96,"), 3, "{text}");
    assert_eq!([count("rt.ranks_leave"), count("rt.ranks_back")], [2, 2], "{text}");
    assert_eq!([count("rt.ranks_hand("), count("rt.ranks_returned(1,")], [1, 1], "{text}");
    assert_eq!([count("rt.ranks_keep"), count("rt.ranks_done"), count("rt.ranks_publish")], [2, 1, 0], "{text}");
    assert!(text.contains("area p_.ranks size 8 align 8 export init 0x01"), "{text}");
    assert!(text.contains("area trueline.asks.q size 8 align 8 shared init 0x00 address 0 of q.ranks 0"), "{text}");
}

/// Dummy arguments are asked for, and said to be, unless a loop uses them that is no nest.
#[test]
fn arguments_are_handed_over() {
    let after = |body: &str| {
        let unit = format!(
            "subroutine p(a, n) h @1\nreal a(10) mapped 0\ninteger n\ninteger i\n\
             mapping 0 @1 prescribed grid (free) dims (block of 1:10 on 1)\n{body}"
        );
        let context = Context { hpf: true, ..Context::alone(OptLevel::O0) };
        let (_, after) = testing::apply("resolve", &|ed| run(ed, &context), &unit);
        after.to_string()
    };
    let text = after("do i = 1, 10 @2\na(i) = 1.0 @3\nend\ncall q(&inout a(1)) @4\ncall r() @5");
    let count = |part: &str| text.matches(part).count();
    assert!(text.contains("area p_.ranks size 8 align 8 export init 0x03"), "{text}");
    // Before the nest and before the call.
    assert_eq!([count("rt.ranks_take"), count("rt.ranks_left"), count("rt.ranks_show")], [2, 1, 1], "{text}");
    assert_eq!([count("rt.ranks_hand(asks"), count("rt.ranks_map")], [1, 0], "{text}");
    let text = after("do while i > 0 @2\n  a(i) = a(i + 1) @3\nend");
    assert!(text.contains("init 0x01") && !text.contains("rt.ranks_take"), "{text}");
}

/// Arrays that nobody stores to, that are not mapped, or whose owners are known at run time only.
#[test]
fn refusals() {
    check("s = b(i) @2\nd(i) = b(i) @3", "s = b(i)\nd(i) = b(i)");
    check("c(i) = b(i) @2", "c(i) = b(i)");
    check("k(i) = i @2", "k(i) = i");
}

#[test]
fn nothing_happens_for_one_rank() {
    let context = Context::alone(OptLevel::O0);
    let unit = format!(
        "{ARRAYS}\nmapping 0 @1 prescribed grid (free) dims (block of 1:10 on 1)\n\
         mapping 1 @1 prescribed grid (free) dims (cyclic(unknown) of 1:10 on 1)\na(i) = 1.0 @2"
    );
    testing::check_unchanged("resolve", &|ed| run(ed, &context), &unit);
}

/// Ranks that wait for others: in blocks, from one side, for values that nobody stores to again.
#[test]
fn sweeps() {
    let swept = |body: &str| {
        let text = nested(body);
        text.matches("ranks_swept").count()
    };
    assert_eq!(swept("do i = 2, 9 @2\na(i) = a(i - 1) @3\nend"), 1);
    assert_eq!(swept("do i = 9, 2, -1 @2\na(i) = a(i + 1) + a(i - 1) @3\nend"), 1);
    assert_eq!(swept("do i = 3, 9 @2\nx = a(i - 2) @3\na(i) = x + b(i - 1) @4\nb(i) = x @5\nend"), 1);
    // Old values only; stored to again; parts that are dealt out in turn.
    assert_eq!(swept("do i = 2, 9 @2\na(i) = a(i + 1) @3\nend"), 0);
    assert_eq!(swept("do i = 2, 9 @2\na(i) = a(i - 1) @3\na(i - 1) = 1.0 @4\nend"), 0);
    assert_eq!(swept("do i = 2, 9 @2\nc(i) = c(i - 1) @3\nend"), 0);
    assert_eq!(swept("do j = 1, 2 @2\ndo i = 2, 9 @3\na(i) = a(i - 1) @4\nend\nend"), 1);
}

/// Iterations that need no elements of other ranks go first, if the outermost loop is shared and no iteration needs another one.
#[test]
fn inner_iterations_go_first() {
    let parted = |body: &str| nested(&format!("a(1) = 1.0 @1\n{body}\nk(1) = n @9")).matches("ranks_part").count();
    assert_eq!(parted("do i = 2, 9 @2\nb(i) = a(i - 1) + a(i + 1) @3\nend"), 1);
    assert_eq!(parted("do i = 9, 2, -1 @2\nx = a(i - 1) @3\nb(i) = x @4\nend"), 1);
    // Nothing comes; elements of this nest; a step; a value that another iteration defines.
    assert_eq!(parted("do i = 2, 9 @2\nb(i) = b(i) * 2.0 @3\nend"), 0);
    assert_eq!(parted("do i = 2, 9 @2\na(i) = a(i + 1) @3\nend"), 0);
    assert_eq!(parted("do i = 2, 9 @2\na(i) = a(i - 1) @3\nend"), 0);
    assert_eq!(parted("do i = 2, 9, 2 @2\nb(i) = a(i - 1) @3\nend"), 0);
    assert_eq!(parted("do i = 2, 9 @2\nb(i) = a(i - 1) @3\nn = i @4\nend"), 0);
    assert_eq!(parted("do j = 1, 2 @2\ndo i = 2, 9 @3\nb(i) = a(i - 1) @4\nend\nend"), 0);
}

/// Results that a nest carries from one iteration to the next go from rank to rank: in blocks, along the outermost loop, if each iteration is one rank's.
#[test]
fn results_go_from_rank_to_rank() {
    let carried = |body: &str| nested(&format!("a(1) = 1.0 @1\n{body}\nd(1) = s @9")).matches("ranks_carry").count();
    assert_eq!(carried("do i = 1, 9 @2\ns = s + a(i) @3\nend"), 3);
    assert_eq!(carried("do i = 9, 1, -1 @2\ndo j = 1, 4 @3\ns = s / 2.0 + a(i) @4\nend\nend"), 3);
    assert_eq!(carried("do i = 1, 9 @2\nif a(i) > s @3\ns = a(i) @4\nn = i @5\nend\nend\nk(1) = n @8"), 6);
    assert_eq!(carried("b(1) = 0.0 @8\ndo i = 1, 9 @2\ns = s + a(i) @3\nb(i + 1) = s @4\nend"), 3);
    // The loop along the dimension is an inner one, and each iteration outside has elements of its own.
    let crossed = |inner: &str| {
        carried(&format!("e(1,1) = 1.0 @1\ndo j = 1, 9 @2\ndo i = 1, 9 @3\n{inner}\nend\nend\nk(1) = n @8"))
    };
    assert_eq!(crossed("d(j) = d(j) + e(i,j) @4"), 3);
    assert_eq!(crossed("d(j + 1) = d(j + 1) * e(i,j) @4\nf(10 - j) = f(10 - j) + e(i,j) @5"), 6);
    assert_eq!(crossed("x = e(i,j) * 2.0 @4\nif x > d(j) @5\nd(j) = x @6\nend"), 3);
    let with_register = |first: &str, inner: &str, last: &str| {
        let nest = format!("do j = 1, 9 @2\n{first}\ndo i = 1, 9 @3\n{inner}\nend\n{last}\nend");
        carried(&format!("e(1,1) = 1.0 @1\n{nest}\nk(1) = n @8"))
    };
    assert_eq!(with_register("x = d(j) @4", "x = x + e(i,j) @5", "d(j) = x @6"), 3);
    assert_eq!(with_register("x = d(j) @4", "x = x + e(i,j) @5", "d(j + 1) = x @6"), 0);
    assert_eq!(with_register("x = d(j) @4", "x = x + e(i,j) @5", "d(j) = x @6\nf(2) = x @7"), 0);
    assert_eq!(with_register("x = d(j) @4\nx = x / 2.0 @4", "x = x + e(i,j) @5", "d(j) = x @6"), 0);
    assert_eq!(with_register("x = 0.0 @4", "x = x + e(i,j) @5", "d(j) = x @6"), 0);
    // Elements of other iterations, scalars, mapped elements that change.
    assert_eq!(crossed("d(j) = d(j) + e(i,j) + d(j + 1) @4"), 0);
    assert_eq!(crossed("d(3) = d(3) + e(i,j) @4"), 0);
    assert_eq!(crossed("s = s + e(i,j) @4"), 0);
    assert_eq!(crossed("d(j) = d(j) + e(i,j) @4\ne(i,j) = d(j) @5"), 0);
    assert_eq!(crossed("d(j) = d(j) + e(i,j) @4\nn = i @5"), 0);
    // The loop outside is another; as large as the array; no element that is read in any case.
    assert_eq!(carried("do j = 1, 9 @2\ndo i = 1, 9 @3\ns = s + a(i) @4\nend\nend"), 0);
    assert_eq!(carried("do i = 1, 9 @2\nd(i) = d(i) + a(i) @3\nend"), 0);
    assert_eq!(carried("do i = 1, 9 @2\nif n > i @3\ns = s + a(i) @4\nend\ns = s * 2.0 @5\nend"), 0);
}

/// The owner of an element evaluates a conditional, and counts its arms, if all in them is its work.
#[test]
fn owners_evaluate_conditionals() {
    let shares = |body: &str| {
        let text = nested(&format!("a(1) = 1.0 @1\nb(1) = 1.0 @1\ndo i = 1, 9 @2\n{body}\nend"));
        text.matches("of ranks += 1").count()
    };
    let conditional = |arm: &str| format!("if a(i) > 0.0 @3\ntally @3 taken.0 += 1\n{arm}\nend");
    assert_eq!(shares(&conditional("a(i) = 1.0 @4")), 1);
    assert_eq!(shares(&conditional("s = a(i) @4\na(i) = s @5\nif s > 2.0 @6\ntally @6 taken.0 += 1\nend")), 2);
    assert_eq!(shares(&format!("s = a(i) @5\n{}", conditional("b(i) = 1.0 @4").replace("a(i)", "s"))), 1);
    // Another owner; memory that all ranks have; a loop; an element that may not be there.
    assert_eq!(shares(&conditional("b(i + 1) = 1.0 @4")), 0);
    assert_eq!(shares(&conditional("d(i) = 1.0 @4")), 0);
    assert_eq!(shares(&conditional("do j = 1, 2 @4\na(i) = 1.0 @5\nend")), 0);
    assert_eq!(shares(&conditional("b(i) = 1.0 @4").replace("a(i) > 0.0", "n > i .and. a(i) > 0.0")), 0);
}

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
    for line in text.lines().filter(|l| !declares(l)) {
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
do i = 1, 3
call rt.ranks_fetch(mapped.1, &inout a(i), 0, &in a(i), &in \"\\x00\")
if a(i) > 0.0
s = 0.0
end
end";
    check("a(i) = 1.0 @2\ns = a(n) @3\ndo i = 1, 3 @4\nif a(i) > 0.0 @5\ns = 0.0 @6\nend\nend", wanted);
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

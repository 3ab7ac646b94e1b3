//! The shape of code for each target: instructions that only one of them has are used there, and no others stand in inner loops.

use object::{Object, ObjectSymbol};
use std::process::Command;

const ARM: &str = "aarch64-unknown-linux-gnu";
const X86: &str = "x86_64-unknown-linux-gnu";

/// A chain of the greatest of absolute values, each of four elements in turn.
const GREATEST: &str = "subroutine greatest(a, b, n, m)\n  integer, intent(in) :: n\n  real(8), intent(in) :: a(n), b(n)\n\
                        \x20 real(8), intent(inout) :: m\n  integer :: i\n  do i = 1, n\n    m = max(m, abs(b(i) - a(i)))\n  end do\nend\n";

/// The same without ABS: zeros of both signs may be among the values, and their order tells.
const GREATEST_OF_ANY: &str = "subroutine greatest(a, n, m)\n  integer, intent(in) :: n\n  real(8), intent(in) :: a(n)\n\
                               \x20 real(8), intent(inout) :: m\n  integer :: i\n  do i = 1, n\n    m = max(m, a(i))\n  end do\nend\n";

/// Five points of a grid, whose neighbours are a column of 4096 bytes away.
const STENCIL: &str = "module grid\n  real(8) :: u(512, 512), v(512, 512)\ncontains\n  subroutine sweep\n    integer :: i, j\n\
                       \x20   do j = 2, 511\n      do i = 2, 511\n        v(i, j) = 0.25d0 * (u(i-1, j) + u(i+1, j) + u(i, j-1) + u(i, j+1)) + 0.5d0 * u(i, j)\n\
                       \x20     end do\n    end do\n  end subroutine\nend module\n";

/// The program at a level, for a target.
fn dump(source: &str, level: &str, target: &str) -> String {
    dump_with(source, level, target, &[])
}

/// The same with more options.
fn dump_with(source: &str, level: &str, target: &str, more: &[&str]) -> String {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("p.f90"), source).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
    command.args(["dump", "--level", level, "--target", target, "p.f90"]).args(more).current_dir(directory.path());
    let out = command.output().unwrap();
    assert!(out.status.success(), "{target}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// The longest block of a listing that has `sign`: the inner loop.
fn inner_loop<'a>(listing: &'a str, sign: &str) -> Vec<&'a str> {
    let mut blocks: Vec<Vec<&str>> = vec![Vec::new()];
    for line in listing.lines() {
        if line.starts_with("block") {
            blocks.push(Vec::new());
        } else if let Some(block) = blocks.last_mut() {
            block.push(line.trim());
        }
    }
    blocks.retain(|b| b.iter().any(|l| l.starts_with(sign)));
    blocks.into_iter().max_by_key(Vec::len).unwrap_or_else(|| panic!("no block has {sign}:\n{listing}"))
}

#[test]
fn nans_are_out_of_the_way_where_one_instruction_keeps_them() {
    let arm = dump(GREATEST, "clif", ARM);
    assert_eq!(arm.matches(" cold:").count(), 1, "{arm}");
    // The way into the cold block is taken for NaNs alone, and all lanes go through one comparison in the loop.
    assert_eq!(arm.matches("fcmp uno ").count(), 1, "{arm}");
    let (hot, cold) = arm.split_once(" cold:").unwrap();
    // With vectors of two lanes: all of them, the lanes of their greatest, and the value from before.
    let vectors = hot.lines().filter(|l| l.contains("= fmax v")).count() - 1;
    assert!(vectors >= 2, "several iterations at once: {arm}");
    assert_eq!(cold.lines().filter(|l| l.contains("= select")).count(), 2 * vectors, "each in its order: {arm}");
    // x86-64 has no such instruction, and signed zeros have an order on both.
    let others = [dump(GREATEST, "clif", X86), dump(GREATEST_OF_ANY, "clif", ARM)];
    for other in others {
        assert!(!other.contains(" cold:") && !other.contains("fmax"), "{other}");
    }
}

#[test]
fn addresses_take_no_instructions_of_an_inner_loop() {
    let listing = dump(STENCIL, "asm", ARM);
    let block = inner_loop(&listing, "fadd ");
    let counted = |signs: &[&str]| block.iter().filter(|l| signs.iter().any(|s| l.starts_with(s))).count();
    // A single neighbour is too far below the others for a displacement.
    assert!(counted(&["movz ", "movn ", "movk "]) <= 1, "{block:#?}");
    assert!(block.iter().any(|l| l.starts_with("fadd ") && l.contains(".2d")), "two lanes: {block:#?}");
    // An induction variable and one pointer for each array besides the loads, sums and the store; the end compares at once.
    assert!(block.len() <= 20, "{block:#?}");
}

#[test]
fn products_are_rounded_before_they_are_added_unless_a_flag_says_otherwise() {
    let has = |target: &str, more: &[&str]| {
        dump_with(STENCIL, "asm", target, more).contains(if target == ARM { "fml" } else { "vfmadd" })
    };
    assert!(!has(ARM, &[]) && !has(X86, &["-march=x86-64-v3"]));
    assert!(has(ARM, &["-ffp-contract=fast"]));
    assert!(has(X86, &["-march=x86-64-v3", "-ffp-contract=fast"]) && has(X86, &["-mfma", "-ffast-math"]));
    // A processor without the instruction would call a procedure that computes it.
    assert!(!has(X86, &["-ffp-contract=fast"]) && !has(X86, &["-march=haswell", "-mno-fma", "-ffp-contract=fast"]));
    assert!(!has(ARM, &["-ffast-math", "-ffp-contract=off"]));
}

/// Functions that may be off by some units are others, and their results are so near.
#[test]
fn functions_of_vectors_are_approximate_if_a_flag_says_so() {
    let source = "subroutine s(x, y, z)\n  real(8) :: x(100), y(100), z(100)\n  integer :: i\n  do i = 1, 100\n\
                  \x20   z(i) = exp(x(i)) + log(y(i)) + sin(x(i)) + cos(y(i)) + y(i)**x(i)\n  end do\nend\n";
    let calls = |more: &[&str]| {
        let text = dump_with(source, "m", X86, more);
        ["exp", "log", "sin", "cos", "pow"].map(|f| text.contains(&format!("rt.approx_{f}_r8(")))
    };
    assert_eq!([calls(&[]), calls(&["-ffast-math", "-fno-approx-func"])], [[false; 5]; 2]);
    assert_eq!([calls(&["-fapprox-func"]), calls(&["-ffast-math"])], [[true; 5]; 2]);
}

/// A loop that reads more elements that stay the same than there are registers takes them from memory, two at once.
#[test]
fn elements_that_no_register_holds_stay_in_the_loop() {
    let sum = |i: usize| (1..=5).map(|k| format!(" - a({i}, {k})*b({k}, j)")).collect::<String>();
    let lines: String = (1..=5).map(|i| format!("    c({i}, j) = c({i}, j){}\n", sum(i))).collect();
    let source = format!(
        "subroutine product(a, b, c)\n  real(8) :: a(5, 5), b(5, 5), c(5, 5)\n  integer :: j\n  do j = 1, 5\n{lines}  end do\nend\n"
    );
    let text = dump(&source, "asm", X86);
    let spills = text.lines().filter(|l| l.contains("(%rsp") && l.contains("mov")).count();
    assert!(spills <= 4 && text.matches("mulpd").count() == 10, "{spills}: {text}");
}

#[test]
fn instructions_of_the_processor_that_is_named() {
    let count = "integer function bits(n)\n  integer, intent(in) :: n\n  bits = popcnt(n)\nend\n";
    let has = |more: &[&str]| dump_with(count, "asm", X86, more).contains("popcntl");
    assert!(!has(&[]) && has(&["-mpopcnt"]) && has(&["-march=haswell"]) && !has(&["-march=haswell", "-mno-popcnt"]));
    let avx = |more: &[&str]| dump_with(STENCIL, "asm", X86, more).contains("vaddpd");
    assert!(!avx(&[]) && avx(&["-mavx"]) && avx(&["-march=x86-64-v3", "-mtune=znver3"]));
}

/// A value that does not change in a loop is computed before it, also behind a way out of the loop.
#[test]
fn ways_out_of_a_loop_keep_nothing_in_it() {
    let source = "integer function find(a, n, m, x)
  integer, intent(in) :: n, m, a(n), x
  integer :: i
  find = 0
  do i = 1, n - m
    if (a(i) == x) then
      find = i
      return
    end if
    if (a(i) * 3 + m * n > x * 1000) exit
  end do
end function
";
    let listing = dump(source, "asm", X86);
    let lines: Vec<&str> = listing.lines().map(str::trim).collect();
    let label = |l: &str| lines.iter().position(|x| x.strip_suffix(':') == Some(l));
    // The loop: from the target of a jump back to the jump.
    let jumps = lines.iter().enumerate().filter_map(|(at, l)| Some((label(l.split_whitespace().last()?)?, at)));
    let (from, to) = jumps.filter(|(to, at)| to < at).max_by_key(|(to, at)| at - to).expect("a loop");
    let inside = &lines[from..to];
    assert!(inside.iter().filter(|l| l.starts_with('j')).count() > 3, "{listing}");
    // The limit of the loop is chosen before it, if it has to be chosen at all.
    for sign in ["cmov", "imull $0x3e8"] {
        assert!(!inside.iter().any(|l| l.starts_with(sign)), "{sign}: {listing}");
    }
    assert!(lines[..from].iter().any(|l| l.starts_with("imull $0x3e8")), "{listing}");
}

/// Two sums in a procedure with a loop for the rest: vectors are copied, and some do not find room in registers.
const COPIES: &str = "subroutine rows(a, b, n, m, s)\n  integer :: n, m, i, j\n  real(8) :: a(n, m), b(n, m), s(4), t(4)\n  t = s\n  do j = 1, m\n\
                      \x20   do i = 1, 10\n      a(i, j) = b(i, j) * t(1) + t(2) * (t(3) + b(i, j) * (t(4) + b(i, j)))\n    end do\n  end do\nend\n";

#[test]
fn no_instruction_without_avx_stands_beside_registers_of_32_bytes() {
    // Some processors take hundreds of cycles for each such instruction while an upper half is in use.
    let listing = dump_with(COPIES, "asm", X86, &["-O3", "-march=haswell", "-ffp-contract=fast"]);
    assert!(listing.contains("ymm"), "{listing}");
    let is_vector = |l: &&str| l.contains("%xmm") && !l.trim_start().starts_with(['v', '#', '.']);
    let wrong: Vec<&str> = listing.lines().filter(is_vector).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn vectors_of_the_runtime_are_no_calls() {
    // A closure is not compiled for the processor of the function around it, and an instruction in it becomes a function.
    let dir = tempfile::tempdir().unwrap();
    let source = "program p\n  real(8) :: x(1000)\n  call random_number(x)\n  x = exp(x) + sin(x) + log(x) + x**1.7d0\n  print *, x(1)\nend\n";
    std::fs::write(dir.path().join("p.f90"), source).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
    let out =
        command.args(["fc", "-O3", "-fapprox-func", "p.f90", "-o", "p"]).current_dir(dir.path()).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let program = std::fs::read(dir.path().join("p")).unwrap();
    let file = object::File::parse(&*program).unwrap();
    let names: Vec<&str> = file.symbols().filter_map(|s| s.name().ok()).collect();
    assert!(names.iter().any(|n| n.contains("elementary")));
    let is_call = |n: &&&str| n.contains("core_arch") && !n.contains("xgetbv");
    assert_eq!(names.iter().filter(is_call).collect::<Vec<_>>(), Vec::<&&str>::new());
}

//! Debug information of optimized code in gdb: frames of inlined procedures with their variables, constructs with names
//! of their own, variables reached through registers, and variables of modules that are in registers.

use crate::debug::{gdb, has, in_order, trueline};
use std::path::Path;

fn build(dir: &Path, source: &str, level: &str) {
    std::fs::write(dir.join("x.f90"), source).unwrap();
    trueline(dir, &["fc", "-g", level, "x.f90", "-o", "x"]);
}

const INLINED: &str = "subroutine add(c, total, factor)
  integer, intent(inout) :: c
  real(8), intent(inout) :: total
  real(8), intent(in) :: factor
  real(8) :: t
  c = c + 1
  t = total / (c + factor)
  total = t + c
  if (total > 100) call show(c, total)
end subroutine
subroutine show(c, t)
  integer :: c
  real(8) :: t
  print *, c, t
end subroutine
program p
  real(8) :: x(100), tot
  integer :: i, cc, by
  read (*, *) cc, tot, by
  x = 3
  i = 1
  do while (i <= 10)
    call add(cc, tot, x(i))
    tot = tot + x(i)
    i = i + by
  end do
  print *, tot, cc
end program
";

#[test]
fn inlined_frames_have_arguments_and_variables() {
    if !has("gdb") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("input"), "0 90 1\n").unwrap();
    for level in ["-O0", "-O3"] {
        build(dir.path(), INLINED, level);
        let commands = [
            "break x.f90:8",
            "run < input",
            "backtrace",
            "print t",
            "info locals",
            "info args",
            "up",
            "print i",
            "continue",
            "up",
            "print i",
            "down",
            "print t < 6",
        ];
        let text = gdb(dir.path(), "./x", &commands);
        in_order(
            &text,
            &[
                "add (c=",
                "factor=3) at ./x.f90:8",
                "#0  add",
                "#1",
                "p () at ./x.f90:23",
                "$1 = 22.5",
                "t = 22.5",
                "c = ",
                "total = ",
                "factor = 3",
                "#1",
                "$2 = 1",
                "$3 = 2",
                "$4 = .TRUE.",
            ],
        );
    }
}

#[test]
fn an_argument_that_is_not_changed_is_what_it_is_at_the_call() {
    if !has("gdb") {
        return;
    }
    let source = "subroutine put(a, n, by)
  integer, intent(in) :: n, by
  integer :: a(n), k
  k = 1
  do while (k <= n)
    if (mod(a(k), 3) == 0) call note(by)
    a(k) = by
    k = k + by / 17
  end do
end subroutine
subroutine note(by)
  integer, intent(in) :: by
  print *, 'a multiple of three', by
end subroutine
program p
  integer :: a(6), i, m
  a = [(i, i = 1, 6)]
  read (*, *) m
  call put(a, 6, m)
  print *, a, m
end program
";
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("input"), "17\n").unwrap();
    build(dir.path(), source, "-O3");
    let commands = ["break x.f90:13", "run < input", "up", "print by", "print k", "up", "print m"];
    let text = gdb(dir.path(), "./x", &commands);
    in_order(&text, &["note (by=17)", "put (a=", "x.f90:6", "$1 = 17", "$2 = 3", "x.f90:19", "$3 = 17"]);
}

const CONSTRUCTS: &str = "subroutine work(n, a)
  integer, intent(in) :: n
  real(8) :: a(3,4)
  integer :: i, k
  k = n
  do i = 1, n
    block
      integer :: k
      real(8) :: values(n)
      k = i * 10
      values = k
      block
        real(8) :: k
        k = values(1) * 2
        call show(k)
      end block
      print *, k, values
    end block
  end do
  associate (more => k + 1, same => k, row => a(2, :), one => a(1, n), some => a(1:3:2, 2:n))
    same = same + 5
    row(2) = one
    print *, more, same, row, one, some
  end associate
  print *, k
end subroutine
subroutine show(x)
  real(8) :: x
  print *, x
end subroutine
program p
  real(8) :: a(3,4)
  integer :: i, j
  do j = 1, 4
    do i = 1, 3
      a(i, j) = i + 10 * j
    end do
  end do
  call work(2, a)
end program
";

#[test]
fn names_of_constructs_hide_others() {
    if !has("gdb") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for level in ["-O0", "-O1", "-O2"] {
        build(dir.path(), CONSTRUCTS, level);
        let commands = [
            "break x.f90:15",
            "break x.f90:17",
            "break x.f90:23",
            "break x.f90:25",
            "run",
            "print k",
            "continue",
            "print k",
            "print values",
            "delete 1 2",
            "continue",
            "print same",
            "print row",
            "print row(2)",
            "continue",
            "print k",
            "print same",
        ];
        let text = gdb(dir.path(), "./x", &commands);
        in_order(&text, &["x.f90:15", "$1 = 20", "x.f90:17", "$2 = 10", "$3 = (10, 10)", "x.f90:23", "$4 = 7"]);
        in_order(&text, &["$5 = (12, 21, 32, 42)", "$6 = 21", "x.f90:25", "$7 = "]);
        assert!(!text.contains("$8"), "{text}");
    }
    build(dir.path(), CONSTRUCTS, "-O0");
    let commands = ["break x.f90:23", "run", "info locals", "ptype some"];
    let text = gdb(dir.path(), "./x", &commands);
    in_order(&text, &["x.f90:23", "more = 3", "one = 21", "k = 7", "type = real(kind=8) (2,1)"]);
    assert!(text.contains("some = ((21, 23))"), "{text}");
}

const BEHIND: &str = "module m
  implicit none
  type thing
    integer :: k
    real(8), allocatable :: c(:)
  end type
contains
  subroutine work(n, b)
    integer, intent(in) :: n
    real(8), intent(inout) :: b(:,:)
    real(8), allocatable :: x(:), y(:,:), z
    real(8), pointer :: p(:), q
    real(8) :: auto(n,n)
    type(thing) :: d
    integer :: i
    allocate(x(n), y(0:n,2), z, q)
    allocate(p(n))
    z = b(1,1) + 0.5d0
    q = 3.5d0
    d%k = 4
    allocate(d%c(3))
    do i = 1, n
      x(i) = i * z
      y(i,1) = x(i) + q
      p(i) = i
      auto(i,:) = x(i) * b(i,:)
    end do
    d%c = x(1:3)
    x(2) = x(2) + 1
    call show(x, y, p, auto, z, q)
    b = auto
    print *, d%c(2), b(1,1)
  end subroutine
  subroutine show(a, b, c, d, z, q)
    real(8) :: a(:), b(:,:), c(:), d(:,:), z, q
    print *, a, b(1,1), c, d(1,1), z, q
  end subroutine
end module
program p
  use m
  real(8) :: b(5,5)
  b = 2
  call work(5, b)
end program
";

#[test]
fn memory_behind_registers_is_shown_in_optimized_code() {
    if !has("gdb") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for level in ["-O0", "-O1"] {
        build(dir.path(), BEHIND, level);
        let commands = [
            "break m::show",
            "run",
            "print a(2)",
            "up",
            "print x",
            "print x(3)",
            "print *z",
            "print d%c(2)",
            "print auto(2,3)",
            "ptype x",
        ];
        let text = gdb(dir.path(), "./x", &commands);
        in_order(
            &text,
            &[
                "m::show",
                "$1 = 6",
                "x.f90:30",
                "$2 = (2.5, 6, 7.5, 10, 12.5)",
                "$3 = 7.5",
                "$4 = 2.5",
                "$5 = 5",
                "$6 = 10",
                "type = real(kind=8), allocatable (5)",
            ],
        );
    }
}

const MODULE: &str = "module m
  implicit none
  real(8) :: total = 0
  integer :: count = 0
contains
  subroutine work(a, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    integer :: i
    do i = 1, n
      total = total + a(i)
      if (a(i) > 2) count = count + 3
    end do
    call other(n)
    total = total * 2
  end subroutine
  subroutine other(n)
    integer, intent(in) :: n
    total = total + n
    print *, total, count
  end subroutine
end module
program p
  use m
  real(8) :: a(5)
  integer :: i
  do i = 1, 5
    a(i) = i
  end do
  call work(a, 5)
  print *, total
end program
";

#[test]
fn a_module_variable_in_a_register_is_not_shown_from_memory() {
    if !has("gdb") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for level in ["-O0", "-O1", "-O2"] {
        build(dir.path(), MODULE, level);
        let commands = [
            "break x.f90:12",
            "break x.f90:14",
            "break x.f90:20",
            "run",
            "continue",
            "print total",
            "print m::total",
            "delete 1",
            "continue",
            "print total",
            "continue",
            "print m::total",
            "up",
            "print total",
            "print count",
        ];
        let text = gdb(dir.path(), "./x", &commands);
        let shown = |name: &str| text.lines().find_map(|l| l.strip_prefix(name)).unwrap_or("").to_owned();
        for name in ["$1 = ", "$2 = "] {
            let value = shown(name);
            assert!(value == "3" || level != "-O0" && value == "<optimized out>", "{level}: {text}");
        }
        in_order(&text, &["x.f90:14", "$3 = 15", "x.f90:20", "$4 = 20", "x.f90:14", "$5 = 20", "$6 = 9"]);
    }
}

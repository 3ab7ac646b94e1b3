//! MAX and MIN with NaNs and zeros of both signs: the results depend on the order of evaluation, which the standard
//! leaves open; ours is that of -O0, and vectors keep it. (gfortran's changes with its level, so these are not among
//! `tests/run`.)

use std::path::Path;
use std::process::Command;

const PROGRAM: &str = "
subroutine products(n, m, a)
  integer :: n, i
  double precision :: m, a(n)
  do i = 1, n
    m = max(m, a(i) * 1.0d0 - 0.0d0 * a(i))
  end do
end
subroutine least(n, m, a)
  integer :: n, i
  double precision :: m, a(n)
  do i = 1, n
    m = min(m, -a(i))
  end do
end
subroutine other_way(n, m, a)
  integer :: n, i
  double precision :: m, a(n)
  do i = 1, n
    m = max(-a(i), m)
  end do
end
subroutine stored(n, m, a, b)
  integer :: n, i
  double precision :: m, a(n), b(n)
  do i = 1, n
    m = max(m, -a(i))
    b(i) = -a(i)
  end do
end
program chains
  implicit none
  double precision :: values(6), a(12), b(12), m, zero
  integer :: n, j, s, k, first
  read *, zero
  values = [zero / zero, zero, -zero, 1.0d0, -1.0d0, 1 / zero]
  s = 12345
  do k = 1, 3000
    do j = 1, 12
      s = mod(s * 1103 + 12345, 1048576)
      a(j) = values(1 + mod(s / 1024, 6))
    end do
    n = 1 + mod(k, 12)
    first = 1 + mod(k / 12, 6)
    m = values(first)
    call products(n, m, a)
    print '(z17)', m
    m = values(first)
    call least(n, m, a)
    print '(z17)', m
    m = values(first)
    call other_way(n, m, a)
    print '(z17)', m
    m = values(first)
    call stored(n, m, a, b)
    print '(z17)', m
  end do
end
";

fn output(directory: &Path, level: &str) -> String {
    let (source, input) = (directory.join("chains.f90"), directory.join("zero"));
    std::fs::write(&source, PROGRAM).expect("the directory can be written");
    std::fs::write(&input, "0.0\n").expect("the directory can be written");
    let input = std::fs::File::open(input).expect("it was just written");
    let run = Command::new(env!("CARGO_BIN_EXE_trueline")).args(["run", level]).arg(source).stdin(input).output();
    let run = run.expect("the compiler runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8_lossy(&run.stdout).into_owned()
}

#[test]
fn the_order_is_kept() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let plain = output(directory.path(), "-O0");
    assert_eq!(plain.lines().count(), 12_000);
    for value in ["7FF8000000000000", "8000000000000000", "3FF0000000000000"] {
        assert!(plain.contains(value), "{value} is not among the results");
    }
    assert_eq!(plain, output(directory.path(), "-O3"));
}

//! Flags of `trueline fc` that change the meaning of a program: each program stops with a code when the flag has no
//! effect.

use crate::build::check_all;
use std::process::Command;

/// Flags, the suffix of the source, the source.
const CASES: &[(&[&str], &str, &str)] = &[
    (
        &["-fbackslash"],
        "f90",
        "character(len=4), parameter :: c = 'a\\tb\\\\'\ncharacter(len=8) :: s\n\
         1 format ('x\\ny')\nif (iachar(c(2:2)) /= 9 .or. c(4:4) /= achar(92)) stop 1\n\
         if (len('\\x41\\0\\q') /= 4 .or. '\\x41' /= 'A') stop 2\nwrite (s, 1)\nif (iachar(s(2:2)) /= 10) stop 3\nend\n",
    ),
    (&[], "f90", "if (len('a\\n') /= 3) stop 1\nend\n"),
    (
        &["-fno-pad-source"],
        "f",
        "      character(80) a\n      a = 'abc\n     +def'\n      if (a /= 'abcdef') stop 1\n      end\n",
    ),
    (
        &["-fpad-source"],
        "f",
        "      character(80) a\n      a = 'abc\n     +def'\n      if (a == 'abcdef') stop 1\n      end\n",
    ),
    (
        &["-freal-4-real-8"],
        "f90",
        "real :: a\nreal(4) :: b\nreal*4 c\ncomplex :: z\nif (any([kind(a), kind(b), kind(c), kind(z), kind(1.0), kind(1.0_4)] /= 8)) stop 1\n\
         if (kind(1d0) /= 8) stop 2\nend\n",
    ),
    (
        &["-freal-8-real-4"],
        "f90",
        "real(8) :: a\ndouble precision :: b\nif (any([kind(a), kind(b), kind(1d0), kind(1.0_8), kind(1.0)] /= 4)) stop 1\nend\n",
    ),
    (
        &["-finteger-4-integer-8"],
        "f90",
        "integer :: i\ninteger(4) :: j\ni = 2\nj = 3\nif (kind(i) /= 8 .or. kind(j) /= 8) stop 1\nend\n",
    ),
    (
        &["-fdefault-integer-8"],
        "f90",
        "integer :: i(3) = [1, 5, 2]\ncharacter(len=4) :: c = 'abca'\nreal(8) :: x = 3d9\n\
         integer, parameter :: n = nint(5d9)\n\
         if (any([kind(size(i)), kind(len(c)), kind(index(c, 'b')), kind(maxloc(i, 1)), kind(count(i > 1)), &\n\
         kind(ichar('a')), kind(int(x)), kind(popcnt(7)), kind(ubound(i, 1)), kind(exponent(x)), kind(kind(1.0))] /= 8)) stop 1\n\
         if (int(x) /= 3000000000 .or. nint(x) /= 3000000000 .or. n /= 5000000000) stop 2\n\
         if (kind(int(x, 4)) /= 4 .or. kind(size(i, kind=2)) /= 2 .or. kind(abs(1_4)) /= 4) stop 3\nend\n",
    ),
    (
        &["-finit-character=89"],
        "f90",
        "call s(7)\ncontains\nsubroutine s(n)\ninteger :: n\ncharacter(len=3) :: a, b(2)\ncharacter(len=n) :: c\n\
         if (a /= 'YYY' .or. any(b /= 'YYY') .or. c /= repeat('Y', n)) stop 1\nend subroutine\nend\n",
    ),
    (
        &["-finit-integer=42", "-finit-logical=true", "-finit-character=88", "-finit-real=inf", "-finit-derived"],
        "f90",
        "call s(0)\ncall s(1)\ncontains\nsubroutine s(n)\ninteger :: n\ninteger, save :: i, a(3)\ncharacter(len=3), save :: c\n\
         complex, save :: z\ntype t\ninteger :: k\ninteger :: five = 5\nlogical :: l(2)\ncharacter(len=2) :: c\nreal :: r\nend type\n\
         type outer\ntype(t) :: inner\ninteger, allocatable :: list(:)\nend type\ntype(t), save :: kept\ntype(t) :: fresh(2)\n\
         type(outer) :: o\nif (i /= 42 + n .or. any(a /= 42) .or. c /= 'XXX' .or. aimag(z) <= huge(1.)) stop 1\n\
         if (kept%k /= 42 + n .or. kept%five /= 5 .or. .not. all(kept%l) .or. kept%c /= 'XX') stop 2\n\
         if (any(fresh%k /= 42) .or. fresh(2)%r <= huge(1.) .or. o%inner%k /= 42 .or. allocated(o%list)) stop 3\n\
         i = i + 1\nkept%k = kept%k + 1\nfresh%k = 0\nend subroutine\nend\n",
    ),
    (
        &["-fconvert=big-endian"],
        "f90",
        "integer :: i(3)\ncharacter(len=20) :: c\nopen (10, file='x', form='unformatted')\ninquire (10, convert=c)\n\
         if (c /= 'BIG_ENDIAN') stop 1\nwrite (10) 1\nclose (10)\nopen (10, file='x', form='unformatted', access='stream', convert='native')\n\
         read (10) i\nif (any(i /= ishft([4, 1, 4], 24))) stop 2\nend\n",
    ),
    (
        &["-frecord-marker=8"],
        "f90",
        "integer(8) :: i(3)\nopen (10, form='unformatted')\nwrite (10) 7_8\nwrite (10) 1, 2\nbackspace 10\nbackspace 10\nread (10) i(1)\n\
         if (i(1) /= 7) stop 1\nclose (10)\nopen (10, form='unformatted', access='stream')\nread (10) i\nif (any(i /= [8, 7, 8])) stop 2\nend\n",
    ),
    (
        &["-fmax-subrecord-length=16"],
        "f90",
        "integer :: i(10), n(16), k\nopen (10, form='unformatted')\nwrite (10) (k, k=1, 10)\nbackspace 10\nread (10) i\n\
         if (any(i /= [(k, k=1, 10)])) stop 1\nclose (10)\nopen (10, form='unformatted', access='stream')\nread (10) n\n\
         if (n(1) /= -16 .or. n(6) /= 16 .or. n(7) /= -16 .or. n(12) /= -16 .or. n(13) /= 8 .or. n(16) /= -8) stop 2\nend\n",
    ),
    (
        &["-std=legacy"],
        "f90",
        "integer :: i, j\ncharacter(len=12) :: t = '12,345'\nread (t, '(2i6)') i, j\nif (i /= 12 .or. j /= 345) stop 1\nend\n",
    ),
    (
        &["-std=legacy"],
        "f90",
        "character(len=8) :: t = '(f8)'\nwrite (t, t) 2.6\nif (t /= '      3.') stop 1\nwrite (t, 1) 2.6\nif (t /= '   3.') stop 2\n\
         1 format (f5)\nend\n",
    ),
    (
        &["-std=gnu"],
        "f90",
        "character(len=8) :: t = '(f8)'\ncharacter(len=60) :: m\ninteger :: i\nwrite (m, t, iostat=i, iomsg=m) 2.6\n\
         if (i /= 5006 .or. m(:25) /= 'Period required in format') stop 1\nend\n",
    ),
    (
        &["-std=legacy"],
        "f90",
        "integer :: i\nopen (10, status='scratch')\nendfile (10)\nrewind (10)\nread (10, *, iostat=i)\nif (i /= -1) stop 1\n\
         read (10, *, iostat=i)\nif (i /= 5008) stop 2\nwrite (10, *, iostat=i)\nif (i /= 0) stop 3\nend\n",
    ),
    (
        &["-std=f2008"],
        "f90",
        "integer :: i\nopen (10, status='scratch')\nendfile (10)\nrewind (10)\nread (10, *, iostat=i)\nif (i /= -1) stop 1\n\
         read (10, *, iostat=i)\nif (i /= 5001) stop 2\nwrite (10, *, iostat=i)\nif (i /= 5001) stop 3\nend\n",
    ),
    (
        &["-fdec"],
        "f90",
        "real :: x = 2.e, y, z\ncharacter(len=8) :: t = '7e   4.d'\nif (1.5e*x + 3d /= 6 .or. 2.eq.3) stop 1\n\
         read (t, *) y, z\nif (y /= 7 .or. z /= 4) stop 2\nread (t, '(f2.0)') y\nif (y /= 7) stop 3\nend\n",
    ),
    (
        &["-fno-sign-zero"],
        "f90",
        "real :: x = 1., y = 0.\nif (sign(x, -y) /= 1. .or. sign(1., -0.) /= 1. .or. sign(1., -2.) /= -1.) stop 1\nend\n",
    ),
    (
        &["-fdec"],
        "f90",
        "character(len=8) :: t, s\ncharacter(len=44) :: all\ninteger :: i\n\
         open (10, file='x', carriagecontrol='fortran', share='denynone')\ninquire (10, carriagecontrol=t, share=s)\n\
         if (t /= 'FORTRAN' .or. s /= 'DENYNONE') stop 1\n\
         write (10, '(a)') ' one', '+over', '0two', '1page', '$prompt', '', 'xother'\nclose (10)\n\
         open (10, file='x', access='stream', readonly, shared)\nread (10, iostat=i) all(:35)\n\
         if (all(:35) /= char(10) // 'one' // char(13) // 'over' // char(13) // char(10) // char(10) // 'two' // char(13) // &\n\
         char(12) // 'page' // char(13) // char(10) // 'prompt' // char(10) // 'other') stop 2\n\
         write (10, iostat=i) 1\nif (i /= 5007) stop 3\nclose (10)\n\
         open (10, file='x', carriagecontrol='none', status='replace')\nwrite (10, '(a)') 'a', 'b'\ninquire (10, size=i)\n\
         if (i /= 2) stop 4\nopen (11, file='y', carriagecontrol='wrong', iostat=i)\nif (i /= 5002) stop 5\nend\n",
    ),
    (&["-fcray-pointer"], "f90", include_str!("flags/cray_pointers.f90")),
    (&["-fdec"], "f90", include_str!("flags/dec_open.f90")),
    (
        &["-std=f95"],
        "f90",
        "function asinh(x)\nreal :: asinh, x\nasinh = x + 40\nend function\n\
         program p\ncall typed\nif (asinh(2.) /= 42) stop 1\ncontains\nsubroutine typed\nreal :: asinh\n\
         if (asinh(1.) /= 41) stop 2\nend subroutine\nend program\n",
    ),
    (
        &["-fdec"],
        "f90",
        "integer(1) :: a = 12\ninteger :: b = 10\nlogical :: l = .true.\ninteger, parameter :: c = 12 .or. 3\n\
         if ((a .and. b) /= 8 .or. (a .or. b) /= 14 .or. (a .xor. b) /= 6 .or. (a .eqv. b) /= -7) stop 1\n\
         if (.not. b /= -11 .or. c /= 15 .or. (l .and. b) /= 0) stop 2\nend\n",
    ),
    (
        &["-fdefault-real-8"],
        "f90",
        "double precision :: d\ncomplex :: c\ndouble complex :: z\nif (any([kind(1.0), kind(d), kind(1d0), kind(c), kind(z), kind(dble(1)), kind(dsin(d))] /= [8, 16, 16, 8, 16, 16, 16])) stop 1\nend\n",
    ),
    (
        &["-fdefault-real-8", "-fdefault-double-8"],
        "f90",
        "double precision :: d\ncomplex :: c\ndouble complex :: z\nif (any([kind(1.0), kind(d), kind(1d0), kind(c), kind(z), kind(dble(1)), kind(dsin(d))] /= [8, 8, 8, 8, 8, 8, 8])) stop 1\nend\n",
    ),
    (
        &["-fdefault-real-16"],
        "f90",
        "double precision :: d\ncomplex :: c\ndouble complex :: z\nif (any([kind(1.0), kind(d), kind(1d0), kind(c), kind(z), kind(dble(1)), kind(dsin(d))] /= [16, 16, 16, 16, 16, 16, 16])) stop 1\nend\n",
    ),
    (
        &["-freal-4-real-16"],
        "f90",
        "double precision :: d\ncomplex :: c\ndouble complex :: z\nif (any([kind(1.0), kind(d), kind(1d0), kind(c), kind(z), kind(dble(1)), kind(dsin(d))] /= [16, 8, 8, 16, 8, 8, 8])) stop 1\nend\n",
    ),
    (
        &["-freal-8-real-16"],
        "f90",
        "double precision :: d\ncomplex :: c\ndouble complex :: z\nif (any([kind(1.0), kind(d), kind(1d0), kind(c), kind(z), kind(dble(1)), kind(dsin(d))] /= [4, 16, 16, 4, 16, 16, 16])) stop 1\nend\n",
    ),
    (&["-fdec-structure"], "f90", include_str!("flags/structures.f90")),
    (&["-fdec-structure"], "f", include_str!("flags/structures.f")),
    (&["-fdec-static"], "f90", include_str!("flags/storage_classes.f90")),
    (
        &["-fdec-format-defaults"],
        "f90",
        "integer :: i, k\ncharacter(len=40) :: t\nlogical :: l\nwrite (t, '(i,l)') -7, .true.\nif (t /= '          -7 T') stop 1\n\
         read (t, '(i,l)') i, l\nif (i /= -7 .or. .not. l) stop 2\nwrite (t, '(f,e)') 1.5, 1.5\n\
         if (t /= '      1.5000000  0.1500000E+01') stop 3\nwrite (t, '(i)', iostat=k) 5_8\nif (t /= repeat(' ', 22) // '5') stop 4\nend\n",
    ),
    (
        &["-fno-sign-zero"],
        "f90",
        "character(len=10) :: s\nwrite (s, '(f4.1)') -0.0001\nif (s /= ' 0.0') stop 1\nwrite (s, '(sp,f4.1)') -0.0001\nif (s /= '+0.0') stop 2\nend\n",
    ),
];

#[test]
fn flags_that_change_meaning() {
    check_all(
        CASES,
        |(flags, ..)| flags.join(" "),
        |(flags, suffix, source)| {
            let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
            let file = format!("p.{suffix}");
            std::fs::write(dir.path().join(&file), source).map_err(|e| e.to_string())?;
            for level in ["-O0", "-O3"] {
                let mut build = Command::new(env!("CARGO_BIN_EXE_trueline"));
                build.args(["fc", level]).args(*flags).args([&file, "-o", "p"]).current_dir(dir.path());
                let built = build.output().map_err(|e| e.to_string())?;
                if !built.status.success() {
                    return Err(String::from_utf8_lossy(&built.stderr).into_owned());
                }
                let ran =
                    Command::new(dir.path().join("p")).current_dir(dir.path()).output().map_err(|e| e.to_string())?;
                if ran.status.code() != Some(0) {
                    return Err(format!("{level}: {:?} {}", ran.status, String::from_utf8_lossy(&ran.stderr)));
                }
                let _ = std::fs::remove_file(dir.path().join("x"));
                let _ = std::fs::remove_file(dir.path().join("fort.10"));
            }
            Ok(())
        },
    );
}

#[test]
fn kinds_that_do_not_exist_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.f90"), "end\n").unwrap();
    for flag in
        ["-freal-4-real-10", "-freal-8-real-10", "-frecord-marker=5", "-fconvert=middle", "-finit-character=999"]
    {
        let args = ["fc", flag, "-c", "p.f90"];
        let out = Command::new(env!("CARGO_BIN_EXE_trueline")).args(args).current_dir(dir.path()).output().unwrap();
        assert_eq!(out.status.code(), Some(1), "{flag}");
        assert!(String::from_utf8_lossy(&out.stderr).contains(flag), "{flag}");
    }
}

/// A nest, a loop of sums, and a call of a small procedure.
const SWITCHED: &str = "subroutine s(a, b, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n), b(n)
  integer :: i, j
  do i = 1, n
    do j = 1, n
      a(i, j) = a(i, j) * 2d0 + b(i)
    end do
  end do
  do i = 1, n
    b(i) = twice(b(i))
  end do
contains
  real(8) function twice(x)
    real(8), intent(in) :: x
    twice = 2d0 * x
  end function
end subroutine
";

/// gfortran's names switch passes off, and on below their own level; the last one counts, and at -O0 none does.
#[test]
fn passes_are_switched_by_their_names() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("s.f90"), SWITCHED).unwrap();
    let remarks = |flags: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
        let out =
            command.args(["fc", "-c", "-fopt-info", "s.f90"]).args(flags).current_dir(dir.path()).output().unwrap();
        let text = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(out.status.success() && !text.contains("unrecognized"), "{flags:?}: {text}");
        text
    };
    let has = |flags: &[&str], word: &str| remarks(flags).contains(&format!("optimized: {word}"));
    for (word, off) in [
        ("inline", "-fno-inline"),
        ("interchange", "-fno-loop-interchange"),
        ("vectorize", "-fno-tree-vectorize"),
        ("vectorize", "-fno-tree-loop-vectorize"),
    ] {
        assert!(has(&["-O3"], word), "{word}: {}", remarks(&["-O3"]));
        assert!(!has(&["-O3", off], word), "{word} {off}: {}", remarks(&["-O3", off]));
    }
    assert!(!has(&["-O2"], "vectorize") && has(&["-O2", "-ftree-vectorize"], "vectorize"));
    assert!(has(&["-O2", "-fno-inline", "-finline"], "inline") && !has(&["-O2", "-finline", "-fno-inline"], "inline"));
    assert!(!has(&["-O0", "-ftree-vectorize", "-finline"], "vectorize"));
}

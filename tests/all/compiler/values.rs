//! Random values by every edit descriptor and kind: our runtime's text is gfortran's to the character, and reading it
//! back gives the value to the bit. `TRUELINE_VALUES=N` takes N values for each descriptor and kind instead of a few.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Descriptors of real numbers; each is used for all three kinds.
const REAL: &[&str] = &[
    "f0.3",
    "f12.4",
    "f25.10",
    "f40.20",
    "f8.0",
    "1p,f14.3",
    "-2p,f14.3",
    "ru,f12.3",
    "rd,f12.3",
    "rz,f12.3",
    "rc,f12.3",
    "rn,f0.0",
    "f6.2",
    "e12.4",
    "e0.5",
    "e10.3e1",
    "e25.16e3",
    "e30.20e4",
    "2p,e15.6",
    "-1p,e15.6",
    "ru,e14.5",
    "rd,e14.5",
    "rz,e10.2",
    "rc,e10.2",
    "d14.6",
    "d0.9",
    "1p,d24.15",
    "es13.5",
    "es0.9",
    "es25.16e3",
    "ru,es12.3",
    "rc,es9.2",
    "en13.4",
    "en0.3",
    "en25.12e3",
    "rd,en12.3",
    "rz,en12.3",
    "g0",
    "g0.5",
    "g12.4",
    "g20.10e3",
    "ru,g12.4",
    "rd,g12.4",
    "rc,g10.2",
    "1p,g14.5",
    "g8.1",
    "g30.17",
    "sp,f12.3",
    "sp,e14.5",
    "sp,g0.6",
    "dc,f12.3",
    "z20",
    "b70",
    "o24",
    "e45.34e4",
    "z40",
];

/// Descriptors of integers; each is used for all four kinds.
const INTEGER: &[&str] = &[
    "i0", "i5", "i12", "i20.10", "i0.3", "sp,i12", "g0", "g12.4", "b0", "b70", "b70.20", "o0", "o24.5", "z0", "z18",
    "z18.16",
];

/// Values in a block, whose hashes are compared.
const BLOCK: usize = 100;

/// A program that prints, for blocks `from` to `to` (its arguments), a hash of the text of each descriptor; with a third
/// argument the text itself. Values that are not the same when read back are printed, too.
fn program() -> String {
    let mut cases = String::new();
    let mut count = 0;
    let mut case = |format: &str, item: &str| {
        count += 1;
        let _ = write!(
            cases,
            "    write (line, '({format})', iostat=code) {item}\n    call note({count}, code, '{format} of {item}')\n"
        );
    };
    for format in REAL {
        case(format, "x");
        case(format, "y");
        case(format, "q");
    }
    for format in INTEGER {
        for item in ["i8", "i4", "i2", "i1"] {
            case(format, item);
        }
    }
    for format in ["l2", "l7"] {
        case(format, "i1 > 0");
    }
    // List-directed.
    for item in
        ["x", "y", "i8", "i4", "i2", "i1", "i1 > 0", "cmplx(x, -x, 8)", "cmplx(y, 1.0)", "q", "cmplx(q, -q, 16)"]
    {
        count += 1;
        let _ = write!(cases, "    write (line, *, iostat=code) {item}\n    call note({count}, code, '* of {item}')\n");
    }
    // Read back.
    let mut back = String::new();
    for (item, format) in [
        ("x", "e28.17e3"),
        ("y", "e20.9"),
        ("x", "g0"),
        ("y", "g0"),
        ("x", "*"),
        ("y", "*"),
        ("q", "e50.36e4"),
        ("q", "g0"),
        ("q", "*"),
        ("i8", "i0"),
        ("i4", "z8"),
    ] {
        let (write, read) = match format {
            "*" => ("*".to_owned(), "*".to_owned()),
            "g0" => ("'(g0)'".to_owned(), "*".to_owned()),
            "i0" => ("'(i0)'".to_owned(), "'(i30)'".to_owned()),
            other => (format!("'({other})'"), format!("'({other})'")),
        };
        let _ = write!(
            back,
            "    write (line, {write}) {item}\n    read (line, {read}) {item}b\n    \
             if (.not. same{item}()) print *, 'not read back by {format}: ', trim(line)\n"
        );
    }
    format!(
        "program p
  implicit none
  integer, parameter :: n = {count}
  integer(8) :: state, bits, hash(n) = 0, i8, i8b
  integer :: block, last, k, code, i4, i4b
  integer(2) :: i2
  integer(1) :: i1
  real(8) :: x, xb
  real(4) :: y, yb
  real(16) :: q, qb
  character(len=100) :: line
  character(len=20) :: arg
  logical :: show
  call get_command_argument(1, arg)
  read (arg, *) block
  call get_command_argument(2, arg)
  read (arg, *) last
  show = command_argument_count() > 2
  do while (block <= last)
    state = 88172645463325252_8 + 1000003_8 * block
    hash = 0
    do k = 1, {BLOCK}
      call values()
      call transfer_all()
      call read_back()
    end do
    if (.not. show) print '(i8,100000(1x,z13))', block, hash
    block = block + 1
  end do
contains
  subroutine values()
    integer :: i
    do i = 1, 3
      state = ieor(state, ishft(state, 13))
      state = ieor(state, ishft(state, -7))
      state = ieor(state, ishft(state, 17))
    end do
    bits = state
    select case (mod(k, 6))
    case (5)
      x = 10d0**int(mod(bits, 40_8))
    case (0, 1)
      x = transfer(bits, x)
      y = transfer(int(iand(bits, 4294967295_8) - 2147483648_8, 4), y)
    case (2)
      x = mod(bits, 100000_8) / 1000d0 * 10d0**(mod(k, 7) - 3)
    case (3)
      x = mod(bits, 1000000_8) / 10d0**mod(k / 5, 12)
    case default
      x = mod(bits, 2000_8) * 0.5d0 / 10d0**mod(k / 5, 6)
    end select
    if (mod(k, 6) > 1) y = real(x, 4)
    select case (mod(k, 6))
    case (5)
      q = 10q0**int(mod(bits, 60_8))
    case (0, 1)
      q = transfer([bits * 6364136223846793005_8, bits], q)
    case (2)
      q = mod(bits, 1000000000000_8) / 1000q0 * 10q0**(mod(k, 7) - 3)
    case (3)
      q = bits / 10q0**mod(k / 5, 25)
    case default
      q = x
    end select
    i8 = ishft(bits, -mod(k, 64))
    if (mod(k, 3) == 0) i8 = -i8
    i4 = int(mod(i8, 2147483648_8), 4)
    i2 = int(mod(i8, 32768_8), 2)
    i1 = int(mod(i8, 128_8), 1)
  end subroutine
  subroutine note(which, outcome, what)
    integer, intent(in) :: which, outcome
    character(len=*), intent(in) :: what
    integer :: c
    if (outcome /= 0) line = 'error'
    do c = 1, len_trim(line)
      hash(which) = mod(hash(which) * 31 + ichar(line(c:c)), 2251799813685248_8)
    end do
    if (show) print '(i6,1x,4a)', k, what, ' [', trim(line), ']'
  end subroutine
  subroutine transfer_all()
{cases}  end subroutine
  logical function samex()
    samex = transfer(x, 1_8) == transfer(xb, 1_8) .or. x /= x .and. xb /= xb
  end function
  logical function samey()
    samey = transfer(y, 1) == transfer(yb, 1) .or. y /= y .and. yb /= yb
  end function
  logical function sameq()
    sameq = all(transfer(q, [1_8]) == transfer(qb, [1_8])) .or. q /= q .and. qb /= qb
  end function
  logical function samei8()
    samei8 = i8 == i8b
  end function
  logical function samei4()
    samei4 = i4 == i4b
  end function
  subroutine read_back()
{back}  end subroutine
end program
"
    )
}

/// The program compiled by `compiler`.
fn built(directory: &Path, compiler: &str, options: &[&str], name: &str) {
    let out = Command::new(compiler).args(options).args(["p.f90", "-o", name]).current_dir(directory).output().unwrap();
    assert!(out.status.success(), "{compiler}: {}", String::from_utf8_lossy(&out.stderr));
}

fn printed(directory: &Path, name: &str, arguments: &[&str]) -> String {
    let out = Command::new(directory.join(name)).args(arguments).output().unwrap();
    assert!(out.status.success(), "{name}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

#[test]
fn values_are_written_as_gfortran_writes_them() {
    let found = Command::new("gfortran").arg("--version").output().is_ok();
    assert!(found || std::env::var_os("TRUELINE_TEST_NO_SKIP").is_none(), "gfortran is missing where no test may skip");
    if !found {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.f90"), program()).unwrap();
    built(dir.path(), "gfortran", &["-w", "-O0"], "theirs");
    built(dir.path(), env!("CARGO_BIN_EXE_trueline"), &["fc", "-w", "-O0"], "ours");
    let values = std::env::var("TRUELINE_VALUES").ok().and_then(|n| n.parse().ok()).unwrap_or(5 * BLOCK);
    let (last, mut different) = (values.div_ceil(BLOCK), Vec::new());
    // A stretch at a time, so that a difference is reported early.
    for first in (1..=last).step_by(100) {
        let range = [first.to_string(), last.min(first + 99).to_string()];
        let range = [range[0].as_str(), range[1].as_str()];
        let (theirs, ours) = (printed(dir.path(), "theirs", &range), printed(dir.path(), "ours", &range));
        assert!(!ours.contains("not read back"), "{ours}");
        for (a, b) in theirs.lines().filter(|l| !l.contains("not read back")).zip(ours.lines()) {
            if a != b {
                different.extend(differences(dir.path(), a.split_whitespace().next().unwrap_or_default()));
            }
        }
        assert!(
            different.is_empty(),
            "{} differences:\n{}",
            different.len(),
            different[..different.len().min(40)].join("\n")
        );
    }
}

/// The values of a block that are written differently.
fn differences(directory: &Path, block: &str) -> Vec<String> {
    let arguments = [block, block, "show"];
    let (theirs, ours) = (printed(directory, "theirs", &arguments), printed(directory, "ours", &arguments));
    let theirs = theirs.lines().filter(|l| !l.contains("not read back"));
    theirs.zip(ours.lines()).filter(|(a, b)| a != b).map(|(a, b)| format!("gfortran: {a}\nours:     {b}")).collect()
}

//! Input/output never lies: whichever system call fails, the program says so or has the same result, and ends.

use crate::build::{check_all, root};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

/// All kinds of files: formatted, unformatted, direct, stream, scratch, internal, the standard units. Every value that
/// is read back is checked.
const PROGRAM: &str = "program p
  implicit none
  integer :: i, n, total
  character(len=40) :: line
  real(8) :: x(2000)
  logical :: there
  open (10, file='lines.txt')
  do i = 1, 4000
    write (10, '(a,i6)') 'line', i
  end do
  rewind 10
  total = 0
  do
    read (10, '(4x,i6)', end=1) n
    total = total + n
  end do
1 print *, 'lines', total
  rewind 10
  do i = 1, 3
    read (10, *) line, n
  end do
  backspace 10
  write (10, '(a)') 'the end'
  close (10)
  x = 1.5d0
  open (11, file='records.bin', form='unformatted')
  do i = 1, 10
    write (11) i, x(1:200*i)
  end do
  backspace 11
  read (11) n
  rewind 11
  total = 0
  do
    read (11, end=2) n, x(1:200*n)
    total = total + n
  end do
2 print *, 'records', total, sum(x)
  close (11)
  open (12, file='direct.bin', access='direct', recl=16)
  do i = 9, 1, -1
    write (12, rec=i) i, -i, 0.25d0*i
  end do
  read (12, rec=7) n
  print *, 'direct', n
  close (12)
  open (13, file='bytes.bin', access='stream', form='unformatted')
  write (13) x
  write (13, pos=9) 7.0d0
  read (13, pos=1) x(1:3)
  print *, 'stream', x(1:3)
  close (13)
  open (14, status='scratch')
  write (14, *) (i, i=1, 5000)
  rewind 14
  read (14, *) (n, i=1, 4000)
  print *, 'scratch', n
  endfile 14
  close (14)
  open (15, file='gone.txt')
  write (15, *) 'x'
  flush 15
  close (15, status='delete')
  inquire (file='gone.txt', exist=there)
  read *, line
  print *, 'input ', line, there
end program
";

/// The calls and the errors that they are made to fail with; 0 is a short count.
const FAULTS: &[(&str, &[i32])] = &[
    ("write", &[libc::ENOSPC, libc::EIO, libc::EINTR, libc::EAGAIN, 0]),
    ("read", &[libc::EIO, libc::EINTR, libc::EAGAIN, 0]),
    ("open", &[libc::ENOSPC, libc::EACCES, libc::EMFILE, libc::EINTR]),
    ("lseek", &[libc::EINVAL]),
    ("ftruncate", &[libc::EIO, libc::EINTR, libc::ENOSPC]),
    ("close", &[libc::EIO, libc::EINTR, libc::ENOSPC]),
];

/// The pieces of the programs: `U` is the unit, `N` a number of records, `W` a number of values.
const BLOCKS: &[&str] = &[
    // Lines, written and read in pieces.
    "open (U, file='U.txt')\ndo i = 1, N\nwrite (U, '(a,i8)') 'line', i\nend do\nrewind U\nm = 0\ndo i = 1, N\n\
     read (U, '(4x,i8)') k\nm = m + k\nend do\nprint *, 'lines', m\nclose (U)\n",
    // Appended to an existing file.
    "open (U, file='U.app')\nwrite (U, *) 1\nclose (U)\nopen (U, file='U.app', position='append')\ndo i = 1, N\nwrite (U, *) i\n\
     end do\nrewind U\nread (U, *) k, m\nprint *, 'append', k, m\nclose (U)\n",
    // Long records of list-directed output.
    "open (U, file='U.lst')\nwrite (U, *) (i, i=1, N*W)\nrewind U\nread (U, *) (k, i=1, N*W)\nprint *, 'list', k\nclose (U)\n",
    // Unformatted records of different lengths, backwards.
    "open (U, file='U.seq', form='unformatted')\ndo i = 1, N\nwrite (U) i, (j, j=1, W*i)\nend do\ndo i = N, 1, -1\nbackspace U\n\
     read (U) k\nif (k /= i) print *, 'wrong', i, k\nbackspace U\nend do\nclose (U)\n",
    // Direct access in any order.
    "open (U, file='U.dir', access='direct', recl=64)\ndo i = 1, N\nwrite (U, rec=mod(i*7, N) + 1) i, -i\nend do\nm = 0\ndo i = 1, N\n\
     read (U, rec=mod(i*7, N) + 1) k\nif (k == i) m = m + 1\nend do\nprint *, 'direct', m > 0\nclose (U)\n",
    // Bytes by their position.
    "open (U, file='U.str', access='stream', form='unformatted')\nwrite (U) (i, i=1, N*W)\nwrite (U, pos=5) -1\nread (U, pos=1) k, m\n\
     inquire (U, pos=i)\nprint *, 'stream', k, m, i\nclose (U)\n",
    // Records in pieces.
    "open (U, file='U.adv')\ndo i = 1, N\nwrite (U, '(i6)', advance='no') i\nif (mod(i, W) == 0) write (U, *)\nend do\nrewind U\n\
     read (U, '(i6)', advance='no') k\nprint *, 'pieces', k\nclose (U)\n",
    // Scratch files, cut off.
    "open (U, status='scratch')\ndo i = 1, N\nwrite (U, *) i\nend do\nrewind U\nread (U, *) k\nendfile U\nrewind U\nread (U, *) k\n\
     print *, 'scratch', k\nclose (U)\n",
    // NAMELIST.
    "open (U, file='U.nml')\ni = N\nm = W\nwrite (U, nml=group)\nrewind U\ni = 0\nread (U, nml=group)\nprint *, 'namelist', i, m\n\
     close (U)\n",
    // Files that go, and new ones under their names.
    "open (U, file='U.old')\nwrite (U, *) N\nclose (U, status='delete')\ninquire (file='U.old', exist=there)\n\
     open (U, file='U.old', status='new')\nwrite (U, *) W\nflush (U)\nclose (U)\nopen (U, file='U.old', status='replace')\n\
     write (U, *) 7\nrewind U\nread (U, *) k\nprint *, 'replaced', k, there\nclose (U)\n",
    // Standard input and output.
    "do i = 1, N\nprint '(a,i6)', 'text', i\nend do\n",
    // A large array at once.
    "x = 0.5d0\nopen (U, file='U.big', form='unformatted')\nwrite (U) x(1:min(2000, N*W*10))\nrewind U\nx = 0\n\
     read (U) x(1:min(2000, N*W*10))\nprint *, 'big', sum(x)\nclose (U)\n",
];

/// Program `seed`: some of the blocks, with sizes of their own.
fn program(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut below = |n: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % n
    };
    let mut text = "program p\n  implicit none\n  integer :: i, j, k, m\n  real(8) :: x(2000)\n  logical :: there\n  \
                    namelist /group/ i, m, there\n  j = 0\n  there = .true.\n"
        .to_owned();
    for unit in 11..13 + below(3) {
        let block = BLOCKS[below(BLOCKS.len() as u64) as usize];
        let (n, w) = (1 + below(40), 1 + below(20));
        let sized = block.replace('U', &unit.to_string()).replace('N', &n.to_string()).replace('W', &w.to_string());
        text.push_str(&sized);
    }
    text + "end program\n"
}

fn built(directory: &Path) -> (PathBuf, PathBuf) {
    let run = |command: &mut Command| {
        let out = command.current_dir(directory).output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    };
    std::fs::write(directory.join("p.f90"), PROGRAM).unwrap();
    run(Command::new(env!("CARGO_BIN_EXE_trueline")).args(["fc", "-O2", "p.f90", "-o", "p"]));
    let shim = root().join("tests/all/trouble/faults.c");
    run(Command::new("cc").args(["-shared", "-fPIC", "-o", "faults.so"]).arg(shim).arg("-ldl"));
    (directory.join("p"), directory.join("faults.so"))
}

/// A run, the files that it leaves, and whether a fault has struck.
type Clean = (Output, BTreeMap<String, Vec<u8>>, bool);

/// A run in a directory of its own.
fn run(program: &Path, shim: &Path, fault: Option<(&str, u32, i32)>) -> Clean {
    let dir = tempfile::tempdir().unwrap();
    let (work, mark) = (dir.path().join("work"), dir.path().join("mark"));
    std::fs::create_dir(&work).unwrap();
    std::fs::write(dir.path().join("in"), "word and more\n").unwrap();
    let mut command = Command::new("timeout");
    command.arg("60").arg(program).current_dir(&work).env("TMPDIR", dir.path());
    command.stdin(Stdio::from(std::fs::File::open(dir.path().join("in")).unwrap()));
    if let Some((call, at, error)) = fault {
        command.env("FAULT_CALL", call).env("FAULT_AT", at.to_string()).env("FAULT_ERROR", error.to_string());
        command.env("FAULT_MARK", &mark).env("LD_PRELOAD", shim);
    }
    let out = command.output().unwrap();
    let read = |e: std::io::Result<std::fs::DirEntry>| {
        let e = e.unwrap();
        (e.file_name().to_string_lossy().into_owned(), std::fs::read(e.path()).unwrap())
    };
    let files = std::fs::read_dir(&work).unwrap().map(read).collect();
    (out, files, mark.exists())
}

/// One fault: `Ok(false)` if the call is not made so often.
fn judge(program: &Path, shim: &Path, clean: &Clean, fault: (&str, u32, i32)) -> Result<bool, String> {
    let (clean, clean_files, _) = clean;
    let (out, files, struck) = run(program, shim, Some(fault));
    if !struck {
        return Ok(false);
    }
    let stderr = String::from_utf8_lossy(&out.stderr);
    match out.status.code() {
        // 124 is that of `timeout`; a signal has none.
        None | Some(124 | 137) => Err(format!("{fault:?}: ended by {:?}: {stderr}", out.status)),
        Some(0) if out.stdout == clean.stdout && files == *clean_files => Ok(true),
        Some(0) => Err(format!("{fault:?}: a wrong result and no message: {stderr}")),
        Some(_) if stderr.contains("Fortran runtime error") => Ok(true),
        Some(code) => Err(format!("{fault:?}: exit code {code} without a message: {stderr}")),
    }
}

#[test]
fn failing_system_calls_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    let (program, shim) = built(dir.path());
    let clean = run(&program, &shim, None);
    let most = if programs_wanted() > 0 { 10_000 } else { 3 };
    let cases: Vec<(&str, i32)> = FAULTS.iter().flat_map(|(call, es)| es.iter().map(move |e| (*call, *e))).collect();
    check_all(
        &cases,
        |(call, error)| format!("{call} {error}"),
        |&(call, error)| {
            for at in 1..=most {
                match judge(&program, &shim, &clean, (call, at, error))? {
                    true => {}
                    false if at == 1 => return Err("the call is never made".into()),
                    false => break,
                }
            }
            Ok(())
        },
    );
}

/// The number of programs of random blocks that `TRUELINE_FAULTS` asks for.
fn programs_wanted() -> u64 {
    std::env::var("TRUELINE_FAULTS").ok().and_then(|n| n.parse().ok()).unwrap_or(0)
}

#[test]
#[allow(clippy::print_stdout, reason = "a long run says how much it was")]
fn failing_system_calls_of_any_program_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    let (_, shim) = built(dir.path());
    let wanted = programs_wanted();
    let seeds: Vec<u64> = (1..=wanted.max(2)).collect();
    let runs = AtomicU64::new(0);
    check_all(
        &seeds,
        |seed| format!("program {seed}"),
        |&seed| {
            let place = tempfile::tempdir().map_err(|e| e.to_string())?;
            std::fs::write(place.path().join("q.f90"), program(seed)).map_err(|e| e.to_string())?;
            let mut build = Command::new(env!("CARGO_BIN_EXE_trueline"));
            let out =
                build.args(["fc", "q.f90", "-o", "q"]).current_dir(place.path()).output().map_err(|e| e.to_string())?;
            if !out.status.success() {
                return Err(String::from_utf8_lossy(&out.stderr).into_owned());
            }
            let executable = place.path().join("q");
            let clean = run(&executable, &shim, None);
            if !clean.0.status.success() {
                return Err(format!("without a fault: {}", String::from_utf8_lossy(&clean.0.stderr)));
            }
            let errors = FAULTS.iter().flat_map(|(call, es)| es.iter().map(move |e| (*call, *e)));
            // A sample of errors, unless all are asked for.
            for (call, error) in errors.filter(|(_, e)| wanted > 0 || *e == libc::EIO || *e == 0) {
                let mut at = 1;
                while (wanted > 0 || at < 4) && judge(&executable, &shim, &clean, (call, at, error))? {
                    at += 1;
                    runs.fetch_add(1, Ordering::Relaxed);
                }
            }
            Ok(())
        },
    );
    println!("{} programs, {} failing calls", seeds.len(), runs.load(Ordering::Relaxed));
}

#[test]
fn a_full_device_ends_the_program_with_a_message() {
    let dir = tempfile::tempdir().unwrap();
    let (program, _) = built(dir.path());
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let out = Command::new(&program).current_dir(dir.path()).stdin(Stdio::null()).stdout(full).output().unwrap();
    assert_ne!(out.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&out.stderr).contains("Fortran runtime error"), "{out:?}");
    for (name, form) in [("formatted", ""), ("unformatted", ", form='unformatted'"), ("stream", ", access='stream'")] {
        let format = if name == "formatted" { ", *" } else { "" };
        let source =
            format!("open (10, file='/dev/full'{form})\nwrite (10{format}) 'x'\nprint '(a)', 'went on'\nend\n");
        std::fs::write(dir.path().join("q.f90"), source).unwrap();
        let build = ["fc", "q.f90", "-o", "q"];
        let built = Command::new(env!("CARGO_BIN_EXE_trueline")).args(build).current_dir(dir.path()).status().unwrap();
        assert!(built.success());
        let out = Command::new(dir.path().join("q")).output().unwrap();
        assert_ne!(out.status.code(), Some(0), "{name}");
        assert!(String::from_utf8_lossy(&out.stderr).contains("No space left on device"), "{name}: {out:?}");
    }
}

//! Start and end of the program: the routine that `main` calls, STOP, ERROR STOP and run-time errors.

use crate::exit::{finish, leave, runtime_error, tell};
use crate::memory::{bytes, c_text};

/// Runs the program: keeps the command line, calls `program`, closes the units, returns the exit code.
///
/// # Safety
/// `argv` holds `argc` C strings that live as long as the program; `program` is the address of a
/// function without arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_start(argc: i32, argv: *mut u8, program: *mut u8) -> i32 {
    // SAFETY: the caller passes the arguments of `main`.
    unsafe { crate::args::keep(argc, argv) };
    crate::ranks::start();
    crate::signals::install(argv);
    // SAFETY: `program` is the address of the compiled main program, which has this type.
    let program: extern "C" fn() = unsafe { std::mem::transmute(program) };
    crate::profile::begin_if_profiled();
    program();
    crate::reach::note_all_returned();
    crate::ranks::add_up();
    finish(0)
}

/// STOP with an integer code.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_stop_int(code: i64) -> ! {
    crate::reach::note_end();
    stop_with_number(code)
}

#[inline(never)]
fn stop_with_number(code: i64) -> ! {
    stop(format!("STOP {code}\n").as_bytes(), exit_code(code))
}

/// STOP without a code (`text` is null), or with text.
///
/// # Safety
/// `text` is null or the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_stop_text(text: *const u8, len: i64) -> ! {
    crate::reach::note_end();
    // SAFETY: the caller passes a character value and its length.
    stop_with_text((!text.is_null()).then(|| unsafe { bytes(text, len) }))
}

#[inline(never)]
fn stop_with_text(text: Option<&[u8]>) -> ! {
    match text {
        Some(text) => stop(&[b"STOP ", text, b"\n"].concat(), 0),
        None => stop(b"", 0),
    }
}

/// `CALL EXIT(code)`: ends the program without a message.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_exit(code: i64) -> ! {
    crate::reach::note_end();
    exit_with(code)
}

#[inline(never)]
fn exit_with(code: i64) -> ! {
    crate::ranks::add_up();
    leave(exit_code(code))
}

/// ERROR STOP with an integer code.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_error_stop_int(code: i64) -> ! {
    let text = [format!("ERROR STOP {code}\n").into_bytes(), crate::exit::termination()].concat();
    stop(&text, exit_code(code))
}

/// ERROR STOP without a code (`text` is null), or with text.
///
/// # Safety
/// `text` is null or the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_error_stop_text(text: *const u8, len: i64) -> ! {
    // SAFETY: the caller passes a character value and its length, or null.
    let text = [b"ERROR STOP ".as_slice(), unsafe { bytes(text, len) }, b"\n"].concat();
    stop(&[text, crate::exit::termination()].concat(), 1)
}

/// A run-time error of the program.
///
/// # Safety
/// `location` is null or NUL-terminated; `text` is the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_runtime_error(location: *const u8, text: *const u8, len: i64) -> ! {
    // SAFETY: the caller passes a literal location and a character value.
    let (location, text) = unsafe { (c_text(location), bytes(text, len)) };
    runtime_error(location, text)
}

/// The low 32 bits of a code, which are all that `exit` takes.
fn exit_code(code: i64) -> i32 {
    code as i32
}

/// `text` goes to standard error after the note on floating-point exceptions, as `libgfortran` has it.
fn stop(text: &[u8], code: i32) -> ! {
    // The program's output comes first: both may be the same terminal.
    crate::io::flush_standard();
    let note = crate::exceptions::note();
    crate::ranks::add_up();
    if crate::ranks::rank() == 0 {
        tell(note.as_bytes());
        tell(text);
    }
    leave(code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Output, Stdio};
    use trueline_abi::TypeCode;
    use trueline_abi::io::{DEFAULT_UNIT, IoOp, IoSpec};

    /// A main program. It is run in a process of its own by [`run`], which selects its statements.
    extern "C" fn program() {
        let text = b"text ";
        // SAFETY: literals are passed with their lengths; the statements are well-formed.
        unsafe {
            let (begin, begin_len) = (b"begin".as_ptr(), 5);
            crate::io::trueline_io_begin(IoOp::Write as i32, c"main.f90:7".as_ptr().cast());
            crate::io::trueline_io_int(IoSpec::Unit as i32, DEFAULT_UNIT);
            crate::io::trueline_io_int(IoSpec::ListDirected as i32, 1);
            crate::io::trueline_io_start();
            crate::io::trueline_io_put(begin, TypeCode::Char as i32, begin_len);
            crate::io::trueline_io_finish();
            match std::env::var("TRUELINE_CHILD").unwrap_or_default().as_str() {
                "stop" => trueline_stop_text(std::ptr::null(), 0),
                "stop 3" => trueline_stop_int(3),
                "stop text" => trueline_stop_text(text.as_ptr(), 5),
                "error stop" => trueline_error_stop_text(std::ptr::null(), 0),
                "error stop 7" => trueline_error_stop_int(7),
                "divide" => {
                    let zero = std::hint::black_box(0.0f64);
                    std::hint::black_box(1.0 / zero);
                    trueline_stop_text(std::ptr::null(), 0)
                }
                "runtime error" => trueline_runtime_error(c"a.f90:12".as_ptr().cast(), text.as_ptr(), 4),
                "bounds" => {
                    let text = b"a.f90:12.5\0Index '{1}' of dimension 2 of array 'x' {side}\0a\x001\0b\0n\0c\0m\0d\0\0";
                    crate::faults::trueline_fault_of_four(text.as_ptr(), 11, 10, 7, -1)
                }
                "memory" => {
                    let place = c"a.f90:3".as_ptr().cast();
                    std::hint::black_box(crate::memory::trueline_allocate(i64::MAX, place));
                }
                "end of file" => {
                    crate::io::trueline_io_begin(IoOp::Read as i32, c"main.f90:8".as_ptr().cast());
                    crate::io::trueline_io_int(IoSpec::Unit as i32, DEFAULT_UNIT);
                    crate::io::trueline_io_int(IoSpec::ListDirected as i32, 1);
                    crate::io::trueline_io_start();
                    let mut item = 0i32;
                    crate::io::trueline_io_get((&raw mut item).cast(), TypeCode::I4 as i32, 0);
                }
                "fault" => {
                    libc::raise(libc::SIGFPE);
                }
                _ => {}
            }
        }
    }

    /// Not a test: the process that [`run`] starts.
    #[test]
    #[ignore = "run by the other tests"]
    fn child() {
        if std::env::var_os("TRUELINE_CHILD").is_some() {
            if std::env::var("TRUELINE_CHILD").as_deref() == Ok("full") {
                // SAFETY: a C string, and descriptors that are open.
                unsafe { libc::dup2(libc::open(c"/dev/full".as_ptr(), libc::O_WRONLY), 1) };
            }
            // SAFETY: `program` has the type that `trueline_start` expects.
            let code = unsafe { trueline_start(0, std::ptr::null_mut(), program as extern "C" fn() as *mut u8) };
            std::process::exit(code);
        }
    }

    fn run(what: &str) -> Output {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "start::tests::child", "--ignored", "--nocapture", "--test-threads=1"])
            .env("TRUELINE_CHILD", what)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
            .wait_with_output()
            .unwrap()
    }

    #[test]
    #[cfg_attr(miri, ignore = "starts processes")]
    fn every_way_out_prints_and_returns_as_libgfortran() {
        let cases = [
            ("end", "", 0),
            ("stop", "", 0),
            ("stop 3", "STOP 3\n", 3),
            ("stop text", "STOP text \n", 0),
            ("error stop", "ERROR STOP \n", 1),
            ("error stop 7", "ERROR STOP 7\n", 7),
            ("divide", "Note: The following floating-point exceptions are signalling: IEEE_DIVIDE_BY_ZERO\n", 0),
            ("runtime error", "At line 12 of file a.f90\nFortran runtime error: text\n", 2),
            (
                "bounds",
                "At line 12 of file a.f90\nFortran runtime error: Index '11' of dimension 2 of array 'x' above upper bound of 10\n  \
                 at a.f90:12:5, where n = 7, m = -1\n",
                2,
            ),
            (
                "memory",
                "At line 3 of file a.f90\nError allocating 9223372036854775807 bytes: Cannot allocate memory\n",
                1,
            ),
            (
                "end of file",
                "At line 8 of file main.f90 (unit = 5, file = 'stdin', record = 1)\nFortran runtime error: End of file\n",
                2,
            ),
        ];
        for (what, stderr, code) in cases {
            let output = run(what);
            // The backtrace that a run-time error adds is of this test.
            let text = String::from_utf8_lossy(&output.stderr);
            let message = text.split("\nError termination.").next().unwrap_or_default();
            assert_eq!(message, stderr, "{what}");
            assert_eq!(output.status.code(), Some(code), "{what}");
            assert!(String::from_utf8_lossy(&output.stdout).ends_with(" begin\n"), "{what}: the output is lost");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "starts processes")]
    fn a_fault_is_named_and_still_kills() {
        use std::os::unix::process::ExitStatusExt;
        let output = run("fault");
        assert!(String::from_utf8_lossy(&output.stderr).contains("Program received signal SIGFPE"));
        assert_eq!(output.status.signal(), Some(libc::SIGFPE));
    }

    #[test]
    #[cfg_attr(miri, ignore = "starts processes")]
    fn lost_output_is_told() {
        let output = run("full");
        let expected = "Fortran runtime error: Cannot write to 'stdout': No space left on device\n";
        assert!(String::from_utf8_lossy(&output.stderr).contains(expected));
        assert_eq!(output.status.code(), Some(2));
    }
}

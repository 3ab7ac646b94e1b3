//! What is said when a program is killed by a fault of its own.
//!
//! The handler does nothing but write a line and let the signal take its course: buffers and locks may
//! be in any state.

use std::sync::atomic::{AtomicBool, Ordering};

/// The signals and what libgfortran calls them.
const FAULTS: [(i32, &str); 4] = [
    (libc::SIGSEGV, "SIGSEGV: Segmentation fault - invalid memory reference."),
    (libc::SIGBUS, "SIGBUS: Access to an undefined portion of a memory object."),
    (libc::SIGILL, "SIGILL: Illegal instruction."),
    (libc::SIGFPE, "SIGFPE: Floating-point exception - erroneous arithmetic operation."),
];

/// Room for the handler when the stack of the program has overflowed.
const STACK_SIZE: usize = 64 * 1024;

static INSTALLED: AtomicBool = AtomicBool::new(false);

/// Installs the handler for those signals that nobody else handles.
pub(crate) fn install() {
    if INSTALLED.swap(true, Ordering::SeqCst) {
        return;
    }
    // SAFETY: the stack lives as long as the program; zeroed structures are valid and are filled by the
    // calls that read them; the handler has the type that is asked for without `SA_SIGINFO`.
    unsafe {
        let stack = libc::malloc(STACK_SIZE);
        if !stack.is_null() {
            let mut alternative: libc::stack_t = std::mem::zeroed();
            alternative.ss_sp = stack;
            alternative.ss_size = STACK_SIZE;
            libc::sigaltstack(&alternative, std::ptr::null_mut());
        }
        for (signal, _) in FAULTS {
            let mut old: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, std::ptr::null(), &mut old) != 0 || old.sa_sigaction != libc::SIG_DFL {
                continue;
            }
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = report as extern "C" fn(i32) as usize;
            action.sa_flags = libc::SA_ONSTACK | libc::SA_RESETHAND;
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}

extern "C" fn report(signal: i32) {
    write(b"\nProgram received signal ");
    let text = FAULTS.iter().find(|(number, _)| *number == signal).map_or("", |(_, text)| text);
    write(text.as_bytes());
    write(b"\n");
    // SAFETY: the handler has been reset, so that the signal now ends the program: at once, or on return
    // if it is blocked until then.
    unsafe { libc::raise(signal) };
}

fn write(text: &[u8]) {
    // SAFETY: address and length of a slice. Nothing can be done about a failure.
    unsafe { libc::write(2, text.as_ptr().cast(), text.len()) };
}

//! Signals: the message when a fault of its own kills the program, and the profile saved when a signal ends it.
//!
//! The handler writes a line and has the profile saved, if there is one, and then lets the signal take its
//! course: buffers and locks may be in any state.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicUsize, Ordering};

/// The signals and their texts in libgfortran.
const FAULTS: [(i32, &str); 4] = [
    (libc::SIGSEGV, "SIGSEGV: Segmentation fault - invalid memory reference."),
    (libc::SIGBUS, "SIGBUS: Access to an undefined portion of a memory object."),
    (libc::SIGILL, "SIGILL: Illegal instruction."),
    (libc::SIGFPE, "SIGFPE: Floating-point exception - erroneous arithmetic operation."),
];

/// Further signals that end a program which does nothing about them.
const ENDINGS: [i32; 12] = [
    libc::SIGHUP,
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGABRT,
    libc::SIGPIPE,
    libc::SIGALRM,
    libc::SIGTERM,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGXCPU,
    libc::SIGXFSZ,
    libc::SIGVTALRM,
];

/// Room for the handler when the stack of the program has overflowed: saving a profile takes some.
const STACK_SIZE: usize = 1 << 20;

/// Whether faults are reported: the main program is ours.
static TELLING: AtomicBool = AtomicBool::new(false);
static STACK_MADE: AtomicBool = AtomicBool::new(false);
/// The function called with the signal before it ends the program: a `fn(i32)`, or null.
static BEFORE_END: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

/// The actions of another library like this one that was there first, of each fault, or null: they save the profile.
static OTHERS: [AtomicPtr<libc::sigaction>; FAULTS.len()] =
    [const { AtomicPtr::new(std::ptr::null_mut()) }; FAULTS.len()];

/// The signals that handlers of libraries like this one block beside their own: so they know each other.
const BLOCKED: [i32; 3] = [libc::SIGWINCH, libc::SIGURG, libc::SIGTTOU];

/// An address at the beginning of the main thread's stack; 0 if it is not known.
static STACK_BEGIN: AtomicUsize = AtomicUsize::new(0);

/// Makes faults reported that nobody else handles. `stack` is an address at the beginning of the stack, as that of the program's arguments.
pub(crate) fn install(stack: *const u8) {
    STACK_BEGIN.store(stack as usize, Ordering::SeqCst);
    if TELLING.swap(true, Ordering::SeqCst) {
        return;
    }
    make_stack();
    for (number, (signal, _)) in FAULTS.into_iter().enumerate() {
        if !handle(signal) {
            handle_before(signal, &OTHERS[number]);
        }
    }
    survive_large_files();
}

/// Makes a write beyond the limit of a file's size an error of that write (`EFBIG`), which has a message, unless somebody else
/// handles the signal. An empty handler, and not `SIG_IGN`: programs that are started from here get the usual action.
fn survive_large_files() {
    // SAFETY: zeroed structures are valid and are filled by the calls that read them; the handler has the type that is
    // asked for without `SA_SIGINFO`.
    unsafe {
        let mut old: libc::sigaction = std::mem::zeroed();
        let known = libc::sigaction(libc::SIGXFSZ, std::ptr::null(), &mut old) == 0;
        if !known || ![libc::SIG_DFL, report as *const () as usize].contains(&old.sa_sigaction) {
            return;
        }
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = nothing as extern "C" fn(i32) as usize;
        action.sa_flags = libc::SA_RESTART;
        libc::sigaction(libc::SIGXFSZ, &action, std::ptr::null_mut());
    }
}

extern "C" fn nothing(_: i32) {}

/// Registers `before` to be called when a signal that is not handled otherwise is about to end the program.
pub(crate) fn install_endings(before: fn(i32)) {
    BEFORE_END.store(before as *mut (), Ordering::SeqCst);
    make_stack();
    for signal in FAULTS.iter().map(|(signal, _)| *signal).chain(ENDINGS) {
        handle(signal);
    }
}

fn make_stack() {
    if STACK_MADE.swap(true, Ordering::SeqCst) {
        return;
    }
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: new memory, which lives as long as the program; a zeroed structure is valid.
    unsafe {
        let stack = libc::mmap(std::ptr::null_mut(), STACK_SIZE, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0);
        if stack != libc::MAP_FAILED {
            let mut alternative: libc::stack_t = std::mem::zeroed();
            alternative.ss_sp = stack;
            alternative.ss_size = STACK_SIZE;
            libc::sigaltstack(&alternative, std::ptr::null_mut());
        }
    }
}

/// Does something that no handler of a signal may interrupt.
pub(crate) fn blocked<T>(f: impl FnOnce() -> T) -> T {
    // SAFETY: the sets are filled by the calls that get them, and the mask of this thread is restored.
    unsafe {
        let (mut all, mut old): (libc::sigset_t, libc::sigset_t) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut old);
        let result = f();
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const old, std::ptr::null_mut());
        result
    }
}

/// Installs the handler, if the signal has none; tells whether it had none.
fn handle(signal: i32) -> bool {
    // SAFETY: a zeroed structure is valid and is filled by the call.
    unsafe {
        let mut old: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(signal, std::ptr::null(), &mut old) != 0 || old.sa_sigaction != libc::SIG_DFL {
            return false;
        }
    }
    set_handler(signal);
    true
}

/// Installs the handler in front of that of another library like this one, which goes to `other`: a shared library that profiles
/// was loaded before the main program began.
fn handle_before(signal: i32, other: &AtomicPtr<libc::sigaction>) {
    // SAFETY: zeroed structures are valid and are filled by the calls that read them.
    unsafe {
        let mut old: libc::sigaction = std::mem::zeroed();
        let is_known = libc::sigaction(signal, std::ptr::null(), &mut old) == 0;
        let is_like_ours = |s: &i32| libc::sigismember(&old.sa_mask, *s) == 1;
        let own = report as extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) as usize;
        if !is_known || old.sa_sigaction == own || !BLOCKED.iter().all(is_like_ours) {
            return;
        }
        other.store(Box::into_raw(Box::new(old)), Ordering::SeqCst);
    }
    set_handler(signal);
}

fn set_handler(signal: i32) {
    // SAFETY: zeroed structures are valid; the handler has the type that is asked for with `SA_SIGINFO`.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = report as extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::c_void) as usize;
        action.sa_flags = libc::SA_ONSTACK | libc::SA_RESETHAND | libc::SA_SIGINFO;
        // A sample taken while the handler looks for the frames would follow a value that is no frame pointer.
        for s in BLOCKED.into_iter().chain(libc::SIGRTMIN()..=libc::SIGRTMAX()).chain([libc::SIGPROF]) {
            libc::sigaddset(&mut action.sa_mask, s);
        }
        libc::sigaction(signal, &action, std::ptr::null_mut());
    }
}

extern "C" fn report(signal: i32, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    if let Some((_, text)) = FAULTS.iter().find(|(number, _)| *number == signal)
        && TELLING.load(Ordering::SeqCst)
        && crate::ranks::tells_fault()
    {
        write(b"\nProgram received signal ");
        write(text.as_bytes());
        write(b"\n");
        if OF_MEMORY.contains(&signal) {
            // SAFETY: the kernel gave the structure to the handler, and signals of memory have an address.
            tell_full_stack(unsafe { (*info).si_addr() } as usize);
        }
        expect_another(signal);
        tell_where(context);
    }
    save(signal);
    let number = FAULTS.iter().position(|(number, _)| *number == signal);
    let other = number.map_or(std::ptr::null_mut(), |k| OTHERS[k].swap(std::ptr::null_mut(), Ordering::SeqCst));
    if other.is_null() {
        return end_by(signal);
    }
    // SAFETY: `handle_before` has stored an action that was there. The signal comes again at once, or on return if it is blocked until then.
    unsafe {
        libc::sigaction(signal, other, std::ptr::null_mut());
        libc::raise(signal);
    }
}

/// Says so if `address`, which could not be accessed, is at the end of the main thread's stack. Other threads have no second stack for a
/// handler.
fn tell_full_stack(address: usize) {
    /// More than a guard page and the frame that meets it, and less than the least stack.
    const NEAR: usize = 4 << 20;
    let begin = STACK_BEGIN.load(Ordering::SeqCst);
    // SAFETY: the structure is written before it is read.
    let most = unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        if libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit) != 0 {
            return;
        }
        usize::try_from(limit.rlim_cur).unwrap_or(usize::MAX)
    };
    let is_near = |used: usize| used.abs_diff(most) < NEAR.min(most / 2);
    if begin == 0 || begin.checked_sub(address).is_none_or(|used| !is_near(used)) {
        return;
    }
    // Digits without a formatter: the handler has little room.
    let mut digits = [b'0'; 20];
    let (mut rest, mut first) = (most >> 10, digits.len());
    while first == digits.len() || rest > 0 {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    write(b"The stack of ");
    write(&digits[first..]);
    write(b" KiB is full: a recursion without end, or large local arrays ('ulimit -s' sets the limit)\n");
}

fn save(signal: i32) {
    let before = BEFORE_END.swap(std::ptr::null_mut(), Ordering::SeqCst);
    if !before.is_null() {
        // SAFETY: only `install_endings` stores it.
        let before: fn(i32) = unsafe { std::mem::transmute(before) };
        before(signal);
    }
}

/// The signal that is being reported.
static TOLD: AtomicI32 = AtomicI32::new(0);

/// The signals of memory that is not there.
const OF_MEMORY: [i32; 2] = [libc::SIGSEGV, libc::SIGBUS];

/// Saves the profile if the search for the frames meets memory that is not there: a signal that another process sends
/// may come anywhere, also where no frame stands yet.
fn expect_another(signal: i32) {
    TOLD.store(signal, Ordering::SeqCst);
    // SAFETY: zeroed structures are valid; the handler has the type that is asked for without `SA_SIGINFO`.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = another as extern "C" fn(i32) as usize;
        action.sa_flags = libc::SA_ONSTACK | libc::SA_RESETHAND;
        let mut now: libc::sigset_t = std::mem::zeroed();
        for s in OF_MEMORY {
            libc::sigaction(s, &action, std::ptr::null_mut());
            libc::sigaddset(&mut now, s);
        }
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &now, std::ptr::null_mut());
    }
}

extern "C" fn another(_: i32) {
    let signal = TOLD.load(Ordering::SeqCst);
    save(signal);
    end_by(signal);
}

/// The search for the frames waits for a lock: the signal takes its course without them. If the profile waits, too, the next alarm ends the
/// program.
extern "C" fn too_long(signal: i32) {
    // SAFETY: a system call.
    unsafe { libc::alarm(PATIENCE) };
    another(signal);
}

/// Lets the signal take its usual course: at once, or on return if it is blocked until then.
fn end_by(signal: i32) {
    // SAFETY: the usual action ends the program.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
        let mut now: libc::sigset_t = std::mem::zeroed();
        libc::sigaddset(&mut now, signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &now, std::ptr::null_mut());
    }
}

/// The most frames that are looked through.
const MOST_FRAMES: usize = 500;

/// Seconds that the search for the frames may take.
const PATIENCE: u32 = 10;

/// The procedures that were active. Memory is taken for that, which no handler may count on: if the fault has left a lock behind,
/// an alarm ends the program, with its profile and by the signal that has come. If the stack has overflowed, the innermost frames are shown.
fn tell_where(context: *mut libc::c_void) {
    let mut frames = [std::ptr::null_mut(); MOST_FRAMES];
    // SAFETY: a zeroed structure is valid, and the handler has the type that is asked for without `SA_SIGINFO`; the array has room for as many
    // addresses as are asked for.
    let count = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = too_long as extern "C" fn(i32) as usize;
        action.sa_flags = libc::SA_ONSTACK | libc::SA_RESETHAND;
        libc::sigaction(libc::SIGALRM, &action, std::ptr::null_mut());
        libc::alarm(PATIENCE);
        libc::backtrace(frames.as_mut_ptr(), MOST_FRAMES as i32)
    };
    let is_cut = count as usize == MOST_FRAMES;
    // SAFETY: the kernel gave the context to the handler, and the interrupted code does not run before the guard is dropped.
    let place = unsafe { crate::interrupted::Interrupted::prepare(context, is_cut) };
    if !is_cut || place.is_some() {
        let text = crate::backtrace::text();
        if !text.is_empty() {
            write(b"\nBacktrace for this error:\n");
            write(&text);
            if is_cut {
                write(b"(and the procedures that called these)\n");
            }
        }
    }
    drop(place);
    // SAFETY: no argument can be wrong.
    unsafe { libc::alarm(0) };
}

fn write(text: &[u8]) {
    // SAFETY: address and length of a slice. Nothing can be done about a failure.
    unsafe { libc::write(2, text.as_ptr().cast(), text.len()) };
}

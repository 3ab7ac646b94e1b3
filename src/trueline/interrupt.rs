//! Requests to end, as Ctrl-C: while a program of the user runs they end the program, not us, so that its profile is still shown. At any
//! other time they end us, at once, and no temporary file is left.
//!
//! A terminal sends the signal to all processes of its foreground group, so the program gets it, too; a request to end that only
//! we get is passed on. Signals that were ignored when we were started stay ignored, in us and in the program.

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Whether a program of the user runs.
static PROGRAM_RUNS: AtomicBool = AtomicBool::new(false);

/// Whether a thread waits for requests to end.
static IS_CLEAN: AtomicBool = AtomicBool::new(false);

/// Has temporary files removed when a signal ends us. Signals that were ignored when we were started stay ignored. Without a thread for
/// it signals end us as they do by default, and the next compile removes the files.
pub fn end_cleanly() {
    let ignored = ignored();
    let watched = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|s| ignored >> (s - 1) & 1 == 0);
    let Ok(mut signals) = Signals::new(watched) else { return };
    let wait = move || {
        for signal in signals.forever() {
            if signal == SIGHUP || !PROGRAM_RUNS.load(Ordering::SeqCst) {
                crate::output::remove_temporaries(|| end_by(signal));
            }
        }
    };
    let made = std::thread::Builder::new().name("endings".to_owned()).spawn(wait);
    IS_CLEAN.store(made.is_ok(), Ordering::SeqCst);
}

/// Ends the process by the signal, as a shell expects.
fn end_by(signal: i32) {
    // It returns only for signals that end nothing.
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

/// Runs the program and waits for its end, whatever signals come meanwhile.
///
/// # Errors
/// If the program cannot be started.
pub fn status(command: &mut Command) -> std::io::Result<ExitStatus> {
    let watch = Watch::begin();
    let mut child = command.spawn()?;
    if let Some(watch) = &watch {
        watch.child.store(child.id(), Ordering::SeqCst);
    }
    let status = child.wait();
    if let Some(watch) = &watch {
        watch.child.store(0, Ordering::SeqCst);
    }
    status
}

/// Waits for signals. When the program has ended they end us as they do by default.
struct Watch {
    /// The process of the program; 0 if it does not run.
    child: Arc<AtomicU32>,
    handle: Handle,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Watch {
    /// None where signals cannot be watched: they end us then.
    fn begin() -> Option<Watch> {
        let ignored = ignored();
        let watched = [SIGINT, SIGQUIT, SIGTERM].into_iter().filter(|s| ignored >> (s - 1) & 1 == 0);
        let mut signals = Signals::new(watched).ok()?;
        let handle = signals.handle();
        let child = Arc::new(AtomicU32::new(u32::MAX));
        let running = Arc::clone(&child);
        let wait = move || {
            for signal in signals.forever() {
                match running.load(Ordering::SeqCst) {
                    // No program runs any more.
                    0 => crate::output::remove_temporaries(|| std::process::exit(128 + signal)),
                    process if signal == SIGTERM => pass_on(process),
                    _ => {}
                }
            }
        };
        let thread = std::thread::Builder::new().name("signals".to_owned()).spawn(wait).ok()?;
        PROGRAM_RUNS.store(true, Ordering::SeqCst);
        Some(Watch { child, handle, thread: Some(thread) })
    }
}

impl Drop for Watch {
    /// The rest of the work does not take long: a signal that comes then ends us.
    fn drop(&mut self) {
        self.handle.close();
        if let Some(thread) = self.thread.take() {
            // It only waits for signals, and does not panic.
            let _ = thread.join();
        }
        PROGRAM_RUNS.store(false, Ordering::SeqCst);
        let others = if IS_CLEAN.load(Ordering::SeqCst) { &[SIGQUIT][..] } else { &[SIGINT, SIGQUIT, SIGTERM] };
        for &signal in others {
            restore(signal);
        }
    }
}

/// Lets a signal end the process again, with the exit code that a shell knows.
fn restore(signal: i32) {
    let always = Arc::new(std::sync::atomic::AtomicBool::new(true));
    if ignored() >> (signal - 1) & 1 == 0 {
        // If it cannot be restored the process outlives the signal until its work is done.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, always);
    }
}

/// Asks the program to end.
fn pass_on(process: u32) {
    let found = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(process) = found {
        // It may have ended just now.
        let _ = rustix::process::kill_process(process, rustix::process::Signal::TERM);
    }
}

/// The signals that are ignored, as the kernel tells: bit 0 is signal 1.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    line.and_then(|l| u64::from_str_radix(l.trim(), 16).ok()).unwrap_or(0)
}

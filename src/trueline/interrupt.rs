//! Requests to end, as Ctrl-C: while a program of the user runs they end the program, not us, so that its profile is still shown. At any
//! other time they end us, at once, and no temporary file is left.
//!
//! A terminal sends the signal to all processes of its foreground group, so the program gets it, too; a request to end that only
//! we get is passed on. Signals that were ignored when we were started stay ignored, in us and in the program.

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Waits for requests to end while no program of the user runs.
static ENDINGS: Mutex<Option<Waiter>> = Mutex::new(None);

/// A signal that ended the program is sent to us, too, but may be delivered later: we wait for it at most so long.
const DELIVERY: Duration = Duration::from_secs(1);

/// Has temporary files removed when a signal ends us. Signals that were ignored when we were started stay ignored. Returns whether a
/// thread waits for them: without one they end us as they do by default, and the next compile removes the files.
pub fn end_cleanly() -> bool {
    let waiter = Waiter::start("endings", &[SIGHUP, SIGINT, SIGTERM], end_by);
    let is_clean = waiter.is_some();
    *ENDINGS.lock().unwrap_or_else(PoisonError::into_inner) = waiter;
    is_clean
}

/// Removes temporary files and ends the process by the signal, as a shell expects.
fn end_by(signal: i32) {
    crate::output::remove_temporaries(|| {
        // It returns only for signals that end nothing.
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    });
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
        if let Some(signal) = status.as_ref().ok().and_then(ExitStatus::signal) {
            watch.seen.wait_for(signal);
        }
    }
    status
}

/// A thread that waits for signals.
struct Waiter {
    handle: Handle,
    thread: JoinHandle<()>,
}

impl Waiter {
    /// Starts a thread that calls `react` with each of the signals that is not ignored. None where signals cannot be watched.
    fn start(name: &str, watched: &[i32], react: impl Fn(i32) + Send + 'static) -> Option<Waiter> {
        let ignored = ignored();
        let watched = watched.iter().filter(|&s| ignored >> (s - 1) & 1 == 0);
        let mut signals = Signals::new(watched).ok()?;
        let handle = signals.handle();
        let wait = move || {
            signals.forever().for_each(&react);
            // Signals that came before the end of the wait.
            signals.pending().for_each(&react);
        };
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(wait).ok()?;
        Some(Waiter { handle, thread })
    }

    /// Ends the wait, when all signals that came before are reacted to.
    fn end(self) {
        self.handle.close();
        // The thread only waits for signals, and does not panic.
        let _ = self.thread.join();
    }
}

/// Waits for signals while a program runs: they do not end us.
struct Watch {
    /// The process of the program; 0 if it does not run, and the greatest number before it does.
    child: Arc<AtomicU32>,
    seen: Arc<Seen>,
    waiter: Option<Waiter>,
}

impl Watch {
    /// None where signals cannot be watched: they end us then.
    fn begin() -> Option<Watch> {
        let child = Arc::new(AtomicU32::new(u32::MAX));
        let seen = Arc::new(Seen::default());
        let (running, noted) = (Arc::clone(&child), Arc::clone(&seen));
        let react = move |signal| {
            if signal == SIGHUP {
                end_by(signal);
            }
            if signal == SIGTERM {
                pass_on(running.load(Ordering::SeqCst));
            }
            noted.note(signal);
        };
        let waiter = Some(Waiter::start("signals", &[SIGHUP, SIGINT, SIGQUIT, SIGTERM], react)?);
        // Signals that come from now on are for the program.
        let endings = ENDINGS.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(endings) = endings {
            endings.end();
        }
        Some(Watch { child, seen, waiter })
    }
}

impl Drop for Watch {
    /// The rest of the work does not take long: a signal that comes then ends us.
    fn drop(&mut self) {
        let others = if end_cleanly() { &[SIGQUIT][..] } else { &[SIGINT, SIGQUIT, SIGTERM] };
        if let Some(waiter) = self.waiter.take() {
            waiter.end();
        }
        for &signal in others {
            restore(signal);
        }
    }
}

/// The signals that came while the program ran: bit 0 is signal 1.
#[derive(Default)]
struct Seen {
    signals: Mutex<u64>,
    changed: Condvar,
}

impl Seen {
    fn note(&self, signal: i32) {
        *self.signals.lock().unwrap_or_else(PoisonError::into_inner) |= 1 << (signal - 1);
        self.changed.notify_all();
    }

    /// Waits until the signal that ended the program came to us, too. It does not when only the program got it.
    fn wait_for(&self, signal: i32) {
        if ![SIGINT, SIGQUIT, SIGTERM].contains(&signal) {
            return;
        }
        let signals = self.signals.lock().unwrap_or_else(PoisonError::into_inner);
        let is_missing = |signals: &mut u64| *signals >> (signal - 1) & 1 == 0;
        // The program ended, so the wait ends in any case.
        drop(self.changed.wait_timeout_while(signals, DELIVERY, is_missing));
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

//! The start of the ranks, and the process that watches over them.
//!
//! If an MPI's launcher has started the process, it is a rank, and the launcher watches ([`mpi`]). Else the process that the user starts is no rank: it makes the shared memory, forks the ranks, and waits for them. If one is killed it ends
//! the others, so no rank is left behind; if it is killed itself, the kernel ends them all.

use super::link::{self, Slow};
use super::local::{self, Local, MOST_RANKS};
use super::transport::Transport;
use super::{WORLD, World, mpi, rehearsal};
use crate::exit::tell;
use std::time::{Duration, Instant};

/// The variable that says how many ranks there are.
const VARIABLE: &str = "TRUELINE_NP";

/// The time of ranks to end by themselves when one is gone: first they are asked, after as long again they are killed.
const GRACE: Duration = Duration::from_millis(300);

/// The time of ranks when the run was given up: they know of it and end in order, with their profiles.
const LONG_GRACE: Duration = Duration::from_secs(5);

/// The time between two looks whether it is over.
const LOOK: Duration = Duration::from_millis(20);

/// Signals that go on to the ranks.
const FORWARDED: [i32; 6] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGUSR1, libc::SIGUSR2];

// The executable defines the symbol if it is compiled for several ranks. Rust has no weak declarations, the assembler has.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
std::arch::global_asm!(
    ".weak trueline_ranks_wanted",
    ".hidden trueline_ranks_wanted",
    ".pushsection .data.rel.trueline_ranks,\"aw\"",
    ".balign 8",
    ".globl trueline_ranks_mark",
    ".hidden trueline_ranks_mark",
    "trueline_ranks_mark:",
    ".quad trueline_ranks_wanted",
    ".popsection",
);

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
unsafe extern "C" {
    #[link_name = "trueline_ranks_mark"]
    static MARK: *const u8;
}

/// Whether the executable is compiled for several ranks.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn is_wanted() -> bool {
    // SAFETY: the word is the address of the symbol, or null.
    unsafe { !MARK.is_null() }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn is_wanted() -> bool {
    false
}

/// Starts as many ranks as `TRUELINE_NP` says, if the program is compiled for them. Comes back in each of them; in the process that was
/// started only if it is to run the program alone.
pub(crate) fn start() {
    static STARTED: std::sync::Once = std::sync::Once::new();
    if is_wanted() {
        STARTED.call_once(launch);
    }
}

fn launch() {
    if let Some(text) = std::env::var_os(rehearsal::VARIABLE) {
        return rehearse(&text.to_string_lossy());
    }
    let launched = mpi::launched().filter(|l| l.size != Some(1));
    let text = std::env::var_os(VARIABLE);
    let wanted = text.as_ref().map(|text| wanted(&text.to_string_lossy(), launched.as_ref()));
    match (launched, wanted) {
        (Some(launched), wanted) => join(&launched, wanted),
        (None, Some(size)) if size > 1 => fork(size),
        (None, _) => {}
    }
}

/// The number of ranks that the user wants.
fn wanted(text: &str, launched: Option<&mpi::Launched>) -> usize {
    let number = text.trim().parse::<usize>().ok().filter(|n| (1..=MOST_RANKS).contains(n));
    number.unwrap_or_else(|| {
        let text =
            format!("'{}' is not a number of ranks from 1 to {MOST_RANKS} (-np or {VARIABLE})", text.escape_debug());
        refuse_all(&text, launched)
    })
}

/// Becomes the first of as many ranks as the text says, of which no other is there.
fn rehearse(text: &str) {
    let (number, link) = text.split_once(':').map_or((text, None), |(number, link)| (number, Some(link)));
    let size = wanted(number, None);
    let transport = rehearsal::start(size, link).unwrap_or_else(|text| refuse(&text));
    // SAFETY: the environment is set before there are threads. Programs that are started from this one are real.
    unsafe { std::env::remove_var(rehearsal::VARIABLE) };
    enter(World { rank: 0, size, transport: Box::new(transport) });
}

/// Becomes one of the ranks that a launcher has started.
fn join(launched: &mpi::Launched, wanted: Option<usize>) {
    let differs = |size: usize| wanted.filter(|w| *w != size);
    let told = |size: usize, wanted: usize| {
        format!("mpirun has started {size} ranks, but -np or {VARIABLE} says {wanted}; leave one of them out")
    };
    if let Some((size, wanted)) = launched.size.and_then(|size| Some((size, differs(size)?))) {
        refuse_all(&told(size, wanted), Some(launched));
    }
    // SAFETY: the environment is set before there are threads.
    unsafe { std::env::set_var("TRUELINE_RANK", launched.rank.to_string()) };
    let (transport, rank, size) = match mpi::join(launched) {
        Ok(joined) => joined,
        Err(text) => refuse_all(&text, Some(launched)),
    };
    if let Some(wanted) = differs(size) {
        refuse_all(&told(size, wanted), Some(launched));
    }
    // SAFETY: threads of the MPI library do not look at the environment after its start.
    unsafe { std::env::remove_var(VARIABLE) };
    enter(World { rank, size, transport: Box::new(transport) });
    // SAFETY: the handler is a function without arguments that lives as long as the program.
    unsafe { libc::atexit(leave_at_exit) };
}

/// Other languages' ways to end a process pass here.
extern "C" fn leave_at_exit() {
    if let Some(world) = WORLD.get() {
        world.transport.leave();
    }
}

/// Forks `size` ranks. Comes back in each of them.
fn fork(size: usize) {
    let slow = std::env::var_os(link::VARIABLE).map(|text| {
        let text = text.to_string_lossy();
        let wrong = || format!("'{}' is no LATENCY:BANDWIDTH[@FROM-TO] ({})", text.escape_debug(), link::VARIABLE);
        Slow::parse(&text).unwrap_or_else(|| refuse(&wrong()))
    });
    let memory =
        local::create(size, slow).unwrap_or_else(|e| refuse(&format!("there is no memory for {size} ranks: {e}")));
    // No buffer of the C library is written twice.
    // SAFETY: null means all streams.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    let mut before = Signals::block();
    let supervisor = std::process::id();
    let mut ranks = Vec::with_capacity(size);
    for rank in 0..size {
        // SAFETY: the runtime has no threads yet; the child goes on where the parent is.
        match unsafe { libc::fork() } {
            0 => {
                before.restore();
                return become_rank(&memory, rank, size, supervisor);
            }
            -1 => {
                let error = std::io::Error::last_os_error();
                ranks.iter().for_each(|&r| kill(r, libc::SIGKILL));
                refuse(&format!("rank {rank} cannot be started: {error}"));
            }
            child => ranks.push(child),
        }
    }
    let code = Watch::new(&memory, ranks).run(&before);
    // SAFETY: nothing of this process is to be finished: it has run nothing of the program.
    unsafe { libc::_exit(code) };
}

/// Ends the start of all ranks with one message.
fn refuse_all(text: &str, launched: Option<&mpi::Launched>) -> ! {
    if launched.is_none_or(|l| l.rank == 0) {
        refuse(text);
    }
    // A launcher ends all ranks when one has ended, and the first one is to be heard.
    std::thread::sleep(Duration::from_secs(1));
    // SAFETY: nothing has been started that would have to be finished.
    unsafe { libc::_exit(crate::exit::ERROR_CODE) };
}

/// Ends the start with a message.
fn refuse(text: &str) -> ! {
    tell(format!("trueline: {text}\n").as_bytes());
    // SAFETY: nothing has been started that would have to be finished.
    unsafe { libc::_exit(crate::exit::ERROR_CODE) };
}

/// In a forked process: makes it rank `rank`.
fn become_rank(memory: &Local, rank: usize, size: usize, supervisor: u32) {
    // SAFETY: simple system calls; the environment is set before there are threads.
    unsafe {
        // Nobody is left behind if the supervisor is killed.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::getppid() as u32 != supervisor {
            libc::_exit(crate::exit::ERROR_CODE);
        }
        std::env::set_var("TRUELINE_RANK", rank.to_string());
        // Programs that are started from a rank are no ranks of their own.
        std::env::remove_var(VARIABLE);
    }
    enter(World { rank, size, transport: Box::new(memory.as_rank(rank)) });
}

fn enter(world: World) {
    debug_assert!(WORLD.get().is_none(), "a process becomes a rank once");
    // It was never set: see above.
    let _ = WORLD.set(world);
    if !rehearsal::is_on() {
        super::ledger::start();
    }
}

fn kill(process: i32, signal: i32) {
    // SAFETY: the process is a child that has not been waited for.
    unsafe { libc::kill(process, signal) };
}

/// The signals of the supervisor, blocked.
struct Signals {
    set: libc::sigset_t,
    old: libc::sigset_t,
}

impl Signals {
    fn block() -> Signals {
        // SAFETY: zeroed sets are valid, and are filled by the calls.
        unsafe {
            let (mut set, mut old): (libc::sigset_t, libc::sigset_t) = (std::mem::zeroed(), std::mem::zeroed());
            libc::sigemptyset(&raw mut set);
            for signal in FORWARDED.into_iter().chain([libc::SIGCHLD]) {
                libc::sigaddset(&raw mut set, signal);
            }
            libc::sigprocmask(libc::SIG_BLOCK, &raw const set, &raw mut old);
            Signals { set, old }
        }
    }

    fn restore(&mut self) {
        // SAFETY: the mask is the one that was there.
        unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const self.old, std::ptr::null_mut()) };
    }

    /// The next of them, if one comes in time.
    fn next(&self) -> Option<i32> {
        let time = libc::timespec { tv_sec: 0, tv_nsec: LOOK.as_nanos() as i64 };
        // SAFETY: the set is valid; null asks for no details.
        let signal = unsafe { libc::sigtimedwait(&raw const self.set, std::ptr::null_mut(), &raw const time) };
        (signal > 0).then_some(signal)
    }
}

/// The supervisor's view of the ranks.
struct Watch<'a> {
    memory: &'a Local,
    /// The processes that run; none where one has ended.
    running: Vec<Option<i32>>,
    /// The exit code of rank 0.
    code: i32,
    /// The exit code of the run, once a rank was killed.
    fault: Option<i32>,
    /// The rank that was killed first, and by which signal.
    killed: Option<(usize, i32)>,
    /// The ranks that were ended because of that.
    ended: Vec<usize>,
    /// Since when ranks have been asked to end.
    asked: Option<Instant>,
    /// A signal that came from outside.
    forwarded: Option<i32>,
}

impl<'a> Watch<'a> {
    fn new(memory: &'a Local, ranks: Vec<i32>) -> Watch<'a> {
        Watch {
            memory,
            running: ranks.into_iter().map(Some).collect(),
            code: 0,
            fault: None,
            killed: None,
            ended: Vec::new(),
            asked: None,
            forwarded: None,
        }
    }

    /// Waits until all ranks have ended; the exit code of the run.
    fn run(mut self, signals: &Signals) -> i32 {
        while self.running.iter().any(Option::is_some) {
            match signals.next() {
                Some(libc::SIGCHLD) | None => {}
                Some(signal) => {
                    self.forwarded = Some(signal);
                    self.running.iter().flatten().for_each(|&r| kill(r, signal));
                }
            }
            self.collect();
            self.hurry();
        }
        self.tell();
        if self.killed.is_some() {
            crate::profile::sweep();
        }
        match (self.fault, self.memory.given_up()) {
            (Some(code), _) => code,
            // The first rank may have left the others by itself, with a code of its own.
            (None, Some(code)) if self.code == 0 => code,
            (None, _) => self.code,
        }
    }

    /// Takes note of the ranks that have ended.
    fn collect(&mut self) {
        for rank in 0..self.running.len() {
            let Some(process) = self.running[rank] else { continue };
            let mut status = 0;
            // SAFETY: the process is our child; the status is ours.
            if unsafe { libc::waitpid(process, &raw mut status, libc::WNOHANG) } != process {
                continue;
            }
            self.running[rank] = None;
            if libc::WIFSIGNALED(status) {
                self.was_killed(rank, libc::WTERMSIG(status));
            } else if rank == 0 {
                self.code = libc::WEXITSTATUS(status);
            } else if !self.memory.has_ended(rank) {
                // It left by a way that is not ours (`_exit` of another language).
                self.memory.leave_for(rank);
            }
            if rank == 0 && !libc::WIFSIGNALED(status) {
                self.memory.leave_for(rank);
            }
        }
    }

    fn was_killed(&mut self, rank: usize, signal: i32) {
        if self.killed.is_some() || self.asked.is_some() {
            return;
        }
        self.killed = Some((rank, signal));
        self.fault = Some(128 + signal);
        self.memory.claim(128 + signal);
        self.ended = (0..self.running.len()).filter(|&r| self.running[r].is_some()).collect();
        if self.forwarded.is_none() {
            self.ask(libc::SIGTERM);
        }
    }

    /// Asks all that run to end; they save their profiles.
    fn ask(&mut self, signal: i32) {
        self.asked.get_or_insert_with(Instant::now);
        self.running.iter().flatten().for_each(|&r| kill(r, signal));
    }

    /// Ends ranks that have had their time: because the run was given up, or because one is gone.
    fn hurry(&mut self) {
        let grace = if self.killed.is_some() { GRACE } else { LONG_GRACE };
        match self.asked {
            None if self.memory.given_up().is_some() => self.asked = Some(Instant::now()),
            None => {}
            Some(since) if since.elapsed() > 2 * grace => {
                self.running.iter().flatten().for_each(|&r| kill(r, libc::SIGKILL))
            }
            Some(since) if since.elapsed() > grace => {
                self.running.iter().flatten().for_each(|&r| kill(r, libc::SIGTERM))
            }
            Some(_) => {}
        }
    }

    /// `rank 2 was killed by signal 9; ranks 0, 1, 3 were ended; rank 2 was last seen in line 7 of file x.f90`.
    fn tell(&self) {
        let Some((rank, signal)) = self.killed else { return };
        let seen = match self.memory.last_place_of(rank) {
            place if place.is_empty() => place,
            place => format!("; rank {rank} was last seen{place}"),
        };
        if self.forwarded == Some(signal) {
            return tell(format!("trueline: signal {signal} has ended the ranks{seen}\n").as_bytes());
        }
        let others = match self.ended.as_slice() {
            [] => String::new(),
            [one] => format!("; rank {one} was ended"),
            many => {
                let names: Vec<String> = many.iter().map(usize::to_string).collect();
                format!("; ranks {} were ended", names.join(", "))
            }
        };
        tell(format!("trueline: rank {rank} was killed by signal {signal}{others}{seen}\n").as_bytes());
    }
}

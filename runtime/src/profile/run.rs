//! The three phases of a run: initialization, user, cleanup (HPF profiling paper, section 4); fork, and the
//! signals that end a program.

use super::clock::{SOURCE, both, nanoseconds, ticks};
use super::host::{self, Found};
use super::settings::{self, Throttle};
use super::{arena, block, file, filter, objects, off, pair, records, sample, stack};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering, compiler_fence};
use std::sync::{Mutex, Once, PoisonError};
use trueline_abi::raw::{
    ADDED_UP, ADDING_UP, APART, ENDED, Header, Kind, RAW_MAGIC, RECORD_PAGES, RUNNING, RecordEntry, SIGNALLED,
};

static BEGUN: Once = Once::new();
static ENDED_NOW: AtomicBool = AtomicBool::new(false);
static LEAVES: AtomicBool = AtomicBool::new(false);
static PAUSED: AtomicBool = AtomicBool::new(false);
static RESUMED: AtomicU64 = AtomicU64::new(0);

/// The settings of the environment, read once: at the end of a program it may not be read.
struct Settings {
    pattern: OsString,
    /// The path of the profile; `None` if none is wanted.
    path: Option<PathBuf>,
}

static SETTINGS: Mutex<Settings> = Mutex::new(Settings { pattern: OsString::new(), path: None });

/// Whether measuring has ended.
#[inline]
pub(crate) fn has_ended() -> bool {
    ENDED_NOW.load(Ordering::Relaxed)
}

/// Whether timing is switched off for now.
#[inline]
pub(crate) fn is_paused() -> bool {
    PAUSED.load(Ordering::Relaxed)
}

/// Switches timing off or on.
pub(crate) fn pause(paused: bool) {
    if let Some(host) = host::host() {
        return host.pause(paused);
    }
    set_paused(paused.into());
    note_pause();
    host::tell_paused(paused);
    off::switched();
}

/// The clock when timing was last switched on.
pub(super) fn resumed() -> u64 {
    RESUMED.load(Ordering::Relaxed)
}

/// Notes in the profile that timing is switched off, if it is. A program may do that before there is a profile.
fn note_pause() {
    if is_paused() && !arena::base().is_null() {
        // SAFETY: there is memory, which begins with a valid header; threads write the same value.
        unsafe { AtomicU64::from_ptr(&raw mut (*arena::header()).paused).store(1, Ordering::Relaxed) };
    }
}

/// Notes that timing was switched off or on, here or by the host.
pub(crate) extern "C" fn set_paused(paused: u64) {
    if paused == 0 {
        RESUMED.store(ticks(), Ordering::Relaxed);
    }
    PAUSED.store(paused != 0, Ordering::Relaxed);
}

/// The host has ended measuring.
pub(crate) extern "C" fn set_ended() {
    ENDED_NOW.store(true, Ordering::SeqCst);
}

/// Begins the initialization phase if it has not begun: makes the memory and its file, readies the clock, and arranges
/// that the profile is written however the program ends.
pub(crate) fn begin() {
    if BEGUN.is_completed() {
        return;
    }
    BEGUN.call_once(|| {
        super::targets::lead();
        let mut found = Found::Nobody;
        block::while_beginning(|| found = host::attach());
        if found == Found::Host {
            crate::exit::register_exit(finish_host);
            return;
        }
        let (start, began) = (both(), sample::processor_time());
        let pattern = std::env::var_os("TRUELINE_PROFILE_FILE").unwrap_or_default();
        let off = settings::is_off();
        // The profile of a runtime of another version already has the name.
        let mut path = (!off).then(|| file::target(&pattern, found == Found::Stranger));
        path = path.map(|path| file::of_rank(path, &pattern, crate::ranks::rank()));
        if let Some(path) = &path {
            file::sweep(path);
        }
        // A signal that ends the program waits until the profile has its name and is saved at the end.
        crate::signals::blocked(|| {
            block::while_beginning(|| initialize(start, 0, &mut path));
            *SETTINGS.lock().unwrap_or_else(PoisonError::into_inner) = Settings { pattern, path };
            crate::exit::register_exit(finish);
            // A main program in another language does not call us at its end.
            crate::exit::finish_at_exit();
            // SAFETY: the handler is a function that lives as long as the program.
            unsafe { libc::pthread_atfork(None, None, Some(after_fork)) };
            if !off {
                crate::signals::install_endings(interrupted);
            }
        });
        host::open();
        note_pause();
        note_begin(began);
    });
}

/// Removes the files that processes which were killed while their profiles began have left beside those.
pub(crate) fn sweep() {
    if is_wanted() {
        let pattern = std::env::var_os("TRUELINE_PROFILE_FILE").unwrap_or_default();
        file::sweep(&file::target(&pattern, false));
    }
}

/// The program ends in the runtime of a guest.
fn finish_host() {
    if let Some(host) = host::host() {
        host.finish();
    }
}

/// Whether there will be a profile.
pub(crate) fn is_wanted() -> bool {
    objects::any() && !settings::is_off()
}

/// Begins the profile if the executable has profiled objects.
pub(crate) fn begin_if_profiled() {
    if objects::any() {
        begin();
    }
}

/// Makes the memory, its first structures, and the file under its name: `path`, which changes if there is no room
/// there.
fn initialize(start: (u64, u64), parent: u64, path: &mut Option<PathBuf>) {
    let headers = objects::headers();
    let size = (objects::size(&headers) + sample::size(&headers) + (384 << 10)).next_multiple_of(arena::STEP);
    let opening = sample::processor_time();
    let opened = path.as_ref().and_then(|p| file::open(p, size).ok());
    let file_ns = sample::processor_time().saturating_sub(opening);
    if let Some(raw) = &opened {
        *path = Some(raw.path.clone());
    }
    let (descriptor, inode) = opened.as_ref().map_or((-1, 0), |raw| (raw.descriptor, raw.inode));
    let mapped = arena::create(descriptor, inode, size);
    if arena::base().is_null() {
        return;
    }
    // SAFETY: the memory is new and larger than the header.
    unsafe {
        let header = &mut *arena::header();
        header.used = Header::SIZE.next_multiple_of(64);
        header.state = RUNNING;
        header.pid = u64::from(std::process::id());
        header.parent = parent;
        header.rank = settings::rank();
        header.apart = if crate::ranks::has_parts() { APART } else { 0 };
        (header.start_ticks, header.start_ns) = start;
        header.clock = SOURCE;
        header.file_ns = file_ns;
        header.records = arena::offset(arena::make::<u64>(RECORD_PAGES));
        let name = program_name();
        (header.program, header.program_len) = (arena::copy(name.as_bytes()), name.len() as u64);
        records::append(RecordEntry { kind: Kind::Region as u64, ..RecordEntry::default() });
    }
    objects::describe(&headers, objects::counters().as_ptr(), 0);
    sample::begin(&headers, path.is_some());
    block::begin(parent != 0);
    host::rejoin();
    if parent == 0 {
        // SAFETY: there is memory, which begins with a valid header.
        unsafe {
            let header = &mut *arena::header();
            configure(header);
            stack::begin_thread();
            let cost = pair::calibrate();
            (header.probe_milliticks, header.span_milliticks) = (cost.milliticks, cost.span);
            header.aside_pairs = cost.aside;
            super::cost::calibrate(header);
            (header.calibrated_ticks, header.calibrated_ns) = both();
            limit_timers(header, objects::budget(&headers));
        }
        filter::apply(&headers);
    }
    // SAFETY: the header is valid; everything else is there.
    unsafe { (*arena::header()).magic = RAW_MAGIC };
    if let Some(raw) = opened
        && (!mapped || raw.publish().is_err())
    {
        raw.discard();
    }
}

/// Makes the counts of which each rank has a share those of all ranks. If the process is killed meanwhile, its profile says that they are not known.
pub(super) fn add_up(add: impl FnOnce()) {
    if arena::base().is_null() {
        return;
    }
    // SAFETY: there is memory, which begins with a valid header.
    let note = |state: u64| unsafe { (*arena::header()).apart = state };
    note(ADDING_UP);
    // Whoever ends the process sees its stores in this order.
    compiler_fence(Ordering::SeqCst);
    add();
    compiler_fence(Ordering::SeqCst);
    note(ADDED_UP);
}

/// Notes the processor time that the beginning took: on a machine with other work, elapsed time includes that of
/// others.
fn note_begin(began: u64) {
    if !arena::base().is_null() {
        // SAFETY: there is memory, which begins with a valid header.
        unsafe { (*arena::header()).begin_ns = sample::processor_time().saturating_sub(began) };
    }
}

/// The environment's settings of the call tree and of the trace.
fn configure(header: &mut Header) {
    header.trace_most = super::trace::wanted();
    if let Some(depth) = settings::tree_depth() {
        header.tree_depth = depth;
    }
}

/// A construct is not judged by its mean time before it was entered this often.
const JUDGED_AFTER: u64 = 10_000;

/// Limits the cost of timers. A timer that takes more than the fraction `budget` of the time, which the program was
/// compiled with, is thinned, or stopped if thinning is impossible. `TRUELINE_THIN` sets the least thinning, or
/// switches it off. `TRUELINE_THROTTLE=calls,us`: a construct called more often, with a shorter mean time, is not timed
/// further.
fn limit_timers(header: &mut Header, budget: f64) {
    let thinning = settings::thinning();
    header.least_thinning = thinning.unwrap_or(0);
    let (calls, us) = match settings::throttle() {
        Some(Throttle::Off) => return,
        Some(Throttle::Beyond(calls, us)) => (calls, us),
        None => {
            if budget > 0.0 {
                header.throttle_calls = JUDGED_AFTER;
                header.throttle_ticks = (header.probe_milliticks as f64 / 1000.0 / budget) as u64;
                header.budget = if thinning == Some(0) { 0 } else { (budget * 1e6) as u64 };
            }
            return;
        }
    };
    let ticks = header.calibrated_ticks.wrapping_sub(header.start_ticks) as f64;
    let ns = header.calibrated_ns.wrapping_sub(header.start_ns) as f64;
    header.throttle_calls = calls;
    header.throttle_ticks = (us * 1e3 * ticks / ns) as u64;
}

/// `end_profile`: nothing is measured from now on.
pub(crate) fn end_measurement() {
    begin();
    if let Some(host) = host::host() {
        return host.end_measurement();
    }
    end(ENDED, 0);
}

/// Stops the clock. Async-signal-safe.
fn end(state: u64, signal: u64) {
    if ENDED_NOW.swap(true, Ordering::SeqCst) || arena::base().is_null() {
        return;
    }
    host::tell_ended();
    sample::end();
    block::save();
    host::save();
    // SAFETY: there is memory, which begins with a valid header.
    unsafe {
        let header = &mut *arena::header();
        // A run that is too short to calibrate the clock waits.
        let until = header.start_ns + 200_000;
        let (ticks_now, ns_now) = both();
        header.signal = signal;
        if ns_now < until {
            while nanoseconds() < until {
                std::hint::spin_loop();
            }
            let (late_ticks, late_ns) = both();
            let rate = late_ticks.wrapping_sub(header.start_ticks) as f64 / (late_ns - header.start_ns) as f64;
            header.end_ns = header.start_ns + (ticks_now.wrapping_sub(header.start_ticks) as f64 / rate) as u64;
        } else {
            header.end_ns = ns_now;
        }
        header.end_ticks = ticks_now;
        header.state = state;
    }
}

/// The cleanup phase.
fn finish() {
    let began = sample::processor_time();
    end(ENDED, 0);
    if !arena::base().is_null() {
        // Counts made after `end_profile` count; the clock has stopped.
        block::save();
        host::save();
        if LEAVES.load(Ordering::Relaxed) {
            // SAFETY: there is memory, which begins with a valid header.
            unsafe { (*arena::header()).state = RUNNING };
        }
    }
    save(began);
}

/// Notes that the run ends here because another rank has ended it. Loops that are running may be counted already, so the profile is that of a
/// program that still ran.
pub(crate) fn note_leaves() {
    LEAVES.store(true, Ordering::Relaxed);
}

/// Makes the profile of the raw one, and writes it over it. The cleanup phase `began` at that processor time.
fn save(began: u64) {
    // A thread that was interrupted may hold the lock; then there is the raw profile.
    let Ok(settings) = SETTINGS.try_lock() else { return };
    let Some(path) = &settings.path else { return };
    if arena::base().is_null() {
        crate::exit::tell(b"trueline: there is no memory for a profile\n");
        return;
    }
    let statements = crate::ranks::ledger::statements();
    match trueline_abi::raw::profile_of_rank(arena::bytes(), statements.as_deref().unwrap_or_default()) {
        Ok(mut profile) => {
            if let Some(statements) = statements {
                trueline_abi::profile::settle(&mut profile, crate::ranks::size() as u32, statements);
            }
            // SAFETY: there is memory, which begins with a valid header.
            let file_ns = unsafe { (*arena::header()).file_ns };
            let end = |len| sample::processor_time().saturating_sub(began) + file_ns + super::cost::written(len);
            file::write(path, &mut profile, end);
        }
        Err(error) => crate::exit::tell(format!("trueline: cannot make the profile: {error}\n").as_bytes()),
    }
}

/// A signal is about to end the program. The process may be anywhere, so no routine with a state is called: the memory
/// for this is new (see [`crate::heap`]), and the environment was read long ago.
fn interrupted(signal: i32) {
    if ENDED_NOW.load(Ordering::SeqCst) || arena::base().is_null() {
        return;
    }
    let began = sample::processor_time();
    end(SIGNALLED, signal as u64);
    crate::heap::enter_handler();
    save(began);
}

/// In a forked child: begins a profile of its own.
extern "C" fn after_fork() {
    block::leave_parent();
    host::leave_parent();
    if has_ended() || arena::base().is_null() {
        return;
    }
    let (parent, began) = (arena::base(), sample::processor_time());
    let Ok(mut settings) = SETTINGS.try_lock() else { return };
    if settings.path.is_some() {
        settings.path = Some(file::target(&settings.pattern, true));
    }
    let start = (ticks(), nanoseconds());
    // SAFETY: the parent's memory stays mapped until the program ends.
    let old = unsafe { *parent.cast::<Header>() };
    initialize(start, old.pid, &mut settings.path);
    drop(settings);
    if arena::base().is_null() || arena::base() == parent {
        return;
    }
    // SAFETY: there is new memory.
    unsafe {
        let header = &mut *arena::header();
        header.probe_milliticks = old.probe_milliticks;
        header.span_milliticks = old.span_milliticks;
        header.aside_pairs = old.aside_pairs;
        header.budget = old.budget;
        header.least_thinning = old.least_thinning;
        header.throttle_calls = old.throttle_calls;
        header.throttle_ticks = old.throttle_ticks;
        header.tree_depth = old.tree_depth;
        header.trace_most = old.trace_most;
        // The clock runs as the parent's.
        let rate = old.calibrated_ns.wrapping_sub(old.start_ns);
        header.calibrated_ticks = start.0 + old.calibrated_ticks.wrapping_sub(old.start_ticks);
        header.calibrated_ns = start.1 + rate;
        records::adopt(parent);
        stack::adopt(parent);
    }
    note_pause();
    note_begin(began);
}

pub(super) fn program_name() -> String {
    let path = std::env::args_os().next().unwrap_or_default();
    std::path::Path::new(&path).file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}

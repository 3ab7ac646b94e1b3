//! The start of a program by an MPI's `mpirun`: who started it, with which library ranks talk, and whether the two fit.

use super::super::local::MOST_RANKS;
use super::super::transport::Location;
use super::{Mpi, SPINS, Talk, library};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32};

/// The variable that names the file of the MPI library.
const LIBRARY: &str = "TRUELINE_MPI_LIB";

/// The variables by which a launcher is known: of the number of ranks, of the rank, of the ranks on this machine, and the libraries that belong to it.
const LAUNCHERS: [(&str, &str, &str, &[&str]); 3] = [
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE", &["libmpi.so.40", "libmpi.so"]),
    ("PMI_SIZE", "PMI_RANK", "MPI_LOCALNRANKS", &["libmpich.so.12", "libmpi.so.12", "libmpi.so"]),
    ("", "PMIX_RANK", "", &["libmpi.so.40", "libmpich.so.12", "libmpi.so.12", "libmpi.so"]),
];

/// A process that a launcher has started.
pub(in super::super) struct Launched {
    /// The number of ranks, if the launcher says it.
    pub(in super::super) size: Option<usize>,
    pub(in super::super) rank: usize,
    /// The ranks on this machine.
    here: Option<usize>,
    libraries: &'static [&'static str],
}

/// The launcher that has started this process, by the environment.
pub(in super::super) fn launched() -> Option<Launched> {
    let number = |name: &str| if name.is_empty() { None } else { std::env::var(name).ok()?.trim().parse().ok() };
    LAUNCHERS.into_iter().find_map(|(size, rank, here, libraries)| {
        let rank = number(rank)?;
        let known = number(size);
        (known.is_some() || size.is_empty()).then(|| Launched { size: known, rank, here: number(here), libraries })
    })
}

/// Becomes one of the ranks that the launcher has started: the transport, the number of this rank, and the number of ranks. Else the reason.
pub(in super::super) fn join(launched: &Launched) -> Result<(Mpi, usize, usize), String> {
    if let Some(size) = launched.size.filter(|s| *s > MOST_RANKS) {
        return Err(too_many(size));
    }
    let files = match std::env::var(LIBRARY) {
        Ok(file) if !file.is_empty() => vec![file],
        _ => launched.libraries.iter().map(|f| (*f).to_owned()).collect(),
    };
    // Some parts of libraries have handlers from when they are loaded.
    let before = Handlers::save();
    let library = library::find(&files).map_err(|text| {
        format!("mpirun has started this program, but {text} ({LIBRARY} names the file of the library)")
    })?;
    let (world, rank, size) = library.begin();
    before.restore();
    if let Some(wanted) = launched.size.filter(|wanted| *wanted != size) {
        return Err(format!(
            "mpirun has started {wanted} ranks, but the MPI library {} knows of {size}: it belongs to another mpirun \
             ({LIBRARY} names the file of the library)",
            library.name
        ));
    }
    if size > MOST_RANKS {
        return Err(too_many(size));
    }
    let processors = processors();
    let mpi = Mpi {
        library,
        world,
        rank,
        size,
        name: format!("\ntrueline: rank {rank} has a fault:"),
        spins: if launched.here.unwrap_or(size) <= processors { SPINS } else { 0 },
        place: Location::default(),
        told: AtomicBool::new(false),
        given_up: AtomicI32::new(0),
        ended: (0..size).map(|_| AtomicBool::new(false)).collect(),
        talk: Mutex::new(Talk::default()),
    };
    // Programs that are started from a rank are no ranks of their own.
    for (size, rank, ..) in LAUNCHERS {
        for name in [size, rank].into_iter().filter(|n| !n.is_empty()) {
            // SAFETY: threads of the MPI library have begun, which do not look at the environment after its start.
            unsafe { std::env::remove_var(name) };
        }
    }
    Ok((mpi, rank, size))
}

/// The processors that the ranks of this machine have together. A launcher may have bound each rank to processors of its own; then the launcher
/// itself has them all.
fn processors() -> usize {
    let own = std::thread::available_parallelism().map_or(1, usize::from);
    // SAFETY: asks for a number.
    let launcher = unsafe { libc::getppid() };
    match (bound_to(0), bound_to(launcher)) {
        (Some(here), Some(there)) if here == own && here < there => there,
        _ => own,
    }
}

/// The number of processors that a process may use; 0 is this one.
fn bound_to(process: libc::pid_t) -> Option<usize> {
    // SAFETY: a zeroed set is valid, and the call fills as many bytes as it has.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        let found = libc::sched_getaffinity(process, size_of::<libc::cpu_set_t>(), &raw mut set) == 0;
        found.then(|| usize::try_from(libc::CPU_COUNT(&set)).unwrap_or(0))
    }
}

fn too_many(size: usize) -> String {
    format!("mpirun has started {size} ranks, and a program has at most {MOST_RANKS}")
}

/// The handlers of faults: MPI libraries install theirs, and then ours would not know of a fault.
struct Handlers(Vec<(i32, libc::sigaction)>);

impl Handlers {
    fn save() -> Handlers {
        let faults = [libc::SIGABRT, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGSEGV];
        let action = |signal: i32| {
            // SAFETY: a zeroed structure is valid and is filled by the call.
            unsafe {
                let mut old: libc::sigaction = std::mem::zeroed();
                (libc::sigaction(signal, std::ptr::null(), &raw mut old) == 0).then_some((signal, old))
            }
        };
        Handlers(faults.into_iter().filter_map(action).collect())
    }

    fn restore(&self) {
        for (signal, action) in &self.0 {
            // SAFETY: the action is one that was there.
            unsafe { libc::sigaction(*signal, action, std::ptr::null_mut()) };
        }
    }
}

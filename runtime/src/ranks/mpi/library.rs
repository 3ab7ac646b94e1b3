//! An MPI library that is found when the program runs.
//!
//! Nothing of MPI is there when the runtime or a program is built. The two families of libraries agree on the functions' names and on
//! their arguments, but not on handles: in Open MPI a handle is the address of an object of the library, in MPICH and its relatives it is
//! a number of 32 bits. Both pass in a register of 64 bits. Of `MPI_Status` only the size differs; nothing reads it but the library itself.
//!
//! **Invariant:** only functions are called whose arguments are the same in both families: none takes `MPI_ANY_SOURCE`,
//! `MPI_STATUS_IGNORE` or another constant that differs.

use std::ffi::{CStr, CString, c_char, c_int, c_void};

// A program need not be linked with the functions that load libraries: one that is linked statically is not. Rust has no weak declarations, the
// assembler has.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
std::arch::global_asm!(
    ".weak dlopen",
    ".weak dlsym",
    ".pushsection .data.rel.trueline_loader,\"aw\"",
    ".balign 8",
    ".globl trueline_loader",
    ".hidden trueline_loader",
    "trueline_loader:",
    ".quad dlopen",
    ".quad dlsym",
    ".popsection",
);

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
unsafe extern "C" {
    #[link_name = "trueline_loader"]
    static LOADER: [*const c_void; 2];
}

type Open = unsafe extern "C" fn(*const c_char, c_int) -> *mut c_void;
type Find = unsafe extern "C" fn(*mut c_void, *const c_char) -> *mut c_void;

/// A handle of MPI: an address or a number.
pub(super) type Handle = u64;

/// Room for an `MPI_Status` of any library.
#[derive(Default)]
#[repr(C, align(16))]
pub(super) struct Status([u64; 16]);

type Init = unsafe extern "C" fn(*mut c_int, *mut c_void) -> c_int;
type Plain = unsafe extern "C" fn() -> c_int;
type Set = unsafe extern "C" fn(*mut c_int) -> c_int;
type Abort = unsafe extern "C" fn(Handle, c_int) -> c_int;
type Asked = unsafe extern "C" fn(Handle, *mut c_int) -> c_int;
type Made = unsafe extern "C" fn(Handle, *mut Handle) -> c_int;
type Post = unsafe extern "C" fn(*mut c_void, c_int, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
type Test = unsafe extern "C" fn(*mut Handle, *mut c_int, *mut Status) -> c_int;
type Probe = unsafe extern "C" fn(c_int, c_int, Handle, *mut c_int, *mut Status) -> c_int;
type Count = unsafe extern "C" fn(*mut Status, Handle, *mut c_int) -> c_int;
type Version = unsafe extern "C" fn(*mut c_char, *mut c_int) -> c_int;

/// The functions of a library.
pub(super) struct Library {
    /// Its file and what it says of itself.
    pub(super) name: String,
    init: Init,
    initialized: Set,
    finalize: Plain,
    abort: Abort,
    rank: Asked,
    size: Asked,
    duplicate: Made,
    isend: Post,
    irecv: Post,
    test: Test,
    iprobe: Probe,
    count: Count,
    barrier: Made,
    world: Handle,
    byte: Handle,
}

/// `MPI_COMM_WORLD` and `MPI_BYTE` of MPICH and of the libraries that are interchangeable with it.
const MPICH_HANDLES: (Handle, Handle) = (0x4400_0000, 0x4c00_010d);

/// Words of which one is in the name that such a library gives itself.
const MPICH_NAMES: [&str; 4] = ["MPICH", "Intel(R) MPI", "MVAPICH", "ParaStation MPI"];

/// The functions that load libraries; none where the program is linked without.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn loader() -> Option<(Open, Find)> {
    // SAFETY: the words are addresses of these functions of the C library, or null.
    unsafe {
        Some((
            std::mem::transmute::<*const c_void, Option<Open>>(LOADER[0])?,
            std::mem::transmute::<*const c_void, Option<Find>>(LOADER[1])?,
        ))
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn loader() -> Option<(Open, Find)> {
    None
}

/// The first of the files that can be loaded; the reason if none is a library of a known family.
pub(super) fn find(files: &[String]) -> Result<Library, String> {
    let Some((open, find)) = loader() else {
        return Err("the program is linked statically, and cannot load an MPI library".to_owned());
    };
    for file in files {
        let Ok(name) = CString::new(file.as_str()) else { continue };
        // SAFETY: a C string; a library's own initialization is what the user asked for. The parts that Open MPI loads by itself need its
        // symbols.
        let handle = unsafe { open(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
        if !handle.is_null() {
            return Library::new(file, |symbol: &CStr| {
                // SAFETY: the handle is valid, and the name a C string.
                unsafe { find(handle, symbol.as_ptr()) }
            });
        }
    }
    Err(format!("no MPI library is found: there is no {}", files.join(", ")))
}

impl Library {
    fn new(file: &str, find: impl Fn(&CStr) -> *mut c_void) -> Result<Library, String> {
        let needed = |name: &CStr| {
            let found = find(name);
            let name = name.to_string_lossy();
            if found.is_null() {
                Err(format!("{file} is no MPI library of version 3 or later: it has no {name}"))
            } else {
                Ok(found)
            }
        };
        macro_rules! function {
            ($name:literal, $ty:ty) => {
                // SAFETY: the standard gives the function of this name this type, but for handles, of which see above.
                unsafe { std::mem::transmute::<*mut c_void, $ty>(needed($name)?) }
            };
        }
        let version = version(function!(c"MPI_Get_library_version", Version));
        let (world, byte) = match (find(c"ompi_mpi_comm_world"), find(c"ompi_mpi_byte")) {
            (world, byte) if !world.is_null() && !byte.is_null() => (world as Handle, byte as Handle),
            _ if MPICH_NAMES.iter().any(|name| version.contains(name)) => MPICH_HANDLES,
            _ => return Err(format!("{file} is neither Open MPI nor interchangeable with MPICH: it says '{version}'")),
        };
        Ok(Library {
            name: format!("{file} ({version})"),
            init: function!(c"MPI_Init", Init),
            initialized: function!(c"MPI_Initialized", Set),
            finalize: function!(c"MPI_Finalize", Plain),
            abort: function!(c"MPI_Abort", Abort),
            rank: function!(c"MPI_Comm_rank", Asked),
            size: function!(c"MPI_Comm_size", Asked),
            duplicate: function!(c"MPI_Comm_dup", Made),
            isend: function!(c"MPI_Isend", Post),
            irecv: function!(c"MPI_Irecv", Post),
            test: function!(c"MPI_Test", Test),
            iprobe: function!(c"MPI_Iprobe", Probe),
            count: function!(c"MPI_Get_count", Count),
            barrier: function!(c"MPI_Ibarrier", Made),
            world,
            byte,
        })
    }

    /// Initializes MPI, and gives a communicator that nobody else uses, the number of this rank, and the number of ranks.
    pub(super) fn begin(&self) -> (Handle, usize, usize) {
        let (mut done, mut rank, mut size, mut own) = (0, 0, 1, 0);
        // SAFETY: MPI allows null for the arguments of `main`; all others are variables of their types. Errors end the program by themselves.
        unsafe {
            (self.initialized)(&raw mut done);
            if done == 0 {
                (self.init)(std::ptr::null_mut(), std::ptr::null_mut());
            }
            (self.duplicate)(self.world, &raw mut own);
            (self.rank)(own, &raw mut rank);
            (self.size)(own, &raw mut size);
        }
        (own, usize::try_from(rank).unwrap_or(0), usize::try_from(size).unwrap_or(1))
    }

    /// Begins to send bytes, which stay where they are until [`Library::is_done`] says so.
    pub(super) fn send(&self, of: Handle, to: usize, tag: c_int, bytes: &[u8]) -> Handle {
        let mut request = 0;
        // SAFETY: the bytes are only read; the caller keeps them.
        unsafe {
            (self.isend)(
                bytes.as_ptr().cast_mut().cast(),
                bytes.len() as c_int,
                self.byte,
                to as c_int,
                tag,
                of,
                &raw mut request,
            )
        };
        request
    }

    /// Begins to receive bytes, which nobody touches until [`Library::is_done`] says so.
    pub(super) fn receive(&self, of: Handle, from: usize, tag: c_int, bytes: &mut [u8]) -> Handle {
        let mut request = 0;
        // SAFETY: as above, and the message that is there is not longer.
        unsafe {
            (self.irecv)(
                bytes.as_mut_ptr().cast(),
                bytes.len() as c_int,
                self.byte,
                from as c_int,
                tag,
                of,
                &raw mut request,
            )
        };
        request
    }

    /// Begins a barrier.
    pub(super) fn barrier(&self, of: Handle) -> Handle {
        let mut request = 0;
        // SAFETY: a communicator of this library.
        unsafe { (self.barrier)(of, &raw mut request) };
        request
    }

    /// Whether that is done which the request stands for; then the request is gone.
    pub(super) fn is_done(&self, request: &mut Handle) -> bool {
        let (mut done, mut status) = (0, Status::default());
        // SAFETY: the request was made by this library.
        unsafe { (self.test)(request, &raw mut done, &raw mut status) };
        done != 0
    }

    /// The length of the message that is there.
    pub(super) fn waiting(&self, of: Handle, from: usize, tag: c_int) -> Option<usize> {
        let (mut there, mut length, mut status) = (0, 0, Status::default());
        // SAFETY: the status is filled by the first call if it says that there is a message.
        unsafe {
            (self.iprobe)(from as c_int, tag, of, &raw mut there, &raw mut status);
            if there != 0 {
                (self.count)(&raw mut status, self.byte, &raw mut length);
            }
        }
        (there != 0).then_some(usize::try_from(length).unwrap_or(0))
    }

    /// Ends MPI in this process.
    pub(super) fn end(&self) {
        // SAFETY: all requests are done.
        unsafe { (self.finalize)() };
    }

    /// Ends all ranks.
    pub(super) fn abort(&self, of: Handle, code: i32) {
        // SAFETY: a communicator of this library.
        unsafe { (self.abort)(of, code) };
    }
}

/// The first line of the text that a library has about itself.
fn version(ask: Version) -> String {
    let (mut text, mut length) = (vec![0u8; 16 << 10], 0);
    // SAFETY: the buffer is longer than `MPI_MAX_LIBRARY_VERSION_STRING` of all libraries.
    unsafe { ask(text.as_mut_ptr().cast(), &raw mut length) };
    text.truncate(usize::try_from(length).unwrap_or(0).min(text.len()));
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().next().unwrap_or_default().trim_end_matches('\0');
    // "MPICH Version:\t4.0.2" and "Open MPI v4.1.4, package: ...".
    let line = line.split(", package").next().unwrap_or_default();
    line.split_whitespace().collect::<Vec<_>>().join(" ").escape_debug().to_string()
}

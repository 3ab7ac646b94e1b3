//! The code that a signal interrupted, made ready for the search for its callers.
//!
//! A search for lines takes each address for one behind a call, and looks one byte before it: for the instruction that was
//! interrupted that may be another line. So while [`Interrupted`] lives, the saved program counter is one greater. Of a stack
//! that has overflowed the search would take all frames: the return address of one of the innermost is 0 as long, which ends it.

/// The number of frames shown of a stack that has overflowed.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
const SHOWN: usize = 16;

/// The changed settings, which are restored when this is dropped.
pub(crate) struct Interrupted {
    /// Addresses and the words that stood there.
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    before: Vec<(*mut u64, u64)>,
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
impl Interrupted {
    /// Prepares the search; none if that is not possible, with nothing changed.
    ///
    /// # Safety
    /// `context` is the third argument of a handler with `SA_SIGINFO`, and the guard is dropped before it returns.
    pub(crate) unsafe fn prepare(context: *mut libc::c_void, is_cut: bool) -> Option<Interrupted> {
        if context.is_null() {
            return None;
        }
        let mut out = Interrupted { before: Vec::with_capacity(4) };
        // SAFETY: the kernel's context lives as long as the handler runs.
        let registers = unsafe { &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
        let mut register = |k: i32| std::ptr::from_mut(&mut registers[k as usize]).cast::<u64>();
        let (pc, sp) = (register(libc::REG_RIP), register(libc::REG_RSP));
        // SAFETY: the registers are part of the context.
        let (address, top) = unsafe { (*pc, *sp) };
        let mut inner = None;
        if is_cut {
            let found = outer(address, SHOWN)?;
            inner = found.first;
            out.set(found.place?, 0);
        }
        // SAFETY: the program counter is where code was just read from, if it could be: a jump to nowhere has left it
        // outside, and then the instruction is not looked at. If the return address is the last word of the stack, it is mapped.
        unsafe {
            if inner == Some(top as *mut u64) {
                // The frame is not made yet: the caller stands for it.
                let behind = *(top as *const u64);
                out.set(sp, top + 8);
                out.set(pc, behind);
            } else if address != 0 && !(is_cut && is_push(address)) {
                // An instruction of one byte that pushes would be taken for done, which makes the frame longer.
                out.set(pc, address + 1);
            }
        }
        Some(out)
    }

    fn set(&mut self, at: *mut u64, value: u64) {
        // SAFETY: callers give addresses in the context or in a frame of the stack.
        unsafe {
            self.before.push((at, *at));
            *at = value;
        }
    }
}

/// The search for the return address of an outer frame.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
struct Search {
    /// The address of the interrupted instruction.
    from: u64,
    /// The number of callers that are asked for.
    count: usize,
    /// The number of callers seen so far; none before the interrupted frame.
    seen: Option<usize>,
    /// The place of the return address to the first caller; none if it is not known.
    first: Option<*mut u64>,
    /// The place of the return address to the last caller seen; none if it is not known.
    place: Option<*mut u64>,
}

/// Looks for the place of the return address to the `count`th caller of the instruction at `from`, which a signal has interrupted.
/// The unwinder finds it by the tables of the code, as code in C and in this library keeps no chain of frame pointers.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn outer(from: u64, count: usize) -> Option<Search> {
    let mut search = Search { from, count, seen: None, first: None, place: None };
    // SAFETY: the function has the type that the unwinder calls, and `search` outlives the call.
    unsafe { _Unwind_Backtrace(visit, std::ptr::from_mut(&mut search).cast()) };
    (search.seen >= Some(count)).then_some(search)
}

/// Notes a frame in the [`Search`] at `data`; not 0 ends the search.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
extern "C" fn visit(frame: *mut libc::c_void, data: *mut libc::c_void) -> i32 {
    /// The unwinder's code for a search that need not go on.
    const ENOUGH: i32 = 4;
    // SAFETY: the unwinder gives a frame that lives during the call, and what `outer` gave to it.
    let (search, address, above) =
        unsafe { (&mut *data.cast::<Search>(), _Unwind_GetIP(frame) as u64, _Unwind_GetCFA(frame) as u64) };
    let Some(seen) = search.seen else {
        search.seen = (address == search.from).then_some(0);
        return 0;
    };
    // The unwinder tells where the frame of the callee ends: the return address is the last word of it.
    let place = above.wrapping_sub(8) as *mut u64;
    // SAFETY: the unwinder has read the stack around it to find this frame.
    search.place = (unsafe { *place } == address).then_some(place);
    if seen == 0 {
        search.first = search.place;
    }
    search.seen = Some(seen + 1);
    if seen + 1 >= search.count && search.place.is_some() { ENOUGH } else { 0 }
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
unsafe extern "C" {
    fn _Unwind_Backtrace(
        visit: extern "C" fn(*mut libc::c_void, *mut libc::c_void) -> i32,
        data: *mut libc::c_void,
    ) -> i32;
    fn _Unwind_GetIP(frame: *mut libc::c_void) -> usize;
    fn _Unwind_GetCFA(frame: *mut libc::c_void) -> usize;
}

/// Whether the instruction pushes a register and has one byte.
///
/// # Safety
/// There is code at the address.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
unsafe fn is_push(address: u64) -> bool {
    // SAFETY: as the caller says.
    matches!(unsafe { *(address as *const u8) }, 0x50..=0x57)
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
impl Drop for Interrupted {
    fn drop(&mut self) {
        for (at, value) in self.before.drain(..).rev() {
            // SAFETY: `set` wrote there.
            unsafe { *at = value };
        }
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
impl Interrupted {
    /// Nothing is prepared on this target.
    ///
    /// # Safety
    /// None is needed.
    pub(crate) unsafe fn prepare(_: *mut libc::c_void, is_cut: bool) -> Option<Interrupted> {
        (!is_cut).then_some(Interrupted {})
    }
}

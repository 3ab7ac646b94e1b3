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
        let frame = unsafe { *register(libc::REG_RBP) };
        if is_cut {
            // SAFETY: frames of a stack that has overflowed are above the fault, where it is mapped; `outer` stays within it.
            let cut = unsafe { outer(frame, SHOWN) }?;
            out.set(cut, 0);
        }
        // SAFETY: the program counter is where code was just read from, if it could be: a jump to nowhere has left it
        // outside, and then the instruction is not looked at.
        unsafe {
            let address = *pc;
            if is_cut && is_push(address) {
                // The frame is not made yet: the caller stands for it.
                let (top, behind) = (*sp, *(*sp as *const u64));
                out.set(sp, top + 8);
                out.set(pc, behind);
            } else if address != 0 {
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

/// The place of the return address of the frame that is `count` frames further out.
///
/// # Safety
/// `frame` is the frame pointer of code that keeps a chain of them.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
unsafe fn outer(mut frame: u64, count: usize) -> Option<*mut u64> {
    /// The most bytes that a frame is believed to have.
    const LARGEST: u64 = 1 << 22;
    for _ in 0..count {
        if frame == 0 || !frame.is_multiple_of(8) {
            return None;
        }
        // SAFETY: as the caller says; each frame is above the one before, and near it.
        let next = unsafe { *(frame as *const u64) };
        if next <= frame || next - frame > LARGEST {
            return None;
        }
        frame = next;
    }
    Some((frame + 8) as *mut u64)
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

#[cfg(test)]
mod tests {
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    #[test]
    fn a_chain_of_frames_is_followed() {
        let mut stack = [0u64; 64];
        let at = |k: usize, stack: &[u64; 64]| stack.as_ptr() as u64 + 8 * k as u64;
        for k in (0..60).step_by(4) {
            stack[k] = at(k + 4, &stack);
        }
        // SAFETY: the words are frame pointers in one array, which ends with 0.
        unsafe {
            assert_eq!(super::outer(at(0, &stack), 3), Some(at(13, &stack) as *mut u64));
            assert_eq!(super::outer(at(0, &stack), 30), None);
            assert_eq!(super::outer(3, 1), None);
        }
    }
}

//! One address space: a page that nothing may touch, then static areas; the stack; the heap.

use super::trace::Log;
use super::{Failure, Value, limit, wrong};
use crate::Type;
use rustc_hash::FxHashMap;

/// The beginnings of the three parts; addresses below the first are wild.
const STATIC: usize = 4096;
pub(super) const STACK: usize = 1 << 40;
pub(super) const HEAP: usize = 1 << 41;
/// The bytes of the stack.
const STACK_SIZE: usize = 16 << 20;
/// More static memory, or more heap, than this is refused.
const MOST: usize = 1 << 30;

pub(super) struct Memory {
    fixed: Vec<u8>,
    stack: Vec<u8>,
    heap: Vec<u8>,
    /// The parts of static memory and of the heap that are in use.
    fixed_used: usize,
    heap_used: usize,
    /// The place of the next frame.
    pub(super) top: usize,
    /// The size of each allocation on the heap.
    blocks: FxHashMap<usize, usize>,
    /// The accesses so far, if they are asked for.
    pub(super) log: Option<Log>,
}

impl Memory {
    pub(super) fn new() -> Memory {
        Memory {
            fixed: Vec::new(),
            stack: vec![0; STACK_SIZE],
            heap: Vec::new(),
            fixed_used: 0,
            heap_used: 0,
            top: STACK,
            blocks: FxHashMap::default(),
            log: None,
        }
    }

    /// Reserves static memory, zeroed and aligned to `align` (a power of two) but at least to 16.
    pub(super) fn reserve(&mut self, size: u64, align: u64) -> Result<i64, Failure> {
        let at = carve(&mut self.fixed, &mut self.fixed_used, size, align)?;
        Ok((STATIC + at) as i64)
    }

    /// Takes `size` bytes of the stack; giving back is setting `top`.
    pub(super) fn push(&mut self, size: u64) -> Result<i64, Failure> {
        let start = self.top;
        let end = usize::try_from(size).ok().and_then(|n| start.checked_add(n)).map(|end| end.next_multiple_of(16));
        self.top = end.filter(|&end| end <= STACK + STACK_SIZE).ok_or_else(|| limit("the stack overflows"))?;
        Ok(start as i64)
    }

    pub(super) fn allocate(&mut self, size: i64) -> Result<i64, Failure> {
        let size = size.max(1) as u64;
        let address = HEAP + carve(&mut self.heap, &mut self.heap_used, size, 16)?;
        self.blocks.insert(address, size as usize);
        Ok(address as i64)
    }

    pub(super) fn deallocate(&mut self, address: i64) -> Result<(), Failure> {
        match address {
            0 => Ok(()),
            a => self.blocks.remove(&(a as usize)).map(|_| ()).ok_or_else(|| wrong("freed memory was not allocated")),
        }
    }

    pub(super) fn slice(&self, address: i64, size: usize) -> Result<&[u8], Failure> {
        let (part, start) = match address as usize {
            a @ STATIC..STACK => (&self.fixed, a - STATIC),
            a @ STACK..HEAP => (&self.stack, a - STACK),
            a if a >= HEAP && address > 0 => (&self.heap, a - HEAP),
            _ => return Err(wild(address, size)),
        };
        part.get(start..start.saturating_add(size)).ok_or_else(|| wild(address, size))
    }

    pub(super) fn slice_mut(&mut self, address: i64, size: usize) -> Result<&mut [u8], Failure> {
        let (part, start) = match address as usize {
            a @ STATIC..STACK => (&mut self.fixed, a - STATIC),
            a @ STACK..HEAP => (&mut self.stack, a - STACK),
            a if a >= HEAP && address > 0 => (&mut self.heap, a - HEAP),
            _ => return Err(wild(address, size)),
        };
        part.get_mut(start..start.saturating_add(size)).ok_or_else(|| wild(address, size))
    }

    pub(super) fn load(&self, ty: Type, address: i64) -> Result<Value, Failure> {
        let bytes = self.slice(address, ty.size())?;
        if let Some(log) = &self.log {
            log.add(address, bytes, false)?;
        }
        Ok(Value::from_bytes(ty, bytes))
    }

    pub(super) fn store(&mut self, ty: Type, address: i64, v: Value) -> Result<(), Failure> {
        let bytes = v.bytes(ty);
        self.slice_mut(address, ty.size())?.copy_from_slice(&bytes[..ty.size()]);
        if let Some(log) = &self.log {
            log.add(address, &bytes[..ty.size()], true)?;
        }
        Ok(())
    }
}

fn wild(address: i64, size: usize) -> Failure {
    wrong(format!("{size} bytes at the wild address {address}"))
}

/// Takes `size` bytes of `part` behind the first `used`; a part that is too small grows to twice its size.
fn carve(part: &mut Vec<u8>, used: &mut usize, size: u64, align: u64) -> Result<usize, Failure> {
    let align = usize::try_from(align.clamp(16, 4096)).unwrap_or(16).next_power_of_two();
    let start = used.next_multiple_of(align);
    let end = usize::try_from(size).ok().and_then(|n| start.checked_add(n)).filter(|&end| end <= MOST);
    let end = end.ok_or_else(|| limit(format!("{size} bytes are too many")))?;
    if end > part.len() {
        // Fresh zeroed memory costs nothing until it is touched.
        let mut larger = vec![0; end.max(2 * part.len())];
        larger[..*used].copy_from_slice(&part[..*used]);
        *part = larger;
    }
    *used = end;
    Ok(start)
}

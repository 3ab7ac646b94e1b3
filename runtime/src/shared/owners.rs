//! Blocks that one thread after the other owns.

use super::lock::Lock;

/// A block with the number of the thread that owns it.
pub(crate) trait Owned: Copy {
    /// The owner, as long as the lock is held.
    fn owner(self) -> u64;
    /// Makes `owner` its owner; the lock is held.
    fn set_owner(self, owner: u64);
}

/// A block of the list for the thread `me`: one whose owner has ended (`is_free`), which `clean` readies for it, or a new one.
pub(crate) fn take<B: Owned, I: Iterator<Item = B>>(
    lock: &Lock,
    me: u64,
    blocks: impl FnOnce() -> I,
    is_free: impl Fn(B, u64) -> bool,
    clean: impl FnOnce(B),
    create: impl FnOnce() -> Option<B>,
) -> Option<B> {
    lock.with(|| match blocks().find(|&block| is_free(block, block.owner())) {
        Some(block) => {
            block.set_owner(me);
            clean(block);
            Some(block)
        }
        None => create(),
    })
}

//! Interned names.

use std::hash::Hasher;

use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::FxHasher;

/// A name in lower case. Equal spellings (whatever their case) of one [`Names`] have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(u32);
entity_impl!(Name, "name");

/// The table of names: one byte string with all spellings, and an open-addressing index into it, so that a new name costs no
/// allocation of its own.
#[derive(Debug, Default, Clone)]
pub struct Names {
    bytes: String,
    ranges: PrimaryMap<Name, (u32, u32)>,
    slots: Vec<u32>,
}

const EMPTY: u32 = u32::MAX;

impl Names {
    /// A table without names.
    pub fn new() -> Self {
        Names::default()
    }

    /// The spelling.
    pub fn text(&self, name: Name) -> &str {
        let (start, len) = self.ranges[name];
        &self.bytes[start as usize..][..len as usize]
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// True without names.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The id of a spelling, which must already be in lower case if it is to be found under it.
    pub fn intern(&mut self, text: &str) -> Name {
        if self.ranges.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = match self.find(text) {
            Ok(name) => return name,
            Err(slot) => slot,
        };
        let name = self.ranges.push((self.bytes.len() as u32, text.len() as u32));
        self.bytes.push_str(text);
        self.slots[slot] = name.0;
        name
    }

    /// The id of a spelling that has been interned before.
    pub fn lookup(&self, text: &str) -> Option<Name> {
        if self.slots.is_empty() { None } else { self.find(text).ok() }
    }

    /// All names in the order of first appearance.
    pub fn iter(&self) -> impl Iterator<Item = (Name, &str)> {
        self.ranges.keys().map(|name| (name, self.text(name)))
    }

    fn find(&self, text: &str) -> Result<Name, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = hash(text) & mask;
        loop {
            match self.slots[slot] {
                EMPTY => return Err(slot),
                id if self.text(Name(id)) == text => return Ok(Name(id)),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(64);
        self.slots = vec![EMPTY; size];
        for name in self.ranges.keys() {
            let mut slot = hash(self.text(name)) & (size - 1);
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = name.0;
        }
    }
}

fn hash(text: &str) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    // The low bits decide the slot; fold the high ones in, where a multiplicative hash has mixed best.
    let hash = hasher.finish();
    (hash ^ (hash >> 32)) as usize
}

//! Tables of pairs: caller and callee, calling context and procedure.
//!
//! A pair is found in constant time, and only pairs that occur take room (HPF profiling paper, 4.3: the pairs
//! are found dynamically). A node never moves, so a frame keeps its address.

use super::arena;
use trueline_abi::raw::{Node, Table, Thread, hash};

/// Nodes are made so many at a time.
const NODES: u64 = 128;
const FIRST_CAPACITY: u64 = 64;

/// A new table: its offset, or 0.
pub(crate) fn create() -> u64 {
    let table: *mut Table = arena::make(1);
    let entries: *mut u64 = arena::make(FIRST_CAPACITY);
    if table.is_null() || entries.is_null() {
        return 0;
    }
    // SAFETY: both are new memory of ours.
    unsafe {
        (*table).entries = arena::offset(entries);
        (*table).capacity = FIRST_CAPACITY;
    }
    arena::offset(table)
}

/// The node of `record` in `parent`: its offset, or 0 when there is no memory.
///
/// # Safety
/// `table` is 0 or of [`create`] in the memory of `t`, which is the calling thread.
pub(crate) unsafe fn node(t: &mut Thread, table: u64, parent: u64, record: u64) -> u64 {
    if table == 0 {
        return 0;
    }
    // SAFETY: as the caller promises; entries lead to nodes of this table.
    unsafe {
        let table = &mut *arena::at::<Table>(table);
        let entries = arena::at::<u64>(table.entries);
        let mut i = hash(parent, record, table.capacity);
        loop {
            let found = *entries.add(i as usize);
            if found == 0 {
                break;
            }
            let node = &*arena::at::<Node>(found);
            if node.parent == parent && node.record == record {
                return found;
            }
            i = (i + 1) & (table.capacity - 1);
        }
        insert(t, table, parent, record)
    }
}

#[cold]
unsafe fn insert(t: &mut Thread, table: &mut Table, parent: u64, record: u64) -> u64 {
    // SAFETY: as of the caller.
    unsafe {
        if table.count * 4 >= table.capacity * 3 && !widen(table) {
            return 0;
        }
        let node = room(t);
        if node == 0 {
            return 0;
        }
        let number = table.count + 1;
        *arena::at::<Node>(node) = Node { parent, record, number, ..Node::default() };
        place(arena::at(table.entries), table.capacity, node, parent, record);
        table.count = number;
        node
    }
}

/// Stores a node at the first free entry.
unsafe fn place(entries: *mut u64, capacity: u64, node: u64, parent: u64, record: u64) {
    let mut i = hash(parent, record, capacity);
    // SAFETY: a table has free entries.
    unsafe {
        while *entries.add(i as usize) != 0 {
            i = (i + 1) & (capacity - 1);
        }
        *entries.add(i as usize) = node;
    }
}

/// Twice as many entries. The old ones stay until the new ones are whole, so that a program that is killed
/// leaves a table either way: the larger capacity is stored last, and the first half of a larger table's
/// entries would be read as a table with missing nodes, never with wrong ones.
unsafe fn widen(table: &mut Table) -> bool {
    let capacity = table.capacity * 2;
    let entries: *mut u64 = arena::make(capacity);
    if entries.is_null() {
        return false;
    }
    // SAFETY: the entries are new memory; nodes are valid.
    unsafe {
        let old = arena::at::<u64>(table.entries);
        for i in 0..table.capacity {
            let node = *old.add(i as usize);
            if node != 0 {
                let n = &*arena::at::<Node>(node);
                place(entries, capacity, node, n.parent, n.record);
            }
        }
    }
    table.entries = arena::offset(entries);
    table.capacity = capacity;
    true
}

/// Room for a node.
fn room(t: &mut Thread) -> u64 {
    if t.nodes_left < Node::SIZE {
        let nodes: *mut Node = arena::make(NODES);
        if nodes.is_null() {
            return 0;
        }
        t.nodes = arena::offset(nodes);
        t.nodes_left = NODES * Node::SIZE;
    }
    let node = t.nodes;
    t.nodes += Node::SIZE;
    t.nodes_left -= Node::SIZE;
    node
}

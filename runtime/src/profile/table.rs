//! Calling contexts: nodes by the context around, the record, and the address that a procedure returns to.
//!
//! A node is found in constant time, mostly at once: a context remembers which one in it was entered last. Only contexts that
//! occur take room (HPF profiling paper, 4.3: the pairs are found dynamically). A node never moves, so a frame keeps its
//! address.
//!
//! Recursion is folded, unless contexts are to be kept to a depth: a procedure that is in its own context already shares the
//! node of its activation further out (Ammons, Ball and Larus, PLDI 1997, 4.1), but only if everything between the two
//! stands around that one, too. So everything below the outermost activation of a construct is below its first node,
//! and a procedure that calls itself twice does not have a node for every way through the calls.

use super::arena;
use std::sync::atomic::{Ordering, compiler_fence};
use trueline_abi::raw::{FOLDED, MOST_NODES, Node, Table, Thread, hash};

/// Nodes are made in pieces of this number.
const NODES: u64 = 128;
const FIRST_CAPACITY: u64 = 64;
/// The greatest depth of contexts; deeper ones count as their parent.
const DEEPEST: usize = 128;

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

/// Finds the node for entering `record` in the context at `outer`; a procedure returns to `site`. Returns the node, or 0, and
/// the one whose time its is. Contexts that there is no room for are those around them.
///
/// # Safety
/// `t` is the calling thread, and `outer` 0 or one of its contexts.
#[inline]
pub(crate) unsafe fn enter(t: &mut Thread, outer: u64, record: u64, site: u64, is_procedure: bool) -> (u64, u64) {
    if t.contexts == 0 {
        return (0, 0);
    }
    // SAFETY: `node` is the offset of a node, and every link of a node leads to a node or is 0.
    unsafe {
        if outer != 0 {
            let last = (*arena::at::<Node>(outer)).last;
            if last != 0 {
                let n = &*arena::at::<Node>(last);
                if n.record == record && n.site == site {
                    return (last, owner(last));
                }
            }
        }
        let node = find(t, outer, record, site, is_procedure);
        if node == 0 {
            return (0, outer);
        }
        if outer != 0 {
            (*arena::at::<Node>(outer)).last = node;
        }
        (node, owner(node))
    }
}

/// The node whose time that of `node` is.
///
/// # Safety
/// `node` leads to a node.
#[inline]
unsafe fn owner(node: u64) -> u64 {
    // SAFETY: the offset is that of a node, and nodes are never moved.
    match unsafe { (*arena::at::<Node>(node)).shared } {
        0 => node,
        other => other,
    }
}

/// The node in the table, or a new one, or 0.
///
/// # Safety
/// As [`enter`]; the thread has a table.
unsafe fn find(t: &mut Thread, outer: u64, record: u64, site: u64, is_procedure: bool) -> u64 {
    // SAFETY: the entries of a table lead to nodes of the same table, which are never moved.
    unsafe {
        let parent = if outer == 0 { 0 } else { (*arena::at::<Node>(outer)).number };
        let table = &mut *arena::at::<Table>(t.contexts);
        let entries = arena::at::<u64>(table.entries);
        let mut i = hash(parent, record, site, table.capacity);
        loop {
            let found = *entries.add(i as usize);
            if found == 0 {
                break;
            }
            let node = &*arena::at::<Node>(found);
            if node.parent == parent && node.record == record && node.site == site {
                return found;
            }
            i = (i + 1) & (table.capacity - 1);
        }
        insert(t, table, Node { parent, record, site, outer, ..Node::default() }, is_procedure)
    }
}

/// Adds a node: its offset, or 0 if it is too deep or there is no room.
///
/// # Safety
/// As [`find`].
#[cold]
unsafe fn insert(t: &mut Thread, table: &mut Table, new: Node, is_procedure: bool) -> u64 {
    // SAFETY: `new.outer` is 0 or a node of this thread's table, which only this thread changes.
    unsafe {
        let around = if new.outer == 0 { 0 } else { (*arena::at::<Node>(new.outer)).level };
        let level = around + u64::from(is_procedure);
        let depth = (*arena::header()).tree_depth;
        let Some(shared) = (if depth == FOLDED { fold(&new, is_procedure) } else { Some(0) }) else { return 0 };
        if (depth != FOLDED && level > depth) || table.count >= MOST_NODES {
            return 0;
        }
        if table.count * 4 >= table.capacity * 3 && !widen(table) {
            return 0;
        }
        let node = room(t);
        if node == 0 {
            return 0;
        }
        let number = table.count + 1;
        *arena::at::<Node>(node) = Node { number, level, shared, ..new };
        compiler_fence(Ordering::Release);
        place(arena::at(table.entries), table.capacity, node, &new);
        table.count = number;
        node
    }
}

/// The context whose time a new one shares, or 0; none if it is too deep.
///
/// # Safety
/// The contexts around it lead to nodes.
unsafe fn fold(new: &Node, is_procedure: bool) -> Option<u64> {
    let mut records = [0; DEEPEST];
    let (mut count, mut at) = (0, new.outer);
    let mut same = None;
    // SAFETY: each node leads to the one around it, which is older, so the walk ends at 0.
    unsafe {
        while at != 0 {
            let n = &*arena::at::<Node>(at);
            if same.is_none() && is_procedure && n.record == new.record {
                same = Some((count, at));
            }
            *records.get_mut(count)? = n.record;
            (count, at) = (count + 1, n.outer);
        }
    }
    let Some((place, same)) = same else { return Some(0) };
    let (between, around) = records[..count].split_at(place);
    Some(if between.iter().all(|r| around.contains(r)) { same } else { 0 })
}

/// Stores a node at the first free entry.
unsafe fn place(entries: *mut u64, capacity: u64, node: u64, of: &Node) {
    let mut i = hash(of.parent, of.record, of.site, capacity);
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
                place(entries, capacity, node, &*arena::at::<Node>(node));
            }
        }
    }
    table.entries = arena::offset(entries);
    compiler_fence(Ordering::Release);
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

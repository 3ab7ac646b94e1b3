//! A stack of the constructs around a statement, by keys: the innermost entry of a key is found in constant time, so the time of deep nests grows with their depth.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Entries from the outermost, each under a key that may be there several times.
pub struct Nested<K, V> {
    entries: Vec<Entry<K, V>>,
    /// The place of the innermost entry of each key.
    innermost: FxHashMap<K, usize>,
}

struct Entry<K, V> {
    key: K,
    value: V,
    /// The place of the next entry outwards with this key.
    outer: Option<usize>,
}

impl<K, V> Default for Nested<K, V> {
    fn default() -> Self {
        Nested { entries: Vec::new(), innermost: FxHashMap::default() }
    }
}

impl<K: Copy + Eq + Hash, V> Nested<K, V> {
    /// Adds an entry inside all others.
    pub fn push(&mut self, key: K, value: V) {
        let outer = self.innermost.insert(key, self.entries.len());
        self.entries.push(Entry { key, value, outer });
    }

    /// Takes the innermost entry away.
    pub fn pop(&mut self) {
        let Some(entry) = self.entries.pop() else { return };
        match entry.outer {
            Some(outer) => self.innermost.insert(entry.key, outer),
            None => self.innermost.remove(&entry.key),
        };
    }

    /// Takes entries away until `len` of them are left.
    pub fn truncate(&mut self, len: usize) {
        while self.entries.len() > len {
            self.pop();
        }
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of the innermost entry of `key`.
    pub fn get(&self, key: K) -> Option<&V> {
        self.innermost.get(&key).map(|&k| &self.entries[k].value)
    }

    /// The key of the entry number `k`, from the outermost.
    pub fn key(&self, k: usize) -> K {
        self.entries[k].key
    }
}

#[cfg(test)]
mod tests {
    use super::Nested;

    #[test]
    fn an_inner_entry_hides_an_outer_one_until_it_is_gone() {
        let mut all = Nested::default();
        for (key, value) in [('a', 1), ('b', 2), ('a', 3), ('a', 4)] {
            all.push(key, value);
        }
        let seen = |all: &Nested<char, i32>| ['a', 'b', 'c'].map(|key| all.get(key).copied());
        assert_eq!(seen(&all), [Some(4), Some(2), None]);
        all.pop();
        assert_eq!(seen(&all), [Some(3), Some(2), None]);
        all.truncate(1);
        assert_eq!((seen(&all), all.len(), all.key(0)), ([Some(1), None, None], 1, 'a'));
        all.truncate(0);
        all.pop();
        assert!(all.is_empty() && seen(&all) == [None; 3]);
    }
}

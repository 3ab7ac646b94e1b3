//! REDISTRIBUTE and REALIGN: the mappings that each object may have in a procedure, and how directives lead from one to another.
//!
//! ```text
//! DISTRIBUTE a(BLOCK)            a: 0 = BLOCK                b: 0 = with a(i), BLOCK
//! ALIGN b(i) WITH a(i)
//! REDISTRIBUTE a(CYCLIC)   =>    a: 0, 1 -> 1 = CYCLIC       b: 0, 1 -> 1 = with a(i), CYCLIC
//! REALIGN b(i) WITH a(n-i) =>                                b: 2 if a is 0, 3 if a is 1
//! ```
//!
//! An alternative is a chain of alignments, and a distribution of the object at its end. REDISTRIBUTE of that object takes all along that are
//! aligned with it; REALIGN moves nobody else (HPF 2.0, sections 8.5 and 8.6).

use super::Effect;
use super::compose::Composer;
use super::said::{How, Remap};
use crate::scope::ScopeId;
use crate::scope::symbol::SymbolId;
use rustc_hash::FxHashMap;
use trueline_ir::MappingData;
use trueline_provenance::Serial;
use trueline_syntax::ast::Alignment;

/// Objects with more alternatives in a procedure keep their owners.
const MOST: usize = 32;

/// A step from an object to the one that it is aligned with.
#[derive(Clone, Copy)]
struct Hop<'a> {
    from: SymbolId,
    scope: ScopeId,
    alignment: &'a Alignment,
    to: SymbolId,
}

/// One mapping of an object: its alignments, the object at their end, and the number of the distribution of that.
#[derive(Clone)]
struct Alternative<'a> {
    hops: Vec<Hop<'a>>,
    root: SymbolId,
    distribution: usize,
}

impl PartialEq for Alternative<'_> {
    fn eq(&self, other: &Self) -> bool {
        let same = |(a, b): (&Hop<'_>, &Hop<'_>)| a.from == b.from && std::ptr::eq(a.alignment, b.alignment);
        self.root == other.root
            && self.distribution == other.distribution
            && self.hops.len() == other.hops.len()
            && self.hops.iter().zip(&other.hops).all(same)
    }
}

/// The effects of all directives.
pub(super) fn of(composer: &Composer<'_, '_>) -> FxHashMap<Serial, Vec<Effect>> {
    let mut out: FxHashMap<Serial, Vec<Effect>> = FxHashMap::default();
    let mut scopes: Vec<ScopeId> = composer.said.remaps.iter().map(|r| r.scope).collect();
    scopes.dedup();
    for scope in scopes {
        let remaps: Vec<&Remap<'_>> = composer.said.remaps.iter().filter(|r| r.scope == scope).collect();
        let mut procedure =
            Procedure { composer, order: Vec::new(), known: FxHashMap::default(), roots: FxHashMap::default() };
        if !procedure.close(&remaps) {
            continue;
        }
        for remap in remaps {
            if let Some(serial) = remap.serial {
                let effects = procedure.effects(remap);
                out.entry(serial).or_default().extend(effects);
            }
        }
    }
    out
}

/// The objects that directives of one procedure map anew.
struct Procedure<'p, 'c, 'a> {
    composer: &'p Composer<'c, 'a>,
    /// In the order in which they were found.
    order: Vec<SymbolId>,
    known: FxHashMap<SymbolId, Vec<Alternative<'a>>>,
    /// The distributions of each object that others are aligned with, by the directive; the first is the declared one.
    roots: FxHashMap<SymbolId, Vec<Option<&'p Remap<'a>>>>,
}

impl<'p, 'a> Procedure<'p, '_, 'a> {
    /// Finds all alternatives. Whether there are few enough.
    fn close(&mut self, remaps: &[&'p Remap<'a>]) -> bool {
        for &id in &self.composer.said.order {
            self.learn(id);
        }
        for remap in remaps {
            self.learn(remap.symbol);
            if let How::Redistribute(_) = remap.how {
                self.roots.entry(remap.symbol).or_insert_with(|| vec![None]).push(Some(remap));
            }
        }
        loop {
            let before: usize = self.known.values().map(Vec::len).sum();
            for remap in remaps {
                for (to, from) in self.touched(remap) {
                    for k in 0..self.known[&from].len() {
                        let new = self.after(remap, to, &self.known[&from][k]);
                        let all = self.known.entry(to).or_default();
                        if !all.contains(&new) {
                            all.push(new);
                        }
                        if all.len() > MOST {
                            return false;
                        }
                    }
                }
            }
            if before == self.known.values().map(Vec::len).sum::<usize>() {
                return true;
            }
        }
    }

    /// Notes the declared mapping of an object.
    fn learn(&mut self, id: SymbolId) {
        if self.known.contains_key(&id) {
            return;
        }
        let (mut hops, mut root) = (Vec::new(), id);
        while let Some(to) = self.composer.target(root)
            && let Some(about) = self.composer.said.about(root)
            && let (Some((alignment, _)), Some(scope)) = (about.alignment, about.scope)
            && !hops.iter().any(|h: &Hop<'_>| h.from == to)
        {
            hops.push(Hop { from: root, scope, alignment, to });
            root = to;
        }
        self.order.push(id);
        self.known.insert(id, vec![Alternative { hops, root, distribution: 0 }]);
    }

    /// The objects that a directive maps anew, each with the one whose alternative decides.
    fn touched(&mut self, remap: &Remap<'a>) -> Vec<(SymbolId, SymbolId)> {
        match remap.how {
            How::Redistribute(_) => {
                let follows =
                    |id: &SymbolId| *id == remap.symbol || self.known[id].iter().any(|a| a.root == remap.symbol);
                self.order.iter().copied().filter(follows).map(|id| (id, id)).collect()
            }
            How::Realign(alignment) => {
                let target = alignment.target.and_then(|t| self.composer.decls.named(remap.scope, t.name));
                let Some(target) = target.filter(|&t| t != remap.symbol) else { return Vec::new() };
                self.learn(target);
                vec![(remap.symbol, target)]
            }
        }
    }

    /// The alternative of `to` behind the directive, if the object that decides has `old` before it.
    fn after(&self, remap: &Remap<'a>, to: SymbolId, old: &Alternative<'a>) -> Alternative<'a> {
        let target = || match remap.how {
            How::Realign(alignment) => self.composer.decls.named(remap.scope, alignment.target?.name),
            How::Redistribute(_) => None,
        };
        match (remap.how, target()) {
            (How::Realign(alignment), Some(target)) => {
                let mut hops = vec![Hop { from: to, scope: remap.scope, alignment, to: target }];
                hops.extend(&old.hops);
                Alternative { hops, ..old.clone() }
            }
            _ if to == remap.symbol => {
                Alternative { hops: Vec::new(), root: to, distribution: self.distribution(remap) }
            }
            _ if old.root == remap.symbol => Alternative { distribution: self.distribution(remap), ..old.clone() },
            _ => old.clone(),
        }
    }

    /// The number of the distribution that a directive gives.
    fn distribution(&self, remap: &Remap<'a>) -> usize {
        let same = |r: &Option<&Remap<'a>>| r.is_some_and(|r| std::ptr::eq(r, remap));
        self.roots.get(&remap.symbol).and_then(|all| all.iter().position(same)).unwrap_or(0)
    }

    fn effects(&mut self, remap: &Remap<'a>) -> Vec<Effect> {
        let mut out = Vec::new();
        for (to, from) in self.touched(remap) {
            let step = |old: &Alternative<'a>| {
                let new = self.after(remap, to, old);
                let number = self.known[&to].iter().position(|a| *a == new).unwrap_or(0);
                (number as u32, self.mapping(to, &new))
            };
            let steps = self.known[&from].iter().map(step).collect();
            out.push(Effect { to, from, steps });
        }
        out
    }

    /// The mapping of an alternative.
    fn mapping(&self, id: SymbolId, a: &Alternative<'a>) -> MappingData {
        let given = self.roots.get(&a.root).and_then(|all| *all.get(a.distribution)?);
        let mut data = match given.map(|r| (r.scope, r.how)) {
            Some((scope, How::Redistribute(d))) => {
                let rank = self.composer.decls.symbols[a.root].rank();
                self.composer.distributed(a.root, scope, rank, d)
            }
            _ => self.composer.declared(a.root),
        };
        for hop in a.hops.iter().rev() {
            data = self.composer.aligned_with(hop.from, hop.scope, hop.alignment, hop.to, &data);
        }
        let declared = self.composer.declared(id);
        (data.dynamic, data.shadow, data.serial) = (true, declared.shadow, declared.serial);
        data
    }
}

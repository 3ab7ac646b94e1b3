//! The mapping (HPF profiling paper, 3.3): which optimized statements belong to which construct of the source.
//!
//! A construct is looked for by its [`Origin`]: a procedure that is inlined at two calls has two instances of each of its
//! loops, and one instance never explains another. Each unit is therefore mapped alone.
//!
//! **Time.** The statements of a construct are those whose explicit set names it, and everything in them and called from
//! them: every verb that takes a statement out of a construct adds the construct to the set of the statement. The time of the
//! construct is that of the contiguous areas of its outermost statements.
//!
//! **Groups.** Two constructs, neither of which is around the other in the source, have a joint time if one optimized loop
//! or conditional carries both in its explicit set, or did when it was unrolled wholly: fusion. The paper lets every statement relate; then a scalar that two
//! loops share (the load of a bound, made once) joins loops that stand apart. Related by loops and conditionals alone,
//! an executable model made 0 wrong claims of 29,874 on random programs. Constructs one around the other are not joined: the
//! time of the inner is part of that of the outer, whichever of them is outermost in the optimized program.
//!
//! **True statements.** One optimized loop or conditional is the *true* image of a source one under the conditions C0 to C4
//! of [`Mapping::image`]. The paper's rule (C1 and C2 alone) claimed a wrong count in 2,644 of 97,405 cases of random
//! programs under random transforms; with C3, C4 and the taints of C0 it was wrong in none of 72,567.

use crate::{Chain, Origin, SetId, SetPool, Stmt, StmtInfos, StmtKind, Taints, fault};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The part that an optimized statement plays in the mapping.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeKind {
    /// A loop.
    Loop,
    /// A conditional.
    Conditional,
    /// Anything else.
    Other,
}

/// An optimized statement.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Its id in its unit.
    pub stmt: Stmt,
    /// The part that it plays.
    pub kind: NodeKind,
    /// Whether it takes longer than a few operations by itself: it calls something.
    pub calls: bool,
    /// Its explicit set.
    pub set: SetId,
    /// The index of the enclosing node in the tree.
    pub parent: Option<u32>,
    /// The number of the block it stands in; nodes of a block have consecutive `position`s.
    pub block: u32,
    /// Its place among the statements of its block that are not invisible.
    pub position: u32,
}

/// The optimized statements of one unit, outermost first.
pub struct Tree<'a> {
    /// The statements.
    pub nodes: Vec<Node>,
    /// The sets.
    pub sets: &'a SetPool,
    /// The taints.
    pub taints: &'a Taints,
    /// The loops and conditionals that were eliminated, with their sets.
    pub eliminated: Vec<(NodeKind, SetId)>,
}

/// Adjacent statements of one block that belong to a construct or group: the code between one pair of probes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AreaOf {
    /// The first statement.
    pub first: Stmt,
    /// The last statement.
    pub last: Stmt,
    /// The number of the block.
    pub block: u32,
    /// Whether it stands inside a loop that is not of the construct.
    pub inside_other_loop: bool,
}

/// The relation of a construct to the optimized program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Image {
    /// One optimized statement is it.
    True(Stmt),
    /// It was transformed, and its code is its own.
    Own,
    /// It shares optimized loops with others: they have a joint time.
    Joint {
        /// The other constructs of the group, in source order.
        with: Vec<Origin>,
    },
    /// Nothing is left of it.
    Gone,
}

/// The mapping of one unit.
pub struct Mapping<'a> {
    infos: &'a StmtInfos,
    tree: &'a Tree<'a>,
    /// The nodes that have an origin in their set; for an inlined procedure, the nodes that have one of its statements.
    nodes_of: FxHashMap<Origin, Vec<u32>>,
    /// The least member of the group of an origin that is in one.
    group: FxHashMap<Origin, Origin>,
    members: BTreeMap<Origin, BTreeSet<Origin>>,
    /// The source children of each origin that have nodes.
    children: FxHashMap<Origin, Vec<Origin>>,
    /// Origins with an eliminated loop or conditional.
    eliminated: FxHashSet<(Origin, NodeKind)>,
    /// Whether a node contains a loop or a call, or is one.
    is_long: Vec<bool>,
    /// The innermost loop around each node.
    loop_of: Vec<Option<u32>>,
    /// The innermost loop and the innermost region around each origin of a set in the source.
    around: FxHashMap<Origin, Around>,
    /// Loops and origins whose loops outwards were compared, and the answer.
    alike: RefCell<FxHashMap<(u32, Origin), bool>>,
}

/// The innermost constructs of two kinds around a statement of the source.
#[derive(Clone, Copy, Default)]
struct Around {
    loop_: Option<Origin>,
    region: Option<Origin>,
}

/// Constructs that a statement belongs to.
type Constructs = SmallVec<[Origin; 4]>;

impl<'a> Mapping<'a> {
    /// Relates the constructs of the source and the statements of `tree`.
    pub fn new(infos: &'a StmtInfos, tree: &'a Tree<'a>) -> Mapping<'a> {
        let gone = tree.eliminated.iter();
        let mut out = Mapping {
            infos,
            tree,
            nodes_of: FxHashMap::default(),
            group: FxHashMap::default(),
            members: BTreeMap::new(),
            children: FxHashMap::default(),
            eliminated: gone.flat_map(|&(kind, set)| tree.sets.atoms(set).iter().map(move |&o| (o, kind))).collect(),
            is_long: long(&tree.nodes),
            loop_of: loops_around(&tree.nodes),
            around: FxHashMap::default(),
            alike: RefCell::default(),
        };
        out.find_around();
        let mut union = Union::default();
        for (n, node) in tree.nodes.iter().enumerate() {
            let atoms = tree.sets.atoms(node.set);
            let procedures = out.inlined_procedures(atoms);
            let named: Constructs = atoms.iter().chain(&procedures).copied().collect();
            for o in named.into_iter().filter(|&o| out.covers(n as u32, o)).collect::<Constructs>() {
                out.nodes_of.entry(o).or_default().push(n as u32);
            }
            if node.kind != NodeKind::Other || fault("map_scalars_relate") {
                let mut timed = out.constructs(atoms);
                timed.retain(|o| out.covers(n as u32, *o));
                for (i, &a) in timed.iter().enumerate() {
                    timed[i + 1..].iter().filter(|&&b| !out.are_nested(a, b)).for_each(|&b| union.join(a, b));
                }
            }
        }
        out.join_unrolled(&mut union);
        out.find_unnamed();
        let joined: Vec<Origin> = union.parent.keys().copied().collect();
        for o in joined {
            let root = union.find(o);
            out.group.insert(o, root);
            out.members.entry(root).or_default().extend([o, root]);
        }
        for &o in out.nodes_of.keys() {
            if let Some(parent) = infos.stmts[o.stmt].parent.expand() {
                out.children.entry(Origin { stmt: parent, via: o.via }).or_default().push(o);
            }
        }
        out
    }

    /// Joins the constructs of loops that were one when they were unrolled wholly, where statements of both are left. The
    /// copies of their bodies take turns.
    fn join_unrolled(&self, union: &mut Union) {
        for &(kind, set) in self.tree.eliminated.iter().collect::<FxHashSet<_>>() {
            if kind != NodeKind::Loop || fault("map_unrolled_apart") {
                continue;
            }
            let timed = self.constructs(self.tree.sets.atoms(set));
            for (i, &a) in timed.iter().enumerate() {
                for &b in timed[i + 1..].iter().filter(|&&b| !self.are_nested(a, b)) {
                    let of = |o: Origin| self.nodes_of.get(&o).map_or(&[][..], Vec::as_slice);
                    if of(a).iter().any(|n| of(b).binary_search(n).is_ok()) {
                        union.join(a, b);
                    }
                }
            }
        }
    }

    /// Finds the innermost loop and region around each origin, from those of the statement around it.
    fn find_around(&mut self) {
        for node in &self.tree.nodes {
            for &o in self.tree.sets.atoms(node.set) {
                let unknown = std::iter::once(o).chain(self.around(o)).take_while(|a| !self.around.contains_key(a));
                let unknown: SmallVec<[Origin; 8]> = unknown.collect();
                for &x in unknown.iter().rev() {
                    let outer = self.around(x).next();
                    let found = outer.map_or(Around::default(), |p| {
                        let (kind, around) = (self.infos.stmts[p.stmt].kind, self.around[&p]);
                        Around {
                            loop_: if kind.is_loop() { Some(p) } else { around.loop_ },
                            region: if kind.is_region() { Some(p) } else { around.region },
                        }
                    });
                    self.around.insert(x, found);
                }
            }
        }
    }

    /// A FORALL or WHERE that the front end made loops of is in no set: its statements are those of the statements in
    /// it.
    fn find_unnamed(&mut self) {
        let mut more: Vec<(Origin, u32)> = Vec::new();
        for (n, node) in self.tree.nodes.iter().enumerate() {
            for &o in self.tree.sets.atoms(node.set) {
                let regions = std::iter::successors(self.around[&o].region, |r| self.around[r].region);
                more.extend(regions.filter(|c| !self.nodes_of.contains_key(c)).map(|c| (c, n as u32)));
            }
        }
        for (c, n) in more {
            let nodes = self.nodes_of.entry(c).or_default();
            if nodes.last() != Some(&n) {
                nodes.push(n);
            }
        }
    }

    /// The origins that have code, in source order; inlined procedures among them.
    pub fn origins(&self) -> Vec<Origin> {
        let mut out: Vec<Origin> = self.nodes_of.keys().copied().collect();
        out.sort_unstable();
        out
    }

    /// Whether there is code of `o`.
    pub fn has_code(&self, o: Origin) -> bool {
        self.nodes_of.contains_key(&o)
    }

    /// The constructs that have their time together with `o`, itself included, in source order.
    pub fn group(&self, o: Origin) -> Vec<Origin> {
        match self.group.get(&o) {
            Some(root) => self.members[root].iter().copied().collect(),
            None => vec![o],
        }
    }

    /// The construct `o` as the optimized program has it.
    pub fn image(&self, o: Origin) -> Image {
        if !self.has_code(o) {
            return Image::Gone;
        }
        if let Some(n) = self.true_node(o) {
            return Image::True(self.tree.nodes[n as usize].stmt);
        }
        let with: Vec<Origin> = self.group(o).into_iter().filter(|&m| m != o).collect();
        if with.is_empty() { Image::Own } else { Image::Joint { with } }
    }

    /// The statements around `o` in the source, innermost first: behind the procedure, if it is inlined, the call and
    /// the statements around the call.
    pub fn around(&self, o: Origin) -> impl Iterator<Item = Origin> + '_ {
        self.tree.sets.around(self.infos, o)
    }

    /// Whether all that is in node `n`, which has `o` in its set, is of `o`. Not so if it is a conditional that was brought out
    /// of a loop, around it or around a larger one, nor if it is a loop around `o` that took over the set of a condition decided in it.
    fn covers(&self, n: u32, o: Origin) -> bool {
        let kind = self.infos.stmts[o.stmt].kind;
        if self.node(n).kind == NodeKind::Other || !is_timed(kind) {
            return true;
        }
        let atoms = self.tree.sets.atoms(self.node(n).set);
        if self.node(n).kind == NodeKind::Loop && atoms == [o] {
            return true;
        }
        let around: SmallVec<[Origin; 8]> = self.around(o).collect();
        let is_loop_around = |a: &Origin| self.infos.stmts[a.stmt].kind.is_loop() && around.contains(a);
        if self.node(n).kind == NodeKind::Loop {
            if !atoms.iter().any(is_loop_around) {
                return true;
            }
            // A loop, or a conditional that had left one, left its set to its contents when it went: where they are, a loop
            // which has the set took it over, too. Of interchanged ones the outer names both, and the inner one of them.
            let inner = |a: &Origin| self.inside(n).any(|x| self.tree.sets.atoms(x.set).contains(a));
            let gone = |a: Origin| [NodeKind::Loop, NodeKind::Conditional].map(|k| self.eliminated.contains(&(a, k)));
            let named = |a: &Origin| gone(*a).contains(&true) && inner(a);
            let is: Constructs = self.loops(self.node(n).set).filter(|a| !named(a)).collect();
            return is.is_empty() || is.iter().any(|&l| l == o || self.around(l).any(|a| a == o));
        }
        // A loop that also names one in it, or an array statement, took over the set of the outer one when that was unrolled.
        let is_outermost = |a: &Origin, set: SetId| {
            let kind = |d: &Origin| self.infos.stmts[d.stmt].kind;
            let mut inner = self.tree.sets.atoms(set).iter().filter(|d| kind(d).is_loop() || kind(d).is_region());
            !inner.any(|&d| self.around(d).any(|x| x == *a))
        };
        let of_loop = |a: &Origin, set: SetId| (*a == o || is_loop_around(a)) && is_outermost(a, set);
        let is_of = |set: SetId| self.tree.sets.atoms(set).iter().any(|a| of_loop(a, set));
        // The guard of a copy of the loop has its set alone; a conditional that was brought out of it has its own, too.
        let is_guard = atoms == [o];
        if !is_guard && self.inside(n).any(|x| x.kind == NodeKind::Loop && is_of(x.set)) {
            return false;
        }
        // Loops that were unrolled wholly leave no loop to go by; code beside them that is only of the loop around tells them apart.
        let of_o = |a: &Origin| *a == o || self.around(*a).any(|x| x == o);
        self.inside(n)
            .filter(|x| x.calls || x.kind == NodeKind::Loop)
            .all(|x| self.tree.sets.atoms(x.set).iter().any(of_o))
    }

    /// The loops that a set names.
    fn loops(&self, set: SetId) -> impl Iterator<Item = Origin> + '_ {
        self.tree.sets.atoms(set).iter().copied().filter(|a| self.infos.stmts[a.stmt].kind.is_loop())
    }

    /// The nodes in node `n`.
    fn inside(&self, n: u32) -> impl Iterator<Item = &Node> {
        let rest = self.tree.nodes.iter().zip(0..).skip(n as usize + 1);
        rest.take_while(move |&(_, i)| self.enclosing(i).any(|a| a == n)).map(|(x, _)| x)
    }

    /// Whether one of the two is around the other in the source.
    fn are_nested(&self, a: Origin, b: Origin) -> bool {
        self.around(a).any(|x| x == b) || self.around(b).any(|x| x == a)
    }

    /// The instances of inlined procedures that the members of a set stand in.
    fn inlined_procedures(&self, atoms: &[Origin]) -> Constructs {
        let mut out = Constructs::new();
        for &o in atoms.iter().filter(|o| o.via != Chain::NONE) {
            let mut at = o;
            while let (Some(stmt), Some(site)) = (self.infos.procedure(at.stmt), self.tree.sets.site(at.via)) {
                let procedure = Origin { stmt, via: at.via };
                if !out.contains(&procedure) && !atoms.contains(&procedure) {
                    out.push(procedure);
                }
                at = site;
            }
        }
        out
    }

    /// The constructs with a time that a set names: loops, regions, and the inlined procedures that they stand in.
    fn constructs(&self, atoms: &[Origin]) -> Constructs {
        let is_timed = |o: &Origin| {
            let kind = self.infos.stmts[o.stmt].kind;
            kind.is_loop() || kind.is_region()
        };
        let mut out: Constructs = atoms.iter().copied().filter(is_timed).collect();
        out.extend(self.inlined_procedures(atoms));
        out
    }

    /// The true loop or conditional of `o`: C0, it carries no taint, and no loop or conditional of it was eliminated; C1, one
    /// optimized statement alone has it in its set; C2, no other loop is in that set; C3, the loops around both correspond
    /// one to one; C4, copies of its children agree.
    fn true_node(&self, o: Origin) -> Option<u32> {
        let kind = self.infos.stmts[o.stmt].kind;
        let wanted = match (kind.is_loop(), kind.is_conditional()) {
            (true, _) => NodeKind::Loop,
            (_, true) => NodeKind::Conditional,
            _ => return None,
        };
        // If one that was `o` is gone, another one may be left that evaluates something for it, as `.and.` may.
        if !self.tree.taints.is_clean(o) || self.eliminated.contains(&(o, wanted)) {
            return None;
        }
        let nodes = self.nodes_of.get(&o).into_iter().flatten().copied();
        let mut candidates = nodes.filter(|&n| self.node(n).kind == wanted);
        let (n, None) = (candidates.next()?, candidates.next()) else { return None };
        let rivals = self.tree.sets.atoms(self.node(n).set).iter().filter(|&&x| x != o).any(|x| {
            let kind = self.infos.stmts[x.stmt].kind;
            kind.is_loop() || (wanted == NodeKind::Conditional && kind.is_conditional())
        });
        (!rivals && self.nests_alike(o, n) && self.copies_agree(o, n)).then_some(n)
    }

    /// C3: the loops around `n` are, one to one, images of the loops around `o`.
    fn nests_alike(&self, o: Origin, n: u32) -> bool {
        let mut alike = self.alike.borrow_mut();
        let mut compared: SmallVec<[(u32, Origin); 8]> = SmallVec::new();
        let (mut node, mut source) = (self.loop_of[n as usize], self.around[&o].loop_);
        // The loops of a deep nest are compared once, not for each loop in them.
        let answer = loop {
            let (Some(l), Some(of)) = (node, source) else { break node.is_none() && source.is_none() };
            if let Some(&known) = alike.get(&(l, of)) {
                break known;
            }
            compared.push((l, of));
            if !self.tree.sets.atoms(self.node(l).set).contains(&of) {
                break false;
            }
            (node, source) = (self.loop_of[l as usize], self.around[&of].loop_);
        };
        alike.extend(compared.into_iter().map(|pair| (pair, answer)));
        answer
    }

    /// C4: each copied child of `o` has one copy, and none outside `n` if one is inside.
    fn copies_agree(&self, o: Origin, n: u32) -> bool {
        self.children.get(&o).into_iter().flatten().all(|k| {
            if !self.tree.taints.expanded.contains(k) {
                return true; // Several statements of one child are then pieces of it, not copies.
            }
            let copies = self.nodes_of.get(k).map_or(&[][..], Vec::as_slice);
            let inside = copies.iter().filter(|&&c| self.enclosing(c).any(|a| a == n)).count();
            (inside == 0 || inside == copies.len()) && copies.len() <= 1
        })
    }

    fn node(&self, n: u32) -> &Node {
        &self.tree.nodes[n as usize]
    }

    fn enclosing(&self, n: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(self.node(n).parent, move |&n| self.node(n).parent)
    }

    /// Whether the statement is of the constructs `members`, and not only computes something for several that stand apart:
    /// that is on the account of the construct it stands in.
    fn is_of(&self, n: u32, members: &[Origin]) -> bool {
        self.node(n).kind != NodeKind::Other || fault("map_shared_is_own") || {
            let is_in = |x: Origin| members.contains(&x) || self.around(x).any(|a| members.contains(&a));
            // A later arm of an IF construct is reached by way of its ELSE IFs, and has their sets when they go.
            let is_else_if = |x: Origin| self.infos.stmts[x.stmt].kind == StmtKind::ElseIf;
            let construct = |x: Origin| self.around(x).next().filter(|_| is_else_if(x)).unwrap_or(x);
            let is_around = |x: Origin| members.iter().any(|&m| self.around(m).any(|a| a == construct(x)));
            self.tree.sets.atoms(self.node(n).set).iter().all(|&x| is_in(x) || is_around(x))
        }
    }

    /// The contiguous areas of the group of `o`: its outermost statements, in runs of neighbours. Scalar operations that stand
    /// apart, such as an invariant brought out of a loop, have no area if there is a longer one: two readings of the clock
    /// would take longer than they do.
    pub fn areas(&self, o: Origin) -> Vec<AreaOf> {
        let members = self.group(o);
        let of = |m: &Origin| self.nodes_of.get(m).into_iter().flatten().copied();
        let nodes: BTreeSet<u32> = members.iter().flat_map(of).filter(|&n| self.is_of(n, &members)).collect();
        // A statement around another one has the smaller number.
        let first = nodes.first().copied().unwrap_or(0);
        let is_root = |&n: &u32| !self.enclosing(n).take_while(|&a| a >= first).any(|a| nodes.contains(&a));
        let mut areas: Vec<(AreaOf, u32, bool)> = Vec::new();
        for n in nodes.iter().copied().filter(is_root) {
            let (node, is_long) = (self.node(n), self.is_long[n as usize]);
            let open = areas.iter_mut().rev().find(|(area, _, _)| area.block == node.block);
            if let Some((area, position, long)) = open
                && (*position + 1 == node.position || fault("map_areas_span"))
            {
                (area.last, *position, *long) = (node.stmt, node.position, *long || is_long);
                continue;
            }
            let inside_other_loop = self.loop_of[n as usize].is_some();
            let area = AreaOf { first: node.stmt, last: node.stmt, block: node.block, inside_other_loop };
            areas.push((area, node.position, is_long));
        }
        let any_long = areas.iter().any(|(_, _, long)| *long);
        if fault("map_one_area") {
            areas.truncate(1);
        }
        areas.into_iter().filter(|(_, _, long)| *long || !any_long).map(|(a, _, _)| a).collect()
    }
}

/// Whether each node contains a loop or a call, or is one.
fn long(nodes: &[Node]) -> Vec<bool> {
    let mut out: Vec<bool> = nodes.iter().map(|n| n.kind == NodeKind::Loop || n.calls).collect();
    for (i, node) in nodes.iter().enumerate().rev() {
        if let (true, Some(parent)) = (out[i], node.parent) {
            out[parent as usize] = true;
        }
    }
    out
}

/// The innermost loop around each node.
fn loops_around(nodes: &[Node]) -> Vec<Option<u32>> {
    let mut out: Vec<Option<u32>> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let around = |p: u32| if nodes[p as usize].kind == NodeKind::Loop { Some(p) } else { out[p as usize] };
        out.push(node.parent.and_then(around));
    }
    out
}

/// Whether a construct of this kind may have a time of its own.
pub fn is_timed(kind: StmtKind) -> bool {
    kind.is_loop() || kind.is_region() || kind.is_procedure()
}

/// Union-find; the representative of a set is its least member.
#[derive(Default)]
struct Union {
    parent: FxHashMap<Origin, Origin>,
}

impl Union {
    fn find(&mut self, o: Origin) -> Origin {
        let mut root = o;
        while let Some(&p) = self.parent.get(&root)
            && p != root
        {
            root = p;
        }
        let mut at = o;
        while at != root {
            let next = self.parent.insert(at, root).unwrap_or(root);
            at = next;
        }
        root
    }

    fn join(&mut self, a: Origin, b: Origin) {
        let (a, b) = (self.find(a), self.find(b));
        let (low, high) = if a <= b { (a, b) } else { (b, a) };
        self.parent.insert(high, low);
        self.parent.insert(low, low);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FileInfo, Serial, StmtInfo};

    /// Source: procedure @0, loop @1 with statement @2, loop @3 with IF @4 and loop @7; procedure @5 with loop @6.
    fn infos() -> StmtInfos {
        let mut infos =
            StmtInfos { files: vec![FileInfo { path: "x.f90".into(), text: vec![] }], ..Default::default() };
        let kinds = [
            (StmtKind::Procedure, None),
            (StmtKind::Do, Some(0)),
            (StmtKind::Assign, Some(1)),
            (StmtKind::Do, Some(0)),
            (StmtKind::IfBlock, Some(3)),
            (StmtKind::Procedure, None),
            (StmtKind::Do, Some(5)),
            (StmtKind::Do, Some(3)),
        ];
        for (line, (kind, parent)) in kinds.into_iter().enumerate() {
            infos.stmts.push(StmtInfo {
                file: 0,
                line: line as u32 + 1,
                end_line: line as u32 + 1,
                column: 1,
                parent: parent.map(Serial::from_u32).into(),
                kind,
                is_array_expr: false,
                text: String::new(),
            });
        }
        infos
    }

    fn serial(n: u32) -> Serial {
        Serial::from_u32(n)
    }

    fn origin(n: u32) -> Origin {
        serial(n).into()
    }

    /// A node: kind, members, parent, block, position.
    type Row<'a> = (NodeKind, &'a [u32], Option<u32>, u32, u32);

    fn mapped<T>(rows: &[Row<'_>], taints: &Taints, f: impl FnOnce(&Mapping<'_>) -> T) -> T {
        mapped_without(&[], rows, taints, f)
    }

    /// As [`mapped`], where a `kind` of `of` was eliminated for each `(kind, of)` of `gone`.
    fn mapped_without<T>(
        gone: &[(NodeKind, u32)],
        rows: &[Row<'_>],
        taints: &Taints,
        f: impl FnOnce(&Mapping<'_>) -> T,
    ) -> T {
        let (infos, mut sets) = (infos(), SetPool::default());
        let nodes = rows
            .iter()
            .enumerate()
            .map(|(i, &(kind, set, parent, block, position))| Node {
                stmt: Stmt::from_u32(i as u32),
                kind,
                calls: false,
                set: sets.intern(set.iter().map(|&n| serial(n))),
                parent,
                block,
                position,
            })
            .collect();
        let eliminated = gone.iter().map(|&(kind, of)| (kind, sets.intern([serial(of)]))).collect();
        f(&Mapping::new(&infos, &Tree { nodes, sets: &sets, taints, eliminated }))
    }

    use NodeKind::{Conditional, Loop, Other};

    const PLAIN: &[Row<'_>] = &[
        (Loop, &[1], None, 0, 0),
        (Other, &[2], Some(0), 1, 0),
        (Loop, &[3], None, 0, 1),
        (Conditional, &[4], Some(2), 2, 0),
    ];

    #[test]
    fn untouched_statements_are_true() {
        mapped(PLAIN, &Taints::default(), |m| {
            assert_eq!(m.image(origin(1)), Image::True(Stmt::from_u32(0)));
            assert_eq!(m.image(origin(3)), Image::True(Stmt::from_u32(2)));
            assert_eq!(m.image(origin(4)), Image::True(Stmt::from_u32(3)));
        });
    }

    #[test]
    fn tainted_loops_are_not_true() {
        let mut taints = Taints::default();
        taints.expanded.insert(origin(1));
        taints.moved.insert(origin(3));
        mapped(PLAIN, &taints, |m| {
            assert_eq!(m.image(origin(1)), Image::Own);
            assert_eq!(m.image(origin(3)), Image::Own);
        });
    }

    /// The rest of an IF that was eliminated may be a conditional of its `.and.`; a loop of it says nothing.
    #[test]
    fn what_is_left_of_an_eliminated_conditional_is_not_it() {
        let image = |kind| mapped_without(&[(kind, 4)], PLAIN, &Taints::default(), |m| m.image(origin(4)));
        assert_eq!(image(Conditional), Image::Own);
        assert_eq!(image(Loop), Image::True(Stmt::from_u32(3)));
    }

    /// The loop left by peeling looks unique: the copy of its child outside betrays it even without
    /// the taint of the loop.
    #[test]
    fn a_loop_with_a_copied_child_outside_is_not_true() {
        let mut taints = Taints::default();
        taints.expanded.insert(origin(2));
        let rows: &[Row<'_>] = &[(Other, &[2], None, 0, 0), (Loop, &[1], None, 0, 1), (Other, &[2], Some(1), 1, 0)];
        mapped(rows, &taints, |m| assert_eq!(m.image(origin(1)), Image::Own));
    }

    #[test]
    fn fused_loops_have_a_joint_time() {
        let rows: &[Row<'_>] = &[(Loop, &[1, 3], None, 0, 0), (Other, &[2], Some(0), 1, 0)];
        mapped(rows, &Taints::default(), |m| {
            assert_eq!(m.image(origin(1)), Image::Joint { with: vec![origin(3)] });
            assert_eq!(m.group(origin(3)), [origin(1), origin(3)]);
            assert_eq!(m.image(origin(4)), Image::Gone);
        });
    }

    /// C3: a strip loop around the loop is no image of the loop around it in the source.
    #[test]
    fn a_loop_in_a_stranger_is_not_true() {
        let rows: &[Row<'_>] = &[(Loop, &[3], None, 0, 0), (Loop, &[1], Some(0), 1, 0)];
        mapped(rows, &Taints::default(), |m| assert_eq!(m.image(origin(1)), Image::Own));
    }

    #[test]
    fn areas_are_runs_of_neighbours() {
        let rows: &[Row<'_>] = &[
            (Other, &[1], None, 0, 0),
            (Loop, &[1], None, 0, 1),
            (Other, &[2], Some(1), 1, 0),
            (Loop, &[3], None, 0, 2),
            (Loop, &[1], Some(3), 2, 0),
        ];
        mapped(rows, &Taints::default(), |m| {
            let areas = m.areas(origin(1));
            assert_eq!(areas.len(), 2);
            assert_eq!((areas[0].first, areas[0].last), (Stmt::from_u32(0), Stmt::from_u32(1)));
            assert!(!areas[0].inside_other_loop);
            assert!(areas[1].inside_other_loop);
        });
    }

    /// A value that two loops share relates them no more than statements between them, and is of neither.
    #[test]
    fn a_shared_scalar_relates_nothing() {
        let rows: &[Row<'_>] = &[(Other, &[1, 3], None, 0, 0), (Loop, &[1], None, 0, 1), (Loop, &[3], None, 0, 2)];
        mapped(rows, &Taints::default(), |m| {
            assert_eq!(m.image(origin(1)), Image::True(Stmt::from_u32(1)));
            let areas = m.areas(origin(3));
            assert_eq!(areas.len(), 1);
            assert_eq!((areas[0].first, areas[0].last), (Stmt::from_u32(2), Stmt::from_u32(2)));
        });
    }

    /// A test that was brought out of the loops @1 and, in it, @3: the time of @3 is not that of all of it.
    #[test]
    fn an_unswitched_conditional_is_not_the_loop_it_left() {
        let rows: &[Row<'_>] = &[
            (Conditional, &[1, 3, 4], None, 0, 0),
            (Loop, &[1], Some(0), 1, 0),
            (Loop, &[3], Some(1), 2, 0),
            (Loop, &[1], Some(0), 3, 0),
            (Loop, &[3], Some(3), 4, 0),
        ];
        mapped(rows, &Taints::default(), |m| {
            assert_eq!(m.image(origin(1)), Image::Own);
            let firsts: Vec<Stmt> = m.areas(origin(3)).iter().map(|a| a.first).collect();
            assert_eq!(firsts, [Stmt::from_u32(2), Stmt::from_u32(4)]);
        });
    }

    /// Loop @3 went, for it has one trip; the test around the rest of loop @7 was made in it, and belongs to it.
    #[test]
    fn a_test_around_a_loop_that_took_over_a_set_is_of_the_outer_loop() {
        let rows: &[Row<'_>] =
            &[(Other, &[3], None, 0, 0), (Conditional, &[3, 7], None, 0, 1), (Loop, &[3, 7], Some(1), 1, 0)];
        mapped_without(&[(Loop, 3)], rows, &Taints::default(), |m| {
            let areas = m.areas(origin(3));
            assert_eq!(areas.len(), 1);
            assert_eq!((areas[0].first, areas[0].last), (Stmt::from_u32(0), Stmt::from_u32(1)));
        });
    }

    /// Loop @3 went, for it has one trip; a label in loop @7 names it, and that does not make it another one.
    #[test]
    fn a_loop_that_is_named_in_itself_is_it() {
        let rows: &[Row<'_>] = &[(Loop, &[3, 7], None, 0, 0), (Other, &[7], Some(0), 1, 0)];
        mapped_without(&[(Loop, 3)], rows, &Taints::default(), |m| {
            let firsts = |n: u32| m.areas(origin(n)).iter().map(|a| a.first).collect::<Vec<_>>();
            assert_eq!((firsts(3), firsts(7)), (vec![Stmt::from_u32(0)], vec![Stmt::from_u32(0)]));
        });
    }

    /// An invariant that stands apart from its loop is too short for a timer of its own.
    #[test]
    fn a_short_area_beside_a_long_one_has_no_timer() {
        let rows: &[Row<'_>] = &[(Other, &[1, 2], None, 0, 0), (Loop, &[3], None, 0, 1), (Loop, &[1], None, 0, 2)];
        mapped(rows, &Taints::default(), |m| assert_eq!(m.areas(origin(1)).len(), 1));
        mapped(&rows[..1], &Taints::default(), |m| assert_eq!(m.areas(origin(1)).len(), 1));
    }

    /// Loop @6 of procedure @5, inlined at @2 in loop @1 and at @0: instances of their own, in constructs of their own.
    #[test]
    fn inlined_instances_stand_apart() {
        let (infos, mut sets) = (infos(), SetPool::default());
        let inlined = [2, 0].map(|call| Origin { stmt: serial(6), via: sets.chain(serial(call), Chain::NONE) });
        let rows =
            [(sets.intern([serial(1)]), None), (sets.intern([inlined[0]]), Some(0)), (sets.intern([inlined[1]]), None)];
        let node = |(i, &(set, parent)): (usize, &(SetId, Option<u32>))| Node {
            stmt: Stmt::from_u32(i as u32),
            kind: Loop,
            calls: false,
            set,
            parent,
            block: u32::from(parent.is_some()),
            position: if i == 2 { 1 } else { 0 },
        };
        let nodes = rows.iter().enumerate().map(node).collect();
        let (taints, eliminated) = (Taints::default(), vec![]);
        let tree = Tree { nodes, sets: &sets, taints: &taints, eliminated };
        let m = Mapping::new(&infos, &tree);
        assert_eq!(m.image(inlined[0]), Image::True(Stmt::from_u32(1)));
        assert_eq!(m.image(inlined[1]), Image::True(Stmt::from_u32(2)));
        assert_eq!(m.image(origin(6)), Image::Gone);
        let around: Vec<Origin> = m.around(inlined[0]).collect();
        let procedure = Origin { stmt: serial(5), via: inlined[0].via };
        assert_eq!(around, [procedure, origin(2), origin(1), origin(0)]);
        assert!(m.areas(procedure)[0].inside_other_loop);
    }
}

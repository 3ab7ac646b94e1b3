//! Regions that the source marks: `!TL$ REGION name` to `!TL$ END REGION`.
//!
//! A region is the statements between its directives. Its entries are counted before the first statement, as in the
//! source; its time is that of the contiguous areas of the optimized program that stem from its statements alone. If
//! optimization merged them with others there is no such area, and the region has exact counts and no time.

use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use trueline_ir::{Block, Head, Stmt, Unit};
use trueline_provenance::map::AreaOf;
use trueline_provenance::{Chain, Origin, Serial, StmtInfos, StmtKind};

/// A region of the source.
#[derive(Clone, Debug)]
pub(crate) struct UserRegion {
    /// Its first directive, which stands for it.
    pub(crate) serial: Serial,
    /// Its last directive.
    pub(crate) end: Serial,
    /// Its name.
    pub(crate) name: String,
}

impl UserRegion {
    /// Whether the source statement stands in the region.
    fn holds(&self, s: Serial) -> bool {
        self.serial < s && s < self.end
    }
}

/// The regions of all procedures, outer ones first.
pub(crate) fn user_regions(infos: &StmtInfos) -> Vec<UserRegion> {
    let mut open: Vec<(Serial, String)> = Vec::new();
    let mut out = Vec::new();
    for (s, info) in infos.stmts.iter().filter(|(_, i)| i.kind == StmtKind::Directive) {
        let words: Vec<&str> = info.text.split_whitespace().collect();
        let lower: Vec<String> = words.iter().map(|w| w.to_lowercase()).collect();
        let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
        match lower.as_slice() {
            [sentinel, "region", ..] if sentinel.ends_with("tl$") => open.push((s, words[2..].join(" "))),
            [sentinel, "end", "region", ..] | [sentinel, "endregion", ..] if sentinel.ends_with("tl$") => {
                // One that was left open in another procedure has no end.
                while let Some((first, name)) = open.pop() {
                    if infos.procedure(first) == infos.procedure(s) {
                        out.push(UserRegion { serial: first, end: s, name });
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    out.sort_by_key(|r| r.serial);
    out
}

/// The directives that begin and end each region, outer regions first.
pub fn region_bounds(infos: &StmtInfos) -> Vec<(Serial, Serial)> {
    user_regions(infos).into_iter().map(|r| (r.serial, r.end)).collect()
}

/// The innermost construct around `s`: one that it stands in, or a region in that.
pub(crate) fn around(
    infos: &StmtInfos,
    regions: &[UserRegion],
    s: Serial,
    is_listed: impl Fn(Serial) -> bool,
) -> Option<Serial> {
    let construct = infos.ancestors(s).find(|&p| is_listed(p));
    let region = regions.iter().rev().find(|r| r.holds(s) && is_listed(r.serial)).map(|r| r.serial);
    // Statements stand in the source's order, and regions in a procedure: the later one is inside the other.
    region.filter(|r| construct.is_some_and(|c| c < *r)).or(construct)
}

/// The first statement of the region in a unit as it was written.
pub(crate) fn first_statement(unit: &Unit, infos: &StmtInfos, region: &UserRegion) -> Option<Stmt> {
    unit.walk().into_iter().find(|&s| of_region(unit, infos, s, region, Chain::NONE) == Some(true))
}

/// The instance of the region that an origin stands in, through inlined calls too.
fn instance(unit: &Unit, o: Origin, region: &UserRegion) -> Option<Chain> {
    let site = |o: &Origin| unit.sets().site(o.via);
    std::iter::successors(Some(o), site).find(|at| region.holds(at.stmt)).map(|at| at.via)
}

/// Whether the sources of a statement are in the instance `via` of the region: all, some (`Some(false)`) or none. A
/// statement that left loops, conditionals and calls around the region names them; these do not count as outside.
fn of_region(unit: &Unit, infos: &StmtInfos, s: Stmt, region: &UserRegion, via: Chain) -> Option<bool> {
    let (inside, outside): (Vec<Origin>, Vec<Origin>) =
        unit.origins(s).iter().partition(|&&o| instance(unit, o, region) == Some(via));
    let region = Origin { stmt: region.serial, via };
    let is_around = |o: &Origin| unit.sets().around(infos, region).any(|a| a == *o);
    if inside.is_empty() { None } else { Some(outside.iter().all(is_around)) }
}

/// The areas of a unit that stem from the region alone, for each of its instances; none if a loop, conditional or call
/// of the region was merged with others, or an area stands in a loop that is not the region's.
pub(crate) fn areas(unit: &Unit, infos: &StmtInfos, region: &UserRegion) -> Vec<(Chain, Vec<AreaOf>)> {
    let origins = unit.walk().into_iter().flat_map(|s| unit.origins(s).to_vec());
    let instances: BTreeSet<Chain> = origins.filter_map(|o| instance(unit, o, region)).collect();
    instances.into_iter().map(|via| (via, areas_of(unit, infos, region, via))).collect()
}

fn areas_of(unit: &Unit, infos: &StmtInfos, region: &UserRegion, via: Chain) -> Vec<AreaOf> {
    let mut out = Vec::new();
    let mut covered: FxHashSet<Stmt> = FxHashSet::default();
    let mut open: Option<(Block, AreaOf)> = None;
    for s in unit.walk() {
        if unit.head(s).is_invisible() || unit.enclosing(s).is_some_and(|p| covered.contains(&p)) {
            if unit.enclosing(s).is_some_and(|p| covered.contains(&p)) {
                covered.insert(s);
            }
            continue;
        }
        match of_region(unit, infos, s, region, via) {
            None => {}
            // A value that was moved out of the region, and belongs to the code around it as well, takes hardly any
            // time.
            Some(false) if matches!(unit.head(s), Head::Assign { .. }) => {}
            Some(false) => return vec![],
            Some(true) => {
                covered.insert(s);
                let Some(block) = unit.parent(s) else { continue };
                let inside_other_loop = unit.ancestors(s).any(|p| unit.head(p).is_loop());
                match &mut open {
                    Some((b, area)) if *b == block && follows(unit, area.last, s) => area.last = s,
                    _ => {
                        out.extend(open.take().map(|(_, a)| a));
                        let area = AreaOf { first: s, last: s, block: block.as_u32(), inside_other_loop };
                        open = Some((block, area));
                    }
                }
            }
        }
    }
    out.extend(open.map(|(_, a)| a));
    out
}

/// Whether nothing but tallies, ghosts and probes stands between the two.
fn follows(unit: &Unit, first: Stmt, second: Stmt) -> bool {
    unit.next_real(first) == Some(second)
}

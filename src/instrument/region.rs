//! Regions that the source marks: `!TL$ REGION name` to `!TL$ END REGION`.
//!
//! A region is the statements between its directives. Its entries are counted before the first of them, as the source
//! has it; its time is that of the contiguous areas of the optimized program that come of its statements alone. Where
//! optimization has merged them with others there is no such area, and the region has exact counts and no time.

use rustc_hash::FxHashSet;
use trueline_ir::{Block, Stmt, Unit};
use trueline_provenance::map::AreaOf;
use trueline_provenance::{Serial, StmtInfos, StmtKind};

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

/// The first statement of the region in a unit as it was written.
pub(crate) fn first_statement(unit: &Unit, region: &UserRegion) -> Option<Stmt> {
    unit.walk().into_iter().find(|&s| of_region(unit, s, region) == Some(true))
}

/// Whether the sources of a statement are in the region: all, some or none (`None`), or it has none (`None` too).
fn of_region(unit: &Unit, s: Stmt, region: &UserRegion) -> Option<bool> {
    let origins = unit.origins(s);
    let inside = origins.iter().filter(|&&o| region.holds(o)).count();
    if inside == 0 { None } else { Some(inside == origins.len()) }
}

/// The areas that come of the region alone, in all units; none if any of its statements was merged with others, or
/// an area stands in a loop that is not the region's.
pub(crate) fn areas(units: &[Unit], region: &UserRegion) -> Vec<AreaOf> {
    let mut out = Vec::new();
    for (u, unit) in units.iter().enumerate() {
        let mut covered: FxHashSet<Stmt> = FxHashSet::default();
        let mut open: Option<(Block, AreaOf)> = None;
        for s in unit.walk() {
            if unit.head(s).is_invisible() || unit.enclosing(s).is_some_and(|p| covered.contains(&p)) {
                if unit.enclosing(s).is_some_and(|p| covered.contains(&p)) {
                    covered.insert(s);
                }
                continue;
            }
            match of_region(unit, s, region) {
                None => {}
                Some(false) => return vec![],
                Some(true) => {
                    covered.insert(s);
                    let Some(block) = unit.parent(s) else { continue };
                    let in_loop = unit.ancestors(s).any(|p| unit.head(p).is_loop());
                    match &mut open {
                        Some((b, area)) if *b == block && follows(unit, area.last, s) => area.last = s,
                        _ => {
                            out.extend(open.take().map(|(_, a)| a));
                            let area = AreaOf {
                                unit: u as u32,
                                first: s,
                                last: s,
                                block: block.as_u32(),
                                inside_other_loop: in_loop,
                            };
                            open = Some((block, area));
                        }
                    }
                }
            }
        }
        out.extend(open.map(|(_, a)| a));
    }
    out
}

/// Whether nothing but what counts and measures stands between the two.
fn follows(unit: &Unit, first: Stmt, second: Stmt) -> bool {
    unit.next_real(first) == Some(second)
}

//! The status of every construct: how its counts and its time relate to the optimized code.

use crate::Construct;
use crate::select::Regions;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_abi::profile::Status;
use trueline_ir::{Program, Why};
use trueline_provenance::map::{Image, Mapping};
use trueline_provenance::{Origin, Serial, StmtInfos, StmtKind, Transform};

/// The edits of a source statement, over all its instances.
#[derive(Default)]
struct History {
    passes: Vec<&'static str>,
    eliminated: Option<(&'static str, Why)>,
}

fn histories(program: &Program) -> FxHashMap<Serial, History> {
    let mut out: FxHashMap<Serial, History> = FxHashMap::default();
    for unit in &program.units {
        for e in &unit.log().edits {
            for s in unit.sets().stmts(e.before).chain(unit.sets().stmts(e.after)) {
                let history = out.entry(s).or_default();
                if !is_lowering(e.pass) && !history.passes.contains(&e.pass) {
                    history.passes.push(e.pass);
                }
                if let (Transform::Eliminate, Some(why)) = (e.transform, e.why) {
                    history.eliminated = Some((e.pass, why));
                }
            }
        }
    }
    out
}

fn is_lowering(pass: &str) -> bool {
    matches!(pass, "lower_m" | "lower_l" | "strength")
}

/// The instances of every source statement that have code: the number of the unit, and the member of its sets.
fn instances(mappings: &[Mapping<'_>]) -> FxHashMap<Serial, Vec<(usize, Origin)>> {
    let mut out: FxHashMap<Serial, Vec<(usize, Origin)>> = FxHashMap::default();
    for (u, m) in mappings.iter().enumerate() {
        for o in m.origins() {
            out.entry(o.stmt).or_default().push((u, o));
        }
    }
    out
}

/// Every listed construct with its status, in source order. `mappings` are those of the units.
pub(crate) fn statuses(
    program: &Program,
    mappings: &[Mapping<'_>],
    regions: Regions,
    left_out: &FxHashSet<Serial>,
) -> Vec<Construct> {
    let infos = &program.infos;
    let (histories, instances) = (histories(program), instances(mappings));
    let listed = |kind: StmtKind| {
        if kind.is_profiled() {
            regions.selects(kind, false) || regions.selects(kind, true)
        } else {
            regions.counts_alone(kind)
        }
    };
    let profiled = infos.stmts.iter().filter(|(s, i)| listed(i.kind) && !left_out.contains(s));
    profiled
        .map(|(serial, info)| {
            let history = histories.get(&serial);
            let mut c = Construct::new(serial);
            c.passes = history.map_or(vec![], |h| h.passes.clone());
            let here = instances.get(&serial).map_or(&[][..], Vec::as_slice);
            let images: Vec<Image> = here.iter().map(|&(u, o)| mappings[u].image(o)).collect();
            let eliminated = history.and_then(|h| h.eliminated);
            (c.status, c.reason) = match info.kind {
                kind if kind.is_procedure() => (Status::Exact, None),
                _ if here.is_empty() => gone(eliminated),
                kind if kind.is_conditional() => counted(&c.passes, images == [true_one(&images)]),
                kind if !kind.is_profiled() => counted(&c.passes, c.passes.is_empty()),
                kind if kind.is_loop() && images == [true_one(&images)] => (Status::Exact, None),
                kind => own(&c.passes, kind),
            };
            let apart = images.iter().filter(|i| !matches!(i, Image::Joint { .. })).count();
            let copies = images.len();
            for with in images.into_iter().filter_map(|i| if let Image::Joint { with } = i { Some(with) } else { None })
            {
                c.merged_with.extend(with.iter().map(|o| o.stmt));
            }
            c.merged_with.sort_unstable();
            c.merged_with.dedup();
            c.merged_with.retain(|&m| m != serial);
            if !c.merged_with.is_empty() {
                let with = lines(infos, &c.merged_with);
                let copies =
                    if apart == 0 { String::new() } else { format!(", in {} of {copies} copies", copies - apart) };
                (c.status, c.reason) = (Status::Merged, Some(format!("with {with}{copies}")));
            }
            c
        })
        .collect()
}

/// The image of a construct with one instance, if it is a true one.
fn true_one(images: &[Image]) -> Image {
    match images {
        [Image::True(s)] => Image::True(*s),
        _ => Image::Gone,
    }
}

/// A construct without code.
fn gone(eliminated: Option<(&'static str, Why)>) -> (Status, Option<String>) {
    match eliminated {
        Some((_, Why::Inlined)) => (Status::ExactDerived, Some("inlined: the procedure's body stands here".to_owned())),
        Some((pass, why)) => (Status::Eliminated, Some(format!("by {pass}: {}", why.phrase()))),
        None => (Status::Eliminated, Some("nothing of it is left".to_owned())),
    }
}

/// A construct that has counts and no time.
fn counted(passes: &[&'static str], is_true: bool) -> (Status, Option<String>) {
    if is_true {
        (Status::Exact, None)
    } else {
        (Status::ExactDerived, Some(transformed(passes, "counted by tallies")))
    }
}

/// A construct with code of its own that was transformed, or has several instances. An array statement becomes loops;
/// that alone transforms no construct of the source.
fn own(passes: &[&'static str], kind: StmtKind) -> (Status, Option<String>) {
    let done = transformations(passes);
    if done.is_empty() && kind.is_region() {
        return (Status::Exact, None);
    }
    (Status::ExactDerived, Some(if done.is_empty() { "transformed".to_owned() } else { done.join(", ") }))
}

/// The loop transformations of the passes, in a programmer's words.
fn transformations(passes: &[&'static str]) -> Vec<&'static str> {
    const WORDS: &[(&str, &str)] = &[
        ("inline", "inlined"),
        ("inline_in_nests", "inlined"),
        ("fuse", "fused"),
        ("distribute", "split"),
        ("interchange", "interchanged"),
        ("unswitch", "unswitched"),
        ("peel", "peeled"),
        ("unroll", "unrolled"),
        ("version", "versioned"),
    ];
    let mut words: Vec<&str> = WORDS.iter().filter(|(pass, _)| passes.contains(pass)).map(|(_, word)| *word).collect();
    words.dedup();
    words
}

fn transformed(passes: &[&'static str], so: &str) -> String {
    if passes.is_empty() { so.to_owned() } else { format!("{so} after {}", passes.join(", ")) }
}

fn lines(infos: &StmtInfos, with: &[Serial]) -> String {
    let mut numbers: Vec<u32> = with.iter().map(|&s| infos.stmts[s].line).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let text: Vec<String> = numbers.iter().map(u32::to_string).collect();
    format!("{} {}", if text.len() == 1 { "line" } else { "lines" }, text.join(", "))
}

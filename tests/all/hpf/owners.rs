//! `dump --mappings` against a table of owners that is dealt out element by element, as the standard defines the formats.
//!
//! Random programs, each with many mapped arrays: formats, alignments with strides of both signs, replication, fixed positions, chains of
//! alignments, arrangements larger and smaller than the number of processors. `TRUELINE_MAPPINGS=10000` takes that many arrays.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::process::Command;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }

    fn from(&mut self, lo: i64, hi: i64) -> i64 {
        lo + self.below((hi - lo + 1) as usize) as i64
    }
}

/// The distribution of one dimension of a template.
struct Dealt {
    text: String,
    /// The dimension of the grid and the coordinate of each position; none if it is collapsed.
    on: Option<(usize, Vec<usize>)>,
}

/// A subscript of an alignment target.
enum At {
    Of(usize, i64, i64),
    Fixed(i64),
    Copies,
}

/// A template, or an array that stands for one.
struct Template {
    lower: Vec<i64>,
    dealt: Vec<Dealt>,
    grid: Vec<usize>,
}

struct Array {
    name: String,
    bounds: Vec<(i64, i64)>,
    template: usize,
    /// The alignments from the array to the template, the array's own first.
    steps: Vec<Vec<At>>,
}

/// The coordinates of `n` positions over `p` coordinates, dealt out one after the other.
fn deal(random: &mut Random, n: usize, p: usize, program: &mut Writer, grid_lower: i64) -> (String, Vec<usize>) {
    let mut table = Vec::new();
    let turn = |block: usize, cyclic: bool| {
        let mut table = Vec::new();
        let (mut coordinate, mut room) = (0, block);
        for _ in 0..n {
            if room == 0 {
                coordinate += 1;
                if cyclic && coordinate == p {
                    coordinate = 0;
                }
                room = block;
            }
            table.push(coordinate);
            room -= 1;
        }
        table
    };
    // The least block with which all positions find room.
    let mut least = 1;
    while least * p < n {
        least += 1;
    }
    let text = match random.below(6) {
        0 => {
            table = turn(least, false);
            "BLOCK".to_owned()
        }
        1 => {
            let m = least + random.below(4);
            table = turn(m, false);
            format!("BLOCK({m})")
        }
        2 => {
            table = turn(1, true);
            "CYCLIC".to_owned()
        }
        3 => {
            let k = 1 + random.below(6);
            table = turn(k, true);
            format!("CYCLIC({k})")
        }
        4 => {
            let mut sizes = vec![0; p];
            for _ in 0..n {
                sizes[random.below(p)] += 1;
            }
            for (c, size) in sizes.iter().enumerate() {
                table.extend(std::iter::repeat_n(c, *size));
            }
            format!("GEN_BLOCK({})", program.constant(&sizes.iter().map(|&s| s as i64).collect::<Vec<_>>()))
        }
        _ => {
            table.extend((0..n).map(|_| random.below(p)));
            let values: Vec<i64> = table.iter().map(|&c| c as i64 + grid_lower).collect();
            format!("INDIRECT({})", program.constant(&values))
        }
    };
    (text, table)
}

#[derive(Default)]
struct Writer {
    declarations: String,
    directives: String,
    number: usize,
}

impl Writer {
    fn constant(&mut self, values: &[i64]) -> String {
        self.number += 1;
        let list: Vec<String> = values.iter().map(i64::to_string).collect();
        let name = format!("v{}", self.number);
        let _ = writeln!(self.declarations, "  integer, parameter :: {name}({}) = [{}]", values.len(), list.join(", "));
        name
    }

    fn directive(&mut self, text: &str) {
        let _ = writeln!(self.directives, "!HPF$ {text}");
    }
}

fn bounds_text(bounds: &[(i64, i64)]) -> String {
    bounds.iter().map(|(lo, hi)| format!("{lo}:{hi}")).collect::<Vec<_>>().join(", ")
}

/// A template with random formats onto an arrangement of its own, or onto none.
fn template(random: &mut Random, bounds: &[(i64, i64)], k: usize, ranks: usize, w: &mut Writer) -> (Template, String) {
    let distributed: Vec<bool> = bounds.iter().map(|_| random.below(4) > 0).collect();
    let wanted = distributed.iter().filter(|d| **d).count();
    // Without ONTO the arrangement is the compiler's; with one dimension it can only be all processors.
    let implicit = wanted == 1 && random.below(3) == 0;
    let lower = random.from(-1, 2);
    let mut grid: Vec<usize> = (0..wanted).map(|_| 1 + random.below(4)).collect();
    let mut onto = String::new();
    if implicit {
        grid = vec![ranks];
    } else if wanted > 0 {
        let arrangement: Vec<(i64, i64)> = grid.iter().map(|&p| (lower, lower + p as i64 - 1)).collect();
        w.directive(&format!("PROCESSORS p{k}({})", bounds_text(&arrangement)));
        onto = format!(" ONTO p{k}");
    } else {
        grid = vec![ranks];
    }
    let grid_lower = if implicit { 1 } else { lower };
    let (mut dealt, mut next) = (Vec::new(), 0);
    for (d, (lo, hi)) in bounds.iter().enumerate() {
        if !distributed[d] {
            dealt.push(Dealt { text: "*".to_owned(), on: None });
            continue;
        }
        let (text, table) = deal(random, (hi - lo + 1) as usize, grid[next], w, grid_lower);
        dealt.push(Dealt { text, on: Some((next, table)) });
        next += 1;
    }
    let formats: Vec<&str> = dealt.iter().map(|d| d.text.as_str()).collect();
    let text = format!("({}){onto}", formats.join(", "));
    (Template { lower: bounds.iter().map(|b| b.0).collect(), dealt, grid }, text)
}

/// Bounds of a target, and the subscripts by which an array of `bounds` is aligned with it.
fn alignment(random: &mut Random, bounds: &[(i64, i64)]) -> (Vec<(i64, i64)>, Vec<At>) {
    let mut of: Vec<Option<usize>> = (0..bounds.len()).filter(|_| random.below(5) > 0).map(Some).collect();
    while of.is_empty() || (of.len() < 3 && random.below(3) == 0) {
        of.insert(random.below(of.len() + 1), None);
    }
    for k in (1..of.len()).rev() {
        of.swap(k, random.below(k + 1));
    }
    let (mut target, mut at) = (Vec::new(), Vec::new());
    for d in of {
        let slack = random.from(0, 3);
        match d {
            Some(d) => {
                let (lo, hi) = bounds[d];
                let a = [1, 1, 1, 2, 3, -1, -2][random.below(7)];
                let b = random.from(-4, 9);
                let ends = [a * lo + b, a * hi + b];
                target.push((ends[0].min(ends[1]) - slack, ends[0].max(ends[1]) + random.from(0, 3)));
                at.push(At::Of(d, a, b));
            }
            None => {
                let lo = random.from(-2, 3);
                let hi = lo + random.from(0, 9);
                target.push((lo, hi));
                at.push(if random.below(2) == 0 { At::Copies } else { At::Fixed(random.from(lo, hi)) });
            }
        }
    }
    (target, at)
}

fn align_text(rank: usize, at: &[At]) -> (String, String) {
    let source: Vec<String> = (0..rank)
        .map(|d| match at.iter().any(|s| matches!(s, At::Of(of, ..) if *of == d)) {
            true => format!("i{d}"),
            false => "*".to_owned(),
        })
        .collect();
    let target: Vec<String> = at
        .iter()
        .map(|s| match s {
            At::Of(d, a, b) => format!("{a}*i{d}+({b})"),
            At::Fixed(c) => c.to_string(),
            At::Copies => "*".to_owned(),
        })
        .collect();
    (source.join(", "), target.join(", "))
}

/// A program with `count` mapped arrays.
fn program(random: &mut Random, count: usize, ranks: usize) -> (String, Vec<Array>, Vec<Template>) {
    let (mut w, mut arrays, mut templates) = (Writer::default(), Vec::new(), Vec::new());
    let mut code = String::new();
    for k in 0..count {
        let rank = 1 + random.below(3);
        let most = [20, 9, 5][rank - 1];
        let mut bounds = Vec::new();
        for _ in 0..rank {
            let lo = random.from(-3, 4);
            bounds.push((lo, lo + random.from(0, most)));
        }
        let name = format!("a{k}");
        let _ = writeln!(w.declarations, "  real(8) :: {name}({})", bounds_text(&bounds));
        let _ = writeln!(code, "  {name} = {k}");
        let links = random.below(3);
        let (mut steps, mut at_hand, mut own) = (Vec::new(), bounds.clone(), name.clone());
        for link in 0..links {
            let (target, at) = alignment(random, &at_hand);
            let (source, subscripts) = align_text(at_hand.len(), &at);
            let other = format!("t{k}_{link}");
            if link + 1 < links || random.below(2) == 0 {
                let _ = writeln!(w.declarations, "  real(8) :: {other}({})", bounds_text(&target));
            } else {
                w.directive(&format!("TEMPLATE {other}({})", bounds_text(&target)));
            }
            w.directive(&format!("ALIGN {own}({source}) WITH {other}({subscripts})"));
            steps.push(at);
            (at_hand, own) = (target, other);
        }
        let (t, formats) = template(random, &at_hand, k, ranks, &mut w);
        w.directive(&format!("DISTRIBUTE {own}{formats}"));
        arrays.push(Array { name, bounds, template: templates.len(), steps });
        templates.push(t);
    }
    let text = format!("program p\n  implicit none\n{}{}{code}end program\n", w.declarations, w.directives);
    (text, arrays, templates)
}

/// Whether the cell at `cell` has the element: each position that it is aligned with asks its table.
fn has(array: &Array, t: &Template, cell: &[usize], element: &[i64]) -> bool {
    // None is every position.
    let mut at: Vec<Option<i64>> = element.iter().copied().map(Some).collect();
    for step in &array.steps {
        at = step
            .iter()
            .map(|s| match s {
                At::Of(d, a, b) => at[*d].map(|i| a * i + b),
                At::Fixed(c) => Some(*c),
                At::Copies => None,
            })
            .collect();
    }
    at.iter().zip(&t.dealt).zip(&t.lower).all(|((at, dealt), lower)| match (at, &dealt.on) {
        (Some(at), Some((dim, table))) => table[(at - lower) as usize] == cell[*dim],
        _ => true,
    })
}

fn elements(bounds: &[(i64, i64)]) -> Vec<Vec<i64>> {
    let mut out = vec![Vec::new()];
    for (lo, hi) in bounds {
        out = out.iter().flat_map(|e| (*lo..=*hi).map(|i| [e.as_slice(), &[i]].concat())).collect();
    }
    out
}

/// The elements and bytes that a line of the dump tells.
fn told(line: &str, rank: usize) -> (BTreeSet<Vec<i64>>, u64) {
    let Some((_, rest)) = line.split_once(" owns (") else {
        assert!(line.ends_with("owns nothing"), "{line}");
        return (BTreeSet::new(), 0);
    };
    let (owned, rest) = rest.split_once("), local (").expect("local bounds");
    let bytes = rest.split_once("), ").and_then(|(_, b)| b.split(' ').next()?.parse().ok()).expect("bytes");
    let number = |t: &str| t.parse::<i64>().expect("a subscript");
    let dims: Vec<BTreeSet<i64>> = owned
        .split(", ")
        .map(|dim| {
            let mut set = BTreeSet::new();
            for span in dim.split(' ') {
                let parts: Vec<i64> = span.split(':').map(number).collect();
                let (first, last) = (parts[0], *parts.get(1).unwrap_or(&parts[0]));
                set.extend((first..=last).step_by(*parts.get(2).unwrap_or(&1) as usize));
            }
            set
        })
        .collect();
    assert_eq!(dims.len(), rank, "{line}");
    let mut out = vec![Vec::new()];
    for dim in &dims {
        out = out.iter().flat_map(|e| dim.iter().map(|&i| [e.as_slice(), &[i]].concat())).collect();
    }
    (out.into_iter().collect(), bytes)
}

/// The processor of a cell: from the last dimension to the first, each keeps as many coordinates as there are processors left for it, and
/// coordinates in neighbouring parts of equal size go to one of them. A grid that fits is not folded.
fn folded(grid: &[usize], cell: &[usize], ranks: usize) -> usize {
    let fits = grid.iter().product::<usize>() <= ranks;
    let mut left = ranks;
    let mut onto = vec![0; grid.len()];
    for k in (0..grid.len()).rev() {
        onto[k] = if fits { grid[k] } else { grid[k].min(left) };
        left = if fits { left } else { left / onto[k] };
    }
    (0..grid.len()).rev().fold(0, |number, k| number * onto[k] + cell[k] * onto[k] / grid[k])
}

fn check(text: &str, array: &Array, t: &Template, ranks: usize, lines: &[&str], source: &str) {
    let cells: usize = t.grid.iter().product();
    let lines: Vec<&&str> = lines.iter().filter(|l| l.trim_start().starts_with("rank ")).collect();
    assert_eq!(lines.len(), cells, "{}: {text}\n{source}", array.name);
    for (number, line) in lines.iter().enumerate() {
        let mut rest = number;
        let mut cell = Vec::new();
        for extent in &t.grid {
            cell.push(rest % extent);
            rest /= extent;
        }
        let coordinates: Vec<String> = cell.iter().map(usize::to_string).collect();
        let head = format!("rank {} at ({})", folded(&t.grid, &cell, ranks), coordinates.join(", "));
        assert!(line.trim_start().starts_with(&head), "{line} is not {head}");
        let owned: BTreeSet<Vec<i64>> =
            elements(&array.bounds).into_iter().filter(|e| has(array, t, &cell, e)).collect();
        let (found, bytes) = told(line, array.bounds.len());
        assert_eq!(found, owned, "{} on {ranks} at {cell:?}: {line}\n{source}", array.name);
        assert_eq!(bytes, 8 * owned.len() as u64, "{}: {line}", array.name);
    }
}

#[test]
fn owners_are_those_of_the_standard() {
    let wanted = std::env::var("TRUELINE_MAPPINGS").ok().and_then(|n| n.parse().ok()).unwrap_or(600usize);
    let seed = std::env::var("TRUELINE_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut random = Random(seed);
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("p.f90");
    let (mut done, mut kinds) = (0, BTreeMap::new());
    while done < wanted {
        let ranks = 1 + random.below(9);
        let (source, arrays, templates) = program(&mut random, 100, ranks);
        std::fs::write(&file, &source).unwrap();
        let out = Command::new(env!("CARGO_BIN_EXE_trueline"))
            .args(["dump", "--mappings", "-np", &ranks.to_string()])
            .arg(&file)
            .output()
            .unwrap();
        let text = String::from_utf8(out.stdout).unwrap();
        assert!(out.status.success(), "{}\n{source}", String::from_utf8_lossy(&out.stderr));
        for array in &arrays {
            let head = format!("  {}(", array.name);
            let lines: Vec<&str> = text
                .lines()
                .skip_while(|l| !l.starts_with(&head))
                .skip(1)
                .take_while(|l| l.starts_with("    "))
                .collect();
            check(&text, array, &templates[array.template], ranks, &lines, &source);
            *kinds.entry(array.steps.len()).or_insert(0) += 1;
            done += 1;
        }
    }
    assert_eq!(kinds.len(), 3, "distributed, aligned, aligned twice: {kinds:?}");
}

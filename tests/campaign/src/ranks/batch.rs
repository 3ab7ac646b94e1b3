//! Many random programs in one executable: most of the work on a program alone is links and starts of processes.
//!
//! ```text
//! program prog      subroutine prog_0      program prog
//! use m             use m_0                print *, 'program 0'
//! call p1       →   call p1_0          +   call prog_0
//! end program       end subroutine         print *, 'program 1'
//!                                          call prog_1
//!                                          end program
//! ```
//!
//! Names that the linker sees get the number of their program: those of the module, of procedures, of COMMON blocks and of files. A batch
//! that differs is taken apart: its programs are judged alone, in their own ways and in that of the batch, and programs that differ only
//! together are told of as a batch.

use super::run::{self, Failure, STRIPS, Way};
use super::{File, Piece, Program, make};
use crate::rng::Rng;
use std::ops::Range;

/// The programs of a batch.
pub const BATCH: u64 = 20;

/// One program in that many is judged alone, so main programs are covered too.
const ALONE: u64 = 20;

/// The names that the linker sees, with the name of the main program.
const GLOBAL: [&str; 8] = ["m", "prog", "cc", "p1", "p2", "p3", "p4", "p5"];

/// Seeds that are judged together.
pub type Seeds = Vec<u64>;

/// Divides seeds into single ones, each in a list of its own, and batches.
pub fn divide(seeds: Range<u64>, single: bool) -> Vec<Seeds> {
    let (alone, together): (Vec<u64>, Vec<u64>) = seeds.partition(|seed| single || seed % ALONE == 0);
    let batches = together.chunks(BATCH as usize).map(<[u64]>::to_vec);
    alone.into_iter().map(|seed| vec![seed]).chain(batches).collect()
}

/// Judges the programs of these seeds: the first difference of each that has one, or that of all together.
pub fn judge(seeds: &[u64], ranks: &[usize]) -> Vec<(Failure, Program)> {
    if let [seed] = *seeds {
        return run::judge(seed, ranks).err().into_iter().collect();
    }
    let programs: Vec<Program> = seeds.iter().map(|&seed| make::program(seed)).collect();
    let joined = join(&programs);
    let way = way(seeds[0], &programs, ranks);
    let Some(failure) = run::differs(&joined, std::slice::from_ref(&way)) else { return Vec::new() };
    let alone = |(k, program): (usize, &Program)| {
        let mut ways = vec![of_one(&way, k)];
        ways.extend(Way::of(program.seed, program, ranks));
        Some((run::differs(program, &ways)?, program.clone()))
    };
    let alone: Vec<(Failure, Program)> = programs.iter().enumerate().filter_map(alone).collect();
    match alone.is_empty() {
        true => vec![fewest(programs, way, failure)],
        false => alone,
    }
}

/// The name of a file of a program in a batch.
fn file(k: usize, name: &str) -> String {
    format!("b{k}_{name}")
}

/// The way to build a batch. A profiled one is compared in its counts too.
fn way(seed: u64, programs: &[Program], ranks: &[usize]) -> Way {
    let mut rng = Rng::new(seed ^ 0x6a_17);
    let (level, profiled, number) = (rng.pick(&[0, 1, 2, 3, 3]), rng.chance(50), rng.pick(ranks));
    let mut without = Vec::new();
    if rng.chance(25) {
        for (k, program) in programs.iter().enumerate() {
            let externals: Vec<&File> = program.files.iter().skip(1).collect();
            if !externals.is_empty() {
                without.push(file(k, &rng.pick(&externals).name));
            }
        }
    }
    Way { level, profiled, ranks: vec![number], without, strip: rng.pick(&STRIPS) }
}

/// The way of a batch, for its program `k` alone.
fn of_one(way: &Way, k: usize) -> Way {
    let own = |f: &String| f.strip_prefix(&file(k, "")).map(str::to_owned);
    Way { without: way.without.iter().filter_map(own).collect(), ..way.clone() }
}

/// A batch from which each program was left out that the difference does not need.
fn fewest(mut programs: Vec<Program>, way: Way, failure: Failure) -> (Failure, Program) {
    let mut last = failure;
    // The numbers of programs are their places in the list: the files without `-fhpf` are numbered anew.
    let mut ways: Vec<Way> = (0..programs.len()).map(|k| of_one(&way, k)).collect();
    let all = |ways: &[Way]| {
        let named = |(k, way): (usize, &Way)| way.without.iter().map(|f| file(k, f)).collect::<Vec<_>>();
        Way { without: ways.iter().enumerate().flat_map(named).collect(), ..way.clone() }
    };
    for k in (0..programs.len()).rev() {
        let (mut fewer, mut left) = (programs.clone(), ways.clone());
        fewer.remove(k);
        left.remove(k);
        if fewer.is_empty() {
            break;
        }
        if let Some(failure) = run::differs(&join(&fewer), &[all(&left)]).filter(|f| f.kind == last.kind) {
            (programs, ways, last) = (fewer, left, failure);
        }
    }
    let seeds: Vec<String> = programs.iter().map(|p| p.seed.to_string()).collect();
    let text = format!("only together, seeds {}: {}", seeds.join(" "), last.text);
    (Failure { text, ..last }, join(&programs))
}

/// One program that does what these do, one after the other, and tells where each begins.
pub fn join(programs: &[Program]) -> Program {
    let mut files = Vec::new();
    let mut main = vec![Piece::fixed("program prog")];
    for (k, program) in programs.iter().enumerate() {
        for f in &program.files {
            files.push(File { name: file(k, &f.name), pieces: f.pieces.iter().map(|p| renamed(p, k)).collect() });
        }
        main.push(Piece::fixed(format!("print *, 'program {k} of seed {}'\ncall prog_{k}", program.seed)));
    }
    main.push(Piece::fixed("end program"));
    files.push(File { name: "main.f90".to_owned(), pieces: main });
    Program { seed: programs.first().map_or(0, |p| p.seed), files }
}

/// A piece with the global names of program `k`; the main program becomes a subroutine.
fn renamed(piece: &Piece, k: usize) -> Piece {
    let (head, tail) = match piece.head.as_str() {
        "program prog" => ("subroutine prog", "end subroutine"),
        head => (head, piece.tail.as_str()),
    };
    let inside = piece.inside.iter().map(|p| renamed(p, k)).collect();
    Piece { head: suffixed(head, k), tail: suffixed(tail, k), inside, fixed: piece.fixed }
}

/// A text in which the global names have the suffix of program `k`.
fn suffixed(text: &str, k: usize) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (named, at) = match rest.find(|c| !is_name(c)) {
            Some(0) => (false, rest.find(is_name).unwrap_or(rest.len())),
            at => (true, at.unwrap_or(rest.len())),
        };
        let (word, behind) = rest.split_at(at);
        out.push_str(word);
        if named && GLOBAL.contains(&word) {
            out.push_str(&format!("_{k}"));
        }
        rest = behind;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_the_linker_sees_are_unique() {
        let text = "program prog\nuse m\ncommon /cc/ ca, m1\ncall p1\nmm = mod(nn, m)\n";
        let wanted = "program prog_7\nuse m_7\ncommon /cc_7/ ca, m1\ncall p1_7\nmm = mod(nn, m_7)\n";
        assert_eq!(suffixed(text, 7), wanted);
        let programs = [make::program(1), make::program(2)];
        let joined = join(&programs);
        let mut names: Vec<&str> = joined.files.iter().map(|f| f.name.as_str()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!((names.len(), count), (count, programs.iter().map(|p| p.files.len()).sum::<usize>() + 1));
        let own: usize = programs.iter().map(|p| p.text().lines().count()).sum();
        assert_eq!(joined.text().lines().count(), own + 2 + 2 * programs.len(), "no line is lost");
        assert_eq!(joined.text().matches("program prog").count(), 1, "one main program calls the others");
    }

    #[test]
    fn each_seed_is_judged_once() {
        let mut seeds = divide(95..177, false).concat();
        seeds.sort_unstable();
        assert_eq!(seeds, (95..177).collect::<Vec<_>>());
        assert!(divide(95..177, false).contains(&vec![100]), "some programs are judged alone");
        assert!(divide(95..177, true).iter().all(|s| s.len() == 1));
    }

    #[test]
    fn a_program_of_a_batch_keeps_its_way() {
        let programs: Vec<Program> = (1..5).map(make::program).collect();
        let names: Vec<String> = programs.iter().map(|p| p.files[1].name.clone()).collect();
        let without = vec![file(1, &names[1]), file(3, &names[3])];
        let way = Way { level: 2, profiled: true, ranks: vec![3], without, strip: 0 };
        let own: Vec<Vec<String>> = (0..4).map(|k| of_one(&way, k).without).collect();
        assert_eq!(own, [vec![], vec![names[1].clone()], vec![], vec![names[3].clone()]]);
    }
}

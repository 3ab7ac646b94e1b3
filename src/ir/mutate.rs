//! Whatever text comes in: the reader, the verifier and the interpreter end, and do not panic.

use crate::{Options, interpret, parse_program, verify};

const SEEDS: [&str; 7] = [
    "integer i, j, k(4)\nreal a(10), x\ndo i = 1, 10, 2 @1\nif i > 3 .and. a(i) < 2.5 @2\na(i) = a(i - 1) * x + 0.5 @3\nelse\nk(2) = mod(i, 3) @4\nend\nend\ntally @1 iterations += trip(1, i, 1)",
    "program p vh\nr8 a(4), b(4), c(2, 3)\nl4 m(4)\ni4 i\nwhere a > 1.0 @1\nb = b * 2.0 @2\nelsewhere\nb = a(4:1:-1) @3\nend\nforall (i = 1:3) i /= 2 @4\na(i) = b(i + 1) @5\nend\nc = RESHAPE(MATMUL(c, TRANSPOSE(c)), [i4: 2, 3], a) @6\na = CSHIFT(a, 1, 1) + SPREAD(SUM(c), 1, 4) @7",
    "program p l\nr8 a(3)\ni4 i\ni = 1 @1\nL1: @1\nstore(a, addr(a) + i8(i) * 8, -8) = load_r8(a, addr(a)) + 1.0 @2\ni = i + 1 @1\nbranch i < 3, L1, L2 @1\nL2: @1\ngoto (L1, L2), i @3",
    "program main h\ni4 i, r.1\nc8 z\ni = ishft(7, -2) + nint(2.5) @1\nz = powi((1.0, 2.0), 3) / (0.5, -1.0) @1\nr.1 = call f_(&inout i, &in i) @2\ncall rt.io_put(&in i, 3, 0) @2\ncall rt.stop_int(3) @3\nsubroutine s(n) h\ni4 n\nreturn @4\nfunction f(n, m) result r h\ni4 n, m, r\nr = n / m @5",
    "integer i, n\ndo while i < 5 prepared @1\nn = i * 2 @1\ndo\nselect n @2\ncase 1, 3:5\ni = i + 1 @3\ncase :0\nreturn @4\ncase default\ni = i + 2 @5\nend\nend\nifarith i - 3, L1, L2, L1 @6\nL1: @6\nL2: @{6,7}",
    "program p h\ni4 owners(4)\nr8 a(16, 8) mapped 0, b(4:19) mapped 1, c(3) mapped 2\ni4 i\nmapping 0 @1 prescribed dynamic grid q(2, ranks / 2) dims (block(9) of 1:16 on 1, cyclic(2) of 1:20 on 2 at -2 * i + 18) shadow (1:1, 0:2)\nmapping 1 @2 described grid (3, free, free) dims (gen_block([4, 12, 0]) of dim a 1 on 1 at 1 * i + -3) rest (2 copies, 3 cyclic of 1:8 fixed 3)\nmapping 2 @3 inherited\nmapping 3 @4 prescribed grid (unknown) dims (indirect(owners) of unknown on 1)\na(1, 2) = 3.0 @5\nb(4) = a(1, 2) @6",
    "subroutine s(a, n, c) m @3\narea blk_ size 32 align 16 common init 0x01020304\nr8 a(n, *) intent_inout alias\ni8 n value\nchar c*(n)\nr4 x(2) static blk_+8\ni8 p, p.1\nr8 q(n) pointer p\np = call rt.allocate(n * 8, null) @1\nstore(q, p) = 1.5 @1\nghost p.1 = n\ncall f_(&inout load_r8(a, addr(a), 8), &proc s_, 2.5) @2",
];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// Words, numbers, marks and line ends of `text`.
fn pieces(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut joins = false;
    for c in text.chars() {
        let part = c.is_ascii_alphanumeric() || c == '_' || c == '.';
        match out.last_mut() {
            Some(last) if joins && part => last.push(c),
            _ => out.push(c.to_string()),
        }
        joins = part;
    }
    out
}

fn mutated(random: &mut Random) -> String {
    let mut text = pieces(SEEDS[random.below(SEEDS.len())]);
    for _ in 0..=random.below(4) {
        let (from, to) = (random.below(text.len()), random.below(text.len()));
        match random.below(4) {
            0 => {
                text.remove(from);
            }
            1 => text.swap(from, to),
            2 => {
                let piece = text[from].clone();
                text.insert(to, piece);
            }
            _ => {
                let other = pieces(SEEDS[random.below(SEEDS.len())]);
                text[to] = other[random.below(other.len())].clone();
            }
        }
    }
    text.concat()
}

fn survives(text: &str, ran: &mut u32) {
    let Ok(program) = parse_program(text) else { return };
    let broken = program.units.iter().any(|u| !verify(u).is_empty());
    let printed = program.to_string();
    if broken {
        return;
    }
    let again = parse_program(&printed).unwrap_or_else(|e| panic!("{e}\n{printed}"));
    assert_eq!(printed, again.to_string(), "text does not round-trip; from\n{text}");
    let options = Options { steps: 2000, fill: true, imitate: true, ..Options::default() };
    *ran += u32::from(interpret(&program, &options).is_ok());
}

#[test]
fn seeds_are_programs() {
    for text in SEEDS {
        let mut ran = 0;
        survives(text, &mut ran);
        let program = parse_program(text).unwrap();
        let broken: Vec<_> = program.units.iter().flat_map(verify).collect();
        assert_eq!(
            ran,
            1,
            "{broken:?} {:?}",
            interpret(&program, &Options { fill: true, imitate: true, ..Options::default() })
        );
    }
}

#[test]
fn mutations_of_text_do_no_harm() {
    let rounds = std::env::var("TRUELINE_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(1500);
    let seed = std::env::var("TRUELINE_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut random = Random(seed);
    let mut ran = 0;
    for _ in 0..rounds {
        let text = mutated(&mut random);
        let guarded = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| survives(&text, &mut ran)));
        assert!(guarded.is_ok(), "it panics on:\n{text}");
    }
    assert!(ran > rounds / 100, "too few mutations are programs: {ran} of {rounds}");
}

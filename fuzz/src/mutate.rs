//! Changes of inputs, the same for the same seed.

/// Splitmix64.
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.number() % (n as u64).max(1)) as usize
    }
}

/// The bytes that end, open, close and continue things, and some that no text has.
const HURT: &[u8] = b"()'\"&!;,=:*/%.0 \nzEd\t\0\xff\x80$";

/// Numbers at the ends of ranges.
const EDGES: &[&str] = &[
    "0",
    "-1",
    "127",
    "255",
    "65536",
    "2147483647",
    "-2147483648",
    "9223372036854775808",
    "1e400",
    "99999999999999999999",
];

/// Changes `seed` a few times; `others` lend their lines, `words` are inserted.
pub fn mutated(seed: &[u8], others: &[Vec<u8>], words: &[&str], random: &mut Random) -> Vec<u8> {
    let mut out = seed.to_vec();
    for _ in 0..1 + random.below(5) {
        change(&mut out, others, words, random);
    }
    out
}

fn change(out: &mut Vec<u8>, others: &[Vec<u8>], words: &[&str], random: &mut Random) {
    let at = random.below(out.len() + 1);
    match random.below(11) {
        0 => out.truncate(at),
        1 if at < out.len() => out[at] ^= 1 << random.below(8),
        2 if at < out.len() => out[at] = HURT[random.below(HURT.len())],
        3 => insert(out, at, &[HURT[random.below(HURT.len())]]),
        4 => insert(out, at, EDGES[random.below(EDGES.len())].as_bytes()),
        5 | 6 if !words.is_empty() => insert(out, at, words[random.below(words.len())].as_bytes()),
        // A piece is left out, or stands twice.
        7 => drop(out.drain(at..(at + random.below(40)).min(out.len()))),
        8 => {
            let piece = out[at..(at + random.below(200)).min(out.len())].to_vec();
            let to = random.below(out.len() + 1);
            insert(out, to, &piece);
        }
        // Lines of another input, at the beginning of a line of this one.
        9 if !others.is_empty() => {
            let other = &others[random.below(others.len())];
            let (from, start) = (line(other, random), line(out, random));
            let piece: Vec<u8> =
                other[from..].split_inclusive(|&b| b == b'\n').take(1 + random.below(4)).flatten().copied().collect();
            insert(out, start, &piece);
        }
        // Two lines change their order.
        _ => {
            let (a, b) = (line(out, random), line(out, random));
            let (a, b) = (a.min(b), a.max(b));
            let length = out[b..].iter().position(|&c| c == b'\n').map_or(out.len() - b, |n| n + 1);
            out[a..b + length].rotate_right(length);
        }
    }
}

fn insert(out: &mut Vec<u8>, at: usize, piece: &[u8]) {
    out.splice(at..at, piece.iter().copied());
}

/// The beginning of some line.
fn line(text: &[u8], random: &mut Random) -> usize {
    let at = random.below(text.len() + 1);
    text[..at].iter().rposition(|&b| b == b'\n').map_or(0, |n| n + 1)
}

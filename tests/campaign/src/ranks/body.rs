//! The statements of random HPF programs: nests, sections, conditionals, recurrences, reductions, sums in turn, shifts, irregular
//! subscripts, calls, directives that map anew, input and output.
//!
//! Values stay small, for each result is a mean of others, so no output depends on how infinity or NaN is printed. Real sums are the same on
//! all ranks, for trueline keeps the order of the source.

use super::Piece;
use crate::rng::Rng;

/// The names that statements of a procedure may use.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Arrays of `n` by `n` elements.
    pub two: Vec<String>,
    /// Arrays of `n` elements.
    pub one: Vec<String>,
    /// Subroutines without arguments.
    pub calls: Vec<String>,
    /// Arrays with DYNAMIC that a directive may map anew here, each with its rank.
    pub dynamic: Vec<(String, usize)>,
    /// Subroutines with an array of `n` by `n` elements, and with one of `n` elements, as their argument.
    pub takers: [Vec<String>; 2],
}

/// The extent of each dimension, and the random numbers.
pub struct Maker<'a> {
    /// Random numbers.
    pub rng: &'a mut Rng,
    /// The extent of each dimension.
    pub n: i64,
}

/// Constructs and the weights of their kinds.
const KINDS: [u32; 24] = [26, 13, 8, 4, 4, 4, 3, 6, 5, 5, 4, 4, 3, 6, 5, 4, 4, 5, 3, 3, 3, 3, 9, 3];

impl Maker<'_> {
    /// `v + o`, for a small random `o`.
    fn shifted(&mut self, v: &str) -> String {
        match self.rng.pick(&[0, 0, 0, 1, -1, 2, -2]) {
            0 => v.to_owned(),
            o if o > 0 => format!("{v} + {o}"),
            o => format!("{v} - {}", -o),
        }
    }

    /// `v + o`, for an `o` of -1 to 1.
    fn near(&mut self, v: &str) -> String {
        match self.rng.pick(&[0, 0, 0, 1, -1]) {
            0 => v.to_owned(),
            1 => format!("{v} + 1"),
            _ => format!("{v} - 1"),
        }
    }

    fn any(&mut self) -> i64 {
        self.rng.range(1, self.n)
    }

    fn name(&mut self, names: &[String]) -> String {
        self.rng.pick(names)
    }

    /// An element of an array of two dimensions.
    fn read2(&mut self, names: &Names, i: &str, j: &str) -> String {
        let v = self.name(&names.two);
        let (si, sj, k) = (self.shifted(i), self.shifted(j), self.any());
        match self.rng.range(0, 99) {
            0..=72 => format!("{v}({si}, {sj})"),
            73..=82 => format!("{v}({sj}, {si})"),
            83..=90 => format!("{v}({k}, {sj})"),
            91..=96 => format!("{v}(n + 1 - {i}, {sj})"),
            _ => format!("{v}(q({i}), {sj})"),
        }
    }

    /// An element of an array of one dimension.
    fn read1(&mut self, names: &Names, i: &str) -> String {
        let v = self.name(&names.one);
        let (si, k) = (self.shifted(i), self.any());
        match self.rng.range(0, 99) {
            0..=76 => format!("{v}({si})"),
            77..=86 => format!("{v}(n + 1 - {i})"),
            87..=94 => format!("{v}({k})"),
            _ => format!("{v}(q({i}))"),
        }
    }

    /// A mean of these terms.
    fn mean(&mut self, terms: &[String]) -> String {
        let most = 32 / terms.len() as i64;
        let parts: Vec<String> =
            terms.iter().map(|t| format!("{:?}d0 * {t}", self.rng.range(1, most) as f64 / 64.0)).collect();
        format!("{} + {}d0", parts.join(" + "), self.rng.range(0, 5))
    }

    fn value2(&mut self, names: &Names, i: &str, j: &str) -> String {
        let count = self.rng.range(1, 3);
        let mut terms: Vec<String> = (0..count).map(|_| self.read2(names, i, j)).collect();
        if self.rng.chance(30) {
            terms.push(self.read1(names, i));
        }
        if self.rng.chance(20) {
            terms.push("s".to_owned());
        }
        self.mean(&terms)
    }

    fn value1(&mut self, names: &Names, i: &str) -> String {
        let count = self.rng.range(1, 3);
        let mut terms: Vec<String> = (0..count).map(|_| self.read1(names, i)).collect();
        if self.rng.chance(20) {
            terms.push("s".to_owned());
        }
        if self.rng.chance(20) {
            terms.push(format!("{}({i}, {})", self.name(&names.two), self.any()));
        }
        self.mean(&terms)
    }

    fn stored2(&mut self, names: &Names) -> String {
        let v = self.name(&names.two);
        let (i, j) = (self.near("i"), self.near("j"));
        if self.rng.chance(85) { format!("{v}({i}, {j})") } else { format!("{v}({j}, {i})") }
    }

    fn stored1(&mut self, names: &Names) -> String {
        let i = self.near("i");
        format!("{}({i})", self.name(&names.one))
    }

    fn limit(&mut self) -> &'static str {
        self.rng.pick(&["n - 2", "n - 2", "nn - 2", "mm", "jlim"])
    }

    /// A DO statement over the inner subscripts, in either direction.
    fn over(&mut self, v: &str) -> (String, &'static str) {
        let hi = self.limit();
        let text = match self.rng.range(0, 9) {
            0 => format!("do {v} = {hi}, 3, -1"),
            1 => format!("do {v} = 3, {hi}, 2"),
            _ => format!("do {v} = 3, {hi}"),
        };
        (text, "end do")
    }

    fn all(v: &str) -> (String, &'static str) {
        (format!("do {v} = 1, n"), "end do")
    }

    /// `count` constructs.
    pub fn body(&mut self, names: &Names, count: i64) -> Vec<Piece> {
        let mut out: Vec<Piece> = Vec::new();
        for _ in 0..count {
            let kind = self.rng.weighted(&KINDS);
            out.extend(self.construct(names, kind));
        }
        if !names.calls.is_empty() && self.rng.chance(50) {
            let call = format!("call {}", self.name(&names.calls));
            out.insert(0, Piece::line(call));
        }
        out
    }

    fn construct(&mut self, names: &Names, kind: usize) -> Vec<Piece> {
        match kind {
            0 => vec![self.nest(names)],
            1 => vec![self.loop1(names)],
            2 => (0..self.rng.range(1, 3)).map(|_| self.alone(names)).collect(),
            3 | 4 => vec![self.shift(names, kind == 4)],
            5 | 6 => vec![self.extreme(names, kind == 6)],
            7 => vec![self.turns(names)],
            8 => vec![self.sum(names)],
            9 => vec![self.recurrence(names)],
            10 => vec![self.irregular(names)],
            11 => vec![self.section1(names)],
            12 => vec![self.section2(names)],
            13 => self.anew(names),
            14 => vec![self.where_of(names)],
            15 => vec![self.forall(names)],
            16 => vec![self.selected(names)],
            17 => self.taken(names),
            18 => vec![self.files(names)],
            19 => vec![self.independent(names)],
            20 => vec![self.early(names)],
            21 => vec![self.function(names)],
            22 => vec![self.reduction(names)],
            _ => match names.calls.is_empty() {
                true => vec![self.nest(names)],
                false => vec![Piece::line(format!("call {}", self.name(&names.calls)))],
            },
        }
    }

    fn nest(&mut self, names: &Names) -> Piece {
        let heads = [self.over("j"), self.over("i")];
        let count = self.rng.range(1, 3);
        let inside = (0..count).flat_map(|_| self.in_nest(names)).collect();
        Piece::nest(&heads, inside)
    }

    fn in_nest(&mut self, names: &Names) -> Vec<Piece> {
        let (to, value) = (self.stored2(names), self.value2(names, "i", "j"));
        match self.rng.range(0, 99) {
            0..=12 => {
                let t = self.read2(names, "i", "j");
                vec![Piece::fixed(format!("t = {t}")), Piece::line(format!("{to} = 0.25d0 * t + {value}"))]
            }
            13..=24 => {
                let condition = self.read2(names, "i", "j");
                vec![Piece::line(format!("if ({condition} > 3d0) {to} = {value}"))]
            }
            25..=30 => {
                let (condition, other) = (self.read2(names, "i", "j"), self.value2(names, "i", "j"));
                let to2 = self.stored2(names);
                let tail = format!("else\n{to2} = {other}\nend if");
                let inside = vec![Piece::line(format!("{to} = {value}"))];
                vec![Piece::around(format!("if ({condition} < 2d0) then"), inside, tail)]
            }
            _ => vec![Piece::line(format!("{to} = {value}"))],
        }
    }

    fn loop1(&mut self, names: &Names) -> Piece {
        let head = self.over("i");
        let count = self.rng.range(1, 3);
        let mut inside = Vec::new();
        for _ in 0..count {
            let (two, from) = (self.name(&names.two), self.name(&names.two));
            let (k, l) = (self.any(), self.any());
            let text = match self.rng.range(0, 9) {
                0..=5 => format!("{} = {}", self.stored1(names), self.value1(names, "i")),
                6 | 7 => format!("{two}(i, {k}) = {from}(i, {l}) * 0.5d0 + 1"),
                _ => format!("{two}({k}, i) = {from}({l}, i) * 0.5d0 + 1"),
            };
            inside.push(Piece::line(text));
        }
        Piece::nest(&[head], inside)
    }

    fn alone(&mut self, names: &Names) -> Piece {
        let (to, from, two) = (self.name(&names.one), self.name(&names.one), self.name(&names.two));
        let (a, b, c, d) = (self.any(), self.any(), self.any(), self.any());
        Piece::line(format!("{to}({a}) = 0.5d0 * {from}({b}) + 0.25d0 * {two}({c}, {d})"))
    }

    fn shift(&mut self, names: &Names, two: bool) -> Piece {
        let by = self.rng.pick(&[1, -1, 2, -3]);
        if two {
            let (to, from, dim) = (self.name(&names.two), self.name(&names.two), self.rng.range(1, 2));
            let what = if self.rng.chance(70) { "cshift" } else { "eoshift" };
            return Piece::line(format!("{to} = 0.5d0 * {what}({from}, {by}, dim={dim})"));
        }
        let (to, from, more) = (self.name(&names.one), self.name(&names.one), self.name(&names.one));
        Piece::line(format!("{to} = 0.5d0 * cshift({from}, {by}) + 0.25d0 * {more}"))
    }

    fn extreme(&mut self, names: &Names, least: bool) -> Piece {
        match least {
            true => Piece::line(format!("s = s / 2 + minval(abs({})) / 8", self.name(&names.one))),
            false => Piece::line(format!("s = s / 2 + maxval(abs({}(2:n, 1:n - 1))) / 8", self.name(&names.two))),
        }
    }

    fn turns(&mut self, names: &Names) -> Piece {
        let last = self.rng.range(2, self.n);
        let what = match self.rng.chance(60) {
            true => format!("{}(iw)", self.name(&names.one)),
            false => format!("{}(iw, n + 1 - iw)", self.name(&names.two)),
        };
        let store = match self.rng.chance(50) {
            true => format!("{}(i) = {}", self.name(&names.one), self.value1(names, "i")),
            false => format!("{}(i, ip) = 0.25d0 * {}(i, ip) + 1", self.name(&names.two), self.name(&names.two)),
        };
        let inner = Piece::nest(&[("do i = 3, n - 2".to_owned(), "end do")], vec![Piece::line(store)]);
        let inside = vec![inner, Piece::line(format!("r = r + {what}")), Piece::line("iw = mod(iw + 2, n) + 1")];
        Piece::around(format!("do ip = 1, {last}"), inside, "end do\ns = s / 2 + r / 64\nr = 0")
    }

    fn sum(&mut self, names: &Names) -> Piece {
        let what = self.name(&names.one);
        Piece::around(
            "do i = 1, n",
            vec![Piece::line(format!("r = r + {what}(i)"))],
            "end do\ns = s / 2 + r / 64\nr = 0",
        )
    }

    fn recurrence(&mut self, names: &Names) -> Piece {
        let (one, two, other) = (self.name(&names.one), self.name(&names.two), self.name(&names.two));
        let all = |v: &str| (format!("do {v} = 2, n"), "end do");
        let line = |text: String| vec![Piece::line(text)];
        match self.rng.range(0, 4) {
            0 => Piece::nest(
                &[all("j"), ("do i = j, n".to_owned(), "end do")],
                line(format!("{two}(i, j) = 0.5d0 * {two}(i, j - 1) + 0.25d0 * {other}(j, i)")),
            ),
            1 => Piece::nest(&[all("i")], line(format!("{one}(i) = 0.5d0 * {one}(i - 1) + {one}(i) / 4"))),
            2 => Piece::nest(
                &[all("j"), Self::all("i")],
                line(format!("{two}(i, j) = 0.5d0 * {two}(i, j - 1) + {other}(i, j) / 4")),
            ),
            3 => Piece::nest(
                &[("do j = n - 1, 1, -1".to_owned(), "end do"), all("i")],
                line(format!("{two}(i, j) = 0.25d0 * {two}(i, j + 1) + 0.25d0 * {two}(i - 1, j) + {other}(i, j) / 4")),
            ),
            _ => Piece::nest(
                &[all("j"), ("do i = n - 1, 2, -1".to_owned(), "end do")],
                line(format!("{two}(i, j) = 0.5d0 * {two}(i + 1, j) + {other}(i, j - 1) / 4")),
            ),
        }
    }

    fn irregular(&mut self, names: &Names) -> Piece {
        let (to, from, two) = (self.name(&names.one), self.name(&names.one), self.name(&names.two));
        let text = match self.rng.range(0, 3) {
            0 => format!("{to}(mod(i * 3, n) + 1) = 0.5d0 * {from}(mod(i * 5, n) + 1)"),
            1 => format!("{to}(q(i)) = 0.5d0 * {from}(i) + 1"),
            2 => format!("{to}(i) = 0.5d0 * {from}(q(i)) + 0.25d0 * {two}(q(i), i)"),
            _ => format!("{two}(q(i), i) = 0.5d0 * {two}(i, q(i)) + {from}(i) / 4"),
        };
        Piece::nest(&[Self::all("i")], vec![Piece::line(text)])
    }

    fn section1(&mut self, names: &Names) -> Piece {
        let (to, from, q) = (self.name(&names.one), self.name(&names.one), self.name(&names.two));
        let k = self.any();
        let half = (self.n - 1) / 2;
        Piece::line(match self.rng.range(0, 5) {
            0 => format!("{to}(1:{}:2) = 0.5d0 * {from}(2:{}:2)", 2 * half - 1, 2 * half),
            1 => format!("{to}(1:n) = 0.5d0 * {from}(n:1:-1)"),
            2 => format!("{to}(2:n) = 0.5d0 * {from}(1:n - 1) + 0.25d0 * {q}(2:n, {k})"),
            3 => format!("{q}({k}, :) = 0.5d0 * {from} + 1"),
            4 => format!("{to}(q) = 0.5d0 * {from} + 1"),
            _ => format!("{to} = 0.5d0 * {from}(q) + 1"),
        })
    }

    fn section2(&mut self, names: &Names) -> Piece {
        let (to, from, other) = (self.name(&names.two), self.name(&names.two), self.name(&names.two));
        Piece::line(match self.rng.range(0, 4) {
            0 => format!("{to}(2:n, 1:n - 1) = 0.5d0 * {from}(1:n - 1, 2:n) + 0.25d0 * {other}(2:n, 2:n)"),
            1 => format!("{to} = 0.5d0 * transpose({from}) + 0.25d0 * {other}"),
            2 => format!("{to}(n:1:-1, :) = 0.5d0 * {from}"),
            3 => format!("{to}(1:n:3, :) = 0.5d0 * {from}(1:n:3, n:1:-1) + 1"),
            _ => format!("{to} = 0.5d0 * {from} + 0.25d0 * {other}"),
        })
    }

    /// A directive that maps an array anew.
    fn anew(&mut self, names: &Names) -> Vec<Piece> {
        if names.dynamic.is_empty() {
            return vec![self.nest(names)];
        }
        let (name, rank) = self.rng.pick(&names.dynamic);
        let same: Vec<String> = names.dynamic.iter().filter(|d| d.0 != name).map(|d| d.0.clone()).collect();
        // One array is always distributed itself, so there is no circle.
        let first = names.dynamic[0].0.clone();
        let directive = match (rank, self.rng.chance(35) && name != first && same.contains(&first)) {
            (2, true) => {
                let to = self.rng.pick(&["i, j", "j, i"]);
                format!("!HPF$ REALIGN {name}(i, j) WITH {first}({to})")
            }
            (_, true) => {
                let to = self.rng.pick(&["i, *", "*, i", "i, 2", "1, i"]);
                format!("!HPF$ REALIGN {name}(i) WITH {first}({to})")
            }
            _ => format!("!HPF$ REDISTRIBUTE {name}{}", self.formats(rank)),
        };
        let directive = Piece::line(directive);
        let mut out = vec![match self.rng.chance(25) {
            true => Piece::around("if (mod(iw, 2) == 0) then", vec![directive], "end if"),
            false => directive,
        }];
        out.push(match rank {
            1 => Piece::nest(
                &[("do i = 2, n".to_owned(), "end do")],
                vec![Piece::line(format!("{name}(i) = {name}(i) / 2 + {} / 4", self.read0(names)))],
            ),
            _ => Piece::nest(
                &[("do j = 2, n".to_owned(), "end do"), Self::all("i")],
                vec![Piece::line(format!("{name}(i, j) = {name}(i, j - 1) / 2 + {} / 4", self.read0(names)))],
            ),
        });
        out
    }

    /// An element with the subscript `i`, which is anything from 1 to `n`.
    fn read0(&mut self, names: &Names) -> String {
        let (one, two, k) = (self.name(&names.one), self.name(&names.two), self.any());
        self.rng.pick(&[
            format!("{one}(i)"),
            format!("{one}(n + 1 - i)"),
            format!("{two}({k}, i)"),
            format!("{two}(i, {k})"),
        ])
    }

    /// The formats of a distribution of `rank` dimensions, not all of them `*`.
    pub fn formats(&mut self, rank: usize) -> String {
        loop {
            let all: Vec<&str> = (0..rank)
                .map(|_| self.rng.pick(&["*", "BLOCK", "CYCLIC", "CYCLIC(2)", "BLOCK", "CYCLIC(3)", "BLOCK(n)"]))
                .collect();
            if all.iter().any(|f| *f != "*") {
                return format!("({})", all.join(", "));
            }
        }
    }

    fn where_of(&mut self, names: &Names) -> Piece {
        if self.rng.chance(50) {
            let (to, mask, from) = (self.name(&names.one), self.name(&names.one), self.name(&names.one));
            let inside = vec![Piece::line(format!("{to} = 0.5d0 * {from}(n:1:-1)"))];
            let tail = format!("elsewhere\n{to} = 0.5d0 * {to} + 1\nend where");
            return Piece::around(format!("where ({mask} > 2d0)"), inside, tail);
        }
        let (to, mask, from) = (self.name(&names.two), self.name(&names.two), self.name(&names.two));
        let text = format!("where ({mask}(2:n, 2:n) > 1d0) {to}(2:n, 2:n) = 0.5d0 * {from}(1:n - 1, 2:n) + 1");
        Piece::line(text)
    }

    fn forall(&mut self, names: &Names) -> Piece {
        let (to, mask, from, one) =
            (self.name(&names.two), self.name(&names.two), self.name(&names.two), self.name(&names.one));
        Piece::line(match self.rng.range(0, 3) {
            0 => format!("forall (i = 2:n, j = 2:n) {to}(i, j) = 0.5d0 * {from}(i - 1, j - 1) + 0.25d0 * {mask}(j, i)"),
            1 => format!("forall (i = 1:n, j = 1:n, {mask}(i, j) > 2d0) {to}(i, j) = 0.5d0 * {from}(j, i)"),
            2 => format!("forall (i = 1:n) {to}(i, i) = 0.5d0 * {one}(n + 1 - i)"),
            _ => format!("forall (i = 2:n) {one}(i) = 0.5d0 * {one}(i - 1) + 0.25d0 * {from}(i, 3)"),
        })
    }

    /// A nest under a condition on an element.
    fn selected(&mut self, names: &Names) -> Piece {
        let (one, k) = (self.name(&names.one), self.any());
        let inner = self.loop1(names);
        if self.rng.chance(50) {
            return Piece::around(format!("if ({one}({k}) > 1d0) then"), vec![inner], "end if");
        }
        let other = self.alone(names);
        let head = format!("select case (mod(int(abs({one}({k}))), 3))\ncase (0)");
        let tail = format!("case default\n{}\nend select", other.head);
        Piece::around(head, vec![inner], tail)
    }

    /// A call with an array as its argument.
    fn taken(&mut self, names: &Names) -> Vec<Piece> {
        let two = self.rng.chance(60);
        let takers = names.takers[usize::from(!two)].clone();
        if takers.is_empty() {
            return vec![self.nest(names)];
        }
        let name = self.rng.pick(&takers);
        let actual = match (two, self.rng.range(0, 9)) {
            (true, _) => self.name(&names.two),
            // A section, which is copied or described.
            (false, 0) => format!("{}({}, :)", self.name(&names.two), self.any()),
            (false, 1) => format!("{}(:, {})", self.name(&names.two), self.any()),
            (false, _) => self.name(&names.one),
        };
        // The size of blocks in it, which it changes.
        let more = if name == "sized" { ", nb" } else { "" };
        vec![Piece::line(format!("call {name}({actual}{more})"))]
    }

    /// Values go out to a file and come back.
    fn files(&mut self, names: &Names) -> Piece {
        let (one, other, two, k) = (self.name(&names.one), self.name(&names.one), self.name(&names.two), self.any());
        let write = match self.rng.range(0, 2) {
            0 => format!("write (17) {one}\nwrite (17) {two}({k}, :)"),
            1 => format!("write (17) ({one}(i), i = 1, n)\nwrite (17) {two}(:, {k})"),
            _ => format!("write (17) {one}(n:1:-1)\nwrite (17) {two}({k}, n:1:-1)"),
        };
        let read = match self.rng.range(0, 1) {
            0 => format!("read (17) {other}\nread (17) {two}(:, {k})"),
            _ => format!("read (17) ({other}(i), i = n, 1, -1)\nread (17, iostat=iw) {two}({k}, :)\niw = abs(iw) + 1"),
        };
        Piece::line(format!(
            "open (17, status='scratch', form='unformatted')\n{write}\nrewind (17)\n{read}\nclose (17)"
        ))
    }

    fn independent(&mut self, names: &Names) -> Piece {
        let (to, from, one) = (self.name(&names.two), self.name(&names.two), self.name(&names.one));
        if to == from {
            return self.nest(names);
        }
        let head = match self.rng.chance(50) {
            true => format!("!HPF$ INDEPENDENT, NEW(i, t), ON HOME({to}(1, j))\ndo j = 2, n - 1"),
            false => "!HPF$ INDEPENDENT, NEW(i, t)\ndo j = 2, n - 1".to_owned(),
        };
        let inside = vec![
            Piece::fixed(format!("t = {from}(i, j + 1) + {one}(j)")),
            Piece::line(format!("{to}(i, j) = 0.25d0 * t + {from}(i - 1, j) / 4")),
        ];
        Piece::nest(&[(head, "end do"), ("do i = 2, n".to_owned(), "end do")], inside)
    }

    /// A loop that may be left early.
    fn early(&mut self, names: &Names) -> Piece {
        let (one, other) = (self.name(&names.one), self.name(&names.one));
        let what = self.rng.pick(&["exit", "cycle"]);
        let inside = vec![
            Piece::line(format!("if ({one}(i) > {}d0) {what}", self.rng.range(2, 9))),
            Piece::line(format!("{other}(i) = 0.5d0 * {other}(i) + 0.25d0 * {one}(n + 1 - i)")),
        ];
        Piece::nest(&[Self::all("i")], inside)
    }

    /// A value of a function that gets an array.
    fn function(&mut self, names: &Names) -> Piece {
        let (one, to) = (self.name(&names.one), self.name(&names.one));
        match self.rng.chance(50) {
            true => Piece::line(format!("s = s / 2 + total({one}) / 64")),
            false => Piece::line(format!("{to}(2) = {to}(2) / 2 + total({one}) / 64")),
        }
    }

    /// A reduction along one dimension, whose results, values or places, all ranks have; sometimes of a section whose extent is known at run time only.
    fn along(&mut self, names: &Names) -> Piece {
        let (two, other, dim) = (self.name(&names.two), self.name(&names.two), self.rng.range(1, 2));
        // No number is drawn for it, so programs of seeds stay as they were.
        let section = match (two == other, dim) {
            (false, _) => ["", ""],
            (true, 1) => ["(:, iw:)", "(iw:)"],
            (true, _) => ["(iw:, :)", "(iw:)"],
        };
        let [two, other] = [two, other].map(|name| format!("{name}{}", section[0]));
        let mask = match self.rng.range(0, 4) {
            0 => format!(", mask={other} > 1.5d0"),
            1 => format!(", mask={two} < 2d0"),
            2 if section[0].is_empty() => ", mask=reshape(q, (/ n, n /), pad=q) > nn / 2".to_owned(),
            _ => String::new(),
        };
        let next = format!("{} = 0.5d0 * {} + 0.125d0 *", self.name(&names.one), self.name(&names.one));
        let half = if section[0].is_empty() { "" } else { " / 2" };
        let of = if self.rng.chance(70) { two } else { format!("{two} - {other}{half}") };
        let first = |what: &str| if section[0].is_empty() { String::new() } else { format!("{what} = 1\n") };
        let to = section[1];
        match self.rng.range(0, 5) {
            0..=2 => {
                let f = self.rng.pick(&["maxval", "minval", "maxval", "sum"]);
                Piece::line(format!(
                    "{}rv{to} = {f}({of}, dim={dim}{mask})\nwhere (abs(rv) > 1d3) rv = 1\n{next} rv",
                    first("rv")
                ))
            }
            3 | 4 => {
                let f = self.rng.pick(&["maxloc", "minloc"]);
                Piece::line(format!(
                    "{}rk{to} = {f}({of}, dim={dim}{mask})\n{next} rk / n\ns = s / 2 + rk(n / 2)",
                    first("rk")
                ))
            }
            _ => Piece::line(format!("{}rv{to} = norm2({of}, dim={dim})\n{next} rv / n", first("rv"))),
        }
    }

    /// MAX and MIN in a nest, and the last value of its variable.
    fn reduction(&mut self, names: &Names) -> Piece {
        if self.rng.chance(65) {
            return self.along(names);
        }
        let (two, f) = (self.name(&names.two), self.rng.pick(&["max", "min"]));
        let heads = [self.over("j"), Self::all("i")];
        let inside = vec![Piece::line(format!("t = {f}(t, abs({two}(i, j)))"))];
        let mut out = Piece::nest(&heads, inside);
        out.head = format!("t = abs({two}(1, 1))\n{}", out.head);
        out.tail.push_str("\ns = s / 2 + t / 8 + j * 0.125d0 + i * 0.0625d0");
        out
    }
}

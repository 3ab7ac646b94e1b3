//! A random HPF program: mappings, procedures, COMMON blocks in several files, and the main program.

use super::body::{Maker, Names};
use super::{File, Piece, Program};
use crate::rng::Rng;

/// Subroutines without arguments, each of which calls later ones only.
const PROCEDURES: [&str; 5] = ["p1", "p2", "p3", "p4", "p5"];

const LOCALS: &str = "integer :: i, j, ip, iw, rk(n)\nreal(8) :: r, t, rv(n)";

const COMMON: &str =
    "integer, parameter :: nc = n\nreal(8) :: ca(nc, nc), cb(nc, nc), cx(nc), cs\ncommon /cc/ ca, cb, cs, cx";

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut rng = Rng::new(seed ^ 0x48_50_46);
    let n = rng.range(8, 19);
    Builder { maker: Maker { rng: &mut rng, n }, seed }.program()
}

/// The data that procedures share.
struct Shared {
    /// The directives of COMMON.
    common: Vec<Piece>,
    /// Which of the procedures are external.
    external: [bool; PROCEDURES.len()],
    takers: [Vec<String>; 2],
}

struct Builder<'a> {
    maker: Maker<'a>,
    seed: u64,
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|s| (*s).to_owned()).collect()
}

impl Builder<'_> {
    fn rng(&mut self) -> &mut Rng {
        self.maker.rng
    }

    /// Directives that map these arrays: some are left alone, some aligned with others.
    fn maps(&mut self, two: &[&str], one: &[&str]) -> Vec<Piece> {
        let mut out = Vec::new();
        let mut before: Option<&str> = None;
        for &v in two {
            if self.rng().chance(12) {
                continue;
            }
            match before {
                Some(to) if self.rng().chance(55) => {
                    let with = self.rng().pick(&["i, j", "i, j", "i, j", "j, i"]);
                    out.push(Piece::line(format!("!HPF$ ALIGN {v}(i, j) WITH {to}({with})")));
                }
                _ => {
                    out.push(self.distribute(v, 2));
                    before = Some(v);
                }
            }
        }
        for &v in one {
            if self.rng().chance(12) {
                continue;
            }
            match before {
                Some(to) if self.rng().chance(35) => {
                    let with = self.rng().pick(&["i, *", "i, *", "*, i", "i, 2", "3, i"]);
                    out.push(Piece::line(format!("!HPF$ ALIGN {v}(i) WITH {to}({with})")));
                }
                _ => out.push(self.distribute(v, 1)),
            }
        }
        out
    }

    fn distribute(&mut self, v: &str, rank: usize) -> Piece {
        let shadow = if self.rng().chance(6) {
            format!("\n!HPF$ SHADOW {v}({})", vec!["1"; rank].join(", "))
        } else {
            String::new()
        };
        Piece::line(format!("!HPF$ DISTRIBUTE {v}{}{shadow}", self.maker.formats(rank)))
    }

    /// An array by one of the formats that name each element's owner, or through a template.
    fn peculiar(&mut self, v: &str) -> Piece {
        let n = self.maker.n;
        let m = self.rng().range(2, 4);
        let head = format!("!HPF$ PROCESSORS pr({m})");
        Piece::line(match self.rng().range(0, 3) {
            0 => {
                let mut sizes: Vec<i64> = (1..m).map(|_| self.rng().range(0, n / m)).collect();
                sizes.push(n - sizes.iter().sum::<i64>());
                let text: Vec<String> = sizes.iter().map(i64::to_string).collect();
                format!(
                    "integer, parameter :: sizes({m}) = (/ {} /)\n{head}\n!HPF$ DISTRIBUTE {v}(GEN_BLOCK(sizes)) ONTO pr",
                    text.join(", ")
                )
            }
            1 => {
                let text: Vec<String> = (0..n).map(|_| self.rng().range(1, m).to_string()).collect();
                format!(
                    "integer, parameter :: owners({n}) = (/ {} /)\n{head}\n!HPF$ DISTRIBUTE {v}(INDIRECT(owners)) ONTO pr",
                    text.join(", ")
                )
            }
            2 => format!("{head}\n!HPF$ DISTRIBUTE {v}(CYCLIC) ONTO pr"),
            _ => {
                let (stride, offset) = (self.rng().range(1, 2), self.rng().range(0, 4));
                let extent = n * stride + offset;
                let format = self.maker.formats(1);
                format!(
                    "!HPF$ TEMPLATE tp({extent})\n!HPF$ ALIGN {v}(i) WITH tp({stride} * i + {offset})\n!HPF$ DISTRIBUTE tp{format}"
                )
            }
        })
    }

    fn program(mut self) -> Program {
        let n = self.maker.n;
        let mut module = vec![Piece::fixed(format!(
            "module m\nimplicit none\ninteger, parameter :: n = {n}\n\
             real(8) :: a(n, n), b(n, n), g(n, n), h(n, n), x(n), y(n), z(n), w(n), s\n\
             real(8) :: d2(n, n), d3(n, n), d1(n)\ninteger :: q(n), nn, mm, jlim, nb"
        ))];
        module.extend(self.maps(&["a", "b", "g", "h"], &["x", "y", "z"]));
        module.push(self.peculiar("w"));
        if self.rng().chance(70) {
            module.push(self.distribute("q", 1));
        }
        module.push(Piece::fixed("!HPF$ DYNAMIC d2, d3, d1"));
        for (v, rank) in [("d2", 2), ("d3", 2), ("d1", 1)] {
            let directive = self.distribute(v, rank);
            module.push(Piece { fixed: true, ..directive });
        }
        module.push(Piece::fixed("contains"));
        let common = self.maps(&["ca", "cb"], &["cx"]);
        let external = PROCEDURES.map(|_| self.rng().chance(40));
        let takers = [
            names(&["scale", "assumed", "prescribed"]),
            names(&["line", "inherited", "automatic", "heap", "sized", "onward"]),
        ];
        let shared = Shared { common, external, takers };
        let mut files = Vec::new();
        for k in 0..PROCEDURES.len() {
            let (procedure, file) = self.procedure(k, &shared);
            match file {
                Some(name) => files.push(File { name, pieces: vec![procedure] }),
                None => module.push(procedure),
            }
        }
        module.extend(self.takers());
        module.push(Piece::fixed("end module"));
        module.push(self.main(&shared));
        files.insert(0, File { name: "main.f90".to_owned(), pieces: module });
        super::functions::add(self.seed, &mut files);
        Program { seed: self.seed, files }
    }

    /// Names of the module, and of COMMON where it is declared.
    fn visible(&mut self, shared: &Shared, with_common: bool, calls: Vec<String>) -> Names {
        let mut out = Names {
            two: names(&["a", "b", "g", "h", "d2", "d3"]),
            one: names(&["x", "y", "z", "w", "d1"]),
            calls,
            dynamic: vec![("d2".to_owned(), 2), ("d3".to_owned(), 2), ("d1".to_owned(), 1)],
            takers: shared.takers.clone(),
        };
        if with_common {
            out.two.extend(names(&["ca", "cb"]));
            out.one.extend(names(&["cx"]));
        }
        out
    }

    /// A procedure without arguments, and its file if it is external.
    fn procedure(&mut self, k: usize, shared: &Shared) -> (Piece, Option<String>) {
        let name = PROCEDURES[k];
        let later = (k + 1..PROCEDURES.len()).filter(|&c| shared.external[k] || !shared.external[c]);
        let calls: Vec<String> = later.map(|c| PROCEDURES[c].to_owned()).collect();
        let mut inside = Vec::new();
        let mut seen = self.visible(shared, shared.external[k], calls);
        if shared.external[k] {
            if self.rng().chance(30) {
                seen.two.retain(|v| v.starts_with('c'));
                seen.one.retain(|v| v.starts_with('c'));
                seen.dynamic.clear();
            }
            inside.push(Piece::fixed(format!("use m\nimplicit none\n{COMMON}")));
            inside.extend(match self.rng().chance(75) {
                true => shared.common.clone(),
                // Another mapping of the same memory.
                false if self.rng().chance(50) => Vec::new(),
                false => self.maps(&["ca", "cb"], &["cx"]),
            });
        } else if self.rng().chance(40) {
            inside.push(Piece::fixed("real(8), save :: kept(n) = 1"));
            let formats = self.rng().pick(&["", "!HPF$ DISTRIBUTE kept(BLOCK)", "!HPF$ DISTRIBUTE kept(CYCLIC)"]);
            inside.push(Piece::line(formats));
            seen.one.push("kept".to_owned());
        }
        // An array of each activation, which stays with its owners over calls.
        let own = self.rng().range(0, 3);
        if own < 3 {
            let declared = ["real(8) :: own(n)", "real(8) :: own(nn)", "real(8), allocatable :: own(:)"];
            inside.push(Piece::fixed(declared[own as usize]));
            let formats = self.maker.formats(1);
            inside.push(Piece::line(format!("!HPF$ DISTRIBUTE own{formats}")));
            seen.one.push("own".to_owned());
        }
        inside.push(Piece::fixed(format!("{LOCALS}\nr = 0\niw = {}", self.maker.rng.range(1, self.maker.n))));
        if own < 3 {
            let allocates = if own == 2 { "allocate (own(n))\n" } else { "" };
            inside.push(Piece::fixed(format!("{allocates}do i = 1, n\nown(i) = i\nend do")));
        }
        let count = self.rng().range(2, 5);
        inside.extend(self.maker.body(&seen, count));
        if shared.external[k] && self.rng().chance(30) {
            inside.push(Piece::line("cs = cs + cx(3)\ns = s / 2 + cs / 128"));
        }
        let piece = Piece { fixed: true, ..Piece::around(format!("subroutine {name}"), inside, "end subroutine") };
        (piece, shared.external[k].then(|| format!("{name}.f90")))
    }

    /// Procedures with arrays as their arguments, of each kind of dummy argument.
    fn takers(&mut self) -> Vec<Piece> {
        let mut out = Vec::new();
        for (name, rank, declaration) in [
            ("scale", 2, "integer, parameter :: k = n\nreal(8) :: v(k, k)"),
            ("assumed", 2, "real(8) :: v(:, :)"),
            ("prescribed", 2, "real(8), intent(inout) :: v(n, n)"),
            ("line", 1, "real(8) :: v(n)"),
            ("inherited", 1, "real(8) :: v(:)"),
            ("automatic", 1, "real(8) :: v(n), u(size(v))"),
            ("heap", 1, "real(8) :: v(:)\nreal(8), allocatable :: u(:)"),
            ("sized", 1, "integer :: m\nreal(8) :: v(n), u(n)"),
            ("onward", 1, "real(8) :: v(n)"),
        ] {
            let mut inside = vec![Piece::fixed(format!("{declaration}\n{LOCALS}"))];
            let inherits = name == "inherited" || name == "assumed" && self.rng().chance(30);
            match inherits {
                true => inside.push(Piece::line("!HPF$ INHERIT v")),
                false if self.rng().chance(70) => {
                    let formats = self.sizes(name, rank);
                    inside.push(Piece::line(format!("!HPF$ DISTRIBUTE v{formats}")));
                }
                false => {}
            }
            if one_of(name) {
                let formats = self.sizes(name, 1);
                inside.push(Piece::line(format!("!HPF$ DISTRIBUTE u{formats}")));
            }
            inside.push(Piece::fixed("r = 0\niw = 1"));
            if name == "heap" {
                inside.push(Piece::fixed("allocate (u(n))"));
            }
            inside.extend(self.taker_body(name, rank));
            if name == "sized" {
                // The size of a block is that at the entry.
                inside.insert(inside.len() - 1, Piece::line("m = m + 1"));
            }
            if name == "onward" {
                // An argument is an argument of another procedure, between uses of it.
                for _ in 0..self.rng().range(1, 2) {
                    let other = ["line", "automatic", "heap"][self.rng().range(0, 2) as usize];
                    inside.push(Piece::line(format!("call {other}(v)")));
                }
                inside.extend(self.taker_body(name, rank));
            }
            if name == "heap" && self.rng().chance(50) {
                inside.push(Piece::line("deallocate (u)"));
            }
            out.push(Piece {
                fixed: true,
                ..Piece::around(
                    format!("subroutine {name}({})", if name == "sized" { "v, m" } else { "v" }),
                    inside,
                    "end subroutine",
                )
            });
        }
        let mut inside = vec![Piece::fixed(format!("real(8) :: v(n)\n{LOCALS}"))];
        if self.rng().chance(60) {
            inside.push(self.distribute("v", 1));
        }
        inside.push(Piece::fixed("r = 0\niw = 1\ndo i = 1, n\nr = r + v(i) * i\nend do\ntotal = r / n"));
        out.push(Piece { fixed: true, ..Piece::around("real(8) function total(v)", inside, "end function") });
        out
    }

    /// Formats in a procedure, in which a size may be a variable.
    fn sizes(&mut self, name: &str, rank: usize) -> String {
        let formats = self.maker.formats(rank);
        let size = if name == "sized" { "m" } else { "nb" };
        match self.rng().range(0, 3) {
            0 => formats,
            1 => formats.replace("(n)", &format!("({size})")),
            _ => formats.replace("(n)", &format!("({size})")).replace("CYCLIC(3)", &format!("CYCLIC({size})")),
        }
    }

    /// Statements that use the dummy argument `v`, and `u` where there is one, alone.
    fn taker_body(&mut self, name: &str, rank: usize) -> Vec<Piece> {
        let mut out = Vec::new();
        if rank == 2 {
            let body = vec![Piece::line("v(i, j) = v(i, j) * 0.5d0 + i - j")];
            let all = |v: &str| (format!("do {v} = 1, n"), "end do");
            out.push(Piece::nest(&[all("j"), all("i")], body));
            let seen = Names { two: names(&["v"]), one: names(&["z"]), ..Names::default() };
            let count = self.rng().range(0, 2);
            if count > 0 {
                out.extend(self.alone(&seen, count));
            }
            return out;
        }
        let mut one = names(&["v"]);
        if one_of(name) {
            out.push(Piece::fixed("do i = 1, n\nu(i) = v(n + 1 - i) / 2\nend do"));
            one.push("u".to_owned());
        }
        let seen = Names { two: names(&["h"]), one, ..Names::default() };
        let count = self.rng().range(1, 3);
        out.extend(self.alone(&seen, count));
        if one_of(name) {
            out.push(Piece::line("v = v / 2 + u / 4"));
        }
        out
    }

    /// Statements on arguments. The variables that they name beside the dummy argument are no actual arguments: a program may not store to an
    /// array by two names.
    fn alone(&mut self, seen: &Names, count: i64) -> Vec<Piece> {
        let other = seen.two.iter().chain(&seen.one).find(|v| *v == "z" || *v == "h").cloned().unwrap_or_default();
        let mentions = |p: &Piece| {
            let text = File { name: String::new(), pieces: vec![p.clone()] }.text();
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            text.split(|c| !is_name(c)).any(|word| word == other || word == "total")
        };
        let mut out = Vec::new();
        for _ in 0..12 {
            let piece = self.maker.body(seen, 1);
            if !piece.iter().any(mentions) {
                out.extend(piece);
            }
            if out.len() as i64 >= count {
                break;
            }
        }
        out
    }

    fn main(&mut self, shared: &Shared) -> Piece {
        let calls = names(&PROCEDURES);
        let externals: Vec<&str> =
            PROCEDURES.iter().zip(shared.external).filter(|(_, e)| *e).map(|(p, _)| *p).collect();
        let mut inside = vec![Piece::fixed(format!("use m\nimplicit none\n{COMMON}"))];
        inside.extend(shared.common.clone());
        let external =
            if externals.is_empty() { String::new() } else { format!("external {}\n", externals.join(", ")) };
        // A permutation: factors of n are no factors of this number.
        let n = self.maker.n;
        let factor = [3, 5, 7, 11].into_iter().find(|f| n % f != 0).unwrap_or(1);
        inside.push(Piece::fixed(format!(
            "{LOCALS}\ninteger :: it\n{external}nn = n; mm = n - 3; jlim = n - 2; nb = n / 2 + 1; s = 1; cs = 1; r = 0; iw = 1\n\
             do j = 1, n\n do i = 1, n\n  a(i, j) = mod(i * j, 7); b(i, j) = i - j; g(i, j) = i; h(i, j) = j\n\
             d2(i, j) = i - j; d3(i, j) = mod(i + 2 * j, 5); ca(i, j) = i + j; cb(i, j) = mod(i + j, 3)\n end do\n\
             x(j) = j; y(j) = -j; z(j) = mod(j, 4); w(j) = mod(j, 3); d1(j) = j; cx(j) = j * 0.5d0\n\
             q(j) = mod(j * {factor}, n) + 1\nend do"
        )));
        let mut steps = Vec::new();
        for _ in 0..self.rng().range(2, 4) {
            let call = self.rng().pick(&calls);
            steps.push(Piece::line(format!("call {call}")));
        }
        let seen = self.visible(shared, true, calls);
        let count = self.rng().range(1, 3);
        steps.extend(self.maker.body(&seen, count));
        steps.push(Piece::line("print *, s, x(2), a(n, 1), ca(2, 3), d2(1, 2)"));
        let last = self.rng().range(2, 3);
        inside.push(Piece::around(format!("do it = 1, {last}"), steps, "end do"));
        inside.extend(["a", "b", "g", "h", "d2", "d3", "x, y, z", "w, d1", "ca", "cb", "cx, cs", "s, q"].map(|v| {
            Piece::line(match self.maker.rng.chance(50) {
                true => format!("print *, {v}"),
                false => format!("write (*, '(4es24.16)') {}", if v == "s, q" { "s" } else { v }),
            })
        }));
        Piece { fixed: true, ..Piece::around("program prog", inside, "end program") }
    }
}

/// Whether the procedure has an array of its own.
fn one_of(name: &str) -> bool {
    matches!(name, "automatic" | "heap" | "sized")
}

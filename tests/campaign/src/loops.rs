//! Random loops over numbers of all kinds as users write them, compiled for vectors of each length, against gfortran -O0: equal to the bit,
//! with the counts of -O0.
//!
//! A loop has assignments to elements of REAL, INTEGER and COMPLEX arrays, conditionals, sums and maxima; its subscripts are neighbours, elements
//! two or three apart, and some at a distance that is not known; it runs up, down, by steps, in triangles, and with a constant number of iterations.

use crate::native::{Compilers, run};
use crate::rng::Rng;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use trueline_abi::profile::{Counts, Profile, Status};

/// A kind of numbers: its letters, its arrays, and a scalar of each kind of use.
struct Kind {
    name: &'static str,
    arrays: &'static [&'static str],
    /// A scalar that is only read.
    read: &'static str,
    /// A scalar in which something is found.
    found: &'static str,
    constants: &'static [&'static str],
}

const R8: usize = 0;
const R4: usize = 1;
const I4: usize = 2;
const I8: usize = 3;
const C8: usize = 4;
const C4: usize = 5;

const KINDS: [Kind; 6] = [
    Kind { name: "real(8)", arrays: &["a", "b", "c"], read: "s8", found: "x8", constants: &["0.5d0", "1.25d0", "3d0"] },
    Kind { name: "real(4)", arrays: &["d", "e"], read: "s4", found: "x4", constants: &["0.5", "1.25", "3.0"] },
    Kind { name: "integer", arrays: &["k", "l"], read: "m", found: "j4", constants: &["7", "(-3)", "i"] },
    Kind {
        name: "integer(8)",
        arrays: &["p", "q"],
        read: "t8",
        found: "j8",
        constants: &["7_8", "(-3_8)", "int(i, 8)"],
    },
    Kind { name: "complex(8)", arrays: &["u", "v"], read: "z8", found: "y8", constants: &["(0.5d0, -1d0)", "z8"] },
    Kind { name: "complex(4)", arrays: &["f", "g"], read: "z4", found: "y4", constants: &["(0.5, -1.0)", "z4"] },
];

/// The elements of each array.
const SIZE: usize = 130;
/// The loops of a program.
const LOOPS: usize = 4;

/// A generator of one program.
struct Maker(Rng);

impl Maker {
    fn element(&mut self, kind: usize) -> String {
        let places = ["i", "i", "i", "i", "i + 1", "i + 2", "2*i", "2*i - 1", "i + m", "i + 3", "3*i"];
        format!("{}({})", self.0.pick(KINDS[kind].arrays), self.0.pick(&places))
    }

    fn stored(&mut self, kind: usize) -> String {
        format!("{}({})", self.0.pick(KINDS[kind].arrays), self.0.pick(&["i", "i", "i", "i + 1", "i + m", "i + 4"]))
    }

    fn value(&mut self, kind: usize, depth: u32) -> String {
        if depth == 0 {
            return match self.0.below(5) {
                0..3 => self.element(kind),
                3 => KINDS[kind].read.to_owned(),
                _ => self.0.pick(KINDS[kind].constants).to_owned(),
            };
        }
        let percent = self.0.below(100);
        if percent < 50 {
            let op = self.0.pick(&["+", "-", "*"]);
            return format!("({} {op} {})", self.value(kind, depth - 1), self.value(kind, depth - 1));
        }
        match kind {
            R8 | R4 => self.real(kind, depth - 1, percent),
            I4 | I8 => self.integer(kind, depth - 1, percent),
            _ => self.complex(kind, depth - 1, percent),
        }
    }

    fn real(&mut self, kind: usize, depth: u32, percent: usize) -> String {
        let convert = if kind == R8 { "dble" } else { "real" };
        match percent {
            50..60 => format!("abs({})", self.value(kind, depth)),
            60..70 => {
                format!("{}({}, {})", self.0.pick(&["max", "min"]), self.value(kind, depth), self.value(kind, depth))
            }
            70..77 => format!("sqrt(abs({}))", self.value(kind, depth)),
            77..85 => {
                let from = self.0.pick(&[I4, I4, I8]);
                format!("{convert}({})", self.value(from, depth))
            }
            85..91 => format!("{convert}({})", self.value(if kind == R8 { R4 } else { R8 }, depth)),
            91..95 => format!("sign({}, {})", self.value(kind, depth), self.value(kind, depth)),
            _ => {
                let part = self.0.pick(&["real", "aimag"]);
                format!("{part}({})", self.value(if kind == R8 { C8 } else { C4 }, depth))
            }
        }
    }

    fn integer(&mut self, kind: usize, depth: u32, percent: usize) -> String {
        match percent {
            50..62 => {
                format!("{}({}, {})", self.0.pick(&["max", "min"]), self.value(kind, depth), self.value(kind, depth))
            }
            62..74 => {
                let name = self.0.pick(&["iand", "ior", "ieor"]);
                format!("{name}({}, {})", self.value(kind, depth), self.value(kind, depth))
            }
            74..82 => format!("abs({})", self.value(kind, depth)),
            82..90 if kind == I8 => format!("int({}, 8)", self.value(I4, depth)),
            82..90 => format!("int(iand({}, 65535_8))", self.value(I8, depth)),
            _ => {
                // Elements of reals are small numbers here, so each fits.
                let from = self.0.pick(&["dble(k(i))", "real(l(i))", "0.75 * k(i)", "0.5d0 * l(i)"]);
                if kind == I8 { format!("int({from}, 8)") } else { format!("int({from})") }
            }
        }
    }

    fn complex(&mut self, kind: usize, depth: u32, percent: usize) -> String {
        let (real, bytes) = if kind == C8 { (R8, 8) } else { (R4, 4) };
        match percent {
            50..65 => format!("conjg({})", self.value(kind, depth)),
            65..75 => format!("(-{})", self.value(kind, depth)),
            75..90 => format!("({} * {})", self.value(real, depth), self.value(kind, depth)),
            _ => format!("cmplx({}, {}, {bytes})", self.value(real, depth), self.value(real, depth)),
        }
    }

    fn statement(&mut self, is_inner: bool, indent: usize, out: &mut String) {
        let at = " ".repeat(indent);
        let depth = self.0.below(3) as u32 + 1;
        match self.0.below(100) {
            0..62 => {
                let kind = self.0.pick(&[R8, R8, R4, I4, I8, C8, C4]);
                let _ = writeln!(out, "{at}{} = &\n{at}  {}", self.stored(kind), self.value(kind, depth));
            }
            62..74 => {
                let kind = self.0.pick(&[R8, R4, I4, I8, C8, C4]);
                let found = KINDS[kind].found;
                let _ = writeln!(out, "{at}{found} = {found} {} {}", self.0.pick(&["+", "-"]), self.value(kind, 1));
            }
            74..84 => {
                let kind = self.0.pick(&[R8, R4, I4, I8]);
                let found = KINDS[kind].found;
                let _ =
                    writeln!(out, "{at}{found} = {}({found}, {})", self.0.pick(&["max", "min"]), self.value(kind, 1));
            }
            _ if is_inner => {
                let _ = writeln!(out, "{at}k(i) = k(i) + 1");
            }
            _ => {
                let kind = self.0.pick(&[R8, R4, I4, I8]);
                let op = self.0.pick(&["<", ">", "<=", "==", "/="]);
                let _ = writeln!(out, "{at}if ({} {op} {}) then", self.value(kind, 1), self.value(kind, 0));
                self.statement(true, indent + 2, out);
                if self.0.chance(40) {
                    let _ = writeln!(out, "{at}else");
                    self.statement(true, indent + 2, out);
                }
                let _ = writeln!(out, "{at}end if");
            }
        }
    }

    fn procedure(&mut self, number: usize) -> String {
        let mut body = String::new();
        for _ in 0..=self.0.below(3) {
            self.statement(false, 4, &mut body);
        }
        let head = match self.0.below(10) {
            0..4 => "do i = 1, n".to_owned(),
            4 | 5 => "do i = n, 1, -1".to_owned(),
            6 => format!("do i = 1, {}", self.0.pick(&[9, 16, 33])),
            7 => format!("do i = 1, n, {}", self.0.pick(&[2, 3])),
            _ => self.0.pick(&["do i = jj, n", "do i = 1, n - jj", "do i = 1, jj*4", "do i = n, jj, -1"]).to_owned(),
        };
        let (before, after) = if head.contains("jj") { ("  do jj = 1, 3\n", "  end do\n") } else { ("", "") };
        format!(
            "subroutine s{number}({ARGUMENTS})\n{}  integer :: jj\n{before}  {head}\n{body}  end do\n{after}end subroutine\n\n",
            declarations("*")
        )
    }
}

const ARGUMENTS: &str =
    "n, m, a, b, c, d, e, k, l, p, q, u, v, f, g, &\n    s8, s4, t8, z8, z4, x8, x4, j4, j8, y8, y4";

/// The declarations of the arguments, with arrays of that size.
fn declarations(size: &str) -> String {
    let mut out = "  integer :: n, i\n".to_owned();
    for kind in &KINDS {
        let arrays: Vec<String> = kind.arrays.iter().map(|a| format!("{a}({size})")).collect();
        let _ = writeln!(out, "  {} :: {}, {}, {}", kind.name, arrays.join(", "), kind.read, kind.found);
    }
    out
}

/// The program of a seed.
pub fn source(seed: u64) -> String {
    let mut maker = Maker(Rng::new(seed));
    let mut out: String = (0..LOOPS).map(|number| maker.procedure(number)).collect();
    let (by, far) = (maker.0.pick(&[1, 3, 5]), maker.0.pick(&[1, 2, 7]));
    let least = maker.0.pick(&[-1, 0]);
    let _ = write!(
        out,
        "program main\n  implicit none\n{}  s8 = 0.75d0\n  s4 = 1.5\n  t8 = 3\n  z8 = (0.5d0, -0.25d0)\n  z4 = (0.25, 2.0)\n  do n = 0, 37, {by}\n  do m = {least}, 6, {far}\n",
        declarations(&SIZE.to_string())
    );
    let _ = write!(
        out,
        "    do i = 1, {SIZE}\n      a(i) = mod(i*7, 13)*0.25d0 - 1\n      b(i) = mod(i*3, 11)*0.125d0\n      c(i) = mod(i*5, 17)*0.5d0 - 3\n      d(i) = mod(i*7, 19)*0.25 - 2\n      e(i) = mod(i*3, 7)*0.5\n      k(i) = mod(i*7, 29) - 9\n      l(i) = mod(i*11, 31)\n      p(i) = mod(i*13, 37) - 5\n      q(i) = mod(i*5, 23)\n      u(i) = cmplx(a(i), b(i), 8)\n      v(i) = cmplx(c(i), a(i), 8)\n      f(i) = cmplx(d(i), e(i))\n      g(i) = cmplx(e(i), d(i))\n    end do\n    x8 = 0\n    x4 = 0\n    j4 = 1\n    j8 = 2\n    y8 = 0\n    y4 = 0\n"
    );
    let arrays = "a(4), b(4), c(4), d(4), e(4), k(4), l(4), p(4), q(4), u(4), v(4), f(4), g(4)";
    for number in 0..LOOPS {
        let _ = write!(
            out,
            "    call s{number}(n, m, {arrays}, &\n      s8, s4, t8, z8, z4, x8, x4, j4, j8, y8, y4)\n    print '(2i4, 2i25)', n, m, bits8(x8), j8\n    print '(2i12, 2i25, 2i12)', bits4(x4), j4, bits8(real(y8)), bits8(aimag(y8)), bits4(real(y4)), bits4(aimag(y4))\n"
        );
    }
    out.push_str("    call show()\n  end do\n  end do\ncontains\n");
    // The sign and the payload of a NaN are nobody's promise.
    out.push_str(
        "  integer(8) function bits8(x)\n    real(8), intent(in) :: x\n    bits8 = transfer(x, bits8)\n    if (x /= x) bits8 = 1\n  end function\n\n  integer function bits4(x)\n    real(4), intent(in) :: x\n    bits4 = transfer(x, bits4)\n    if (x /= x) bits4 = 1\n  end function\n\n  subroutine show()\n    integer(8) :: h\n    integer :: i\n    h = 0\n",
    );
    let _ = writeln!(out, "    do i = 1, {SIZE}");
    for x in ["a(i)", "b(i)", "c(i)", "real(u(i))", "aimag(u(i))", "real(v(i))", "aimag(v(i))"] {
        let _ = writeln!(out, "      h = ieor(ishftc(h, 7), bits8({x}))");
    }
    for x in ["d(i)", "e(i)", "real(f(i))", "aimag(f(i))", "real(g(i))", "aimag(g(i))"] {
        let _ = writeln!(out, "      h = ieor(ishftc(h, 7), int(bits4({x}), 8))");
    }
    for x in ["int(k(i), 8)", "int(l(i), 8)", "p(i)", "q(i)"] {
        let _ = writeln!(out, "      h = ieor(ishftc(h, 7), {x})");
    }
    out.push_str("    end do\n    print '(i25)', h\n  end subroutine\nend program\n");
    out
}

/// The ways to compile.
fn ways() -> Vec<&'static [&'static str]> {
    let mut out: Vec<&[&str]> = vec![&["-O0"], &["-O2"], &["-O3"]];
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        out.extend([&["-O3", "-mavx2"][..], &["-O3", "-march=native"][..]]);
    }
    out
}

/// Compiles and runs the program of `seed` in every way, profiled and not; the number of counts that were given up.
///
/// # Errors
/// The way, and the difference.
pub fn judge(seed: u64, compilers: &Compilers) -> Result<usize, String> {
    let scratch = crate::scratch("loops")?;
    let directory = scratch.path();
    let file = directory.join("loops.f90");
    std::fs::write(&file, source(seed)).map_err(|e| e.to_string())?;
    let mut wanted = None;
    if compilers.gfortran {
        let program = directory.join("reference");
        let mut compile = Command::new("gfortran");
        compile
            .args(["-O0", "-w", "-fwrapv", "-ffp-contract=off", "-ffree-line-length-none", "-o"])
            .arg(&program)
            .arg(&file);
        run(&mut compile).map_err(|e| format!("gfortran: {e}"))?;
        wanted = Some(run(&mut Command::new(&program)).map_err(|e| format!("gfortran: {e}"))?);
    }
    let (mut counts, mut lost) = (None, 0);
    for way in ways() {
        let how = way.join(" ");
        let (output, profile) = profiled(directory, &file, way, compilers).map_err(|e| format!("{how}: {e}"))?;
        let plain = run(compilers.command("run").args(way).arg(&file).current_dir(directory));
        let plain = plain.map_err(|e| format!("{how}: {e}"))?;
        let wanted = wanted.get_or_insert_with(|| output.clone());
        for (text, how) in [(&output, format!("{how}, profiled")), (&plain, how.clone())] {
            if let Some((a, b)) = text.lines().zip(wanted.lines()).find(|(a, b)| a != b) {
                return Err(format!("{how}: '{a}', not '{b}'"));
            }
            if text.lines().count() != wanted.lines().count() {
                return Err(format!("{how}: another number of lines"));
            }
        }
        let own = of_constructs(&profile);
        let wanted = counts.get_or_insert_with(|| own.clone());
        for (k, (line, text, found)) in own.iter().enumerate() {
            match (found, &wanted[k].2) {
                (None, _) => lost += 1,
                (Some(found), Some(wanted)) if found != wanted => {
                    return Err(format!("{how}: line {line} '{text}' has {found:?}, not {wanted:?}"));
                }
                _ => {}
            }
        }
    }
    Ok(lost)
}

/// The line, text and counts of each construct; none that are not available.
fn of_constructs(profile: &Profile) -> Vec<(u32, String, Option<[Option<u64>; 4]>)> {
    let numbers = |c: &Counts| {
        let taken = c.taken.as_ref().and_then(|t| t.first().copied());
        [c.invocations, c.iterations, c.evaluations, taken]
    };
    let of = |c: &trueline_abi::profile::Construct| {
        (c.line, c.text.clone(), (c.status != Status::Unavailable).then(|| numbers(&c.counts)))
    };
    profile.constructs.iter().map(of).collect()
}

fn profiled(directory: &Path, file: &Path, way: &[&str], compilers: &Compilers) -> Result<(String, Profile), String> {
    let way: Vec<String> = way.iter().map(|&w| w.to_owned()).collect();
    crate::native::profiled(directory, file, &way, compilers)
}

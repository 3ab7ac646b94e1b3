//! Lowering: every program of the corpus becomes units that verify, and small sources become exactly the
//! VH text beside them (`BLESS=1` rewrites it).

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use trueline_diag::{Diagnostics, SourceMap};
use trueline_ir::Program;

/// The program made of a file, or the text of all its errors.
fn lower(path: &Path) -> Result<Program, String> {
    let mut map = SourceMap::new();
    let mut diags = Diagnostics::new();
    let Some(file) = map.load_main(path, &mut diags) else { return Err("cannot be read".to_owned()) };
    let mut asts = vec![trueline_syntax::parse(&mut map, file, &Default::default(), &mut diags)];
    let source = std::fs::read_to_string(path).unwrap_or_default();
    for name in ["ieee_arithmetic", "ieee_exceptions", "ieee_features"] {
        let Some(text) = trueline_sema::intrinsic_text(name).filter(|_| source.contains("ieee_")) else { continue };
        let file = map.add(format!("{name}.f90"), text.as_bytes().to_vec());
        let mut ast = trueline_syntax::parse(&mut map, file, &Default::default(), &mut diags);
        ast.external = true;
        asts.push(ast);
    }
    let program = trueline_lower::compile(&asts, &map, &Default::default(), &mut diags);
    if !diags.has_errors() {
        return Ok(program);
    }
    let mut text = String::new();
    for d in diags.finish(&map) {
        let _ = writeln!(text, "{}", trueline_diag::one_line(&d, &map));
    }
    Err(text)
}

fn programs(dir: &str) -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(dir);
    let mut out: Vec<PathBuf> =
        files(&dir).into_iter().filter(|p| p.extension().is_some_and(|e| e == "f" || e == "f90")).collect();
    out.sort();
    assert!(!out.is_empty(), "the programs are there");
    out
}

/// The files of a folder and of the folders in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(|e| Some(e.ok()?.path()));
    entries.flat_map(|p| if p.is_dir() { files(&p) } else { vec![p] }).collect()
}

/// The largest stack that the compiler gives its threads.
fn on_large_stack(f: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(f);
    if let Err(panic) = thread.expect("a thread").join() {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn the_corpus_lowers_and_verifies() {
    on_large_stack(|| {
        let mut wrong = String::new();
        for path in programs("../../../tests/run").into_iter().chain(programs("../../../examples/hpf")) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match lower(&path) {
                Err(text) => {
                    let _ = write!(wrong, "{name}:\n{text}");
                }
                Ok(program) => {
                    for v in trueline_ir::verify_program(&program) {
                        let _ = writeln!(wrong, "{name}: {v}");
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    });
}

#[test]
fn small_sources_lower_exactly() {
    on_large_stack(|| {
        let mut wrong = String::new();
        for path in programs("tests/lower") {
            let text = match lower(&path) {
                Ok(program) => {
                    for v in trueline_ir::verify_program(&program) {
                        let _ = writeln!(wrong, "{}: {v}", path.display());
                    }
                    program.units.iter().map(|u| format!("{u}\n")).collect::<String>()
                }
                Err(text) => text,
            };
            // The path differs from machine to machine.
            let text = text.replace(&*path.to_string_lossy(), "FILE");
            let golden = path.with_extension("vh");
            if std::env::var_os("BLESS").is_some() {
                std::fs::write(&golden, &text).expect("the golden file can be written");
                continue;
            }
            let want = std::fs::read_to_string(&golden).unwrap_or_default();
            if want != text {
                let _ = writeln!(wrong, "{} differs from its .vh (BLESS=1 rewrites it):\n{text}", path.display());
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    });
}

/// The mistakes of `tests/bad` in files that are text: each expected line has its error, and no other
/// line has one.
#[test]
fn mistakes_are_reported_where_they_are() {
    on_large_stack(|| {
        let mut wrong = String::new();
        for path in programs("../../../tests/bad") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            // The places of missing ENDs are the parser's choice, and tested there; options are the command line's.
            let has_options = std::fs::read_to_string(&path).is_ok_and(|t| t.starts_with("! options:"));
            if name.starts_with("end-") || has_options {
                continue;
            }
            let Ok(expected) = std::fs::read_to_string(path.with_extension("err")) else { continue };
            let found = lower(&path).err().unwrap_or_default().to_lowercase();
            let _ = write!(wrong, "{}", compare(&name, &expected, &found));
        }
        assert!(wrong.is_empty(), "{wrong}");
    });
}

/// The missing and the extra lines.
fn compare(name: &str, expected: &str, found: &str) -> String {
    let mut out = String::new();
    let mut ranges = Vec::new();
    for line in expected.lines().filter(|l| !l.trim().is_empty() && l.trim() != "...") {
        let Some((place, text)) = line.split_once(": ").or_else(|| line.split_once(':')) else { continue };
        if !place.starts_with(|c: char| c.is_ascii_digit()) {
            return out; // In an included file.
        }
        let (first, last) = place.split_once('-').unwrap_or((place, place));
        let (first, last) = (first.parse().unwrap_or(0u32), last.parse().unwrap_or(0u32));
        ranges.push((first, last));
        let text = text.trim().to_lowercase();
        let there = errors(found).any(|(at, message)| (first..=last).contains(&at) && message.contains(&text));
        if !there {
            let _ = writeln!(out, "{name}: missing {line}");
        }
    }
    if !expected.contains("...") {
        for (at, message) in errors(found) {
            if !ranges.iter().any(|r| (r.0..=r.1).contains(&at)) {
                let _ = writeln!(out, "{name}: unexpected {at}: {message}");
            }
        }
    }
    out
}

/// The lines and messages of errors in the one-line form.
fn errors(found: &str) -> impl Iterator<Item = (u32, &str)> {
    found.lines().filter_map(|l| {
        let (place, message) = l.split_once(": error: ")?;
        let mut parts = place.rsplit(':');
        parts.next()?;
        Some((parts.next()?.parse().ok()?, message))
    })
}

/// Programs with a line gone, a line twice, or two lines exchanged: a diagnostic or success, never a
/// panic, and lowered programs verify.
#[test]
fn damaged_programs_do_not_break_it() {
    on_large_stack(|| {
        let all = programs("../../../tests/run").into_iter().chain(programs("../../../tests/bad")).collect::<Vec<_>>();
        let mut random = 1u64;
        let mut next = move |n: usize| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 33) as usize % n.max(1)
        };
        let rounds = std::env::var("TRUELINE_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
        // One program for each message: `TRUELINE_ROUNDS=50` shows many faults at once.
        let mut wrong: BTreeMap<String, String> = BTreeMap::new();
        for path in all.iter().cycle().take(all.len() * rounds) {
            let Ok(bytes) = std::fs::read(path) else { continue };
            let mut lines: Vec<&[u8]> = bytes.split(|&b| b == b'\n').collect();
            if !(3..2000).contains(&lines.len()) {
                continue;
            }
            for _ in 0..1 + next(2) {
                let (i, j) = (next(lines.len()), next(lines.len()));
                match next(3) {
                    0 => drop(lines.remove(i)),
                    1 => lines.insert(j, lines[i]),
                    _ => lines.swap(i, j),
                }
            }
            let text = lines.join(&b'\n');
            if let Some(why) = broken(&path.to_string_lossy(), &text) {
                wrong.entry(why).or_insert_with(|| String::from_utf8_lossy(&text).into_owned());
            }
        }
        let all: Vec<String> = wrong.into_iter().map(|(why, text)| format!("{why}\n{text}")).collect();
        assert!(all.is_empty(), "{}", all.join("\n\n"));
    });
}

/// Why a program makes the front end panic, or gives broken IR.
fn broken(name: &str, text: &[u8]) -> Option<String> {
    let work = || {
        let mut map = SourceMap::new();
        let mut diags = Diagnostics::new();
        let file = map.add(name, text.to_vec());
        let ast = trueline_syntax::parse(&mut map, file, &Default::default(), &mut diags);
        let program = trueline_lower::compile(&[ast], &map, &Default::default(), &mut diags);
        trueline_ir::verify_program(&program).first().map(ToString::to_string)
    };
    std::panic::catch_unwind(work).unwrap_or_else(|e| Some(e.downcast_ref::<String>().cloned().unwrap_or_default()))
}

/// Deep nesting costs at most the square of its depth, and no stack.
#[test]
fn deep_nesting_ends() {
    on_large_stack(|| {
        let nest =
            |n: usize, open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(n), close.repeat(n));
        let sources = [
            format!("x = {}\n", nest(900, "f(", "1.0", ")")),
            format!("x = k({})\n", nest(900, "k(", "1", ")")),
            format!("v = {}\n", nest(60, "el(", "v", ")")),
            format!("x = {}\n", nest(60, "g(", "x", ")")),
            format!("print *, {}\n", nest(100, "[", "1", "]")),
            format!("print *, {}\n", nest(60, "[(", "x", ", j = 1, 2)]")),
            format!("print *, {}\n", nest(40, "[(", "x, v", ", j = 1, 2)]")),
            format!("x = {}\n", nest(12, "sf(", "x", ")")),
            format!("c = {}\n", nest(300, "trim(", "c", " // 'a')")),
            format!("if ({}) x = 1\n", nest(200, "l .and. (", "h(1)", ")")),
            format!("{}{}", "if (l) then\n".repeat(900), "end if\n".repeat(900)),
            format!("if (l) then\n{}end if\n", "else if (h(2)) then\n x = 1\n".repeat(1500)),
            format!("{}x = 2\n{}", "do while (h(1))\n".repeat(900), "end do\n".repeat(900)),
            format!("{}v = 2\n{}", "where (v > 0)\n".repeat(400), "end where\n".repeat(400)),
        ];
        for body in sources {
            let text = format!(
                "module m\ninterface g\nmodule procedure f, fi\nend interface\ncontains\n\
                 elemental real function el(p)\nreal, intent(in) :: p\nel = p\nend function\n\
                 real function f(p)\nreal :: p\nf = p\nend function\n\
                 real function fi(p)\ninteger :: p\nfi = p\nend function\n\
                 logical function h(p)\ninteger :: p\nh = p > 1\nend function\nend module\n\
                 subroutine s(c)\nuse m\nreal :: x, v(5)\ninteger :: k(9), j\nlogical :: l\n\
                 character(*) :: c\nsf(p) = p * p + p\n{body}end subroutine\n"
            );
            let start = std::time::Instant::now();
            let mut map = SourceMap::new();
            let mut diags = Diagnostics::new();
            let file = map.add("deep.f90", text.into_bytes());
            let ast = trueline_syntax::parse(&mut map, file, &Default::default(), &mut diags);
            let program = trueline_lower::compile(&[ast], &map, &Default::default(), &mut diags);
            let head = &body[..body.len().min(30)];
            assert!(trueline_ir::verify_program(&program).is_empty(), "{head}");
            assert!(start.elapsed().as_secs() < 20, "{head}: {:?}", start.elapsed());
            if diags.has_errors() {
                let first = diags.finish(&map).into_iter().next().map(|d| d.message);
                assert!(
                    first.as_ref().is_some_and(|m| m.contains("deep") || m.contains("More than") || m.contains("Deep")),
                    "{head}: {first:?}"
                );
            }
        }
    });
}

/// Time must grow with the size, not its square (`cargo test -- --ignored --nocapture`).
#[test]
#[ignore = "prints times"]
fn large_procedures() {
    on_large_stack(|| {
        for n in [10_000, 20_000, 40_000] {
            let mut text = String::from("subroutine s(a, n)\ninteger n, i, k\nreal a(n)\ncharacter(9) c\n");
            for i in 0..n / 10 {
                let _ = write!(
                    text,
                    "do i = 1, n\n a(i) = a(i) * 2 + {i}\nend do\nif (n > {i}) goto {i}7\nk = k + 1\n\
                     print *, k, c // 'x'\ncall ext{i}(k + 1, a)\na = sqrt(a)\n{i}7 continue\nc = trim(c)\n"
                );
            }
            text.push_str("end subroutine\n");
            let mut map = SourceMap::new();
            let mut diags = Diagnostics::new();
            let file = map.add("large.f90", text.into_bytes());
            let start = std::time::Instant::now();
            let ast = trueline_syntax::parse(&mut map, file, &Default::default(), &mut diags);
            let parsed = start.elapsed();
            let program = trueline_lower::compile(&[ast], &map, &Default::default(), &mut diags);
            let out = format!("{n} lines: parsed {parsed:?}, all {:?}, {} errors", start.elapsed(), diags.errors());
            std::io::Write::write_all(
                &mut std::io::stderr(),
                format!("{out}, {} units\n", program.units.len()).as_bytes(),
            )
            .expect("stderr");
        }
    });
}

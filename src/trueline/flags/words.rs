//! gfortran's options of one hyphen in the form that our own commands parse.
//!
//! `build`, `run`, `profile` and the others take options of one letter with a value and long ones with two hyphens. Words
//! such as `-std=f95` or `-static` are rewritten to those; `fc` reads them as they are.

use std::ffi::OsString;

/// The commands that compile and are not `fc`.
const COMPILING: [&str; 8] = ["build", "run", "profile", "map", "explain", "dump", "score", "advise"];

/// Words for the linker.
const LINKER: [&str; 11] = [
    "-shared",
    "-static",
    "-pthread",
    "-rdynamic",
    "-pie",
    "-no-pie",
    "-static-pie",
    "-static-libgcc",
    "-nostdlib",
    "-nodefaultlibs",
    "-symbolic",
];

/// Words that change nothing.
const NOTHING: [&str; 4] = ["-pipe", "-static-libgfortran", "-g0", "-P"];

/// The arguments with gfortran's words rewritten, up to a `--`.
pub fn translated(args: Vec<OsString>) -> Vec<OsString> {
    if !args.get(1).and_then(|a| a.to_str()).is_some_and(|a| COMPILING.contains(&a)) {
        return args;
    }
    let mut out: Vec<OsString> = Vec::with_capacity(args.len());
    let before_options = 2;
    if is_fast(&args) {
        out.extend(args.iter().take(before_options).cloned());
        out.push("-ffast-math".into());
    }
    let done = out.len().min(before_options);
    let mut args = args.into_iter().skip(done).peekable();
    while let Some(arg) = args.next() {
        let Some(text) = arg.to_str() else {
            out.push(arg);
            continue;
        };
        match text {
            "--" => {
                out.push(arg);
                out.extend(args);
                return out;
            }
            "-cpp" | "-nocpp" | "-np" => out.push(format!("-{text}").into()),
            "-ansi" => out.push("--std=f95".into()),
            "-w" | "-pedantic" | "-pedantic-errors" => out.push(format!("-W{}", &text[1..]).into()),
            "-O" => {
                // A level may stand apart; no file has such a name.
                let level =
                    args.next_if(|a| a.to_str().is_some_and(|a| matches!(a, "0" | "1" | "2" | "3" | "s" | "z" | "g")));
                let level = level.as_ref().and_then(|l| l.to_str()).unwrap_or("1");
                out.push(format!("-O{level}").into());
            }
            "-module" | "-isystem" | "-idirafter" | "-iquote" => {
                out.push(if text == "-module" { "-J".into() } else { "-I".into() });
                out.extend(args.next());
            }
            "-Xlinker" => {
                for word in std::iter::once(arg).chain(args.next()) {
                    out.extend(["--link-word".into(), word]);
                }
            }
            _ if NOTHING.contains(&text) => {}
            _ if LINKER.contains(&text) || text.starts_with("-Wl,") || text.starts_with("-fuse-ld=") => {
                out.extend(["--link-word".into(), arg]);
            }
            _ if text.starts_with("-std=") => out.push(format!("-{text}").into()),
            _ if text.starts_with("-g") && text.len() > 2 => out.push("-g".into()),
            _ => out.push(arg),
        }
    }
    out
}

/// Whether the last level of optimization is `-Ofast`.
fn is_fast(args: &[OsString]) -> bool {
    let words = args.iter().map_while(|a| (a != "--").then(|| a.to_str()));
    words.flatten().filter(|a| a.starts_with("-O")).last() == Some("-Ofast")
}

#[cfg(test)]
mod tests {
    use super::translated;

    fn words(text: &str) -> String {
        let list = translated(text.split(' ').map(Into::into).collect());
        list.iter().map(|w| w.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_of_gfortran_become_ours() {
        assert_eq!(
            words("trueline build -std=f95 -cpp -O -w -ggdb -Wl,-z,now a.f90"),
            "trueline build --std=f95 --cpp -O1 -Ww -g --link-word -Wl,-z,now a.f90"
        );
        assert_eq!(words("trueline run -module mods a.f90 -- -O"), "trueline run -J mods a.f90 -- -O");
        assert_eq!(words("trueline build -g -Ofast a.f90 -- -O0"), "trueline build -ffast-math -g -Ofast a.f90 -- -O0");
        assert_eq!(words("trueline build -Ofast -O2 a.f90"), "trueline build -Ofast -O2 a.f90");
        assert_eq!(words("trueline fc -std=f95 a.f90"), "trueline fc -std=f95 a.f90");
    }
}

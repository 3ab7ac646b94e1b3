//! The tables of options and of diagnostics: the documents are made from them, and the compiler does as they say.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use trueline::driver::Session;
use trueline::flags::{docs, table};
use trueline::pipeline;
use trueline_diag::codes;

/// Compares a document with the text that it is made from; `BLESS=1` rewrites it.
fn is_fresh(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, text).expect("the document can be written");
        return;
    }
    let have = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(have == text, "{path} is not what the table says (BLESS=1 rewrites it)");
}

#[test]
fn documents_are_fresh() {
    is_fresh("docs/diagnostics.md", &trueline_diag::codes_as_markdown());
    is_fresh("docs/flags.md", &docs::markdown());
}

/// The sources of a folder, without tests.
fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").filter_map(|e| Some(e.ok()?.path())).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        if path.is_dir() && name != "tests" {
            sources(&path, out);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            out.push(path);
        }
    }
}

/// The codes that a text mentions as literals.
fn literals(text: &str) -> BTreeSet<String> {
    let is_code = |c: &&str| c.len() == 5 && c.starts_with('T') && c[1..].bytes().all(|b| b.is_ascii_digit());
    text.split('"').filter(is_code).map(str::to_owned).collect()
}

#[test]
fn the_table_has_the_codes_of_the_sources() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let mut used: BTreeSet<String> = BTreeSet::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source");
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or("");
        used.extend(literals(code));
    }
    let known: BTreeSet<String> = codes().map(|c| c.code.to_owned()).collect();
    let missing: Vec<_> = used.difference(&known).collect();
    let unused: Vec<_> = known.difference(&used).collect();
    assert!(missing.is_empty() && unused.is_empty(), "not in the table: {missing:?}; not used: {unused:?}");
}

#[test]
fn examples_show_their_codes() {
    let mut by_file: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for c in codes() {
        if let Some(example) = c.example {
            by_file.entry(example).or_default().push(c.code);
        }
    }
    assert!(by_file.len() > 100);
    for (file, expected) in by_file {
        let mut session = Session::default();
        let mut options = crate::build::options(Path::new(file), 0, None);
        options.semantics.warnings.apply("all");
        options.semantics.warnings.apply("extra");
        options.semantics.rules.deleted = true;
        // The result is in the diagnostics.
        let _ = pipeline::analyze(&mut session, &options);
        let Session { map, diagnostics, .. } = session;
        let found: BTreeSet<&str> = diagnostics.finish(&map).iter().map(|d| d.code).collect();
        for code in expected {
            assert!(found.contains(code), "{file} does not show {code}, but {found:?}");
        }
    }
}

/// An option of the table with a value that it takes.
fn sample(flag: &table::Flag) -> Vec<String> {
    let value = match flag.name {
        "-std=" => "f95",
        "-ffixed-line-length-" | "-ffree-line-length-" => "132",
        "-fcheck=" => "bounds,no-mem",
        "-finit-" => "integer=3",
        "-ffpe-trap=" => "zero",
        "-ffpe-summary=" => "none",
        "-fconvert=" => "native",
        "-frecord-marker=" => "4",
        "-fmax-subrecord-length=" => "100",
        "-fhpf-strip=" => "64",
        "-fmax-errors=" => "3",
        "-fblas-matmul-limit=" => "50",
        "-fprofile-samples=" => "off",
        "-fdiagnostics-format=" => "gcc",
        "-fdiagnostics-color=" => "never",
        "-fopt-info" | "-fprofile-trueline" | "-fprofile-use=" => "",
        "-O" => "2",
        "-ffp-contract=" => "fast",
        "-m" => "64",
        "-W" => "all",
        "-l" => "m",
        "-x" => "f95",
        "-Wl," => "-z,now",
        "--target=" => "x86_64-unknown-linux-gnu",
        "-isystem" => return vec![flag.name.to_owned(), ".".to_owned()],
        _ if flag.value.is_empty() => "",
        _ => "X",
    };
    vec![format!("{}{value}", flag.name)]
}

#[test]
fn commands_take_the_options_of_the_table() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("a.f90");
    // In both source forms.
    std::fs::write(&file, "      print *, 1\n      end\n").expect("a file");
    let mut checked = 0;
    for flag in table::FLAGS.iter().filter(|f| f.name != "-fprofile-use=") {
        for command in ["fc", "build", "run", "explain"] {
            let is_taken = command == "fc" || flag.taken == table::Taken::ByAll;
            if !is_taken || flag.group == table::Group::Questions {
                continue;
            }
            let mut words = vec![command.to_owned()];
            words.extend(sample(flag));
            let out = Command::new(env!("CARGO_BIN_EXE_trueline"))
                .current_dir(directory.path())
                .args(&words)
                .args(["-fsyntax-only"])
                .arg(if command == "explain" { Path::new("a.f90:1") } else { file.as_path() })
                .output()
                .expect("the compiler runs");
            let text = String::from_utf8_lossy(&out.stderr).into_owned();
            let is_refused = matches!(flag.action, table::Action::Refused(_));
            assert!(out.status.success() != is_refused, "{words:?}: {text}");
            assert!(!text.contains("unrecognized"), "{words:?}: {text}");
            checked += 1;
        }
    }
    assert!(checked > 150, "{checked}");
}

#[test]
fn other_options_are_told() {
    for words in [["fc", "-fnosuchflag"], ["build", "-fnosuchflag"], ["run", "-Wnosuchwarning"]] {
        let out = Command::new(env!("CARGO_BIN_EXE_trueline"))
            .args(words)
            .arg("nosuchfile.f90")
            .output()
            .expect("the compiler runs");
        let text = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(text.contains("unrecognized command-line option"), "{words:?}: {text}");
    }
}

#[test]
fn explain_prints_a_code() {
    let run = |code: &str| Command::new(env!("CARGO_BIN_EXE_trueline")).args(["explain", code]).output().expect("runs");
    let out = run("T0576");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.success() && text.starts_with("T0576 (error/warning): "), "{text}");
    assert!(text.contains("tests/bad/"), "{text}");
    assert_eq!(run("T9999").status.code(), Some(2));
}

#[test]
fn a_link_and_a_source_alone_mean_gfortran() {
    let directory = tempfile::tempdir().expect("a directory");
    let (file, link) = (directory.path().join("a.f90"), directory.path().join("trueline-gfortran"));
    std::fs::write(&file, "print *, 42\nend\n").expect("a file");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_trueline"), &link).expect("a link");
    let run = |program: &Path, args: &[&str]| {
        let out = Command::new(program).current_dir(directory.path()).args(args).output().expect("it runs");
        assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    assert!(run(&link, &["--version"]).starts_with("GNU Fortran (trueline"));
    run(&link, &["-O2", "a.f90", "-o", "a"]);
    assert_eq!(run(&directory.path().join("a"), &[]).trim(), "42");
    run(Path::new(env!("CARGO_BIN_EXE_trueline")), &["a.f90"]);
    assert_eq!(run(&directory.path().join("a.out"), &[]).trim(), "42");
    let version = run(Path::new(env!("CARGO_BIN_EXE_trueline")), &["--version"]);
    assert!(version.starts_with(concat!("trueline ", env!("CARGO_PKG_VERSION"), " (")), "{version}");
}

#[test]
fn messages_have_gfortrans_layout_and_colours_when_asked() {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("a.f90"), "implicit none\ni = 1\nend\n").expect("a file");
    let run = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(variables.iter().copied());
        let out = command.current_dir(directory.path()).arg("fc").args(args).arg("a.f90").output().expect("it runs");
        assert_eq!(out.status.code(), Some(1));
        String::from_utf8_lossy(&out.stderr).into_owned()
    };
    let gcc = run(&["-fdiagnostics-format=gcc"], &[]);
    assert!(gcc.starts_with("a.f90:2:1:\n\n    2 | i = 1\n      | 1\nError: 'i' is not declared [T0251]\n"), "{gcc}");
    assert!(run(&["-fdiagnostics-format=json"], &[]).contains("\"code\": \"T0251\""));
    let has_colors = |text: &str| text.contains("\u{1b}[");
    assert!(!has_colors(&run(&[], &[])));
    assert!(has_colors(&run(&[], &[("CLICOLOR_FORCE", "1")])));
    assert!(has_colors(&run(&["-fdiagnostics-color=always"], &[])));
    assert!(!has_colors(&run(&["-fdiagnostics-color=never"], &[("CLICOLOR_FORCE", "1")])));
    assert!(!has_colors(&run(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")])));
}

#[test]
fn the_man_page_and_the_completions_have_the_options() {
    let man = docs::man();
    for flag in table::FLAGS {
        assert!(man.contains(&flag.name.replace('-', "\\-")), "{}", flag.name);
    }
    for shell in ["bash", "zsh", "fish"] {
        let text = docs::completions(shell).expect("a shell");
        assert!(text.contains("-fcheck=") && text.contains("explain") && text.contains("--html"), "{shell}");
    }
    assert!(docs::completions("tcsh").is_none());
}

#[test]
fn the_bash_completions_are_a_script() {
    let text = docs::completions("bash").expect("a shell")
        + "COMP_WORDS=(trueline ex); COMP_CWORD=1; _trueline; echo \"${COMPREPLY[@]}\"\n";
    let Ok(out) = Command::new("bash").arg("-c").arg(&text).output() else { return };
    assert_eq!(String::from_utf8_lossy(&out.stdout).trim(), "explain export");
}

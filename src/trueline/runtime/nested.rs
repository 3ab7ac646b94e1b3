//! The nested build of the runtime library: for the host when the compiler is built (`build.rs`), for another target by
//! `trueline runtime`.

use std::path::Path;
use std::process::{Command, Stdio};

/// The manifest of the crate that makes a static library of the runtime in the directory `runtime`: a static library cannot be
/// LTO'd when its crate also has other crate types. `features` are those of the runtime, in quotes.
pub(crate) fn manifest(runtime: &Path, features: &str) -> String {
    format!(
        "[package]\nname = \"trueline-shim\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
         [lib]\ncrate-type = [\"staticlib\"]\n[dependencies]\ntrueline-runtime = {{ path = {runtime:?}, features = [{features}] }}\n\
         [profile.release]\npanic = \"abort\"\nlto = \"fat\"\ncodegen-units = 1\nopt-level = 3\nstrip = \"debuginfo\"\n"
    )
}

/// The source of that crate.
pub(crate) const SHIM: &str = "pub use trueline_runtime::*;\n";

/// Removes the settings of a cargo around this process that would change the build.
pub(crate) fn without_settings(cargo: &mut Command) {
    let names = [
        "CARGO_ENCODED_RUSTFLAGS",
        "RUSTFLAGS",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "CARGO_TARGET_DIR",
        "CARGO_BUILD_TARGET",
        "RUSTDOC",
        "CLIPPY_ARGS",
    ];
    let prefixes = ["CARGO_FEATURE_", "CARGO_CFG_", "CARGO_PROFILE_"];
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if prefixes.iter().any(|p| text.starts_with(p)) || names.contains(&&*text) {
            cargo.env_remove(&name);
        }
    }
}

/// The sections of one name that a link finds instead of one for each function.
const SECTIONS: &str = "SECTIONS {
    .text : { *(.text .text.*) }
    .rodata : { *(.rodata .rodata.*) }
    .data.rel.ro : { *(.data.rel.ro .data.rel.ro.*) }
    .data : { *(.data .data.*) }
    .bss : { *(.bss .bss.*) }
    .tdata : { *(.tdata .tdata.*) }
    .tbss : { *(.tbss .tbss.*) }
    .gcc_except_table : { *(.gcc_except_table .gcc_except_table.*) }
}
";

/// Joins the thousands of sections of the runtime's object in `archive`, which costs half of the time of linking a small
/// program, by the linker of the C compiler `cc`. The archive is used as it is where a tool is missing or fails.
pub(crate) fn join_sections(archive: &Path, cc: &str, ar: &str) {
    // Nothing has to be told: only speed depends on it.
    let _ = joined(archive, cc, ar);
}

fn joined(archive: &Path, cc: &str, ar: &str) -> Option<()> {
    let folder = archive.with_extension("joined");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).ok()?;
    let archive = archive.canonicalize().ok()?;
    let run = |tool: &str, words: &[&str]| {
        let mut command = Command::new(tool);
        command.args(words).current_dir(&folder).stdin(Stdio::null()).stderr(Stdio::null());
        let out = command.output().ok().filter(|o| o.status.success())?;
        String::from_utf8(out.stdout).ok()
    };
    let list = run(ar, &["t", archive.to_str()?])?;
    let mut members = list.lines().filter(|m| m.starts_with("trueline_shim"));
    let (member, None) = (members.next()?, members.next()) else { return None };
    let copy = "copy.a";
    std::fs::copy(&archive, folder.join(copy)).ok()?;
    std::fs::write(folder.join("sections.ld"), SECTIONS).ok()?;
    run(ar, &["x", copy, member])?;
    let object = "trueline_runtime.o";
    let options = ["-r", "-nostdlib", "-Wl,--build-id=none", "-Wl,--force-group-allocation", "-Wl,-T,sections.ld"];
    run(cc, &[&options[..], &["-o", object, member]].concat())?;
    run(ar, &["dD", copy, member])?;
    run(ar, &["qcD", copy, object])?;
    std::fs::rename(folder.join(copy), archive).ok()
}

//! The nested build of the runtime library: for the host when the compiler is built (`build.rs`), for another target by
//! `trueline runtime`.

use std::process::Command;

/// The manifest of the crate that makes a static library of the runtime in the directory `runtime`: a static library cannot be
/// LTO'd when its crate also has other crate types.
pub(crate) fn manifest(runtime: &std::path::Path) -> String {
    format!(
        "[package]\nname = \"trueline-shim\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
         [lib]\ncrate-type = [\"staticlib\"]\n[dependencies]\ntrueline-runtime = {{ path = {runtime:?} }}\n\
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

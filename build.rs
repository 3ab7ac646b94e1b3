//! Builds the runtime archive and embeds it: an installed compiler is complete in one file.
//!
//! The runtime is compiled by a nested cargo from a shim crate (a static library cannot be LTO'd when its
//! crate also has other crate types), stripped of debug information, and compressed.

use sha2::Digest;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let target = env::var("TARGET").expect("cargo sets TARGET");
    for path in
        ["runtime/src", "runtime/Cargo.toml", "runtime/abi/src", "runtime/abi/Cargo.toml", "Cargo.lock", "build.rs"]
    {
        println!("cargo:rerun-if-changed={path}");
    }
    println!("cargo:rerun-if-env-changed=TRUELINE_SKIP_RUNTIME");
    println!("cargo:rustc-env=TRUELINE_HOST={target}");
    println!("cargo:rustc-env=TRUELINE_BUILD={}{target}", commit(&root));
    let packed = out.join("runtime.a.z");
    if env::var_os("TRUELINE_SKIP_RUNTIME").is_some_and(|v| v == "1") {
        // For documentation builds and quick checks: such a compiler cannot link.
        fs::write(&packed, []).expect("OUT_DIR is writable");
        return;
    }
    let shim = write_shim(&out, &root);
    build(&shim, &out, &target);
    let archive = out.join("runtime.a");
    fs::copy(out.join("t").join(&target).join("release/libtrueline_shim.a"), &archive).expect("the runtime was built");
    // Optional: it makes the archive half as large.
    let _ = Command::new("objcopy").arg("--strip-debug").arg(&archive).status();
    let bytes = fs::read(&archive).expect("the archive was just written");
    let mut content = sha2::Sha256::digest(&bytes).to_vec();
    content.extend(miniz_oxide::deflate::compress_to_vec_zlib(&bytes, 9));
    fs::write(&packed, content).expect("OUT_DIR is writable");
}

/// The commit of a release build, followed by a comma and a blank; empty where it is not known. Builds for development do
/// not watch it: each commit would build them anew.
fn commit(root: &Path) -> String {
    if env::var_os("PROFILE").is_none_or(|p| p != "release") || !root.join(".git").exists() {
        return String::new();
    }
    println!("cargo:rerun-if-changed=.git/HEAD");
    println!("cargo:rerun-if-changed=.git/refs/heads");
    let out = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).current_dir(root).output();
    let text = out.ok().filter(|o| o.status.success()).and_then(|o| String::from_utf8(o.stdout).ok());
    text.map_or(String::new(), |t| format!("{}, ", t.trim()))
}

fn write_shim(out: &Path, root: &Path) -> PathBuf {
    let shim = out.join("shim");
    fs::create_dir_all(shim.join("src")).expect("OUT_DIR is writable");
    fs::write(shim.join("src/lib.rs"), "pub use trueline_runtime::*;\n").expect("OUT_DIR is writable");
    let manifest = format!(
        "[package]\nname = \"trueline-shim\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
         [lib]\ncrate-type = [\"staticlib\"]\n[dependencies]\ntrueline-runtime = {{ path = {:?} }}\n\
         [profile.release]\npanic = \"abort\"\nlto = \"fat\"\ncodegen-units = 1\nopt-level = 3\nstrip = \"debuginfo\"\n",
        root.join("runtime")
    );
    fs::write(shim.join("Cargo.toml"), manifest).expect("OUT_DIR is writable");
    // The same versions as the compiler's, as far as both use a crate.
    let _ = fs::copy(root.join("Cargo.lock"), shim.join("Cargo.lock"));
    shim
}

fn build(shim: &Path, out: &Path, target: &str) {
    let mut cargo = Command::new(env::var_os("CARGO").expect("cargo sets CARGO"));
    cargo.args(["build", "--release", "--lib", "--target", target, "--manifest-path"]);
    cargo.arg(shim.join("Cargo.toml")).arg("--target-dir").arg(out.join("t"));
    // Absolute source paths would make two builds of the compiler differ.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy().into_owned();
        let inherited = ["CARGO_FEATURE_", "CARGO_CFG_", "CARGO_PROFILE_"].iter().any(|p| text.starts_with(p))
            || [
                "CARGO_ENCODED_RUSTFLAGS",
                "RUSTFLAGS",
                "RUSTC_WRAPPER",
                "RUSTC_WORKSPACE_WRAPPER",
                "CARGO_TARGET_DIR",
                "CARGO_BUILD_TARGET",
                "RUSTDOC",
                "CLIPPY_ARGS",
            ]
            .contains(&text.as_str());
        if inherited {
            cargo.env_remove(name);
        }
    }
    let home = env::var("CARGO_HOME").unwrap_or_default();
    cargo.env(
        "RUSTFLAGS",
        format!("--remap-path-prefix={home}=cargo --remap-path-prefix={}=trueline", env!("CARGO_MANIFEST_DIR")),
    );
    let status = cargo.status().expect("cargo runs");
    assert!(status.success(), "the runtime does not build");
}

//! Builds the runtime archive and embeds it: an installed compiler is complete in one file.
//!
//! The runtime is compiled by a nested cargo from a shim crate, stripped of debug information, and compressed. Its sources are
//! embedded, too, so that the compiler can make the archive for another target.

#[path = "src/trueline/runtime/nested.rs"]
mod nested;

use sha2::Digest;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let target = env::var("TARGET").expect("cargo sets TARGET");
    for path in [
        "runtime/src",
        "runtime/Cargo.toml",
        "runtime/abi/src",
        "runtime/abi/Cargo.toml",
        "Cargo.toml",
        "Cargo.lock",
        "build.rs",
        "src/trueline/runtime/nested.rs",
    ] {
        println!("cargo:rerun-if-changed={path}");
    }
    println!("cargo:rerun-if-env-changed=TRUELINE_SKIP_RUNTIME");
    println!("cargo:rustc-env=TRUELINE_HOST={target}");
    println!("cargo:rustc-env=TRUELINE_BUILD={}{target}", commit(&root));
    fs::write(out.join("runtime.src.z"), sources(&root)).expect("OUT_DIR is writable");
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
    nested::join_sections(&archive, "cc", "ar");
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

/// The sources of the runtime as a workspace, compressed: of each file the path, its length and a line break, and the bytes.
fn sources(root: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    let mut add = |path: &str, bytes: &[u8]| {
        all.extend(format!("{path} {}\n", bytes.len()).bytes());
        all.extend(bytes);
    };
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("the manifest is there");
    let (from, to) = (manifest.find("[workspace.package]"), manifest.find("\n[package]"));
    let shared = &manifest[from.expect("the manifest has it")..to.expect("the manifest has it")];
    let head = "[workspace]\nresolver = \"3\"\nmembers = [\"runtime\", \"runtime/abi\"]\n\n";
    add("Cargo.toml", format!("{head}{shared}\n").as_bytes());
    let mut folders = vec!["runtime".to_owned()];
    let mut files = vec!["Cargo.lock".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).expect("the sources are there").flatten() {
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            let list = if entry.path().is_dir() { &mut folders } else { &mut files };
            list.push(path);
        }
    }
    // The same bytes whatever the order in the directory.
    files.sort();
    for path in files {
        add(&path, &fs::read(root.join(&path)).expect("the sources are there"));
    }
    miniz_oxide::deflate::compress_to_vec_zlib(&all, 9)
}

fn write_shim(out: &Path, root: &Path) -> PathBuf {
    let shim = out.join("shim");
    fs::create_dir_all(shim.join("src")).expect("OUT_DIR is writable");
    fs::write(shim.join("src/lib.rs"), nested::SHIM).expect("OUT_DIR is writable");
    // Bugs on purpose are there where the compiler has them, too.
    let has_faults = env::var_os("CARGO_FEATURE_FAULTS").is_some() || env::var("PROFILE").is_ok_and(|p| p == "debug");
    let manifest = nested::manifest(&root.join("runtime"), if has_faults { "\"faults\"" } else { "" });
    fs::write(shim.join("Cargo.toml"), manifest).expect("OUT_DIR is writable");
    // The same versions as the compiler's, as far as both use a crate.
    let _ = fs::copy(root.join("Cargo.lock"), shim.join("Cargo.lock"));
    shim
}

fn build(shim: &Path, out: &Path, target: &str) {
    let mut cargo = Command::new(env::var_os("CARGO").expect("cargo sets CARGO"));
    cargo.args(["build", "--release", "--lib", "--target", target, "--manifest-path"]);
    cargo.arg(shim.join("Cargo.toml")).arg("--target-dir").arg(out.join("t"));
    nested::without_settings(&mut cargo);
    // Absolute source paths would make two builds of the compiler differ.
    let home = env::var("CARGO_HOME").unwrap_or_default();
    cargo.env(
        "RUSTFLAGS",
        format!("--remap-path-prefix={home}=cargo --remap-path-prefix={}=trueline", env!("CARGO_MANIFEST_DIR")),
    );
    let status = cargo.status().expect("cargo runs");
    assert!(status.success(), "the runtime does not build");
}

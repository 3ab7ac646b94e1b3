//! The direction of dependencies between the parts of the compiler.

use crate::build::root;

/// The crates that each crate may use.
const ALLOWED: &[(&str, &[&str])] = &[
    ("src/diag", &[]),
    ("src/cpp", &["trueline-diag"]),
    ("src/provenance", &[]),
    ("src/ir", &["trueline-provenance", "trueline-abi"]),
    ("src/parse/syntax", &["trueline-diag"]),
    ("src/parse/sema", &["trueline-diag", "trueline-syntax", "trueline-provenance", "trueline-ir", "trueline-abi"]),
    (
        "src/parse/lower",
        &["trueline-diag", "trueline-syntax", "trueline-sema", "trueline-provenance", "trueline-ir", "trueline-abi"],
    ),
    ("src/opt", &["trueline-provenance", "trueline-ir", "trueline-abi"]),
    ("src/instrument", &["trueline-provenance", "trueline-ir", "trueline-abi"]),
    ("src/codegen", &["trueline-provenance", "trueline-ir", "trueline-abi"]),
    ("src/report", &["trueline-provenance", "trueline-abi"]),
    ("runtime", &["trueline-abi"]),
    ("runtime/abi", &[]),
];

#[test]
fn parts_use_what_they_may() {
    for (folder, allowed) in ALLOWED {
        let manifest = std::fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("every part is a crate");
        let uses =
            manifest.lines().filter_map(|l| l.strip_suffix(".workspace = true")).filter(|n| n.starts_with("trueline-"));
        for name in uses {
            assert!(allowed.contains(&name), "{folder} must not use {name}");
        }
    }
}

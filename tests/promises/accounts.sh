#!/usr/bin/env bash
# R22: our own code and the dependencies are accounted for.
#
# accounts.sh [miri [SEEDS]]: `unsafe` is in the runtime alone (and in one measurement); each block says why it is right; each direct dependency has its reason in
# ARCHITECTURE.md; the lock file has checksums and crates.io alone; licences are known; Cranelift is none of the versions with known bugs. With
# `miri`, which needs the nightly toolchain, it runs the tests of the runtime library and of the profile format under Miri, and those with threads in
# SEEDS orders.
set -euo pipefail
cd "$(dirname "$0")/../.."
wrong=0
fail() {
    echo "WRONG $*"
    wrong=$((wrong + 1))
}
rust() { git ls-files '*.rs'; }

# The lint forbids it where nothing allows it; these may allow it.
allowed='^(runtime/src/|runtime/tests/loom.rs|benches/perturbation.rs|fuzz/src/io.rs)'
while read -r file; do
    grep -qE "$allowed" <<<"$file" || fail "$file allows unsafe code"
done < <(rust | xargs grep -lE '^[^/]*allow\([^)]*unsafe_code')
grep -q '^unsafe_code = "deny"' Cargo.toml || fail "unsafe code is not denied in the workspace"
for manifest in Cargo.toml $(git ls-files '*/Cargo.toml'); do
    grep -A1 '^\[lints\]' "$manifest" | grep -q 'workspace = true' || fail "$manifest has not the lints of the workspace"
done
blocks=0
while IFS=: read -r file line text; do
    blocks=$((blocks + 1))
    # The reason stands in the comment above the statement, which may be some lines up, or in front of the block.
    from=$((line > 8 ? line - 8 : 1))
    sed -n "${from},${line}p" "$file" | grep -q 'SAFETY' || fail "$file:$line has no reason:$text"
done < <(rust | xargs grep -nE '^[^/"]*\bunsafe (\{|impl )')

declared=$(sed -n '/^\[workspace.dependencies\]/,/^\[/p' Cargo.toml | sed -nE 's/^([a-z0-9_-]+) = .*/\1/p' | grep -v '^trueline')
total=0
for crate in $declared; do
    total=$((total + 1))
    short=${crate#cranelift}
    sed -n '/^## Dependencies/,$p' ARCHITECTURE.md | grep '^|' | cut -d'|' -f2 | grep -qE "(^|[ ,])($crate|$short)([ ,]|$)" ||
        fail "$crate has no reason in ARCHITECTURE.md"
done
locked=$(grep -c '^name = ' Cargo.lock)
foreign=$(grep '^source = ' Cargo.lock | grep -vc 'registry+https://github.com/rust-lang/crates.io-index' || true)
[ "$foreign" = 0 ] || fail "$foreign packages are not from crates.io"
[ "$(grep -c '^source = ' Cargo.lock)" = "$(grep -c '^checksum = ' Cargo.lock)" ] || fail "a package has no checksum"
while read -r licence; do
    grep -qE '^(MIT|Apache-2.0|BSD|ISC|Zlib|Unlicense|Unicode|0BSD|CC0|BSL|NCSA|\(|/| |OR|AND|WITH|LLVM-exception|-[0-9A-Za-z.]+|\))+' <<<"$licence" || fail "licence $licence"
done < <(cargo metadata --locked --format-version 1 2>/dev/null | grep -oE '"license":"[^"]*"' | cut -d'"' -f4 | sort -u)
# 0.135.7 mends wrong code for large branch tables and for bit packing (CVE-2026-115893, CVE-2026-115889).
cranelift=$(grep -A1 '^name = "cranelift-codegen"' Cargo.lock | sed -nE 's/version = "(.*)"/\1/p')
least=$(printf '%s\n0.135.7\n' "$cranelift" | sort -V | head -1)
[ "$least" = 0.135.7 ] || fail "cranelift-codegen $cranelift has known bugs"
echo "$blocks unsafe blocks, $total direct dependencies, $locked packages, cranelift $cranelift; $wrong wrong"
if [ "${1:-}" = miri ]; then
    # Addresses of compiled code come as numbers in places, so a number may be an address. Files and clocks are the system's.
    export MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-permissive-provenance"
    miri() { cargo +nightly miri test --locked --target-dir target/miri "$@"; }
    miri -p trueline-abi --lib || fail "Miri on trueline-abi"
    # Tests that start processes, run assembly or call functions that Miri has not say so and are left out; long ones take fewer cases.
    # Elementary functions are compared with the C library's, which Miri cannot call.
    miri -p trueline-runtime --lib -- --skip elementary:: || fail "Miri on trueline-runtime"
    # Other orders of threads, one after the other: they share files.
    for seed in $(seq "${2:-8}"); do
        MIRIFLAGS="$MIRIFLAGS -Zmiri-seed=$seed" miri -p trueline-runtime --lib -- threads_ || fail "Miri on threads, seed $seed"
    done
    echo "Miri: $wrong wrong"
fi
[ "$wrong" = 0 ]

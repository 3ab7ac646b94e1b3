#!/usr/bin/env bash
# Counts the instructions that AArch64 programs execute, ours at -O3 and gfortran's at -O2, in their own code: without libraries
# and what starts them. Prints both counts and their ratio for each program, and with --symbols those of each procedure.
#
#     benches/shape.sh [--symbols] [FILE.f90 …]        the examples without files; needs the tools that .ci/aarch64 brings
#
# TRUELINE names our compiler, LEVEL its level.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
trueline="${TRUELINE:-$here/../target/release/trueline}"
target=aarch64-linux-gnu
symbols=
if [ "${1:-}" = --symbols ]; then symbols=1; shift; fi
[ $# -gt 0 ] || set -- "$here"/../examples/hpf/*.f90
there="$(mktemp -d)"
trap 'rm -rf "$there"' EXIT
cc -O2 -shared -fPIC "$here/shape.c" -o "$there/shape.so"

# The instructions of the program $1 in the symbols of the object $2.
count() {
    ${target}-nm --defined-only "$2" | awk '$2 ~ /[TtWw]/ { print $3 }' | sort -u >"$there/own"
    (cd "$there" && qemu-aarch64 -L "/usr/$target" -plugin "$there/shape.so" "$1" 2>&1 >/dev/null) | grep '^shape ' |
        awk 'NR == FNR { own[$1]; next } $3 in own { sum += $2; print $2, $3 > "/dev/stderr" } END { printf "%.0f\n", sum }' \
            "$there/own" - 2>"$there/by_symbol"
}
printf '%-20s %14s %14s %6s\n' program ours gfortran ratio
for file in "$@"; do
    name="$(basename "${file%.*}")"
    file="$(realpath "$file")"
    "$trueline" fc -w "-O${LEVEL:-3}" --target "$target" -c "$file" -o "$there/ours.o"
    "$trueline" fc --target "$target" "$there/ours.o" -o "$there/ours"
    ours="$(count "$there/ours" "$there/ours.o")"
    [ -z "$symbols" ] || sort -rn "$there/by_symbol" | sed 's/^/    ours     /'
    (cd "$there" && ${target}-gfortran -w -O2 -c "$file" -o theirs.o && ${target}-gfortran theirs.o -o theirs)
    theirs="$(count "$there/theirs" "$there/theirs.o")"
    [ -z "$symbols" ] || sort -rn "$there/by_symbol" | sed 's/^/    gfortran /'
    awk -v n="$name" -v a="$ours" -v b="$theirs" 'BEGIN { printf "%-20s %14.0f %14.0f %6.2f\n", n, a, b, a / b }'
done

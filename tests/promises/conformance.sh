#!/usr/bin/env bash
# R19: programs of gfortran's own tests that run, compiled and run by ours.
#
# conformance.sh DIRECTORY [N [LEVEL…]]: DIRECTORY has gfortran.dg and gfortran.fortran-torture (of a GCC source: gcc/testsuite; Debian's gcc-12-source has
# it). The first N programs that are to run (all without N), with their options, at the levels given (-O0 and -O3 without). A program
# passes if it ends as it shall; it is refused if the compiler says that it does not take it, or an option; else it is wrong.
# Writes the names to conformance.list in the current folder.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
export trueline=${TRUELINE:-$root/target/release/trueline}
suite=$(cd "${1:?a folder with gfortran.dg}" && pwd)
most=${2:-100000}
shift $(($# < 2 ? $# : 2))
levels=("$@")
[ ${#levels[@]} -gt 0 ] || levels=(-O0 -O3)

judge() {
    local source=$1 level=$2 options status=0 shall=0 code=0 scratch
    options=$(sed -nE 's/.*\{ *dg-(additional-)?options +"([^"]*)".*/\2/p' "$source" | tr '\n' ' ')
    # Dumps of gfortran's own passes, and what only its optimizer knows, are nothing to a result.
    options=$(sed -E 's/-f(dump|no-tree|tree|ipa|no-ipa|inline|no-inline|check-new|split|predictive|no-predictive|param)[^ ]*//g; s/--param[ =][^ ]*//g; s/-O[0-3s]?( |$)/ /g' <<<"$options")
    grep -q 'dg-shouldfail' "$source" && shall=1
    scratch=$(mktemp -d)
    cd "$scratch"
    # shellcheck disable=SC2086 # words
    timeout 60 "$trueline" fc -w $level $options "$source" -o program >out 2>&1 || code=$?
    local result
    if [ $code = 124 ] || [ $code -ge 126 ] || [ $code = 101 ] || grep -qi 'bug of the compiler\|panicked' out; then
        result="WRONG compiler-ends-by-$code"
    elif [ $code != 0 ]; then
        result="refused $(grep -oE 'T[0-9]{4}' out | head -1)"
    else
        timeout 30 ./program >out 2>&1 </dev/null || status=$?
        if [ $status = 0 ] && [ $shall = 0 ]; then
            result=passed
        elif [ $status != 0 ] && [ $shall = 1 ]; then
            result=passed
        else
            result="WRONG ends-by-$status"
        fi
    fi
    echo "$result ${source##*/testsuite/} $level"
    rm -rf "$scratch"
}
export -f judge
list=$(mktemp)
trap 'rm -f "$list"' EXIT
{
    grep -lE '\{ *dg-do +run' -r "$suite/gfortran.dg" --include='*.f' --include='*.f90' --include='*.F90' --include='*.F' --include='*.f95' || true
    find "$suite/gfortran.fortran-torture/execute" -name '*.f90' -o -name '*.f' 2>/dev/null || true
} | grep -vE '/(coarray|gomp|goacc|goacc-gomp|asan|ubsan|lto|plugin|analyzer|vect|graphite|guality|debug|prof|c-interop)/' | LC_ALL=C sort |
    while read -r source; do
        # Programs of several files, and of C beside Fortran, are no subject; nor are programs for other systems, and those that fail
        # with gfortran.
        grep -qE 'dg-additional-sources|dg-compile-aux-modules|fcoarray=lib|dg-do +run.*(target *\{? *\*-\*-mingw|xfail \*-\*-\*)' "$source" || echo "$source"
    done >"$list"
head -n "$most" "$list" >"$list.some"
mv "$list.some" "$list"
for level in "${levels[@]}"; do
    xargs -a "$list" -P "$(nproc)" -I{} bash -c "judge {} $level"
done | LC_ALL=C sort >conformance.list
count() { grep -c "^$1" conformance.list || true; }
echo "$(wc -l <"$list") programs at ${levels[*]}: $(count passed) passed, $(count refused) refused, $(count WRONG) wrong"
grep '^WRONG' conformance.list | head -400 || true
[ "$(count WRONG)" = 0 ]

#!/usr/bin/env bash
# R20: the same source gives the same bytes, whatever is around the compiler.
#
# identical.sh [N]: compiles the first N programs of tests/run and examples (all without N) twice at -O3 with a profile, as an object, a
# module and an executable: in two folders, with other time zones, locales, numbers of threads, sizes of the environment and
# times of the sources, with address randomization and without. All files must be equal, and none may name a folder.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
trueline=${TRUELINE:-$root/target/release/trueline}
most=${1:-1000000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/a" "$scratch/b/a/longer/name"
a=$scratch/a b=$scratch/b/a/longer/name
filler=$(head -c 20000 /dev/zero | tr '\0' x)
total=0 files=0 wrong=0 skipped=0
while read -r source; do
    [ "$total" -lt "$most" ] || break
    name=$(basename "$source")
    rm -f "$a"/* "$b"/*
    cp "$source" "$a/$name"
    cp "$source" "$b/$name"
    touch -d 2001-01-01 "$b/$name"
    plain() { (cd "$a" && env -i PATH="$PATH" HOME="$HOME" TZ=UTC LC_ALL=C RAYON_NUM_THREADS=1 "$@"); }
    other() {
        (cd "$b" && env TZ=Asia/Tokyo LC_ALL=tr_TR.UTF-8 LANG=de_DE.UTF-8 RAYON_NUM_THREADS=8 FILLER="$filler" \
            setarch "$(uname -m)" -R "$@")
    }
    if ! plain "$trueline" build -c -O3 --profile "$name" -o x.o >/dev/null 2>&1; then
        skipped=$((skipped + 1))
        continue
    fi
    total=$((total + 1))
    other "$trueline" build -c -O3 --profile "$name" -o x.o >/dev/null 2>&1 || true
    for run in plain other; do $run "$trueline" build -O3 "$name" -o x >/dev/null 2>&1 || true; done
    for file in "$a"/*; do
        one=$(basename "$file")
        [ "$one" != "$name" ] || continue
        files=$((files + 1))
        if ! cmp -s "$file" "$b/$one"; then
            echo "WRONG ${source#"$root"/}: $one differs"
            wrong=$((wrong + 1))
        elif grep -qF -e "$scratch" -e "$root" "$file"; then
            echo "WRONG ${source#"$root"/}: $one names a folder"
            wrong=$((wrong + 1))
        fi
    done
done < <(find "$root/tests/run" "$root/examples" \( -name '*.f90' -o -name '*.f' \) | LC_ALL=C sort)
echo "$total programs, $files files ($skipped sources need other options), $wrong wrong"
[ "$wrong" = 0 ]

#!/usr/bin/env bash
# Prints how another compiler ends the programs of tests/faults: for each class their number, those that end with a message at the
# line of the fault, those that a signal ends whose chain of calls has the line, those that end otherwise, and those that run to
# their end. An error of the compiler counts as a message.
#
#     benches/faults.sh [--each]        with --each also the line of each program
#
# A program with a file beside it that ends in .second consists of both, compiled apart. FC names the compiler with its options.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
read -ra compiler <<<"${FC:-gfortran -g -O0 -fcheck=all}"
each="${1:-}"
there="$(mktemp -d)"
trap 'rm -rf "$there"' EXIT

# One word for the program $1, whose fault is in line $2.
judge() {
    cp "$1" "$there/fault.f90"
    rm -f "$there/fault" "$there"/second.*
    # The program and a file that is compiled apart.
    inputs=(fault.f90)
    if [ -f "${1%.f90}.second" ]; then
        cp "${1%.f90}.second" "$there/second.f90"
        # It may use modules of the first.
        (cd "$there" && "${compiler[@]}" -fsyntax-only fault.f90 >/dev/null 2>&1) || true
        (cd "$there" && "${compiler[@]}" -c second.f90)
        inputs+=(second.o)
    fi
    if ! (cd "$there" && LC_ALL=C "${compiler[@]}" "${inputs[@]}" -o fault) >"$there/text" 2>&1; then
        # The place stands before the text, which begins with "Error:" or "error[".
        if grep -q "fault\.f90:$2:" "$there/text"; then echo told; else echo otherwise; fi
    elif (cd "$there" && timeout 30 ./fault) </dev/null >"$there/out" 2>"$there/text"; then
        echo silent
    elif grep -q "^At line $2 of file " "$there/text"; then
        echo told
    elif grep -q "fault\.f90:$2\b" "$there/text"; then
        echo signal
    else
        echo otherwise
    fi
}
for file in "$here"/../tests/faults/*/*.f90; do
    class="$(basename "$(dirname "$file")")"
    line="$(sed -n '1s/^! told at \([0-9]*\):.*/\1/p' "$file")"
    echo "$class $(judge "$file" "$line") $(basename "$file" .f90)"
done 2>/dev/null >"$there/all"
[ -z "$each" ] || cat "$there/all"
awk '{ all[$1]++; how[$1, $2]++; all["all"]++; how["all", $2]++; if (!($1 in seen)) { seen[$1]; order[++n] = $1 } }
     END { print "| class | programs | told at the line | signal at the line | ended otherwise | run to their end |\n|---|---|---|---|---|---|"
           order[++n] = "all"
           for (k = 1; k <= n; k++) { c = order[k]
               printf "| %s | %d | %d | %d | %d | %d |\n", c, all[c], how[c, "told"], how[c, "signal"], how[c, "otherwise"], how[c, "silent"] } }' "$there/all"

#!/usr/bin/env bash
# Prints the cost of checks: the processor time of each program of benches/kernels and examples/hpf, built at -O3 with each of the options, over
# that without. Programs run in turn, and the least time of all rounds counts. Last come the geometric mean and the greatest ratio.
#
#     benches/checks.sh [NAME…]        the programs whose name contains one of the words
#
# COMPILER names another compiler (the one that was built for release), CHECKS the options ("all undefined alias"), ROUNDS their number (3),
# RUN a command that runs the programs, such as "chrt -f 1" on a machine that does other work.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
compiler="${COMPILER:-$here/../target/release/trueline fc}"
read -ra checks <<<"${CHECKS:-all undefined alias}"
read -ra run <<<"${RUN:-}"
there="$(mktemp -d)"
trap 'rm -rf "$there"' EXIT

# The nanoseconds that the program $1 says it takes, or its processor time.
nanoseconds() {
    local TIMEFORMAT=%U
    { time timeout 100 "${run[@]}" "$1" </dev/null >"$there/out" 2>/dev/null; } 2>"$there/time" || { echo "$1 fails" >&2; exit 1; }
    awk '$1 == "nanoseconds" { print $2; found = 1 } END { exit !found }' "$there/out" || awk '{ print $1 * 1e9 }' "$there/time"
}
printf '%-28s %12s' program 'ns (-O3)'
printf ' %9s' "${checks[@]}"
echo
for source in "$here"/kernels/*.f90 "$here"/../examples/hpf/*.f90; do
    name="$(basename "$source" .f90)"
    if [ $# -gt 0 ]; then
        chosen=no
        for word in "$@"; do [[ $name == *$word* ]] && chosen=yes; done
        [ $chosen = yes ] || continue
    fi
    files=("$source")
    [[ $source == */kernels/* ]] && files=("$here/kernels/common/support.f90" "$source" "$here/kernels/common/main.f90")
    for k in "" "${checks[@]}"; do
        # shellcheck disable=SC2086 # the compiler is words
        $compiler -O3 ${k:+-fcheck=$k} -J "$there" -o "$there/program.$k" "${files[@]}"
    done
    for ((round = 0; round < ${ROUNDS:-3}; round++)); do
        for k in "" "${checks[@]}"; do
            time="$(nanoseconds "$there/program.$k")"
            echo "${k:-none} $time"
        done
    done | awk -v name="$name" -v list="${checks[*]}" '
        !($1 in least) || $2 < least[$1] { least[$1] = $2 }
        END { n = split(list, all, " "); printf "%-28s %12.0f", name, least["none"]
              for (k = 1; k <= n; k++) printf " %9.2f", least[all[k]] / least["none"]
              print "" }' | tee -a "$there/table"
done
awk '{ for (k = 3; k <= NF; k++) { sum[k] += log($k); if ($k > worst[k]) worst[k] = $k } }
     END { printf "%-28s %12s", "geometric mean of " NR, ""; for (k = 3; k <= NF; k++) printf " %9.2f", exp(sum[k] / NR)
           printf "\n%-28s %12s", "greatest", ""; for (k = 3; k <= NF; k++) printf " %9.2f", worst[k]; print "" }' "$there/table"

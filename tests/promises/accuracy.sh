#!/usr/bin/env bash
# R14: the error of every intrinsic function of real arguments; accuracy.f90 says how it is measured.
#
# accuracy.sh [N4 [N8]]: prints the table of our program at -O3. It must be the one at -O0, and, where gfortran is installed, that of its
# program on the same arguments but for the judge's last digits. No function but those of Bessel, which lose all near their zeros, is 10 units off,
# and the common ones are correct within 1 (kind 4: 1.5).
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
trueline=${TRUELINE:-$root/target/release/trueline}
singles=${1:-2000} doubles=${2:-500}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
wrong=0
for level in 3 0; do
    "$trueline" build -O$level "$root/tests/promises/accuracy.f90" -o ours$level
    ./ours$level "$singles" "$doubles" >table$level
done
cat table3
if ! diff table3 table0; then
    echo "WRONG: -O0 and -O3 differ"
    wrong=1
fi
if command -v gfortran >/dev/null; then
    gfortran -O2 "$root/tests/promises/accuracy.f90" -o theirs
    ./theirs "$singles" "$doubles" >theirs.table
    if diff table3 theirs.table; then
        echo "gfortran's errors are the same"
    else
        echo "NOTE: gfortran's errors differ in the lines above"
    fi
fi
awk '
    { most = 10 }
    $1 ~ /^(sqrt|exp|log|sin|cos|tan|asin|acos|atan|atan2|hypot|\*\*|abs\(cmplx\)|mod)$/ { most = $2 == 8 ? 1 : 1.5 }
    $1 ~ /^bessel/ { next }
    $5 > most { print "WRONG:", $0; bad = 1 }
    END { exit bad }
' table3 || wrong=1
exit $wrong

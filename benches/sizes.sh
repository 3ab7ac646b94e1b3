#!/usr/bin/env bash
# Prints how long the compiler takes for programs of one size, and how much memory: deep and long ones, made here. Each is compiled with a stack of
# 256 KiB. A program that is refused has the first line of the message in place of its time.
#
#     benches/sizes.sh [COMPILER]        the compiler that was built for release, if none is named
#
# SCALE=10 divides all sizes by 10. Each compilation is ended after LIMIT seconds (120).
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
compiler="${1:-$here/../target/release/trueline}"
scale="${SCALE:-1}"
limit="${LIMIT:-120}"
there="$(mktemp -d)"
trap 'rm -rf "$there"' EXIT

# A program of shape $1 and size $2.
make() {
    awk -v shape="$1" -v n="$2" 'BEGIN {
        if (shape == "procedures") {
            for (k = 1; k <= 2000; k++) {
                printf "subroutine s%d(a, n)\n  integer :: n, i\n  real(8) :: a(n)\n", k
                for (m = 6; m <= n / 2000; m += 5)
                    printf "  do i = 2, n - 1\n    a(i) = a(i) * 0.5d0 + %d\n    if (a(i) > 9.0d0) a(i) = a(i - 1)\n  end do\n  a(1) = a(n) + %d\n", m, m
                print "end subroutine"
            }
            exit
        }
        print "subroutine s(k, x)\n  integer :: k\n  real(8) :: x"
        if (shape == "terms") { print "  x = x + 1 &"; for (i = 1; i < n; i++) print "    + k &"; print "    + 1" }
        if (shape == "parentheses") {
            print "  k = &"
            for (i = 0; i < n; i += 50) print "    ((((((((((((((((((((((((((((((((((((((((((((((((((&"
            print "    k &"
            for (i = 0; i < n; i += 50) print "    ))))))))))))))))))))))))))))))))))))))))))))))))))&"
            print "    + 1"
        }
        if (shape == "if") { for (i = 0; i < n; i++) printf "if (k > %d) then\n", i; print "x = 1"; for (i = 0; i < n; i++) print "end if" }
        if (shape == "do") { for (i = 0; i < n; i++) print "do"; print "x = x + 1\nif (x > k) return"; for (i = 0; i < n; i++) print "end do" }
        if (shape == "else if") { print "if (k == 0) then\n  x = 0"; for (i = 1; i < n; i++) printf "else if (k == %d) then\n  x = %d\n", i, i; print "end if" }
        if (shape == "lines") for (i = 4; i < n; i++) printf "  x = x * 0.5d0 + k * %d\n", i
        print "end subroutine"
    }' >"$there/size.f90"
}
measure() {
    make "$1" "$2"
    local result
    if (ulimit -s 256 && TIMEFORMAT= && /usr/bin/env time -f '%e s, %M KiB' -o "$there/time" timeout "$limit" "$compiler" build -c "$3" "$there/size.f90" -o "$there/size.o") >"$there/out" 2>&1; then
        result="$(tail -n 1 "$there/time")"
    else
        result="$(grep -m 1 -E '^(error|warning)' "$there/out" || tail -n 1 "$there/out") $(tail -n 1 "$there/time" || true)"
    fi
    echo "| $1 | $2 | $3 | $result |"
}
echo "| shape | size | level | result |"
echo "|---|---|---|---|"
for level in -O0 -O3; do
    measure terms $((1000000 / scale)) $level
    measure parentheses $((1000000 / scale)) $level
    measure do $((10000 / scale)) $level
    for shape in if do "else if"; do measure "$shape" $((100000 / scale)) $level; done
    measure lines $((1000000 / scale)) $level
    measure procedures $((1000000 / scale)) $level
done

#!/usr/bin/env bash
# R15: outputs are all or nothing.
#
# outputs.sh [KILLS [ROUNDS]]: ends a compile by SIGKILL, SIGTERM or SIGINT at KILLS instants: an object, module or executable is the old one,
# the new one, or absent, and nothing else is left, but by SIGKILL, which the next compile sweeps. Then four writers of
# one module and four readers compile ROUNDS times at once: none may fail.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
trueline=${TRUELINE:-$root/target/release/trueline}
kills=${1:-30} rounds=${2:-5}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
wrong=0
fail() {
    echo "WRONG $*"
    wrong=$((wrong + 1))
}
mkdir "$scratch/kill" "$scratch/tmp"
cd "$scratch/kill"
export TMPDIR=$scratch/tmp
{
    echo 'module m'
    echo ' real :: x(100)'
    echo 'contains'
    for k in $(seq 60); do
        printf ' subroutine s%s(a, n)\n  integer n, i, j\n  real a(n, n)\n  do i = 1, n\n   do j = 1, n\n    a(i, j) = a(j, i) * %s + x(j)\n   end do\n  end do\n end subroutine\n' "$k" "$k"
    done
    echo 'end module'
} >m.f90
printf 'program p\n use m\n real a(3, 3)\n a = 1\n call s1(a, 3)\n print *, a(1, 1)\nend program\n' >p.f90
echo end >next.f90
"$trueline" fc -O3 -c m.f90
"$trueline" fc -O3 m.f90 p.f90 -o p
mkdir "$scratch/good"
mv ./*.o m.mod p "$scratch/good"
begin=$(date +%s%N)
"$trueline" fc -O3 m.f90 p.f90 -o p
takes=$((($(date +%s%N) - begin) / 1000))
rm -f ./*.o ./*.mod p
slowest=0 whole=0 absent=0
signals=(KILL TERM INT)
for k in $(seq "$kills"); do
    signal=${signals[k % 3]}
    for kind in object program; do
        rm -f m.o m.mod p
        case $kind in
            object) set -- -c m.f90 ;;
            *) set -- m.f90 p.f90 -o p ;;
        esac
        # A shell ignores SIGINT in what it starts in the background.
        env --default-signal=INT "$trueline" fc -O3 "$@" >/dev/null 2>&1 &
        child=$!
        sleep "$(awk -v k="$k" -v t="$takes" 'BEGIN { printf "%.6f", (k * 7919 % 1000) / 1000 * t / 1e6 }')"
        begin=$(date +%s%N)
        kill -"$signal" $child 2>/dev/null || true
        wait $child 2>/dev/null || true
        took=$((($(date +%s%N) - begin) / 1000000))
        [ "$signal" = KILL ] || [ "$took" -le "$slowest" ] || slowest=$took
        for file in m.o m.mod p; do
            if [ ! -e $file ]; then
                absent=$((absent + 1))
            elif cmp -s $file "$scratch/good/$file"; then
                whole=$((whole + 1))
            else
                fail "$file is partial after $signal"
            fi
        done
        left=$(ls -A . "$TMPDIR" | grep -c '^\.trueline' || true)
        [ "$signal" = KILL ] || [ "$left" = 0 ] || fail "$left files are left after $signal"
        "$trueline" fc next.f90 -o next || fail "the next compile"
        left=$(ls -A . "$TMPDIR" | grep -c '^\.trueline' || true)
        [ "$left" = 0 ] || fail "$left files are left after the next compile"
        rm -f next
    done
done
echo "$((kills * 2)) compiles ended early: $whole files whole, $absent absent; SIGTERM and SIGINT took at most $slowest ms"

mkdir "$scratch/race"
cd "$scratch/race"
printf 'module m\n integer, parameter :: n = 5\n real x(n)\nend module\n' >m.f90
printf 'subroutine r\n use m\n x = n\nend subroutine\n' >r.f90
"$trueline" fc -c m.f90
for k in $(seq "$rounds"); do
    jobs=()
    for j in 1 2 3 4; do
        "$trueline" fc -c m.f90 -o "m$j.o" 2>"w$j" &
        jobs+=($!)
        "$trueline" fc -c r.f90 -o "r$j.o" 2>"e$j" &
        jobs+=($!)
    done
    for job in "${jobs[@]}"; do wait "$job" || fail "round $k: $(cat w? e? | head -3)"; done
done
echo "$rounds rounds of 4 writers and 4 readers of one module; $wrong wrong in all"
[ "$wrong" = 0 ]

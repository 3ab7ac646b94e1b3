#!/usr/bin/env bash
# R18: ranks and threads neither race nor wait for ever.
#
# races.sh [ROUNDS [PROGRAMS]]: ROUNDS times, each (or the first PROGRAMS) program of tests/hpf/ranks runs with random delays at 32 ranks, many times the processors there are: its output is
# that of the serial program, within two minutes. Then the compiler compiles with 1, 3 and 16 threads, to the same bytes, and 64 threads of a C program
# at a time, 192 in all, call counted Fortran, without a count lost.
# `races.sh tsan [ROUNDS]` runs threads with the library under ThreadSanitizer (tsan.sh), `races.sh loom` the models of its protocols.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
case ${1:-} in
tsan) exec "$root/tests/promises/tsan.sh" "${@:2}" ;;
loom)
    cd "$root"
    RUSTFLAGS="--cfg loom" exec cargo test --release --locked -p trueline-runtime --target-dir target/loom --test loom -- --nocapture
    ;;
esac
trueline=${TRUELINE:-$root/target/release/trueline}
rounds=${1:-1} most=${2:-1000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
wrong=0 runs=0 programs=0 compiled=0
fail() {
    echo "WRONG $*"
    wrong=$((wrong + 1))
}
cd "$scratch"
for source in "$root"/tests/hpf/ranks/*.f90; do
    [ "$programs" -lt "$most" ] || break
    programs=$((programs + 1))
    name=$(basename "$source" .f90)
    mkdir serial
    "$trueline" build -O0 "$source" -o serial/p
    (cd serial && ./p >out 2>err </dev/null) || true
    for level in -O0 -O3; do "$trueline" build $level -fhpf "$source" -o ranks$level; done
    for _ in $(seq "$rounds"); do
        for level in -O0 -O3; do
            mkdir work
            # Stops and continues at random instants are the delays: a rank may be found anywhere.
            code=0
            (cd work && TRUELINE_NP=32 timeout 120 ../ranks$level >out 2>err </dev/null) &
            job=$!
            (
                while kill -0 $job 2>/dev/null; do
                    pids=$(pgrep -f "^../ranks$level" || true)
                    for pid in $(shuf -e $pids 2>/dev/null | head -3); do
                        kill -STOP "$pid" 2>/dev/null && sleep 0.00$((RANDOM % 9)) && kill -CONT "$pid" 2>/dev/null || true
                    done
                    sleep 0.0$((RANDOM % 3 + 1))
                done
            ) &
            wait $job || code=$?
            wait
            runs=$((runs + 1))
            [ $code != 124 ] || fail "$name $level waits for ever"
            cmp -s work/out serial/out || fail "$name $level: another output"
            rm -rf work
        done
    done
    rm -rf serial ranks-*
done
echo "$programs programs, $runs runs of 32 ranks with random delays"

for source in "$root"/tests/run/scalars/*.f90; do
    [ "$compiled" -lt "$most" ] || break
    compiled=$((compiled + 1))
    for threads in 1 3 16; do
        RAYON_NUM_THREADS=$threads "$trueline" build -c -O3 --profile "$source" -o $threads.o >/dev/null 2>&1 || continue 2
    done
    cmp -s 1.o 3.o && cmp -s 1.o 16.o || fail "$source: threads change the object"
done

# Threads of C call counted Fortran, many more than processors: each call and iteration is in the profile.
cat >work.f90 <<'END'
subroutine work(n, x)
  integer, intent(in) :: n
  real(8), intent(out) :: x
  integer :: i
  x = 0
  do i = 1, n
    if (mod(i, 3) == 0) call leaf(i, x)
  end do
end subroutine
END
cat >leaf.f90 <<'END'
subroutine leaf(k, x)
  integer, intent(in) :: k
  real(8), intent(inout) :: x
  x = x + sqrt(real(k, 8))
end subroutine
END
cat >main.c <<'END'
#include <pthread.h>
#include <sched.h>
void work_(int *, double *);
static void *run(void *p) {
    int n = 3000;
    double x;
    for (int i = 0; i < 10; i++) { work_(&n, &x); sched_yield(); }
    return 0;
}
int main(void) {
    pthread_t t[64];
    for (int r = 0; r < 3; r++) {
        for (int i = 0; i < 64; i++) pthread_create(&t[i], 0, run, 0);
        for (int i = 0; i < 64; i++) pthread_join(t[i], 0);
    }
    return 0;
}
END
cc -c main.c -o main.o
for file in work leaf; do "$trueline" build -c -O3 --profile $file.f90 -o $file.o; done
"$trueline" fc main.o work.o leaf.o -lpthread -o threads
for _ in $(seq "$rounds"); do
    TRUELINE_PROFILE_FILE=threads.json timeout 120 ./threads || fail "the threads end by $?"
    "$trueline" report --csv threads.json >threads.csv 2>/dev/null || "$trueline" report threads.json >threads.csv
    grep -q '1920000' threads.csv || fail "192 threads: not 1920000 calls of leaf: $(grep -i leaf threads.csv | head -3)"
done
echo "$wrong wrong"
[ "$wrong" = 0 ]

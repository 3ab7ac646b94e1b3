#!/usr/bin/env bash
# R18: the runtime library under ThreadSanitizer.
#
# tsan.sh [ROUNDS]: builds the library with ThreadSanitizer (unless TRUELINE_TSAN_BUILT=1 says that it has been), which needs the nightly
# toolchain with rust-src, and runs ROUNDS times 48 threads of C, 16 at a time, that call profiled and unprofiled Fortran: recursion, RANDOM_NUMBER, formatted, unformatted and internal input and output on units of
# their own and on one of all, allocation with -fcheck=pointer, and samples. Only
# the library is instrumented; code that trueline compiles is not: its counters are those of its thread, and a check of it would need
# another compiler. A control, in which two threads let the library write to one variable, has to be reported.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
trueline=${TRUELINE:-$root/target/release/trueline}
rounds=${1:-1}
target=x86_64-unknown-linux-gnu
build=$root/target/tsan
library=$(rustup run nightly rustc --print sysroot)/lib/rustlib/$target/lib/librustc-nightly_rt.tsan.a
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
wrong=0
fail() {
    echo "WRONG $*"
    wrong=$((wrong + 1))
}
build() {
    mkdir -p "$build/shim/src"
    cat >"$build/shim/Cargo.toml" <<END
[package]
name = "trueline-shim"
version = "0.0.0"
edition = "2024"
[workspace]
[lib]
crate-type = ["staticlib"]
[dependencies]
trueline-runtime = { path = "$root/runtime" }
[profile.release]
panic = "abort"
opt-level = 2
debug = "line-tables-only"
END
    echo 'pub use trueline_runtime::*;' >"$build/shim/src/lib.rs"
    cp "$root/Cargo.lock" "$build/shim/"
    RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer" cargo +nightly build --quiet --release -Zbuild-std=std,panic_abort --target $target \
        --manifest-path "$build/shim/Cargo.toml" --target-dir "$build/t"
}
archive=$build/t/$target/release/libtrueline_shim.a
[ "${TRUELINE_TSAN_BUILT:-}" = 1 ] || build

cd "$scratch"
cat >work.f90 <<'END'
subroutine work(me)
  integer, intent(in) :: me
  integer :: i
  real(8) :: x, h(1)
  x = 0
  do i = 1, 200
    call random_number(h)
    if (mod(i, 3) == 0) x = x + h(1) + me
  end do
  if (fib(12) /= 144) stop 3
contains
  recursive function fib(k) result(r)
    integer, intent(in) :: k
    integer :: r
    if (k < 2) then
      r = k
    else
      r = fib(k - 1) + fib(k - 2)
    end if
  end function
end subroutine
subroutine units(me)
  integer, intent(in) :: me
  integer :: i, u, k
  logical :: is
  character(40) :: text
  do i = 1, 5
    write (77, '(2i6)') me, i
    write (text, '(i6, f10.3, 1x, a)') i, real(i) / 3, 'x'
    read (text, *) k
    if (k /= i) stop 4
    open (newunit=u, status='scratch')
    write (u, *) i, me
    rewind (u)
    read (u, *) k
    if (k /= i) stop 5
    close (u)
    inquire (77, opened=is)
    if (.not. is) stop 6
  end do
end subroutine
subroutine memory(me)
  integer, intent(in) :: me
  integer, pointer :: p(:), q(:)
  integer :: i
  do i = 1, 20
    allocate (p(100 + me))
    q => p
    p = i
    q(2) = q(3) + 1
    deallocate (q)
  end do
end subroutine
subroutine put(text)
  character(8), intent(out) :: text
  write (text, '(i6)') 7
end subroutine
END
sed 's/subroutine work/subroutine plain/' work.f90 | sed '/^subroutine units/,$d' >plain.f90
cat >main.c <<'END'
#include <pthread.h>
void work_(int *);
void plain_(int *);
void units_(int *);
void memory_(int *);
static void *run(void *p) {
    int me = (int)(long)p;
    for (int i = 0; i < 4; i++) { work_(&me); plain_(&me); units_(&me); memory_(&me); }
    return 0;
}
int main(void) {
    pthread_t t[16];
    for (int r = 0; r < 3; r++) {
        for (long i = 0; i < 16; i++) pthread_create(&t[i], 0, run, (void *)i);
        for (int i = 0; i < 16; i++) pthread_join(t[i], 0);
    }
    return 0;
}
END
cat >control.c <<'END'
#include <pthread.h>
void put_(char *, long);
static char text[8];
static void *run(void *p) {
    for (int i = 0; i < 1000; i++) put_(text, 8);
    return p;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
END
# Reports that are no faults, each with its reason.
cat >suppressions <<'END'
END
link() {
    cc "$@" "$archive" -Wl,--whole-archive "$library" -Wl,--no-whole-archive -rdynamic -lm -lpthread -ldl -lrt -lgcc_s
}
"$trueline" build -c -O2 --profile -fcheck=pointer work.f90 -o work.o
"$trueline" build -c -O2 plain.f90 -o plain.o
for file in main control; do cc -g -fsanitize=thread -c $file.c -o $file.o; done
link main.o work.o plain.o -o threads
link control.o work.o -o control
export TSAN_OPTIONS="suppressions=$scratch/suppressions history_size=4 exitcode=66"
# ThreadSanitizer wants addresses where it expects them.
runs="timeout 300 setarch -R"
for round in $(seq "$rounds"); do
    rm -f fort.77
    code=0
    TRUELINE_PROFILE_FILE=threads.json $runs ./threads >out 2>err || code=$?
    [ $code = 0 ] || fail "round $round ends by $code: $(grep -m3 SUMMARY err || head -3 err)"
    [ "$(wc -l <fort.77)" = 960 ] || fail "round $round: $(wc -l <fort.77) of 960 records"
    "$trueline" report --csv threads.json >threads.csv
    # 48 threads, 4 times 465 calls of fib.
    grep -q '\b89280\b' threads.csv || fail "round $round: not 89280 calls: $(grep -i fib threads.csv | head -3)"
done
code=0
$runs ./control >out 2>control.err || code=$?
grep -q 'data race' control.err && [ $code = 66 ] || fail "the control is not reported: $code"
echo "$rounds rounds of 48 threads under ThreadSanitizer; $wrong wrong"
[ "$wrong" = 0 ]

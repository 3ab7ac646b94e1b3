#!/usr/bin/env bash
# R21: executables are hardened, and a stack overflow is a message with a place.
#
# hardened.sh [N]: builds the first N programs of tests/run (all without N) at -O3, every second one with a profile, and looks at the
# headers: position independent, relocations read-only at once, no segment that is writable and executable, no text relocations.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
trueline=${TRUELINE:-$root/target/release/trueline}
most=${1:-1000000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
total=0 wrong=0 skipped=0
cd "$scratch"
while read -r source; do
    [ "$total" -lt "$most" ] || break
    profile=
    [ $((total % 2)) = 0 ] || profile=--profile
    # Programs that only other options make right are no subject.
    if ! "$trueline" build -O3 $profile "$source" -o program >/dev/null 2>&1; then
        skipped=$((skipped + 1))
        continue
    fi
    total=$((total + 1))
    headers=$(readelf -hlWd program)
    why=
    grep -Eq 'Type: +DYN' <<<"$headers" || why+=" no-PIE"
    grep -q GNU_RELRO <<<"$headers" || why+=" no-RELRO"
    grep -Eq 'BIND_NOW|FLAGS_1.*NOW' <<<"$headers" || why+=" no-NOW"
    grep -q GNU_STACK <<<"$headers" || why+=" no-GNU_STACK"
    ! grep -q RWE <<<"$headers" || why+=" RWE"
    ! grep -q TEXTREL <<<"$headers" || why+=" TEXTREL"
    [ -z "$why" ] || { echo "WRONG ${source#"$root"/}:$why"; wrong=$((wrong + 1)); }
done < <(find "$root/tests/run" -name '*.f90' -o -name '*.f' | sort)

# A recursion of a billion levels, in the main thread and, called from C, in another one.
cat >deep.f90 <<'END'
recursive integer(8) function deep(n) result(r)
  integer(8), value :: n
  if (n == 0) then
    r = 0
  else
    r = 1 + deep(n - 1) * 2
  end if
end function
END
cat >main.f90 <<'END'
program p
  interface
    recursive integer(8) function deep(n)
      integer(8), value :: n
    end function
  end interface
  print *, deep(1000000000_8)
end program
END
cat >thread.c <<'END'
#include <pthread.h>
long deep_(long);
static void *run(void *p) { return (void *)deep_(1000000000L); }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
END
# The main thread has a stack for handlers; threads of other languages have none, so there only the check tells.
judge() {
    total=$((total + 1))
    local status=0
    ("./$1" >out 2>err) 2>/dev/null || status=$?
    if [ "$status" = 0 ] || ! grep -q deep err || ! grep -qi "$2" err; then
        echo "WRONG $1 $level: status $status, $(head -c 300 err)"
        wrong=$((wrong + 1))
    fi
}
for level in -O0 -O3; do
    "$trueline" build -c $level deep.f90 -o deep.o
    "$trueline" build -c $level main.f90 -o main.o
    "$trueline" fc main.o deep.o -o main
    judge main 'stack of [0-9]* KiB is full'
    "$trueline" build -c $level -fcheck=recursion deep.f90 -o deep.o
    "$trueline" fc main.o deep.o -o checked
    judge checked "deep.f90:[0-9]*.*stack overflow\|stack overflow in procedure 'deep'"
    cc -c thread.c -o thread.o
    "$trueline" fc thread.o deep.o -lpthread -o thread
    judge thread "stack overflow in procedure 'deep'"
done
echo "$total executables ($skipped sources need other options), $wrong wrong"
[ "$wrong" = 0 ]

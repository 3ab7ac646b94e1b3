#!/usr/bin/env bash
# R8: sums are the same bits however many ranks add them, at every level, and for every distribution.
#
# sums.sh [RUNS]: a program of six sums over distributed arrays is compiled at -O0 to -O3 for three distributions and for none, and run RUNS
# times with 1 to 16 ranks each; with 0 RUNS once at -O3 with 1, 3 and 16 ranks. All outputs, in hexadecimal, must be one. A loop of OpenMP of gfortran stands beside, where it
# is installed: the number of different results of as many runs.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
trueline=${TRUELINE:-$root/target/release/trueline}
runs=${1:-1}
levels=(-O0 -O1 -O2 -O3) numbers=$(seq 16)
if [ "$runs" = 0 ]; then
    runs=1 levels=(-O3) numbers='1 3 16'
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
program() {
    cat <<END
program sums
  implicit none
  integer, parameter :: n = 20011
  real(8) :: a(n), s, t
  real(4) :: b(n), u
  real(8) :: c(141, 141), v, w
  integer :: i, j
!HPF\$ PROCESSORS p(NUMBER_OF_PROCESSORS())
!HPF\$ DISTRIBUTE a($1) ONTO p
!HPF\$ DISTRIBUTE b($1) ONTO p
!HPF\$ DISTRIBUTE c(*, $1) ONTO p
  do i = 1, n
    a(i) = sin(real(i, 8)) * 10d0**mod(i, 17)
    b(i) = cos(real(i)) * 10.0**mod(i, 9)
  end do
  do j = 1, 141
    do i = 1, 141
      c(i, j) = sin(real(i * j, 8)) * 10d0**mod(i + j, 13)
    end do
  end do
  s = 0
  do i = 1, n
    s = s + a(i)
  end do
  u = 0
  do i = 1, n
    u = u + b(i) * b(i)
  end do
  v = 0
  do j = 1, 141
    do i = 1, 141
      v = v + c(i, j)
    end do
  end do
  t = sum(a)
  w = dot_product(a, a)
  print '(4(z16.16, 1x), z8.8, 1x, z16.16)', s, t, v, w, u, sum(c)
end program
END
}
total=0
for distribution in 'BLOCK' 'CYCLIC' 'CYCLIC(7)'; do
    program "$distribution" >sums.f90
    for level in "${levels[@]}"; do
        "$trueline" build $level -fhpf sums.f90 -o sums
        for ranks in $numbers; do
            for _ in $(seq "$runs"); do
                TRUELINE_NP=$ranks ./sums >>results
                total=$((total + 1))
            done
        done
        "$trueline" build $level sums.f90 -o serial
        ./serial >>results
        total=$((total + 1))
    done
done
distinct=$(sort -u results | wc -l)
echo "$total runs, with up to 16 ranks: $distinct different outputs"
if [ ${#levels[@]} = 4 ] && command -v gfortran >/dev/null; then
    cat >free.f90 <<'END'
program p
  integer, parameter :: n = 500000
  real(8) :: a(n), s
  do i = 1, n
    a(i) = sin(real(i, 8)) * 10d0**mod(i, 17)
  end do
  s = 0
!$omp parallel do reduction(+: s) schedule(dynamic, 100)
  do i = 1, n
    s = s + a(i)
  end do
  print '(z16.16)', s
end program
END
    gfortran -O2 -fopenmp free.f90 -o free
    for k in $(seq 60); do OMP_NUM_THREADS=$((1 + k % 8)) ./free; done >free.results
    echo "gfortran's OpenMP, 60 runs with 1 to 8 threads: $(sort -u free.results | wc -l) different outputs"
fi
[ "$distinct" = 1 ]

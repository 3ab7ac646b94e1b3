! Livermore 16, Monte Carlo search with computed jumps
! check 9.112000000000000E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 300
  integer :: zone(n), hits
  real(8) :: plan(n), d(n)
contains
  subroutine setup()
    call fill(plan, n)
    call fill(d, n)
    call fill_integers(zone, n, n - 1)
    zone = zone + 1
  end subroutine

  subroutine run()
    integer :: m, j, k
    real(8) :: r, s, t
    r = 0.3d0
    s = 0.5d0
    t = 0.7d0
    hits = 0
    do m = 1, n
      j = m
      do k = 1, 20
        if (plan(j) < t) goto 10
        if (plan(j) == t) goto 30
        if (d(j) < s) goto 20
        hits = hits + 3
        j = zone(j)
        cycle
    10  if (plan(j) - r) 11, 12, 13
    11  hits = hits + 1
        j = zone(j)
        cycle
    12  goto 30
    13  hits = hits + 2
    20  j = mod(j + zone(j), n) + 1
      end do
    30 continue
    end do
  end subroutine

  real(8) function check()
    check = hits
  end function
end module

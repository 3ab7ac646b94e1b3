! told at 12:7: 'x'
! flags: -fcheck=alias
program fault
  real :: a(4) = 1
  integer :: m, n
  m = 2
  n = 2
  call s(a(m), a(n))
contains
    subroutine s(x, y)
      real :: x, y
      x = 5
      print *, y
    end subroutine
end program

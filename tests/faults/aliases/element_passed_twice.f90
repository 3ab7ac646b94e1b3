! told at 13:16: 'y' is used, and 'x', which is the same storage, is defined at element_passed_twice.f90:12:7
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

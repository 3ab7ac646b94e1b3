! told at 13:16: 'y' is used, and 'x', which is the same storage, is defined at overlapping_sections.f90:12:7
! flags: -fcheck=alias
program fault
  real :: a(8) = 1
  integer :: n
  n = 3
  call s(a(1:4), a(n:n+3))
  print *, a
contains
    subroutine s(x, y)
      real :: x(:), y(:)
      x(3) = 5
      print *, y(1)
    end subroutine
end program

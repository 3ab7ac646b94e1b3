! told at 9:9: Index '4' of dimension 1 of array 'x' above upper bound of 3
program fault
  integer :: a(6) = 0
  call s(a, 3)
  print *, a
contains
    subroutine s(x, n)
      integer :: n, x(n)
      x(n + 1) = 1
    end subroutine
end program

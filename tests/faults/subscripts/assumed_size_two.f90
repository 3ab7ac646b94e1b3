! told at 9:12: Index '4' of dimension 2 of array 'x' above upper bound of 3
program fault
  integer :: a(2, 3) = 0
  call s(a, 4)
  print *, a
contains
    subroutine s(x, n)
      integer :: x(2, *), n
      x(1, n) = 1
    end subroutine
end program

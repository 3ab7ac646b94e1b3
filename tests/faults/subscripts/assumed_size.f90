! told at 9:9: Index '7' of dimension 1 of array 'x' above upper bound of 6
program fault
  integer :: a(6) = 0
  call s(a, 7)
  print *, a
contains
    subroutine s(x, n)
      integer :: x(*), n
      x(n) = 1
    end subroutine
end program

! told at 9:9: Index '0' of dimension 1 of array 'x' below lower bound of 1
program fault
  integer :: a(6) = 0
  call s(a, 0)
  print *, a
contains
    subroutine s(x, n)
      integer :: x(*), n
      x(n) = 1
    end subroutine
end program

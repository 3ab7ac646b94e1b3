! told at 5:12: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3) = 0, n
  n = 4
  call s(a(n))
  print *, a
contains
    subroutine s(x)
      integer :: x
      x = 1
    end subroutine
end program

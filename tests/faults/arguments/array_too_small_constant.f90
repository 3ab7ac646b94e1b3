! told at 4:10: has 6 elements, but 4 are passed
program fault
  integer :: a(4) = 0
  call s(a)
  print *, a
contains
    subroutine s(x)
      integer :: x(6)
      x = 1
    end subroutine
end program

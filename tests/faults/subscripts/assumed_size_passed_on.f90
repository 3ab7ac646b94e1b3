! told at 14:9: Index '7' of dimension 1 of array 'y' above upper bound of 6
program fault
  integer :: a(6) = 0
  call s(a)
  print *, a
contains
    subroutine s(x)
      integer :: x(*)
      call t(x, 7)
    end subroutine
    subroutine t(y, n)
      integer :: y(*)
      integer, intent(in) :: n
      y(n) = 1
    end subroutine
end program

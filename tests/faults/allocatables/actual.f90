! told at 4:10: Allocatable actual argument 'a' is not allocated
program fault
  integer, allocatable :: a(:)
  call s(a)
contains
    subroutine s(x)
      integer :: x(:)
      print *, x
    end subroutine
end program

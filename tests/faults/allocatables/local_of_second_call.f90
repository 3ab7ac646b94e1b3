! told at 10:7: Allocatable variable 'a' is not allocated
program fault
  call s(1)
  call s(2)
contains
    subroutine s(n)
      integer, intent(in) :: n
      integer, allocatable :: a(:)
      if (n == 1) allocate (a(3))
      a(n) = n
    end subroutine
end program

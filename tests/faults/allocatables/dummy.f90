! told at 10:7: Allocatable variable 'a' is not allocated
program fault
  real, allocatable :: a(:)
  call s(a)
contains
    subroutine s(a)
      real, allocatable, intent(inout) :: a(:)
      integer :: k
      k = 2
      a(k) = 1
    end subroutine
end program

! told at 9:12: Allocatable variable 'a' is not allocated
program fault
  real, allocatable :: a(:)
  integer :: k
  k = 1
  allocate (a(3))
  a = 1
  call s(a)
  print *, a(k)
contains
    subroutine s(a)
      real, allocatable, intent(out) :: a(:)
      if (k > 1) allocate (a(2))
    end subroutine
end program

! told at 8:9: Index '1' of dimension 1 of array 'a' above upper bound of 0
program fault
  call s(0)
contains
    subroutine s(n)
      integer, intent(in) :: n
      real :: a(n)
      a(n + 1) = 2
    end subroutine
end program

! told at 8:9: Index '4' of dimension 1 of array 'a' above upper bound of 3
program fault
  integer :: a(3) = 1
  call s(4)
contains
    subroutine s(n)
      integer, intent(in) :: n
      a(n) = 2
    end subroutine
end program

! told at 9:9: Index '4' of dimension 1 of array 'w' above upper bound of 3
program fault
  call s(3)
contains
    subroutine s(n)
      integer, intent(in) :: n
      real :: w(n)
      w = 0
      w(n + 1) = 1
      print *, w
    end subroutine
end program

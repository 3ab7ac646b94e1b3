! told at 9:20: Substring out of bounds: upper bound (9) of 's' exceeds string length (8)
program fault
  call s1('abcdefgh')
contains
    subroutine s1(s)
      character(len=*), intent(in) :: s
      integer :: n
      n = len(s) + 1
      print *, s(n:n)
    end subroutine
end program

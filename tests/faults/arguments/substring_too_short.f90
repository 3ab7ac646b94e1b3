! told at 6:10: Actual string length is shorter than the declared one for dummy argument 'c' (2/3)
program fault
  character(len=8) :: c = 'abcdefgh'
  integer :: n
  n = 2
  call s(c(1:n))
contains
    subroutine s(c)
      character(len=3) :: c
      print *, c
    end subroutine
end program

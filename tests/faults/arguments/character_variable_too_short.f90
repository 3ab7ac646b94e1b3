! told at 5:10: Actual string length is shorter than the declared one for dummy argument 'c' (3/5)
program fault
  character(len=3) :: c
  c = 'abc'
  call s(c)
contains
    subroutine s(c)
      character(len=5) :: c
      print *, c
    end subroutine
end program

! told at 5:10: The argument 'x' has 16 characters, but 12 are passed
program fault
  character(4) :: c(3)
  c = 'abcd'
  call s(c)
contains
  subroutine s(x)
    character(8) :: x(2)
    x(2) = 'xxxxxxxx'
  end subroutine
end program

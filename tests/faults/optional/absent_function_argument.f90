! told at 6:26: Optional argument 'code' is not present
module m
contains
  character(5) function name(code)
    integer, optional, intent(in) :: code
    write (name, '(I5)') code
  end function
end module
program fault
  use m
  print *, name()
end program

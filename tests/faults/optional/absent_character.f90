! told at 7:16: Optional argument 'x' is not present
program fault
  call s
contains
    subroutine s(x)
      character(*), optional :: x
      print *, x
    end subroutine
end program

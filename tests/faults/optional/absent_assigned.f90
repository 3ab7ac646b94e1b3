! told at 7:7: Optional argument 'x' is not present
program fault
  call s
contains
    subroutine s(x)
      integer, optional :: x
      x = 1
    end subroutine
end program

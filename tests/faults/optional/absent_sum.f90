! told at 7:20: Optional argument 'x' is not present
program fault
  call s
contains
    subroutine s(x)
      real, optional :: x(:)
      print *, sum(x)
    end subroutine
end program

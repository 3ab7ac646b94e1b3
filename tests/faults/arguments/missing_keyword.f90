! told at 3:8: The argument 'n' of 's' is missing
program fault
  call s(1)
contains
    subroutine s(m, n)
      integer :: m, n
      print *, m, n
    end subroutine
end program

! told at 4:10: The argument 'k' of 's' is INTEGER(4), but REAL(4) is passed
program fault
  real :: x = 1
  call s(x)
contains
    subroutine s(k)
      integer :: k
      print *, k
    end subroutine
end program

! told at 6:14: The argument 'k' of 's' is INTEGER(4), but REAL(8) is passed
module m
contains
    subroutine work(x)
      double precision :: x
      call s(x)
    end subroutine
end module
program fault
  use m
  double precision :: y = 1
  call work(y)
end program

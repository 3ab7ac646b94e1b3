! told at 4:10: The argument 'k' of 's' is INTEGER(4), but INTEGER(8) is passed
program fault
  integer(8) :: k = 1
  call s(k)
contains
    subroutine s(k)
      integer :: k
      print *, k
    end subroutine
end program

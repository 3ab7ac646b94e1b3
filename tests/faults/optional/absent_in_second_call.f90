! told at 9:20: Optional argument 'n' is not present
program fault
  call s(1, 2)
  call s(1)
contains
    subroutine s(m, n)
      integer, intent(in) :: m
      integer, intent(in), optional :: n
      print *, m + n
    end subroutine
end program

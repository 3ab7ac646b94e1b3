! told at 6:10: Actual argument contains too few elements for dummy argument 'c' (2/3)
program fault
  character(4) :: a(2) = 'abcd'
  integer :: n
  n = 3
  call s(a, n)
contains
    subroutine s(c, n)
      integer, intent(in) :: n
      character(4) :: c(n)
      print *, c
    end subroutine
end program

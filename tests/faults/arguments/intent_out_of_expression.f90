! told at 4:10: The argument 'k' is changed, but what is passed is not a variable
program fault
  integer :: n = 1
  call s(n + 1)
contains
    subroutine s(k)
      integer, intent(out) :: k
      k = 2
    end subroutine
end program

! told at 3:10: The argument 'k' is changed, but what is passed is not a variable
program fault
  call s(1)
contains
    subroutine s(k)
      integer, intent(out) :: k
      k = 2
    end subroutine
end program

! told at 7:7: INTENT(IN)
program fault
  call s(1)
contains
    subroutine s(k)
      integer, intent(in) :: k
      k = 2
    end subroutine
end program

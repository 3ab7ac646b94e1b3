! told at 7:14: INTENT(IN)
program fault
  call s(1)
contains
    subroutine s(k)
      integer, intent(in) :: k
      call t(k)
    end subroutine
    subroutine t(k)
      integer, intent(out) :: k
      k = 2
    end subroutine
end program

! told at 7:14: Dummy argument 'k' is associated with a constant or expression
program fault
  call t(7)
contains
    subroutine t(k)
      integer :: k
      call s(k)
    end subroutine
    subroutine s(n)
      integer, intent(inout) :: n
      n = n + 1
    end subroutine
end program

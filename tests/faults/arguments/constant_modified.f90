! told at 11:7: Dummy argument 'k' is associated with a constant or expression
program fault
  call t(1)
contains
    subroutine t(j)
      integer :: j
      call s(j)
    end subroutine
    subroutine s(k)
      integer :: k
      k = 2
    end subroutine
end program

! told at 9:7: Dummy argument 'k' is associated with a constant or expression
program fault
  integer :: n
  n = 3
  call s(n + 1)
contains
    subroutine s(k)
      integer :: k
      k = 2
    end subroutine
end program

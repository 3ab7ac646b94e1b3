! told at 8:7: Optional argument 'x' is not present
program fault
  call s(2)
contains
    subroutine s(k, x)
      integer :: k
      real, optional :: x(4)
      x(k) = 2
    end subroutine
end program

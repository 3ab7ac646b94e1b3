! told at 8:7: Optional argument 'x' is not present
program fault
  call s(2)
contains
    subroutine s(k, x)
      integer, intent(in) :: k
      real, optional :: x(:)
      x(k) = 1
    end subroutine
end program

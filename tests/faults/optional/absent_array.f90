! told at 8:16: Optional argument 'x' is not present
program fault
  call s(2)
contains
    subroutine s(k, x)
      integer :: k
      real, optional :: x(:)
      print *, x(k)
    end subroutine
end program

! told at 4:18: The argument 'a' of 's' is an array of rank 1, but an array of rank 1 without bounds of its own is declared
program fault
  interface
    subroutine s(a)
      real :: a(:)
    end subroutine
  end interface
  real :: b(4) = 1
  call s(b)
end program

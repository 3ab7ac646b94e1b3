! told at 4:18: The argument 'n' of 's' is INTEGER(8), but INTEGER(4) is declared
program fault
  interface
    subroutine s(n)
      integer :: n
    end subroutine
  end interface
  integer :: k = 1
  call s(k)
end program

! told at 4:16: 's' is declared with 1 argument(s), but has 2
program fault
  interface
    subroutine s(n)
      integer :: n
    end subroutine
  end interface
  call s(1)
end program

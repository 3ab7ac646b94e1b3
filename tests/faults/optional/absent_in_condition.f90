! told at 7:11: Optional argument 'n' is not present
program fault
  call s
contains
    subroutine s(n)
      integer, intent(in), optional :: n
      if (n > 2) print *, 'large'
    end subroutine
end program

! told at 9:19: Actual string length does not match the declared one for dummy argument 'rows' (9/6)
program fault
  call table(9)
contains
    subroutine table(n)
      integer :: n
      character(n) :: lines(3)
      lines = 'a line'
      call titled(lines)
    end subroutine
    subroutine titled(rows)
      character(6) :: rows(:)
      print *, rows
    end subroutine
end program

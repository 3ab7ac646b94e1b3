! told at 8:21: Actual string length does not match the declared one for dummy argument 'rows' (2/3)
program fault
  character(2) :: pairs(4) = 'ab'
  integer :: n
  n = 3
  call show(pairs, n)
contains
    subroutine show(rows, n)
      integer :: n
      ! The elements are to have as many characters as the caller says.
      character(n) :: rows(:)
      print *, rows
    end subroutine
end program

! told at 8:13: Index '0' of dimension 1 of array 'a' below lower bound of 1
program fault
  integer :: a(3) = 1
  print *, total(3)
contains
    recursive integer function total(n) result(r)
      integer, intent(in) :: n
      r = a(n) + total(n - 1)
    end function
end program

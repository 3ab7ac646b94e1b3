! told at 4:14: Index '6' of dimension 1 of array 'a' above upper bound of 5
program fault
  integer :: a(5) = 1
  print *, a(f(3))
contains
    integer function f(n)
      integer, intent(in) :: n
      f = 2*n
    end function
end program

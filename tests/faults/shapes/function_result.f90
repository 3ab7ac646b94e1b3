! told at 5:3: Array bound mismatch for dimension 1 of array 'a' (3/4)
program fault
  integer :: a(3), n
  n = 4
  a = f(n)
  print *, a
contains
    function f(n)
      integer, intent(in) :: n
      integer :: f(n)
      f = 1
    end function
end program

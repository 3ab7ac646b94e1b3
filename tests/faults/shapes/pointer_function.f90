! told at 5:3: Array bound mismatch for dimension 1 of array 'a' (3/4)
program fault
  integer :: n, a(3)
  n = 4
  a = f(n)
  print *, a
contains
    function f(n)
      integer :: n, f(n)
      f = n
    end function
end program

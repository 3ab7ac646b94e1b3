! told at 8:16: Index '3' of dimension 1 of array 'b' above upper bound of 2
program fault
  integer :: n
  n = 2
  block
    integer :: b(n)
    b = 1
    print *, b(n + 1)
  end block
end program

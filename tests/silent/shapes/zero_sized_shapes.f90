! Arrays without elements have shapes, too.
program right
  integer :: n
  real :: a(0), b(5)
  real, allocatable :: c(:)
  n = 0
  b = 1
  a = b(1:n)
  a = b(5:4)
  allocate (c(0))
  c = a + c
  b(3:2) = a
  print *, sum(a), size(c), sum(b(n + 1:n))
end program

! Formats in arrays of numbers, as FORTRAN 66 programs have them, also from an element on, and assigned ones.
program p
  integer :: f(3), g(2,2)
  real :: r(2)
  integer, allocatable :: c(:,:)
  character(len=10) :: s
  integer :: lab
  f(1) = 4h(i5,
  f(2) = 4ha3)
  f(3) = 4h    
  write (s, f) 12, 'abc'
  print *, s
  g(1,2) = 4h(A4)
  g(2,2) = 4h    
  write (s, g(1,2)) 'Hello'
  print *, s
  r(2) = 4h(A5)
  write (s, r(2)) 'Hello'
  print *, s
  allocate (c(1,2))
  c(1,1) = 4H(A4)
  c(1,2) = 4H(A5)
  write (s, c(1,2)) 'Hello'
  print *, s
  assign 10 to lab
  write (s, lab) 77
  print *, s
10 format (i4)
end

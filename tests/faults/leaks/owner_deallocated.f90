! told at 9:13: Memory of pointer 'm%x' is never deallocated: 24 bytes in 1 allocation
! flags: -fcheck=leaks
program fault
  type matrix
    real, pointer :: x(:, :)
  end type
  type(matrix), pointer :: m
  allocate (m)
  allocate (m%x(2, 3))
  m%x = 1
  print *, sum(m%x)
  deallocate (m)
end program

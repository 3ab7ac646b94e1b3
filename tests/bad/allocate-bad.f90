! ALLOCATE and DEALLOCATE of what is not allocatable, or in the wrong shape.
program allocate_bad
  implicit none
  integer, allocatable :: a(:), b(:, :)
  integer :: c(3), i
  allocate (c(4))
  allocate (i)
  allocate (a(2, 3))
  allocate (b(4))
  allocate (a)
  allocate (a(1.5))
  allocate (a('x'))
  deallocate (c)
  deallocate (a(3))
  allocate (a(3), stat=a)
  print *, allocated(c)
end program

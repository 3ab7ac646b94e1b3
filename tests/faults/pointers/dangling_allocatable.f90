! told at 13:14, where i = 1: Dangling pointer 'q': its target was deallocated at dangling_allocatable.f90:9
program fault
  real, allocatable, target :: a(:)
  real, pointer :: q
  integer :: i
  allocate (a(100))
  a = 1
  q => a(7)
  deallocate (a)
  allocate (a(100))
  a = 2
  do i = 1, 3
    print *, q + i
  end do
end program

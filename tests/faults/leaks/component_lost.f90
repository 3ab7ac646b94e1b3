! told at 8:13: Memory of pointer 'h%x' is never deallocated: 40 bytes in 1 allocation
! flags: -fcheck=leaks
program fault
  type holder
    real, pointer :: x(:) => null()
  end type
  type(holder) :: h(2)
  allocate (h(1)%x(10), h(2)%x(20))
  deallocate (h(2)%x)
  print *, size(h(1)%x)
  h(1) = holder()
end program

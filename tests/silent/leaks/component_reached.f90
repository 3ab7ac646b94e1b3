program right
  type holder
    real, pointer :: x(:) => null()
  end type
  type(holder) :: h(2)
  allocate (h(1)%x(10), h(2)%x(20))
  deallocate (h(2)%x)
  print *, size(h(1)%x)
end program

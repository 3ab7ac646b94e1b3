program right
  type holder
    real, allocatable :: x(:)
  end type
  type(holder), allocatable :: h(:)
  real, allocatable, target, save :: kept(:)
  real, pointer :: p(:)
  allocate (h(3))
  allocate (h(2)%x(4))
  h(2)%x = 1
  allocate (kept(7))
  kept = 2
  p => kept
  print *, size(h(2)%x), sum(p)
end program

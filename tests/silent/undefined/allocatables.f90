program right
  integer, allocatable :: k(:), m(:), grid(:, :)
  integer :: i
  allocate (k(3))
  do i = 1, 3
    k(i) = i
  end do
  print *, k
  k = [k, 4]
  k(4) = 5
  print *, k
  call move_alloc(k, m)
  print *, m
  allocate (k(2), source=[8, 9])
  print *, k
  deallocate (k)
  call make(k, 6)
  print *, k
  allocate (grid(2, 2))
  grid(:, 1) = 1
  grid(:, 2) = 2
  print *, grid
  deallocate (m)
  allocate (m(-1:1))
  m = 0
  m(0) = m(-1) + 1
  print *, m
contains
  subroutine make(x, n)
    integer, allocatable, intent(out) :: x(:)
    integer, intent(in) :: n
    allocate (x(n))
    x = n
  end subroutine
end program

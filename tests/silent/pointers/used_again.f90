program right
  real, pointer :: p(:), q(:)
  integer :: i
  do i = 1, 2000
    allocate (p(mod(i, 50) + 1))
    p = i
    q => p
    if (q(size(q)) /= i) stop 1
    deallocate (q)
    nullify (p)
  end do
  print *, associated(p)
end program

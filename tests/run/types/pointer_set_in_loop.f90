! A pointer is set anew at the end of each iteration: what is stored through it before goes where it pointed then.
program p
  implicit none
  real(8), target :: r(0:4)
  real(8), pointer :: q(:), old(:)
  integer :: k, f
  r = [1d0, 2d0, 3d0, 4d0, 5d0]
  allocate(q(4))
  q = 2
  old => q
  do k = 4, 2, -1
    do f = 1, 4
      q(f) = f + 10*k
    end do
    q => r(3:0:-1)
    print *, size(q)
  end do
  print *, r
  print *, old
  deallocate(old)
end program

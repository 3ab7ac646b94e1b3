! An actual array seen with another rank and shape by the callee.
program proc_reshape_argument
  implicit none
  double precision :: v(12)
  integer :: i
  do i = 1, 12
    v(i) = i
  end do
  call rows(v, 3, 4)
  call rows(v(3), 2, 5)
  call cube(v)
  print *, v
end program
subroutine rows(m, r, c)
  implicit none
  integer, intent(in) :: r, c
  double precision, intent(in) :: m(r, c)
  integer :: i
  do i = 1, r
    print *, sum(m(i, :)), m(i, c)
  end do
end subroutine
subroutine cube(t)
  implicit none
  double precision, intent(inout) :: t(2, 3, 2)
  t(2, :, 1) = -t(2, :, 1)
  t(1, 3, 2) = 0.0d0
end subroutine

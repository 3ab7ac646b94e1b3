! Whole and section assignment between allocated arrays of the same shape.
program allocatable_assign
  implicit none
  double precision, allocatable :: a(:), b(:)
  integer :: i
  allocate (a(6), b(6))
  do i = 1, 6
    a(i) = i
  end do
  b = a * 2.0d0
  a(2:5) = b(1:4)
  print *, a
  b(1:6:2) = a(6:2:-2)
  print *, b
  call change(a, 6)
  print *, a
contains
  subroutine change(v, n)
    integer, intent(in) :: n
    double precision, intent(inout) :: v(n)
    v = v + b
  end subroutine change
end program

! told at 7:12: 'x' is used, and 'y', which is the same storage, is defined at sequence_association.f90:7:5
! flags: -fcheck=alias
subroutine move(n, x, y)
  integer :: n, i
  real :: x(*), y(*)
  do i = 1, n
    y(i) = x(i)
  end do
end subroutine
program fault
  real :: a(10)
  a = 1
  call move(5, a(1), a(3))
  print *, a
end program

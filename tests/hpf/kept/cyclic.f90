! The COMMON block with another distribution.
subroutine cyclic
  implicit none
  real(8) :: a(40), b(40), s
  common /field/ a, b, s
!HPF$ DISTRIBUTE (CYCLIC) :: a, b
  integer :: i
  do i = 2, 40
    b(i) = b(i) + a(i - 1)
  end do
  call owners
  do i = 2, 40
    a(i) = b(i) - a(i) / s
  end do
end subroutine

! Not compiled for ranks.
subroutine foreign
  implicit none
  real(8) :: a(40), b(40), s
  common /field/ a, b, s
  integer :: i
  do i = 2, 40
    a(i) = a(i) + a(i - 1) / 2 + b(i)
  end do
  call owners
  b(1) = a(40) + a(1)
end subroutine

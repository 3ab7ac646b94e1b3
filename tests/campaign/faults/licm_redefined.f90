! --passes=unroll,interchange at m, discharged
subroutine k27()
  implicit none
  integer :: n1, i, j
  double precision :: a0(7, 5)
  common /opaque/ n1
  do i = n1, 2, (-1)
    do j = 2, i
      a0(1, modulo(i, 5) + 1) = 1.0d0
    end do
  end do
  call show_r8(8, a0, 35)
end subroutine

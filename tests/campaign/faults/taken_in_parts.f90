! -O3 at l, discharged
subroutine k1()
  implicit none
  integer :: n1, n2, n3, n4, n5, n6, n7, n8, i, j, k
  real :: a3(-3:11), a5(-3:11)
  character(4) :: c1
  common /opaque/ n1, n2, n3, n4, n5, n6, n7, n8
  call fill_r4(a3, 15, 3)
  call fill_r4(a5, 15, 8)
  c1 = 'dab'
  do i = 0, n6, 3
    do j = n8 + 2, 0, (-3)
      a3(j + 1) = a5(i + 2) + a5(j)
      do k = i - 1, 2, (-1)
        if (c1 >= achar(modulo(k - j, 5) + 97)) cycle
      end do
    end do
  end do
  call show_r4(11, a3, 15)
end subroutine

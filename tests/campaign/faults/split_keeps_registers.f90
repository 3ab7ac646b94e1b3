! --passes=dce,distribute at l, discharged
subroutine k1()
  implicit none
  integer :: ix(8), i2, i, j, k, l
  double precision :: a1(7, 0:8)
  logical :: a4(-1:9, -1:8)
  a1 = 1.0d0
  a4 = .false.
  ix = 3
  i2 = 2
  do i = 1, 4
    select case (modulo(i, 2))
    case (1)
      do j = 1, 1
        do k = 6, 2, -1
          i2 = ix(j)
          do l = 1, 7
            a4(1, k) = 0.3d0 < a1(1, l)
          end do
        end do
      end do
    case default
      do k = 1, i2
      end do
    end select
  end do
  call show_l4(12, a4, 110)
end subroutine

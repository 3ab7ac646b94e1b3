! -O3 at l, discharged
subroutine k1()
  implicit none
  integer :: n1, j, k, l
  double precision :: a0(9, 7)
  logical :: a2(-3:6, 7)
  common /opaque/ n1
  do j = 0, 1
    do k = 1, 2
      do l = 1, n1
        if (k < 1) then
          a0(l, 2) = 1.0d0
        else
          a2(1, 1) = .true.
        end if
      end do
    end do
  end do
  call show_r8(8, a0, 63)
end subroutine

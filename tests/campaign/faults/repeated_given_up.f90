! -O2 at l, discharged
subroutine k()
  implicit none
  integer :: n1, n2, n3, n4, n5, n6, n7, n8
  integer :: i, j, k1, l, m
  double precision :: a0(0:16), a1(0:16), a2(0:16), x1, x2, x3, u2
  common /opaque/ n1, n2, n3, n4, n5, n6, n7, n8
  equivalence (a2(1), a0(0))
  do i = n5, 0
    if (1.0d0 > u2) goto 110
    a2(1) = 1.0d0
110 continue
    do j = 6, n8
      do k1 = 0, j
        x3 = a2(1)
        do l = 1, j
          do m = 1, n2
            x1 = min(a1(m), a0(1))
          end do
        end do
      end do
    end do
  end do
  x2 = x3
  do i = 4, 7
    x1 = l + x2
  end do
  a2(1) = x1
end subroutine

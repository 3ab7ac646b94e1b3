! --passes=licm at l, discharged
subroutine k342()
  implicit none
  integer :: n1, n2, n3, n4, n5, j, k, l
  double precision :: a0(-1:12), a1(-1:12), cs
  common /c342/ a0, a1, cs
  common /opaque/ n1, n2, n3, n4, n5
  a1(2) = 1.0d0
  do while (j < 6)
    j = j + 1
    do k = 6, 0, n5
      do l = 1, 1
        a1(1) = cs
      end do
      do l = 1, k + 1
        cs = a1(l + 1)
      end do
    end do
  end do
  call show_r8(9, a1, 14)
end subroutine

! --passes=unswitch at m
subroutine k7()
  implicit none
  integer :: n1, n2, n3, n4, n5, n6, i, l
  common /opaque/ n1, n2, n3, n4, n5, n6
  do i = n6, n1, (-3)
    do l = 1, i
      if (l == 8) goto 110
    end do
110 continue
  end do
  call put_i4(25, l)
end subroutine

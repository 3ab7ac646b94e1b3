! --passes=inline,vectorize,cse,dce at l, discharged, in 64 bytes
subroutine k1()
  implicit none
  integer :: i1, i
  double precision :: a0(15), a1(15), a3(15)
  common /c1/ a0, a1
  do i = 4, 8
    call p1_0(a3, a1, i1)
  end do
end subroutine
subroutine p1_0(d0, d1, j1)
  implicit none
  integer :: j1, n1, n2, n3, n4, n5, n6, i
  double precision :: d0(15), d1(15)
  common /opaque/ n1, n2, n3, n4, n5, n6
  do i = n6, 1
    if (i /= n6) then
    end if
  end do
end subroutine

! --passes=licm,dce at l, discharged
subroutine k1()
  implicit none
  double precision :: a(9)
  a = 1.0d0
  call p1(3, a)
end subroutine
subroutine p1(n, d)
  implicit none
  integer :: n, i
  double precision :: d(n, n)
  do i = 1, 2
    if (d(1, 2) < 1.0d0) then
    end if
  end do
end subroutine

! --passes=licm,vectorize at h
subroutine k1()
  implicit none
  type t
    double precision, allocatable :: w(:)
  end type
  type(t), save :: x(2)
  integer :: i, j, k
  double precision :: r(40)
  allocate (x(1)%w(40))
  do i = 1, 40
    x(1)%w(i) = i * 0.5d0
  end do
  j = 1
  k = 1
  do i = 2, 33
    x(j)%w(i) = x(k)%w(i - 1) + 3.0d0
  end do
  do i = 1, 40
    r(i) = x(1)%w(i)
  end do
  call show_r8(1, r, 40)
end subroutine

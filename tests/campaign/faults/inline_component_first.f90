! --passes=inline at h
subroutine k1()
  implicit none
  type pair
    double precision :: x, y(2)
  end type
  integer :: n1, n2, i
  type(pair), save :: p(3)
  double precision :: r(3)
  common /opaque/ n1, n2
  do i = 1, 3
    p(i)%x = i
    p(i)%y(1) = n1 + i
    p(i)%y(2) = n2 * i
  end do
  do i = 1, 3
    r(i) = sum_of(p(i))
  end do
  call show_r8(1, r, 3)
contains
  double precision function sum_of(a)
    type(pair), intent(in) :: a
    sum_of = a%x + a%y(2) - a%y(1)
  end function
end subroutine

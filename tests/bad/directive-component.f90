! Components and constants where a directive needs a variable or template.
program directive_component
  implicit none
  type t
    real :: x, y(10)
  end type
  type(t) :: s
  real :: b(10)
  integer :: i
!HPF$ on home(s%y(1))
  b(2) = 1
!HPF$ independent, reduction(s%x)
  do i = 1, 10
    s%x = s%x + b(i)
  end do
!HPF$ on home(b(1))
  b(2) = 1
end program

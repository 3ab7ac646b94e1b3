! TYPE(*) where it cannot be, and what cannot be done with it
subroutine wrong(a, b, c, d, e)
  implicit none
  type(*) :: a
  type(*), allocatable :: b
  type(*), intent(out) :: c
  type(*) :: d(*)
  type(*) :: e(10)
  type(*) :: local
  integer :: i
  i = a
  d(1) = 5
  print *, a
  call other(a)
  call typed(a)
contains
  subroutine other(x)
    type(*), intent(in) :: x
  end subroutine
  subroutine typed(x)
    integer, intent(in) :: x
  end subroutine
end subroutine

subroutine arms(d, n, a)
  implicit none
  integer, intent(in) :: n, d(n)
  integer(8), intent(inout) :: a
  integer :: i
  do i = 1, n
    if (d(i) < 85) then
      a = a + i
    else if (d(i) < 170) then
      a = ieor(a, int(i, 8))
    else
      a = a - i
    end if
  end do
end subroutine

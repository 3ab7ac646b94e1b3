recursive subroutine step(i)
  implicit none
  integer, intent(in) :: i
  integer :: k
  do k = 1, 3
    call leaf(i, k)
  end do
  if (mod(i, 64) == -1) call step(i + 1)
end subroutine

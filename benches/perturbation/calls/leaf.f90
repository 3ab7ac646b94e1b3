recursive subroutine leaf(i, k)
  implicit none
  integer, intent(in) :: i, k
  real(8) :: s
  common /sums/ s
  s = s + 1d0 / (i + k)
  if (i < 0) call leaf(i + 1, k)
end subroutine

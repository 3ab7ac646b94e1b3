! told at 5:17: DO step value is zero
program fault
  integer :: i, s
  s = 0
  do i = 1, 10, step(3)
    s = s + i
  end do
  print *, s
contains
  integer function step(k)
    integer, intent(in) :: k
    step = (k - 3) / 2
  end function
end program

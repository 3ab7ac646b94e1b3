! told at 14:13, where i = 2: Variable 'a' is used before it has a value: element (2)
! flags: -fcheck=undefined
program fault
  real :: a(5), t
  integer :: i, k, m
  m = 0
  do k = 1, m
    do i = 2, 5
      a(i) = i
    end do
  end do
  t = 0
  do i = 2, 5
    t = t + a(i)
  end do
  print *, t
end program

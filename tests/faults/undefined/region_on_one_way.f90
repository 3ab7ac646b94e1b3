! told at 15:13, where i = 2: Variable 'a' is used before it has a value: element (2)
! flags: -fcheck=undefined
program fault
  integer, parameter :: n = 5
  real :: a(n), t
  integer :: i, k
  k = 2
  if (k > 3) then
    do i = 2, n
      a(i) = i
    end do
  end if
  t = 0
  do i = 2, n
    t = t + a(i)
  end do
  print *, t
end program

! told at 6:16, where i = 1: Variable 'most' is used before it has a value
! flags: -fcheck=undefined
program fault
  integer :: a(3) = [1, 2, 3], most, i
  do i = 1, 3
    if (a(i) > most) most = a(i)
  end do
  print *, most
end program

! told at 7:9, where i = 1: Integer overflow
! flags: -fcheck=overflow
program fault
  integer :: i, n
  n = huge(n)
  do i = 1, 3
    n = n + i
  end do
  print *, n
end program

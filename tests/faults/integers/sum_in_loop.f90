! told at 7:9, where i = 31: Integer overflow: 1073741824 + 1073741824
! flags: -fcheck=overflow
program fault
  integer :: n, i
  n = 1
  do i = 1, 40
    n = n + n
    if (i == 31) n = 1073741824
  end do
  print *, n
end program

! told at 7:12, where i = 128: Value out of range in the conversion to INTEGER(1): 128
! flags: -fcheck=overflow
program fault
  integer :: i
  integer(1) :: k(200)
  do i = 1, 200
    k(i) = i
  end do
  print *, k
end program

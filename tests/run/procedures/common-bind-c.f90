! BIND(C) of COMMON blocks, by the name given and by its own.
module m
  use iso_c_binding
  implicit none
  integer(c_int) :: i, j
  common /com/ i, j
  bind(c, name='my_com') :: /com/
  real(c_float) :: r
  common /com2/ r
  bind(c) :: /com2/
end module
use m
i = 4; j = 5; r = 2.5
call s
end
subroutine s
  common /com/ k, l
  bind(c, name='my_com') :: /com/
  print *, k, l
end

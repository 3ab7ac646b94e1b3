! BOZ constants in DATA are for integers.
program boz_data
  implicit none
  integer :: i
  real :: r
  logical :: l
  data i /z'1'/
  data r /z'1'/
  data l /b'1'/
end program

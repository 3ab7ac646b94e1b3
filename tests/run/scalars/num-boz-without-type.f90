! BOZ constants where nothing gives them a type, as old programs have them: their bits are taken as a number. gfortran takes this with -fallow-invalid-boz.
program boz_bits
  implicit none
  integer :: i, a(4)
  real :: r
  data i /x'1f'/
  i = z'4455'
  r = i
  i = z'41'
  a = [1, 2, 3, 4]
  print *, i, r, a
  ! Right ones:
  i = int(z'ff') + iand(z'f', i) + ior(i, b'11')
  r = real(z'3f800000')
  print *, i, r
end program

! BOZ constants where nothing gives them a type.
program boz_bad
  implicit none
  integer :: i, a(4)
  real :: r
  i = z'4455'
  r = z'ffff'
  i = z'41' + 1
  a = [z'1', z'2', z'3', z'4']
  a(z'2') = 1
  print *, a(1:z'2')
  print *, z'10'
  call s(b'1001')
  i = not(z'f')
  i = popcnt(o'17')
  associate (y => z'1')
  end associate
  if (i == z'1') stop
  ! Right ones:
  i = int(z'ff') + iand(z'f', i) + ior(i, b'11')
  r = real(z'3f800000')
  data i /z'1f'/
contains
  subroutine s(n)
    integer, intent(in) :: n
    print *, n
  end subroutine
end program

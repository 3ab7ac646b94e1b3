! SELECTED kinds, integer(8) loops, logical kinds, mixed complex, merge chars, adjust, scan verify, iachar
program p
  implicit none
  integer, parameter :: i8 = selected_int_kind(18), l1 = 1
  integer(i8) :: f, i
  logical(l1) :: t
  complex(8) :: z
  character(12) :: s
  f = 1
  do i = 1_i8, 20_i8
    f = f*i
  end do
  print *, f, huge(f), kind(i)
  t = f > 0
  print *, t, kind(t), logical(t, 4) .neqv. .true.
  z = (1d0, 2d0)**2 + sqrt((-1d0, 0d0))
  print '(2f10.5)', z, conjg(z), exp((0d0, 1d0)), log(z)
  print '(4f10.5)', abs(z), real(z), aimag(z), atan2(aimag(z), real(z))
  s = merge('yes         ', 'no          ', f > 0)
  print *, s, adjustr(s), scan(s, 'es'), verify(s, 'yes'), index(s, 's', .true.)
  print *, iachar('a'), achar(66), char(67), ichar('d'), lgt('b', 'a'), len(s), repeat('ab', 3)
  print *, cmplx(1, 2), cmplx(1.5d0, kind=8), dble(3), int(3.7d0, i8), real(z), aint(-2.5), sign(2, -3)
  print *, maxexponent(1d0), tiny(1.0) > 0, range(f), btest(5, 2), ior(8, 3), 7/2, -7/2, mod(-7, 2), modulo(-7, 2)
end program

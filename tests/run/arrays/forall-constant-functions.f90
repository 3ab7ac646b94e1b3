! Functions of constants in the masks and values of FORALL and WHERE: those of texts and of the library are called
program forall_constant_functions
  implicit none
  integer :: a(6), b(6), i
  real(8) :: x(6)
  a = [(i, i = 1, 6)]
  b = 0
  x = 0
  forall (i = 1:6, a(i) > verify('abc', achar(3 + 96))) b(i) = i
  print *, b
  forall (i = 1:6, a(i) > index('abc', 'b')) b(i) = -i + scan('xyz', 'z')
  print *, b
  forall (i = 1:6, a(i) < len_trim('abc  ') .and. lle('a', 'b')) b(i) = len('four') + ichar('a')
  print *, b
  forall (i = 1:6, x(i) < erf(0.5d0) .and. a(i) /= kind(1.0d0)) x(i) = a(i) + bessel_j0(0.0d0) + selected_int_kind(9)
  print '(6f8.3)', x
  where (a > index('hello', 'l') .and. 'ab' < 'b') b = verify('aab', 'a')
  print *, b
  where (x > gamma(5.0d0)) x = huge(1) - maxval([1, 2])
  print '(6f8.3)', x
end program

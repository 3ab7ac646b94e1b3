! Internal units that are sections: with strides, backwards, of components, of substrings.
program internal_section
  implicit none
  type t
    character(len=6) :: date
    integer :: n
  end type
  character(len=4) :: c(5) = '....', m(2, 3) = 'mmmm'
  type(t) :: d(3)
  integer :: i, a(3)
  write (c(5:1:-2), '(a)') '5', '3', '1'
  print '(5a)', c
  write (m(2, :), '(i2)') 1, 2, 3
  print '(6a)', m
  d%date = 'yymmdd'
  write (d%date(3:4), '(i2.2)') (7*i, i=1, 3)
  print '(3(a,1x))', d%date
  read (d(3:1:-1)%date(3:4), '(i2)') a
  print *, a
  read (c(1::4), *) a(1:2)
  print *, a(1:2)
  write (c(2:4:2), '(a,t1,a,$)') 'long', 'sh'
  print '(5a)', c
end program

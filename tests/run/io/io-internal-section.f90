! Internal units whose elements do not lie side by side
program p
  implicit none
  character(5) :: c(5), d(2, 3), e(4)
  type t
    integer :: n
    character(4) :: s
  end type
  type(t) :: x(3)
  integer :: i, k(3), ios
  c = '-----'
  write (c(5:1:-2), '(a)') '5', '3', '1'
  print *, c
  c = ['10   ', '20   ', '30   ', '40   ', '50   ']
  read (c(1::2), *) k
  print *, k
  d = ' '
  write (d(2, :), '(i3)') (i, i = 1, 3)
  print *, d
  e = 'abcde'
  write (e(:)(2:3), '(i2)', iostat=ios) 11, 22, 33, 44
  print *, e, ios
  x = t(1, 'none')
  write (x%s, '(f4.1)') 1.5, 2.5, 3.5
  print *, x
  x%s(1:2) = '7 '
  read (x(:)%s(1:2), '(i1)') k
  print *, k
end program

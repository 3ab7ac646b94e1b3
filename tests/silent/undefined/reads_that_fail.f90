! Items of a READ that goes on when it fails: those that were read before, had a value, or are not used then.
program right
  integer :: a, b, c, n, i, ios, got
  integer :: list(5), some(5)
  real :: x, y
  character(20) :: s = '1 2', t
  character(3) :: u
  complex :: z
  b = 7
  read (s, *, iostat=ios) a, b, c
  print *, a, b, ios /= 0
  if (ios == 0) print *, c
  n = 0
  do
    read (s(n + 1:), *, end=10) x
    n = n + 2
    if (n > 4) exit
    print *, x
  end do
10 print *, n, number('x') + number('5')
  read (s, *, err=20, end=20) y, z
  print *, y, z
20 continue
  read (s, *, iostat=ios) (list(i), i=1, 5)
  print *, list(1:2)
  got = 0
  read (s, *, iostat=ios) some
  print *, some(1:2)
  read (s, '(a)', iostat=ios) u
  if (ios /= 0) u = 'x'
  print *, u
  open (10, status='scratch')
  write (10, '(a)') 'ab'
  rewind 10
  read (10, '(a5)', advance='no', iostat=ios, size=got) t
  print *, trim(t), got
  read (10, *, iostat=ios) i
  if (ios == 0) print *, i
contains
  integer function number(text)
    character(*), intent(in) :: text
    read (text, *, iostat=ios) number
    if (ios /= 0) number = 0
  end function
end program

program errors
  implicit none
  integer :: i j
  reel :: x
  intger :: y
  i = (1 + 2
  i = 1 +
  i = 1 + * 2
  i = [1, 2
  call sub(1,
  if (i == 1 then
  end if
  if i == 1 then
  do i = 1
  end do
  wirte (*, *) i
  write (*, *, foo = 1) i
  write (*, fmt = 1, fmt = 2) i
  open (5, fil = 'x')
  allocate (x, sorce = y)
  integer, dimensoin(3) :: z
  i = 1 $ 2
  s = 'unterminated
  i = 99999999999999999999
  i = z'xy'
  goto 123456
  print *, (i, j)
  print *, (i, j, k)
  x = (i, i = 1, 3)
  if (i == 1) if (j == 2) k = 3
  if (i == 1) integer :: k
  x = class
  class(point) :: p
  select type (x)
  sync all
  type, extends(base) :: derived
  do concurrent (i = 1:3) local(j)
  end do
  1.5 = x
  = 3
  format (i5)
  100
  0 continue
  name: x = 3
  use late
end program wrong

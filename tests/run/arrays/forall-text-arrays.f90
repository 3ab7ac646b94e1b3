! Arrays of characters and structures that a FORALL assigns
program p
  implicit none
  type t
    integer :: i
    character(2) :: s
  end type
  character(3) :: c(4, 3), d(3, 4), e(4)
  type(t) :: x(3, 2), y(2, 3)
  integer :: i, j
  do j = 1, 3
    do i = 1, 4
      c(i, j) = achar(96 + i)//achar(48 + j)
    end do
  end do
  forall (i = 1:3) d(i, :) = c(:, i)
  print '(4(a,1x))', d
  forall (i = 1:3, mod(i, 2) == 1) c(:, i) = c(4:1:-1, 4 - i)
  print '(4(a,1x))', c
  e = 'xyz'
  forall (i = 1:1) e(2:4)(i:i) = e(1:3)(i + 1:i + 1)
  print *, e
  forall (i = 1:4) e(i:i) = e(5 - i:5 - i)
  print *, e
  x(:, 1) = [(t(i, 'a'//achar(48 + i)), i = 1, 3)]
  x(:, 2) = [(t(10*i, 'b'//achar(48 + i)), i = 1, 3)]
  forall (j = 1:2) y(j, :) = x(:, j)
  print *, y
  forall (j = 1:2) y(j, 2:3) = y(j, 1:2)
  print *, y%i
  forall (j = 1:3) y(:, j)%s = 'q'
  print *, y%s
end program

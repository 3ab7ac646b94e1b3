! PRINT and READ in all their forms, and items of every form.
program print_forms
  integer :: i, v(2, 3) = reshape([1, 2, 3, 4, 5, 6], [2, 3])
  character(10) :: f = '(6i3)', g
  type t
    integer :: a = 1
    character(2) :: b = 'xy'
  end type
  type(t) :: q(2)
  namelist /nm/ i
  i = 4
  print *
  print 100
  print 100, v
  print f, v
  print '(6i3)', transpose(v)
  print '(3i3)', v(2, :)
  print *, (i, v(1, i), i = 1, 3)
  print '(3(2i3,1x))', ((v(j, k) * 10, j = 1, 2), k = 1, 3)
  print *, q
  print '(i2,a)', q
  print *, q%a, q(1)%b
  print *, -v(1, 1) + 2, 'a' // 'b', v > 3
  print nm
  write (*, 100) v(1, :), max(1, 2)
  read (f(2:2), '(i1)') i
  print *, i
100 format (3i3)
end program

! Formats of constants, and descriptors that lack something.
program format_constants
  implicit none
  integer :: i
  real :: x
  character(len=*), parameter :: f = '(i5,, i3)'
  write (*, '(i5, q3)') 1
  write (*, 'i5)') 1
  write (*, '(i5') 1
  write (*, f) 1
  read (*, '(i0)') i
  write (*, '(1p i5)') 1
  write (*, '(en)') 1.0
  write (*, '(f)') 1.0
  write (*, '(t, i5)') 1
  write (*, '(3)') 1
  write (*, '(e12.3e)') 1.0
  write (*, '(a5.3)') 'a'
  write (*, '(i5,)') 1
  write (*, '(2''a'')') 1
  write (*, '(*i5)') 1
  print '(p, f5.1)', 1.0
  print '(f8)', x
  print 10, 1
10 format (i5, f8., &
    i3)
20 format (21H ONE-SIDED AT)
30 format (g0.3e2)
  ! Right ones:
  print '(1p2e12.4, 2(i5)3x, *(a, :, ","))', 1.0, 2.0
  print '(t5, tl2, g0, a, l, i0, 3hxyz, dc, ru, b8.8 e12.3e2)'
end program

! The mask of WHERE is fixed before the body changes what it was made of.
program where_mask_changed
  implicit none
  integer :: a(5), b(5), i
  logical :: m(5)
  a = (/ 1, -2, 3, -4, 5 /)
  b = 0
  where (a > 0)
    a = -a
    b = a
  elsewhere
    a = a * 10
    b = a
  end where
  print *, a, b
  m = (/ (mod(i, 2) == 0, i = 1, 5) /)
  where (m)
    m = .false.
    a = 7
  elsewhere
    m = .true.
    a = 8
  end where
  print *, m, a
  where (a(2:5) == 8) a(1:4) = 0
  print *, a
end program

! WHERE construct with masked and final ELSEWHERE.
program where_elsewhere
  implicit none
  integer :: a(8), b(8), i
  a = (/ (i, i = 1, 8) /)
  b = 0
  where (mod(a, 2) == 0)
    b = a
    a = 0
  elsewhere (a > 4)
    b = -a
    a = 1
  elsewhere
    b = 100 + a
    a = 2
  end where
  print *, a
  print *, b
end program

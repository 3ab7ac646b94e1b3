! FORALL construct: statements one after the other, nested FORALL and WHERE.
program forall_construct
  implicit none
  integer :: a(5), b(5), t(4, 4), i, j
  a = (/ (i, i = 1, 5) /)
  b = 0
  forall (i = 2:4)
    a(i) = a(i - 1) + a(i + 1)
    b(i) = a(i - 1) * a(i + 1)
  end forall
  print *, a, b
  t = 0
  forall (i = 1:4)
    forall (j = i:4) t(i, j) = i + 10 * j
    where (t(i, :) == 0) t(i, :) = -i
  end forall
  print *, t
  forall (i = 1:3)
    t(i, 1:2) = t(i + 1, 3:4)
  end forall
  print *, t
end program

! Vector subscripts on both sides, as actual arguments, in several dimensions and with duplicates on the right.
program array_vector_subscripts
  implicit none
  integer :: a(6) = [10, 20, 30, 40, 50, 60], p(6) = [6, 5, 4, 3, 2, 1], m(3, 4), i, j
  integer :: idx(3) = [4, 1, 6]
  character(2) :: c(4) = ['aa', 'bb', 'cc', 'dd']
  forall (i=1:3, j=1:4) m(i, j) = 10*i + j
  print *, a(p)
  print *, a(p(p(idx)))
  a(idx) = a(idx([2, 3, 1])) + 1
  print *, a
  m([3, 1], [2, 4, 1]) = m([1, 2], [1, 1, 3])
  print '(4i4)', transpose(m)
  print *, c([4, 4, 1, 2])
  c([2, 3]) = c([3, 2])
  print *, c
  print *, total(a(idx)), total(m(2, [1, 1, 1]))
  a(p(1:3)) = 0
  where (a([1, 2, 3]) > 0) a([1, 2, 3]) = -a([1, 2, 3])
  print *, a
contains
  integer function total(x)
    integer, intent(in) :: x(:)
    total = sum(x)
  end function
end program

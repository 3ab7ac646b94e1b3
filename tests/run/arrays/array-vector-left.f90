! Vector subscripts on the left side, as arguments, nested.
program p
  implicit none
  integer :: a(6), idx(3), b(3,3), i
  a = 0
  idx = [5, 1, 3]
  a(idx) = [10, 20, 30]
  print *, a
  a(idx(2:3)) = a(idx(1:2)) + 1
  print *, a
  call show(a(idx))
  call show(a([6, 5, 4]))
  b = reshape([(i, i=1,9)], [3,3])
  b(idx(2:3), :) = b([2, 2], :)
  print *, b
  print *, b([1, 3], [3, 1]), sum(a(idx))
  a(a(idx)/20 + 1) = 7
  print *, a
contains
  subroutine show(x)
    integer, intent(in) :: x(:)
    print *, 'show', x
  end subroutine
end program

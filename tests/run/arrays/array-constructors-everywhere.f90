! Array constructors as arguments of array functions, in subscripts, masks and assignments.
program p
  implicit none
  integer :: a(4) = [4,3,2,1], b(2,2), i, n
  integer, allocatable :: c(:), d(:,:)
  real :: x(3) = [1.0, 2.0, 3.0]
  character(3) :: w(2) = ['abc', 'def']
  type t
    integer :: k
    real :: r(2)
  end type
  type(t) :: s(2)
  n = 2
  b = reshape([a(2:3), pack(a, a > 2)], [2, 2])
  print *, b
  c = [a, [(i, i=1,n)], b(:,1)*2, size(a)]
  print *, c
  d = spread(c(:n), dim=2, ncopies=n+1)
  print *, shape(d), d
  d = reshape(c, [n, size(c)/n])
  print *, shape(d), d(2,:)
  print *, matmul(reshape([1.0,2.0,3.0,4.0,5.0,6.0],[2,3]), x), dot_product(x, x(3:1:-1))
  print *, cshift([a, 9], n), eoshift(c(1:3), -1, boundary=n)
  print *, [character(5) :: w, 'xy'], [w(2:1:-1)]//'!'
  s = [t(1, [1.0, 2.0]), t(k=2, r=x(2:3))]
  print *, s%k, s(2)%r, [s(2), s(1)]
  print *, maxval([a, maxloc(a)]), minval(reshape(c, [3,3]), dim=1), count(reshape(c,[3,3]) > 2, dim=2)
  print *, merge([1,2,3,4], a, a > 2), sum(reshape(a, [2,2]), dim=1, mask=reshape([.true.,.false.,.true.,.true.],[2,2]))
  print *, any([x > 2, .false.]), all([(x(i) > 0, i=1,3)]), unpack([7,8], [.true.,.false.,.true.,.false.], a)
  print *, ubound(reshape(a,[2,2])), lbound(a(2:)), size(pack(a, .true.)), shape(transpose(d))
  print *, transfer([1.0, 2.0], [0]), iachar([w(1)(1:1), w(2)(2:2)])
  print *, norm2([3.0, 4.0]), product([a, 2]), iall([7, 6]), parity([.true., .true., .true.]), &
    findloc(a, 2), findloc([w, 'abc'], 'abc', back=.true.)
  print *, index([w, 'bca'], 'b'), len_trim([w(1), 'x  ']), repeat('ab', size(a)), trim(adjustl('  '//w(1)))
  where ([a(1:2), 0, 5] > 3) a = [9, 9, 9, 9]*[1, 2, 3, 4]
  print *, a
  forall (i=1:2) b(i, :) = [i, i*10]
  print *, b
  b([2, 1], :) = b
  print *, b
  b = b(2:1:-1, 2:1:-1)
  print *, b, b(1, [2, 2, 1])
end program

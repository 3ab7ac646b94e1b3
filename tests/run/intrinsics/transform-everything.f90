! Array, bit, character and number intrinsics of Fortran 95 on small values.
program p
  implicit none
  type rgb
    sequence
    integer(1) :: r, g, b, a
  end type
  type(rgb) :: c
  integer :: i, n
  integer :: m(2,3) = reshape([1,2,3,4,5,6],[2,3])
  real :: x(4) = [1.5, -2.5, 3.5, -4.5]
  complex :: z(2) = [(1,2),(3,-4)]
  logical :: l(2,3)
  character(4) :: w
  c = transfer(67305985, c)
  print *, c%r, c%g, c%b, c%a, transfer(rgb(1_1,0_1,0_1,0_1), i)
  print *, transfer('ABCD', i) == ichar('A') + 256*(ichar('B') + 256*(ichar('C') + 256*ichar('D')))
  w = transfer([65, 66], w)
  print *, transfer(x(1:2), [0_8]), transfer(z, [0.0])
  print *, reshape(m, [3,2], order=[2,1]), reshape([1,2], [2,2], pad=[9])
  print *, cshift(m, [1,-1], dim=2), eoshift(m, 1, boundary=[-1,-2,-3], dim=1)
  print *, spread(x(1:2), 1, 2), spread(7, 1, 3)
  l = m > 2
  print *, pack(m, l), pack(m, l, [0,0,0,0,0,0]), unpack([10,20,30,40], l, m), count(l, 1), any(l, dim=2), all(l,1)
  print *, maxloc(m), minloc(m, mask=m>2), maxloc(m, dim=2), maxval(m, 1), sum(m, dim=1, mask=l), product(m)
  print *, dot_product(z, z), dot_product([.true.,.false.],[.true.,.true.]), matmul(m, transpose(m))
  print *, merge(z(1), z(2), .false.), merge(rgb(1_1,2_1,3_1,4_1), c, i > 0)
  print *, minloc(x, 1), sign(3.0, x), modulo(-7, 3), mod(-7, 3), modulo(-7.5, 2.0), floor(-2.5), ceiling(-2.5), nint(-2.5), &
   aint(-2.7), anint(2.5)
  print *, ibits(255, 2, 3), ishftc(1, -1, 8), ishft(-1, -28), not(0), btest([1,2,3], 1), iand(12, 10), ieor(12, 10)
  n = 255
  call mvbits(7, 0, 2, n, 8)
  print *, n, adjustr('ab  '), adjustl('  cd')//'|', scan('hello', 'lo'), verify('aabb', 'a'), index('hello', 'l', back=.true.)
  print *, lge('b', 'a'), llt('a', 'a '), 'abc' == 'abc  ', 'abcdef'(2:4), repeat('xy', 3), trim('a  ')//'.', len_trim('  a  ')
  print *, huge(1_2), tiny(1.0), epsilon(1d0), radix(1), digits(1.0), precision(1d0), range(1), &
 maxexponent(1.0), selected_real_kind(10), selected_int_kind(12)
  print *, exponent(10.0), fraction(10.0), scale(1.5, 3), set_exponent(1.5, 4), nearest(1.0, 1.0) > 1.0, &
   spacing(1.0), rrspacing(1.0)
end program

! Functions that move elements about, of arrays of structures.
program p
  type t
    integer :: i
    real :: x
  end type
  type(t) :: d(2,2), e(4), f(2,2), s(2,3)
  logical :: m(2,2)
  d(1,1)%i = 1; d(2,1)%i=2; d(1,2)%i=3; d(2,2)%i=4
  d%x = 1.5
  e = reshape(transpose(d), [4])
  print *, e%i
  f = cshift(d, 1, 2)
  print *, f%i
  e = pack(d, .true.)
  print *, e%i
  m = reshape([.true.,.false.,.true.,.true.],[2,2])
  print *, size(pack(d, m))
  f = merge(d, f, m)
  print *, f%i
  s = spread(e(1:2), 2, 3)
  print *, s%i
  f = unpack(e, m, d)
  print *, f%i
  f = eoshift(d, 1, t(9,9.0))
  print *, f%i
end

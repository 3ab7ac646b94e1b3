! Pointers to substrings of an array, and with fewer dimensions than their target.
program p
  implicit none
  character(8), target :: tar(4) = ['abcdefgh','ijklmnop','qrstuvwx','yz012345']
  character(2), pointer :: a(:)
  real, target :: m(3,4)
  real, pointer :: v(:), w(:,:)
  integer :: i
  m = reshape([(real(i), i=1,12)], [3,4])
  v(1:12) => m
  print *, v
  v(0:5) => m(:,2:3)
  print *, lbound(v), v
  w(1:2,1:6) => m
  print *, w(:,3)
  a => tar(:)(2:3)
  print *, a
  a(2) = 'ZZ'
  print *, tar
  a => tar(4:1:-2)(5:6)
  print *, a, size(a)
end program

! character arrays with array intrinsics; concatenation of arrays; implied do in write and read
program p
  implicit none
  character(3) :: a(4) = ['one', 'two', 'thr', 'fou'], b(2,2)
  character(6) :: d(4)
  character(20) :: buf
  integer :: i, n(3)
  b = reshape(a, [2, 2])
  print *, transpose(b), cshift(a, 1), eoshift(a, 1), eoshift(a, -1, '###')
  print *, pack(a, a > 'p'), merge(a, 'xxx', a < 'p'), spread(a(1:2), 2, 2)
  d = a//a(4:1:-1)
  print *, d, index(d, 't'), len(d), adjustl([' x', 'y ']), trim(d(1)(2:4))
  write (buf, '(3i4)') (i*i, i=1,3)
  read (buf, *) (n(i), i=3,1,-1)
  print *, n, buf
  print *, unpack(['A', 'B'], [.true., .false., .true.], '-'), count(a == 'one'), any(d(:)(1:1) == 'f')
  print *, [(a(i)(1:1), i=1,4)], repeat(a(2), 2), iachar(a(:)(1:1)), achar([72, 105])
  print *, max('abc', 'abd'), min('b', 'a', 'c'), len_trim(['a  ', 'bb ']), scan(a, 'aeiou'), verify(a, 'o')
  print *, lge(a, 'o'), a(:)(2:2), ichar('A') + [1, 2, 3], reshape(['a', 'b', 'c', 'd'], [2, 2], order=[2, 1])
end program

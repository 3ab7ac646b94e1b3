! Arithmetic among integer kinds gives the larger kind; bits at their edges.
program kinds_mixed_integers
  implicit none
  integer(kind=1) :: a
  integer(kind=2) :: b
  integer(kind=4) :: c
  integer(kind=8) :: d
  a = 100
  b = 30000
  c = 2000000000
  d = 9000000000000000000_8
  print *, a + b, b + c / 2, c + 1_8 * c, d + a
  print *, kind(a + a), kind(a + b), kind(b * c), kind(c - d)
  a = -a
  b = -b
  print *, a, b, iand(int(a), 255), iand(int(b), 65535), abs(a), mod(b, 7_2)
  c = a
  d = b
  print *, c * d, int(d, 1) == a, int(c, 2)
end program

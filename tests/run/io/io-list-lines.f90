! List-directed output: where lines break, of every type, of long strings, of arrays.
program lines
  implicit none
  integer :: k
  integer(8) :: w(6) = [(10_8**k, k = 0, 15, 3)]
  real(8) :: d(7) = [(10d0**k, k = -3, 15, 3)]
  logical :: l(45) = [(mod(k, 3) == 0, k = 1, 45)]
  complex :: z(4) = [(cmplx(k, -k), k = 1, 4)]
  character(30) :: c(4) = [character(30) :: 'one', 'two', 'three', 'four']
  print *, (k, k = 1, 25)
  print *, w
  print *, d
  print *, l
  print *, z
  print *, c
  print *, repeat('x', 100)
  print *, 'a', 1, 'b', 2.5, 'c', .true., 'd', 'e'
  print *, 1_1, 2_2, 3_4, 4_8
  print *, 'text', 'text'
  print *, ''
  print *
  print *, [character(2) ::], 5
  write (*, *, delim='quote') 'a"b', 'c', 1
  write (*, *, delim='apostrophe') 'it''s', 1.0
end program

! Array constructors of CHARACTER whose items differ in length, without a type.
program constructor_lengths
  implicit none
  character(3) :: c(2), d(4), a = 'abc'
  character(5), parameter :: long = 'abcde'
  integer :: i
  c = ['abc', 'de']
  d = [('abc', 'de', i = 1, 2)]
  print *, [a(1:2), 'x']
  print *, ['a'//'b', 'xyz']
  print *, [char(65), 'xyz']
  c = [character(3) :: 'abc', 'de']
  c = ['abc', 'def']
  c = [a, 'x']
  print *, [long, long(1:2)]
  d = [(a, 'xyz', i = 1, 2)]
  print *, ['', ''], [a(:i), a(i:)]
end program

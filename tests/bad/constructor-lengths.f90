! Array constructors of CHARACTER whose items differ in length, without a type.
program constructor_lengths
  implicit none
  character(3) :: c(2), d(4), a = 'abc'
  character(5), parameter :: long = 'abcde'
  integer :: i
  c = ['abc', 'de']
  c = [a, 'x']
  d = [('abc', 'de', i = 1, 2)]
  print *, [a, [long, long]]
  c = [character(3) :: 'abc', 'de']
  print *, [long, long(1:2)]
  c = ['abc', 'def']
  d = [(a, 'xyz', i = 1, 2)]
  print *, ['', ''], [a(:i), a(i:)]
end program

! DATA and EQUIVALENCE of structures and their components.
program p
  implicit none
  type pair
    sequence
    integer :: k
    real :: r(2)
    character(4) :: c
  end type
  type(pair) :: x, y(3), z
  integer :: words(4)
  equivalence (z, words)
  data x /pair(1, 2.0, 'abcd')/
  data y(1)%k, y(2)%c /5, 'two'/, y%r(2) /3 * 1.5/
  data y(3)%c(2:3) /'zz'/
  save
  print *, x%k, x%r, x%c
  print *, y(1)%k, y(2)%c, y%r(2), y(3)%c(2:3)
  z%k = 42
  print *, words(1)
  words(1) = 43
  print *, z%k
end program
